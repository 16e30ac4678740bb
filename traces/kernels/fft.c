/*
 * Complex transforms of 1024 points, eight of them: decimation in time, radix 2, in place, as
 * in textbooks (Cooley and Tukey, 1965): bit reversal, then ten passes of 512 butterflies with
 * a table of roots. fft_radix4.c is the tuned form.
 *
 *     fft [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8
 *
 * Checks some results against the definition, and that the inverse transform returns the input.
 */
#include "fft_check.h"

static void reverse_bits(int log2n, double *x)
{
	int n = 1 << log2n;

	for (int i = 1, j = 0; i < n; i++) {
		int bit = n >> 1;

		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			double re = x[2 * i], im = x[2 * i + 1];

			x[2 * i] = x[2 * j];
			x[2 * i + 1] = x[2 * j + 1];
			x[2 * j] = re;
			x[2 * j + 1] = im;
		}
	}
}

/* `roots`: exp(-2 pi i k / n), k < n / 2; `work` is not used. */
static void transform(int log2n, double *restrict x, const double *restrict roots, double *work)
{
	int n = 1 << log2n;

	(void)work;
	reverse_bits(log2n, x);
	for (int half = 1; half < n; half *= 2)
		for (int group = 0; group < n; group += 2 * half) {
			double *p = x + 2 * group, *q = p + 2 * half;
			const double *w = roots;

			for (int k = 0; k < half; k++, p += 2, q += 2, w += n / half) {
				double re = q[0] * w[0] - q[1] * w[1], im = q[0] * w[1] + q[1] * w[0];

				q[0] = p[0] - re;
				q[1] = p[1] - im;
				p[0] += re;
				p[1] += im;
			}
		}
}

int main(int argc, char *argv[])
{
	return fft_main("fft", argc, argv, (struct fft_way){.one = transform});
}
