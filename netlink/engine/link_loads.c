/* A table of open addressing over the rows. */
#include "link_loads.h"

#include <stdbool.h>
#include <stdlib.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"

enum { LOADS_FIRST = 1024 };

struct net_loads {
	struct vec_of(struct net_load) rows;
	uint32_t *place; /* 1 + the row's number; 0: unused */
	uint32_t room;   /* a power of two, more than twice the rows */
	bool short_of_memory;
};

struct net_loads *net_loads_create(struct err *e)
{
	struct net_loads *l = mem_alloc(1, sizeof(*l), e);

	if (!l)
		return NULL;
	l->room = LOADS_FIRST;
	l->place = mem_alloc(l->room, sizeof(*l->place), e);
	if (l->place)
		return l;
	free(l);
	return NULL;
}

void net_loads_destroy(struct net_loads *l)
{
	if (!l)
		return;
	vec_finish(&l->rows);
	free(l->place);
	free(l);
}

static bool is_same(const struct net_load *a, const struct net_load *b)
{
	return a->link == b->link && a->from == b->from && a->to == b->to && a->call == b->call;
}

static uint32_t *loads_place(const struct net_loads *l, const struct net_load *x)
{
	uint64_t at = hash_mix(((uint64_t)x->from << 32 | x->to) ^ hash_mix((uint64_t)x->link << 32 | x->call));

	for (;; at++) {
		uint32_t *place = &l->place[at & (l->room - 1)];

		if (!*place || is_same(&l->rows.at[*place - 1], x))
			return place;
	}
}

static int widen(struct net_loads *l)
{
	uint32_t room = 2 * l->room;
	uint32_t *place = mem_alloc(room, sizeof(*place), NULL);

	if (!place)
		return -1;
	free(l->place);
	l->place = place;
	l->room = room;
	for (size_t i = 0; i < l->rows.count; i++)
		*loads_place(l, &l->rows.at[i]) = (uint32_t)i + 1;
	return 0;
}

void net_loads_add(struct net_loads *l, const struct net_load *x)
{
	uint32_t *place = loads_place(l, x);
	struct net_load *row;

	if (*place) {
		l->rows.at[*place - 1].bytes += x->bytes;
		return;
	}
	if (l->rows.count == LOADS_MOST)
		return;
	if (2 * l->rows.count >= l->room - 2) {
		if (widen(l) < 0) {
			l->short_of_memory = true;
			return;
		}
		place = loads_place(l, x);
	}
	row = vec_push(&l->rows, NULL);
	if (!row) {
		l->short_of_memory = true;
		return;
	}
	*row = *x;
	*place = (uint32_t)l->rows.count;
}

const struct net_load *net_loads_rows(const struct net_loads *l, size_t *count)
{
	*count = l->rows.count;
	return l->rows.at;
}

int net_loads_check(const struct net_loads *l, struct err *e)
{
	return l->short_of_memory ? mem_short(e) : 0;
}
