/*
 * The SIMD array of a guest, and faults of its use. A fault is no signal, since no hardware
 * defines one; it ends the recording with a message that names the place.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../isa/simd_array.h"
#include "guest.h"
#include "source_line.h"

static struct simd_array *make_array(const struct guest_options *o)
{
	unsigned pes = o->pes;
	uint32_t sbm_bytes = o->sbm_bytes;
	struct simd_array *a = malloc(sizeof(*a));
	uint64_t *sbm = calloc(1, simd_array_bytes(pes, sbm_bytes));

	if (!a || !sbm) {
		free(a);
		free(sbm);
		return NULL;
	}
	simd_array_init(a, pes, sbm_bytes, sbm);
	a->units = o->units;
	return a;
}

static void free_array(struct simd_array *a)
{
	if (a)
		free(a->sbm);
	free(a);
}

int guest_make_array(struct guest *g, unsigned place, struct simd_array **out)
{
	*out = NULL;
	if (!g->options.pes)
		return 0;
	free_array(g->array[place]);
	*out = g->array[place] = make_array(&g->options);
	return *out ? 0 : -1;
}

void guest_free_arrays(struct guest *g)
{
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		free_array(g->array[n]);
	g->cpu.array = NULL;
}

bool guest_must_declare_array(struct guest *g)
{
	bool declares = g->cpu.array && (g->image.simd || g->cpu.array->used);

	g->array_declared |= (uint64_t)declares << g->running;
	return declares;
}

/* Fails with "pc 0x100abc (kernel+0x1c, kernel.c:42): fdivd %f0, %f2, %f4: " and the fault. */
static void simd_fail(struct guest *g, uint32_t word, bool simd, const char *what)
{
	char place[128], line[128], text[64];
	uint64_t pc = g->cpu.pc;
	struct insn i;
	insn_decode_simd(word, simd, &i);
	insn_print(&i, pc, text, sizeof(text));
	source_line(g->options.program, pc, line, sizeof(line));
	guest_fail(g, "pc 0x%" PRIx64 " (%s%s%s): %s: %s", pc, guest_place(g, pc, place, sizeof(place)),
		   *line ? ", " : "", line, text, what);
}

/* Handles an instruction that is illegal in the mode, or that needs a missing array. */
static bool illegal(struct guest *g, uint32_t word)
{
	bool simd = g->cpu.simd;
	struct insn here, there;
	insn_decode_simd(word, simd, &here);
	insn_decode_simd(word, !simd, &there);
	const struct insn *i = here.opcode != OP_ILLEGAL ? &here : &there;
	if (i->opcode >= OP_SIMD_FIRST && !g->cpu.array)
		simd_fail(g, word, i->flags & INSN_SIMD, "no SIMD array (--pes 0)");
	else if (here.opcode != OP_ILLEGAL || there.opcode == OP_ILLEGAL)
		return false;
	else if (simd)
		simd_fail(g, word, false,
			  "instruction illegal in SIMD mode: simdoff is missing, or the compiler moved the instruction "
			  "(see "
			  "docs/models/simd-isa.md)");
	else
		simd_fail(g, word, true, "instruction needs SIMD mode: simdon is missing");
	return true;
}

static void simd_misuse(struct guest *g, uint32_t word, enum simd_fault fault, uint64_t value)
{
	char what[256], number[32];
	if (simd_fault_shows(fault) == SIMD_SHOWS_ADDRESS)
		snprintf(number, sizeof(number), "0x%" PRIx64, value);
	else
		snprintf(number, sizeof(number), "%" PRIu64, value);
	snprintf(what, sizeof(what), "%s (%s; %u PEs, %" PRIu32 " bytes each)", simd_fault_text(fault), number,
		 g->cpu.array->pes, g->cpu.array->sbm_bytes);
	simd_fail(g, word, g->cpu.simd, what);
}

bool guest_simd_trap(struct guest *g, enum cpu_trap trap, uint32_t word)
{
	if (trap == TRAP_ILLEGAL)
		return illegal(g, word);
	if (!g->cpu.array)
		return false;
	if (trap == TRAP_SIMD) {
		simd_misuse(g, word, (enum simd_fault)g->cpu.array->fault, g->cpu.array->fault_value);
		return true;
	}
	if ((trap != TRAP_ACCESS && trap != TRAP_ALIGNMENT && trap != TRAP_PRIVILEGED_ACTION) ||
	    !simd_in_window(g->cpu.fault_address))
		return false;
	simd_misuse(g, word, trap == TRAP_ALIGNMENT ? SIMD_FAULT_MISALIGNED : SIMD_FAULT_KIND, g->cpu.fault_address);
	return true;
}

void guest_simd_check(struct guest *g)
{
	if (g->end != GUEST_FAILED && g->cpu.array && g->cpu.array->used && !(g->array_declared >> g->running & 1))
		guest_fail(g, "the SIMD array is used, but the program had no simdon or rdsimd in "
			      "its code when the trace began");
}
