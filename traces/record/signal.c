/*
 * Signals of one process: actions set by rt_sigaction, delivery on the guest's stack, and the
 * two context traps. Layouts: struct rt_signal_frame (arch/sparc/kernel/signal_64.c),
 * mcontext_t (uapi/asm/uctx.h).
 *
 * A signal comes from a trap or from the guest itself, never from outside.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "syscall.h"

enum {
	SIG_ILL = 4,
	SIG_TRAP = 5,
	SIG_EMT = 7,
	SIG_FPE = 8,
	SIG_KILL = 9,
	SIG_BUS = 10,
	SIG_SEGV = 11,
	SIG_STOP = 17,
	SIG_CONT = 19,
	SIG_CHLD = 20,
	SIG_URG = 16,
	SIG_WINCH = 28
};
enum { HANDLER_DEFAULT = 0, HANDLER_IGNORE = 1 };
enum { ACTION_NODEFER = 0x20, ACTION_RESETHAND = 0x4, ACTION_ONSTACK = 0x1 };
enum { STACK_ONSTACK = 1, STACK_DISABLE = 2 };

/* Byte offsets in struct rt_signal_frame. */
enum {
	FRAME_INFO = 192,
	FRAME_REGS = 320,
	FRAME_TSTATE = FRAME_REGS + 128,
	FRAME_PC = FRAME_TSTATE + 8,
	FRAME_NPC = FRAME_PC + 8,
	FRAME_Y = FRAME_NPC + 8,
	FRAME_MAGIC = FRAME_Y + 4,
	FRAME_FPU_POINTER = 480,
	FRAME_STACK = 488,
	FRAME_MASK = 512,
	FRAME_RWIN = 520,
	FRAME_FPU = 528,
	FRAME_FSR = FRAME_FPU + 256,
	FRAME_GSR = FRAME_FSR + 8,
	FRAME_FPRS = FRAME_GSR + 8,
	FRAME_SIZE = 816,
};

/* Reads and writes at an address plus offset; records a fault. */
struct frame {
	struct address_space *m;
	uint64_t at;
	bool fault;
};

static uint64_t signal_get(struct frame *f, unsigned offset)
{
	return space_read64(f->m, f->at + offset, &f->fault);
}

static void signal_put(struct frame *f, unsigned offset, uint64_t value)
{
	f->fault |= space_write64(f->m, f->at + offset, value) < 0;
}

static void put32(struct frame *f, unsigned offset, uint32_t value)
{
	f->fault |= space_write32(f->m, f->at + offset, value) < 0;
}

static uint64_t bit(int number)
{
	return (uint64_t)1 << (number - 1);
}

static uint64_t unblockable(void)
{
	return bit(SIG_KILL) | bit(SIG_STOP);
}

static bool ignored_by_default(int number)
{
	return number == SIG_CHLD || number == SIG_URG || number == SIG_WINCH || number == SIG_CONT;
}

static void kill_guest(struct guest *g, const struct guest_cause *cause, const char *what)
{
	char place[128];
	uint64_t pc = g->cpu.pc;
	g->end = GUEST_KILLED;
	g->signal_number = cause->number;
	err_set(&g->error, STATUS_FAILED, "pc 0x%" PRIx64 " (%s): %s: killed by SIG%s", pc,
		guest_place(g, pc, place, sizeof(place)), what, sparc_signal_name(cause->number));
}

static void put_registers(struct guest *g, struct frame *f)
{
	struct cpu *c = &g->cpu;
	for (unsigned i = 0; i < 16; i++)
		signal_put(f, FRAME_REGS + 8 * i, c->r[i]);
	signal_put(f, FRAME_TSTATE, (uint64_t)c->ccr << 32 | (uint64_t)c->asi << 24 | c->cwp | (uint64_t)c->simd << 63);
	signal_put(f, FRAME_PC, c->pc);
	signal_put(f, FRAME_NPC, c->npc);
	put32(f, FRAME_Y, c->y);
	put32(f, FRAME_MAGIC, 0x57ac6c00); /* PT_REGS_MAGIC */
	signal_put(f, FRAME_FPU_POINTER, f->at + FRAME_FPU);
	signal_put(f, FRAME_RWIN, 0);
	for (unsigned i = 0; i < 32; i++)
		signal_put(f, FRAME_FPU + 8 * i, c->d[i]);
	signal_put(f, FRAME_FSR, cpu_fsr(c));
	signal_put(f, FRAME_GSR, c->gsr);
	signal_put(f, FRAME_FPRS, c->fprs);
}

