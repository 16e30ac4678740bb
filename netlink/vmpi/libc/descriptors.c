/*
 * Descriptors 0 to 2 are those of the rank's standard streams, which have no files. What the loader calls
 * runs before the program has a rank: it uses the host's.
 */
#define _GNU_SOURCE /* fileno_unlocked */
#include "libc_state.h"

#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gate.h"

WEAK int fileno(FILE *stream)
{
	int (*host)(FILE * stream);

	if (vmpi_gate.v)
		return vmpi_gate.calls->fileno(vmpi_gate.v, stream);
	host_function("fileno", &host);
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
	host_function("write", &host);
	return host(file, text, bytes);
}

WEAK ssize_t writev(int file, const struct iovec *part, int parts)
{
	ssize_t (*host)(int file, const struct iovec *part, int parts), all = 0;

	if (!vmpi_gate.v || (file != STDOUT_FILENO && file != STDERR_FILENO)) {
		host_function("writev", &host);
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
	host_function("read", &host);
	return host(file, to, bytes);
}

/* Programs that are compiled with _FORTIFY_SOURCE call this. */
WEAK ssize_t __read_chk(int file, void *to, size_t bytes, size_t size)
{
	(void)size;
	return read(file, to, bytes);
}

WEAK int close(int file)
{
	int (*host)(int file);

	if (vmpi_gate.v)
		return vmpi_gate.calls->close(vmpi_gate.v, file);
	host_function("close", &host);
	return host(file);
}

WEAK int dup2(int file, int to)
{
	int (*host)(int file, int to);

	if (vmpi_gate.v)
		return vmpi_gate.calls->dup2(vmpi_gate.v, file, to);
	host_function("dup2", &host);
	return host(file, to);
}
