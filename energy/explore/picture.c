#include "picture.h"

#include "point_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/escape.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/report/out.h"
#include "../../psim/base/report/svg.h"

enum {
	WIDTH = 960,
	PANEL_HEIGHT = 600,
	LEFT = 84,
	RIGHT = 700,
	TOP = 86,
	BOTTOM = 530,
	LEGEND = 728,
	TICKS = 7,
	TEXT_MAX = 512,
	LEGEND_VALUES = 12,
	DOT = 5,
	PRODUCT_STEPS = 100, /* of the curve of equal products */
};

/* position on the colour ramp if the value does not vary */
static const double one_colour = 0.4;

/* A label, and the line from its dot, which has no length if the label is beside it. */
struct label {
	struct svg_box box;
	double x, y, near_x, near_y;
};

struct panel {
	const struct picture *picture;
	const struct designs *designs;
	const char *over;
	struct svg_axis x, y;
	double least_area, most_area;
	struct svg_box *occupied; /* boxes of dots, labels, and lines */
	size_t occupied_count;
	struct label *labels;
	size_t label_count;
	FILE *out;
};

static double across(const struct panel *p, const struct design *d)
{
	return svg_axis_at(&p->x, design_column(d, p->picture->x));
}

static double up(const struct panel *p, const struct design *d)
{
	return svg_axis_at(&p->y, design_column(d, p->picture->y));
}

/* A column's name on an axis or in the legend. */
static const char *picture_words(const struct picture *p, unsigned column)
{
	const struct point_kind *k = p->plan->study->kind;

	if (!k->cost)
		return column_words(column);
	return column == CRITERION_energy ? "energy" : point_column_word(k, column);
}

/* A column's unit beside an axis. */
static const char *axis_unit(const struct picture *p, unsigned column)
{
	if (p->plan->study->kind->cost && column == CRITERION_area)
		return "";
	return strcmp(column_unit(column), "mm2") ? column_unit(column) : "mm\302\262";
}

int picture_colour(const struct study *s, const char *name, struct err *e)
{
	if (!strcmp(name, "area"))
		return -1;
	for (size_t n = 0; n < study_param_count(s); n++) {
		const struct param *p = study_param(s, n)->param;
		size_t section = strlen(p->section);

		if (!strncmp(name, p->section, section) && name[section] == '.' && !strcmp(name + section + 1, p->key))
			return (int)n;
	}
	err_set(e, STATUS_USAGE,
		"--colour '%s': not a varied parameter of %s, expected area or section.key of a parameter that varies",
		name, s->path);
	return -2;
}

/* ---- words ---- */
/* The values of a design on all axes: "64 · 4". */
static void short_label(const struct study *s, const struct design *d, char text[TEXT_MAX])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t n = 0; n < s->axes.count && used < TEXT_MAX; n++) {
		char value[STUDY_LABEL_MAX];

		study_axis_value(&s->axes.at[n], study_axis_position(s, n, d->combination), value);
		used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s%s", n ? " \302\267 " : "", value);
	}
}

/* Returns whether designs are chips, with an area and readings of their energy. */
static bool is_chip(const struct panel *p)
{
	return !p->picture->plan->study->kind->cost;
}

/* Writes the tooltip of a dot. */
static void write_tooltip(const struct panel *p, const struct design *d)
{
	char label[STUDY_LABEL_MAX], figures[300];

	study_label(p->picture->plan->study, d->combination, label);
	if (is_chip(p))
		snprintf(figures, sizeof(figures), "\n%.4g s, %.4g J (%.4g to %.4g), %.1f mm2 (%.1f to %.1f), %.4g J s",
			 d->value[CRITERION_time], d->value[CRITERION_energy], d->extra[EXTRA_energy_low],
			 d->extra[EXTRA_energy_high], d->value[CRITERION_area], d->extra[EXTRA_area_low],
			 d->extra[EXTRA_area_high], d->value[CRITERION_energy_delay]);
	else
		snprintf(figures, sizeof(figures), "\n%.4g s, %.4g J, %s %.6g, %.4g J s", d->value[CRITERION_time],
			 d->value[CRITERION_energy], p->picture->plan->study->kind->cost, d->value[CRITERION_area],
			 d->value[CRITERION_energy_delay]);
	fputs("<title>", p->out);
	escape_xml(p->out, label);
	escape_xml(p->out, figures);
	fputs("</title>", p->out);
}

