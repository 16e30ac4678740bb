#include "fuzz_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 4 };

static char folder[] = "/tmp/psim-fuzz-XXXXXX";
static char paths[NAMES_MAX][sizeof(folder) + 32];

static void clean_up(void)
{
	for (unsigned i = 0; i < NAMES_MAX && *paths[i]; i++)
		unlink(paths[i]);
	rmdir(folder);
}

const char *fuzz_file(const char *name, const void *data, size_t size)
{
	char path[sizeof(paths[0])];
	unsigned i;
	FILE *f;

	if (!*paths[0]) {
		if (!mkdtemp(folder))
			abort();
		atexit(clean_up);
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	for (i = 0; i < NAMES_MAX && *paths[i] && strcmp(paths[i], path) != 0; i++)
		;
	if (i == NAMES_MAX)
		abort();
	memcpy(paths[i], path, sizeof(path));
	f = fopen(path, "wb");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		abort();
	return paths[i];
}
