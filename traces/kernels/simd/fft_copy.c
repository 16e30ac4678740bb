/*
 * fft.c with the data copied by the scalar core (fft_copied.h).
 *
 *     fft_copy [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8; an even number of PEs
 *
 * Checks some results against the definition, and that the inverse transform returns the input.
 */
#include "fft_copied.h"
#include "fft_passes.h"

static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	(void)work;
	return fft_copied(fft_passes, log2n, count, x, roots);
}

int main(int argc, char *argv[])
{
	return fft_main("fft_copy", argc, argv, (struct fft_way){.all = transform});
}