/* ---- colours ---- */
/* Returns whether value `index` is the first of its kind; values of a pair may repeat. */
static bool is_new(const struct values *v, size_t index)
{
	for (size_t n = 0; n < index; n++)
		if (!strcmp(v->at[n], v->at[index]))
			return false;
	return true;
}

/* Number of different values among the first `count`. */
static size_t count_distinct(const struct values *v, size_t count)
{
	size_t found = 0;

	for (size_t n = 0; n < count; n++)
		found += is_new(v, n);
	return found;
}

/* The value of a combination, as the index of its first occurrence. */
static size_t value_index(const struct study *s, size_t param, size_t combination)
{
	const struct values *v = &study_param(s, param)->values;
	const char *value = study_value(s, combination, param);
	size_t n = 0;

	while (strcmp(v->at[n], value) != 0)
		n++;
	return n;
}

/* Spaces different values evenly along the ramp; `index` is a first occurrence. */
static void value_colour(const struct study *s, size_t param, size_t index, char text[8])
{
	const struct values *v = &study_param(s, param)->values;
	size_t count = count_distinct(v, v->count);

	svg_colour(count > 1 ? (double)count_distinct(v, index) / (double)(count - 1) : one_colour, text);
}

static void explore_picture_colour_of(const struct panel *p, const struct design *d, char text[8])
{
	const struct study *s = p->picture->plan->study;
	double range = p->most_area - p->least_area;

	if (p->picture->colour < 0)
		svg_colour(range > 0 ? (d->value[CRITERION_area] - p->least_area) / range : one_colour, text);
	else
		value_colour(s, (size_t)p->picture->colour, value_index(s, (size_t)p->picture->colour, d->combination),
			     text);
}

/* ---- dots, lines, labels ---- */
static void draw_dot(struct panel *p, const struct design *d)
{
	double x = across(p, d), y = up(p, d);
	char colour[8];

	explore_picture_colour_of(p, d, colour);
	fprintf(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"%s>", x, y, DOT, colour,
		d->front ? " class=\"ring\" stroke-width=\"1.5\"" : " fill-opacity=\"0.55\"");
	write_tooltip(p, d);
	fputs("</circle>\n", p->out);
	p->occupied[p->occupied_count++] = (struct svg_box){x - DOT, y - DOT, 2 * DOT, 2 * DOT};
}

/* Keeps labels off a line that is level, upright or short. */
static void occupy_line(struct panel *p, double x1, double y1, double x2, double y2)
{
	p->occupied[p->occupied_count++] = (struct svg_box){
		fmin(x1, x2) - 1,
		fmin(y1, y2) - 1,
		fabs(x2 - x1) + 2,
		fabs(y2 - y1) + 2,
	};
}

/* Draws the range from the low to the high reading of a design's energy. */
static void draw_range(struct panel *p, const struct design *d)
{
	double x = across(p, d);
	double low = d->extra[EXTRA_energy_low], high = d->extra[EXTRA_energy_high];

	if (!(low < high) || p->picture->y != CRITERION_energy)
		return;
	svg_line(p->out, x, svg_axis_at(&p->y, low), x, svg_axis_at(&p->y, high), "reading");
	occupy_line(p, x, svg_axis_at(&p->y, low), x, svg_axis_at(&p->y, high));
}

/* Half the interval of an estimated figure along an axis; 0: it has none. */
static double error_along(const struct design *d, unsigned column)
{
	return column == CRITERION_time ? d->error[0] : column == CRITERION_energy ? d->error[1] : 0;
}

