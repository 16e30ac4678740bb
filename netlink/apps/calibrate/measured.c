#include "measured.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/lines.h"

enum { OSU_WINDOW = 64 }; /* of osu_bw and osu_mbw_mr, by default */
enum { MEASURED_LINE_CHARS = 4096, SAMPLES_LEAST = 3, CSV_COLUMNS_MOST = 64, NUMBERS_MOST = 5 };

/* A row of numbers: its columns, and how a time follows from them. */
struct row_kind {
	const char *begins;    /* a line of the file that begins so, or has it behind "# " */
	const char *benchmark; /* NULL: no time of messages follows from it */
	enum measured_kind kind;
	unsigned column;  /* of the value; sizes are in the first one */
	double ps;        /* a value's ps; negative: value is a rate, of -ps per second */
	bool per_message; /* the rate is in messages, not in bytes */
};

/* In this order: a line begins with one of them. MB/s of both benchmarks are 10^6 bytes a second. */
static const struct row_kind row_kinds[] = {
	{"OSU MPI Latency Test", "osu_latency", MEASURED_LATENCY, 1, 1e6, false},
	{"OSU MPI Bandwidth Test", "osu_bw", MEASURED_INTERVAL, 1, -1e6, false},
	/* both directions together */
	{"OSU MPI Bi-Directional Bandwidth Test", "osu_bibw", MEASURED_INTERVAL, 1, -0.5e6, false},
	{"OSU MPI Multiple Bandwidth / Message Rate Test", "osu_mbw_mr", MEASURED_INTERVAL, 2, -1, true},
	{"Benchmarking PingPong", "PingPong", MEASURED_LATENCY, 2, 1e6, false},
	{"Benchmarking Sendrecv", "Sendrecv", MEASURED_EXCHANGE, 4, 1e6, false}, /* t_avg */
	{"OSU MPI", NULL, MEASURED_LATENCY, 0, 0, false},
	{"Benchmarking ", NULL, MEASURED_LATENCY, 0, 0, false},
};
/* Columns of a CSV file: the end of their names; the first row that fits counts. Binary units are IEC 80000-13's. */
static const struct row_kind csv_kinds[] = {
	{"messages_per_s", "CSV", MEASURED_INTERVAL, 0, -1, true},
	{"GiB_per_s", "CSV", MEASURED_INTERVAL, 0, -0x1p30, false},
	{"MiB_per_s", "CSV", MEASURED_INTERVAL, 0, -0x1p20, false},
	{"GB_per_s", "CSV", MEASURED_INTERVAL, 0, -1e9, false},
	{"MB_per_s", "CSV", MEASURED_INTERVAL, 0, -1e6, false},
	{"_per_s", NULL, MEASURED_INTERVAL, 0, 0, false},
	{"_ns", "CSV", MEASURED_LATENCY, 0, 1e3, false},
	{"_us", "CSV", MEASURED_LATENCY, 0, 1e6, false},
	{"_ms", "CSV", MEASURED_LATENCY, 0, 1e9, false},
	{"_s", "CSV", MEASURED_LATENCY, 0, 1e12, false},
};
#define EXPECTED_COLUMNS "the columns bytes and NAME_us (ns, ms, s) or MB_per_s (MiB, GB, GiB, messages)"
#define EXPECTED \
	"expected the output of osu_latency, osu_bw, osu_bibw, osu_mbw_mr, IMB PingPong or Sendrecv, or a CSV file " \
	"with " EXPECTED_COLUMNS

#define EXPECTED_OVERHEADS "expected the output of overheads (columns bytes, send_us and receive_us; ns, ms, s)"

/* A file on its way in. */
struct measured_reading {
	struct lines lines;
	struct measured *measured;
	struct row_kind kind;
	bool known, csv, ended;
	const char
		*column; /* the name, without its unit, of the one that counts; NULL: the first with a time or rate */
	unsigned bytes_column;
	char separator; /* of a CSV file's cells */
};

