#include "network_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../psim/base/escape.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/report/svg.h"
#include "../../psim/base/vec.h"
#include "down.h"
#include "kind.h"
#include "topology_names.h"

enum { WIDTH = 720, HEIGHT = 720, TOP = 70, BOTTOM = 660, LEFT = 40, RIGHT = 680, STEPS = 200, NAMED_MAX = 64 };

#define DOWN_COLOUR "#d62728"

struct point {
	double x, y;
};

/* All links between two routers. */
struct line {
	uint32_t low, high; /* routers */
	unsigned class;
	double seconds; /* most that one of them takes for its bytes */
	bool down;      /* all of them are */
};

struct drawing {
	const struct topology *t;
	struct point *at; /* [router] */
	struct vec_of(struct line) lines;
	double most; /* seconds */
};

/* ---- lines ---- */

static int by_ends(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static int collect_lines(struct drawing *d, const double *bytes, struct err *e)
{
	const struct topology *t = d->t;
	size_t kept = 0;

	for (uint32_t i = 0; i < t->links; i++) {
		const struct topology_link *l = &t->link[i];
		struct line *x;

		if (l->from < t->nodes || l->to < t->nodes || l->from == l->to)
			continue;
		x = vec_push(&d->lines, e);
		if (!x)
			return -1;
		*x = (struct line){(l->from < l->to ? l->from : l->to) - t->nodes,
				   (l->from < l->to ? l->to : l->from) - t->nodes, l->class,
				   bytes ? bytes[i] / t->class[l->class].bytes_per_s : 0, t->down && t->down->link[i]};
		d->most = fmax(d->most, x->seconds);
	}
	if (d->lines.count)
		qsort(d->lines.at, d->lines.count, sizeof(*d->lines.at), by_ends);
	for (size_t i = 0; i < d->lines.count; i++)
		if (!kept || d->lines.at[i].low != d->lines.at[kept - 1].low ||
		    d->lines.at[i].high != d->lines.at[kept - 1].high)
			d->lines.at[kept++] = d->lines.at[i];
		else
			d->lines.at[kept - 1].down &= d->lines.at[i].down;
	d->lines.count = kept;
	return 0;
}

/* ---- places ---- */

/* The kind of its links, whatever its routing. */
static const struct topology_kind *picture_kind_of(const struct topology *t)
{
	return t->made ? t->made : t->kind;
}

static bool are_lines(const struct topology *t)
{
	return picture_kind_of(t)->lines;
}

/* Grids: dimensions beyond the second are copies beside and below each other. */
static void place_grid(struct drawing *d)
{
	const struct topology *t = d->t;
	const unsigned first = are_lines(t) ? 1 : 0; /* the nodes of a router are a dimension */

	for (uint32_t r = 0; r < t->routers; r++) {
		double step[2] = {1, 1};
		uint32_t rest = r;

		d->at[r] = (struct point){0, 0};
		for (unsigned i = first; i < t->dimensions; rest /= t->dims[i++]) {
			unsigned axis = (i - first) % 2;
			double c = rest % t->dims[i] * step[axis];

			if (axis)
				d->at[r].y -= c;
			else
				d->at[r].x += c;
			step[axis] *= t->dims[i] + 0.5;
		}
	}
}

static bool is_grid(const struct topology *t)
{
	if (are_lines(t))
		return true;
	if ((picture_kind_of(t)->shape != SHAPE_MESH && picture_kind_of(t)->shape != SHAPE_TORUS) ||
	    t->routers != t->nodes)
		return false;
	for (uint32_t node = 0; node < t->nodes; node++)
		if (t->link[t->inject[(size_t)node * t->nics]].to != t->nodes + node)
			return false;
	return true;
}

/* Trees: the level of a router is its distance from those with nodes. */
static int place_levels(struct drawing *d, struct err *e)
{
	const struct topology *t = d->t;
	uint32_t *level = mem_alloc(t->routers, sizeof(*level), e),
		 *count = mem_alloc(t->routers + 1, sizeof(*count), e);
	uint32_t *nth = mem_alloc(t->routers + 1, sizeof(*nth), e);

	for (uint32_t r = 0; level && r < t->routers; r++)
		level[r] = UINT32_MAX;
	for (uint32_t i = 0; level && i < t->nodes; i++)
		level[t->link[t->inject[(size_t)i * t->nics]].to - t->nodes] = 0;
	for (uint32_t now = 0; level && now < t->routers; now++)
		for (size_t i = 0; i < d->lines.count; i++) {
			const struct line *l = &d->lines.at[i];

			if (level[l->low] == now && level[l->high] == UINT32_MAX)
				level[l->high] = now + 1;
			if (level[l->high] == now && level[l->low] == UINT32_MAX)
				level[l->low] = now + 1;
		}
	if (level && count && nth) {
		for (uint32_t r = 0; r < t->routers; r++)
			count[level[r]]++;
		for (uint32_t r = 0; r < t->routers; r++)
			d->at[r] = (struct point){(nth[level[r]]++ + 0.5) / count[level[r]], -(double)level[r]};
	}
	free(level);
	free(count);
	free(nth);
	return level && count && nth ? 0 : -1;
}

/* Moves every router by the sum of its forces, at most by `most`. */
static void one_step(struct drawing *d, struct point *force, double spring, double most)
{
	uint32_t count = d->t->routers;

	for (uint32_t a = 0; a < count; a++)
		force[a] = (struct point){0, 0};
	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = 0; b < a; b++) {
			double x = d->at[a].x - d->at[b].x, y = d->at[a].y - d->at[b].y;
			double push = spring * spring / fmax(x * x + y * y, 1e-9);

			force[a].x += x * push, force[a].y += y * push;
			force[b].x -= x * push, force[b].y -= y * push;
		}
	for (size_t i = 0; i < d->lines.count; i++) {
		const struct line *l = &d->lines.at[i];
		double x = d->at[l->low].x - d->at[l->high].x, y = d->at[l->low].y - d->at[l->high].y;
		double pull = sqrt(x * x + y * y) / spring;

		force[l->low].x -= x * pull, force[l->low].y -= y * pull;
		force[l->high].x += x * pull, force[l->high].y += y * pull;
	}
	for (uint32_t a = 0; a < count; a++) {
		double length = fmax(sqrt(force[a].x * force[a].x + force[a].y * force[a].y), 1e-9);

		d->at[a].x += force[a].x / length * fmin(length, most);
		d->at[a].y += force[a].y / length * fmin(length, most);
	}
}

