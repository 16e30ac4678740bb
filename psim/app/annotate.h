/* Tables of a profile's places: by instruction, and by source line with its text. Internal to the report. */
#ifndef PSIM_APP_ANNOTATE_H
#define PSIM_APP_ANNOTATE_H

#include "../base/report/report.h"
#include "profile.h"

enum { ANNOTATE_MAX = 64 }; /* places */

/*
 * Adds a table of the places' instructions, in the order of addresses: how often, cycles and, of a run with details,
 * latency, the cause of most lost slots, and the levels that served loads.
 */
void annotate_insns(const struct profile *p, const struct place *const *places, unsigned count, const char *name,
		    const char *doc, struct report *r);

/*
 * Adds the table annotate_source: the lines of the places with their text, as far as the files are there: below the
 * folder `sources`, by the longest end of their path that is, or (NULL) where the debugging information has them.
 * Nothing without source lines. 0, or -1 with `e` without memory.
 */
int annotate_source(const struct profile *p, const struct place *const *places, unsigned count, const char *sources,
		    struct report *r, struct err *e);

#endif
