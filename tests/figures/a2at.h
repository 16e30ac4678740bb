/*
 * Drives an engine directly with programs of equal phases: in each phase every node sends up to six messages and
 * waits until they have left and as many have arrived. This is an MPI program of irecv, isend and waitall without
 * virtual ranks.
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

enum { A2AT_SENDS = 6, A2AT_PHASES_MAX = 16384 };

/* Destination of a node's message. */
enum a2at_to {
	TO_OFFSET, /* on a torus of n x n (x n): (x, y, z) away */
	TO_SHIFT,  /* node + x, round */
	TO_XOR,    /* node xor x */
};

struct a2at_phase {
	enum a2at_to to;
	unsigned sends;
	int x[A2AT_SENDS], y[A2AT_SENDS], z[A2AT_SENDS];
	unsigned hops; /* largest distance of its messages */
	bool barrier;  /* a round of a barrier: no payload, no pacing */
	double bias;   /* NAN: no pacing */
};

struct a2at_program {
	unsigned n, dims; /* of n x n (x n) nodes; only TO_OFFSET and pacing need them */
	uint32_t nodes;
	unsigned count; /* phases */
	struct a2at_phase *phase;
	unsigned sequences; /* phases that are no barrier */
};

/* Makes the all-to-all of the pacing paper on n x n nodes, each phase with `bias`. NULL if memory is short. */
struct a2at_program *a2at_program(unsigned n, double bias);
/*
 * The same idea on n x n x n nodes, n odd: six messages at once, (x, y, z), (y, z, x), (z, x, y) and their opposites,
 * so that each link carries as many as a message has hops; the two to (i, i, i) alone.
 */
struct a2at_program *a2at_cube(unsigned n, double bias);
struct a2at_program *a2at_pairwise(unsigned n); /* the number of nodes is a power of two */
struct a2at_program *a2at_ring(unsigned n);
/* Bruck's algorithm: log2(nodes) rounds that forward half of the blocks each; a message is nodes / 2 blocks. */
struct a2at_program *a2at_bruck(uint32_t nodes);
/*
 * Order of the four messages with unlike signs, (-i, j) and its kin, whose lines of the paper's listing are damaged: as
 * the reconstruction has them; those that go further along y first, which is nearest to what is legible; as the mirror
 * image of the messages with like signs.
 */
#define A2AT_ORDERS(C) \
	C(ORDER_RECONSTRUCTED, "reconstructed") \
	C(ORDER_PRINTED, "printed") \
	C(ORDER_MIRRORED, "mirrored")
enum a2at_order { A2AT_ORDERS(CHOICE_ID) };
/* Reorders the messages of an all-to-all's phases. */
void a2at_reorder(struct a2at_program *p, enum a2at_order order);
struct a2at_program *a2at_copy(const struct a2at_program *p);
/* Makes phase number `sequence` of the all-to-all alone. */
struct a2at_program *a2at_single(const struct a2at_program *p, unsigned sequence);
/* Returns `p` with a dissemination barrier after each phase. */
struct a2at_program *a2at_with_barriers(const struct a2at_program *p);
void a2at_free(struct a2at_program *p);

/* Time at which the overhead of a wait passes: at the call, or when its messages have arrived. */
enum a2at_wait { WAIT_BEFORE, WAIT_AFTER };
/* Messages that use rendezvous: request to send, clear to send, data. */
enum a2at_handshake { HANDSHAKE_NONE, HANDSHAKE_DATA, HANDSHAKE_ALL };

struct a2at_run {
	const struct topology_config *topology;
	const struct net_config *config;
	uint64_t bytes; /* bytes of a message */
	enum a2at_handshake handshake;
	int64_t call_ps;      /* overhead of an MPI call */
	int64_t processor_ps; /* overhead of each message at its sender and at its receiver (LogP's o) */
	enum a2at_wait wait;
	int64_t jitter_ps; /* each phase but rounds of barriers begins 0 … jitter later, for each node at random */
	int64_t late_ps;   /* delay of node 0's start */
	uint64_t seed;
	bool check;
	FILE *picture; /* file for a picture of links and buffers over time, with `title`; NULL: none */
	const char *title;
};

struct a2at_result {
	double seconds;
	double use;                      /* utilisation of links between routers, 0 … 1 */
	double host_seconds;             /* CPU time of the run, without making the network */
	double imbalance;                /* between the first and the last node's end of the last phase */
	double *phase_end;               /* last node's end of each phase in seconds; the caller's array, or NULL */
	struct net_packet_counts counts; /* of the packet engine */
};

/* Runs a program. 0, or -1 with `e`. */
int a2at_run(const struct a2at_program *p, const struct a2at_run *run, struct a2at_result *result, struct err *e);

/* Returns the time of the ideal all-to-all in seconds, at 4 GB/s (T of the paper, with headers). */
double a2at_ideal(unsigned n, uint64_t bytes);
/* The same of n x n x n nodes. */
double a2at_cube_ideal(unsigned n, uint64_t bytes);

#endif
