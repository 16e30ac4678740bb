/* System calls on the address space. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "syscall.h"

enum { /* asm-generic/mman-common.h, arch/sparc/include/uapi/asm/mman.h */
       MAP_IS_SHARED = 0x01,
       MAP_IS_FIXED = 0x10,
       MAP_IS_ANONYMOUS = 0x20,
       MAP_IS_FIXED_NOREPLACE = 0x100000,
       REMAP_MAY_MOVE = 1,
       REMAP_FIXED = 2,
       ADVICE_DONTNEED = 4,
       ALL_RIGHTS = SPACE_READ | SPACE_WRITE | SPACE_EXEC,
};

static uint64_t page_up(uint64_t n)
{
	return (n + SPACE_PAGE - 1) & ~(SPACE_PAGE - 1);
}

static bool in_page(uint64_t n)
{
	return n & (SPACE_PAGE - 1);
}

int64_t sys_brk(struct guest *g, const uint64_t *a)
{
	uint64_t want = a[0];
	if (want < g->brk_start || want > SPACE_MAP_BASE)
		return (int64_t)g->brk;
	uint64_t old = page_up(g->brk), new = page_up(want);
	if (new > old) {
		uint64_t length = new - old;
		if (address_space_find_free(&g->memory, old, length) != old ||
		    address_space_map(&g->memory, old, length, SPACE_READ | SPACE_WRITE) < 0)
			return (int64_t)g->brk;
	} else if (new < old) {
		address_space_unmap(&g->memory, new, old - new);
	}
	g->brk = want;
	return (int64_t)want;
}

/* Reads the part of the range that is in the file; the rest of the last page is zero. */
static int64_t fill_from_file(struct guest *g, int fd, uint64_t at, uint64_t length, uint64_t offset)
{
	uint8_t buffer[8192];
	for (uint64_t done = 0; done < length;) {
		ssize_t n = pread(fd, buffer, sizeof(buffer), (off_t)(offset + done));
		if (n < 0)
			return -errno;
		if (!n)
			break;
		if ((uint64_t)n > length - done)
			n = (ssize_t)(length - done);
		if (address_space_load(&g->memory, at + done, buffer, (size_t)n) < 0)
			return -ENOMEM;
		done += (uint64_t)n;
	}
	return 0;
}

/* Chooses the address of a mapping; 0 if none is possible. */
static uint64_t sys_memory_choose_place(struct guest *g, uint64_t wish, uint64_t length, uint64_t flags)
{
	if (flags & (MAP_IS_FIXED | MAP_IS_FIXED_NOREPLACE))
		return wish;
	wish &= ~(SPACE_PAGE - 1);
	if (wish && address_space_find_free(&g->memory, wish, length) == wish)
		return wish;
	return address_space_find_free(&g->memory, SPACE_MAP_BASE, length);
}

int64_t sys_mmap(struct guest *g, const uint64_t *a)
{
	uint64_t length = page_up(a[1]), flags = a[3], at;
	bool fixed = flags & (MAP_IS_FIXED | MAP_IS_FIXED_NOREPLACE);
	if (!length || length < a[1] || (fixed && in_page(a[0])) || in_page(a[5]))
		return -EINVAL;
	int fd = flags & MAP_IS_ANONYMOUS ? -1 : guest_fd(g, a[4]);
	if (!(flags & MAP_IS_ANONYMOUS)) {
		struct stat s;
		if (fd < 0)
			return -EBADF;
		if (fstat(fd, &s) < 0 || !S_ISREG(s.st_mode))
			return -ENODEV;
		/* changes would not reach the file, so the call fails */
		if ((flags & MAP_IS_SHARED) && (a[2] & SPACE_WRITE))
			return -ENODEV;
	}
	at = sys_memory_choose_place(g, a[0], length, flags);
	if ((flags & MAP_IS_FIXED_NOREPLACE) && address_space_find_free(&g->memory, at, length) != at)
		return -EEXIST;
	if (!at || address_space_map(&g->memory, at, length, a[2] & ALL_RIGHTS) < 0)
		return -ENOMEM;
	int64_t r = fd < 0 ? 0 : fill_from_file(g, fd, at, length, a[5]);
	if (r < 0) {
		address_space_unmap(&g->memory, at, length);
		return r;
	}
	return (int64_t)at;
}

int64_t sys_munmap(struct guest *g, const uint64_t *a)
{
	uint64_t length = page_up(a[1]);
	if (in_page(a[0]) || !length || length < a[1])
		return -EINVAL;
	return address_space_unmap(&g->memory, a[0], length) < 0 ? -EINVAL : 0;
}

int64_t sys_mprotect(struct guest *g, const uint64_t *a)
{
	uint64_t length = page_up(a[1]);
	if (in_page(a[0]) || length < a[1])
		return -EINVAL;
	if (!length)
		return 0;
	return address_space_protect(&g->memory, a[0], length, a[2] & ALL_RIGHTS) < 0 ? -ENOMEM : 0;
}

int64_t sys_mremap(struct guest *g, const uint64_t *a)
{
	uint64_t from = a[0], old = page_up(a[1]), new = page_up(a[2]);
	const struct address_space_area *area = address_space_area_at(&g->memory, from);
	if (in_page(from) || !old || !new || new < a[2] || (a[3] & REMAP_FIXED))
		return -EINVAL;
	if (!area || area->end - from < old)
		return -EFAULT;
	if (new <= old) {
		if (new < old)
			address_space_unmap(&g->memory, from + new, old - new);
		return (int64_t)from;
	}
	unsigned prot = area->prot;
	if (address_space_find_free(&g->memory, from + old, new - old) == from + old)
		return address_space_map(&g->memory, from + old, new - old, prot) < 0 ? -ENOMEM : (int64_t)from;
	if (!(a[3] & REMAP_MAY_MOVE))
		return -ENOMEM;
	uint64_t to = address_space_find_free(&g->memory, SPACE_MAP_BASE, new);
	if (!to || address_space_map(&g->memory, to + old, new - old, prot) < 0)
		return -ENOMEM;
	return address_space_move(&g->memory, from, to, old) < 0 ? -ENOMEM : (int64_t)to;
}

int64_t sys_madvise(struct guest *g, const uint64_t *a)
{
	uint64_t length = page_up(a[1]);
	if (in_page(a[0]) || length < a[1])
		return -EINVAL;
	if (!address_space_allows(&g->memory, a[0], length, 0))
		return -ENOMEM;
	if (a[2] == ADVICE_DONTNEED)
		address_space_clear(&g->memory, a[0], length);
	return 0;
}

int64_t sys_getpagesize(struct guest *g, const uint64_t *a)
{
	(void)g, (void)a;
	return (int64_t)SPACE_PAGE;
}
