/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rules, by name, and what is found where one is broken.
 *
 * A constant expression of C++ has no functions of string.h, so that some of them are here again.
 */
#ifndef MACSTATS_RULES_FINDING_H
#define MACSTATS_RULES_FINDING_H

#include "../fault.h"
#include "../interval.h"
#include "../option.h"
#include "../standard.h"

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
	  "needs a bus of 8, 16 or 32 bits, a whole number of address units")	\
	X(LINE_RATE, line_rate, "needs a line rate of 1 Mb/s to 10 Tb/s")		\
	X(NO_PORTS, no_ports, "needs at least one port")				\
	X(LINES_OF_PORTS, lines_of_ports,						\
	  "has several ports, or over 16 lines, that feed one block")			\
	X(REGION_PORTS, region_ports, "has regions and several ports")			\
	X(NO_SUCH_REGION, no_such_region, "lies in no region, or in several")		\
	X(PORT_STRIDE, port_stride, "has two ports whose registers overlap")		\
	X(ADDRESS_SPACE, address_space, "needs the last address of 32 bits, or one after it")	\
	X(APART, apart,									\
	  "lies apart, but is not cleared by a read, or not after all other registers") \
	X(EDGE_ORDER, edge_order, "does not ascend, for tagged and untagged frames")	\
	X(EDGE_RANGE, edge_range, "lies beyond the longest frame")			\
	X(NO_VARIANT, no_variant, "has a rule for a variant that does not exist")	\
	X(PADDING, padding, "pads frames to less than the shortest frame that it sends") \
	X(UNKNOWN_OPTION, unknown_option, "names an option that the model lacks")	\
	X(SPEED, speed, "has a speed option that is not below the line rate, or is a default") \
	X(VARIANT_UNEXPLAINED, variant_unexplained, "has a variant without an explanation") \
	X(REVISION_OPTIONS, revision_options,						\
	  "has options for other revisions than the second to the last, or one by default") \
	X(NO_SUCH_REVISION, no_such_revision,						\
	  "is in revisions that the model lacks, or in some without a register")	\
	X(UNKNOWN_VALUE, unknown_value, "has a member that is not one of its enumerators") \
	X(NAME_TOO_LONG, name_too_long, "has a name of over 31 characters")		\
	X(NAME_NOT_SNAKE_CASE, name_not_snake_case, "has a name that is not lower snake_case") \
	X(NAME_PREFIX, name_prefix,							\
	  "has a name that does not start with rx_, tx_ or rxtx_ as the row counts")	\
	X(NAME_TWICE, name_twice, "has the same name as")				\
	X(REGISTER_NAME_TWICE, register_name_twice, "has the same datasheet name as")	\
	X(METRIC_NAME_TWICE, metric_name_twice, "has the same name in metrics as")	\
	X(INDEX_NAME, index_name,							\
	  "has an index of nothing, or another first number in its name")		\
	X(INDEX_GAP, index_gap, "has an index, but no row with the one before is in front of it") \
	X(INDEX_ROW, index_row,								\
	  "differs in more than its index, place, presence and texts from")		\
	X(BITS, bits, "has a width or a reset value out of range")			\
	X(ALIGNMENT, alignment, "has an offset that is no multiple of the bus width")	\
	X(ORDER, order, "does not ascend by address after")				\
	X(HIGH_WORD, high_word,								\
	  "is no word after a counter of one word that no read or write changes")	\
	X(OVERLAP, overlap, "overlaps")							\
	X(SHARED_WORD, shared_word,							\
	  "has several words, or another block, port stride or side effects, but shares one, of") \
	X(NO_SUCH_BLOCK, no_such_block, "belongs to a block that does not exist")	\
	X(BLOCK_OPTION, block_option,							\
	  "is built by something else than an option of the model for that")		\
	X(OPTION_WITHOUT_BLOCK, option_without_block,					\
	  "has an option for statistics that builds no block")				\
	X(BLOCK_UNIDENTIFIED, block_unidentified,					\
	  "can be left out, but no identity register of the model shows it")		\
	X(GAP_IN_LIST, gap_in_list, "has an entry after the end of its list")		\
	X(SIZE_MASK, size_mask, "has size classes that are not contiguous or not in the model") \
	X(DECREMENT_WORDS, decrement_words,						\
	  "is decremented by a write, but has several bus words, or a part of one")	\
	X(TWO_WRITES, two_writes,							\
	  "is decremented by a write that the write-enable bit lets store")		\
	X(TWO_SIDE_EFFECTS, two_side_effects, "is cleared by a read and decremented by a write") \
	X(SATURATING_DECREMENT, saturating_decrement,					\
	  "saturates until a write decrements it")					\
	X(SNAPSHOT_SIDE_EFFECT, snapshot_side_effect,					\
	  "has side effects, but is read under a snapshot")				\
	X(WINDOW, window, "does not fit the window of its block")			\
	X(TWO_HOLDS, two_holds, "copies counters to memory that have a snapshot")		\
	X(REREAD, reread, "is reread, but has not two bus words, or a read or snapshot holds it") \
	X(WORD_STRIDE, word_stride,							\
	  "has its words apart, but is not reread, low word first, in a model of one port")	\
	X(READ64, read64, "has several words in a model with read64, but is not reread, or "	\
			  "not two words of 32 bits that are adjacent and aligned to 64 bits")	\
	X(SWITCHED_READ, switched_read,							\
	  "has side effects, a snapshot, a window or its high word first, but a bit lets "	\
	  "reads clear it")									\
	X(SWITCHED_MAXIMUM, switched_maximum,						\
	  "saturates, or is decremented by a write, but a bit lets it saturate")	\
	X(SWITCHED_LAG, switched_lag, "shows late what it counts, but a bit freezes it") \
	X(TORN, torn, "has several bus words, but neither snapshot, latch nor reread")	\
	X(STATUS_ROW_WITH_FRAMES, status_row_with_frames,				\
	  "is a software counter, but states which frames it counts")			\
	X(FRAMES_OF_NONE, frames_of_none,						\
	  "states never or errors_only, but also which frames it counts")		\
	X(UNKNOWN_TERM, unknown_term, "feeds an unknown standard statistic, or adds 0 to it") \
	X(TERM_TWICE, term_twice, "feeds a standard statistic twice")			\
	X(TERM_DIRECTION, term_direction, "feeds a standard statistic of another direction") \
	X(TERM_UNIT, term_unit, "feeds a standard statistic of another unit")		\
	X(TERM_GOOD, term_good, "adds good frames to errors")				\
	X(TERM_MAC, term_mac, "feeds a sum of one MAC alone, or of one beside both")	\
	X(HISTOGRAM_ROW, histogram_row,							\
	  "feeds a histogram, but not with frames of one range of sizes")		\
	X(HISTOGRAM_GAP, histogram_gap,							\
	  "leaves a gap, an overlap or no open end in the histogram")			\
	X(HISTOGRAM_SIZES, histogram_sizes,						\
	  "is a bucket of other sizes than that of the other direction")		\
	X(TOO_MANY_BUCKETS, too_many_buckets, "has a histogram of over 11 buckets")	\
	X(FIELD_WIDTH, field_width, "does not fit into its register")			\
	X(FIELD_OVERLAP, field_overlap, "shares bits with")				\
	X(FIELD_ACCESS, field_access, "is writable in a read-only register")		\
	X(SINGLEPULSE_READ_ONLY, singlepulse_read_only, "is a command that cannot be written") \
	X(BIT_NOT_A_FIELD, bit_not_a_field, "refers to bits that are not exactly a field") \
	X(ROLE_BESIDE_FIELDS, role_beside_fields, "has a role, and fields that may have it") \
	X(ROLE_ACCESS, role_access, "has a role for a field of another access")		\
	X(ROLE_TWICE, role_twice, "has the same role as")				\
	X(TOO_MANY_IDENTITIES, too_many_identities,					\
	  "is one register with an identity more than MACSTATS_MAX_IDENTITY")		\
	X(ROLE_INCOMPLETE, role_incomplete,						\
	  "is a request without grant, or an error that cannot be cleared")		\
	X(MAX_FRAME_WIDTH, max_frame_width, "has too few bits for a frame of 1518 octets") \
	X(RETRY_WIDTH, retry_width, "has more bits than there are retransmissions: at most 15") \
	X(STATUS_BITS, status_bits, "needs bits of the status, each one named once")	\
	X(TWO_MAXIMA, two_maxima, "is a second rule for the maximum frame length")	\
	X(SWITCHED_LENGTHS, switched_lengths,						\
	  "needs two lengths that differ, from 1518 to 65535 octets")			\
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
 * The member of macstats_model, or of its descriptor, that breaks a rule, and its name in a
 * message. The row of a rule about a block is the block; each register has MACSTATS_MAX_FIELDS
 * rows of fields.
 */
