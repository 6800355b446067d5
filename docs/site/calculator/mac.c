// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * An emulated MAC and the reader of its counters, for the pages of the site: the first port of a
 * device. _static/mac.js calls the exported functions. Those that can fail return 0 or -errno, and
 * reason() then tells why. Any number may be given to any of them.
 */
#include <macstats/emulate/emulator.h>
#include <macstats/interval.h>
#include <macstats/models.h>
#include <macstats/poll.h>
#include <macstats/standard.h>

#define EXPORT(type, name) __attribute__((export_name(#name))) type mac_##name
#define MODELS MACSTATS_COUNT_OF(macstats_models)

/* A standard statistic, or a bucket of a histogram. */
struct row {
	unsigned int id;
	__u32 low;
	__u32 high;
	__u64 value;
};

static struct {
	const struct macstats_model *model;	/* NULL before the first power-up */
	struct macstats_emulator emulator;
	struct macstats_cpu_cells cpu_cells;
	struct macstats_accumulator acc;
	struct macstats_standard standard;
	__u64 totals[MACSTATS_MAX_COUNTERS];	/* those that @standard sums up */
	__u64 software[MACSTATS_MAX_COUNTERS];	/* of descriptors since the last poll */
	struct row rows[MACSTATS_STD_COUNT + 2 * MACSTATS_MAX_EDGES];
	unsigned int n_rows;
	__u64 now_ns;
	__u64 value;				/* that was read last */
	const char *reason;
} mac;

static struct macstats_cpu_cells *const cell_list[] = { &mac.cpu_cells };
static const struct macstats_cell_set cells = { cell_list, 1 };

/* Called for a product whose overflow matters; there is no library that has it. */
__extension__ typedef unsigned __int128 wide;
wide __multi3(wide a, wide b);

wide __multi3(wide a, wide b)
{
	__u64 a0 = (__u32)a, a1 = (__u64)a >> 32, b0 = (__u32)b, b1 = (__u64)b >> 32;
	__u64 mid = a1 * b0 + (a0 * b0 >> 32);
	__u64 high = a1 * b1 + (mid >> 32) + (((__u32)mid + a0 * b1) >> 32);

	high += (__u64)(a >> 64) * (__u64)b + (__u64)a * (__u64)(b >> 64);
	return (wide)high << 64 | (__u64)a * (__u64)b;
}

/* ---- the bus of the reader; emulated hardware needs no time ---- */

static int bus_read_block(void *context, __u32 address, __u64 *values, unsigned int words,
			  bool changes, unsigned int *done)
{
	(void)context;
	(void)changes;
	return macstats_emulator_read_block(&mac.emulator, &cells, address, values, words, done);
}

static int bus_read(void *context, __u32 address, __u64 *value)
{
	unsigned int done = 0;

	return bus_read_block(context, address, value, 1, false, &done);
}

static int bus_read64(void *context, __u32 address, __u64 *value)
{
	(void)context;
	return macstats_emulator_read64(&mac.emulator, &cells, address, value);
}

static int bus_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	(void)context;
	return macstats_emulator_update(&mac.emulator, &cells, address, mask, value);
}

static bool bus_wait(void *context)
{
	(void)context;
	return true;
}

static __u64 bus_line_octets(void *context)
{
	(void)context;
	return macstats_line_octets(&mac.emulator, &cells);
}

/* ---- what pages show ---- */

EXPORT(const char *, reason)(void)
{
	return mac.reason ? mac.reason : "";
}

EXPORT(const char *, model)(unsigned int index)
{
	return index < MODELS ? macstats_models[index]->name : "";
}

EXPORT(unsigned int, default_options)(unsigned int index)
{
	return index < MODELS ? macstats_models[index]->default_options : 0;
}

EXPORT(unsigned int, counters)(void)
{
	return mac.model ? mac.model->n_counters : 0;
}

EXPORT(unsigned int, rows)(void)
{
	return mac.n_rows;
}

#define OF_COUNTER(type, name, value, otherwise)						\
	EXPORT(type, name)(unsigned int index)							\
	{											\
		return index < mac_counters() ? (value) : (otherwise);				\
	}

OF_COUNTER(const char *, counter, mac.model->counters[index].name, "")
OF_COUNTER(const char *, help, mac.model->counters[index].help, "")
/* The hardware lacks a counter without a total. */
OF_COUNTER(__u64, total,
	   macstats_lacks_counter(&mac.acc, index) ? ~0ull : mac.acc.counters[index].total, ~0ull)
