/*
 * Allgather. Ring: in round k each rank hands on to the next what it got in the round before.
 * Recursive doubling and Bruck's: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005, 4.1,
 * with its thresholds.
 */
#include "algorithms.h"

static void own_part(struct collective *c)
{
	int64_t at;
	int count = collective_recv_part(c, c->rank, &at);

	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->send_count, c->send_type,
		                collective_at(c, c->recv, at, c->recv_type), count, c->recv_type);
}

static int ring(struct collective *c)
{
	int to = (c->rank + 1) % c->size, from = (c->rank - 1 + c->size) % c->size;

	own_part(c);
	for (int round = 0; round < c->size - 1; round++) {
		int sends = (c->rank - round + c->size) % c->size,
		    receives = (sends - 1 + c->size) % c->size;
		int64_t send_at, recv_at;
		int send_count = collective_recv_part(c, sends, &send_at);
		int recv_count = collective_recv_part(c, receives, &recv_at);

		collective_sendrecv(c, collective_at(c, c->recv, send_at, c->recv_type), send_count,
		                    c->recv_type, to,
		                    collective_at(c, c->recv, recv_at, c->recv_type), recv_count,
		                    c->recv_type, from);
	}
	return VMPI_SUCCESS;
}

const struct collective_algorithm allgather_ring = {
	COLLECTIVE_ALLGATHER,
	"ring",
	"ranks - 1 rounds: each hands on to its neighbour what it got",
	ring,
	NULL,
	NULL,
};
const struct collective_algorithm allgatherv_ring = {
	COLLECTIVE_ALLGATHERV,
	"ring",
	"ranks - 1 rounds: each hands on to its neighbour what it got",
	ring,
	NULL,
	NULL,
};

static bool power_of_two(const struct collective *c)
{
	return !(c->size & (c->size - 1)) && !c->recv_counts;
}

static bool one_length(const struct collective *c)
{
	return !c->recv_counts;
}

static bool below_long(const struct collective *c)
{
	return c->bytes * c->size < 512 << 10;
}

static bool is_short(const struct collective *c)
{
	return c->bytes * c->size < 80 << 10;
}

static int recursive_doubling(struct collective *c)
{
	own_part(c);
	for (int mask = 1; mask < c->size; mask *= 2) {
		int peer = c->rank ^ mask, sends = c->rank & ~(mask - 1),
		    receives = peer & ~(mask - 1);
		int count = mask * c->recv_count;

		collective_sendrecv(
			c, collective_at(c, c->recv, (int64_t)sends * c->recv_count, c->recv_type),
			count, c->recv_type, peer,
			collective_at(c, c->recv, (int64_t)receives * c->recv_count, c->recv_type),
			count, c->recv_type, peer);
	}
	return VMPI_SUCCESS;
}

/* Parts lie in order from one's own on; in round k as many come from rank + 2^k as there are. */
static int bruck(struct collective *c)
{
	int64_t part = c->recv_count;
	const void *own = c->send == VMPI_IN_PLACE
	                          ? collective_at(c, c->recv, c->rank * part, c->recv_type)
	                          : c->send;
	void *all = collective_buffer(c, c->recv, c->size * part, c->recv_type);

	if (c->send == VMPI_IN_PLACE)
		collective_copy(c, own, c->recv_count, c->recv_type, all, c->recv_count,
		                c->recv_type);
	else
		collective_copy(c, own, c->send_count, c->send_type, all, c->recv_count,
		                c->recv_type);
	for (int have = 1; have < c->size; have *= 2) {
		int more = have < c->size - have ? have : c->size - have;

		collective_sendrecv(c, all, (int)(more * part), c->recv_type,
		                    (c->rank - have + c->size) % c->size,
		                    collective_at(c, all, have * part, c->recv_type),
		                    (int)(more * part), c->recv_type, (c->rank + have) % c->size);
	}
	for (int i = 0; all && i < c->size; i++)
		collective_copy(
			c, collective_at(c, all, i * part, c->recv_type), c->recv_count,
			c->recv_type,
			collective_at(c, c->recv, (c->rank + i) % c->size * part, c->recv_type),
			c->recv_count, c->recv_type);
	collective_free(c, all, c->recv_type);
	return VMPI_SUCCESS;
}

const struct collective_algorithm allgather_recursive_doubling = {
	COLLECTIVE_ALLGATHER,
	"recursive_doubling",
	"log2(ranks) exchanges that double; powers of two",
	recursive_doubling,
	below_long,
	power_of_two,
};
const struct collective_algorithm allgather_bruck = {
	COLLECTIVE_ALLGATHER,
	"bruck",
	"log2(ranks) rounds, any number of ranks; for short parts",
	bruck,
	is_short,
	one_length,
};