#define MACSTATS_PART_LIST(X)						\
	X(MODEL, model, "the model")					\
	X(COUNTERS, counters, "counters")				\
	X(REGISTERS, registers, "registers")				\
	X(FIELDS, fields, "fields")					\
	X(BLOCKS, blocks, "blocks")					\
	X(RESERVED, reserved, "reserved")				\
	X(SIZES, sizes, "sizes")					\
	X(TX_STATUS, tx_status, "tx_status")				\
	X(REGIONS, regions, "regions")					\
	X(REVISIONS, revisions, "revisions")				\
	X(RX_STATUS, rx_status, "rx_status")				\
	X(RX_DESCRIBED, rx_described, "rx_described")			\
	X(DESCRIPTOR, descriptor, "descriptor")

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

/* Compilers limit the steps of a constant expression (clang: 2^20): nothing here is cubic. */

/* A row collides with the one named @other. */
MACSTATS_FN struct macstats_finding macstats__collision(enum macstats_rule rule,
							enum macstats_part part, unsigned int row,
							const char *other)
{
	struct macstats_finding finding = { rule, part, row, other };

	return finding;
}

MACSTATS_FN struct macstats_finding macstats__broken(enum macstats_rule rule,
						     enum macstats_part part, unsigned int row)
{
	return macstats__collision(rule, part, row, "");
}

