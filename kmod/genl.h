/* SPDX-License-Identifier: GPL-2.0 */
/* What both generic netlink families do alike: messages, dumps and refusals. */
#ifndef MACSTATS_GENL_H
#define MACSTATS_GENL_H

#include <linux/capability.h>
#include <linux/sizes.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "compat.h"

/* Puts what a message says of @object into it; -EMSGSIZE if it has no room for that. */
typedef int macstats_fill_fn(struct sk_buff *skb, const void *object);

/* The policy of an operation: what it does not know, it refuses. */
#define MACSTATS_POLICY(of) .policy = (of), .maxattr = ARRAY_SIZE(of) - 1

/* A message that @fill writes; it is made larger until that fits. */
static inline struct sk_buff *macstats_message(const struct genl_family *family, u32 portid,
					       u32 seq, u8 cmd, macstats_fill_fn *fill,
					       const void *object)
{
	size_t size = NLMSG_GOODSIZE;

	for (;;) {
		struct sk_buff *skb = genlmsg_new(size, GFP_KERNEL);
		void *header;
		int err;

		if (!skb)
			return ERR_PTR(-ENOMEM);
		header = genlmsg_put(skb, portid, seq, family, 0, cmd);
		err = header ? fill(skb, object) : -EMSGSIZE;
		if (!err) {
			genlmsg_end(skb, header);
			return skb;
		}
		nlmsg_free(skb);
		if (err != -EMSGSIZE || size > SZ_64K)
			return ERR_PTR(err);
		size *= 4;
	}
}

static inline int macstats_reply(struct genl_info *info, const struct genl_family *family,
				 u8 cmd, macstats_fill_fn *fill, const void *object)
{
	struct sk_buff *skb = macstats_message(family, info->snd_portid, info->snd_seq, cmd,
					       fill, object);

	return IS_ERR(skb) ? PTR_ERR(skb) : genlmsg_reply(skb, info);
}

/* One message of a dump; -EMSGSIZE: it does not fit any more. */
static inline int macstats_dump_put(struct sk_buff *skb, struct netlink_callback *cb,
				    const struct genl_family *family, u8 cmd,
				    macstats_fill_fn *fill, const void *object)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, family,
				   NLM_F_MULTI, cmd);
	int err;

	if (!header)
		return -EMSGSIZE;
	err = fill(skb, object);
	if (err) {
		genlmsg_cancel(skb, header);
		return err;
	}
	genl_dump_check_consistent(cb, header);
	genlmsg_end(skb, header);
	return 0;
}

/* What a part of a dump returns after @err: old kernels take no error with data. */
static inline int macstats_dump_done(const struct sk_buff *skb, int err)
{
	return err == -EMSGSIZE && skb->len ? (int)skb->len : err;
}

/* A dump is of all @what names, so it refuses to be told of one. */
static inline int macstats_dump_of_all(struct netlink_callback *cb, unsigned int attr,
				       const char *what)
{
	const struct nlattr *given = macstats_dump_attrs(cb)[attr];

	if (!given)
		return 0;
	MACSTATS_EXTACK_ATTR(cb->extack, given, "%s: a dump is of all of them", what);
	return -EINVAL;
}

static inline int macstats_missing(struct genl_info *info, const char *what)
{
	MACSTATS_EXTACK(info->extack, "%s is missing", what);
	return -EINVAL;
}

/*
 * Who changes something in a network namespace needs CAP_NET_ADMIN over it.
 * Checked here and not by a flag of the operation, for the explanation's sake.
 */
static inline int macstats_allowed(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_ns_capable(skb, genl_info_net(info)->user_ns, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(info->extack,
		       "needs CAP_NET_ADMIN in the network namespace's user namespace");
	return -EPERM;
}

#endif /* MACSTATS_GENL_H */
