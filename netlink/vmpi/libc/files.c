/* Files that a rank opens: the simulator counts them, as their input and output takes no time (`notes` of reports). */
#undef _FILE_OFFSET_BITS /* with it open would be open64; both are defined here */
#define _GNU_SOURCE      /* O_TMPFILE, open64 */
#include "libc_state.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "gate.h"

static int opened(int file)
{
	if (file >= 0 && vmpi_gate.v)
		vmpi_gate.calls->file_opened(vmpi_gate.v, file);
	return file;
}

/* The mode is there only if the flags create a file. */
static mode_t mode_of_file(int flags, va_list ap)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(ap, mode_t) : 0;
}

static int open_counted(int folder, const char *path, int flags, mode_t mode)
{
	int (*host)(int folder, const char *path, int flags, ...);

	host_function("openat64", &host);
	return opened(host(folder, path, flags, mode));
}

#define OPEN(name) \
	WEAK int name(const char *path, int flags, ...) \
	{ \
		mode_t mode; \
		va_list ap; \
\
		va_start(ap, flags); \
		mode = mode_of_file(flags, ap); \
		va_end(ap); \
		return open_counted(AT_FDCWD, path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
	WEAK int name(int folder, const char *path, int flags, ...) \
	{ \
		mode_t mode; \
		va_list ap; \
\
		va_start(ap, flags); \
		mode = mode_of_file(flags, ap); \
		va_end(ap); \
		return open_counted(folder, path, flags, mode); \
	}
OPENAT(openat)
OPENAT(openat64)

WEAK int creat(const char *path, mode_t mode)
{
	return open_counted(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

WEAK int creat64(const char *path, mode_t mode)
{
	return creat(path, mode);
}

/* Programs that are compiled with _FORTIFY_SOURCE call these. */
WEAK int __open_2(const char *path, int flags)
{
	return open_counted(AT_FDCWD, path, flags, 0);
}

WEAK int __open64_2(const char *path, int flags)
{
	return open_counted(AT_FDCWD, path, flags, 0);
}

/* ---- streams ---- */

static FILE *opened_stream(FILE *f)
{
	if (f)
		opened(fileno(f));
	return f;
}

WEAK FILE *fopen64(const char *path, const char *mode)
{
	FILE *(*host)(const char *path, const char *mode);

	host_function("fopen64", &host);
	return opened_stream(host(path, mode));
}

WEAK FILE *fopen(const char *path, const char *mode)
{
	return fopen64(path, mode);
}

WEAK FILE *tmpfile(void)
{
	FILE *(*host)(void);

	host_function("tmpfile", &host);
	return opened_stream(host());
}

WEAK int mkstemp(char *name)
{
	int (*host)(char *name);

	host_function("mkstemp", &host);
	return opened(host(name));
}
