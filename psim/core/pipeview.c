/*
 * The pipeline view: times of an instruction become segments (stage, first
 * cycle), segments become a Kanata 0004 log or lines of text.
 *
 * Kanata wants everything in order of time, but instructions come in order of
 * commit. What lies before the fetch of the instruction just added is final,
 * because fetch is in order, and is written out now and then.
 */
#include "pipeview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS_MAX = 40, FLUSH_EVENTS = 1 << 16, TEXT_WIDTH = 100, TEXT_NEW_BASE = 50 };

struct segment {
	uint64_t from;
	const char *name; /* stage, as in the SPARC64 V documents where it is one of theirs */
	char letter;      /* in the text view */
};

enum line_kind { LINE_START, LINE_STAGE, LINE_WAKE, LINE_END };
struct line {
	uint64_t cycle, seq, other; /* other: producer of LINE_WAKE */
	uint32_t order;
	uint8_t kind;
	const char *stage;
	char *label; /* LINE_START: owned */
};

struct pipeview {
	FILE *out;
	enum view_format format;
	const struct core_config *cfg;
	const struct trace_info *info;
	struct view_window window;
	bool open;            /* start_pc was met, or there is none */
	struct line *lines;
	size_t count, size;
	uint32_t order;
	bool begun;
	uint64_t cycle;       /* Kanata: time written last */
	uint64_t base;        /* text: cycle of the first column */
};

struct pipeview *pipeview_create(FILE *out, enum view_format format, const struct core_config *cfg,
                                 const struct trace_info *info, const struct view_window *window,
                                 struct err *e)
{
	struct pipeview *v = calloc(1, sizeof(*v));

	if (!v) {
		err_set(e, STATUS_FAILED, "out of memory for the pipeline view");
		return NULL;
	}
	v->out = out;
	v->format = format;
	v->cfg = cfg;
	v->info = info;
	v->window = *window;
	v->open = !window->start_pc;
	return v;
}

bool pipeview_wants(struct pipeview *v, uint64_t seq, uint64_t pc)
{
	if (!v->open && pc == v->window.start_pc && seq >= v->window.first) {
		v->open = true;
		v->window.first = seq;
	}
	return v->open && seq >= v->window.first && seq - v->window.first < v->window.count;
}

/* ---- times to segments ---- */
struct segments {
	struct segment s[SEGMENTS_MAX];
	unsigned count;
};

/* Adds a stage unless it would begin no later than the one before: then that took no time. */
static void add(struct segments *s, uint64_t from, const char *name, char letter)
{
	if (s->count && s->s[s->count - 1].from >= from)
		s->count--;
	if (s->count < SEGMENTS_MAX)
		s->s[s->count++] = (struct segment) { from, name, letter };
}

static void front_segments(const struct pipeview *v, const struct view_record *r, struct segments *s)
{
	static const char *const names[] = { "IA", "IT", "IM", "IB", "IR" };
	unsigned stages = v->cfg->fetch.stages;

	for (unsigned n = 0; n < stages && n < 5; n++)
		add(s, r->fetch + n, names[n], 'f');
	if (r->decode > r->fetch + stages)
		add(s, r->fetch + stages, "Ibuf", '.');
	add(s, r->decode, "E", 'e');
	add(s, r->decode + v->cfg->decode.stages - 1, "D", 'd');
	if (r->dispatch > r->decode + v->cfg->decode.stages - 1)
		add(s, r->decode + v->cfg->decode.stages, "Dw", 'D');
}

static void load_segments(const struct pipeview *v, const struct view_record *r, struct segments *s,
                          uint64_t u)
{
	uint64_t x = r->select + 1 + v->cfg->core.operand_stages;
	uint64_t known = r->address + v->cfg->lsu.hit_known;

	add(s, x, "X", 'x');
	if (r->address > x + 1)
		add(s, x + 1, "Psw", '~');
	add(s, r->address, "Ps", 'm');
	add(s, r->address + 1, "Ts", 'm');
	add(s, known, "Ms", 'm');
	if (u > known + 3)
		add(s, known + 1, "miss", '*');
	if (u > known + 2)
		add(s, u - 2, "Bs", 'm');
	if (u > known + 1)
		add(s, u - 1, "Rs", 'm');
}