static int add_sample(const struct measured_reading *r, double bytes, double value)
{
	struct measured *m = r->measured;
	const struct row_kind *k = &r->kind;
	struct measured_sample *s, *last = m->samples.count ? &m->samples.at[m->samples.count - 1] : NULL;

	if (!(bytes >= 0 && bytes < 0x1p50) || bytes != floor(bytes))
		return lines_wrong(&r->lines, "%g bytes: expected a whole number", bytes);
	if (k->ps < 0 && !k->per_message && bytes == 0) /* bytes a second of empty messages say nothing of their time */
		return 0;
	if (k->kind == MEASURED_PROCESSOR && !isfinite(value))
		return lines_wrong(&r->lines, "a value of %g for %.0f bytes: expected a time", value, bytes);
	if (k->kind != MEASURED_PROCESSOR && (!(value > 0) || !isfinite(value))) {
		if (k->ps < 0 && bytes == 0) /* messages a second that were not measured */
			return 0;
		return lines_wrong(&r->lines, "a value of %g for %.0f bytes: expected more than 0", value, bytes);
	}
	if (last && bytes <= (double)last->bytes)
		return lines_wrong(&r->lines, "%.0f bytes after %llu: expected ascending sizes, each once", bytes,
				   (unsigned long long)last->bytes);
	s = vec_push(&m->samples, r->lines.err);
	if (!s)
		return -1;
	s->bytes = (uint64_t)bytes;
	s->ps = k->ps > 0 ? value * k->ps : 1e12 * (k->per_message ? 1 : bytes) / (-k->ps * value);
	if (k->kind == MEASURED_PROCESSOR)
		s->ps = fmax(0, s->ps);
	if (!((s->ps >= 1e-3 || k->kind == MEASURED_PROCESSOR) && s->ps <= 1e18))
		return lines_wrong(&r->lines, "%g s for %.0f bytes: expected 10^-15 to 10^6 s", s->ps / 1e12, bytes);
	return 0;
}

/* ---- CSV ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* The next cell, without blanks and quotes around it; NULL: there is none. */
static char *csv_cell(char **rest, char separator)
{
	char *cell = *rest, *end;

	if (!cell)
		return NULL;
	end = strchr(cell, separator);
	*rest = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	cell += strspn(cell, " \t\"");
	cell[strcspn(cell, "\"\r\n")] = '\0';
	for (size_t n = strlen(cell); n && strchr(" \t", cell[n - 1]); n--)
		cell[n - 1] = '\0';
	return cell;
}

/* Looks whether a column has a time or a rate that messages' times follow from. */
static bool csv_value(struct measured_reading *r, const char *cell, unsigned column)
{
	if (r->column && strncmp(cell, r->column, strlen(r->column)) != 0)
		return false;
	for (unsigned k = 0; k < sizeof(csv_kinds) / sizeof(csv_kinds[0]); k++) {
		if (!ends_with(cell, csv_kinds[k].begins))
			continue;
		if (r->column && strcmp(cell + strlen(r->column), csv_kinds[k].begins) != 0)
			return false;
		r->kind = csv_kinds[k];
		r->kind.column = column;
		if (r->column)
			r->kind.kind = MEASURED_PROCESSOR;
		return r->kind.benchmark != NULL && (!r->column || r->kind.ps > 0);
	}
	return false;
}

/*
 * The header: the first column with a time, or a rate, counts. Spreadsheets separate cells by semicolons where a comma
 * is the decimal sign, or by tabs. A line with one of both columns is a header; with none, it is text of a log.
 */
static int csv_header(struct measured_reading *r, char *line)
{
	bool bytes = false, value = false;
	char *rest = line, *cell;

	r->separator = strchr(line, ';') ? ';' : (char)(strchr(line, ',') ? ',' : '\t');
	for (unsigned column = 0; (cell = csv_cell(&rest, r->separator)) && column < CSV_COLUMNS_MOST; column++) {
		if (!strcmp(cell, "bytes") && !bytes) {
			r->bytes_column = column;
			bytes = true;
		}
		value = value || csv_value(r, cell, column);
	}
	if (r->column && bytes != value)
		return lines_wrong(&r->lines, "a header without %s%s: " EXPECTED_OVERHEADS, bytes ? r->column : "bytes",
				   bytes ? "_us" : "");
	if (bytes != value)
		return lines_wrong(&r->lines, "a header without %s: expected " EXPECTED_COLUMNS,
				   bytes ? "a time or a rate" : "bytes");
	r->csv = r->known = bytes;
	return 0;
}