static void put_info(struct guest *g, struct frame *f, const struct guest_cause *cause)
{
	for (unsigned i = 0; i < 128; i += 8)
		signal_put(f, FRAME_INFO + i, 0);
	put32(f, FRAME_INFO, (uint32_t)cause->number);
	put32(f, FRAME_INFO + 8, (uint32_t)cause->code);
	signal_put(f, FRAME_INFO + 16, cause->address);
	signal_put(f, FRAME_STACK, g->alt_stack);
	signal_put(f, FRAME_STACK + 8, (uint64_t)g->alt_flags << 32);
	signal_put(f, FRAME_STACK + 16, g->alt_size);
	signal_put(f, FRAME_MASK, g->blocked);
}

static uint64_t frame_address(const struct guest *g, const struct guest_action *action)
{
	uint64_t sp = g->cpu.r[14] + STACK_BIAS;
	bool on_alt = sp - g->alt_stack < g->alt_size;
	if ((action->flags & ACTION_ONSTACK) && g->alt_size && !on_alt)
		sp = g->alt_stack + g->alt_size;
	return (sp - FRAME_SIZE) & ~(uint64_t)15;
}

/* Starts the handler in the current window, on a frame of its own. */
static bool start_handler(struct guest *g, const struct guest_cause *cause)
{
	struct cpu *c = &g->cpu;
	struct guest_action *action = &g->action[cause->number];
	struct frame f = {&g->memory, frame_address(g, action), false};
	if (cpu_flush_windows(c, NULL))
		return false;
	put_registers(g, &f);
	put_info(g, &f, cause);
	/* the interrupted window's locals and ins, in case it is spilled and filled again */
	for (unsigned i = 0; i < 16; i++)
		signal_put(&f, 8 * i, c->r[16 + i]);
	if (f.fault)
		return false;
	c->r[8] = (uint64_t)cause->number;
	c->r[9] = c->r[10] = f.at + FRAME_INFO;
	c->r[14] = f.at - STACK_BIAS;
	c->r[15] = action->restorer;
	c->simd = false; /* the frame saves the mode bit in a bit of TSTATE that V9 leaves free */
	c->pc = action->handler;
	c->npc = c->pc + 4;
	g->blocked |= action->mask & ~unblockable();
	if (!(action->flags & ACTION_NODEFER))
		g->blocked |= bit(cause->number);
	if (action->flags & ACTION_RESETHAND)
		action->handler = HANDLER_DEFAULT;
	return true;
}

static void signal_deliver(struct guest *g, const struct guest_cause *cause, const char *what)
{
	uint64_t handler = g->action[cause->number].handler;
	if (handler == HANDLER_IGNORE)
		return;
	if (handler == HANDLER_DEFAULT) {
		if (!ignored_by_default(cause->number))
			kill_guest(g, cause, what);
		return;
	}
	if (!start_handler(g, cause)) {
		struct guest_cause segv = {SIG_SEGV, 1, cause->address};
		kill_guest(g, &segv, "no room on the stack for a signal handler");
	}
}

/* A trap's signal can be neither ignored nor delayed. */
static void force(struct guest *g, const struct guest_cause *cause, const char *what)
{
	if (g->action[cause->number].handler == HANDLER_IGNORE || (g->blocked & bit(cause->number)))
		kill_guest(g, cause, what);
	else
		signal_deliver(g, cause, what);
}

static int ieee_code(uint64_t fsr)
{
	unsigned cexc = fsr & 0x1f; /* nv of uf dz nx */
	return cexc & 0x10 ? 7 : cexc & 0x08 ? 4 : cexc & 0x04 ? 5 : cexc & 0x02 ? 3 : 6;
}

static void access_fault(struct guest *g)
{
	char what[128];
	uint64_t address = g->cpu.fault_address;
	if (g->memory.exhausted) {
		guest_fail(g, "host out of memory for the program's pages");
		return;
	}
	bool mapped = address_space_area_at(&g->memory, address) != NULL;
	bool fetch = address == g->cpu.pc && !address_space_allows(&g->memory, address, 4, SPACE_EXEC);
	snprintf(what, sizeof(what), "%s address 0x%" PRIx64 ", which %s",
		 fetch ? "fetch of an instruction from" : "access to", address,
		 !mapped ? "is not mapped"
		 : fetch ? "is not executable"
			 : "is protected");
	force(g, &(struct guest_cause){SIG_SEGV, mapped ? 2 : 1, address}, what);
}

