#include "simd_machine.h"

#include <string.h>

struct machine *simd_machine(unsigned pes)
{
	static struct simd_array array;
	static uint64_t sbm[SIMD_PES_MAX * SBM / 8];
	struct machine *m = machine_new();

	memset(sbm, 0, sizeof(sbm));
	simd_array_init(&array, pes, SBM, sbm);
	array.units = (1u << SIMD_UNIT_COUNT) - 1;
	m->cpu.array = &array;
	return m;
}

void set_pe(struct machine *m, unsigned pe, unsigned n, double v)
{
	m->cpu.array->d[n / 2][pe] = d_bits(v);
}

double get_pe(const struct machine *m, unsigned pe, unsigned n)
{
	uint64_t bits = m->cpu.array->d[n / 2][pe];
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

enum simd_fault fault_of(const struct machine *m, enum cpu_trap trap)
{
	return trap == TRAP_SIMD ? (enum simd_fault)m->cpu.array->fault : SIMD_FAULT_NONE;
}

uint32_t simd_op(unsigned opf, unsigned rd, unsigned rs1, unsigned rs2)
{
	return fpop(0x36, opf, rd, rs1, rs2);
}

uint32_t fma_op(unsigned size, unsigned var, unsigned rd, unsigned rs1, unsigned rs2, unsigned rs3)
{
	return rrr(2, 0x37, dreg(rd), dreg(rs1), dreg(rs2)) | dreg(rs3) << 9 | var << 7 | size << 5;
}

uint32_t transfer_op(unsigned op3, unsigned rd, unsigned rs1, unsigned rs2, bool deal)
{
	return rrr(3, op3, rd, rs1, rs2) | (uint32_t)deal << 5;
}

uint32_t wait_op(unsigned count)
{
	return rri(3, SXWAIT, 0, 0, (int)count);
}
