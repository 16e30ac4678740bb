#include "miss_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/number.h"

/* Misses of an instruction, or of a source line. */
struct misses {
	const struct profile_insn *insn;                   /* the first of a line */
	const struct trace_line *line;                     /* NULL: unknown */
	uint64_t times, mispredicted, loads, l1, l2, lost; /* lost: slots of loads that wait for L2 or memory */
	uint64_t key;                                      /* what the table is sorted by */
};

static uint64_t memory_slots(const struct core_detail *d)
{
	return d->lost[STALL_load_l2] + d->lost[STALL_load_l3] + d->lost[STALL_load_memory];
}

static struct misses misses_of(const struct profile *p, const struct profile_insn *i)
{
	const struct core_detail *d = i->detail;

	return (struct misses){
		.insn = i,
		.line = trace_line_at(p->info, i->pc),
		.times = i->committed,
		.mispredicted = d->mispredicted,
		.loads = d->level[0] + d->level[1] + d->level[2] + d->level[3],
		.l1 = d->level[1] + d->level[2] + d->level[3],
		.l2 = d->level[2] + d->level[3],
		.lost = memory_slots(d),
	};
}

/* Most misses first; equal ones by address. */
static int by_key(const void *a, const void *b)
{
	const struct misses *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return x->insn->pc < y->insn->pc ? -1 : x->insn->pc > y->insn->pc;
}

static void line_cell(const struct profile *p, const struct trace_line *line, struct report *r)
{
	char text[PLACE_SOURCE] = "";

	if (line)
		snprintf(text, sizeof(text), "%s:%" PRIu32, trace_line_file(p->info, line), line->line);
	report_cell_text(r, text);
}

/* The cells that name an instruction: address, place, source if the program has lines, text. */
static void insn_cells(const struct profile *p, const struct misses *m, struct report *r)
{
	const struct trace_symbol *s = trace_symbol_at(p->info, m->insn->pc);
	char address[20], place[PLACE_NAME] = "", text[160];

	snprintf(address, sizeof(address), "0x%" PRIx64, m->insn->pc);
	if (s)
		snprintf(place, sizeof(place), "%s+0x%" PRIx64, s->name, m->insn->pc - s->address);
	insn_print(m->insn->insn, m->insn->pc, text, sizeof(text));
	for (char *c = text; *c; c++)
		if (*c == '\t')
			*c = ' ';
	report_cell_text(r, address);
	report_cell_text(r, place);
	if (p->info->line_count)
		line_cell(p, m->line, r);
	report_cell_text(r, text);
}

/* Begins a table whose column `source` only programs with lines have. */
static void begin(const struct profile *p, const char *name, const char *doc, const struct report_column *all,
		  unsigned count, struct report *r)
{
	struct report_column columns[16];
	unsigned used = 0;

	for (unsigned n = 0; n < count; n++)
		if (p->info->line_count || strcmp(all[n].name, "source") != 0)
			columns[used++] = all[n];
	report_table(r, name, doc, columns, used);
}

static void branches(const struct profile *p, struct misses *list, uint64_t insns, unsigned top, struct report *r)
{
	static const struct report_column columns[] = {
		{"address", ""},           {"place", ""},      {"source", ""},
		{"instruction", ""},       {"times", "times"}, {"rate", "%"},
		{"mispredicted", "times"}, {"share", "%"},     {"mpki", "1/1000 insn"},
	};
	uint64_t all = 0;

	for (size_t n = 0; n < p->count; n++)
		all += list[n].key = list[n].mispredicted;
	qsort(list, p->count, sizeof(*list), by_key);
	begin(p, "branches", "mispredicted branches, most mispredictions first", columns, 9, r);
	for (size_t n = 0; n < p->count && n < top && list[n].key; n++) {
		const struct misses *m = &list[n];

		insn_cells(p, m, r);
		report_cell_u64(r, m->times);
		report_cell_f64(r, 100 * ratio_of((double)m->mispredicted, (double)m->times));
		report_cell_u64(r, m->mispredicted);
		report_cell_f64(r, 100 * ratio_of((double)m->mispredicted, (double)all));
		report_cell_f64(r, 1000 * ratio_of((double)m->mispredicted, (double)insns));
	}
	report_table_end(r);
}

