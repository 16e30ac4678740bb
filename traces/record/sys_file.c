/* System calls on open files: reading, writing, descriptors, terminals. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "place.h"
#include "syscall.h"

enum { PIECES = 256, GUEST_IOV_MAX = 1024 };

int guest_fd(const struct guest *g, uint64_t fd)
{
	return fd < GUEST_FILES ? g->file[fd] - 1 : -1;
}

static bool is_output(int fd)
{
	return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

/* As isatty; see guest_fstat. */
static bool guest_isatty(int fd)
{
	return !is_output(fd) && isatty(fd);
}

int guest_fstat(int fd, struct stat *s)
{
	if (fstat(fd, s) < 0)
		return -1;
	if (!is_output(fd))
		return 0;
	s->st_mode = S_IFCHR | 0666;
	s->st_rdev = makedev(1, 3);
	s->st_size = s->st_blocks = 0;
	s->st_blksize = 4096;
	return 0;
}

/*
 * Assigns the lowest free descriptor from `from` on to a host descriptor; closes that one if
 * none is free.
 */
static int64_t install_fd(struct guest *g, int host, unsigned from)
{
	if (host < 0)
		return -errno;
	for (unsigned i = from; i < GUEST_FILES && host < INT16_MAX; i++)
		if (!g->file[i]) {
			g->file[i] = (int16_t)(host + 1);
			return i;
		}
	close(host);
	return -EMFILE;
}

/* Descriptors 0 to 2 belong to the recorder too: they stay open on the host. */
static int64_t drop_fd(struct guest *g, uint64_t fd)
{
	int host = guest_fd(g, fd);
	if (host < 0)
		return -EBADF;
	g->file[fd] = 0;
	return host > 2 && close(host) < 0 ? -errno : 0;
}

/*
 * Makes one transfer between a descriptor and guest memory, page by page in a host iovec.
 * `offset` < 0: at the file's position. Returns bytes or -errno.
 */
static int64_t sys_file_transfer(struct guest *g, int fd, uint64_t address, uint64_t size, bool write, int64_t offset)
{
	struct iovec v[PIECES];
	int n = 0;
	uint64_t total = 0;
	while (total < size && n < PIECES) {
		size_t left;
		uint8_t *host =
			address_space_host(&g->memory, address + total, write ? SPACE_READ : SPACE_WRITE, &left);
		if (!host)
			break;
		if (left > size - total)
			left = (size_t)(size - total);
		if (n && (uint8_t *)v[n - 1].iov_base + v[n - 1].iov_len == host)
			v[n - 1].iov_len += left;
		else
			v[n++] = (struct iovec){host, left};
		total += left;
	}
	if (size && !total)
		return -EFAULT;
	ssize_t done = write        ? offset < 0 ? writev(fd, v, n) : pwritev(fd, v, n, offset)
			      : offset < 0 ? readv(fd, v, n)
				    : preadv(fd, v, n, offset);
	return done < 0 ? -errno : done;
}

/* Makes as many transfers as necessary; a short one ends the sequence. */
static int64_t transfer_all(struct guest *g, uint64_t guest, uint64_t address, uint64_t size, bool write,
			    int64_t offset)
{
	int fd = guest_fd(g, guest);
	uint64_t total = 0;
	if (fd < 0)
		return -EBADF;
	do {
		uint64_t part = (uint64_t)PIECES * SPACE_PAGE / 2;
		if (part > size - total)
			part = size - total;
		int64_t n = sys_file_transfer(g, fd, address + total, part, write,
					      offset < 0 ? -1 : offset + (int64_t)total);
		if (n < 0 && n == -EPIPE)
			guest_signal(g, 13);
		if (n < 0)
			return total ? (int64_t)total : n;
		total += (uint64_t)n;
		if ((uint64_t)n < part)
			break;
	} while (total < size);
	return (int64_t)total;
}

