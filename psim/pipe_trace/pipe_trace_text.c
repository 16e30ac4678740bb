/*
 * The pipeline as text: a line for each instruction, a letter for each cycle, in at
 * most 120 columns. Instructions that fit side by side form a block with its own time
 * axis. Long stretches in which no instruction of the block changes its stage are cut.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/escape.h"
#include "pipe_trace_stages.h"

enum {
	BLOCK_MAX = 50,
	LABEL_WIDTH = 39, /* address and instruction */
	TIME_WIDTH = 64,  /* bars and a note of 13 characters make up 120 columns */
	STRETCH_MAX = 8,  /* longer ones are cut to letter, ':', letter */
	CUT_WIDTH = 3,
	TIMES_MAX = BLOCK_MAX * (PIPE_TRACE_STAGES_MAX + 1),
};

struct text_view {
	FILE *out;
	const struct trace_info *info;
	unsigned count;
	struct pipe_trace_record record[BLOCK_MAX];
	struct pipe_trace_stages stages[BLOCK_MAX];
	uint64_t times[TIMES_MAX]; /* begins and ends of stages, ascending, without duplicates */
	unsigned time_count;
	bool any; /* a block was written */
};

static void *text_create(FILE *out, const struct trace_info *info, struct err *e)
{
	struct text_view *t = calloc(1, sizeof(*t));

	if (!t) {
		err_set(e, STATUS_FAILED, "out of memory for the pipe trace");
		return NULL;
	}
	t->out = out;
	t->info = info;
	return t;
}

/* ---- the time axis ---- */
static int pipe_trace_text_by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void make_axis(struct text_view *t)
{
	unsigned out = 0, count = 0;

	for (unsigned n = 0; n < t->count; n++) {
		for (unsigned k = 0; k < t->stages[n].count; k++)
			t->times[count++] = t->stages[n].s[k].from;
		t->times[count++] = t->stages[n].end;
	}
	qsort(t->times, count, sizeof(*t->times), pipe_trace_text_by_value);
	for (unsigned n = 0; n < count; n++)
		if (!out || t->times[out - 1] != t->times[n])
			t->times[out++] = t->times[n];
	t->time_count = out;
}

static bool is_cut(const struct text_view *t, unsigned n)
{
	return t->times[n + 1] - t->times[n] > STRETCH_MAX;
}

static unsigned stretch_width(const struct text_view *t, unsigned n)
{
	return is_cut(t, n) ? CUT_WIDTH : (unsigned)(t->times[n + 1] - t->times[n]);
}

static unsigned axis_width(const struct text_view *t)
{
	unsigned width = 0;

	for (unsigned n = 0; n + 1 < t->time_count; n++)
		width += stretch_width(t, n);
	return width;
}

/* ---- writing ---- */

/* Writes cycle numbers above their columns, at the start and after each cut. */
static void put_ruler(const struct text_view *t)
{
	char line[TIME_WIDTH + 32];
	unsigned column = 0, free_from = 0;

	memset(line, ' ', sizeof(line));
	for (unsigned n = 0; n + 1 < t->time_count && column < TIME_WIDTH; n++) {
		char number[24];
		unsigned length;

		if (n == 0 || is_cut(t, n - 1)) {
			length = (unsigned)snprintf(number, sizeof(number), "%" PRIu64, t->times[n]);
			if (column >= free_from && column + length < sizeof(line)) {
				memcpy(line + column, number, length);
				free_from = column + length + 1;
			}
		}
		column += stretch_width(t, n);
	}
	line[free_from ? free_from - 1 : 0] = '\0';
	fprintf(t->out, "%*s  %s\n", LABEL_WIDTH, "cycle", line);
}

/* The letter of the stage at `cycle`; a blank before the first and after the last. */
static char letter_at(const struct pipe_trace_stages *s, uint64_t cycle)
{
	char letter = ' ';

	for (unsigned n = 0; n < s->count && s->s[n].from <= cycle; n++)
		letter = s->s[n].letter;
	return cycle < s->end ? letter : ' ';
}

static void put_timeline(const struct text_view *t, const struct pipe_trace_stages *s)
{
	char line[TIME_WIDTH + STRETCH_MAX + 1];
	unsigned column = 0;

	for (unsigned n = 0; n + 1 < t->time_count && column < TIME_WIDTH; n++) {
		char letter = letter_at(s, t->times[n]);
		unsigned width = stretch_width(t, n);

		memset(line + column, letter, width);
		if (is_cut(t, n))
			line[column + 1] = ':';
		column += width;
	}
	if (column > TIME_WIDTH) {
		column = TIME_WIDTH;
		line[column - 1] = '>';
	}
	line[column] = '\0';
	fprintf(t->out, "|%s|", line);
}

/* Writes a note of at most 13 characters. */
static void put_note(FILE *out, const struct pipe_trace_record *r)
{
	if (r->mispredicted)
		fputs(" mispredicted", out);
	else if (r->cause && strcmp(r->cause, "L1D") && strcmp(r->cause, "SBM"))
		fprintf(out, " %s", r->cause);
	else if (r->stop)
		fprintf(out, " D: %s", r->stop);
}

static void put_block(struct text_view *t)
{
	const struct trace_symbol *last = NULL;

	make_axis(t);
	if (t->any)
		fputc('\n', t->out);
	t->any = true;
	fprintf(t->out, "instruction %" PRIu64 "\n", t->record[0].number);
	put_ruler(t);
	for (unsigned n = 0; n < t->count; n++) {
		const struct pipe_trace_record *r = &t->record[n];
		const struct trace_symbol *symbol = r->insn ? trace_symbol_at(t->info, r->pc) : last;
		char insn[PIPE_TRACE_LABEL_MAX];
		int left;

		if (symbol && symbol != last) {
			char name[61];

			fprintf(t->out, "%s%s", escape_copy(name, sizeof(name), symbol->name),
				r->pc == symbol->address ? "" : "+");
			if (r->pc != symbol->address)
				fprintf(t->out, "0x%" PRIx64, r->pc - symbol->address);
			fputs(":\n", t->out);
		}
		last = symbol;
		pipe_trace_insn_text(r, insn, sizeof(insn));
		left = LABEL_WIDTH - fprintf(t->out, "%8" PRIx64 "  ", r->pc);
		left = left > 1 ? left : 1; /* a failed write */
		fprintf(t->out, "%-*.*s  ", left, left, insn);
		put_timeline(t, &t->stages[n]);
		put_note(t->out, r);
		fputc('\n', t->out);
	}
	t->count = 0;
}

static int text_add(void *state, const struct pipe_trace_record *r, const struct pipe_trace_stages *s, struct err *e)
{
	struct text_view *t = state;

	(void)e;
	t->record[t->count] = *r;
	t->stages[t->count++] = *s;
	make_axis(t);
	if (t->count > 1 && axis_width(t) > TIME_WIDTH) {
		t->count--;
		put_block(t);
		t->record[0] = *r;
		t->stages[0] = *s;
		t->count = 1;
	}
	if (t->count == BLOCK_MAX)
		put_block(t);
	return 0;
}

static void text_finish(void *state)
{
	struct text_view *t = state;

	if (t->count)
		put_block(t);
	free(t);
}

const struct pipe_trace_writer text_writer = {text_create, text_add, text_finish};
