/* The collective operations that have events in traces: rows of ../api/collective_calls.def. */
#ifndef PSIM_VMPI_COLLECTIVE_EVENTS_H
#define PSIM_VMPI_COLLECTIVE_EVENTS_H

#include "../host/world.h"
#include "../api/collective_args.h"

enum collective_event_id {
#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, arguments, doc, start, event, ...) COLLECTIVE_EVENT_##event,
#include "../api/collective_calls.def"
#undef COLLECTIVE
};

/* Makes the call with these arguments; it blocks without a request. ../calls/calls_coll.c has it. */
int collective_call(struct vmpi *v, enum collective_event_id id, const struct collective_args *a,
		    VMPI_Request *request);

#endif
