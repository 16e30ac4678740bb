/*
 * Rules of a file: which algorithm carries out an operation (docs/formats/rules-format.md).
 *
 *     collective-rules 1
 *     # operation  ranks  bytes   algorithm            segment
 *     allreduce    2      0       recursive_doubling
 *     allreduce    2      10KiB   ring
 *     bcast        64     1MiB    chain                128KiB
 *
 * Or a file of Open MPI's coll_tuned_dynamic_rules_filename, as it is (ompi/mca/coll/tuned/coll_tuned_dynamic_file.c).
 */
#ifndef PSIM_VMPI_COLLECTIVE_RULES_H
#define PSIM_VMPI_COLLECTIVE_RULES_H

#include "collective.h"

struct collective_rules;

/* `known`: all algorithms that there are. NULL and `e`: STATUS_BAD_INPUT with FILE:LINE. */
struct collective_rules *collective_rules_read(const char *path, const struct collective_algorithm *const *known,
					       struct err *e);
void collective_rules_destroy(struct collective_rules *r); /* NULL is allowed */

/*
 * The rule of the most ranks up to `ranks`, and of these of the most bytes up to `bytes`, or to `total` of all parts in
 * a file of Open MPI: the algorithm's name, NULL if there is none; its segment, 0: in one.
 */
const char *collective_rules_find(const struct collective_rules *r, enum collective_op op, int ranks, double bytes,
				  double total, int64_t *segment);

#endif
