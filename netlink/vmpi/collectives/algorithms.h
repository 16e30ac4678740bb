/* The algorithms, by file; each file says where its own come from. */
#ifndef PSIM_VMPI_ALGORITHMS_H
#define PSIM_VMPI_ALGORITHMS_H

#include "collective.h"

/* barrier.c */
extern const struct collective_algorithm barrier_dissemination;
/* bcast.c */
extern const struct collective_algorithm bcast_binomial;
/* gather.c */
extern const struct collective_algorithm gather_linear, scatter_linear;
/* allgather.c */
extern const struct collective_algorithm allgather_ring, allgatherv_ring;
/* alltoall.c */
extern const struct collective_algorithm alltoall_pairwise, alltoallv_pairwise;
/* reduce.c */
extern const struct collective_algorithm reduce_binomial, reduce_ordered;
/* allreduce.c */
extern const struct collective_algorithm allreduce_recursive_doubling, allreduce_reduce_bcast;
/* reduce_scatter.c */
extern const struct collective_algorithm reduce_scatter_reduce_scatterv;
/* scan.c */
extern const struct collective_algorithm scan_linear;

#endif
