/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The roles that fields of registers have.
 */
#ifndef MACSTATS_ROLE_LIST_H
#define MACSTATS_ROLE_LIST_H

/*
 * What fields are for, and the access of such a field. One field has a role, but several fields of
 * a register may be one gate, and any number of fields an identity. A role from SNAPSHOT_REQUEST to
 * PARITY_CLEAR is about the block of its register.
 */
#define MACSTATS_ROLE_LIST(X)								\
	X(GATE, STORED)			/* all 0: nothing counts, DECREMENT stores */	\
	X(BUSY, ANY)			/* set: the counters must not be read */	\
	X(HALF_FULL, READ_ONLY)		/* a counter is at macstats_model.half_full */	\
	X(HALF_FULL_ENABLE, STORED)	/* set: HALF_FULL interrupts */			\
	X(MAX_FRAME_RX, ANY)		/* the maximum frame length now set */		\
	X(MAX_FRAME_TX, ANY)								\
	X(ANY_LENGTH_TX, STORED)	/* set: there is no maximum on transmit */	\
	X(MAX_FRAME_ENABLE, STORED)	/* clear: there are no MAX_FRAME_RX and _TX */	\
	X(MAX_FRAME_SWITCH, STORED)	/* where those do not hold */			\
	X(FLOW_CONTROL, STORED)		/* set: the MAC exerts it; none: always */	\
	X(RETRY_LIMIT, STORED)		/* transmissions after the first; else 15 */	\
	X(SETTING, STORED)		/* set: MACSTATS_OPT_SETTING is on */		\
	X(SETTING_2, STORED)		/* set: MACSTATS_OPT_SETTING_2 is on */		\
	X(SNAPSHOT_REQUEST, STORED)	/* level: held while it is set */		\
	X(SNAPSHOT_GRANTED, READ_ONLY)							\
	X(DUMP, STORED)			/* set: until the counters are in memory */	\
	X(WINDOW_INDEX, STORED)		/* of a counter, see macstats_block.window */	\
	X(WINDOW_START, STORED)		/* set: until its value is in WINDOW_LOW, _HIGH */ \
	X(WINDOW_LOW, READ_ONLY)							\
	X(WINDOW_HIGH, READ_ONLY)							\
	X(WRITE_ENABLE, STORED)		/* set: a write to a counter is stored */	\
	X(CLEAR, COMMAND)								\
	X(INCREMENT, COMMAND)		/* adds 1 to each counter */			\
	X(CLEAR_ON_READ, STORED)	/* set: a read of a counter clears it */	\
	X(SATURATE, STORED)		/* set: counters stay at their maximum */	\
	X(FREEZE, STORED)		/* set: counters stay as they are */		\
	X(PARITY_ERROR, READ_ONLY)	/* sticky */					\
	X(PARITY_CLEAR, COMMAND)							\
	X(IDENTITY, READ_ONLY)		/* at its reset value in every device */

#define MACSTATS_ROLE_NUMBER(name, access) MACSTATS_ROLE_NUMBER_##name,
#define MACSTATS_ROLE_BIT(name, access) MACSTATS_ROLE_##name = 1 << MACSTATS_ROLE_NUMBER_##name,
enum macstats_role_number {
	MACSTATS_ROLE_LIST(MACSTATS_ROLE_NUMBER)
	MACSTATS_ROLES,
};

enum macstats_role {
	MACSTATS_ROLE_LIST(MACSTATS_ROLE_BIT)
};

#endif /* MACSTATS_ROLE_LIST_H */
