/* Exchange of forked processes: records through shared memory, waiting with futexes. */
#define _GNU_SOURCE /* prctl, futex */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../psim/base/cores.h"
#include "../../psim/base/mem.h"
#include "exchange_state.h"

enum {
	BOX_BYTES = 1 << 18, /* records of a round from one process to another; more take further rounds */
	SPINS = 4000,        /* polls before a process sleeps, if each process has a core */
	YIELDS = 1000,       /* turns of others on its core before it sleeps: to be woken costs more */
	LONG_TURN_US = 1000, /* the core is with other work, or waking costs little beside a window */
	SLEEPS = 256,        /* rounds after a long turn without yielding: one that is woken goes before other work */
	SLEEP_MS = 200,      /* interval after which it checks that the others are alive */
	GRACE_MS = 2000,     /* after a failure, for their files; a rank may have failed with a lock of the C library */
};

/* A process, in shared memory. */
struct slot {
	_Alignas(64) struct published published[2]; /* two rounds alternate, since a fast process may be one ahead */
	struct err err;
};

/* The state of the round, in shared memory. */
struct meeting {
	_Alignas(64) _Atomic uint32_t arrived; /* how often processes have published, modulo 2^32 */
	_Alignas(64) _Atomic uint32_t round;   /* last round that all have published */
	_Atomic uint32_t sleepers;
};

struct box {
	_Alignas(64) uint64_t bytes;
	_Alignas(16) char at[BOX_BYTES - 16]; /* as aligned as allocated memory */
};

struct forked {
	unsigned processes, spins, sleeps;
	uint32_t round;
	size_t shared_bytes;
	struct meeting *meeting; /* first in the shared memory */
	struct slot *slots;
	struct box *boxes; /* [from][to][round % 2] */
	pid_t first, child[EXCHANGE_MOST];
	volatile sig_atomic_t passed; /* a request to end has been passed on */
};

/* ---- creation ---- */
void *forked_exchange_create(unsigned processes, struct err *e)
{
	struct forked *f = mem_alloc(1, sizeof(*f), e);
	size_t boxes = (sizeof(struct meeting) + processes * sizeof(struct slot) + 4095) / 4096 * 4096;
	void *shared;

	if (!f)
		return NULL;
	f->processes = processes;
	f->spins = cores_allowed() >= processes ? SPINS : 0;
	f->shared_bytes = boxes + (size_t)processes * processes * 2 * sizeof(struct box);
	/* only written pages use memory */
	shared = mmap(NULL, f->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED) {
		err_set(e, STATUS_FAILED, "cannot share memory among %u processes: %s", processes, strerror(errno));
		free(f);
		return NULL;
	}
	f->meeting = shared;
	f->slots = (struct slot *)(f->meeting + 1);
	f->boxes = (struct box *)((char *)shared + boxes);
	return f;
}

static void forked_exchange_destroy(struct exchange *x)
{
	struct forked *f = x->state;

	munmap(f->meeting, f->shared_bytes);
	free(f);
}

/* ---- processes ---- */
static void end_children(struct forked *f, int by)
{
	for (unsigned p = 1; p < f->processes; p++) {
		if (f->child[p] <= 0)
			continue;
		if (by)
			kill(f->child[p], by);
		while (waitpid(f->child[p], NULL, 0) < 0 && errno == EINTR)
			;
		f->child[p] = 0;
	}
}

/* Waits until all have ended, for a while. */
static void await_children(struct forked *f)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (unsigned p = 1, waited = 0; p < f->processes; p++) {
		pid_t ended = 0;

		while (f->child[p] > 0 && !(ended = waitpid(f->child[p], NULL, WNOHANG)) && waited++ < GRACE_MS)
			nanosleep(&pause, NULL);
		f->child[p] = ended ? 0 : f->child[p];
	}
}

static int forked_exchange_begin(struct exchange *x, struct err *e)
{
	struct forked *f = x->state;
	const pid_t first = getpid();

	f->first = first;
	fflush(NULL); /* each process would write the contents of the buffers */
	for (unsigned p = 1; p < x->processes; p++) {
		pid_t pid = fork();

		if (pid < 0) {
			err_set(e, STATUS_FAILED, "cannot make process %u of %u: %s", p + 1, x->processes,
				strerror(errno));
			end_children(f, SIGKILL);
			return -1;
		}
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != first) /* it died before */
				_exit(STATUS_FAILED);
			x->me = p;
			return 0;
		}
		f->child[p] = pid;
	}
	return 0;
}

