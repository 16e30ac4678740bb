#include "described.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../wormhole/wormhole_check.h"
#include "../topology/link_class.h"
#include "../topology/kind.h"
#include "../topology/number_list.h"
#include "described_state.h"
#include "load.h"
#include "../wormhole/guard.h"

#define NONE NETWORK_NONE
/* Above this many pairs of places and destinations the check samples the destinations. */
enum { CHECK_WORK_MAX = 30000000 };

/* ---- routing ---- */

static bool free_phys(struct routing_view *v, int32_t port)
{
	(void)v, (void)port;
	return true;
}
static bool free_virt(struct routing_view *v, int32_t port, int32_t vc)
{
	(void)v, (void)port, (void)vc;
	return true;
}
static int32_t free_room(struct routing_view *v, int32_t port, int32_t vc)
{
	(void)v, (void)port, (void)vc;
	return 1;
}
static bool free_trail(struct routing_view *v)
{
	(void)v;
	return true;
}

/*
 * Ends the guarded run at a mistake that the check did not meet: in a large network it follows some
 * destinations only.
 */
static void require_choice(const struct network *n, const struct routing_view *v, struct routing_choice c,
			   bool may_retry)
{
	char here[192], there[192];
	struct err e;

	if (!routing_check_words(n, v, &e)) {
		if ((c.port == ROUTE_RETRY && may_retry) ||
		    (c.port >= 0 && c.port < v->outputs && c.vc >= 0 && c.vc < v->vcs))
			return;
		network_resource_name(n, v->resource, here, sizeof(here));
		network_resource_name(n, n->nodes[v->dest_node], there, sizeof(there));
		err_set(&e, STATUS_BAD_INPUT,
			"%s:%d: routing of %s, for a message to %s, leads to no output of it, expected 0 to %d",
			n->file, n->kinds[n->resources[v->resource].kind].route_line, here, there, (int)v->outputs - 1);
	}
	guard_fail(&e);
}

void described_view(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc, uint32_t dst,
		    struct routing_view *v)
{
	const struct described *d = t->private_data;
	const struct network *n = d->net;
	uint32_t in = d->output_of[in_link];

	v->dest_node = dst;
	v->resource = d->resource_of[router - t->nodes];
	v->in_port = v->in_vc = -1;
	v->bytes = 1;
	routing_view_limits(v, n);
	if (in == NONE)
		return;
	v->in_port = (int32_t)(n->outputs[in].peer - n->resources[v->resource].first_input);
	v->in_vc = (int32_t)in_vc;
}

struct routing_choice described_choice(const struct described *d, struct routing_view *v, bool may_retry)
{
	const struct network *n = d->net;
	const struct network_kind *k = &n->kinds[n->resources[v->resource].kind];

	guard_enter("the routing of", n->file, k->route_line, n, v->resource);
	struct routing_choice c = k->route(v, network_place(n, v->resource));
	guard_leave();
	require_choice(n, v, c, may_retry);
	return c;
}

struct route_step described_step(const struct topology *t, const struct routing_view *v, struct routing_choice c)
{
	const struct described *d = t->private_data;
	uint32_t link = d->link_of[d->net->resources[v->resource].first_output + (uint32_t)c.port];
	bool ejects = t->link[link].to < t->nodes;

	return (struct route_step){.link = link, .vc = ejects ? 0 : (uint16_t)c.vc, .escape = true};
}

/* Returns the step from `router` if all channels are free; does not set its hops. */
static struct route_step way(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc, uint32_t dst)
{
	const struct described *d = t->private_data;
	struct routing_view v = {
		.phys_free = free_phys, .virt_free = free_virt, .virt_room = free_room, .trail_move = free_trail};

	if (d->net->nodes[dst] == d->resource_of[router - t->nodes])
		return (struct route_step){.link = t->eject[dst], .escape = true};
	described_view(t, router, in_link, in_vc, dst, &v);
	return described_step(t, &v, described_choice(d, &v, false));
}

_Noreturn void described_lost(const struct described *d, uint32_t dst)
{
	const struct network *n = d->net;
	char there[192];
	struct err e;

	network_resource_name(n, n->nodes[dst], there, sizeof(there));
	err_set(&e, STATUS_BAD_INPUT, "%s: a packet to %s has taken %d links and is not there, expected a way to it",
		n->file, there, DESCRIBED_HOPS_MAX);
	guard_fail(&e);
}

