/* Crashes of ranks: crash.h. */
#define _GNU_SOURCE /* REG_RIP, dladdr */
#include "crash.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "rank_thread.h"
#include "../vmpi_config.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
/* Signals that request the run's end; whoever watches the run installs handlers for them (psim/base/cli/progress.h). */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum {
	SIGNALS = sizeof(signals) / sizeof(signals[0]),
	ENDS = sizeof(ends) / sizeof(ends[0]),
	STACK_BYTES = 65536,
};

struct watch {
	struct vmpi *v;
	struct sigaction before[SIGNALS], end_before[ENDS];
	volatile sig_atomic_t end_asked; /* one of these has arrived */
	/* ticks: whether the rank that runs goes on */
	struct sigaction tick_before;
	bool ticking;
	uint64_t seen_switches;
	int64_t seen_now;
	unsigned still;   /* ticks since it has waited, or its clock has moved */
	unsigned samples; /* after the end's grace */
	stack_t stack_before;
	char *stack;
};

/* Signal handlers have no arguments of their own, so the watch is global. */
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

/* The faulting instruction; NULL: unknown machine. */
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

/* The stacks of the ranks, or the one of a thread. */
static const struct stacks *stacks_of(const struct vmpi *v, const struct rank *r)
{
	return r->thread ? &r->thread->stack : &v->stacks;
}

/* Describes a fault between stacks: the rank's frames are too large, or an access passed its stack's end. */
static void describe_stack_fault(struct vmpi *v, const struct rank *r, int64_t guard, const char *place)
{
	const struct stacks *s = stacks_of(v, r);

	if (stacks_at(s, (uint32_t)guard) == r->context.stack)
		err_set(&v->err, STATUS_FAILED,
			"rank %u: stack overflow in %s: expected at most %zu bytes ([ranks] stack%s)", r->world, place,
			stacks_usable(s), r->thread ? ", or the thread's attribute" : "");
	else
		err_set(&v->err, STATUS_FAILED,
			"rank %u: access past the end of its stack in %s: expected accesses within local variables",
			r->world, place);
}

/* Returns whether `where` is in a library, not in the program that the ranks run; false without a program. */
static bool is_outside(const struct vmpi *v, const void *where)
{
	uintptr_t base = program_base(v);
	Dl_info info;

	return base && (!where || !dladdr(where, &info) || (uintptr_t)info.dli_fbase != base);
}

/*
 * Fills v->err. The signal came from the rank's own code, so the functions called here are not interrupted halfway.
 */
static void describe_crash(struct vmpi *v, const struct rank *r, int signal, const siginfo_t *info, const void *pc)
{
	char place[128], address[64] = "";
	int64_t guard = signal == SIGSEGV ? stacks_guarding(stacks_of(v, r), info->si_addr) : -1;
	const void *at = pc ? (const char *)pc + 1 : r->where;

	program_place(v, at, place, sizeof(place));
	if (r->where && is_outside(v, at)) {
		char from[128];

		program_place(v, r->where, from, sizeof(from));
		snprintf(place, sizeof(place), "the library, after %s at %.80s", call_name(v, r->call), from);
	}
	if (guard >= 0) {
		describe_stack_fault(v, r, guard, place);
		return;
	}
	if (signal == SIGSEGV || signal == SIGBUS)
		snprintf(address, sizeof(address), " at address %p", info->si_addr);
	err_set(&v->err, STATUS_FAILED, "rank %u: %s%s in %s", r->world, signal_text(signal), address, place);
}

/* Fails the run in `r` and leaves its stack for good. */
static void abort_rank(struct vmpi *v, struct rank *r, int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	context_switch(&r->context, &v->main, true);
}

void crash_other_thread(struct vmpi *v, enum call_id call)
{
	char place[128];

	if (!atomic_exchange(&v->outside.other_thread, true)) {
		program_place(v, v->where ? *v->where : NULL, place, sizeof(place));
		err_set(&v->outside.other_thread_err, STATUS_FAILED,
			"%s at %s: called by a thread of the host, expected calls by threads of pthread_create "
			"(OpenMP: OMP_NUM_THREADS=1)",
			call_name(v, call), place);
		pthread_kill(v->outside.thread, SIGABRT);
	}
	for (;;)
		pause();
}

