/*
 * Light contexts: a stack and the registers that a call leaves alone. Switching costs some 20
 * instructions (own assembly for x86-64 and aarch64), or a system call more (ucontext, everywhere).
 * The caller owns contexts and stacks. AddressSanitizer is told of every switch.
 */
#ifndef PSIM_VMPI_CONTEXT_H
#define PSIM_VMPI_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"
#include "../vmpi_config.h"

struct context {
	void *sp;    /* where the registers are; of ucontext: its own structure */
	char *stack; /* lowest address; NULL for the context of the thread itself */
	size_t bytes;
	void *sanitizer; /* AddressSanitizer's: the stack of fake frames */
	enum context_kind kind;
};

/* Is there assembly for this machine? If not, CONTEXT_FAST is the same as CONTEXT_UCONTEXT. */
bool context_has_fast(void);

/* The context in which the caller runs now: to switch from and back to. */
void context_of_thread(struct context *c, enum context_kind kind);
/* Frees what context_of_thread took. */
void context_finish_thread(struct context *c);

/* Makes a context that will call entry(arg), which must not return, on `stack` of `bytes`. */
void context_init(struct context *c, enum context_kind kind, char *stack, size_t bytes, void (*entry)(void *arg),
		  void *arg);

/* Goes on in `to`; returns when something switches back to `from`, or never if it is `ending`. */
void context_switch(struct context *from, struct context *to, bool ending);

/* To be called first of all in a new context. */
void context_begun(struct context *c, const struct context *thread);

/*
 * Stacks of `count` contexts, of `bytes` each (rounded up to pages), touched only where they are used.
 * A guard page below each as long as the host's limit of mappings (vm.max_map_count) allows; without, an
 * overflow is seen only when the context is left.
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
/* The stack in whose guard page `address` lies, or -1. */
int64_t stacks_guarding(const struct stacks *s, const void *address);

#endif
