/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Short forms for the tables of a model, which schema.h includes.
 */
#ifndef MACSTATS_ROWS_H
#define MACSTATS_ROWS_H

/*
 * Short forms for the tables of a model. A row states only what differs from its
 * neighbours: each model defines a macro over MACSTATS_ROW() that fills in what its
 * registers have in common, from .bits to .frame_limit.
 *
 *	#define TSE_ROW(name_, reg_, offset_, unit_, help_, ...)			\
 *		MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32,			\
 *			     .unit = MACSTATS_##unit_, .onread = MACSTATS_ONREAD_RCLR,	\
 *			     __VA_ARGS__)
 *
 *	TSE_ROW("rx_frames", "RxFrames", 0x20, FRAMES, "Received frames",
 *		.when = { { .direction = MACSTATS_RX } }),
 *
 * Frame rules and sums that several rows share get a macro as well. All of these macros
 * start with the name of the model, because all models are included together.
 */
#define MACSTATS_ROW(name_, reg_, offset_, help_, ...)					\
	{ .name = name_, .reg = reg_, .offset = offset_, __VA_ARGS__, .help = help_ }

/* One class of frames of one direction: MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_FCS). */
#define MACSTATS_WHEN_RX(...)		.when = { { .direction = MACSTATS_RX, __VA_ARGS__ } }
#define MACSTATS_WHEN_TX(...)		.when = { { .direction = MACSTATS_TX, __VA_ARGS__ } }
/* For a row that no frame can reach, and whose counter counts only errors by the datasheet. */
#define MACSTATS_ERRORS_NEVER_SEEN	.never = true, .errors_only = true
#define MACSTATS_ANY			0	/* in a mask of classes */

/*
 * The standard statistics that a row is added to, without MACSTATS_STD_; all sums are
 * written as .standard = { MACSTATS_PLUS(A, B), MACSTATS_MINUS(C), { <id>, <factor> } }.
 */
#define MACSTATS_FEEDS(...)		.standard = { MACSTATS_PLUS(__VA_ARGS__) }
#define MACSTATS_PLUS(...)		MACSTATS_TERMS(1, __VA_ARGS__)
#define MACSTATS_MINUS(...)		MACSTATS_TERMS(-1, __VA_ARGS__)
#define MACSTATS_TERMS(factor, ...)							\
	MACSTATS_NINTH(__VA_ARGS__, MACSTATS_TERM_8, MACSTATS_TERM_7, MACSTATS_TERM_6,	\
		       MACSTATS_TERM_5, MACSTATS_TERM_4, MACSTATS_TERM_3,		\
		       MACSTATS_TERM_2, MACSTATS_TERM_1, 0)(factor, __VA_ARGS__)
#define MACSTATS_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define MACSTATS_TERM_1(n, id)		{ MACSTATS_STD_##id, n }
#define MACSTATS_TERM_2(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_1(n, __VA_ARGS__)
#define MACSTATS_TERM_3(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_2(n, __VA_ARGS__)
#define MACSTATS_TERM_4(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_3(n, __VA_ARGS__)
#define MACSTATS_TERM_5(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_4(n, __VA_ARGS__)
#define MACSTATS_TERM_6(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_5(n, __VA_ARGS__)
#define MACSTATS_TERM_7(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_6(n, __VA_ARGS__)
#define MACSTATS_TERM_8(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_7(n, __VA_ARGS__)

/*
 * The rows of the RFC 2819 size classes from 64 to 1518 octets, or to 1023. @row is a
 * macro of the model, row(index, name, reg, text, size), called with 1 for example as
 * row(1, "65" name_to "127", "65" reg_to "127", "65 to 127 octets", <the class's bit>).
 */
#define MACSTATS_RMON_ROWS(row, name_to, reg_to)					\
	MACSTATS_RMON_ROWS_TO_1023(row, name_to, reg_to)				\
	MACSTATS_RMON_CLASS(row, 5, "1024", "1518", name_to, reg_to, MACSTATS_SIZE_1024_TO_1518)
