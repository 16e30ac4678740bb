/*
 * Signals of which each rank has handlers and a mask of its own. SIGINT, SIGTERM and SIGHUP request the end of the
 * simulation, whatever the program does with them: its handlers take those that it raises itself, and it cannot ignore
 * or block those that others send. SIGALRM, SIGVTALRM and SIGPROF come from the rank's timers (timers.c).
 */
#define _GNU_SOURCE /* sighandler_t */
#include "sleeping.h"

#include <errno.h>
#include <string.h>

enum { ENDS = 3, OWN = 6 };
static const int numbers[OWN] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGVTALRM, SIGPROF};
static struct sigaction own[OWN];
static unsigned blocked, arrived; /* a bit for each of these */

/* -1: it is one of all ranks. */
static int own_index(int number)
{
	for (int i = 0; i < OWN; i++)
		if (numbers[i] == number)
			return i;
	return -1;
}

/* ---- handlers ---- */

WEAK int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int (*host)(int number, const struct sigaction *action, struct sigaction *before);
	int i = own_index(number);

	if (i < 0) {
		host_function("sigaction", &host);
		return host(number, action, before);
	}
	if (before)
		*before = own[i];
	if (action)
		own[i] = *action;
	return 0;
}

static sighandler_t set_handler(const char *name, int number, sighandler_t handler, int flags)
{
	sighandler_t (*host)(int number, sighandler_t handler), before;
	int i = own_index(number);

	if (i < 0) {
		host_function(name, &host);
		return host(number, handler);
	}
	before = own[i].sa_handler;
	own[i] = (struct sigaction){.sa_handler = handler, .sa_flags = flags};
	return before;
}

WEAK sighandler_t signal(int number, sighandler_t handler)
{
	return set_handler("signal", number, handler, 0);
}

WEAK sighandler_t bsd_signal(int number, sighandler_t handler)
{
	return set_handler("signal", number, handler, 0);
}

/* `signal` of programs that follow a strict standard. */
WEAK sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return set_handler("__sysv_signal", number, handler, (int)SA_RESETHAND);
}

WEAK sighandler_t sysv_signal(int number, sighandler_t handler)
{
	return __sysv_signal(number, handler);
}

/* ---- sending to oneself ---- */

static int host_raise(int number)
{
	int (*host)(int number);

	host_function("raise", &host);
	return host(number);
}

/* Without a handler the signal requests the end of the simulation, or ends the rank. */
static void act_by_default(int i)
{
	static const char *const why[OWN] = {
		[ENDS] = "SIGALRM ends the rank, expected a handler of it",
		"SIGVTALRM ends the rank, expected a handler of it",
		"SIGPROF ends the rank, expected a handler of it",
	};

	if (i < ENDS)
		host_raise(numbers[i]);
	else
		vmpi_gate.calls->thread_refuse(vmpi_gate.v, THREAD_raise, why[i]);
}

/* Returns whether a handler was called. */
static bool deliver_own(int i)
{
	struct sigaction a = own[i];

	if (blocked >> i & 1) {
		arrived |= 1U << i;
		return false;
	}
	if (a.sa_handler == SIG_IGN)
		return false;
	if (a.sa_handler == SIG_DFL) {
		act_by_default(i);
		return false;
	}
	if ((unsigned)a.sa_flags & SA_RESETHAND)
		own[i] = (struct sigaction){.sa_handler = SIG_DFL};
	if (a.sa_flags & SA_SIGINFO)
		a.sa_sigaction(numbers[i],
			       &(siginfo_t){.si_signo = numbers[i], .si_code = i < ENDS ? SI_TKILL : SI_TIMER}, NULL);
	else
		a.sa_handler(numbers[i]);
	return true;
}

bool signals_deliver(int number)
{
	int (*host)(int number, const struct sigaction *action, struct sigaction *before);
	struct sigaction a;
	int i = own_index(number);

	if (i >= 0)
		return deliver_own(i);
	host_function("sigaction", &host);
	if (host(number, NULL, &a) == 0 && a.sa_handler == SIG_DFL)
		vmpi_gate.calls->thread_refuse(vmpi_gate.v, THREAD_raise,
					       "a timer's signal ends the rank, expected a handler of it");
	return host_raise(number) == 0 && a.sa_handler != SIG_IGN;
}

WEAK int raise(int number)
{
	int i = own_index(number);

	if (i < 0)
		return host_raise(number);
	deliver_own(i);
	return 0;
}

/* ---- the mask ---- */

static void change_own_mask(int how, const sigset_t *set)
{
	unsigned named = 0;

	for (int i = 0; i < OWN; i++)
		named |= (unsigned)(sigismember(set, numbers[i]) == 1) << i;
	blocked = how == SIG_BLOCK ? blocked | named : how == SIG_UNBLOCK ? blocked & ~named : named;
}

static bool deliver_arrived(void)
{
	bool called = false;

	for (int i = 0; i < OWN; i++)
		if (arrived >> i & 1 && !(blocked >> i & 1)) {
			arrived &= ~(1U << i);
			if (deliver_own(i))
				called = true;
		}
	return called;
}

/* The host's mask never has these signals: the simulation ends by them, and SIGALRM ends its loops. */
static int set_mask(const char *name, int how, const sigset_t *set, sigset_t *before, bool *called)
{
	int (*host)(int how, const sigset_t *set, sigset_t *before), ret;
	sigset_t without, had;
	unsigned blocked_before = blocked;

	host_function(name, &host);
	if (set) {
		without = *set;
		for (int i = 0; i < OWN; i++)
			sigdelset(&without, numbers[i]);
	}
	ret = host(how, set ? &without : NULL, &had);
	if (ret)
		return ret;
	if (set)
		change_own_mask(how, set);
	for (int i = 0; i < OWN; i++)
		if (blocked_before >> i & 1)
			sigaddset(&had, numbers[i]);
	if (before)
		*before = had;
	*called = deliver_arrived();
	return 0;
}

WEAK int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	bool called;

	return set_mask("sigprocmask", how, set, before, &called);
}

WEAK int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	bool called;

	return set_mask("pthread_sigmask", how, set, before, &called);
}

bool signals_mask(const sigset_t *mask, sigset_t *before)
{
	bool called = false;

	set_mask("pthread_sigmask", SIG_SETMASK, mask, before, &called);
	return called;
}

int signals_take(const sigset_t *set)
{
	for (int i = 0; i < OWN; i++)
		if (arrived >> i & 1 && sigismember(set, numbers[i]) == 1) {
			arrived &= ~(1U << i);
			return numbers[i];
		}
	return 0;
}