int64_t sys_read(struct guest *g, const uint64_t *a)
{
	return transfer_all(g, a[0], a[1], a[2], false, -1);
}

int64_t sys_write(struct guest *g, const uint64_t *a)
{
	return transfer_all(g, a[0], a[1], a[2], true, -1);
}

int64_t sys_pread64(struct guest *g, const uint64_t *a)
{
	return (int64_t)a[3] < 0 ? -EINVAL : transfer_all(g, a[0], a[1], a[2], false, (int64_t)a[3]);
}

int64_t sys_pwrite64(struct guest *g, const uint64_t *a)
{
	return (int64_t)a[3] < 0 ? -EINVAL : transfer_all(g, a[0], a[1], a[2], true, (int64_t)a[3]);
}

static int64_t transfer_vector(struct guest *g, const uint64_t *a, bool write)
{
	int64_t total = 0;
	if (a[2] > GUEST_IOV_MAX)
		return -EINVAL;
	for (uint64_t i = 0; i < a[2]; i++) {
		bool fault = false;
		uint64_t base = space_read64(&g->memory, a[1] + 16 * i, &fault);
		uint64_t size = space_read64(&g->memory, a[1] + 16 * i + 8, &fault);
		int64_t n = fault ? -EFAULT : transfer_all(g, a[0], base, size, write, -1);
		if (n < 0)
			return total ? total : n;
		total += n;
		if ((uint64_t)n < size)
			break;
	}
	return total;
}

int64_t sys_readv(struct guest *g, const uint64_t *a)
{
	return transfer_vector(g, a, false);
}

int64_t sys_writev(struct guest *g, const uint64_t *a)
{
	return transfer_vector(g, a, true);
}

static int open_flags(uint64_t guest)
{
	int flags = (int)(guest & O_ACCMODE) | O_CLOEXEC;
#define F(name, number) \
	if (guest & (number)) \
		flags |= name;
#include "abi.def"
#undef F
	return flags;
}

/* Returns whether a file that is open with the host's `held` flags may be opened again for what `wanted` says. */
static bool allows(int held, int wanted)
{
	held &= O_ACCMODE;
	wanted &= O_ACCMODE;
	return held == O_RDWR || held == wanted;
}

/* Opens one of the guest's own files again by its number: another descriptor of it. */
static int64_t open_own_file(struct guest *g, int host, int flags)
{
	int held = fcntl(host, F_GETFL);
	if (held < 0)
		return -errno;
	return allows(held, flags) ? install_fd(g, fcntl(host, F_DUPFD_CLOEXEC, 3), 0) : -EACCES;
}

static int64_t open_at(struct guest *g, uint64_t dir, uint64_t name, uint64_t guest_flags, uint64_t mode)
{
	int flags = open_flags(guest_flags);
	bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
	bool last = flags & O_NOFOLLOW || (flags & O_CREAT && flags & O_EXCL);
	struct place p;
	int64_t r = place_find(g, dir, name, last ? PLACE_NOFOLLOW : 0, &p);
	if (r < 0)
		return r;
	if (p.kind == PLACE_FILE)
		return open_own_file(g, p.file, flags);
	if (writes && p.kind == PLACE_EXE)
		r = -ETXTBSY;
	else if (writes && g->options.read_only)
		r = -EROFS;
	else
		r = install_fd(g, openat(p.at, p.name, flags | O_NOFOLLOW, (mode_t)mode), 0);
	place_release(&p);
	return r;
}

int64_t sys_open(struct guest *g, const uint64_t *a)
{
	return open_at(g, (uint64_t)AT_FDCWD, a[0], a[1], a[2]);
}

int64_t sys_openat(struct guest *g, const uint64_t *a)
{
	return open_at(g, a[0], a[1], a[2], a[3]);
}

int64_t sys_close(struct guest *g, const uint64_t *a)
{
	return drop_fd(g, a[0]);
}

