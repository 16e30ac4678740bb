#define _GNU_SOURCE /* FPE_INTDIV, setitimer */
#include "guard.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "../../psim/base/mem.h"

enum { STACK_BYTES = 65536, FAULTS = 5 };

static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct guard_part *guarded;

struct guard {
	struct guard_part part;
	sigjmp_buf landing;
	struct err err, *to;
	uint64_t calls_before; /* at the last tick of the timer */
	int seconds;           /* how long the same part has run */
	struct sigaction before[FAULTS], tick_before;
	struct itimerval timer_before;
	stack_t stack, stack_before;
};

static const char *fault_text(int signal, const siginfo_t *info)
{
	switch (signal) {
	case SIGFPE: return info->si_code == FPE_INTDIV ? "division by zero" : "arithmetic exception";
	case SIGSEGV: return "invalid address, or infinite recursion";
	case SIGBUS: return "bus error";
	case SIGILL: return "illegal instruction";
	case SIGABRT: return "call of abort";
	default: return "takes too long";
	}
}

/* Writes the name of the part's resource, "sw(3,4)". */
static void instance(const struct guard_part *p, char *text, size_t size)
{
	const struct network_kind *k;
	const int32_t *place;
	int n;

	*text = '\0';
	if (!p->net)
		return;
	k = &p->net->kinds[p->net->resources[p->resource].kind];
	place = network_place(p->net, p->resource);
	n = snprintf(text, size, " %s", k->name);
	for (unsigned d = 0; d < k->dims && n > 0 && (size_t)n < size; d++)
		n += snprintf(text + n, size - (size_t)n, "%s%d", d ? "," : "(", place[d]);
	if (k->dims && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, ")");
}

static void land(struct guard *g, int signal, const siginfo_t *info)
{
	char where[32] = "", which[128];
	int line = g->part.built ? g->part.built->statement : g->part.line;

	if (line)
		snprintf(where, sizeof(where), ":%d", line);
	instance(&g->part, which, sizeof(which));
	err_set(&g->err, STATUS_BAD_INPUT, "%s%s: %s%s: %s", g->part.file, where, g->part.what, which,
		fault_text(signal, info));
	g->part.what = NULL;
	siglongjmp(g->landing, 1);
}

_Noreturn void guard_fail(const struct err *e)
{
	struct guard *g = (struct guard *)guarded;

	if (!g)
		abort();
	g->err = *e;
	g->part.what = NULL;
	siglongjmp(g->landing, 1);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	struct guard *g = (struct guard *)guarded;

	(void)context;
	if (g && g->part.what)
		land(g, signal, info);
	/* the signal is not from a guarded part: default action */
	sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	raise(signal);
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
	struct guard *g = (struct guard *)guarded;

	uint64_t calls;

	(void)context;
	if (!g)
		return;
	calls = g->part.calls + (g->part.built ? g->part.built->progress : 0);
	g->seconds = g->part.what && calls == g->calls_before ? g->seconds + 1 : 0;
	g->calls_before = calls;
	if (g->seconds >= GUARD_SECONDS)
		land(g, signal, info);
}

static void guard_watch(struct guard *g)
{
	struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction tick = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	struct itimerval second = {{1, 0}, {1, 0}};

	sigaltstack(&g->stack, &g->stack_before);
	for (int i = 0; i < FAULTS; i++)
		sigaction(faults[i], &fault, &g->before[i]);
	sigaction(SIGVTALRM, &tick, &g->tick_before);
	setitimer(ITIMER_VIRTUAL, &second, &g->timer_before);
	guarded = &g->part;
}

static void guard_unwatch(struct guard *g)
{
	guarded = NULL;
	setitimer(ITIMER_VIRTUAL, &g->timer_before, NULL);
	sigaction(SIGVTALRM, &g->tick_before, NULL);
	for (int i = 0; i < FAULTS; i++)
		sigaction(faults[i], &g->before[i], NULL);
	if (g->stack_before.ss_flags & SS_DISABLE)
		g->stack_before.ss_sp = NULL;
	sigaltstack(&g->stack_before, NULL);
	free(g->stack.ss_sp);
}

/* sigsetjmp returns a second time after a part failed; then only data reached through `guarded` are valid. */
static int run_under_guard(struct guard *g, int (*run)(void *arg, struct err *e), void *arg)
{
	const struct guard *after;

	if (sigsetjmp(g->landing, 1) == 0)
		return run(arg, g->to);
	after = (const struct guard *)guarded;
	*after->to = after->err;
	return -1;
}

int guard_run(int (*run)(void *arg, struct err *e), void *arg, struct err *e)
{
	struct guard *g;
	int result;

	if (guarded)
		return run(arg, e);
	g = mem_alloc(1, sizeof(*g), e);
	if (!g)
		return -1;
	g->to = e;
	g->stack = (stack_t){.ss_sp = mem_alloc(STACK_BYTES, 1, e), .ss_size = STACK_BYTES};
	if (!g->stack.ss_sp) {
		free(g);
		return -1;
	}
	guard_watch(g);
	result = run_under_guard(g, run, arg);
	guard_unwatch(g);
	free(g);
	return result;
}

int guard_run_forked(int (*run)(void *arg, struct err *e), void *arg, struct err *e)
{
	guarded = NULL;
	return guard_run(run, arg, e);
}
