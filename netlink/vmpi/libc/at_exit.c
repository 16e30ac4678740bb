/*
 * What a rank calls when it exits, the last one first: functions of atexit and on_exit, and destructors of C++ objects,
 * which are registered when their constructors have ended.
 */
#define _GNU_SOURCE /* on_exit */
#include "libc_state.h"

#include <stdbool.h>
#include <stdlib.h>

struct at_exit {
	void (*plain)(void);
	void (*with_argument)(void *argument);
	void (*with_status)(int status, void *argument);
	void *argument;
	struct at_exit *next;
};
static struct at_exit *latest;

/*
 * The first ones need no memory (ISO C 2017, 7.22.4.2: at least 32): a rank that ends by _Exit calls none, and has none
 * to give back.
 */
enum { FIRST = 32 };
static struct at_exit first[FIRST];
static int in_first;

static int add_at_exit(struct at_exit what)
{
	struct at_exit *a = in_first < FIRST ? &first[in_first++] : malloc(sizeof(*a));

	if (!a)
		return -1;
	what.next = latest;
	*a = what;
	latest = a;
	return 0;
}

WEAK int atexit(void (*function)(void))
{
	return add_at_exit((struct at_exit){.plain = function});
}

WEAK int on_exit(void (*function)(int status, void *argument), void *argument)
{
	return add_at_exit((struct at_exit){.with_status = function, .argument = argument});
}

WEAK int __cxa_atexit(void (*function)(void *), void *object, void *module)
{
	(void)module;
	return add_at_exit((struct at_exit){.with_argument = function, .argument = object});
}

static struct at_exit take_latest(void)
{
	struct at_exit a = *latest;

	if (in_first && latest == &first[in_first - 1])
		in_first--;
	else
		free(latest);
	latest = a.next;
	return a;
}

void at_exit_run(int status)
{
	while (latest) {
		struct at_exit a = take_latest();

		if (a.plain)
			a.plain();
		else if (a.with_status)
			a.with_status(status, a.argument);
		else
			a.with_argument(a.argument);
	}
}
