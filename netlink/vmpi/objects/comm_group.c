/*
 * Communicators that a group of ranks makes by itself (MPI 3.1, 6.4.2). All its ranks make those of one group and tag
 * in one order, so the number of the call distinguishes them.
 */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "comm.h"

/* A communicator that not all ranks here have taken. */
struct group_comm {
	struct group_comm *next;
	uint32_t number, left; /* ranks here that will take it */
	int handle;
};

/* Those of a group with one tag. */
struct group_comms {
	struct group_comms *next;
	uint64_t group; /* hash of its ranks */
	int tag;
	uint32_t *calls_of; /* by rank of the group */
	struct group_comm *made;
};

static uint64_t hash_group(const struct group *g, int tag)
{
	uint64_t x = comm_split_key(g->size, (uint32_t)tag, 0);

	for (uint32_t i = 0; i < g->size; i++)
		x = comm_split_key(x, group_world(g, i), 1);
	return x;
}

static struct group_comms *comms_of(struct comm *of, const struct group *g, int tag, struct err *e)
{
	struct group_comms *x;
	uint64_t group = hash_group(g, tag);

	for (x = of->by_group; x; x = x->next)
		if (x->group == group && x->tag == tag)
			return x;
	x = mem_alloc(1, sizeof(*x), e);
	if (!x)
		return NULL;
	*x = (struct group_comms){.next = of->by_group, .group = group, .tag = tag};
	x->calls_of = mem_alloc(g->size, sizeof(*x->calls_of), e);
	if (!x->calls_of) {
		free(x);
		return NULL;
	}
	of->by_group = x;
	return x;
}

/* Makes the communicator of call `number`. NULL with `e`. */
static struct group_comm *make(struct comms *c, const struct comm *of, struct group_comms *x, struct group *g,
			       uint32_t number, struct err *e)
{
	struct group_comm *m = mem_alloc(1, sizeof(*m), e);

	if (!m)
		return NULL;
	m->number = number;
	m->handle = comm_create(c, g, e);
	if (!m->handle) {
		free(m);
		return NULL;
	}
	comm_find(c, m->handle)->key = comm_split_key(of->key ^ x->group, number, x->tag);
	m->left = comm_find(c, m->handle)->here;
	m->next = x->made;
	x->made = m;
	return m;
}

int comm_of_group(struct comms *c, struct comm *of, struct group *g, int tag, uint32_t local, struct err *e)
{
	struct group_comms *x = comms_of(of, g, tag, e);
	struct group_comm *m, **link;
	uint32_t number;
	int handle;

	if (!x)
		return 0;
	number = x->calls_of[local]++;
	for (m = x->made; m && m->number != number; m = m->next)
		;
	if (!m && !(m = make(c, of, x, g, number, e)))
		return 0;
	handle = m->handle;
	if (!--m->left) {
		for (link = &x->made; *link != m; link = &(*link)->next)
			;
		*link = m->next;
		free(m);
	}
	return handle;
}

void comm_forget_groups(struct comm *c)
{
	while (c->by_group) {
		struct group_comms *x = c->by_group;

		c->by_group = x->next;
		while (x->made) {
			struct group_comm *m = x->made;

			x->made = m->next;
			free(m);
		}
		free(x->calls_of);
		free(x);
	}
}
