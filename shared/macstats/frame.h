/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Frames on the wire and their classes, in the words of RFC 2819 and IEEE 802.3. Nothing here
 * knows a MAC: a model lists the frames that its counters count.
 *
 * Lengths are in octets from the destination address to the FCS inclusive. They include tags,
 * but not preamble and SFD, unless a name states otherwise.
 */
#ifndef MACSTATS_FRAME_H
#define MACSTATS_FRAME_H

#include <linux/types.h>
#if !defined(__KERNEL__) && !defined(__cplusplus)
#include <stdbool.h>
#endif

/*
 * A function that C++ may also call while compiling. Under -fsanitize=undefined, g++ 12 cannot
 * compare the address of an object with null there; such an address is not null.
 */
#ifdef __cplusplus
#define MACSTATS_FN constexpr inline
#define macstats_is_null(pointer)						\
	(__builtin_is_constant_evaluated() ?					\
	 __builtin_constant_p((pointer) == nullptr) && (pointer) == nullptr :	\
	 (pointer) == nullptr)
#else
#define MACSTATS_FN static inline
#define macstats_is_null(pointer) (!(pointer))
#endif

#define MACSTATS_FCS_LEN	4	/* IEEE 802.3 3.2.9 */
#define MACSTATS_HEADER_LEN	14	/* addresses and Length/Type */
#define MACSTATS_TAG_LEN	4	/* IEEE 802.1Q */
#define MACSTATS_FRAME_MIN	64	/* minFrameSize, IEEE 802.3 4A.4.2 */
#define MACSTATS_FRAME_MAX	65535	/* the longest that can be described */
#define MACSTATS_LENGTH_FIELD_MAX	0x5ff	/* a larger Length/Type is a type */
#define MACSTATS_GAP_LEN	20	/* preamble, SFD and interpacket gap */
#define MACSTATS_COLLISION_LEN	24	/* the least between two: preamble, SFD, jam, gap */
#define MACSTATS_ATTEMPT_LIMIT	16	/* IEEE 802.3 4.4.2 */
#define MACSTATS_MAX_DESCRIPTORS	64	/* of one packet that can be described */

/*
 * Every class is one bit, so that a row of a model can name several of them
 * in a mask.
 */
enum macstats_direction {
	MACSTATS_RX = 1 << 0,
	MACSTATS_TX = 1 << 1,
};

enum macstats_destination {
	MACSTATS_UNICAST   = 1 << 0,
	MACSTATS_MULTICAST = 1 << 1,	/* group bit set, not broadcast */
	MACSTATS_BROADCAST = 1 << 2,
};

/* Control is Length/Type 88-08 after the addresses: a tagged one is data. */
enum macstats_kind {
	MACSTATS_DATA    = 1 << 0,
	MACSTATS_CONTROL = 1 << 1,	/* any other opcode of MAC control */
	MACSTATS_PAUSE   = 1 << 2,	/* opcode 00-01 */
	MACSTATS_PFC     = 1 << 3,	/* opcode 01-01, priority-based flow control */
	MACSTATS_ANY_CONTROL = MACSTATS_CONTROL | MACSTATS_PAUSE | MACSTATS_PFC,
	MACSTATS_ANY_KIND    = MACSTATS_DATA | MACSTATS_ANY_CONTROL,
};

/* Only some MACs tell their own pause frames apart. All other frames are of software. */
enum macstats_origin {
	MACSTATS_BY_SOFTWARE = 1 << 0,
	MACSTATS_BY_MAC      = 1 << 1,
	MACSTATS_ANY_ORIGIN  = MACSTATS_BY_SOFTWARE | MACSTATS_BY_MAC,
};

/*
 * In half duplex a MAC sends no pause frame (IEEE 802.3 annex 31B): it forces a collision in its
 * place. That event is a class beside those of enum macstats_origin.
 */
#define MACSTATS_FORCED_COLLISION	0x4

enum macstats_tags {
	MACSTATS_UNTAGGED      = 1 << 0,
	MACSTATS_TAGGED        = 1 << 1,	/* one 81-00 tag */
	MACSTATS_DOUBLE_TAGGED = 1 << 2,
};

/* The classes between the edges of MACSTATS_RMON_EDGES, RFC 2819. */
enum macstats_size {
	MACSTATS_SIZE_UNDER_64     = 1 << 0,
	MACSTATS_SIZE_64           = 1 << 1,
	MACSTATS_SIZE_65_TO_127    = 1 << 2,
	MACSTATS_SIZE_128_TO_255   = 1 << 3,
	MACSTATS_SIZE_256_TO_511   = 1 << 4,
	MACSTATS_SIZE_512_TO_1023  = 1 << 5,
	MACSTATS_SIZE_1024_TO_1518 = 1 << 6,
	MACSTATS_SIZE_1519_UP      = 1 << 7,
	MACSTATS_SIZE_64_UP        = 0xfe,
};

