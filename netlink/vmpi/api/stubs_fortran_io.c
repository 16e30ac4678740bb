/*
 * Linked into Fortran programs: statements of input and output, which the simulator passes to gfortran's library, and
 * what that library calls in place of the C library's functions. Standard output, clocks and random numbers are the
 * rank's by these.
 */
#define _GNU_SOURCE /* RUSAGE_SELF, open64 */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "gate.h"
#include "stubs_fortran_io.h"

enum statement {
#define STATEMENT(name) STATEMENT_##name,
#include "gfortran.def"
#undef STATEMENT
};
enum setting {
#define SETTING(name) SETTING_##name,
#include "gfortran.def"
#undef SETTING
};

#define STATEMENT(name) \
	void _gfortran_##name(void *parameters) \
	{ \
		vmpi_gate.calls->fortran_statement(vmpi_gate.v, STATEMENT_##name, parameters); \
	}
#include "gfortran.def"
#undef STATEMENT

/* Callers of one argument leave the second one undefined, and the library does not read it. */
#define SETTING(name) \
	void _gfortran_##name(int number, void *list) \
	{ \
		vmpi_gate.calls->fortran_setting(vmpi_gate.v, SETTING_##name, number, list); \
	}
#include "gfortran.def"
#undef SETTING

/* ---- what the library calls ---- */

/* The library has a value for each thread: the state of its random numbers. Here each thread of each rank has one. */
static __thread const void *thread_value;

static int value_key(pthread_key_t *key, void (*destroy)(void *))
{
	(void)destroy;
	*key = 0;
	return 0;
}

static const void *value_get(pthread_key_t key)
{
	(void)key;
	return thread_value;
}

static int value_set(pthread_key_t key, const void *value)
{
	(void)key;
	thread_value = value;
	return 0;
}

static int processor_time(int who, struct rusage *use)
{
	struct timespec t;

	if (who != RUSAGE_SELF)
		return getrusage(who, use);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	memset(use, 0, sizeof(*use));
	use->ru_utime.tv_sec = t.tv_sec;
	use->ru_utime.tv_usec = t.tv_nsec / 1000;
	return 0;
}

extern void _gfortran_st_write_done(void *parameters);

#define IMPORT(name, function) \
	{ \
		name, (void (*)(void))(function) \
	}
const struct gfortran_import vmpi_gfortran_imports[] = {
	IMPORT("write", write),
	IMPORT("writev", writev),
	IMPORT("open", open),
	IMPORT("open64", open64),
	IMPORT("read", read),
	IMPORT("pthread_key_create", value_key),
	IMPORT("pthread_getspecific", value_get),
	IMPORT("pthread_setspecific", value_set),
	IMPORT("clock_gettime", clock_gettime),
	IMPORT("gettimeofday", gettimeofday),
	IMPORT("time", time),
	IMPORT("sleep", sleep),
	IMPORT("getrusage", processor_time),
	{NULL, (void (*)(void))_gfortran_st_write_done}, /* which makes every program need the library */
};
