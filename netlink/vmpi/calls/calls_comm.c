/* Calls: communicators. All ranks of a communicator synchronize to make new ones (comm.h). */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "../message/run_checks.h"
#include "object_calls.h"
#include "group_relation.h"

/* Returns the communicator, or NULL after reporting an unknown handle. */
static struct comm *enter_comm_call(struct vmpi *v, enum call_id call, VMPI_Comm comm, int *ret)
{
	struct comm *c = comm_find(&v->comms, comm);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!c)
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	return c;
}

int vmpi_Comm_size(struct vmpi *v, VMPI_Comm comm, int *size)
{
	int ret;
	const struct comm *c = enter_comm_call(v, CALL_Comm_size, comm, &ret);

	if (c)
		*size = (int)c->group->size;
	return ret;
}

int vmpi_Comm_rank(struct vmpi *v, VMPI_Comm comm, int *rank)
{
	int ret;

	if (enter_comm_call(v, CALL_Comm_rank, comm, &ret))
		*rank = (int)comm_local(v, comm);
	return ret;
}

/* ---- new ones ---- */

VMPI_Comm comm_of_self(struct vmpi *v)
{
	uint32_t own = v->current->world, *world = mem_alloc(1, sizeof(*world), &v->err);
	struct group *g;
	int handle = 0;

	if (world)
		*world = own;
	g = world ? group_create(1, world, &v->err) : NULL;
	if (g)
		handle = comm_create(&v->comms, g, &v->err);
	group_drop(g);
	if (handle && v->checks)
		check_made(v);
	if (handle)
		comm_find(&v->comms, handle)->key = comm_split_key(HANDLE_SELF, own, (int)v->mpi.own[own].selfs++);
	return handle;
}

static int split_self(struct vmpi *v, const struct comm *self, VMPI_Comm *newcomm)
{
	*newcomm = comm_of_self(v);
	if (!*newcomm || comm_inherit_errors(comm_find(&v->comms, *newcomm), self, &v->err) < 0)
		rank_stop(v);
	return VMPI_SUCCESS;
}

void comm_split_put(struct vmpi *v, struct comm *c, struct split_sync *m, uint32_t local, int color, int key)
{
	m->color[local] = color;
	m->key[local] = key;
	if (!v->divided)
		return;
	remote_split(v, c, m->number, local, color, key);
	if (comm_split_deposit(&v->comms, c, m->number, local, color, key, &v->err) < 0)
		rank_stop(v);
}

/*
 * All ranks of `comm` deposit colour and key and wait for each other. The barrier's messages represent the exchange
 * of colours and keys. The first rank to leave it makes the communicators.
 */
int comm_split_ranks(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm *newcomm)
{
	struct comm *c = comm_find(&v->comms, comm);
	uint32_t local = comm_local(v, comm);
	struct split_sync *m;

	if (c->remote)
		return inter_split(v, comm, color, key, newcomm);
	if (c->self) {
		*newcomm = VMPI_COMM_NULL;
		return color < 0 ? VMPI_SUCCESS : split_self(v, c, newcomm);
	}
	m = comm_split_sync(c, local, &v->err);
	if (!m)
		rank_stop(v);
	comm_split_put(v, c, m, local, color, key);
	collective_barrier(v, comm);
	if (!m->made && comm_split_create(&v->comms, c, m, &v->err) < 0)
		rank_stop(v);
	if (__builtin_expect(v->checks != NULL, 0))
		check_made(v);
	*newcomm = m->handle[local];
	comm_split_leave(c, m);
	return VMPI_SUCCESS;
}

int comm_split_all(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm *newcomm)
{
	int ret;

	if (v->trace.split)
		v->trace.split->begins(v);
	ret = comm_split_ranks(v, comm, color, key, newcomm);
	if (v->trace.split)
		v->trace.split->done(v, comm, color, key, *newcomm);
	return ret;
}

