/* The kernel's knowledge of the thread: signals, timers, lists of locks, restartable sequences. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "image_state.h"

#if IMAGE_HERE
#include <asm/prctl.h>

static const int clocks[3] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

/* ---- restartable sequences: rseq(2) ---- */

/* glibc 2.35 and later registers them for each thread; older ones do not. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));
#define RSEQ_SIGNATURE 0x53053053 /* of glibc on x86-64: sys/rseq.h */
enum { RSEQ_STEP = 32, RSEQ_MOST = 512, RSEQ_FORGET = 1 };

static uint64_t thread_address(void)
{
	uint64_t at = 0;

	syscall(SYS_arch_prctl, ARCH_GET_FS, &at);
	return at;
}

/* The kernel answers EBUSY where this address and length are registered. */
static void rseq_find(struct image_state *s)
{
	s->rseq = s->rseq_bytes = 0;
	if (!&__rseq_size || !__rseq_size)
		return;
	s->rseq = s->fs + (uint64_t)__rseq_offset;
	for (uint64_t bytes = RSEQ_STEP; bytes <= RSEQ_MOST; bytes += RSEQ_STEP)
		if (syscall(SYS_rseq, s->rseq, bytes, 0, RSEQ_SIGNATURE) < 0 && errno == EBUSY)
			s->rseq_bytes = bytes;
}

int image_state_forget(void)
{
	struct image_state s = {.fs = thread_address()};

	rseq_find(&s);
	if (!s.rseq_bytes)
		return 0;
	return (int)syscall(SYS_rseq, s.rseq, s.rseq_bytes, RSEQ_FORGET, RSEQ_SIGNATURE);
}

/* ---- all of it ---- */

void image_state_take(struct image_state *s)
{
	stack_t stack = {0};

	s->fs = thread_address();
	syscall(SYS_get_robust_list, 0, &s->robust, &s->robust_bytes);
	rseq_find(s);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &s->mask, sizeof(s->mask));
	sigaltstack(NULL, &stack);
	s->stack[0] = (uint64_t)(uintptr_t)stack.ss_sp;
	s->stack[1] = (uint64_t)stack.ss_flags;
	s->stack[2] = stack.ss_size;
	for (int n = 0; n < 3; n++) {
		struct itimerval t;

		getitimer(clocks[n], &t);
		s->timer[n][0] = t.it_interval.tv_sec;
		s->timer[n][1] = t.it_interval.tv_usec;
		s->timer[n][2] = t.it_value.tv_sec;
		s->timer[n][3] = t.it_value.tv_usec;
	}
	for (int n = 0; n < IMAGE_SIGNALS; n++)
		syscall(SYS_rt_sigaction, n + 1, NULL, &s->signal[n], sizeof(s->mask));
}

void image_state_give(const struct image_state *s)
{
	stack_t stack = {.ss_sp = (void *)(uintptr_t)s->stack[0], // NOLINT(performance-no-int-to-ptr)
			 .ss_flags = (int)s->stack[1],
			 .ss_size = s->stack[2]};

	syscall(SYS_set_robust_list, s->robust, s->robust_bytes);
	if (s->rseq_bytes)
		syscall(SYS_rseq, s->rseq, s->rseq_bytes, 0, RSEQ_SIGNATURE);
	sigaltstack(&stack, NULL);
	for (int n = 0; n < IMAGE_SIGNALS; n++)
		if (n + 1 != SIGKILL && n + 1 != SIGSTOP)
			syscall(SYS_rt_sigaction, n + 1, &s->signal[n], NULL, sizeof(s->mask));
	for (int n = 0; n < 3; n++) {
		struct itimerval t = {.it_interval = {s->timer[n][0], s->timer[n][1]},
				      .it_value = {s->timer[n][2], s->timer[n][3]}};

		setitimer(clocks[n], &t, NULL);
	}
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &s->mask, NULL, sizeof(s->mask));
}
#else
int image_state_forget(void)
{
	return 0;
}

void image_state_take(struct image_state *s)
{
	memset(s, 0, sizeof(*s));
}

void image_state_give(const struct image_state *s)
{
	(void)s;
}
#endif
