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
#include "out_name.h"

struct out {
	FILE *file;
	char *name;      /* final name; NULL for standard output */
	char *temporary; /* name to rename from; NULL where written directly */
	bool unnamed;    /* the file has no name yet */
	int fd;          /* descriptor of `file`, also where that compresses */
	gzFile gz;       /* NULL: not compressed */
	int why;         /* errno of the first failed write */
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

/* Keeps owner and mode of the older file; another owner's only where the system allows it. */
static void keep_mode(int fd, const struct stat *older)
{
	struct stat s;

	if (fstat(fd, &s) < 0)
		return;
	if (s.st_uid != older->st_uid || s.st_gid != older->st_gid)
		if (fchown(fd, older->st_uid, older->st_gid) < 0)
			errno = 0;
	if (fchmod(fd, older->st_mode & 0777) < 0)
		errno = 0;
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
		return open(o->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	o->temporary = temporary_name(o->name, e);
	if (!o->temporary)
		return -1;
	fd = open_unnamed(o->name);
	o->unnamed = fd >= 0;
	if (fd < 0)
		fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0 && exists)
		keep_mode(fd, &s);
	return fd;
}

/* ---- between the stream and the file: compression, and the cause of the first failure ---- */
static ssize_t plain_write(void *user, const char *text, size_t size)
{
	struct out *o = user;
	size_t done = 0;

	while (done < size) {
		ssize_t count = write(o->fd, text + done, size - done);

		if (count < 0 && errno != EINTR)
			break;
		done += count > 0 ? (size_t)count : 0;
	}
	if (done < size && !o->why)
		o->why = errno;
	/* fopencookie takes 0 for an error */
	return done < size ? 0 : (ssize_t)size;
}

static int plain_close(void *user)
{
	struct out *o = user;

	return close(o->fd);
}

static ssize_t gz_write(void *user, const char *text, size_t size)
{
	struct out *o = user;
	int count = size > INT_MAX ? 0 : gzwrite(o->gz, text, (unsigned)size);

	if (!count && !o->why)
		o->why = errno;
	return count;
}

static int gz_close(void *user)
{
	struct out *o = user;

	return gzclose(o->gz) == Z_OK ? 0 : -1;
}

/* Takes ownership of o->fd: closes it on failure. */
static FILE *open_stream(struct out *o, bool compressed)
{
	const cookie_io_functions_t gz = {.write = gz_write, .close = gz_close};
	const cookie_io_functions_t plain = {.write = plain_write, .close = plain_close};
	FILE *file = NULL;

	o->gz = compressed ? gzdopen(o->fd, "wb") : NULL;
	if (o->gz || !compressed)
		file = fopencookie(o, "w", compressed ? gz : plain);
	if (!file && o->gz)
		gzclose(o->gz);
	else if (!file)
		close(o->fd);
	return file;
}

static bool ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), length = strlen(end);

	return n > length && !strcmp(path + n - length, end);
}

/* Checks that a file is what its name says. */
static int check_name(const char *path, struct err *e)
{
	static const char *const others[] = {".xz", ".bz2", ".zst", ".lz4", ".zip"};

	for (size_t n = 0; n < sizeof(others) / sizeof(others[0]); n++)
		if (ends_in(path, others[n]))
			return err_set(e, STATUS_USAGE, "%s: cannot write %s, expected .gz or a plain file's name",
				       path, others[n]);
	return 0;
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
	o->name = out_final_name(path, e);
	if (!o->name) {
		out_release(o);
		return NULL;
	}
	errno = 0;
	fd = o->fd = open_for(o, e);
	if (fd >= 0)
		o->file = open_stream(o, compressed);
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
	return check_name(path, e) < 0 ? NULL : create_output(path, ends_in(path, ".gz"), e);
}

struct out *out_create_packed(const char *path, struct err *e)
{
	return check_name(path, e) < 0 ? NULL : create_output(path, false, e);
}

bool out_is_file(const struct out *o)
{
	return o->temporary;
}