#define MACSTATS_RMON_ROWS_TO_1023(row, name_to, reg_to)				\
	row(0, "64", "64", "64 octets", MACSTATS_SIZE_64)				\
	MACSTATS_RMON_CLASS(row, 1, "65", "127", name_to, reg_to, MACSTATS_SIZE_65_TO_127)	\
	MACSTATS_RMON_CLASS(row, 2, "128", "255", name_to, reg_to, MACSTATS_SIZE_128_TO_255)	\
	MACSTATS_RMON_CLASS(row, 3, "256", "511", name_to, reg_to, MACSTATS_SIZE_256_TO_511)	\
	MACSTATS_RMON_CLASS(row, 4, "512", "1023", name_to, reg_to, MACSTATS_SIZE_512_TO_1023)
#define MACSTATS_RMON_CLASS(row, index, low, high, name_to, reg_to, size)		\
	row(index, low name_to high, low reg_to high, low " to " high " octets", size)

/*
 * A row for each of eight queues or priorities: see feature/index.h. @row is a macro of the model,
 * called as row(3, ...):
 *
 *	#define TSE_QUEUE(k, ...)							\
 *		TSE_ROW("rx_q" #k "_frames", "RxQueue" #k, 0x80 + 4 * (k), FRAMES,	\
 *			"Received frames of this queue", MACSTATS_INDEX(QUEUE, k), __VA_ARGS__)
 *
 *	MACSTATS_EACH_OF_8(TSE_QUEUE, MACSTATS_WHEN_RX()),
 */
#define MACSTATS_INDEX(of, number)	.index_of = MACSTATS_INDEX_OF_##of, .index = number
#define MACSTATS_EACH_OF_8(row, ...)							\
	row(0, __VA_ARGS__), row(1, __VA_ARGS__), row(2, __VA_ARGS__), row(3, __VA_ARGS__), \
	row(4, __VA_ARGS__), row(5, __VA_ARGS__), row(6, __VA_ARGS__), row(7, __VA_ARGS__)

/*
 * Rows of macstats_model.registers and their fields; @access_ is RO or RW. Last comes the help text
 * and, where there are any, .roles or .fields:
 *
 *	MACSTATS_REGISTER(RW, "FRM_LENGTH", 0x14, 1518, "Maximum frame length", .fields = {
 *		MACSTATS_FIELD(RW, "length", 0, 16, "Octets, FCS included",
 *			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
 */
#define MACSTATS_REGISTER(access_, name_, offset_, reset_, ...)				\
	{ .name = name_, .offset = offset_, .access = MACSTATS_##access_, .reset = reset_, \
	  .help = __VA_ARGS__ }
/* A register that is absent without the counters of the first block or of @block_. */
#define MACSTATS_STAT_REGISTER(access_, name_, offset_, reset_, ...)			\
	MACSTATS_BLOCK_REGISTER(access_, 0, name_, offset_, reset_, __VA_ARGS__)
#define MACSTATS_BLOCK_REGISTER(access_, block_, name_, offset_, reset_, ...)		\
	{ .name = name_, .offset = offset_, .access = MACSTATS_##access_,		\
	  .statistics_only = true, .block = block_, .reset = reset_, .help = __VA_ARGS__ }
#define MACSTATS_FIELD(access_, name_, lsb_, bits_, ...)				\
	{ .name = name_, .lsb = lsb_, .bits = bits_, .access = MACSTATS_##access_,	\
	  .help = __VA_ARGS__ }
/* A bit that starts something and reads as 0. */
#define MACSTATS_COMMAND(name_, lsb_, ...)						\
	{ .name = name_, .lsb = lsb_, .bits = 1, .access = MACSTATS_RW, .singlepulse = true, \
	  .help = __VA_ARGS__ }

/* A table of a model and its size: MACSTATS_ROWS(counters, tse_counters). */
#define MACSTATS_ROWS(member, array) .member = array, .n_##member = MACSTATS_COUNT_OF(array)

#endif /* MACSTATS_ROWS_H */
