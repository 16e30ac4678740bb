/*
 * Draws our figures and the papers' in one picture, as SVG on standard output, from lines on standard input: a word, a
 * blank, and cells with | between them.
 *
 *     title TEXT | doc TEXT
 *     axes X-NAME | Y-NAME | Y-UNIT   (-: none)
 *     curve NAME, dashed NAME, or points NAME     with a broken line, with markers alone; below it `at X | Y`
 *     bars NAME | NAME…              names of a group's bars; below it `group NAME | VALUE | VALUE…`
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

enum { CELLS = PLOT_BARS + 1, TEXT = 200, SERIES = 6, GROUPS = 16 };

struct picture {
	char text[CELLS + 2][TEXT]; /* title, doc, axes */
	char names[SERIES][TEXT];
	struct plot_series series[SERIES];
	unsigned count, groups;
	struct plot_bars bars;
	struct plot_group group[GROUPS];
};

/* Splits cells at |, without blanks at their ends; returns how many there are. */
static unsigned split(char *line, char cells[CELLS][TEXT])
{
	unsigned count = 0;
	char *save;

	for (char *cell = strtok_r(line, "|\n", &save); cell && count < CELLS; cell = strtok_r(NULL, "|\n", &save)) {
		size_t length;

		cell += strspn(cell, " ");
		length = strlen(cell);
		while (length && cell[length - 1] == ' ')
			length--;
		snprintf(cells[count++], TEXT, "%.*s", (int)length, cell);
	}
	return count;
}

static void add_group(struct picture *p, char cells[CELLS][TEXT], unsigned count)
{
	struct plot_group *g = &p->group[p->groups];

	if (p->groups == GROUPS)
		return;
	p->groups++;
	snprintf(g->name, sizeof(g->name), "%.23s", cells[0]);
	for (unsigned k = 1; k < count; k++)
		g->value[k - 1] = strtod(cells[k], NULL);
}

static void add_series(struct picture *p, const char *name, const char *kind)
{
	if (p->count == SERIES)
		return;
	snprintf(p->names[p->count], TEXT, "%.199s", name);
	p->series[p->count] = (struct plot_series){
		.name = p->names[p->count], .points = !strcmp(kind, "points"), .dashed = !strcmp(kind, "dashed")};
	p->count++;
}

static void add_bars(struct picture *p, char cells[CELLS][TEXT], unsigned count)
{
	p->bars.count = count > PLOT_BARS ? PLOT_BARS : count;
	for (unsigned k = 0; k < p->bars.count; k++) {
		snprintf(p->names[k], TEXT, "%.199s", cells[k]);
		p->bars.names[k] = p->names[k];
	}
}

/* Takes a line; false if its first word is none of ours. */
static bool take(struct picture *p, const char *word, char cells[CELLS][TEXT], unsigned count)
{
	if (!strcmp(word, "title") || !strcmp(word, "doc"))
		memcpy(p->text[*word == 'd'], cells[0], TEXT);
	else if (!strcmp(word, "axes") && count == 3)
		for (unsigned k = 0; k < count; k++)
			snprintf(p->text[2 + k], TEXT, "%.199s", strcmp(cells[k], "-") ? cells[k] : "");
	else if (!strcmp(word, "curve") || !strcmp(word, "dashed") || !strcmp(word, "points"))
		add_series(p, cells[0], word);
	else if (!strcmp(word, "at") && p->count && count == 2)
		plot_add(&p->series[p->count - 1], strtod(cells[0], NULL), strtod(cells[1], NULL));
	else if (!strcmp(word, "bars"))
		add_bars(p, cells, count);
	else if (!strcmp(word, "group"))
		add_group(p, cells, count);
	else
		return false;
	return true;
}

int main(void)
{
	static struct picture p;
	struct plot plot = {p.text[0], p.text[1], p.text[2], "", p.text[3], p.text[4], false};
	char line[1000], word[16], cells[CELLS][TEXT];
	int at;

	while (fgets(line, sizeof(line), stdin)) {
		memset(cells, 0, sizeof(cells));
		if (sscanf(line, "%15s %n", word, &at) != 1)
			continue;
		if (!take(&p, word, cells, split(line + at, cells))) {
			fprintf(stderr,
				"seeds-picture: %s: expected title, doc, axes, curve, dashed, points, at, bars "
				"or group\n",
				word);
			return 3;
		}
	}
	if (p.groups)
		plot_groups(stdout, &plot, &p.bars, p.group, p.groups);
	else
		plot_curves(stdout, &plot, p.series, p.count);
	return 0;
}
