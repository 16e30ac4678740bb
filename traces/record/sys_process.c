/* System calls on the process itself: identity, limits, exit. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "syscall.h"

/* One user and group, root, as in the auxiliary vector. */
#define CONSTANT(name, value) \
	int64_t sys_##name(struct guest *g, const uint64_t *a) \
	{ \
		(void)g, (void)a; \
		return value; \
	}
CONSTANT(getpid, GUEST_PID)
CONSTANT(getpgrp, GUEST_PID)
CONSTANT(getppid, 1)
CONSTANT(getuid, 0)
CONSTANT(geteuid, 0)
CONSTANT(getgid, 0)
CONSTANT(getegid, 0)
CONSTANT(getgroups, 0)
CONSTANT(personality, 0)
CONSTANT(prctl, 0)
CONSTANT(setrlimit, 0)
CONSTANT(set_robust_list, -ENOSYS)
CONSTANT(rseq, -ENOSYS)
#undef CONSTANT

int64_t sys_gettid(struct guest *g, const uint64_t *a)
{
	(void)a;
	return guest_tid(g);
}

int64_t sys_exit_group(struct guest *g, const uint64_t *a)
{
	g->end = GUEST_EXITED;
	g->exit_status = (int)(a[0] & 0xff);
	return 0;
}

static int64_t store_three(struct guest *g, const uint64_t *a)
{
	for (unsigned i = 0; i < 3; i++)
		if (space_write32(&g->memory, a[i], 0) < 0)
			return -EFAULT;
	return 0;
}

int64_t sys_getresuid(struct guest *g, const uint64_t *a)
{
	return store_three(g, a);
}

int64_t sys_getresgid(struct guest *g, const uint64_t *a)
{
	return store_three(g, a);
}

int64_t sys_set_tid_address(struct guest *g, const uint64_t *a)
{
	g->clear_tid = a[0];
	return guest_tid(g);
}

int64_t sys_uname(struct guest *g, const uint64_t *a)
{
	static const char *const field[] = {"Linux", "psim", "6.1.0", "#1", "sparc64", "(none)"};
	char text[6][65] = {{0}};
	for (unsigned i = 0; i < 6; i++)
		memcpy(text[i], field[i], strlen(field[i]));
	return address_space_write(&g->memory, a[0], text, sizeof(text)) < 0 ? -EFAULT : 0;
}

/* RLIMIT_* of arch/sparc: 3 is the stack, 6 the number of files. */
static int64_t store_limit(struct guest *g, uint64_t resource, uint64_t address)
{
	if (resource > 15)
		return -EINVAL;
	uint64_t limit = resource == 3   ? g->stack_high - g->stack_low
			 : resource == 6 ? (uint64_t)GUEST_FILES
					 : ~(uint64_t)0;
	if (space_write64(&g->memory, address, limit) < 0 || space_write64(&g->memory, address + 8, limit) < 0)
		return -EFAULT;
	return 0;
}

int64_t sys_getrlimit(struct guest *g, const uint64_t *a)
{
	return store_limit(g, a[0], a[1]);
}

int64_t sys_prlimit64(struct guest *g, const uint64_t *a)
{
	if (a[0] && a[0] != GUEST_PID)
		return -ESRCH;
	return a[3] ? store_limit(g, a[1], a[3]) : 0;
}

int64_t sys_getrandom(struct guest *g, const uint64_t *a)
{
	uint64_t value = 0, count = a[1] < INT32_MAX >> 6 ? a[1] : INT32_MAX >> 6; /* as Linux */
	for (uint64_t i = 0; i < count; i++) {
		if (i % 8 == 0)
			value = guest_random(g);
		uint8_t byte = (uint8_t)(value >> (8 * (i % 8)));
		if (address_space_write(&g->memory, a[0] + i, &byte, 1) < 0)
			return -EFAULT;
	}
	return (int64_t)count;
}

int64_t sys_sched_getaffinity(struct guest *g, const uint64_t *a)
{
	unsigned count = g->options.processors ? g->options.processors : 1;
	if (a[1] < 8)
		return -EINVAL;
	return space_write64(&g->memory, a[2], ~(uint64_t)0 >> (64 - count)) < 0 ? -EFAULT : 8;
}

int64_t sys_getcpu(struct guest *g, const uint64_t *a)
{
	for (unsigned i = 0; i < 2; i++)
		if (a[i] && space_write32(&g->memory, a[i], i == 0 ? g->running : 0) < 0)
			return -EFAULT;
	return 0;
}

int64_t sys_sysinfo(struct guest *g, const uint64_t *a)
{
	struct packer p = {.size = 0};
	pack64(&p, guest_time_ns(g) / 1000000000u);
	pack_zero(&p, 24); /* load averages */
	pack64(&p, g->memory.limit);
	pack64(&p, g->memory.limit - g->memory.mapped);
	pack_zero(&p, 32); /* shared, buffers, swap */
	pack16(&p, 1);     /* processes */
	pack_zero(&p, 6);
	pack_zero(&p, 16); /* high memory */
	pack32(&p, 1);     /* unit */
	pack_zero(&p, 4);
	return packer_store(&p, g, a[0]);
}
