/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rules that every model keeps. macstats_find_violation() names the first rule that a model
 * breaks, and the row that breaks it. check.h lets the C++ compiler apply the rules; the kernel
 * applies them to the model of a driver when it registers a port.
 *
 * Nothing here allocates or sleeps. A constant expression of C++ has no functions of string.h,
 * so that some of them are here again.
 */
#ifndef MACSTATS_RULES_H
#define MACSTATS_RULES_H

#include "emulator.h"
#include "standard.h"

/*
 * Each rule, by its name in C and in C++, as what its row does wrong: the text follows the
 * row's name in a message.
 */
#define MACSTATS_RULE_LIST(X)							\
	X(NONE, none, "breaks no rule")							\
	X(TOO_MANY_ROWS, too_many_rows, "has no rows, or more than MACSTATS_MAX_* allows") \
	X(TABLE_MISSING, table_missing, "is a table that is not set")			\
	X(TEXT_MISSING, text_missing, "lacks a name or a help text")			\
	X(BUS_WIDTH, bus_width,								\
	  "needs a bus of 8, 16, 32 or 64 bits, a whole number of address units")	\
	X(LINE_RATE, line_rate, "needs a line rate of 1 Mb/s to 10 Tb/s")		\
	X(NO_PORTS, no_ports, "needs at least one port")				\
	X(LINES_OF_PORTS, lines_of_ports,						\
	  "has several ports, or over 16 lines, that feed one block")			\
	X(REGION_PORTS, region_ports, "has regions and several ports")			\
	X(NO_SUCH_REGION, no_such_region, "lies in no region, or in several")		\
	X(PORT_STRIDE, port_stride, "has two ports whose registers overlap")		\
	X(ADDRESS_SPACE, address_space, "needs the last address of 32 bits, or one behind it")	\
	X(APART, apart,									\
	  "lies apart, but is not cleared by a read, or not behind all other registers") \
	X(EDGE_ORDER, edge_order, "does not ascend, for tagged and untagged frames")	\
	X(EDGE_RANGE, edge_range, "lies beyond the longest frame")			\
	X(EDGE_CROWD, edge_crowd,							\
	  "is the third edge within a power of two, of which the emulator sees two")	\
	X(NO_VARIANT, no_variant, "has a rule for a variant that does not exist")	\
	X(PADDING, padding, "pads frames to less than the shortest frame that it sends") \
	X(UNKNOWN_OPTION, unknown_option, "names an option that the model lacks")	\
	X(SPEED, speed, "has a speed option that is not below the line rate, or is a default") \
	X(VARIANT_UNEXPLAINED, variant_unexplained, "has a variant without an explanation") \
	X(UNKNOWN_FAULT, unknown_fault, "names a fault that the model does not support") \
	X(UNKNOWN_VALUE, unknown_value, "has a member that is not one of its enumerators") \
	X(NAME_TOO_LONG, name_too_long, "has a name of over 31 characters")		\
	X(NAME_NOT_SNAKE_CASE, name_not_snake_case, "has a name that is not lower snake_case") \
	X(NAME_PREFIX, name_prefix,							\
	  "has a name that does not start with rx_, tx_ or rxtx_ as the row counts")	\
	X(NAME_TWICE, name_twice, "has the same name as")				\
	X(REGISTER_NAME_TWICE, register_name_twice, "has the same datasheet name as")	\
	X(METRIC_NAME_TWICE, metric_name_twice, "has the same name in metrics as")	\
	X(BITS, bits, "has a width or a reset value out of range")			\
	X(ALIGNMENT, alignment, "has an offset that is no multiple of the bus width")	\
	X(ORDER, order, "does not ascend by offset behind")				\
	X(HIGH_WORD, high_word,								\
	  "is no word behind a counter of one word that no read or write changes")	\
	X(OVERLAP, overlap, "overlaps")							\
	X(NO_SUCH_BLOCK, no_such_block, "belongs to a block that does not exist")	\
	X(BLOCK_OPTION, block_option,							\
	  "is built by something else than an option of the model for that")		\
	X(OPTION_WITHOUT_BLOCK, option_without_block,					\
	  "has an option for statistics that builds no block")				\
	X(BLOCK_UNIDENTIFIED, block_unidentified,					\
	  "can be left out, but no identity register of the model shows it")		\
	X(OTHER_OPTION, other_option, "is in a register that another option builds")	\
	X(BLOCK_OF_REGISTER, block_of_register, "names a block, but does not need its counters") \
	X(GAP_IN_LIST, gap_in_list, "has an entry behind the end of its list")		\
	X(SIZE_MASK, size_mask, "has size classes that are not contiguous or not in the model") \
	X(DECREMENT_WORDS, decrement_words,						\
	  "is decremented by a write, but has several bus words")			\
	X(TWO_WRITES, two_writes,							\
	  "is decremented by a write that the write-enable bit lets store")		\
	X(TWO_SIDE_EFFECTS, two_side_effects, "is cleared by a read and decremented by a write") \
	X(SATURATING_DECREMENT, saturating_decrement,					\
	  "saturates until a write decrements it")					\
	X(SNAPSHOT_SIDE_EFFECT, snapshot_side_effect,					\
	  "has side effects, but is read under a snapshot")				\
	X(TORN, torn, "has several bus words, but neither a snapshot nor a latch")	\
	X(SETTING_ON_GOOD_FRAMES, setting_on_good_frames,				\
	  "applies a setting to frames without errors or collisions")			\
	X(STATUS_ROW_WITH_FRAMES, status_row_with_frames,				\
	  "is a software counter, but states which frames it counts")			\
	X(ERRORS_WITH_FRAMES, errors_with_frames,					\
	  "states errors_only, but also which frames it counts")			\
	X(LATCH_ORDER, latch_order, "latches, but its low word is not read first")	\
	X(UNKNOWN_TERM, unknown_term, "feeds an unknown standard statistic, or adds 0 to it") \
	X(TERM_TWICE, term_twice, "feeds a standard statistic twice")			\
	X(TERM_DIRECTION, term_direction, "feeds a standard statistic of another direction") \
	X(TERM_UNIT, term_unit, "feeds a standard statistic of another unit")		\
	X(TERM_GOOD, term_good, "adds good frames to errors")				\
	X(HISTOGRAM_ROW, histogram_row,							\
	  "feeds a histogram, but not with frames of one range of sizes")		\
	X(HISTOGRAM_GAP, histogram_gap,							\
	  "leaves a gap, an overlap or no open end in the histogram")			\
	X(HISTOGRAM_SIZES, histogram_sizes,						\
	  "is a bucket of other sizes than that of the other direction")		\
	X(TOO_MANY_BUCKETS, too_many_buckets, "has a histogram of over 11 buckets")	\
	X(FIELD_WITHOUT_REGISTER, field_without_register, "is a field of no register")	\
	X(FIELD_WIDTH, field_width, "does not fit into its register")			\
	X(FIELD_OVERLAP, field_overlap, "shares bits with")				\
	X(FIELD_ACCESS, field_access, "is writable in a read-only register")		\
	X(SINGLEPULSE_READ_ONLY, singlepulse_read_only, "is a command that cannot be written") \
	X(RULE_WITHOUT_REGISTER, rule_without_register, "refers to no register")	\
	X(RULE_NOT_A_FIELD, rule_not_a_field, "refers to bits that are not exactly a field") \
	X(RULE_ACCESS, rule_access, "refers to a field of the wrong access")		\
	X(RULE_INCOMPLETE, rule_incomplete,						\
	  "is a request without grant, or an error that cannot be cleared")		\
	X(MAX_FRAME_WIDTH, max_frame_width, "has too few bits for a frame of 1518 octets") \
	X(RETRY_WIDTH, retry_width, "has more bits than there are retransmissions: at most 15") \
	X(STATUS_BITS, status_bits, "needs bits of the status, each one named once")	\
	X(TWO_MAXIMA, two_maxima, "is a second rule for the maximum frame length")	\
	X(SWITCHED_LENGTHS, switched_lengths,						\
	  "needs two lengths that differ, from 1518 to 65535 octets")			\
	X(IDENTITY_VALUE, identity_value, "differs from its register's reset value")	\
	X(DUMPED, dumped, "is in register dumps, although a read changes it")		\
	X(NOT_DUMPED, not_dumped,							\
	  "is kept out of register dumps, although a read changes nothing")

#define MACSTATS_RULE_ENUM(upper, lower, text) MACSTATS_RULE_##upper,
enum macstats_rule {
	MACSTATS_RULE_LIST(MACSTATS_RULE_ENUM)
};
#undef MACSTATS_RULE_ENUM

#define MACSTATS_RULE_TEXT(upper, lower, text) text,
MACSTATS_TABLE const char *const macstats_rule_texts[] = {
	MACSTATS_RULE_LIST(MACSTATS_RULE_TEXT)
};
#undef MACSTATS_RULE_TEXT

/*
 * The member of macstats_model that breaks a rule, and its name in a message. The row of a rule
 * about a block is the block.
 */
#define MACSTATS_PART_LIST(X)						\
	X(MODEL, model, "the model")					\
	X(COUNTERS, counters, "counters")				\
	X(REGISTERS, registers, "registers")				\
	X(FIELDS, fields, "fields")					\
	X(BLOCKS, blocks, "blocks")					\
	X(RESERVED, reserved, "reserved")				\
	X(IDENTITY, identity, "identity")				\
	X(SIZES, sizes, "sizes")					\
	X(SNAPSHOT_REQUEST, snapshot_request, "snapshot_request")	\
	X(SNAPSHOT_GRANTED, snapshot_granted, "snapshot_granted")	\
	X(CLEAR, clear, "clear")					\
	X(PARITY_ERROR, parity_error, "parity_error")			\
	X(PARITY_CLEAR, parity_clear, "parity_clear")			\
	X(SCRATCH, scratch, "scratch")					\
	X(GATE, gate, "gate")						\
	X(MAX_FRAME_RX, max_frame_rx, "max_frame_rx")			\
	X(MAX_FRAME_TX, max_frame_tx, "max_frame_tx")			\
	X(ANY_LENGTH_TX, any_length_tx, "any_length_tx")		\
	X(BUSY, busy, "busy")						\
	X(HALF_FULL_PENDING, half_full_pending, "half_full_pending")	\
	X(HALF_FULL_ENABLE, half_full_enable, "half_full_enable")	\
	X(SETTING, setting, "setting")					\
	X(TX_STATUS, tx_status, "tx_status")				\
	X(MAX_FRAME_SWITCH, max_frame_switch, "max_frame_switch")	\
	X(INCREMENT, increment, "increment")				\
	X(WRITE_ENABLE, write_enable, "write_enable")			\
	X(FLOW_CONTROL, flow_control, "flow_control")			\
	X(REGIONS, regions, "regions")					\
	X(RX_STATUS, rx_status, "rx_status")				\
	X(RX_DESCRIBED, rx_described, "rx_described")			\
	X(DESCRIPTOR, descriptor, "descriptor")				\
	X(RETRY_LIMIT, retry_limit, "retry_limit")