FILE *out_file(struct out *o)
{
	return o->file;
}

int out_private(struct out *o, struct err *e)
{
	struct stat s;

	errno = 0;
	if (fflush(o->file) != 0 || fstat(o->fd, &s) < 0 || (S_ISREG(s.st_mode) && fchmod(o->fd, 0600) < 0)) {
		errno = o->why ? o->why : errno;
		return out_error(out_name(o), e);
	}
	return o->fd;
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
		errno = o->why ? o->why : errno ? errno : EIO;
		result = out_error(out_name(o), e);
	}
	out_release(o);
	return result;
}

int out_close_on_disk(struct out *o, struct err *e)
{
	errno = 0;
	if (o->name && (fflush(o->file) || fsync(o->fd)) && errno != EINVAL) { /* EINVAL: a device */
		o->why = o->why ? o->why : errno;
		return out_fail(o, e);
	}
	return out_close(o, e);
}

int out_fail(struct out *o, struct err *e)
{
	if (o->why) {
		errno = o->why;
		out_error(out_name(o), e);
	} else if (ferror(o->file)) {
		out_check(o->file, out_name(o), e);
	}
	out_release(o);
	return -1;
}

void out_abort(struct out *o)
{
	if (o)
		out_release(o);
}

int out_can_create(const char *path, struct err *e)
{
	struct stat s;
	struct out *probe;

	if (strcmp(path, "-") != 0 && !stat(path, &s) && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode) &&
	    !access(path, W_OK))
		return 0;
	probe = out_create_packed(path, e);
	out_abort(probe);
	return probe ? 0 : -1;
}

/* ---- files of this program ---- */

/* Lets who may read the file run it. */
static int make_program(const struct out *o)
{
	struct stat s;

	if (fstat(o->fd, &s) < 0)
		return -1;
	return S_ISREG(s.st_mode) ? fchmod(o->fd, s.st_mode | (s.st_mode & 0444) >> 2) : 0;
}

int out_copy(const char *from, const char *to, bool program, struct err *e)
{
	FILE *in = fopen(from, "re");
	struct out *o = in ? create_output(to, false, e) : NULL;
	char piece[1 << 14];
	bool good = o;

	if (!in)
		return err_set(e, STATUS_FAILED, "%s: %s", from, strerror(errno));
	for (size_t count; good && (count = fread(piece, 1, sizeof(piece), in)) > 0;)
		good = fwrite(piece, 1, count, out_file(o)) == count;
	if (o && (!good || (program && o->name && make_program(o) < 0)))
		out_error(out_name(o), e);
	else if (o && ferror(in))
		err_set(e, STATUS_FAILED, "%s: %s", from, strerror(errno));
	else
		good = good && out_close(o, e) == 0, o = NULL;
	good = good && !o;
	out_abort(o);
	fclose(in);
	return good ? 0 : -1;
}

FILE *out_journal(const char *path, bool keep, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (keep ? O_APPEND : 0), 0666);
	struct stat s;
	FILE *file = NULL;

	if (fd >= 0 && !fstat(fd, &s) && !S_ISREG(s.st_mode))
		errno = EINVAL;
	else if (fd >= 0 && (keep || !ftruncate(fd, 0)))
		file = fdopen(fd, keep ? "a" : "w");
	if (file)
		return file;
	err_set(e, STATUS_FAILED, "%s: cannot open for writing: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

void out_remove(const char *path)
{
	remove(path);
}

char *out_folder_create(const char *path, struct err *e)
{
	struct stat s;
	char *name;

	if (!lstat(path, &s)) {
		err_set(e, STATUS_FAILED, "%s: %s, expected a folder that does not exist", path, strerror(EEXIST));
		return NULL;
	}
	name = temporary_name(path, e);
	if (!name || mkdir(name, 0777) == 0)
		return name;
	err_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
	free(name);
	return NULL;
}

int out_folder_close(const char *temporary, const char *path, struct err *e)
{
	return rename(temporary, path) ? out_error(path, e) : 0;
}
