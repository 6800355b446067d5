/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cells: where frames are counted, and the sums that counters make of them.
 *
 * A class gets its cell with its first frame; counting a frame adds to the sums of its cell and
 * touches nothing else, whatever the number of counters. A counter's sum is that of the cells of
 * all classes which its row names. Frames that no cell takes are counted under the lock: what they
 * add to a counter moves its base.
 *
 * Cells are kept per CPU, so that counting shares nothing. A CPU's cells have one writer at a time:
 * the caller prevents migration, and, except with PREEMPT_RT, preemption by a second one.
 */
#ifndef MACSTATS_EMULATE_CELLS_H
#define MACSTATS_EMULATE_CELLS_H

#include "class.h"

#ifdef __KERNEL__
static inline void macstats_cpu_cells_init(struct macstats_cpu_cells *cpu_cells)
{
	seqcount_init(&cpu_cells->seq);
}

/* Add @count frames to a cell; @each is what one of them adds. */
static inline void macstats__cell_add(struct macstats_cpu_cells *cpu_cells, unsigned int index,
				      const struct macstats_sums *each, __u64 count)
{
	struct macstats_sums *cell = &cpu_cells->cells[index];

	/* Bottom halves that are off, or a spinlock, do not keep PREEMPT_RT from preempting. */
	preempt_disable_nested();
	raw_write_seqcount_begin(&cpu_cells->seq);
	WRITE_ONCE(cell->frames, cell->frames + count * each->frames);
	WRITE_ONCE(cell->octets, cell->octets + count * each->octets);
	WRITE_ONCE(cell->payload, cell->payload + count * each->payload);
	WRITE_ONCE(cell->line, cell->line + count * each->line);
	WRITE_ONCE(cpu_cells->additions, cpu_cells->additions + 1);
	raw_write_seqcount_end(&cpu_cells->seq);
	preempt_enable_nested();
}

static inline void macstats__cell_read(const struct macstats_cpu_cells *cpu_cells,
				       unsigned int index, struct macstats_sums *sums)
{
	const struct macstats_sums *cell = &cpu_cells->cells[index];
	unsigned int start;

	do {
		start = read_seqcount_begin(&cpu_cells->seq);
		sums->frames = READ_ONCE(cell->frames);
		sums->octets = READ_ONCE(cell->octets);
		sums->payload = READ_ONCE(cell->payload);
		sums->line = READ_ONCE(cell->line);
	} while (read_seqcount_retry(&cpu_cells->seq, start));
}

static inline __u64 macstats__cpu_additions(const struct macstats_cpu_cells *cpu_cells)
{
	unsigned int start;
	__u64 additions;

	do {
		start = read_seqcount_begin(&cpu_cells->seq);
		additions = READ_ONCE(cpu_cells->additions);
	} while (read_seqcount_retry(&cpu_cells->seq, start));
	return additions;
}
#else
MACSTATS_FN void macstats__cell_add(struct macstats_cpu_cells *cpu_cells, unsigned int index,
				    const struct macstats_sums *each, __u64 count)
{
	struct macstats_sums *cell = &cpu_cells->cells[index];

	cell->frames += count * each->frames;
	cell->octets += count * each->octets;
	cell->payload += count * each->payload;
	cell->line += count * each->line;
	cpu_cells->additions++;
}

MACSTATS_FN void macstats__cell_read(const struct macstats_cpu_cells *cpu_cells,
				     unsigned int index, struct macstats_sums *sums)
{
	*sums = cpu_cells->cells[index];
}

MACSTATS_FN __u64 macstats__cpu_additions(const struct macstats_cpu_cells *cpu_cells)
{
	return cpu_cells->additions;
}
#endif

/* Where the search for a cell begins. These bits of the product depend on the whole class. */
MACSTATS_FN unsigned int macstats__first_cell(__u64 frame_class)
{
	return (unsigned int)(frame_class * 0x9e3779b97f4a7c15ull >> 56) % MACSTATS_CELLS;
}

/*
 * Find the cell of a class. Return: MACSTATS_CELLS if it has none. Takes no lock: where a key of 64
 * bits is stored in two halves, one of them alone is no key and not 0, so that the cell is seen as
 * another class's.
 */
MACSTATS_FN unsigned int macstats__find_cell(const struct macstats_emulator *emu, __u64 frame_class)
{
	unsigned int first = macstats__first_cell(frame_class);
	unsigned int i;

	for (i = 0; i < MACSTATS_CELLS; i++) {
		unsigned int cell = (first + i) % MACSTATS_CELLS;
		__u64 found = MACSTATS_LOAD(emu->classes[cell]);

		if (found == frame_class)
			return cell;
		if (!found)
			break;
	}
	return MACSTATS_CELLS;
}

