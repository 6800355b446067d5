/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated devices. A device is hardware: its registers live as long as it is plugged in,
 * with or without a driver. A net device is what the driver makes of a port, or one of two
 * that share the port's counters; it comes and goes with the binding of the driver.
 *
 * A device is deleted with the network namespace that made it. Its ports may move to other
 * namespaces; they are controlled where they are.
 *
 * Layers, lowest first. A file calls only files above it in this list:
 *
 *	device.c	the hardware: registers, cells, faults
 *	traffic.c	frames of a net device: counted, sent to its peer
 *	link.c		cables, loopback and the carrier
 *	mtu.c		maximum frame lengths
 *	power.c		faults, sleep and resets, as the driver sees them
 *	ethtool.c	what ethtool shows and changes, but for statistics
 *	netdev.c	the net devices of a port
 *	driver.c	the regmap and the platform driver, which makes the net devices
 *	plug.c		plug devices in, unplug them, namespaces and sockets that end
 *	attach.c	drivers of others on the registers of a port
 *	netlink.c	the family macstats_emu: requests about devices and links
 *	netlink_ports.c	and about one port: frames, registers, faults
 *	netlink_gen.c	its operations and policies, which docs/netlink/macstats_emu.yaml states
 *	main.c		the module
 *
 * Locks, outermost first:
 *
 *	macstats_emu_lock	the list of devices. Netlink, the end of a namespace or of a socket,
 *				and the end of the module make and delete devices under it
 *	device_lock() of @pdev	the binding of the driver; sysfs and suspend take it alone
 *	macstats_emu_port.power_lock
 *	RTNL			net devices and their cables
 *	macstats_emu_port.lock	registers
 *
 * A request to a port takes none of the first two: its reference to the net device delays the
 * deletion of the device.
 */
#ifndef MACSTATS_EMU_H
#define MACSTATS_EMU_H

#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <macstats/emulate/emulator.h>

#include "attach.h"
#include "emulated.h"

#define MACSTATS_EMU_NAME	"macstats_emu"

/* The most net devices that share the counters of a port, as in dual-EMAC mode. */
#define MACSTATS_EMU_MAX_NETDEVS	2

/* The place of a net device. */
struct macstats_emu_slot {
	struct macstats_emu_port *port;
	unsigned int index;		/* in the device; what users call the number of the port */
	struct net_device __rcu *netdev;	/* while a driver is bound; written under RTNL */
	bool gone;			/* with its namespace; under the driver core's lock */
};

/* The hardware of a port. */
struct macstats_emu_port {
	struct macstats_emu_device *device;
	unsigned int index;		/* in @device */
	struct macstats_emu_slot *slots;	/* of its net devices */
	unsigned int n_slots;
	struct macstats_cpu_cells **cpu_cells;	/* of each CPU, which count frames */
	struct macstats_cell_set cell_set;	/* all of them */
	bool bus_hurries;		/* while a net device is deleted, a slow bus is fast */
	struct mutex power_lock;	/* of @sleeps and faults; outside RTNL */
	u8 sleeps;			/* enum macstats_emu_sleep; also read without the lock */
	u64 line_rate_bps;		/* of the link; under RTNL once there is a net device */
	/*
	 * Protects @emu, except what counting a frame reads. Interrupts off: a user may access
	 * registers in a hard interrupt.
	 */
	spinlock_t lock;
	/* See attach.h. Under macstats_emu_lock; without RTNL, none comes. */
	struct macstats_emu_user *user;
	struct macstats_emulator *emu;	/* its size depends on the model */
};

/* What a request for a new device asks for. */
struct macstats_emu_config {
	const struct macstats_model *model;
	char name[IFNAMSIZ];		/* of the net devices, may contain %d */
	u8 name_assign_type;
	u16 options;			/* MACSTATS_OPT_* */
	bool random;			/* the counters start with random values */
	u64 seed;
	bool private_only;
	bool held;
	bool no_line;			/* the line-rate bound is off */
	u32 netdevs;			/* that share the counters of a port */
	u32 owner_portid;		/* the netlink socket that it ends with; 0: none */
};

/* An emulated device. */
struct macstats_emu_device {
	u32 id;				/* also that of @pdev */
	struct platform_device *pdev;
	struct macstats_emu_config config;
	const struct macstats_model *model;
	struct net *net;		/* that made the device; exists until it is deleted */
	int error;			/* of the last attempt to bind a driver */
	struct macstats_emu_slot *slots;	/* of all ports, in their order */
	unsigned int n_slots;
	unsigned int n_ports;
	struct macstats_emu_port ports[];
};

/* device.c */
int macstats_emu_device_init(void);
void macstats_emu_device_exit(void);
struct macstats_emu_device *macstats_emu_device_alloc(u32 id, struct net *net,
						      const struct macstats_emu_config *config);
void macstats_emu_device_free(struct macstats_emu_device *device);
int macstats_emu_reg_read(struct macstats_emu_port *port, u32 offset, u64 *value, bool foreign);
int macstats_emu_reg_read64(void *priv, unsigned int reg, u64 *value);
int macstats_emu_read_block(void *priv, unsigned int reg, u64 *values, unsigned int words,
			    unsigned int *done);
int macstats_emu_reg_write(struct macstats_emu_port *port, u32 offset, u64 value, bool foreign);
int macstats_emu_reg_update(struct macstats_emu_port *port, u32 offset, u32 mask, u32 value);
bool macstats_emu_lowered(void *priv, unsigned int index);
u64 macstats_emu_preset(void *context, unsigned int index, u64 value);
void macstats_emu_fault(struct macstats_emu_port *port,
			const struct macstats_fault_request *request);
u64 macstats_emu_line_octets(void *priv);
struct macstats_seen macstats_emu_count(struct macstats_emu_port *port,
					const struct macstats_frame *frame, u64 count);

/* driver.c */
extern struct platform_driver macstats_emu_driver;

/* plug.c */
extern struct mutex macstats_emu_lock;
extern struct xarray macstats_emu_devices;
struct macstats_emu_device *macstats_emu_device_new(struct net *net,
						    const struct macstats_emu_config *config,
						    struct netlink_ext_ack *extack);
void macstats_emu_unplug_user(struct macstats_emu_port *port);
void macstats_emu_device_del(struct macstats_emu_device *device);
int macstats_emu_plug_init(void);
void macstats_emu_plug_exit(void);

/* netlink.c */
int macstats_emu_netlink_init(void);
void macstats_emu_netlink_exit(void);

#endif /* MACSTATS_EMU_H */
