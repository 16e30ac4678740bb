/* Crashes of ranks: crash.h. */
#define _GNU_SOURCE /* REG_RIP */
#include "crash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "world.h"

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]), STACK_BYTES = 65536 };

struct watch {
	struct vmpi *v;
	struct sigaction before[SIGNALS];
	stack_t stack_before;
	char *stack;
};

/* What a signal handler has to know. */
static struct watch *watched;

static const char *signal_text(int signal)
{
	switch (signal) {
	case SIGSEGV: return "segmentation fault";
	case SIGBUS: return "bus error";
	case SIGFPE: return "arithmetic exception";
	case SIGILL: return "illegal instruction";
	default: return "abort";
	}
}

/* The instruction at which it happened; NULL where the machine is not known. */
static const void *program_counter(const ucontext_t *u)
{
#if defined(__x86_64__)
	return (const void *)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (const void *)u->uc_mcontext.pc;
#else
	(void)u;
	return NULL;
#endif
}

/* Fills v->err. The signal came out of the rank's own code, so what is called here is not half done. */
static void tell(struct vmpi *v, const struct rank *r, int signal, const siginfo_t *info, const void *pc)
{
	char place[128], address[64] = "";
	int64_t guard = signal == SIGSEGV ? stacks_guarding(&v->stacks, info->si_addr) : -1;

	program_place(v, pc ? (const char *)pc + 1 : r->where, place, sizeof(place));
	if (guard >= 0) {
		err_set(&v->err, STATUS_FAILED,
		        "rank %u: stack overflow in %s: expected at most %zu bytes ([ranks] stack)",
		        rank_index(v, r), place, stacks_usable(&v->stacks));
		return;
	}
	if (strncmp(place, "a place", 7) == 0 && r->where) {
		char from[128];

		program_place(v, r->where, from, sizeof(from));
		snprintf(place, sizeof(place), "the library, after %s at %.80s", call_name(r->call), from);
	}
	if (signal == SIGSEGV || signal == SIGBUS)
		snprintf(address, sizeof(address), " at address %p", info->si_addr);
	err_set(&v->err, STATUS_FAILED, "rank %u: %s%s in %s", rank_index(v, r), signal_text(signal), address,
	        place);
}

static void handler(int signal, siginfo_t *info, void *context)
{
	struct vmpi *v = watched ? watched->v : NULL;
	struct rank *r = v ? v->current : NULL;
	sigset_t set;

	if (!r || v->failed) { /* not a rank's: as if nobody had watched */
		struct sigaction usual = { .sa_handler = SIG_DFL };

		sigaction(signal, &usual, NULL);
		raise(signal);
		return;
	}
	v->failed = true;
	tell(v, r, signal, info, program_counter(context));
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	/* the rank's stack stays as it is; nobody goes back to it */
	context_switch(&r->context, &v->main, true);
}

void crash_watch(struct vmpi *v)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct watch *w = calloc(1, sizeof(*w));
	stack_t stack;

	if (!w || watched) {
		free(w);
		return;
	}
	w->v = v;
	w->stack = malloc(STACK_BYTES);
	stack = (stack_t){ .ss_sp = w->stack, .ss_size = STACK_BYTES };
	if (!w->stack || sigaltstack(&stack, &w->stack_before) < 0) {
		free(w->stack);
		free(w);
		return;
	}
	watched = w;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &w->before[i]);
}

void crash_unwatch(struct vmpi *v)
{
	struct watch *w = watched;

	if (!w || w->v != v)
		return;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &w->before[i], NULL);
	if (w->stack_before.ss_flags & SS_DISABLE)
		w->stack_before.ss_sp = NULL;
	sigaltstack(&w->stack_before, NULL);
	free(w->stack);
	free(w);
	watched = NULL;
}
