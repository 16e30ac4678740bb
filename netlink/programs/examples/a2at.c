/*
 * All-to-all on an n x n torus with 4 NICs, in phases of 4 messages that go in 4 directions, with pacing:
 * H. Shibamura et al., "Optimization and simulation evaluation of an all-to-all communication using packet
 * pacing" (2011). The gap after each packet is hops - 1 + bias times the link's time for a packet.
 *   a2at.so BYTES [BIAS | none [BARRIER]]
 * Ranks are nodes: the first dimension fastest. Messages only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mgen.h"

enum { PACKET = 2048 };              /* MTU in bytes, including the header */
static const double bandwidth = 4e9; /* bandwidth of a link in bytes/s */

struct torus {
	int n, x, y, bytes, barrier;
	int pace;
	double bias;
	int phases;
};

static int wrap(int a, int n)
{
	return (a % n + n) % n;
}

static int node(const struct torus *t, int dx, int dy)
{
	return wrap(t->y + dy, t->n) * t->n + wrap(t->x + dx, t->n);
}

/* Four messages to offsets of `hops` hops, one per NIC; `count` of them differ. */
static void phase(struct torus *t, int offsets[4][2], int count, int hops)
{
	MGEN_Request requests[8];
	double gap = (hops - 1 + t->bias) * PACKET / bandwidth;

	for (int i = 0; i < count; i++)
		MGEN_Irecv(NULL, t->bytes, MGEN_BYTE, node(t, -offsets[i][0], -offsets[i][1]), i, MGEN_COMM_WORLD,
			   &requests[i]);
	MGEN_Set_gap(t->pace && gap > 0 ? gap : 0);
	for (int i = 0; i < count; i++) {
		MGEN_Set_nic(i);
		MGEN_Isend(NULL, t->bytes, MGEN_BYTE, node(t, offsets[i][0], offsets[i][1]), i, MGEN_COMM_WORLD,
			   &requests[count + i]);
	}
	MGEN_Waitall(2 * count, requests, MGEN_STATUSES_IGNORE);
	MGEN_Set_gap(0);
	MGEN_Set_nic(-1);
	t->phases++;
	if (t->barrier)
		MGEN_Barrier(MGEN_COMM_WORLD);
}

#define PHASE(t, hops, count, ...) \
	do { \
		int offsets_[4][2] = {__VA_ARGS__}; \
\
		phase(t, offsets_, count, hops); \
	} while (0)

static void all_to_all(struct torus *t)
{
	int n = t->n, half = n / 2;

	for (int i = 1; i <= (n - 1) / 2; i++) {
		PHASE(t, i, 4, {i, 0}, {-i, 0}, {0, i}, {0, -i});
		PHASE(t, 2 * i, 4, {i, i}, {-i, -i}, {-i, i}, {i, -i});
		for (int j = 1; j < i; j++) {
			PHASE(t, i + j, 4, {i, j}, {-i, -j}, {j, i}, {-j, -i});
			PHASE(t, i + j, 4, {-i, j}, {i, -j}, {j, -i}, {-j, i});
		}
	}
	if (n % 2)
		return;
	for (int k = 1; k < half; k++)
		PHASE(t, half + k, 4, {half, k}, {half, -k}, {k, half}, {-k, half});
	PHASE(t, n, 3, {half, half}, {half, 0}, {0, half});
}

int MGEN_Main(int argc, char **argv)
{
	struct torus t = {.n = 1, .bytes = argc > 1 ? atoi(argv[1]) : 1 << 20};
	int rank, size, nics;

	MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
	MGEN_Comm_size(MGEN_COMM_WORLD, &size);
	MGEN_Nics(&nics);
	while (t.n * t.n < size)
		t.n++;
	if (t.n * t.n != size || nics < 4) {
		if (rank == 0)
			fprintf(stderr, "a2at: %d ranks, %d NICs: expected a square, and 4 NICs\n", size, nics);
		return 2;
	}
	t.x = rank % t.n;
	t.y = rank / t.n;
	t.pace = argc > 2 && strcmp(argv[2], "none") != 0;
	t.bias = t.pace ? strtod(argv[2], NULL) : 0;
	t.barrier = argc > 3 && strcmp(argv[3], "barrier") == 0;
	all_to_all(&t);
	if (rank == 0)
		printf("a2at %d x %d, %d bytes: %d phases\n", t.n, t.n, t.bytes, t.phases);
	return 0;
}
