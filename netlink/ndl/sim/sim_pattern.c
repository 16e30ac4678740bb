/*
 * The patterns of nsim on processing units. Their times are in ps: CLOCK_PS of them are a clock, and messages are
 * posted in the clock that follows their time, so that a mean is kept. A pattern needs of a topology the sizes of its
 * grid and the bandwidth of a node, which `shape` has.
 */
#include "sim_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/config/config.h"
#include "../../../psim/base/mem.h"
#include "../../topology/topology.h"
#include "../../traffic/traffic.h"

enum {
	CLOCK_PS = 1000,
	REPEATS = 1000000,   /* longer than any run */
	EMPTY_STEPS = 10000, /* of a PU that sends nothing: it ends */
	TEXT_MOST = 4096,
};

/* A PU's place in its pattern. */
struct pattern_pu {
	uint64_t step;
	int64_t ps; /* when its next message is due */
	unsigned at, count;
	struct traffic_entry entry[TRAFFIC_STEP_MAX];
};

struct sim_pattern {
	struct traffic *traffic;
	struct pattern_pu *pu; /* by number */
	struct topology shape;
	struct topology_link link;
	struct topology_class class;
	uint32_t inject;
	uint32_t dims[NETWORK_DIMS_MAX];
};

static void make_shape(struct sim_pattern *x, const struct network *n, uint32_t flit_bytes)
{
	const struct network_kind *k = &n->kinds[n->resources[n->nodes[0]].kind];
	bool one_kind = k->count == n->node_count;

	x->class.bytes_per_s = 1e12 / CLOCK_PS * flit_bytes;
	x->shape.nodes = n->node_count;
	x->shape.nics = x->shape.links = x->shape.classes = 1;
	x->shape.link = &x->link;
	x->shape.class = &x->class;
	x->shape.inject = &x->inject;
	x->shape.dims = x->dims;
	x->shape.dimensions = one_kind ? k->dims : 1;
	x->dims[0] = n->node_count;
	for (unsigned d = 0; one_kind && d < k->dims; d++)
		x->dims[d] = (uint32_t)k->size[d];
}

/* Refuses what has a meaning for machines alone. */
static int check_words(const char *text, struct err *e)
{
	static const char *const words[][2] = {
		{"worst_case", "nsim --network, which knows paths"},
		{"pause", "load"},
		{"gap", "load"},
		{"overhead", "load"},
		{"copy", "load"},
		{"warmup", "run.warmup"},
		{"window", "run.clocks"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (traffic_names(text, words[i][0]))
			return err_set(e, STATUS_USAGE, "pattern: %s is not for simulators, expected %s", words[i][0],
				       words[i][1]);
	return 0;
}

struct sim_pattern *sim_pattern_create(const struct network *n, const char *text, uint32_t flit_bytes, double load,
				       struct err *e)
{
	const struct traffic_load point = {.load = load / flit_bytes, .longer = REPEATS};
	struct sim_pattern *x;
	char all[TEXT_MOST];

	if (check_words(text, e))
		return NULL;
	if (!(load > 0)) {
		err_set(e, STATUS_USAGE, "pattern: a load of %g, expected one above 0", load);
		return NULL;
	}
	if (strlen(text) + 16 > sizeof(all)) {
		err_set(e, STATUS_USAGE, "pattern: too long, expected at most %zu characters", sizeof(all) - 16);
		return NULL;
	}
	snprintf(all, sizeof(all), "%s%s", text,
		 traffic_names(text, "size") ? ""
		 : strchr(text, ':')         ? ",size=10"
					     : ":size=10");
	x = mem_alloc(1, sizeof(*x), e);
	if (!x)
		return NULL;
	make_shape(x, n, flit_bytes);
	x->pu = mem_alloc(n->node_count, sizeof(*x->pu), e);
	if (x->pu)
		x->traffic = traffic_of_load(all, &point, &x->shape, n->node_count, e);
	if (x->traffic)
		return x;
	sim_pattern_destroy(x);
	return NULL;
}

void sim_pattern_destroy(struct sim_pattern *x)
{
	if (!x)
		return;
	traffic_destroy(x->traffic);
	free(x->pu);
	free(x);
}

struct config *sim_pattern_keys(const struct sim_pattern *x, struct err *e)
{
	struct config *keys = traffic_config(x->traffic);

	return config_fact(keys, "paced", false, "by a simulator", e) < 0 ? NULL : keys;
}

/* PUs have their places from sim_pattern_create, where a lack of memory is an error like others. */
static void *pattern_init(struct pu *self, int argc, char **argv)
{
	(void)self, (void)argc, (void)argv;
	return NULL;
}

/* Moves on to the next message. False: there is none. */
static bool next_message(const struct sim_pattern *x, uint32_t number, struct pattern_pu *v)
{
	for (unsigned empty = 0; empty < EMPTY_STEPS; empty++) {
		for (; v->at < v->count; v->at++) {
			if (v->entry[v->at].kind == TRAFFIC_SEND)
				return true;
			v->ps += v->entry[v->at].ps;
		}
		v->at = 0;
		v->count = traffic_step(x->traffic, number, v->step++, v->entry);
		if (!v->count)
			return false;
	}
	return false;
}

static struct pu_action pattern_exec(struct pu *self, void *variables)
{
	const struct sim_pattern *x = pu_shared(self);
	struct pattern_pu *v = &x->pu[pu_number(self)];

	(void)variables;
	while (next_message(x, pu_number(self), v)) {
		uint64_t due = (uint64_t)(v->ps + CLOCK_PS - 1) / CLOCK_PS;

		if (due > pu_clock(self))
			return pu_compute(due - pu_clock(self));
		pu_post(self, v->entry[v->at].peer, (uint32_t)v->entry[v->at].bytes, 0, NULL);
		v->at++;
	}
	return pu_end();
}

void sim_pattern_apply(struct sim_pattern *x, struct run_params *p)
{
	p->pu_init = pattern_init;
	p->pu_exec = pattern_exec;
	p->shared = x;
}