/* Draws the interval of a design along one axis, within the panel. */
static void draw_error(struct panel *p, const struct design *d, const struct svg_axis *axis, unsigned column)
{
	const double half = error_along(d, column), value = design_column(d, column);
	const bool flat = axis == &p->x;
	double from, to, at = flat ? up(p, d) : across(p, d);

	if (!(half > 0))
		return;
	from = svg_axis_at(axis, fmax(value - half, axis->first));
	to = svg_axis_at(axis, fmin(value + half, axis->last));
	if (flat)
		svg_line(p->out, from, at, to, at, "reading");
	else
		svg_line(p->out, at, from, at, to, "reading");
}

/* Draws the intervals of all designs of a study that samples. */
static void draw_errors(struct panel *p)
{
	for (size_t n = 0; p->picture->plan->study->sample && n < p->designs->count; n++) {
		draw_error(p, &p->designs->at[n], &p->x, p->picture->x);
		draw_error(p, &p->designs->at[n], &p->y, p->picture->y);
	}
}

/* A design with the figures of both axes, of which less is better. */
struct placed {
	const struct design *design;
	double x, y;
};

static int by_figures(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return x->design->combination < y->design->combination ? -1 : 1;
}

/* The designs that are not dominated in the figures of both axes, the best in x first; the caller frees them. */
static struct placed *plane_front(const struct panel *p, size_t *count, struct err *e)
{
	const struct designs *d = p->designs;
	struct placed *sorted = mem_alloc(d->count + 1, sizeof(*sorted), e);
	double least = HUGE_VAL;

	*count = 0;
	if (!sorted)
		return NULL;
	for (size_t n = 0; n < d->count; n++)
		sorted[n] = (struct placed){
			.design = &d->at[n],
			.x = design_column(&d->at[n], p->picture->x) * (column_more(p->picture->x) ? -1 : 1),
			.y = design_column(&d->at[n], p->picture->y) * (column_more(p->picture->y) ? -1 : 1),
		};
	qsort(sorted, d->count, sizeof(*sorted), by_figures);
	for (size_t n = 0; n < d->count; n++) {
		if (sorted[n].y >= least)
			continue;
		least = sorted[n].y;
		sorted[(*count)++] = sorted[n];
	}
	return sorted;
}

/* Draws steps between the front and the designs that are dominated. */
static void draw_front(struct panel *p, const struct placed *front, size_t count)
{
	const double worst_x = column_more(p->picture->x) ? p->x.from : p->x.to;
	const double worst_y = column_more(p->picture->y) ? p->y.from : p->y.to;

	double last_y = worst_y;

	fputs("<path class=\"line\" d=\"", p->out);
	for (size_t n = 0; n < count; n++) {
		double x = across(p, front[n].design), y = up(p, front[n].design);

		fprintf(p->out, n ? "H%.1fV%.1f" : "M%.1f,%.1fV%.1f", x, n ? y : worst_y, y);
		occupy_line(p, x, last_y, x, y);
		occupy_line(p, x, y, n + 1 < count ? across(p, front[n + 1].design) : worst_x, y);
		last_y = y;
	}
	if (count)
		fprintf(p->out, "H%.1f", worst_x);
	fputs("\"/>\n", p->out);
}

/* Returns whether a label or its line meets the line or box of another one. */
static bool crosses_labels(const struct panel *p, const struct label *l)
{
	for (size_t n = 0; n < p->label_count; n++) {
		const struct label *other = &p->labels[n];

		if (svg_box_on_line(&l->box, other->x, other->y, other->near_x, other->near_y) ||
		    svg_box_on_line(&other->box, l->x, l->y, l->near_x, l->near_y))
			return true;
	}
	return false;
}

enum { LEADER_FROM = 16, LEADER_MOST = 80 }; /* pixels between dot and label */
enum { OWN_ROOM = 13 };                      /* pixels around a dot of the front, for its own label */

/* The distance of a point from a box; 0 within it. */
static double distance_of(const struct svg_box *b, double x, double y)
{
	return hypot(x - fmin(fmax(x, b->x), b->x + b->width), y - fmin(fmax(y, b->y), b->y + b->height));
}

