#include "link_graph.h"

#include <stdarg.h>
#include <stdio.h>

#include "../../psim/base/mem.h"

/* Ports of NICs follow those of the network. */
enum { PORT_NIC = 0xff00 };

int graph_class(struct graph *g, double bytes_per_s, int64_t cable_ps, struct err *e, const char *format, ...)
{
	struct topology_class *c = vec_push(&g->class, e);
	va_list ap;

	if (!c)
		return -1;
	*c = (struct topology_class){.bytes_per_s = bytes_per_s, .cable_ps = cable_ps};
	va_start(ap, format);
	vsnprintf(c->name, sizeof(c->name), format, ap);
	va_end(ap);
	return (int)g->class.count - 1;
}

int graph_link(struct graph *g, struct topology_link link, struct err *e)
{
	struct topology_link *l;

	if (g->link.count >= LINK_NONE)
		return err_set(e, STATUS_FAILED, "too many links in the network, expected at most %d", LINK_NONE - 1);
	l = vec_push(&g->link, e);
	if (!l)
		return -1;
	*l = link;
	g->class.at[link.class].links++;
	return 0;
}

static uint32_t home_of(const struct graph_nics *n, const struct topology *t, uint32_t node)
{
	return t->nodes + (n->home ? n->home[node] : node / n->per_router);
}

int graph_add_nics(struct graph *g, const struct topology *t, const struct graph_nics *n, struct err *e)
{
	int in = graph_class(g, n->bytes_per_s, n->cable_ps, e, "inject");
	int out = graph_class(g, n->bytes_per_s, n->cable_ps, e, "eject");

	if (in < 0 || out < 0 || vec_reserve(&g->link, 2 * (size_t)t->nodes * t->nics, e))
		return -1;
	for (uint32_t i = 0; i < t->nodes * t->nics; i++) {
		uint32_t node = i / t->nics;

		if (graph_link(g, (struct topology_link){node, home_of(n, t, node), (uint16_t)in, PORT_NIC, PORT_NIC},
			       e))
			return -1;
	}
	for (uint32_t i = 0; i < t->nodes * t->nics; i++) {
		uint32_t node = i / t->nics;

		if (graph_link(g, (struct topology_link){home_of(n, t, node), node, (uint16_t)out, PORT_NIC, PORT_NIC},
			       e))
			return -1;
	}
	return 0;
}

void graph_limit_ports(struct graph *g, const struct topology *t, double bytes_per_s)
{
	for (size_t i = 0; i < g->link.count && bytes_per_s > 0; i++) {
		struct topology_class *class = &g->class.at[g->link.at[i].class];

		if (g->link.at[i].from >= t->nodes && class->bytes_per_s > bytes_per_s)
			class->bytes_per_s = bytes_per_s;
	}
}

/* One side of the graph: the links that leave (or enter) each vertex, sorted by port. */
struct side {
	bool out;
	uint32_t vertices, links;
	uint32_t *first, *order;
	struct topology_link *link;
};

static uint16_t *port_of(const struct side *s, uint32_t link)
{
	return s->out ? &s->link[link].out_port : &s->link[link].in_port;
}

/* Insertion sort: links are added nearly in the order of their ports. */
static void sort_ports(const struct side *s, uint32_t first, uint32_t end)
{
	for (uint32_t i = first + 1; i < end; i++) {
		uint32_t link = s->order[i], at = i;

		while (at > first && *port_of(s, s->order[at - 1]) > *port_of(s, link)) {
			s->order[at] = s->order[at - 1];
			at--;
		}
		s->order[at] = link;
	}
	for (uint32_t i = first; i < end; i++)
		*port_of(s, s->order[i]) = (uint16_t)(i - first);
}

static int make_side(struct side *s, struct err *e)
{
	s->first = mem_alloc((size_t)s->vertices + 2, sizeof(*s->first), e);
	s->order = s->first ? mem_alloc((size_t)s->links + 1, sizeof(*s->order), e) : NULL;
	if (!s->order)
		return -1;
	/* counts go one element further, so that filling turns them into the begins */
	for (uint32_t i = 0; i < s->links; i++)
		s->first[(s->out ? s->link[i].from : s->link[i].to) + 2]++;
	for (uint32_t v = 2; v < s->vertices + 2; v++)
		s->first[v] += s->first[v - 1];
	for (uint32_t i = 0; i < s->links; i++)
		s->order[s->first[(s->out ? s->link[i].from : s->link[i].to) + 1]++] = i;
	for (uint32_t v = 0; v < s->vertices; v++)
		sort_ports(s, s->first[v], s->first[v + 1]);
	return 0;
}

static int check_degrees(const struct side *s, struct err *e)
{
	for (uint32_t v = 0; v < s->vertices; v++)
		if (s->first[v + 1] - s->first[v] > UINT16_MAX)
			return err_set(e, STATUS_USAGE, "a router of %u links, expected at most %d",
				       s->first[v + 1] - s->first[v], UINT16_MAX);
	return 0;
}

static int note_nics(struct topology *t, struct err *e)
{
	uint32_t *inject = mem_alloc((size_t)t->nodes * t->nics, sizeof(*inject), e);
	uint32_t *eject = mem_alloc((size_t)t->nodes * t->nics, sizeof(*eject), e);

	t->inject = inject;
	t->eject = eject;
	if (!inject || !eject)
		return -1;
	for (uint32_t node = 0; node < t->nodes; node++)
		for (unsigned nic = 0; nic < t->nics; nic++) {
			inject[node * t->nics + nic] = t->out_link[t->out_first[node] + nic];
			eject[node * t->nics + nic] = t->in_link[t->in_first[node] + nic];
		}
	return 0;
}

int graph_finish(struct graph *g, struct topology *t, struct err *e)
{
	struct side out = {
		.out = true, .vertices = t->nodes + t->routers, .links = (uint32_t)g->link.count, .link = g->link.at};
	struct side in = {.vertices = out.vertices, .links = out.links, .link = g->link.at};
	int failed;

	t->links = out.links;
	t->classes = (unsigned)g->class.count;
	t->link = g->link.at;
	t->class = g->class.at;
	*g = (struct graph){0};
	failed = make_side(&out, e) || make_side(&in, e);
	t->out_first = out.first;
	t->out_link = out.order;
	t->in_first = in.first;
	t->in_link = in.order;
	if (failed || check_degrees(&out, e) || check_degrees(&in, e))
		return -1;
	return note_nics(t, e);
}

void graph_drop(struct graph *g)
{
	vec_finish(&g->link);
	vec_finish(&g->class);
}
