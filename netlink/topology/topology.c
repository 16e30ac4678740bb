#include "topology.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "down.h"
#include "link_class.h"
#include "topology_names.h"
#include "topology_plan.h"

/* Takes down what the configuration says. */
static int take_down(const struct plan *p, struct topology *t, struct err *e)
{
	struct topology_down *d;

	if (!strcmp(p->cfg->topology.down, "none") || !*p->cfg->topology.down)
		return 0;
	d = down_copy(t, e);
	t->down = d;
	if (!d)
		return -1;
	if (down_take_list(d, t, p->cfg->topology.down, e) < 0)
		return err_prefix(e, "topology.down");
	return down_settle(d, t, e);
}

/* Gives the links of a kind a routing over any graph. */
static void go_over_graph(const struct plan *p, struct topology *t)
{
	t->closed_bisection = t->kind->bisection ? t->kind->bisection(t) : 0;
	if (t->private_data)
		t->kind->destroy(t->private_data);
	t->private_data = NULL;
	t->made = t->kind;
	t->kind = &topology_over_graph;
	t->routing = p->routing;
	t->random = t->routing->random;
}

static int topology_build(const struct plan *p, struct topology *t, struct err *e)
{
	struct graph g = {0};
	uint32_t *dims;

	t->kind = p->kind;
	t->routing = p->over_graph ? &p->kind->routing[0] : p->routing;
	t->random = t->routing->random;
	t->nics = p->cfg->topology.nics;
	if (p->kind->build(p, t, &g, e) || link_class_apply(p->cfg, &g, e)) {
		graph_drop(&g);
		return -1;
	}
	graph_limit_ports(&g, t, p->cfg->link.port_bandwidth);
	dims = t->dims ? NULL : mem_alloc(1, sizeof(*dims), e);
	if (dims) { /* nodes are in a grid */
		*dims = t->nodes;
		t->dims = dims;
		t->dimensions = 1;
	}
	if (!t->dims) {
		graph_drop(&g);
		return -1;
	}
	if (graph_finish(&g, t, e) || take_down(p, t, e))
		return -1;
	if (p->over_graph)
		go_over_graph(p, t);
	t->fixed_routes = !t->random && !t->routing->choice;
	return t->kind->ready ? t->kind->ready(t, e) : 0;
}

struct topology *topology_create(const struct topology_config *cfg, struct err *e)
{
	struct topology *t;
	struct plan p;

	if (plan_make(&p, cfg, e))
		return NULL;
	t = mem_alloc(1, sizeof(*t), e);
	if (t && topology_build(&p, t, e)) {
		topology_destroy(t);
		t = NULL;
	}
	return t;
}

void topology_destroy(struct topology *t)
{
	if (!t)
		return;
	if (t->private_data && !(t->borrows && t->kind != &topology_over_graph))
		t->kind->destroy(t->private_data);
	down_destroy((struct topology_down *)t->down);
	if (t->borrows) {
		free(t);
		return;
	}
	topology_names_finish(&t->router_names);
	topology_names_finish(&t->node_names);
	topology_names_finish(&t->link_names);
	free((void *)t->link);
	free((void *)t->class);
	free((void *)t->out_first);
	free((void *)t->out_link);
	free((void *)t->in_first);
	free((void *)t->in_link);
	free((void *)t->inject);
	free((void *)t->eject);
	free((void *)t->dims);
	free(t);
}

unsigned topology_path(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, uint32_t *links,
		       unsigned max)
{
	struct route r;

	topology_route_start(t, src, dst, key, &r);
	return route_walk(t, src, &r, links, max);
}

uint32_t topology_choices(const struct topology *t)
{
	return t->routing->choices ? t->routing->choices(t) : 0;
}

unsigned topology_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
			 unsigned max)
{
	return t->routing->choose(t, src, dst, choice, links, max);
}

/* Writes the path of `r` from the router at the end of `link` on, as of topology_fixed_route. */
static unsigned write_route(const struct topology *t, uint32_t at, uint32_t link, struct route *r, unsigned vc_bits,
			    uint32_t *words, unsigned max)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	unsigned count = 0, vc = 0;

	do {
		if (count == max)
			return 0;
		topology_route_next(t, at, link, vc, r, steps);
		topology_route_take(t, at, &steps[0], r);
		link = steps[0].link;
		vc = steps[0].vc;
		words[count++] = link << vc_bits | vc;
		at = t->link[link].to;
	} while (at >= t->nodes);
	return count;
}

unsigned topology_fixed_route(const struct topology *t, uint32_t inject, uint32_t src, uint32_t dst, unsigned vc_bits,
			      uint32_t *words, unsigned max)
{
	struct route r;

	if (t->routing->fixed_route)
		return t->routing->fixed_route(t, src, dst, vc_bits, words, max);
	topology_route_start(t, src, dst, 0, &r);
	return write_route(t, t->link[inject].to, inject, &r, vc_bits, words, max);
}

unsigned topology_fixed_route_from(const struct topology *t, uint32_t router, uint32_t src, uint32_t dst,
				   unsigned vc_bits, uint32_t *words, unsigned max)
{
	struct route r;

	topology_route_restart(t, router, src, dst, 0, &r);
	return write_route(t, router, t->inject[(size_t)src * t->nics], &r, vc_bits, words, max);
}

unsigned topology_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	return t->kind->distance(t, src, dst);
}

const char *topology_name(const struct topology *t)
{
	return t->made ? t->made->name : t->kind->name;
}

enum topology_shape topology_shape(const struct topology *t)
{
	return t->kind->shape;
}

void topology_coordinates(const struct topology *t, uint32_t node, uint32_t *coordinates)
{
	for (unsigned d = 0; d < t->dimensions; d++) {
		coordinates[d] = node % t->dims[d];
		node /= t->dims[d];
	}
}

uint32_t topology_node_at(const struct topology *t, const uint32_t *coordinates)
{
	uint32_t node = 0;

	for (unsigned d = t->dimensions; d-- > 0;)
		node = node * t->dims[d] + coordinates[d];
	return node;
}
