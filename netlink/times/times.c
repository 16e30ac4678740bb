#include "times.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/config/value.h"
#include "../../psim/base/vec.h"
#include "../../psim/base/number.h"

enum { NAME_MAX_CHARS = 32, COLUMNS_MAX = 256, LINE_MAX_CHARS = 8192 };

struct times_table {
	char name[NAME_MAX_CHARS];
	struct vec_of(double) bytes; /* of the columns, rising */
	struct vec_of(double) row;   /* the number that each row is for, rising */
	struct vec_of(double) ps;    /* [row * columns + column] */
};

struct times {
	struct vec_of(struct times_table) tables;
	bool with_hosts;
};

/* A file on its way in. */
struct reading {
	struct lines lines;
	struct times *times;
};

static struct times_table *last_table(const struct reading *r)
{
	return r->times->tables.count ? &r->times->tables.at[r->times->tables.count - 1] : NULL;
}

/* A size or a time as in configuration files; `word` says what was expected. */
static int times_read_value(const struct reading *r, const char *text, enum param_type type, double *v)
{
	const struct param p = {.type = type, .min = 0, .max = type == PARAM_TIME ? 1e18 : 0x1p50, .unit = ""};
	struct err e;

	if (type == PARAM_TIME) {
		int64_t ps;

		if (value_read(&p, text, &ps, &e))
			return lines_wrong(&r->lines, "%s", e.text);
		*v = (double)ps;
	} else {
		uint64_t bytes;

		if (value_read(&p, text, &bytes, &e))
			return lines_wrong(&r->lines, "%s", e.text);
		*v = (double)bytes;
	}
	return 0;
}

/* Returns whether the table read last is complete. */
static int check_table(const struct reading *r)
{
	const struct times_table *t = last_table(r);

	if (!t)
		return 0;
	if (!t->bytes.count)
		return lines_wrong(&r->lines, "table %s has no line \"bytes\"", t->name);
	if (!t->row.count)
		return lines_wrong(&r->lines, "table %s has no rows", t->name);
	return 0;
}

static int begin_table(const struct reading *r, char *words)
{
	char *save, *name = strtok_r(words, " \t", &save);
	struct times_table *t;

	if (!name || strtok_r(NULL, " \t", &save) || strlen(name) >= NAME_MAX_CHARS)
		return lines_wrong(&r->lines, "expected \"table NAME\", a name of at most %d letters",
				   NAME_MAX_CHARS - 1);
	if (check_table(r))
		return -1;
	if (times_find(r->times, name))
		return lines_wrong(&r->lines, "a second table %s", name);
	t = vec_push(&r->times->tables, r->lines.err);
	if (!t)
		return -1;
	*t = (struct times_table){0};
	snprintf(t->name, sizeof(t->name), "%s", name);
	return 0;
}

