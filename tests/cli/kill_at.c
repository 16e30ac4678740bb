/*
 * A preloaded library that kills a program when it has given a file its name for the KILL_AT-th time (Linux, glibc);
 * with KILL_BEFORE just before. So a test of checkpoints chooses the place, and nothing depends on time. Nothing waits
 * for a disk: what a killed program leaves is in the host's memory.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int fd)
{
	(void)fd;
	return 0;
}

int rename(const char *from, const char *to)
{
	static long count;
	const char *at = getenv("KILL_AT");
	const int kills = at && ++count == strtol(at, NULL, 10);
	long ret;

	if (kills && getenv("KILL_BEFORE"))
		kill(getpid(), SIGKILL);
	ret = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
	if (kills)
		kill(getpid(), SIGKILL);
	return (int)ret;
}
