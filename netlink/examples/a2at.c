/*
 * The all-to-all of the pacing paper (H. Shibamura et al., 2011) on a torus of n x n nodes with 4 NICs:
 * in each phase every rank sends four messages as many hops away, one a NIC, and waits for them and for
 * the four that come.
 *
 *     nsimcc a2at.c -o a2at.so
 *     nsim -c configs/net/pacing.ini -p topology.dims=9x9 -p mpi.eager=1GiB a2at.so BYTES [BIAS]
 *
 * With BIAS, packets are paced: behind each the NIC pauses for (hops - 1 + BIAS) packets' link time.
 */
#include <mgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n, x, y, bytes;
static double bias = NAN;
static const double packet_seconds = 2048 / 4e9; /* MTU, link bandwidth */

static int rank_at(int dx, int dy)
{
	return (x + dx + n) % n + (y + dy + n) % n * n;
}

static int distance(int d)
{
	d = abs(d);
	return d < n - d ? d : n - d;
}

/* One phase: to (dx, dy) by NIC k, from (-dx, -dy). */
static void phase(int count, const int (*to)[2])
{
	MGEN_Request request[8];

	for (int k = 0; k < count; k++)
		MGEN_Irecv(NULL, bytes, MGEN_CHAR, rank_at(-to[k][0], -to[k][1]), 0, MGEN_COMM_WORLD, &request[4 + k]);
	for (int k = 0; k < count; k++) {
		double gap = distance(to[k][0]) + distance(to[k][1]) - 1 + bias;

		MGEN_Set_nic(k);
		MGEN_Set_gap(gap > 0 ? gap * packet_seconds : 0); /* without pacing gap is not a number */
		MGEN_Isend(NULL, bytes, MGEN_CHAR, rank_at(to[k][0], to[k][1]), 0, MGEN_COMM_WORLD, &request[k]);
	}
	MGEN_Waitall(count, request, MGEN_STATUSES_IGNORE);
	MGEN_Waitall(count, request + 4, MGEN_STATUSES_IGNORE);
}

int MGEN_Main(int argc, char **argv)
{
	int rank, size;

	MGEN_Init(&argc, &argv);
	MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
	MGEN_Comm_size(MGEN_COMM_WORLD, &size);
	n = (int)lround(sqrt(size));
	x = rank % n;
	y = rank / n;
	bytes = argc > 1 ? atoi(argv[1]) : 1 << 20;
	if (argc > 2)
		bias = atof(argv[2]);
	for (int i = 1; i <= (n - 1) / 2; i++) {
		phase(4, (const int[][2]){ { i, 0 }, { -i, 0 }, { 0, i }, { 0, -i } });
		phase(4, (const int[][2]){ { i, i }, { -i, -i }, { -i, i }, { i, -i } });
		for (int j = 1; j < i; j++) {
			phase(4, (const int[][2]){ { i, j }, { -i, -j }, { j, i }, { -j, -i } });
			phase(4, (const int[][2]){ { -i, j }, { i, -j }, { j, -i }, { -j, i } });
		}
	}
	if (n % 2 == 0) {
		for (int k = 1; k < n / 2; k++)
			phase(4, (const int[][2]){ { n / 2, k }, { n / 2, -k }, { k, n / 2 }, { -k, n / 2 } });
		phase(3, (const int[][2]){ { n / 2, n / 2 }, { n / 2, 0 }, { 0, n / 2 } });
	}
	MGEN_Finalize();
	return 0;
}
