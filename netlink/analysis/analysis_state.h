/* State of an analysis; private to this folder. */
#ifndef PSIM_ANALYSIS_STATE_H
#define PSIM_ANALYSIS_STATE_H

#include "../engine/alone.h"
#include "analysis.h"
#include "bounds.h"
#include "gantt.h"
#include "critical_path.h"
#include "record.h"
#include "timeline.h"

struct analysis {
	struct analysis_setup setup;
	struct record *record;
	struct path path;
	struct gantt gantt;
	struct timeline *timeline; /* NULL: there is no page */
	int64_t end;
	uint64_t messages;                               /* flights on the path */
	int64_t latency, transfer, contention, together; /* ps of them */
	int64_t copies;                                  /* part of `transfer`: within nodes */
	struct bound_links links;
};

#endif