/* The thread that runs the ranks takes the mistake of another one. */
static void end_for_other_thread(struct vmpi *v, struct rank *r)
{
	if (v->failed)
		return;
	v->failed = true;
	v->err = v->outside.other_thread_err;
	if (r)
		abort_rank(v, r, SIGABRT);
}

static void handler(int signal, siginfo_t *info, void *context)
{
	struct watch *w = watched;
	struct vmpi *v = w ? w->v : NULL;
	struct rank *r = v ? v->current : NULL;

	if (v && signal == SIGABRT && atomic_load(&v->outside.other_thread)) {
		end_for_other_thread(v, r);
		return;
	}
	if (!r || v->failed) { /* no rank's fault: with the former handlers the instruction runs again */
		for (int i = 0; w && i < SIGNALS; i++)
			if (signals[i] == signal)
				sigaction(signal, &w->before[i], NULL);
		if (!w || signal == SIGABRT)
			raise(signal);
		return;
	}
	v->failed = true;
	describe_crash(v, r, signal, info, program_counter(context));
	abort_rank(v, r, signal);
}

/* ---- ranks that loop ---- */

/*
 * Ticks of the host's time. After a request to end, a rank has a grace for its next call. Then samples look for a
 * moment in the program's own code. A library's code may hold a lock that the report needs: it gets more samples, and
 * the simulator's own, which a long call may run, gets many.
 */
enum {
	TICKS_A_SECOND = 4,
	GRACE_TICKS = 3,
	SAMPLES_A_SECOND = 100,
	SAMPLES_FOREIGN = 40,
	SAMPLES_OWN = 500,
};

static const void *base_of(const void *pc)
{
	Dl_info info;

	return dladdr(pc, &info) ? info.dli_fbase : NULL;
}

/* Returns for how many samples a rank that is interrupted there goes on. */
static unsigned patience(const struct vmpi *v, const void *pc)
{
	const void *base = base_of(pc);

	if (v->where && base && base == base_of((const void *)v->where))
		return 0;
	return base && base == base_of((const void *)&watched) ? SAMPLES_OWN : SAMPLES_FOREIGN;
}

static bool tick_every(unsigned a_second)
{
	struct itimerval every = {{0, 1000000 / (int)a_second}, {0, 1000000 / (int)a_second}};

	return setitimer(ITIMER_REAL, &every, NULL) == 0;
}

/* The run is to end: leaves the rank for good where it is. */
static void tick_to_end(struct watch *w, struct rank *r, int signal, const void *pc)
{
	struct vmpi *v = w->v;
	char place[128];

	if (w->still < GRACE_TICKS) {
		if (++w->still == GRACE_TICKS)
			tick_every(SAMPLES_A_SECOND);
		return;
	}
	if (w->samples++ < patience(v, pc))
		return;
	program_place(v, pc, place, sizeof(place));
	snprintf(v->end.left_at, sizeof(v->end.left_at), "rank %u: interrupted in %.100s, a computation without calls",
		 r->world, place);
	abort_rank(v, r, signal);
}

void crash_stands_still(struct vmpi *v, const struct rank *r, const char *in)
{
	v->failed = true;
	err_set(&v->err, STATUS_STUCK,
		"rank %u computes for %d s in %s, and its clock stands still, expected at most ranks.loop_limit",
		r->world, (int)(v->cfg->ranks.loop_limit / 1000000000000), in);
}

/* Counts how long the running rank's clock has not moved; ends it where the run is to end, or its time is limited. */
static void tick_handler(int signal, siginfo_t *info, void *context)
{
	struct watch *w = watched;
	struct vmpi *v = w ? w->v : NULL;
	struct rank *r = v ? v->current : NULL;
	const void *pc = program_counter(context);
	unsigned most = (unsigned)(v ? v->cfg->ranks.loop_limit / (1000000000000 / TICKS_A_SECOND) : 0), more;
	char place[128];

	(void)info;
	if (!r || v->failed)
		return;
	if (!pthread_equal(v->outside.thread, pthread_self())) {
		pthread_kill(v->outside.thread, signal);
		return;
	}
	if (w->end_asked) {
		tick_to_end(w, r, signal, pc);
		return;
	}
	if (v->switches != w->seen_switches || r->now != w->seen_now) {
		w->seen_switches = v->switches;
		w->seen_now = r->now;
		w->still = 0;
		v->end.due = END_NONE;
		return;
	}
	if (w->still + 1 >= most)
		v->end.due = END_STILL;
	more = patience(v, pc) / (SAMPLES_A_SECOND / TICKS_A_SECOND);
	if (++w->still <= most + more) /* the next call, if there is one, says more than a place */
		return;
	program_place(v, pc, place, sizeof(place));
	crash_stands_still(v, r, place);
	abort_rank(v, r, signal);
}