/* A frame's length against the maximum frame length that is set now. */
enum macstats_excess {
	MACSTATS_WITHIN_MAX = 1 << 0,
	MACSTATS_OVER_MAX   = 1 << 1,
	MACSTATS_VERY_LONG  = 1 << 2,	/* over the model's second limit */
};

enum macstats_error {
	MACSTATS_ERR_FCS                  = 1 << 0,
	MACSTATS_ERR_ALIGNMENT            = 1 << 1,
	MACSTATS_ERR_CODE                 = 1 << 2,
	MACSTATS_ERR_PAYLOAD_LENGTH       = 1 << 3,
	MACSTATS_ERR_LATE_COLLISION       = 1 << 4,
	MACSTATS_ERR_EXCESSIVE_COLLISIONS = 1 << 5,
	MACSTATS_ERR_EXCESSIVE_DEFERRAL   = 1 << 6,
	MACSTATS_ERR_CARRIER_LOSS         = 1 << 7,
	MACSTATS_ERR_UNDERRUN             = 1 << 8,
	MACSTATS_ERR_OVERRUN              = 1 << 9,
	MACSTATS_ERR_CHECKSUM             = 1 << 10,	/* of IP, TCP or UDP */
	MACSTATS_ERR_NO_BUFFER            = 1 << 11,	/* no descriptor or memory was free */
	MACSTATS_ERR_ALL                  = (1 << 12) - 1,
	/* Those of a medium that is shared: a transmitter meets them in half duplex only. */
	MACSTATS_ERR_MEDIUM               = MACSTATS_ERR_LATE_COLLISION |
					    MACSTATS_ERR_EXCESSIVE_COLLISIONS |
					    MACSTATS_ERR_EXCESSIVE_DEFERRAL |
					    MACSTATS_ERR_CARRIER_LOSS,
};

enum macstats_collisions {
	MACSTATS_NO_COLLISION       = 1 << 0,
	MACSTATS_ONE_COLLISION      = 1 << 1,
	MACSTATS_SEVERAL_COLLISIONS = 1 << 2,	/* 2 to 15 */
	MACSTATS_SIXTEEN_COLLISIONS = 1 << 3,	/* the attempt limit */
};

/* Where a setting comes from: a register, or the first descriptor of the packet. */
enum macstats_control {
	MACSTATS_BY_REGISTER,
	MACSTATS_CONTROL_OFF,
	MACSTATS_CONTROL_ON,
};

/* One frame, or any number of frames alike. Without padding: equal ones are equal memory. */
struct macstats_frame {
	__u8 direction;		/* one of enum macstats_direction */
	__u8 destination;	/* one of enum macstats_destination */
	__u8 kind;		/* one of enum macstats_kind */
	__u8 origin;		/* one of MACSTATS_ANY_ORIGIN */
	__u8 vlan_tags;		/* 0 to 2 */
	__u8 collisions;	/* 0 to MACSTATS_ATTEMPT_LIMIT */
	bool deferred;		/* the medium was busy at the first attempt */
	__u8 descriptors;	/* to MACSTATS_MAX_DESCRIPTORS; 0 stands for one */
	__u32 length;		/* 1 to MACSTATS_FRAME_MAX */
	__u16 errors;		/* any of enum macstats_error */
	__u8 append_crc;	/* enum macstats_control: the MAC appends the CRC */
	__u8 huge;		/* enum macstats_control: there is no maximum frame length */
};

/* Check for a control of transmit descriptors, which a received frame does not have. */
MACSTATS_FN bool macstats_names_controls(const struct macstats_frame *frame)
{
	return frame->append_crc | frame->huge;
}

/* The number of descriptors of a packet. */
MACSTATS_FN unsigned int macstats_descriptors(const struct macstats_frame *frame)
{
	return frame->descriptors ? frame->descriptors : 1u;
}

/*
 * Lengths at which a size class ends: class i holds the lengths from
 * edge[i - 1] to edge[i] - 1, the last one everything from the last edge up.
 * Ascending; a zero ends the list.
 */
#define MACSTATS_MAX_EDGES	12
#define MACSTATS_RMON_EDGES	{ 64, 65, 128, 256, 512, 1024, 1519 }

struct macstats_sizes {
	__u16 edge[MACSTATS_MAX_EDGES];
	__u16 tagged_edges;	/* bit i: edge i lies 4 octets up for a tagged frame */
};

MACSTATS_FN unsigned int macstats_size_classes(const struct macstats_sizes *sizes)
{
	unsigned int n = 0;

	while (n < MACSTATS_MAX_EDGES && sizes->edge[n])
		n++;
	return n + 1;
}

