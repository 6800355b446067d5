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

/**
 * struct macstats_emu_slot - the place of a net device
 * @port: its port
 * @index: number of the slot in the device; what users call the number of the port
 * @netdev: the net device, while a driver is bound; written under RTNL
 * @gone: the namespace of the net device ended; under the driver core's lock
 */
struct macstats_emu_slot {
	struct macstats_emu_port *port;
	unsigned int index;
	struct net_device __rcu *netdev;
	bool gone;
};

/**
 * struct macstats_emu_port - the hardware of a port
 * @device: the device
 * @index: number of the port in @device
 * @slots: the places of its net devices
 * @n_slots: number of @slots
 * @cpu_cells: the cells of each CPU, which count frames
 * @cell_set: all of them
 * @bus_hurries: a net device is being deleted, so a slow bus is fast
 * @power_lock: protects @sleeps, and changes of faults; taken outside RTNL
 * @sleeps: why the port has no power, and no frames: enum macstats_emu_sleep; read without the lock
 * @line_rate_bps: the speed of the link; under RTNL once there is a net device
 * @lock: protects @emu, except what counting a frame reads. Interrupts off: a user may access
 *	registers in a hard interrupt
 * @user: what else accesses the registers, see attach.h; under macstats_emu_lock. Without RTNL,
 *	none comes
 * @emu: the registers and their state; its size depends on the model
 */
struct macstats_emu_port {
	struct macstats_emu_device *device;
	unsigned int index;
	struct macstats_emu_slot *slots;
	unsigned int n_slots;
	struct macstats_cpu_cells **cpu_cells;
	struct macstats_cell_set cell_set;
	bool bus_hurries;
	struct mutex power_lock;
	u8 sleeps;
	u64 line_rate_bps;
	spinlock_t lock;
	struct macstats_emu_user *user;
	struct macstats_emulator *emu;
};

/**
 * struct macstats_emu_config - what a request for a new device asks for
 * @model: describes the registers
 * @name: name of the net devices, may contain %d
 * @name_assign_type: origin of @name
 * @options: MACSTATS_OPT_* with which the device is built
 * @random: the counters start with random values
 * @seed: seed of the random values
 * @private_only: ethtool -S omits counters with a standard statistic
 * @held: the provider polls the device only on request
 * @no_line: the line-rate bound is off
 * @netdevs: number of net devices that share the counters of a port
 * @owner_portid: the device is deleted with this netlink socket; 0: with none
 */
struct macstats_emu_config {
	const struct macstats_model *model;
	char name[IFNAMSIZ];
	u8 name_assign_type;
	u16 options;
	bool random;
	u64 seed;
	bool private_only;
	bool held;
	bool no_line;
	u32 netdevs;
	u32 owner_portid;
};

/**
 * struct macstats_emu_device - an emulated device
 * @id: unique number; also that of @pdev
 * @pdev: the platform device
 * @config: what it was asked to be
 * @model: that of @config
 * @net: the namespace that made the device; it exists until the device is deleted
 * @error: result of the last attempt to bind a driver
 * @slots: the places of the net devices of all ports, in the order of the ports
 * @n_slots: number of @slots
 * @n_ports: number of @ports
 * @ports: the ports
 */
struct macstats_emu_device {
	u32 id;
	struct platform_device *pdev;
	struct macstats_emu_config config;
	const struct macstats_model *model;
	struct net *net;
	int error;
	struct macstats_emu_slot *slots;
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
