/* Cores that a process may use: psim/base/cores.h. */
#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "tap.h"

#include "psim/base/cores.h"

/* A batch system binds a job to its cores: they count, not the host's. */
static void bound_cores_count(void)
{
	const unsigned quota = cores_by_quota("/sys/fs/cgroup", "/proc/self/cgroup");
	cpu_set_t all, some;
	int first = 0;

	CHECK(sched_getaffinity(0, sizeof(all), &all) == 0);
	CHECK_I64(cores_allowed(), quota < (unsigned)CPU_COUNT(&all) ? (int)quota : CPU_COUNT(&all));
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&some);
	CPU_SET(first, &some);
	CHECK(sched_setaffinity(0, sizeof(some), &some) == 0);
	CHECK_I64(cores_allowed(), 1);
	CHECK(sched_setaffinity(0, sizeof(all), &all) == 0);
}

/* Writes a file of the folder. */
static void have(const char *name, const char *text)
{
	FILE *f = fopen(in_folder(name), "w");

	CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* A container's quota is 1.5 cores in "150000 100000": 1 is whole. */
static void quotas_count(void)
{
	folder_make();
	CHECK(mkdir(in_folder("a"), 0700) == 0 && mkdir(in_folder("a/b"), 0700) == 0);
	have("groups", "3:cpuset:/\n1:cpu:/a\n0::/a/b\n");
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), UINT_MAX);
	have("a/b/cpu.max", "max 100000\n");
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), UINT_MAX);
	have("a/b/cpu.max", "390000 100000\n");
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), 3);
	have("a/cpu.max", "200000 100000\n"); /* of the group around it */
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), 2);
	have("a/cpu.max", "max 100000\n");
	have("cpu.max", "150000 100000\n"); /* of the container */
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), 1);
	have("cpu.max", "5000 100000\n");
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), 1);
	have("cpu.max", "400000 100000\n");
	have("groups", "0::/system.slice/docker-7.scope\n"); /* its name outside */
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), 4);
	have("groups", "0::/\n");
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), 4);
	have("groups", "1:cpu:/a\n"); /* version 1 alone */
	have("cpu.max", "");
	CHECK_U64(cores_by_quota(folder, in_folder("groups")), UINT_MAX);
	unlink(in_folder("a/b/cpu.max"));
	unlink(in_folder("a/cpu.max"));
	unlink(in_folder("cpu.max"));
	unlink(in_folder("groups"));
	rmdir(in_folder("a/b"));
	rmdir(in_folder("a"));
	CHECK(rmdir(folder) == 0);
}

static const struct tap_test tests[] = {
	{"bound cores count", bound_cores_count},
	{"quotas of control groups count", quotas_count},
};

int main(void)
{
	return tap_main("cores", tests, TAP_COUNT(tests));
}
