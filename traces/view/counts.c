#include "counts.h"

#include <string.h>

/*
 * Finds the conditional branch that ends a block: the last instruction (slot annulled), or the
 * one before its slot.
 */
static uint64_t find_branch(const struct trace_block *b)
{
	for (uint32_t back = 1; back <= 2 && back <= b->count; back++) {
		const struct insn *i = &b->insns[b->count - back];
		if (i->flags & INSN_CTI)
			return i->flags & INSN_COND ? b->pc + 4 * (uint64_t)(b->count - back) : 0;
	}
	return 0;
}

static int counts_grow(struct counts *c, const struct trace_block *block, struct err *e)
{
	while (c->blocks.count <= block->id) {
		struct block_count *b = vec_push(&c->blocks, e);
		if (!b)
			return -1;
		*b = (struct block_count){0};
	}
	struct block_count *b = &c->blocks.at[block->id];
	b->block = block;
	b->branch_pc = find_branch(block);
	return 0;
}

int counts_add(struct counts *c, const struct trace_block *block, struct err *e)
{
	if ((block->id >= c->blocks.count || !c->blocks.at[block->id].block) && counts_grow(c, block, e) < 0)
		return -1;
	struct block_count *b = &c->blocks.at[block->id];
	b->runs++;
	c->runs++;
	c->insns += block->count;
	/* at branch + 4 the slot is a block of its own, and the outcome is not known yet */
	if (c->pending_pc && block->pc != c->pending_pc + 4) {
		c->conditional++;
		c->taken += block->pc != c->pending_pc + 8;
		c->pending_pc = 0;
	}
	if (b->branch_pc)
		c->pending_pc = b->branch_pc;
	return 0;
}

void counts_finish(struct counts *c)
{
	vec_finish(&c->blocks);
}

struct row {
	uint64_t insns;
	unsigned index;
};

static int by_insns(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->insns != y->insns)
		return x->insns < y->insns ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static double counts_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

struct mix {
	uint64_t by_class[CLASS_COUNT];
	struct row by_opcode[OP_COUNT];
	uint64_t loads, stores, prefetches, simd, cross, transfers, modes;
};

static void counts_add_block(struct mix *m, const struct block_count *b)
{
	for (uint32_t k = 0; b->runs && k < b->block->count; k++) {
		const struct insn *i = &b->block->insns[k];
		m->by_class[i->class] += b->runs;
		m->by_opcode[i->opcode].insns += b->runs;
		m->loads += i->flags & INSN_LOAD ? b->runs : 0;
		m->stores += i->flags & INSN_STORE ? b->runs : 0;
		m->prefetches += i->flags & INSN_PREFETCH ? b->runs : 0;
		m->simd += i->flags & INSN_SIMD ? b->runs : 0;
		m->cross += i->flags & INSN_CROSS ? b->runs : 0;
		m->transfers += i->flags & INSN_TRANSFER ? b->runs : 0;
		m->modes += i->flags & INSN_MODE ? b->runs : 0;
	}
}

static void counts_report_classes(const struct counts *c, const struct mix *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"class", ""},
		{"instructions", ""},
		{"share", "%"},
	};
	report_table(r, "classes", "instructions by execution class", columns, 3);
	for (unsigned i = 0; i < CLASS_COUNT; i++) {
		if (!m->by_class[i])
			continue;
		report_cell_text(r, insn_class_name[i]);
		report_cell_u64(r, m->by_class[i]);
		report_cell_f64(r, counts_percent(m->by_class[i], c->insns));
	}
	report_table_end(r);
}

static void report_opcodes(const struct counts *c, struct mix *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"opcode", ""},
		{"instructions", ""},
		{"share", "%"},
	};
	qsort(m->by_opcode, OP_COUNT, sizeof(m->by_opcode[0]), by_insns);
	report_table(r, "opcodes", "instructions by opcode, in descending order", columns, 3);
	for (unsigned i = 0; i < OP_COUNT && m->by_opcode[i].insns; i++) {
		report_cell_text(r, insn_row((enum opcode)m->by_opcode[i].index)->name);
		report_cell_u64(r, m->by_opcode[i].insns);
		report_cell_f64(r, counts_percent(m->by_opcode[i].insns, c->insns));
	}
	report_table_end(r);
}