/* The cells of loads: misses of L1D and L2 per thousand instructions, and cycles lost. */
static void load_cells(const struct profile *p, const struct misses *m, uint64_t insns, struct report *r)
{
	report_cell_f64(r, 1000 * ratio_of((double)m->l1, (double)insns));
	report_cell_f64(r, 1000 * ratio_of((double)m->l2, (double)insns));
	report_cell_f64(r, (double)m->lost / p->width);
}

static void loads(const struct profile *p, struct misses *list, uint64_t insns, unsigned top, struct report *r)
{
	static const struct report_column columns[] = {
		{"address", ""},
		{"place", ""},
		{"source", ""},
		{"instruction", ""},
		{"loads", "times"},
		{"l1_misses", "times"},
		{"l2_misses", "times"},
		{"l1_mpki", "1/1000 insn"},
		{"l2_mpki", "1/1000 insn"},
		{"lost", "cycles"},
	};

	for (size_t n = 0; n < p->count; n++)
		list[n].key = list[n].l1;
	qsort(list, p->count, sizeof(*list), by_key);
	begin(p, "load_misses", "loads served by L2 or memory, most of these first; lost: while they were oldest",
	      columns, 10, r);
	for (size_t n = 0; n < p->count && n < top && list[n].key; n++) {
		insn_cells(p, &list[n], r);
		report_cell_u64(r, list[n].loads);
		report_cell_u64(r, list[n].l1);
		report_cell_u64(r, list[n].l2);
		load_cells(p, &list[n], insns, r);
	}
	report_table_end(r);
}

static int by_line(const void *a, const void *b)
{
	const struct misses *x = a, *y = b;

	if (x->line->file != y->line->file)
		return x->line->file < y->line->file ? -1 : 1;
	if (x->line->line != y->line->line)
		return x->line->line < y->line->line ? -1 : 1;
	return x->insn->pc < y->insn->pc ? -1 : x->insn->pc > y->insn->pc;
}

/* Adds up the instructions of each line; returns the number of lines, which the list begins with. */
static size_t add_lines(struct misses *list, size_t count)
{
	size_t lines = 0, known = 0;

	for (size_t n = 0; n < count; n++)
		if (list[n].line)
			list[known++] = list[n];
	qsort(list, known, sizeof(*list), by_line);
	for (size_t n = 0; n < known; n++) {
		struct misses *m = lines ? &list[lines - 1] : NULL;

		if (!m || m->line->file != list[n].line->file || m->line->line != list[n].line->line) {
			list[lines++] = list[n];
			continue;
		}
		m->mispredicted += list[n].mispredicted;
		m->loads += list[n].loads;
		m->l1 += list[n].l1;
		m->l2 += list[n].l2;
		m->lost += list[n].lost;
	}
	return lines;
}

static void lines(const struct profile *p, struct misses *list, uint64_t insns, unsigned top, struct report *r)
{
	static const struct report_column columns[] = {
		{"line", ""},
		{"loads", "times"},
		{"mispredicted", "times"},
		{"branch_mpki", "1/1000 insn"},
		{"l1_mpki", "1/1000 insn"},
		{"l2_mpki", "1/1000 insn"},
		{"lost", "cycles"},
	};
	size_t count = add_lines(list, p->count);

	for (size_t n = 0; n < count; n++)
		list[n].key = list[n].mispredicted + list[n].l1;
	qsort(list, count, sizeof(*list), by_key);
	report_table(r, "line_misses", "mispredictions and load misses by source line, most of both first", columns, 7);
	for (size_t n = 0; n < count && n < top && list[n].key; n++) {
		line_cell(p, list[n].line, r);
		report_cell_u64(r, list[n].loads);
		report_cell_u64(r, list[n].mispredicted);
		report_cell_f64(r, 1000 * ratio_of((double)list[n].mispredicted, (double)insns));
		load_cells(p, &list[n], insns, r);
	}
	report_table_end(r);
}

int miss_report(const struct profile *p, uint64_t instructions, unsigned top, struct report *r, struct err *e)
{
	struct misses *list = mem_alloc(p->count + 1, sizeof(*list), e);

	if (!list)
		return -1;
	for (size_t n = 0; n < p->count; n++)
		list[n] = misses_of(p, &p->insns[n]);
	branches(p, list, instructions, top, r);
	loads(p, list, instructions, top, r);
	if (p->info->line_count)
		lines(p, list, instructions, top, r);
	free(list);
	return 0;
}