static int csv_row(const struct measured_reading *r, char *line)
{
	double values[CSV_COLUMNS_MOST] = {0};
	char *rest = line, *cell, *end;
	unsigned column = 0;

	for (; (cell = csv_cell(&rest, r->separator)) && column < CSV_COLUMNS_MOST; column++) {
		bool counts = column == r->bytes_column || column == r->kind.column;

		values[column] = strtod(cell, &end);
		if (counts && (end == cell || *end))
			return lines_wrong(&r->lines, "\"%.40s\" in column %u: expected a number%s", cell, column + 1,
					   *end == ',' ? " with a decimal point" : "");
	}
	if (column <= r->bytes_column || column <= r->kind.column)
		return lines_wrong(&r->lines, "%u columns: expected those of the first line", column);
	return add_sample(r, values[r->bytes_column], values[r->kind.column]);
}

/* ---- outputs of benchmarks ---- */

/* Recognizes the benchmark in a comment. */
static int heading(struct measured_reading *r, const char *line)
{
	line += strspn(line, "# \t");
	for (unsigned i = 0; i < sizeof(row_kinds) / sizeof(row_kinds[0]); i++) {
		if (strncmp(line, row_kinds[i].begins, strlen(row_kinds[i].begins)) != 0)
			continue;
		if (r->known) {
			r->ended = true; /* several benchmarks in a file: the first one counts */
			return 0;
		}
		if (!row_kinds[i].benchmark)
			return lines_wrong(&r->lines, "%.*s: " EXPECTED, (int)strcspn(line, "\r\n"), line);
		r->kind = row_kinds[i];
		r->known = true;
		return 0;
	}
	return 0;
}

/* A line that begins with a number has the size, then the values. */
static int number_row(const struct measured_reading *r, char *line)
{
	double values[NUMBERS_MOST] = {0};
	unsigned count = 0;
	char *end = line;
	const char *start = line;

	for (; count < NUMBERS_MOST; count++, line = end) {
		values[count] = strtod(line, &end);
		if (end == line)
			break;
	}
	if (count <= r->kind.column)
		return lines_wrong(&r->lines, "\"%.*s\": expected %u numbers: the size and what %s measured",
				   (int)strcspn(start, "\r\n"), start, r->kind.column + 1, r->kind.benchmark);
	return add_sample(r, values[0], values[r->kind.column]);
}

static int measured_line(struct measured_reading *r, char *line)
{
	const char *start;

	if (r->lines.number == 1 && !strncmp(line, "\xef\xbb\xbf", 3)) /* a spreadsheet's byte order mark */
		line += 3;
	start = line + strspn(line, " \t\r\n");

	if (!*start || r->ended)
		return 0;
	if (r->csv)
		return csv_row(r, line);
	if (*start == '#')
		return r->column ? 0 : heading(r, start);
	if (r->known)
		return strchr("0123456789", *start) ? number_row(r, line) : 0;
	if (isdigit((unsigned char)*start))
		return lines_wrong(&r->lines, "numbers without a heading: %s",
				   r->column ? EXPECTED_OVERHEADS : EXPECTED);
	return strpbrk(line, ",;\t") ? csv_header(r, line) : 0;
}

static int measured_read_lines(struct measured_reading *r)
{
	struct measured *m = r->measured;
	char line[MEASURED_LINE_CHARS + 2];
	int more;

	while ((more = lines_read(&r->lines, line, sizeof(line))) > 0)
		if (measured_line(r, line) < 0)
			return -1;
	if (more < 0)
		return -1;
	if (!r->known)
		return lines_wrong(&r->lines, "no heading of a benchmark: %s",
				   r->column ? EXPECTED_OVERHEADS : EXPECTED);
	if (m->samples.count < SAMPLES_LEAST)
		return lines_wrong(&r->lines, "%zu sizes: expected at least %d", m->samples.count, SAMPLES_LEAST);
	m->kind = r->kind.kind;
	m->window = m->kind == MEASURED_INTERVAL ? OSU_WINDOW : 0;
	m->benchmark = r->kind.benchmark;
	return 0;
}

int measured_read_processor(struct measured *m, const char *path, const char *name, struct err *e)
{
	FILE *f = input_plain(path);
	struct measured_reading r = {.lines = {.in = f, .name = path, .err = e}, .measured = m, .column = name};
	int ret;

	*m = (struct measured){.path = path};
	if (!f)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	ret = measured_read_lines(&r);
	fclose(f);
	return ret;
}

int measured_read(struct measured *m, const char *path, struct err *e)
{
	return measured_read_processor(m, path, NULL, e);
}

void measured_finish(struct measured *m)
{
	vec_finish(&m->samples);
}
