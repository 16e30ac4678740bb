#include <string.h>

#include "isa/exec_memory.h"

#include "exec_machine.h" /* its names of flags would hide parameters of the headers above */

static uint8_t *page(struct cpu_memory *memory, uint64_t address, enum cpu_access access)
{
	struct machine *m = (struct machine *)((char *)memory - offsetof(struct machine, memory));
	uint64_t base = address & ~0x1fffull;

	if (base < CODE || base >= END || base == HOLE || (base == READ_ONLY && access == CPU_WRITE))
		return NULL;
	return m->ram + (base - CODE);
}

struct machine *machine_new(void)
{
	static struct machine m;

	memset(&m, 0, sizeof(m));
	m.memory.page = page;
	cpu_init(&m.cpu, &m.memory);
	m.cpu.ea_log = m.ea;
	m.cpu.pc = CODE;
	m.cpu.npc = CODE + 4;
	return &m;
}

enum cpu_trap step(struct machine *m)
{
	struct cpu *c = &m->cpu;
	const uint8_t *at = c->pc % 4 ? NULL : mem_read(c, c->pc);
	bool entered = c->fp_entered;
	enum cpu_trap trap;
	struct insn i;
	fenv_t host;

	if (!at)
		return mem_fault(c, c->pc, c->pc % 4 ? TRAP_ALIGNMENT : TRAP_ACCESS);
	insn_decode_simd((uint32_t)get_be32(at), c->simd, &i);
	if (!entered)
		cpu_fp_enter(c, &host);
	trap = insn_function(&i)(c, &i);
	if (!entered)
		cpu_fp_leave(c, &host);
	if (trap == TRAP_NONE && !(i.flags & INSN_CTI)) {
		c->pc = c->npc;
		c->npc += 4;
	}
	return trap;
}

enum cpu_trap run(struct machine *m, uint32_t word)
{
	poke32(m, m->cpu.pc, word);
	return step(m);
}

uint64_t peek(const struct machine *m, uint64_t address)
{
	uint64_t value = 0;

	for (unsigned k = 0; k < 8; k++)
		value = value << 8 | m->ram[address - CODE + k];
	return value;
}

void poke(struct machine *m, uint64_t address, uint64_t value)
{
	for (unsigned k = 0; k < 8; k++)
		m->ram[address - CODE + k] = (uint8_t)(value >> (56 - 8 * k));
}

void poke32(struct machine *m, uint64_t address, uint32_t value)
{
	for (unsigned k = 0; k < 4; k++)
		m->ram[address - CODE + k] = (uint8_t)(value >> (24 - 8 * k));
}

uint32_t rrr(unsigned op, unsigned op3, unsigned rd, unsigned rs1, unsigned rs2)
{
	return op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | rs2;
}

uint32_t rri(unsigned op, unsigned op3, unsigned rd, unsigned rs1, int simm13)
{
	return op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | 1u << 13 | ((unsigned)simm13 & 0x1fff);
}

uint32_t asi_access(unsigned op3, unsigned rd, unsigned rs1, unsigned rs2, unsigned asi)
{
	return rrr(3, op3, rd, rs1, rs2) | asi << 5;
}

uint32_t fpop(unsigned op3, unsigned opf, unsigned rd, unsigned rs1, unsigned rs2)
{
	return rrr(2, op3, rd, rs1, rs2) | opf << 5;
}

unsigned dreg(unsigned n)
{
	return (n & 0x1e) | n >> 5;
}

uint64_t d_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

uint32_t f_bits(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}
