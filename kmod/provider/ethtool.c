// SPDX-License-Identifier: GPL-2.0
/* What ethtool and ip show: totals and their sums, formatted. */
#include <linux/ethtool_netlink.h>
#include <linux/if_link.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "../compat.h"
#include "internal.h"

/* Where the kernel keeps a standard statistic. */
struct macstats_member {
	u16 id;			/* enum macstats_standard_id */
	u16 offset;
};

#define MAC(id, member) \
	{ MACSTATS_STD_##id, offsetof(struct ethtool_eth_mac_stats, member) }
static const struct macstats_member macstats_eth_mac_members[] = {
	MAC(FRAMES_TRANSMITTED_OK, FramesTransmittedOK),
	MAC(SINGLE_COLLISION_FRAMES, SingleCollisionFrames),
	MAC(MULTIPLE_COLLISION_FRAMES, MultipleCollisionFrames),
	MAC(FRAMES_RECEIVED_OK, FramesReceivedOK),
	MAC(FRAME_CHECK_SEQUENCE_ERRORS, FrameCheckSequenceErrors),
	MAC(ALIGNMENT_ERRORS, AlignmentErrors),
	MAC(OCTETS_TRANSMITTED_OK, OctetsTransmittedOK),
	MAC(FRAMES_WITH_DEFERRED_XMISSIONS, FramesWithDeferredXmissions),
	MAC(LATE_COLLISIONS, LateCollisions),
	MAC(FRAMES_ABORTED_DUE_TO_XS_COLLS, FramesAbortedDueToXSColls),
	MAC(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, FramesLostDueToIntMACXmitError),
	MAC(CARRIER_SENSE_ERRORS, CarrierSenseErrors),
	MAC(OCTETS_RECEIVED_OK, OctetsReceivedOK),
	MAC(FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, FramesLostDueToIntMACRcvError),
	MAC(MULTICAST_FRAMES_XMITTED_OK, MulticastFramesXmittedOK),
	MAC(BROADCAST_FRAMES_XMITTED_OK, BroadcastFramesXmittedOK),
	MAC(FRAMES_WITH_EXCESSIVE_DEFERRAL, FramesWithExcessiveDeferral),
	MAC(MULTICAST_FRAMES_RECEIVED_OK, MulticastFramesReceivedOK),
	MAC(BROADCAST_FRAMES_RECEIVED_OK, BroadcastFramesReceivedOK),
	MAC(IN_RANGE_LENGTH_ERRORS, InRangeLengthErrors),
	MAC(OUT_OF_RANGE_LENGTH_FIELD, OutOfRangeLengthField),
	MAC(FRAME_TOO_LONG_ERRORS, FrameTooLongErrors),
};

#define CTRL(id, member) \
	{ MACSTATS_STD_##id, offsetof(struct ethtool_eth_ctrl_stats, member) }
static const struct macstats_member macstats_eth_ctrl_members[] = {
	CTRL(MAC_CONTROL_FRAMES_TRANSMITTED, MACControlFramesTransmitted),
	CTRL(MAC_CONTROL_FRAMES_RECEIVED, MACControlFramesReceived),
	CTRL(UNSUPPORTED_OPCODES_RECEIVED, UnsupportedOpcodesReceived),
};

#define RMON(id, member) \
	{ MACSTATS_STD_##id, offsetof(struct ethtool_rmon_stats, member) }
static const struct macstats_member macstats_rmon_members[] = {
	RMON(UNDERSIZE_PKTS, undersize_pkts),
	RMON(OVERSIZE_PKTS, oversize_pkts),
	RMON(FRAGMENTS, fragments),
	RMON(JABBERS, jabbers),
};

#define PAUSE(id, member) \
	{ MACSTATS_STD_##id, offsetof(struct ethtool_pause_stats, member) }
static const struct macstats_member macstats_pause_members[] = {
	PAUSE(TX_PAUSE_FRAMES, tx_pause_frames),
	PAUSE(RX_PAUSE_FRAMES, rx_pause_frames),
};

#define RTNL(id, member) \
	{ MACSTATS_STD_RTNL_##id, offsetof(struct rtnl_link_stats64, member) }
static const struct macstats_member macstats_rtnl_members[] = {
	RTNL(RX_PACKETS, rx_packets),
	RTNL(TX_PACKETS, tx_packets),
	RTNL(RX_BYTES, rx_bytes),
	RTNL(TX_BYTES, tx_bytes),
	RTNL(RX_ERRORS, rx_errors),
	RTNL(TX_ERRORS, tx_errors),
	RTNL(RX_DROPPED, rx_dropped),
	RTNL(TX_DROPPED, tx_dropped),
	RTNL(MULTICAST, multicast),
	RTNL(COLLISIONS, collisions),
	RTNL(RX_LENGTH_ERRORS, rx_length_errors),
	RTNL(RX_OVER_ERRORS, rx_over_errors),
	RTNL(RX_CRC_ERRORS, rx_crc_errors),
	RTNL(RX_FRAME_ERRORS, rx_frame_errors),
	RTNL(RX_FIFO_ERRORS, rx_fifo_errors),
	RTNL(RX_MISSED_ERRORS, rx_missed_errors),
	RTNL(TX_ABORTED_ERRORS, tx_aborted_errors),
	RTNL(TX_CARRIER_ERRORS, tx_carrier_errors),
	RTNL(TX_FIFO_ERRORS, tx_fifo_errors),
	RTNL(TX_HEARTBEAT_ERRORS, tx_heartbeat_errors),
	RTNL(TX_WINDOW_ERRORS, tx_window_errors),
};

/* Set the members that are present; the others keep what the core put there. */
static void macstats_fill(const struct macstats_port *port, void *stats,
			  const struct macstats_member *members, unsigned int n)
{
	unsigned int i;

	if (port->acc.absent)
		return;
	for (i = 0; i < n; i++)
		if (port->standard.present[members[i].id])
			*(u64 *)(stats + members[i].offset) = port->standard.value[members[i].id];
}

/* Bring the sums up to date after a poll. Caller holds port->lock. */
void macstats_publish(struct macstats_port *port)
{
	struct rtnl_link_stats64 rtnl = {};

	macstats_standard_update(&port->standard, port->model, port->acc.totals);
	macstats_fill(port, &rtnl, macstats_rtnl_members, ARRAY_SIZE(macstats_rtnl_members));
	write_seqlock_bh(&port->rtnl_lock);
	port->rtnl = rtnl;
	write_sequnlock_bh(&port->rtnl_lock);
}

void macstats_get_stats64(struct macstats_port *port, struct rtnl_link_stats64 *stats)
{
	const u64 *from = (const u64 *)&port->rtnl;
	u64 *to = (u64 *)stats;
	u64 copy[sizeof(*stats) / sizeof(u64)];
	unsigned int seq;
	unsigned int i;

	do {
		seq = read_seqbegin(&port->rtnl_lock);
		for (i = 0; i < ARRAY_SIZE(copy); i++)
			copy[i] = from[i];
	} while (read_seqretry(&port->rtnl_lock, seq));
	for (i = 0; i < ARRAY_SIZE(copy); i++)
		to[i] += copy[i];
}
EXPORT_SYMBOL_GPL(macstats_get_stats64);

/* The self tests that this model allows, in the order of their results. */
enum macstats_test {
	MACSTATS_TEST_SCRATCH,
	MACSTATS_TEST_IDENTITY,
	MACSTATS_TEST_SNAPSHOT,
	MACSTATS_TEST_LOOPBACK,
	MACSTATS_TESTS
};

static const char *const macstats_test_names[MACSTATS_TESTS] = {
	[MACSTATS_TEST_SCRATCH] = "scratch register  (online)",
	[MACSTATS_TEST_IDENTITY] = "identity          (online)",
	[MACSTATS_TEST_SNAPSHOT] = "snapshot          (online)",
	[MACSTATS_TEST_LOOPBACK] = "loopback          (offline)",
};

static bool macstats_test_exists(const struct macstats_model *model, enum macstats_test test)
{
	switch (test) {
	case MACSTATS_TEST_SCRATCH:
		return model->scratch[0].mask;
	case MACSTATS_TEST_IDENTITY:
		return model->n_identity;
	case MACSTATS_TEST_SNAPSHOT:
		return macstats_has_snapshot(model, 0);
	default:
		return true;
	}
}

void macstats_ethtool_begin(struct macstats_port *port)
{
	mutex_lock(&port->lock);
	port->request = true;
	port->request_polled = false;
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_ethtool_begin);

void macstats_ethtool_complete(struct macstats_port *port)
{
	mutex_lock(&port->lock);
	port->request = false;
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_ethtool_complete);

/*
 * What is counted before a request begins is in what it reads: the first read of
 * it suffices, whether it was good or bad. Caller holds port->lock.
 */
static void macstats_request_update(struct macstats_port *port)
{
	if (port->request && port->request_polled)
		return;
	macstats_port_update(port);
	port->request_polled = port->request;
}

int macstats_get_sset_count(struct macstats_port *port, int sset)
{
	unsigned int test;
	int n = 0;

	switch (sset) {
	case ETH_SS_STATS:
		return port->n_shown;
	case ETH_SS_TEST:
		for (test = 0; test < MACSTATS_TESTS; test++)
			n += macstats_test_exists(port->model, test);
		return n;
	default:
		return -EOPNOTSUPP;
	}
}
EXPORT_SYMBOL_GPL(macstats_get_sset_count);

void macstats_get_strings(struct macstats_port *port, u32 sset, u8 *data)
{
	unsigned int i;

	if (sset == ETH_SS_STATS) {
		for (i = 0; i < port->n_shown; i++)
			ethtool_puts(&data, port->model->counters[port->shown[i]].name);
	} else if (sset == ETH_SS_TEST) {
		for (i = 0; i < MACSTATS_TESTS; i++)
			if (macstats_test_exists(port->model, i))
				ethtool_puts(&data, macstats_test_names[i]);
	}
}
EXPORT_SYMBOL_GPL(macstats_get_strings);

void macstats_get_ethtool_stats(struct macstats_port *port, u64 *data)
{
	unsigned int i;

	mutex_lock(&port->lock);
	macstats_request_update(port);
	for (i = 0; i < port->n_shown; i++)
		data[i] = port->acc.totals[port->shown[i]];
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_get_ethtool_stats);

static void macstats_get_group(struct macstats_port *port, void *stats,
			       const struct macstats_member *members, unsigned int n)
{
	mutex_lock(&port->lock);
	macstats_request_update(port);
	macstats_fill(port, stats, members, n);
	mutex_unlock(&port->lock);
}

void macstats_get_eth_mac_stats(struct macstats_port *port,
				struct ethtool_eth_mac_stats *stats)
{
	macstats_get_group(port, stats, macstats_eth_mac_members,
			   ARRAY_SIZE(macstats_eth_mac_members));
}
EXPORT_SYMBOL_GPL(macstats_get_eth_mac_stats);

void macstats_get_eth_ctrl_stats(struct macstats_port *port,
				 struct ethtool_eth_ctrl_stats *stats)
{
	macstats_get_group(port, stats, macstats_eth_ctrl_members,
			   ARRAY_SIZE(macstats_eth_ctrl_members));
}
EXPORT_SYMBOL_GPL(macstats_get_eth_ctrl_stats);

void macstats_get_pause_stats(struct macstats_port *port, struct ethtool_pause_stats *stats)
{
	macstats_get_group(port, stats, macstats_pause_members,
			   ARRAY_SIZE(macstats_pause_members));
}
EXPORT_SYMBOL_GPL(macstats_get_pause_stats);

/*
 * Put one direction's histogram into @hist and its ranges into port->ranges.
 * Both directions of a model have the same ranges (checked with the schema).
 * Caller holds port->lock.
 */
static void macstats_fill_histogram(struct macstats_port *port, unsigned int id, u64 *hist)
{
	struct macstats_bucket buckets[ETHTOOL_RMON_HIST_MAX];
	unsigned int n = macstats_histogram(port->model, id, buckets, ARRAY_SIZE(buckets));
	unsigned int i;

	for (i = 0; i < min_t(unsigned int, n, ARRAY_SIZE(buckets)); i++) {
		port->ranges[i].low = buckets[i].low;
		port->ranges[i].high = buckets[i].high ?: max(port->acc.max_frame, buckets[i].low);
		hist[i] = port->acc.totals[buckets[i].counter];
	}
}

void macstats_get_rmon_stats(struct macstats_port *port, struct ethtool_rmon_stats *stats,
			     const struct ethtool_rmon_hist_range **ranges)
{
	mutex_lock(&port->lock);
	macstats_request_update(port);
	if (!port->acc.absent) {
		macstats_fill(port, stats, macstats_rmon_members,
			      ARRAY_SIZE(macstats_rmon_members));
		macstats_fill_histogram(port, MACSTATS_STD_HIST_RX, stats->hist);
		macstats_fill_histogram(port, MACSTATS_STD_HIST_TX, stats->hist_tx);
		if (port->ranges[0].high)
			*ranges = port->ranges;
	}
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_get_rmon_stats);

/* A register dump is a list of these, see MACSTATS_REGS_VERSION. */
struct macstats_dumped {
	u32 address;
	u32 value;
};

static unsigned int macstats_dumped_words(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	return macstats_read_is_destructive(model, counter->offset) ?
	       0 : macstats_words(model, counter);
}

int macstats_get_regs_len(struct macstats_port *port)
{
	const struct macstats_model *model = port->model;
	unsigned int counters = macstats_register_counters(model);
	unsigned int n = model->n_registers;
	unsigned int i;

	for (i = 0; i < counters; i++)
		n += macstats_dumped_words(model, &model->counters[i]);
	return n * sizeof(struct macstats_dumped);
}
EXPORT_SYMBOL_GPL(macstats_get_regs_len);

static void macstats_dump_one(struct macstats_port *port, struct macstats_dumped **at,
			      u32 offset)
{
	u32 value;

	(*at)->address = port->acc.base + offset;
	(*at)->value = macstats_bus_read(&port->acc, offset, &value) ? ~0u : value;
	(*at)++;
}

void macstats_get_regs(struct macstats_port *port, struct ethtool_regs *regs, void *data)
{
	const struct macstats_model *model = port->model;
	unsigned int counters = macstats_register_counters(model);
	struct macstats_dumped *at = data;
	unsigned int r = 0;
	unsigned int i;
	unsigned int w;

	regs->version = MACSTATS_REGS_VERSION;
	mutex_lock(&port->lock);
	for (i = 0; i < counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		while (r < model->n_registers && model->registers[r].offset < counter->offset)
			macstats_dump_one(port, &at, model->registers[r++].offset);
		for (w = 0; w < macstats_dumped_words(model, counter); w++)
			macstats_dump_one(port, &at,
					  counter->offset + w * macstats_word_step(model));
	}
	while (r < model->n_registers)
		macstats_dump_one(port, &at, model->registers[r++].offset);
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_get_regs);

int macstats_get_coalesce(struct macstats_port *port, struct ethtool_coalesce *coalesce)
{
	coalesce->stats_block_coalesce_usecs = READ_ONCE(port->poll_usecs);
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_get_coalesce);

int macstats_set_coalesce(struct macstats_port *port,
			  const struct ethtool_coalesce *coalesce,
			  struct netlink_ext_ack *extack)
{
	u32 usecs = coalesce->stats_block_coalesce_usecs;

	if (usecs < MACSTATS_POLL_MIN_USECS) {
		MACSTATS_EXTACK(extack, "stats-block-usecs: %u to %u allowed",
				(u32)MACSTATS_POLL_MIN_USECS, port->poll_ceiling);
		return -ERANGE;
	}
	if (usecs > port->poll_ceiling) {
		MACSTATS_EXTACK(extack, "stats-block-usecs: %u to %u allowed, %s",
				(u32)MACSTATS_POLL_MIN_USECS, port->poll_ceiling,
				port->poll_ceiling < MACSTATS_POLL_MAX_USECS ?
				"half of the time to a wrap" : "once an hour");
		return -ERANGE;
	}
	mutex_lock(&port->lock);
	WRITE_ONCE(port->poll_usecs, usecs);
	mutex_unlock(&port->lock);
	macstats_port_schedule(port, usecs);
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_set_coalesce);

/* Write a pattern and its complement, and put back what was there. */
static int macstats_test_scratch(struct macstats_port *port)
{
	static const u32 patterns[] = { 0x5aa5f00f, 0xa55a0ff0 };
	unsigned int i;
	unsigned int p;

	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
		const struct macstats_bit *scratch = &port->model->scratch[i];
		u32 before;
		u32 value;
		int err;

		if (!scratch->mask)
			break;
		err = macstats_bus_read(&port->acc, scratch->offset, &before);
		for (p = 0; !err && p < ARRAY_SIZE(patterns); p++) {
			u32 wanted = patterns[p] & scratch->mask;

			err = macstats_bus_write(&port->acc, scratch->offset, wanted);
			err = err ?: macstats_bus_read(&port->acc, scratch->offset, &value);
			if (!err && (value & scratch->mask) != wanted)
				err = -EIO;
		}
		err = err ?: macstats_bus_write(&port->acc, scratch->offset, before);
		if (err)
			return err;
	}
	return 0;
}

static int macstats_test_identity(struct macstats_port *port)
{
	bool absent = port->acc.absent;
	int err = macstats_identify(&port->acc);

	if (!err && port->acc.absent != absent)
		err = -ENODEV;
	port->acc.absent = absent;
	return err;
}

/* Do frames that the port sends to itself arrive in the counters? */
static int macstats_test_loopback(struct macstats_port *port, int (*loop)(void *context),
				  void *context)
{
	static const u8 both[] = {
		MACSTATS_STD_FRAMES_TRANSMITTED_OK, MACSTATS_STD_FRAMES_RECEIVED_OK,
	};
	u64 before[ARRAY_SIZE(both)];
	unsigned int i;
	int err = macstats_port_poll(port);

	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(both); i++)
		before[i] = port->standard.value[both[i]];
	err = loop(context);
	err = err ?: macstats_port_poll(port);
	for (i = 0; !err && i < ARRAY_SIZE(both); i++)
		if (port->standard.present[both[i]] && port->standard.value[both[i]] == before[i])
			err = -EIO;
	return err;
}

void macstats_self_test(struct macstats_port *port, struct ethtool_test *test, u64 *results,
			int (*loop)(void *context), void *context)
{
	unsigned int i;
	int err;

	mutex_lock(&port->lock);
	for (i = 0; i < MACSTATS_TESTS; i++) {
		if (!macstats_test_exists(port->model, i))
			continue;
		err = 0;
		/* Where the counters were left out there is nothing to test. */
		if (port->acc.absent && i != MACSTATS_TEST_IDENTITY)
			err = 0;
		else if (i == MACSTATS_TEST_SCRATCH)
			err = macstats_test_scratch(port);
		else if (i == MACSTATS_TEST_IDENTITY)
			err = macstats_test_identity(port);
		else if (i == MACSTATS_TEST_LOOPBACK && !(test->flags & ETH_TEST_FL_OFFLINE))
			err = 0;
		else if (port->held)
			err = -EBUSY;
		else if (i == MACSTATS_TEST_SNAPSHOT)
			err = macstats_port_poll(port);
		else
			err = macstats_test_loopback(port, loop, context);
		if (err)
			test->flags |= ETH_TEST_FL_FAILED;
		*results++ = err ? 1 : 0;
	}
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_self_test);
