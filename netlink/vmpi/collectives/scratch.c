#include "scratch.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "collective.h"

/* The head of each piece, in a doubly linked list. */
struct scratch {
	_Alignas(max_align_t) struct scratch *next;
	struct scratch *before;
};

void *scratch_take(struct vmpi *v, size_t count, size_t size)
{
	struct scratch *s = NULL;

	if (!count || size <= (SIZE_MAX - sizeof(*s)) / count)
		s = mem_alloc(sizeof(*s) + count * size, 1, &v->err);
	else
		mem_short(&v->err);
	if (!s)
		rank_stop(v);
	s->next = v->collective->scratch;
	if (s->next)
		s->next->before = s;
	v->collective->scratch = s;
	return s + 1;
}

void scratch_give(struct vmpi *v, void *memory)
{
	struct scratch *s;

	if (!memory)
		return;
	s = (struct scratch *)memory - 1;
	assert(!s->next || s->next->before == s); /* it was taken, and not given back */
	if (s->next)
		s->next->before = s->before;
	if (s->before)
		s->before->next = s->next;
	else
		v->collective->scratch = s->next;
	free(s);
}

void scratch_finish(struct vmpi *v)
{
	while (v->collective && v->collective->scratch)
		scratch_give(v, v->collective->scratch + 1);
}
