/*
 * States before the parts of a sample that functional warming alone has made, and the runs of these parts: for several
 * cores that differ in nothing that warming depends on. The trace is read, and warmed up by, once for all of them.
 *
 * Warming goes on through the parts, as if they were between others. So a state does not depend on the core that
 * simulates a part, and a core that is alone has the same states as one of many. (Checkpoints with warmed state:
 * T. Wenisch and others, "Simulation sampling with live-points", ISPASS 2006.)
 */
#ifndef PSIM_CORE_WARM_STATES_H
#define PSIM_CORE_WARM_STATES_H

#include <stdbool.h>

#include "../base/digest.h"
#include "sample_plan.h"

struct bpred;
struct core_config;
struct memsys;
struct trace_reader;
struct warm_states;
struct warm_use;

/* Returns whether there are such states for the machine: it has one core, and no wrong paths. */
bool warm_states_possible(const struct core_config *cfg);

/* Stands for all that warming depends on: machines with equal keys have the same states. */
struct digest warm_states_key(const struct core_config *cfg);

/*
 * Makes the states of `cfg` for a plan of chosen units, of a trace from its beginning; all are borrowed. With
 * `keep_bytes` it reads the trace to its end, and keeps all states, unless they need more bytes: *ret_kept. States that
 * are not kept serve one warm_use. NULL and `e`: the trace is damaged, or memory is short.
 */
struct warm_states *warm_states_create(const struct core_config *cfg, struct trace_reader *trace,
				       const struct sample_plan *plan, size_t keep_bytes, bool *ret_kept,
				       struct err *e);
void warm_states_destroy(struct warm_states *s); /* NULL is allowed */

/* A core's way through the states. NULL and `e`. Before `s` is destroyed: */
struct warm_use *warm_use_create(struct warm_states *s, struct err *e);
void warm_use_destroy(struct warm_use *u); /* NULL is allowed; after the core */

/* The trace for the core; owned by `u`. */
struct trace_reader *warm_use_trace(struct warm_use *u);

/* core_options.enter, with a struct warm_use. */
int warm_use_enter(void *use, struct memsys *m, struct bpred *b, uint64_t *counted, struct err *e);

#endif
