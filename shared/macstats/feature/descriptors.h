/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Descriptors, and counters of software, which their status feeds.
 */
#ifndef MACSTATS_FEATURE_DESCRIPTORS_H
#define MACSTATS_FEATURE_DESCRIPTORS_H

#include "../place.h"

#ifdef __KERNEL__
#include <linux/stddef.h>
#else
#include <stddef.h>
#endif

/*
 * A field of the status that the MAC writes back with a frame. Software sets a field without
 * any of the rules, or macstats_descriptor names it, or it is always 0.
 */
struct macstats_status {
	const char *name;
	__u8 lsb;
	__u8 bits;
	struct macstats_when when[MACSTATS_MAX_WHEN];	/* set for these frames */
	__u32 unless;			/* set if none of these bits is */
	struct macstats_bit copy;	/* the same as these bits of a register */
	bool collisions;		/* their number */
	bool octets;			/* the frame's length */
	const char *help;
};

struct macstats_descriptor {
	const struct macstats_status *tx_status;	/* of a transmit descriptor */
	__u16 n_tx_status;
	const struct macstats_status *rx_status;	/* of a receive descriptor */
	__u16 n_rx_status;
	struct macstats_when rx_described[MACSTATS_MAX_WHEN];	/* frames that have one */
	/* Bits with a meaning that these tables cannot state: */
	__u32 first;		/* the first one of a packet */
	__u32 last;		/* the last one, the only one with a valid status */
	/* In the first one: those below decide, in place of the registers that they copy. */
	__u32 override;
	__u32 append_crc;	/* the MAC appends the CRC */
	__u32 huge;		/* there is no maximum frame length */
};

MACSTATS_MODEL_BEGIN
MACSTATS_TABLE const struct macstats_descriptor macstats_no_descriptor = { .first = 0 };
MACSTATS_MODEL_END

/* The descriptors of a model; of a MAC without any, all is 0. */
MACSTATS_FN const struct macstats_descriptor *
macstats_descriptor_of(const struct macstats_model *model)
{
	return macstats_is_null(model->descriptor) ? &macstats_no_descriptor : model->descriptor;
}

/* A transmitted packet, as its driver sees it when its last descriptor comes back. */
struct macstats_packet {
	__u32 first;		/* status and control bits of its first descriptor */
	__u32 last;		/* those of its last one; of one descriptor the same */
	__u32 config;		/* the same bits as registers set them for all packets */
	__u32 octets;		/* its length without FCS */
	__u8 attempts;		/* after which the MAC gives up: the retry limit and one */
};

/*
 * The status of a packet: the last descriptor has what the MAC wrote, and the first one the
 * controls, where its override bit is set; otherwise they are those of the registers.
 */
MACSTATS_FN __u32 macstats_packet_status(const struct macstats_model *model,
					 const struct macstats_packet *packet)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(model);
	__u32 controls = bits->append_crc | bits->huge;

	return (packet->last & ~controls) |
	       ((packet->first & bits->override ? packet->first : packet->config) & controls);
}

/* The field of a table that contains collisions, or with @octets the length; NULL without one. */
MACSTATS_FN const struct macstats_status *
macstats_status_field(const struct macstats_status *fields, unsigned int n, bool octets)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (octets ? fields[i].octets : fields[i].collisions)
			return &fields[i];
	return NULL;
}

/* The number in a field of a status; 0 without one. */
MACSTATS_FN __u32 macstats__status_number(const struct macstats_status *field, __u32 status)
{
	return field ? status >> field->lsb & (__u32)macstats_bits_mask(field->bits) : 0;
}

/* Check whether a counter counts packets with a status, by the bits of the status. */
MACSTATS_FN bool macstats_status_counts(const struct macstats_from_status *from, bool received,
					__u32 status)
{
	/* Most rows fail the first comparison. */
	return (status & from->mask) == from->value && from->mask && from->received == received;
}

/*
 * The amount that @count packets of one kind, each sent or given up, add to counter @index.
 * @status: macstats_packet_status() of @packet.
 */
MACSTATS_FN __u64 macstats_transmitted_increment(const struct macstats_model *model,
						 unsigned int index,
						 const struct macstats_packet *packet,
						 __u32 status, __u64 count)
{
	const struct macstats_descriptor *descriptor = macstats_descriptor_of(model);
	const struct macstats_from_status *from = &model->counters[index].status;
	__u32 collisions = 0;

	if (!macstats_status_counts(from, false, status))
		return 0;
	if (from->adds_octets)
		return macstats_saturating_multiply(count, packet->octets);
	if (from->adds_attempts)
		return macstats_saturating_multiply(count, packet->attempts);
	if (!from->low && !from->high && !from->adds_collisions)
		return count;
	collisions = macstats__status_number(macstats_status_field(descriptor->tx_status,
								   descriptor->n_tx_status, false),
					     status);
	if (collisions < from->low || (from->high && collisions > from->high))
		return 0;
	return from->adds_collisions ? macstats_saturating_multiply(count, collisions) : count;
}

/* The amount that @count receive descriptors with this status add to counter @index. */
MACSTATS_FN __u64 macstats_received_increment(const struct macstats_model *model,
					      unsigned int index, __u32 status, __u64 count)
{
	const struct macstats_descriptor *descriptor = macstats_descriptor_of(model);
	const struct macstats_from_status *from = &model->counters[index].status;
	const struct macstats_status *length;

	if (!macstats_status_counts(from, true, status))
		return 0;
	if (!from->adds_octets)
		return count;
	length = macstats_status_field(descriptor->rx_status, descriptor->n_rx_status, true);
	return macstats_saturating_multiply(count, macstats__status_number(length, status));
}

#endif /* MACSTATS_FEATURE_DESCRIPTORS_H */
