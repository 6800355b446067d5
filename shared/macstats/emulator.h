/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The registers of an emulated port: frames become counts, counts become
 * register values, reads and writes have the side effects of the model.
 *
 * A frame of a common class falls into one cell; its three sums are all that
 * counting touches, whatever the number of counters. A register's value is the
 * sum over the cells that its row names, less the counter's base. One pass over the
 * cells makes the sums of all counters; reads share it until another frame comes. All side
 * effects are moves of bases: a clear moves the base to the present sum, a
 * decrement adds to it, a preset puts it where the value comes out. Frames of
 * rare classes (errors, collisions, ...) have no cell: they move the bases of
 * the counters that count them.
 *
 * Cells are kept per CPU, so that counting shares
 * nothing. A CPU's cells have one writer at a time: the caller prevents migration, and, except
 * with PREEMPT_RT, preemption by a second one. Functions that take a non-const emulator require
 * the caller to hold the port's lock, in the kernel a spinlock that interrupts cannot take;
 * nothing sleeps or allocates.
 */
#ifndef MACSTATS_EMULATOR_H
#define MACSTATS_EMULATOR_H

#include "schema.h"

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/seqlock.h>
#include <linux/stddef.h>
#else
#include <errno.h>
#include <stddef.h>
#endif

/* Store a value that the kernel also reads without the lock. */
#ifdef __KERNEL__
#define MACSTATS_STORE(place, value)	WRITE_ONCE(place, value)
#else
#define MACSTATS_STORE(place, value)	((place) = (value))
#endif

struct macstats_cell {
	__u64 frames;
	__u64 octets;
	__u64 payload;
};

/* Cells: direction x destination x (data, tagged, control, pause) x (sizes + over). */
#define MACSTATS_CELL_KINDS	4
#define MACSTATS_CELL_ROWS	(2 * 3 * MACSTATS_CELL_KINDS)
#define MACSTATS_MAX_CELLS	(MACSTATS_CELL_ROWS * (MACSTATS_MAX_EDGES + 2))

struct macstats_cpu_cells {
#ifdef __KERNEL__
	seqcount_t seq;		/* the three sums of a cell are read as one, on any machine */
#endif
	__u64 additions;	/* to any cell */
	struct macstats_cell cells[MACSTATS_MAX_CELLS];	/* see macstats_cpu_cells_size() */
};

struct macstats_cell_set {
	struct macstats_cpu_cells *const *cpu_cells;
	unsigned int count;
};

/* One CPU's share of a cell. */
struct macstats_sums {
	__u64 frames;
	__u64 octets;
	__u64 payload;
};

/* Sums of the frames in all cells, after so many additions to them. */
struct macstats_cell_totals {
	__u64 additions;
	__u64 good;		/* good frames received */
	__u64 line;		/* octet times */
};

struct macstats_emulated_counter {
	__u64 sum;		/* of the cells, when macstats_cell_totals was made */
	__u64 base;
	__u64 frozen;		/* by a snapshot or a latch */
	__u64 pending;		/* counted, but not shown before ... */
	__u64 shown_at;		/* ... so many good frames came */
	__u64 preset_to;	/* while @preset */
	bool preset;		/* and not read since by the owner of the counts */
	bool lowered;		/* somebody else took away some of what the preset put there */
};

struct macstats_emulated_block {
	bool requested;		/* a snapshot */
	bool granted;
	bool parity_error;
	__u8 looks;		/* at the status before a slow grant */
};

/* Size classes within one power of two: which one it begins in, and its edges. */
#define MACSTATS_OCTAVES	16
#define MACSTATS_OCTAVE_EDGES	2

struct macstats_octave {
	__u32 edge[MACSTATS_OCTAVE_EDGES];
	__u32 first;
};

/*
 * Frames of one direction and kind whose cell follows from their length: neither padded nor
 * dropped, within all limits, and longer than those of rare sizes. Most real traffic is such.
 */
struct macstats_plain {
	__u32 least;		/* their shortest one, or MACSTATS_NO_LENGTH */
	__u32 span;		/* by how much the longest one is longer */
};

/* Of plain frames, whatever the settings are. */
struct macstats_plain_cell {
	__u32 overhead;		/* octets that are no payload; none of the frames is shorter */
	__u32 cell;		/* of unicast and the first size class */
};

#define MACSTATS_PLAIN_SETS	(2 * MACSTATS_CELL_KINDS)
#define MACSTATS_NO_LENGTH	(~0u)	/* longer than MACSTATS_FRAME_MAX */

/* The settings that registers and faults make for counting. Published as a whole. */
struct macstats_settings {
	__u32 max_frame_rx;
	__u32 max_frame_tx;
	__u32 longest_common;	/* longer frames have no cell */
	__u32 max_frame_set;	/* on transmit, where a register or descriptor applies it */
	__u32 tx_config;	/* bits of a transmit descriptor that registers set */
	__u8 attempts;		/* after so many collisions a frame is given up */
	__u8 options;		/* those that rows can name, settings too */
	bool counting;		/* counters are there, with power, and the gate is open */
	bool flow_control;	/* the MAC exerts it */
};

#define MACSTATS_NO_SETTINGS	{ 0, 0, 0, 0, 0, 0, 0, false, false }

struct macstats_emulator {
	/* Fixed at power-up: counting a frame reads it without a lock. */
	const struct macstats_model *model;
	__u16 options;		/* enum macstats_option that it is built with */
	__u8 size_classes;
	__u8 tag_allowance;	/* by which a tagged frame may be over the maximum */
	__u32 frame_limit;	/* some counter does not count all octets of longer frames */
	__u32 rare_fields;	/* bits of frames without a cell: see macstats_is_rare() */
	__u16 rare_sizes;	/* size classes whose frames have no cell */
	__u16 cell_of[MACSTATS_BROADCAST + 1];	/* the first one of a destination */
	struct macstats_octave octaves[2][MACSTATS_OCTAVES];	/* untagged, tagged */
	struct macstats_plain_cell plain_cells[MACSTATS_PLAIN_SETS];

	/* Written under the lock; counting reads them between two looks at their sequence. */
#ifdef __KERNEL__
	seqcount_t settings_seq;
#endif
	struct macstats_settings settings;
	struct macstats_plain plain[MACSTATS_PLAIN_SETS];	/* by macstats_plain_index() */
	__u32 version;		/* differs after each publication of them; never 0 */

	/* The holder of the lock owns the rest; @faults and @slow_bus_usecs are read without it. */
	bool random_power_up;
	bool foreign;		/* the access under way is not one of the owner of the counts */
	__u32 faults;		/* enum macstats_fault that are active */
	__u32 armed;		/* those that begin when a counter is read */
	__u32 bus_error_word;	/* of MACSTATS_FAULT_BUS_ERROR_AT */
	__u32 slow_bus_usecs;	/* of MACSTATS_FAULT_SLOW_BUS; the owner of the bus waits */
	__u64 random;		/* state of the generator */
	__u64 rare_good;	/* good frames received that have no cell */
	__u64 rare_line;	/* octet times of frames without a cell, since line_seen */
	__u64 line_seen;	/* octet times of the cells when last asked for */
	struct macstats_cell_totals totals;
	__u16 last_read;	/* the last counter that the bus read: the next one is near */
	struct macstats_emulated_block blocks[MACSTATS_MAX_BLOCKS];
	__u32 registers[MACSTATS_MAX_REGISTERS];
	/* There is memory for those of the model only: macstats_emulator_size(). */
	struct macstats_emulated_counter counters[MACSTATS_MAX_COUNTERS];
};

/* The size of the zeroed memory that an emulator of this model needs. */
MACSTATS_FN size_t macstats_emulator_size(const struct macstats_model *model)
{
	return offsetof(struct macstats_emulator, counters) +
	       model->n_counters * sizeof(struct macstats_emulated_counter);
}

#ifdef __KERNEL__
static inline void macstats_cpu_cells_init(struct macstats_cpu_cells *cpu_cells)
{
	seqcount_init(&cpu_cells->seq);
}

static inline void macstats_cell_add(struct macstats_cpu_cells *cpu_cells, unsigned int index,
				     const struct macstats_sums *sums)
{
	struct macstats_cell *cell = &cpu_cells->cells[index];

	/* Bottom halves that are off, or a spinlock, do not keep PREEMPT_RT from preempting. */
	preempt_disable_nested();
	raw_write_seqcount_begin(&cpu_cells->seq);
	WRITE_ONCE(cell->frames, cell->frames + sums->frames);
	WRITE_ONCE(cell->octets, cell->octets + sums->octets);
	WRITE_ONCE(cell->payload, cell->payload + sums->payload);
	WRITE_ONCE(cpu_cells->additions, cpu_cells->additions + 1);
	raw_write_seqcount_end(&cpu_cells->seq);
	preempt_enable_nested();
}

static inline void macstats_cell_read(const struct macstats_cpu_cells *cpu_cells,
				      unsigned int index, struct macstats_sums *sums)
{
	const struct macstats_cell *cell = &cpu_cells->cells[index];
	unsigned int start;

	do {
		start = read_seqcount_begin(&cpu_cells->seq);
		sums->frames = READ_ONCE(cell->frames);
		sums->octets = READ_ONCE(cell->octets);
		sums->payload = READ_ONCE(cell->payload);
	} while (read_seqcount_retry(&cpu_cells->seq, start));
}

static inline __u64 macstats_cpu_additions(const struct macstats_cpu_cells *cpu_cells)
{
	unsigned int start;
	__u64 additions;

	do {
		start = read_seqcount_begin(&cpu_cells->seq);
		additions = READ_ONCE(cpu_cells->additions);
	} while (read_seqcount_retry(&cpu_cells->seq, start));
	return additions;
}

/* Settings that are read later are of this version, or newer. */
static inline __u32 macstats_settings_version(const struct macstats_emulator *emu)
{
	/* Pairs with the barrier of write_seqcount_begin(). */
	return smp_load_acquire(&emu->version);
}

/* Between these two, all settings are of one moment, unless the second one returns true. */
static inline unsigned int macstats_settings_begin(const struct macstats_emulator *emu)
{
	return read_seqcount_begin(&emu->settings_seq);
}

static inline bool macstats_settings_changed(const struct macstats_emulator *emu,
					     unsigned int start)
{
	return read_seqcount_retry(&emu->settings_seq, start);
}

/* The settings now, of one moment: @copy, or where there is one thread the original. */
static inline const struct macstats_settings *
macstats_settings_now(const struct macstats_emulator *emu, struct macstats_settings *copy)
{
	unsigned int start;

	do {
		start = macstats_settings_begin(emu);
		*copy = emu->settings;
	} while (macstats_settings_changed(emu, start));
	return copy;
}