/* Others: from a circle, in the order of routers. */
static int place_by_forces(struct drawing *d, struct err *e)
{
	uint32_t count = d->t->routers;
	struct point *force = mem_alloc(count, sizeof(*force), e);
	double spring = 1 / sqrt(count), turn = 2 * 3.14159265358979323846 / count;

	for (uint32_t a = 0; a < count; a++)
		d->at[a] = (struct point){0.5 * sin(a * turn), -0.5 * cos(a * turn)};
	for (unsigned step = 0; force && step < STEPS; step++)
		one_step(d, force, spring, 0.1 * (STEPS - step) / STEPS);
	free(force);
	return force ? 0 : -1;
}

/* Stretches all places to the picture's. */
static void fit_places(struct drawing *d)
{
	struct point least = d->at[0], most = d->at[0];
	double width, height;

	for (uint32_t r = 1; r < d->t->routers; r++) {
		least.x = fmin(least.x, d->at[r].x), least.y = fmin(least.y, d->at[r].y);
		most.x = fmax(most.x, d->at[r].x), most.y = fmax(most.y, d->at[r].y);
	}
	width = most.x - least.x, height = most.y - least.y;
	for (uint32_t r = 0; r < d->t->routers; r++) {
		d->at[r].x = LEFT + (RIGHT - LEFT) * (width > 1e-9 ? (d->at[r].x - least.x) / width : 0.5);
		d->at[r].y = TOP + (BOTTOM - TOP) * (height > 1e-9 ? (d->at[r].y - least.y) / height : 0.5);
	}
}

static int place_routers(struct drawing *d, struct err *e)
{
	int result = 0;

	if (is_grid(d->t))
		place_grid(d);
	else
		result = picture_kind_of(d->t)->shape == SHAPE_TREE ? place_levels(d, e) : place_by_forces(d, e);
	if (!result)
		fit_places(d);
	return result;
}

/* ---- drawing ---- */

/* A line that a router in between would hide is bent: wrap-around links of grids. */
static double bend_of(const struct drawing *d, const struct line *l)
{
	double dx = d->at[l->high].x - d->at[l->low].x, dy = d->at[l->high].y - d->at[l->low].y;

	for (uint32_t r = 0; is_grid(d->t) && r < d->t->routers; r++) {
		double x = d->at[r].x - d->at[l->low].x, y = d->at[r].y - d->at[l->low].y;

		if (r != l->low && r != l->high && fabs(x * dy - y * dx) < 1e-6 && x * dx + y * dy > 0 &&
		    x * x + y * y < dx * dx + dy * dy)
			return 0.08;
	}
	return 0;
}

