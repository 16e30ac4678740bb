/* Calls: groups. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/scratch.h"
#include "../message/message.h"
#include "group_relation.h"

/* Returns the group of a handle, or NULL after reporting an unknown handle. */
static struct group *group_call_enter(struct vmpi *v, enum call_id call, VMPI_Group group, int *ret)
{
	struct group *g = group_find(&v->comms, group);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!g)
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_GROUP, "unknown group %d", group);
	return g;
}

/* Allocates room for `n` world ranks; fails the run if memory is short. */
static uint32_t *world_ranks(struct vmpi *v, size_t n)
{
	uint32_t *world = mem_alloc(n ? n : 1, sizeof(*world), &v->err);

	if (!world)
		rank_stop(v);
	return world;
}

/* Makes a group of `n` world ranks, and owns `world`. */
static int group_call_finish(struct vmpi *v, uint32_t *world, size_t n, VMPI_Group *newgroup)
{
	struct group *g;

	if (!n) {
		free(world);
		*newgroup = VMPI_GROUP_EMPTY;
		return VMPI_SUCCESS;
	}
	g = group_create((uint32_t)n, world, &v->err);
	*newgroup = g ? group_handle(&v->comms, g, &v->err) : 0;
	group_drop(g);
	if (!*newgroup)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Comm_group(struct vmpi *v, VMPI_Comm comm, VMPI_Group *group)
{
	const struct comm *c = comm_find(&v->comms, comm);
	struct rank *r = rank_enter(v, CALL_Comm_group);

	if (!c)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	if (c->self) {
		uint32_t *world = world_ranks(v, 1);

		world[0] = r->world;
		return group_call_finish(v, world, 1, group);
	}
	*group = group_handle(&v->comms, c->group, &v->err);
	if (!*group)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Group_size(struct vmpi *v, VMPI_Group group, int *size)
{
	int ret;
	const struct group *g = group_call_enter(v, CALL_Group_size, group, &ret);

	if (g)
		*size = (int)g->size;
	return ret;
}

int vmpi_Group_rank(struct vmpi *v, VMPI_Group group, int *rank)
{
	int ret;
	struct group *g = group_call_enter(v, CALL_Group_rank, group, &ret);
	int64_t local = g ? group_local(g, v->current->world) : -1;

	if (g)
		*rank = local < 0 ? VMPI_UNDEFINED : (int)local;
	return ret;
}

/* Makes a group of the ranks of `g` whose mark is `wanted`, in order. */
static int select_marked(struct vmpi *v, const struct group *g, const char *mark, char wanted, VMPI_Group *newgroup)
{
	uint32_t *world = world_ranks(v, g->size);
	size_t n = 0;

	for (uint32_t i = 0; i < g->size; i++)
		if (mark[i] == wanted)
			world[n++] = group_world(g, i);
	return group_call_finish(v, world, n, newgroup);
}

static int bad_rank(struct vmpi *v, const struct group *g, int rank)
{
	return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_RANK, "rank %d: expected 0 to %d", rank, (int)g->size - 1);
}

int vmpi_Group_incl(struct vmpi *v, VMPI_Group group, int n, const int *ranks, VMPI_Group *newgroup)
{
	int ret;
	const struct group *g = group_call_enter(v, CALL_Group_incl, group, &ret);
	uint32_t *world;

	if (!g)
		return ret;
	for (int i = 0; i < n; i++)
		if (ranks[i] < 0 || (uint32_t)ranks[i] >= g->size)
			return bad_rank(v, g, ranks[i]);
	world = world_ranks(v, n > 0 ? (size_t)n : 0);
	for (int i = 0; i < n; i++)
		world[i] = group_world(g, (uint32_t)ranks[i]);
	return group_call_finish(v, world, n > 0 ? (size_t)n : 0, newgroup);
}

int vmpi_Group_excl(struct vmpi *v, VMPI_Group group, int n, const int *ranks, VMPI_Group *newgroup)
{
	int ret;
	const struct group *g = group_call_enter(v, CALL_Group_excl, group, &ret);
	char *mark;

	if (!g)
		return ret;
	for (int i = 0; i < n; i++)
		if (ranks[i] < 0 || (uint32_t)ranks[i] >= g->size)
			return bad_rank(v, g, ranks[i]);
	mark = mem_alloc(g->size + 1, 1, &v->err);
	if (!mark)
		rank_stop(v);
	for (int i = 0; i < n; i++)
		mark[ranks[i]] = 1;
	ret = select_marked(v, g, mark, 0, newgroup);
	free(mark);
	return ret;
}

/* Expands ranges to a list of `count` ranks. */
static int expand(struct vmpi *v, const struct group *g, int n, int ranges[][3], int *list, int *count)
{
	*count = 0;
	for (int i = 0; i < n; i++) {
		int last = ranges[i][1], stride = ranges[i][2];

		if (!stride)
			return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "stride 0: expected another");
		for (int64_t at = ranges[i][0]; stride > 0 ? at <= last : at >= last; at += stride) {
			if (at < 0 || at >= g->size || *count == (int)g->size)
				return bad_rank(v, g, (int)at);
			list[(*count)++] = (int)at;
		}
	}
	return VMPI_SUCCESS;
}

