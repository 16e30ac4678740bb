/*
 * Light contexts: a stack and the callee-saved registers. A switch costs some 20 instructions (assembly for x86-64
 * and aarch64), or a system call more (ucontext, on all machines). The caller owns contexts and stacks.
 * AddressSanitizer is notified of every switch.
 */
#ifndef PSIM_VMPI_CONTEXT_H
#define PSIM_VMPI_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"
#include "../vmpi_choices.h"

struct context {
	void *sp;    /* stack pointer over the saved registers; with ucontext: its own structure */
	char *stack; /* lowest address; NULL for the context of the thread itself */
	size_t bytes;
	void *sanitizer; /* AddressSanitizer's fake stack */
	enum context_kind kind;
};

/* Returns whether this machine has an assembly switch. If not, CONTEXT_FAST is the same as CONTEXT_UCONTEXT. */
bool context_has_fast(void);

/* Makes a context of the running thread, to switch from and back to. */
void context_of_thread(struct context *c, enum context_kind kind);
/* Frees what context_of_thread allocated. */
void context_finish_thread(struct context *c);

/* Makes a context on `stack` of `bytes` that will call entry(arg), which must not return. */
void context_init(struct context *c, enum context_kind kind, char *stack, size_t bytes, void (*entry)(void *arg),
		  void *arg);

/* Continues `to`; returns when something switches back to `from`, or never if `from` is `ending`. */
void context_switch(struct context *from, struct context *to, bool ending);

/* A new context must call this first. */
void context_begun(struct context *c, const struct context *thread);

/*
 * Stacks of `count` contexts, of `bytes` each (rounded up to pages), whose pages are touched only when used. Each
 * has a guard page below it if the host's limit of mappings (vm.max_map_count) allows; otherwise an overflow is
 * detected only when the context is left.
 */
struct stacks {
	char *base;
	size_t bytes, guard;
	uint32_t count;
};
int stacks_create(struct stacks *s, uint32_t count, size_t bytes, struct err *e);
void stacks_destroy(struct stacks *s);

/* Lowest usable address of stack `i`, and the usable bytes of each. */
char *stacks_at(const struct stacks *s, uint32_t i);
size_t stacks_usable(const struct stacks *s);
/* Returns the stack whose guard page has `address`, or -1. */
int64_t stacks_guarding(const struct stacks *s, const void *address);

#endif
