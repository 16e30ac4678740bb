/* System calls on names: lookup, status, creation and removal of files. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "place.h"
#include "syscall.h"

#define CWD ((uint64_t)AT_FDCWD)

/*
 * The path behind /proc/self/exe, which is absolute: ./NAME is in a folder of one name for all. The C library keeps it
 * on the heap, so that its length moves data.
 */
static void own_path(const struct guest *g, char *path, size_t size)
{
	const char *name = g->options.name ? g->options.name : g->exe_path;
	snprintf(path, size, "%s%s", *name == '.' ? "/opt/programs/guest" : "", *name == '.' ? name + 1 : name);
}

static int64_t result_or_errno(int result)
{
	return result < 0 ? -errno : 0;
}

/* The result of a call on a place, which ends with it. */
static int64_t ended(struct place *p, int result)
{
	int64_t r = result_or_errno(result);
	place_release(p);
	return r;
}

/* struct stat64 of arch/sparc/include/uapi/asm/stat.h */
static int64_t store_stat64(struct guest *g, uint64_t address, const struct stat *s)
{
	struct packer p = {.size = 0};
	pack64(&p, s->st_dev);
	pack64(&p, s->st_ino);
	pack64(&p, s->st_nlink);
	pack32(&p, s->st_mode);
	pack32(&p, s->st_uid);
	pack32(&p, s->st_gid);
	pack32(&p, 0);
	pack64(&p, s->st_rdev);
	pack64(&p, (uint64_t)s->st_size);
	pack64(&p, (uint64_t)s->st_blksize);
	pack64(&p, (uint64_t)s->st_blocks);
	const struct timespec *t[] = {&s->st_atim, &s->st_mtim, &s->st_ctim};
	for (int i = 0; i < 3; i++) {
		pack64(&p, (uint64_t)t[i]->tv_sec);
		pack64(&p, (uint64_t)t[i]->tv_nsec);
	}
	pack_zero(&p, 24);
	return packer_store(&p, g, address);
}

/* struct stat, the older one */
static int64_t store_stat(struct guest *g, uint64_t address, const struct stat *s)
{
	struct packer p = {.size = 0};
	pack32(&p, (uint32_t)s->st_dev);
	pack32(&p, 0);
	pack64(&p, s->st_ino);
	pack32(&p, s->st_mode);
	pack16(&p, (uint16_t)s->st_nlink);
	pack16(&p, 0);
	pack32(&p, s->st_uid);
	pack32(&p, s->st_gid);
	pack32(&p, (uint32_t)s->st_rdev);
	pack32(&p, 0);
	pack64(&p, (uint64_t)s->st_size);
	pack64(&p, (uint64_t)s->st_atime);
	pack64(&p, (uint64_t)s->st_mtime);
	pack64(&p, (uint64_t)s->st_ctime);
	pack64(&p, (uint64_t)s->st_blksize);
	pack64(&p, (uint64_t)s->st_blocks);
	pack_zero(&p, 16);
	return packer_store(&p, g, address);
}

static int64_t stat_at(struct guest *g, uint64_t dir, uint64_t name, int flags, struct stat *s)
{
	struct place p;
	char first;
	if (flags & AT_EMPTY_PATH && address_space_read_string(&g->memory, name, &first, 1) >= 0 &&
	    (int32_t)dir != AT_FDCWD)
		return result_or_errno(guest_fstat(guest_fd(g, dir), s));
	int64_t r = place_find(g, dir, name, flags & AT_SYMLINK_NOFOLLOW ? PLACE_NOFOLLOW : 0, &p);
	if (r < 0)
		return r;
	return ended(&p, p.kind == PLACE_FILE ? fstat(p.file, s) : fstatat(p.at, p.name, s, AT_SYMLINK_NOFOLLOW));
}

int64_t sys_fstatat64(struct guest *g, const uint64_t *a)
{
	struct stat s;
	int64_t r = stat_at(g, a[0], a[1], (int)a[3], &s);
	return r < 0 ? r : store_stat64(g, a[2], &s);
}

int64_t sys_stat64(struct guest *g, const uint64_t *a)
{
	struct stat s;
	int64_t r = stat_at(g, CWD, a[0], 0, &s);
	return r < 0 ? r : store_stat64(g, a[1], &s);
}

int64_t sys_lstat64(struct guest *g, const uint64_t *a)
{
	struct stat s;
	int64_t r = stat_at(g, CWD, a[0], AT_SYMLINK_NOFOLLOW, &s);
	return r < 0 ? r : store_stat64(g, a[1], &s);
}

