/* Allgather. Ring: in round k each rank hands on to the next what it got in the round before. */
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
		int sends = (c->rank - round + c->size) % c->size, receives = (sends - 1 + c->size) % c->size;
		int64_t send_at, recv_at;
		int send_count = collective_recv_part(c, sends, &send_at);
		int recv_count = collective_recv_part(c, receives, &recv_at);

		collective_sendrecv(c, collective_at(c, c->recv, send_at, c->recv_type), send_count, c->recv_type,
		                    to, collective_at(c, c->recv, recv_at, c->recv_type), recv_count, c->recv_type,
		                    from);
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