static int read_columns(const struct reading *r, char *words)
{
	struct times_table *t = last_table(r);
	char *save;

	if (!t || t->bytes.count)
		return lines_wrong(&r->lines, "a line \"bytes\" %s", t ? "too many" : "before any \"table NAME\"");
	for (char *w = strtok_r(words, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
		double v = 0, *place;

		if (times_read_value(r, w, PARAM_SIZE, &v))
			return -1;
		if (t->bytes.count && v <= t->bytes.at[t->bytes.count - 1])
			return lines_wrong(&r->lines, "%s bytes after %.0f, expected ascending sizes", w,
					   t->bytes.at[t->bytes.count - 1]);
		if (t->bytes.count == COLUMNS_MAX)
			return lines_wrong(&r->lines, "more than %d columns", COLUMNS_MAX);
		place = vec_push(&t->bytes, r->lines.err);
		if (!place)
			return -1;
		*place = v;
	}
	return t->bytes.count ? 0 : lines_wrong(&r->lines, "no sizes, expected \"bytes SIZE…\"");
}

static int times_read_row(const struct reading *r, const char *first, char *words)
{
	struct times_table *t = last_table(r);
	double number = 0, *place;
	size_t count = 0;
	char *save;

	if (!t || !t->bytes.count)
		return lines_wrong(&r->lines, "\"%s\", expected %s", first, t ? "\"bytes SIZE…\"" : "\"table NAME\"");
	if (times_read_value(r, first, PARAM_SIZE, &number))
		return -1;
	if (t->row.count && number <= t->row.at[t->row.count - 1])
		return lines_wrong(&r->lines, "row %s after %.0f, expected ascending numbers", first,
				   t->row.at[t->row.count - 1]);
	for (char *w = strtok_r(words, " \t", &save); w; w = strtok_r(NULL, " \t", &save), count++) {
		double v = 0;

		if (times_read_value(r, w, PARAM_TIME, &v))
			return -1;
		place = vec_push(&t->ps, r->lines.err);
		if (!place)
			return -1;
		*place = v;
	}
	if (count != t->bytes.count)
		return lines_wrong(&r->lines, "%zu times, expected %zu: one for each size", count, t->bytes.count);
	place = vec_push(&t->row, r->lines.err);
	if (!place)
		return -1;
	*place = number;
	return 0;
}

/* "hosts included", once, before the first table. */
static int times_read_hosts(const struct reading *r, char *words)
{
	char *save;
	const char *word = strtok_r(words, " \t", &save);

	if (!word || strcmp(word, "included") != 0 || strtok_r(NULL, " \t", &save) || r->times->with_hosts ||
	    last_table(r))
		return lines_wrong(&r->lines, "expected one line \"hosts included\", before the first table");
	r->times->with_hosts = true;
	return 0;
}

static int times_read_line(const struct reading *r, char *line, bool *headed)
{
	char *word, *rest;

	line[strcspn(line, "#\r\n")] = '\0';
	word = strtok_r(line, " \t", &rest);
	if (!word)
		return 0;
	if (!*headed) {
		const char *version = strtok_r(NULL, " \t", &rest);

		*headed = true;
		if (strcmp(word, "message-times") != 0 || !version || strcmp(version, "1") != 0 ||
		    strtok_r(NULL, " \t", &rest))
			return lines_wrong(&r->lines,
					   "no table of times, expected \"message-times 1\" at its beginning");
		return 0;
	}
	if (!strcmp(word, "hosts"))
		return times_read_hosts(r, rest);
	if (!strcmp(word, "table"))
		return begin_table(r, rest);
	if (!strcmp(word, "bytes"))
		return read_columns(r, rest);
	return times_read_row(r, word, rest);
}

static int times_read_file(struct reading *r)
{
	char line[LINE_MAX_CHARS + 1];
	bool headed = false;
	int more;

	while ((more = lines_read(&r->lines, line, sizeof(line))) > 0) {
		size_t n = strlen(line);

		for (size_t i = 0; i < n; i++)
			if (iscntrl((unsigned char)line[i]) && !strchr("\t\r\n", line[i]))
				return lines_wrong(&r->lines, "control character 0x%02x",
						   (unsigned)(unsigned char)line[i]);
		if (times_read_line(r, line, &headed))
			return -1;
	}
	if (more < 0)
		return -1;
	if (!last_table(r))
		return lines_wrong(&r->lines, "no table in it, expected \"message-times 1\" and then \"table NAME\"");
	return check_table(r);
}

struct times *times_read(const char *path, struct err *e)
{
	FILE *f = input_open(path);
	struct times *t;

	if (!f) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	t = times_read_stream(f, path, e);
	fclose(f);
	return t;
}

struct times *times_read_stream(FILE *in, const char *name, struct err *e)
{
	struct reading r = {.lines = {.in = in, .name = name, .err = e}};

	r.times = mem_alloc(1, sizeof(*r.times), e);
	if (r.times && !times_read_file(&r))
		return r.times;
	times_destroy(r.times);
	return NULL;
}

void times_destroy(struct times *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->tables.count; i++) {
		vec_finish(&t->tables.at[i].bytes);
		vec_finish(&t->tables.at[i].row);
		vec_finish(&t->tables.at[i].ps);
	}
	vec_finish(&t->tables);
	free(t);
}

