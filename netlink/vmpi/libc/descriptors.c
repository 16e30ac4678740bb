/* Descriptors 0 to 2 are those of the rank's standard streams, which have no files. */
#define _GNU_SOURCE /* fileno_unlocked */
#include "kept.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gate.h"

WEAK int fileno(FILE *stream)
{
	return vmpi_gate.calls->fileno(vmpi_gate.v, stream);
}

WEAK int fileno_unlocked(FILE *stream)
{
	return vmpi_gate.calls->fileno(vmpi_gate.v, stream);
}

/* Programs may write while they are loaded, before there are ranks. */
WEAK ssize_t write(int file, const void *text, size_t bytes)
{
	if (!vmpi_gate.v)
		return syscall(SYS_write, file, text, bytes);
	return vmpi_gate.calls->write(vmpi_gate.v, file, text, (long long)bytes);
}

WEAK ssize_t writev(int file, const struct iovec *part, int parts)
{
	ssize_t all = 0;

	if (!vmpi_gate.v || (file != STDOUT_FILENO && file != STDERR_FILENO))
		return syscall(SYS_writev, file, part, parts);
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
	if (!vmpi_gate.v)
		return syscall(SYS_read, file, to, bytes);
	return vmpi_gate.calls->read(vmpi_gate.v, file, to, (long long)bytes);
}