/* @plain: MACSTATS_PLAIN_SETS that follow from the settings */
static inline void macstats_settings_publish(struct macstats_emulator *emu,
					     const struct macstats_settings *settings,
					     const struct macstats_plain *plain)
{
	unsigned int i;

	preempt_disable_nested();	/* as in macstats_cell_add() */
	write_seqcount_begin(&emu->settings_seq);
	emu->settings = *settings;
	for (i = 0; i < MACSTATS_PLAIN_SETS; i++)
		emu->plain[i] = plain[i];
	WRITE_ONCE(emu->version, emu->version + 1 ? : 1);
	write_seqcount_end(&emu->settings_seq);
	preempt_enable_nested();
}
#else
MACSTATS_FN void macstats_cell_add(struct macstats_cpu_cells *cpu_cells, unsigned int index,
				   const struct macstats_sums *sums)
{
	cpu_cells->cells[index].frames += sums->frames;
	cpu_cells->cells[index].octets += sums->octets;
	cpu_cells->cells[index].payload += sums->payload;
	cpu_cells->additions++;
}

MACSTATS_FN void macstats_cell_read(const struct macstats_cpu_cells *cpu_cells,
				    unsigned int index, struct macstats_sums *sums)
{
	sums->frames = cpu_cells->cells[index].frames;
	sums->octets = cpu_cells->cells[index].octets;
	sums->payload = cpu_cells->cells[index].payload;
}

MACSTATS_FN __u64 macstats_cpu_additions(const struct macstats_cpu_cells *cpu_cells)
{
	return cpu_cells->additions;
}

MACSTATS_FN __u32 macstats_settings_version(const struct macstats_emulator *emu)
{
	return emu->version;
}

MACSTATS_FN unsigned int macstats_settings_begin(const struct macstats_emulator *emu)
{
	(void)emu;
	return 0;
}

MACSTATS_FN bool macstats_settings_changed(const struct macstats_emulator *emu,
					   unsigned int start)
{
	(void)emu;
	(void)start;
	return false;
}

MACSTATS_FN const struct macstats_settings *
macstats_settings_now(const struct macstats_emulator *emu, struct macstats_settings *copy)
{
	(void)copy;
	return &emu->settings;
}

MACSTATS_FN void macstats_settings_publish(struct macstats_emulator *emu,
					   const struct macstats_settings *settings,
					   const struct macstats_plain *plain)
{
	unsigned int i;

	emu->settings = *settings;
	for (i = 0; i < MACSTATS_PLAIN_SETS; i++)
		emu->plain[i] = plain[i];
	emu->version = emu->version + 1 ? emu->version + 1 : 1;
}
#endif

/* Sizes of a cell's row: the size classes, and frames over the maximum. */
MACSTATS_FN unsigned int macstats_cell_sizes(const struct macstats_model *model)
{
	return macstats_size_classes(&model->sizes) + 1;
}

MACSTATS_FN unsigned int macstats_cells(const struct macstats_model *model)
{
	return MACSTATS_CELL_ROWS * macstats_cell_sizes(model);
}

/* The size of the zeroed memory that each CPU needs for this model. */
MACSTATS_FN size_t macstats_cpu_cells_size(const struct macstats_model *model)
{
	return offsetof(struct macstats_cpu_cells, cells) +
	       (size_t)macstats_cells(model) * sizeof(struct macstats_cell);
}

MACSTATS_FN unsigned int macstats_octave_of(__u32 length)
{
	return 31u - (unsigned int)__builtin_clz(length);
}

/* Lay out the size classes by powers of two, so that finding one is two comparisons. */
MACSTATS_FN void macstats_octaves(struct macstats_octave *octaves,
				  const struct macstats_sizes *sizes, bool tagged)
{
	unsigned int used[MACSTATS_OCTAVES] = { 0 };
	unsigned int i;

	for (i = 0; i < MACSTATS_OCTAVES; i++) {
		octaves[i].first = macstats_size_class(sizes, 1u << i, tagged);
		octaves[i].edge[0] = ~0u;
		octaves[i].edge[1] = ~0u;
	}
	for (i = 0; i < MACSTATS_MAX_EDGES && sizes->edge[i]; i++) {
		__u32 edge = macstats_edge(sizes, i, tagged);
		unsigned int octave = macstats_octave_of(edge);

		if (edge != 1u << octave && used[octave] < MACSTATS_OCTAVE_EDGES)
			octaves[octave].edge[used[octave]++] = edge;
	}
}

MACSTATS_FN unsigned int macstats_octave_class(const struct macstats_octave *octaves,
					       __u32 length)
{
	const struct macstats_octave *octave = &octaves[macstats_octave_of(length)];

	return octave->first + (length >= octave->edge[0]) + (length >= octave->edge[1]);
}

/* The length of a frame on the wire: the transmitter pads it, or drops it (0). */
MACSTATS_FN __u32 macstats_length_on_wire(const struct macstats_model *model,
					  const struct macstats_frame *frame)
{
	if (frame->direction == MACSTATS_TX) {
		if (frame->length < model->tx_shortest)
			return 0;
		if (frame->length < model->tx_pad_to)
			return model->tx_pad_to;
	}
	return frame->length;
}

/* Octets of a frame that are no payload. */
MACSTATS_FN __u32 macstats_overhead(const struct macstats_emulator *emu,
				    const struct macstats_frame *frame)
{
	const struct macstats_model *model = emu->model;

	if (macstats_kind_on_wire(frame) != MACSTATS_DATA)
		return model->variant_control_overhead && (emu->options & MACSTATS_OPT_VARIANT) ?
		       model->variant_control_overhead : model->control_overhead;
	if (emu->options & MACSTATS_OPT_VLAN_DETECTION)
		return model->data_overhead + frame->vlan_tags * (__u32)MACSTATS_TAG_LEN;
	return model->data_overhead;
}

/* Octets of payload and padding in a frame of @length. */
MACSTATS_FN __u32 macstats_payload(const struct macstats_emulator *emu,
				   const struct macstats_frame *frame, __u32 length)
{
	__u32 overhead = macstats_overhead(emu, frame);

	return length > overhead ? length - overhead : 0;
}

/* The maximum length set for a frame like this one. */
MACSTATS_FN __u32 macstats_max_length(const struct macstats_emulator *emu,
				      const struct macstats_settings *now,
				      const struct macstats_frame *frame)
{
	__u32 max = frame->direction == MACSTATS_RX ? now->max_frame_rx : now->max_frame_tx;

	return frame->vlan_tags ? max + emu->tag_allowance : max;
}

/* The same by the settings now. Takes no lock. */
MACSTATS_FN __u32 macstats_max_length_now(const struct macstats_emulator *emu,
					  const struct macstats_frame *frame)
{
	unsigned int start;
	__u32 max;

	do {
		start = macstats_settings_begin(emu);
		max = macstats_max_length(emu, &emu->settings, frame);
	} while (macstats_settings_changed(emu, start));
	return max;
}

/* The longest frame that is not very long while the maximum length is @max. */
MACSTATS_FN __u32 macstats_longest_but_very(const struct macstats_model *model, __u32 max)
{
	if (!model->very_long_least || max > model->very_long_limit)
		return MACSTATS_FRAME_MAX;
	return 2 * max > model->very_long_least ? 2 * max : model->very_long_least;
}

MACSTATS_FN __u8 macstats_excess_of(const struct macstats_emulator *emu,
				    const struct macstats_settings *now,
				    const struct macstats_frame *frame, __u32 length)
{
	__u32 max = frame->direction == MACSTATS_RX ? now->max_frame_rx : now->max_frame_tx;

	if (length <= macstats_max_length(emu, now, frame))
		return MACSTATS_WITHIN_MAX;
	return length > macstats_longest_but_very(emu->model, max) ? MACSTATS_VERY_LONG :
								     MACSTATS_OVER_MAX;
}

/*
 * A frame as the MAC sees it. In full duplex a transmitter neither defers nor collides, and ignores
 * the carrier (IEEE 802.3, 4.1.2.1.1). Nothing befalls the pause frames that some MACs make. So
 * many collisions that no attempt is left are an error; a MAC with a retry limit never comes to a
 * later one. A frame with that error collided at every attempt.
 */
MACSTATS_FN struct macstats_frame macstats_frame_seen(const struct macstats_emulator *emu,
						      const struct macstats_settings *now,
						      const struct macstats_frame *frame)
{
	struct macstats_frame seen = *frame;

	if (frame->direction == MACSTATS_TX && !(emu->options & MACSTATS_OPT_HALF_DUPLEX)) {
		seen.collisions = 0;
		seen.deferred = false;
		seen.errors &= (__u16)~MACSTATS_ERR_MEDIUM;
	}
	if (emu->model->ieee_own_pause && macstats_is_own_pause(frame)) {
		seen.collisions = 0;
		seen.errors = 0;
	}
	if (seen.collisions >= now->attempts) {
		if (emu->model->retry_limit.mask)
			seen.errors &= (__u16)~MACSTATS_ERR_LATE_COLLISION;
		if (!(seen.errors & MACSTATS_ERR_LATE_COLLISION))
			seen.errors |= MACSTATS_ERR_EXCESSIVE_COLLISIONS;
	}
	if ((seen.errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS) &&
	    !(seen.errors & MACSTATS_ERR_LATE_COLLISION))
		seen.collisions = now->attempts;
	return seen;
}

/* The settings for a frame: the first descriptor of its packet may override a register. */
MACSTATS_FN struct macstats_settings macstats_settings_for(const struct macstats_emulator *emu,
							   const struct macstats_settings *now,
							   const struct macstats_frame *frame)
{
	struct macstats_settings own = *now;

	if (emu->model->descriptor.huge && frame->direction == MACSTATS_TX &&
	    frame->origin == MACSTATS_BY_SOFTWARE && frame->huge)
		own.max_frame_tx = frame->huge == MACSTATS_CONTROL_ON ?
				   (__u32)MACSTATS_FRAME_MAX : now->max_frame_set;
	return own;
}

/*
 * Collisions of a frame from macstats_frame_seen(): a late one is one more than those which
 * are given.
 */
MACSTATS_FN unsigned int macstats_collision_count(const struct macstats_frame *frame)
{
	return frame->collisions + (frame->errors & MACSTATS_ERR_LATE_COLLISION ? 1u : 0u);
}

/* The class of a frame from macstats_frame_seen(). */
MACSTATS_FN void macstats_classify(const struct macstats_emulator *emu,
				   const struct macstats_settings *now,
				   const struct macstats_frame *frame, __u32 length,
				   struct macstats_class *frame_class)
{
	bool tagged = frame->vlan_tags > 0;

