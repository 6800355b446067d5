/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What emulated hardware and tests need besides macstats.h; no driver does. The functions are
 * exported in the namespace MACSTATS_INTERNAL.
 */
#ifndef MACSTATS_EMULATED_H
#define MACSTATS_EMULATED_H

#include "macstats.h"

/**
 * struct macstats_emulated - what emulated hardware has besides a config
 * @held: poll the hardware only in macstats_port_refresh(), and answer everything else
 *	from memory. For tests, which must know when the hardware is read
 * @unbounded: no total is bound by the line rate, which still limits the poll interval
 * @wq: polls the hardware, where that may keep many workers waiting. It must exist until the last
 *	port of the hardware is unregistered. NULL: that of this module
 * @line_octets: the octet times that the frames of both directions took since the last call,
 *	~0 for any number. If they are enough for a counter to wrap, counts may be lost.
 *	Called by one task at a time. NULL: those of the clock, at the line rate
 * @read_block: read counters at adjacent addresses from one on, from the base of the device. It
 *	sets the last argument, which is 0, to the number of words that were read, also where it
 *	fails: a read may have cleared them. NULL: the regmap reads them
 * @lowered: since the last call, has anybody but the provider taken away some of what
 *	macstats_port_preset() had put into a counter? NULL: no
 *
 * The functions get macstats_port_config.priv, and must not sleep.
 */
struct macstats_emulated {
	bool held;
	bool unbounded;
	struct workqueue_struct *wq;
	u64 (*line_octets)(void *priv);
	int (*read_block)(void *priv, unsigned int reg, u64 *values, unsigned int words,
			  unsigned int *done);
	bool (*lowered)(void *priv, unsigned int index);
};

struct macstats_port *macstats_port_register_emulated(const struct macstats_port_config *config,
						      const struct macstats_emulated *emulated);
void macstats_port_set_slow(struct macstats_port *port, bool slow);
void macstats_port_expire(struct macstats_port *port);
void macstats_port_advance(struct macstats_port *port, u64 nsecs);
void macstats_port_preset(struct macstats_port *port, unsigned int index, u64 value,
			  u64 (*set)(void *context, unsigned int index, u64 value),
			  void *context);

#endif /* MACSTATS_EMULATED_H */
