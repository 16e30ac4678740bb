/*
 * Slices are reported as late as possible, since most calls take no time: at the latest when the rank lets others run,
 * so that no report is about a time that the engine has passed.
 */
#include "slices.h"

#include <string.h>

#include "../../../psim/base/mem.h"

int slices_create(struct vmpi *v, struct err *e)
{
	if (!v->setup.observer || !v->setup.observer->state)
		return 0;
	v->seen.slices = mem_alloc(v->size, sizeof(*v->seen.slices), e);
	return v->seen.slices ? 0 : -1;
}

static void slice_report(const struct vmpi *v, uint32_t rank, const struct vmpi_state *s)
{
	const struct vmpi_observer *o = v->setup.observer;
	struct vmpi_state state = *s;

	state.rank = rank;
	state.node = v->ranks[rank].node;
	o->state(o->user, &state);
}

/* Returns the slice that the functions below change; NULL: a task's, which has none. */
static struct slice *slice_of(const struct vmpi *v, const struct rank *r)
{
	return rank_is_task(v, r) ? NULL : &v->seen.slices[r->world];
}

static void slice_begin(const struct vmpi *v, uint32_t rank, struct slice *s)
{
	if (s->begun)
		return;
	s->begun = true;
	slice_report(v, rank,
		     &(struct vmpi_state){.time = s->since,
					  .name = s->computes ? s->computes : call_name(v, (enum call_id)s->call),
					  .where = v->trace.place ? NULL : s->where,
					  .kind = s->computes ? VMPI_STATE_COMPUTES : VMPI_STATE_CALLS});
}

/* Ends the slice at `time`, and begins `next`, which is not reported yet. */
static void slice_follow(const struct vmpi *v, uint32_t rank, struct slice *s, int64_t time, struct slice next)
{
	if (time > s->since)
		slice_begin(v, rank, s);
	if (s->begun)
		slice_report(v, rank, &(struct vmpi_state){.time = time, .kind = VMPI_STATE_ENDS});
	*s = next;
	s->since = time;
}

void slice_start(const struct vmpi *v, const struct rank *r)
{
	v->seen.slices[r->world] = (struct slice){.since = r->now, .call = CALL_NONE};
}

void slice_enter(const struct vmpi *v, const struct rank *r)
{
	struct slice *s = slice_of(v, r);

	if (!s || v->trace.place || (s->joins && s->call == r->call && s->where == r->where))
		return;
	slice_follow(v, r->world, s, r->now, (struct slice){.where = r->where, .call = r->call});
}

void slice_computed(const struct vmpi *v, const struct rank *r, int64_t from, const char *name, bool measured)
{
	struct slice *s = slice_of(v, r);
	struct slice next = {.where = r->where, .computes = name, .call = r->call, .joins = true};

	if (!s || v->trace.place || (s->computes && s->joins && !strcmp(s->computes, name)))
		return;
	if (measured)
		next.call = CALL_NONE;
	slice_follow(v, r->world, s, from, next);
}

void slice_waits(const struct vmpi *v, const struct rank *r, bool waits)
{
	struct slice *s = slice_of(v, r);

	if (!s)
		return;
	s->joins = false;
	slice_begin(v, r->world, s);
	slice_report(v, r->world,
		     &(struct vmpi_state){.time = r->now, .kind = waits ? VMPI_STATE_WAITS : VMPI_STATE_CONTINUES});
}

void slice_message(const struct vmpi *v, const struct rank *r)
{
	struct slice *s = slice_of(v, r);

	if (s && !v->trace.place)
		slice_begin(v, r->world, s);
}

void slice_pause(const struct vmpi *v, const struct rank *r, bool polls)
{
	struct slice *s = slice_of(v, r);

	if (!s || v->trace.place)
		return;
	s->joins = polls && !s->computes;
	if (r->now > s->since)
		slice_begin(v, r->world, s);
}

void slice_schedule(const struct vmpi *v, const struct rank *r, bool computes)
{
	struct slice *s = &v->seen.slices[r->world];

	if (s->begun && (s->computes != NULL) == computes)
		return;
	slice_follow(v, r->world, s, r->now,
		     (struct slice){.computes = computes ? VMPI_COMPUTES : NULL, .call = r->call});
	slice_begin(v, r->world, s);
}

void slice_end(const struct vmpi *v, const struct rank *r)
{
	struct slice *s = &v->seen.slices[r->world];
	int64_t time = r->now > s->since ? r->now : s->since;

	slice_follow(v, r->world, s, time, (struct slice){.call = CALL_NONE});
	slice_report(v, r->world, &(struct vmpi_state){.time = time, .kind = VMPI_STATE_LAST});
}
