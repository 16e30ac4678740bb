#define _GNU_SOURCE /* sched_getaffinity */
#include "cores.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file has "max 100000" without a quota, else microseconds of all cores in a period, and the period. */
static unsigned quota_of(const char *folder)
{
	char path[2 * PATH_MAX];
	unsigned long long quota, period;
	unsigned cores = UINT_MAX;
	FILE *f;

	f = snprintf(path, sizeof(path), "%s/cpu.max", folder) < (int)sizeof(path) ? fopen(path, "re") : NULL;
	if (!f)
		return cores;
	if (fscanf(f, "%llu %llu", &quota, &period) == 2 && period && quota / period < cores)
		cores = quota < period ? 1 : (unsigned)(quota / period);
	fclose(f);
	return cores;
}

unsigned cores_by_quota(const char *mount, const char *groups)
{
	char line[PATH_MAX], folder[2 * PATH_MAX];
	unsigned least = UINT_MAX;
	FILE *f = fopen(groups, "re");

	snprintf(folder, sizeof(folder), "%s", mount);
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "0::/", 4) == 0)
			snprintf(folder, sizeof(folder), "%s/%.*s", mount, (int)strcspn(line + 4, "\n"), line + 4);
	if (f)
		fclose(f);
	for (;;) {
		unsigned cores = quota_of(folder);

		least = cores < least ? cores : least;
		if (strlen(folder) <= strlen(mount))
			return least;
		*strrchr(folder, '/') = '\0';
	}
}

unsigned cores_allowed(void)
{
	unsigned quota = cores_by_quota("/sys/fs/cgroup", "/proc/self/cgroup"), cores = 1;
	cpu_set_t set;
	long online;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0) {
		cores = (unsigned)CPU_COUNT(&set);
	} else { /* a host with more cores than a cpu_set_t has */
		online = sysconf(_SC_NPROCESSORS_ONLN);
		cores = online > 0 ? (unsigned)online : 1;
	}
	return quota < cores ? quota : cores;
}