int64_t sys_fstat64(struct guest *g, const uint64_t *a)
{
	struct stat s;
	return guest_fstat(guest_fd(g, a[0]), &s) < 0 ? -errno : store_stat64(g, a[1], &s);
}

int64_t sys_stat(struct guest *g, const uint64_t *a)
{
	struct stat s;
	int64_t r = stat_at(g, CWD, a[0], 0, &s);
	return r < 0 ? r : store_stat(g, a[1], &s);
}

int64_t sys_lstat(struct guest *g, const uint64_t *a)
{
	struct stat s;
	int64_t r = stat_at(g, CWD, a[0], AT_SYMLINK_NOFOLLOW, &s);
	return r < 0 ? r : store_stat(g, a[1], &s);
}

int64_t sys_fstat(struct guest *g, const uint64_t *a)
{
	struct stat s;
	return guest_fstat(guest_fd(g, a[0]), &s) < 0 ? -errno : store_stat(g, a[1], &s);
}

static void pack_statx_time(struct packer *p, const struct timespec *t)
{
	pack64(p, (uint64_t)t->tv_sec);
	pack32(p, (uint32_t)t->tv_nsec);
	pack32(p, 0);
}

int64_t sys_statx(struct guest *g, const uint64_t *a)
{
	struct stat s;
	const struct timespec none = {0};
	int64_t r = stat_at(g, a[0], a[1], (int)a[2], &s);
	if (r < 0)
		return r;
	struct packer p = {.size = 0};
	pack32(&p, 0x7ff); /* STATX_BASIC_STATS */
	pack32(&p, (uint32_t)s.st_blksize);
	pack64(&p, 0);
	pack32(&p, (uint32_t)s.st_nlink);
	pack32(&p, s.st_uid);
	pack32(&p, s.st_gid);
	pack16(&p, (uint16_t)s.st_mode);
	pack16(&p, 0);
	pack64(&p, s.st_ino);
	pack64(&p, (uint64_t)s.st_size);
	pack64(&p, (uint64_t)s.st_blocks);
	pack64(&p, 0);
	pack_statx_time(&p, &s.st_atim);
	pack_statx_time(&p, &none);
	pack_statx_time(&p, &s.st_ctim);
	pack_statx_time(&p, &s.st_mtim);
	pack32(&p, major(s.st_rdev));
	pack32(&p, minor(s.st_rdev));
	pack32(&p, major(s.st_dev));
	pack32(&p, minor(s.st_dev));
	pack_zero(&p, 256 - p.size);
	return packer_store(&p, g, a[4]);
}

static int64_t access_at(struct guest *g, uint64_t dir, uint64_t name, uint64_t mode, int flags)
{
	struct place p;
	int64_t r = place_find(g, dir, name, flags & AT_SYMLINK_NOFOLLOW ? PLACE_NOFOLLOW : 0, &p);
	if (r < 0)
		return r;
	if (p.kind == PLACE_FILE)
		return ended(&p, 0);
	if (mode & W_OK && g->options.read_only)
		r = -EROFS;
	int64_t result = ended(&p, faccessat(p.at, p.name, (int)mode, flags));
	return r < 0 ? r : result;
}

int64_t sys_access(struct guest *g, const uint64_t *a)
{
	return access_at(g, CWD, a[0], a[1], 0);
}

int64_t sys_faccessat(struct guest *g, const uint64_t *a)
{
	return access_at(g, a[0], a[1], a[2], 0);
}

int64_t sys_faccessat2(struct guest *g, const uint64_t *a)
{
	return access_at(g, a[0], a[1], a[2], (int)a[3]);
}

static int64_t read_link(struct guest *g, uint64_t dir, uint64_t name, uint64_t to, uint64_t size)
{
	struct place p;
	char target[PATH_MAX];
	ssize_t n;
	if ((int64_t)size <= 0)
		return -EINVAL;
	int64_t r = place_find(g, dir, name, PLACE_NOFOLLOW, &p);
	if (r < 0)
		return r;
	if (p.kind == PLACE_EXE) {
		own_path(g, target, sizeof(target));
		n = (ssize_t)strlen(target);
	} else if (p.kind == PLACE_FILE) {
		n = -1;
		errno = EINVAL;
	} else {
		n = readlinkat(p.at, p.name, target, sizeof(target));
	}
	r = ended(&p, n < 0 ? -1 : 0);
	if (r < 0)
		return r;
	if ((uint64_t)n > size)
		n = (ssize_t)size;
	return address_space_write(&g->memory, to, target, (size_t)n) < 0 ? -EFAULT : n;
}

