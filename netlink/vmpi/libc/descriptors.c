/*
 * Descriptors 0 to 2 are those of the rank's standard streams, which have no files. Constructors of the program run
 * before it has a rank: they use the host's.
 */
#define _GNU_SOURCE /* RTLD_NEXT, fileno_unlocked */
#include "kept.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gate.h"

/* The host's; system calls would bring the threads of a rank (posix_futex.c) into every program. */
static void find_host(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

WEAK int fileno(FILE *stream)
{
	int (*host)(FILE * stream);

	if (vmpi_gate.v)
		return vmpi_gate.calls->fileno(vmpi_gate.v, stream);
	find_host("fileno", &host);
	return host(stream);
}

WEAK int fileno_unlocked(FILE *stream)
{
	return fileno(stream);
}

WEAK ssize_t write(int file, const void *text, size_t bytes)
{
	ssize_t (*host)(int file, const void *text, size_t bytes);

	if (vmpi_gate.v)
		return vmpi_gate.calls->write(vmpi_gate.v, file, text, (long long)bytes);
	find_host("write", &host);
	return host(file, text, bytes);
}

WEAK ssize_t writev(int file, const struct iovec *part, int parts)
{
	ssize_t (*host)(int file, const struct iovec *part, int parts), all = 0;

	if (!vmpi_gate.v || (file != STDOUT_FILENO && file != STDERR_FILENO)) {
		find_host("writev", &host);
		return host(file, part, parts);
	}
	for (int i = 0; i < parts; i++) {
		ssize_t bytes = write(file, part[i].iov_base, part[i].iov_len);

		if (bytes < 0)
			return all ? all : bytes;
		all += bytes;
	}
	return all;
}

WEAK ssize_t read(int file, void *to, size_t bytes)
{
	ssize_t (*host)(int file, void *to, size_t bytes);

	if (vmpi_gate.v)
		return vmpi_gate.calls->read(vmpi_gate.v, file, to, (long long)bytes);
	find_host("read", &host);
	return host(file, to, bytes);
}

WEAK int close(int file)
{
	int (*host)(int file);

	if (vmpi_gate.v)
		return vmpi_gate.calls->close(vmpi_gate.v, file);
	find_host("close", &host);
	return host(file);
}

WEAK int dup2(int file, int to)
{
	int (*host)(int file, int to);

	if (vmpi_gate.v)
		return vmpi_gate.calls->dup2(vmpi_gate.v, file, to);
	find_host("dup2", &host);
	return host(file, to);
}
