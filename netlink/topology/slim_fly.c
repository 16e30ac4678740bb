/*
 * Slim Fly (M. Besta, T. Hoefler, SC 2014): the graphs of B. McKay, M. Miller, J. Siran (J. Comb. Theory B 74, 1998),
 * of diameter 2. Over a field of q = 4w + d elements, d of -1, 0 or 1, router (x, y) of side 0 has a link to
 *
 *   (x, y') of side 0 if y' - y is in a set X,        (m, c) of side 1 if y = m x + c,
 *
 * and (m, c) of side 1 one to (m, c') if c' - c is in a set X'. X has even powers of a primitive element and their
 * negatives, X' odd ones. A group is a cabinet of the paper: x of side 0, and m = x of side 1.
 */
#include <string.h>

#include "graph_file.h"
#include "routes.h"
#include "topology_plan.h"

enum { ELEMENTS_MIN = 3, ELEMENTS_MAX = 256 };
enum { LOCAL, GLOBAL, CLASSES };
_Static_assert(2 * ELEMENTS_MAX * ELEMENTS_MAX <= GRAPH_ROUTERS_MAX, "routers that routings take");

/*
 * A field of q elements, q a power of the prime p. The digits of an element, in base p, are the coefficients of a
 * polynomial, which is taken modulo a primitive one.
 */
struct field {
	uint32_t q, p;
	uint32_t power[ELEMENTS_MAX]; /* [i]: the i-th power of a primitive element */
	uint32_t log[ELEMENTS_MAX];   /* [element but 0]: the power that it is */
};

struct slim_fly {
	struct field field;
	bool apart[2][ELEMENTS_MAX]; /* [side][element]: routers that differ by it are joined */
};

/* Returns a + times b, `times` below p. */
static uint32_t field_sum(const struct field *f, uint32_t a, uint32_t b, uint32_t times)
{
	uint32_t sum = 0;

	for (uint32_t place = 1; place < f->q; place *= f->p)
		sum += (a / place + times * (b / place)) % f->p * place;
	return sum;
}

static uint32_t field_difference(const struct field *f, uint32_t a, uint32_t b)
{
	return field_sum(f, a, b, f->p - 1);
}

static uint32_t field_product(const struct field *f, uint32_t a, uint32_t b)
{
	return a && b ? f->power[(f->log[a] + f->log[b]) % (f->q - 1)] : 0;
}

/*
 * Fills the powers of the polynomial z, where its highest power that does not fit equals `rest`. Returns whether all
 * elements but 0 are among them: then each has an inverse, and z is primitive.
 */
static bool field_fill_powers(struct field *f, uint32_t rest)
{
	uint32_t element = 1, count = 0, top = f->q / f->p;

	do {
		f->power[count++] = element;
		element = field_sum(f, element % top * f->p, rest, element / top);
	} while (element != 1 && count < f->q - 1);
	return element == 1 && count == f->q - 1;
}

/* Returns the prime of which q is a power; 0: it is none. */
static uint32_t field_prime(uint32_t q)
{
	uint32_t p = 2;

	while (q % p)
		p++;
	while (q % p == 0)
		q /= p;
	return q == 1 ? p : 0;
}

static void field_make(struct field *f, uint32_t q)
{
	uint32_t rest = 1;

	f->q = q;
	f->p = field_prime(q);
	while (!field_fill_powers(f, rest)) /* every field has a primitive polynomial */
		rest++;
	for (uint32_t i = 0; i < q - 1; i++)
		f->log[f->power[i]] = i;
}

/* The sets X and X'. With q = 4w - 1 the powers from the middle on are the negatives of the first ones. */
static void slim_fly_make_sets(struct slim_fly *s)
{
	const struct field *f = &s->field;
	uint32_t powers = f->q % 4 == 3 ? (f->q + 1) / 2 : f->q % 4 == 1 ? f->q - 1 : f->q;

	memset(s->apart, 0, sizeof(s->apart));
	for (uint32_t i = 0; i < powers; i++) {
		uint32_t element = f->power[i % (f->q - 1)];

		s->apart[i % 2][element] = true;
		s->apart[i % 2][field_difference(f, 0, element)] = true;
	}
}

/* ---- the kind ---- */

static unsigned slim_fly_levels(const struct plan *p)
{
	(void)p;
	return CLASSES;
}

static int slim_fly_check(struct plan *p)
{
	uint32_t q = p->dim[0], size[2];
	uint64_t nodes;

	if (p->dims != 1)
		return plan_fail(p, "topology", "dims", "%s: %u sizes, expected one: elements of the field",
				 p->cfg->topology.dims, p->dims);
	if (q < ELEMENTS_MIN || q > ELEMENTS_MAX || !field_prime(q))
		return plan_fail(p, "topology", "dims",
				 "%s: a field of %u elements, expected a power of a prime, %d to %d",
				 p->cfg->topology.dims, q, ELEMENTS_MIN, ELEMENTS_MAX);
	if (!p->cfg->topology.concentration)
		return plan_fail(p, "topology", "concentration", "0: expected 1 or more nodes of each router");
	size[0] = 2 * q * q;
	size[1] = p->cfg->topology.concentration;
	if (plan_product(p, size, 2, &nodes))
		return -1;
	return plan_no_cabinets(p);
}

/* Adds the links out of router `y` of a group's side. */
static int slim_fly_add_router(const struct slim_fly *s, uint32_t nodes, uint32_t group, uint32_t side, uint32_t y,
			       struct graph *g, struct err *e)
{
	const struct field *f = &s->field;
	uint32_t own = nodes + (2 * group + side) * f->q, other = nodes + (1 - side) * f->q;

	for (uint32_t to = 0; to < f->q; to++)
		if (s->apart[side][field_difference(f, to, y)] &&
		    graph_link(g, (struct topology_link){own + y, own + to, LOCAL, 0, 0}, e))
			return -1;
	for (uint32_t x = 0; x < f->q; x++) { /* c = y - m x, and y = c + m x */
		uint32_t to = field_sum(f, y, field_product(f, group, x), side ? 1 : f->p - 1);
		uint16_t class = x == group ? LOCAL : GLOBAL;

		if (graph_link(g, (struct topology_link){own + y, other + 2 * x * f->q + to, class, 0, 0}, e))
			return -1;
	}
	return 0;
}

static int slim_fly_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->cfg->topology.concentration);
	uint32_t q = p->dim[0];
	struct slim_fly s;

	field_make(&s.field, q);
	slim_fly_make_sets(&s);
	t->routers = 2 * q * q;
	t->nodes = t->routers * p->cfg->topology.concentration;
	if (graph_class(g, p->rate[LOCAL], p->cable_ps[LOCAL], e, "local") < 0 ||
	    graph_class(g, p->rate[GLOBAL], p->cable_ps[GLOBAL], e, "global") < 0)
		return -1;
	for (uint32_t v = 0; v < t->routers; v++)
		if (slim_fly_add_router(&s, t->nodes, v / q / 2, v / q % 2, v % q, g, e))
			return -1;
	return graph_add_nics(g, t, &nics, e);
}

const struct topology_kind topology_slim_fly = {
	.name = topology_slim_fly_name,
	.doc = "routers of a field's pairs of elements, diameter 2",
	.diameter = 2,
	.routing = {ROUTES_OVER_ANY_GRAPH},
	.levels = slim_fly_levels,
	.check = slim_fly_check,
	.build = slim_fly_build,
	.ready = routes_make,
	.destroy = routes_destroy,
	.distance = routes_distance,
};
