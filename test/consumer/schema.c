// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A C program that has nothing but the schema headers. */
#include <macstats/emulate/emulator.h>
#include <macstats/models.h>
#include <macstats/poll.h>
#include <macstats/standard.h>

int main(void)
{
	return macstats_models[0]->n_counters > 0 ? 0 : 1;
}
