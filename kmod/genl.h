/* SPDX-License-Identifier: GPL-2.0 */
/* Both generic netlink families use these helpers for messages, dumps and rejections. */
#ifndef MACSTATS_GENL_H
#define MACSTATS_GENL_H

#include <linux/sizes.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "compat.h"

/* Put the attributes of @object into a message. Return: 0, or -EMSGSIZE if it is full. */
typedef int macstats_fill_fn(struct sk_buff *skb, const void *object);

/* A message with the attributes of @object, as large as @fill requires, or an ERR_PTR. */
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
	struct sk_buff *skb;

	skb = macstats_message(family, info->snd_portid, info->snd_seq, cmd, fill, object);
	if (IS_ERR(skb))
		return PTR_ERR(skb);
	return genlmsg_reply(skb, info);
}

/* Put one message into a part of a dump. Return: 0, or -EMSGSIZE if the part is full. */
static inline int macstats_dump_put(struct sk_buff *skb, struct netlink_callback *cb,
				    const struct genl_family *family, u8 cmd,
				    macstats_fill_fn *fill, const void *object)
{
	void *header;
	int err;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, family,
			     NLM_F_MULTI, cmd);
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

/* The result of a part of a dump after @err: old kernels accept no error with data. */
static inline int macstats_dump_done(const struct sk_buff *skb, int err)
{
	return err == -EMSGSIZE && skb->len ? (int)skb->len : err;
}

/* Reject attribute @attr in a dump, which reports every object. */
static inline int macstats_dump_of_all(struct netlink_callback *cb, unsigned int attr,
				       const char *what)
{
	const struct nlattr *given = macstats_dump_attrs(cb)[attr];

	if (!given)
		return 0;
	MACSTATS_EXTACK_ATTR(cb->extack, given,
			     "%s: not accepted in a dump, which reports all: leave it out", what);
	return -EINVAL;
}

/* Reject a request without attribute @attr, which has the name @what. */
static inline int macstats_missing(struct netlink_ext_ack *extack, unsigned int attr,
				   const char *what)
{
	NL_SET_ERR_ATTR_MISS(extack, NULL, attr);
	MACSTATS_EXTACK(extack, "%s: missing, the request requires it", what);
	return -EINVAL;
}

#endif /* MACSTATS_GENL_H */
