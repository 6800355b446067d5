// SPDX-License-Identifier: GPL-2.0
/* The bench as a PCI device: its configuration space, its BARs, MSI-X. */
#include "bench.h"

/* Where the capabilities are, and which BAR has the table of MSI-X. */
#define BENCH_PM	0x40
#define BENCH_MSIX	0xa0
#define BENCH_EXP	0xb0
#define BENCH_MSIX_BAR	4
#define BENCH_MSIX_SIZE	4096

static struct bench *bench_of(struct um_pci_device *um)
{
	return container_of(um, struct bench, um);
}

static unsigned long bench_config_read(struct um_pci_device *um, unsigned int offset, int size)
{
	const struct bench *bench = bench_of(um);
	unsigned long value = 0;

	if (offset + size <= BENCH_CONFIG_SIZE)
		memcpy(&value, &bench->config[offset], size);
	return value;
}

static void bench_config_write(struct um_pci_device *um, unsigned int offset, int size,
			       unsigned long value)
{
	struct bench *bench = bench_of(um);

	for (; size-- && offset < BENCH_CONFIG_SIZE; offset++, value >>= 8) {
		u8 mask = bench->writable[offset];

		bench->config[offset] = (bench->config[offset] & ~mask) | (value & mask);
	}
}

static bool bench_is_msix(const struct bench *bench, int bar, unsigned int offset, int size)
{
	return bar == BENCH_MSIX_BAR && bench->personality->vectors &&
	       offset + size <= sizeof(bench->msix);
}

static unsigned long bench_bar_read(struct um_pci_device *um, int bar, unsigned int offset,
				    int size)
{
	struct bench *bench = bench_of(um);
	unsigned long value = 0;

	if (bar == bench->personality->bar)
		return bench_access_read(bench, offset, size);
	if (bench_is_msix(bench, bar, offset, size))
		memcpy(&value, (u8 *)bench->msix + offset, size);
	return value;
}

static void bench_bar_write(struct um_pci_device *um, int bar, unsigned int offset, int size,
			    unsigned long value)
{
	struct bench *bench = bench_of(um);

	if (bar == bench->personality->bar) {
		bench_access_write(bench, offset, size, value);
	} else if (bench_is_msix(bench, bar, offset, size)) {
		memcpy((u8 *)bench->msix + offset, &value, size);
		/* A vector that waited may have been unmasked. */
		if (READ_ONCE(bench->pending))
			irq_work_queue(&bench->irq_work);
	}
}

static void bench_bar_copy_from(struct um_pci_device *um, int bar, void *buffer,
				unsigned int offset, int size)
{
	u8 *to = buffer;

	while (size--)
		*to++ = bench_bar_read(um, bar, offset++, 1);
}

static void bench_bar_copy_to(struct um_pci_device *um, int bar, unsigned int offset,
			      const void *buffer, int size)
{
	const u8 *from = buffer;

	while (size--)
		bench_bar_write(um, bar, offset++, 1, *from++);
}

static void bench_bar_set(struct um_pci_device *um, int bar, unsigned int offset, u8 value,
			  int size)
{
	while (size--)
		bench_bar_write(um, bar, offset++, 1, value);
}

static const struct um_pci_ops bench_um_ops = {
	.cfgspace_read = bench_config_read,
	.cfgspace_write = bench_config_write,
	.bar_read = bench_bar_read,
	.bar_write = bench_bar_write,
	.bar_copy_from = bench_bar_copy_from,
	.bar_copy_to = bench_bar_copy_to,
	.bar_set = bench_bar_set,
};

/**
 * bench_pci_irq() - the interrupt of a vector
 * @bench: the bench
 * @number: the vector
 *
 * Context: any.
 * Return: its number in Linux, or -EAGAIN while the vector is masked.
 */
int bench_pci_irq(struct bench *bench, unsigned int number)
{
	const u32 *vector = &bench->msix[4 * number];
	u16 control;

	memcpy(&control, &bench->config[BENCH_MSIX + PCI_MSIX_FLAGS], sizeof(control));
	if (!(control & PCI_MSIX_FLAGS_ENABLE))
		return bench->um.irq;
	if ((control & PCI_MSIX_FLAGS_MASKALL) ||
	    (vector[PCI_MSIX_ENTRY_VECTOR_CTRL / 4] & PCI_MSIX_ENTRY_CTRL_MASKBIT))
		return -EAGAIN;
	return vector[PCI_MSIX_ENTRY_DATA / 4];
}

