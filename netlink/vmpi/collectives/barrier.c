/*
 * Barriers. Dissemination: D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier
 * synchronization", Int. J. Parallel Programming 17(1), 1988: in round k each rank tells the one
 * 2^k further on.
 */
#include "algorithms.h"

static int dissemination(struct collective *c)
{
	for (int distance = 1; distance < c->size; distance *= 2) {
		int to = (c->rank + distance) % c->size,
		    from = (c->rank - distance + c->size) % c->size;

		collective_sendrecv(c, NULL, 0, VMPI_BYTE, to, NULL, 0, VMPI_BYTE, from);
	}
	return VMPI_SUCCESS;
}

const struct collective_algorithm barrier_dissemination = {
	COLLECTIVE_BARRIER,
	"dissemination",
	"log2(ranks) rounds, each rank tells the one 2^k further on",
	dissemination,
	NULL,
	NULL,
};

/* Up and down a binomial tree. */
static int tree(struct collective *c)
{
	int mask = 1;

	for (; mask < c->size && !(c->rank & mask); mask *= 2)
		if (c->rank + mask < c->size)
			collective_recv(c, NULL, 0, VMPI_BYTE, c->rank + mask);
	if (c->rank) {
		collective_send(c, NULL, 0, VMPI_BYTE, c->rank - mask);
		collective_recv(c, NULL, 0, VMPI_BYTE, c->rank - mask);
	}
	for (mask /= 2; mask; mask /= 2)
		if (c->rank + mask < c->size)
			collective_send(c, NULL, 0, VMPI_BYTE, c->rank + mask);
	return VMPI_SUCCESS;
}

const struct collective_algorithm barrier_tree = {
	COLLECTIVE_BARRIER, "tree", "up and down a binomial tree", tree, NULL, NULL,
};