int vmpi_Comm_split(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm *newcomm)
{
	int ret;

	if (!enter_comm_call(v, CALL_Comm_split, comm, &ret))
		return ret;
	if (color < 0 && color != VMPI_UNDEFINED)
		return rank_error(v, comm, VMPI_ERR_ARG, "colour %d: expected 0 or more, or MPI_UNDEFINED", color);
	return comm_split_all(v, comm, color, key, newcomm);
}

int vmpi_Comm_split_type(struct vmpi *v, VMPI_Comm comm, int split_type, int key, VMPI_Info info, VMPI_Comm *newcomm)
{
	int ret;

	(void)info;
	if (!enter_comm_call(v, CALL_Comm_split_type, comm, &ret))
		return ret;
	if (split_type != VMPI_COMM_TYPE_SHARED && split_type != VMPI_UNDEFINED)
		return rank_error(v, comm, VMPI_ERR_ARG, "split type %d: expected MPI_COMM_TYPE_SHARED", split_type);
	return comm_split_all(v, comm, split_type == VMPI_UNDEFINED ? -1 : (int)v->current->node, key, newcomm);
}

/* Copies the Cartesian grid of a communicator. */
static int copy_cart(struct vmpi *v, const struct comm *from, VMPI_Comm to)
{
	struct comm *c = comm_find(&v->comms, to);

	if (!from->cart || c->cart)
		return VMPI_SUCCESS;
	if (comm_set_cart(c, from->cart->dimensions, from->cart->size, from->cart->periodic, &v->err) < 0)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int comm_duplicate(struct vmpi *v, VMPI_Comm comm, struct comm *c, VMPI_Comm *newcomm)
{
	int ret = comm_split_all(v, comm, 0, (int)comm_local(v, comm), newcomm);

	if (ret == VMPI_SUCCESS)
		ret = copy_cart(v, c, *newcomm);
	if (ret == VMPI_SUCCESS && c->graph && graph_copy(c, comm_find(&v->comms, *newcomm), &v->err) < 0)
		rank_stop(v);
	if (ret == VMPI_SUCCESS)
		ret = attributes_copy_all(v, OBJECT_COMM, comm, *newcomm);
	if (ret) {
		if (*newcomm != VMPI_COMM_NULL)
			comm_drop(v, *newcomm);
		*newcomm = VMPI_COMM_NULL;
	}
	return ret;
}

int vmpi_Comm_dup(struct vmpi *v, VMPI_Comm comm, VMPI_Comm *newcomm)
{
	int ret;
	struct comm *c = enter_comm_call(v, CALL_Comm_dup, comm, &ret);

	return c ? comm_duplicate(v, comm, c, newcomm) : ret;
}

int vmpi_Comm_dup_with_info(struct vmpi *v, VMPI_Comm comm, VMPI_Info info, VMPI_Comm *newcomm)
{
	int ret;
	struct comm *c = enter_comm_call(v, CALL_Comm_dup_with_info, comm, &ret);

	(void)info;
	return c ? comm_duplicate(v, comm, c, newcomm) : ret;
}

int vmpi_Comm_create(struct vmpi *v, VMPI_Comm comm, VMPI_Group group, VMPI_Comm *newcomm)
{
	int ret;
	int64_t key;
	struct group *g = group_find(&v->comms, group);

	if (!enter_comm_call(v, CALL_Comm_create, comm, &ret))
		return ret;
	if (!g)
		return rank_error(v, comm, VMPI_ERR_GROUP, "unknown group %d", group);
	key = group_local(g, v->current->world);
	if (comm_find(&v->comms, comm)->remote)
		return comm_split_all(v, comm, key < 0 ? -1 : 0, (int)key, newcomm);
	/* disjoint groups make one communicator each and are distinguished by their first rank */
	return comm_split_all(v, comm, key < 0 ? -1 : (int)group_world(g, 0), (int)key, newcomm);
}

void comm_drop(struct vmpi *v, VMPI_Comm comm)
{
	VMPI_Comm local = comm_find(&v->comms, comm)->local_comm;

	if (v->current->cached_comm == comm || v->current->cached_comm == local)
		v->current->cached_comm = VMPI_COMM_NULL;
	if (__builtin_expect(v->checks != NULL, 0))
		check_freed(v, comm);
	comm_release(&v->comms, comm);
	if (local)
		comm_release(&v->comms, local);
}

int vmpi_Comm_free(struct vmpi *v, VMPI_Comm *comm)
{
	int ret;

	if (!enter_comm_call(v, CALL_Comm_free, *comm, &ret))
		return ret;
	if (*comm == VMPI_COMM_WORLD)
		return rank_error(v, *comm, VMPI_ERR_COMM, "MPI_COMM_WORLD cannot be freed");
	ret = attributes_delete_all(v, OBJECT_COMM, *comm);
	if (ret)
		return ret;
	comm_drop(v, *comm);
	*comm = VMPI_COMM_NULL;
	return VMPI_SUCCESS;
}

/* ---- queries ---- */

int vmpi_Comm_compare(struct vmpi *v, VMPI_Comm comm1, VMPI_Comm comm2, int *result)
{
	int ret;
	const struct comm *a = enter_comm_call(v, CALL_Comm_compare, comm1, &ret);
	const struct comm *b = a ? enter_comm_call(v, CALL_Comm_compare, comm2, &ret) : NULL;

	if (!b)
		return ret;
	/* communicators of the running rank alone are congruent, COMM_SELF among them */
	if ((a->remote != NULL) != (b->remote != NULL))
		*result = VMPI_UNEQUAL;
	else if (a->self || b->self)
		*result = a->group->size == b->group->size ? VMPI_IDENT : VMPI_UNEQUAL;
	else
		*result = group_relation(a->group, b->group);
	if (a->remote && b->remote) {
		int other = group_relation(a->remote, b->remote);

		*result = other > *result ? other : *result;
	}
	if (a == b)
		*result = VMPI_IDENT;
	else if (*result == VMPI_IDENT)
		*result = VMPI_CONGRUENT;
	return VMPI_SUCCESS;
}

int vmpi_Comm_set_name(struct vmpi *v, VMPI_Comm comm, const char *name)
{
	int ret;
	struct comm *c = enter_comm_call(v, CALL_Comm_set_name, comm, &ret);

	if (c && comm_set_name(c, v->current->world, name, &v->err) < 0)
		rank_stop(v);
	return ret;
}

int vmpi_Comm_get_name(struct vmpi *v, VMPI_Comm comm, char *name, int *resultlen)
{
	int ret;

	if (enter_comm_call(v, CALL_Comm_get_name, comm, &ret))
		*resultlen = snprintf(name, VMPI_MAX_OBJECT_NAME, "%s", comm_name(&v->comms, comm, v->current->world));
	return ret;
}

/* ---- grids (MPI 3.1, 7.5): rank = coordinates with the last dimension fastest ---- */

/* Returns the communicator's grid, or NULL after reporting that it has none. */
static const struct cart *enter_cart(struct vmpi *v, enum call_id call, VMPI_Comm comm, int *ret)
{
	const struct comm *c = enter_comm_call(v, call, comm, ret);

	if (c && !c->cart)
		*ret = rank_error(v, comm, VMPI_ERR_TOPOLOGY,
				  "communicator %d has no Cartesian topology, expected one of Cart_create", comm);
	return c ? c->cart : NULL;
}

static void coordinates(const struct cart *g, int rank, int *coords, int max)
{
	for (int i = g->dimensions; i--; rank /= g->size[i])
		if (i < max)
			coords[i] = rank % g->size[i];
}

int vmpi_Cart_create(struct vmpi *v, VMPI_Comm comm, int ndims, const int *dims, const int *periods, int reorder,
		     VMPI_Comm *newcomm)
{
	int ret;
	const struct comm *c = enter_comm_call(v, CALL_Cart_create, comm, &ret);
	int64_t nodes = 1;
	uint32_t local;

	(void)reorder; /* ranks are not reordered */
	if (!c)
		return ret;
	if (ndims < 0)
		return rank_error(v, comm, VMPI_ERR_DIMS, "%d dimensions: expected 0 or more", ndims);
	for (int i = 0; i < ndims; i++) {
		if (dims[i] < 1)
			return rank_error(v, comm, VMPI_ERR_DIMS, "dimension %d of size %d: expected 1 or more", i,
					  dims[i]);
		nodes *= dims[i];
		if (nodes > c->group->size)
			return rank_error(v, comm, VMPI_ERR_DIMS,
					  "grid too large, expected at most %u points, one per rank", c->group->size);
	}
	local = comm_local(v, comm);
	ret = comm_split_all(v, comm, local < nodes ? 0 : -1, (int)local, newcomm);
	if (ret || *newcomm == VMPI_COMM_NULL)
		return ret;
	if (!comm_find(&v->comms, *newcomm)->cart &&
	    comm_set_cart(comm_find(&v->comms, *newcomm), ndims, dims, periods, &v->err) < 0)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Cartdim_get(struct vmpi *v, VMPI_Comm comm, int *ndims)
{
	int ret;
	const struct cart *g = enter_cart(v, CALL_Cartdim_get, comm, &ret);

	if (g)
		*ndims = g->dimensions;
	return ret;
}

int vmpi_Cart_get(struct vmpi *v, VMPI_Comm comm, int maxdims, int *dims, int *periods, int *coords)
{
	int ret;
	const struct cart *g = enter_cart(v, CALL_Cart_get, comm, &ret);

	if (!g)
		return ret;
	for (int i = 0; i < maxdims && i < g->dimensions; i++) {
		dims[i] = g->size[i];
		periods[i] = g->periodic[i];
	}
	coordinates(g, (int)comm_local(v, comm), coords, maxdims);
	return VMPI_SUCCESS;
}

/* Returns the rank at coordinates; PROC_NULL outside of the grid. */
static int rank_at(const struct cart *g, const int *coords)
{
	int rank = 0;

	for (int i = 0; i < g->dimensions; i++) {
		int n = g->size[i], at = coords[i];

		if (!g->periodic[i] && (at < 0 || at >= n))
			return VMPI_PROC_NULL;
		rank = rank * n + (at % n + n) % n;
	}
	return rank;
}

int vmpi_Cart_rank(struct vmpi *v, VMPI_Comm comm, const int *coords, int *rank)
{
	int ret;
	const struct cart *g = enter_cart(v, CALL_Cart_rank, comm, &ret);

	if (!g)
		return ret;
	*rank = rank_at(g, coords);
	if (*rank == VMPI_PROC_NULL)
		return rank_error(
			v, comm, VMPI_ERR_ARG,
			"coordinates outside the grid, expected 0 to size - 1 in dimensions that do not wrap");
	return VMPI_SUCCESS;
}

int vmpi_Cart_coords(struct vmpi *v, VMPI_Comm comm, int rank, int maxdims, int *coords)
{
	int ret;
	const struct cart *g = enter_cart(v, CALL_Cart_coords, comm, &ret);
	const struct comm *c = comm_find(&v->comms, comm);

	if (!g)
		return ret;
	if (rank < 0 || (uint32_t)rank >= c->group->size)
		return rank_error(v, comm, VMPI_ERR_RANK, "rank %d: expected 0 to %u", rank, c->group->size - 1);
	coordinates(g, rank, coords, maxdims);
	return VMPI_SUCCESS;
}

int vmpi_Cart_shift(struct vmpi *v, VMPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
	int ret;
	const struct cart *g = enter_cart(v, CALL_Cart_shift, comm, &ret);
	int coords[64] = {0}, own;

	if (!g)
		return ret;
	if (direction < 0 || direction >= g->dimensions || g->dimensions > 64)
		return rank_error(v, comm, VMPI_ERR_DIMS, "direction %d: expected 0 to %d", direction,
				  g->dimensions - 1);
	coordinates(g, (int)comm_local(v, comm), coords, 64);
	own = coords[direction];
	coords[direction] = own + disp;
	*rank_dest = rank_at(g, coords);
	coords[direction] = own - disp;
	*rank_source = rank_at(g, coords);
	return VMPI_SUCCESS;
}

int vmpi_Cart_sub(struct vmpi *v, VMPI_Comm comm, const int *remain_dims, VMPI_Comm *newcomm)
{
	int ret, coords[64], size[64], periodic[64], color = 0, key = 0, kept = 0;
	const struct cart *g = enter_cart(v, CALL_Cart_sub, comm, &ret);

	if (!g)
		return ret;
	if (g->dimensions > 64)
		return rank_error(v, comm, VMPI_ERR_DIMS, "%d dimensions: expected at most 64", g->dimensions);
	coordinates(g, (int)comm_local(v, comm), coords, 64);
	for (int i = 0; i < g->dimensions; i++) {
		if (!remain_dims[i]) {
			color = color * g->size[i] + coords[i];
			continue;
		}
		key = key * g->size[i] + coords[i];
		size[kept] = g->size[i];
		periodic[kept++] = g->periodic[i];
	}
	ret = comm_split_all(v, comm, color, key, newcomm);
	if (ret == VMPI_SUCCESS && !comm_find(&v->comms, *newcomm)->cart &&
	    comm_set_cart(comm_find(&v->comms, *newcomm), kept, size, periodic, &v->err) < 0)
		rank_stop(v);
	return ret;
}

int vmpi_Topo_test(struct vmpi *v, VMPI_Comm comm, int *status)
{
	int ret;
	const struct comm *c = enter_comm_call(v, CALL_Topo_test, comm, &ret);

	if (c)
		*status = c->cart                             ? VMPI_CART
			  : c->graph && c->graph->distributed ? VMPI_DIST_GRAPH
			  : c->graph                          ? VMPI_GRAPH
							      : VMPI_UNDEFINED;
	return ret;
}

static int compare_down(int a, int b)
{
	return b - a;
}

/*
 * Distributes the prime factors of n over the free dimensions, the largest factor first, each to the smallest side
 * so far.
 */
static void spread(int n, int *side, int sides)
{
	int primes[32], count = 0;

	for (int p = 2; n > 1; p++)
		for (; n % p == 0; n /= p)
			primes[count++] = p;
	while (count--) {
		int least = 0;

		for (int i = 1; i < sides; i++)
			if (side[i] < side[least])
				least = i;
		side[least] *= primes[count];
	}
	for (int i = 1; i < sides; i++) /* in descending order, as the standard requires */
		for (int k = i; k && compare_down(side[k - 1], side[k]) > 0; k--) {
			int swap = side[k];

			side[k] = side[k - 1];
			side[k - 1] = swap;
		}
}

int vmpi_Dims_create(struct vmpi *v, int nnodes, int ndims, int *dims)
{
	int side[64], sides = 0, n = nnodes, next = 0;

	rank_enter(v, CALL_Dims_create);
	if (ndims > 64 || nnodes < 1)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_DIMS,
				  "%d nodes, %d dimensions: expected 1 or more, at most 64", nnodes, ndims);
	for (int i = 0; i < ndims; i++) {
		if (dims[i] < 0 || (dims[i] > 0 && n % dims[i]))
			return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_DIMS,
					  "dimension %d of size %d: expected 0 or a divisor of %d", i, dims[i], n);
		if (dims[i] > 0)
			n /= dims[i];
		else
			side[sides++] = 1;
	}
	if (!sides && n != 1)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_DIMS,
				  "sizes with another product than the number of nodes, expected %d", nnodes);
	if (sides)
		spread(n, side, sides);
	for (int i = 0; i < ndims; i++)
		if (!dims[i])
			dims[i] = side[next++];
	return VMPI_SUCCESS;
}