#define MACSTATS_PART_ENUM(upper, lower, text) MACSTATS_PART_##upper,
enum macstats_part {
	MACSTATS_PART_LIST(MACSTATS_PART_ENUM)
};
#undef MACSTATS_PART_ENUM

#define MACSTATS_PART_TEXT(upper, lower, text) text,
MACSTATS_TABLE const char *const macstats_part_texts[] = {
	MACSTATS_PART_LIST(MACSTATS_PART_TEXT)
};
#undef MACSTATS_PART_TEXT

/* The rule that is broken, the row that breaks it, and the row that it collides with. */
struct macstats_finding {
	enum macstats_rule rule;	/* MACSTATS_RULE_NONE: none is broken */
	enum macstats_part part;
	unsigned int row;
	const char *other;		/* the name of that row, or "" */
};

/* ETHTOOL_RMON_HIST_MAX; kernels up to 6.17 have room for 10, and show the first ones. */
#define MACSTATS_MAX_BUCKETS	11

/* Compilers limit the steps of a constant expression (clang: 2^20): nothing here is cubic. */

/* A row collides with the one named @other. */
MACSTATS_FN struct macstats_finding macstats_collision(enum macstats_rule rule,
						       enum macstats_part part, unsigned int row,
						       const char *other)
{
	struct macstats_finding finding = { rule, part, row, other };

	return finding;
}

MACSTATS_FN struct macstats_finding macstats_broken(enum macstats_rule rule,
						    enum macstats_part part, unsigned int row)
{
	return macstats_collision(rule, part, row, "");
}

MACSTATS_TABLE const struct macstats_finding macstats_no_finding = {
	MACSTATS_RULE_NONE, MACSTATS_PART_MODEL, 0, "",
};

/*
 * Under -fsanitize=undefined, g++ 12 cannot compare the address of an object with null in a
 * constant expression. Such an address is not null.
 */
#ifdef __cplusplus
#define macstats_is_null(pointer)						\
	(__builtin_is_constant_evaluated() ?					\
	 __builtin_constant_p((pointer) == nullptr) && (pointer) == nullptr :	\
	 (pointer) == nullptr)
#else
#define macstats_is_null(pointer) (!(pointer))
#endif

MACSTATS_FN bool macstats_is_empty_text(const char *text)
{
	return macstats_is_null(text) || !*text;
}

MACSTATS_FN bool macstats_is_same_text(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

MACSTATS_FN bool macstats_begins_with(const char *text, const char *prefix)
{
	while (*prefix && *text == *prefix) {
		text++;
		prefix++;
	}
	return !*prefix;
}

MACSTATS_FN bool macstats_is_between(unsigned int value, unsigned int first, unsigned int last)
{
	return value >= first && value <= last;
}

MACSTATS_FN bool macstats_is_subset(unsigned int mask, unsigned int of)
{
	return !(mask & ~of);
}

MACSTATS_FN bool macstats_is_contiguous(unsigned int mask)
{
	unsigned int shifted = mask ? mask >> macstats_bit_shift(mask) : 0;

	return mask && !(shifted & (shifted + 1));
}

/*
 * A name in metrics: that which node_exporter's ethtool collector gives to a string of ethtool -S,
 * or that of the family of `macstats export`.
 */
struct macstats_metric_name {
	/* The longest one is of "tx_rx_tx_...": 21 characters for every six. NUL-terminated. */
	char text[4 * (MACSTATS_NAME_LEN + 1) + 12];
	unsigned int length;
};

MACSTATS_TABLE const char *const macstats_renamed_totals[] = {
	"rx_bytes", "rx_dropped", "rx_errors", "rx_packets", "tx_bytes", "tx_errors", "tx_packets",
};

MACSTATS_FN void macstats_metric_name_add(struct macstats_metric_name *name, const char *text)
{
	while (*text)
		name->text[name->length++] = *text++;
	name->text[name->length] = 0;
}

MACSTATS_FN bool macstats_is_alphanumeric(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Copy the characters that may stand in a metric, in lower case, as the collector does: others,
 * with the underscores around them, become one underscore. No underscore stands at the beginning.
 */
MACSTATS_FN void macstats_sanitize(char *to, const char *string)
{
	unsigned int length = 0;
	unsigned int replaced = 0;	/* the end of the last underscore that replaces others */

	while (*string) {
		if (macstats_is_alphanumeric(*string)) {
			to[length++] = (char)(*string | 0x20);	/* digits have that bit */
			string++;
			continue;
		}
		if (*string == '_') {
			string++;
			if (length)
				to[length++] = '_';
			continue;
		}
		while (length > replaced && to[length - 1] == '_')
			length--;
		while (*string && *string != '_' && !macstats_is_alphanumeric(*string))
			string++;
		while (*string == '_')
			string++;
		if (length)
			to[length++] = '_';
		replaced = length;
	}
	to[length] = 0;
}

/*
 * The name that the collector gives to @string of ethtool -S, which it has sanitized to @token. It
 * spells out the words rx and tx, but of two that are the same and follow each other only the
 * first, and appends "_total" to the names in its own list.
 */
MACSTATS_FN void macstats_spell_out(struct macstats_metric_name *name, const char *token,
				    const char *string)
{
	char last = 0;	/* 'r' or 't', if that word was spelt out in front of this one */
	unsigned int i;

	name->length = 0;
	while (*token) {
		bool is_word = (token[0] == 'r' || token[0] == 't') && token[1] == 'x' &&
			       (token[2] == '_' || !token[2]) && token[0] != last;

		last = is_word ? token[0] : 0;
		if (is_word) {
			macstats_metric_name_add(name, *token == 'r' ? "received" : "transmitted");
			token += 2;
		}
		while (*token && *token != '_')
			name->text[name->length++] = *token++;
		if (*token)
			name->text[name->length++] = *token++;
	}
	name->text[name->length] = 0;
	for (i = 0; i < MACSTATS_COUNT_OF(macstats_renamed_totals); i++)
		if (macstats_is_same_text(string, macstats_renamed_totals[i]))
			macstats_metric_name_add(name, "_total");
}

/* The name that the collector gives to a string of ethtool -S, whose length is checked. */
MACSTATS_FN void macstats_rename(struct macstats_metric_name *name, const char *string)
{
	char sanitized[MACSTATS_NAME_LEN + 2] = { 0 };

	macstats_sanitize(sanitized, string);
	macstats_spell_out(name, sanitized, string);
}

/* The name of a counter's family: it ends with the unit, and so may the counter's name. */
MACSTATS_FN void macstats_family_name(struct macstats_metric_name *name, const char *counter,
				      const char *unit)
{
	unsigned int length = 0;
	unsigned int i;

	name->length = 0;
	macstats_metric_name_add(name, counter);
	while (unit[length])
		length++;
	for (i = 0; i < length && i < name->length; i++)
		if (name->text[name->length - 1 - i] != unit[length - 1 - i])
			break;
	if (i == length && name->length > i && name->text[name->length - 1 - i] == '_')
		return;
	macstats_metric_name_add(name, "_");
	macstats_metric_name_add(name, unit);
}

/* Text @i of those that must differ. @room: a place for a text that is made. */
typedef const char *macstats_text_at(const struct macstats_model *model, unsigned int i,
				     struct macstats_metric_name *room);

MACSTATS_FN const char *macstats_name_at(const struct macstats_model *model, unsigned int i,
					 struct macstats_metric_name *room)
{
	(void)room;
	return model->counters[i].name;
}

/* The datasheet names of counters, and behind them those of registers. */
MACSTATS_FN const char *macstats_reg_at(const struct macstats_model *model, unsigned int i,
					struct macstats_metric_name *room)
{
	(void)room;
	return i < model->n_counters ? model->counters[i].reg :
				       model->registers[i - model->n_counters].name;
}

MACSTATS_FN const char *macstats_renamed_at(const struct macstats_model *model, unsigned int i,
					    struct macstats_metric_name *room)
{
	/* Of lower case, digits and single underscores, by a rule. */
	macstats_spell_out(room, model->counters[i].name, model->counters[i].name);
	return room->text;
}

MACSTATS_FN const char *macstats_family_at(const struct macstats_model *model, unsigned int i,
					   struct macstats_metric_name *room)
{
	macstats_family_name(room, model->counters[i].name,
			     macstats_metric_unit((enum macstats_unit)model->counters[i].unit));
	return room->text;
}

MACSTATS_FN __u32 macstats_text_hash(const char *text)
{
	__u32 value = 0x811c9dc5;	/* FNV-1a */

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 0x01000193u;
	return value;
}

/* Note in @bits that bit @i was seen. Return: it was before. */
MACSTATS_FN bool macstats_was_seen(__u8 *bits, unsigned int i)
{
	unsigned int bit = 1u << i % 8;
	bool before = bits[i / 8] & bit;

	bits[i / 8] = (__u8)(bits[i / 8] | bit);
	return before;
}

struct macstats_twins {
	unsigned int earlier;
	unsigned int later;
};

#define MACSTATS_SEEN_BITS	2048

/*
 * Find the first of @n texts that equals an earlier one. It compares only those texts with all
 * earlier ones whose hash may have come before: to compare all pairs would exceed the
 * compiler's limit of steps.
 */
MACSTATS_FN bool macstats_find_twins(const struct macstats_model *model, unsigned int n,
				     macstats_text_at *text_at, struct macstats_twins *twins)
{
	struct macstats_metric_name rooms[2] = { { { 0 }, 0 }, { { 0 }, 0 } };
	__u8 seen[MACSTATS_SEEN_BITS / 8] = { 0 };
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < n; i++) {
		const char *text = text_at(model, i, &rooms[0]);
		__u32 hash = macstats_text_hash(text);
		bool low = macstats_was_seen(seen, hash % MACSTATS_SEEN_BITS);
		bool high = macstats_was_seen(seen, (hash >> 16) % MACSTATS_SEEN_BITS);

		for (k = 0; low && high && k < i; k++) {
			if (macstats_is_same_text(text_at(model, k, &rooms[1]), text)) {
				twins->earlier = k;
				twins->later = i;
				return true;
			}
		}
	}
	return false;
}

MACSTATS_FN struct macstats_finding macstats_rules_limits(const struct macstats_model *model)
{
	if (!macstats_is_between(model->n_counters, 1, MACSTATS_MAX_COUNTERS))
		return macstats_broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_COUNTERS, 0);
	if (model->n_registers > MACSTATS_MAX_REGISTERS)
		return macstats_broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_REGISTERS, 0);
	if (!macstats_is_between(model->n_blocks, 1, MACSTATS_MAX_BLOCKS))
		return macstats_broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_BLOCKS, 0);
	if (model->n_reserved > MACSTATS_MAX_RESERVED)
		return macstats_broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_RESERVED, 0);
	if (model->n_regions > MACSTATS_MAX_REGIONS)
		return macstats_broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_REGIONS, 0);
	if (model->n_identity > MACSTATS_MAX_IDENTITY)
		return macstats_broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_IDENTITY, 0);
	if (macstats_is_null(model->counters))
		return macstats_broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_COUNTERS, 0);
	if (model->n_registers && macstats_is_null(model->registers))
		return macstats_broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_REGISTERS, 0);
	if (model->n_fields && macstats_is_null(model->fields))
		return macstats_broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_FIELDS, 0);
	if (model->n_tx_status && macstats_is_null(model->tx_status))
		return macstats_broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_TX_STATUS, 0);
	if (model->n_rx_status && macstats_is_null(model->rx_status))
		return macstats_broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_RX_STATUS, 0);
	return macstats_no_finding;
}

