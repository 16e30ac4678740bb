#include "sim_points.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "../../traffic/traffic.h"
#include "../../wormhole/guard.h"
#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/hash.h"
#include "sim_pattern.h"

/* ---- a point ---- */

struct visited {
	const struct sim_points *s;
	const struct run_params *params;
	struct sim_use *use;
};

static void visit(void *user, const struct kernel *k)
{
	const struct visited *v = user;
	uint64_t from = v->params->clocks ? v->params->warmup : 0, now = kernel_now(k);

	if (v->use)
		sim_use_take(v->use, v->s->net, k, now > from ? now - from : 0);
}

static struct sim_use *use_at(const struct sim_points *s, double load)
{
	for (unsigned i = 0; i < s->uses; i++)
		if (s->use[i].load == load)
			return s->use[i].use;
	return NULL;
}

const struct sim_use *sim_points_use(const struct sim_points *s)
{
	return use_at(s, s->point[s->search.count - 1].head.load);
}

/* Runs a point with its pattern, if there is one. */
static int run_with(const struct sim_points *s, struct sim_point *p, struct err *e)
{
	struct run_params params = s->params;
	struct sim_pattern *pattern = NULL;
	int result;

	params.load = p->head.load;
	params.clocks *= p->head.longer;
	if (s->pattern) {
		pattern = sim_pattern_create(s->net, s->pattern, params.kernel.flit_bytes, params.load, e);
		if (!pattern)
			return -1;
		sim_pattern_apply(pattern, &params);
	}
	result = run_network(s->net, &params, &p->result, visit, &(struct visited){s, &params, use_at(s, params.load)},
			     e);
	sim_pattern_destroy(pattern);
	return result;
}

static int sim_point_run(const struct sim_points *s, struct sim_point *p, struct err *e)
{
	const struct run_result *x = &p->result;

	if (run_with(s, p, e) < 0)
		return -1;
	p->head.done = !x->interrupted;
	p->head.unknown = !x->batches;
	p->head.steady = x->batches && x->loop.state == OPEN_LOOP_STEADY;
	p->head.behind =
		x->batches && (x->loop.state == OPEN_LOOP_FALLS_BEHIND || x->loop.state == OPEN_LOOP_ACCEPTED_CHANGES ||
			       x->loop.state == OPEN_LOOP_STARVES);
	return 0;
}

/* The work that runs C code of a description and a PU file, for guard_run. */
struct point_work {
	const struct sim_points *s;
	struct sim_point *p;
};

static int point_work(void *arg, struct err *e)
{
	const struct point_work *w = arg;

	return sim_point_run(w->s, w->p, e);
}

/* load_search.run: in a forked process, which has a guard of its own, and nothing to show. */
static int run_forked(void *user, void *point, struct err *e)
{
	struct sim_points *s = user;
	struct point_work w = {s, point};

	s->params.tick = NULL;
	return guard_run_forked(point_work, &w, e);
}

/* ---- all points ---- */

/* Names keys that the pattern does not read. */
static int check_pattern(const struct sim_points *s, struct err *e)
{
	struct sim_pattern *pattern;
	struct config *keys;
	int result;

	if (!s->pattern)
		return 0;
	pattern = sim_pattern_create(s->net, s->pattern, s->params.kernel.flit_bytes, s->point[0].head.load, e);
	keys = pattern ? sim_pattern_keys(pattern, e) : NULL;
	result = keys ? opt_unused("simulator", keys, traffic_uses, s->strict, e) : -1;
	sim_pattern_destroy(pattern);
	return result;
}

_Static_assert(sizeof(struct sim_point) % sizeof(uint64_t) == 0, "a point is words");

/* load_search.valid: enums have one of their values, and bools 0 or 1. */
static bool is_result(const void *point)
{
	const unsigned char *bytes = point;
	unsigned state;

	memcpy(&state, bytes + offsetof(struct sim_point, result.loop.state), sizeof(state));
	return state < OPEN_LOOP_STATES && bytes[offsetof(struct sim_point, result.batches)] <= 1 &&
	       bytes[offsetof(struct sim_point, result.interrupted)] == 0;
}

/* The last load, if it is from a checkpoint, is run here: the use of channels is of it. 0, or -1 with `e`. */
static int run_last(struct sim_points *s, struct err *e)
{
	struct load_head *last = s->search.count ? &s->point[s->search.count - 1].head : NULL;
	struct checkpoint *kept = s->search.checkpoint;
	int ret;

	if (!last || !last->taken || progress_signal())
		return 0;
	*last = (struct load_head){.load = last->load, .longer = last->longer};
	s->search.checkpoint = NULL;
	ret = load_pool_run(&s->search, s->search.count - 1, s->search.count, e);
	s->search.checkpoint = kept;
	return ret < 0 ? -1 : 0;
}

int sim_points_run(struct sim_points *s, struct err *e)
{
	if (check_pattern(s, e) < 0)
		return -1;
	for (unsigned i = 0; i < s->search.count; i++) {
		s->use[i] = (struct sim_point_use){s->point[i].head.load, sim_use_create(s->net, e)};
		if (!s->use[i].use)
			return -1;
		s->uses++;
	}
	if (s->search.count == 1 && !s->saturation)
		return sim_point_run(s, &s->point[0], e);
	s->search.run = run_forked;
	s->search.user = s;
	s->search.whole = !s->saturation;
	s->search.valid = is_result;
	if (load_search_run(&s->search, s->saturation, e) < 0)
		return -1;
	return run_last(s, e);
}

/* ---- the checkpoint ---- */

int sim_points_begin(struct checkpoint *k, const struct checkpoint_options *o, const struct config *config,
		     const char *pattern, int count, char *const operands[], struct err *e)
{
	uint64_t simulator = HASH_BYTES, words = HASH_BYTES;

	if (checkpoint_begin(k, o, "simulator", e) < 0)
		return -1;
	if (!o->path)
		return 0;
	checkpoint_hash_text(&words, pattern);
	for (int n = 0; n < count; n++)
		if (checkpoint_hash_word(&words, operands[n], e) < 0)
			return -1;
	/* description and PU file are in the program */
	return checkpoint_hash_file(&simulator, "/proc/self/exe", e) < 0 ||
			       checkpoint_is(k, e, "simulator", "%016" PRIx64, simulator) < 0 ||
			       checkpoint_is(k, e, "configuration", "%016" PRIx64, config_hash(config)) < 0 ||
			       checkpoint_is(k, e, "operands", "%016" PRIx64, words) < 0 || checkpoint_read(k, e) < 0
		       ? -1
		       : 0;
}

void sim_points_finish(struct sim_points *s)
{
	for (unsigned i = 0; i < s->uses; i++)
		sim_use_destroy(s->use[i].use);
}