/* Returns whether a label is nearer to the dot of another place than to that of the design that it names. */
static bool is_nearer_to_others(const struct panel *p, const struct label *l, double away)
{
	for (size_t n = 0; n < p->designs->count; n++) {
		const double x = across(p, &p->designs->at[n]), y = up(p, &p->designs->at[n]);

		if (hypot(x - l->x, y - l->y) > DOT && distance_of(&l->box, x, y) <= away)
			return true;
	}
	return false;
}

/* Writes a label so that it ends, or begins, beside its dot in whatever font. */
static void write_label(const struct panel *p, const struct label *l, const char *text)
{
	const double y = l->box.y + SVG_LABEL_HEIGHT - 3;

	if (l->box.x >= l->x)
		svg_text(p->out, l->box.x, y, "label", "start", text);
	else if (l->box.x + l->box.width <= l->x)
		svg_text(p->out, l->box.x + l->box.width, y, "label", "end", text);
	else
		svg_text(p->out, l->box.x + l->box.width / 2, y, "label", "middle", text);
}

/* Adds boxes around other dots of the front, whose labels that of `d` might be taken for. */
static void occupy_other_dots(struct panel *p, const struct design *d)
{
	for (size_t n = 0; n < p->designs->count; n++) {
		const struct design *other = &p->designs->at[n];
		double x = across(p, other), y = up(p, other);

		if (other->front && (fabs(x - across(p, d)) > OWN_ROOM || fabs(y - up(p, d)) > OWN_ROOM))
			p->occupied[p->occupied_count++] =
				(struct svg_box){x - OWN_ROOM, y - OWN_ROOM, 2 * OWN_ROOM, 2 * OWN_ROOM};
	}
}

/* Places the label of `d` where it crosses nothing, and off other dots of the front. Returns its way from the dot. */
static double place_label(struct panel *p, const struct design *d, bool off, double width, struct label *l)
{
	const struct svg_box inside = {LEFT + 2, TOP + 2, RIGHT - LEFT - 4, BOTTOM - TOP - 4};
	size_t count = p->occupied_count;
	bool placed;

	if (off)
		occupy_other_dots(p, d);
	placed = svg_label_place(l->x, l->y, width, &inside, p->occupied, p->occupied_count, &l->box);
	p->occupied_count = count;
	if (!placed)
		return HUGE_VAL;
	l->near_x = fmin(fmax(l->x, l->box.x), l->box.x + l->box.width);
	l->near_y = fmin(fmax(l->y, l->box.y), l->box.y + l->box.height);
	return crosses_labels(p, l) ? HUGE_VAL : hypot(l->near_x - l->x, l->near_y - l->y);
}

/* Names a design, if there is room within `most` pixels where its label crosses nothing; off other dots if possible. */
static void draw_label(struct panel *p, const struct design *d, double most)
{
	struct label l = {.x = across(p, d), .y = up(p, d)};
	char text[TEXT_MAX];
	double away;

	short_label(p->picture->plan->study, d, text);
	away = place_label(p, d, true, svg_label_width(text), &l);
	if (away > most)
		away = place_label(p, d, false, svg_label_width(text), &l);
	if (!*text || away > most)
		return;
	if (away > LEADER_FROM || is_nearer_to_others(p, &l, away))
		svg_line(p->out, l.x, l.y, l.near_x, l.near_y, "leader");
	p->labels[p->label_count++] = l;
	p->occupied[p->occupied_count++] = l.box;
	write_label(p, &l, text);
}

/* Returns whether points of equal energy-delay product are a curve. */
static bool has_product(const struct panel *p)
{
	return p->picture->x == CRITERION_time && p->picture->y == CRITERION_energy;
}

/* Draws the curve where energy times time equals the best design's. */
static void draw_equal_product(struct panel *p, const struct design *best)
{
	double last_x = -1, last_y = -1;

	if (!has_product(p))
		return;
	fputs("<path class=\"frame\" stroke-dasharray=\"5 4\" d=\"", p->out);
	for (unsigned n = 0; n <= PRODUCT_STEPS; n++) {
		double share = n / (double)PRODUCT_STEPS;
		double time = p->x.logarithmic ? p->x.first * pow(p->x.last / p->x.first, share)
					       : p->x.first + share * (p->x.last - p->x.first);
		double joules = best->value[CRITERION_energy_delay] / time;
		double x = svg_axis_at(&p->x, time), y = svg_axis_at(&p->y, joules);

		if (!(joules >= p->y.first && joules <= p->y.last))
			continue;
		fprintf(p->out, "%c%.1f,%.1f", last_x < 0 ? 'M' : 'L', x, y);
		if (last_x >= 0)
			occupy_line(p, last_x, last_y, x, y);
		last_x = x;
		last_y = y;
	}
	fputs("\"/>\n", p->out);
}

