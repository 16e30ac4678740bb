/* Open files: described, and opened again. */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH, memfd_create */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image_state.h"

static const char gone[] = " (deleted)", memory[] = "/memfd:";

void image_standard_list(struct image_identity standard[3])
{
	for (int n = 0; n < 3; n++) {
		struct stat s;

		standard[n] = (struct image_identity){0};
		if (fstat(n, &s) == 0)
			standard[n] = (struct image_identity){s.st_dev, s.st_ino};
	}
}

static bool is_standard(const struct image *m, struct image_file *f)
{
	for (unsigned n = 0; n < 3; n++)
		if (m->standard[n].device == f->is.device && m->standard[n].inode == f->is.inode) {
			f->kind = IMAGE_STANDARD;
			f->position = n;
			return true;
		}
	return false;
}

/* Cuts the name off "folder/name (deleted)". */
static void keep_folder(char *path)
{
	char *slash = strrchr(path, '/');

	slash[slash == path] = 0;
}

/* Chooses how the file is opened again, from its path and its kind in the file system. False: in no way. */
static bool choose_kind(struct image_file *f, unsigned kind)
{
	const size_t length = strlen(f->path);
	const bool nameless = length > strlen(gone) && strcmp(f->path + length - strlen(gone), gone) == 0;
	const bool writes = (f->flags & O_ACCMODE) != O_RDONLY;

	if (f->path[0] != '/' || (!S_ISREG(kind) && nameless))
		return false;
	f->kind = IMAGE_NAMED;
	if (S_ISCHR(kind) || S_ISDIR(kind) || (S_ISREG(kind) && !writes && !nameless))
		return true;
	if (!S_ISREG(kind))
		return false;
	if (strncmp(f->path, memory, strlen(memory)) == 0) {
		f->kind = IMAGE_MEMORY;
		return true;
	}
	f->kind = nameless ? IMAGE_UNNAMED : IMAGE_WRITTEN_FILE;
	if (nameless)
		keep_folder(f->path);
	return true;
}

/* Describes the open file `fd`. 0, or -1 with `e`. */
static int describe_file(const struct image *m, int fd, struct image_file *f, struct err *e)
{
	struct stat s;
	char link[64];
	ssize_t length;
	off_t at;

	memset(f, 0, sizeof(*f));
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, f->path, sizeof(f->path) - 1);
	if (length < 0 || fstat(fd, &s) < 0)
		return err_set(e, STATUS_FAILED, "descriptor %d: %s", fd, strerror(errno));
	f->descriptor = (uint64_t)fd;
	f->flags = (uint64_t)fcntl(fd, F_GETFL);
	f->closes = (uint64_t)fcntl(fd, F_GETFD);
	f->is = (struct image_identity){s.st_dev, s.st_ino};
	if (is_standard(m, f))
		return 0;
	at = S_ISREG(s.st_mode) ? lseek(fd, 0, SEEK_CUR) : 0;
	f->position = at > 0 ? (uint64_t)at : 0;
	f->bytes = S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0;
	f->mode = s.st_mode & 07777;
	if (choose_kind(f, s.st_mode))
		return 0;
	return err_set(e, STATUS_FAILED, "%s is open, expected files: a checkpoint has no pipes and connections",
		       f->path);
}

int image_files_list(const struct image *m, int fd, struct image_files *files, struct err *e)
{
	DIR *folder = opendir("/proc/self/fd");
	int ret = folder ? 0 : err_set(e, STATUS_FAILED, "/proc/self/fd: %s", strerror(errno));

	for (struct dirent *d; ret == 0 && (d = readdir(folder));) {
		const int n = d->d_name[0] == '.' ? -1 : atoi(d->d_name);
		struct image_file *f;

		if (n < 0 || n == fd || n == dirfd(folder) || (n < IMAGE_INHERITED && m->inherited[n]))
			continue;
		f = vec_push(files, e);
		ret = f ? describe_file(m, n, f, e) : -1;
	}
	if (folder)
		closedir(folder);
	return ret;
}

/* ---- opened again ---- */

static int open_again(const struct image_file *f)
{
	const int flags = (int)f->flags & (O_ACCMODE | O_PATH | O_DIRECTORY | O_NONBLOCK);

	switch (f->kind) {
	case IMAGE_STANDARD: return dup((int)f->position);
	case IMAGE_NAMED: return open(f->path, flags | O_NOCTTY | O_CLOEXEC);
	case IMAGE_WRITTEN_FILE:
		return open(f->path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, (mode_t)f->mode);
	case IMAGE_UNNAMED: return open(f->path, O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)f->mode);
	case IMAGE_MEMORY: return memfd_create("ranks", MFD_CLOEXEC);
	default: errno = EINVAL; return -1;
	}
}

int image_file_open(const struct image_file *f, int least, struct err *e)
{
	int low = open_again(f), fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, least), why = errno;
	struct stat s;

	if (low >= 0)
		close(low);
	if (fd < 0)
		return err_set(e, STATUS_FAILED, "%s: cannot open it again: %s", f->path, strerror(why));
	if (f->kind == IMAGE_NAMED && f->bytes && (fstat(fd, &s) < 0 || (uint64_t)s.st_size != f->bytes)) {
		close(fd);
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: another length than the run had read, expected %" PRIu64 " bytes", f->path,
			       f->bytes);
	}
	if (f->kind >= IMAGE_WRITTEN_FILE && ftruncate(fd, (off_t)f->bytes) < 0) {
		why = errno;
		close(fd);
		return err_set(e, STATUS_FAILED, "%s: %s", f->path, strerror(why));
	}
	return fd;
}

int image_file_fill(int fd, const void *data, size_t bytes, uint64_t offset)
{
	const char *from = data;

	for (size_t done = 0; done < bytes;) {
		ssize_t count = pwrite(fd, from + done, bytes - done, (off_t)(offset + done));

		if (count < 0 && errno != EINTR)
			return -1;
		done += count > 0 ? (size_t)count : 0;
	}
	return 0;
}

int image_file_ready(int fd, const struct image_file *f)
{
	if (f->kind == IMAGE_STANDARD || (f->flags & O_PATH))
		return 0;
	if (f->position && lseek(fd, (off_t)f->position, SEEK_SET) < 0)
		return -1;
	return fcntl(fd, F_SETFL, (int)f->flags & (O_APPEND | O_NONBLOCK));
}
