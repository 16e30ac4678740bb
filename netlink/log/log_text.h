/* Text that both formats of events share. */
#ifndef PSIM_NETLINK_LOG_TEXT_H
#define PSIM_NETLINK_LOG_TEXT_H

#include <inttypes.h>
#include <stdio.h>

#include "../../psim/base/escape.h"

/* Writes the name of a message: node and number. */
static inline void log_put_serial(FILE *out, uint64_t serial)
{
	fprintf(out, "%" PRIu64 ".%" PRIu64, serial >> 32, serial & UINT32_MAX);
}

/* Writes a name from outside, without what would end quotes around it or the line, or what escape.h hides. */
static inline void log_put_plain(FILE *out, const char *name)
{
	while (*name) {
		bool plain;
		size_t length = escape_length(name, &plain);

		if (plain && *name != '"' && *name != '\\')
			fwrite(name, 1, length, out);
		name += length;
	}
}

/* The same in quotes. */
static inline void log_put_name(FILE *out, const char *name)
{
	fputc('"', out);
	log_put_plain(out, name);
	fputc('"', out);
}

#endif
