/* O_TMPFILE and linkat through /proc are Linux-specific; both have a portable fallback. */
#define _GNU_SOURCE
#include "out.h"

#include <errno.h>
#include <poll.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "../mem.h"

struct out {
	FILE *file;
	char *name;      /* final name; NULL for standard output */
	char *temporary; /* name to rename from; NULL where written directly */
	bool unnamed;    /* the file has no name yet */
	int fd;          /* descriptor of `file`, also where that compresses */
};

int out_error(const char *name, struct err *e)
{
	return err_set(e, STATUS_FAILED, "%s: cannot write: %s", name, strerror(errno));
}

/*
 * Returns whether the reader closed its end of the pipe because it has enough: `…
 *  head`.
 */
static bool reader_has_enough(FILE *f)
{
	struct pollfd p = {.events = POLLOUT};
	int why = errno;
	bool gone;

	p.fd = fileno(f);
	gone = why == EPIPE || (p.fd >= 0 && poll(&p, 1, 0) > 0 && (p.revents & POLLERR));
	errno = why;
	return gone;
}

int out_check(FILE *f, const char *name, struct err *e)
{
	errno = 0;
	if (!fflush(f) && !ferror(f))
		return 0;
	if (reader_has_enough(f))
		return 0;
	/* an earlier failed write may have left no errno */
	return errno ? out_error(name, e) : err_set(e, STATUS_FAILED, "%s: cannot write", name);
}

int out_is_not(const char *path, const char *input, struct err *e)
{
	struct stat a, b;

	if (!path || !input || !strcmp(path, "-") || !strcmp(input, "-") || stat(path, &a) || stat(input, &b) ||
	    !S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return 0;
	return err_set(e, STATUS_USAGE, "%s: is also an input, expected another file to write to", path);
}

static void out_release(struct out *o)
{
	if (o->file && o->file != stdout)
		fclose(o->file);
	if (o->temporary && !o->unnamed)
		unlink(o->temporary);
	free(o->temporary);
	free(o->name);
	free(o);
}

/* Returns "folder/.base.PID" for "folder/base". */
static char *temporary_name(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	size_t room = strlen(path) + 32;
	char *name = mem_alloc(room, 1, e);

	if (name)
		snprintf(name, room, "%.*s.%s.%ld", folder, path, path + folder, (long)getpid());
	return name;
}

/* Returns -1 where the file system has no unnamed files, or there is no /proc to name them through later. */
static int open_unnamed(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = -1;

	if (folder && !access("/proc/self/fd", X_OK))
		fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	free(folder);
	return fd;
}

/* Resolves symbolic links: the output replaces the file behind a link, not the link. */
static char *final_name(const char *path, struct err *e)
{
	char *real = realpath(path, NULL), *copy;

	copy = mem_copy_text(real ? real : path, e);
	free(real);
	return copy;
}

static int open_for(struct out *o, struct err *e)
{
	struct stat s;
	bool exists = !stat(o->name, &s);
	int fd;

	if (exists && S_ISDIR(s.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (exists && access(o->name, W_OK))
		return -1;
	if (exists && !S_ISREG(s.st_mode))
		return open(o->name, O_WRONLY | O_CLOEXEC);
	o->temporary = temporary_name(o->name, e);
	if (!o->temporary)
		return -1;
	fd = open_unnamed(o->name);
	o->unnamed = fd >= 0;
	return fd >= 0 ? fd : open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* ---- compression between the stream and the file ---- */
static ssize_t gz_write(void *user, const char *text, size_t size)
{
	/* fopencookie takes 0 for an error; errno is that of the file */
	return size > INT_MAX ? 0 : gzwrite(user, text, (unsigned)size);
}

static int gz_close(void *user)
{
	return gzclose(user) == Z_OK ? 0 : -1;
}

/* Takes ownership of `fd`: closes it on failure. */
static FILE *open_stream(int fd, bool compressed)
{
	const cookie_io_functions_t functions = {.write = gz_write, .close = gz_close};
	gzFile gz = compressed ? gzdopen(fd, "wb") : NULL;
	FILE *file = gz ? fopencookie(gz, "w", functions) : compressed ? NULL : fdopen(fd, "w");

	if (!file && gz)
		gzclose(gz);
	else if (!file)
		close(fd);
	return file;
}

static bool ends_in_gz(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && !strcmp(path + n - 3, ".gz");
}

static struct out *create_output(const char *path, bool compressed, struct err *e)
{
	struct out *o = mem_alloc(1, sizeof(*o), e);
	int fd;

	if (!o)
		return NULL;
	if (!strcmp(path, "-")) {
		o->file = stdout;
		return o;
	}
	o->name = final_name(path, e);
	if (!o->name) {
		out_release(o);
		return NULL;
	}
	errno = 0;
	fd = o->fd = open_for(o, e);
	if (fd >= 0)
		o->file = open_stream(fd, compressed);
	if (!o->file) {
		err_set(e, STATUS_FAILED, "%s: cannot open for writing: %s", path, strerror(errno ? errno : ENOMEM));
		if (fd < 0)
			o->unnamed = true; /* no temporary file to remove */
		out_release(o);
		return NULL;
	}
	return o;
}

struct out *out_create(const char *path, struct err *e)
{
	return create_output(path, false, e);
}

struct out *out_create_gz(const char *path, struct err *e)
{
	return create_output(path, ends_in_gz(path), e);
}

FILE *out_file(struct out *o)
{
	return o->file;
}

const char *out_name(const struct out *o)
{
	return o->name ? o->name : "standard output";
}

/* Gives the unnamed file its temporary name, from which rename can replace an older file. */
static int link_unnamed(struct out *o)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	if (linkat(AT_FDCWD, self, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW))
		return -1;
	o->unnamed = false;
	return 0;
}

static int out_finish(struct out *o)
{
	if (fflush(o->file) || ferror(o->file))
		return -1;
	if (o->temporary && o->unnamed && link_unnamed(o))
		return -1;
	if (o->file != stdout) {
		FILE *file = o->file;

		o->file = NULL;
		if (fclose(file))
			return -1;
	}
	if (o->temporary) {
		if (rename(o->temporary, o->name))
			return -1;
		o->unnamed = true; /* nothing left to remove */
	}
	return 0;
}

int out_close(struct out *o, struct err *e)
{
	int result = 0;

	errno = 0;
	if (!o->name) {
		result = out_check(o->file, out_name(o), e);
	} else if (out_finish(o)) {
		/* an earlier failed write may have left no errno */
		result = errno ? out_error(out_name(o), e) : err_set(e, STATUS_FAILED, "%s: cannot write", out_name(o));
	}
	out_release(o);
	return result;
}

void out_abort(struct out *o)
{
	if (o)
		out_release(o);
}
