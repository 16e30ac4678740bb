/*
 * Loops without a directive, with -fpsim-auto=all: the lines that the compiler reports on the array are those whose
 * instructions the array executes. Each nest is a line; most are in loops, and move more bytes than they have work.
 */
#include <stdio.h>

#define LEAF __attribute__((noipa)) static
#define EACH(i, n) for (int i = 0; i < n; i++)

static double a[40][40], b[40][40], c[4096], d[4096];

/* Eight bytes to and from each PE, and no arithmetic. */
LEAF void copied(int n, int times)
{
	for (int t = 0; t < times; t++) {
		EACH(i, n) c[i] = d[i + t];
		c[t] = c[t] > 3 ? 2 : c[t];
	}
}

/* Butterflies of blocks that become smaller; nearer halves are one slice, whose lanes are not known to be apart. */
LEAF void butterflies(int n)
{
	for (int half = n / 2; half > 16; half /= 2)
		for (int k = 0; k < n; k += 2 * half) {
			EACH(i, half)
			{
				double x = c[k + i], y = c[k + i + half];
				c[k + i] = x + y;
				c[k + i + half] = x - y;
			}
			d[k] = d[k] > 3 ? 2 : d[k];
		}
}

/* A transposed read. */
LEAF void transposed(int n, int times)
{
	for (int t = 0; t < times; t++) {
		EACH(i, n) EACH(j, n) a[i][j] = b[j][i] + 1;
		d[t] = a[t][t] > 3 ? 2 : a[t][t];
	}
}

/* Two loops in one: both. */
LEAF void both(int n, int times)
{
	for (int t = 0; t < times; t++) {
		EACH(i, n) c[i] = 2 * d[i];
		d[t] = c[t] > 3 ? 2 : c[t];
		EACH(i, n) b[t][i] = c[i] - 1;
		d[t] += b[t][t] > 3 ? 2 : 1;
	}
}

/* Not in a loop. */
LEAF void once(int n)
{
	EACH(i, n) c[i] = d[i];
}

int main(void)
{
	EACH(i, 4096) d[i] = i % 7 ? 1 : 2;
	copied(16, 3);
	butterflies(128);
	transposed(40, 2);
	both(40, 3);
	once(3);
	printf("reported: %g %g\n", c[1], a[3][4]);
	return 0;
}