static void back_segments(const struct pipeview *v, const struct view_record *r, struct segments *s)
{
	uint64_t u = r->done - v->cfg->core.commit_stages + 1;

	for (unsigned n = 0; n < r->replays; n++) {
		add(s, r->replay[n].from, "P", 'p');
		add(s, r->replay[n].from + 1, "undo", 'r');
		add(s, r->replay[n].to, "RS", '-');
	}
	if (r->select) {
		add(s, r->select, "P", 'p');
		if (v->cfg->core.operand_stages)
			add(s, r->select + 1, "B", 'b');
		if (r->load && r->address)
			load_segments(v, r, s, u);
		else
			add(s, r->select + 1 + v->cfg->core.operand_stages, "X", 'x');
	}
	if (v->cfg->core.commit_stages > 1)
		add(s, u, "U", 'u');
	if (r->commit > r->done)
		add(s, r->done, "Ww", '=');
	add(s, r->commit, "W", 'w');
}

static void make_segments(const struct pipeview *v, const struct view_record *r, struct segments *s)
{
	s->count = 0;
	front_segments(v, r, s);
	if (r->select > r->dispatch + 1 || r->replays)
		add(s, r->dispatch + 1, "RS", '-');
	back_segments(v, r, s);
}

static size_t print_label(const struct pipeview *v, const struct view_record *r, char *text, size_t size)
{
	const struct trace_symbol *symbol = trace_symbol_at(v->info, r->pc);
	char insn[96];

	if (!r->insn)
		return (size_t)snprintf(text, size, "[%s]", r->handler ? r->handler : "?");
	insn_print(r->insn, r->pc, insn, sizeof(insn));
	for (char *p = insn; *p; p++)
		if (*p == '\t')
			*p = ' ';
	if (symbol)
		return (size_t)snprintf(text, size, "%" PRIx64 " %s+0x%" PRIx64 ": %s%s", r->pc, symbol->name,
			r->pc - symbol->address, insn, r->mispredicted ? " (mispredicted)" : "");
	return (size_t)snprintf(text, size, "%" PRIx64 ": %s%s", r->pc, insn,
		r->mispredicted ? " (mispredicted)" : "");
}

/* ---- text ---- */
static void text_line(struct pipeview *v, const struct view_record *r)
{
	char timeline[TEXT_WIDTH + 1], label[256];
	struct segments s;
	uint64_t end;

	make_segments(v, r, &s);
	if (!v->begun || r->fetch < v->base || r->fetch - v->base > TEXT_NEW_BASE) {
		v->base = r->fetch;
		v->begun = true;
		fprintf(v->out, "cycle %" PRIu64 "\n", v->base);
	}
	memset(timeline, ' ', sizeof(timeline));
	for (unsigned n = 0; n < s.count; n++) {
		end = n + 1 < s.count ? s.s[n + 1].from : s.s[n].from + 1;
		for (uint64_t t = s.s[n].from; t < end && t - v->base < TEXT_WIDTH; t++)
			timeline[t - v->base] = s.s[n].letter;
	}
	if (s.s[s.count - 1].from - v->base >= TEXT_WIDTH)
		timeline[TEXT_WIDTH - 1] = '>';
	timeline[TEXT_WIDTH] = '\0';
	print_label(v, r, label, sizeof(label));
	fprintf(v->out, "%8" PRIu64 " |%s| %s\n", r->seq, timeline, label);
}

/* ---- Kanata ---- */
static struct line *new_line(struct pipeview *v, uint64_t cycle, uint64_t seq, enum line_kind kind,
                             struct err *e)
{
	struct line *l;

