/*
 * Protocols of message libraries: refused with one line, or tables with a segment for each size, whose times are never
 * below 0 and do not fall within it.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/protocol/protocol.h"

static void check_time(const struct protocol_segment *s, const struct protocol_time *t, uint64_t bytes)
{
	if (protocol_ps(s, t, s->from) < 0 || protocol_ps(s, t, bytes) < protocol_ps(s, t, s->from))
		abort();
}

static void check_table(const struct protocol *p, enum protocol_where where)
{
	static const uint64_t bytes[] = {0, 1, 1023, 65536, UINT64_C(1) << 40, UINT64_MAX};

	for (unsigned i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		const struct protocol_segment *s = protocol_find(p, where, bytes[i]);

		if (!s)
			return;
		if (s->from > bytes[i])
			abort();
		check_time(s, &s->send, bytes[i]);
		check_time(s, &s->receive, bytes[i]);
		check_time(s, &s->delay, bytes[i]);
		check_time(s, &s->gap, bytes[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct protocol *p = protocol_read(fuzz_file("a.protocol", data, size), &e);

	if (!p) {
		if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
			abort();
		return 0;
	}
	check_table(p, PROTOCOL_BETWEEN);
	check_table(p, PROTOCOL_WITHIN);
	protocol_destroy(p);
	return 0;
}
