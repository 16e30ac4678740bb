/*
 * The run over time as a picture. The upper part has the commit slots, by the part of the machine that they were lost
 * to, and the power. The lower part has a strip for each structure and pipeline stage: darker means fuller.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../base/mem.h"
#include "../base/report/svg.h"
#include "../core/cycle_parts.h"
#include "stage_series.h"

enum { WIDTH = 1120, LEFT = 180, RIGHT = 990, COLUMNS = 370, TOP = 96, AREA = 120, STRIP = 13, GAP = 44, SHADES = 10 };

/* The values drawn over time; each is summed over the cycles of a column. */
enum line {
	LINE_PART,
	LINE_TOTAL_J = LINE_PART + PART_COUNT,
	LINE_STAGES_J,
	LINE_LEVEL,
	LINE_MOVED = LINE_LEVEL + STAGE_LEVEL_COUNT,
	LINE_HELD = LINE_MOVED + STAGE_COUNT,
	LINE_STAGE_J = LINE_HELD + STAGE_COUNT,
	LINE_COUNT = LINE_STAGE_J + STAGE_COUNT
};

struct picture {
	const struct stage_series *series;
	const struct core_config *cfg;
	const struct energy_model *energy;
	FILE *out;
	struct svg_axis x;
	size_t columns;
	double *end, *cycles; /* of each column */
	double *value;        /* LINE_COUNT rows of `columns` */
	double y;
};

static double stage_picture_value(const struct picture *p, unsigned line, size_t column)
{
	return p->value[line * p->columns + column];
}

/* The mean per cycle over the run. */
static double mean(const struct picture *p, unsigned line)
{
	double sum = 0, cycles = 0;

	for (size_t n = 0; n < p->columns; n++) {
		sum += stage_picture_value(p, line, n);
		cycles += p->cycles[n];
	}
	return cycles > 0 ? sum / cycles : 0;
}

static void stage_picture_add_row(struct picture *p, const struct stage_row *r, size_t column)
{
	double *at = p->value + column;
	uint64_t parts[PART_COUNT];

	p->end[column] = (double)r->to;
	p->cycles[column] += (double)(r->to - r->from);
	core_part_slots(&r->stats, parts);
	for (unsigned n = 0; n < PART_COUNT; n++)
		at[(LINE_PART + n) * p->columns] += (double)parts[n];
	at[LINE_TOTAL_J * p->columns] += r->energy.total_j;
	for (unsigned n = 0; n < STAGE_LEVEL_COUNT; n++)
		at[(LINE_LEVEL + n) * p->columns] += (double)r->level[n];
	for (unsigned n = 0; n < STAGE_COUNT; n++) {
		at[LINE_STAGES_J * p->columns] += r->energy.stage_j[n];
		at[(LINE_MOVED + n) * p->columns] += (double)r->activity.moved[n];
		at[(LINE_HELD + n) * p->columns] += (double)r->activity.stalled[n];
		at[(LINE_STAGE_J + n) * p->columns] += r->energy.stage_j[n];
	}
}

/* Fills the columns, with several rows in each if there are more rows than columns. */
static int stage_picture_fill(struct picture *p, struct err *e)
{
	size_t rows = stage_series_count(p->series), group = (rows + COLUMNS - 1) / COLUMNS;
	struct stage_row row;

	p->columns = group ? (rows + group - 1) / group : 0;
	p->value = mem_alloc((LINE_COUNT + 2) * (p->columns + 1), sizeof(*p->value), e);
	if (!p->value)
		return -1;
	p->end = p->value + LINE_COUNT * p->columns;
	p->cycles = p->end + p->columns;
	for (size_t n = 0; n < rows; n++) {
		stage_series_row(p->series, n, &row);
		stage_picture_add_row(p, &row, n / group);
	}
	return 0;
}

static double stage_picture_watts(const struct picture *p, unsigned line, size_t column)
{
	return stage_picture_value(p, line, column) * p->cfg->chip.frequency / p->cycles[column];
}

static double stage_picture_left_of(const struct picture *p, size_t column)
{
	return svg_axis_at(&p->x, column ? p->end[column - 1] : 0);
}

static double right_of(const struct picture *p, size_t column)
{
	return svg_axis_at(&p->x, p->end[column]);
}

/* ---- areas ---- */

/* Draws the area between two step curves with a value for each column. */
static void area(const struct picture *p, const double *low, const double *high, const struct svg_axis *y,
		 const char *colour)
{
	fprintf(p->out, "<path fill=\"%s\" d=\"M%.1f,%.1f", colour, stage_picture_left_of(p, 0),
		svg_axis_at(y, low[0]));
	for (size_t n = 0; n < p->columns; n++)
		fprintf(p->out, "V%.1fH%.1f", svg_axis_at(y, high[n]), right_of(p, n));
	for (size_t n = p->columns; n-- > 0;)
		fprintf(p->out, "V%.1fH%.1f", svg_axis_at(y, low[n]), stage_picture_left_of(p, n));
	fputs("Z\"/>\n", p->out);
}

