// SPDX-License-Identifier: GPL-2.0
/* The module macstats_emu: emulated MACs, whose statistics macstats.ko provides. */
#include <linux/module.h>
#include <net/rtnetlink.h>

#include "../compat.h"
#include "netdev.h"

/* Devices are plugged in by generic netlink: "ip link add" only explains how. */
static int macstats_emu_rtnl_validate(struct nlattr *tb[], struct nlattr *data[],
				      struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG(extack,
		       "ip link cannot add emulated ports: use \"macstats emu add MODEL\"");
	return -EOPNOTSUPP;
}

static struct rtnl_link_ops macstats_emu_rtnl_ops __read_mostly = {
	.kind = "macstats",
	.validate = macstats_emu_rtnl_validate,
};

static int __init macstats_emu_init(void)
{
	int err;

	err = macstats_emu_device_init();
	if (err)
		return err;
	/* Freezable, so that polls stop before devices suspend. */
	macstats_emu_wq = alloc_workqueue(MACSTATS_EMU_NAME, WQ_UNBOUND | WQ_FREEZABLE,
					  WQ_MAX_ACTIVE);
	if (!macstats_emu_wq) {
		err = -ENOMEM;
		goto err_device;
	}
	err = macstats_emu_plug_init();
	if (err)
		goto err_wq;
	err = platform_driver_register(&macstats_emu_driver);
	if (err)
		goto err_plug;
	err = rtnl_link_register(&macstats_emu_rtnl_ops);
	if (err)
		goto err_driver;
	err = macstats_emu_netlink_init();
	if (err)
		goto err_rtnl;
	return 0;

err_rtnl:
	rtnl_link_unregister(&macstats_emu_rtnl_ops);
err_driver:
	platform_driver_unregister(&macstats_emu_driver);
err_plug:
	macstats_emu_plug_exit();
err_wq:
	destroy_workqueue(macstats_emu_wq);
err_device:
	macstats_emu_device_exit();
	return err;
}

static void __exit macstats_emu_exit(void)
{
	macstats_emu_netlink_exit();
	rtnl_link_unregister(&macstats_emu_rtnl_ops);
	/* Deletes the devices of every namespace. */
	macstats_emu_plug_exit();
	platform_driver_unregister(&macstats_emu_driver);
	destroy_workqueue(macstats_emu_wq);
	macstats_emu_device_exit();
}

module_init(macstats_emu_init);
module_exit(macstats_emu_exit);

/* No aliases: any user can trigger a lookup of the netlink family or of the link kind. */
MODULE_DESCRIPTION("Emulated Ethernet MACs with the statistics registers of real ones");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
MODULE_VERSION(MACSTATS_VERSION);
MODULE_IMPORT_NS(MACSTATS_NAMESPACE);
