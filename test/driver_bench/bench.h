/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bench: a driver of the kernel's tree, unmodified, on registers that this module emulates, in
 * user-mode Linux. The statistics registers are those of a port of macstats_emu; the others are
 * memory, but for the few rules of a personality. docs/driver-bench.md shows how to write one.
 *
 *	bench.c		registers: rules, the PHY, interrupts, what the driver did
 *	pci.c		a PCI device: configuration space, BARs, MSI-X
 *	platform.c	a platform device
 *	debugfs.c	what the driver did, for people
 *	main.c		the module
 *	the others	personalities
 */
#ifndef MACSTATS_BENCH_H
#define MACSTATS_BENCH_H

#include <linux/irq_work.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

#include <attach.h>
#include <virt-pci.h>

#define BENCH_CONFIG_SIZE	256
#define BENCH_MAX_VECTORS	8
/* The last accesses that are kept. */
#define BENCH_TRACE		256
/* Of the addresses of a platform device. */
#define BENCH_PLATFORM_BASE	0x10000000

struct bench;

/**
 * struct bench_rule - how registers differ from memory that is 0 at first
 * @offset: the address, a multiple of 4
 * @last: the address of the last register that is alike; 0: there is one
 * @reset: what it holds at first
 * @ones: bits that always read as 1
 * @done: bits that a write does not keep: commands that are done at once
 * @w1c: bits that a write of 1 clears
 * @restarts: bits that restart the emulated hardware, and its counters
 * @rclr: a read clears it
 *
 * One with an offset only says that memory is right.
 */
struct bench_rule {
	u32 offset;
	u32 last;
	u32 reset;
	u32 ones;
	u32 done;
	u32 w1c;
	u32 restarts;
	bool rclr;
};

/**
 * struct bench_mdio - the registers through which the driver reaches its PHY
 * @command: the address of the command. Its bits 15:0 are the data, unless there is @data
 * @data: the address of the data
 * @address: the address of a register with the numbers of the PHY and its register; 0: the
 *	command has them
 * @reg_lsb: the lowest bit of the number of the PHY's register
 * @phy_lsb: the lowest bit of the number of the PHY; 0: none has one
 * @op: bits that tell a read from a write
 * @read: their value of a read
 * @start: bits of which one makes the access begin; 0: each write of the command does
 * @done: bits that are 0 when it is done
 * @ready: bits that are 1 then
 * @flips: bits that change then
 */
struct bench_mdio {
	u32 command;
	u32 data;
	u32 address;
	u8 reg_lsb;
	u8 phy_lsb;
	u32 op;
	u32 read;
	u32 start;
	u32 done;
	u32 ready;
	u32 flips;
};

/**
 * struct bench_phy_register - what a register of the PHY holds at first
 * @number: its number
 * @value: its value
 */
struct bench_phy_register {
	u8 number;
	u16 value;
};

/**
 * struct bench_personality - what a driver expects of its hardware
 * @name: that of the driver
 * @model: the model of the emulated device with its statistics registers, which has the same
 *	addresses; NULL: none is known yet, and they are memory
 * @size: octets of registers
 * @rules: registers that are not memory
 * @n_rules: their number
 * @mdio: how the driver reaches its PHY; NULL: not, or by @read and @write
 * @phy_id: the numbers by which the PHY is known
 * @phy_address: where the PHY is
 * @phy: registers of the PHY in which it differs from a link of 1000 Mb/s
 * @n_phy: their number
 * @read: what else a read does, given the value so far; or NULL
 * @write: what else a write does, after it; or NULL
 * @vendor: of a PCI device
 * @device: of a PCI device; 0: it is a platform device
 * @revision: of a PCI device
 * @bar: the BAR with the registers
 * @vectors: of MSI-X; 0: the interrupt is a line
 * @platform: the name of a platform device; NULL: that of the driver
 * @compatible: its node in the device tree has this, and a fixed link of 1000 Mb/s; NULL: it has
 *	no node
 * @regions: names of the parts of the registers of a platform device, which have equal sizes
 * @irqs: names of its interrupts
 * @prepare: gives the platform device, or the configuration space, what else it has. May sleep
 *
 * @read and @write get words at multiples of 4, with interrupts off.
 */
