/* The C library's clocks and sleeps: a rank's time goes on as it sleeps, and with it all clocks alike. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double day(void)
{
	struct timeval t;

	gettimeofday(&t, NULL);
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Both clocks advance by what the rank sleeps, and by not much more. */
static int took(double from, double to, double slept)
{
	return to - from >= slept - 1e-6 && to - from < slept + 0.5;
}

int main(int argc, char **argv)
{
	struct timespec half = {0, 500000000}, wrong = {0, 1000000000}, left = {1, 1}, until;
	struct checks c;
	double mono, wall, real;
	time_t whole;

	checks_begin(&c, &argc, &argv);
	mono = seconds(CLOCK_MONOTONIC);
	wall = MPI_Wtime();
	real = day();
	whole = time(NULL);
	CHECK(&c, whole >= 946684800); /* in this century */
	CHECK(&c, sleep(1) == 0);
	CHECK(&c, usleep(250000) == 0);
	CHECK(&c, nanosleep(&half, &left) == 0);
	CHECK(&c, nanosleep(&wrong, NULL) == -1);
	CHECK(&c, clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	CHECK(&c, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
	CHECK(&c, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0); /* that is over */
	CHECK(&c, took(mono, seconds(CLOCK_MONOTONIC), 2.75));
	CHECK(&c, took(wall, MPI_Wtime(), 2.75));
	CHECK(&c, took(real, day(), 2.75));
	CHECK(&c, time(&whole) == whole);
	CHECK(&c, seconds(CLOCK_REALTIME) - day() < 0.5);
	/* a loop that polls a clock ends */
	mono = seconds(CLOCK_MONOTONIC);
	while (seconds(CLOCK_MONOTONIC) < mono + 1e-3)
		;
	while (day() < real + 2.8)
		;
	return checks_end(&c, "clocks");
}