MACSTATS_FN bool macstats_lacks_text(const char *name, const char *help)
{
	return macstats_is_empty_text(name) || macstats_is_empty_text(help);
}

MACSTATS_FN struct macstats_finding macstats_rules_texts(const struct macstats_model *model)
{
	const enum macstats_rule missing = MACSTATS_RULE_TEXT_MISSING;
	unsigned int i;

	if (macstats_lacks_text(model->name, model->title) ||
	    macstats_is_empty_text(model->datasheet))
		return macstats_broken(missing, MACSTATS_PART_MODEL, 0);
	for (i = 0; i < model->n_counters; i++)
		if (macstats_lacks_text(model->counters[i].name, model->counters[i].help) ||
		    macstats_is_empty_text(model->counters[i].reg))
			return macstats_broken(missing, MACSTATS_PART_COUNTERS, i);
	for (i = 0; i < model->n_registers; i++)
		if (macstats_lacks_text(model->registers[i].name, model->registers[i].help))
			return macstats_broken(missing, MACSTATS_PART_REGISTERS, i);
	for (i = 0; i < model->n_fields; i++)
		if (macstats_lacks_text(model->fields[i].name, model->fields[i].help))
			return macstats_broken(missing, MACSTATS_PART_FIELDS, i);
	for (i = 0; i < model->n_blocks; i++)
		if (macstats_is_empty_text(model->blocks[i].name))
			return macstats_broken(missing, MACSTATS_PART_BLOCKS, i);
	for (i = 0; i < model->n_regions; i++)
		if (macstats_is_empty_text(model->regions[i].name))
			return macstats_broken(missing, MACSTATS_PART_REGIONS, i);
	for (i = 0; i < model->n_tx_status; i++)
		if (macstats_lacks_text(model->tx_status[i].name, model->tx_status[i].help))
			return macstats_broken(missing, MACSTATS_PART_TX_STATUS, i);
	for (i = 0; i < model->n_rx_status; i++)
		if (macstats_lacks_text(model->rx_status[i].name, model->rx_status[i].help))
			return macstats_broken(missing, MACSTATS_PART_RX_STATUS, i);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats_rules_sizes(const struct macstats_model *model)
{
	const struct macstats_sizes *sizes = &model->sizes;
	unsigned int edges = macstats_size_classes(sizes) - 1;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_EDGES; i++) {
		unsigned int lift = sizes->tagged_edges >> i & 1 ? MACSTATS_TAG_LEN : 0;
		unsigned int next = sizes->tagged_edges >> (i + 1) & 1 ? MACSTATS_TAG_LEN : 0;

		/* Behind the end of the list nothing may follow. */
		if (i >= edges && (sizes->edge[i] || lift))
			return macstats_broken(MACSTATS_RULE_EDGE_ORDER, MACSTATS_PART_SIZES, i);
		if (sizes->edge[i] + lift > MACSTATS_FRAME_MAX)
			return macstats_broken(MACSTATS_RULE_EDGE_RANGE, MACSTATS_PART_SIZES, i);
		if (i + 1 < edges && (sizes->edge[i] >= sizes->edge[i + 1] ||
				      sizes->edge[i] + lift >= sizes->edge[i + 1] + next))
			return macstats_broken(MACSTATS_RULE_EDGE_ORDER, MACSTATS_PART_SIZES,
					       i + 1);
	}
	return macstats_no_finding;
}

/* Does the emulator's way of finding a class agree with the list, on both sides of each edge? */
MACSTATS_FN struct macstats_finding macstats_rules_octaves(const struct macstats_model *model)
{
	struct macstats_octave octaves[MACSTATS_OCTAVES] = { { { 0, 0 }, 0 } };
	unsigned int edges = macstats_size_classes(&model->sizes) - 1;
	unsigned int tagged;
	unsigned int i = 0;

	for (tagged = 0; tagged < 2; tagged++) {
		macstats_octaves(octaves, &model->sizes, tagged);
		for (i = 0; i < edges; i++) {
			__u32 edge = macstats_edge(&model->sizes, i, tagged);

			if (macstats_octave_class(octaves, edge) != i + 1 ||
			    (edge > 1 && macstats_octave_class(octaves, edge - 1) != i))
				return macstats_broken(MACSTATS_RULE_EDGE_CROWD,
						       MACSTATS_PART_SIZES, i);
		}
	}
	return macstats_no_finding;
}

/* The rule that the settings of the model as a whole break. */
MACSTATS_FN enum macstats_rule macstats_broken_by_settings(const struct macstats_model *model)
{
	unsigned int faults = MACSTATS_FAULT_BUS_ERROR | MACSTATS_FAULT_RESET_IN_PROGRESS |
			      MACSTATS_FAULT_CLOCK_STOPPED;
	unsigned int i;

	if ((model->bus_bits != 8 && model->bus_bits != 16 && model->bus_bits != 32 &&
	     model->bus_bits != 64) ||
	    !model->address_unit_bits || model->bus_bits % model->address_unit_bits)
		return MACSTATS_RULE_BUS_WIDTH;
	if (model->line_rate_bps < MACSTATS_LINE_RATE_MIN_BPS ||
	    model->line_rate_bps > MACSTATS_LINE_RATE_MAX_BPS)
		return MACSTATS_RULE_LINE_RATE;
	if (!model->ports)
		return MACSTATS_RULE_NO_PORTS;
	if (model->block_lines > 16 || (model->block_lines > 1 && model->ports > 1))
		return MACSTATS_RULE_LINES_OF_PORTS;
	if (model->tx_pad_to < model->tx_shortest)
		return MACSTATS_RULE_PADDING;
	if (!macstats_is_subset(model->options, MACSTATS_OPT_ALL) ||
	    !macstats_is_subset(model->default_options, model->options))
		return MACSTATS_RULE_UNKNOWN_OPTION;
	if ((model->default_options & MACSTATS_OPT_SPEEDS) ||
	    ((model->options & MACSTATS_OPT_100M) && model->line_rate_bps <= 100000000) ||
	    ((model->options & MACSTATS_OPT_10M) && model->line_rate_bps <= 10000000))
		return MACSTATS_RULE_SPEED;
	if (model->variant_control_overhead && !(model->options & MACSTATS_OPT_VARIANT))
		return MACSTATS_RULE_NO_VARIANT;
	if ((model->options & MACSTATS_OPT_VARIANT) && macstats_is_empty_text(model->variant))
		return MACSTATS_RULE_VARIANT_UNEXPLAINED;
	if (model->power_up > MACSTATS_POWER_UP_RANDOM)
		return MACSTATS_RULE_UNKNOWN_VALUE;

	for (i = 0; i < model->n_blocks; i++) {
		if (model->blocks[i].parity_error.mask)
			faults |= MACSTATS_FAULT_PARITY_ERROR;
		if (model->blocks[i].snapshot_request.mask)
			faults |= MACSTATS_FAULT_SNAPSHOT_STUCK | MACSTATS_FAULT_SNAPSHOT_SLOW;
	}
	return macstats_is_subset(model->faults, faults) ? MACSTATS_RULE_NONE :
							   MACSTATS_RULE_UNKNOWN_FAULT;
}

MACSTATS_FN struct macstats_finding macstats_rules_settings(const struct macstats_model *model)
{
	enum macstats_rule rule = macstats_broken_by_settings(model);
	struct macstats_finding finding = macstats_broken(rule, MACSTATS_PART_MODEL, 0);

	if (!finding.rule)
		finding = macstats_rules_sizes(model);
	return finding.rule ? finding : macstats_rules_octaves(model);
}

MACSTATS_FN bool macstats_is_snake_case(const char *name)
{
	char before = '_';

	for (; *name; name++) {
		bool letter = *name >= 'a' && *name <= 'z';
		bool digit = *name >= '0' && *name <= '9';

		if (!letter && !digit && !(*name == '_' && before != '_'))
			return false;
		before = *name;
	}
	return before != '_';
}

MACSTATS_FN bool macstats_has_prefix(const char *name, unsigned int direction)
{
	bool rx = macstats_begins_with(name, "rx_");
	bool tx = macstats_begins_with(name, "tx_");
	bool rxtx = macstats_begins_with(name, "rxtx_");

	switch (direction) {
	case MACSTATS_RX:
		return rx;
	case MACSTATS_TX:
		return tx;
	case MACSTATS_RX | MACSTATS_TX:
		return rxtx;
	default:
		return rx || tx || rxtx;
	}
}

/* Length of a text, but no further than @most. */
MACSTATS_FN unsigned int macstats_text_length(const char *text, unsigned int most)
{
	unsigned int n = 0;

	while (n < most && text[n])
		n++;
	return n;
}

MACSTATS_FN enum macstats_rule
macstats_broken_by_name(const struct macstats_counter *counter)
{
	if (macstats_text_length(counter->name, MACSTATS_NAME_LEN + 1) > MACSTATS_NAME_LEN)
		return MACSTATS_RULE_NAME_TOO_LONG;
	if (!macstats_is_snake_case(counter->name))
		return MACSTATS_RULE_NAME_NOT_SNAKE_CASE;
	if (!macstats_has_prefix(counter->name, macstats_counter_direction(counter)))
		return MACSTATS_RULE_NAME_PREFIX;
	return MACSTATS_RULE_NONE;
}