	frame_class->direction = frame->direction;
	frame_class->destination = frame->destination;
	frame_class->kind = macstats_kind_on_wire(frame);
	frame_class->origin = macstats_is_own_pause(frame) &&
			      (emu->options & MACSTATS_OPT_HALF_DUPLEX) ?
				      (__u8)MACSTATS_FORCED_COLLISION : frame->origin;
	frame_class->tags = (__u8)(MACSTATS_UNTAGGED << frame->vlan_tags);
	frame_class->excess = macstats_excess_of(emu, now, frame, length);
	frame_class->collisions = (frame->errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS) &&
				  !(frame->errors & MACSTATS_ERR_LATE_COLLISION) ?
				  (__u8)MACSTATS_SIXTEEN_COLLISIONS :
				  macstats_collision_class(macstats_collision_count(frame));
	frame_class->deferred = frame->deferred;
	frame_class->size = (__u16)(1u << macstats_size_class(&emu->model->sizes, length, tagged));
	frame_class->errors = frame->errors;
}

MACSTATS_FN bool macstats_in_mask(unsigned int mask, unsigned int bit)
{
	return !mask || (mask & bit);
}

MACSTATS_FN bool macstats_when_matches(const struct macstats_when *when,
				       const struct macstats_class *frame_class, __u8 options)
{
	/* First what most rows that do not match fail at. */
	return (when->direction & frame_class->direction) &&
	       macstats_in_mask(when->errors, frame_class->errors) &&
	       macstats_in_mask(when->size, frame_class->size) &&
	       macstats_in_mask(when->destination, frame_class->destination) &&
	       macstats_in_mask(when->kind, frame_class->kind) &&
	       ((when->origin ? when->origin : (__u8)MACSTATS_ANY_ORIGIN) & frame_class->origin) &&
	       macstats_in_mask(when->tags, frame_class->tags) &&
	       macstats_in_mask(when->excess, frame_class->excess) &&
	       macstats_in_mask(when->collisions, frame_class->collisions) &&
	       !(when->no_errors & frame_class->errors) &&
	       (!when->deferred || frame_class->deferred) &&
	       (when->with & options) == when->with && !(when->without & options);
}

/* Check whether one of the rules of a row matches; @when has MACSTATS_MAX_WHEN, or fewer. */
MACSTATS_FN bool macstats_some_when_matches(const struct macstats_when *when,
					    const struct macstats_class *frame_class,
					    __u8 options)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && when[i].direction; i++)
		if (macstats_when_matches(&when[i], frame_class, options))
			return true;
	return false;
}

/* Check whether a counter counts frames of this class; the one place that decides. */
MACSTATS_FN bool macstats_counts(const struct macstats_counter *counter,
				 const struct macstats_class *frame_class, __u8 options)
{
	return macstats_some_when_matches(counter->when, frame_class, options);
}

/* The part of a frame's cell that its kind decides. */
MACSTATS_FN unsigned int macstats_cell_kind(const struct macstats_frame *frame)
{
	if (frame->vlan_tags)
		return 1;
	return frame->kind == MACSTATS_DATA ? 0 : frame->kind == MACSTATS_CONTROL ? 2 : 3;
}

/* Fields of a frame that follow each other, which compilers read at once. */
MACSTATS_FN __u32 macstats_fields(__u8 first, __u8 second, __u8 third, __u8 fourth)
{
	return first | (__u32)second << 8 | (__u32)third << 16 | (__u32)fourth << 24;
}

/* Check for a frame of a rare class, whatever its length. */
MACSTATS_FN bool macstats_is_rare(const struct macstats_emulator *emu,
				  const struct macstats_frame *frame)
{
	__u32 fields = macstats_fields(frame->direction, frame->destination, frame->kind,
				       frame->origin);
	__u32 more = macstats_fields(frame->vlan_tags, frame->collisions, 0, 0);

	/* One tag is common, and no collision. */
	return (more & macstats_fields(0xfe, 0xff, 0, 0)) | frame->deferred | frame->errors ||
	       (fields & emu->rare_fields) != macstats_fields(0, 0, 0, MACSTATS_BY_SOFTWARE);
}

/* The cell of the first size class. */
MACSTATS_FN unsigned int macstats_first_cell(const struct macstats_emulator *emu, __u8 direction,
					     __u8 destination, unsigned int kind)
{
	return (((direction - 1u) * 3 + (destination >> 1)) * MACSTATS_CELL_KINDS + kind) *
	       (emu->size_classes + 1u);
}

/* The cell of a frame, or -1 if it is of a rare class. */
MACSTATS_FN int macstats_cell_index(const struct macstats_emulator *emu,
				    const struct macstats_settings *now,
				    const struct macstats_frame *frame, __u32 length)
{
	unsigned int size = macstats_octave_class(emu->octaves[frame->vlan_tags > 0], length);

	if (macstats_is_rare(emu, frame))
		return -1;
	if ((emu->rare_sizes >> size & 1) || length > now->longest_common)
		return -1;
	if (length > macstats_max_length(emu, now, frame)) {
		if (size != emu->size_classes - 1u ||
		    (emu->model->cut_at_max && frame->direction == MACSTATS_TX))
			return -1;
		size++;
	}
	return (int)(macstats_first_cell(emu, frame->direction, frame->destination,
					 macstats_cell_kind(frame)) + size);
}

/* The class of the frames in a cell: the inverse of macstats_cell_index(). */
MACSTATS_FN void macstats_cell_class(const struct macstats_emulator *emu, unsigned int index,
				     struct macstats_class *frame_class)
{
	unsigned int sizes = emu->size_classes + 1u;
	unsigned int row = index / sizes;
	unsigned int size = index % sizes;
	unsigned int kind = row % MACSTATS_CELL_KINDS;
	unsigned int where = row / MACSTATS_CELL_KINDS;
	bool over = size == emu->size_classes;

	frame_class->direction = (__u8)(where / 3 + 1);
	frame_class->destination = (__u8)(1u << where % 3);
	frame_class->kind = kind == 2 ? MACSTATS_CONTROL :
			    kind == 3 ? MACSTATS_PAUSE : MACSTATS_DATA;
	frame_class->origin = MACSTATS_BY_SOFTWARE;
	frame_class->tags = kind == 1 ? MACSTATS_TAGGED : MACSTATS_UNTAGGED;
	frame_class->excess = over ? MACSTATS_OVER_MAX : MACSTATS_WITHIN_MAX;
	frame_class->collisions = MACSTATS_NO_COLLISION;
	frame_class->deferred = false;
	frame_class->size = (__u16)(1u << (over ? size - 1 : size));
	frame_class->errors = 0;
}

MACSTATS_FN unsigned int macstats_plain_index(__u8 direction, unsigned int kind)
{
	return (direction - 1u) * MACSTATS_CELL_KINDS + kind;
}

/* A frame of a direction and of a kind from macstats_cell_kind(). */
MACSTATS_FN struct macstats_frame macstats_plain_frame(__u8 direction, unsigned int kind)
{
	const struct macstats_frame frame = {
		direction, MACSTATS_UNICAST,
		(__u8)(kind < 2 ? MACSTATS_DATA : kind == 2 ? MACSTATS_CONTROL : MACSTATS_PAUSE),
		MACSTATS_BY_SOFTWARE, kind == 1, 0, false, 0, 0, 0, 0, 0
	};

	return frame;
}

/* The plain frames of a direction and of a kind from macstats_cell_kind(). */
MACSTATS_FN struct macstats_plain macstats_plain_of(const struct macstats_emulator *emu,
						    const struct macstats_settings *now,
						    __u8 direction, unsigned int kind)
{
	const struct macstats_frame frame = macstats_plain_frame(direction, kind);
	const struct macstats_model *model = emu->model;
	struct macstats_plain plain = { macstats_overhead(emu, &frame), 0 };
	__u32 longest = macstats_max_length(emu, now, &frame);
	unsigned int i;

	if (longest > now->longest_common)
		longest = now->longest_common;
	if (!plain.least)
		plain.least = 1;
	if (direction == MACSTATS_TX && plain.least < model->tx_shortest)
		plain.least = model->tx_shortest;
	if (direction == MACSTATS_TX && plain.least < model->tx_pad_to)
		plain.least = model->tx_pad_to;
	for (i = 0; i < emu->size_classes; i++) {
		__u32 end = i + 1u < emu->size_classes ?
			    macstats_edge(&model->sizes, i, kind == 1) : MACSTATS_FRAME_MAX + 1u;

		if ((emu->rare_sizes >> i & 1) && plain.least < end)
			plain.least = end;
	}
	if (now->counting && longest >= plain.least)
		plain.span = longest - plain.least;
	else
		plain.least = MACSTATS_NO_LENGTH;
	return plain;
}

/* Check whether frames of this length are plain now. Takes no lock. */
MACSTATS_FN bool macstats_fits_plain(const struct macstats_emulator *emu,
				     const struct macstats_plain *plain, __u32 length)
{
	unsigned int start;
	bool fits;

	do {
		start = macstats_settings_begin(emu);
		fits = length - plain->least <= plain->span;
	} while (macstats_settings_changed(emu, start));
	return fits;
}

/*
 * Count plain frames into @cpu_cells, as macstats_count_otherwise() does; false, and nothing
 * counted, for others.
 */
MACSTATS_FN bool macstats_count_plain(const struct macstats_emulator *emu,
				      struct macstats_cpu_cells *cpu_cells,
				      const struct macstats_frame *frame, __u64 count)
{
	struct macstats_sums sums = { count, count * frame->length, 0 };
	const struct macstats_plain_cell *first = emu->plain_cells;
	unsigned int index = 0;
	unsigned int size;

	if (macstats_is_rare(emu, frame) || count >> 32)
		return false;
	index = macstats_plain_index(frame->direction, macstats_cell_kind(frame));
	if (!macstats_fits_plain(emu, &emu->plain[index], frame->length))
		return false;
	first += index;
	size = macstats_octave_class(emu->octaves[frame->vlan_tags], frame->length);
	sums.payload = sums.octets - count * first->overhead;
	macstats_cell_add(cpu_cells, first->cell + emu->cell_of[frame->destination] + size, &sums);
	return true;
}

