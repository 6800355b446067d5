/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The registers of an emulated port: frames become counts, counts become
 * register values, reads and writes have the side effects of the model.
 *
 * A frame of a common class falls into one cell; its three sums are all that
 * counting touches, whatever the number of counters. A register's value is the
 * sum over the cells that its row names, less the counter's base. All side
 * effects are moves of bases: a clear moves the base to the present sum, a
 * decrement adds to it, a preset puts it where the value comes out. Frames of
 * rare classes (errors, collisions, ...) have no cell: they move the bases of
 * the counters that count them.
 *
 * Cells are kept per lane (per CPU in the kernel), so that counting shares
 * nothing. Who counts into a lane must not be interrupted by another one who
 * does. Everything that takes a non-const emulator needs the caller's lock;
 * nothing sleeps or allocates.
 */
#ifndef MACSTATS_EMULATOR_H
#define MACSTATS_EMULATOR_H

#include "schema.h"

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/stddef.h>
#include <linux/u64_stats_sync.h>
typedef u64_stats_t macstats_sum_t;
#else
#include <errno.h>
#include <stddef.h>
typedef __u64 macstats_sum_t;
#endif

struct macstats_cell {
	macstats_sum_t frames;
	macstats_sum_t octets;
	macstats_sum_t payload;
};

/* Cells: direction x destination x (data, tagged, control, pause) x (sizes + over). */
#define MACSTATS_CELL_KINDS	4
#define MACSTATS_CELL_ROWS	(2 * 3 * MACSTATS_CELL_KINDS)
#define MACSTATS_MAX_CELLS	(MACSTATS_CELL_ROWS * (MACSTATS_MAX_EDGES + 2))

struct macstats_lane {
#ifdef __KERNEL__
	struct u64_stats_sync syncp;
#endif
	struct macstats_cell cells[MACSTATS_MAX_CELLS];	/* see macstats_lane_size() */
};

struct macstats_lanes {
	struct macstats_lane *const *lane;
	unsigned int count;
};

/* One lane's worth of a cell. */
struct macstats_sums {
	__u64 frames;
	__u64 octets;
	__u64 payload;
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

struct macstats_emulator {
	/* What counting a frame reads. */
	const struct macstats_model *model;
	__u8 options;		/* enum macstats_option that are on */
	bool counting;		/* counters are there and the gate is open */
	__u8 size_classes;
	__u32 max_frame_rx;
	__u32 max_frame_tx;
	__u8 tag_allowance;	/* by which a tagged frame may be over the maximum */
	__u16 rare_sizes;	/* size classes whose frames have no cell */
	__u32 longest_common;	/* longer frames have none either */
	__u32 tx_status;	/* what registers say in a transmit descriptor's status */
	struct macstats_octave octaves[2][MACSTATS_OCTAVES];	/* untagged, tagged */

	/* The rest belongs to who holds the lock. */
	__u8 faults;		/* enum macstats_fault that are active */
	__u64 random;		/* state of the generator */
	__u64 rare_good;	/* good frames received that have no cell */
	struct macstats_emulated_block blocks[MACSTATS_MAX_BLOCKS];
	__u32 registers[MACSTATS_MAX_REGISTERS];
	__u64 base[MACSTATS_MAX_COUNTERS];
	__u64 frozen[MACSTATS_MAX_COUNTERS];	/* by a snapshot or a latch */
	__u64 pending[MACSTATS_MAX_COUNTERS];	/* counted, but not shown before ... */
	__u64 shown_at[MACSTATS_MAX_COUNTERS];	/* ... so many good frames came */
};

#ifdef __KERNEL__
static inline void macstats_cell_add(struct macstats_lane *lane, unsigned int index,
				     const struct macstats_sums *sums)
{
	struct macstats_cell *cell = &lane->cells[index];

	u64_stats_update_begin(&lane->syncp);
	u64_stats_add(&cell->frames, sums->frames);
	u64_stats_add(&cell->octets, sums->octets);
	u64_stats_add(&cell->payload, sums->payload);
	u64_stats_update_end(&lane->syncp);
}

static inline void macstats_cell_read(const struct macstats_lane *lane, unsigned int index,
				      struct macstats_sums *sums)
{
	const struct macstats_cell *cell = &lane->cells[index];
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&lane->syncp);
		sums->frames = u64_stats_read(&cell->frames);
		sums->octets = u64_stats_read(&cell->octets);
		sums->payload = u64_stats_read(&cell->payload);
	} while (u64_stats_fetch_retry(&lane->syncp, start));
}
#else
MACSTATS_FN void macstats_cell_add(struct macstats_lane *lane, unsigned int index,
				   const struct macstats_sums *sums)
{
	lane->cells[index].frames += sums->frames;
	lane->cells[index].octets += sums->octets;
	lane->cells[index].payload += sums->payload;
}

