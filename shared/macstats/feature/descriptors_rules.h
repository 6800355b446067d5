/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The status of descriptors, and their bits.
 */
#ifndef MACSTATS_FEATURE_DESCRIPTORS_RULES_H
#define MACSTATS_FEATURE_DESCRIPTORS_RULES_H

#include "../rules/counters.h"

/* Each field of a status has texts, and bits of its own. */
MACSTATS_FN struct macstats_finding macstats__check_status(const struct macstats_status *fields,
							   unsigned int n, enum macstats_part part)
{
	__u32 seen = 0;
	unsigned int i;

	if (n && macstats_is_null(fields))
		return macstats__broken(MACSTATS_RULE_TABLE_MISSING, part, 0);
	for (i = 0; i < n; i++) {
		if (macstats__lacks_text(fields[i].name, fields[i].help))
			return macstats__broken(MACSTATS_RULE_TEXT_MISSING, part, i);
		if (!fields[i].bits || 0u + fields[i].lsb + fields[i].bits > 32 ||
		    (macstats__status_bits(&fields[i]) & seen))
			return macstats__broken(MACSTATS_RULE_STATUS_BITS, part, i);
		seen |= macstats__status_bits(&fields[i]);
	}
	return macstats_no_finding;
}

/* The bits of descriptors exist, and each has one meaning. */
MACSTATS_FN bool macstats__has_sound_bits(const struct macstats_descriptor *bits)
{
	const __u32 all[] = { bits->first, bits->last, bits->override, bits->append_crc,
			      bits->huge };
	__u32 transmitted = macstats__status_mask(bits->tx_status, bits->n_tx_status);
	__u32 received = macstats__status_mask(bits->rx_status, bits->n_rx_status);
	__u32 seen = 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(all); i++) {
		if ((all[i] & seen) || (all[i] & (all[i] - 1)) ||
		    !macstats__is_subset(all[i], transmitted))
			return false;
		seen |= all[i];
	}
	if ((bits->n_tx_status || bits->n_rx_status) && (!bits->first || !bits->last))
		return false;
	if (bits->n_rx_status && !macstats__is_subset(bits->first | bits->last, received))
		return false;
	return !bits->override == !(bits->append_crc | bits->huge);
}

MACSTATS_FN struct macstats_finding macstats__rules_descriptors(const struct macstats_model *model)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(model);
	const struct macstats_roles roles = macstats_find_roles(model);
	struct macstats_finding finding = macstats__check_status(bits->tx_status, bits->n_tx_status,
								 MACSTATS_PART_TX_STATUS);
	unsigned int i;

	if (!finding.rule)
		finding = macstats__check_status(bits->rx_status, bits->n_rx_status,
						 MACSTATS_PART_RX_STATUS);
	if (!finding.rule && !macstats__has_sound_bits(bits))
		finding = macstats__broken(MACSTATS_RULE_STATUS_BITS, MACSTATS_PART_DESCRIPTOR, 0);
	for (i = 0; i < MACSTATS_MAX_WHEN && !finding.rule; i++) {
		finding = macstats__broken(macstats__broken_by_when(model, &roles,
								    &bits->rx_described[i]),
					   MACSTATS_PART_RX_DESCRIBED, i);
		if (!finding.rule && macstats__is_behind_end(bits->rx_described, i))
			finding.rule = MACSTATS_RULE_GAP_IN_LIST;
	}
	return finding;
}

#endif /* MACSTATS_FEATURE_DESCRIPTORS_RULES_H */