MACSTATS_FN bool macstats_is_empty_when(const struct macstats_when *when)
{
	return !when->direction && !when->destination && !when->kind && !when->origin &&
	       !when->tags && !when->excess && !when->collisions && !when->deferred &&
	       !when->size && !when->errors && !when->no_errors && !when->with && !when->without;
}

/* The cells of common frames do not remember how a setting was, see emulator.h. */
MACSTATS_FN bool macstats_is_always_rare(const struct macstats_when *when)
{
	return when->errors || when->deferred || (when->kind && !(when->kind & MACSTATS_DATA)) ||
	       (when->collisions && !(when->collisions & MACSTATS_NO_COLLISION));
}

MACSTATS_FN bool macstats_has_known_classes(const struct macstats_when *when)
{
	return macstats_is_subset(when->direction, MACSTATS_RX | MACSTATS_TX) &&
	       macstats_is_subset(when->destination, MACSTATS_UNICAST | MACSTATS_MULTICAST |
						     MACSTATS_BROADCAST) &&
	       macstats_is_subset(when->kind, MACSTATS_ANY_KIND) &&
	       macstats_is_subset(when->origin, (unsigned int)MACSTATS_ANY_ORIGIN |
						MACSTATS_FORCED_COLLISION) &&
	       macstats_is_subset(when->tags, MACSTATS_UNTAGGED | MACSTATS_TAGGED |
					      MACSTATS_DOUBLE_TAGGED) &&
	       macstats_is_subset(when->excess, MACSTATS_WITHIN_MAX | MACSTATS_OVER_MAX |
						MACSTATS_VERY_LONG) &&
	       macstats_is_subset(when->collisions,
				  MACSTATS_NO_COLLISION | MACSTATS_ONE_COLLISION |
				  MACSTATS_SEVERAL_COLLISIONS | MACSTATS_SIXTEEN_COLLISIONS) &&
	       macstats_is_subset(when->errors, MACSTATS_ERR_ALL) &&
	       macstats_is_subset(when->no_errors, MACSTATS_ERR_ALL);
}

MACSTATS_FN enum macstats_rule macstats_broken_by_when(const struct macstats_model *model,
						       const struct macstats_when *when)
{
	unsigned int options = when->with | when->without;

	if (!macstats_has_known_classes(when))
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (when->size && (!macstats_is_contiguous(when->size) ||
			   when->size >> macstats_size_classes(&model->sizes)))
		return MACSTATS_RULE_SIZE_MASK;
	if (!macstats_is_subset(options, 0u + model->options + macstats_model_settings(model)) ||
	    (when->with & when->without))
		return MACSTATS_RULE_UNKNOWN_OPTION;
	if ((options & MACSTATS_OPT_SETTINGS) && !macstats_is_always_rare(when))
		return MACSTATS_RULE_SETTING_ON_GOOD_FRAMES;
	return MACSTATS_RULE_NONE;
}

/* Check entry @i of a list of frames: the first one without a direction ends the list. */
MACSTATS_FN bool macstats_is_behind_end(const struct macstats_when *list, unsigned int i)
{
	return !macstats_is_empty_when(&list[i]) &&
	       (!list[i].direction || (i && !list[i - 1].direction));
}

MACSTATS_FN enum macstats_rule macstats_broken_by_frames(const struct macstats_model *model,
							 const struct macstats_counter *counter)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN; i++) {
		enum macstats_rule rule = macstats_broken_by_when(model, &counter->when[i]);

		if (rule)
			return rule;
		if (macstats_is_behind_end(counter->when, i))
			return MACSTATS_RULE_GAP_IN_LIST;
	}
	return counter->errors_only && counter->when[0].direction ?
		       MACSTATS_RULE_ERRORS_WITH_FRAMES : MACSTATS_RULE_NONE;
}

/* May all words of a counter be read, one after the other, and be of one instant? */
MACSTATS_FN enum macstats_rule macstats_broken_by_reading(const struct macstats_model *model,
							  const struct macstats_counter *counter)
{
	bool snapshot = model->blocks[counter->block].snapshot_request.mask;
	bool several = macstats_words(model, counter) > 1;

	if (counter->onwrite && several)
		return MACSTATS_RULE_DECREMENT_WORDS;
	if (counter->onwrite && model->write_enable.mask)
		return MACSTATS_RULE_TWO_WRITES;
	if (counter->onread && counter->onwrite)
		return MACSTATS_RULE_TWO_SIDE_EFFECTS;
	/* A poll does not write to it, so that it would stay at its maximum. */
	if (counter->onwrite && counter->overflow == MACSTATS_SATURATE)
		return MACSTATS_RULE_SATURATING_DECREMENT;
	if (snapshot && (counter->onread || counter->onwrite))
		return MACSTATS_RULE_SNAPSHOT_SIDE_EFFECT;
	if (several && !snapshot && !counter->latch)
		return MACSTATS_RULE_TORN;
	/* Words are read in address order, and the low one takes hold of the rest. */
	if (several && counter->latch && counter->high_first)
		return MACSTATS_RULE_LATCH_ORDER;
	return MACSTATS_RULE_NONE;
}

/* The bits of a field of a status, which lie within 32. */
MACSTATS_FN __u32 macstats_status_bits(const struct macstats_status *field)
{
	return (__u32)(macstats_bits_mask(field->bits) << field->lsb);
}

/* The bits of a status that have a name. */
MACSTATS_FN __u32 macstats_status_mask(const struct macstats_status *fields, unsigned int n)
{
	__u32 known = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		known |= macstats_status_bits(&fields[i]);
	return known;
}

/* The first field of a status that has no bits, no room, or a bit of an earlier one; @n: none. */
MACSTATS_FN unsigned int macstats_unsound_status(const struct macstats_status *fields,
						 unsigned int n)
{
	__u32 seen = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!fields[i].bits || 0u + fields[i].lsb + fields[i].bits > 32 ||
		    (macstats_status_bits(&fields[i]) & seen))
			return i;
		seen |= macstats_status_bits(&fields[i]);
	}
	return n;
}

MACSTATS_FN struct macstats_finding macstats_rules_status(const struct macstats_model *model)
{
	unsigned int tx = macstats_unsound_status(model->tx_status, model->n_tx_status);
	unsigned int rx = macstats_unsound_status(model->rx_status, model->n_rx_status);

	if (tx < model->n_tx_status)
		return macstats_broken(MACSTATS_RULE_STATUS_BITS, MACSTATS_PART_TX_STATUS, tx);
	if (rx < model->n_rx_status)
		return macstats_broken(MACSTATS_RULE_STATUS_BITS, MACSTATS_PART_RX_STATUS, rx);
	return macstats_no_finding;
}

/* A row that descriptors feed: it has no register, and counts statuses that there can be. */
MACSTATS_FN enum macstats_rule macstats_broken_by_status(const struct macstats_model *model,
							 const struct macstats_counter *counter)
{
	const struct macstats_from_status *status = &counter->status;
	__u32 known = status->received ?
			      macstats_status_mask(model->rx_status, model->n_rx_status) :
			      macstats_status_mask(model->tx_status, model->n_tx_status);

	if (!macstats_is_subset(status->mask, known) ||
	    !macstats_is_subset(status->value, status->mask) ||
	    (status->high && status->high < status->low) ||
	    status->adds_collisions + status->adds_attempts + status->adds_octets > 1)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	/* Only the transmit status has collisions. */
	if (status->received &&
	    (status->low || status->high || status->adds_collisions || status->adds_attempts))
		return MACSTATS_RULE_UNKNOWN_VALUE;
	return counter->when[0].direction ? MACSTATS_RULE_STATUS_ROW_WITH_FRAMES :
					    MACSTATS_RULE_NONE;
}

/* The addresses from a counter of a port to that of the next one. */
MACSTATS_FN __u64 macstats_counter_stride(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	return counter->port_stride ? counter->port_stride : model->port_stride;
}

/* The first address behind a counter of the last port. */
MACSTATS_FN __u64 macstats_last_end_of(const struct macstats_model *model,
				       const struct macstats_counter *counter)
{
	return counter->offset + macstats_counter_stride(model, counter) * (model->ports - 1u) +
	       (__u64)macstats_words(model, counter) * macstats_word_step(model);
}

MACSTATS_FN enum macstats_rule macstats_broken_by_counter(const struct macstats_model *model,
							  const struct macstats_counter *counter)
{
	enum macstats_rule rule = macstats_broken_by_name(counter);

	if (rule)
		return rule;
	if (!macstats_is_between(counter->unit, MACSTATS_FRAMES, MACSTATS_EARLY_COLLISIONS) ||
	    counter->onread > MACSTATS_ONREAD_RCLR ||
	    counter->onwrite > MACSTATS_ONWRITE_DECREMENT || counter->overflow > MACSTATS_SATURATE)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (!macstats_is_between(counter->bits, 1, 64))
		return MACSTATS_RULE_BITS;
	if (counter->block >= model->n_blocks)
		return MACSTATS_RULE_NO_SUCH_BLOCK;
	if (macstats_is_software_counter(counter))
		return macstats_broken_by_status(model, counter);
	if (counter->offset % macstats_word_step(model))
		return MACSTATS_RULE_ALIGNMENT;
	/* The address behind a counter has 32 bits as well: macstats_counter_end(). */
	if (macstats_last_end_of(model, counter) > ~0u)
		return MACSTATS_RULE_ADDRESS_SPACE;
	rule = macstats_broken_by_frames(model, counter);
	return rule ? rule : macstats_broken_by_reading(model, counter);
}

/* The bits of descriptors exist, and each has one meaning. */
MACSTATS_FN bool macstats_has_sound_descriptor(const struct macstats_model *model)
{
	const struct macstats_descriptor *bits = &model->descriptor;
	const __u32 all[] = { bits->first, bits->last, bits->override, bits->append_crc,
			      bits->huge };
	__u32 transmitted = macstats_status_mask(model->tx_status, model->n_tx_status);
	__u32 received = macstats_status_mask(model->rx_status, model->n_rx_status);
	__u32 seen = 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(all); i++) {
		if ((all[i] & seen) || (all[i] & (all[i] - 1)) ||
		    !macstats_is_subset(all[i], transmitted))
			return false;
		seen |= all[i];
	}
	if ((model->n_tx_status || model->n_rx_status) && (!bits->first || !bits->last))
		return false;
	if (model->n_rx_status && !macstats_is_subset(bits->first | bits->last, received))
		return false;
	return !bits->override == !(bits->append_crc | bits->huge);
}

