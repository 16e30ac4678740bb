/* INI files: config_read on any bytes, then a dump that must read back to itself. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_config.h"
#include "fuzz_file.h"

struct values {
	unsigned entries, kind;
	uint64_t bytes;
	double share, clock;
	int64_t delay;
	bool on;
	char name[PARAM_TEXT_MAX];
};

#define AT(member) offsetof(struct values, member)
static const struct param params[] = {
	{"core", "entries", PARAM_UINT, "64", 1, 1024, NULL, "entries", "a number", AT(entries)},
	{"core", "kind", PARAM_ENUM, "a", 0, 0, "a|bb|c", "", "a choice", AT(kind)},
	{"memory", "bytes", PARAM_SIZE, "4 KiB", 0, 0x1p60, NULL, "bytes", "a size", AT(bytes)},
	{"memory", "share", PARAM_REAL, "0.5", -1e300, 1e300, NULL, "", "a real", AT(share)},
	{"memory", "clock", PARAM_FREQ, "2 GHz", 1, 1e12, NULL, "Hz", "a frequency", AT(clock)},
	{"memory", "delay", PARAM_TIME, "10 ns", 0, 1e18, NULL, "ps", "a time", AT(delay)},
	{"run", "on", PARAM_BOOL, "yes", 0, 0, NULL, "", "a switch", AT(on)},
	{"run", "name", PARAM_TEXT, "x", 0, 0, NULL, "", "a text", AT(name)},
};

static struct config *make(struct values *v)
{
	struct config *c = config_create();

	config_add(c, params, sizeof(params) / sizeof(params[0]), v);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct values v, again;
	struct config *c = make(&v), *d;
	struct err e;

	/* in a folder of our own, so that `inherit` finds the file itself and nothing that could block */
	if (config_read(c, fuzz_file("a.ini", data, size), &e)) {
		if (e.status != STATUS_USAGE || !*e.text || strchr(e.text, '\n'))
			abort();
	} else {
		d = make(&again);
		fuzz_config_reads_back(c, d);
		config_destroy(d);
	}
	config_destroy(c);
	return 0;
}
