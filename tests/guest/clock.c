/* Time moves on and never back, and says the same in every run unless the host's is asked for. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
	struct timespec a, b, nap = {2, 500000000};
	clock_gettime(CLOCK_MONOTONIC, &a);
	volatile unsigned x = 0;
	for (unsigned i = 0; i < 100000; i++)
		x += i;
	nanosleep(&nap, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	double passed = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
	printf("%s\n", passed > 2.5 && passed < 3.0 ? "slept" : "did not sleep");
	struct timeval t;
	gettimeofday(&t, NULL);
	printf("%s\n", t.tv_sec == time(NULL) && t.tv_sec > 1700000000 ? "dated" : "not dated");
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	printf("%s\n", u.ru_utime.tv_sec < 2 ? "busy" : "too busy");
	return 0;
}