MACSTATS_FN struct macstats_finding macstats_rules_descriptors(const struct macstats_model *model)
{
	unsigned int i;

	if (!macstats_has_sound_descriptor(model))
		return macstats_broken(MACSTATS_RULE_STATUS_BITS, MACSTATS_PART_DESCRIPTOR, 0);
	for (i = 0; i < MACSTATS_MAX_WHEN; i++) {
		enum macstats_rule rule = macstats_broken_by_when(model, &model->rx_described[i]);

		/* A descriptor is written with its frame: it knows how a register is set then. */
		if (rule && rule != MACSTATS_RULE_SETTING_ON_GOOD_FRAMES)
			return macstats_broken(rule, MACSTATS_PART_RX_DESCRIBED, i);
		if (macstats_is_behind_end(model->rx_described, i))
			return macstats_broken(MACSTATS_RULE_GAP_IN_LIST,
					       MACSTATS_PART_RX_DESCRIBED, i);
	}
	return macstats_no_finding;
}

/* The rule that a row breaks which begins at @offset, behind one from @before to @end. */
MACSTATS_FN enum macstats_rule macstats_broken_by_place(__u32 offset, __u32 before, __u32 end)
{
	if (offset == before)
		return MACSTATS_RULE_OVERLAP;
	if (offset < before)
		return MACSTATS_RULE_ORDER;
	return offset < end ? MACSTATS_RULE_OVERLAP : MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats_rules_counters(const struct macstats_model *model)
{
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		enum macstats_rule rule = macstats_broken_by_counter(model, counter);

		if (rule)
			return macstats_broken(rule, MACSTATS_PART_COUNTERS, i);
		/* Rows that descriptors feed have no place among the registers: they are last. */
		if (macstats_is_software_counter(counter) && i + 1 < model->n_counters &&
		    !macstats_is_software_counter(counter + 1))
			return macstats_collision(MACSTATS_RULE_ORDER, MACSTATS_PART_COUNTERS, i,
						  counter[1].name);
		if (!i || macstats_is_software_counter(counter))
			continue;
		rule = macstats_broken_by_place(counter->offset, counter[-1].offset,
						macstats_counter_end(model, counter - 1));
		if (rule)
			return macstats_collision(rule, MACSTATS_PART_COUNTERS, i,
						  counter[-1].name);
	}
	return macstats_no_finding;
}

/* Bits that a register can have. */
MACSTATS_FN unsigned int macstats_register_bits(const struct macstats_model *model)
{
	return model->bus_bits < 32 ? model->bus_bits : 32;
}

MACSTATS_FN enum macstats_rule macstats_broken_by_register(const struct macstats_model *model,
							   const struct macstats_register *reg)
{
	if (reg->access > MACSTATS_RW)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (reg->reset & ~macstats_bits_mask(macstats_register_bits(model)))
		return MACSTATS_RULE_BITS;
	if (reg->offset % macstats_word_step(model))
		return MACSTATS_RULE_ALIGNMENT;
	if (reg->block >= model->n_blocks)
		return MACSTATS_RULE_NO_SUCH_BLOCK;
	if (reg->block && !reg->statistics_only)
		return MACSTATS_RULE_BLOCK_OF_REGISTER;
	return MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats_rules_registers(const struct macstats_model *model)
{
	__u32 step = macstats_word_step(model);
	unsigned int i;

	for (i = 0; i < model->n_registers; i++) {
		const struct macstats_register *reg = &model->registers[i];
		enum macstats_rule rule = macstats_broken_by_register(model, reg);

		if (rule)
			return macstats_broken(rule, MACSTATS_PART_REGISTERS, i);
		if (!i)
			continue;
		rule = macstats_broken_by_place(reg->offset, reg[-1].offset, reg[-1].offset + step);
		if (rule)
			return macstats_collision(rule, MACSTATS_PART_REGISTERS, i, reg[-1].name);
	}
	return macstats_no_finding;
}

/* Addresses from @first on, up to @end exclusive. */
struct macstats_extent {
	__u64 first;
	__u64 end;
};

MACSTATS_FN bool macstats_overlap(const struct macstats_extent *a, const struct macstats_extent *b)
{
	return a->first < b->end && b->first < a->end;
}

/* Counters, registers and reserved ranges, one after the other. */
MACSTATS_FN unsigned int macstats_extents(const struct macstats_model *model)
{
	return macstats_register_counters(model) + model->n_registers + model->n_reserved;
}

MACSTATS_FN struct macstats_extent macstats_extent_at(const struct macstats_model *model,
						      unsigned int i)
{
	unsigned int n_counters = macstats_register_counters(model);
	struct macstats_extent extent = { 0, 0 };

	if (i < n_counters) {
		extent.first = model->counters[i].offset;
		extent.end = macstats_counter_end(model, &model->counters[i]);
		return extent;
	}
	i -= n_counters;
	if (i < model->n_registers) {
		extent.first = model->registers[i].offset;
		extent.end = extent.first + macstats_word_step(model);
		return extent;
	}
	i -= model->n_registers;
	extent.first = model->reserved[i].first;
	extent.end = (__u64)model->reserved[i].last + 1;
	return extent;
}

/*
 * Find the counter, or with @or_register the register, that lies in @range. Return: its name,
 * or "".
 */
MACSTATS_FN const char *macstats_taken_by(const struct macstats_model *model,
					  const struct macstats_extent *range, bool or_register)
{
	unsigned int counters = macstats_register_counters(model);
	unsigned int n = counters + (or_register ? 0u + model->n_registers : 0u);
	unsigned int i;

	for (i = 0; i < n; i++) {
		struct macstats_extent extent = macstats_extent_at(model, i);

		if (macstats_overlap(&extent, range))
			return i < counters ? model->counters[i].name :
					      model->registers[i - counters].name;
	}
	return "";
}

/* Check that a high word is one, and lies behind the low word that a driver reads. */
MACSTATS_FN bool macstats_is_high_word(const struct macstats_model *model,
				       const struct macstats_reserved *reserved)
{
	const struct macstats_counter *counter;
	unsigned int word = 0;
	int i;

	if (reserved->first < macstats_word_step(model) ||
	    reserved->last - reserved->first >= macstats_word_step(model))
		return false;
	i = macstats_counter_at(model, reserved->first - macstats_word_step(model), &word);
	if (i < 0)
		return false;
	counter = &model->counters[i];
	return counter->bits == model->bus_bits && !macstats_is_destructive(counter) &&
	       counter->onwrite == MACSTATS_ONWRITE_NONE && counter->overflow == MACSTATS_ROLLOVER;
}

MACSTATS_FN struct macstats_finding macstats_rules_reserved(const struct macstats_model *model,
							    unsigned int i)
{
	unsigned int first = macstats_register_counters(model) + model->n_registers;
	struct macstats_extent extent = macstats_extent_at(model, first + i);
	const char *other = macstats_taken_by(model, &extent, true);
	unsigned int k;

	if (model->reserved[i].content > MACSTATS_READS_HIGH_WORD)
		return macstats_broken(MACSTATS_RULE_UNKNOWN_VALUE, MACSTATS_PART_RESERVED, i);
	if (model->reserved[i].first > model->reserved[i].last)
		return macstats_broken(MACSTATS_RULE_ORDER, MACSTATS_PART_RESERVED, i);
	if (*other)
		return macstats_collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_RESERVED, i, other);
	if (model->reserved[i].content == MACSTATS_READS_HIGH_WORD &&
	    !macstats_is_high_word(model, &model->reserved[i]))
		return macstats_broken(MACSTATS_RULE_HIGH_WORD, MACSTATS_PART_RESERVED, i);
	for (k = 0; k < i; k++) {
		struct macstats_extent before = macstats_extent_at(model, first + k);

		if (macstats_overlap(&extent, &before))
			return macstats_collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_RESERVED, i,
						  "another reserved range");
	}
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats_rules_overlaps(const struct macstats_model *model)
{
	unsigned int n_counters = macstats_register_counters(model);
	unsigned int i;

	for (i = 0; i < model->n_registers; i++) {
		struct macstats_extent extent = macstats_extent_at(model, n_counters + i);
		const char *other = macstats_taken_by(model, &extent, false);

		if (*other)
			return macstats_collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_REGISTERS,
						  i, other);
	}
	for (i = 0; i < model->n_reserved; i++) {
		struct macstats_finding finding = macstats_rules_reserved(model, i);

		if (finding.rule)
			return finding;
	}
	return macstats_no_finding;
}

/* A rule that extent @i breaks. */
MACSTATS_FN struct macstats_finding macstats_broken_by_extent(const struct macstats_model *model,
							      unsigned int i,
							      enum macstats_rule rule)
{
	unsigned int n_counters = macstats_register_counters(model);

	if (i < n_counters)
		return macstats_broken(rule, MACSTATS_PART_COUNTERS, i);
	i -= n_counters;
	if (i < model->n_registers)
		return macstats_broken(rule, MACSTATS_PART_REGISTERS, i);
	return macstats_broken(rule, MACSTATS_PART_RESERVED, i - model->n_registers);
}

MACSTATS_FN struct macstats_finding macstats_rules_region(const struct macstats_model *model,
							  unsigned int i)
{
	const struct macstats_region *region = &model->regions[i];
	const struct macstats_region *before = region;
	unsigned int k;

	if (region->first > region->last)
		return macstats_broken(MACSTATS_RULE_ORDER, MACSTATS_PART_REGIONS, i);
	if (region->first % macstats_word_step(model))
		return macstats_broken(MACSTATS_RULE_ALIGNMENT, MACSTATS_PART_REGIONS, i);
	for (k = 0; k < i; k++) {
		before = &model->regions[k];
		if (macstats_is_same_text(before->name, region->name))
			return macstats_collision(MACSTATS_RULE_NAME_TWICE, MACSTATS_PART_REGIONS,
						  i, before->name);
	}
	if (!i || region->first > before->last)
		return macstats_no_finding;
	return macstats_collision(region->last < before->first ? MACSTATS_RULE_ORDER :
								 MACSTATS_RULE_OVERLAP,
				  MACSTATS_PART_REGIONS, i, before->name);
}

MACSTATS_FN struct macstats_finding macstats_rules_regions(const struct macstats_model *model)
{
	unsigned int i;

	for (i = 0; i < model->n_regions; i++) {
		struct macstats_finding finding = macstats_rules_region(model, i);

		if (finding.rule)
			return finding;
	}
	if (model->n_regions && model->ports > 1)
		return macstats_broken(MACSTATS_RULE_REGION_PORTS, MACSTATS_PART_MODEL, 0);
	for (i = 0; model->n_regions && i < macstats_extents(model); i++) {
		struct macstats_extent one = macstats_extent_at(model, i);
		int region = macstats_region_at(model, (__u32)one.first);

		if (region < 0 || one.end > (__u64)model->regions[region].last + 1)
			return macstats_broken_by_extent(model, i, MACSTATS_RULE_NO_SUCH_REGION);
	}
	return macstats_no_finding;
}

