/*
 * SIGINT, SIGTERM and SIGHUP request the end of the simulation, whatever the program does with them: its handlers take
 * those that it raises itself, and it cannot ignore or block those that others send.
 */
#define _GNU_SOURCE /* RTLD_NEXT, sighandler_t */
#include "kept.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>

enum { ENDS = 3 };
static const int ends[ENDS] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction own[ENDS];

static void find_next(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

static struct sigaction *own_action(int number)
{
	for (int i = 0; i < ENDS; i++)
		if (ends[i] == number)
			return &own[i];
	return NULL;
}

WEAK int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int (*host)(int number, const struct sigaction *action, struct sigaction *before);
	struct sigaction *mine = own_action(number);

	if (!mine) {
		find_next("sigaction", &host);
		return host(number, action, before);
	}
	if (before)
		*before = *mine;
	if (action)
		*mine = *action;
	return 0;
}

WEAK sighandler_t signal(int number, sighandler_t handler)
{
	sighandler_t (*host)(int number, sighandler_t handler), before;
	struct sigaction *mine = own_action(number);

	if (!mine) {
		find_next("signal", &host);
		return host(number, handler);
	}
	before = mine->sa_handler;
	*mine = (struct sigaction){.sa_handler = handler};
	return before;
}

WEAK int raise(int number)
{
	int (*host)(int number);
	const struct sigaction *mine = own_action(number);

	if (!mine || mine->sa_handler == SIG_DFL) {
		find_next("raise", &host);
		return host(number);
	}
	if (mine->sa_flags & SA_SIGINFO)
		mine->sa_sigaction(number, &(siginfo_t){.si_signo = number, .si_code = SI_TKILL}, NULL);
	else if (mine->sa_handler != SIG_IGN)
		mine->sa_handler(number);
	return 0;
}

/* The mask without the signals by which the simulation ends, and SIGALRM, by which it ends loops. */
static int set_mask(const char *name, int how, const sigset_t *set, sigset_t *before)
{
	int (*host)(int how, const sigset_t *set, sigset_t *before);
	sigset_t without;

	find_next(name, &host);
	if (!set || how == SIG_UNBLOCK)
		return host(how, set, before);
	without = *set;
	for (int i = 0; i < ENDS; i++)
		sigdelset(&without, ends[i]);
	sigdelset(&without, SIGALRM);
	return host(how, &without, before);
}

WEAK int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	return set_mask("sigprocmask", how, set, before);
}

WEAK int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	return set_mask("pthread_sigmask", how, set, before);
}