static void diamond(FILE *out, double x, double y)
{
	fprintf(out, "<path class=\"line\" d=\"M%.1f,%.1fl9,9l-9,9l-9,-9z\"/>\n", x, y - 9);
}

/* ---- the legend ---- */
static double legend_area(const struct panel *p, double y)
{
	char colour[8], text[64];

	svg_text(p->out, LEGEND, y, "", "start",
		 is_chip(p) ? "area (mm\302\262)" : p->picture->plan->study->kind->cost);
	for (unsigned n = 0; n <= (p->most_area > p->least_area ? 4 : 0); n++) {
		double share = n / 4.0;

		y += 20;
		svg_colour(p->most_area > p->least_area ? share : one_colour, colour);
		fprintf(p->out, "<circle cx=\"%d\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>\n", LEGEND + 6, y - 4, DOT,
			colour);
		snprintf(text, sizeof(text), "%.1f", p->least_area + share * (p->most_area - p->least_area));
		svg_text(p->out, LEGEND + 20, y, "tick", "start", text);
	}
	return y;
}

static double legend_param(const struct panel *p, double y)
{
	const struct study *s = p->picture->plan->study;
	size_t param = (size_t)p->picture->colour;
	const struct study_param *sp = study_param(s, param);
	size_t count = count_distinct(&sp->values, sp->values.count);
	size_t shown = count < LEGEND_VALUES ? count : LEGEND_VALUES, n = 0;
	char text[TEXT_MAX], colour[8];

	snprintf(text, sizeof(text), "%s.%s", sp->param->section, sp->param->key);
	svg_text(p->out, LEGEND, y, "", "start", text);
	for (size_t index = 0; index < sp->values.count && n < shown; index++) {
		/* of many values, evenly spaced ones, including the first and the last */
		if (!is_new(&sp->values, index) ||
		    count_distinct(&sp->values, index) < (shown > 1 ? n * (count - 1) / (shown - 1) : 0))
			continue;
		n++;
		y += 20;
		value_colour(s, param, index, colour);
		fprintf(p->out, "<circle cx=\"%d\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>\n", LEGEND + 6, y - 4, DOT,
			colour);
		svg_text(p->out, LEGEND + 20, y, "tick", "start", sp->values.at[index]);
	}
	return y;
}

/* Explains rings, lines and the diamond, from `y` on; returns where it ends. */
static double legend_marks(const struct panel *p, double y)
{
	const struct point_kind *kind = p->picture->plan->study->kind;
	char text[TEXT_MAX];

	fprintf(p->out, "<circle cx=\"%d\" cy=\"%.1f\" r=\"%d\" class=\"ring\" fill=\"none\" stroke-width=\"1.5\"/>\n",
		LEGEND + 6, y - 4, DOT);
	svg_text(p->out, LEGEND + 24, y, "tick", "start", "not dominated in");
	svg_text(p->out, LEGEND + 24, y + 15, "tick", "start", p->picture->by);
	y += 40;
	svg_line(p->out, LEGEND - 2, y - 4, LEGEND + 14, y - 4, "line");
	snprintf(text, sizeof(text), "front of %s and %s", point_column_word(kind, p->picture->x),
		 point_column_word(kind, p->picture->y));
	svg_text(p->out, LEGEND + 24, y, "tick", "start", text);
	if (p->picture->y == CRITERION_energy && is_chip(p)) {
		y += 25;
		svg_line(p->out, LEGEND + 6, y - 12, LEGEND + 6, y + 4, "reading");
		svg_text(p->out, LEGEND + 24, y, "tick", "start", "energy, low to high reading");
	}
	if (p->picture->plan->study->sample) {
		y += 25;
		svg_line(p->out, LEGEND - 2, y - 4, LEGEND + 14, y - 4, "reading");
		svg_line(p->out, LEGEND + 6, y - 12, LEGEND + 6, y + 4, "reading");
		svg_text(p->out, LEGEND + 24, y, "tick", "start", "95 % interval of an estimate");
	}
	y += 25;
	diamond(p->out, LEGEND + 6, y - 4);
	svg_text(p->out, LEGEND + 24, y, "tick", "start", "least energy \303\227 time");
	if (!has_product(p))
		return y + 30;
	fprintf(p->out, "<path class=\"frame\" stroke-dasharray=\"5 4\" d=\"M%d,%.1fh16\"/>\n", LEGEND - 2, y + 14);
	svg_text(p->out, LEGEND + 24, y + 18, "tick", "start", "the same product");
	return y + 48;
}

