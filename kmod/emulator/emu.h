/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated devices. A device is hardware: its registers live as long as it is
 * plugged in, whether or not a driver is bound to it. A net device is what the
 * driver makes of a port; it comes and goes with the driver's binding.
 */
#ifndef MACSTATS_EMU_H
#define MACSTATS_EMU_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>

#include <macstats/emulator.h>

#include "macstats.h"

#define EMU_NAME	"macstats_emu"

/**
 * struct emu_port - the hardware of a port
 * @lock: @emu, but for what counting frames reads. Taken with interrupts off,
 *	as the regmap of the device does.
 * @cells: where frames are counted, per CPU; @lanes points into it
 * @netdev: set while a driver has a net device for the port; under RTNL
 * @gone: its namespace died, and the port with it; under the driver core's lock
 */
struct emu_port {
	struct emu_device *device;
	unsigned int index;
	struct macstats_lane __percpu *cells;
	struct macstats_lane **lane;
	struct macstats_lanes lanes;
	struct net_device *netdev;
	bool gone;
	spinlock_t lock;
	struct macstats_emulator emu;
};

/**
 * struct emu_device - an emulated device
 * @home: the namespace in which it was made and its ports are registered, NULL
 *	once that is gone; under @home_lock, taken inside the driver core's lock
 * @error: what came of the last attempt to bind a driver
 * @owned: in a list of owner.c, if it goes with a socket: that of @owner_portid in
 *	@owner_net (to be compared, not to be followed)
 * @held: the provider reads it only when it is told to
 */
struct emu_device {
	u32 id;				/* in emu_devices */
	struct platform_device *pdev;
	const struct macstats_model *model;
	struct mutex home_lock;
	struct net *home;
	int error;
	struct list_head owned;
	struct net *owner_net;
	u32 owner_portid;
	bool held;
	bool private_only;
	char name[IFNAMSIZ];
	u8 name_assign_type;
	unsigned int n_ports;
	struct emu_port ports[];
};

struct emu_config {
	const struct macstats_model *model;
	const char *name;		/* NULL: "mac%d" */
	u8 options;
	bool random;
	u64 seed;
	bool private_only;
	bool held;
	u32 owner_portid;		/* of the socket with which it goes; 0: none */
};

/* main.c */
extern struct mutex emu_lock;		/* emu_devices, and that those in it stay */
extern struct xarray emu_devices;
extern unsigned int emu_devices_seq;	/* changes with them; never 0 */

#define EMU_BATCH	16		/* devices to be deleted at once, at the most */

/* device.c: the first four want emu_lock. */
struct emu_device *emu_device_new(struct net *net, const struct emu_config *config,
				  struct netlink_ext_ack *extack);
void emu_device_del(struct emu_device *device);
void emu_devices_del(struct emu_device *const *devices, unsigned int n);
void emu_net_exit(struct net *net);
int emu_reg_read(struct emu_port *port, u32 offset, u64 *value);
int emu_reg_write(struct emu_port *port, u32 offset, u64 value);
void emu_count(struct emu_port *port, const struct macstats_frame *frame, u64 count);
bool emu_interrupts(struct emu_port *port);
extern struct platform_driver emu_driver;

/* netdev.c */
struct net_device *emu_netdev_new(struct emu_port *port, struct regmap *regmap,
				  struct net *net);
void emu_netdevs_del(struct emu_device *const *devices, unsigned int n, const struct net *net);
bool emu_is_port(const struct net_device *netdev);
struct emu_port *emu_port_of(const struct net_device *netdev);
struct macstats_port *emu_stats_of(const struct net_device *netdev);
void emu_inject(struct net_device *netdev, const struct macstats_frame *frame, u64 count);
void emu_look_for_interrupt(struct net_device *netdev);
int emu_link(struct net_device *a, struct net_device *b, struct netlink_ext_ack *extack);
int emu_unlink(struct net_device *netdev, struct netlink_ext_ack *extack);
struct net_device *emu_peer_of(const struct net_device *netdev);

/* owner.c */
void emu_own(struct emu_device *device, struct net *net, u32 portid);
void emu_disown(struct emu_device *device);
int emu_owners_init(void);
void emu_owners_exit(void);

/* netlink.c */
int emu_netlink_init(void);
void emu_netlink_exit(void);

#endif /* MACSTATS_EMU_H */