MACSTATS_FN void macstats_cell_read(const struct macstats_lane *lane, unsigned int index,
				    struct macstats_sums *sums)
{
	sums->frames = lane->cells[index].frames;
	sums->octets = lane->cells[index].octets;
	sums->payload = lane->cells[index].payload;
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

/* What has to be allocated for a lane of this model, zeroed. */
MACSTATS_FN size_t macstats_lane_size(const struct macstats_model *model)
{
	return offsetof(struct macstats_lane, cells) +
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
	unsigned int i = 0;

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

/* What a transmitter makes of a frame before it counts: padding, or nothing at all. */
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

/* Octets of payload and padding in a frame of @length. */
MACSTATS_FN __u32 macstats_payload(const struct macstats_emulator *emu,
				   const struct macstats_frame *frame, __u32 length)
{
	__u32 overhead = emu->model->data_overhead;

	if (macstats_kind_on_wire(frame) != MACSTATS_DATA)
		overhead = emu->model->control_overhead;
	else if (emu->options & MACSTATS_OPT_VLAN_DETECTION)
		overhead += frame->vlan_tags * (__u32)MACSTATS_TAG_LEN;
	return length > overhead ? length - overhead : 0;
}

/* The maximum length now set for a frame like this one. */
MACSTATS_FN __u32 macstats_max_length(const struct macstats_emulator *emu,
				      const struct macstats_frame *frame)
{
	__u32 max = frame->direction == MACSTATS_RX ? emu->max_frame_rx : emu->max_frame_tx;

	return frame->vlan_tags ? max + emu->tag_allowance : max;
}

/* The longest frame that is not very long while the maximum length is @max. */
MACSTATS_FN __u32 macstats_longest_but_very(const struct macstats_model *model, __u32 max)
{
	if (!model->very_long_least || max > model->very_long_limit)
		return MACSTATS_FRAME_MAX;
	return 2 * max > model->very_long_least ? 2 * max : model->very_long_least;
}

MACSTATS_FN __u8 macstats_excess_of(const struct macstats_emulator *emu,
				    const struct macstats_frame *frame, __u32 length)
{
	__u32 max = frame->direction == MACSTATS_RX ? emu->max_frame_rx : emu->max_frame_tx;

	if (length <= macstats_max_length(emu, frame))
		return MACSTATS_WITHIN_MAX;
	return length > macstats_longest_but_very(emu->model, max) ? MACSTATS_VERY_LONG :
								     MACSTATS_OVER_MAX;
}

/*
 * Collisions that a frame experienced: a late one is one more than those which
 * are given, and giving up takes as many as there may be attempts.
 */
MACSTATS_FN unsigned int macstats_collision_count(const struct macstats_frame *frame)
{
	if (frame->errors & MACSTATS_ERR_LATE_COLLISION)
		return frame->collisions + 1u;
	if (frame->errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS)
		return MACSTATS_ATTEMPT_LIMIT;
	return frame->collisions;
}

/* The errors of a frame: so many collisions that no attempt is left are one. */
MACSTATS_FN __u16 macstats_errors_of(const struct macstats_frame *frame)
{
	if (frame->collisions >= MACSTATS_ATTEMPT_LIMIT &&
	    !(frame->errors & MACSTATS_ERR_LATE_COLLISION))
		return (__u16)(frame->errors | MACSTATS_ERR_EXCESSIVE_COLLISIONS);
	return frame->errors;
}

MACSTATS_FN void macstats_classify(const struct macstats_emulator *emu,
				   const struct macstats_frame *frame, __u32 length,
				   struct macstats_class *class_)
{
	bool tagged = frame->vlan_tags > 0;

	class_->direction = frame->direction;
	class_->destination = frame->destination;
	class_->kind = macstats_kind_on_wire(frame);
	class_->origin = frame->origin;
	class_->tags = (__u8)(MACSTATS_UNTAGGED << frame->vlan_tags);
	class_->excess = macstats_excess_of(emu, frame, length);
	class_->collisions = macstats_collision_class(macstats_collision_count(frame));
	class_->deferred = frame->deferred;
	class_->size = (__u16)(1u << macstats_size_class(&emu->model->sizes, length, tagged));
	class_->errors = macstats_errors_of(frame);
}

MACSTATS_FN bool macstats_in_mask(unsigned int mask, unsigned int bit)
{
	return !mask || (mask & bit);
}

MACSTATS_FN bool macstats_when_matches(const struct macstats_when *when,
				       const struct macstats_class *class_, __u8 options)
{
	/* First what most rows that do not match fail at. */
	return (when->direction & class_->direction) &&
	       macstats_in_mask(when->errors, class_->errors) &&
	       macstats_in_mask(when->size, class_->size) &&
	       macstats_in_mask(when->destination, class_->destination) &&
	       macstats_in_mask(when->kind, class_->kind) &&
	       macstats_in_mask(when->origin, class_->origin) &&
	       macstats_in_mask(when->tags, class_->tags) &&
	       macstats_in_mask(when->excess, class_->excess) &&
	       macstats_in_mask(when->collisions, class_->collisions) &&
	       !(when->no_errors & class_->errors) &&
	       (!when->deferred || class_->deferred) &&
	       (when->with & options) == when->with && !(when->without & options);
}

/* Does a counter count frames of this class? The one place where that is decided. */
MACSTATS_FN bool macstats_counts(const struct macstats_counter *counter,
				 const struct macstats_class *class_, __u8 options)
{
	unsigned int i = 0;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++)
		if (macstats_when_matches(&counter->when[i], class_, options))
			return true;
	return false;
}

/* The cell of a frame, or -1 if it is of a rare class. */
MACSTATS_FN int macstats_cell_index(const struct macstats_emulator *emu,
				    const struct macstats_frame *frame, __u32 length)
{
	unsigned int size = macstats_octave_class(emu->octaves[frame->vlan_tags > 0], length);
	unsigned int kind = frame->vlan_tags ? 1u : frame->kind == MACSTATS_DATA ? 0u :
			    frame->kind == MACSTATS_CONTROL ? 2u : 3u;

	if (frame->errors | frame->collisions | frame->deferred | (frame->vlan_tags >> 1) |
	    (frame->origin ^ MACSTATS_BY_SOFTWARE) | (frame->kind & MACSTATS_PFC))
		return -1;
	if ((emu->rare_sizes >> size & 1) || length > emu->longest_common)
		return -1;
	if (length > macstats_max_length(emu, frame)) {
		if (size != emu->size_classes - 1u ||
		    (emu->model->cut_at_max && frame->direction == MACSTATS_TX))
			return -1;
		size++;
	}
	return (int)((((frame->direction - 1u) * 3 + (frame->destination >> 1)) *
		      MACSTATS_CELL_KINDS + kind) * (emu->size_classes + 1u) + size);
}

/* The class of the frames in a row of cells, which differ in size only: of any size. */
MACSTATS_FN void macstats_row_class(unsigned int row, struct macstats_class *class_)
{
	unsigned int kind = row % MACSTATS_CELL_KINDS;
	unsigned int where = row / MACSTATS_CELL_KINDS;

	class_->direction = (__u8)(where / 3 + 1);
	class_->destination = (__u8)(1u << where % 3);
	class_->kind = kind == 2 ? MACSTATS_CONTROL : kind == 3 ? MACSTATS_PAUSE : MACSTATS_DATA;
	class_->origin = MACSTATS_BY_SOFTWARE;
	class_->tags = kind == 1 ? MACSTATS_TAGGED : MACSTATS_UNTAGGED;
	class_->excess = MACSTATS_WITHIN_MAX | MACSTATS_OVER_MAX;
	class_->collisions = MACSTATS_NO_COLLISION;
	class_->deferred = false;
	class_->size = (__u16)~0u;
	class_->errors = 0;
}

/* Confine that to one cell of the row. */
MACSTATS_FN void macstats_row_class_of_size(const struct macstats_emulator *emu,
					    unsigned int size, struct macstats_class *class_)
{
	bool over = size == emu->size_classes;

	class_->excess = over ? MACSTATS_OVER_MAX : MACSTATS_WITHIN_MAX;
	class_->size = (__u16)(1u << (over ? size - 1 : size));
}

/* The class of the frames in a cell: the inverse of macstats_cell_index(). */
MACSTATS_FN void macstats_cell_class(const struct macstats_emulator *emu, unsigned int index,
				     struct macstats_class *class_)
{
	unsigned int sizes = emu->size_classes + 1u;

