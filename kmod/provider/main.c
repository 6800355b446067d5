// SPDX-License-Identifier: GPL-2.0
/* The module macstats: statistics of Ethernet MACs from their registers. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "../compat.h"
#include "internal.h"

#ifndef NL_SET_ERR_MSG_FMT
const char *macstats_extack_text(const char *fmt, ...)
{
	static char texts[16][128];
	static atomic_t next = ATOMIC_INIT(0);
	char *text = texts[(unsigned int)atomic_inc_return(&next) % ARRAY_SIZE(texts)];
	va_list args;

	va_start(args, fmt);
	vscnprintf(text, sizeof(texts[0]), fmt, args);
	va_end(args);
	return text;
}
EXPORT_SYMBOL_GPL(macstats_extack_text);
#endif

static int __init macstats_init(void)
{
	int err = macstats_ports_init();

	if (err)
		return err;
	err = macstats_netlink_init();
	if (err)
		macstats_ports_exit();
	return err;
}

static void __exit macstats_exit(void)
{
	macstats_netlink_exit();
	macstats_ports_exit();
}

module_init(macstats_init);
module_exit(macstats_exit);

MODULE_DESCRIPTION("Statistics of Ethernet MACs from their registers");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
