/* A signal in SIMD mode: its handler begins in scalar mode, and the mode is back after it. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "psim_simd.h"

static volatile double third = 3;
static volatile uint64_t inside;

static void handle(int number)
{
	(void)number;
	inside = simd_status() & 1;
	third = 1 / third; /* a division, which the SIMD mode does not have */
}

SIMD_FUNCTION static void twice(double *x)
{
	*x += *x;
}

int main(void)
{
	double *all = simd_all(0), *seven = simd_pe(7, 0);

	signal(SIGUSR1, handle);
	*all = 21;
	simd_on();
	kill(getpid(), SIGUSR1);
	uint64_t after = simd_status() & 1;
	twice(all);
	simd_off();
	printf("mode in the handler %d, after it %d; %.3f, %g\n", (int)inside, (int)after, third, *seven);
	return 0;
}
