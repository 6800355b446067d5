/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers of an emulated port for another driver than that of its net devices, which may
 * access them in any context. The functions are exported in the namespace MACSTATS_INTERNAL.
 */
#ifndef MACSTATS_EMU_ATTACH_H
#define MACSTATS_EMU_ATTACH_H

#include <linux/types.h>

struct macstats_emu_port;

/**
 * struct macstats_emu_user - what accesses the registers of a port
 * @model: the name of the model whose registers it knows
 * @plug: begin; return 0 or an error. It may access registers from here on
 * @unplug: end, because of macstats_emu_detach() or because the device is being deleted. Nothing
 *	may access a register after it
 * @port: the port, from before @plug until after @unplug; else NULL
 *
 * Both functions may sleep, and must not call macstats_emu_attach() or macstats_emu_detach().
 */
struct macstats_emu_user {
	const char *model;
	int (*plug)(struct macstats_emu_user *user);
	void (*unplug)(struct macstats_emu_user *user);
	struct macstats_emu_port *port;
};

int macstats_emu_attach(struct macstats_emu_user *user, u32 id, unsigned int index);
void macstats_emu_detach(struct macstats_emu_user *user);
u32 macstats_emu_bus_read(struct macstats_emu_port *port, u32 offset, u32 *described);
void macstats_emu_bus_write(struct macstats_emu_port *port, u32 offset, u32 value);
void macstats_emu_bus_reset(struct macstats_emu_port *port);

#endif /* MACSTATS_EMU_ATTACH_H */