/*
 * Check whether a cell can take @count of these frames: its octets must not wrap between two
 * looks at the line, and some counters do not count all octets of longer frames.
 */
MACSTATS_FN bool macstats__fits_cell(const struct macstats_emulator *emu,
				     const struct macstats_seen *seen, __u64 count)
{
	return !(count >> 32) && seen->each.octets <= emu->frame_limit;
}

/*
 * Count @count frames into @cpu_cells. Return: false, and nothing counted, if no cell takes them:
 * then macstats_count_locked() has to be called, under the lock.
 */
MACSTATS_FN bool macstats_count(const struct macstats_emulator *emu,
				struct macstats_cpu_cells *cpu_cells,
				const struct macstats_seen *seen, __u64 count)
{
	unsigned int cell;

	if (!macstats_is_counted(seen))
		return true;
	if (!macstats__fits_cell(emu, seen, count))
		return false;
	cell = macstats__find_cell(emu, seen->frame_class);
	if (cell == MACSTATS_CELLS)
		return false;
	macstats__cell_add(cpu_cells, cell, &seen->each, count);
	return true;
}

MACSTATS_FN void macstats__sum_cell(const struct macstats_cell_set *cell_set, unsigned int index,
				    struct macstats_sums *sums)
{
	struct macstats_sums one = { 0, 0, 0, 0 };
	unsigned int i;

	*sums = one;
	for (i = 0; i < cell_set->count; i++) {
		macstats__cell_read(cell_set->cpu_cells[i], index, &one);
		sums->frames += one.frames;
		sums->octets += one.octets;
		sums->payload += one.payload;
		sums->line += one.line;
	}
}

/* Additions to the cells so far: an equal number means equal sums. */
MACSTATS_FN __u64 macstats__additions(const struct macstats_cell_set *cell_set)
{
	__u64 additions = 0;
	unsigned int i;

	for (i = 0; i < cell_set->count; i++)
		additions += macstats__cpu_additions(cell_set->cpu_cells[i]);
	return additions;
}

/* Sum up all cells, each read once, so that sums which must agree do so. */
MACSTATS_FN void macstats__sum_again(struct macstats_emulator *emu,
				     const struct macstats_cell_set *cell_set)
{
	struct macstats_cell_totals *totals = &emu->totals;
	const struct macstats_model *model = emu->model;
	struct macstats_sums sums = { 0, 0, 0, 0 };
	unsigned int block;
	unsigned int cell;
	unsigned int i = 0;

	/* First: what is added meanwhile may be in the sums, or not. */
	totals->additions = macstats__additions(cell_set);
	totals->good = 0;
	totals->line = 0;
	for (i = 0; i < model->n_counters; i++)
		emu->counters[i].sum = 0;
	for (cell = 0; cell < MACSTATS_CELLS; cell++) {
		__u64 frame_class = emu->classes[cell];

		if (!frame_class)
			continue;
		macstats__sum_cell(cell_set, cell, &sums);
		totals->line += sums.line;
		if (macstats__is_good(model, frame_class))
			totals->good += sums.frames;
		for (i = 0; i < model->n_counters; i++)
			if (macstats_counts(&model->counters[i], frame_class))
				emu->counters[i].sum += macstats_amount(model, &model->counters[i],
									frame_class, &sums);
	}
	for (block = 0; block < model->n_blocks; block++)
		for (i = 0; emu->blocks[block].still && i < model->n_counters; i++)
			if (model->counters[i].block == block)
				emu->counters[i].sum = emu->counters[i].still;
}

/* The sums over the cells now. */
MACSTATS_FN const struct macstats_cell_totals *
macstats__sum_cells(struct macstats_emulator *emu, const struct macstats_cell_set *cell_set)
{
	if (emu->totals.additions != macstats__additions(cell_set))
		macstats__sum_again(emu, cell_set);
	return &emu->totals;
}

/* The sum of the cells that a counter counts. */
MACSTATS_FN __u64 macstats__sum_counter(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int index)
{
	macstats__sum_cells(emu, cell_set);
	return emu->counters[index].sum;
}

/* Good frames received so far. */
MACSTATS_FN __u64 macstats__good_frames(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set)
{
	return emu->other_good + macstats__sum_cells(emu, cell_set)->good;
}

/* Check whether a counter stays at its maximum now. Sums of 64 bits do not tell. */
MACSTATS_FN bool macstats__saturates(const struct macstats_emulator *emu,
				     const struct macstats_counter *counter)
{
	return counter->overflow == MACSTATS_SATURATE ||
	       (counter->bits < 64 && emu->blocks[counter->block].saturates);
}