/* Counted, but shown only after this number of good frames. */
OF_COUNTER(__u64, pending, mac.emulator.counters[index].pending, 0)
OF_COUNTER(unsigned int, good_frames, mac.model->counters[index].good_frames, 0)

static const struct {
	const char *group;
	const char *name;
} standards[] = {
#define ETH_PHY		"eth-phy"
#define ETH_MAC		"eth-mac"
#define ETH_CTRL	"eth-ctrl"
#define RMON		"rmon"
#define PAUSE		"pause"
#define RTNL		"rtnl"
#define MM		"mm"
#define STANDARD(group, id, direction, what, name) { group, name },
	{ "", "" },
	MACSTATS_STANDARD_LIST(STANDARD)
};

#define OF_ROW(type, name, value, otherwise)							\
	EXPORT(type, row_##name)(unsigned int index)						\
	{											\
		return index < mac.n_rows ? (value) : (otherwise);				\
	}

OF_ROW(const char *, group, standards[mac.rows[index].id].group, "")
OF_ROW(const char *, name, standards[mac.rows[index].id].name, "")
OF_ROW(__u32, low, mac.rows[index].low, 0)
OF_ROW(__u32, high, mac.rows[index].high, 0)
OF_ROW(__u64, value, mac.rows[index].value, 0)

/* ---- totals ---- */

static void add_buckets(unsigned int id)
{
	struct macstats_bucket buckets[MACSTATS_MAX_EDGES + 1] = { 0 };
	unsigned int n = macstats_histogram(mac.model, id, buckets, MACSTATS_COUNT_OF(buckets));
	unsigned int i;
	unsigned int counter;

	for (i = 0; i < n; i++) {
		struct row row = { id, buckets[i].low, buckets[i].high, 0 };
		bool lacks = false;

		macstats_for_each_row(counter, &buckets[i].rows) {
			lacks = lacks || macstats_lacks_counter(&mac.acc, counter);
			row.value += mac.acc.counters[counter].total;
		}
		if (!lacks)
			mac.rows[mac.n_rows++] = row;
	}
}

/* Called after each read of the counters. */
static void publish(void)
{
	unsigned int i;

	for (i = macstats_register_counters(mac.model); i < mac.model->n_counters; i++) {
		macstats_take_software(&mac.acc, i, mac.acc.counters[i].total + mac.software[i]);
		mac.software[i] = 0;
	}
	macstats_standard_update(&mac.standard, &mac.acc, mac.totals);
	for (i = 0; i < mac.model->n_counters; i++)
		mac.totals[i] = mac.acc.counters[i].total;
	mac.n_rows = 0;
	for (i = 1; i < MACSTATS_STD_COUNT && !mac.acc.state.absent; i++)
		if (macstats_is_histogram(i))
			add_buckets(i);
		else if (mac.standard.present[i])
			mac.rows[mac.n_rows++] = (struct row){ i, 0, 0, mac.standard.value[i] };
}

/* ---- what happens to the MAC ---- */

static int reject(int err, const char *reason)
{
	mac.reason = reason;
	return err;
}

/* A new device. With a @seed other than 0, its counters hold anything. */
EXPORT(int, power_up)(unsigned int index, unsigned int options, __u64 seed)
{
	const struct macstats_model *model = macstats_models[index < MODELS ? index : 0];
	int err;

	if (index >= MODELS || !macstats_valid_options(model, options))
		return reject(-EINVAL, "there is no such model, or it has no such options");
	__builtin_memset(&mac, 0, sizeof(mac));
	mac.model = model;
	macstats_emulator_power_up(&mac.emulator, model, &cells, options, seed, seed);
	mac.acc.model = model;
	mac.acc.without_counters = !(options & macstats_statistics_options(model));
	mac.acc.left_out = macstats_other_revisions(model, options);
	mac.acc.line_rate_bound = true;
	mac.acc.line_rate_bps = macstats_line_rate_bps(model, options);
	mac.acc.bus.read = bus_read;
	mac.acc.bus.read64 = bus_read64;
	mac.acc.bus.read_block = bus_read_block;
	mac.acc.bus.update = bus_update;
	mac.acc.bus.wait = bus_wait;
	mac.acc.bus.line_octets = bus_line_octets;
	err = macstats_start(&mac.acc, 0);
	publish();
	return err;
}

static bool is_one_of(unsigned int bit, unsigned int all)
{
	return bit && !(bit & (bit - 1)) && !(bit & ~all);
}

/* Count packets as their driver does, from the status in their descriptors. */
static void take_status(const struct macstats_frame *frame, unsigned int count)
{
	const struct macstats_packet packet = macstats_tx_packet(&mac.emulator, frame);
	__u32 sent = macstats_packet_status(mac.model, &packet);
	__u32 received = 0;
	bool is_sent = macstats_has_tx_status(mac.model, frame);
	bool is_received = macstats_rx_status(&mac.emulator, frame, &received);
	unsigned int i;
	unsigned int at = 0;
	__u32 word = 0;

	for (i = macstats_register_counters(mac.model); i < mac.model->n_counters; i++) {
		if (is_sent)
			mac.software[i] += macstats_transmitted_increment(mac.model, i, &packet,
									  sent, count);
		for (at = 0; is_received && at < macstats_descriptors(frame); at++) {
			word = macstats_rx_descriptor(mac.model, frame, received, at);
			mac.software[i] += macstats_received_increment(mac.model, i, word, count);
		}
	}
}

/* Let @count frames alike pass. The other arguments are members of struct macstats_frame. */
EXPORT(int, send)(unsigned int direction, unsigned int destination, unsigned int kind,
		  unsigned int origin, unsigned int vlan_tags, unsigned int length,
		  unsigned int errors, unsigned int collisions, unsigned int deferred,
		  unsigned int descriptors, unsigned int append_crc, unsigned int huge,
		  unsigned int count)
{
	const struct macstats_frame frame = {
		.direction = (__u8)direction, .destination = (__u8)destination,
		.kind = (__u8)kind, .origin = (__u8)origin, .vlan_tags = (__u8)vlan_tags,
		.collisions = (__u8)collisions, .deferred = deferred,
		.descriptors = (__u8)descriptors, .length = length, .errors = (__u16)errors,
		.append_crc = (__u8)append_crc, .huge = (__u8)huge,
	};

	if (!mac.model)
		return reject(-ENODEV, "the MAC has no power");
	if (!is_one_of(direction, MACSTATS_RX | MACSTATS_TX) ||
	    !is_one_of(destination, MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST) ||
	    !is_one_of(kind, MACSTATS_ANY_KIND) || !is_one_of(origin, MACSTATS_ANY_ORIGIN) ||
	    errors > MACSTATS_ERR_ALL || append_crc > MACSTATS_CONTROL_ON ||
	    huge > MACSTATS_CONTROL_ON || vlan_tags > 2 || !length ||
	    length > MACSTATS_FRAME_MAX || collisions > MACSTATS_ATTEMPT_LIMIT ||
	    descriptors > MACSTATS_MAX_DESCRIPTORS || !count)
		return reject(-EINVAL, "a member of the frame is out of its range");
	if (!macstats_valid_own_pause(mac.model, &frame))
		return reject(-EINVAL, "its own pause frames have 64 octets and go to a group");
	if (macstats_check_descriptors(mac.model, &frame))
		return reject(-EINVAL, "only frames that software transmits have such descriptors");
	macstats_emulator_count(&mac.emulator, &cells, &mac.cpu_cells, &frame, count);
	take_status(&frame, count);
	return 0;
}

/* An access of software other than the reader of the counters. value() has what was read. */
EXPORT(int, read)(unsigned int address)
{
	mac.value = 0;
	if (!mac.model || macstats_foreign_read(&mac.emulator, &cells, address, &mac.value))
		return reject(-ENXIO, "nothing answers at this address");
	return 0;
}

EXPORT(__u64, value)(void)
{
	return mac.value;
}

EXPORT(int, write)(unsigned int address, __u64 value)
{
	if (mac.model && value > macstats_bus_mask(mac.model))
		return reject(-ERANGE, "the value is wider than a register");
	if (!mac.model || macstats_foreign_write(&mac.emulator, &cells, address, value))
		return reject(-ENXIO, "nothing answers at this address");
	return 0;
}

/* Read the counters, @usecs after the last time. */
EXPORT(int, poll)(unsigned int usecs)
{
	unsigned int events = 0;
	int err;

	if (!mac.model)
		return reject(-ENODEV, "the MAC has no power");
	mac.now_ns += usecs * 1000ull;
	err = macstats_poll(&mac.acc, mac.now_ns, &events);
	mac.reason = err ? mac.acc.state.reason :
		     events & MACSTATS_EVENT_POSSIBLE_LOSS ? mac.acc.state.loss : "";
	publish();
	return err;
}

EXPORT(unsigned int, poll_interval)(void)
{
	return mac.model ? (unsigned int)macstats_poll_default_usecs(mac.model,
								     mac.acc.line_rate_bps) : 0;
}
