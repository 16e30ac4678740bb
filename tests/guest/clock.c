/*
 * Clocks move on and never back, sleep at least as long as requested, and agree about the order of things, on any
 * machine, however busy. With the argument `counted`: psim-record's clocks count instructions, so that times are exact.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

enum { LOOKS = 1000, WORK = 100000 };

static long long ns_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int goes_back(clockid_t clock)
{
	long long last = ns_of(clock);
	for (int i = 0; i < LOOKS; i++) {
		long long now = ns_of(clock);
		if (now < last)
			return 1;
		last = now;
	}
	return 0;
}

static long long used_us(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static void work(void)
{
	volatile unsigned x = 0;
	for (unsigned i = 0; i < WORK; i++)
		x += i;
}

/* The calendar's second is between two readings of the same clock. */
static int dated(void)
{
	long long before = ns_of(CLOCK_REALTIME);
	struct timeval t;
	gettimeofday(&t, NULL);
	long long after = ns_of(CLOCK_REALTIME), us = t.tv_sec * 1000000LL + t.tv_usec;
	return before / 1000 <= us && us <= after / 1000 && t.tv_sec > 1700000000 && time(NULL) >= t.tv_sec - 1;
}

/*
 * Two instructions a nanosecond. A pass of the loop has at least a load, an addition and a store, and no compiler
 * makes more than 20 instructions of it: WORK of them take 150 us to 1 ms. A nap takes its time and the few
 * instructions around it, none of them processor time. The calendar began at 1 January 2026 (1767225600).
 */
static void counted(void)
{
	struct timespec nap = {2, 500000000};
	long long begin = ns_of(CLOCK_MONOTONIC), busy = ns_of(CLOCK_PROCESS_CPUTIME_ID);
	work();
	long long worked = ns_of(CLOCK_MONOTONIC) - begin;
	printf("work %s\n", worked >= 150000 && worked < 1000000 ? "counted" : "not counted");
	long long before = ns_of(CLOCK_MONOTONIC);
	nanosleep(&nap, NULL);
	long long slept = ns_of(CLOCK_MONOTONIC) - before - 2500000000;
	printf("nap %s\n", slept > 0 && slept < 1000 ? "exact" : "not exact");
	long long all = ns_of(CLOCK_MONOTONIC) - begin, used = ns_of(CLOCK_PROCESS_CPUTIME_ID) - busy;
	printf("processor time %s\n", all - used > 2499999000 && all - used < 2500001000 ? "without it" : "with it");
	long long date = ns_of(CLOCK_REALTIME) - ns_of(CLOCK_MONOTONIC);
	int fits = date > 1767225599999999000 && date <= 1767225600000000000;
	printf("calendar %s\n", fits ? "from 2026 on" : "elsewhere");
}

int main(int argc, char **argv)
{
	struct timespec nap = {0, 50000000};
	printf("%s\n", goes_back(CLOCK_MONOTONIC) || goes_back(CLOCK_PROCESS_CPUTIME_ID) ? "goes back" : "goes on");
	long long a = ns_of(CLOCK_MONOTONIC), used = used_us();
	work();
	nanosleep(&nap, NULL);
	long long passed = ns_of(CLOCK_MONOTONIC) - a;
	printf("%s\n", passed >= 50000000 ? "slept" : "did not sleep");
	printf("%s\n", dated() ? "dated" : "not dated");
	printf("%s\n", used >= 0 && used_us() >= used ? "busy" : "less and less busy");
	if (argc > 1 && !strcmp(argv[1], "counted"))
		counted();
	return 0;
}