/* The same for frames of any common class, with each rule in its place. */
MACSTATS_FN bool macstats_count_otherwise(const struct macstats_emulator *emu,
					  struct macstats_cpu_cells *cpu_cells,
					  const struct macstats_frame *frame, __u64 count)
{
	__u32 length = macstats_length_on_wire(emu->model, frame);
	struct macstats_sums sums = { count, count * length, 0 };
	bool counting = false;
	unsigned int start;
	int index = -1;

	if (!length)
		return true;
	do {
		start = macstats_settings_begin(emu);
		counting = emu->settings.counting;
		if (counting)
			index = macstats_cell_index(emu, &emu->settings, frame, length);
	} while (macstats_settings_changed(emu, start));
	if (!counting)
		return true;
	/* A cell's octets must not go round between two looks at the line. */
	if (index < 0 || count >> 32)
		return false;
	sums.payload = count * macstats_payload(emu, frame, length);
	macstats_cell_add(cpu_cells, (unsigned int)index, &sums);
	return true;
}

/*
 * Count @count frames of a common class into @cpu_cells; false, and nothing counted,
 * if the class is rare: then macstats_count_rare() has to be called, under the
 * lock. This is the path of real traffic: no lock, one cell.
 */
MACSTATS_FN bool macstats_count_common(const struct macstats_emulator *emu,
				       struct macstats_cpu_cells *cpu_cells,
				       const struct macstats_frame *frame, __u64 count)
{
	return macstats_count_plain(emu, cpu_cells, frame, count) ||
	       macstats_count_otherwise(emu, cpu_cells, frame, count);
}

/* The amount that the frames of a cell add to a counter. They had no collisions. */
MACSTATS_FN __u64 macstats_amount(const struct macstats_counter *counter,
				  const struct macstats_sums *sums)
{
	switch (counter->unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_WIRE_OCTETS:
		return sums->octets;
	case MACSTATS_PAYLOAD:
		return sums->payload;
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return 0;
	default:
		return sums->frames;
	}
}

/*
 * The amount that one frame adds to a counter; @length octets of it were sent or received.
 * @frame is from macstats_frame_seen().
 */
MACSTATS_FN __u64 macstats_frame_amount(const struct macstats_emulator *emu,
					const struct macstats_counter *counter,
					const struct macstats_frame *frame, __u32 length)
{
	unsigned int collisions = macstats_collision_count(frame);
	__u32 attempt = length < MACSTATS_FRAME_MIN ? length : (__u32)MACSTATS_FRAME_MIN;
	unsigned int gives_up = MACSTATS_ERR_EXCESSIVE_COLLISIONS;

	if (emu->model->deferral_aborts)
		gives_up |= MACSTATS_ERR_EXCESSIVE_DEFERRAL;
	switch (counter->unit) {
	case MACSTATS_OCTETS:
		return counter->frame_limit && length > counter->frame_limit ?
		       counter->frame_limit : length;
	case MACSTATS_PAYLOAD:
		return macstats_payload(emu, frame, length);
	case MACSTATS_COLLISIONS:
		return collisions;
	case MACSTATS_EARLY_COLLISIONS:
		return collisions - !!(frame->errors & MACSTATS_ERR_LATE_COLLISION);
	case MACSTATS_WIRE_OCTETS:
		/* A received frame collides by flow control in half duplex, or not at all. */
		if (frame->direction == MACSTATS_RX &&
		    (!emu->settings.flow_control || !(emu->options & MACSTATS_OPT_HALF_DUPLEX)))
			return length;
		/*
		 * An attempt that collides in time has sent a slot time of the
		 * frame at the most; the last one, late or not, all of it,
		 * unless it collided as the others or was never begun.
		 */
		if (frame->errors & MACSTATS_ERR_LATE_COLLISION) {
			collisions--;
			gives_up &= ~(unsigned int)MACSTATS_ERR_EXCESSIVE_COLLISIONS;
		}
		if (frame->errors & gives_up)
			return (__u64)collisions * attempt;
		return (__u64)collisions * attempt + length;
	default:
		return 1;
	}
}

/* Check for a good frame, after which a lagging counter shows the events it counted. */
MACSTATS_FN bool macstats_is_good(const struct macstats_model *model,
				  const struct macstats_class *frame_class)
{
	return frame_class->direction == MACSTATS_RX &&
	       !(frame_class->errors & ~model->good_despite) &&
	       frame_class->excess == MACSTATS_WITHIN_MAX &&
	       macstats_sizes_low(model, frame_class->size) >= MACSTATS_FRAME_MIN;
}

MACSTATS_FN void macstats_sum_cell(const struct macstats_cell_set *cell_set, unsigned int index,
				   struct macstats_sums *sums)
{
	struct macstats_sums one = { 0, 0, 0 };
	unsigned int i;

	sums->frames = 0;
	sums->octets = 0;
	sums->payload = 0;
	for (i = 0; i < cell_set->count; i++) {
		macstats_cell_read(cell_set->cpu_cells[i], index, &one);
		sums->frames += one.frames;
		sums->octets += one.octets;
		sums->payload += one.payload;
	}
}

/* Additions to the cells so far: an equal number means equal sums. */
MACSTATS_FN __u64 macstats_additions(const struct macstats_cell_set *cell_set)
{
	__u64 additions = 0;
	unsigned int i;

	for (i = 0; i < cell_set->count; i++)
		additions += macstats_cpu_additions(cell_set->cpu_cells[i]);
	return additions;
}

/* Add the frames of one cell to all sums. */
MACSTATS_FN void macstats_add_cell(struct macstats_emulator *emu, unsigned int cell,
				   const struct macstats_sums *sums)
{
	struct macstats_cell_totals *totals = &emu->totals;
	const struct macstats_model *model = emu->model;
	struct macstats_class frame_class;
	unsigned int i;
	__u64 least;

	macstats_cell_class(emu, cell, &frame_class);
	if (macstats_is_good(model, &frame_class))
		totals->good += sums->frames;
	least = sums->frames * (frame_class.direction == MACSTATS_RX ? model->min_frame_rx :
								       model->min_frame_tx);
	totals->line += (sums->octets > least ? sums->octets : least) +
			sums->frames * MACSTATS_GAP_LEN;
	for (i = 0; i < model->n_counters; i++)
		if (macstats_counts(&model->counters[i], &frame_class, emu->settings.options))
			emu->counters[i].sum += macstats_amount(&model->counters[i], sums);
}

/* Sum up all cells, each read once, so that sums which must agree do so. */
MACSTATS_FN void macstats_sum_again(struct macstats_emulator *emu,
				    const struct macstats_cell_set *cell_set)
{
	const unsigned int cells = macstats_cells(emu->model);
	struct macstats_cell_totals *totals = &emu->totals;
	struct macstats_sums sums = { 0, 0, 0 };
	unsigned int i;

	/* First: what is added meanwhile may be in the sums, or not. */
	totals->additions = macstats_additions(cell_set);
	totals->good = 0;
	totals->line = 0;
	for (i = 0; i < emu->model->n_counters; i++)
		emu->counters[i].sum = 0;
	for (i = 0; i < cells; i++) {
		macstats_sum_cell(cell_set, i, &sums);
		/* Frames alone may have gone round to 0. */
		if (sums.frames | sums.octets | sums.payload)
			macstats_add_cell(emu, i, &sums);
	}
}

/* The sums over the cells now. */
MACSTATS_FN const struct macstats_cell_totals *
macstats_sum_cells(struct macstats_emulator *emu, const struct macstats_cell_set *cell_set)
{
	if (emu->totals.additions != macstats_additions(cell_set))
		macstats_sum_again(emu, cell_set);
	return &emu->totals;
}

/* The sum of the cells that a counter counts. */
MACSTATS_FN __u64 macstats_sum_counter(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set,
				       unsigned int index)
{
	macstats_sum_cells(emu, cell_set);
	return emu->counters[index].sum;
}

/* Good frames received so far. */
MACSTATS_FN __u64 macstats_good_frames(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set)
{
	return emu->rare_good + macstats_sum_cells(emu, cell_set)->good;
}

/* Let a lagging counter show its events, once enough good frames arrived. */
MACSTATS_FN void macstats_settle(struct macstats_emulator *emu,
				 const struct macstats_cell_set *cell_set, unsigned int index)
{
	struct macstats_emulated_counter *state = &emu->counters[index];

	if (!state->pending || macstats_good_frames(emu, cell_set) < state->shown_at)
		return;
	state->base -= state->pending;
	state->pending = 0;
}

/*
 * Add the line time of frames without a cell. A frame shorter than the shortest one of its
 * direction takes as much as that one.
 */
MACSTATS_FN void macstats_line_add(struct macstats_emulator *emu,
				   const struct macstats_frame *frame, __u32 length, __u64 count)
{
	__u32 shortest = frame->direction == MACSTATS_RX ? emu->model->min_frame_rx :
							   emu->model->min_frame_tx;
	__u64 each = (length > shortest ? length : shortest) + MACSTATS_GAP_LEN;

	each += (__u64)macstats_collision_count(frame) * (MACSTATS_FRAME_MIN + MACSTATS_GAP_LEN);
	emu->rare_line = macstats_saturating_add(emu->rare_line,
						 macstats_saturating_multiply(count, each));
}

/* Count frames of any class by the bases of the counters which count them. */
MACSTATS_FN void macstats_count_rare(struct macstats_emulator *emu,
				     const struct macstats_cell_set *cell_set,
				     const struct macstats_frame *given, __u64 count)
{
	const struct macstats_settings own = macstats_settings_for(emu, &emu->settings, given);
	const struct macstats_frame seen = macstats_frame_seen(emu, &own, given);
	const struct macstats_settings *now = &own;
	const struct macstats_model *model = emu->model;
	const struct macstats_frame *frame = &seen;
	__u32 length = macstats_length_on_wire(model, frame);
	struct macstats_class frame_class;
	unsigned int i;

	if (!now->counting || !length || (macstats_is_own_pause(frame) && !now->flow_control))
		return;
	macstats_classify(emu, now, frame, length, &frame_class);
	macstats_line_add(emu, frame, length, count);
	if (model->cut_at_max && frame->direction == MACSTATS_TX &&
	    length > macstats_max_length(emu, now, frame))
		length = macstats_max_length(emu, now, frame);
	if (macstats_is_good(model, &frame_class))
		emu->rare_good += count;
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		struct macstats_emulated_counter *state = &emu->counters[i];
		__u64 amount;

		if (!macstats_counts(counter, &frame_class, now->options) ||
		    !macstats_is_built(model, emu->options, counter->block))
			continue;
		amount = count * macstats_frame_amount(emu, counter, frame, length);
		if (!counter->good_frames) {
			state->base -= amount;
			continue;
		}
		macstats_settle(emu, cell_set, i);
		state->pending += amount;
		state->shown_at = macstats_good_frames(emu, cell_set) + counter->good_frames;
	}
}

