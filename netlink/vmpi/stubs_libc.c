/*
 * Linked into programs: random numbers of the C library, a sequence for each rank. The state lies among the
 * program's variables, which are each rank's own; the numbers are those of glibc.
 */
#define _GNU_SOURCE /* random_r */
#include <stdlib.h>

static struct random_data data;
static char state[128];
static int ready;

static void seed(unsigned s)
{
	if (!ready)
		initstate_r(s, state, sizeof(state), &data);
	else
		srandom_r(s, &data);
	ready = 1;
}

static long next(void)
{
	int result;

	if (!ready)
		seed(1);
	random_r(&data, &result);
	return result;
}

void srand(unsigned s)
{
	seed(s);
}

void srandom(unsigned s)
{
	seed(s);
}

int rand(void)
{
	return (int)next();
}

long random(void)
{
	return next();
}
