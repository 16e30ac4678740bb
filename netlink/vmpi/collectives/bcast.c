/* Broadcasts. Binomial tree: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", IJHPCA 19(1), 2005, 4.2. */
#include "algorithms.h"

static int binomial(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size, mask = 1;

	for (; mask < c->size; mask *= 2)
		if (relative & mask) {
			collective_recv(c, c->recv, c->recv_count, c->recv_type, (c->rank - mask + c->size) % c->size);
			break;
		}
	for (mask /= 2; mask; mask /= 2)
		if (relative + mask < c->size)
			collective_send(c, c->recv, c->recv_count, c->recv_type, (c->rank + mask) % c->size);
	return VMPI_SUCCESS;
}

const struct collective_algorithm bcast_binomial = {
	COLLECTIVE_BCAST, "binomial", "a tree: in round k the ranks that have the data double", binomial, NULL, NULL,
};
