/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The status of descriptors, and their bits.
 */
#ifndef MACSTATS_FEATURE_DESCRIPTORS_RULES_H
#define MACSTATS_FEATURE_DESCRIPTORS_RULES_H

#include "../rules/counters.h"

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
	const struct macstats_roles roles = macstats_find_roles(model);
	unsigned int i;

	if (!macstats_has_sound_descriptor(model))
		return macstats_broken(MACSTATS_RULE_STATUS_BITS, MACSTATS_PART_DESCRIPTOR, 0);
	for (i = 0; i < MACSTATS_MAX_WHEN; i++) {
		enum macstats_rule rule = macstats_broken_by_when(model, &roles,
								  &model->rx_described[i]);

		if (rule)
			return macstats_broken(rule, MACSTATS_PART_RX_DESCRIBED, i);
		if (macstats_is_behind_end(model->rx_described, i))
			return macstats_broken(MACSTATS_RULE_GAP_IN_LIST,
					       MACSTATS_PART_RX_DESCRIBED, i);
	}
	return macstats_no_finding;
}

#endif /* MACSTATS_FEATURE_DESCRIPTORS_RULES_H */
