/* Phases of ranks, by name: what each rank did in each of them. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "world.h"

struct phase_share rank_share(const struct vmpi *v, uint32_t rank)
{
	const struct rank *r = &v->ranks[rank];

	return (struct phase_share){r->now, r->computed, r->waited, r->late, r->flops};
}

static void add_since(struct phase_share *to, const struct phase_share *now, const struct phase_share *mark)
{
	to->time += now->time - mark->time;
	to->computed += now->computed - mark->computed;
	to->waited += now->waited - mark->waited;
	to->late += now->late - mark->late;
	to->flops += now->flops - mark->flops;
}

struct phase_share phase_share(const struct vmpi *v, uint32_t rank, unsigned phase)
{
	struct phase_share sum = v->phases[phase].of[rank], now = rank_share(v, rank);

	if (v->ranks[rank].phase == phase)
		add_since(&sum, &now, &v->ranks[rank].mark);
	return sum;
}

static int add_phase(struct vmpi *v, const char *name)
{
	struct phase *p = &v->phases[v->phase_count];

	p->name = mem_copy_text(name, &v->err);
	p->of = mem_alloc(v->size, sizeof(*p->of), &v->err);
	if (!p->name || !p->of) {
		rank_fail(v);
		return -1;
	}
	return (int)v->phase_count++;
}

/* Returns the phase's number, and adds the phase if its name is new. -1: the run has failed. */
static int phase_lookup(struct vmpi *v, const char *name)
{
	for (unsigned i = 0; i < v->phase_count; i++)
		if (strcmp(v->phases[i].name, name) == 0)
			return (int)i;
	if (v->phase_count == PHASES_MAX) {
		rank_error(v, 0, VMPI_ERR_ARG, "phase '%.32s': expected at most %d different names", name,
			   PHASES_MAX - 1);
		return -1;
	}
	return add_phase(v, name);
}

/* Adds the first phase, for ranks in no phase. */
static int begin_phases(struct vmpi *v)
{
	v->phases = mem_alloc(PHASES_MAX, sizeof(*v->phases), &v->err);
	if (v->phases)
		return add_phase(v, "");
	rank_fail(v);
	return -1;
}

void phase_enter(struct vmpi *v, struct rank *r, const char *name)
{
	const struct vmpi_observer *o = v->setup.observer;
	uint32_t i = rank_index(v, r);
	int phase = v->phases || begin_phases(v) == 0 ? phase_lookup(v, name) : -1;

	if (phase < 0)
		return;
	if (v->parts) {
		err_set(&v->err, STATUS_FAILED, "phases run on one process");
		rank_fail(v);
	}
	v->phases[r->phase].of[i] = phase_share(v, i, r->phase);
	r->mark = rank_share(v, i);
	r->phase = (uint16_t)phase;
	if (o && o->phase)
		o->phase(o->user, i, r->now, v->phases[phase].name);
}

void phases_finish(struct vmpi *v)
{
	for (unsigned i = 0; v->phases && i < PHASES_MAX; i++) {
		free(v->phases[i].name);
		free(v->phases[i].of);
	}
	free(v->phases);
}
