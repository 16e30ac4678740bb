/* Names from a file, sanitized for a terminal. */
#ifndef PSIM_TRACES_VIEW_TEXT_H
#define PSIM_TRACES_VIEW_TEXT_H

#include <stddef.h>

/* Copies `from`, truncated to size - 1 bytes, with '?' for control characters. */
static inline void text_clean(const char *from, char *to, size_t size)
{
	size_t n = 0;
	for (; n + 1 < size && from[n]; n++)
		to[n] = (unsigned char)from[n] < 0x20 || from[n] == 0x7f ? '?' : from[n];
	to[n] = '\0';
}

#endif
