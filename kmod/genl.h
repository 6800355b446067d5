/* SPDX-License-Identifier: GPL-2.0 */
/* Both generic netlink families use these helpers for messages, dumps and rejections. */
#ifndef MACSTATS_GENL_H
#define MACSTATS_GENL_H

#include <linux/sizes.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "compat.h"

/* An attribute, and how messages name it. */
struct macstats_attr {
	u16 type;
	const char *name;
};

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

/* Reject an attribute: report it, and why. Return: @err. */
#define MACSTATS_REJECT(err, extack, attr, fmt, ...)				\
({										\
	MACSTATS_EXTACK_ATTR(extack, attr, fmt, ##__VA_ARGS__);			\
	(err);									\
})

/* Reject @attr in a dump, which reports every object. */
static inline int macstats_dump_of_all(struct netlink_callback *cb, struct macstats_attr attr)
{
	const struct nlattr *given = macstats_dump_attrs(cb)[attr.type];

	if (!given)
		return 0;
	return MACSTATS_REJECT(-EINVAL, cb->extack, given,
			       "%s: not accepted in a dump, which reports all: leave it out",
			       attr.name);
}

/* Reject a request without @attr. */
static inline int macstats_missing(struct netlink_ext_ack *extack, struct macstats_attr attr)
{
	NL_SET_ERR_ATTR_MISS(extack, NULL, attr.type);
	MACSTATS_EXTACK(extack, "%s: missing, the request requires it", attr.name);
	return -EINVAL;
}

#endif /* MACSTATS_GENL_H */