int64_t sys_lseek(struct guest *g, const uint64_t *a)
{
	off_t at = lseek(guest_fd(g, a[0]), (off_t)a[1], (int)a[2]);
	return at < 0 ? -errno : at;
}

/* glibc's lseek uses this call: the offset is passed in two halves, the result goes to memory. */
int64_t sys__llseek(struct guest *g, const uint64_t *a)
{
	uint64_t wanted = a[1] << 32 | (a[2] & 0xffffffffu);
	off_t at = lseek(guest_fd(g, a[0]), (off_t)wanted, (int)a[4]);
	if (at < 0)
		return -errno;
	return space_write64(&g->memory, a[3], (uint64_t)at) < 0 ? -EFAULT : 0;
}

static int64_t dup_from(struct guest *g, uint64_t fd, unsigned from)
{
	return install_fd(g, fcntl(guest_fd(g, fd), F_DUPFD_CLOEXEC, 3), from);
}

int64_t sys_dup(struct guest *g, const uint64_t *a)
{
	return dup_from(g, a[0], 0);
}

static int64_t dup_to(struct guest *g, uint64_t old, uint64_t new)
{
	if (guest_fd(g, old) < 0 || new >= GUEST_FILES)
		return -EBADF;
	if (old == new)
		return (int64_t) new;
	int host = fcntl(guest_fd(g, old), F_DUPFD_CLOEXEC, 3);
	if (host < 0)
		return -errno;
	drop_fd(g, new);
	return install_fd(g, host, (unsigned)new);
}

int64_t sys_dup2(struct guest *g, const uint64_t *a)
{
	return dup_to(g, a[0], a[1]);
}

int64_t sys_dup3(struct guest *g, const uint64_t *a)
{
	return a[0] == a[1] ? -EINVAL : dup_to(g, a[0], a[1]);
}

/* Both ends are returned in registers: the result and %o1. */
static int64_t make_pipe(struct guest *g, int flags, int64_t *second)
{
	int fd[2];
	*second = -1;
	if (pipe2(fd, flags | O_CLOEXEC) < 0)
		return -errno;
	int64_t first = install_fd(g, fd[0], 0);
	*second = install_fd(g, fd[1], 0);
	if (first >= 0 && *second < 0)
		drop_fd(g, (uint64_t)first);
	return first < 0 ? first : *second < 0 ? *second : first;
}

int64_t sys_pipe(struct guest *g, const uint64_t *a)
{
	(void)a;
	int64_t second, first = make_pipe(g, 0, &second);
	if (first >= 0)
		g->cpu.r[9] = (uint64_t)second;
	return first;
}

int64_t sys_pipe2(struct guest *g, const uint64_t *a)
{
	int64_t second, first = make_pipe(g, open_flags(a[1]) & ~O_ACCMODE, &second);
	if (first < 0)
		return first;
	if (space_write32(&g->memory, a[0], (uint32_t)first) < 0 ||
	    space_write32(&g->memory, a[0] + 4, (uint32_t)second) < 0)
		return -EFAULT;
	return 0;
}

static uint64_t guest_open_flags(int host)
{
	uint64_t flags = (uint64_t)(host & O_ACCMODE);
#define F(name, number) \
	if (host & name) \
		flags |= number;
#include "abi.def"
#undef F
	return flags & ~(uint64_t)0x400000; /* close-on-exec is no status flag */
}

int64_t sys_fcntl(struct guest *g, const uint64_t *a)
{
	int fd = guest_fd(g, a[0]), r;
	if (fd < 0)
		return -EBADF;
	switch (a[1]) {
	case 0: /* F_DUPFD */
	case 1030: /* F_DUPFD_CLOEXEC */ return a[2] >= GUEST_FILES ? -EINVAL : dup_from(g, a[0], (unsigned)a[2]);
	case 1: /* F_GETFD: the guest never executes a program, so the flag has no effect */
	case 2: return 0;
	case 3: /* F_GETFL */ r = fcntl(fd, F_GETFL); return r < 0 ? -errno : (int64_t)guest_open_flags(r);
	case 4: /* F_SETFL */ r = fcntl(fd, F_SETFL, open_flags(a[2]) & ~O_CLOEXEC); return r < 0 ? -errno : 0;
	case 8: /* F_SETLK, F_SETLKW: a single process never conflicts */
	case 9: return 0;
	default: return -EINVAL;
	}
}