/* The addresses from extent @i of a port to that of the next one. */
MACSTATS_FN __u64 macstats_stride_of(const struct macstats_model *model, unsigned int i)
{
	return i < macstats_register_counters(model) ?
	       macstats_counter_stride(model, &model->counters[i]) : model->port_stride;
}

/* The first address behind all ports, counters that lie apart left out. */
MACSTATS_FN __u64 macstats_end_of_ports(const struct macstats_model *model)
{
	unsigned int n = macstats_register_counters(model);
	__u64 end = 0;
	unsigned int i;

	for (i = 0; i < macstats_extents(model); i++) {
		struct macstats_extent one = macstats_extent_at(model, i);
		__u64 last = one.end + (__u64)model->port_stride * (model->ports - 1u);

		if (i < n && model->counters[i].port_stride)
			continue;
		end = last > end ? last : end;
	}
	return end;
}

/* Counters that lie apart from their port: an address there tells the port by their stride. */
MACSTATS_FN struct macstats_finding macstats_rules_apart(const struct macstats_model *model)
{
	unsigned int n = macstats_register_counters(model);
	__u64 end = macstats_end_of_ports(model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		__u32 length = macstats_counter_end(model, counter) - counter->offset;

		if (!counter->port_stride)
			continue;
		if (counter->onread != MACSTATS_ONREAD_RCLR || !model->port_stride ||
		    counter->offset < end || length > counter->port_stride)
			return macstats_broken(MACSTATS_RULE_APART, MACSTATS_PART_COUNTERS, i);
	}
	return macstats_no_finding;
}

/* All addresses of port 0, and what lies between. */
MACSTATS_FN struct macstats_extent macstats_span(const struct macstats_model *model)
{
	struct macstats_extent span = macstats_extent_at(model, 0);
	unsigned int n = macstats_extents(model);
	unsigned int i;

	for (i = 1; i < n; i++) {
		struct macstats_extent one = macstats_extent_at(model, i);

		span.first = one.first < span.first ? one.first : span.first;
		span.end = one.end > span.end ? one.end : span.end;
	}
	return span;
}

/* Check whether one of the extents from @low up to @high, which ascend, overlaps @range. */
MACSTATS_FN bool macstats_has_overlap(const struct macstats_model *model, unsigned int low,
				      unsigned int high, const struct macstats_extent *range)
{
	struct macstats_extent one = { 0, 0 };
	unsigned int end = high;

	/* Find the first one that ends behind the beginning of the range. */
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		one = macstats_extent_at(model, middle);
		if (one.end <= range->first)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == end)
		return false;
	one = macstats_extent_at(model, low);
	return one.first < range->end;
}

/* Check whether extent @i of @port overlaps one of port 0. */
MACSTATS_FN bool macstats_is_on_first_port(const struct macstats_model *model,
					   const struct macstats_extent *span, unsigned int port,
					   unsigned int i)
{
	struct macstats_extent moved = macstats_extent_at(model, i);
	__u64 shift = macstats_stride_of(model, i) * port;
	unsigned int n_counters = macstats_register_counters(model);
	unsigned int n_ascending = n_counters + model->n_registers;
	unsigned int n = macstats_extents(model);
	unsigned int k;

	/* Ports that interleave are the rare case, and the costly one. */
	if (shift >= span->end - span->first)
		return false;
	moved.first += shift;
	moved.end += shift;
	if (macstats_has_overlap(model, 0, n_counters, &moved) ||
	    macstats_has_overlap(model, n_counters, n_ascending, &moved))
		return true;
	for (k = n_ascending; k < n; k++) {
		struct macstats_extent reserved = macstats_extent_at(model, k);

		if (macstats_overlap(&moved, &reserved))
			return true;
	}
	return false;
}

MACSTATS_FN struct macstats_finding macstats_rules_ports(const struct macstats_model *model)
{
	struct macstats_finding apart = macstats_rules_apart(model);
	struct macstats_extent span = macstats_span(model);
	unsigned int n = macstats_extents(model);
	unsigned int port;
	unsigned int i = 0;

	if (apart.rule)
		return apart;
	if (model->ports > 1 && !model->port_stride)
		return macstats_broken(MACSTATS_RULE_PORT_STRIDE, MACSTATS_PART_MODEL, 0);
	for (port = 1; port < model->ports; port++)
		for (i = 0; i < n; i++)
			if (macstats_is_on_first_port(model, &span, port, i))
				return macstats_broken(MACSTATS_RULE_PORT_STRIDE,
						       MACSTATS_PART_MODEL, 0);
	return macstats_no_finding;
}

MACSTATS_FN __u64 macstats_field_mask(const struct macstats_field *field)
{
	return macstats_bits_mask(field->bits) << field->lsb;
}

MACSTATS_FN enum macstats_rule macstats_broken_by_field(const struct macstats_model *model,
							const struct macstats_field *field)
{
	int reg = macstats_register_at(model, field->offset);

	if (reg < 0)
		return MACSTATS_RULE_FIELD_WITHOUT_REGISTER;
	if (field->access > MACSTATS_RW)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (!field->bits || 0u + field->lsb + field->bits > macstats_register_bits(model))
		return MACSTATS_RULE_FIELD_WIDTH;
	if (field->access == MACSTATS_RW && model->registers[reg].access == MACSTATS_RO)
		return MACSTATS_RULE_FIELD_ACCESS;
	if (field->singlepulse && field->access != MACSTATS_RW)
		return MACSTATS_RULE_SINGLEPULSE_READ_ONLY;
	return MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats_rules_fields(const struct macstats_model *model)
{
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < model->n_fields; i++) {
		const struct macstats_field *field = &model->fields[i];
		enum macstats_rule rule = macstats_broken_by_field(model, field);

		if (rule)
			return macstats_broken(rule, MACSTATS_PART_FIELDS, i);
		for (k = 0; k < i; k++)
			if (model->fields[k].offset == field->offset &&
			    (macstats_field_mask(&model->fields[k]) & macstats_field_mask(field)))
				return macstats_collision(MACSTATS_RULE_FIELD_OVERLAP,
							  MACSTATS_PART_FIELDS, i,
							  model->fields[k].name);
	}
	return macstats_no_finding;
}

/* The fields that a bit of the model may name. */
enum macstats_bit_kind {
	MACSTATS_BIT_ANY,
	MACSTATS_BIT_READ_ONLY,
	MACSTATS_BIT_STORED,
	MACSTATS_BIT_COMMAND,
};

/* A bit of the model, and the member that it is. */
struct macstats_named_bit {
	enum macstats_part part;
	enum macstats_bit_kind kind;
	struct macstats_bit bit;
};

MACSTATS_FN bool macstats_is_kind(enum macstats_bit_kind kind, unsigned int access,
				  bool singlepulse)
{
	switch (kind) {
	case MACSTATS_BIT_READ_ONLY:
		return access == MACSTATS_RO;
	case MACSTATS_BIT_STORED:
		return access == MACSTATS_RW && !singlepulse;
	case MACSTATS_BIT_COMMAND:
		return singlepulse;
	default:
		return true;
	}
}

/*
 * The rule that @bit breaks, unless it is one whole field (or, with @several, whole fields of
 * one register). A register without fields is one field.
 */
MACSTATS_FN enum macstats_rule macstats_broken_by_bit(const struct macstats_model *model,
						      const struct macstats_bit *bit,
						      enum macstats_bit_kind kind, bool several)
{
	int reg = macstats_register_at(model, bit->offset);
	bool has_fields = false;
	bool fits = true;
	unsigned int matches = 0;
	__u64 covered = 0;
	unsigned int i;

	if (!bit->mask)
		return MACSTATS_RULE_NONE;
	if (reg < 0)
		return MACSTATS_RULE_RULE_WITHOUT_REGISTER;
	for (i = 0; i < model->n_fields; i++) {
		const struct macstats_field *field = &model->fields[i];

		if (field->offset != bit->offset)
			continue;
		has_fields = true;
		if (!(macstats_field_mask(field) & bit->mask))
			continue;
		covered |= macstats_field_mask(field);
		fits = fits && macstats_is_kind(kind, field->access, field->singlepulse);
		matches++;
	}
	if (!has_fields) {
		covered = macstats_bits_mask(macstats_register_bits(model));
		fits = macstats_is_kind(kind, model->registers[reg].access, false);
	}
	if (covered != bit->mask || (matches > 1 && !several))
		return MACSTATS_RULE_RULE_NOT_A_FIELD;
	return fits ? MACSTATS_RULE_NONE : MACSTATS_RULE_RULE_ACCESS;
}

/* Check whether @bit is in a register that is absent where the counters of @block are there. */
MACSTATS_FN bool macstats_is_of_other_option(const struct macstats_model *model,
					     const struct macstats_bit *bit, unsigned int block)
{
	int reg = bit->mask ? macstats_register_at(model, bit->offset) : -1;

	return reg >= 0 && model->registers[reg].statistics_only &&
	       macstats_block_option(model, model->registers[reg].block) !=
	       macstats_block_option(model, block);
}

MACSTATS_FN struct macstats_finding macstats_rules_block(const struct macstats_model *model,
							 unsigned int block)
{
	const struct macstats_block *of = &model->blocks[block];
	const struct macstats_named_bit bits[] = {
		{ MACSTATS_PART_SNAPSHOT_REQUEST, MACSTATS_BIT_STORED, of->snapshot_request },
		{ MACSTATS_PART_SNAPSHOT_GRANTED, MACSTATS_BIT_READ_ONLY, of->snapshot_granted },
		{ MACSTATS_PART_CLEAR, MACSTATS_BIT_COMMAND, of->clear },
		{ MACSTATS_PART_INCREMENT, MACSTATS_BIT_COMMAND, of->increment },
		{ MACSTATS_PART_PARITY_ERROR, MACSTATS_BIT_READ_ONLY, of->parity_error },
		{ MACSTATS_PART_PARITY_CLEAR, MACSTATS_BIT_COMMAND, of->parity_clear },
	};
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(bits); i++) {
		enum macstats_rule rule = macstats_broken_by_bit(model, &bits[i].bit,
								 bits[i].kind, false);

		if (rule)
			return macstats_broken(rule, bits[i].part, block);
	}
	if (!of->snapshot_request.mask != !of->snapshot_granted.mask)
		return macstats_broken(MACSTATS_RULE_RULE_INCOMPLETE,
				       MACSTATS_PART_SNAPSHOT_REQUEST, block);
	if (!of->parity_error.mask != !of->parity_clear.mask)
		return macstats_broken(MACSTATS_RULE_RULE_INCOMPLETE,
				       MACSTATS_PART_PARITY_ERROR, block);
	for (i = 0; i < MACSTATS_COUNT_OF(bits); i++)
		if (macstats_is_of_other_option(model, &bits[i].bit, block))
			return macstats_broken(MACSTATS_RULE_OTHER_OPTION, bits[i].part, block);
	return macstats_no_finding;
}

