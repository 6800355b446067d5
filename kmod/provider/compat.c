// SPDX-License-Identifier: GPL-2.0
/* What ../compat.h declares for old kernels. */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../compat.h"

#ifndef NL_SET_ERR_MSG_FMT
/**
 * macstats_extack_text() - format a message that outlives its request
 * @fmt: format of the message, of which 127 characters are kept
 *
 * Context: any.
 * Return: the message, which 256 further messages overwrite.
 */
const char *macstats_extack_text(const char *fmt, ...)
{
	static atomic_t next = ATOMIC_INIT(0);
	static char texts[256][128];
	va_list args;
	char *text;

	text = texts[(unsigned int)atomic_inc_return(&next) % ARRAY_SIZE(texts)];
	va_start(args, fmt);
	vscnprintf(text, sizeof(texts[0]), fmt, args);
	va_end(args);
	return text;
}
EXPORT_SYMBOL_GPL(macstats_extack_text);
#endif
