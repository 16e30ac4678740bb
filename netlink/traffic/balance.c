#include "balance.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

void balance_finish(struct balance *b)
{
	free(b->at);
	*b = (struct balance){0};
}

static uint64_t home(const struct balance *b, uint64_t key)
{
	key *= UINT64_C(0x9e3779b97f4a7c15); /* D. Knuth, TAOCP 3, 6.4: multiplicative hashing */
	return (key ^ key >> 32) & (b->room - 1);
}

/* Returns the key's entry, or the free one for it. */
static struct balance_entry *find(const struct balance *b, uint64_t key)
{
	uint64_t i = home(b, key);

	while (b->at[i].count && b->at[i].key != key)
		i = (i + 1) & (b->room - 1);
	return &b->at[i];
}

static int grow(struct balance *b, struct err *e)
{
	struct balance old = *b;
	struct balance_entry *at = mem_alloc(old.room ? 2 * old.room : 64, sizeof(*at), e);

	if (!at)
		return -1;
	b->room = old.room ? 2 * old.room : 64;
	b->at = at;
	for (uint64_t i = 0; i < old.room; i++)
		if (old.at[i].count)
			*find(b, old.at[i].key) = old.at[i];
	free(old.at);
	return 0;
}

int balance_add(struct balance *b, uint32_t dst, uint32_t src, struct err *e)
{
	uint64_t key = (uint64_t)dst << 32 | src;
	struct balance_entry *x;

	if (2 * b->used >= b->room && grow(b, e))
		return -1;
	x = find(b, key);
	if (!x->count++) {
		x->key = key;
		b->used++;
	}
	return 0;
}

/* Closes the gap at `i`: moves up entries that linear probing would no longer find. */
static void remove_at(struct balance *b, uint64_t i)
{
	uint64_t mask = b->room - 1, next = i;

	b->used--;
	for (;;) {
		b->at[i].count = 0;
		do {
			next = (next + 1) & mask;
			if (!b->at[next].count)
				return;
			/* stays if its home is behind the gap, between the gap and it */
		} while (((next - home(b, b->at[next].key)) & mask) < ((next - i) & mask));
		b->at[i] = b->at[next];
		i = next;
	}
}

bool balance_take(struct balance *b, uint32_t dst, uint32_t src)
{
	struct balance_entry *x = b->room ? find(b, (uint64_t)dst << 32 | src) : NULL;

	if (!x || !x->count)
		return false;
	if (!--x->count)
		remove_at(b, (uint64_t)(x - b->at));
	return true;
}
