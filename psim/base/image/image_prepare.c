/* Makes a process one that another process can continue. */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE, sbrk */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image_state.h"

#if IMAGE_HERE
#include <cpuid.h>

/*
 * The kernel places the heap of the process that continues elsewhere, so the memory behind this one's end is not its to
 * have. The allocator learns so here: a page that it cannot have is behind the end, and allocations go on until one is
 * elsewhere. From then on it takes memory from anywhere.
 */
static int leave_heap(struct err *e)
{
	enum { PIECE = 64 << 10, PIECES = 4096 };
	const uintptr_t page = IMAGE_PAGE, end = ((uintptr_t)sbrk(0) + page - 1) / page * page;
	const void *guard = mmap((void *)end, page, PROT_NONE, // NOLINT(performance-no-int-to-ptr)
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	void **last = NULL;
	bool left = false;

	if (guard == MAP_FAILED && errno != EEXIST)
		return err_set(e, STATUS_FAILED, "--checkpoint: memory: %s", strerror(errno));
	for (unsigned n = 0; !left && n < PIECES; n++) {
		void **piece = malloc(PIECE);

		if (!piece)
			break;
		*piece = last;
		last = piece;
		left = (uintptr_t)piece > end;
	}
	while (last) {
		void **before = *last;

		free(last);
		last = before;
	}
	return left ? 0
		    : err_set(e, STATUS_USAGE,
			      "--checkpoint: the memory allocator is none that one run can be kept with");
}

uint64_t image_processor(void)
{
	static const unsigned leaves[] = {1, 7, 0xd, 0x80000001};
	uint64_t hash = HASH_BYTES;

	for (size_t n = 0; n < sizeof(leaves) / sizeof(leaves[0]); n++) {
		unsigned r[4] = {0};

		if (!__get_cpuid_count(leaves[n], 0, &r[0], &r[1], &r[2], &r[3]))
			continue;
		if (leaves[n] == 1 || leaves[n] == 0xd)
			r[1] = 0; /* the core that runs this; the size of what is enabled */
		hash = hash_bytes(hash, r, sizeof(r));
	}
	return hash;
}

int image_prepare(struct err *e)
{
	if (access("/proc/self/pagemap", R_OK) < 0 || access("/proc/self/mem", R_OK) < 0)
		return err_set(e, STATUS_USAGE, "--checkpoint: /proc/self/pagemap: %s, which one run needs",
			       strerror(errno));
	return leave_heap(e);
}
#else
uint64_t image_processor(void)
{
	return 0;
}

int image_prepare(struct err *e)
{
	return err_set(e, STATUS_USAGE,
		       "--checkpoint: one run is kept on Linux for x86-64 with glibc, without sanitizers");
}
#endif

void image_begin(struct image *m)
{
	*m = (struct image){0};
	image_standard_list(m->standard);
	for (int fd = 3; fd < IMAGE_INHERITED; fd++)
		m->inherited[fd] = fcntl(fd, F_GETFD) >= 0;
}

bool image_line_read(char *line, struct image_line *l)
{
	unsigned long begin, end, offset, major, minor, inode;
	int at = 0;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%lx-%lx %4s %lx %lx:%lx %lu %n", &begin, &end, l->mode, &offset, &major, &minor, &inode,
		   &at) < 7 ||
	    !at)
		return false;
	l->begin = begin;
	l->end = end;
	l->offset = offset;
	l->device = major << 32 | minor;
	l->inode = inode;
	l->name = line + at;
	return true;
}
