/*
 * Events for the observer, where several processes have the ranks. Each hands those of its ranks over to the first one,
 * which passes them on in the order of turns: that in which one process would have called the observer.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "message.h"

enum observed_kind {
	OBSERVED_COMPUTED,
	OBSERVED_WAITED,
	OBSERVED_STEP,
	OBSERVED_MESSAGE,
	/* with a name */
	OBSERVED_STATE,
	OBSERVED_PHASE,
	OBSERVED_EVENT,
};

/* An event; its name follows. Addresses count from the program's. */
struct observed {
	int64_t from, to;
	uint64_t where;
	union {
		struct vmpi_cause cause;
		struct vmpi_step step;
		struct vmpi_passing message;
		enum vmpi_state_kind state;
	};
	uint32_t kind, rank, call;
	bool named;
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

static void observed_step(void *user, const struct vmpi_step *s)
{
	const struct observed o = {.kind = OBSERVED_STEP, .step = *s};

	remote_write(user, WRITTEN_EVENT, (const char *)&o, sizeof(o));
}

static void observed_message(void *user, const struct vmpi_passing *m)
{
	const struct observed o = {.kind = OBSERVED_MESSAGE, .message = *m};

	remote_write(user, WRITTEN_EVENT, (const char *)&o, sizeof(o));
}

/* Hands over an event with a name; NULL: it has none. */
static void observed_with_name(struct vmpi *v, struct observed o, const char *name)
{
	size_t bytes = sizeof(o) + (name ? strlen(name) : 0) + 1;
	char *event = mem_alloc(bytes, 1, &v->err);

	if (!event && run_fail(v) < 0)
		return;
	o.named = name != NULL;
	memcpy(event, &o, sizeof(o));
	if (name)
		memcpy(event + sizeof(o), name, strlen(name));
	remote_write(v, WRITTEN_EVENT, event, bytes);
	free(event);
}

static void observed_named(struct vmpi *v, enum observed_kind kind, uint32_t rank, int64_t time, const char *name)
{
	observed_with_name(v, (struct observed){.kind = kind, .rank = rank, .from = time}, name);
}

static void observed_state(void *user, const struct vmpi_state *s)
{
	struct vmpi *v = user;
	const struct observed o = {.kind = OBSERVED_STATE,
				   .rank = s->rank,
				   .from = s->time,
				   .where = offset_of(v, s->where),
				   .state = s->kind};

	observed_with_name(v, o, s->name);
}

static void observed_phase(void *user, uint32_t rank, int64_t time, const char *name)
{
	observed_named(user, OBSERVED_PHASE, rank, time, name);
}

static void observed_event(void *user, uint32_t rank, int64_t time, const char *name)
{
	observed_named(user, OBSERVED_EVENT, rank, time, name);
}

static void observed_sent(void *user, int64_t time, uint32_t src, uint32_t dst, int tag, uint64_t bytes)
{
	const struct vmpi_observer *o = ((const struct vmpi *)user)->divided->observer;

	o->sent(o->user, time, src, dst, tag, bytes);
}

void observed_begin(struct vmpi *v)
{
	const struct vmpi_observer *o = v->setup.observer;

	if (!o)
		return;
	v->divided->observer = o;
	v->divided->hand_over = (struct vmpi_observer){
		.sent = o->sent ? observed_sent : NULL,
		.computed = o->computed ? observed_computed : NULL,
		.waited = o->waited ? observed_waited : NULL,
		.state = o->state ? observed_state : NULL,
		.phase = (o->waited || o->state) && o->phase ? observed_phase : NULL,
		.event = o->event ? observed_event : NULL,
		.step = o->step ? observed_step : NULL,
		.message = o->message ? observed_message : NULL,
		.user = v,
	};
	v->setup.observer = &v->divided->hand_over;
}

/* ---- in the first process ---- */

static void pass_named(struct vmpi *v, const struct observed *o, const char *text)
{
	const struct vmpi_observer *to = v->divided->observer;
	const char *name = o->named ? name_keep(v, text) : NULL;

	if (o->named && !name)
		return;
	switch (o->kind) {
	case OBSERVED_STATE:
		to->state(to->user, &(struct vmpi_state){.kind = o->state,
							 .rank = o->rank,
							 .node = v->ranks[o->rank].node,
							 .time = o->from,
							 .name = name,
							 .where = observed_address(v, o->where)});
		break;
	case OBSERVED_PHASE: to->phase(to->user, o->rank, o->from, name); break;
	case OBSERVED_EVENT: to->event(to->user, o->rank, o->from, name); break;
	}
}

void observed_pass(struct vmpi *v, const char *event)
{
	const struct vmpi_observer *to = v->divided->observer;
	struct observed o;

	memcpy(&o, event, sizeof(o));
	switch (o.kind) {
	case OBSERVED_COMPUTED: to->computed(to->user, o.rank, o.from, o.to, observed_address(v, o.where)); break;
	case OBSERVED_WAITED:
		to->waited(to->user, &(struct vmpi_waited){o.rank, o.from, o.to, call_name(v, (enum call_id)o.call),
							   observed_address(v, o.where), o.cause});
		break;
	case OBSERVED_MESSAGE: to->message(to->user, &o.message); break;
	case OBSERVED_STEP: to->step(to->user, &o.step); break;
	default: pass_named(v, &o, event + sizeof(o));
	}
}
