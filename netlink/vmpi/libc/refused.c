/* Calls with a time that the host would let pass: they fail the run, as no rank's clock could follow. */
#undef _FILE_OFFSET_BITS /* with it aio_suspend would be aio_suspend64; both are defined here */
#define _GNU_SOURCE      /* semtimedop, aio_suspend64 */
#include "libc_state.h"

#include <aio.h>
#include <mqueue.h>
#include <sys/sem.h>
#include <sys/timerfd.h>

#include "gate.h"

/* The message names the place of the call. */
#define REFUSE(name) \
	do { \
		vmpi_gate.where = __builtin_return_address(0); \
		vmpi_gate.calls->thread_refuse(vmpi_gate.v, THREAD_##name, \
					       "its time would be the host's, expected another call that waits"); \
	} while (0)

WEAK int timerfd_create(int clock, int flags)
{
	(void)clock;
	(void)flags;
	REFUSE(timerfd_create);
	return -1;
}

WEAK ssize_t mq_timedreceive(mqd_t queue, char *restrict text, size_t size, unsigned *restrict priority,
			     const struct timespec *restrict time)
{
	(void)queue;
	(void)text;
	(void)size;
	(void)priority;
	(void)time;
	REFUSE(mq_timedreceive);
	return -1;
}

WEAK int mq_timedsend(mqd_t queue, const char *text, size_t size, unsigned priority, const struct timespec *time)
{
	(void)queue;
	(void)text;
	(void)size;
	(void)priority;
	(void)time;
	REFUSE(mq_timedsend);
	return -1;
}

WEAK int semtimedop(int set, struct sembuf *operations, size_t count, const struct timespec *time)
{
	int (*host)(int set, struct sembuf *operations, size_t count);

	if (time)
		REFUSE(semtimedop);
	host_function("semop", &host);
	return host(set, operations, count);
}

WEAK int aio_suspend(const struct aiocb *const list[], int count, const struct timespec *restrict time)
{
	int (*host)(const struct aiocb *const list[], int count, const struct timespec *time);

	if (time)
		REFUSE(aio_suspend);
	host_function("aio_suspend", &host);
	return host(list, count, NULL);
}

WEAK int aio_suspend64(const struct aiocb64 *const list[], int count, const struct timespec *restrict time)
{
	int (*host)(const struct aiocb64 *const list[], int count, const struct timespec *time);

	if (time)
		REFUSE(aio_suspend);
	host_function("aio_suspend64", &host);
	return host(list, count, NULL);
}
