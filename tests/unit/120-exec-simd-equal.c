/*
 * Random programs for the array: what PE k holds after one is what a scalar
 * processor holds that ran the same words on PE k's data. The words are those of
 * simd_v9.def; loads and stores are relative to %o1, which is the window of all
 * PEs here and ordinary memory there.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "isa/simd.h"
#include "simd_machine.h"

enum { LENGTH = 60, PROGRAMS = 150 };

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const enum opcode opcodes[] = {
#define W(op) OP_##op,
#include "isa/simd_v9.def"
#undef W
};

/* Mostly numbers whose sums and products stay in range, some of any kind. */
static uint64_t draw_double(void)
{
	static const uint64_t special[] = {
		0,
		1,
		0x000fffffffffffff,
		0x0010000000000000,
		0x7fefffffffffffff,
		0x7ff0000000000000,
		0x7ff8000000000000,
		0x7ff0000000000001,
		0x3ff0000000000000,
		0x41efffffffe00000,
	};
	uint64_t r = draw();

	if (r % 16 == 0)
		return special[draw() % 10] | (r & 16) << 59;
	if (r % 16 == 1)
		return draw();
	if (r % 16 < 8) /* two singles of 2^-8 to 2^8 */
		return (0x3b800000ull + draw() % 0x08000000) << 32 | (0x3b800000 + draw() % 0x08000000);
	return 0x3f80000000000000 + draw() % 0x00ffffffffffffff;
}

static uint32_t draw_word(void)
{
	const struct insn_row *row = insn_row(opcodes[draw() % (sizeof(opcodes) / sizeof(*opcodes))]);
	struct insn i;
	uint32_t word;

	if (row->flags & (INSN_LOAD | INSN_STORE)) {
		word = row->match | (uint32_t)(draw() % 32) << 25 | O1 << 14 | 1u << 13;
		return word | (uint32_t)(draw() % (SBM / 8)) * 8;
	}
	do
		word = row->match | ((uint32_t)draw() & ~row->mask);
	while (insn_decode(word, &i), i.opcode == OP_ILLEGAL);
	return word;
}

struct state {
	uint64_t d[32], memory[SBM / 8];
	uint64_t accrued; /* FSR.aexc */
};

struct program {
	uint32_t words[LENGTH];
	uint64_t fsr;
	bool fused;
};

static void draw_program(struct program *p)
{
	for (unsigned n = 0; n < LENGTH; n++)
		p->words[n] = draw_word();
	p->fsr = (draw() & 3) << 30; /* the rounding mode */
	p->fused = draw() % 4 == 0;
}

static void execute(struct machine *m, const struct program *p, uint64_t address)
{
	cpu_set_fsr(&m->cpu, p->fsr);
	m->cpu.fma_fused = p->fused;
	m->cpu.r[O1] = address;
	for (unsigned n = 0; n < LENGTH; n++) {
		m->cpu.pc = CODE;
		m->cpu.npc = CODE + 4;
		m->cpu.ea_log = m->ea;
		CHECK_U64(run(m, p->words[n]), TRAP_NONE);
	}
}

static void run_scalar(const struct program *p, struct state *s)
{
	struct machine *m = machine_new();

	memcpy(m->cpu.d, s->d, sizeof(s->d));
	for (unsigned w = 0; w < SBM / 8; w++)
		poke(m, DATA + 8 * w, s->memory[w]);
	execute(m, p, DATA);
	memcpy(s->d, m->cpu.d, sizeof(s->d));
	for (unsigned w = 0; w < SBM / 8; w++)
		s->memory[w] = peek(m, DATA + 8 * w);
	s->accrued = cpu_fsr(&m->cpu) >> 5 & 31;
}

/* In: the PEs' states, out: their states after it; accrued is that of all. */
static uint64_t run_array(const struct program *p, struct state *pe, unsigned pes)
{
	struct machine *m = simd_machine(pes);
	struct simd_array *a = m->cpu.array;

	for (unsigned k = 0; k < pes; k++) {
		for (unsigned n = 0; n < 32; n++)
			a->d[n][k] = pe[k].d[n];
		for (unsigned w = 0; w < SBM / 8; w++)
			simd_array_poke(a, k, 8 * w, 8, pe[k].memory[w]);
	}
	m->cpu.simd = true;
	execute(m, p, SIMD_ALL_BASE);
	for (unsigned k = 0; k < pes; k++) {
		for (unsigned n = 0; n < 32; n++)
			pe[k].d[n] = a->d[n][k];
		for (unsigned w = 0; w < SBM / 8; w++)
			pe[k].memory[w] = simd_array_peek(a, k, 8 * w, 8);
	}
	return cpu_fsr(&m->cpu) >> 5 & 31;
}

static void pes_compute_what_scalar_processors_compute(void)
{
	static const unsigned sizes[] = {1, 2, 16, 32};
	static struct state before[SIMD_PES_MAX], after[SIMD_PES_MAX];

	for (unsigned n = 0; n < PROGRAMS; n++) {
		unsigned pes = sizes[n % 4];
		struct program p;
		uint64_t accrued = 0;

		draw_program(&p);
		for (unsigned k = 0; k < pes; k++) {
			for (unsigned r = 0; r < 32; r++)
				before[k].d[r] = draw_double();
			for (unsigned w = 0; w < SBM / 8; w++)
				before[k].memory[w] = draw_double();
		}
		memcpy(after, before, sizeof(after));
		uint64_t of_all = run_array(&p, after, pes);

		for (unsigned k = 0; k < pes; k++) {
			run_scalar(&p, &before[k]);
			accrued |= before[k].accrued;
			for (unsigned r = 0; r < 32; r++)
				CHECK_HEX(after[k].d[r], before[k].d[r]);
			CHECK(memcmp(after[k].memory, before[k].memory, SBM) == 0);
		}
		CHECK_HEX(of_all, accrued);
	}
}

/* Rows of registers beyond the PEs stay zero. */
static void nothing_is_written_beyond_the_pes(void)
{
	struct machine *m = simd_machine(3);

	m->cpu.simd = true;
	m->cpu.r[O1] = SIMD_ALL_BASE;
	for (unsigned n = 0; n < 500; n++) {
		m->cpu.pc = CODE;
		m->cpu.npc = CODE + 4;
		m->cpu.ea_log = m->ea;
		run(m, draw_word());
	}
	for (unsigned r = 0; r < 32; r++)
		for (unsigned k = 3; k < SIMD_PES_MAX; k++)
			CHECK_HEX(m->cpu.array->d[r][k], 0);
}

static const struct tap_test tests[] = {
	{"PEs compute what scalar processors compute", pes_compute_what_scalar_processors_compute},
	{"nothing is written beyond the PEs", nothing_is_written_beyond_the_pes},
};

int main(void)
{
	return tap_main("exec simd equal", tests, TAP_COUNT(tests));
}
