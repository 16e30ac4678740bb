/* Tables of times: refused with one line, or times that are there for every number and size, and
 * never fall below 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/times/times.h"

static void ask(const struct times_table *t)
{
	static const double bytes[] = {0, 1, 1023.5, 65536, 1e9, 1e18}, rows[] = {0, 1, 2.5, 7, 1e6, 4e9};

	for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
		for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++)
			if (times_at(t, rows[r], bytes[b]) < 0)
				abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"p2p", "bcast", "barrier", "allreduce", ""};
	struct err e = {0};
	struct times *t = times_read(fuzz_file("a.times", data, size), &e);

	if (!t) {
		if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
			abort();
		return 0;
	}
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (times_find(t, names[i]))
			ask(times_find(t, names[i]));
	times_destroy(t);
	return 0;
}
