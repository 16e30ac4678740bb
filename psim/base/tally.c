#include "tally.h"

#include <stdlib.h>

#include "hash.h"
#include "mem.h"

void tally_finish(struct tally *t)
{
	free(t->at);
	*t = (struct tally){0};
}

static uint64_t home(const struct tally *t, uint64_t key)
{
	key = hash_spread(key);
	return (key ^ key >> 32) & (t->room - 1);
}

/* Returns the key's entry, or the free one for it. */
static struct tally_entry *tally_find(const struct tally *t, uint64_t key)
{
	uint64_t i = home(t, key);

	while (t->at[i].count && t->at[i].key != key)
		i = (i + 1) & (t->room - 1);
	return &t->at[i];
}

static int tally_grow(struct tally *t, struct err *e)
{
	struct tally old = *t;
	struct tally_entry *at = mem_alloc(old.room ? 2 * old.room : 64, sizeof(*at), e);

	if (!at)
		return -1;
	t->room = old.room ? 2 * old.room : 64;
	t->at = at;
	for (uint64_t i = 0; i < old.room; i++)
		if (old.at[i].count)
			*tally_find(t, old.at[i].key) = old.at[i];
	free(old.at);
	return 0;
}

int tally_add(struct tally *t, uint64_t key, struct err *e)
{
	struct tally_entry *x;

	if (2 * t->used >= t->room && tally_grow(t, e))
		return -1;
	x = tally_find(t, key);
	if (!x->count++) {
		x->key = key;
		t->used++;
	}
	return 0;
}

/* Closes the gap at `i`: moves up entries that linear probing would no longer find. */
static void tally_remove_at(struct tally *t, uint64_t i)
{
	uint64_t mask = t->room - 1, next = i;

	t->used--;
	for (;;) {
		t->at[i].count = 0;
		do {
			next = (next + 1) & mask;
			if (!t->at[next].count)
				return;
			/* stays if its home is behind the gap, between the gap and it */
		} while (((next - home(t, t->at[next].key)) & mask) < ((next - i) & mask));
		t->at[i] = t->at[next];
		i = next;
	}
}

bool tally_has(const struct tally *t, uint64_t key)
{
	return t->room && tally_find(t, key)->count;
}

bool tally_take(struct tally *t, uint64_t key)
{
	struct tally_entry *x = t->room ? tally_find(t, key) : NULL;

	if (!x || !x->count)
		return false;
	if (!--x->count)
		tally_remove_at(t, (uint64_t)(x - t->at));
	return true;
}
