/* Contexts: context.h. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_NOHUGEPAGE */
#include "context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/*
 * vmpi_context_swap(save, load) pushes the callee-saved registers, stores the stack pointer in *save and continues
 * on the stack `load`. vmpi_context_enter is the entry point of a new context; the two registers that context_init
 * put on its stack are the function and its argument.
 */
#if defined(__x86_64__)
#define HAS_FAST 1
__asm__(".text\n"
	".type vmpi_context_swap,@function\n"
	"vmpi_context_swap:\n"
	"	pushq %rbp\n	pushq %rbx\n	pushq %r12\n	pushq %r13\n	pushq %r14\n	pushq %r15\n"
	"	subq $8, %rsp\n	stmxcsr (%rsp)\n	fnstcw 4(%rsp)\n"
	"	movq %rsp, (%rdi)\n	movq %rsi, %rsp\n"
	"	ldmxcsr (%rsp)\n	fldcw 4(%rsp)\n	addq $8, %rsp\n"
	"	popq %r15\n	popq %r14\n	popq %r13\n	popq %r12\n	popq %rbx\n	popq %rbp\n"
	"	ret\n"
	".size vmpi_context_swap,.-vmpi_context_swap\n"
	".type vmpi_context_enter,@function\n"
	"vmpi_context_enter:\n"
	"	.cfi_startproc\n	.cfi_undefined rip\n"
	"	movq %r13, %rdi\n	callq *%r12\n	ud2\n"
	"	.cfi_endproc\n"
	".size vmpi_context_enter,.-vmpi_context_enter\n");
enum { FRAME_WORDS = 8, FRAME_RETURN = 7, FRAME_FUNCTION = 4, FRAME_ARGUMENT = 3 };
#elif defined(__aarch64__)
#define HAS_FAST 1
__asm__(".text\n"
	".type vmpi_context_swap,%function\n"
	"vmpi_context_swap:\n"
	"	sub sp, sp, #176\n"
	"	stp x19, x20, [sp, #0]\n	stp x21, x22, [sp, #16]\n	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n	stp x27, x28, [sp, #64]\n	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n	stp d10, d11, [sp, #112]\n	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n	mrs x9, fpcr\n	str x9, [sp, #160]\n"
	"	mov x9, sp\n	str x9, [x0]\n	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n	ldp x21, x22, [sp, #16]\n	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n	ldp x27, x28, [sp, #64]\n	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n	ldp d10, d11, [sp, #112]\n	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n	ldr x9, [sp, #160]\n	msr fpcr, x9\n"
	"	add sp, sp, #176\n	ret\n"
	".size vmpi_context_swap,.-vmpi_context_swap\n"
	".type vmpi_context_enter,%function\n"
	"vmpi_context_enter:\n"
	"	.cfi_startproc\n	.cfi_undefined x30\n"
	"	mov x0, x20\n	blr x19\n	brk #1\n"
	"	.cfi_endproc\n"
	".size vmpi_context_enter,.-vmpi_context_enter\n");
enum { FRAME_WORDS = 22, FRAME_RETURN = 11, FRAME_FUNCTION = 0, FRAME_ARGUMENT = 1 };
#endif

#ifdef HAS_FAST
void vmpi_context_swap(void **save, void *load);
void vmpi_context_enter(void);

static void fast_init(struct context *c, void (*entry)(void *), void *arg)
{
	uintptr_t top = ((uintptr_t)c->stack + c->bytes) & ~(uintptr_t)63;
	uintptr_t *frame = (uintptr_t *)top - FRAME_WORDS - 2;

	memset(frame, 0, (FRAME_WORDS + 2) * sizeof(*frame));
	frame[FRAME_RETURN] = (uintptr_t)vmpi_context_enter;
	frame[FRAME_FUNCTION] = (uintptr_t)entry;
	frame[FRAME_ARGUMENT] = (uintptr_t)arg;
#if defined(__x86_64__)
	{
		uint32_t *control = (uint32_t *)frame;

		__asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control[0]), "=m"(control[1]));
	}
#endif
	c->sp = frame;
}
#endif

bool context_has_fast(void)
{
#ifdef HAS_FAST
	return true;
#else
	return false;
#endif
}

/* ---- ucontext ---- */

/* makecontext passes only ints */
static void ucontext_enter(unsigned entry_high, unsigned entry_low, unsigned arg_high, unsigned arg_low)
{
	void (*entry)(void *) = (void (*)(void *))((uintptr_t)entry_high << 32 | entry_low);

	entry((void *)((uintptr_t)arg_high << 32 | arg_low));
}

