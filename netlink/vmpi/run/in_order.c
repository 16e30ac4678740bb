/*
 * Turns in order of virtual time over all processes of a run, for what has an effect everywhere at once: files. A rank
 * that needs its turn is held until each other process has completed the window, or has stopped in a later turn. After
 * a failure the others go on up to the turn that failed.
 */
#include "in_order.h"

#include "../message/remote.h"

static const struct step_order never = {INT64_MAX, UINT64_MAX};

void in_order_create(struct vmpi *v)
{
	v->divided->in_order = (struct in_order){.failed = never};
}

void in_order_begin(struct vmpi *v)
{
	v->divided->in_order.others = (struct step_order){INT64_MIN, 0};
}

struct rank *in_order_next(struct vmpi *v)
{
	struct in_order *o = &v->divided->in_order;
	struct rank *r = o->held;

	if (!r || !step_order_before(&v->divided->turn, &o->others))
		return NULL;
	o->held = NULL;
	return r;
}

bool vmpi_held(const struct vmpi *v)
{
	const struct in_order *o = &v->divided->in_order;

	return o->held && !v->failed && step_order_before(&v->divided->turn, &o->failed);
}

void in_order_end(struct vmpi *v)
{
	struct in_order *o = &v->divided->in_order;
	bool failed = v->failed && v->divided->in_turn, holds = vmpi_held(v);

	files_send(v);
	for (unsigned p = 0; (failed || holds) && p < v->divided->partition.partitions; p++) {
		struct step_record *r =
			p == v->divided->partition.me ? NULL : remote_put(v, p, RECORD_TURN, sizeof(*r));

		if (!r)
			continue;
		r->turn = v->divided->turn;
		r->failed = failed;
	}
	o->others = o->failed;
}

void in_order_take(struct vmpi *v, const struct step_record *r)
{
	struct in_order *o = &v->divided->in_order;

	if (step_order_before(&r->turn, &o->others))
		o->others = r->turn;
	if (r->failed && step_order_before(&r->turn, &o->failed))
		o->failed = r->turn;
}