	if (v->count == v->size) {
		size_t size = v->size ? 2 * v->size : 4096;

		l = realloc(v->lines, size * sizeof(*l));
		if (!l) {
			err_set(e, STATUS_FAILED, "out of memory for the pipeline view");
			return NULL;
		}
		v->lines = l;
		v->size = size;
	}
	l = &v->lines[v->count++];
	*l = (struct line) { .cycle = cycle, .seq = seq, .kind = (uint8_t)kind, .order = v->order++ };
	return l;
}

static int by_time(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void write_line(struct pipeview *v, const struct line *l)
{
	uint64_t id = l->seq - v->window.first;

	if (!v->begun) {
		fprintf(v->out, "Kanata\t0004\nC=\t%" PRIu64 "\n", l->cycle);
		v->begun = true;
	} else if (l->cycle > v->cycle) {
		fprintf(v->out, "C\t%" PRIu64 "\n", l->cycle - v->cycle);
	}
	v->cycle = l->cycle;
	switch ((enum line_kind)l->kind) {
	case LINE_START:
		fprintf(v->out, "I\t%" PRIu64 "\t%" PRIu64 "\t0\nL\t%" PRIu64 "\t0\t%s\n", id, l->seq, id, l->label);
		break;
	case LINE_STAGE:
		fprintf(v->out, "S\t%" PRIu64 "\t0\t%s\n", id, l->stage);
		break;
	case LINE_WAKE:
		fprintf(v->out, "W\t%" PRIu64 "\t%" PRIu64 "\t0\n", id, l->other - v->window.first);
		break;
	case LINE_END:
		fprintf(v->out, "E\t%" PRIu64 "\t0\tW\nR\t%" PRIu64 "\t%" PRIu64 "\t0\n", id, id, id);
		break;
	}
}

/* Writes all lines before `cycle`. */
static void flush(struct pipeview *v, uint64_t cycle)
{
	size_t n;

	qsort(v->lines, v->count, sizeof(*v->lines), by_time);
	for (n = 0; n < v->count && v->lines[n].cycle < cycle; n++) {
		write_line(v, &v->lines[n]);
		free(v->lines[n].label);
	}
	memmove(v->lines, v->lines + n, (v->count - n) * sizeof(*v->lines));
	v->count -= n;
}

static int kanata_add(struct pipeview *v, const struct view_record *r, struct err *e)
{
	struct segments s;
	struct line *l;
	char label[256];

	make_segments(v, r, &s);
	l = new_line(v, r->fetch, r->seq, LINE_START, e);
	if (!l)
		return -1;
	print_label(v, r, label, sizeof(label));
	if (r->cause)
		snprintf(label + strlen(label), sizeof(label) - strlen(label), " [%s]", r->cause);
	l->label = strdup(label);
	if (!l->label)
		return err_set(e, STATUS_FAILED, "out of memory for the pipeline view");
	for (unsigned n = 0; n < s.count; n++) {
		l = new_line(v, s.s[n].from, r->seq, LINE_STAGE, e);
		if (!l)
			return -1;
		l->stage = s.s[n].name;
	}
	for (unsigned n = 0; n < r->producers; n++) {
		if (r->producer[n] < v->window.first)
			continue;
		l = new_line(v, r->select, r->seq, LINE_WAKE, e);
		if (!l)
			return -1;
		l->other = r->producer[n];
	}
	if (!new_line(v, r->commit + 1, r->seq, LINE_END, e))
		return -1;
	if (v->count > FLUSH_EVENTS)
		flush(v, r->fetch);
	return 0;
}

int pipeview_add(struct pipeview *v, const struct view_record *r, struct err *e)
{
	if (v->format == VIEW_KANATA)
		return kanata_add(v, r, e);
	text_line(v, r);
	return 0;
}

int pipeview_finish(struct pipeview *v, struct err *e)
{
	int ret = 0;

	if (v->format == VIEW_KANATA) {
		flush(v, UINT64_MAX);
		if (!v->begun)
			fprintf(v->out, "Kanata\t0004\n");
	}
	if (!v->open)
		ret = err_set(e, STATUS_USAGE, "--window: the program never reached 0x%" PRIx64 " in the trace",
			v->window.start_pc);
	free(v->lines);
	free(v);
	return ret;
}
