// SPDX-License-Identifier: GPL-2.0
/* The module macstats_emu: emulated MACs, whose statistics macstats.ko provides. */
#include <linux/module.h>
#include <net/net_namespace.h>
#include <net/rtnetlink.h>

#include "../compat.h"
#include "emu.h"

DEFINE_MUTEX(emu_lock);
DEFINE_XARRAY_ALLOC(emu_devices);
unsigned int emu_devices_seq = 1;

static void __net_exit emu_pernet_exit(struct net *net)
{
	mutex_lock(&emu_lock);
	emu_net_exit(net);
	mutex_unlock(&emu_lock);
}

/* Of devices, not a subsystem's: these leave before the core moves what is left. */
static struct pernet_operations emu_pernet_ops = {
	.exit = emu_pernet_exit,
};

/* Devices are plugged in, not linked: say how. */
static int emu_rtnl_validate(struct nlattr *tb[], struct nlattr *data[],
			     struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG(extack, "use \"macstats emu add MODEL\" to plug in an emulated device");
	return -EOPNOTSUPP;
}

static struct rtnl_link_ops emu_rtnl_ops __read_mostly = {
	.kind = "macstats",
	.validate = emu_rtnl_validate,
};

static int __init emu_init(void)
{
	int err = register_pernet_device(&emu_pernet_ops);

	if (err)
		return err;
	err = platform_driver_register(&emu_driver);
	if (err)
		goto err_pernet;
	err = rtnl_link_register(&emu_rtnl_ops);
	if (err)
		goto err_driver;
	err = emu_owners_init();
	if (err)
		goto err_rtnl;
	err = emu_netlink_init();
	if (err)
		goto err_owners;
	return 0;

err_owners:
	emu_owners_exit();
err_rtnl:
	rtnl_link_unregister(&emu_rtnl_ops);
err_driver:
	platform_driver_unregister(&emu_driver);
err_pernet:
	unregister_pernet_device(&emu_pernet_ops);
	return err;
}

static void __exit emu_exit(void)
{
	struct emu_device *devices[EMU_BATCH];
	unsigned int n;

	emu_netlink_exit();
	emu_owners_exit();
	rtnl_link_unregister(&emu_rtnl_ops);
	mutex_lock(&emu_lock);
	do {
		n = xa_extract(&emu_devices, (void **)devices, 0, ULONG_MAX, EMU_BATCH,
			       XA_PRESENT);
		emu_devices_del(devices, n);
	} while (n);
	mutex_unlock(&emu_lock);
	platform_driver_unregister(&emu_driver);
	unregister_pernet_device(&emu_pernet_ops);
}

module_init(emu_init);
module_exit(emu_exit);

MODULE_DESCRIPTION("Emulated Ethernet MACs with the statistics registers of real ones");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK("macstats");
