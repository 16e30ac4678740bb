/* The running rank's number in a communicator. */
#include "message.h"

uint32_t comm_local(struct vmpi *v, VMPI_Comm comm)
{
	struct rank *r = v->current;
	const struct comm *c = comm_find(&v->comms, comm);
	int64_t local;

	if (c->self)
		return 0;
	if (!c->group->world)
		return r->world;
	if (r->cached_comm == comm)
		return r->cached_rank;
	local = group_local(c->group, r->world);
	if (local < 0) {
		rank_error(v, 0, VMPI_ERR_COMM, "communicator %d does not contain this rank", comm);
		return 0;
	}
	r->cached_comm = comm;
	r->cached_rank = (uint32_t)local;
	return r->cached_rank;
}