	macstats_row_class(index / sizes, class_);
	macstats_row_class_of_size(emu, index % sizes, class_);
}

/*
 * Count @count frames of a common class into @lane; false, and nothing counted,
 * if the class is rare: then macstats_count_rare() has to be called, under the
 * lock. This is the path of real traffic: no lock, one cell.
 */
MACSTATS_FN bool macstats_count_common(const struct macstats_emulator *emu,
				       struct macstats_lane *lane,
				       const struct macstats_frame *frame, __u64 count)
{
	__u32 length = macstats_length_on_wire(emu->model, frame);
	struct macstats_sums sums = { count, count * length, 0 };
	int index = 0;

	if (!emu->counting || !length)
		return true;
	index = macstats_cell_index(emu, frame, length);
	if (index < 0)
		return false;
	sums.payload = count * macstats_payload(emu, frame, length);
	macstats_cell_add(lane, (unsigned int)index, &sums);
	return true;
}

/* What the frames of a cell add to a counter. These had no collisions. */
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

/* What one frame adds to a counter; @length is what of it was sent or received. */
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
		/* Only a half-duplex port lets what it receives collide. */
		if (frame->direction == MACSTATS_RX &&
		    !(emu->options & MACSTATS_OPT_HALF_DUPLEX))
			return length;
		/*
		 * An attempt that collides in time has sent a slot time of the
		 * frame at the most; the last one, late or not, all of it,
		 * unless it collided as the others or was never begun.
		 */
		if (macstats_errors_of(frame) & MACSTATS_ERR_LATE_COLLISION) {
			collisions--;
			gives_up &= ~(unsigned int)MACSTATS_ERR_EXCESSIVE_COLLISIONS;
		}
		if (macstats_errors_of(frame) & gives_up)
			return (__u64)collisions * attempt;
		return (__u64)collisions * attempt + length;
	default:
		return 1;
	}
}

