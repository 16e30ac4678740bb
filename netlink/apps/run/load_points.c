#include "load_points.h"

/* Runs the pattern once; its result is in run->result. */
static int run_once(struct run *run, const struct load_point *p, struct err *e)
{
	struct run_machine *m = &run->machine;
	const struct traffic_load load = {.load = p->head.load, .longer = p->head.longer};

	traffic_destroy(run->traffic);
	traffic_result_destroy(run->result);
	run->result = NULL;
	run->traffic = traffic_of_load(run->in.set.pattern, &load, m->topology, m->ranks, e);
	if (!run->traffic)
		return -1;
	m->kind->destroy(m->engine);
	m->engine = NULL;
	return machine_make_engine(m, &run->in, NULL, e) < 0 ? -1 : run_traffic(run, e);
}

static void note_beyond(const struct run_machine *m, struct load_point *p)
{
	for (unsigned w = 0; m->protocol && w < PROTOCOL_WHERES; w++)
		p->beyond[w].count = protocol_engine_beyond(m->engine, (enum protocol_where)w, &p->beyond[w].longest);
}

/* Sets what a run says of its point. Returns whether another one says no more. */
static bool judge(const struct run *run, struct load_point *p)
{
	enum traffic_state state;
	bool measured;

	p->head.done = run->result->complete;
	measured = p->head.done && traffic_measure(run->result, &p->measured);
	state = p->measured.state;
	p->head.steady = state == TRAFFIC_STEADY;
	p->head.unknown = state == TRAFFIC_CEASES;
	p->head.behind = state == TRAFFIC_FALLS_BEHIND || state == TRAFFIC_ACCEPTED_CHANGES || state == TRAFFIC_STARVES;
	return !measured || p->head.steady || p->head.behind || p->head.longer >= LOAD_LONGEST;
}

int load_point_run(void *user, void *point, struct err *e)
{
	struct run *run = user;
	struct load_point *p = point;

	run->in.set.processes = 1;
	run->in.common.quiet = true;
	for (;; p->head.longer *= 2) {
		if (run_once(run, p, e) < 0)
			return -1;
		note_beyond(&run->machine, p);
		if (judge(run, p))
			return 0;
	}
}

_Static_assert(sizeof(struct load_point) % sizeof(uint64_t) == 0, "a point is words");

bool load_point_valid(const void *point)
{
	const struct load_point *p = point;

	return (unsigned)p->measured.state <= TRAFFIC_CEASES;
}
