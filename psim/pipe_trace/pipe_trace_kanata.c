/*
 * The pipeline as a Kanata 0004 log (Konata's docs/kanata-log-format.md).
 * Lane 0 has an instruction's stages, lane 1 its stalls. Instructions of the SIMD
 * array are thread 1.
 *
 * Kanata requires lines in order of time, but instructions arrive in order of
 * commit. As fetch is in order, all lines before the fetch of the last instruction
 * are final, and are written from time to time.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/escape.h"
#include "pipe_trace_stages.h"

enum { FLUSH_LINES = 1 << 16, DETAIL_MAX = 400 };

enum line_kind { LINE_START, LINE_STAGE, LINE_STAGE_END, LINE_WAKE, LINE_RETIRE };
struct line {
	uint64_t cycle, order; /* order: sequence number, for lines of a cycle */
	uint64_t id, other;    /* other: producer of LINE_WAKE, number of LINE_START */
	const char *stage;     /* or the cause of a stall */
	char *label, *detail;  /* LINE_START: owned */
	uint8_t kind, lane;    /* lane: of LINE_START the thread, 1: in the SIMD array */
};

struct kanata {
	FILE *out;
	const struct trace_info *info;
	struct line *lines;
	size_t count, size, limit; /* limit: count at which final lines are written */
	uint64_t order, first_seq, cycle;
	bool any, begun;
};

static void *kanata_create(FILE *out, const struct trace_info *info, struct err *e)
{
	struct kanata *k = calloc(1, sizeof(*k));

	if (!k) {
		err_set(e, STATUS_FAILED, "out of memory for the pipe trace");
		return NULL;
	}
	k->out = out;
	k->info = info;
	k->limit = FLUSH_LINES;
	return k;
}

static int add_line(struct kanata *k, struct line line, struct err *e)
{
	if (k->count == k->size) {
		size_t size = k->size ? 2 * k->size : 4096;
		struct line *l = realloc(k->lines, size * sizeof(*l));

		if (!l)
			return err_set(e, STATUS_FAILED, "out of memory for the pipe trace");
		k->lines = l;
		k->size = size;
	}
	line.order = k->order++;
	k->lines[k->count++] = line;
	return 0;
}

static int pipe_trace_kanata_by_time(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void write_line(struct kanata *k, const struct line *l)
{
	if (!k->begun)
		fprintf(k->out, "C=\t%" PRIu64 "\n", l->cycle);
	else if (l->cycle > k->cycle)
		fprintf(k->out, "C\t%" PRIu64 "\n", l->cycle - k->cycle);
	k->begun = true;
	k->cycle = l->cycle;
	switch ((enum line_kind)l->kind) {
	case LINE_START:
		fprintf(k->out, "I\t%" PRIu64 "\t%" PRIu64 "\t%d\n", l->id, l->other, l->lane);
		fprintf(k->out, "L\t%" PRIu64 "\t0\t%s\n", l->id, l->label);
		fprintf(k->out, "L\t%" PRIu64 "\t1\t%s\n", l->id, l->detail);
		break;
	case LINE_STAGE: fprintf(k->out, "S\t%" PRIu64 "\t%d\t%s\n", l->id, l->lane, l->stage); break;
	case LINE_STAGE_END: fprintf(k->out, "E\t%" PRIu64 "\t%d\t%s\n", l->id, l->lane, l->stage); break;
	case LINE_WAKE: fprintf(k->out, "W\t%" PRIu64 "\t%" PRIu64 "\t0\n", l->id, l->other); break;
	case LINE_RETIRE: fprintf(k->out, "R\t%" PRIu64 "\t%" PRIu64 "\t0\n", l->id, l->id); break;
	}
}

/* Writes all lines before `cycle`. */
static void flush(struct kanata *k, uint64_t cycle)
{
	size_t n;

	if (!k->begun)
		fputs("Kanata\t0004\n", k->out);
	if (k->count)
		qsort(k->lines, k->count, sizeof(*k->lines), pipe_trace_kanata_by_time);
	for (n = 0; n < k->count && k->lines[n].cycle < cycle; n++) {
		write_line(k, &k->lines[n]);
		free(k->lines[n].label);
		free(k->lines[n].detail);
	}
	if (n)
		memmove(k->lines, k->lines + n, (k->count - n) * sizeof(*k->lines));
	k->count -= n;
	k->limit = 2 * k->count + FLUSH_LINES;
}

/* Makes "100a28 sort+0x88: add %i0, %g2, %g2", with the name of a symbol as escape.h shows it. */
static void make_label(const struct kanata *k, const struct pipe_trace_record *r, char *text, size_t size)
{
	const struct trace_symbol *symbol = r->insn ? trace_symbol_at(k->info, r->pc) : NULL;
	char insn[PIPE_TRACE_LABEL_MAX], name[81];

	pipe_trace_insn_text(r, insn, sizeof(insn));
	if (symbol)
		snprintf(text, size, "%" PRIx64 " %s+0x%" PRIx64 ": %s", r->pc,
			 escape_copy(name, sizeof(name), symbol->name), r->pc - symbol->address, insn);
	else
		snprintf(text, size, "%" PRIx64 ": %s", r->pc, insn);
}

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + n, DETAIL_MAX - n, format, ap);
	va_end(ap);
}

