/* The profile: commit slots by function and by loop. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core_report.h"

enum { HOT_LOOP_MAX = 200 };

struct place {             /* one row: a function or a loop */
	uint64_t from, to; /* addresses [from, to) */
	uint64_t committed, lost, passes;
	uint64_t self; /* slots of instructions that are in no inner loop */
	const struct trace_symbol *symbol;
};

struct profile {
	struct core_profile *insns; /* ascending by address, each once */
	size_t count;
	struct place *places;
	size_t place_count;
};

static int by_pc(const void *a, const void *b)
{
	const struct core_profile *x = a, *y = b;

	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Gathers the instructions by address, adding the counts of an address that is in several blocks. */
static int profile_report_gather(const struct core *c, struct profile *p, struct err *e)
{
	size_t count = core_profile_count(c), out = 0;

	p->insns = malloc((count + 1) * sizeof(*p->insns));
	p->places = malloc((count + 1) * sizeof(*p->places));
	if (!p->insns || !p->places)
		return err_set(e, STATUS_FAILED, "profile: out of memory for %zu instructions", count);
	for (size_t n = 0; n < count; n++)
		core_profile(c, (uint32_t)n, &p->insns[n]);
	qsort(p->insns, count, sizeof(*p->insns), by_pc);
	for (size_t n = 0; n < count; n++) {
		if (out && p->insns[out - 1].pc == p->insns[n].pc) {
			p->insns[out - 1].committed += p->insns[n].committed;
			p->insns[out - 1].lost += p->insns[n].lost;
		} else {
			p->insns[out++] = p->insns[n];
		}
	}
	p->count = out;
	return 0;
}

static uint64_t profile_report_slots_of(const struct core_profile *i)
{
	return i->committed + i->lost;
}

static void find_functions(struct profile *p, const struct trace_info *info)
{
	struct place *last = NULL;

	p->place_count = 0;
	for (size_t n = 0; n < p->count; n++) {
		const struct core_profile *i = &p->insns[n];
		const struct trace_symbol *s = trace_symbol_at(info, i->pc);

		if (!last || last->symbol != s) {
			last = &p->places[p->place_count++];
			*last = (struct place){.from = i->pc, .symbol = s};
			last->passes = i->committed;
		}
		last->to = i->pc + 4;
		last->committed += i->committed;
		last->lost += i->lost;
		last->self += profile_report_slots_of(i);
	}
}

/*
 * Returns whether the instruction is a direct branch to an earlier address, which closes a loop. The loop includes its
 * delay slot.
 */
static bool closes_loop(const struct core_profile *i, uint64_t *target)
{
	*target = i->pc + (uint64_t)(int64_t)i->insn->imm;
	return i->insn->flags & INSN_CTI && !(i->insn->flags & (INSN_INDIRECT | INSN_CALL)) && *target <= i->pc &&
	       i->committed;
}

/* Orders loops by first address; outer before inner if they begin at the same address. */
static int by_extent(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to > y->to ? -1 : x->to < y->to;
}

/* Merges loops with the same first address: the loop extends to the last branch to it. */
static void merge_loops(struct profile *p)
{
	size_t out = 0;

	qsort(p->places, p->place_count, sizeof(*p->places), by_extent);
	for (size_t n = 0; n < p->place_count; n++) {
		if (out && p->places[out - 1].from == p->places[n].from)
			p->places[out - 1].passes += p->places[n].passes;
		else
			p->places[out++] = p->places[n];
	}
	p->place_count = out;
}

static size_t first_at(const struct profile *p, uint64_t pc)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->insns[mid].pc < pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Sums each loop's slots. `sums` has count + 1 entries: the prefix sums over the instructions. */
static void sum_loops(struct profile *p, uint64_t *sums, bool lost)
{
	for (size_t n = 0; n < p->count; n++)
		sums[n + 1] = sums[n] + (lost ? p->insns[n].lost : p->insns[n].committed);
	for (size_t n = 0; n < p->place_count; n++) {
		struct place *l = &p->places[n];
		uint64_t sum = sums[first_at(p, l->to)] - sums[first_at(p, l->from)];

		*(lost ? &l->lost : &l->committed) = sum;
	}
}

/*
 * Counts each loop's slots outside its inner loops. Loops are sorted by first address,
 * so the last one that contains an instruction is the innermost if they nest; if they
 * overlap, it is the one that begins last.
 */
static void count_self(struct profile *p, uint64_t *open)
{
	size_t depth = 0, next = 0;

	for (size_t n = 0; n < p->count; n++) {
		const struct core_profile *i = &p->insns[n];

		while (next < p->place_count && p->places[next].from <= i->pc)
			open[depth++] = next++;
		while (depth && p->places[open[depth - 1]].to <= i->pc)
			depth--;
		if (depth)
			p->places[open[depth - 1]].self += profile_report_slots_of(i);
	}
}

static int find_loops(struct profile *p, const struct trace_info *info, struct err *e)
{
	uint64_t target, *work;

	p->place_count = 0;
	for (size_t n = 0; n < p->count; n++) {
		const struct core_profile *i = &p->insns[n];

		if (closes_loop(i, &target))
			p->places[p->place_count++] = (struct place){
				.from = target,
				.to = i->pc + 8,
				.passes = i->committed,
				.symbol = trace_symbol_at(info, target),
			};
	}
	merge_loops(p);
	work = calloc(p->count + 1, sizeof(*work));
	if (!work)
		return err_set(e, STATUS_FAILED, "profile: out of memory for %zu instructions", p->count);
	sum_loops(p, work, false);
	sum_loops(p, work, true);
	count_self(p, work);
	free(work);
	return 0;
}

static int by_slots(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* Writes "name", "name+0x40", or the address if no symbol covers it. */
static void profile_report_place_name(const struct place *l, char *text, size_t size)
{
	if (!l->symbol)
		snprintf(text, size, "0x%" PRIx64, l->from);
	else if (l->symbol->address == l->from)
		snprintf(text, size, "%s", l->symbol->name);
	else
		snprintf(text, size, "%s+0x%" PRIx64, l->symbol->name, l->from - l->symbol->address);
}

static void print_place(const struct place *l, const struct core_stats *s, double width, bool loop, struct report *r)
{
	double cycles = (double)(l->committed + l->lost) / width, all = (double)s->cycles;
	char name[160], from[20], to[20];

	profile_report_place_name(l, name, sizeof(name));
	snprintf(from, sizeof(from), "0x%" PRIx64, l->from);
	snprintf(to, sizeof(to), "0x%" PRIx64, l->to);
	report_cell_text(r, loop || !l->symbol ? name : l->symbol->name);
	report_cell_text(r, from);
	report_cell_text(r, to);
	report_cell_u64(r, l->passes);
	report_cell_u64(r, l->committed);
	report_cell_f64(r, cycles);
	report_cell_f64(r, all > 0 ? 100 * cycles / all : 0);
	if (loop)
		report_cell_f64(r, all > 0 ? 100 * (double)l->self / width / all : 0);
	report_cell_f64(r, cycles > 0 ? (double)l->committed / cycles : 0);
}

static void print_places(struct profile *p, const struct core_stats *s, double width, bool loops, unsigned top,
			 struct report *r)
{
	static const struct report_column function_columns[] = {
		{"place", ""},
		{"from", ""},
		{"to", ""},
		{"passes", "times"},
		{"instructions", "insns"},
		{"cycles", "cycles"},
		{"share", "%"},
		{"ipc", "insn/cycle"},
	};
	static const struct report_column loop_columns[] = {
		{"place", ""},        {"from", ""},   {"to", ""},    {"passes", "times"},   {"instructions", "insns"},
		{"cycles", "cycles"}, {"share", "%"}, {"self", "%"}, {"ipc", "insn/cycle"},
	};

	qsort(p->places, p->place_count, sizeof(*p->places), by_slots);
	if (loops)
		report_table(
			r, "loops",
			"cycles by loop (up to its last backward branch), sorted by cycles outside inner loops (self)",
			loop_columns, 9);
	else
		report_table(r, "functions",
			     "cycles by function: commit slots that it used, or lost while its instruction was oldest",
			     function_columns, 8);
	for (size_t n = 0; n < p->place_count && n < top; n++)
		print_place(&p->places[n], s, width, loops, r);
	report_table_end(r);
}

/* Adds the instructions of the first of the sorted loops, in the order of addresses. */
static void print_hot_loop(const struct profile *p, const struct core_stats *s, double width, struct report *r)
{
	static const struct report_column columns[] = {
		{"address", ""}, {"instruction", ""}, {"times", "times"}, {"cycles", "cycles"}, {"share", "%"},
	};
	const struct place *l = &p->places[0];
	size_t n = p->place_count ? first_at(p, l->from) : p->count;

	report_table(r, "hot_loop", "cycles by instruction of the first of these loops", columns, 5);
	for (unsigned rows = 0; n < p->count && p->insns[n].pc < l->to && rows < HOT_LOOP_MAX; n++, rows++) {
		const struct core_profile *i = &p->insns[n];
		double cycles = (double)profile_report_slots_of(i) / width;
		char address[20], text[160];

		snprintf(address, sizeof(address), "0x%" PRIx64, i->pc);
		insn_print(i->insn, i->pc, text, sizeof(text));
		for (char *c = text; *c; c++)
			if (*c == '\t')
				*c = ' ';
		report_cell_text(r, address);
		report_cell_text(r, text);
		report_cell_u64(r, i->committed);
		report_cell_f64(r, cycles);
		report_cell_f64(r, s->cycles ? 100 * cycles / (double)s->cycles : 0);
	}
	report_table_end(r);
}

int core_report_profile(const struct core *c, const struct core_config *cfg, const struct trace_info *info,
			unsigned top, struct report *r, struct err *e)
{
	struct profile p = {0};
	double width = cfg->core.commit_width;
	int ret = profile_report_gather(c, &p, e);

	if (ret == 0) {
		find_functions(&p, info);
		print_places(&p, core_stats(c), width, false, top, r);
		ret = find_loops(&p, info, e);
	}
	if (ret == 0) {
		print_places(&p, core_stats(c), width, true, top, r);
		print_hot_loop(&p, core_stats(c), width, r);
	}
	free(p.insns);
	free(p.places);
	return ret;
}