/* Edge @i for a tagged or untagged frame. */
MACSTATS_FN __u32 macstats__edge(const struct macstats_sizes *sizes, unsigned int i, bool tagged)
{
	return sizes->edge[i] +
	       (tagged && (sizes->tagged_edges >> i & 1) ? (__u32)MACSTATS_TAG_LEN : 0u);
}

/* Index of the size class that holds @length. */
MACSTATS_FN unsigned int macstats__size_class(const struct macstats_sizes *sizes,
					      __u32 length, bool tagged)
{
	unsigned int class_index = 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_EDGES && sizes->edge[i]; i++)
		class_index += length >= macstats__edge(sizes, i, tagged);
	return class_index;
}

MACSTATS_FN __u8 macstats__collision_class(unsigned int collisions)
{
	if (!collisions)
		return MACSTATS_NO_COLLISION;
	if (collisions == 1)
		return MACSTATS_ONE_COLLISION;
	return collisions < MACSTATS_ATTEMPT_LIMIT ? MACSTATS_SEVERAL_COLLISIONS :
						     MACSTATS_SIXTEEN_COLLISIONS;
}

/* A tagged MAC control frame is data: 88-08 is not where a MAC looks for it. */
MACSTATS_FN __u8 macstats_kind_on_wire(const struct macstats_frame *frame)
{
	return frame->vlan_tags ? (__u8)MACSTATS_DATA : frame->kind;
}

/* Check for a pause frame that a MAC makes to exert flow control. */
MACSTATS_FN bool macstats__is_own_pause(const struct macstats_frame *frame)
{
	return frame->direction == MACSTATS_TX && frame->origin == MACSTATS_BY_MAC &&
	       macstats_kind_on_wire(frame) == MACSTATS_PAUSE;
}

/*
 * Check whether the Length/Type @field of a data frame is a length, but not that of its data. Less
 * data than fits the shortest frame has padding.
 */
MACSTATS_FN bool macstats__is_wrong_length(const struct macstats_frame *frame, __u32 field)
{
	__u32 right = MACSTATS_HEADER_LEN + frame->vlan_tags * (__u32)MACSTATS_TAG_LEN + field +
		      MACSTATS_FCS_LEN;

	if (right < MACSTATS_FRAME_MIN)
		right = MACSTATS_FRAME_MIN;
	return field <= MACSTATS_LENGTH_FIELD_MAX && frame->length != right;
}

/*
 * Describe a frame by its first octets: @data holds @len of them, from the
 * destination address on. The caller has set @length, as a frame in memory
 * may still lack its padding and FCS. Frames shorter than a header are data.
 */
MACSTATS_FN void macstats_frame_parse(struct macstats_frame *frame, const __u8 *data,
				      unsigned int len)
{
	bool broadcast = len >= 6 && (data[0] & 1);
	unsigned int i;
	unsigned int at = 12;

	frame->kind = MACSTATS_DATA;
	frame->origin = MACSTATS_BY_SOFTWARE;
	frame->vlan_tags = 0;
	frame->collisions = 0;
	frame->deferred = false;
	frame->errors = 0;
	frame->descriptors = 0;
	frame->append_crc = MACSTATS_BY_REGISTER;
	frame->huge = MACSTATS_BY_REGISTER;

	for (i = 0; i < 6 && broadcast; i++)
		broadcast = data[i] == 0xff;
	if (broadcast)
		frame->destination = MACSTATS_BROADCAST;
	else if (len && (data[0] & 1))
		frame->destination = MACSTATS_MULTICAST;
	else
		frame->destination = MACSTATS_UNICAST;

	if (len >= at + 2) {
		__u32 type = (__u32)data[at] << 8 | data[at + 1];

		/* Most frames have neither a tag nor a length, and are no MAC control frames. */
		if (type > MACSTATS_LENGTH_FIELD_MAX && type != 0x8100 && type != 0x8808)
			return;
	}
	while (at + 2 <= len && data[at] == 0x81 && data[at + 1] == 0x00 &&
	       frame->vlan_tags < 2) {
		frame->vlan_tags++;
		at += MACSTATS_TAG_LEN;
	}
	if (at + 2 <= len && macstats__is_wrong_length(frame, (__u32)data[at] << 8 | data[at + 1]))
		frame->errors = MACSTATS_ERR_PAYLOAD_LENGTH;
	if (frame->vlan_tags || len < 14 || data[12] != 0x88 || data[13] != 0x08)
		return;
	frame->kind = MACSTATS_CONTROL;
	if (len >= 16 && data[15] == 0x01 && data[14] <= 0x01)
		frame->kind = data[14] ? MACSTATS_PFC : MACSTATS_PAUSE;
}

#endif /* MACSTATS_FRAME_H */