/*
 * All terminals look the same to the guest: 38400 baud, canonical, echo. Requests:
 * arch/sparc/include/uapi/asm/ioctls.h, numbers as _IOR('T', 8, 36 bytes).
 */
int64_t sys_ioctl(struct guest *g, const uint64_t *a)
{
	int fd = guest_fd(g, a[0]), n;
	if (fd < 0)
		return -EBADF;
	struct packer p = {.size = 0};
	switch ((uint32_t)a[1]) {
	case 0x40245408: /* TCGETS */
		if (!guest_isatty(fd))
			return -ENOTTY;
		pack32(&p, 0x500); /* ICRNL | IXON */
		pack32(&p, 0x5);   /* OPOST | ONLCR */
		pack32(&p, 0xbf);  /* B38400 | CS8 | CREAD */
		pack32(&p, 0x3b);  /* ISIG | ICANON | ECHO | ECHOE | ECHOK */
		pack_zero(&p, 20);
		return packer_store(&p, g, a[2]);
	case 0x80245409: /* TCSETS, TCSETSW, TCSETSF */
	case 0x8024540a:
	case 0x8024540b: return guest_isatty(fd) ? 0 : -ENOTTY;
	case 0x40087468: /* TIOCGWINSZ */
		if (!guest_isatty(fd))
			return -ENOTTY;
		pack16(&p, 24);
		pack16(&p, 80);
		pack32(&p, 0);
		return packer_store(&p, g, a[2]);
	case 0x4004667f: /* FIONREAD */
		if (ioctl(fd, FIONREAD, &n) < 0)
			return -errno;
		pack32(&p, (uint32_t)n);
		return packer_store(&p, g, a[2]);
	default: return -ENOTTY;
	}
}

int64_t sys_fsync(struct guest *g, const uint64_t *a)
{
	return fsync(guest_fd(g, a[0])) < 0 ? -errno : 0;
}

int64_t sys_fdatasync(struct guest *g, const uint64_t *a)
{
	return fdatasync(guest_fd(g, a[0])) < 0 ? -errno : 0;
}

int64_t sys_fadvise64(struct guest *g, const uint64_t *a)
{
	return guest_fd(g, a[0]) < 0 ? -EBADF : 0;
}

int64_t sys_ftruncate(struct guest *g, const uint64_t *a)
{
	return ftruncate(guest_fd(g, a[0]), (off_t)a[1]) < 0 ? -errno : 0;
}

int64_t sys_fchmod(struct guest *g, const uint64_t *a)
{
	return fchmod(guest_fd(g, a[0]), (mode_t)a[1]) < 0 ? -errno : 0;
}

int64_t sys_poll(struct guest *g, const uint64_t *a)
{
	struct pollfd p[64];
	if (a[1] > 64)
		return -EINVAL;
	for (uint64_t i = 0; i < a[1]; i++) {
		bool fault = false;
		uint32_t fd = space_read32(&g->memory, a[0] + 8 * i, &fault);
		uint32_t events = space_read32(&g->memory, a[0] + 8 * i + 4, &fault);
		if (fault)
			return -EFAULT;
		p[i] = (struct pollfd){guest_fd(g, fd), (short)(events >> 16), 0};
	}
	int n = poll(p, (nfds_t)a[1], (int)a[2]);
	if (n < 0)
		return -errno;
	for (uint64_t i = 0; i < a[1]; i++)
		space_write32(&g->memory, a[0] + 8 * i + 4,
			      (uint32_t)(uint16_t)p[i].events << 16 | (uint16_t)p[i].revents);
	return n;
}
