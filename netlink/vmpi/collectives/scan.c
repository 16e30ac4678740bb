/* Prefix reductions: what rank - 1 has, combined with one's own, goes to rank + 1. */
#include "algorithms.h"

static int linear(struct collective *c)
{
	const void *own = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	void *sum = collective_buffer(c, own, c->recv_count, c->recv_type);
	void *before = collective_buffer(c, own, c->recv_count, c->recv_type);

	collective_copy(c, own, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	if (c->rank > 0) {
		collective_recv(c, before, c->recv_count, c->recv_type, c->rank - 1);
		collective_combine(c, before, sum, c->recv_count);
	}
	if (c->rank + 1 < c->size)
		collective_send(c, sum, c->recv_count, c->recv_type, c->rank + 1);
	if (!c->exclusive || c->rank > 0)
		collective_copy(c, c->exclusive ? before : sum, c->recv_count, c->recv_type, c->recv, c->recv_count,
		                c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, before, c->recv_type);
	return VMPI_SUCCESS;
}

const struct collective_algorithm scan_linear = {
	COLLECTIVE_SCAN, "linear", "from rank to rank, in order", linear, NULL, NULL,
};