static void described_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	struct described_state *s = (struct described_state *)(void *)r->state;
	struct route_step step = {.link = t->inject[src]};

	(void)key;
	*s = (struct described_state){0};
	while (t->link[step.link].to >= t->nodes && s->hops < DESCRIBED_HOPS_MAX) {
		step = way(t, t->link[step.link].to, step.link, step.vc, dst);
		s->hops++;
	}
	if (t->link[step.link].to >= t->nodes)
		described_lost(t->private_data, dst);
}

static unsigned described_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			       const struct route *r, struct route_step *steps)
{
	steps[0] = way(t, router, in_link, in_vc, r->dst);
	steps[0].hops = ((const struct described_state *)(const void *)r->state)->hops;
	return 1;
}

static void described_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	(void)t, (void)router, (void)step;
	((struct described_state *)(void *)r->state)->hops--;
}

/* Returns the links between routers on the path; 0 within a router. */
static unsigned described_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	struct route r = {.dst = dst};

	described_start(t, src, dst, 0, &r);
	return ((struct described_state *)(void *)r.state)->hops - 1u;
}

static void described_destroy(void *private_data)
{
	struct described *d = private_data;

	ndl_unload(d->loaded);
	free(d->resource_of);
	free(d->vertex_of);
	free(d->link_of);
	free(d->output_of);
	free(d->plain);
	free(d);
}

static const struct topology_kind kind = {
	.name = "described",
	.doc = "network of a description",
	.routing = {{.name = "described",
		     .doc = "routing of the description",
		     .start = described_start,
		     .next = described_next,
		     .take = described_take},
		    {.name = "adaptive",
		     .doc = "choices of the description",
		     ROUTED_BY(described_adaptive_start, described_adaptive_next, described_adaptive_take),
		     .choice = true}},
	.destroy = described_destroy,
	.distance = described_distance,
};

/* ---- nodes and routers ---- */

static uint32_t peer_resource(const struct network *n, uint32_t output)
{
	return n->inputs[n->outputs[output].peer].resource;
}

static bool described_is_plain(const struct network *n, uint32_t resource)
{
	const struct network_resource *r = &n->resources[resource];

	if (r->inputs != 1 || r->outputs != 1)
		return false;
	return n->node_of[peer_resource(n, r->first_output)] == NONE &&
	       n->node_of[n->outputs[n->inputs[r->first_input].peer].resource] == NONE;
}

static int make_vertices(struct described *d, struct topology *t, struct err *e)
{
	const struct network *n = d->net;

	d->resource_of = mem_alloc(n->resource_count, sizeof(*d->resource_of), e);
	d->vertex_of = mem_alloc(n->resource_count, sizeof(*d->vertex_of), e);
	d->plain = mem_alloc(n->node_count, sizeof(*d->plain), e);
	d->link_of = mem_alloc(n->output_count, sizeof(*d->link_of), e);
	d->output_of = mem_alloc((size_t)n->output_count + 2 * (size_t)n->node_count, sizeof(*d->output_of), e);
	if (!d->resource_of || !d->vertex_of || !d->plain || !d->link_of || !d->output_of)
		return -1;
	t->nodes = n->node_count;
	for (uint32_t r = 0; r < n->resource_count; r++) {
		uint32_t node = n->node_of[r];

		if (node != NONE && (d->plain[node] = described_is_plain(n, r))) {
			d->vertex_of[r] = node;
			continue;
		}
		d->vertex_of[r] = t->nodes + t->routers;
		d->resource_of[t->routers++] = r;
	}
	return 0;
}

static int make_dims(const struct network *n, struct topology *t, struct err *e)
{
	const struct network_kind *k = &n->kinds[n->resources[n->nodes[0]].kind];
	bool one_kind = k->count == n->node_count;
	uint32_t *dims = mem_alloc(NETWORK_DIMS_MAX, sizeof(*dims), e);

	t->dims = dims;
	if (!dims)
		return -1;
	t->dimensions = one_kind ? k->dims : 1;
	dims[0] = n->node_count;
	for (unsigned i = 0; one_kind && i < k->dims; i++)
		dims[i] = (uint32_t)k->size[i];
	return 0;
}

/* ---- links ---- */

struct rates {
	double rate, nic_rate;
	int64_t cable_ps, nic_cable_ps;
};