static void draw_neighbours(const struct drawing *d, const struct line *l, FILE *out)
{
	const struct point *a = &d->at[l->low], *b = &d->at[l->high];
	double bend = bend_of(d, l), dx = b->x - a->x, dy = b->y - a->y;
	char colour[8];

	if (l->down) {
		fprintf(out, "<path fill=\"none\" stroke=\"" DOWN_COLOUR
			     "\" stroke-dasharray=\"5 4\" stroke-width=\"1.6\" ");
	} else {
		svg_colour(d->most > 0 ? l->seconds / d->most : 0, colour);
		fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" ",
			d->most > 0 ? colour : svg_category(l->class),
			d->most > 0 ? 0.8 + 2.4 * l->seconds / d->most : 1.2);
	}
	fprintf(out, "d=\"M%.1f %.1f", a->x, a->y);
	if (bend > 0)
		fprintf(out, "Q%.1f %.1f %.1f %.1f\"/>\n", (a->x + b->x) / 2 - bend * dy, (a->y + b->y) / 2 - bend * dx,
			b->x, b->y);
	else
		fprintf(out, "L%.1f %.1f\"/>\n", b->x, b->y);
}

/* Writes a name at its place, behind it what it covers. */
static void draw_name(FILE *out, double x, double y, const char *name)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"middle\" fill=\"#000000\">", x, y);
	escape_xml(out, name);
	fputs("</text>\n", out);
}

static void draw_routers(const struct drawing *d, FILE *out)
{
	uint32_t count = d->t->routers;
	double half = count <= NAMED_MAX ? 9 : count <= 300 ? 3 : 1.5;

	for (uint32_t r = 0; r < count; r++) {
		char name[ROUTER_NAME_MAX];

		fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>\n",
			d->at[r].x - half, d->at[r].y - half, 2 * half, 2 * half,
			d->t->down && d->t->down->part[d->t->nodes + r] == DOWN_NONE ? DOWN_COLOUR : SVG_GREY);
		if (count <= NAMED_MAX)
			draw_name(out, d->at[r].x, d->at[r].y + 3.5, topology_router_name(d->t, d->t->nodes + r, name));
	}
}

/* The nodes of a network of one router, around it, as circles; all of them in number order, from the top. */
static void draw_nodes(const struct drawing *d, FILE *out)
{
	const double x = d->at[0].x, y = d->at[0].y, far = 240;
	uint32_t count = d->t->nodes <= NAMED_MAX ? d->t->nodes : NAMED_MAX;
	char text[60], name[ROUTER_NAME_MAX];

	for (uint32_t i = 0; i < count; i++) {
		double turn = 2 * 3.14159265358979323846 * i / count, to_x = x + far * sin(turn);
		double to_y = y - far * cos(turn);

		fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
			svg_category(0), x, y, to_x, to_y);
		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"10\" fill=\"#ffffff\" stroke=\"#555555\"/>\n", to_x,
			to_y);
		draw_name(out, to_x, to_y + 3.5, topology_node_name(d->t, i, name));
	}
	snprintf(text, sizeof(text), count < d->t->nodes ? "the first %" PRIu32 " nodes" : "%" PRIu32 " nodes", count);
	svg_text(out, LEFT, 698, "label", "start", text);
}

/* Names the colours: the ends of the ramp, or the classes. */
static void network_picture_legend(const struct drawing *d, FILE *out)
{
	const struct topology *t = d->t;
	char text[100], value[40], colour[8];
	double x = LEFT;

	if (t->down)
		fprintf(out,
			"<path stroke=\"" DOWN_COLOUR
			"\" stroke-dasharray=\"5 4\" stroke-width=\"1.6\" d=\"M%d 694h36\"/>\n",
			RIGHT - 80);
	if (t->down)
		svg_text(out, RIGHT - 38, 698, "label", "start", "down");
	if (d->most > 0) {
		svg_value_text(d->most, "s", value, sizeof(value));
		for (unsigned i = 0; i <= 10; i++) {
			svg_colour(i / 10.0, colour);
			fprintf(out, "<rect x=\"%u\" y=\"688\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
				LEFT + 12 * i, colour);
		}
		snprintf(text, sizeof(text), "time of a link's bytes at its bandwidth, 0 to %s", value);
		svg_text(out, LEFT + 142, 698, "label", "start", text);
		return;
	}
	for (unsigned c = 0; c < t->classes && x < RIGHT - (t->down ? 140 : 60); c++) {
		bool drawn = false;

		for (size_t i = 0; i < d->lines.count && !drawn; i++)
			drawn = d->lines.at[i].class == c;
		if (!drawn)
			continue;
		fprintf(out, "<rect x=\"%.1f\" y=\"688\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x,
			svg_category(c));
		svg_text(out, x + 18, 698, "label", "start", t->class[c].name);
		x += 30 + svg_label_width(t->class[c].name);
	}
}

