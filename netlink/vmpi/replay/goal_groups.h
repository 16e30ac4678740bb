/*
 * Collective operations in graphs of operations: groups of ranks, and the operations of each. The n-th operation of a
 * group in one rank's graph is the n-th of the others', in whatever order they begin.
 */
#ifndef PSIM_VMPI_REPLAY_GOAL_GROUPS_H
#define PSIM_VMPI_REPLAY_GOAL_GROUPS_H

#include <stdint.h>

#include "../../../psim/base/vec.h"

struct goal;
struct vmpi;

/*
 * Kinds in the numbers of Chakra's CollectiveCommType: C(NAME, event, share). What a rank gives has `comm_size` bytes;
 * the share of one rank in a message's count is all of them, or an equal PART.
 */
#define GOAL_COLLECTIVES(C) \
	C(ALL_REDUCE, allreduce, WHOLE) \
	C(REDUCE, reduce, WHOLE) \
	C(ALL_GATHER, allgather, EACH) \
	C(GATHER, gather, EACH) \
	C(SCATTER, scatter, PART) \
	C(BROADCAST, bcast, WHOLE) \
	C(ALL_TO_ALL, alltoall, PART) \
	C(REDUCE_SCATTER, reduce_scatter_block, PART) \
	C(REDUCE_SCATTER_BLOCK, reduce_scatter_block, PART) \
	C(BARRIER, barrier, NOTHING)

enum goal_collective_kind {
#define GOAL_KIND(name, event, share) GOAL_##name,
	GOAL_COLLECTIVES(GOAL_KIND)
#undef GOAL_KIND
		GOAL_COLLECTIVE_KINDS,
};

/* Bytes of all ranks' parts together, as many elements of 32 bytes as an int counts. */
#define GOAL_COLLECTIVE_MAX ((uint64_t)INT32_MAX * 32)

/* An operation of a group, as its first rank has it. */
struct goal_expected {
	uint64_t bytes;
	uint32_t root, ranks; /* ranks: so many have it */
	uint8_t kind;
};
struct goal_group {
	char *name;
	uint32_t *member; /* ranks; NULL: all */
	uint32_t size;
	int comm; /* a communicator's handle, in a run */
	struct vec_of(struct goal_expected) expected;
	uint32_t last_rank, done; /* the operations of the rank whose graph is read */
};

/* An operation of a rank, without its bytes. */
struct goal_collective {
	uint32_t group, number, root; /* number: among those of the group, from 0; root: in the group */
	uint8_t kind;
};

/* The name of a kind. */
const char *goal_kind_name(unsigned kind);

/* The group of this name and these ranks, which it copies and may add. -1 with `e`. */
int64_t goal_group_of(struct goal *g, const char *name, const uint32_t *member, uint32_t size, struct err *e);

/*
 * Adds the rank's next operation of a group; returns its index, or -1 with `e`, which has no place yet: it is not the
 * operation that other ranks have.
 */
int64_t goal_collective_add(struct goal *g, uint32_t rank, const struct goal_collective *what, uint64_t bytes,
			    struct err *e);

/* Checks that all ranks of each group have each of its operations. 0, or -1 with `e`. */
int goal_groups_check(const struct goal *g, struct err *e);

/* Makes the communicators of groups, once. */
void goal_groups_make(struct goal *g, struct vmpi *v);
void goal_groups_finish(struct goal *g);

#endif
