/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The state of an emulated port, and the settings that counting a frame reads without a lock.
 */
#ifndef MACSTATS_EMULATE_STATE_H
#define MACSTATS_EMULATE_STATE_H

#include "../fault.h"
#include "../lengths.h"
#include "../option.h"
#include "../roles.h"

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/seqlock.h>
#include <linux/stddef.h>
#else
#include <errno.h>
#include <stddef.h>
#endif

/* Load and store a value that the kernel also writes, or reads, without the lock. */
#ifdef __KERNEL__
#define MACSTATS_LOAD(place)		READ_ONCE(place)
#define MACSTATS_STORE(place, value)	WRITE_ONCE(place, value)
#else
#define MACSTATS_LOAD(place)		(place)
#define MACSTATS_STORE(place, value)	((place) = (value))
#endif

/* What frames of one class add up to; of one frame, or of those in a cell. */
struct macstats_sums {
	__u64 frames;
	__u64 octets;
	__u64 payload;
	__u64 line;		/* octet times, with gaps and collisions */
};

/* Powers of two to MACSTATS_FRAME_MAX. */
#define MACSTATS_OCTAVES	16

/*
 * Classes that can have a cell: a power of two, at most 256. Frames of more classes are counted,
 * too, but under the lock.
 */
#define MACSTATS_CELLS		128

/* Of one CPU, which alone writes them. No cell lies across two cache lines. */
struct macstats_cpu_cells {
	struct macstats_sums cells[MACSTATS_CELLS];
	__u64 additions;	/* to any cell */
#ifdef __KERNEL__
	seqcount_t seq;		/* the sums of a cell are read as one, on any machine */
#endif
} __attribute__((aligned(64)));

struct macstats_cell_set {
	struct macstats_cpu_cells *const *cpu_cells;
	unsigned int count;
};

/* Sums of the frames in all cells, after @additions to them. */
struct macstats_cell_totals {
	__u64 additions;
	__u64 good;		/* good frames received */
	__u64 line;		/* octet times */
};

struct macstats_emulated_counter {
	__u64 sum;		/* of the cells, when macstats_cell_totals was made */
	__u64 base;
	__u64 captured;		/* by a snapshot or a latch */
	__u64 pending;		/* counted, but not shown before ... */
	__u64 shown_at;		/* ... this number of good frames came */
	__u64 preset_to;	/* while @preset */
	__u64 still;		/* @sum when the block was frozen by a bit */
	bool preset;		/* and not read since by the owner of the counts */
	bool lowered;		/* somebody else lowered it since */
};

struct macstats_emulated_block {
	bool requested;		/* a snapshot */
	bool granted;
	bool parity_error;
	bool clears;		/* a bit lets reads clear its counters, as the next ones: */
	bool saturates;		/* stay at their maximum */
	bool still;		/* stay as they are */
	__u8 looks;		/* at the status before a slow grant */
	__u64 data;		/* in the window */
};

/* The settings that registers and faults make for counting. Published as a whole. */
struct macstats_settings {
	__u32 max_frame_rx;
	__u32 max_frame_tx;
	__u32 max_frame_set;	/* on transmit, where a register or descriptor applies it */
	__u32 tx_config;	/* bits of a transmit descriptor that registers set */
	__u16 options;		/* those of the device, and settings */
	__u8 attempts;		/* collisions after which a frame is given up */
	bool counting;		/* counters are there, with power, and the gate is open */
	bool flow_control;	/* the MAC exerts it */
};

#define MACSTATS_NO_SETTINGS	{ 0, 0, 0, 0, 0, 0, false, false }

struct macstats_emulator {
	/* Fixed at power-up: counting a frame reads it without a lock. */
	const struct macstats_model *model;
	__u16 options;		/* enum macstats_option that it is built with */
	__u8 tag_allowance;	/* by which a tagged frame may be over the maximum */
	__u8 first_size[MACSTATS_OCTAVES];	/* the least class of lengths from 1 << i on */
	__u32 size_end[2][MACSTATS_MAX_EDGES + 1];	/* of each class, untagged and tagged */
	__u32 frame_limit;	/* some counter does not count all octets of longer frames */
	struct macstats_roles roles;

