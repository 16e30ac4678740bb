/* Reductions of which each rank gets a part: at rank 0, then scattered. */
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
