#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static ssize_t input_read(void *user, char *text, size_t size)
{
	gzFile gz = user;
	int got = gzread(gz, text, size > INT_MAX ? INT_MAX : (unsigned)size), code = Z_OK;

	if (got <= 0) /* gzread returns 0 for a file that is cut off */
		gzerror(gz, &code);
	if (got >= 0 && code == Z_OK)
		return got;
	if (code != Z_ERRNO)
		errno = EBADMSG;
	return -1;
}

static int input_seek(void *user, off64_t *offset, int whence)
{
	z_off_t at = whence == SEEK_END ? -1 : gzseek(user, (z_off_t)*offset, whence);

	if (at < 0)
		return -1;
	*offset = at;
	return 0;
}

static int input_close(void *user)
{
	return gzclose(user) == Z_OK ? 0 : -1;
}

/* Returns whether zlib is to read the file: it is compressed, or its first bytes cannot be read in advance. */
static bool input_needs_zlib(int fd)
{
	unsigned char begin[2];
	ssize_t got = pread(fd, begin, sizeof(begin), 0);

	if (got < 0)
		return errno == ESPIPE;
	return got == 2 && begin[0] == 0x1f && begin[1] == 0x8b;
}

static int input_descriptor(const char *path)
{
	return strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
}

const char *input_failure(void)
{
	return errno == EBADMSG ? "compressed data is damaged or ends early, expected a whole gzip file"
				: strerror(errno);
}

FILE *input_plain(const char *path)
{
	int fd = input_descriptor(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

FILE *input_open(const char *path)
{
	const cookie_io_functions_t functions = {.read = input_read, .seek = input_seek, .close = input_close};
	int fd = input_descriptor(path);
	bool compressed = fd >= 0 && input_needs_zlib(fd);
	gzFile gz = compressed ? gzdopen(fd, "rb") : NULL;
	FILE *file = gz ? fopencookie(gz, "r", functions) : fd < 0 || compressed ? NULL : fdopen(fd, "r");

	if (!file && gz)
		gzclose(gz);
	else if (!file && fd >= 0)
		close(fd);
	return file;
}