/* The value that a counter shows after @events events since its base. */
MACSTATS_FN __u64 macstats_shown(const struct macstats_counter *counter, __u64 events)
{
	__u64 mask = macstats_bits_mask(counter->bits);

	if (counter->overflow == MACSTATS_SATURATE)
		return events < mask ? events : mask;
	return events & mask;
}

/* A counter's value now, whatever a snapshot shows. */
MACSTATS_FN __u64 macstats_live_value(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set, unsigned int index)
{
	__u64 sum = macstats_sum_counter(emu, cell_set, index);

	return macstats_shown(&emu->model->counters[index], sum - emu->counters[index].base);
}

/* Note that an access moves a counter, whose cells have @sum, to @value. */
MACSTATS_FN void macstats_note_access(struct macstats_emulator *emu, unsigned int index,
				      __u64 sum, __u64 value)
{
	struct macstats_emulated_counter *state = &emu->counters[index];
	const struct macstats_counter *counter = &emu->model->counters[index];
	__u64 mask = macstats_bits_mask(counter->bits);
	__u64 now;

	if (!state->preset)
		return;
	now = macstats_shown(counter, sum - state->base);
	/* What was counted since the preset is theirs to take. */
	if (emu->foreign && ((now - value) & mask) > ((now - state->preset_to) & mask))
		state->lowered = true;
	if (!emu->foreign || state->lowered)
		state->preset = false;
}

/* Let a counter hold @value now. Returns what it held until then. */
MACSTATS_FN __u64 macstats_set_counter(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set,
				       unsigned int index, __u64 value)
{
	__u64 sum = macstats_sum_counter(emu, cell_set, index);
	__u64 held;

	macstats_settle(emu, cell_set, index);
	macstats_note_access(emu, index, sum, value);
	held = macstats_shown(&emu->model->counters[index], sum - emu->counters[index].base);
	emu->counters[index].base = sum - value;
	return held;
}

/*
 * The same for a user: no count falls between the two values, though counting goes on. A snapshot
 * or a latch goes on showing what it has caught, and what is not shown before good frames came is
 * still to be shown, on top of @value.
 */
MACSTATS_FN __u64 macstats_emulator_preset(struct macstats_emulator *emu,
					   const struct macstats_cell_set *cell_set,
					   unsigned int index, __u64 value)
{
	struct macstats_emulated_counter *state = &emu->counters[index];
	__u64 held = macstats_set_counter(emu, cell_set, index, value);

	state->preset_to = value;
	state->preset = true;
	return held;
}

/* For macstats_bus.lowered. */
MACSTATS_FN bool macstats_emulator_lowered(struct macstats_emulator *emu, unsigned int index)
{
	struct macstats_emulated_counter *state = &emu->counters[index];
	bool lowered = state->lowered;

	state->lowered = false;
	return lowered;
}

MACSTATS_FN void macstats_block_clear(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set, unsigned int block)
{
	unsigned int i;

	macstats_sum_cells(emu, cell_set);
	for (i = 0; i < emu->model->n_counters; i++)
		if (emu->model->counters[i].block == block) {
			macstats_note_access(emu, i, emu->counters[i].sum, 0);
			emu->counters[i].base = emu->counters[i].sum;
			emu->counters[i].pending = 0;
		}
	if (emu->model->blocks[block].clear_clears_parity)
		emu->blocks[block].parity_error = false;
}

MACSTATS_FN void macstats_block_freeze(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, unsigned int block)
{
	unsigned int i;

	macstats_sum_cells(emu, cell_set);
	for (i = 0; i < emu->model->n_counters; i++) {
		struct macstats_emulated_counter *state = &emu->counters[i];

		if (emu->model->counters[i].block == block)
			state->frozen = macstats_shown(&emu->model->counters[i],
						       state->sum - state->base);
	}
	emu->blocks[block].granted = true;
}

/* SplitMix64: any seed will do, and the sequence repeats with it. */
MACSTATS_FN __u64 macstats_random(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Bits of a register that a write stores. */
MACSTATS_FN __u32 macstats_writable(const struct macstats_model *model,
				    const struct macstats_register *reg)
{
	bool has_fields = false;
	__u32 mask = 0;
	unsigned int i;

	for (i = 0; i < model->n_fields; i++) {
		const struct macstats_field *field = &model->fields[i];

		if (field->offset != reg->offset)
			continue;
		has_fields = true;
		if (field->access == MACSTATS_RW && !field->singlepulse)
			mask |= (__u32)macstats_bits_mask(field->bits) << field->lsb;
	}
	if (!has_fields)
		mask = reg->access == MACSTATS_RW ? ~0u : 0u;
	return mask;
}

/* The stored value of the bits of @bit, right aligned; @otherwise if there are none. */
MACSTATS_FN __u32 macstats_stored(const struct macstats_emulator *emu,
				  const struct macstats_bit *bit, __u32 otherwise)
{
	int i = bit->mask ? macstats_register_at(emu->model, bit->offset) : -1;

	if (i < 0)
		return otherwise;
	return (emu->registers[i] & bit->mask) >> macstats_bit_shift(bit->mask);
}

/* The bits of a transmit descriptor that registers set for all packets. */
MACSTATS_FN __u32 macstats_copied_status(const struct macstats_emulator *emu)
{
	__u32 status = 0;
	unsigned int i;

	for (i = 0; i < emu->model->n_tx_status; i++) {
		const struct macstats_status *field = &emu->model->tx_status[i];

		status |= (macstats_stored(emu, &field->copy, 0) &
			   (__u32)macstats_bits_mask(field->bits)) << field->lsb;
	}
	return status;
}

/* Check whether the port has power. Without it nothing counts, and reads give all-ones. */
MACSTATS_FN bool macstats_has_power(const struct macstats_emulator *emu)
{
	return !(emu->faults & MACSTATS_FAULT_SUSPEND);
}

/* Check whether the gate is open, if the model has one. */
MACSTATS_FN bool macstats_gate_is_open(const struct macstats_emulator *emu)
{
	return macstats_stored(emu, &emu->model->gate, 1) &&
	       !(emu->faults & MACSTATS_FAULT_GATE_CLOSES);
}

/* The settings that counting needs of registers and faults. */
MACSTATS_FN struct macstats_settings macstats_settings_of(const struct macstats_emulator *emu)
{
	const struct macstats_model *model = emu->model;
	struct macstats_settings now = MACSTATS_NO_SETTINGS;
	__u32 otherwise = macstats_default_max_frame(model);
	__u32 longest_tx;
	unsigned int i;

	now.max_frame_rx = macstats_stored(emu, &model->max_frame_rx, otherwise);
	now.max_frame_tx = macstats_stored(emu, &model->max_frame_tx, otherwise);
	if (model->max_frame_switch.bit.mask) {
		bool set = macstats_stored(emu, &model->max_frame_switch.bit, 0);

		now.max_frame_rx = macstats_switched_max_frame(model, set);
		now.max_frame_tx = now.max_frame_rx;
	}
	now.max_frame_set = now.max_frame_tx;
	if (macstats_stored(emu, &model->any_length_tx, 0))
		now.max_frame_tx = MACSTATS_FRAME_MAX;
	now.longest_common = macstats_longest_but_very(model, now.max_frame_rx);
	longest_tx = macstats_longest_but_very(model, now.max_frame_tx);
	if (longest_tx < now.longest_common)
		now.longest_common = longest_tx;
	/* The descriptors of longer frames may decide whether they are cut. */
	if (model->descriptor.huge && now.max_frame_set < now.longest_common)
		now.longest_common = now.max_frame_set;
	if (emu->frame_limit < now.longest_common)
		now.longest_common = emu->frame_limit;
	now.tx_config = macstats_copied_status(emu);
	now.attempts = (__u8)(macstats_stored(emu, &model->retry_limit,
					      MACSTATS_ATTEMPT_LIMIT - 1) + 1);
	now.counting = (emu->options & macstats_statistics_options(model)) &&
		       macstats_has_power(emu) && macstats_gate_is_open(emu);
	now.flow_control = macstats_stored(emu, &model->flow_control, 1);
	now.options = (__u8)emu->options;
	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++)
		if (macstats_stored(emu, &model->setting[i], 0))
			now.options = (__u8)(now.options | (unsigned int)MACSTATS_OPT_SETTING << i);
	return now;
}

MACSTATS_FN bool macstats_same_settings(const struct macstats_settings *a,
					const struct macstats_settings *b)
{
	return a->max_frame_rx == b->max_frame_rx && a->max_frame_tx == b->max_frame_tx &&
	       a->longest_common == b->longest_common && a->max_frame_set == b->max_frame_set &&
	       a->tx_config == b->tx_config && a->attempts == b->attempts &&
	       a->options == b->options && a->counting == b->counting &&
	       a->flow_control == b->flow_control;
}

/* Publish settings, and what follows from them. */
MACSTATS_FN void macstats_emulator_publish(struct macstats_emulator *emu,
					   const struct macstats_settings *now)
{
	struct macstats_plain plain[MACSTATS_PLAIN_SETS] = { { 0, 0 } };
	unsigned int i;

	for (i = 0; i < MACSTATS_CELL_KINDS; i++) {
		plain[macstats_plain_index(MACSTATS_RX, i)] =
			macstats_plain_of(emu, now, MACSTATS_RX, i);
		plain[macstats_plain_index(MACSTATS_TX, i)] =
			macstats_plain_of(emu, now, MACSTATS_TX, i);
	}
	macstats_settings_publish(emu, now, plain);
}

/* Publish the settings again, after a change of registers or faults that may change them. */
MACSTATS_FN void macstats_emulator_settings(struct macstats_emulator *emu)
{
	struct macstats_settings now = macstats_settings_of(emu);

	if (!macstats_same_settings(&now, &emu->settings))
		macstats_emulator_publish(emu, &now);
}

/*
 * Give the registers their reset values and the counters what they hold after
 * power-up: 0 or, with random_power_up, anything, as the parity bits. Frames may be
 * counted meanwhile.
 */
MACSTATS_FN void macstats_emulator_restart(struct macstats_emulator *emu,
					   const struct macstats_cell_set *cell_set)
{
	const struct macstats_model *model = emu->model;
	bool random = emu->random_power_up;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
		struct macstats_emulated_block *block = &emu->blocks[i];

		block->requested = false;
		block->granted = false;
		block->looks = 0;
		block->parity_error = random && i < model->n_blocks &&
				      model->blocks[i].parity_error.mask &&
				      (macstats_random(&emu->random) & 1) &&
				      macstats_is_built(model, emu->options, i);
	}
	for (i = 0; i < model->n_registers; i++)
		emu->registers[i] = model->registers[i].reset;
	for (i = 0; i < model->n_counters; i++) {
		__u64 value = random ? macstats_random(&emu->random) : 0;

		/* More than its width would fill up a saturating counter. */
		value &= macstats_bits_mask(model->counters[i].bits);
		emu->counters[i].pending = 0;
		macstats_set_counter(emu, cell_set, i, value);
		emu->counters[i].frozen = 0;
	}
	macstats_emulator_settings(emu);
}