/* A rule that field @field of register @reg breaks. */
MACSTATS_FN struct macstats_finding macstats__broken_field(enum macstats_rule rule,
							   unsigned int reg, unsigned int field)
{
	return macstats__broken(rule, MACSTATS_PART_FIELDS, reg * MACSTATS_MAX_FIELDS + field);
}

MACSTATS_TABLE const struct macstats_finding macstats_no_finding = {
	MACSTATS_RULE_NONE, MACSTATS_PART_MODEL, 0, "",
};

MACSTATS_FN bool macstats__is_empty_text(const char *text)
{
	return macstats_is_null(text) || !*text;
}

MACSTATS_FN bool macstats__is_same_text(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

MACSTATS_FN bool macstats__begins_with(const char *text, const char *prefix)
{
	while (*prefix && *text == *prefix) {
		text++;
		prefix++;
	}
	return !*prefix;
}

MACSTATS_FN bool macstats__is_between(unsigned int value, unsigned int first, unsigned int last)
{
	return value >= first && value <= last;
}

MACSTATS_FN bool macstats__is_subset(unsigned int mask, unsigned int of)
{
	return !(mask & ~of);
}

MACSTATS_FN bool macstats__is_contiguous(unsigned int mask)
{
	unsigned int shifted = mask ? mask >> macstats_bit_shift(mask) : 0;

	return mask && !(shifted & (shifted + 1));
}

#endif /* MACSTATS_RULES_FINDING_H */