int64_t sys_readlink(struct guest *g, const uint64_t *a)
{
	return read_link(g, CWD, a[0], a[1], a[2]);
}

int64_t sys_readlinkat(struct guest *g, const uint64_t *a)
{
	return read_link(g, a[0], a[1], a[2], a[3]);
}

static int64_t sys_path_remove_at(struct guest *g, uint64_t dir, uint64_t name, int flags)
{
	struct place p;
	int64_t r = place_find(g, dir, name, PLACE_NOFOLLOW | PLACE_CHANGES, &p);
	return r < 0 ? r : ended(&p, unlinkat(p.at, p.name, flags));
}

int64_t sys_unlink(struct guest *g, const uint64_t *a)
{
	return sys_path_remove_at(g, CWD, a[0], 0);
}

int64_t sys_rmdir(struct guest *g, const uint64_t *a)
{
	return sys_path_remove_at(g, CWD, a[0], AT_REMOVEDIR);
}

int64_t sys_unlinkat(struct guest *g, const uint64_t *a)
{
	return sys_path_remove_at(g, a[0], a[1], (int)a[2]);
}

static int64_t make_folder(struct guest *g, uint64_t dir, uint64_t name, uint64_t mode)
{
	struct place p;
	int64_t r = place_find(g, dir, name, PLACE_NOFOLLOW | PLACE_CHANGES, &p);
	return r < 0 ? r : ended(&p, mkdirat(p.at, p.name, (mode_t)mode));
}

int64_t sys_mkdir(struct guest *g, const uint64_t *a)
{
	return make_folder(g, CWD, a[0], a[1]);
}

int64_t sys_mkdirat(struct guest *g, const uint64_t *a)
{
	return make_folder(g, a[0], a[1], a[2]);
}

/* Two names, of which neither is followed where it is a link. */
static int64_t find_two(struct guest *g, const uint64_t dir[2], const uint64_t name[2], struct place p[2])
{
	int64_t r = place_find(g, dir[0], name[0], PLACE_NOFOLLOW | PLACE_CHANGES, &p[0]);
	if (r < 0)
		return r;
	r = place_find(g, dir[1], name[1], PLACE_NOFOLLOW | PLACE_CHANGES, &p[1]);
	if (r < 0)
		place_release(&p[0]);
	return r;
}

static int64_t rename_at(struct guest *g, uint64_t dir, uint64_t old, uint64_t to, uint64_t new)
{
	struct place p[2];
	int64_t r = find_two(g, (uint64_t[]){dir, to}, (uint64_t[]){old, new}, p);
	if (r < 0)
		return r;
	r = ended(&p[0], renameat(p[0].at, p[0].name, p[1].at, p[1].name));
	place_release(&p[1]);
	return r;
}

int64_t sys_rename(struct guest *g, const uint64_t *a)
{
	return rename_at(g, CWD, a[0], CWD, a[1]);
}

int64_t sys_renameat(struct guest *g, const uint64_t *a)
{
	return rename_at(g, a[0], a[1], a[2], a[3]);
}

int64_t sys_renameat2(struct guest *g, const uint64_t *a)
{
	return a[4] ? -EINVAL : rename_at(g, a[0], a[1], a[2], a[3]);
}

int64_t sys_link(struct guest *g, const uint64_t *a)
{
	struct place p[2];
	int64_t r = find_two(g, (uint64_t[]){CWD, CWD}, a, p);
	if (r < 0)
		return r;
	r = ended(&p[0], linkat(p[0].at, p[0].name, p[1].at, p[1].name, 0));
	place_release(&p[1]);
	return r;
}

/* The target may be any text: a path that leads through the link is walked when it is used. */
int64_t sys_symlink(struct guest *g, const uint64_t *a)
{
	struct place p;
	char target[PATH_MAX];
	if (address_space_read_string(&g->memory, a[0], target, sizeof(target)) < 0)
		return -EFAULT;
	int64_t r = place_find(g, CWD, a[1], PLACE_NOFOLLOW | PLACE_CHANGES, &p);
	return r < 0 ? r : ended(&p, symlinkat(target, p.at, p.name));
}

