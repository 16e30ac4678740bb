/*
 * Every row of netlink/vmpi/libc/sleeps.def, in the rank's time. SLEEP: a call of half a second takes that. TIMER: a
 * signal after half a second ends a sleep of two. REFUSED, which an argument names: it fails the run.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const struct timespec half = {0, 500000000};
static int pipe_of_rank[2];
static volatile int alarms;

static struct timespec after(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += half.tv_nsec;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

static void on_alarm(int number)
{
	alarms += number == SIGALRM;
}

/* ---- sleeps ---- */

static int use_sleep(void)
{
	return sleep(1) == 0 && usleep(0) == 0;
}

static int use_usleep(void)
{
	return usleep(500000) == 0;
}

static int use_nanosleep(void)
{
	return nanosleep(&half, NULL) == 0;
}

static int use_clock_nanosleep(void)
{
	struct timespec t = after(CLOCK_REALTIME);

	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL) == 0;
}

static int use_thrd_sleep(void)
{
	return thrd_sleep(&half, NULL) == 0;
}

/* ---- descriptors ---- */

static int use_select(void)
{
	struct timeval t = {0, 500000};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipe_of_rank[0], &set);
	return select(pipe_of_rank[0] + 1, &set, NULL, NULL, &t) == 0 && !FD_ISSET(pipe_of_rank[0], &set);
}

static int use_pselect(void)
{
	return pselect(0, NULL, NULL, NULL, &half, NULL) == 0;
}

static int use_poll(void)
{
	struct pollfd p = {.fd = pipe_of_rank[0], .events = POLLIN};

	return poll(&p, 1, 500) == 0;
}

static int use_ppoll(void)
{
	return ppoll(NULL, 0, &half, NULL) == 0;
}

static int on_epoll(int (*wait)(int epoll, struct epoll_event *events))
{
	struct epoll_event e = {.events = EPOLLIN};
	int epoll = epoll_create1(0), ready;

	epoll_ctl(epoll, EPOLL_CTL_ADD, pipe_of_rank[0], &e);
	ready = wait(epoll, &e);
	close(epoll);
	return ready == 0;
}

static int wait_epoll(int epoll, struct epoll_event *events)
{
	return epoll_wait(epoll, events, 1, 500);
}

static int wait_epoll_masked(int epoll, struct epoll_event *events)
{
	return epoll_pwait(epoll, events, 1, 500, NULL);
}

static int wait_epoll_exactly(int epoll, struct epoll_event *events)
{
	return epoll_pwait2(epoll, events, 1, &half, NULL);
}

static int use_epoll_wait(void)
{
	return on_epoll(wait_epoll);
}

static int use_epoll_pwait(void)
{
	return on_epoll(wait_epoll_masked);
}

static int use_epoll_pwait2(void)
{
	return on_epoll(wait_epoll_exactly);
}

/* ---- signals of timers ---- */

static void set_timer(void)
{
	struct itimerval t = {.it_value = {0, 500000}};

	setitimer(ITIMER_REAL, &t, NULL);
}

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(how, &set, NULL);
}

static int use_pause(void)
{
	int before = alarms;

	set_timer();
	return pause() == -1 && errno == EINTR && alarms == before + 1;
}

static int use_sigsuspend(void)
{
	int before = alarms, ret;
	sigset_t none;

	sigemptyset(&none);
	block(SIG_BLOCK);
	set_timer();
	ret = sigsuspend(&none);
	block(SIG_UNBLOCK);
	return ret == -1 && alarms == before + 1;
}

/* A blocked signal ends the wait for it, and calls no handler. */
static int take_alarm(int (*wait)(const sigset_t *set))
{
	int before = alarms, number;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	block(SIG_BLOCK);
	set_timer();
	number = wait(&set);
	block(SIG_UNBLOCK);
	return number == SIGALRM && alarms == before;
}

static int wait_number(const sigset_t *set)
{
	int number;

	return sigwait(set, &number) == 0 ? number : -1;
}

static int wait_info(const sigset_t *set)
{
	siginfo_t info;

	return sigwaitinfo(set, &info) == info.si_signo ? info.si_signo : -1;
}

static int use_sigwait(void)
{
	return take_alarm(wait_number);
}

static int use_sigwaitinfo(void)
{
	return take_alarm(wait_info);
}

static int use_sigtimedwait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	return sigtimedwait(&set, NULL, &half) == -1 && errno == EAGAIN;
}

/* ---- threads: what waits in vain until the time is over ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static int use_pthread_mutex_timedlock(void)
{
	struct timespec t = after(CLOCK_REALTIME);
	int ret;

	pthread_mutex_lock(&mutex);
	ret = pthread_mutex_timedlock(&mutex, &t);
	pthread_mutex_unlock(&mutex);
	return ret == ETIMEDOUT;
}

static int use_pthread_mutex_clocklock(void)
{
	struct timespec t = after(CLOCK_MONOTONIC);
	int ret;

	pthread_mutex_lock(&mutex);
	ret = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &t);
	pthread_mutex_unlock(&mutex);
	return ret == ETIMEDOUT;
}

/* Another thread has the lock: the C library would find that its owner takes it again. */
static void *hold_lock(void *result)
{
	struct timespec t = {1, 0};

	pthread_rwlock_wrlock(&rwlock);
	nanosleep(&t, NULL);
	pthread_rwlock_unlock(&rwlock);
	return result;
}

