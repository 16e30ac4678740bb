/*
 * Origins: where the chain of messages began that a nonblocking collective waits for. A task (collectives/task.c)
 * begins with its rank's call. Each of its waits takes over the origin of the message or receive that ended it. So a
 * rank's wait for the whole collective is attributed to the call of the rank that delayed the others, over however
 * many messages, and nothing in between needs to be stored.
 */
#include "../../../psim/base/mem.h"
#include "message.h"

#define NOBODY UINT32_MAX

void origin_set(struct vmpi *v, struct origins *o, uint32_t i, struct origin origin)
{
	if (i >= o->room) {
		uint32_t room = 2 * i + 64;
		struct origin *at = mem_resize(o->at, room, sizeof(*at), &v->err);

		if (!at && run_fail(v) < 0)
			return;
		for (uint32_t k = o->room; k < room; k++)
			at[k].rank = NOBODY;
		o->at = at;
		o->room = room;
	}
	o->at[i] = origin;
}

struct origin origin_get(const struct origins *o, uint32_t i)
{
	return i < o->room ? o->at[i] : (struct origin){.rank = NOBODY};
}

void origin_note_task(struct vmpi *v, struct origins *o, uint32_t i)
{
	origin_set(v, o, i, ((struct task_rank *)v->current)->origin);
}

void origin_late(struct vmpi *v, uint32_t message, uint32_t request)
{
	if (request_at(v, request)->owner >= v->size && message < v->msg.of_message.room &&
	    request < v->msg.of_request.room)
		v->msg.of_message.at[message] = v->msg.of_request.at[request];
}

void origin_cause_task(const struct origins *o, uint32_t i, struct vmpi_cause *c)
{
	if (i >= o->room)
		return;
	c->kind = CAUSE_COLLECTIVE;
	c->peer = o->at[i].rank;
	c->began = o->at[i].time;
}

static void point_at(const struct origins *o, uint32_t i, void (*point)(void *user, uint32_t rank, int64_t time),
		     void *user)
{
	if (i < o->room && o->at[i].rank != NOBODY)
		point(user, o->at[i].rank, o->at[i].time);
}

/* Rows may still have the origins of earlier messages and requests: then more is kept than needed. */
void origin_points(const struct vmpi *v, void (*point)(void *user, uint32_t rank, int64_t time), void *user)
{
	for (uint32_t i = 1; i < v->tasks.made; i++) {
		const struct task_rank *t = pool_at(&v->tasks, i);

		if (t->request)
			point(user, t->origin.rank, t->origin.time);
	}
	for (uint32_t i = 1; i < v->msg.messages.made; i++)
		if (!message_at(v, i)->sent || !message_at(v, i)->finished)
			point_at(&v->msg.of_message, i, point, user);
	for (uint32_t i = 1; i < v->msg.requests.made; i++)
		if (request_at(v, i)->state != REQUEST_FREE)
			point_at(&v->msg.of_request, i, point, user);
}
