// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/macstats_bench: `trace`, the last accesses of the driver; `unanswered`, the
 * registers that it read and that nobody described; `registers`, those that are memory, to be
 * written as well; `interrupt`, which fires the interrupt of the number that is written; `link`,
 * where 0 takes the link of the PHY away and interrupts the driver.
 */
#include <linux/debugfs.h>
#include <linux/mii.h>
#include <linux/seq_file.h>

#include "bench.h"

static struct debugfs_blob_wrapper bench_registers;
static struct dentry *bench_dir;

static int trace_show(struct seq_file *file, void *unused)
{
	struct bench *bench = file->private;
	struct bench_access access;
	u64 number = bench->accesses;

	for (number -= min(number, BENCH_TRACE); number < bench->accesses; number++) {
		spin_lock_irq(&bench->lock);
		access = bench->trace[number % BENCH_TRACE];
		spin_unlock_irq(&bench->lock);
		seq_printf(file, "%s%d %#06x %#x\n", access.write ? "write" : "read",
			   8 * access.size, access.offset, access.value);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(trace);

static int unanswered_show(struct seq_file *file, void *unused)
{
	struct bench *bench = file->private;
	u32 offset;

	for (offset = 0; offset < bench->personality->size; offset += 4) {
		u16 times = READ_ONCE(bench->asked[offset / 4]);

		if (times && times != BENCH_KNOWN)
			seq_printf(file, "driver read %#06x %u times: nothing answers it\n",
				   offset, times);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(unanswered);

static int interrupt_set(void *data, u64 number)
{
	struct bench *bench = data;

	if (number >= BITS_PER_LONG)
		return -EINVAL;
	bench_fire(bench, number);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(interrupt_fops, NULL, interrupt_set, "%llu\n");

static int link_set(void *data, u64 up)
{
	struct bench *bench = data;

	spin_lock_irq(&bench->lock);
	bench->phy[MII_BMSR] &= ~BMSR_LSTATUS;
	if (up)
		bench->phy[MII_BMSR] |= BMSR_LSTATUS;
	spin_unlock_irq(&bench->lock);
	bench_fire(bench, 0);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(link_fops, NULL, link_set, "%llu\n");

void bench_debugfs_init(struct bench *bench)
{
	bench_dir = debugfs_create_dir("macstats_bench", NULL);
	debugfs_create_file("trace", 0400, bench_dir, bench, &trace_fops);
	debugfs_create_file("unanswered", 0400, bench_dir, bench, &unanswered_fops);
	debugfs_create_file_unsafe("interrupt", 0200, bench_dir, bench, &interrupt_fops);
	debugfs_create_file_unsafe("link", 0200, bench_dir, bench, &link_fops);
	bench_registers.data = bench->words;
	bench_registers.size = bench->personality->size;
	debugfs_create_blob("registers", 0600, bench_dir, &bench_registers);
}

void bench_debugfs_exit(void)
{
	debugfs_remove_recursive(bench_dir);
}
