/* All-to-all, also with parts of different lengths. Pairwise exchange: in round k each rank sends to the one k
 * further on and receives from the one k before. */
#include "algorithms.h"

static int pairwise(struct collective *c)
{
	for (int k = 0; k < c->size; k++) {
		int to = (c->rank + k) % c->size, from = (c->rank - k + c->size) % c->size;
		int64_t send_at, recv_at;
		int send_count = collective_send_part(c, to, &send_at),
		    recv_count = collective_recv_part(c, from, &recv_at);
		const void *send = collective_at(c, c->send, send_at, c->send_type);
		void *recv = collective_at(c, c->recv, recv_at, c->recv_type);

		if (k == 0)
			collective_copy(c, send, send_count, c->send_type, recv, recv_count, c->recv_type);
		else
			collective_sendrecv(c, send, send_count, c->send_type, to, recv, recv_count, c->recv_type,
			                    from);
	}
	return VMPI_SUCCESS;
}

const struct collective_algorithm alltoall_pairwise = {
	COLLECTIVE_ALLTOALL, "pairwise", "ranks - 1 rounds: to rank + k, from rank - k", pairwise, NULL, NULL,
};
const struct collective_algorithm alltoallv_pairwise = {
	COLLECTIVE_ALLTOALLV, "pairwise", "ranks - 1 rounds: to rank + k, from rank - k", pairwise, NULL, NULL,
};