/* Names the parameters of an axis that labels have, from below `y` on; returns where it ends. */
static double legend_axis(const struct panel *p, size_t axis, double y)
{
	const struct study_axis *a = &p->picture->plan->study->axes.at[axis];
	char text[TEXT_MAX];

	for (size_t n = 0; n < a->params.count; n++) {
		const struct param *row = a->params.at[n].param;

		if (!study_axis_shows(a, n))
			continue;
		y += 18;
		snprintf(text, sizeof(text), "%s%s.%s", axis && !n ? "\302\267 " : "", row->section, row->key);
		svg_text(p->out, LEGEND, y, "tick", "start", text);
	}
	return y;
}

static void explore_picture_legend(const struct panel *p)
{
	double y = TOP + 12;

	y = p->picture->colour < 0 ? legend_area(p, y) : legend_param(p, y);
	y = legend_marks(p, y + 34);
	svg_text(p->out, LEGEND, y, "", "start", "labels: values of");
	for (size_t n = 0; n < p->picture->plan->study->axes.count && n < 6; n++)
		y = legend_axis(p, n, y);
}

/* ---- a panel ---- */
static bool contains_design(const struct placed *list, size_t count, const struct design *d)
{
	for (size_t n = 0; n < count; n++)
		if (list[n].design == d)
			return true;
	return false;
}

static bool is_among(const struct design *const *list, size_t count, const struct design *d)
{
	for (size_t n = 0; n < count; n++)
		if (list[n] == d)
			return true;
	return false;
}

static void limits(const struct designs *d, unsigned column, double *least, double *most)
{
	*least = HUGE_VAL;
	*most = -HUGE_VAL;
	for (size_t n = 0; n < d->count; n++) {
		*least = fmin(*least, design_column(&d->at[n], column));
		*most = fmax(*most, design_column(&d->at[n], column));
	}
}

/* Extends the limits to the low and high readings of the front's energies. */
static void readings(const struct designs *d, double *least, double *most)
{
	for (size_t n = 0; n < d->count; n++) {
		const struct design *x = &d->at[n];

		if (!x->front || !(x->extra[EXTRA_energy_low] < x->extra[EXTRA_energy_high]))
			continue;
		*least = fmin(*least, x->extra[EXTRA_energy_low]);
		*most = fmax(*most, x->extra[EXTRA_energy_high]);
	}
}

static void explore_picture_heading(const struct panel *p)
{
	const struct study *s = p->picture->plan->study;
	char text[TEXT_MAX];

	svg_text(p->out, LEFT, 34, "title", "start", s->title ? s->title : s->path);
	snprintf(text, sizeof(text), "%zu designs; %s", p->designs->count, p->over);
	svg_text(p->out, LEFT, 58, "note", "start", text);
}

