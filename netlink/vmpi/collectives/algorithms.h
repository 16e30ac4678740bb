/* The algorithms of collective operations, by file. Each file cites its sources. */
#ifndef PSIM_VMPI_ALGORITHMS_H
#define PSIM_VMPI_ALGORITHMS_H

#include "collective.h"
#include "collective_cost.h"

/* collective_table.c: collective_run carries these out itself, so they have no function. */
#define COLLECTIVE(NAME, name) extern const struct collective_algorithm table_##name;
#include "ops.def"
#undef COLLECTIVE
/* barrier.c */
extern const struct collective_algorithm barrier_dissemination, barrier_recursive_doubling, barrier_tree;
/* bcast.c */
extern const struct collective_algorithm bcast_scatter_allgather, bcast_binomial, bcast_pipeline,
	bcast_scatter_doubling, bcast_chain;
/* split_binary.c */
extern const struct collective_algorithm bcast_split_binary;
/* gather.c */
extern const struct collective_algorithm gather_binomial, gather_linear, scatter_binomial, scatter_linear;
/* allgather.c */
extern const struct collective_algorithm allgather_recursive_doubling, allgather_bruck, allgather_ring,
	allgather_neighbor_exchange, allgather_spread, allgatherv_spread, allgatherv_ring;
/* allgatherv.c */
extern const struct collective_algorithm allgatherv_recursive_doubling, allgatherv_bruck;
/* alltoall.c */
extern const struct collective_algorithm alltoall_bruck, alltoall_pairwise, alltoall_spread, alltoall_a2at,
	alltoall_scattered, alltoallv_pairwise, alltoallv_spread, alltoallv_scattered;
/* reduce.c */
extern const struct collective_algorithm reduce_binomial, reduce_ordered;
/* reduce_parts.c */
extern const struct collective_algorithm reduce_rabenseifner, reduce_ring;
/* reduce_pieces.c */
extern const struct collective_algorithm reduce_chain, reduce_binary;
/* allreduce.c */
extern const struct collective_algorithm allreduce_rabenseifner, allreduce_recursive_doubling, allreduce_ring,
	allreduce_reduce_bcast;
/* reduce_scatter.c */
extern const struct collective_algorithm reduce_scatter_pairwise, reduce_scatter_reduce_scatterv, reduce_scatter_ring,
	reduce_scatter_recursive_halving;
/* scan.c */
extern const struct collective_algorithm scan_recursive_doubling, scan_linear;

/* Conditions that several algorithms share (`can`). */
static inline bool ranks_power_of_two(const struct collective *c)
{
	return !(c->size & (c->size - 1));
}

static inline bool operation_commutes(const struct collective *c)
{
	return op_commutes(&c->v->ops, c->op);
}

#endif