static int64_t change_mode(struct guest *g, uint64_t dir, uint64_t name, uint64_t mode)
{
	struct place p;
	int64_t r = place_find(g, dir, name, PLACE_CHANGES, &p);
	return r < 0 ? r : ended(&p, fchmodat(p.at, p.name, (mode_t)mode, 0));
}

int64_t sys_chmod(struct guest *g, const uint64_t *a)
{
	return change_mode(g, CWD, a[0], a[1]);
}

int64_t sys_fchmodat(struct guest *g, const uint64_t *a)
{
	return change_mode(g, a[0], a[1], a[2]);
}

int64_t sys_truncate(struct guest *g, const uint64_t *a)
{
	struct place p;
	int64_t r = place_find(g, CWD, a[0], PLACE_CHANGES, &p);
	if (r < 0)
		return r;
	int fd = openat(p.at, p.name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	r = ended(&p, fd);
	if (r < 0)
		return r;
	r = result_or_errno(ftruncate(fd, (off_t)a[1]));
	close(fd);
	return r;
}

int64_t sys_utimensat(struct guest *g, const uint64_t *a)
{
	struct place p;
	struct timespec t[2];
	bool fault = false;
	for (unsigned i = 0; a[2] && i < 2; i++) {
		t[i].tv_sec = (time_t)space_read64(&g->memory, a[2] + 16 * i, &fault);
		t[i].tv_nsec = (long)space_read64(&g->memory, a[2] + 16 * i + 8, &fault);
	}
	if (fault)
		return -EFAULT;
	if (!a[1])
		return result_or_errno(futimens(guest_fd(g, a[0]), a[2] ? t : NULL));
	unsigned flags = PLACE_CHANGES | (a[3] & AT_SYMLINK_NOFOLLOW ? PLACE_NOFOLLOW : 0);
	int64_t r = place_find(g, a[0], a[1], flags, &p);
	return r < 0 ? r : ended(&p, utimensat(p.at, p.name, a[2] ? t : NULL, AT_SYMLINK_NOFOLLOW));
}

/* Changes the guest's working directory; the recorder keeps its own. */
static int64_t change_directory(struct guest *g, int at, const char *path)
{
	int folder = openat(at, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -errno;
	if (g->cwd >= 0)
		close(g->cwd);
	g->cwd = folder;
	return 0;
}

int64_t sys_chdir(struct guest *g, const uint64_t *a)
{
	struct place p;
	int64_t r = place_find(g, CWD, a[0], 0, &p);
	if (r < 0)
		return r;
	r = p.kind == PLACE_FILE ? change_directory(g, p.file, ".") : change_directory(g, p.at, p.name);
	place_release(&p);
	return r;
}

int64_t sys_fchdir(struct guest *g, const uint64_t *a)
{
	return change_directory(g, guest_fd(g, a[0]), ".");
}

int64_t sys_getcwd(struct guest *g, const uint64_t *a)
{
	char path[PATH_MAX], self[40];
	ssize_t n;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", g->cwd);
	if (g->cwd < 0)
		n = getcwd(path, sizeof(path)) ? (ssize_t)strlen(path) : -1;
	else
		n = readlink(self, path, sizeof(path) - 1);
	if (n < 0)
		return -errno;
	path[n] = 0;
	if ((uint64_t)n + 1 > a[1])
		return -ERANGE;
	return address_space_write(&g->memory, a[0], path, (size_t)n + 1) < 0 ? -EFAULT : n + 1;
}

int64_t sys_umask(struct guest *g, const uint64_t *a)
{
	(void)g;
	return umask((mode_t)a[0]);
}

/* linux_dirent64 has the same layout everywhere; only the byte order differs. */
int64_t sys_getdents64(struct guest *g, const uint64_t *a)
{
	uint8_t host[16384];
	size_t size = a[2] < sizeof(host) ? (size_t)a[2] : sizeof(host);
	long n = syscall(SYS_getdents64, guest_fd(g, a[0]), host, size);
	if (n < 0)
		return -errno;
	for (long i = 0; i < n;) {
		struct dirent64 d;
		memcpy(&d, host + i, offsetof(struct dirent64, d_name));
		struct packer p = {.size = 0};
		pack64(&p, d.d_ino);
		pack64(&p, (uint64_t)d.d_off);
		pack16(&p, d.d_reclen);
		memcpy(host + i, p.bytes, p.size);
		i += d.d_reclen;
	}
	return address_space_write(&g->memory, a[1], host, (size_t)n) < 0 ? -EFAULT : n;
}