/*
 * The size classes with lengths on both sides of a shortest frame of the model, as a mask. Such a
 * class has no cell: its sums would not tell how long its frames took on the line.
 */
MACSTATS_FN unsigned int macstats_mixed_sizes(const struct macstats_model *model)
{
	unsigned int classes = macstats_size_classes(&model->sizes);
	unsigned int mixed = 0;
	unsigned int i;

	for (i = 0; i + 1 < classes; i++) {
		__u32 low = i ? macstats_edge(&model->sizes, i - 1, false) : 1u;
		__u32 end = macstats_edge(&model->sizes, i, true);

		if ((low < model->min_frame_rx && model->min_frame_rx < end) ||
		    (low < model->min_frame_tx && model->min_frame_tx < end))
			mixed |= 1u << i;
	}
	return mixed;
}

/* Build a port with these options, and switch its power on. The cells must not be in use. */
MACSTATS_FN void macstats_emulator_power_up(struct macstats_emulator *emu,
					    const struct macstats_model *model,
					    const struct macstats_cell_set *cell_set,
					    unsigned int options, bool random, __u64 seed)
{
	struct macstats_settings first = MACSTATS_NO_SETTINGS;
	unsigned int i;
	unsigned int w = 0;

#ifdef __KERNEL__
	seqcount_init(&emu->settings_seq);
#endif
	emu->model = model;
	emu->options = (__u16)options;
	emu->random_power_up = random;
	emu->size_classes = (__u8)macstats_size_classes(&model->sizes);
	macstats_octaves(emu->octaves[0], &model->sizes, false);
	macstats_octaves(emu->octaves[1], &model->sizes, true);
	emu->tag_allowance = model->tag_over_max ? MACSTATS_TAG_LEN : 0;
	emu->rare_fields = macstats_fields(0, 0, MACSTATS_PFC, 0xff);
	emu->rare_sizes = (__u16)macstats_mixed_sizes(model);
	emu->frame_limit = MACSTATS_FRAME_MAX;
	emu->rare_good = 0;
	emu->rare_line = 0;
	emu->line_seen = 0;
	emu->last_read = 0;
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (counter->frame_limit && counter->frame_limit < emu->frame_limit)
			emu->frame_limit = counter->frame_limit;
		if (counter->good_frames)
			emu->rare_sizes = (__u16)(emu->rare_sizes | counter->when[0].size);
		for (w = 0; w < MACSTATS_MAX_WHEN; w++) {
			const struct macstats_when *when = &counter->when[w];

			if (((when->with | when->without) & MACSTATS_OPT_SETTINGS) &&
			    when->kind && !(when->kind & MACSTATS_DATA))
				emu->rare_fields |= macstats_fields(0, 0, when->kind, 0);
		}
	}
	for (i = MACSTATS_UNICAST; i <= MACSTATS_BROADCAST; i <<= 1)
		emu->cell_of[i] = (__u16)macstats_first_cell(emu, MACSTATS_RX, (__u8)i, 0);
	emu->faults = 0;
	emu->armed = 0;
	emu->bus_error_word = 0;
	emu->slow_bus_usecs = 0;
	emu->random = seed;
	for (i = 0; i < MACSTATS_PLAIN_SETS; i++) {
		__u8 direction = i < MACSTATS_CELL_KINDS ? MACSTATS_RX : MACSTATS_TX;
		unsigned int kind = i % MACSTATS_CELL_KINDS;
		const struct macstats_frame frame = macstats_plain_frame(direction, kind);

		emu->plain_cells[i].overhead = macstats_overhead(emu, &frame);
		emu->plain_cells[i].cell = macstats_first_cell(emu, direction, MACSTATS_UNICAST,
							       kind);
	}
	/* Sums of the cells depend on the options, and so do plain frames. */
	first = macstats_settings_of(emu);
	macstats_emulator_publish(emu, &first);
	macstats_sum_again(emu, cell_set);
	macstats_emulator_restart(emu, cell_set);
}

MACSTATS_FN bool macstats_is_absent(const struct macstats_emulator *emu,
				    const struct macstats_register *reg)
{
	return reg->statistics_only &&
	       !macstats_is_built(emu->model, emu->options, reg->block);
}

/*
 * Check whether the counters can be read. If not, a read returns anything and clears nothing.
 */
MACSTATS_FN bool macstats_is_ready(const struct macstats_emulator *emu)
{
	return !(emu->faults & (MACSTATS_FAULT_RESET_IN_PROGRESS | MACSTATS_FAULT_CLOCK_STOPPED));
}

/* Check whether the hardware has a counter; otherwise its register reads as 0. */
MACSTATS_FN bool macstats_has_counter(const struct macstats_emulator *emu,
				      const struct macstats_counter *counter)
{
	return macstats_is_built(emu->model, emu->options, counter->block) &&
	       macstats_stored(emu, &counter->present, 1);
}

/* Check whether a counter has reached the level at which the MAC interrupts. */
MACSTATS_FN bool macstats_half_full(struct macstats_emulator *emu,
				    const struct macstats_cell_set *cell_set)
{
	const struct macstats_model *model = emu->model;
	unsigned int n = model->half_full ? macstats_register_counters(model) : 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (macstats_has_counter(emu, &model->counters[i]) &&
		    macstats_live_value(emu, cell_set, i) >= model->half_full)
			return true;
	return false;
}

/* A bus word of a counter that has @value; @word is its index in address order. */
MACSTATS_FN __u64 macstats_word_of(const struct macstats_model *model,
				   const struct macstats_counter *counter, unsigned int word,
				   __u64 value)
{
	unsigned int place = counter->high_first ? macstats_words(model, counter) - 1 - word : word;

	return value >> (place * model->bus_bits) & macstats_bus_mask(model);
}

/*
 * Read a counter, whose cells have @sum, with the side effects of a read. The hardware is ready.
 */
MACSTATS_FN __u64 macstats_read_value(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set,
				      unsigned int index, __u64 sum)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	struct macstats_emulated_counter *state = &emu->counters[index];
	__u64 value;

	if (emu->blocks[counter->block].granted)
		return state->frozen;
	macstats_settle(emu, cell_set, index);
	value = macstats_shown(counter, sum - state->base);
	if (counter->latch)
		state->frozen = value;
	if (counter->onread == MACSTATS_ONREAD_RCLR) {
		macstats_note_access(emu, index, sum, 0);
		state->base = sum;
	}
	return value;
}

MACSTATS_FN __u64 macstats_read_counter(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int index, unsigned int word)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_counter *counter = &model->counters[index];
	__u64 value = emu->counters[index].frozen;

	if (!macstats_has_counter(emu, counter))
		return 0;
	if (emu->armed) {
		MACSTATS_STORE(emu->faults, emu->faults | emu->armed);
		emu->armed = 0;
		macstats_emulator_settings(emu);
	}
	if (!macstats_is_ready(emu))
		return macstats_random(&emu->random) & macstats_bus_mask(model);
	/* A counter that latches has its low word first. */
	if (!word || !counter->latch)
		value = macstats_read_value(emu, cell_set, index,
					    macstats_sum_counter(emu, cell_set, index));
	return macstats_word_of(model, counter, word, value);
}

/* Read the high word behind a counter, which clears both words. */
MACSTATS_FN __u64 macstats_read_high_word(struct macstats_emulator *emu,
					  const struct macstats_cell_set *cell_set, __u32 offset)
{
	const struct macstats_model *model = emu->model;
	unsigned int word = 0;
	int i = macstats_counter_at(model, offset - macstats_word_step(model), &word);
	__u64 value;
	__u64 sum;

	if (i < 0 || !macstats_has_counter(emu, &model->counters[i]))
		return 0;
	sum = macstats_sum_counter(emu, cell_set, (unsigned int)i);
	macstats_settle(emu, cell_set, (unsigned int)i);
	value = (sum - emu->counters[i].base) >> model->counters[i].bits;
	macstats_note_access(emu, (unsigned int)i, sum, 0);
	emu->counters[i].base = sum;
	return value & macstats_bus_mask(model);
}

MACSTATS_FN __u32 macstats_read_register(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 unsigned int index)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_register *reg = &model->registers[index];
	__u32 value = emu->registers[index];
	unsigned int i;

	if (macstats_is_absent(emu, reg))
		return 0;
	if (model->busy.offset == reg->offset && (emu->faults & MACSTATS_FAULT_RESET_IN_PROGRESS))
		value |= model->busy.mask;
	if (model->gate.mask && model->gate.offset == reg->offset &&
	    (emu->faults & MACSTATS_FAULT_GATE_CLOSES))
		value &= ~model->gate.mask;
	if (model->half_full_pending.mask && model->half_full_pending.offset == reg->offset &&
	    macstats_stored(emu, &model->half_full_enable, 1) && macstats_half_full(emu, cell_set))
		value |= model->half_full_pending.mask;
	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block *rule = &model->blocks[i];
		struct macstats_emulated_block *block = &emu->blocks[i];

		if (!macstats_is_built(model, emu->options, i))
			continue;
		if (rule->snapshot_granted.mask && rule->snapshot_granted.offset == reg->offset) {
			if (block->requested && !block->granted &&
			    !(emu->faults & MACSTATS_FAULT_SNAPSHOT_STUCK)) {
				if (block->looks)
					block->looks--;
				else
					macstats_block_freeze(emu, cell_set, i);
			}
			if (block->granted ||
			    (rule->grant_leads && block->requested && !block->looks &&
			     !(emu->faults & MACSTATS_FAULT_SNAPSHOT_STUCK)))
				value |= rule->snapshot_granted.mask;
		}
		if (rule->parity_error.offset == reg->offset && block->parity_error)
			value |= rule->parity_error.mask;
	}
	return value;
}

/* Add 1 to each register of a block, whatever it counts; a saturated one stays as it is. */
MACSTATS_FN void macstats_block_increment(struct macstats_emulator *emu,
					  const struct macstats_cell_set *cell_set,
					  unsigned int block)
{
	const struct macstats_model *model = emu->model;
	unsigned int i = 0;

	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (counter->block == block &&
		    (counter->overflow != MACSTATS_SATURATE ||
		     macstats_live_value(emu, cell_set, i) != macstats_bits_mask(counter->bits)))
			emu->counters[i].base--;
	}
}

