// SPDX-License-Identifier: GPL-2.0
/*
 * Software counters: what a driver reports of its packets, counted by CPU.
 */
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/u64_stats_sync.h>

#include "internal.h"

/*
 * Find the software counters that count packets like this one, and what each packet adds to them.
 * @sent as in macstats_hw_count(). @bits: of the status, @sent_bits or @received_bits.
 */
static void macstats_hw_match(const struct macstats_hw *hw, struct macstats_software_counts *counts,
			      const struct macstats_packet *sent, u32 bits)
{
	const struct macstats_counter *rows = &hw->model->counters[hw->software.first];
	struct macstats_matched *matched = sent ? &counts->sent : &counts->received;
	unsigned int n = hw->model->n_counters - hw->software.first;
	struct macstats_software_counter **next = &matched->first;
	unsigned int i;

	matched->bits = bits;
	matched->attempts = sent ? sent->attempts : 0;
	for (i = 0; i < n; i++) {
		struct macstats_software_counter *counter = &counts->counters[i];
		unsigned int index = hw->software.first + i;

		if (!macstats_status_counts(&rows[i].status, !sent, bits))
			continue;
		counter->octets = rows[i].status.adds_octets;
		if (!counter->octets)
			counter->adds = sent ?
				macstats_transmitted_increment(hw->model, index, sent, bits, 1) :
				macstats_received_increment(hw->model, index, bits, 1);
		if (!counter->octets && !counter->adds)
			continue;
		*next = counter;
		next = &counter->next;
	}
	*next = NULL;
}

/* What @counted becomes with @count packets, each of which adds @each. */
static __always_inline u64 macstats_hw_counted(u64 counted, u64 count, u64 each)
{
	u64 events = likely(count == 1) ? each : macstats_saturating_multiply(count, each);

	return macstats_total_add(counted, events);
}

/*
 * Count packets in the software counters. @sent: describes sent packets; NULL for received packets.
 * @status: the status of each packet. Return: false, and nothing is counted, if they are not like
 * the last ones and @anew is not set.
 */
static __always_inline bool macstats_hw_count(struct macstats_hw *hw,
					      const struct macstats_packet *sent, u32 status,
					      u64 count, bool anew)
{
	const struct macstats_software *software = &hw->software;
	u32 octets = sent ? sent->octets :
		     status >> software->received_lsb & software->received_octets;
	u32 bits = status & (sent ? software->sent_bits : software->received_bits);
	struct macstats_software_counter *counter;
	struct macstats_software_counts *counts;
	const struct macstats_matched *matched;
	unsigned long flags;

	if (!software->counts)
		return true;
	/* An interrupt may count packets of its own: a network console cleans transmit rings. */
	local_irq_save(flags);
	counts = this_cpu_ptr(software->counts);
	matched = sent ? &counts->sent : &counts->received;
	if (anew) {
		macstats_hw_match(hw, counts, sent, bits);
	} else if (unlikely(matched->bits != bits ||
			    (sent && matched->attempts != sent->attempts))) {
		local_irq_restore(flags);
		return false;
	}
	u64_stats_update_begin(&counts->syncp);
	/* u64_stats_add() adds an unsigned long, which may have 32 bits. */
	for (counter = matched->first; counter; counter = counter->next)
		u64_stats_set(&counter->count,
			      macstats_hw_counted(u64_stats_read(&counter->count), count,
						  counter->octets ? octets : counter->adds));
	u64_stats_update_end(&counts->syncp);
	local_irq_restore(flags);
	return true;
}

/* The same for packets that are not like the last ones. */
static noinline void macstats_hw_count_anew(struct macstats_hw *hw,
					    const struct macstats_packet *sent, u32 status,
					    u64 count)
{
	macstats_hw_count(hw, sent, status, count, true);
}

/**
 * macstats_port_transmitted() - count sent packets in the software counters
 * @port: the port
 * @packet: what each of the packets is, see below
 * @count: number of packets, sent or given up
 *
 * For models with software counters. Call it once for a packet, when its last descriptor comes
 * back, with
 *
 * * first: the word with status and control bits of the packet's first descriptor;
 * * last: that word of its last descriptor. A packet of one descriptor has it in both;
 * * config: the control bits as registers set them for all packets, in the places that they
 *   have in a descriptor. They apply to a packet whose first descriptor does not override them;
 * * octets: the length of the packet without FCS, as for tx_bytes;
 * * attempts: how often the MAC tries to send a frame: its retry limit and one.
 *
 * Context: any but an NMI; takes no lock.
 */
