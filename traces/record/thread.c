/*
 * Threads of the guest. One runs at a time; the others have their registers and signal state in struct guest_thread.
 * A thread gives way where it waits, sleeps, yields or ends, and after a turn of record_run.c: the program alone
 * determines the order.
 *
 * A place is what a processor is: when its thread has ended, the next one that starts takes it, and continues its
 * trace.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "syscall.h"

enum thread_state { THREAD_ENDED, THREAD_RUNS, THREAD_WAITS };

struct guest_thread {
	enum thread_state state;
	uint32_t tid;
	/* while it waits: */
	uint64_t futex; /* 0: sleeps */
	uint32_t bits;
	uint64_t until; /* time in ns; NEVER */
	/* while another one runs: */
	uint64_t blocked, pending, alt_stack, alt_size, clear_tid;
	uint32_t alt_flags;
	struct cpu cpu; /* but for its table of translations, which all share */
};
#define NEVER UINT64_MAX
enum { THREAD_CARRY = 0x11 }; /* C of icc and xcc: a system call failed */

/* clone's flags, include/uapi/linux/sched.h */
enum {
	FLAG_VM = 0x100,
	FLAG_SIGHAND = 0x800,
	FLAG_THREAD = 0x10000,
	FLAG_SETTLS = 0x80000,
	FLAG_PARENT_SETTID = 0x100000,
	FLAG_CHILD_CLEARTID = 0x200000,
	FLAG_CHILD_SETTID = 0x1000000,
};

/* ---- which one runs ---- */
static struct guest_thread *running(const struct guest *g)
{
	return g->thread[g->running];
}

uint32_t guest_tid(const struct guest *g)
{
	return g->threads ? running(g)->tid : GUEST_PID;
}

static void copy_cpu(struct cpu *to, const struct cpu *from)
{
	memcpy(to, from, offsetof(struct cpu, tlb));
}

static void thread_leaves(struct guest *g)
{
	struct guest_thread *t = running(g);

	copy_cpu(&t->cpu, &g->cpu);
	t->blocked = g->blocked;
	t->pending = g->pending;
	t->alt_stack = g->alt_stack;
	t->alt_size = g->alt_size;
	t->alt_flags = g->alt_flags;
	t->clear_tid = g->clear_tid;
}

static void thread_enters(struct guest *g, unsigned place)
{
	struct guest_thread *t = g->thread[place];

	g->running = place;
	copy_cpu(&g->cpu, &t->cpu);
	g->blocked = t->blocked;
	g->pending = t->pending;
	g->alt_stack = t->alt_stack;
	g->alt_size = t->alt_size;
	g->alt_flags = t->alt_flags;
	g->clear_tid = t->clear_tid;
	guest_deliver(g);
}

/* The system call in which the thread waits returns `error`, a host's errno, or 0. */
static void wake_thread(struct guest_thread *t, int error)
{
	t->state = THREAD_RUNS;
	t->cpu.r[8] = error ? (uint64_t)sparc_errno(error) : 0;
	t->cpu.ccr = (uint8_t)(error ? t->cpu.ccr | THREAD_CARRY : t->cpu.ccr & ~THREAD_CARRY);
}

static void note_wake(struct guest *g, unsigned place, uint64_t futex, bool meet)
{
	if (g->wakes)
		g->wakes(g->wakes_user, place, futex, meet);
}

/* Wakes those whose time has come; returns the time of the first that still waits for one. */
static uint64_t wake_by_time(struct guest *g)
{
	uint64_t now = guest_time_ns(g), first = NEVER;

	for (unsigned n = 0; n < GUEST_THREADS; n++) {
		struct guest_thread *t = g->thread[n];

		if (!t || t->state != THREAD_WAITS)
			continue;
		if (t->until <= now)
			wake_thread(t, t->futex ? ETIMEDOUT : 0);
		else if (t->until < first)
			first = t->until;
	}
	return first;
}

/* The place of the next thread that can run, or -1. */
static int next_place(const struct guest *g)
{
	for (unsigned n = 1; n <= GUEST_THREADS; n++) {
		unsigned place = (g->running + n) % GUEST_THREADS;

		if (g->thread[place] && g->thread[place]->state == THREAD_RUNS)
			return (int)place;
	}
	return -1;
}

void guest_schedule(struct guest *g)
{
	uint64_t first;
	int place;

	g->reschedule = false;
	thread_leaves(g);
	first = wake_by_time(g);
	place = next_place(g);
	if (place < 0 && first != NEVER) {
		g->slept_ns += first - guest_time_ns(g);
		wake_by_time(g);
		place = next_place(g);
	}
	if (place >= 0) {
		thread_enters(g, (unsigned)place);
		return;
	}
	guest_fail(g, "deadlock: each of %u threads waits for another (the last one for futex 0x%" PRIx64 ")",
		   g->threads, running(g)->futex);
	g->error.status = STATUS_STUCK;
}

