#include "list.h"

#include <inttypes.h>
#include <string.h>

#include "../../isa/simd.h"
#include "../../psim/base/escape.h"

/* The outcome of the branch at `pc`, if the run at `next` followed it. */
static const char *outcome(const struct insn *insn, uint64_t pc, const uint64_t *next)
{
	if (!(insn->flags & INSN_CTI) || !(insn->flags & INSN_COND) || !next || *next == pc + 4)
		return "";
	return *next == pc + 8 ? "  not taken" : "  taken";
}

/* Prints " @0x100000 @0x500000000000 64x8+512": memory, window, pieces x bytes + stride. */
static void print_transfer(const struct insn *insn, const uint64_t *ea, char *out, size_t size)
{
	const struct simd_transfer t = simd_transfer_unpack(ea[2], insn->asi);
	snprintf(out, size, "  @0x%" PRIx64 " @0x%" PRIx64 " %" PRIu32 "x%" PRIu32 "%+" PRId64, ea[0], ea[1], t.pieces,
		 t.bytes, t.stride);
}

static void print_insn(const struct list *l, uint64_t number, uint64_t pc, const struct insn *insn, const uint64_t *ea,
		       const char *note)
{
	const struct trace_symbol *s = trace_symbol_at(l->info, pc);
	char text[128], name[64] = "", place[96] = "", address[96] = "";
	insn_print(insn, pc, text, sizeof(text));
	if (s) {
		escape_copy(name, sizeof(name), s->name);
		snprintf(place, sizeof(place), "<%s+0x%" PRIx64 ">", name, pc - s->address);
	}
	if (ea && insn->flags & INSN_TRANSFER)
		print_transfer(insn, ea, address, sizeof(address));
	else if (ea)
		snprintf(address, sizeof(address), "  @0x%" PRIx64, *ea);
	if (*address || *note)
		fprintf(l->out, "%10" PRIu64 "  %10" PRIx64 "  %-28s  %-36s%s%s\n", number, pc, place, text, address,
			note);
	else
		fprintf(l->out, "%10" PRIu64 "  %10" PRIx64 "  %-28s  %s\n", number, pc, place, text);
}

/* Prints the source line of the instruction at `pc` if it differs from that of the one before. */
static void print_line(struct list *l, uint64_t pc)
{
	const struct trace_line *line = trace_line_at(l->info, pc), *last = l->line;
	char name[128];

	l->line = line;
	if (line && last && line->file == last->file && line->line == last->line)
		return;
	if (line) {
		escape_copy(name, sizeof(name), trace_line_file(l->info, line));
		fprintf(l->out, "# %s:%" PRIu32 "\n", name, line->line);
	} else if (last) {
		fprintf(l->out, "# source unknown\n");
	}
}

static void print_run(struct list *l, const uint64_t *next)
{
	const struct trace_block *b = l->block;
	const uint64_t *ea = l->ea;
	l->block = NULL;
	for (uint32_t i = 0; i < b->count; i++) {
		const uint64_t number = l->position + i, pc = b->pc + 4 * (uint64_t)i;
		const unsigned addresses = insn_address_count(&b->insns[i]);
		const uint64_t *mine = addresses ? ea : NULL;
		ea += addresses;
		if (number < l->first || number >= l->end)
			continue;
		print_line(l, pc);
		print_insn(l, number, pc, &b->insns[i], mine, outcome(&b->insns[i], pc, next));
	}
}

void list_run(struct list *l, const struct trace_step *step, uint64_t position)
{
	if (l->block)
		print_run(l, &step->block->pc);
	l->block = step->block;
	l->position = position;
	if (step->block->memory_count)
		memcpy(l->ea, step->ea, step->block->memory_count * sizeof(*step->ea));
}

void list_region(struct list *l, const char *name, bool begin)
{
	char text[TRACE_NAME_MAX];
	escape_copy(text, sizeof(text), name);
	list_flush(l);
	fprintf(l->out, "# region %s %s\n", text, begin ? "begins" : "ends");
}

void list_warm_up(struct list *l, bool begin)
{
	list_flush(l);
	fprintf(l->out, "# warm-up %s\n", begin ? "begins" : "ends");
}

void list_flush(struct list *l)
{
	if (l->block)
		print_run(l, NULL);
}