/*
 * Add to a counter by its base. One that saturates gets no more than it can show, so that it never
 * comes round to 0.
 */
MACSTATS_FN void macstats__add_to_base(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set,
				       unsigned int index, __u64 amount)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	struct macstats_emulated_counter *state = &emu->counters[index];

	if (macstats__saturates(emu, counter)) {
		__u64 held = macstats__sum_counter(emu, cell_set, index) - state->base;
		__u64 most = macstats_bits_mask(counter->bits);
		__u64 room = held < most ? most - held : 0;

		if (amount > room)
			amount = room;
	}
	state->base -= amount;
}

/* Let a lagging counter show its events, once enough good frames arrived. */
MACSTATS_FN void macstats__settle(struct macstats_emulator *emu,
				  const struct macstats_cell_set *cell_set, unsigned int index)
{
	struct macstats_emulated_counter *state = &emu->counters[index];

	if (!state->pending || macstats__good_frames(emu, cell_set) < state->shown_at)
		return;
	macstats__add_to_base(emu, cell_set, index, state->pending);
	state->pending = 0;
}

/*
 * Give a class a cell, unless a lagging counter counts it, or too few are left: half of them are
 * for frames without events, which most traffic is.
 */
MACSTATS_FN void macstats__make_cell(struct macstats_emulator *emu, __u64 frame_class)
{
	const struct macstats_model *model = emu->model;
	unsigned int most = macstats__has_events(frame_class) ? MACSTATS_CELLS / 2 : MACSTATS_CELLS;
	unsigned int cell = macstats__first_cell(frame_class);
	unsigned int i;

	if (emu->cells >= most)
		return;
	for (i = 0; i < model->n_counters; i++)
		if (model->counters[i].good_frames &&
		    macstats_counts(&model->counters[i], frame_class))
			return;
	while (emu->classes[cell])
		cell = (cell + 1) % MACSTATS_CELLS;
	/* No barrier: all cells exist, and are 0, from power-up on. */
	MACSTATS_STORE(emu->classes[cell], frame_class);
	emu->cells++;
}

/* Count frames that have no cell by the bases of the counters which count them. */
MACSTATS_FN void macstats_count_at_once(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					const struct macstats_seen *seen, __u64 count)
{
	const struct macstats_model *model = emu->model;
	__u64 line = macstats_saturating_multiply(count, seen->each.line);
	unsigned int i;

	emu->other_line = macstats_saturating_add(emu->other_line, line);
	if (macstats__is_good(model, seen->frame_class))
		emu->other_good += count;
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		struct macstats_emulated_counter *state = &emu->counters[i];
		struct macstats_sums each = seen->each;
		bool saturates;
		__u64 amount;

		if (!macstats_counts(counter, seen->frame_class) ||
		    emu->blocks[counter->block].still)
			continue;
		if (counter->frame_limit && each.octets > counter->frame_limit)
			each.octets = counter->frame_limit;
		amount = macstats_amount(model, counter, seen->frame_class, &each);
		saturates = macstats__saturates(emu, counter);
		amount = saturates ? macstats_saturating_multiply(count, amount) : count * amount;
		if (!counter->good_frames) {
			macstats__add_to_base(emu, cell_set, i, amount);
			continue;
		}
		macstats__settle(emu, cell_set, i);
		state->pending = saturates ? macstats_saturating_add(state->pending, amount) :
					     state->pending + amount;
		state->shown_at = macstats__good_frames(emu, cell_set) + counter->good_frames;
	}
}

/* Count what macstats_count() has not: the first frames of a class, and those without a cell. */
MACSTATS_FN void macstats_count_locked(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set,
				       struct macstats_cpu_cells *cpu_cells,
				       const struct macstats_seen *seen, __u64 count)
{
	if (macstats__fits_cell(emu, seen, count) &&
	    macstats__find_cell(emu, seen->frame_class) == MACSTATS_CELLS)
		macstats__make_cell(emu, seen->frame_class);
	if (!macstats_count(emu, cpu_cells, seen, count))
		macstats_count_at_once(emu, cell_set, seen, count);
}

/*
 * Octet times that the frames counted since the last call took on the line, both directions
 * together, at the most ~0: for macstats_bus.line_octets. An emulated line can be faster than its
 * nominal rate.
 */
MACSTATS_FN __u64 macstats_line_octets(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set)
{
	__u64 cells = macstats__sum_cells(emu, cell_set)->line;
	__u64 line = macstats_saturating_add(cells - emu->line_seen, emu->other_line);

	emu->line_seen = cells;
	emu->other_line = 0;
	return line;
}

#endif /* MACSTATS_EMULATE_CELLS_H */