/* Reads the only value of link.`key`; its `size` is that of a double and of an int64_t. */
static int read_one(const struct param *row, const char *key, const char *text, void *value, size_t size, struct err *e)
{
	int64_t values[16] = {0};
	int count = list_values(row, text, values, size, sizeof(values) / sizeof(values[0]), e);

	if (count > 1)
		count = err_set(e, STATUS_USAGE, "%d values, expected one: it is that of every connection of --network",
				count);
	if (count < 0)
		return err_prefix(e, "link.%s", key);
	memcpy(value, values, size);
	return 0;
}

/* Returns the key of [link] that is wrong, with `e`; or NULL. */
static const char *read_rates(const struct topology_config *cfg, struct rates *r, struct err *e)
{
	static const struct param rate = {.type = PARAM_RATE, .min = 1, .max = 1e15, .unit = "bytes/s"};
	static const struct param cable = {.type = PARAM_TIME, .min = 0, .max = 1e12, .unit = "ps"};
	double port = cfg->link.port_bandwidth;

	if (read_one(&rate, "bandwidth", cfg->link.bandwidth, &r->rate, sizeof(r->rate), e))
		return "bandwidth";
	if (read_one(&cable, "cable", cfg->link.cable, &r->cable_ps, sizeof(r->cable_ps), e))
		return "cable";
	if (port > 0 && port < 1) { /* gives times beyond the clock's range */
		err_set(e, STATUS_USAGE, "link.port_bandwidth: %g B/s: expected 0 or at least 1 B/s", port);
		return "port_bandwidth";
	}
	r->nic_rate = cfg->link.nic_bandwidth == 0 ? r->rate : cfg->link.nic_bandwidth;
	r->nic_cable_ps = cfg->link.nic_cable;
	return NULL;
}

int described_config_check(const struct config *c, const struct topology_config *cfg, struct err *e)
{
	struct rates unused = {0};
	const char *key = read_rates(cfg, &unused, e);

	return key ? err_prefix(e, "%s", config_origin(c, "link", key)) : 0;
}

/*
 * Adds a class that the description declares. A link of 1 clock is one of [link]: others have a multiple of its cable
 * and a fraction of its bandwidth.
 */
static int add_declared(const struct network_class *c, const struct rates *rates, struct graph *g, struct err *e)
{
	return graph_class(g, rates->rate / c->flit_clocks, rates->cable_ps * (c->clocks ? c->clocks : 1), e, "%s",
			   c->name);
}

/*
 * Returns the class of a connection's statement that names none, named after its switch and output if there is only
 * one, else after its line.
 */
static int class_of(const struct network *n, uint32_t output, const struct rates *rates, struct graph *g, struct err *e)
{
	const struct network_channel *o = &n->outputs[output];
	uint32_t port = output - n->resources[o->resource].first_output;
	const char *name = n->kinds[n->resources[o->resource].kind].name;
	char text[TOPOLOGY_NAME_MAX];
	bool same = true;

	for (uint32_t x = 0; x < n->output_count && same; x++)
		same = n->outputs[x].line != o->line || x - n->resources[n->outputs[x].resource].first_output == port;
	snprintf(text, sizeof(text), same ? "%.8s.o(%u)" : "line %.0s%u", name, same ? port : (unsigned)o->line);
	return graph_class(g, rates->rate, rates->cable_ps, e, "%s", text);
}

/* Adds links between routers: all outputs of the description except those from and to plain nodes. */
static int add_links(struct described *d, struct graph *g, const struct rates *rates, struct err *e)
{
	const struct network *n = d->net;
	int last_line = 0, lines = 0, *line_class;

	for (uint32_t c = 0; c < n->class_count; c++)
		if (add_declared(&n->classes[c], rates, g, e) < 0)
			return -1;
	for (uint32_t o = 0; o < n->output_count; o++)
		lines = n->outputs[o].line > lines ? n->outputs[o].line : lines;
	line_class = mem_alloc((size_t)lines + 1, sizeof(*line_class), e); /* class + 1 */
	for (uint32_t o = 0; line_class && o < n->output_count; o++) {
		uint32_t from = d->vertex_of[n->outputs[o].resource], to = d->vertex_of[peer_resource(n, o)];
		int *class = &line_class[n->outputs[o].line];
		uint32_t peer = n->outputs[o].peer;

		if (from < d->nodes || to < d->nodes)
			continue;
		if (n->outputs[o].class)
			*class = (int)n->outputs[o].class;
		if (!*class)
			*class = class_of(n, o, rates, g, e) + 1;
		d->link_of[o] = (uint32_t)g->link.count;
		d->output_of[g->link.count] = o;
		if (!*class ||
		    graph_link(g,
			       (struct topology_link){
				       from, to, (uint16_t)(*class - 1),
				       (uint16_t)(o - n->resources[n->outputs[o].resource].first_output),
				       (uint16_t)(peer - n->resources[n->inputs[peer].resource].first_input)},
			       e)) {
			last_line = -1;
			break;
		}
	}
	free(line_class);
	return line_class && !last_line ? 0 : -1;
}