void guest_trap(struct guest *g, enum cpu_trap trap, uint32_t word)
{
	char what[128];
	uint64_t pc = g->cpu.pc;
	struct guest_cause cause = {SIG_ILL, 1, pc};
	switch ((unsigned)trap) {
	case TRAP_ACCESS: access_fault(g); return;
	case TRAP_ALIGNMENT:
		snprintf(what, sizeof(what), "misaligned access to address 0x%" PRIx64, g->cpu.fault_address);
		cause = (struct guest_cause){SIG_BUS, 1, g->cpu.fault_address};
		break;
	case TRAP_DIVISION_BY_ZERO:
		snprintf(what, sizeof(what), "division by zero");
		cause = (struct guest_cause){SIG_FPE, 1, pc};
		break;
	case TRAP_FP_IEEE:
		snprintf(what, sizeof(what), "floating-point exception");
		cause = (struct guest_cause){SIG_FPE, ieee_code(g->cpu.fsr), pc};
		break;
	case TRAP_TAG_OVERFLOW:
		snprintf(what, sizeof(what), "tag overflow");
		cause = (struct guest_cause){SIG_EMT, 1, pc};
		break;
	case TRAP_SOFTWARE + 1:
		snprintf(what, sizeof(what), "breakpoint trap");
		cause = (struct guest_cause){SIG_TRAP, 1, pc};
		break;
	default:
		if ((unsigned)trap >= TRAP_SOFTWARE)
			snprintf(what, sizeof(what), "software trap %u", (unsigned)trap & 0x7f);
		else
			snprintf(what, sizeof(what), "illegal instruction 0x%08" PRIx32, word);
		break;
	}
	force(g, &cause, what);
}

void guest_signal(struct guest *g, int number)
{
	g->pending |= bit(number);
}

void guest_deliver(struct guest *g)
{
	while (g->end == GUEST_RUNS && (g->pending & ~(g->blocked & ~unblockable()))) {
		uint64_t ready = g->pending & ~(g->blocked & ~unblockable());
		int number = __builtin_ctzll(ready) + 1;
		struct guest_cause cause = {number, -6, (uint64_t)GUEST_PID << 32}; /* SI_TKILL */
		g->pending &= ~bit(number);
		signal_deliver(g, &cause, "the program sent itself a signal");
	}
}

void guest_sigreturn(struct guest *g)
{
	struct cpu *c = &g->cpu;
	struct frame f = {&g->memory, c->r[14] + STACK_BIAS, false};
	uint64_t tstate = signal_get(&f, FRAME_TSTATE), pc = signal_get(&f, FRAME_PC), npc = signal_get(&f, FRAME_NPC);
	uint64_t fpu = signal_get(&f, FRAME_FPU_POINTER);
	uint64_t mask = signal_get(&f, FRAME_MASK);
	uint64_t y = signal_get(&f, FRAME_Y);
	for (unsigned i = 1; i < 16; i++)
		c->r[i] = signal_get(&f, FRAME_REGS + 8 * i);
	struct frame fp = {&g->memory, fpu - FRAME_FPU, false};
	for (unsigned i = 0; fpu && i < 32; i++)
		c->d[i] = signal_get(&fp, FRAME_FPU + 8 * i);
	if (fpu) {
		cpu_set_fsr(c, signal_get(&fp, FRAME_FSR));
		c->gsr = signal_get(&fp, FRAME_GSR);
	}
	if (f.fault || fp.fault || ((pc | npc) & 3)) {
		struct guest_cause segv = {SIG_SEGV, 1, f.at};
		kill_guest(g, &segv, "the signal frame is damaged");
		return;
	}
	c->ccr = (uint8_t)(tstate >> 32);
	c->asi = (uint8_t)(tstate >> 24);
	c->simd = tstate >> 63 && c->array;
	c->y = (uint32_t)(y >> 32);
	c->pc = pc;
	c->npc = npc;
	g->blocked = mask & ~unblockable();
}

/* Byte offsets in struct ucontext. */
enum {
	UC_FLAGS = 8,
	UC_MASK = 16,
	UC_REGS = 32,
	UC_PC = UC_REGS + 8,
	UC_NPC = UC_PC + 8,
	UC_Y = UC_NPC + 8,
	UC_G1 = UC_Y + 8,
	UC_FP = UC_REGS + 152,
	UC_I7 = UC_FP + 8,
	UC_FPU = UC_REGS + 176,
	UC_FSR = UC_FPU + 256,
	UC_FPRS = UC_FSR + 8,
	UC_GSR = UC_FPRS + 8,
	UC_FPU_ENABLED = UC_GSR + 8 + 8 + 2,
};