typedef int select_ranks(struct vmpi *v, VMPI_Group group, int n, const int *ranks, VMPI_Group *newgroup);

static int select_ranges(struct vmpi *v, enum call_id call, VMPI_Group group, int n, int ranges[][3],
			 select_ranks *select, VMPI_Group *newgroup)
{
	int ret, *list, count;
	const struct group *g = group_call_enter(v, call, group, &ret);

	if (!g)
		return ret;
	list = scratch_take(v, (size_t)g->size + 1, sizeof(int));
	ret = expand(v, g, n, ranges, list, &count);
	if (ret == VMPI_SUCCESS)
		ret = select(v, group, count, list, newgroup);
	scratch_give(v, list);
	return ret;
}

int vmpi_Group_range_incl(struct vmpi *v, VMPI_Group group, int n, int ranges[][3], VMPI_Group *newgroup)
{
	return select_ranges(v, CALL_Group_range_incl, group, n, ranges, vmpi_Group_incl, newgroup);
}

int vmpi_Group_range_excl(struct vmpi *v, VMPI_Group group, int n, int ranges[][3], VMPI_Group *newgroup)
{
	return select_ranges(v, CALL_Group_range_excl, group, n, ranges, vmpi_Group_excl, newgroup);
}

/* ---- two groups ---- */

/*
 * Makes a group of the ranks of `a` that are (or are not) in `b`, followed, if `both`, by those of `b` that are not
 * in `a`.
 */
static int combine(struct vmpi *v, enum call_id call, const VMPI_Group group[2], bool in_b, bool any_a, bool both,
		   VMPI_Group *newgroup)
{
	int ret;
	struct group *a = group_call_enter(v, call, group[0], &ret),
		     *b = a ? group_call_enter(v, call, group[1], &ret) : NULL;
	uint32_t *world;
	size_t n = 0;

	if (!b)
		return ret;
	world = world_ranks(v, (size_t)a->size + b->size);
	for (uint32_t i = 0; i < a->size; i++)
		if (any_a || (group_local(b, group_world(a, i)) >= 0) == in_b)
			world[n++] = group_world(a, i);
	for (uint32_t i = 0; both && i < b->size; i++)
		if (group_local(a, group_world(b, i)) < 0)
			world[n++] = group_world(b, i);
	return group_call_finish(v, world, n, newgroup);
}

int vmpi_Group_union(struct vmpi *v, VMPI_Group group1, VMPI_Group group2, VMPI_Group *newgroup)
{
	return combine(v, CALL_Group_union, (VMPI_Group[]){group1, group2}, true, true, true, newgroup);
}

int vmpi_Group_intersection(struct vmpi *v, VMPI_Group group1, VMPI_Group group2, VMPI_Group *newgroup)
{
	return combine(v, CALL_Group_intersection, (VMPI_Group[]){group1, group2}, true, false, false, newgroup);
}

int vmpi_Group_difference(struct vmpi *v, VMPI_Group group1, VMPI_Group group2, VMPI_Group *newgroup)
{
	return combine(v, CALL_Group_difference, (VMPI_Group[]){group1, group2}, false, false, false, newgroup);
}

int vmpi_Group_translate_ranks(struct vmpi *v, VMPI_Group group1, int n, const int *ranks1, VMPI_Group group2,
			       int *ranks2)
{
	int ret;
	struct group *a = group_call_enter(v, CALL_Group_translate_ranks, group1, &ret);
	struct group *b = a ? group_call_enter(v, CALL_Group_translate_ranks, group2, &ret) : NULL;

	if (!b)
		return ret;
	for (int i = 0; i < n; i++) {
		int64_t local;

		if (ranks1[i] == VMPI_PROC_NULL) {
			ranks2[i] = VMPI_PROC_NULL;
			continue;
		}
		if (ranks1[i] < 0 || (uint32_t)ranks1[i] >= a->size)
			return bad_rank(v, a, ranks1[i]);
		local = group_local(b, group_world(a, (uint32_t)ranks1[i]));
		ranks2[i] = local < 0 ? VMPI_UNDEFINED : (int)local;
	}
	return VMPI_SUCCESS;
}

int group_relation(struct group *a, struct group *b)
{
	bool same = true;

	if (a->size != b->size)
		return VMPI_UNEQUAL;
	for (uint32_t i = 0; i < a->size; i++) {
		if (group_local(b, group_world(a, i)) < 0)
			return VMPI_UNEQUAL;
		same = same && group_world(a, i) == group_world(b, i);
	}
	return same ? VMPI_IDENT : VMPI_SIMILAR;
}

int vmpi_Group_compare(struct vmpi *v, VMPI_Group group1, VMPI_Group group2, int *result)
{
	int ret;
	struct group *a = group_call_enter(v, CALL_Group_compare, group1, &ret);
	struct group *b = a ? group_call_enter(v, CALL_Group_compare, group2, &ret) : NULL;

	if (b)
		*result = group_relation(a, b);
	return ret;
}

int vmpi_Group_free(struct vmpi *v, VMPI_Group *group)
{
	int ret;

	if (!group_call_enter(v, CALL_Group_free, *group, &ret))
		return ret;
	group_release(&v->comms, *group);
	*group = VMPI_GROUP_NULL;
	return VMPI_SUCCESS;
}
