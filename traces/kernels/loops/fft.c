/*
 * Complex transforms, stored one after the other: decimation in time, radix 2, in place, as in textbooks (Cooley and
 * Tukey, 1965), for psim-cc. Inner loops are not affine, but the same for all transforms.
 *
 *     fft [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8
 */
#include "../fft_check.h"

static int transforms(int log2n, int count, double *restrict x, const double *restrict roots, double *work)
{
	int n = 1 << log2n;

	(void)work;
#pragma omp simd
	for (int t = 0; t < count; t++) {
		double *of = x + 2L * n * t;

		for (int i = 1, j = 0; i < n; i++) {
			int bit = n >> 1;

			for (; j & bit; bit >>= 1)
				j ^= bit;
			j ^= bit;
			if (i < j) {
				double re = of[2 * i], im = of[2 * i + 1];

				of[2 * i] = of[2 * j];
				of[2 * i + 1] = of[2 * j + 1];
				of[2 * j] = re;
				of[2 * j + 1] = im;
			}
		}
		for (int half = 1; half < n; half *= 2)
			for (int group = 0; group < n; group += 2 * half) {
				double *p = of + 2 * group, *q = p + 2 * half;
				const double *w = roots;

				for (int k = 0; k < half; k++, p += 2, q += 2, w += n / half) {
					double re = p[0], im = p[1];
					double turned_re = q[0] * w[0] - q[1] * w[1];
					double turned_im = q[0] * w[1] + q[1] * w[0];

					p[0] = re + turned_re;
					p[1] = im + turned_im;
					q[0] = re - turned_re;
					q[1] = im - turned_im;
				}
			}
	}
	return 0;
}

int main(int argc, char *argv[])
{
	return fft_main("fft", argc, argv, (struct fft_way){.all = transforms});
}
