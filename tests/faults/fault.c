/*
 * A preloaded library that makes allocations of a program fail (Linux, glibc).
 *
 *   FAULT_PROGRAM  the short name of the program to disturb; others run as always
 *   FAULT_AT       the number of the allocation that fails, from 1; 0: none
 *   FAULT_FOREVER  set: all later ones fail too
 *   FAULT_LOG      the file that gets "ALLOCATIONS LIVE" at the end: how many the
 *                  program made, and how many blocks it had not freed
 *
 * All allocations count, those of shared libraries included. Anonymous mmap is one of
 * them, but not among the live blocks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own allocator, under the names that it has for this purpose. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

void fault_here(void);

static struct {
	atomic_long count, live;
	long at;
	bool on, forever;
	const char *log;
} fault;

__attribute__((constructor)) static void start(void)
{
	const char *program = getenv("FAULT_PROGRAM"), *at = getenv("FAULT_AT");

	fault.at = at ? strtol(at, NULL, 10) : 0;
	fault.forever = getenv("FAULT_FOREVER") != NULL;
	fault.log = getenv("FAULT_LOG");
	fault.on = program && !strcmp(program, program_invocation_short_name);
}

__attribute__((destructor)) static void end(void)
{
	char text[64];
	int fd, n;

	if (!fault.on || !fault.log)
		return;
	fault.on = false;
	n = snprintf(text, sizeof(text), "%ld %ld\n", fault.count, fault.live);
	fd = (int)syscall(SYS_openat, AT_FDCWD, fault.log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0) {
		(void)!write(fd, text, (size_t)n);
		close(fd);
	}
}

/* A debugger stops here at the allocation that fails: `break fault_here`. */
__attribute__((noinline)) void fault_here(void)
{
	__asm__ volatile("");
}

static bool fails(void)
{
	long number;

	if (!fault.on)
		return false;
	number = ++fault.count;
	if (!fault.at || number < fault.at || (number > fault.at && !fault.forever))
		return false;
	fault_here();
	errno = ENOMEM;
	return true;
}

static void *made(void *p)
{
	if (p && fault.on)
		fault.live++;
	return p;
}

void *malloc(size_t size)
{
	return fails() ? NULL : made(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : made(__libc_calloc(count, size));
}

void *realloc(void *p, size_t size)
{
	void *q;

	if (fails())
		return NULL;
	q = __libc_realloc(p, size);
	return p ? q : made(q);
}

void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : made(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
	void *q = memalign(alignment, size);

	if (!q)
		return ENOMEM;
	*p = q;
	return 0;
}

void free(void *p)
{
	if (p && fault.on)
		fault.live--;
	__libc_free(p);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	if ((flags & MAP_ANONYMOUS) && fails())
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}
