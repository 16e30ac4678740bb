/* Text that both formats of events share. */
#ifndef PSIM_NETLINK_LOG_TEXT_H
#define PSIM_NETLINK_LOG_TEXT_H

#include <inttypes.h>
#include <stdio.h>

/* Writes the name of a message: node and number. */
static inline void log_put_serial(FILE *out, uint64_t serial)
{
	fprintf(out, "%" PRIu64 ".%" PRIu64, serial >> 32, serial & UINT32_MAX);
}

/* Returns the bytes of the UTF-8 sequence at `s` (RFC 3629), 0: it is none. */
static inline int log_utf8(const unsigned char *s)
{
	int more = s[0] < 0x80 ? 0 : s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;

	if (s[0] > 0xf4 || (s[0] >= 0x80 && s[0] < 0xc2))
		return 0;
	for (int i = 1; i <= more; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return 1 + more;
}

/* Writes a name from the program in quotes, without what would end the quotes or the line, or is no UTF-8. */
static inline void log_put_name(FILE *out, const char *name)
{
	const unsigned char *s = (const unsigned char *)name;

	fputc('"', out);
	while (*s) {
		int bytes = log_utf8(s);

		if (bytes > 1 || (bytes && *s >= ' ' && *s != '"' && *s != '\\' && *s != 0x7f))
			fwrite(s, 1, (size_t)bytes, out);
		s += bytes ? bytes : 1;
	}
	fputc('"', out);
}

#endif