/* Set a field of the configuration space, and the bits of it that a write changes. */
static void bench_config_set(struct bench *bench, unsigned int offset, int size, u32 value,
			     u32 writable)
{
	memcpy(&bench->config[offset], &value, size);
	memcpy(&bench->writable[offset], &writable, size);
}

static struct pci_dev *bench_pci_get(const struct bench *bench)
{
	return pci_get_device(bench->personality->vendor, bench->personality->device, NULL);
}

static void bench_config_init(struct bench *bench)
{
	const struct bench_personality *personality = bench->personality;
	u32 exp = PCI_CAP_ID_EXP | (2 | PCI_EXP_TYPE_ENDPOINT << 4) << 16;

	bench_config_set(bench, PCI_VENDOR_ID, 2, personality->vendor, 0);
	bench_config_set(bench, PCI_DEVICE_ID, 2, personality->device, 0);
	bench_config_set(bench, PCI_COMMAND, 4, PCI_STATUS_CAP_LIST << 16, 0xffff);
	bench_config_set(bench, PCI_CLASS_REVISION, 4,
			 PCI_CLASS_NETWORK_ETHERNET << 16 | personality->revision, 0);
	bench_config_set(bench, PCI_CACHE_LINE_SIZE, 2, 0, 0xffff);
	bench_config_set(bench, PCI_BASE_ADDRESS_0 + 4 * personality->bar, 4, 0,
			 -roundup_pow_of_two(personality->size));
	bench_config_set(bench, PCI_CAPABILITY_LIST, 1, BENCH_PM, 0);
	bench_config_set(bench, PCI_INTERRUPT_LINE, 2, 1 << 8, 0xff);
	bench_config_set(bench, BENCH_PM, 4, PCI_CAP_ID_PM | BENCH_EXP << 8 | 3 << 16, 0);
	bench_config_set(bench, BENCH_PM + PCI_PM_CTRL, 2, PCI_PM_CTRL_NO_SOFT_RESET,
			 PCI_PM_CTRL_STATE_MASK);
	bench_config_set(bench, BENCH_EXP, 4, exp | BENCH_MSIX << 8, 0);
	bench_config_set(bench, BENCH_EXP + PCI_EXP_DEVCTL, 2, 0, 0xffff);
	bench_config_set(bench, BENCH_EXP + PCI_EXP_LNKCAP, 4, 0x11, 0);
	bench_config_set(bench, BENCH_EXP + PCI_EXP_LNKCTL, 4, 0x11 << 16, 0xffff);
	if (!personality->vectors) {
		bench->config[BENCH_EXP + PCI_CAP_LIST_NEXT] = 0;
		return;
	}
	bench_config_set(bench, BENCH_MSIX, 4,
			 PCI_CAP_ID_MSIX | (personality->vectors - 1) << 16,
			 (PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL) << 16);
	bench_config_set(bench, BENCH_MSIX + PCI_MSIX_TABLE, 4, BENCH_MSIX_BAR, 0);
	bench_config_set(bench, BENCH_MSIX + PCI_MSIX_PBA, 4,
			 BENCH_MSIX_BAR | BENCH_MSIX_SIZE / 2, 0);
	bench_config_set(bench, PCI_BASE_ADDRESS_0 + 4 * BENCH_MSIX_BAR, 4, 0, -BENCH_MSIX_SIZE);
}

/**
 * bench_pci_plug() - plug a PCI device in
 * @bench: the bench
 *
 * A driver that is loaded probes it.
 *
 * Context: may sleep.
 * Return: 0 or an error.
 */
int bench_pci_plug(struct bench *bench)
{
	struct pci_dev *pdev;
	int err = 0;

	bench_config_init(bench);
	if (bench->personality->prepare)
		err = bench->personality->prepare(bench, NULL);
	bench->um.ops = &bench_um_ops;
	if (!err)
		err = um_pci_device_register(&bench->um);
	if (err)
		return err;
	pdev = bench_pci_get(bench);
	err = pdev ? bench_device_add(bench, &pdev->dev) : -ENODEV;
	pci_dev_put(pdev);
	if (err)
		bench_pci_unplug(bench);
	return err;
}

/**
 * bench_pci_unplug() - remove the PCI device
 * @bench: the bench
 *
 * The driver leaves it in order.
 *
 * Context: may sleep.
 */
void bench_pci_unplug(struct bench *bench)
{
	struct pci_dev *pdev = bench_pci_get(bench);

	/* um_pci_device_unregister() would free its interrupt before the driver does. */
	if (pdev)
		pci_stop_and_remove_bus_device_locked(pdev);
	pci_dev_put(pdev);
	irq_work_sync(&bench->irq_work);
	um_pci_device_unregister(&bench->um);
}