/* The side effects that a write of @value to the register at @offset has on a block. */
MACSTATS_FN void macstats_write_block(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set, unsigned int index,
				      __u32 offset, __u32 value)
{
	const struct macstats_block *rule = &emu->model->blocks[index];
	struct macstats_emulated_block *block = &emu->blocks[index];

	if (!macstats_is_built(emu->model, emu->options, index))
		return;
	if (rule->clear.offset == offset && (value & rule->clear.mask))
		macstats_block_clear(emu, cell_set, index);
	if (rule->increment.offset == offset && (value & rule->increment.mask))
		macstats_block_increment(emu, cell_set, index);
	if (rule->parity_clear.offset == offset && (value & rule->parity_clear.mask))
		block->parity_error = false;
	if (rule->snapshot_request.mask && rule->snapshot_request.offset == offset) {
		bool requested = value & rule->snapshot_request.mask;

		if (requested && !block->requested) {
			block->looks = emu->faults & MACSTATS_FAULT_SNAPSHOT_SLOW ? 2 : 0;
			if (!(emu->faults & (MACSTATS_FAULT_SNAPSHOT_SLOW |
					     MACSTATS_FAULT_SNAPSHOT_STUCK)))
				macstats_block_freeze(emu, cell_set, index);
		}
		if (!requested)
			block->granted = false;
		block->requested = requested;
	}
}

/* Store @value in one bus word of a counter; what the other words hold stays. */
MACSTATS_FN void macstats_store_counter(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int index, unsigned int word, __u64 value)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_counter *counter = &model->counters[index];
	unsigned int words = macstats_words(model, counter);
	unsigned int place = counter->high_first ? words - 1 - word : word;
	__u64 mask = macstats_bus_mask(model) << (place * model->bus_bits);
	__u64 sum = macstats_sum_counter(emu, cell_set, index);
	__u64 now = macstats_shown(counter, sum - emu->counters[index].base);

	now = (now & ~mask) | (value << (place * model->bus_bits) & mask);
	now &= macstats_bits_mask(counter->bits);
	macstats_note_access(emu, index, sum, now);
	emu->counters[index].base = sum - now;
}

MACSTATS_FN void macstats_write_counter(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int index, unsigned int word, __u64 value)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	__u64 left = value;
	__u64 sum;

	if (!macstats_has_counter(emu, counter))
		return;
	if (macstats_stored(emu, &emu->model->write_enable, 0)) {
		macstats_store_counter(emu, cell_set, index, word, value);
		return;
	}
	if (counter->onwrite != MACSTATS_ONWRITE_DECREMENT)
		return;
	/* One sum for both: frames are counted meanwhile, and that must not get lost. */
	sum = macstats_sum_counter(emu, cell_set, index);
	if (macstats_gate_is_open(emu)) {
		__u64 now = macstats_shown(counter, sum - emu->counters[index].base);

		left = value < now ? now - value : 0;
	}
	macstats_note_access(emu, index, sum, left & macstats_bits_mask(counter->bits));
	emu->counters[index].base = sum - left;
}

/* Check whether MACSTATS_FAULT_BUS_ERROR_AT hits this word of the counters. */
MACSTATS_FN bool macstats_word_fails(const struct macstats_emulator *emu, unsigned int index,
				     unsigned int word)
{
	unsigned int i;

	if (!(emu->faults & MACSTATS_FAULT_BUS_ERROR_AT))
		return false;
	for (i = 0; i < index; i++)
		word += macstats_words(emu->model, &emu->model->counters[i]);
	return word == emu->bus_error_word;
}

/*
 * Check whether nothing answers on the bus, so that reads give all-ones and writes are lost.
 */
MACSTATS_FN bool macstats_is_silent(const struct macstats_emulator *emu)
{
	return (emu->faults & MACSTATS_FAULT_UNPLUG) || !macstats_has_power(emu);
}

/*
 * One bus read at @offset, with its side effects. -EIO: the bus failed;
 * -ENXIO: nothing answers there.
 */
MACSTATS_FN int macstats_emulator_read(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, __u32 offset,
				       __u64 *value)
{
	const struct macstats_model *model = emu->model;
	unsigned int word = 0;
	int i;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	if (macstats_is_silent(emu)) {
		*value = macstats_bus_mask(model);
		return 0;
	}
	/* Registers first: most words of counters are read in blocks, and not here. */
	i = macstats_register_at(model, offset);
	if (i >= 0) {
		*value = macstats_read_register(emu, cell_set, (unsigned int)i);
		return 0;
	}
	i = macstats_counter_near(model, offset, emu->last_read, &word);
	if (i >= 0) {
		emu->last_read = (__u16)i;
		if (macstats_word_fails(emu, (unsigned int)i, word))
			return -EIO;
		*value = macstats_read_counter(emu, cell_set, (unsigned int)i, word);
		return 0;
	}
	i = macstats_reserved_at(model, offset);
	if (i >= 0) {
		*value = 0;
		if (model->reserved[i].content == MACSTATS_READS_RANDOM)
			*value = macstats_random(&emu->random) & macstats_bus_mask(model);
		if (model->reserved[i].content == MACSTATS_READS_HIGH_WORD)
			*value = macstats_read_high_word(emu, cell_set, offset);
		return 0;
	}
	return -ENXIO;
}

/*
 * The number of bus words that one look at a counter at @offset can fill: those of a whole counter
 * whose words do not depend on each other, while there are no faults. 0: an access for each.
 */
MACSTATS_FN unsigned int macstats_words_at_once(const struct macstats_emulator *emu,
						unsigned int index, __u32 offset)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	unsigned int words = macstats_words(emu->model, counter);

	if ((emu->faults | emu->armed) || counter->offset != offset ||
	    (words > 1 && macstats_is_destructive(counter)))
		return 0;
	return words;
}

/* Read a whole counter, whose cells are summed. @values: its @n words, in address order. */
MACSTATS_FN void macstats_read_at_once(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set,
				       unsigned int index, __u64 *values, unsigned int n)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_counter *counter = &model->counters[index];
	unsigned int shift = macstats_first_shift(model, counter, n);
	__u64 mask = macstats_bus_mask(model);
	__u64 value = 0;
	unsigned int i;

	if (macstats_is_built(model, emu->options, counter->block))
		value = macstats_read_value(emu, cell_set, index, emu->counters[index].sum);
	for (i = 0; i < n; i++) {
		values[i] = value >> shift & mask;
		shift = macstats_next_shift(model, counter, shift);
	}
}

/*
 * Read @words adjacent bus words from @offset on, as so many calls of macstats_emulator_read()
 * in one moment. @done becomes the number of words that were read. Errors as above.
 */
MACSTATS_FN int macstats_emulator_read_block(struct macstats_emulator *emu,
					     const struct macstats_cell_set *cell_set,
					     __u32 offset, __u64 *values, unsigned int words,
					     unsigned int *done)
{
	const struct macstats_model *model = emu->model;
	unsigned int n = macstats_register_counters(model);
	__u32 step = macstats_word_step(model);
	unsigned int word = 0;
	int i = macstats_counter_near(model, offset, emu->last_read, &word);
	unsigned int index = i < 0 ? n : (unsigned int)i;

	macstats_sum_cells(emu, cell_set);
	*done = 0;
	while (*done < words) {
		unsigned int each = index < n ? macstats_words_at_once(emu, index, offset) : 0;
		int err = 0;

		if (each && each <= words - *done) {
			macstats_read_at_once(emu, cell_set, index, &values[*done], each);
			emu->last_read = (__u16)index++;
			offset += each * step;
			*done += each;
			continue;
		}
		err = macstats_emulator_read(emu, cell_set, offset, &values[*done]);
		if (err)
			return err;
		++*done;
		offset += step;
		if (index < n && offset >= macstats_counter_end(model, &model->counters[index]))
			index++;
	}
	return 0;
}

/*
 * One bus write. Counters, reserved addresses and read-only bits ignore it where
 * the model gives it no meaning. Errors as above.
 */
MACSTATS_FN int macstats_emulator_write(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set, __u32 offset,
					__u64 value)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_register *reg;
	unsigned int word = 0;
	__u32 writable;
	unsigned int block;
	int i;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	if (macstats_is_silent(emu))
		return 0;
	i = macstats_register_at(model, offset);
	if (i < 0) {
		i = macstats_counter_at(model, offset, &word);
		if (i < 0)
			return macstats_reserved_at(model, offset) >= 0 ? 0 : -ENXIO;
		macstats_write_counter(emu, cell_set, (unsigned int)i, word, value);
		return 0;
	}

	reg = &model->registers[i];
	if (reg->access == MACSTATS_RO || macstats_is_absent(emu, reg))
		return 0;
	writable = macstats_writable(model, reg);
	emu->registers[i] = (emu->registers[i] & ~writable) | ((__u32)value & writable);
	for (block = 0; block < model->n_blocks; block++)
		macstats_write_block(emu, cell_set, block, offset, (__u32)value);
	macstats_emulator_settings(emu);
	return 0;
}

/*
 * Change the bits of @mask in the register at @offset to those of @value: one access
 * that nothing divides, with the side effects of the write. Errors as above.
 */
MACSTATS_FN int macstats_emulator_update(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set, __u32 offset,
					 __u32 mask, __u32 value)
{
	__u64 old = 0;
	int err = macstats_emulator_read(emu, cell_set, offset, &old);

	if (err)
		return err;
	return macstats_emulator_write(emu, cell_set, offset,
				       (old & ~(__u64)mask) | (value & mask));
}

/* Reads and writes of anybody but the owner of the counts. Errors as above. */
MACSTATS_FN int macstats_foreign_read(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set, __u32 offset,
				      __u64 *value)
{
	int err;

	emu->foreign = true;
	err = macstats_emulator_read(emu, cell_set, offset, value);
	emu->foreign = false;
	return err;
}

MACSTATS_FN int macstats_foreign_write(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, __u32 offset,
				       __u64 value)
{
	int err;

	emu->foreign = true;
	err = macstats_emulator_write(emu, cell_set, offset, value);
	emu->foreign = false;
	return err;
}

/* The destination of a frame like this one whose description leaves it out. */
MACSTATS_FN __u8 macstats_default_destination(const struct macstats_model *model,
					      const struct macstats_frame *frame)
{
	return model->ieee_own_pause && macstats_is_own_pause(frame) ?
		       (__u8)MACSTATS_MULTICAST : (__u8)MACSTATS_UNICAST;
}

