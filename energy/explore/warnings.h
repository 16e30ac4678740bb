/* Warnings of psim-explore beside its report. */
#ifndef PSIM_ENERGY_EXPLORE_WARNINGS_H
#define PSIM_ENERGY_EXPLORE_WARNINGS_H

#include "plan.h"

/* Warns of combinations that are left out; of designs whose figures are beyond the laws of energy and area. */
void warn_skipped(const struct plan *p);
void warn_doubted(const struct plan *p);
/* Warns of what the results file lacks. */
void warn_missing(const struct plan *p, const char *results, bool no_run);
/* Warns of systems without energy. */
void warn_no_energy(const struct plan *p);
/* Warns of sampled points that have units and no estimates, since anchors (anchors.h) are not known. */
void warn_unestimated(const struct plan *p);

#endif