static void legend_entry(const struct picture *p, double y, const char *colour, const char *text)
{
	fprintf(p->out, "<rect x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", RIGHT + 10, y - 9,
		colour);
	svg_text(p->out, RIGHT + 25, y, "tick", "start", text);
}

static struct svg_axis upward(const struct picture *p, double most)
{
	return svg_axis_fit(0, most, p->y + AREA, p->y, 4);
}

static void commit_slots(struct picture *p, double *low, double *high)
{
	struct svg_axis y = upward(p, p->cfg->core.commit_width);
	double legend = p->y + 8;
	char text[48];

	y.last = p->cfg->core.commit_width;
	svg_text(p->out, LEFT, p->y - 10, "", "start", "commit slots per cycle: used, or lost by cause");
	svg_axis_draw_y(p->out, &p->x, &y, "", "");
	for (size_t n = 0; n < p->columns; n++)
		high[n] = 0;
	for (unsigned part = 0; part < PART_COUNT; part++) {
		double share = mean(p, LINE_PART + part) / p->cfg->core.commit_width;

		if (share <= 0)
			continue;
		for (size_t n = 0; n < p->columns; n++) {
			low[n] = high[n];
			high[n] += stage_picture_value(p, LINE_PART + part, n) / p->cycles[n];
		}
		area(p, low, high, &y, svg_part(core_part_name(part)));
		snprintf(text, sizeof(text), "%s %.0f %%", core_part_name(part), 100 * share);
		legend_entry(p, legend, svg_part(core_part_name(part)), text);
		legend += 14;
	}
	p->y += AREA + GAP;
}

static void power(struct picture *p, double *low, double *high)
{
	static const char *const colours[2] = {SVG_GREY, SVG_VERMILION}, *const names[2] = {"all", "stages"};
	static const unsigned lines[2] = {LINE_TOTAL_J, LINE_STAGES_J};
	double most = 0, frequency = p->cfg->chip.frequency;
	struct svg_axis y;
	char text[48];

	for (size_t n = 0; n < p->columns; n++)
		most = fmax(most, stage_picture_watts(p, LINE_TOTAL_J, n));
	y = upward(p, most);
	svg_text(p->out, LEFT, p->y - 10, "", "start", "power (W): total, and of the pipeline stages");
	svg_axis_draw_y(p->out, &p->x, &y, "", "");
	for (unsigned k = 0; k < 2; k++) {
		for (size_t n = 0; n < p->columns; n++) {
			low[n] = 0;
			high[n] = stage_picture_watts(p, lines[k], n);
		}
		area(p, low, high, &y, colours[k]);
		snprintf(text, sizeof(text), "%s %.3g W", names[k], mean(p, lines[k]) * frequency);
		legend_entry(p, p->y + 8 + 14 * k, colours[k], text);
	}
	p->y += AREA + GAP;
}

/* ---- strips ---- */
static unsigned shade_of(double share)
{
	return share < 0.005 ? 0 : share >= 1 ? SHADES : (unsigned)(share * SHADES) + 1;
}

/* Draws a strip, with one path for all columns of a shade. The value `full` per cycle is the darkest. */
static void strip(struct picture *p, unsigned line, double full, const char *label, const char *colour,
		  const char *text)
{
	svg_text(p->out, LEFT - 8, p->y + STRIP - 3, "tick", "end", label);
	for (unsigned shade = 1; shade <= SHADES; shade++) {
		bool open = false;

		for (size_t n = 0, to; n < p->columns; n = to) {
			to = n + 1;
			if (shade_of(stage_picture_value(p, line, n) / p->cycles[n] / full) != shade)
				continue;
			while (to < p->columns &&
			       shade_of(stage_picture_value(p, line, to) / p->cycles[to] / full) == shade)
				to++;
			if (!open)
				fprintf(p->out,
					"<path fill=\"none\" stroke=\"%s\" stroke-opacity=\"%.2f\" "
					"stroke-width=\"%d\" d=\"",
					colour, (double)shade / SHADES, STRIP - 2);
			open = true;
			fprintf(p->out, "M%.1f,%.1fH%.1f", stage_picture_left_of(p, n), p->y + STRIP / 2.0,
				right_of(p, to - 1));
		}
		if (open)
			fputs("\"/>\n", p->out);
	}
	svg_text(p->out, RIGHT + 8, p->y + STRIP - 3, "tick", "start", text);
	p->y += STRIP;
}

static void stage_picture_heading(struct picture *p, const char *text)
{
	svg_text(p->out, LEFT, p->y, "", "start", text);
	p->y += 8;
}

