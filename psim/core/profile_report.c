/* Where the cycles went in the program: by function and by loop. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core_report.h"

struct place { /* one row: a function or a loop */
	uint64_t from, to; /* addresses [from, to) */
	uint64_t committed, lost, passes;
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

/* An address can stand in several blocks: their counts are added. */
static int gather(const struct core *c, struct profile *p, struct err *e)
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

static void find_functions(struct profile *p, const struct trace_info *info)
{
	struct place *last = NULL;

	p->place_count = 0;
	for (size_t n = 0; n < p->count; n++) {
		const struct core_profile *i = &p->insns[n];
		const struct trace_symbol *s = trace_symbol_at(info, i->pc);

		if (!last || last->symbol != s) {
			last = &p->places[p->place_count++];
			*last = (struct place) { .from = i->pc, .symbol = s };
			last->passes = i->committed;
		}
		last->to = i->pc + 4;
		last->committed += i->committed;
		last->lost += i->lost;
	}
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

/* A direct branch to an earlier address closes a loop; its delay slot belongs to it. */
static void find_loops(struct profile *p, const struct trace_info *info)
{
	p->place_count = 0;
	for (size_t n = 0; n < p->count; n++) {
		const struct core_profile *i = &p->insns[n];
		uint64_t target = i->pc + (uint64_t)(int64_t)i->insn->imm;
		struct place *l = &p->places[p->place_count];

		if (!(i->insn->flags & INSN_CTI) || i->insn->flags & (INSN_INDIRECT | INSN_CALL) ||
		    target > i->pc || !i->committed)
			continue;
		*l = (struct place) { .from = target, .to = i->pc + 8, .passes = i->committed,
		                      .symbol = trace_symbol_at(info, i->pc) };
		for (size_t k = first_at(p, target); k < p->count && p->insns[k].pc < l->to; k++) {
			l->committed += p->insns[k].committed;
			l->lost += p->insns[k].lost;
		}
		p->place_count++;
	}
}

static int by_slots(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	uint64_t s = x->committed + x->lost, t = y->committed + y->lost;

	if (s != t)
		return s > t ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static void print_places(struct profile *p, const struct core_stats *s, double width,
                         const char *name, const char *doc, unsigned top, struct report *r)
{
	static const struct report_column columns[] = {
		{ "place", "" }, { "from", "" }, { "to", "" }, { "passes", "times" },
		{ "instructions", "insns" }, { "cycles", "cycles" }, { "share", "%" }, { "ipc", "insn/cycle" },
	};

	qsort(p->places, p->place_count, sizeof(*p->places), by_slots);
	report_table(r, name, doc, columns, 8);
	for (size_t n = 0; n < p->place_count && n < top; n++) {
		const struct place *l = &p->places[n];
		double cycles = (double)(l->committed + l->lost) / width;
		char from[20], to[20];

		snprintf(from, sizeof(from), "0x%" PRIx64, l->from);
		snprintf(to, sizeof(to), "0x%" PRIx64, l->to);
		report_cell_text(r, l->symbol ? l->symbol->name : "?");
		report_cell_text(r, from);
		report_cell_text(r, to);
		report_cell_u64(r, l->passes);
		report_cell_u64(r, l->committed);
		report_cell_f64(r, cycles);
		report_cell_f64(r, s->cycles ? 100 * cycles / (double)s->cycles : 0);
		report_cell_f64(r, cycles > 0 ? (double)l->committed / cycles : 0);
	}
	report_table_end(r);
}

int core_report_profile(const struct core *c, const struct core_config *cfg,
                        const struct trace_info *info, unsigned top, struct report *r,
                        struct err *e)
{
	struct profile p = { 0 };
	int ret = gather(c, &p, e);

	if (ret == 0) {
		find_functions(&p, info);
		print_places(&p, core_stats(c), cfg->core.commit_width, "functions",
			"commit slots used by a function, or lost while it was oldest, in cycles", top, r);
		find_loops(&p, info);
		print_places(&p, core_stats(c), cfg->core.commit_width, "loops",
			"the same for the code between a backward branch and its target", top, r);
	}
	free(p.insns);
	free(p.places);
	return ret;
}
