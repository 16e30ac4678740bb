#include "fuzz_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_file.h"

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

void fuzz_config_reads_back(const struct config *c, struct config *again)
{
	char *first = dump(c), *second;
	struct err e = {0};

	if (config_read(again, fuzz_file("b.ini", first, strlen(first)), &e)) {
		fprintf(stderr, "dump does not read back: %s\n%s", e.text, first);
		abort();
	}
	second = dump(again);
	if (strcmp(first, second)) {
		fprintf(stderr, "dumps differ\n%s---\n%s", first, second);
		abort();
	}
	free(first);
	free(second);
}
