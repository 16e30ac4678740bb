/* Reads points from tables. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/lines.h"
#include "../../../psim/base/mem.h"
#include "points.h"

enum { COLUMNS_MAX = MODEL_VARIABLES_MAX + 2 + MODEL_QUANTITIES, LINE_SIZE = 1024 };

/* A line split into cells, without the blanks around them. */
struct cells {
	unsigned count;
	char *at[COLUMNS_MAX + 1]; /* into the line */
};

struct table {
	const char *path;
	unsigned line, columns;
	int role[COLUMNS_MAX]; /* position of the variable, or VALUE, NAMES_FILE, DATA or OTHER */
	unsigned data;         /* number of columns that are DATA */
	unsigned others;       /* and OTHER */
	struct err *e;
};
enum { VALUE = -1, NAMES_FILE = -2, DATA = -3, OTHER = -4 };
#define DATA_COLUMN "data_kib"

static int points_table_wrong(const struct table *t, const char *text)
{
	return err_set(t->e, STATUS_BAD_INPUT, "%s:%u: %s", t->path, t->line, text);
}

static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

/* Reads the next line that is not a comment into `line` and splits it; 1, 0 at the end, or -1. */
static int next_line(struct table *t, struct lines *lines, char line[LINE_SIZE], struct cells *cells)
{
	char *text;

	do {
		bool more = lines_next(lines, line, LINE_SIZE) != NULL;

		t->line++;
		if (!more && *lines->why)
			return points_table_wrong(t, lines->why);
		if (!more)
			return ferror(lines->in) ? points_table_wrong(t, strerror(errno)) : 0;
		text = trimmed(line);
	} while (!*text || *text == '#');
	cells->count = 0;
	for (char *at = text, *next; at; at = next) {
		next = strchr(at, ',');
		if (next)
			*next++ = '\0';
		if (cells->count > COLUMNS_MAX)
			return points_table_wrong(t, "more than 8 columns");
		cells->at[cells->count++] = trimmed(at);
	}
	return 1;
}

/* Returns whether a column has another value than that of the fit. */
static bool is_other(const struct points_choice *choice, const char *name)
{
	if (!strcmp(choice->value ? choice->value : "seconds", name))
		return false;
	for (unsigned i = 0; i <= MODEL_QUANTITIES; i++)
		if (choice->others[i] && !strcmp(choice->others[i], name))
			return true;
	return false;
}

/* The value of a table that names none: the last column that is no other value, nor, if there are more, the data's. */
static int last_value(const struct points_choice *choice, const struct cells *head)
{
	int last = (int)head->count - 1;

	while (last > 0 && is_other(choice, head->at[last]))
		last--;
	return last > 1 && !strcmp(head->at[last], DATA_COLUMN) ? last - 1 : last;
}

/* Assigns roles to the columns; defines the variables if this is the first table, else compares them. */
static int points_table_read_head(struct table *t, struct points *p, const struct points_choice *choice,
				  const struct cells *head)
{
	int special = -1;
	bool first = !p->variables.count, data = false;

	t->columns = head->count;
	for (unsigned c = 0; c < head->count; c++)
		data |= !strcmp(head->at[c], DATA_COLUMN);
	for (unsigned c = 0; c < head->count; c++)
		t->others += is_other(choice, head->at[c]);
	if (head->count < 2 || head->count - data - t->others > MODEL_VARIABLES_MAX + 1)
		return points_table_wrong(t, "expected names of 2 to 5 columns, the last or 'file' for the value, "
					     "and perhaps data_kib");
	for (unsigned c = 0; c < head->count; c++)
		if (!strcmp(head->at[c], "file"))
			special = (int)c;
	for (unsigned c = 0; c < head->count && special < 0 && choice->value; c++)
		if (!strcmp(head->at[c], choice->value))
			special = (int)c;
	if (special < 0 && choice->value)
		return err_set(t->e, STATUS_BAD_INPUT, "%s:%u: no column '%s' in the header, expected it", t->path,
			       t->line, choice->value);
	if (special < 0)
		special = last_value(choice, head);
	for (unsigned c = 0; c < head->count; c++) {
		const char *name = head->at[c];

		t->role[c] = !strcmp(name, "file") ? NAMES_FILE : VALUE;
		if ((int)c == special)
			continue;
		if (is_other(choice, name)) {
			t->role[c] = OTHER;
			continue;
		}
		if (!strcmp(name, DATA_COLUMN) && !t->data) {
			t->role[c] = DATA;
			t->data++;
			continue;
		}
		if (first && variables_add(&p->variables, name, strlen(name), t->e) < 0) {
			if (t->e)
				t->e->status = STATUS_BAD_INPUT;
			return err_prefix(t->e, "%s:%u", t->path, t->line);
		}
		t->role[c] = variables_find(&p->variables, name, strlen(name));
		if (t->role[c] < 0)
			return points_table_wrong(t, "other variables than those of the first points");
	}
	if (head->count - 1 - t->data - t->others != p->variables.count || !p->variables.count)
		return points_table_wrong(t, "other variables than those of the first points");
	if (t->role[special] == VALUE) {
		snprintf(p->value_name, sizeof(p->value_name), "%.*s", MODEL_TEXT_MAX - 1, head->at[special]);
		snprintf(p->unit, sizeof(p->unit), "%s", strcmp(p->value_name, "seconds") ? "" : "s");
	}
	return 0;
}

