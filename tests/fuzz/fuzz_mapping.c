/* Mapping files: what is read is within bounds, and comes back when it is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/mapping/placement.h"

enum { NODES = 1000 };

static uint32_t *read_bytes(const void *data, size_t size, uint32_t *ranks, struct err *e)
{
	FILE *f = fmemopen((void *)data, size, "r");
	uint32_t *node;

	if (!f)
		abort();
	node = placement_read(f, "mapping", NODES, ranks, e);
	fclose(f);
	return node;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t ranks, again_ranks, *node, *again;
	char *text = NULL;
	size_t length = 0;
	struct err e;
	FILE *out;

	if (!size)
		return 0;
	node = read_bytes(data, size, &ranks, &e);
	if (!node) {
		if ((e.status != STATUS_BAD_INPUT && e.status != STATUS_FAILED) || !*e.text || strchr(e.text, '\n'))
			abort();
		return 0;
	}
	out = open_memstream(&text, &length);
	if (!out)
		abort();
	placement_write(node, ranks, out);
	fclose(out);
	again = read_bytes(text, length, &again_ranks, &e);
	if (!again || again_ranks != ranks || memcmp(node, again, ranks * sizeof(*node)) != 0)
		abort();
	for (uint32_t i = 0; i < ranks; i++)
		if (node[i] >= NODES)
			abort();
	free(node);
	free(again);
	free(text);
	return 0;
}