static int in_vain(int (*lock)(void))
{
	pthread_t holder;
	int ret;

	pthread_create(&holder, NULL, hold_lock, NULL);
	sched_yield();
	ret = lock();
	pthread_detach(holder);
	return ret == ETIMEDOUT;
}

static int timed_read(void)
{
	struct timespec t = after(CLOCK_REALTIME);

	return pthread_rwlock_timedrdlock(&rwlock, &t);
}

static int clock_read(void)
{
	struct timespec t = after(CLOCK_MONOTONIC);

	return pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &t);
}

static int timed_write(void)
{
	struct timespec t = after(CLOCK_REALTIME);

	return pthread_rwlock_timedwrlock(&rwlock, &t);
}

static int clock_write(void)
{
	struct timespec t = after(CLOCK_MONOTONIC);

	return pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &t);
}

static int use_pthread_rwlock_timedrdlock(void)
{
	return in_vain(timed_read);
}

static int use_pthread_rwlock_clockrdlock(void)
{
	return in_vain(clock_read);
}

static int use_pthread_rwlock_timedwrlock(void)
{
	return in_vain(timed_write);
}

static int use_pthread_rwlock_clockwrlock(void)
{
	return in_vain(clock_write);
}

static int use_pthread_cond_timedwait(void)
{
	struct timespec t = after(CLOCK_REALTIME);
	int ret;

	pthread_mutex_lock(&mutex);
	ret = pthread_cond_timedwait(&cond, &mutex, &t);
	pthread_mutex_unlock(&mutex);
	return ret == ETIMEDOUT;
}

static int use_pthread_cond_clockwait(void)
{
	struct timespec t = after(CLOCK_MONOTONIC);
	int ret;

	pthread_mutex_lock(&mutex);
	ret = pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &t);
	pthread_mutex_unlock(&mutex);
	return ret == ETIMEDOUT;
}

static int use_sem_timedwait(void)
{
	struct timespec t = after(CLOCK_REALTIME);
	sem_t s;

	sem_init(&s, 0, 0);
	return sem_timedwait(&s, &t) == -1 && errno == ETIMEDOUT;
}

static int use_sem_clockwait(void)
{
	struct timespec t = after(CLOCK_MONOTONIC);
	sem_t s;

	sem_init(&s, 0, 0);
	return sem_clockwait(&s, CLOCK_MONOTONIC, &t) == -1 && errno == ETIMEDOUT;
}

static void *rest(void *result)
{
	sleep(1);
	return result;
}

static int join_until(int (*join)(pthread_t id))
{
	pthread_t sleeper;
	int ret;

	pthread_create(&sleeper, NULL, rest, NULL);
	ret = join(sleeper);
	pthread_detach(sleeper);
	return ret == ETIMEDOUT;
}

static int join_timed(pthread_t id)
{
	struct timespec t = after(CLOCK_REALTIME);

	return pthread_timedjoin_np(id, NULL, &t);
}

static int join_clock(pthread_t id)
{
	struct timespec t = after(CLOCK_MONOTONIC);

	return pthread_clockjoin_np(id, NULL, CLOCK_MONOTONIC, &t);
}

static int use_pthread_timedjoin_np(void)
{
	return join_until(join_timed);
}

static int use_pthread_clockjoin_np(void)
{
	return join_until(join_clock);
}

static int use_mtx_timedlock(void)
{
	struct timespec t = after(CLOCK_REALTIME);
	mtx_t m;
	int ret;

	mtx_init(&m, mtx_timed);
	mtx_lock(&m);
	ret = mtx_timedlock(&m, &t);
	mtx_unlock(&m);
	mtx_destroy(&m);
	return ret == thrd_timedout;
}

static int use_cnd_timedwait(void)
{
	struct timespec t = after(CLOCK_REALTIME);
	mtx_t m;
	cnd_t c;
	int ret;

	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	mtx_lock(&m);
	ret = cnd_timedwait(&c, &m, &t);
	mtx_unlock(&m);
	return ret == thrd_timedout;
}

/* ---- system calls ---- */

static int use_syscall_futex(void)
{
	unsigned word = 0;

	return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &half, NULL, 0) == -1 && errno == ETIMEDOUT;
}

static int use_syscall_nanosleep(void)
{
	return syscall(SYS_nanosleep, &half, NULL) == 0;
}

static int use_syscall_clock_nanosleep(void)
{
	return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &half, NULL) == 0;
}

/* ---- timers ---- */

static int use_alarm(void)
{
	return alarm(1) == 0;
}