/* Is this a frame after which a counter that lags shows what it has counted? */
MACSTATS_FN bool macstats_is_good(const struct macstats_model *model,
				  const struct macstats_class *class_)
{
	return class_->direction == MACSTATS_RX &&
	       !(class_->errors & ~model->good_despite) &&
	       class_->excess == MACSTATS_WITHIN_MAX &&
	       macstats_sizes_low(model, class_->size) >= MACSTATS_FRAME_MIN;
}

MACSTATS_FN void macstats_sum_cell(const struct macstats_lanes *lanes, unsigned int index,
				   struct macstats_sums *sums)
{
	struct macstats_sums one = { 0, 0, 0 };
	unsigned int i = 0;

	sums->frames = 0;
	sums->octets = 0;
	sums->payload = 0;
	for (i = 0; i < lanes->count; i++) {
		macstats_cell_read(lanes->lane[i], index, &one);
		sums->frames += one.frames;
		sums->octets += one.octets;
		sums->payload += one.payload;
	}
}

/* Good frames received so far. */
MACSTATS_FN __u64 macstats_good_frames(const struct macstats_emulator *emu,
				       const struct macstats_lanes *lanes)
{
	unsigned int cells = macstats_cells(emu->model);
	struct macstats_sums sums = { 0, 0, 0 };
	struct macstats_class class_;
	__u64 good = emu->rare_good;
	unsigned int cell = 0;

	for (cell = 0; cell < cells; cell++) {
		macstats_cell_class(emu, cell, &class_);
		if (!macstats_is_good(emu->model, &class_))
			continue;
		macstats_sum_cell(lanes, cell, &sums);
		good += sums.frames;
	}
	return good;
}

/* Let a counter that lags show what it has counted, if the time has come. */
MACSTATS_FN void macstats_settle(struct macstats_emulator *emu,
				 const struct macstats_lanes *lanes, unsigned int index)
{
	if (!emu->pending[index] || macstats_good_frames(emu, lanes) < emu->shown_at[index])
		return;
	emu->base[index] -= emu->pending[index];
	emu->pending[index] = 0;
}

/* Count frames of any class by the bases of the counters which count them. */
MACSTATS_FN void macstats_count_rare(struct macstats_emulator *emu,
				     const struct macstats_lanes *lanes,
				     const struct macstats_frame *frame, __u64 count)
{
	const struct macstats_model *model = emu->model;
	__u32 length = macstats_length_on_wire(model, frame);
	struct macstats_class class_;
	unsigned int i = 0;

	if (!emu->counting || !length)
		return;
	macstats_classify(emu, frame, length, &class_);
	if (model->cut_at_max && frame->direction == MACSTATS_TX &&
	    length > macstats_max_length(emu, frame))
		length = macstats_max_length(emu, frame);
	if (macstats_is_good(model, &class_))
		emu->rare_good += count;
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		__u64 amount = 0;

		if (!macstats_counts(counter, &class_, emu->options))
			continue;
		amount = count * macstats_frame_amount(emu, counter, frame, length);
		if (!counter->good_frames) {
			emu->base[i] -= amount;
			continue;
		}
		macstats_settle(emu, lanes, i);
		emu->pending[i] += amount;
		emu->shown_at[i] = macstats_good_frames(emu, lanes) + counter->good_frames;
	}
}

/*
 * Add to values[i] what the cells hold for counter i, for the counters of one
 * block. Each cell is read once, so that sums which must agree do so.
 */