static int points_table_add_value(struct table *t, struct points *p, const double *values, double result)
{
	struct point *point = vec_push(&p->list, t->e);
	char place[MODEL_TEXT_MAX];

	if (!point)
		return -1;
	*point = (struct point){.result = result};
	memcpy(point->values, values, sizeof(point->values));
	snprintf(place, sizeof(place), "%.100s:%u", t->path, t->line);
	point->file = mem_copy_text(place, t->e);
	point->checksum = mem_copy_text("", t->e);
	point->program = mem_copy_text("", t->e);
	return point->file && point->checksum && point->program ? 0 : -1;
}

/* Adds a report named in the table, relative to the table's folder. */
static int add_named(const struct table *t, struct points *p, const struct points_choice *choice, const double *values,
		     const char *name)
{
	const char *slash = strrchr(t->path, '/');
	size_t folder = slash && *name != '/' ? (size_t)(slash - t->path) + 1 : 0;
	char file[4096];

	if (folder + strlen(name) >= sizeof(file))
		return points_table_wrong(t, "a file's name of more than 4095 letters");
	snprintf(file, sizeof(file), "%.*s%s", (int)folder, t->path, name);
	if (points_add(p, choice, values, file, t->e) < 0)
		return err_prefix(t->e, "%s:%u", t->path, t->line);
	return 0;
}

static int points_table_read_row(struct table *t, struct points *p, const struct points_choice *choice,
				 const struct cells *row)
{
	double values[MODEL_VARIABLES_MAX] = {0}, result = 0, data = 0;
	const char *file = NULL;
	int ret;

	if (row->count != t->columns)
		return err_set(t->e, STATUS_BAD_INPUT, "%s:%u: %u cells, expected %u", t->path, t->line, row->count,
			       t->columns);
	for (unsigned c = 0; c < t->columns; c++) {
		if (t->role[c] == NAMES_FILE)
			file = row->at[c];
		else if (t->role[c] != OTHER && points_number(row->at[c], strlen(row->at[c]),
							      t->role[c] == VALUE  ? &result
							      : t->role[c] == DATA ? &data
										   : &values[t->role[c]],
							      t->e) < 0)
			return err_prefix(t->e, "%s:%u", t->path, t->line);
	}
	ret = file ? add_named(t, p, choice, values, file) : points_table_add_value(t, p, values, result);
	if (ret == 0)
		p->list.at[p->list.count - 1].data_kib = data;
	return ret;
}

int points_add_table(struct points *p, const struct points_choice *choice, const char *path, struct err *e)
{
	struct table t = {.path = path, .e = e};
	char line[LINE_SIZE];
	struct lines lines = {0};
	struct cells cells;
	FILE *f = input_open(path);
	int ret;

	if (!f)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	lines.in = f;
	ret = next_line(&t, &lines, line, &cells);
	if (ret == 0)
		ret = err_set(e, STATUS_BAD_INPUT, "%s: empty, expected a line with the columns' names", path);
	if (ret > 0)
		ret = points_table_read_head(&t, p, choice, &cells) < 0 ? -1 : 1;
	while (ret > 0) {
		ret = next_line(&t, &lines, line, &cells);
		if (ret > 0 && points_table_read_row(&t, p, choice, &cells) < 0)
			ret = -1;
	}
	fclose(f);
	return ret;
}
