/* quick_exit: ends a rank with functions of its own, and without those of atexit. */
#define _GNU_SOURCE
#include "libc_state.h"

#include <stdlib.h>

enum { MOST = 32 }; /* ISO C 2017, 7.22.4.3: at least 32 */
static void (*registered[MOST])(void);
static int count;

WEAK int at_quick_exit(void (*function)(void))
{
	if (count == MOST)
		return -1;
	registered[count++] = function;
	return 0;
}

WEAK __attribute__((noreturn)) void quick_exit(int status)
{
	while (count)
		registered[--count]();
	_Exit(status);
}