/* Names the best designs, those of the front of both axes, and others of the front with room beside their dots. */
static void draw_labels(struct panel *p, const struct placed *front, size_t count)
{
	const struct design *best[CRITERION_COUNT];

	for (unsigned c = 0; c < CRITERION_COUNT; c++)
		best[c] = designs_best(p->designs, c);
	for (unsigned c = 0; c < CRITERION_COUNT; c++)
		if (!is_among(best, c, best[c]))
			draw_label(p, best[c], LEADER_MOST);
	for (size_t n = 0; n < count; n++)
		if (!is_among(best, CRITERION_COUNT, front[n].design))
			draw_label(p, front[n].design, LEADER_MOST);
	for (size_t n = 0; n < p->designs->count; n++) {
		const struct design *d = &p->designs->at[n];

		if (d->front && !contains_design(front, count, d) && !is_among(best, CRITERION_COUNT, d))
			draw_label(p, d, LEADER_FROM);
	}
}

static int draw_designs(struct panel *p, struct err *e)
{
	const struct design *best = designs_best(p->designs, CRITERION_energy_delay);
	struct placed *front;
	size_t count;

	front = plane_front(p, &count, e);
	if (!front)
		return -1;
	draw_equal_product(p, best);
	draw_front(p, front, count);
	draw_errors(p);
	for (size_t n = 0; n < p->designs->count; n++)
		if (!p->designs->at[n].front)
			draw_dot(p, &p->designs->at[n]);
	for (size_t n = 0; n < count; n++)
		draw_range(p, front[n].design);
	for (size_t n = 0; n < p->designs->count; n++)
		if (p->designs->at[n].front)
			draw_dot(p, &p->designs->at[n]);
	diamond(p->out, across(p, best), up(p, best));
	draw_labels(p, front, count);
	free(front);
	return 0;
}

static void fit_axes(struct panel *p)
{
	double least, most;

	limits(p->designs, p->picture->x, &least, &most);
	/* room for labels to the left of the fastest design */
	p->x = svg_axis_fit(fmax(least - 0.12 * (most - least), 0.5 * least), most, LEFT, RIGHT, TICKS);
	limits(p->designs, p->picture->y, &least, &most);
	if (p->picture->y == CRITERION_energy)
		readings(p->designs, &least, &most);
	p->y = svg_axis_fit(least, most, BOTTOM, TOP, TICKS);
	limits(p->designs, CRITERION_area, &p->least_area, &p->most_area);
}

static int explore_picture_draw_panel(struct panel *p, struct err *e)
{
	int failed = -1;

	explore_picture_heading(p);
	if (!p->designs->count) {
		svg_text(p->out, LEFT, TOP + 20, "", "start", "no design has results for all its traces");
		return 0;
	}
	fit_axes(p);
	/* a dot, a label, a range, two steps of the front, and the room of a dot per design */
	p->occupied = mem_alloc(6 * p->designs->count + PRODUCT_STEPS, sizeof(*p->occupied), e);
	p->labels = mem_alloc(p->designs->count, sizeof(*p->labels), e);
	if (p->occupied && p->labels) {
		svg_axis_draw_x(p->out, &p->x, &p->y, picture_words(p->picture, p->picture->x),
				axis_unit(p->picture, p->picture->x));
		svg_axis_draw_y(p->out, &p->x, &p->y, picture_words(p->picture, p->picture->y),
				axis_unit(p->picture, p->picture->y));
		explore_picture_legend(p);
		failed = draw_designs(p, e);
	}
	free(p->occupied);
	free(p->labels);
	return failed;
}

int picture_write(const struct picture *picture, FILE *out, struct err *e)
{
	const struct study *s = picture->plan->study;

	svg_begin(out, WIDTH, (double)PANEL_HEIGHT * picture->panel_count, s->title ? s->title : s->path,
		  "Figures of designs, one dot per design; front, labels and legend as text.");
	for (unsigned n = 0; n < picture->panel_count; n++) {
		struct panel p = {
			.picture = picture,
			.designs = picture->panels[n].designs,
			.over = picture->panels[n].over,
			.out = out,
		};

		fprintf(out, "<g transform=\"translate(0 %u)\">\n", n * PANEL_HEIGHT);
		if (explore_picture_draw_panel(&p, e) < 0)
			return -1;
		fputs("</g>\n", out);
	}
	svg_end(out);
	return ferror(out) ? out_error("picture", e) : 0;
}
