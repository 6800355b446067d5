/* SPDX-License-Identifier: GPL-2.0 */
/* Differences between kernels, which kmod/Kbuild detects in their headers. */
#ifndef MACSTATS_COMPAT_H
#define MACSTATS_COMPAT_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/platform_device.h>
#include <linux/regmap.h>
#include <net/genetlink.h>
#ifdef HAVE_NETDEV_STAT_OPS
#include <net/netdev_queues.h>
#endif

#ifndef __uninitialized
#define __uninitialized
#endif

#ifdef HAVE_REGMAP_MIGHT_SLEEP
#define macstats_regmap_might_sleep	regmap_might_sleep
#else
#define macstats_regmap_might_sleep(regmap)	false
#endif

#ifndef HAVE_ETHTOOL_PUTS
static inline void ethtool_puts(u8 **data, const char *str)
{
	ethtool_sprintf(data, "%s", str);
}
#endif

/* Of which MAC, by enum macstats_mac, a request wants the statistics of a group. */
#ifdef HAVE_ETHTOOL_MM
#define macstats_requested_mac(stats)	((unsigned int)(stats)->src)
#else
#define macstats_requested_mac(stats)	0
#endif

/* The namespace of what macstats.ko exports for macstats_emu.ko alone. */
#ifdef HAVE_NAMESPACE_STRING
#define MACSTATS_NAMESPACE	"MACSTATS_INTERNAL"
#else
#define MACSTATS_NAMESPACE	MACSTATS_INTERNAL
#endif

#ifdef HAVE_PLATFORM_REMOVE_NEW
#define MACSTATS_PLATFORM_REMOVE remove_new
#else
#define MACSTATS_PLATFORM_REMOVE remove
#endif

/* Transmit without the core's lock: the device has no queue to protect. */
static inline void macstats_set_lltx(struct net_device *dev)
{
#ifdef HAVE_NETDEV_LLTX
	dev->lltx = true;
#else
	dev->features |= NETIF_F_LLTX;
#endif
}

static inline struct nlattr **macstats_dump_attrs(struct netlink_callback *cb)
{
#ifdef HAVE_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

/* The operation that pre_doit() and post_doit() of a family get. */
#ifdef HAVE_GENL_SPLIT_DOIT
#define macstats_doit_ops	genl_split_ops
#else
#define macstats_doit_ops	genl_ops
#endif

/*
 * Format an extack message, of at most 79 characters: the kernel cuts longer ones off. Before
 * NL_SET_ERR_MSG_FMT, it copies a message after the request, whose memory must not change then:
 * macstats_extack_text() leaves out what is formatted.
 */
#ifdef NL_SET_ERR_MSG_FMT
#define MACSTATS_EXTACK(extack, fmt, ...) \
	NL_SET_ERR_MSG_FMT(extack, fmt, ##__VA_ARGS__)
#else
const char *macstats_extack_text(const char *fmt, ...) __printf(1, 2);

#define MACSTATS_EXTACK(extack, fmt, ...)					\
do {										\
	struct netlink_ext_ack *__text_extack = (extack);			\
	if (__text_extack)							\
		__text_extack->_msg = macstats_extack_text(fmt, ##__VA_ARGS__);	\
} while (0)
#endif

/* Also report the bad attribute. (The kernel's macros use the name __extack.) */
#define MACSTATS_EXTACK_ATTR(extack, attr, fmt, ...)				\
do {										\
	struct netlink_ext_ack *__macstats_extack = (extack);			\
	if (__macstats_extack)							\
		__macstats_extack->bad_attr = (attr);				\
	MACSTATS_EXTACK(__macstats_extack, fmt, ##__VA_ARGS__);			\
} while (0)

#endif /* MACSTATS_COMPAT_H */
