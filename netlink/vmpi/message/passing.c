/* Messages for the observer, when they are sent and when they are received. */
#include "../host/slices.h"
#include "message.h"

static void passing_report(const struct vmpi *v, const struct message *m, int64_t time, bool received)
{
	const struct vmpi_observer *o = v->setup.observer;

	o->message(o->user, &(struct vmpi_passing){.time = time,
						   .serial = m->serial,
						   .bytes = m->bytes,
						   .src = m->src,
						   .dst = m->dst,
						   .tag = m->tag,
						   .received = received});
}

uint64_t message_origin(const struct vmpi *v)
{
	const struct vmpi_observer *o = v->setup.observer;
	const struct rank *r = v->current;

	if (__builtin_expect(!o || !o->origin || !r || v->divided, 1))
		return 0;
	return o->origin(o->user, call_name(v, (enum call_id)r->call), r->where);
}

void passing_sent(const struct vmpi *v, const struct message *m)
{
	if (v->seen.slices)
		slice_message(v, v->current);
	passing_report(v, m, v->current->now, false);
}

void passing_answers(const struct vmpi *v, const struct message *m, int64_t time)
{
	passing_report(v, m, time, false);
}

void passing_received(const struct vmpi *v, const struct message *m, int64_t time)
{
	if (!m->serial)
		return;
	if (v->seen.slices && v->current && v->current->world == m->dst)
		slice_message(v, v->current);
	passing_report(v, m, time, true);
}
