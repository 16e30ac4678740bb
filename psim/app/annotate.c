#include "annotate.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/input.h"
#include "../base/lines.h"

enum {
	LINE_TEXT = 1024,
	SPAN_MAX = 1000
}; /* bytes of a line; lines of a place that are shown with those between them */

static const char *const cause_names[STALL_COUNT] = {
#define T(part, top_down, name, doc) [STALL_##name] = #name,
#include "../core/stall.def"
#undef T
};

/* The cause of most of these lost slots; STALL_COUNT: none. */
static unsigned main_cause(const uint64_t lost[STALL_COUNT])
{
	unsigned most = STALL_COUNT;

	for (unsigned n = 0; n < STALL_COUNT; n++)
		if (lost[n] && (most == STALL_COUNT || lost[n] > lost[most]))
			most = n;
	return most;
}

/* Two cells: the cause of most lost slots, and its share of all lost ones. */
static void cause_cells(const uint64_t lost[STALL_COUNT], struct report *r)
{
	unsigned cause = main_cause(lost);
	uint64_t sum = 0;

	for (unsigned n = 0; n < STALL_COUNT; n++)
		sum += lost[n];
	report_cell_text(r, cause < STALL_COUNT ? cause_names[cause] : "");
	report_cell_f64(r, cause < STALL_COUNT ? 100 * (double)lost[cause] / (double)sum : (double)NAN);
}

static void cycle_cells(const struct profile *p, uint64_t slots, struct report *r)
{
	double cycles = (double)slots / p->width;

	report_cell_f64(r, cycles);
	report_cell_f64(r, p->cycles ? 100 * cycles / (double)p->cycles : 0);
}

/* Returns whether L3 has served a load. */
static bool any_from_l3(const struct profile *p)
{
	for (size_t n = 0; n < p->count; n++)
		if (p->insns[n].detail && p->insns[n].detail->level[3])
			return true;
	return false;
}

/* The mean latency, the cause, and the shares of the levels. */
static void detail_cells(const struct core_detail *d, bool with_l3, struct report *r)
{
	uint64_t accesses = 0;

	report_cell_f64(r, d->timed ? (double)d->latency / (double)d->timed : (double)NAN);
	cause_cells(d->lost, r);
	for (unsigned n = 0; n < CORE_DETAIL_LEVELS; n++)
		accesses += d->level[n];
	for (unsigned n = 0; n < CORE_DETAIL_LEVELS - (with_l3 ? 0u : 1u); n++)
		report_cell_f64(r, accesses ? 100 * (double)d->level[n] / (double)accesses : (double)NAN);
}

static void annotate_row(const struct profile *p, const struct profile_insn *i, const char *place, bool with_l3,
			 struct report *r)
{
	const struct trace_line *line = trace_line_at(p->info, i->pc);
	char address[20], text[160], source[PLACE_SOURCE] = "";

	snprintf(address, sizeof(address), "0x%" PRIx64, i->pc);
	insn_print(i->insn, i->pc, text, sizeof(text));
	for (char *c = text; *c; c++)
		if (*c == '\t')
			*c = ' ';
	if (line)
		snprintf(source, sizeof(source), "%s:%" PRIu32, trace_line_file(p->info, line), line->line);
	report_cell_text(r, address);
	report_cell_text(r, place);
	if (p->info->line_count)
		report_cell_text(r, source);
	report_cell_text(r, text);
	report_cell_u64(r, i->committed);
	cycle_cells(p, profile_slots(i), r);
	if (i->detail)
		detail_cells(i->detail, with_l3, r);
}