static int use_ualarm(void)
{
	return ualarm(500000, 0) == 0;
}

static int use_setitimer(void)
{
	set_timer();
	return 1;
}

static int use_timer_settime(void)
{
	struct itimerspec t = {.it_value = half};
	timer_t id;

	return timer_create(CLOCK_MONOTONIC, NULL, &id) == 0 && timer_settime(id, 0, &t, NULL) == 0;
}

/* ---- calls that fail the run ---- */

static void use_timerfd_create(void)
{
	timerfd_create(CLOCK_MONOTONIC, 0);
}

static void use_mq_timedreceive(void)
{
	char text[8];

	mq_timedreceive(0, text, sizeof(text), NULL, &half);
}

static void use_mq_timedsend(void)
{
	mq_timedsend(0, "", 1, 0, &half);
}

static void use_semtimedop(void)
{
	struct sembuf operation = {0};

	semtimedop(0, &operation, 1, &half);
}

static void use_aio_suspend(void)
{
	const struct aiocb *list[1] = {NULL};

	aio_suspend(list, 1, &half);
}

/* ---- the rules ---- */

static const struct sleeps {
	const char *name;
	int (*use)(void);
} sleeps[] =
	{
#define SLEEP(name, file) {#name, use_##name},
#include "netlink/vmpi/libc/sleeps.def"
#undef SLEEP
},
  timers[] = {
#define TIMER(name, file) {#name, use_##name},
#include "netlink/vmpi/libc/sleeps.def"
#undef TIMER
};

static const struct refused {
	const char *name;
	void (*use)(void);
} refused[] = {
#define REFUSED(name, file) {#name, use_##name},
#include "netlink/vmpi/libc/sleeps.def"
#undef REFUSED
};

enum {
	SLEEPS = sizeof(sleeps) / sizeof(sleeps[0]),
	TIMERS = sizeof(timers) / sizeof(timers[0]),
	REFUSALS = sizeof(refused) / sizeof(refused[0]),
};

/* sleep and alarm count whole seconds. Calls around it take less than 10 us. */
static int took(double from, const char *name)
{
	double s = MPI_Wtime() - from, expected = !strcmp(name, "sleep") || !strcmp(name, "alarm") ? 1 : 0.5;

	if (s >= expected && s < expected + 10e-6)
		return 1;
	fprintf(stderr, "%s took %.9f s\n", name, s);
	return 0;
}

static void check_timer(struct checks *c, const struct sleeps *t)
{
	struct timespec two = {2, 0}, left = {0, 0};
	double from = MPI_Wtime(), rest;
	int before = alarms;

	CHECK(c, t->use());
	CHECK(c, nanosleep(&two, &left) == -1 && errno == EINTR && alarms == before + 1);
	CHECK(c, took(from, t->name));
	rest = (double)left.tv_sec + 1e-9 * (double)left.tv_nsec;
	CHECK(c, rest > 2 - (MPI_Wtime() - from) - 1e-6 && rest < 2 - (MPI_Wtime() - from) + 1e-6);
}

/* A timer that goes off while the rank computes or waits sends its signal at the next call, once for all its times. */
static void check_periods(struct checks *c)
{
	struct itimerval t = {{0, 100000}, {0, 100000}}, off = {0};
	int before = alarms;

	setitimer(ITIMER_REAL, &t, &off);
	MPI_Add_time(0.35);
	CHECK(c, alarms == before);
	MPI_Wtime();
	CHECK(c, alarms == before + 1);
	MPI_Add_time(0.1);
	MPI_Wtime();
	CHECK(c, alarms == before + 2);
	memset(&off, 0, sizeof(off));
	CHECK(c,
	      setitimer(ITIMER_REAL, &off, &t) == 0 && t.it_interval.tv_usec == 100000 && t.it_value.tv_usec <= 50000);
	MPI_Add_time(1);
	MPI_Wtime();
	CHECK(c, alarms == before + 2);
}

int main(int argc, char **argv)
{
	struct checks c;
	double from;

	checks_begin(&c, &argc, &argv);
	for (int i = 0; argc > 1 && i < REFUSALS; i++)
		if (!strcmp(argv[1], refused[i].name))
			refused[i].use();
	for (int i = 0; argc > 1 && !strcmp(argv[1], "list") && i < REFUSALS; i++)
		puts(refused[i].name);
	if (argc > 1)
		return MPI_Finalize();
	CHECK(&c, pipe(pipe_of_rank) == 0);
	signal(SIGALRM, on_alarm);
	for (int i = 0; i < SLEEPS; i++) {
		if (c.rank % 2)
			MPI_Add_time(0.25);
		from = MPI_Wtime();
		CHECK(&c, sleeps[i].use());
		CHECK(&c, took(from, sleeps[i].name));
	}
	for (int i = 0; i < TIMERS; i++)
		check_timer(&c, &timers[i]);
	check_periods(&c);
	return checks_end(&c, "sleeps");
}
