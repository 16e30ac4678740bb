/* INI files: config_read on any bytes, then a dump that must read back to itself. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "psim/base/config.h"

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

	config_add(c, params, sizeof params / sizeof params[0], v);
	return c;
}

static char *dump(const struct config *c)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		abort();
	config_dump(c, f);
	fclose(f);
	return text;
}

/* A folder of our own, so that `inherit` finds the file itself and nothing that could block. */
static char folder[] = "/tmp/psim-fuzz-ini-XXXXXX";
static char path[sizeof folder + 8];

static void clean_up(void)
{
	unlink(path);
	rmdir(folder);
}

/* Reads `size` bytes as an INI file. */
static int read_bytes(struct config *c, const void *data, size_t size, struct err *e)
{
	FILE *f;

	if (!*path) {
		if (!mkdtemp(folder))
			abort();
		snprintf(path, sizeof path, "%s/a.ini", folder);
		atexit(clean_up);
	}
	f = fopen(path, "wb");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		abort();
	return config_read(c, path, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct values v, again;
	struct config *c = make(&v), *d;
	struct err e;

	if (read_bytes(c, data, size, &e)) {
		if (e.status != STATUS_USAGE || !*e.text || strchr(e.text, '\n'))
			abort();
	} else {
		char *first = dump(c), *second;

		d = make(&again);
		if (read_bytes(d, first, strlen(first), &e)) {
			fprintf(stderr, "dump does not read back: %s\n%s", e.text, first);
			abort();
		}
		second = dump(d);
		if (strcmp(first, second)) {
			fprintf(stderr, "dumps differ\n%s---\n%s", first, second);
			abort();
		}
		free(first);
		free(second);
		config_destroy(d);
	}
	config_destroy(c);
	return 0;
}
