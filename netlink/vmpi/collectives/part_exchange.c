/*
 * Exchanges: given messages to given ranks, all at once. All-to-all with types of each rank (Alltoallw) and operations
 * among neighbours (MPI 3.1, 7.6) are exchanges.
 */

#include "collective.h"

int exchange_body(struct collective *c)
{
	int count = c->sends + c->receives;
	VMPI_Request *requests = scratch_take(c->v, (size_t)count + 1, sizeof(*requests));

	for (int i = 0; i < c->receives; i++) {
		const struct collective_part *p = &c->parts[c->sends + i];

		requests[i] = collective_irecv(c, p->buf, p->count, p->type, p->peer);
	}
	for (int i = 0; i < c->sends; i++) {
		const struct collective_part *p = &c->parts[i];

		requests[c->receives + i] = collective_isend(c, p->buf, p->count, p->type, p->peer);
	}
	collective_wait(c, requests, count);
	scratch_give(c->v, requests);
	return VMPI_SUCCESS;
}
