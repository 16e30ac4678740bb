/* Gather and scatter, also with parts of different lengths: root exchanges with each rank itself. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "algorithms.h"

static VMPI_Request *request_list(struct collective *c)
{
	VMPI_Request *list = mem_alloc((size_t)c->size, sizeof(*list), &c->v->err);

	if (!list)
		rank_fail(c->v);
	return list;
}

static int gather(struct collective *c)
{
	VMPI_Request *requests;
	int n = 0;

	if (c->rank != c->root) {
		collective_send(c, c->send, c->send_count, c->send_type, c->root);
		return VMPI_SUCCESS;
	}
	requests = request_list(c);
	for (int i = 0; i < c->size; i++) {
		int64_t at;
		int count = collective_recv_part(c, i, &at);
		void *to = collective_at(c, c->recv, at, c->recv_type);

		if (i != c->root)
			requests[n++] = collective_irecv(c, to, count, c->recv_type, i);
		else if (c->send != VMPI_IN_PLACE)
			collective_copy(c, c->send, c->send_count, c->send_type, to, count, c->recv_type);
	}
	collective_wait(c, requests, n);
	free(requests);
	return VMPI_SUCCESS;
}

static int scatter(struct collective *c)
{
	VMPI_Request *requests;
	int n = 0;

	if (c->rank != c->root) {
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->root);
		return VMPI_SUCCESS;
	}
	requests = request_list(c);
	for (int i = 0; i < c->size; i++) {
		int64_t at;
		int count = collective_send_part(c, i, &at);
		const void *from = collective_at(c, c->send, at, c->send_type);

		if (i != c->root)
			requests[n++] = collective_isend(c, from, count, c->send_type, i);
		else if (c->recv != VMPI_IN_PLACE)
			collective_copy(c, from, count, c->send_type, c->recv, c->recv_count, c->recv_type);
	}
	collective_wait(c, requests, n);
	free(requests);
	return VMPI_SUCCESS;
}

const struct collective_algorithm gather_linear = {
	COLLECTIVE_GATHER, "linear", "each rank sends to root", gather, NULL, NULL,
};
const struct collective_algorithm scatter_linear = {
	COLLECTIVE_SCATTER, "linear", "root sends to each rank", scatter, NULL, NULL,
};