bool times_with_hosts(const struct times *t)
{
	return t->with_hosts;
}

const struct times_table *times_find(const struct times *t, const char *name)
{
	for (size_t i = 0; i < t->tables.count; i++)
		if (!strcmp(t->tables.at[i].name, name))
			return &t->tables.at[i];
	return NULL;
}

unsigned times_count(const struct times *t)
{
	return (unsigned)t->tables.count;
}

const struct times_table *times_at_index(const struct times *t, unsigned i)
{
	return &t->tables.at[i];
}

const char *times_name(const struct times_table *t)
{
	return t->name;
}

double times_rows(const struct times_table *t, double *from)
{
	*from = t->row.at[0];
	return t->row.at[t->row.count - 1];
}

void times_shape(const struct times_table *t, unsigned *rows, unsigned *columns)
{
	*rows = (unsigned)t->row.count;
	*columns = (unsigned)t->bytes.count;
}

double times_row(const struct times_table *t, unsigned row)
{
	return t->row.at[row];
}

double times_bytes(const struct times_table *t, unsigned column)
{
	return t->bytes.at[column];
}

/* The last of `count` rising values that is not above v; the last but one, or 0, at the most. */
static size_t segment(const double *values, size_t count, double v)
{
	size_t low = 0, high = count > 1 ? count - 1 : 1;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (values[middle] <= v)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double in_row(const struct times_table *t, size_t row, double bytes)
{
	size_t columns = t->bytes.count, c = segment(t->bytes.at, columns, bytes);
	const double *ps = &t->ps.at[row * columns], *x = t->bytes.at;
	double slope;

	if (columns == 1 || bytes <= x[0])
		return ps[0];
	slope = (ps[c + 1] - ps[c]) / (x[c + 1] - x[c]);
	if (bytes > x[columns - 1] && slope < 0)
		return ps[columns - 1];
	return ps[c] + slope * (bytes - x[c]);
}

static int64_t times_rounded(double ps)
{
	return ps < 0x1p62 ? llrint(ps) : INT64_C(1) << 62;
}

int64_t times_at(const struct times_table *t, double row, double bytes)
{
	size_t rows = t->row.count, i = segment(t->row.at, rows, row);
	double low = in_row(t, i, bytes), share, ps;

	if (rows == 1 || row <= t->row.at[0]) {
		ps = low;
	} else {
		share = (row - t->row.at[i]) / (t->row.at[i + 1] - t->row.at[i]);
		ps = low + (share < 1 ? share : 1) * (in_row(t, i + 1, bytes) - low);
	}
	return times_rounded(ps);
}

int64_t times_at_ranks(const struct times_table *t, unsigned ranks, double bytes, enum times_rows_taken *taken)
{
	bool power = is_power_of_two((uint64_t)ranks);
	size_t below = SIZE_MAX, above = SIZE_MAX;
	double low, share;

	for (size_t i = 0; i < t->row.count; i++) {
		if (is_power_of_two((uint64_t)t->row.at[i]) != power)
			continue;
		if (t->row.at[i] <= ranks)
			below = i;
		else if (above == SIZE_MAX)
			above = i;
	}
	if (below == SIZE_MAX && above == SIZE_MAX) {
		*taken = TIMES_OTHERS;
		return times_at(t, ranks, bytes);
	}
	if (below == SIZE_MAX || above == SIZE_MAX) {
		size_t only = below == SIZE_MAX ? above : below;

		*taken = t->row.at[only] < ranks || t->row.at[only] > ranks ? TIMES_NEAREST : TIMES_BETWEEN;
		return times_rounded(in_row(t, only, bytes));
	}
	*taken = TIMES_BETWEEN;
	low = in_row(t, below, bytes);
	share = (ranks - t->row.at[below]) / (t->row.at[above] - t->row.at[below]);
	return times_rounded(low + share * (in_row(t, above, bytes) - low));
}
