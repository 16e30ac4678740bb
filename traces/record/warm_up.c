#include "warm_up.h"

#include <stdlib.h>
#include <string.h>

#include "../trace.h"

struct kept {
	struct known_block *block;
	uint16_t insns, ea_count;
};

/* Rings: entries first … first + count - 1, modulo their sizes, which are powers of two. */
struct warm_up {
	uint64_t wanted, insns; /* number of instructions: to keep, kept */
	struct kept *runs;
	uint64_t first, count, size;
	uint64_t *ea;
	uint64_t ea_first, ea_count, ea_size;
	uint64_t out[TRACE_ADDRESSES_MAX]; /* of the oldest run, contiguous */
};

enum { SIZE_FIRST = 4096 };

struct warm_up *warm_up_create(uint64_t insns, struct err *e)
{
	struct warm_up *w = calloc(1, sizeof(*w));

	if (w) {
		w->wanted = insns;
		w->size = w->ea_size = SIZE_FIRST;
		w->runs = malloc(w->size * sizeof(*w->runs));
		w->ea = malloc(w->ea_size * sizeof(*w->ea));
	}
	if (!w || !w->runs || !w->ea) {
		warm_up_destroy(w);
		err_set(e, STATUS_FAILED, "out of memory for the warm-up part");
		return NULL;
	}
	return w;
}

void warm_up_destroy(struct warm_up *w)
{
	if (!w)
		return;
	free(w->runs);
	free(w->ea);
	free(w);
}

/*
 * Doubles a ring of `size` entries of `bytes`; moves the wrapped part after the old end. NULL:
 * out of memory.
 */
static void *double_ring(void *ring, uint64_t size, uint64_t first, size_t bytes)
{
	char *larger = realloc(ring, 2 * size * bytes);

	if (larger)
		memcpy(larger + size * bytes, larger, (first & (size - 1)) * bytes);
	return larger;
}

static int warm_up_make_room(struct warm_up *w, unsigned ea_count, struct err *e)
{
	if (w->count == w->size) {
		struct kept *runs = double_ring(w->runs, w->size, w->first, sizeof(*runs));

		if (!runs)
			return err_set(e, STATUS_FAILED, "out of memory for the warm-up part");
		w->runs = runs;
		w->first &= w->size - 1;
		w->size *= 2;
	}
	while (w->ea_count + ea_count > w->ea_size) {
		uint64_t *ea = double_ring(w->ea, w->ea_size, w->ea_first, sizeof(*ea));

		if (!ea)
			return err_set(e, STATUS_FAILED, "out of memory for the warm-up part");
		w->ea = ea;
		w->ea_first &= w->ea_size - 1;
		w->ea_size *= 2;
	}
	return 0;
}

int warm_up_put(struct warm_up *w, struct known_block *block, unsigned insns, unsigned ea_count, const uint64_t *ea,
		struct err *e)
{
	while (w->count && w->insns + insns - w->runs[w->first & (w->size - 1)].insns >= w->wanted)
		warm_up_drop(w);
	if (warm_up_make_room(w, ea_count, e) < 0)
		return -1;
	w->runs[(w->first + w->count++) & (w->size - 1)] = (struct kept){block, (uint16_t)insns, (uint16_t)ea_count};
	for (unsigned n = 0; n < ea_count; n++)
		w->ea[(w->ea_first + w->ea_count++) & (w->ea_size - 1)] = ea[n];
	w->insns += insns;
	return 0;
}

bool warm_up_first(struct warm_up *w, struct warm_up_run *out)
{
	const struct kept *k = &w->runs[w->first & (w->size - 1)];

	if (!w->count)
		return false;
	for (unsigned n = 0; n < k->ea_count; n++)
		w->out[n] = w->ea[(w->ea_first + n) & (w->ea_size - 1)];
	*out = (struct warm_up_run){k->block, w->out};
	return true;
}

void warm_up_drop(struct warm_up *w)
{
	const struct kept *k = &w->runs[w->first++ & (w->size - 1)];

	w->count--;
	w->insns -= k->insns;
	w->ea_first += k->ea_count;
	w->ea_count -= k->ea_count;
}