/* The options that build the blocks, and how hardware shows that it lacks one. */
MACSTATS_FN struct macstats_finding
macstats_rules_block_options(const struct macstats_model *model)
{
	const unsigned int directions = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;
	const unsigned int all = MACSTATS_OPT_STATISTICS | directions;
	unsigned int identified = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		unsigned int option = model->blocks[i].option;

		if (option && (!macstats_is_subset(option, directions) || (option & (option - 1)) ||
			       !macstats_is_subset(option, model->options)))
			return macstats_broken(MACSTATS_RULE_BLOCK_OPTION, MACSTATS_PART_BLOCKS, i);
	}
	if (!macstats_is_subset(model->options & all, macstats_statistics_options(model)))
		return macstats_broken(MACSTATS_RULE_OPTION_WITHOUT_BLOCK, MACSTATS_PART_MODEL, 0);
	for (i = 0; i < model->n_identity; i++) {
		int reg = macstats_register_at(model, model->identity[i].offset);

		if (reg >= 0)
			identified |= macstats_block_option(model, model->registers[reg].block);
	}
	for (i = 0; i < model->n_blocks; i++)
		if (identified ? !macstats_is_subset(macstats_block_option(model, i), identified) :
				 model->blocks[i].option && !model->blocks[i].snapshot_request.mask)
			return macstats_broken(MACSTATS_RULE_BLOCK_UNIDENTIFIED,
					       MACSTATS_PART_BLOCKS, i);
	return macstats_no_finding;
}

/* One rule for the maximum frame length, with two lengths that differ. */
MACSTATS_FN enum macstats_rule macstats_broken_by_switch(const struct macstats_model *model)
{
	const struct macstats_switch *lengths = &model->max_frame_switch;

	if (!lengths->bit.mask)
		return MACSTATS_RULE_NONE;
	if (model->max_frame_rx.mask || model->max_frame_tx.mask || model->default_max_frame)
		return MACSTATS_RULE_TWO_MAXIMA;
	if (lengths->off == lengths->on || lengths->off < 1518 || lengths->on < 1518 ||
	    lengths->off > MACSTATS_FRAME_MAX || lengths->on > MACSTATS_FRAME_MAX)
		return MACSTATS_RULE_SWITCHED_LENGTHS;
	return MACSTATS_RULE_NONE;
}

/* The largest value of the field @bit. */
MACSTATS_FN __u32 macstats_largest_value(const struct macstats_bit *bit)
{
	return bit->mask >> macstats_bit_shift(bit->mask);
}

/* Bits of the model of which there is one each. */
MACSTATS_FN struct macstats_finding macstats_rules_single_bits(const struct macstats_model *model)
{
	const struct macstats_named_bit bits[] = {
		{ MACSTATS_PART_GATE, MACSTATS_BIT_STORED, model->gate },
		{ MACSTATS_PART_MAX_FRAME_RX, MACSTATS_BIT_ANY, model->max_frame_rx },
		{ MACSTATS_PART_MAX_FRAME_TX, MACSTATS_BIT_ANY, model->max_frame_tx },
		{ MACSTATS_PART_ANY_LENGTH_TX, MACSTATS_BIT_STORED, model->any_length_tx },
		{ MACSTATS_PART_WRITE_ENABLE, MACSTATS_BIT_STORED, model->write_enable },
		{ MACSTATS_PART_FLOW_CONTROL, MACSTATS_BIT_STORED, model->flow_control },
		{ MACSTATS_PART_MAX_FRAME_SWITCH, MACSTATS_BIT_STORED,
		  model->max_frame_switch.bit },
		{ MACSTATS_PART_BUSY, MACSTATS_BIT_ANY, model->busy },
		{ MACSTATS_PART_HALF_FULL_PENDING, MACSTATS_BIT_READ_ONLY,
		  model->half_full_pending },
		{ MACSTATS_PART_HALF_FULL_ENABLE, MACSTATS_BIT_STORED, model->half_full_enable },
		{ MACSTATS_PART_RETRY_LIMIT, MACSTATS_BIT_STORED, model->retry_limit },
	};
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(bits); i++) {
		const struct macstats_named_bit *one = &bits[i];
		/* A gate may have a bit for each port of a switch. */
		enum macstats_rule rule = macstats_broken_by_bit(model, &one->bit, one->kind,
								 one->part == MACSTATS_PART_GATE);
		bool is_max = one->part == MACSTATS_PART_MAX_FRAME_RX ||
			      one->part == MACSTATS_PART_MAX_FRAME_TX;

		if (rule)
			return macstats_broken(rule, one->part, 0);
		if (is_max && one->bit.mask && macstats_largest_value(&one->bit) < 1518)
			return macstats_broken(MACSTATS_RULE_MAX_FRAME_WIDTH, one->part, 0);
	}
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats_rules_bits(const struct macstats_model *model)
{
	struct macstats_finding finding = macstats_no_finding;
	enum macstats_rule rule = MACSTATS_RULE_NONE;
	unsigned int i;

	for (i = 0; i < model->n_blocks && !finding.rule; i++)
		finding = macstats_rules_block(model, i);
	if (finding.rule)
		return finding;
	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
		rule = macstats_broken_by_bit(model, &model->scratch[i], MACSTATS_BIT_STORED,
					      false);
		if (rule)
			return macstats_broken(rule, MACSTATS_PART_SCRATCH, i);
	}
	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++) {
		rule = macstats_broken_by_bit(model, &model->setting[i], MACSTATS_BIT_STORED,
					      false);
		if (rule)
			return macstats_broken(rule, MACSTATS_PART_SETTING, i);
	}
	for (i = 0; i < model->n_counters; i++) {
		rule = macstats_broken_by_bit(model, &model->counters[i].present, MACSTATS_BIT_ANY,
					      false);
		if (rule)
			return macstats_broken(rule, MACSTATS_PART_COUNTERS, i);
	}
	finding = macstats_rules_single_bits(model);
	if (finding.rule)
		return finding;
	if (macstats_largest_value(&model->retry_limit) >= MACSTATS_ATTEMPT_LIMIT)
		return macstats_broken(MACSTATS_RULE_RETRY_WIDTH, MACSTATS_PART_RETRY_LIMIT, 0);
	rule = macstats_broken_by_switch(model);
	return rule ? macstats_broken(rule, MACSTATS_PART_MAX_FRAME_SWITCH, 0) : finding;
}

MACSTATS_FN struct macstats_finding macstats_rules_identity(const struct macstats_model *model)
{
	unsigned int i;

	for (i = 0; i < model->n_identity; i++) {
		int reg = macstats_register_at(model, model->identity[i].offset);

		if (reg < 0)
			return macstats_broken(MACSTATS_RULE_RULE_WITHOUT_REGISTER,
					       MACSTATS_PART_IDENTITY, i);
		if (model->registers[reg].access != MACSTATS_RO)
			return macstats_broken(MACSTATS_RULE_RULE_ACCESS,
					       MACSTATS_PART_IDENTITY, i);
		if (model->registers[reg].reset != model->identity[i].value)
			return macstats_broken(MACSTATS_RULE_IDENTITY_VALUE,
					       MACSTATS_PART_IDENTITY, i);
	}
	return macstats_no_finding;
}

/* Rows of a histogram stand for one range of sizes. */
MACSTATS_FN enum macstats_rule
macstats_broken_by_bucket(const struct macstats_counter *counter, const struct macstats_term *term)
{
	unsigned int i;

	if (term->factor != 1 || !counter->when[0].direction)
		return MACSTATS_RULE_HISTOGRAM_ROW;
	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++)
		if (!counter->when[i].size || counter->when[i].size != counter->when[0].size)
			return MACSTATS_RULE_HISTOGRAM_ROW;
	return MACSTATS_RULE_NONE;
}

/* What a standard statistic counts. */
enum macstats_counts {
	MACSTATS_COUNTS_FRAMES,
	MACSTATS_COUNTS_ERRORS,		/* frames with an error */
	MACSTATS_COUNTS_OCTETS,
	MACSTATS_COUNTS_COLLISIONS,
};

#define MACSTATS_DIRECTION_RX		MACSTATS_RX
#define MACSTATS_DIRECTION_TX		MACSTATS_TX
#define MACSTATS_DIRECTION_RXTX		(MACSTATS_RX | MACSTATS_TX)

struct macstats_standard_row {
	__u8 direction;
	__u8 counts;	/* enum macstats_counts */
};

#define MACSTATS_STANDARD_ROW(group, id, direction, counts, name)			\
	{ MACSTATS_DIRECTION_##direction, MACSTATS_COUNTS_##counts },
MACSTATS_TABLE const struct macstats_standard_row macstats_standard_rows[] = {
	{ 0, MACSTATS_COUNTS_FRAMES },
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_ROW)
};
#undef MACSTATS_STANDARD_ROW

/* Are the octets of a counter, or its collisions, counted where something else is? */
MACSTATS_FN bool macstats_feeds_another_unit(enum macstats_unit unit, enum macstats_counts counts)
{
	switch (unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_PAYLOAD:
	case MACSTATS_WIRE_OCTETS:
		return counts != MACSTATS_COUNTS_OCTETS;
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return counts != MACSTATS_COUNTS_COLLISIONS;
	default:
		return false;	/* frames correct octets by their headers */
	}
}

/* Does a row count frames, and only such as have no error? */
MACSTATS_FN bool macstats_is_of_good_frames(const struct macstats_model *model,
					    const struct macstats_counter *counter)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++) {
		const struct macstats_when *when = &counter->when[i];
		__u32 longest = macstats_sizes_high(model, when->size);

		if (when->errors || !when->no_errors || when->excess ||
		    (longest && longest < MACSTATS_FRAME_MIN))
			return false;
	}
	return i;
}

MACSTATS_FN enum macstats_rule macstats_broken_by_term(const struct macstats_model *model,
						       const struct macstats_counter *counter,
						       const struct macstats_term *term)
{
	const struct macstats_standard_row *standard = &macstats_standard_rows[term->id];

	/* By its name, as the row may not state its frames. */
	if (!macstats_is_subset(macstats_begins_with(counter->name, "rx_") ? MACSTATS_RX :
				macstats_begins_with(counter->name, "tx_") ? MACSTATS_TX :
				MACSTATS_RX | MACSTATS_TX, standard->direction))
		return MACSTATS_RULE_TERM_DIRECTION;
	if (macstats_feeds_another_unit((enum macstats_unit)counter->unit,
					(enum macstats_counts)standard->counts))
		return MACSTATS_RULE_TERM_UNIT;
	if (standard->counts == MACSTATS_COUNTS_ERRORS && term->factor > 0 &&
	    macstats_is_of_good_frames(model, counter))
		return MACSTATS_RULE_TERM_GOOD;
	return macstats_is_histogram(term->id) ? macstats_broken_by_bucket(counter, term) :
						 MACSTATS_RULE_NONE;
}