MACSTATS_FN void macstats_sum_block(const struct macstats_emulator *emu,
				    const struct macstats_lanes *lanes, unsigned int block,
				    __u64 *values)
{
	unsigned int cells = macstats_cells(emu->model);
	struct macstats_sums sums = { 0, 0, 0 };
	struct macstats_class class_;
	unsigned int cell = 0;
	unsigned int i = 0;

	for (cell = 0; cell < cells; cell++) {
		macstats_sum_cell(lanes, cell, &sums);
		/* Frames alone may have gone round to 0. */
		if (!(sums.frames | sums.octets | sums.payload))
			continue;
		macstats_cell_class(emu, cell, &class_);
		for (i = 0; i < emu->model->n_counters; i++) {
			const struct macstats_counter *counter = &emu->model->counters[i];

			if (counter->block == block &&
			    macstats_counts(counter, &class_, emu->options))
				values[i] += macstats_amount(counter, &sums);
		}
	}
}

/* The sum of the cells that one counter counts. */
MACSTATS_FN __u64 macstats_sum_counter(const struct macstats_emulator *emu,
				       const struct macstats_lanes *lanes, unsigned int index)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	unsigned int sizes = emu->size_classes + 1u;
	struct macstats_sums sums = { 0, 0, 0 };
	struct macstats_class class_;
	unsigned int size = 0;
	unsigned int row = 0;
	__u64 value = 0;

	for (row = 0; row < MACSTATS_CELL_ROWS; row++) {
		/* Most rows are of no concern to it, whatever the size. */
		macstats_row_class(row, &class_);
		if (!macstats_counts(counter, &class_, emu->options))
			continue;
		for (size = 0; size < sizes; size++) {
			macstats_row_class_of_size(emu, size, &class_);
			if (!macstats_counts(counter, &class_, emu->options))
				continue;
			macstats_sum_cell(lanes, row * sizes + size, &sums);
			value += macstats_amount(counter, &sums);
		}
	}
	return value;
}

/* What a counter shows whose events sum up to @events since its base. */
MACSTATS_FN __u64 macstats_shown(const struct macstats_counter *counter, __u64 events)
{
	__u64 mask = macstats_bits_mask(counter->bits);

	if (counter->overflow == MACSTATS_SATURATE)
		return events < mask ? events : mask;
	return events & mask;
}

/* A counter's value now, whatever a snapshot shows. */
MACSTATS_FN __u64 macstats_live_value(const struct macstats_emulator *emu,
				      const struct macstats_lanes *lanes, unsigned int index)
{
	return macstats_shown(&emu->model->counters[index],
			      macstats_sum_counter(emu, lanes, index) - emu->base[index]);
}

/*
 * Let a counter hold @value now. Returns what it held until then: no count falls
 * between the two, though the lanes go on. A snapshot or a latch goes on showing
 * what it has caught, and what is not shown before good frames came is still
 * to be shown, on top of @value.
 */
MACSTATS_FN __u64 macstats_emulator_preset(struct macstats_emulator *emu,
					   const struct macstats_lanes *lanes,
					   unsigned int index, __u64 value)
{
	__u64 sum = macstats_sum_counter(emu, lanes, index);
	__u64 held = 0;

	macstats_settle(emu, lanes, index);
	held = macstats_shown(&emu->model->counters[index], sum - emu->base[index]);
	emu->base[index] = sum - value;
	return held;
}

MACSTATS_FN void macstats_block_clear(struct macstats_emulator *emu,
				      const struct macstats_lanes *lanes, unsigned int block)
{
	unsigned int i = 0;

	for (i = 0; i < emu->model->n_counters; i++)
		if (emu->model->counters[i].block == block) {
			emu->base[i] = 0;
			emu->pending[i] = 0;
		}
	macstats_sum_block(emu, lanes, block, emu->base);
	if (emu->model->blocks[block].clear_clears_parity)
		emu->blocks[block].parity_error = false;
}