static void ucontext_init(struct context *c, void (*entry)(void *), void *arg)
{
	/* the structure is at the top of the stack that it describes */
	size_t own = (sizeof(ucontext_t) + 63) & ~(size_t)63;
	ucontext_t *u = (ucontext_t *)(void *)(c->stack + (c->bytes & ~(size_t)63) - own);

	getcontext(u);
	u->uc_stack.ss_sp = c->stack;
	u->uc_stack.ss_size = (size_t)((char *)u - c->stack);
	u->uc_link = NULL;
	makecontext(u, (void (*)(void))ucontext_enter, 4, (unsigned)((uintptr_t)entry >> 32),
		    (unsigned)(uintptr_t)entry, (unsigned)((uintptr_t)arg >> 32), (unsigned)(uintptr_t)arg);
	c->sp = u;
}

/* ---- both ---- */

static enum context_kind usable(enum context_kind kind)
{
	return context_has_fast() ? kind : CONTEXT_UCONTEXT;
}

void context_of_thread(struct context *c, enum context_kind kind)
{
	*c = (struct context){.kind = usable(kind)};
	if (c->kind == CONTEXT_UCONTEXT)
		c->sp = calloc(1, sizeof(ucontext_t));
}

void context_finish_thread(struct context *c)
{
	if (c->kind == CONTEXT_UCONTEXT)
		free(c->sp);
	c->sp = NULL;
}

void context_init(struct context *c, enum context_kind kind, char *stack, size_t bytes, void (*entry)(void *arg),
		  void *arg)
{
	*c = (struct context){.kind = usable(kind), .stack = stack, .bytes = bytes};
#ifdef HAS_FAST
	if (c->kind == CONTEXT_FAST) {
		fast_init(c, entry, arg);
		return;
	}
#endif
	ucontext_init(c, entry, arg);
}

void context_switch(struct context *from, struct context *to, bool ending)
{
#ifdef WITH_ASAN
	__sanitizer_start_switch_fiber(ending ? NULL : &from->sanitizer, to->stack, to->bytes);
#else
	(void)ending;
#endif
#ifdef HAS_FAST
	if (from->kind == CONTEXT_FAST)
		vmpi_context_swap(&from->sp, to->sp);
	else
#endif
		swapcontext(from->sp, to->sp);
#ifdef WITH_ASAN
	{
		/* the bounds of the thread's own stack are unknown until it is left for the first time */
		const void *stack;
		size_t bytes;

		__sanitizer_finish_switch_fiber(from->sanitizer, &stack, &bytes);
	}
#endif
}

void context_begun(struct context *c, const struct context *thread)
{
	(void)c;
	(void)thread;
#ifdef WITH_ASAN
	{
		struct context *t = (struct context *)(uintptr_t)thread;
		const void *stack;
		size_t bytes;

		__sanitizer_finish_switch_fiber(NULL, &stack, &bytes);
		t->stack = (char *)(uintptr_t)stack;
		t->bytes = bytes;
	}
#endif
}

/* ---- stacks ---- */

/* The limit of mappings of a process; 0: unknown. */
static unsigned long mappings_max(void)
{
	FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
	char line[32] = "";

	if (!f)
		return 0;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	return strtoul(line, NULL, 10);
}

int stacks_create(struct stacks *s, uint32_t count, size_t bytes, struct err *e)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

	*s = (struct stacks){.count = count, .bytes = (bytes + page - 1) / page * page};
	/* two mappings a stack; half of the limit is left to others */
	if ((unsigned long)count * 4 < mappings_max()) {
		s->guard = page;
		s->bytes += page;
	}
	s->base = mmap(NULL, s->bytes * count, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (s->base == MAP_FAILED) {
		s->base = NULL;
		return err_set(e, STATUS_FAILED, "stacks of %u ranks, %zu bytes each ([ranks] stack): %s", count,
			       s->bytes, strerror(errno));
	}
	madvise(s->base, s->bytes * count, MADV_NOHUGEPAGE); /* a huge page would span 32 stacks */
	for (uint32_t i = 0; s->guard && i < count; i++)
		if (mprotect(s->base + i * s->bytes, page, PROT_NONE) < 0)
			return err_set(e, STATUS_FAILED, "stacks: guard pages: %s", strerror(errno));
	return 0;
}

void stacks_destroy(struct stacks *s)
{
	if (!s->base)
		return;
#ifdef WITH_ASAN
	/* frames that were never left have poisoned the memory beside their variables */
	__asan_unpoison_memory_region(s->base, s->bytes * s->count);
#endif
	munmap(s->base, s->bytes * s->count);
	s->base = NULL;
}

char *stacks_at(const struct stacks *s, uint32_t i)
{
	return s->base + i * s->bytes + s->guard;
}

size_t stacks_usable(const struct stacks *s)
{
	return s->bytes - s->guard;
}

int64_t stacks_guarding(const struct stacks *s, const void *address)
{
	uintptr_t at = (uintptr_t)address - (uintptr_t)s->base;

	if (!s->guard || at >= s->bytes * s->count || at % s->bytes >= s->guard)
		return -1;
	return (int64_t)(at / s->bytes);
}