static void structures(struct picture *p)
{
	char text[48];

	stage_picture_heading(p, "structures: entries in use; full is strongest");
	for (unsigned n = 0; n < STAGE_LEVEL_COUNT; n++) {
		double size = (double)stage_level_size(p->cfg, n);

		if (size <= 0)
			continue;
		snprintf(text, sizeof(text), "%.1f of %.0f", mean(p, LINE_LEVEL + n), size);
		strip(p, LINE_LEVEL + n, size, stage_level_label(n), SVG_GREEN, text);
	}
	p->y += GAP - 8;
}

static void stages(struct picture *p)
{
	char text[48], label[48];

	stage_picture_heading(p, "pipeline stages: slots in which something moves on, and is held; all are strongest");
	for (unsigned n = 0; n < STAGE_COUNT; n++) {
		double slots = energy_stage_slots(p->energy, n), held = mean(p, LINE_HELD + n);

		if (slots <= 0)
			continue;
		snprintf(text, sizeof(text), "%.1f %%", 100 * mean(p, LINE_MOVED + n) / slots);
		strip(p, LINE_MOVED + n, slots, energy_stage_label(n), SVG_BLUE, text);
		if (held <= 0)
			continue;
		snprintf(label, sizeof(label), "%s held", energy_stage_label(n));
		snprintf(text, sizeof(text), "%.1f %%", 100 * held / slots);
		strip(p, LINE_HELD + n, slots, label, SVG_ORANGE, text);
	}
	p->y += GAP - 8;
}

static void stage_power(struct picture *p)
{
	double frequency = p->cfg->chip.frequency, most = 0;
	char text[80];

	for (unsigned n = 0; n < STAGE_COUNT; n++)
		for (size_t k = 0; k < p->columns; k++)
			most = fmax(most, stage_picture_watts(p, LINE_STAGE_J + n, k));
	snprintf(text, sizeof(text), "power of the stages; %.3g W is strongest", most);
	stage_picture_heading(p, text);
	for (unsigned n = 0; n < STAGE_COUNT && most > 0; n++) {
		if (energy_stage_slots(p->energy, n) <= 0)
			continue;
		snprintf(text, sizeof(text), "%.3g W", mean(p, LINE_STAGE_J + n) * frequency);
		strip(p, LINE_STAGE_J + n, most / frequency, energy_stage_label(n), SVG_VERMILION, text);
	}
}

/* ---- the picture ---- */
static double height_of(const struct picture *p)
{
	unsigned strips = 0;

	for (unsigned n = 0; n < STAGE_LEVEL_COUNT; n++)
		strips += stage_level_size(p->cfg, n) > 0;
	for (unsigned n = 0; n < STAGE_COUNT; n++)
		if (energy_stage_slots(p->energy, n) > 0)
			strips += mean(p, LINE_HELD + n) > 0 ? 3 : 2;
	return TOP + 2 * (AREA + GAP) + 3 * 8 + 2 * (GAP - 8) + strips * STRIP + 50.0;
}

static int stage_picture_draw(struct picture *p, struct err *e)
{
	double *low = mem_alloc(2 * p->columns, sizeof(*low), e);
	struct svg_axis whole;

	if (!low)
		return -1;
	p->x = svg_axis_fit(0, p->end[p->columns - 1], LEFT, RIGHT, 8);
	p->x.last = p->end[p->columns - 1];
	commit_slots(p, low, low + p->columns);
	power(p, low, low + p->columns);
	structures(p);
	stages(p);
	stage_power(p);
	whole = svg_axis_fit(0, 1, p->y + 4, TOP, 1);
	svg_axis_draw_x(p->out, &p->x, &whole, "time", "cycles");
	free(low);
	return 0;
}

int stage_series_picture(const struct stage_series *s, const char *title, FILE *out, struct err *e)
{
	struct picture p = {
		.series = s,
		.cfg = stage_series_config(s),
		.energy = stage_series_energy(s),
		.out = out,
		.y = TOP,
	};
	char note[96];
	int ret = 0;

	if (stage_picture_fill(&p, e) < 0)
		return -1;
	svg_begin(out, WIDTH, height_of(&p), title,
		  "Commit slots and power over time; then a strip for each structure and pipeline stage.");
	svg_text(out, LEFT, 34, "title", "start", title);
	if (p.columns) {
		snprintf(note, sizeof(note), "%.0f cycles, %.0f a column", p.end[p.columns - 1], p.cycles[0]);
		svg_text(out, LEFT, 56, "note", "start", note);
		ret = stage_picture_draw(&p, e);
	} else {
		svg_text(out, LEFT, 56, "note", "start", "no cycle was simulated");
	}
	svg_end(out);
	free(p.value);
	return ret;
}