static void give_way(struct guest *g)
{
	g->reschedule = true;
	g->interrupted = true; /* leaves the loop */
}

/* The running thread waits. Its system call returns 0 unless something else wakes it. */
static void wait_here(struct guest *g, uint64_t futex, uint32_t bits, uint64_t until)
{
	struct guest_thread *t = running(g);

	t->state = THREAD_WAITS;
	t->futex = futex;
	t->bits = bits;
	t->until = until;
	give_way(g);
}

bool guest_sleep(struct guest *g, uint64_t ns)
{
	uint64_t now = guest_time_ns(g);

	if (g->threads < 2)
		return false;
	wait_here(g, 0, 0, ns < NEVER - now ? now + ns : NEVER - 1);
	return true;
}

int64_t sys_sched_yield(struct guest *g, const uint64_t *a)
{
	(void)a;
	if (g->threads > 1)
		give_way(g);
	return 0;
}

bool guest_signal_thread(struct guest *g, uint64_t tid, int number)
{
	for (unsigned n = 0; n < GUEST_THREADS; n++) {
		struct guest_thread *t = g->thread[n];

		if (!t || t->state == THREAD_ENDED || t->tid != tid)
			continue;
		if (number) {
			t->pending |= (uint64_t)1 << (number - 1);
			if (t->state == THREAD_WAITS && !(t->blocked >> (number - 1) & 1))
				wake_thread(t, EINTR);
		}
		return true;
	}
	return false;
}

/* ---- begin and end ---- */
static struct guest_thread *make_thread(struct guest *g, unsigned place)
{
	if (!g->thread[place])
		g->thread[place] = calloc(1, sizeof(struct guest_thread));
	return g->thread[place];
}

/* A place without a living thread; GUEST_THREADS: none. */
static unsigned free_place(const struct guest *g)
{
	unsigned place = 0;

	while (place < GUEST_THREADS && g->thread[place] && g->thread[place]->state != THREAD_ENDED)
		place++;
	return place;
}

/* Gives the first thread its row. False: no memory. */
static bool count_first(struct guest *g)
{
	struct guest_thread *t;

	if (g->threads)
		return true;
	t = make_thread(g, 0);
	if (!t)
		return false;
	t->state = THREAD_RUNS;
	t->tid = GUEST_PID;
	g->threads = 1;
	return true;
}

/*
 * A thread begins as a copy of the running one, on a stack of its own, with no other window in registers, and with an
 * array of its own. Its call returns the parent's id with 1 in %o1, the parent's the thread's id with 0 there
 * (copy_thread in arch/sparc/kernel/process_64.c).
 */
static void start_thread(struct guest *g, struct guest_thread *t, unsigned place, const uint64_t *a)
{
	struct cpu *c = &t->cpu;
	unsigned flags = (unsigned)a[0];

	cpu_fsr(&g->cpu);
	*t = (struct guest_thread){.state = THREAD_RUNS, .tid = GUEST_PID + ++g->started, .blocked = g->blocked};
	copy_cpu(c, &g->cpu);
	c->fp_entered = false;
	c->array = g->array[place];
	c->cansave = CPU_WINDOWS - 2;
	c->canrestore = 0;
	c->r[8] = GUEST_PID;
	c->r[9] = 1;
	c->r[14] = a[1];
	c->ccr &= (uint8_t)~THREAD_CARRY;
	if (flags & FLAG_SETTLS)
		c->r[7] = a[3];
	t->clear_tid = flags & FLAG_CHILD_CLEARTID ? a[4] : 0;
	g->threads++;
}

int64_t sys_clone(struct guest *g, const uint64_t *a)
{
	const unsigned needed = FLAG_VM | FLAG_SIGHAND | FLAG_THREAD;
	unsigned flags = (unsigned)a[0], place;
	struct simd_array *array;
	struct guest_thread *t;
	bool fault;

	if ((flags & needed) != needed || !a[1])
		return guest_no_call(g, " (fork, vfork, clone: other processes are not supported)");
	if (cpu_flush_windows(&g->cpu, NULL) != TRAP_NONE)
		return -EFAULT;
	if (!count_first(g))
		return -ENOMEM;
	place = free_place(g);
	if (place == GUEST_THREADS) {
		guest_warn(g, "more than %d threads at a time: no more can begin", GUEST_THREADS);
		return -EAGAIN;
	}
	t = make_thread(g, place);
	if (!t || guest_make_array(g, place, &array) < 0)
		return -ENOMEM;
	start_thread(g, t, place, a);
	fault = flags & FLAG_PARENT_SETTID && space_write32(&g->memory, a[2], t->tid) < 0;
	fault |= flags & FLAG_CHILD_SETTID && space_write32(&g->memory, a[4], t->tid) < 0;
	if (fault) {
		t->state = THREAD_ENDED;
		g->threads--;
		return -EFAULT;
	}
	note_wake(g, place, 0, false);
	g->cpu.r[9] = 0;
	return t->tid;
}