static void draw_network_svg(const struct drawing *d, FILE *out)
{
	const struct topology *t = d->t;
	char title[200];

	snprintf(title, sizeof(title), "%s: %" PRIu32 " routers, %" PRIu32 " nodes", topology_name(t), t->routers,
		 t->nodes);
	svg_begin(out, WIDTH, HEIGHT, title, "Routers of a network as squares, the links between them as lines.");
	svg_text(out, LEFT, 32, "title", "start", title);
	for (size_t i = 0; i < d->lines.count; i++)
		draw_neighbours(d, &d->lines.at[i], out);
	if (t->routers == 1)
		draw_nodes(d, out);
	draw_routers(d, out);
	if (t->routers > 1)
		network_picture_legend(d, out);
	svg_end(out);
}

int network_picture_check(const struct topology *t, struct err *e)
{
	return t->routers <= NETWORK_PICTURE_MAX
		       ? 0
		       : err_set(e, STATUS_USAGE, "%" PRIu32 " routers, expected at most %d in a picture", t->routers,
				 NETWORK_PICTURE_MAX);
}

int network_picture(const struct topology *t, const double *bytes, FILE *out, struct err *e)
{
	struct drawing d = {.t = t};
	int result;

	if (network_picture_check(t, e) < 0)
		return -1;
	d.at = mem_alloc(t->routers, sizeof(*d.at), e);
	result = d.at && !collect_lines(&d, bytes, e) && !place_routers(&d, e) ? 0 : -1;
	if (!result)
		draw_network_svg(&d, out);
	free(d.at);
	vec_finish(&d.lines);
	return result;
}

/* ---- places and lines, for a page ---- */

enum { MAP_LINKS_MAX = 8192 };

bool network_map_fits(const struct topology *t)
{
	return t->routers > 1 && t->routers <= NETWORK_PICTURE_MAX && t->links <= MAP_LINKS_MAX;
}

void network_map_destroy(struct network_map *m)
{
	if (!m)
		return;
	free(m->x);
	free(m->y);
	free(m->ends);
	free(m->bend);
	free(m->line);
	free(m);
}

static int by_routers(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

/* Fills the map from a drawing. */
static void fill_map(struct network_map *m, const struct drawing *d)
{
	const struct topology *t = d->t;

	for (uint32_t r = 0; r < m->routers; r++) {
		m->x[r] = NETWORK_MAP_SIDE * (d->at[r].x - LEFT) / (RIGHT - LEFT);
		m->y[r] = NETWORK_MAP_SIDE * (d->at[r].y - TOP) / (BOTTOM - TOP);
	}
	for (uint32_t i = 0; i < m->lines; i++) {
		m->ends[i][0] = d->lines.at[i].low;
		m->ends[i][1] = d->lines.at[i].high;
		m->bend[i] = bend_of(d, &d->lines.at[i]);
	}
	for (uint32_t i = 0; i < t->links; i++) {
		uint32_t from = t->link[i].from - t->nodes, to = t->link[i].to - t->nodes;
		struct line key = {.low = from < to ? from : to, .high = from < to ? to : from};
		const struct line *found = NULL;

		if (t->link[i].from >= t->nodes && t->link[i].to >= t->nodes)
			found = bsearch(&key, d->lines.at, d->lines.count, sizeof(key), by_routers);
		m->line[i] = found ? (uint32_t)(found - d->lines.at) : UINT32_MAX;
	}
}

static struct network_map *make_map(const struct drawing *d, struct err *e)
{
	struct network_map *m = mem_alloc(1, sizeof(*m), e);

	if (!m)
		return NULL;
	m->routers = d->t->routers;
	m->lines = (uint32_t)d->lines.count;
	m->x = mem_alloc(m->routers, sizeof(*m->x), e);
	m->y = mem_alloc(m->routers, sizeof(*m->y), e);
	m->ends = mem_alloc(m->lines, sizeof(*m->ends), e);
	m->bend = mem_alloc(m->lines, sizeof(*m->bend), e);
	m->line = mem_alloc(d->t->links, sizeof(*m->line), e);
	if (m->x && m->y && m->ends && m->bend && m->line) {
		fill_map(m, d);
		return m;
	}
	network_map_destroy(m);
	return NULL;
}

struct network_map *network_map_create(const struct topology *t, struct err *e)
{
	struct drawing d = {.t = t};
	struct network_map *m = NULL;

	d.at = mem_alloc(t->routers, sizeof(*d.at), e);
	if (d.at && !collect_lines(&d, NULL, e) && !place_routers(&d, e))
		m = make_map(&d, e);
	free(d.at);
	vec_finish(&d.lines);
	return m;
}
