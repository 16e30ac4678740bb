/*
 * A preloaded library that kills children of a program (Linux, glibc): KILL_WRITES=40,1 kills the first one instead of
 * its 40th write, and the second one instead of its first; 0, and the children behind the list, write all. So a test
 * chooses which process dies, and where, and nothing depends on time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long left; /* writes of this process until it dies; 0: it lives */

/* The n-th number of the list, from 0; 0 behind it. */
static long listed(const char *list, unsigned n)
{
	for (; list && n > 0; n--) {
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return list ? strtol(list, NULL, 10) : 0;
}

pid_t fork(void)
{
	static unsigned children;
	const long writes = listed(getenv("KILL_WRITES"), children++);
	pid_t (*next)(void);
	pid_t pid;

	*(void **)&next = dlsym(RTLD_NEXT, "fork");
	pid = next();
	if (pid == 0)
		left = writes;
	return pid;
}

ssize_t write(int fd, const void *bytes, size_t count)
{
	if (left && !--left)
		kill(getpid(), SIGKILL);
	return syscall(SYS_write, fd, bytes, count);
}