/* Check that a pause frame of the MAC, if this is one, is one that it can make. */
MACSTATS_FN bool macstats_valid_own_pause(const struct macstats_model *model,
					  const struct macstats_frame *frame)
{
	return !model->ieee_own_pause || !macstats_is_own_pause(frame) ||
	       (frame->length == MACSTATS_FRAME_MIN &&
		frame->destination == MACSTATS_MULTICAST);
}

/*
 * Check what a frame states about its descriptors. -EOPNOTSUPP: the descriptors of the model
 * do not have it; -EINVAL: a control of a frame that software does not transmit.
 */
MACSTATS_FN int macstats_check_descriptors(const struct macstats_model *model,
					   const struct macstats_frame *frame)
{
	const struct macstats_descriptor *bits = &model->descriptor;

	if ((frame->descriptors && !bits->last) || (frame->append_crc && !bits->append_crc) ||
	    (frame->huge && !bits->huge))
		return -EOPNOTSUPP;
	if (macstats_names_controls(frame) &&
	    (frame->direction != MACSTATS_TX || frame->origin != MACSTATS_BY_SOFTWARE))
		return -EINVAL;
	return 0;
}

/*
 * Check whether the MAC writes a status for this frame. Its own pause frames have no
 * descriptor.
 */
MACSTATS_FN bool macstats_has_tx_status(const struct macstats_model *model,
					const struct macstats_frame *frame)
{
	return model->n_tx_status && frame->direction == MACSTATS_TX &&
	       frame->origin == MACSTATS_BY_SOFTWARE && macstats_length_on_wire(model, frame);
}

/*
 * The status that the MAC writes back for a frame of @length octets on the wire, by the rules of
 * one table. @frame and @frame_class are from macstats_frame_seen() and macstats_classify().
 */
MACSTATS_FN __u32 macstats_status_of(const struct macstats_frame *frame, __u32 length,
				     const struct macstats_class *frame_class, __u8 options,
				     const struct macstats_status *fields, unsigned int n)
{
	__u32 status = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_status *field = &fields[i];
		__u32 value = 1;

		if (field->octets)
			value = length;
		else if (field->collisions)
			value = macstats_collision_count(frame);
		else if (!macstats_some_when_matches(field->when, frame_class, options))
			continue;
		status |= (value & (__u32)macstats_bits_mask(field->bits)) << field->lsb;
	}
	/* Bits that depend on other bits come last. */
	for (i = 0; i < n; i++)
		if (fields[i].unless && !(status & fields[i].unless))
			status |= 1u << fields[i].lsb;
	return status;
}

/* One bit of the controls in a packet's first descriptor. */
MACSTATS_FN __u32 macstats_control_bit(__u32 config, __u32 bit, __u8 control)
{
	if (control == MACSTATS_BY_REGISTER)
		return config & bit;
	return control == MACSTATS_CONTROL_ON ? bit : 0;
}

/*
 * A packet as its driver has it when it was sent, or tried to. The driver sets the override
 * bit only for a packet with a control of its own; a control that the packet leaves to a
 * register is then the same as there. The last of several descriptors has no valid control
 * bits and the first one no valid status: both are inverted here, so that tests notice a use.
 */
MACSTATS_FN struct macstats_packet macstats_tx_packet(const struct macstats_emulator *emu,
						      const struct macstats_frame *given)
{
	const struct macstats_descriptor *bits = &emu->model->descriptor;
	struct macstats_settings copy = MACSTATS_NO_SETTINGS;
	const struct macstats_settings own =
		macstats_settings_for(emu, macstats_settings_now(emu, &copy), given);
	const struct macstats_frame seen = macstats_frame_seen(emu, &own, given);
	__u32 length = macstats_length_on_wire(emu->model, &seen);
	struct macstats_packet packet = { 0, 0, 0, 0, 0 };
	__u32 both = bits->append_crc | bits->huge;
	struct macstats_class frame_class;
	__u32 controls = 0;
	__u32 status;

	macstats_classify(emu, &own, &seen, length, &frame_class);
	status = macstats_status_of(&seen, length, &frame_class, own.options,
				    emu->model->tx_status, emu->model->n_tx_status);
	if (macstats_names_controls(given))
		controls = bits->override |
			   macstats_control_bit(own.tx_config, bits->append_crc,
						given->append_crc) |
			   macstats_control_bit(own.tx_config, bits->huge, given->huge);
	packet.first = bits->first | controls;
	if (macstats_descriptors(given) > 1) {
		packet.first |= ~status & ~(bits->last | bits->override | both);
		packet.last = status | bits->last | (~controls & (bits->override | both));
	} else {
		packet.first |= status | bits->last;
		packet.last = packet.first;
	}
	packet.config = own.tx_config;
	packet.octets = length > MACSTATS_FCS_LEN ? length - MACSTATS_FCS_LEN : 0;
	packet.attempts = own.attempts;
	return packet;
}

/*
 * The status that the MAC writes into the last descriptor of a received frame, for
 * macstats_rx_descriptor(). Return: false if the frame gets to no descriptor.
 */
MACSTATS_FN bool macstats_rx_status(const struct macstats_emulator *emu,
				    const struct macstats_frame *given, __u32 *status)
{
	const struct macstats_model *model = emu->model;
	struct macstats_settings copy = MACSTATS_NO_SETTINGS;
	struct macstats_frame seen;
	const struct macstats_settings *now;
	struct macstats_class frame_class;

	if (!model->n_rx_status || given->direction != MACSTATS_RX)
		return false;
	now = macstats_settings_now(emu, &copy);
	seen = macstats_frame_seen(emu, now, given);
	macstats_classify(emu, now, &seen, seen.length, &frame_class);
	if (!macstats_some_when_matches(model->rx_described, &frame_class, now->options))
		return false;
	*status = macstats_status_of(&seen, seen.length, &frame_class, now->options,
				     model->rx_status, model->n_rx_status);
	return true;
}

/*
 * Descriptor @index of the packet of a received frame with @status. Only the last one has a valid
 * status; that of the others is inverted.
 */
MACSTATS_FN __u32 macstats_rx_descriptor(const struct macstats_model *model,
					 const struct macstats_frame *given, __u32 status,
					 unsigned int index)
{
	const struct macstats_descriptor *bits = &model->descriptor;
	__u32 first = index ? 0 : bits->first;

	if (index + 1 < macstats_descriptors(given))
		return (~status & ~(bits->first | bits->last)) | first;
	return status | bits->last | first;
}

/* Bus words of all counters that are registers. */
MACSTATS_FN unsigned int macstats_counter_words(const struct macstats_model *model)
{
	unsigned int n = macstats_register_counters(model);
	unsigned int words = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		words += macstats_words(model, &model->counters[i]);
	return words;
}

/* Faults that begin or end. */
struct macstats_fault_request {
	__u32 faults;		/* mask of enum macstats_fault, which the model supports */
	bool active;
	bool during_read;	/* begins when a counter is read; MACSTATS_FAULTS_DURING_READ */
	/*
	 * Of BUS_ERROR_AT: a bus word of the counters that are registers, in the order of
	 * their addresses, from 0. Of SLOW_BUS: microseconds of one access.
	 */
	__u32 argument;
};

/*
 * Check a request for the faults of a model. -EINVAL: the model does not support the
 * fault, or it cannot begin during a read, or it is one that happens once and should
 * end; -ERANGE: the argument is out of its range.
 */
MACSTATS_FN int macstats_fault_check(const struct macstats_model *model,
				     const struct macstats_fault_request *request)
{
	if (!request->faults || (request->faults & ~macstats_supported_faults(model)))
		return -EINVAL;
	if (request->during_read &&
	    (!request->active || (request->faults & ~(__u32)MACSTATS_FAULTS_DURING_READ)))
		return -EINVAL;
	if (!request->active && (request->faults & MACSTATS_FAULT_RESET))
		return -EINVAL;
	if (!request->active)
		return 0;
	if ((request->faults & MACSTATS_FAULT_SLOW_BUS) &&
	    (!request->argument || request->argument > MACSTATS_SLOW_BUS_MAX_USECS))
		return -ERANGE;
	if ((request->faults & MACSTATS_FAULT_BUS_ERROR_AT) &&
	    request->argument >= macstats_counter_words(model))
		return -ERANGE;
	return 0;
}

/*
 * Cause a parity error in every block that is built with a parity error bit: set that bit, and flip
 * the top bit of the block's first counter.
 */
MACSTATS_FN void macstats_parity_fault(struct macstats_emulator *emu)
{
	const struct macstats_model *model = emu->model;
	bool damaged[MACSTATS_MAX_BLOCKS] = { false };
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++)
		if (model->blocks[i].parity_error.mask &&
		    macstats_is_built(model, emu->options, i))
			emu->blocks[i].parity_error = true;
	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (!emu->blocks[counter->block].parity_error || damaged[counter->block])
			continue;
		damaged[counter->block] = true;
		emu->counters[i].base -= 1ull << (counter->bits - 1);
	}
}

/* Start or end the faults of a request that macstats_fault_check() has accepted. */
MACSTATS_FN void macstats_emulator_fault(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 const struct macstats_fault_request *request)
{
	__u32 faults = request->faults & ~(__u32)MACSTATS_FAULTS_ONCE;
	bool had_power = macstats_has_power(emu);

	if (request->active && request->during_read) {
		emu->armed |= faults;
	} else if (request->active) {
		MACSTATS_STORE(emu->faults, emu->faults | faults);
	} else {
		MACSTATS_STORE(emu->faults, emu->faults & ~faults);
		emu->armed &= ~faults;
	}
	if (request->active && (faults & MACSTATS_FAULT_BUS_ERROR_AT))
		emu->bus_error_word = request->argument;
	if (faults & MACSTATS_FAULT_SLOW_BUS)
		MACSTATS_STORE(emu->slow_bus_usecs, request->active ? request->argument : 0);
	if (request->active && (request->faults & MACSTATS_FAULT_PARITY_ERROR))
		macstats_parity_fault(emu);
	emu->foreign = true;
	if ((request->active && (request->faults & MACSTATS_FAULT_RESET)) ||
	    (!had_power && macstats_has_power(emu)))
		macstats_emulator_restart(emu, cell_set);
	emu->foreign = false;
	macstats_emulator_settings(emu);
}

/*
 * Octet times that the frames counted since the last call took on the line, both
 * directions together, at the most ~0: for macstats_bus.line_octets. So emulated
 * frames may come faster than any clock has it.
 */
MACSTATS_FN __u64 macstats_line_octets(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set)
{
	__u64 cells = macstats_sum_cells(emu, cell_set)->line;
	__u64 line = macstats_saturating_add(cells - emu->line_seen, emu->rare_line);

	emu->line_seen = cells;
	emu->rare_line = 0;
	return line;
}

#endif /* MACSTATS_EMULATOR_H */
