/* Random numbers with the sequence of glibc; each rank has its own. */
#define _GNU_SOURCE /* random_r */
#include "libc_state.h"

#include <stdint.h>
#include <stdlib.h>

static struct random_data data;
static char first_state[128];
static int ready;

static struct random_data *sequence(unsigned s)
{
	if (!ready)
		initstate_r(s, first_state, sizeof(first_state), &data);
	ready = 1;
	return &data;
}

WEAK void srandom(unsigned s)
{
	srandom_r(s, sequence(s));
}

WEAK long random(void)
{
	int result;

	random_r(sequence(1), &result);
	return result;
}

WEAK char *initstate(unsigned s, char *state, size_t size)
{
	char *before = (char *)sequence(1)->state;

	return initstate_r(s, state, size, &data) < 0 ? NULL : before - sizeof(int32_t);
}

WEAK char *setstate(char *state)
{
	char *before = (char *)sequence(1)->state;

	return setstate_r(state, &data) < 0 ? NULL : before - sizeof(int32_t);
}

WEAK void srand(unsigned s)
{
	srandom_r(s, sequence(s));
}

WEAK int rand(void)
{
	int result;

	random_r(sequence(1), &result);
	return result;
}
