/*
 * Drives an engine straight with programs of equal phases: in each, every node sends up to four
 * messages and waits until they have left and as many have come. What an MPI program of irecv, isend and
 * waitall would do, without virtual ranks.
 */
#ifndef PSIM_TESTS_A2AT_H
#define PSIM_TESTS_A2AT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "netlink/engine/net_config.h"
#include "netlink/engine/engine.h"
#include "netlink/engine/packet/packet.h"
#include "netlink/topology/topology_config.h"

enum { A2AT_SENDS = 4, A2AT_PHASES_MAX = 16384 };

/* Where a node sends to. */
enum a2at_to {
	TO_OFFSET, /* on a torus of n x n: (x, y) away */
	TO_SHIFT,  /* node + x, round */
	TO_XOR,    /* node xor x */
};

struct a2at_phase {
	enum a2at_to to;
	unsigned sends;
	int x[A2AT_SENDS], y[A2AT_SENDS];
	unsigned hops; /* the most of them */
	bool barrier;  /* a round of a barrier: no payload, no pacing */
	double bias;   /* NAN: no pacing */
};

struct a2at_program {
	unsigned n; /* of n x n nodes; only TO_OFFSET and pacing need it */
	uint32_t nodes;
	unsigned count; /* phases */
	struct a2at_phase *phase;
	unsigned sequences; /* phases that are no barrier */
};

/* The all-to-all of the pacing paper on n x n nodes; each phase with `bias`. NULL if memory is short. */
struct a2at_program *a2at_program(unsigned n, double bias);
struct a2at_program *a2at_pairwise(unsigned n); /* nodes a power of two */
struct a2at_program *a2at_ring(unsigned n);
/* Bruck's: log2(nodes) rounds, in each half of the blocks go on: a message is nodes / 2 blocks. */
struct a2at_program *a2at_bruck(uint32_t nodes);
struct a2at_program *a2at_copy(const struct a2at_program *p);
/* Phase number `sequence` of the all-to-all alone. */
struct a2at_program *a2at_single(const struct a2at_program *p, unsigned sequence);
/* `p` with a dissemination barrier behind each phase. */
struct a2at_program *a2at_with_barriers(const struct a2at_program *p);
void a2at_free(struct a2at_program *p);

/* When the overhead of a wait passes: as it is called, or when what it waits for has come. */
enum a2at_wait { WAIT_BEFORE, WAIT_AFTER };
/* Which messages ask the receiver first: a request to send, a clear to send, then the data. */
enum a2at_handshake { HANDSHAKE_NONE, HANDSHAKE_DATA, HANDSHAKE_ALL };

struct a2at_run {
	const struct topology_config *topology;
	const struct net_config *config;
	uint64_t bytes; /* of a message */
	enum a2at_handshake handshake;
	int64_t call_ps;      /* overhead of an MPI call */
	int64_t processor_ps; /* of each message at its sender and at its receiver (LogP's o) */
	enum a2at_wait wait;
	int64_t jitter_ps; /* each phase but rounds of barriers begins 0 … jitter later, for each node at random */
	int64_t late_ps;   /* node 0 begins so much after the others */
	uint64_t seed;
	bool check;
	FILE *picture; /* draws links and buffers over time there, with `title`; NULL: not */
	const char *title;
};

struct a2at_result {
	double seconds;
	double use;                      /* of links between routers, 0 … 1 */
	double host_seconds;             /* that the run took, without making the network */
	double imbalance;                /* between the first and the last node's end of the last phase */
	double *phase_end;               /* last node's end of each phase, seconds; the caller's array, or NULL */
	struct net_packet_counts counts; /* of the packet engine */
};

/* Runs it: 0, or -1 with `e`. */
int a2at_run(const struct a2at_program *p, const struct a2at_run *run, struct a2at_result *result, struct err *e);

/* Time of the ideal all-to-all, in seconds, at 4 GB/s (T of the paper, with headers). */
double a2at_ideal(unsigned n, uint64_t bytes);

#endif
