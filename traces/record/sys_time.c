/*
 * System calls on time. The guest's clocks count its instructions (two per nanosecond) unless
 * host time is selected, so that a program that reads the clock behaves the same in every run.
 * Sleeping only advances the clock, and lets other threads run meanwhile.
 */
#include <errno.h>
#include <time.h>

#include "syscall.h"

enum { NS = 1000000000 };

/* The date at which the clock starts without host time: 1 January 2026. */
#define EPOCH_SECONDS 1767225600u

enum {
	CLOCK_IS_REALTIME = 0,
	CLOCK_IS_PROCESS = 2,
	CLOCK_IS_THREAD = 3,
	CLOCK_IS_REALTIME_COARSE = 5,
	CLOCK_LAST = 11,
};

static uint64_t host_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

/* Processor time: the time of executed instructions, without sleeps. */
static uint64_t busy_ns(const struct guest *g)
{
	return g->options.host_time ? host_ns(CLOCK_PROCESS_CPUTIME_ID) : guest_time_ns(g) - g->slept_ns;
}

static uint64_t clock_ns(const struct guest *g, uint64_t clock)
{
	bool calendar = clock == CLOCK_IS_REALTIME || clock == CLOCK_IS_REALTIME_COARSE;
	/* negative clock ids are those of a process: this one's */
	if (clock == CLOCK_IS_PROCESS || clock == CLOCK_IS_THREAD || (int32_t)clock < 0)
		return busy_ns(g);
	if (calendar)
		return g->options.host_time ? host_ns(CLOCK_REALTIME) : guest_time_ns(g) + (uint64_t)EPOCH_SECONDS * NS;
	return guest_time_ns(g);
}

uint64_t guest_until(const struct guest *g, uint64_t ns)
{
	uint64_t now = clock_ns(g, CLOCK_IS_REALTIME);
	return ns > now ? ns - now : 0;
}

static int64_t store_pair(struct guest *g, uint64_t address, uint64_t first, uint64_t second)
{
	if (space_write64(&g->memory, address, first) < 0 || space_write64(&g->memory, address + 8, second) < 0)
		return -EFAULT;
	return 0;
}

int64_t sys_clock_gettime(struct guest *g, const uint64_t *a)
{
	if (a[0] > CLOCK_LAST && (int32_t)a[0] >= 0)
		return -EINVAL;
	uint64_t ns = clock_ns(g, a[0]);
	return store_pair(g, a[1], ns / NS, ns % NS);
}

int64_t sys_clock_getres(struct guest *g, const uint64_t *a)
{
	if (a[0] > CLOCK_LAST)
		return -EINVAL;
	return a[1] ? store_pair(g, a[1], 0, 1) : 0;
}

/* struct timeval: seconds, then microseconds as int with padding */
static int64_t store_timeval(struct guest *g, uint64_t address, uint64_t ns)
{
	return store_pair(g, address, ns / NS, ns % NS / 1000 << 32);
}

int64_t sys_gettimeofday(struct guest *g, const uint64_t *a)
{
	return a[0] ? store_timeval(g, a[0], clock_ns(g, CLOCK_IS_REALTIME)) : 0;
}

int64_t sys_times(struct guest *g, const uint64_t *a)
{
	uint64_t ticks = busy_ns(g) / (NS / 100);
	if (a[0] && (store_pair(g, a[0], ticks, 0) < 0 || store_pair(g, a[0] + 16, 0, 0) < 0))
		return -EFAULT;
	return (int64_t)(guest_time_ns(g) / (NS / 100));
}

int64_t sys_getrusage(struct guest *g, const uint64_t *a)
{
	struct packer p = {.size = 0};
	uint64_t ns = busy_ns(g);
	pack64(&p, ns / NS);
	pack64(&p, ns % NS / 1000 << 32);
	pack64(&p, 0);
	pack64(&p, 0);
	pack64(&p, g->memory.mapped >> 10);
	pack_zero(&p, 13 * 8);
	return packer_store(&p, g, a[1]);
}

static int64_t sleep_for(struct guest *g, uint64_t address, bool absolute, uint64_t clock)
{
	bool fault = false;
	uint64_t s = space_read64(&g->memory, address, &fault);
	uint64_t ns = space_read64(&g->memory, address + 8, &fault);
	if (fault)
		return -EFAULT;
	if (ns >= NS || s > (uint64_t)1 << 33)
		return -EINVAL;
	uint64_t wanted = s * NS + ns, now = clock_ns(g, clock);
	if (absolute)
		wanted = wanted > now ? wanted - now : 0;
	if (g->options.host_time) {
		struct timespec t = {(time_t)(wanted / NS), (long)(wanted % NS)};
		return nanosleep(&t, NULL) < 0 ? -errno : 0;
	}
	if (!guest_sleep(g, wanted))
		g->slept_ns += wanted;
	return 0;
}

int64_t sys_nanosleep(struct guest *g, const uint64_t *a)
{
	return sleep_for(g, a[0], false, 1);
}

int64_t sys_clock_nanosleep(struct guest *g, const uint64_t *a)
{
	return sleep_for(g, a[2], a[1] & 1, a[0]);
}

/*
 * Timers never fire, since an asynchronous signal would make runs differ. The call reports
 * success to the guest and warns the user.
 */
static void warn_timer(struct guest *g, const char *call)
{
	guest_warn(g, "%s: timers do not fire in a recorded program", call);
}

int64_t sys_alarm(struct guest *g, const uint64_t *a)
{
	if (a[0])
		warn_timer(g, "alarm");
	return 0;
}

int64_t sys_setitimer(struct guest *g, const uint64_t *a)
{
	bool fault = false;
	uint64_t s = space_read64(&g->memory, a[1] + 16, &fault);
	uint64_t us = space_read64(&g->memory, a[1] + 24, &fault);
	if (fault)
		return -EFAULT;
	if (s || us)
		warn_timer(g, "setitimer");
	if (a[2] && (store_pair(g, a[2], 0, 0) < 0 || store_pair(g, a[2] + 16, 0, 0) < 0))
		return -EFAULT;
	return 0;
}

int64_t sys_getitimer(struct guest *g, const uint64_t *a)
{
	return store_pair(g, a[1], 0, 0) < 0 || store_pair(g, a[1] + 16, 0, 0) < 0 ? -EFAULT : 0;
}