/* Adds a link from (or to) each node, with its router at the other end. */
static int add_node_links(struct described *d, struct graph *g, bool inject, const struct rates *rates, struct err *e)
{
	const struct network *n = d->net;
	int class = graph_class(g, rates->nic_rate, rates->nic_cable_ps, e, inject ? "inject" : "eject");

	if (class < 0)
		return -1;
	for (uint32_t node = 0; node < n->node_count; node++) {
		const struct network_resource *r = &n->resources[n->nodes[node]];
		uint32_t output = NONE, router = d->vertex_of[n->nodes[node]];
		uint32_t of = (uint32_t) class;

		if (d->plain[node]) {
			output = inject ? r->first_output : n->inputs[r->first_input].peer;
			router = d->vertex_of[inject ? peer_resource(n, output) : n->outputs[output].resource];
			d->link_of[output] = (uint32_t)g->link.count;
			of = n->outputs[output].class ? n->outputs[output].class - 1 : of;
		}
		d->output_of[g->link.count] = output;
		if (graph_link(g,
			       (struct topology_link){inject ? node : router, inject ? router : node, (uint16_t)of,
						      UINT16_MAX, UINT16_MAX},
			       e))
			return -1;
	}
	return 0;
}

/*
 * Checks the description, and sets whether its routing is adaptive. Such a routing waits where it finds nothing free,
 * so it is followed to all destinations, and must be proven free of deadlock.
 */
static int described_check(struct described *d, bool *adaptive, struct err *e)
{
	const struct network *n = d->net;
	double work = (double)n->node_count * ((double)n->output_count * n->vcs + n->node_count);
	struct check_options o = {.step = (uint32_t)(work / CHECK_WORK_MAX) + 1};
	struct check_result result;

	if (network_check(n, &o, &result, e))
		return -1;
	*adaptive = result.chooses;
	if (!*adaptive)
		return 0;
	if (o.step > 1 && network_check(n, NULL, &result, e))
		return -1;
	d->escapes = result.escapes;
	if (result.cyclic)
		return err_set(e, STATUS_BAD_INPUT, "%s: this adaptive routing may deadlock: %s: %s", n->file,
			       result.waits, result.cycle);
	if (result.partial)
		return err_set(
			e, STATUS_BAD_INPUT,
			"%s: this adaptive routing asks so many questions that the check for deadlock does not try "
			"all answers, expected at most %d in a call",
			n->file, CHECK_QUESTIONS_MAX);
	return 0;
}

static int described_build(struct topology *t, struct described *d, const struct topology_config *cfg, struct err *e)
{
	struct graph g = {0};
	struct rates rates = {0};
	bool adaptive;

	if (described_check(d, &adaptive, e) || read_rates(cfg, &rates, e) || make_vertices(d, t, e) ||
	    make_dims(d->net, t, e))
		return -1;
	t->routing = &kind.routing[adaptive];
	t->nics = 1;
	t->vcs = d->net->vcs;
	t->fixed_routes = !adaptive;
	t->proven = adaptive;
	if (add_links(d, &g, &rates, e) || add_node_links(d, &g, true, &rates, e) ||
	    add_node_links(d, &g, false, &rates, e) || link_class_apply(cfg, &g, e)) {
		graph_drop(&g);
		return -1;
	}
	graph_limit_ports(&g, t, cfg->link.port_bandwidth);
	return graph_finish(&g, t, e) || (adaptive && described_adaptive_check(t, e)) ? -1 : 0;
}

struct topology *described_topology(const char *file, const char *operands, const struct topology_config *cfg,
				    struct err *e)
{
	struct topology *t = mem_alloc(1, sizeof(*t), e);
	struct described *d = mem_alloc(1, sizeof(*d), e);

	if (!t || !d) {
		free(t);
		free(d);
		return NULL;
	}
	t->kind = &kind;
	t->private_data = d;
	d->loaded = ndl_load(file, operands, e);
	if (d->loaded) {
		d->net = ndl_network_of(d->loaded);
		d->nodes = d->net->node_count;
		if (!described_build(t, d, cfg, e))
			return t;
	}
	topology_destroy(t);
	return NULL;
}
