/* The algorithms, by file; each file says where its own come from. */
#ifndef PSIM_VMPI_ALGORITHMS_H
#define PSIM_VMPI_ALGORITHMS_H

#include "collective.h"

/* table.c: without a function of their own, since collective_run knows them */
#define COLLECTIVE(NAME, name) extern const struct collective_algorithm table_##name;
#include "ops.def"
#undef COLLECTIVE
/* barrier.c */
extern const struct collective_algorithm barrier_dissemination, barrier_tree;
/* bcast.c */
extern const struct collective_algorithm bcast_scatter_allgather, bcast_binomial, bcast_pipeline;
/* gather.c */
extern const struct collective_algorithm gather_binomial, gather_linear, scatter_binomial,
	scatter_linear;
/* allgather.c */
extern const struct collective_algorithm allgather_recursive_doubling, allgather_bruck,
	allgather_ring, allgatherv_ring;
/* alltoall.c */
extern const struct collective_algorithm alltoall_bruck, alltoall_pairwise, alltoall_spread,
	alltoall_a2at, alltoallv_pairwise, alltoallv_spread;
/* reduce.c */
extern const struct collective_algorithm reduce_binomial, reduce_ordered;
/* allreduce.c */
extern const struct collective_algorithm allreduce_rabenseifner, allreduce_recursive_doubling,
	allreduce_ring, allreduce_reduce_bcast;
/* reduce_scatter.c */
extern const struct collective_algorithm reduce_scatter_pairwise, reduce_scatter_reduce_scatterv;
/* scan.c */
extern const struct collective_algorithm scan_recursive_doubling, scan_linear;

#endif
