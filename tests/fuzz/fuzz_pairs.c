/* Pairs with weights: any bytes are refused with a message, or give receivers that are ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/traffic/weighted_pairs.h"

enum { RANKS = 9 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
	struct pairs *x;

	if (!in)
		return 0;
	x = pairs_read_stream(in, "x", RANKS, &e);
	fclose(in);
	if (!x && (!*e.text || strchr(e.text, '\n')))
		abort();
	for (uint32_t rank = 0; x && rank < RANKS; rank++)
		for (uint64_t i = 0; i < 20 && pairs_sends(x, rank); i++)
			if (pairs_draw(x, 1, rank, i) >= RANKS || pairs_draw(x, 1, rank, i) == rank)
				abort();
	pairs_destroy(x);
	return 0;
}