/* Checks that no process ended on its own: 0, or -1 with `e`. */
static int check_alive(struct exchange *x, struct err *e)
{
	struct forked *f = x->state;

	for (unsigned p = 1; p < x->processes && !x->me; p++) {
		int status = STATUS_DONE;
		pid_t ended = waitpid(f->child[p], &status, WNOHANG);

		if (!ended || (ended < 0 && errno != ECHILD)) /* ECHILD: it ended where SIGCHLD is ignored */
			continue;
		f->child[p] = 0;
		if (ended < 0)
			return err_set(e, STATUS_FAILED, "process %u of %u ended", p + 1, x->processes);
		return err_set(e, STATUS_FAILED,
			       WIFSIGNALED(status) ? "process %u of %u was killed by signal %d"
						   : "process %u of %u ended with status %d",
			       p + 1, x->processes, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	}
	return 0;
}

/* ---- waiting ---- */
static inline void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static bool has_met(const struct forked *f)
{
	return (int32_t)(atomic_load(&f->meeting->round) - f->round) >= 0;
}

/* Counts this process among those that have published its round: the last one wakes the others. */
static void publish(const struct forked *f)
{
	struct meeting *m = f->meeting;

	if (atomic_fetch_add(&m->arrived, 1) + 1 != f->processes * f->round)
		return;
	atomic_store(&m->round, f->round);
	if (atomic_load(&m->sleepers))
		syscall(SYS_futex, &m->round, FUTEX_WAKE, EXCHANGE_MOST, NULL, NULL, 0);
}

static int64_t exchange_host_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Lets others have the core until all have published the round, or for a while. */
static void let_others_run(struct forked *f)
{
	int64_t before = exchange_host_us();

	if (f->sleeps) {
		f->sleeps--;
		return;
	}
	for (unsigned i = 0; i < YIELDS && !f->sleeps && !has_met(f); i++) {
		int64_t after;

		sched_yield();
		after = exchange_host_us();
		f->sleeps = after - before > LONG_TURN_US ? SLEEPS : 0;
		before = after;
	}
}

/* To the first process, which passes it to all others. As sigqueue sends it, it counts as no second request. */
static void forked_exchange_pass_signal(struct exchange *x, int signal)
{
	const union sigval none = {0};
	struct forked *f = x->state;

	if (f->passed || x->ended)
		return;
	f->passed = 1;
	if (x->me)
		sigqueue(f->first, signal, none);
	for (unsigned p = 1; p < x->processes && !x->me; p++)
		if (f->child[p] > 0)
			sigqueue(f->child[p], signal, none);
}

/* Waits until all have published the round. -1 with `e`: a process has died. */
static int await_all(struct exchange *x, struct err *e)
{
	const struct timespec limit = {.tv_nsec = SLEEP_MS * 1000000L};
	struct forked *f = x->state;
	struct meeting *m = f->meeting;

	for (unsigned i = 0; i < f->spins && !has_met(f); i++)
		relax();
	let_others_run(f);
	while (!has_met(f)) {
		uint32_t seen;
		long ret = 0;

		if (x->wanted && x->wanted())
			forked_exchange_pass_signal(x, x->wanted());
		atomic_fetch_add(&m->sleepers, 1);
		seen = atomic_load(&m->round);
		if ((int32_t)(seen - f->round) < 0)
			ret = syscall(SYS_futex, &m->round, FUTEX_WAIT, seen, &limit, NULL, 0);
		atomic_fetch_sub(&m->sleepers, 1);
		if (ret < 0 && errno == ETIMEDOUT && check_alive(x, e) < 0)
			return -1;
	}
	return 0;
}

/* ---- records ---- */
static struct box *box_of(const struct exchange *x, unsigned from, unsigned to)
{
	const struct forked *f = x->state;

	return &f->boxes[((size_t)from * f->processes + to) * 2 + f->round % 2];
}

/* Writes the records from byte `done` on that fit into this round's boxes; returns whether any remain. */
static bool fill_boxes(struct exchange *x, size_t done)
{
	bool more = false;

	for (unsigned to = 0; to < x->processes; to++) {
		struct box *box = box_of(x, x->me, to);
		size_t left = x->out[to].count > done ? x->out[to].count - done : 0;
		size_t bytes = left < sizeof(box->at) ? left : sizeof(box->at);

		if (to == x->me)
			continue;
		if (bytes)
			memcpy(box->at, x->out[to].at + done, bytes);
		box->bytes = bytes;
		more = more || left > bytes;
	}
	return more;
}

/* Takes the contents of the boxes: where it is, if this round is the only one of its step. */
static int empty_boxes(struct exchange *x, bool several, struct err *e)
{
	for (unsigned from = 0; from < x->processes; from++) {
		const struct box *box = box_of(x, from, x->me);
		struct bytes *in = &x->in[from];

		if (from == x->me)
			continue;
		if (!several) {
			x->got[from] = (struct got){box->at, box->bytes};
			continue;
		}
		if (vec_reserve(in, box->bytes, e) < 0)
			return -1;
		if (box->bytes)
			memcpy(in->at + in->count, box->at, box->bytes);
		in->count += box->bytes;
		x->got[from] = (struct got){in->at, in->count};
	}
	return 0;
}

/* ---- rounds ---- */
static int64_t forked_exchange_one_round(struct exchange *x, size_t done, struct published *mine, struct err *e)
{
	struct forked *f = x->state;
	bool fails = mine->failed == x->me;

	f->round++;
	mine->more = !fails && fill_boxes(x, done);
	if (fails)
		f->slots[x->me].err = x->failure;
	f->slots[x->me].published[f->round % 2] = *mine;
	publish(f);
	if (await_all(x, e) < 0) {
		end_children(f, SIGKILL);
		x->ended = true;
		return -1;
	}
	for (unsigned p = 0; p < x->processes; p++)
		if (p != x->me)
			exchange_reduce(mine, &f->slots[p].published[f->round % 2]);
	if (mine->failed == EXCHANGE_MOST && empty_boxes(x, done > 0 || mine->more, e) < 0)
		return exchange_fail(x, e);
	return (int64_t)sizeof(f->boxes->at);
}

static void forked_exchange_error_of(struct exchange *x, unsigned process, struct err *e)
{
	const struct forked *f = x->state;

	*e = f->slots[process].err;
}

static void forked_exchange_end(struct exchange *x, bool failed)
{
	if (x->me)
		_exit(failed ? STATUS_FAILED : STATUS_DONE);
	if (failed)
		await_children(x->state);
	end_children(x->state, failed ? SIGKILL : 0);
}

const struct exchange_transport forked_exchange = {
	.begin = forked_exchange_begin,
	.round = forked_exchange_one_round,
	.error_of = forked_exchange_error_of,
	.end = forked_exchange_end,
	.destroy = forked_exchange_destroy,
	.pass_signal = forked_exchange_pass_signal,
};