static void skip_trap(struct cpu *c)
{
	c->pc = c->npc;
	c->npc += 4;
}

static void context_fault(struct guest *g)
{
	struct guest_cause segv = {SIG_SEGV, 1, g->cpu.r[8]};
	force(g, &segv, "context outside memory");
}

void guest_getcontext(struct guest *g)
{
	struct cpu *c = &g->cpu;
	struct frame f = {&g->memory, c->r[8], cpu_flush_windows(c, NULL) != TRAP_NONE};
	skip_trap(c);
	for (unsigned i = 0; i < 16; i++) /* the current window is saved on its stack too */
		signal_put(&(struct frame){f.m, c->r[14] + STACK_BIAS, false}, 8 * i, c->r[16 + i]);
	signal_put(&f, UC_FLAGS, 1);
	signal_put(&f, UC_MASK, g->blocked);
	signal_put(&f, UC_REGS, (uint64_t)c->ccr << 32 | (uint64_t)c->asi << 24);
	signal_put(&f, UC_PC, c->pc);
	signal_put(&f, UC_NPC, c->npc);
	signal_put(&f, UC_Y, c->y);
	for (unsigned i = 1; i < 16; i++)
		signal_put(&f, UC_G1 + 8 * (i - 1), c->r[i]);
	signal_put(&f, UC_FP, c->r[30]);
	signal_put(&f, UC_I7, c->r[31]);
	for (unsigned i = 0; i < 32; i++)
		signal_put(&f, UC_FPU + 8 * i, c->d[i]);
	signal_put(&f, UC_FSR, cpu_fsr(c));
	signal_put(&f, UC_FPRS, c->fprs);
	signal_put(&f, UC_GSR, c->gsr);
	uint8_t enabled = 1;
	f.fault |= address_space_write(f.m, f.at + UC_FPU_ENABLED, &enabled, 1) < 0;
	if (f.fault)
		context_fault(g);
}

void guest_setcontext(struct guest *g)
{
	struct cpu *c = &g->cpu;
	struct frame f = {&g->memory, c->r[8], cpu_flush_windows(c, NULL) != TRAP_NONE};
	uint64_t value[16], tstate = signal_get(&f, UC_REGS), restore_mask = c->r[9];
	uint8_t enabled = 0;
	c->pc = signal_get(&f, UC_PC);
	c->npc = signal_get(&f, UC_NPC);
	c->y = (uint32_t)signal_get(&f, UC_Y);
	c->ccr = (uint8_t)(tstate >> 32);
	c->asi = (uint8_t)(tstate >> 24);
	for (unsigned i = 1; i < 16; i++)
		value[i] = signal_get(&f, UC_G1 + 8 * (i - 1));
	uint64_t mask = signal_get(&f, UC_MASK), fp = signal_get(&f, UC_FP), i7 = signal_get(&f, UC_I7);
	f.fault |= address_space_read(f.m, f.at + UC_FPU_ENABLED, &enabled, 1) < 0;
	if (enabled) {
		for (unsigned i = 0; i < 32; i++)
			c->d[i] = signal_get(&f, UC_FPU + 8 * i);
		cpu_set_fsr(c, signal_get(&f, UC_FSR));
		c->gsr = signal_get(&f, UC_GSR);
	}
	if (f.fault) {
		context_fault(g);
		return;
	}
	for (unsigned i = 1; i < 16; i++)
		if (i != 7) /* the thread pointer is not changed */
			c->r[i] = value[i];
	if (restore_mask)
		g->blocked = mask & ~unblockable();
	/* the new window's frame and return address, for a later fill */
	struct frame window = {&g->memory, c->r[14] + STACK_BIAS, false};
	for (unsigned i = 0; i < 16; i++)
		c->r[16 + i] = signal_get(&window, 8 * i);
	c->r[30] = fp;
	c->r[31] = i7;
	signal_put(&window, 8 * 14, fp);
	signal_put(&window, 8 * 15, i7);
	if (window.fault)
		context_fault(g);
}

int64_t sys_rt_sigreturn(struct guest *g, const uint64_t *a)
{
	(void)g, (void)a; /* guest_syscall handles this call */
	return -ENOSYS;
}