MACSTATS_FN void macstats_block_freeze(struct macstats_emulator *emu,
				       const struct macstats_lanes *lanes, unsigned int block)
{
	unsigned int i = 0;

	for (i = 0; i < emu->model->n_counters; i++)
		if (emu->model->counters[i].block == block)
			emu->frozen[i] = 0;
	macstats_sum_block(emu, lanes, block, emu->frozen);
	for (i = 0; i < emu->model->n_counters; i++)
		if (emu->model->counters[i].block == block)
			emu->frozen[i] = macstats_shown(&emu->model->counters[i],
							emu->frozen[i] - emu->base[i]);
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
	unsigned int i = 0;

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

/* The fields of a transmit descriptor's status that are copies of register bits. */
MACSTATS_FN __u32 macstats_copied_status(const struct macstats_emulator *emu)
{
	__u32 status = 0;
	unsigned int i = 0;

	for (i = 0; i < emu->model->n_tx_status; i++) {
		const struct macstats_status *field = &emu->model->tx_status[i];

		status |= (macstats_stored(emu, &field->copy, 0) &
			   (__u32)macstats_bits_mask(field->bits)) << field->lsb;
	}
	return status;
}

/* Take over what counting needs from the registers. */
MACSTATS_FN void macstats_emulator_settings(struct macstats_emulator *emu)
{
	const struct macstats_model *model = emu->model;

	__u32 otherwise = macstats_default_max_frame(model);
	__u32 longest_tx = 0;
	unsigned int i = 0;

	emu->max_frame_rx = macstats_stored(emu, &model->max_frame_rx, otherwise);
	emu->max_frame_tx = macstats_stored(emu, &model->max_frame_tx, otherwise);
	if (macstats_stored(emu, &model->any_length_tx, 0))
		emu->max_frame_tx = MACSTATS_FRAME_MAX;
	emu->longest_common = macstats_longest_but_very(model, emu->max_frame_rx);
	longest_tx = macstats_longest_but_very(model, emu->max_frame_tx);
	if (longest_tx < emu->longest_common)
		emu->longest_common = longest_tx;
	for (i = 0; i < model->n_counters; i++) {
		__u32 limit = model->counters[i].frame_limit;

		if (limit && limit < emu->longest_common)
			emu->longest_common = limit;
	}
	emu->tx_status = macstats_copied_status(emu);
	emu->counting = (emu->options & MACSTATS_OPT_STATISTICS) &&
			macstats_stored(emu, &model->gate, 1);
	emu->options &= (__u8)~MACSTATS_OPT_SETTING;
	if (macstats_stored(emu, &model->setting, 0))
		emu->options |= MACSTATS_OPT_SETTING;
}

/*
 * Switch the power on: registers at their reset values, counters at 0 or, with
 * @random, at anything, as are the parity bits. The lanes must not be in use.
 */
MACSTATS_FN void macstats_emulator_power_up(struct macstats_emulator *emu,
					    const struct macstats_model *model,
					    const struct macstats_lanes *lanes,
					    __u8 options, bool random, __u64 seed)
{
	unsigned int i = 0;

	emu->model = model;
	emu->options = options;
	emu->size_classes = (__u8)macstats_size_classes(&model->sizes);
	macstats_octaves(emu->octaves[0], &model->sizes, false);
	macstats_octaves(emu->octaves[1], &model->sizes, true);
	emu->tag_allowance = model->tag_over_max ? MACSTATS_TAG_LEN : 0;
	emu->rare_sizes = 0;
	emu->rare_good = 0;
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		emu->pending[i] = 0;
		if (counter->good_frames)
			emu->rare_sizes = (__u16)(emu->rare_sizes | counter->when[0].size);
	}
	emu->faults = 0;
	emu->random = seed;
	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
		struct macstats_emulated_block *block = &emu->blocks[i];

		block->requested = false;
		block->granted = false;
		block->looks = 0;
		block->parity_error = random && i < model->n_blocks &&
				      model->blocks[i].parity_error.mask &&
				      (macstats_random(&emu->random) & 1);
	}
	for (i = 0; i < model->n_registers; i++)
		emu->registers[i] = model->registers[i].reset;
	for (i = 0; i < model->n_counters; i++) {
		__u64 value = random ? macstats_random(&emu->random) : 0;

		/* More than its width would fill up a saturating counter. */
		value &= macstats_bits_mask(model->counters[i].bits);
		macstats_emulator_preset(emu, lanes, i, value);
		emu->frozen[i] = 0;
	}
	macstats_emulator_settings(emu);
}

MACSTATS_FN bool macstats_is_absent(const struct macstats_emulator *emu,
				    const struct macstats_register *reg)
{
	return reg->statistics_only && !(emu->options & MACSTATS_OPT_STATISTICS);
}

MACSTATS_FN __u64 macstats_bus_mask(const struct macstats_model *model)
{
	return macstats_bits_mask(model->bus_bits);
}

/* May the counters be read? If not, a read returns anything, and clears nothing. */
MACSTATS_FN bool macstats_is_ready(const struct macstats_emulator *emu)
{
	return !(emu->faults & (MACSTATS_FAULT_RESET_IN_PROGRESS | MACSTATS_FAULT_CLOCK_STOPPED));
}

