#include "comm_table.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"

static void table_collective_destroy(struct table_collective *t, uint32_t size)
{
	for (uint32_t i = 0; t->data && i < size; i++) {
		free(t->data[i].packed);
		free(t->data[i].part_at);
	}
	free(t->data);
	free(t->result);
	free(t);
}

void comm_forget_tables(struct comm *c)
{
	while (c->table_collectives) {
		struct table_collective *t = c->table_collectives;

		c->table_collectives = t->next;
		table_collective_destroy(t, c->group->size);
	}
	free(c->table_collectives_of);
}

struct table_collective *comm_table_collective(struct comm *c, uint32_t local, int tag, struct err *e)
{
	if (!c->table_collectives_of) {
		c->table_collectives_of = mem_alloc(c->group->size, sizeof(*c->table_collectives_of), e);
		if (!c->table_collectives_of)
			return NULL;
	}
	return comm_table_collective_at(c, tag ? 0 : c->table_collectives_of[local]++, tag, e);
}

struct table_collective *comm_table_collective_at(struct comm *c, uint32_t number, int tag, struct err *e)
{
	struct table_collective *t;

	for (t = c->table_collectives; t; t = t->next)
		if (t->number == number && t->tag == tag)
			return t;
	t = mem_alloc(1, sizeof(*t), e);
	if (!t)
		return NULL;
	*t = (struct table_collective){.next = c->table_collectives, .number = number, .tag = tag, .root_came = -1};
	c->table_collectives = t;
	return t;
}

void comm_table_collective_done(struct comm *c, struct table_collective *t)
{
	struct table_collective **link = &c->table_collectives;

	if (t->left < c->here || t->come < c->group->size)
		return;
	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	table_collective_destroy(t, c->group->size);
}