	/* Written under the lock; counting reads them between two looks at their sequence. */
#ifdef __KERNEL__
	seqcount_t settings_seq;
#endif
	struct macstats_settings settings;
	__u32 version;		/* differs after each publication of them; never 0 */

	/* The class of each cell; 0: none. Set under the lock once a class is seen, and stays. */
	__u64 classes[MACSTATS_CELLS];

	/* The holder of the lock owns the rest; @faults and @slow_bus_usecs are read without it. */
	struct macstats_emulated_block blocks[MACSTATS_MAX_BLOCKS];
	__u32 registers[MACSTATS_MAX_REGISTERS];
	__u16 cells;		/* that have a class */
	bool random_power_up;
	bool foreign;		/* the access under way is not one of the owner of the counts */
	__u32 faults;		/* enum macstats_fault that are active */
	__u32 armed;		/* those that begin when a counter is read */
	__u32 bus_error_word;	/* of MACSTATS_FAULT_BUS_ERROR_AT */
	__u32 slow_bus_usecs;	/* of MACSTATS_FAULT_SLOW_BUS; the owner of the bus waits */
	__u64 random;		/* state of the generator */
	__u64 other_good;	/* good frames received that are in no cell */
	__u64 other_line;	/* octet times of frames in no cell, since line_seen */
	__u64 line_seen;	/* octet times of the cells when last asked for */
	struct macstats_cell_totals totals;
	__u16 last_read;	/* the last counter that the bus read: the next one is near */
	/* There is memory for those of the model only: macstats_emulator_size(). */
	struct macstats_emulated_counter counters[MACSTATS_MAX_COUNTERS];
};

/* The size of the zeroed memory that an emulator of this model needs. */
MACSTATS_FN size_t macstats_emulator_size(const struct macstats_model *model)
{
	return offsetof(struct macstats_emulator, counters) +
	       model->n_counters * sizeof(struct macstats_emulated_counter);
}

#ifdef __KERNEL__
/* Settings that are read later are of this version, or newer. */
static inline __u32 macstats_settings_version(const struct macstats_emulator *emu)
{
	/* Pairs with the barrier of write_seqcount_begin(). */
	return smp_load_acquire(&emu->version);
}

/* The settings now, all of one moment. Takes no lock. */
static inline struct macstats_settings macstats__settings_now(const struct macstats_emulator *emu)
{
	struct macstats_settings now;
	unsigned int start;

	do {
		start = read_seqcount_begin(&emu->settings_seq);
		now = emu->settings;
	} while (read_seqcount_retry(&emu->settings_seq, start));
	return now;
}

static inline void macstats__settings_publish(struct macstats_emulator *emu,
					      const struct macstats_settings *settings)
{
	preempt_disable_nested();	/* as in macstats__cell_add() */
	write_seqcount_begin(&emu->settings_seq);
	emu->settings = *settings;
	WRITE_ONCE(emu->version, emu->version + 1 ? : 1);
	write_seqcount_end(&emu->settings_seq);
	preempt_enable_nested();
}
#else
MACSTATS_FN __u32 macstats_settings_version(const struct macstats_emulator *emu)
{
	return emu->version;
}

MACSTATS_FN struct macstats_settings macstats__settings_now(const struct macstats_emulator *emu)
{
	return emu->settings;
}

MACSTATS_FN void macstats__settings_publish(struct macstats_emulator *emu,
					    const struct macstats_settings *settings)
{
	emu->settings = *settings;
	emu->version = emu->version + 1 ? emu->version + 1 : 1;
}
#endif

#endif /* MACSTATS_EMULATE_STATE_H */
