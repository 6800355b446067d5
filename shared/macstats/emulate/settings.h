/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Registers and faults -> the settings that counting a frame needs.
 */
#ifndef MACSTATS_EMULATE_SETTINGS_H
#define MACSTATS_EMULATE_SETTINGS_H

#include "../feature/descriptors.h"
#include "state.h"

/* The stored value of the bits of @bit, right aligned; @otherwise if there are none. */
MACSTATS_FN __u32 macstats__stored(const struct macstats_emulator *emu,
				   const struct macstats_bit *bit, __u32 otherwise)
{
	int i = bit->mask ? macstats_register_at(emu->model, bit->offset) : -1;

	if (i < 0)
		return otherwise;
	return (emu->registers[i] & bit->mask) >> macstats_bit_shift(bit->mask);
}

/* The bits of a transmit descriptor that registers set for all packets. */
MACSTATS_FN __u32 macstats__copied_status(const struct macstats_emulator *emu)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(emu->model);
	__u32 status = 0;
	unsigned int i;

	for (i = 0; i < bits->n_tx_status; i++) {
		const struct macstats_status *field = &bits->tx_status[i];

		status |= (macstats__stored(emu, &field->copy, 0) &
			   (__u32)macstats_bits_mask(field->bits)) << field->lsb;
	}
	return status;
}

/* Check whether the port has power. Without it nothing counts, and reads give all-ones. */
MACSTATS_FN bool macstats__has_power(const struct macstats_emulator *emu)
{
	return !(emu->faults & MACSTATS_FAULT_SUSPEND);
}

/* Check whether the gate is open, if the model has one. */
MACSTATS_FN bool macstats__gate_is_open(const struct macstats_emulator *emu)
{
	return macstats__stored(emu, &emu->roles.gate, 1) &&
	       !(emu->faults & MACSTATS_FAULT_GATE_CLOSES);
}

/* The settings that counting needs of registers and faults. */
MACSTATS_FN struct macstats_settings macstats__settings_of(const struct macstats_emulator *emu)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_roles *roles = &emu->roles;
	struct macstats_settings now = MACSTATS_NO_SETTINGS;
	__u32 otherwise = roles->max_frame_switch.mask ?
		macstats__switched_max_frame(model,
					     macstats__stored(emu, &roles->max_frame_switch, 0)) :
		macstats__fixed_max_frame(model);
	unsigned int i;

	now.max_frame_rx = otherwise;
	now.max_frame_tx = otherwise;
	if (macstats__stored(emu, &roles->max_frame_enable, 1)) {
		now.max_frame_rx = macstats__stored(emu, &roles->max_frame_rx, otherwise);
		now.max_frame_tx = macstats__stored(emu, &roles->max_frame_tx, otherwise);
	}
	now.max_frame_set = now.max_frame_tx;
	if (macstats__stored(emu, &roles->any_length_tx, 0))
		now.max_frame_tx = MACSTATS_FRAME_MAX;
	now.tx_config = macstats__copied_status(emu);
	now.attempts = (__u8)(macstats__stored(emu, &roles->retry_limit,
					       MACSTATS_ATTEMPT_LIMIT - 1) + 1);
	now.counting = (emu->options & macstats_statistics_options(model)) &&
		       macstats__has_power(emu) && macstats__gate_is_open(emu);
	now.flow_control = macstats__stored(emu, &roles->flow_control, 1);
	now.options = emu->options;
	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++)
		if (macstats__stored(emu, &roles->setting[i], 0))
			now.options = (__u16)(now.options | MACSTATS_OPT_SETTING << i);
	return now;
}

MACSTATS_FN bool macstats__same_settings(const struct macstats_settings *a,
					 const struct macstats_settings *b)
{
	return a->max_frame_rx == b->max_frame_rx && a->max_frame_tx == b->max_frame_tx &&
	       a->max_frame_set == b->max_frame_set && a->tx_config == b->tx_config &&
	       a->attempts == b->attempts && a->options == b->options &&
	       a->counting == b->counting && a->flow_control == b->flow_control;
}

/* Publish the settings again, after a change of registers or faults that may change them. */
MACSTATS_FN void macstats__emulator_settings(struct macstats_emulator *emu)
{
	struct macstats_settings now = macstats__settings_of(emu);

	if (!macstats__same_settings(&now, &emu->settings))
		macstats__settings_publish(emu, &now);
}

#endif /* MACSTATS_EMULATE_SETTINGS_H */
