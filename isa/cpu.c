/* State: reset, address translation, the guest's FP environment. */
#include "cpu.h"

#include <string.h>

#include "exec.h"
#include "exec_memory.h"
#include "simd.h"

void cpu_init(struct cpu *c, struct cpu_memory *memory)
{
	memset(c, 0, sizeof(*c));
	c->memory = memory;
	c->cansave = CPU_WINDOWS - 2;
	c->fprs = FPRS_FEF;
	cpu_flush_tlb(c);
}

void cpu_flush_tlb(struct cpu *c)
{
	for (unsigned k = 0; k < CPU_TLB_SIZE; k++)
		c->tlb[k] = (struct cpu_tlb_entry){.read_page = ~0ull, .write_page = ~0ull};
}

uint8_t *cpu_tlb_fill(struct cpu *c, uint64_t ea, enum cpu_access access)
{
	uint64_t page = ea >> CPU_PAGE_BITS;
	struct cpu_tlb_entry *e = &c->tlb[page % CPU_TLB_SIZE];
	/* no page covers a window */
	uint8_t *host = simd_in_window(ea) ? NULL : c->memory->page(c->memory, ea, access);

	if (!host)
		return NULL;
	if (e->read_page != page && e->write_page != page)
		e->read_page = e->write_page = ~0ull;
	e->host = host;
	if (access == CPU_READ)
		e->read_page = page;
	else
		e->write_page = page;
	return host + ea % CPU_PAGE_SIZE;
}

void fp_set_host_rounding(const struct cpu *c)
{
	static const int mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

	fesetround(mode[fp_rounding(c)]);
}

/* Accrues the host's exception flags in FSR.aexc. */
static void accrue_host_exceptions(struct cpu *c)
{
	int host = fetestexcept(FE_ALL_EXCEPT);
	unsigned accrued = 0;

	if (host & FE_INVALID)
		accrued |= FP_NV;
	if (host & FE_OVERFLOW)
		accrued |= FP_OF;
	if (host & FE_UNDERFLOW)
		accrued |= FP_UF;
	if (host & FE_DIVBYZERO)
		accrued |= FP_DZ;
	if (host & FE_INEXACT)
		accrued |= FP_NX;
	c->fsr |= (uint64_t)accrued << 5;
}

void cpu_fp_enter(struct cpu *c, fenv_t *host)
{
	fegetenv(host);
	fesetenv(FE_DFL_ENV);
	fp_set_host_rounding(c);
	c->fp_entered = true;
}

void cpu_fp_leave(struct cpu *c, const fenv_t *host)
{
	accrue_host_exceptions(c);
	c->fp_entered = false;
	fesetenv(host);
}

uint64_t cpu_fsr(struct cpu *c)
{
	if (c->fp_entered)
		accrue_host_exceptions(c);
	fp_settle(c);
	return c->fsr;
}

void cpu_set_fsr(struct cpu *c, uint64_t value)
{
	c->fp_pending = OP_ILLEGAL;
	c->fsr = (c->fsr & ~FSR_WRITABLE) | (value & FSR_WRITABLE);
	if (c->fp_entered) {
		feclearexcept(FE_ALL_EXCEPT);
		fp_set_host_rounding(c);
	}
}