struct bench_personality {
	const char *name;
	const char *model;
	u32 size;
	const struct bench_rule *rules;
	unsigned int n_rules;
	const struct bench_mdio *mdio;
	u32 phy_id;
	u8 phy_address;
	const struct bench_phy_register *phy;
	unsigned int n_phy;
	u32 (*read)(struct bench *bench, u32 offset, u32 value);
	void (*write)(struct bench *bench, u32 offset, u32 value);
	u16 vendor;
	u16 device;
	u8 revision;
	u8 bar;
	u8 vectors;
	const char *platform;
	const char *compatible;
	const char *regions[8];
	const char *irqs[4];
	int (*prepare)(struct bench *bench, struct platform_device *pdev);
};

#define BENCH_RULES(rules_)	.rules = rules_, .n_rules = ARRAY_SIZE(rules_)
#define BENCH_PHY(phy_)		.phy = phy_, .n_phy = ARRAY_SIZE(phy_)

/**
 * struct bench_access - an access of the driver
 * @offset: the address
 * @value: what it has read or written
 * @size: octets
 * @write: it is a write
 */
struct bench_access {
	u32 offset;
	u32 value;
	u8 size;
	bool write;
};

/**
 * struct bench - a NIC on the bench
 * @personality: what it is
 * @user: its claim to the emulated port, if it has one
 * @lock: protects what follows, up to @pending. Interrupts off; taken before those of the port
 * @words: the registers
 * @asked: of each word, how often it was read while nothing answered; BENCH_KNOWN: something does
 * @phy: the registers of the PHY
 * @state: of the personality
 * @trace: the last accesses
 * @accesses: how many there were
 * @config: the configuration space
 * @writable: its bits that a write changes
 * @msix: the table of vectors, and the bits of those that are pending
 * @pending: interrupts that are to be fired, by number
 * @irq_work: fires them, since the driver may hold locks that its handler takes
 * @um: the device of user-mode Linux
 * @pdev: the platform device
 * @irqs: its interrupts
 * @clk: a clock for it
 */
struct bench {
	const struct bench_personality *personality;
	struct macstats_emu_user user;
	spinlock_t lock;	/* of the registers, and what belongs to them */
	u32 *words;
	u16 *asked;
	u16 phy[32];
	u32 state[4];
	struct bench_access trace[BENCH_TRACE];
	u64 accesses;
	u8 config[BENCH_CONFIG_SIZE];
	u8 writable[BENCH_CONFIG_SIZE];
	u32 msix[4 * BENCH_MAX_VECTORS];
	unsigned long pending;
	struct irq_work irq_work;
	struct um_pci_device um;
	struct platform_device *pdev;
	int irqs[4];
	struct clk *clk;
};

#define BENCH_KNOWN	U16_MAX

/* bench.c */
int bench_init(struct bench *bench, const struct bench_personality *personality);
void bench_exit(struct bench *bench);
unsigned long bench_access_read(struct bench *bench, u32 offset, int size);
void bench_access_write(struct bench *bench, u32 offset, int size, unsigned long value);
u32 bench_emulated(struct bench *bench, u32 offset, u32 *described);
void bench_fire(struct bench *bench, unsigned int number);

/* main.c */
int bench_device_add(struct bench *bench, struct device *dev);

/* pci.c */
int bench_pci_plug(struct bench *bench);
void bench_pci_unplug(struct bench *bench);
int bench_pci_irq(struct bench *bench, unsigned int number);

/* platform.c */
int bench_platform_plug(struct bench *bench);
void bench_platform_unplug(struct bench *bench);

/* debugfs.c */
void bench_debugfs_init(struct bench *bench);
void bench_debugfs_exit(void);

/* The files of personalities */
extern const struct bench_personality bench_8139cp;
extern const struct bench_personality bench_altera_tse;
extern const struct bench_personality bench_alx;
extern const struct bench_personality bench_atl1c;
extern const struct bench_personality bench_e1000e;
extern const struct bench_personality bench_hibmcge;
extern const struct bench_personality bench_igb;
extern const struct bench_personality bench_igc;
extern const struct bench_personality bench_lan743x;
extern const struct bench_personality bench_macb;
extern const struct bench_personality bench_r8169;
extern const struct bench_personality bench_stmmac;
extern const struct bench_personality bench_stmmac4;
extern const struct bench_personality bench_stmmac_xgmac;
extern const struct bench_personality bench_tg3;

/* The word at @offset. Caller holds the lock. */
static inline u32 *bench_word(struct bench *bench, u32 offset)
{
	return &bench->words[offset / 4];
}

#endif /* MACSTATS_BENCH_H */
