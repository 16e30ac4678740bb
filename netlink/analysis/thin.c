/*
 * Drops rows that no path can reach: follows all chains from the points where a path may still
 * begin. `seen` has an entry for each wait, and one before the first for the rank's start: the time
 * up to which the stretch after that wait is part of a chain, or -1.
 */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "critical_path.h"
#include "record.h"

struct thinning {
	struct record *r;
	uint64_t *first; /* index of each rank's first entry in `seen` */
	int64_t *seen;
};

static void thin_mark(void *user, uint32_t rank, int64_t time)
{
	const struct thinning *t = user;
	uint32_t limit = UINT32_MAX;

	for (;;) {
		const struct record_rank *k = &t->r->ranks[rank];
		uint32_t n = record_waits_until(k, time, limit);
		int64_t *seen = &t->seen[t->first[rank] + n], before = *seen;
		const struct wait_row *w;

		if (time > before)
			*seen = time;
		if (before >= 0 || !n)
			return;
		w = wait_at(k, n - 1);
		limit = UINT32_MAX;
		if (path_is_own(t->r, w))
			limit = n - 1;
		else
			rank = w->peer;
		time = w->began;
	}
}

/* Keeps only the rows of a rank that chains reach. */
static void thin_drop(const struct thinning *t, uint32_t rank)
{
	struct record_rank *k = &t->r->ranks[rank];
	const int64_t *seen = &t->seen[t->first[rank]];
	uint32_t waits = 0, works = 0, n = 0;

	for (uint32_t i = 0; i < k->works.count; i++) {
		struct work_row *w = work_at(k, i);

		while (n < k->waits.count && wait_at(k, n)->end <= w->from)
			n++;
		if (seen[n] > w->from || i + 1 == k->works.count)
			*work_at(k, works++) = *w;
	}
	for (uint32_t i = 0; i < k->waits.count; i++)
		if (seen[i + 1] >= 0)
			*wait_at(k, waits++) = *wait_at(k, i);
	t->r->rows -= k->works.count - works + k->waits.count - waits;
	rows_cut(&k->works, works);
	rows_cut(&k->waits, waits);
}

int record_thin(struct record *r, const struct vmpi *v, struct err *e)
{
	struct thinning t = {.r = r, .first = mem_alloc(r->size, sizeof(*t.first), e)};
	uint64_t places = 0, bytes = record_bytes(r);

	if (bytes > r->peak_bytes)
		r->peak_bytes = bytes;
	for (uint32_t i = 0; t.first && i < r->size; i++) {
		t.first[i] = places;
		places += r->ranks[i].waits.count + 1;
	}
	t.seen = t.first ? mem_alloc(places, sizeof(*t.seen), e) : NULL;
	if (!t.seen) {
		free(t.first);
		return -1;
	}
	memset(t.seen, 0xff, places * sizeof(*t.seen)); /* all -1 */
	vmpi_points(v, thin_mark, &t);
	for (uint32_t i = 0; i < r->size; i++)
		thin_drop(&t, i);
	r->rows_after = r->rows;
	free(t.first);
	free(t.seen);
	return 0;
}
