// SPDX-License-Identifier: GPL-2.0
/* The module macstats: statistics of Ethernet MACs from their registers. */
#include <linux/module.h>

#include "internal.h"

static int __init macstats_init(void)
{
	int err;

	err = macstats_poller_init();
	if (err)
		return err;
	err = macstats_ports_init();
	if (err)
		goto err_poller;
	err = macstats_netlink_init();
	if (err)
		goto err_ports;
	return 0;

err_ports:
	macstats_ports_exit();
err_poller:
	macstats_poller_exit();
	return err;
}

static void __exit macstats_exit(void)
{
	macstats_netlink_exit();
	macstats_ports_exit();
	macstats_poller_exit();
}

module_init(macstats_init);
module_exit(macstats_exit);

MODULE_DESCRIPTION("Statistics of Ethernet MACs from their registers");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
MODULE_VERSION(MACSTATS_VERSION);