/* Has a counter reached the level from which on the MAC interrupts? */
MACSTATS_FN bool macstats_half_full(const struct macstats_emulator *emu,
				    const struct macstats_lanes *lanes)
{
	const struct macstats_model *model = emu->model;
	unsigned int n = model->half_full ? macstats_register_counters(model) : 0;
	unsigned int i = 0;

	for (i = 0; i < n; i++)
		if (macstats_live_value(emu, lanes, i) >= model->half_full)
			return true;
	return false;
}

MACSTATS_FN __u64 macstats_read_counter(struct macstats_emulator *emu,
					const struct macstats_lanes *lanes, unsigned int index,
					unsigned int word)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_counter *counter = &model->counters[index];
	unsigned int words = macstats_words(model, counter);
	unsigned int place = counter->high_first ? words - 1 - word : word;
	bool whole = place == 0 || !counter->latch;
	__u64 value = 0;

	if (!(emu->options & MACSTATS_OPT_STATISTICS))
		return 0;
	if (!macstats_is_ready(emu))
		return macstats_random(&emu->random) & macstats_bus_mask(model);
	if (emu->blocks[counter->block].granted || !whole) {
		value = emu->frozen[index];
	} else {
		__u64 sum = macstats_sum_counter(emu, lanes, index);

		macstats_settle(emu, lanes, index);
		value = macstats_shown(counter, sum - emu->base[index]);
		if (counter->latch)
			emu->frozen[index] = value;
		if (counter->onread == MACSTATS_ONREAD_RCLR)
			emu->base[index] = sum;
	}
	return value >> (place * model->bus_bits) & macstats_bus_mask(model);
}

MACSTATS_FN __u32 macstats_read_register(struct macstats_emulator *emu,
					 const struct macstats_lanes *lanes, unsigned int index)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_register *reg = &model->registers[index];
	__u32 value = emu->registers[index];
	unsigned int i = 0;

	if (macstats_is_absent(emu, reg))
		return 0;
	if (model->busy.offset == reg->offset && (emu->faults & MACSTATS_FAULT_RESET_IN_PROGRESS))
		value |= model->busy.mask;
	if (model->half_full_pending.mask && model->half_full_pending.offset == reg->offset &&
	    macstats_stored(emu, &model->half_full_enable, 1) && macstats_half_full(emu, lanes))
		value |= model->half_full_pending.mask;
	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block *rule = &model->blocks[i];
		struct macstats_emulated_block *block = &emu->blocks[i];

		if (rule->snapshot_granted.mask && rule->snapshot_granted.offset == reg->offset) {
			if (block->requested && !block->granted &&
			    !(emu->faults & MACSTATS_FAULT_SNAPSHOT_STUCK)) {
				if (block->looks)
					block->looks--;
				else
					macstats_block_freeze(emu, lanes, i);
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

/* The side effects that a write of @value to the register at @offset has on a block. */
MACSTATS_FN void macstats_write_block(struct macstats_emulator *emu,
				      const struct macstats_lanes *lanes, unsigned int index,
				      __u32 offset, __u32 value)
{
	const struct macstats_block *rule = &emu->model->blocks[index];
	struct macstats_emulated_block *block = &emu->blocks[index];

	if (rule->clear.offset == offset && (value & rule->clear.mask))
		macstats_block_clear(emu, lanes, index);
	if (rule->parity_clear.offset == offset && (value & rule->parity_clear.mask))
		block->parity_error = false;
	if (rule->snapshot_request.mask && rule->snapshot_request.offset == offset) {
		bool requested = value & rule->snapshot_request.mask;

		if (requested && !block->requested) {
			block->looks = emu->faults & MACSTATS_FAULT_SNAPSHOT_SLOW ? 2 : 0;
			if (!(emu->faults & (MACSTATS_FAULT_SNAPSHOT_SLOW |
					     MACSTATS_FAULT_SNAPSHOT_STUCK)))
				macstats_block_freeze(emu, lanes, index);
		}
		if (!requested)
			block->granted = false;
		block->requested = requested;
	}
}

MACSTATS_FN void macstats_write_counter(struct macstats_emulator *emu,
					const struct macstats_lanes *lanes, unsigned int index,
					__u64 value)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	__u64 left = value;
	__u64 sum = 0;

	if (counter->onwrite != MACSTATS_ONWRITE_DECREMENT ||
	    !(emu->options & MACSTATS_OPT_STATISTICS))
		return;
	/* One sum for both: lanes go on counting, and that must not get lost. */
	sum = macstats_sum_counter(emu, lanes, index);
	if (emu->counting) {
		__u64 now = macstats_shown(counter, sum - emu->base[index]);

		left = value < now ? now - value : 0;
	}
	emu->base[index] = sum - left;
}

/*
 * One bus read at @offset, with its side effects. -EIO: the bus failed;
 * -ENXIO: nothing answers there.
 */
MACSTATS_FN int macstats_emulator_read(struct macstats_emulator *emu,
				       const struct macstats_lanes *lanes, __u32 offset,
				       __u64 *value)
{
	const struct macstats_model *model = emu->model;
	unsigned int word = 0;
	int i = 0;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	i = macstats_counter_at(model, offset, &word);
	if (i >= 0) {
		*value = macstats_read_counter(emu, lanes, (unsigned int)i, word);
		return 0;
	}
	i = macstats_register_at(model, offset);
	if (i >= 0) {
		*value = macstats_read_register(emu, lanes, (unsigned int)i);
		return 0;
	}
	i = macstats_reserved_at(model, offset);
	if (i >= 0) {
		*value = model->reserved[i].content == MACSTATS_READS_RANDOM ?
			 macstats_random(&emu->random) & macstats_bus_mask(model) : 0;
		return 0;
	}
	return -ENXIO;
}

/*
 * One bus write. Counters, reserved addresses and read-only bits ignore it where
 * the model gives it no meaning. Errors as above.
 */
MACSTATS_FN int macstats_emulator_write(struct macstats_emulator *emu,
					const struct macstats_lanes *lanes, __u32 offset,
					__u64 value)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_register *reg;
	unsigned int word = 0;
	__u32 writable = 0;
	unsigned int block = 0;
	int i = 0;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	i = macstats_counter_at(model, offset, &word);
	if (i >= 0) {
		macstats_write_counter(emu, lanes, (unsigned int)i, value);
		return 0;
	}
	i = macstats_register_at(model, offset);
	if (i < 0)
		return macstats_reserved_at(model, offset) >= 0 ? 0 : -ENXIO;

	reg = &model->registers[i];
	if (reg->access == MACSTATS_RO || macstats_is_absent(emu, reg))
		return 0;
	writable = macstats_writable(model, reg);
	emu->registers[i] = (emu->registers[i] & ~writable) | ((__u32)value & writable);
	for (block = 0; block < model->n_blocks; block++)
		macstats_write_block(emu, lanes, block, offset, (__u32)value);
	macstats_emulator_settings(emu);
	return 0;
}