int counts_report_mix(const struct counts *c, struct report *r, struct err *e)
{
	(void)e;
	struct mix m = {0};
	for (unsigned i = 0; i < OP_COUNT; i++)
		m.by_opcode[i].index = i;
	for (size_t i = 0; i < c->blocks.count; i++)
		counts_add_block(&m, &c->blocks.at[i]);
	report_group(r, "mix", "executed instructions");
	report_u64(r, "instructions", c->insns, "", "instructions executed");
	report_u64(r, "loads", m.loads, "", "memory reads, including atomics");
	report_u64(r, "stores", m.stores, "", "memory writes, including atomics");
	report_u64(r, "prefetches", m.prefetches, "", "software prefetches");
	if (m.simd || m.transfers || m.modes) {
		report_u64(r, "simd", m.simd, "", "instructions on all PEs of the SIMD array");
		report_u64(r, "cross", m.cross, "", "instructions that read operands of the partner PE");
		report_u64(r, "mode_changes", m.modes, "", "executions of simdon and simdoff");
		report_u64(r, "transfers", m.transfers, "", "transfers between memory and buffer memories");
	}
	report_u64(r, "conditional_branches", c->conditional, "", "branches whose outcome is in the trace");
	report_f64(r, "taken", counts_percent(c->taken, c->conditional), "%", "share of these branches that are taken");
	report_f64(r, "block_length", c->runs ? (double)c->insns / (double)c->runs : 0, "instructions",
		   "mean length of a run between two control transfers");
	counts_report_classes(c, &m, r);
	report_opcodes(c, &m, r);
	report_end(r);
	return 0;
}

/* ---- functions ---- */

struct function {
	struct row row; /* index of its symbol; symbol_count: code without a symbol */
	uint64_t entries;
	uint64_t static_insns;
};

static void add_functions(const struct block_count *b, const struct trace_info *info, struct function *f)
{
	const struct trace_symbol *s = NULL;
	for (uint32_t k = 0; k < b->block->count; k++) {
		uint64_t pc = b->block->pc + 4 * (uint64_t)k;
		if (!s || s->size == 0 || pc - s->address >= s->size)
			s = trace_symbol_at(info, pc);
		struct function *to = &f[s ? (size_t)(s - info->symbols) : info->symbol_count];
		to->row.insns += b->runs;
		to->static_insns++;
		if (s && pc == s->address)
			to->entries += b->runs;
	}
}

static int function_by_insns(const void *a, const void *b)
{
	return by_insns(&((const struct function *)a)->row, &((const struct function *)b)->row);
}

static void report_functions(const struct counts *c, const struct trace_info *info, unsigned top,
			     const struct function *f, struct report *r)
{
	static const struct report_column columns[] = {
		{"function", ""},    {"instructions", ""}, {"share", "%"},
		{"cumulative", "%"}, {"entries", ""},      {"per_entry", "instructions"},
	};
	uint64_t sum = 0;
	report_table(r, "functions", "instructions by function, in descending order", columns, 6);
	for (unsigned i = 0; i <= info->symbol_count && f[i].row.insns && (!top || i < top); i++) {
		const unsigned k = f[i].row.index;
		sum += f[i].row.insns;
		report_cell_text(r, k < info->symbol_count ? info->symbols[k].name : "(no symbol)");
		report_cell_u64(r, f[i].row.insns);
		report_cell_f64(r, counts_percent(f[i].row.insns, c->insns));
		report_cell_f64(r, counts_percent(sum, c->insns));
		report_cell_u64(r, f[i].entries);
		report_cell_f64(r, f[i].entries ? (double)f[i].row.insns / (double)f[i].entries : 0);
	}
	report_table_end(r);
}

int counts_report_functions(const struct counts *c, const struct trace_info *info, unsigned top, struct report *r,
			    struct err *e)
{
	struct function *f = calloc((size_t)info->symbol_count + 1, sizeof(*f));
	if (!f)
		return err_set(e, STATUS_FAILED, "out of memory");
	for (unsigned i = 0; i <= info->symbol_count; i++)
		f[i].row.index = i;
	for (size_t i = 0; i < c->blocks.count; i++)
		if (c->blocks.at[i].runs)
			add_functions(&c->blocks.at[i], info, f);
	qsort(f, (size_t)info->symbol_count + 1, sizeof(*f), function_by_insns);
	report_functions(c, info, top, f, r);
	free(f);
	return 0;
}
