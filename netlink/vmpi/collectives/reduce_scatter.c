/*
 * Reductions of which each rank gets a part: at rank 0, then scattered; or pairwise: R. Thakur, R.
 * Rabenseifner, W. Gropp, IJHPCA 19(1), 2005, 4.6.
 */
#include "algorithms.h"

/* Of the arguments: send_type is recv_type, send_counts and send_displs are the parts. */
static int reduce_scatterv(struct collective *c)
{
	struct collective part = *c;
	int64_t at, total = 0;
	int own = collective_send_part(c, c->rank, &at);
	const void *from = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	void *whole;

	for (int i = 0; i < c->size; i++)
		total += collective_send_part(c, i, &at);
	whole = collective_buffer(c, from, total, c->recv_type);
	part.root = 0;
	part.send = from;
	part.recv = whole;
	part.recv_count = (int)total;
	part.recv_counts = NULL;
	collective_run(COLLECTIVE_REDUCE, &part);
	part.send = whole;
	part.recv = c->recv;
	part.recv_count = own;
	collective_run(COLLECTIVE_SCATTER, &part);
	collective_free(c, whole, c->recv_type);
	return VMPI_SUCCESS;
}

const struct collective_algorithm reduce_scatter_reduce_scatterv = {
	COLLECTIVE_REDUCE_SCATTER,
	"reduce_scatterv",
	"reduction at rank 0, then a scatter",
	reduce_scatterv,
	NULL,
	NULL,
};

static bool commutes(const struct collective *c)
{
	return op_commutes(&c->v->ops, c->op);
}

/* In round k each rank sends the part of rank + k to it, and adds what rank - k sends of its own.
 */
static int pairwise(struct collective *c)
{
	const void *from = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	int64_t own_at, at;
	int own = collective_send_part(c, c->rank, &own_at);
	void *sum = collective_buffer(c, from, own, c->recv_type),
	     *other = collective_buffer(c, from, own, c->recv_type);

	collective_copy(c, collective_at(c, from, own_at, c->recv_type), own, c->recv_type, sum,
	                own, c->recv_type);
	for (int k = 1; k < c->size; k++) {
		int to = (c->rank + k) % c->size, count = collective_send_part(c, to, &at);

		collective_sendrecv(c, collective_at(c, from, at, c->recv_type), count,
		                    c->recv_type, to, other, own, c->recv_type,
		                    (c->rank - k + c->size) % c->size);
		collective_combine(c, other, sum, own);
	}
	collective_copy(c, sum, own, c->recv_type, c->recv, own, c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

const struct collective_algorithm reduce_scatter_pairwise = {
	COLLECTIVE_REDUCE_SCATTER,
	"pairwise",
	"ranks - 1 rounds: the part of rank + k to it",
	pairwise,
	NULL,
	commutes,
};
