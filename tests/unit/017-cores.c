/* Cores that a process may use: psim/base/cores.h. */
#define _GNU_SOURCE
#include <sched.h>

#include "tap.h"

#include "psim/base/cores.h"

/* A batch system binds a job to its cores: they count, not the host's. */
static void bound_cores_count(void)
{
	cpu_set_t all, some;
	int first = 0;

	CHECK(sched_getaffinity(0, sizeof(all), &all) == 0);
	CHECK_I64(cores_allowed(), CPU_COUNT(&all));
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&some);
	CPU_SET(first, &some);
	CHECK(sched_setaffinity(0, sizeof(some), &some) == 0);
	CHECK_I64(cores_allowed(), 1);
	CHECK(sched_setaffinity(0, sizeof(all), &all) == 0);
}

static const struct tap_test tests[] = {
	{"bound cores count", bound_cores_count},
};

int main(void)
{
	return tap_main("cores", tests, TAP_COUNT(tests));
}