/* The C library tries it first, and then clone. */
int64_t sys_clone3(struct guest *g, const uint64_t *a)
{
	(void)g, (void)a;
	return -ENOSYS;
}

static unsigned wake_futex(struct guest *g, uint64_t address, uint64_t most, uint32_t bits)
{
	unsigned woken = 0;

	for (unsigned n = 1; n <= GUEST_THREADS && woken < most; n++) {
		unsigned place = (g->running + n) % GUEST_THREADS;
		struct guest_thread *t = g->thread[place];

		if (t && t->state == THREAD_WAITS && t->futex == address && t->bits & bits) {
			wake_thread(t, 0);
			note_wake(g, place, address, most > 1);
			woken++;
		}
	}
	return woken;
}

int64_t sys_exit(struct guest *g, const uint64_t *a)
{
	if (g->threads < 2)
		return sys_exit_group(g, a);
	if (g->clear_tid && space_write32(&g->memory, g->clear_tid, 0) == 0)
		wake_futex(g, g->clear_tid, 1, UINT32_MAX);
	running(g)->state = THREAD_ENDED;
	g->threads--;
	give_way(g);
	return 0;
}

void guest_free_threads(struct guest *g)
{
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		free(g->thread[n]);
}

/* ---- futex ---- */
enum { FUTEX_OP_WAIT = 0, FUTEX_OP_WAKE = 1, FUTEX_OP_WAIT_BITS = 9, FUTEX_OP_WAKE_BITS = 10 };
enum { FUTEX_REALTIME = 0x100, FUTEX_OP_MASK = 0x7f };

/* Time from now to which FUTEX_WAIT (a duration) or FUTEX_WAIT_BITSET (a time) waits; NEVER without a timeout. */
static int64_t read_timeout(struct guest *g, const uint64_t *a, bool absolute, uint64_t *until)
{
	bool fault = false;
	uint64_t s, ns, now = guest_time_ns(g), limit;

	*until = NEVER;
	if (!a[3])
		return 0;
	s = space_read64(&g->memory, a[3], &fault);
	ns = space_read64(&g->memory, a[3] + 8, &fault);
	if (fault)
		return -EFAULT;
	if (ns >= 1000000000 || s >> 33)
		return -EINVAL;
	limit = s * 1000000000 + ns;
	if (!absolute)
		*until = now + limit;
	else if (a[1] & FUTEX_REALTIME)
		*until = now + guest_until(g, limit);
	else
		*until = limit > now ? limit : now;
	return 0;
}

static int64_t futex_wait(struct guest *g, const uint64_t *a, bool absolute, uint32_t bits)
{
	bool fault = false;
	uint32_t value = space_read32(&g->memory, a[0], &fault);
	uint64_t until;
	int64_t r;

	if (fault)
		return -EFAULT;
	if (value != (uint32_t)a[2])
		return -EAGAIN;
	r = read_timeout(g, a, absolute, &until);
	if (r < 0)
		return r;
	if (g->threads > 1) {
		wait_here(g, a[0], bits, until);
		return 0;
	}
	if (until != NEVER)
		return -ETIMEDOUT;
	guest_fail(g, "deadlock: the program waits for a lock that no thread can release (futex 0x%" PRIx64 ")", a[0]);
	g->error.status = STATUS_STUCK;
	return -EDEADLK;
}

int64_t sys_futex(struct guest *g, const uint64_t *a)
{
	switch (a[1] & FUTEX_OP_MASK) {
	case FUTEX_OP_WAIT: return futex_wait(g, a, false, UINT32_MAX);
	case FUTEX_OP_WAIT_BITS: return futex_wait(g, a, true, (uint32_t)a[5]);
	case FUTEX_OP_WAKE: return wake_futex(g, a[0], a[2], UINT32_MAX);
	case FUTEX_OP_WAKE_BITS: return wake_futex(g, a[0], a[2], (uint32_t)a[5]);
	default: return -ENOSYS;
	}
}
