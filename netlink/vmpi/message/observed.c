/*
 * Events for the observer, where several processes have the ranks. Each hands those of its ranks over to the first one,
 * which passes them on in the order of turns: that in which one process would have called the observer.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "message.h"

enum observed_kind { OBSERVED_COMPUTED, OBSERVED_WAITED, OBSERVED_PHASE };

/* An event; the name of a phase follows. Addresses count from the program's. */
struct observed {
	int64_t from, to;
	uint64_t where;
	struct vmpi_cause cause;
	uint32_t kind, rank, call;
};

static uint64_t offset_of(const struct vmpi *v, const void *where)
{
	return where ? (uintptr_t)where - program_base(v) : 0;
}

static const void *observed_address(const struct vmpi *v, uint64_t offset)
{
	return offset ? (const void *)(uintptr_t)(offset + program_base(v)) : NULL;
}

static void observed_computed(void *user, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	struct vmpi *v = user;
	const struct observed o = {
		.kind = OBSERVED_COMPUTED, .rank = rank, .from = from, .to = to, .where = offset_of(v, where)};

	remote_write(v, WRITTEN_EVENT, (const char *)&o, sizeof(o));
}

static void observed_waited(void *user, const struct vmpi_waited *w)
{
	struct vmpi *v = user;
	const struct observed o = {.kind = OBSERVED_WAITED,
				   .rank = w->rank,
				   .call = v->current->call,
				   .from = w->from,
				   .to = w->to,
				   .where = offset_of(v, w->where),
				   .cause = w->cause};

	remote_write(v, WRITTEN_EVENT, (const char *)&o, sizeof(o));
}

static void observed_phase(void *user, uint32_t rank, int64_t time, const char *name)
{
	struct vmpi *v = user;
	const struct observed o = {.kind = OBSERVED_PHASE, .rank = rank, .from = time};
	size_t bytes = sizeof(o) + strlen(name) + 1;
	char *event = mem_alloc(bytes, 1, &v->err);

	if (!event) {
		rank_fail(v);
		return;
	}
	memcpy(event, &o, sizeof(o));
	memcpy(event + sizeof(o), name, strlen(name));
	remote_write(v, WRITTEN_EVENT, event, bytes);
	free(event);
}

static void observed_sent(void *user, int64_t time, uint32_t src, uint32_t dst, int tag, uint64_t bytes)
{
	const struct vmpi_observer *o = ((const struct vmpi *)user)->parts->observer;

	o->sent(o->user, time, src, dst, tag, bytes);
}

void observed_begin(struct vmpi *v)
{
	const struct vmpi_observer *o = v->setup.observer;

	if (!o)
		return;
	v->parts->observer = o;
	v->parts->hand_over = (struct vmpi_observer){
		.sent = o->sent ? observed_sent : NULL,
		.computed = o->computed ? observed_computed : NULL,
		.waited = o->waited ? observed_waited : NULL,
		.phase = o->waited && o->phase ? observed_phase : NULL,
		.user = v,
	};
	v->setup.observer = &v->parts->hand_over;
}

/* ---- in the first process ---- */

/* A copy of the name that lives as long as the run; NULL if memory is short. */
static const char *observed_name(struct vmpi *v, const char *name)
{
	struct vmpi_parts *q = v->parts;
	const char *copy;

	for (size_t i = 0; i < q->phases.count; i++)
		if (strcmp(q->phases.at[i], name) == 0)
			return q->phases.at[i];
	copy = vec_reserve(&q->phases, 1, &v->err) < 0 ? NULL : name_keep(v, name);
	if (copy)
		q->phases.at[q->phases.count++] = copy;
	return copy;
}

void observed_pass(struct vmpi *v, const char *event)
{
	const struct vmpi_observer *to = v->parts->observer;
	struct observed o;
	const char *name;

	memcpy(&o, event, sizeof(o));
	switch (o.kind) {
	case OBSERVED_COMPUTED: to->computed(to->user, o.rank, o.from, o.to, observed_address(v, o.where)); break;
	case OBSERVED_WAITED:
		to->waited(to->user, &(struct vmpi_waited){o.rank, o.from, o.to, call_name((enum call_id)o.call),
							   observed_address(v, o.where), o.cause});
		break;
	case OBSERVED_PHASE:
		name = observed_name(v, event + sizeof(o));
		if (name)
			to->phase(to->user, o.rank, o.from, name);
		break;
	}
}
