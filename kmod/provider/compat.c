// SPDX-License-Identifier: GPL-2.0
/* What ../compat.h declares for old kernels. */
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "../compat.h"

#ifndef NL_SET_ERR_MSG_FMT
/**
 * macstats_extack_text() - a message that never changes
 * @fmt: its format; each conversion becomes "...", but "%s:" at its start a name of the code
 *
 * Context: process context.
 * Return: the message, which exists until this module is unloaded.
 */
const char *macstats_extack_text(const char *fmt, ...)
{
	static DEFINE_SPINLOCK(lock);
	static char texts[192][80];	/* more than the code has */
	char text[sizeof(texts[0])];
	unsigned int i;
	size_t n = 0;
	va_list args;

	if (!strncmp(fmt, "%s:", 3)) {
		va_start(args, fmt);
		strscpy(text, va_arg(args, const char *), sizeof(text) / 2);
		va_end(args);
		n = strlen(text);
		fmt += 2;
	}
	while (*fmt && n + sizeof("...") < sizeof(text)) {
		if (*fmt != '%' || *++fmt == '%') {
			text[n++] = *fmt++;
			continue;
		}
		while (!isalpha(*fmt) || *fmt == 'l' || *fmt == 'z')
			fmt++;
		fmt++;
		n += scnprintf(text + n, sizeof(text) - n, "...");
	}
	text[n] = 0;

	spin_lock(&lock);
	for (i = 0; i < ARRAY_SIZE(texts) - 1 && *texts[i] && strcmp(texts[i], text); i++)
		;
	if (!*texts[i])
		strscpy(texts[i], text, sizeof(texts[i]));
	spin_unlock(&lock);
	return texts[i];
}
EXPORT_SYMBOL_NS_GPL(macstats_extack_text, MACSTATS_NAMESPACE);
#endif