/* Does the MAC write a status for this frame? One that it made itself has no descriptor. */
MACSTATS_FN bool macstats_has_tx_status(const struct macstats_model *model,
					const struct macstats_frame *frame)
{
	return model->n_tx_status && frame->direction == MACSTATS_TX &&
	       frame->origin == MACSTATS_BY_SOFTWARE && macstats_length_on_wire(model, frame);
}

/* The status that the MAC writes into the descriptor of a frame which it sent, or tried to. */
MACSTATS_FN __u32 macstats_tx_status(const struct macstats_emulator *emu,
				     const struct macstats_frame *frame)
{
	const struct macstats_model *model = emu->model;
	__u32 length = macstats_length_on_wire(model, frame);
	struct macstats_class class_;
	__u32 status = emu->tx_status;
	unsigned int i = 0;
	unsigned int w = 0;

	macstats_classify(emu, frame, length, &class_);
	for (i = 0; i < model->n_tx_status; i++) {
		const struct macstats_status *field = &model->tx_status[i];
		__u32 value = 0;

		for (w = 0; w < MACSTATS_MAX_WHEN && field->when[w].direction; w++)
			if (macstats_when_matches(&field->when[w], &class_, emu->options))
				value = 1;
		if (field->collisions)
			value = macstats_collision_count(frame);
		status |= (value & (__u32)macstats_bits_mask(field->bits)) << field->lsb;
	}
	/* What depends on the others comes last. */
	for (i = 0; i < model->n_tx_status; i++)
		if (model->tx_status[i].unless && !(status & model->tx_status[i].unless))
			status |= 1u << model->tx_status[i].lsb;
	return status;
}

/* Faults begin or end. A parity error happens once, in every block that has the bit. */
MACSTATS_FN void macstats_emulator_fault(struct macstats_emulator *emu, __u8 faults,
					 bool active)
{
	unsigned int i = 0;

	if (active)
		emu->faults = (__u8)(emu->faults | faults);
	else
		emu->faults = (__u8)(emu->faults & ~faults);
	if (emu->faults & MACSTATS_FAULT_PARITY_ERROR) {
		for (i = 0; i < emu->model->n_blocks; i++)
			if (emu->model->blocks[i].parity_error.mask)
				emu->blocks[i].parity_error = true;
		emu->faults = (__u8)(emu->faults & ~MACSTATS_FAULT_PARITY_ERROR);
	}
}

#endif /* MACSTATS_EMULATOR_H */
