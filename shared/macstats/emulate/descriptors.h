/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What descriptors state about frames, and the status that the MAC writes into them.
 */
#ifndef MACSTATS_EMULATE_DESCRIPTORS_H
#define MACSTATS_EMULATE_DESCRIPTORS_H

#include "../feature/descriptors.h"
#include "class.h"

/* The destination of a frame like this one whose description leaves it out. */
MACSTATS_FN __u8 macstats_default_destination(const struct macstats_model *model,
					      const struct macstats_frame *frame)
{
	return model->ieee_own_pause && macstats__is_own_pause(frame) ?
		       (__u8)MACSTATS_MULTICAST : (__u8)MACSTATS_UNICAST;
}

/* Check that a pause frame of the MAC, if this is one, is one that it can make. */
MACSTATS_FN bool macstats_valid_own_pause(const struct macstats_model *model,
					  const struct macstats_frame *frame)
{
	return !model->ieee_own_pause || !macstats__is_own_pause(frame) ||
	       (frame->length == MACSTATS_FRAME_MIN &&
		frame->destination == MACSTATS_MULTICAST);
}

/*
 * Check what a frame states about its descriptors. -EOPNOTSUPP: the descriptors of the model
 * do not have it; -EINVAL: a control of a frame that software does not transmit.
 */
MACSTATS_FN int macstats_check_descriptors(const struct macstats_model *model,
					   const struct macstats_frame *frame)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(model);

	if ((frame->descriptors && !bits->last) || (frame->append_crc && !bits->append_crc) ||
	    (frame->huge && !bits->huge))
		return -EOPNOTSUPP;
	if (macstats_names_controls(frame) &&
	    (frame->direction != MACSTATS_TX || frame->origin != MACSTATS_BY_SOFTWARE))
		return -EINVAL;
	return 0;
}

/*
 * Check whether the MAC writes a status for this frame. Its own pause frames have no
 * descriptor.
 */
MACSTATS_FN bool macstats_has_tx_status(const struct macstats_model *model,
					const struct macstats_frame *frame)
{
	return macstats_descriptor_of(model)->n_tx_status && frame->direction == MACSTATS_TX &&
	       frame->origin == MACSTATS_BY_SOFTWARE && macstats__length_on_wire(model, frame);
}

/* The status that the MAC writes back for a frame, by the rules of one table. */
MACSTATS_FN __u32 macstats__status_of(const struct macstats_seen *seen,
				      const struct macstats_status *fields, unsigned int n)
{
	__u32 status = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_status *field = &fields[i];
		__u32 value = 1;

		if (field->octets)
			value = seen->length;
		else if (field->collisions)
			value = macstats__class_get(seen->frame_class,
						    MACSTATS_CLASS_COLLISION_COUNT);
		else if (!macstats__some_when_matches(field->when, seen->frame_class))
			continue;
		status |= (value & (__u32)macstats_bits_mask(field->bits)) << field->lsb;
	}
	/* Bits that depend on other bits come last. */
	for (i = 0; i < n; i++)
		if (fields[i].unless && !(status & fields[i].unless))
			status |= 1u << fields[i].lsb;
	return status;
}

/* One bit of the controls in a packet's first descriptor. */
MACSTATS_FN __u32 macstats__control_bit(__u32 config, __u32 bit, __u8 control)
{
	if (control == MACSTATS_BY_REGISTER)
		return config & bit;
	return control == MACSTATS_CONTROL_ON ? bit : 0;
}

/*
 * A packet as its driver has it when it was sent, or tried to. The driver sets the override
 * bit only for a packet with a control of its own; a control that the packet leaves to a
 * register is then the same as there. The last of several descriptors has no valid control
 * bits and the first one no valid status: both are inverted here, so that tests notice a use.
 */
MACSTATS_FN struct macstats_packet macstats_tx_packet(const struct macstats_emulator *emu,
						      const struct macstats_frame *given)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(emu->model);
	const struct macstats_seen seen = macstats_see(emu, given);
	__u32 status = macstats__status_of(&seen, bits->tx_status, bits->n_tx_status);
	__u32 config = seen.settings.tx_config;
	struct macstats_packet packet = { 0, 0, 0, 0, 0 };
	__u32 both = bits->append_crc | bits->huge;
	__u32 controls = 0;

	if (macstats_names_controls(given))
		controls = bits->override |
			   macstats__control_bit(config, bits->append_crc, given->append_crc) |
			   macstats__control_bit(config, bits->huge, given->huge);
	packet.first = bits->first | controls;
	if (macstats_descriptors(given) > 1) {
		packet.first |= ~status & ~(bits->last | bits->override | both);
		packet.last = status | bits->last | (~controls & (bits->override | both));
	} else {
		packet.first |= status | bits->last;
		packet.last = packet.first;
	}
	packet.config = config;
	packet.octets = seen.length > MACSTATS_FCS_LEN ? seen.length - MACSTATS_FCS_LEN : 0;
	packet.attempts = seen.settings.attempts;
	return packet;
}

/*
 * The status that the MAC writes into the last descriptor of a received frame, for
 * macstats_rx_descriptor(). Return: false if the frame gets to no descriptor.
 */
MACSTATS_FN bool macstats_rx_status(const struct macstats_emulator *emu,
				    const struct macstats_frame *given, __u32 *status)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(emu->model);
	struct macstats_seen seen;

	if (!bits->n_rx_status || given->direction != MACSTATS_RX)
		return false;
	seen = macstats_see(emu, given);
	if (!macstats__some_when_matches(bits->rx_described, seen.frame_class))
		return false;
	*status = macstats__status_of(&seen, bits->rx_status, bits->n_rx_status);
	return true;
}

/*
 * Descriptor @index of the packet of a received frame with @status. Only the last one has a valid
 * status; that of the others is inverted.
 */
MACSTATS_FN __u32 macstats_rx_descriptor(const struct macstats_model *model,
					 const struct macstats_frame *given, __u32 status,
					 unsigned int index)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(model);
	__u32 first = index ? 0 : bits->first;

	if (index + 1 < macstats_descriptors(given))
		return (~status & ~(bits->first | bits->last)) | first;
	return status | bits->last | first;
}

#endif /* MACSTATS_EMULATE_DESCRIPTORS_H */