static void start_ticks(struct watch *w)
{
	struct sigaction action = {.sa_sigaction = tick_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

	w->still = w->samples = 0;
	w->seen_switches = UINT64_MAX;
	if (w->ticking)
		return;
	w->ticking = sigaction(SIGALRM, &action, &w->tick_before) == 0 && tick_every(TICKS_A_SECOND);
}

static void stop_ticks(struct watch *w)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	if (!w->ticking)
		return;
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &w->tick_before, NULL);
}

/*
 * The handler that was installed before gets the first signal, and the run ends in good order at the rank's next call.
 * If the rank makes none, ticks end it where it is.
 */
static void end_handler(int signal, siginfo_t *info, void *context)
{
	struct watch *w = watched;
	struct vmpi *v = w ? w->v : NULL;
	struct rank *r = v ? v->current : NULL;

	if (r && !v->failed && w->end_asked)
		return; /* not passed on, because its handler might count it as a second one */
	for (int i = 0; w && i < ENDS; i++)
		if (ends[i] != signal)
			continue;
		else if (w->end_before[i].sa_flags & SA_SIGINFO)
			w->end_before[i].sa_sigaction(signal, info, context);
		else
			w->end_before[i].sa_handler(signal);
	if (!w)
		return;
	w->end_asked = 1;
	v->end.due = END_SIGNAL;
	if (info->si_code != SI_QUEUE && v->divided && v->divided->partition.ends)
		v->divided->partition.ends(v->divided->partition.user, signal);
	if (r && !v->failed)
		start_ticks(w);
}

/* Handles a library that ends the process, as Fortran's library does after printing an error. */
static void exit_handler(void)
{
	struct vmpi *v = watched ? watched->v : NULL;
	struct rank *r = v ? v->current : NULL;
	char from[128];

	if (!r || v->failed)
		return;
	v->failed = true;
	program_place(v, r->where, from, sizeof(from));
	err_set(&v->err, STATUS_FAILED, "rank %u: a library ended the process, after %s at %.80s", r->world,
		call_name(v, r->call), from);
	fflush(stderr);
	context_switch(&r->context, &v->main, true);
}

void crash_watch_exit(void)
{
	atexit(exit_handler);
}

static void watch_ends(struct watch *w)
{
	struct sigaction action = {.sa_sigaction = end_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	for (int i = 0; i < ENDS; i++) {
		struct sigaction *b = &w->end_before[i];

		if (sigaction(ends[i], NULL, b) == 0 && b->sa_handler != SIG_DFL && b->sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
	}
}

void crash_watch(struct vmpi *v)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct watch *w = calloc(1, sizeof(*w));
	stack_t stack;

	if (!w || watched) {
		free(w);
		return;
	}
	w->v = v;
	w->end_asked = v->end.due == END_SIGNAL;
	w->stack = malloc(STACK_BYTES);
	stack = (stack_t){.ss_sp = w->stack, .ss_size = STACK_BYTES};
	if (!w->stack || sigaltstack(&stack, &w->stack_before) < 0) {
		free(w->stack);
		free(w);
		return;
	}
	watched = w;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &w->before[i]);
	watch_ends(w);
	if (v->setup.time_limit || w->end_asked)
		start_ticks(w);
}

void crash_unwatch(struct vmpi *v)
{
	struct watch *w = watched;

	if (!w || w->v != v)
		return;
	stop_ticks(w);
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &w->before[i], NULL);
	for (int i = 0; i < ENDS; i++)
		sigaction(ends[i], &w->end_before[i], NULL);
	if (w->stack_before.ss_flags & SS_DISABLE)
		w->stack_before.ss_sp = NULL;
	sigaltstack(&w->stack_before, NULL);
	free(w->stack);
	free(w);
	watched = NULL;
}

bool vmpi_left(const struct vmpi *v, char *text, size_t size)
{
	snprintf(text, size, "%s", v->end.left_at);
	return *v->end.left_at != '\0';
}

bool crash_end_asked(const struct vmpi *v)
{
	return watched && watched->v == v && watched->end_asked;
}
