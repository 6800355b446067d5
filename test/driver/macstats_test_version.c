// SPDX-License-Identifier: GPL-2.0
/*
 * Stands in for the modules of a later version of the project: the two netlink families by their
 * names, with another version of their protocols.
 */
#include <linux/module.h>
#include <macstats/netlink.h>
#include <macstats/netlink_emu.h>
#include <net/genetlink.h>

static struct genl_family families[] = {
	{
		.name = MACSTATS_GENL_NAME,
		.version = MACSTATS_GENL_VERSION + 1,
		.module = THIS_MODULE,
	},
	{
		.name = MACSTATS_EMU_GENL_NAME,
		.version = MACSTATS_EMU_GENL_VERSION + 1,
		.module = THIS_MODULE,
	},
};

static int __init test_init(void)
{
	int err;

	err = genl_register_family(&families[0]);
	if (err)
		return err;
	err = genl_register_family(&families[1]);
	if (err)
		genl_unregister_family(&families[0]);
	return err;
}

static void __exit test_exit(void)
{
	genl_unregister_family(&families[1]);
	genl_unregister_family(&families[0]);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("Netlink families of another version, for tests");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