void annotate_insns(const struct profile *p, const struct place *const *places, unsigned count, const char *name,
		    const char *doc, struct report *r)
{
	static const struct report_column all[] = {
		{"address", ""},      {"place", ""},  {"source", ""},        {"instruction", ""}, {"times", "times"},
		{"cycles", "cycles"}, {"share", "%"}, {"latency", "cycles"}, {"cause", ""},       {"cause_share", "%"},
		{"l1", "%"},          {"l2", "%"},    {"memory", "%"},       {"l3", "%"},
	};
	const bool with_l3 = any_from_l3(p);
	const bool lines = p->info->line_count, details = p->count && p->insns[0].detail;
	struct report_column columns[sizeof(all) / sizeof(all[0])];
	unsigned used = 0;

	for (unsigned n = 0; n < (details ? sizeof(all) / sizeof(all[0]) - !with_l3 : 7); n++)
		if (lines || strcmp(all[n].name, "source") != 0)
			columns[used++] = all[n];
	report_table(r, name, doc, columns, used);
	for (unsigned k = 0; k < count; k++) {
		char text[PLACE_NAME];

		place_name(places[k], text);
		for (size_t n = profile_first(p, places[k]->from); n < p->count && p->insns[n].pc < places[k]->to; n++)
			annotate_row(p, &p->insns[n], text, with_l3, r);
	}
	report_table_end(r);
}

/* ---- source lines ---- */
struct line_sum {
	uint64_t times, slots, lost[STALL_COUNT]; /* times: of its instruction that is executed most often */
	bool executed;
	char *text;
};

struct line_span { /* lines of one file in one place */
	uint32_t file, low, high;
	struct line_sum *sum; /* [low, high] */
};

static const struct trace_line *annotated_line(const struct profile *p, size_t n, uint32_t file)
{
	const struct trace_line *line = trace_line_at(p->info, p->insns[n].pc);

	return line && line->file == file ? line : NULL;
}

/* Replaces what a terminal or a table cannot take, and the newline. */
static void clean_text(char *text)
{
	text[strcspn(text, "\r\n")] = '\0';
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = *c == '\t' ? ' ' : '?';
}

/* Opens a regular file; NULL if there is none of that name. */
static FILE *open_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? input_plain(path) : NULL;
}

/*
 * Opens a source file: `path` itself, or, with a folder, the longest end of `path` that is a file below it.
 * So a tree that was moved is found whatever its upper folders were.
 */
static FILE *open_source(const char *path, const char *folder)
{
	char name[PATH_MAX];

	if (!folder)
		return open_regular(path);
	while (path) {
		FILE *in;

		path += strspn(path, "/");
		if (snprintf(name, sizeof(name), "%s/%s", folder, path) < (int)sizeof(name) &&
		    (in = open_regular(name)))
			return in;
		path = strchr(path, '/');
	}
	return NULL;
}

/* Reads the text of the lines of a file; they have none if it is not there or no text. 0, or -1 with `e`. */
static int read_source(const char *path, const char *folder, struct line_span *s, struct err *e)
{
	struct err ignored;
	struct lines in = {.name = path, .err = &ignored};
	char text[LINE_TEXT];
	int ret = 0;

	in.in = open_source(path, folder);
	if (!in.in)
		return 0;
	while (in.number < s->high && lines_read(&in, text, sizeof(text)) > 0) {
		if (in.number < s->low)
			continue;
		clean_text(text);
		s->sum[in.number - s->low].text = strdup(text);
		if (!s->sum[in.number - s->low].text)
			ret = err_set(e, STATUS_FAILED, "profile: out of memory for source lines");
	}
	fclose(in.in);
	return ret;
}

/* Sums the instructions [from, to) that are of the span's file by line. */
static void sum_lines(const struct profile *p, size_t from, size_t to, struct line_span *s)
{
	for (size_t n = from; n < to; n++) {
		const struct profile_insn *i = &p->insns[n];
		const struct trace_line *line = annotated_line(p, n, s->file);
		struct line_sum *sum;

		if (!line)
			continue;
		sum = &s->sum[line->line - s->low];
		sum->executed = true;
		sum->times = i->committed > sum->times ? i->committed : sum->times;
		sum->slots += profile_slots(i);
		for (unsigned k = 0; k < STALL_COUNT && i->detail; k++)
			sum->lost[k] += i->detail->lost[k];
	}
}

