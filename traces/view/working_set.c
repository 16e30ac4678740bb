#include "working_set.h"

#include "../../isa/simd.h"

enum { WINDOW_BYTES = 128 }; /* 16 registers that a spill or fill moves */

int working_set_init(struct working_set *w, struct err *e)
{
	*w = (struct working_set){0};
	if (stack_init(&w->code, e) < 0)
		return -1;
	if (stack_init(&w->data, e) < 0) {
		stack_finish(&w->code);
		return -1;
	}
	return 0;
}

void working_set_finish(struct working_set *w)
{
	stack_finish(&w->code);
	stack_finish(&w->data);
}

static int working_set_touch(struct stack *s, uint64_t first, uint64_t bytes, struct err *e)
{
	const uint64_t end = (first + bytes - 1) >> LINE_BITS;
	for (uint64_t line = first >> LINE_BITS; line <= end; line++)
		if (stack_touch(s, line, e) < 0)
			return -1;
	return 0;
}

int working_set_add(struct working_set *w, const struct trace_step *step, struct err *e)
{
	const struct trace_block *b = step->block;
	const uint64_t *ea = step->ea;
	w->insns += b->count;
	if (working_set_touch(&w->code, b->pc, 4 * (uint64_t)b->count, e) < 0)
		return -1;
	if (b->memory_count == 0)
		return 0;
	for (uint32_t i = 0; i < b->count; i++) {
		const struct insn *insn = &b->insns[i];
		const unsigned addresses = insn_address_count(insn);
		if (addresses == 0)
			continue;
		const uint64_t address = *ea;
		ea += addresses;
		/* buffer memory and transfers bypass the caches */
		if (addresses > 1 || simd_in_window(address))
			continue;
		const bool window = insn->flags & (INSN_SAVE | INSN_RESTORE | INSN_FLUSHW);
		if (window && address == 0)
			continue; /* nothing was spilled or filled */
		if (working_set_touch(&w->data, address, window ? WINDOW_BYTES : insn->size ? insn->size : 1, e) < 0)
			return -1;
	}
	return 0;
}

static void report_stack(const struct stack *s, const char *name, const char *doc, struct report *r)
{
	const uint64_t pages = stack_distinct(s, PAGE_BITS - LINE_BITS);
	unsigned bits = 0;
	while (bits < STACK_BUCKETS - 1 && 100 * (stack_misses(s, bits) - s->count) > s->accesses)
		bits++;
	report_group(r, name, doc);
	report_u64(r, "accesses", s->accesses, "", "accesses to 64-byte lines");
	report_u64(r, "lines", s->count, "", "different lines of 64 bytes");
	report_f64(r, "line_kib", (double)s->count / 16, "KiB", "size of these lines");
	report_u64(r, "pages", pages, "", "different pages of 8 KiB");
	report_f64(r, "page_kib", (double)pages * 8, "KiB", "size of these pages");
	report_f64(r, "holds_99", (double)((uint64_t)1 << bits) / 16, "KiB",
		   "smallest power-of-two size of a fully associative LRU cache that at most 1 % of the accesses miss, "
		   "excluding first accesses");
	report_end(r);
}

static double per_1000(uint64_t n, uint64_t insns)
{
	return insns ? 1000.0 * (double)n / (double)insns : 0;
}

void working_set_report(const struct working_set *w, struct report *r)
{
	static const struct report_column columns[] = {
		{"size", "KiB"},
		{"code_misses", ""},
		{"code_per_1000", "/1000 instructions"},
		{"data_misses", ""},
		{"data_per_1000", "/1000 instructions"},
	};
	report_group(r, "working_set",
		     "lines and pages accessed; caches are fully associative with "
		     "LRU replacement, misses include first accesses");
	report_u64(r, "instructions", w->insns, "", "instructions executed");
	report_stack(&w->code, "code", "instruction fetches, by block", r);
	report_stack(&w->data, "data", "loads, stores, prefetches, window spills and fills", r);
	report_table(r, "sizes", "misses by cache size", columns, 5);
	for (unsigned bits = 4; bits <= 20; bits++) { /* 1 KiB to 64 MiB */
		const uint64_t code = stack_misses(&w->code, bits), data = stack_misses(&w->data, bits);
		report_cell_f64(r, (double)((uint64_t)1 << bits) / 16);
		report_cell_u64(r, code);
		report_cell_f64(r, per_1000(code, w->insns));
		report_cell_u64(r, data);
		report_cell_f64(r, per_1000(data, w->insns));
	}
	report_table_end(r);
	report_end(r);
}
