/* Counts of branch prediction: a part of what a core counts, so that others need not know the predictor. */
#ifndef PSIM_BPRED_BPRED_STATS_H
#define PSIM_BPRED_BPRED_STATS_H

#include <stdint.h>

struct bpred_stats {
#define S(group, name, unit, doc) uint64_t name;
#include "bpred_stats.def"
#undef S
};

#endif