static void print_lines(const struct profile *p, const struct line_span *s, const char *place, bool details,
			struct report *r)
{
	const bool between = s->high - s->low < SPAN_MAX;
	const struct trace_line at = {.file = s->file};

	for (uint32_t n = s->low; n <= s->high; n++) {
		const struct line_sum *sum = &s->sum[n - s->low];
		char name[PLACE_SOURCE];

		if (!sum->executed && !between)
			continue;
		snprintf(name, sizeof(name), "%s:%" PRIu32, trace_line_file(p->info, &at), n);
		report_cell_text(r, name);
		report_cell_text(r, place);
		if (sum->executed) {
			report_cell_u64(r, sum->times);
			cycle_cells(p, sum->slots, r);
		} else {
			for (unsigned k = 0; k < 3; k++)
				report_cell_f64(r, (double)NAN);
		}
		if (details)
			cause_cells(sum->lost, r);
		report_cell_text(r, sum->text ? sum->text : "");
	}
}

/* Adds the rows of one file's lines in the instructions [from, to). 0, or -1 with `e`. */
static int print_span(const struct profile *p, size_t from, size_t to, uint32_t file, const char *place,
		      const char *sources, struct report *r, struct err *e)
{
	struct line_span s = {.file = file, .low = UINT32_MAX};
	int ret;

	for (size_t n = from; n < to; n++) {
		const struct trace_line *line = annotated_line(p, n, file);

		if (line && line->line < s.low)
			s.low = line->line;
		if (line && line->line > s.high)
			s.high = line->line;
	}
	s.sum = calloc((size_t)s.high - s.low + 1, sizeof(*s.sum));
	if (!s.sum)
		return err_set(e, STATUS_FAILED, "profile: out of memory for %" PRIu32 " source lines",
			       s.high - s.low + 1);
	sum_lines(p, from, to, &s);
	ret = read_source(p->info->files[file - 1], sources, &s, e);
	if (ret == 0)
		print_lines(p, &s, place, p->insns[from].detail, r);
	for (size_t n = 0; n <= s.high - s.low; n++)
		free(s.sum[n].text);
	free(s.sum);
	return ret;
}

/* Adds the rows of a place, file by file in the order in which its code has them. 0, or -1 with `e`. */
static int print_source(const struct profile *p, const struct place *l, const char *sources, struct report *r,
			struct err *e)
{
	size_t from = profile_first(p, l->from), to = profile_first(p, l->to);
	char name[PLACE_NAME];

	place_name(l, name);
	for (size_t n = from; n < to; n++) {
		const struct trace_line *line = trace_line_at(p->info, p->insns[n].pc);
		bool seen = !line;

		for (size_t k = from; k < n && !seen; k++)
			seen = annotated_line(p, k, line->file);
		if (!seen && print_span(p, from, to, line->file, name, sources, r, e) < 0)
			return -1;
	}
	return 0;
}

int annotate_source(const struct profile *p, const struct place *const *places, unsigned count, const char *sources,
		    struct report *r, struct err *e)
{
	static const struct report_column all[] = {
		{"line", ""},   {"place", ""}, {"times", "times"},   {"cycles", "cycles"},
		{"share", "%"}, {"cause", ""}, {"cause_share", "%"}, {"text", ""},
	};
	const bool details = p->count && p->insns[0].detail;
	struct report_column columns[sizeof(all) / sizeof(all[0])];
	unsigned used = 0;

	if (!p->info->line_count)
		return 0;
	for (unsigned n = 0; n < sizeof(all) / sizeof(all[0]); n++)
		if (details || strncmp(all[n].name, "cause", 5) != 0)
			columns[used++] = all[n];
	report_table(r, "annotate_source", "cycles by source line of these functions and loops", columns, used);
	for (unsigned n = 0; n < count; n++)
		if (print_source(p, places[n], sources, r, e) < 0)
			return -1;
	report_table_end(r);
	return 0;
}
