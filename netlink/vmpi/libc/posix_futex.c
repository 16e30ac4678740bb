/*
 * The system call on which libraries of C++ build waits of their own (futures, std::atomic, guards of local statics):
 * a rank's threads wait as for a mutex. Clocks and sleeps are the rank's, too; all other system calls are the host's.
 */
#define _GNU_SOURCE /* syscall */
#include "posix_threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static long futex_failed(int error)
{
	errno = error;
	return -1;
}

/* `op` without its flags; a time is that of the clock for FUTEX_WAIT_BITSET, else from now on. */
static long wait_for_word(const unsigned *word, int op, bool realtime, unsigned value, const struct timespec *time)
{
	long long ns = -1;

	posix_turn(THREAD_futex);
	if (*word != value)
		return futex_failed(EAGAIN);
	if (time && op == FUTEX_WAIT)
		ns = (long long)time->tv_sec * 1000000000 + time->tv_nsec;
	else if (time && !posix_until(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, time, &ns))
		return futex_failed(EINVAL);
	return posix_wait(word, THREAD_futex, ns) ? 0 : futex_failed(ETIMEDOUT);
}

static long wake_for_word(const unsigned *word, unsigned most)
{
	struct posix_thread *t;
	unsigned woken = 0;

	posix_turn(THREAD_futex);
	for (; woken < most && (t = posix_first(word)); woken++)
		posix_wake(t);
	return (long)woken;
}

/* Clocks and sleeps; false: it is another call. */
static bool of_clock(long number, const long a[], long *result)
{
	int error;

	if (number == SYS_clock_gettime) {
		*result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
	} else if (number == SYS_nanosleep) {
		*result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
	} else if (number == SYS_clock_nanosleep) {
		error = clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2],
					(struct timespec *)a[3]);
		*result = error ? futex_failed(error) : 0;
	} else {
		return false;
	}
	return true;
}

WEAK long syscall(long number, ...)
{
	long (*host)(long, ...), a[6], result;
	va_list ap;
	int op;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	op = (int)a[1] & FUTEX_CMD_MASK;
	if (number == SYS_futex && vmpi_gate.v && (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET))
		return wait_for_word((const unsigned *)a[0], op, a[1] & FUTEX_CLOCK_REALTIME, (unsigned)a[2],
				     (const struct timespec *)a[3]);
	if (number == SYS_futex && vmpi_gate.v && (op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET))
		return wake_for_word((const unsigned *)a[0], (unsigned)a[2]);
	if (vmpi_gate.v && of_clock(number, a, &result))
		return result;
	host_function("syscall", &host);
	return host(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