/* Makes the detail text: producers, the level that served a load, replays. */
static void make_detail(const struct kanata *k, const struct pipe_trace_record *r, char *text)
{
	*text = '\0';
	append(text, "instruction %" PRIu64 ", cycles %" PRIu64 " to %" PRIu64, r->number, r->fetch, r->commit);
	for (unsigned n = 0; n < r->producers; n++) {
		append(text, "%s", n ? ", " : "; operands of ");
		if (r->producer[n] >= k->first_seq)
			append(text, "#%" PRIu64, r->producer[n] - k->first_seq);
		else
			append(text, "an earlier one");
	}
	if (r->cause)
		append(text, "; %s", r->cause);
	if (r->mispredicted)
		append(text, "; mispredicted");
	if (r->replays)
		append(text, "; called back %u times", r->replays);
}

static int add_start(struct kanata *k, const struct pipe_trace_record *r, struct err *e)
{
	char label[2 * PIPE_TRACE_LABEL_MAX], detail[DETAIL_MAX];
	struct line line = {.kind = LINE_START,
			    .cycle = r->fetch,
			    .id = r->seq - k->first_seq,
			    .other = r->number,
			    .lane = r->simd};

	make_label(k, r, label, sizeof(label));
	make_detail(k, r, detail);
	line.label = strdup(label);
	line.detail = strdup(detail);
	if (!line.label || !line.detail || add_line(k, line, e) < 0) {
		free(line.label);
		free(line.detail);
		return err_set(e, STATUS_FAILED, "out of memory for the pipe trace");
	}
	return 0;
}

static int add_stage(struct kanata *k, uint64_t id, const struct pipe_trace_stage *s, uint64_t end, struct err *e)
{
	struct line line = {.id = id, .lane = 0, .stage = s->name};

	for (; line.lane < 2 && line.stage; line.lane++, line.stage = s->stall) {
		line.kind = LINE_STAGE;
		line.cycle = s->from;
		if (add_line(k, line, e) < 0)
			return -1;
		line.kind = LINE_STAGE_END;
		line.cycle = end;
		if (add_line(k, line, e) < 0)
			return -1;
	}
	return 0;
}

static int kanata_add(void *state, const struct pipe_trace_record *r, const struct pipe_trace_stages *s, struct err *e)
{
	struct kanata *k = state;
	struct line line = {.kind = LINE_WAKE, .cycle = r->select};

	if (!k->any)
		k->first_seq = r->seq;
	k->any = true;
	line.id = r->seq - k->first_seq;
	if (add_start(k, r, e) < 0)
		return -1;
	for (unsigned n = 0; n < s->count; n++)
		if (add_stage(k, line.id, &s->s[n], n + 1 < s->count ? s->s[n + 1].from : s->end, e) < 0)
			return -1;
	for (unsigned n = 0; n < r->producers && r->select; n++) {
		if (r->producer[n] < k->first_seq)
			continue;
		line.other = r->producer[n] - k->first_seq;
		if (add_line(k, line, e) < 0)
			return -1;
	}
	line.kind = LINE_RETIRE;
	line.cycle = s->end;
	if (add_line(k, line, e) < 0)
		return -1;
	if (k->count > k->limit)
		flush(k, r->fetch);
	return 0;
}

static void kanata_finish(void *state)
{
	struct kanata *k = state;

	flush(k, UINT64_MAX);
	free(k->lines);
	free(k);
}

const struct pipe_trace_writer kanata_writer = {kanata_create, kanata_add, kanata_finish};