MACSTATS_FN enum macstats_rule macstats_broken_by_terms(const struct macstats_model *model,
							const struct macstats_counter *counter)
{
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < MACSTATS_MAX_TERMS; i++) {
		const struct macstats_term *term = &counter->standard[i];
		enum macstats_rule rule = MACSTATS_RULE_NONE;

		if (term->id >= MACSTATS_STD_COUNT || !term->id != !term->factor)
			return MACSTATS_RULE_UNKNOWN_TERM;
		if (!term->id)
			continue;
		if (i && !counter->standard[i - 1].id)
			return MACSTATS_RULE_GAP_IN_LIST;
		for (k = 0; k < i; k++)
			if (counter->standard[k].id == term->id)
				return MACSTATS_RULE_TERM_TWICE;
		rule = macstats_broken_by_term(model, counter, term);
		if (rule)
			return rule;
	}
	return MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats_rules_histogram(const struct macstats_model *model,
							     unsigned int id)
{
	struct macstats_bucket buckets[MACSTATS_MAX_BUCKETS] = { { 0, 0, 0 } };
	unsigned int n = macstats_histogram(model, id, buckets, MACSTATS_MAX_BUCKETS);
	__u32 expected = MACSTATS_FRAME_MIN;
	unsigned int i;

	if (n > MACSTATS_MAX_BUCKETS)
		return macstats_broken(MACSTATS_RULE_TOO_MANY_BUCKETS, MACSTATS_PART_MODEL, 0);
	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &model->counters[buckets[i].counter];
		bool open = !macstats_sizes_high(model, counter->when[0].size);

		if (buckets[i].low != expected || open != (i + 1 == n))
			return macstats_broken(MACSTATS_RULE_HISTOGRAM_GAP, MACSTATS_PART_COUNTERS,
					       buckets[i].counter);
		expected = buckets[i].high + 1;
	}
	return macstats_no_finding;
}

/* The histograms of both directions have the same buckets, as those of ethtool do. */
MACSTATS_FN struct macstats_finding macstats_rules_histograms(const struct macstats_model *model)
{
	struct macstats_bucket rx[MACSTATS_MAX_BUCKETS] = { { 0, 0, 0 } };
	struct macstats_bucket tx[MACSTATS_MAX_BUCKETS] = { { 0, 0, 0 } };
	unsigned int n_rx = macstats_histogram(model, MACSTATS_STD_HIST_RX, rx,
					       MACSTATS_MAX_BUCKETS);
	unsigned int n_tx = macstats_histogram(model, MACSTATS_STD_HIST_TX, tx,
					       MACSTATS_MAX_BUCKETS);
	unsigned int i;

	/* Only the last one of each ends at the maximum: with the same sizes, both have as many. */
	for (i = 0; i < n_rx && i < n_tx; i++)
		if (rx[i].low != tx[i].low || rx[i].high != tx[i].high)
			return macstats_broken(MACSTATS_RULE_HISTOGRAM_SIZES,
					       MACSTATS_PART_COUNTERS, rx[i].counter);
	return macstats_no_finding;
}

/* Frames correct a sum of octets, but are none. */
MACSTATS_FN struct macstats_finding macstats_rules_octets(const struct macstats_model *model)
{
	bool has_octets[MACSTATS_STD_COUNT] = { false };
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++)
			if (counter->unit != MACSTATS_FRAMES)
				has_octets[counter->standard[t].id] = true;
	}
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++) {
			unsigned int id = counter->standard[t].id;

			if (macstats_standard_rows[id].counts == MACSTATS_COUNTS_OCTETS &&
			    !has_octets[id])
				return macstats_broken(MACSTATS_RULE_TERM_UNIT,
						       MACSTATS_PART_COUNTERS, i);
		}
	}
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats_rules_standard(const struct macstats_model *model)
{
	struct macstats_finding finding = macstats_no_finding;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		enum macstats_rule rule = macstats_broken_by_terms(model, &model->counters[i]);

		if (rule)
			return macstats_broken(rule, MACSTATS_PART_COUNTERS, i);
	}
	finding = macstats_rules_octets(model);
	if (!finding.rule)
		finding = macstats_rules_histogram(model, MACSTATS_STD_HIST_RX);
	if (!finding.rule)
		finding = macstats_rules_histogram(model, MACSTATS_STD_HIST_TX);
	return finding.rule ? finding : macstats_rules_histograms(model);
}

MACSTATS_FN struct macstats_finding macstats_rules_names(const struct macstats_model *model)
{
	struct macstats_twins twins = { 0, 0 };

	if (macstats_find_twins(model, model->n_counters, macstats_name_at, &twins))
		return macstats_collision(MACSTATS_RULE_NAME_TWICE, MACSTATS_PART_COUNTERS,
					  twins.later, model->counters[twins.earlier].name);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding
macstats_rules_register_names(const struct macstats_model *model)
{
	unsigned int counters = model->n_counters;
	struct macstats_twins twins = { 0, 0 };
	const char *other = "";

	if (!macstats_find_twins(model, counters + model->n_registers, macstats_reg_at, &twins))
		return macstats_no_finding;
	other = twins.earlier < counters ? model->counters[twins.earlier].name :
					   model->registers[twins.earlier - counters].name;
	if (twins.later < counters)
		return macstats_collision(MACSTATS_RULE_REGISTER_NAME_TWICE,
					  MACSTATS_PART_COUNTERS, twins.later, other);
	return macstats_collision(MACSTATS_RULE_REGISTER_NAME_TWICE, MACSTATS_PART_REGISTERS,
				  twins.later - counters, other);
}

MACSTATS_FN struct macstats_finding
macstats_rules_metric_names(const struct macstats_model *model, macstats_text_at *name_at)
{
	struct macstats_twins twins = { 0, 0 };

	if (macstats_find_twins(model, model->n_counters, name_at, &twins))
		return macstats_collision(MACSTATS_RULE_METRIC_NAME_TWICE,
					  MACSTATS_PART_COUNTERS, twins.later,
					  model->counters[twins.earlier].name);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding
macstats_rules_renamed_names(const struct macstats_model *model)
{
	return macstats_rules_metric_names(model, macstats_renamed_at);
}

MACSTATS_FN struct macstats_finding
macstats_rules_family_names(const struct macstats_model *model)
{
	return macstats_rules_metric_names(model, macstats_family_at);
}

typedef bool macstats_is_left_out(const struct macstats_model *model, __u32 offset);

/* Check what register dumps leave out; @is_left_out decides it. */
MACSTATS_FN struct macstats_finding macstats_rules_dump_by(const struct macstats_model *model,
							   macstats_is_left_out *is_left_out)
{
	unsigned int i;
	unsigned int word = 0;

	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];
		bool effects = counter->onread != MACSTATS_ONREAD_NONE || counter->latch;

		for (word = 0; word < macstats_words(model, counter); word++) {
			__u32 at = counter->offset + word * macstats_word_step(model);

			if (is_left_out(model, at) != effects)
				return macstats_broken(effects ? MACSTATS_RULE_DUMPED :
								 MACSTATS_RULE_NOT_DUMPED,
						       MACSTATS_PART_COUNTERS, i);
		}
	}
	for (i = 0; i < model->n_registers; i++)
		if (is_left_out(model, model->registers[i].offset))
			return macstats_broken(MACSTATS_RULE_NOT_DUMPED,
					       MACSTATS_PART_REGISTERS, i);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats_rules_dump(const struct macstats_model *model)
{
	return macstats_rules_dump_by(model, macstats_read_is_destructive);
}

/* In this order: later ones rely on what earlier ones found to be in order. */
typedef struct macstats_finding (*macstats_rule_group)(const struct macstats_model *model);
MACSTATS_TABLE const macstats_rule_group macstats_rule_groups[] = {
	macstats_rules_limits,
	macstats_rules_texts,
	macstats_rules_settings,
	macstats_rules_status,
	macstats_rules_counters,
	macstats_rules_descriptors,
	macstats_rules_registers,
	macstats_rules_overlaps,
	macstats_rules_regions,
	macstats_rules_ports,
	macstats_rules_fields,
	macstats_rules_bits,
	macstats_rules_identity,
	macstats_rules_block_options,
	macstats_rules_standard,
	macstats_rules_names,
	macstats_rules_register_names,
	macstats_rules_renamed_names, macstats_rules_family_names,
	macstats_rules_dump,
};

/* Find the first rule that @model breaks, and where; MACSTATS_RULE_NONE if it keeps all. */
MACSTATS_FN struct macstats_finding macstats_find_violation(const struct macstats_model *model)
{
	struct macstats_finding finding = macstats_no_finding;
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(macstats_rule_groups) && !finding.rule; i++)
		finding = macstats_rule_groups[i](model);
	return finding;
}

/* The name of the row that a finding is about; a member without rows names itself. */
MACSTATS_FN const char *macstats_finding_row(const struct macstats_model *model,
					     const struct macstats_finding *finding)
{
	const char *part = macstats_part_texts[finding->part];
	const char *name = part;

	if (finding->rule == MACSTATS_RULE_TOO_MANY_ROWS ||
	    finding->rule == MACSTATS_RULE_TABLE_MISSING)
		return part;
	switch (finding->part) {
	case MACSTATS_PART_COUNTERS:
		name = model->counters[finding->row].name;
		if (macstats_is_empty_text(name))
			name = model->counters[finding->row].reg;
		break;
	case MACSTATS_PART_REGISTERS:
		name = model->registers[finding->row].name;
		break;
	case MACSTATS_PART_FIELDS:
		name = model->fields[finding->row].name;
		break;
	case MACSTATS_PART_TX_STATUS:
		name = model->tx_status[finding->row].name;
		break;
	case MACSTATS_PART_REGIONS:
		name = model->regions[finding->row].name;
		break;
	case MACSTATS_PART_RX_STATUS:
		name = model->rx_status[finding->row].name;
		break;
	default:
		break;
	}
	return macstats_is_empty_text(name) ? part : name;
}

/* How a message names a model. */
MACSTATS_FN const char *macstats_finding_model(const struct macstats_model *model)
{
	return macstats_is_empty_text(model->name) ? "a model" : model->name;
}

#endif /* MACSTATS_RULES_H */