/* a[3] is the restorer, which SPARC passes separately */
int64_t sys_rt_sigaction(struct guest *g, const uint64_t *a)
{
	if (a[0] < 1 || a[0] > GUEST_SIGNALS || a[4] != 8)
		return -EINVAL;
	struct guest_action *action = &g->action[a[0]];
	struct frame old = {&g->memory, a[2], false}, new = {&g->memory, a[1], false};
	struct guest_action wanted = *action;
	if (a[1]) {
		if (a[0] == SIG_KILL || a[0] == SIG_STOP)
			return -EINVAL;
		wanted = (struct guest_action){signal_get(&new, 0), signal_get(&new, 8), a[3], signal_get(&new, 24)};
	}
	if (a[2]) {
		signal_put(&old, 0, action->handler);
		signal_put(&old, 8, action->flags);
		signal_put(&old, 16, action->restorer);
		signal_put(&old, 24, action->mask);
	}
	if (old.fault || new.fault)
		return -EFAULT;
	*action = wanted;
	return 0;
}

int64_t sys_rt_sigprocmask(struct guest *g, const uint64_t *a)
{
	struct frame old = {&g->memory, a[2], false}, new = {&g->memory, a[1], false};
	uint64_t before = g->blocked;
	if (a[3] != 8)
		return -EINVAL;
	if (a[1]) {
		uint64_t mask = signal_get(&new, 0);
		if (new.fault)
			return -EFAULT;
		switch (a[0]) { /* arch/sparc: SIG_BLOCK 1, SIG_UNBLOCK 2, SIG_SETMASK 4 */
		case 1: g->blocked |= mask; break;
		case 2: g->blocked &= ~mask; break;
		case 4: g->blocked = mask; break;
		default: return -EINVAL;
		}
		g->blocked &= ~unblockable();
	}
	if (a[2])
		signal_put(&old, 0, before);
	return old.fault ? -EFAULT : 0;
}

int64_t sys_rt_sigpending(struct guest *g, const uint64_t *a)
{
	return space_write64(&g->memory, a[0], g->pending) < 0 ? -EFAULT : 0;
}

int64_t sys_sigaltstack(struct guest *g, const uint64_t *a)
{
	struct frame old = {&g->memory, a[1], false}, new = {&g->memory, a[0], false};
	uint64_t stack = 0, size = 0;
	uint32_t flags = 0;
	if (a[0]) {
		stack = signal_get(&new, 0);
		flags = (uint32_t)(signal_get(&new, 8) >> 32);
		size = signal_get(&new, 16);
		if (new.fault)
			return -EFAULT;
		if (!(flags & STACK_DISABLE) && size < 4096) /* MINSIGSTKSZ */
			return -ENOMEM;
	}
	if (a[1]) {
		bool on = g->cpu.r[14] + STACK_BIAS - g->alt_stack < g->alt_size;
		signal_put(&old, 0, g->alt_stack);
		put32(&old, 8, !g->alt_size ? STACK_DISABLE : on ? STACK_ONSTACK : 0);
		signal_put(&old, 16, g->alt_size);
	}
	if (a[0]) {
		g->alt_stack = stack;
		g->alt_flags = flags;
		g->alt_size = flags & STACK_DISABLE ? 0 : size;
	}
	return old.fault ? -EFAULT : 0;
}

static int64_t signal_send(struct guest *g, uint64_t process, uint64_t number)
{
	if (number > GUEST_SIGNALS)
		return -EINVAL;
	if (process && process != GUEST_PID)
		return -ESRCH;
	if (number)
		guest_signal(g, (int)number);
	return 0;
}

static int64_t thread_send(struct guest *g, uint64_t tid, uint64_t number)
{
	if (tid == guest_tid(g))
		return signal_send(g, 0, number);
	if (number > GUEST_SIGNALS)
		return -EINVAL;
	return guest_signal_thread(g, tid, (int)number) ? 0 : -ESRCH;
}

int64_t sys_kill(struct guest *g, const uint64_t *a)
{
	return signal_send(g, a[0], a[1]);
}

int64_t sys_tkill(struct guest *g, const uint64_t *a)
{
	return thread_send(g, a[0], a[1]);
}

int64_t sys_tgkill(struct guest *g, const uint64_t *a)
{
	return a[0] == GUEST_PID ? thread_send(g, a[1], a[2]) : -ESRCH;
}
