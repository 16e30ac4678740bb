#include "volumes.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

static bool volumes_between_routers(const struct topology *t, uint32_t link)
{
	return t->link[link].from >= t->nodes && t->link[link].to >= t->nodes;
}

static int volumes_by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Removes classes without links (those of NICs) and keeps the order of the others. */
static void drop_empty(struct volumes *v, unsigned classes)
{
	for (unsigned c = 0; c < classes; c++)
		if (v->class[c].links)
			v->class[v->classes++] = v->class[c];
}

int volumes_of(const struct topology *t, const uint64_t *load, struct volumes *v, struct err *e)
{
	*v = (struct volumes){0};
	v->sorted = mem_alloc((size_t)t->links + 1, sizeof(*v->sorted), e);
	v->class = mem_alloc((size_t)t->classes + 1, sizeof(*v->class), e);
	if (!v->sorted || !v->class) {
		volumes_finish(v);
		return -1;
	}
	for (unsigned c = 0; c < t->classes; c++)
		v->class[c].name = t->class[c].name;
	for (uint32_t l = 0; l < t->links; l++) {
		struct volume_class *c = &v->class[t->link[l].class];

		if (!volumes_between_routers(t, l))
			continue;
		v->sorted[v->links++] = load[l];
		c->links++;
		c->total += (double)load[l];
		c->most = load[l] > c->most ? load[l] : c->most;
	}
	drop_empty(v, t->classes);
	qsort(v->sorted, v->links, sizeof(*v->sorted), volumes_by_size);
	return 0;
}

void volumes_finish(struct volumes *v)
{
	free(v->sorted);
	free(v->class);
	*v = (struct volumes){0};
}

uint64_t volumes_quantile(const struct volumes *v, double share)
{
	double place = share * v->links;
	uint32_t at = (uint32_t)place;

	if (!v->links)
		return 0;
	/* the at-th of them, counted from 1, rounded up */
	if ((double)at < place)
		at++;
	return v->sorted[at ? at - 1 : 0];
}
