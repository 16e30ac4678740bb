#define _GNU_SOURCE /* sched_getaffinity */
#include "cores.h"

#include <sched.h>
#include <unistd.h>

unsigned cores_allowed(void)
{
	cpu_set_t set;
	long online;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
	online = sysconf(_SC_NPROCESSORS_ONLN); /* a host with more cores than a cpu_set_t has */
	return online > 0 ? (unsigned)online : 1;
}
