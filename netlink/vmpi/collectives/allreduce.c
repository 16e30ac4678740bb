/*
 * Reductions for all. Recursive doubling: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1),
 * 2005, 4.5: of ranks beyond a power of two every second hands its data to its neighbour first and
 * gets the result last.
 */
#include "algorithms.h"

static bool commutes(const struct collective *c)
{
	return op_commutes(&c->v->ops, c->op);
}

static void exchange(struct collective *c, void *other, int peer)
{
	collective_sendrecv(c, c->recv, c->recv_count, c->recv_type, peer, other, c->recv_count,
	                    c->recv_type, peer);
	collective_combine(c, other, c->recv, c->recv_count);
}

static int recursive_doubling(struct collective *c)
{
	int power = 1, rest, number;
	void *other = collective_buffer(c, c->recv, c->recv_count, c->recv_type);

	while (power * 2 <= c->size)
		power *= 2;
	rest = c->size - power;
	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, c->recv, c->recv_count,
		                c->recv_type);
	number = c->rank < 2 * rest ? c->rank / 2 : c->rank - rest;
	if (c->rank < 2 * rest && c->rank % 2) { /* its neighbour works for it */
		collective_send(c, c->recv, c->recv_count, c->recv_type, c->rank - 1);
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->rank - 1);
		collective_free(c, other, c->recv_type);
		return VMPI_SUCCESS;
	}
	if (c->rank < 2 * rest) {
		collective_recv(c, other, c->recv_count, c->recv_type, c->rank + 1);
		collective_combine(c, other, c->recv, c->recv_count);
	}
	for (int mask = 1; mask < power; mask *= 2) {
		int peer = number ^ mask;

		exchange(c, other, peer < rest ? peer * 2 : peer + rest);
	}
	if (c->rank < 2 * rest)
		collective_send(c, c->recv, c->recv_count, c->recv_type, c->rank + 1);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

static int reduce_bcast(struct collective *c)
{
	struct collective part = *c;

	part.root = 0;
	if (c->send == VMPI_IN_PLACE && c->rank != 0)
		part.send = c->recv;
	collective_run(COLLECTIVE_REDUCE, &part);
	return collective_run(COLLECTIVE_BCAST, &part);
}

const struct collective_algorithm allreduce_recursive_doubling = {
	COLLECTIVE_ALLREDUCE,
	"recursive_doubling",
	"log2(ranks) exchanges of all data, for operations that commute",
	recursive_doubling,
	NULL,
	commutes,
};
const struct collective_algorithm allreduce_reduce_bcast = {
	COLLECTIVE_ALLREDUCE, "reduce_bcast", "reduction at rank 0, then a broadcast",
	reduce_bcast,         NULL,           NULL,
};

/* ---- in parts: each rank reduces one, then all get all ---- */

struct blocks { /* of the data, cut evenly into `n` */
	struct collective *c;
	void *other; /* room for as much */
	int n;
};

static int block_at(const struct blocks *b, int i)
{
	return (int)((int64_t)b->c->recv_count * i / b->n);
}

static void *address(const struct blocks *b, void *data, int i)
{
	return collective_at(b->c, data, block_at(b, i), b->c->recv_type);
}

/* Sends blocks `from` … `from_end` - 1 to a rank and gets others from one; they are combined, or
 * taken as they are. */
static void swap(const struct blocks *b, int to, int from, int from_end, int source, int first,
                 int end, bool combine)
{
	struct collective *c = b->c;
	int count = block_at(b, end) - block_at(b, first);
	void *place = address(b, combine ? b->other : c->recv, first);

	collective_sendrecv(c, address(b, c->recv, from), block_at(b, from_end) - block_at(b, from),
	                    c->recv_type, to, place, count, c->recv_type, source);
	if (combine)
		collective_combine(c, place, address(b, c->recv, first), count);
}

static void begin(struct collective *c)
{
	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, c->recv, c->recv_count,
		                c->recv_type);
}

static int ring(struct collective *c)
{
	struct blocks b = {c, collective_buffer(c, c->recv, c->recv_count, c->recv_type), c->size};
	int to = (c->rank + 1) % c->size, from = (c->rank - 1 + c->size) % c->size;

	begin(c);
	for (int pass = 0; pass < 2; pass++)
		for (int round = 0; round < c->size - 1; round++) {
			int sends = (c->rank - round + pass + c->size) % c->size;
			int receives = (sends - 1 + c->size) % c->size;

			swap(&b, to, sends, sends + 1, from, receives, receives + 1, pass == 0);
		}
	collective_free(c, b.other, c->recv_type);
	return VMPI_SUCCESS;
}

/* Halves of halves are exchanged and combined, then back; `number` of a power of two that take
 * part. */
static void halve_and_double(const struct blocks *b, int number, int rest)
{
	int first = 0, end = b->n;

	for (int mask = b->n / 2; mask; mask /= 2) {
		int peer = number ^ mask, middle = (first + end) / 2;
		int rank = peer < rest ? peer * 2 : peer + rest;

		if (number & mask) {
			swap(b, rank, first, middle, rank, middle, end, true);
			first = middle;
		} else {
			swap(b, rank, middle, end, rank, first, middle, true);
			end = middle;
		}
	}
	for (int mask = 1; mask < b->n; mask *= 2) {
		int peer = number ^ mask, rank = peer < rest ? peer * 2 : peer + rest,
		    length = end - first;

		if (number & mask) {
			swap(b, rank, first, end, rank, first - length, first, false);
			first -= length;
		} else {
			swap(b, rank, first, end, rank, end, end + length, false);
			end += length;
		}
	}
}

static int rabenseifner(struct collective *c)
{
	struct blocks b = {c, collective_buffer(c, c->recv, c->recv_count, c->recv_type), 1};
	int rest, number;

	while (b.n * 2 <= c->size)
		b.n *= 2;
	rest = c->size - b.n;
	number = c->rank < 2 * rest ? c->rank / 2 : c->rank - rest;
	begin(c);
	if (c->rank < 2 * rest && c->rank % 2) { /* its neighbour works for it */
		collective_send(c, c->recv, c->recv_count, c->recv_type, c->rank - 1);
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->rank - 1);
		collective_free(c, b.other, c->recv_type);
		return VMPI_SUCCESS;
	}
	if (c->rank < 2 * rest) {
		collective_recv(c, b.other, c->recv_count, c->recv_type, c->rank + 1);
		collective_combine(c, b.other, c->recv, c->recv_count);
	}
	halve_and_double(&b, number, rest);
	if (c->rank < 2 * rest)
		collective_send(c, c->recv, c->recv_count, c->recv_type, c->rank + 1);
	collective_free(c, b.other, c->recv_type);
	return VMPI_SUCCESS;
}

static bool is_long(const struct collective *c)
{
	return c->bytes > 2048 && c->recv_count >= c->size;
}

const struct collective_algorithm allreduce_rabenseifner = {
	COLLECTIVE_ALLREDUCE,
	"rabenseifner",
	"reduce-scatter by halving, allgather by doubling; for long data",
	rabenseifner,
	is_long,
	commutes,
};
const struct collective_algorithm allreduce_ring = {
	COLLECTIVE_ALLREDUCE,
	"ring",
	"each part goes round once to be summed, once to be told",
	ring,
	collective_by_name,
	commutes,
};