void macstats_port_transmitted(struct macstats_port *port, const struct macstats_packet *packet,
			       u64 count)
{
	struct macstats_hw *hw = port->hw;
	u32 status = macstats_packet_status(hw->model, packet);

	if (unlikely(!macstats_hw_count(hw, packet, status, count, false)))
		macstats_hw_count_anew(hw, packet, status, count);
}
EXPORT_SYMBOL_GPL(macstats_port_transmitted);

/**
 * macstats_port_received() - count received packets in the software counters
 * @port: the port
 * @status: the receive descriptor status of each of the packets
 * @count: number of packets, good or bad
 *
 * For models with software counters. A descriptor that is not the last one of its packet
 * counts nothing, so the driver may pass every descriptor.
 *
 * Context: any but an NMI; takes no lock.
 */
void macstats_port_received(struct macstats_port *port, u32 status, u64 count)
{
	if (unlikely(!macstats_hw_count(port->hw, NULL, status, count, false)))
		macstats_hw_count_anew(port->hw, NULL, status, count);
}
EXPORT_SYMBOL_GPL(macstats_port_received);

/* Sum the software counters of all CPUs. Caller has locked the hardware. */
void macstats_hw_sum_software(struct macstats_hw *hw)
{
	struct macstats_accumulated_counter *first = &hw->acc.counters[hw->software.first];
	unsigned int n = hw->model->n_counters - hw->software.first;
	struct macstats_accumulated_counter *kept;
	unsigned int cpu;

	macstats_hw_assert_locked(hw);
	if (hw->acc.state.absent || !n)
		return;
	for_each_possible_cpu(cpu) {
		const struct macstats_software_counts *counts =
			per_cpu_ptr(hw->software.counts, cpu);
		const struct macstats_software_counter *counter = counts->counters + n;

		/*
		 * From the last one on: packets that count meanwhile show up in later counters
		 * first, so that octets less those of the FCS are never too many.
		 */
		for (kept = first + n; kept > first;) {
			unsigned int start;
			u64 count;

			kept--;
			counter--;
			do {
				start = u64_stats_fetch_begin(&counts->syncp);
				count = u64_stats_read(&counter->count);
			} while (u64_stats_fetch_retry(&counts->syncp, start));
			if (count)
				kept->value = macstats_total_add(kept->value, count);
		}
	}
	for (kept = first; kept < first + n; kept++) {
		if (kept->total != kept->value)
			macstats_take_software(&hw->acc, kept - hw->acc.counters, kept->value);
		kept->value = 0;	/* for the next sum */
	}
}

int macstats_hw_init_software(struct macstats_hw *hw)
{
	const struct macstats_descriptor *descriptor = macstats_descriptor_of(hw->model);
	const struct macstats_model *model = hw->model;
	const struct macstats_packet none = {};
	const struct macstats_status *field;
	unsigned int cpu;
	unsigned int i;
	unsigned int n;

	hw->software.first = macstats_register_counters(model);
	n = model->n_counters - hw->software.first;
	if (!n)
		return 0;
	for (i = hw->software.first; i < model->n_counters; i++) {
		const struct macstats_from_status *from = &model->counters[i].status;

		hw->acc.counters[i].taken = true;
		if (from->received)
			hw->software.received_bits |= from->mask;
		else
			hw->software.sent_bits |= from->mask;
	}
	field = macstats_status_field(descriptor->tx_status, descriptor->n_tx_status, false);
	if (field)
		hw->software.sent_bits |= macstats_bits_mask(field->bits) << field->lsb;
	field = macstats_status_field(descriptor->rx_status, descriptor->n_rx_status, true);
	if (field) {
		hw->software.received_lsb = field->lsb;
		hw->software.received_octets = macstats_bits_mask(field->bits);
	}
	hw->software.counts = __alloc_percpu(struct_size(hw->software.counts, counters, n),
					     __alignof__(struct macstats_software_counts));
	if (!hw->software.counts)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct macstats_software_counts *counts = per_cpu_ptr(hw->software.counts, cpu);

		u64_stats_init(&counts->syncp);
		macstats_hw_match(hw, counts, &none, 0);
		macstats_hw_match(hw, counts, NULL, 0);
	}
	return 0;
}
