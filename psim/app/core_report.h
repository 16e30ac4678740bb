/* Groups of psim's report on a run. */
#ifndef PSIM_APP_CORE_REPORT_H
#define PSIM_APP_CORE_REPORT_H

#include "../base/report/report.h"
#include "../core/core.h"
#include "../segments/phase_estimate.h"
#include "../segments/sampling.h"

struct pipe_trace_samples;

/*
 * Adds the run so far: group core (the summary) and the tables cycle_parts, cycle_stack, top_down and, if
 * the trace has regions, regions, region_parts and region_misses. `energy` NULL: without energy.
 */
void core_report(const struct core *c, const struct core_config *cfg, const struct energy_model *energy,
		 struct report *r);

/* Adds the group core of these counts and of their activity, which is not read without `energy`. */
void core_report_summary(const struct core_stats *s, const struct activity *a, const struct core_config *cfg,
			 const struct energy_model *energy, struct report *r);

/*
 * Adds the table cycle_parts of these counts, which divide `cycles` into parts: those of `s`, or of a sample their
 * estimate.
 */
void core_report_parts(const struct core_stats *s, double cycles, const struct core_config *cfg, struct report *r);

/* Adds the table top_down of these counts, which divide `cycles` as core_report_parts does. */
void core_report_top_down(const struct core_stats *s, double cycles, struct report *r);

/* Lines read from and written to memory. */
static inline uint64_t core_memory_lines(const struct memsys_stats *m)
{
	return m->memory_reads + m->l2_writebacks + m->l3_writebacks + m->transfer_reads + m->transfer_writes;
}

/* Adds to an open group the low and high estimates of energy and area, and the energy of off-chip memory. */
void core_report_readings(const struct energy_model *energy, const struct activity *a, struct report *r);

/* The rule of gflops in words for a report: docs/models/flops.md. */
#define CORE_GFLOPS_DOC "operations a second; divide, root 1, multiply-add 2, compare 0"

/* Peak floating-point operations a second: a multiply-add in each FP pipe (of the PEs, if any) in each cycle. */
double core_peak_flops(const struct core_config *cfg);

/*
 * Adds all counters: tables classes and occupancy, groups front_end, dispatch,
 * issue, load_store, commit, branch, memory, tables prefetchers and, if the trace has regions, region_counters.
 */
void core_report_counters(const struct core *c, const struct core_config *cfg, struct report *r);

/*
 * Adds what a sample says of the whole trace, with its long parts: groups sample and estimate, table cycle_parts of its
 * units.
 */
void core_report_sample(const struct core *c, const struct core_config *cfg, const struct sample_plan *plan,
			const struct sample_long *longer, const struct energy_model *energy, struct report *r);

/*
 * The estimate of the whole trace from a sample with its long parts; the sample has SAMPLE_UNITS_LEAST units or more.
 */
struct sample_estimate core_sample_estimate(const struct core *c, const struct core_config *cfg,
					    const struct sample_long *longer);

/* The estimate of a whole trace, for a report. */
struct core_estimate {
	struct sample_estimate x;
	const char *note;      /* limits of the interval that a reader has to know */
	uint64_t instructions; /* of the trace */
	/* in the proportions of the whole trace */
	struct core_stats stats;
	struct activity activity;
};
/* Adds the group estimate, and the tables cycle_parts and top_down of its counts. */
void core_report_estimate(const struct core_estimate *estimate, const struct core_config *cfg,
			  const struct energy_model *energy, struct report *r);
/* into = head + units * scale, for structs of `bytes` bytes made of uint64_t only. `into` may be one of them. */
void core_scaled_sum(void *into, const void *head, const void *units, double scale, size_t bytes);

/*
 * Adds what intervals of its phases say of the whole trace: groups sample and estimate, tables phases, cycle_parts and
 * top_down.
 */
void core_report_phases(const struct core *c, const struct core_config *cfg, const struct phases *phases,
			const struct phase_units *units, const struct energy_model *energy, struct report *r);

/* Adds the group host: figures that depend on the way of simulation. */
void core_report_host(const struct core *c, struct report *r);

struct call_part;

/* The places of --annotate: functions, loops, addresses or source lines; and where their sources are. */
struct annotated {
	const char *const *names;
	unsigned count;
	const char *sources; /* folder; NULL: where the debugging information has them */
	const struct pipe_trace_samples
		*samples;             /* of a page: also the source of the hottest functions, the pipeline of the
					       hottest loops; else NULL */
	const struct call_part *part; /* of a page: also the call tree of this part of the trace; else NULL */
	bool misses;                  /* also the tables of miss_report.h */
};

/*
 * Adds the tables functions and loops, each with the `top` rows with the most commit
 * slots, and hot_loops, the instructions of the hottest loops. A loop is the code from a
 * branch's target to the last backward branch to it. With names in `a` (NULL: none)
 * also the tables annotate_source and annotate; with samples in `a`, pipeline, and with a part, calls. 0, or -1 with
 * `e` without memory, if a name was not executed, or if the trace cannot be read again.
 */
int core_report_profile(const struct core *c, const struct core_config *cfg, const struct trace_info *info,
			unsigned top, const struct annotated *a, struct report *r, struct err *e);

#endif
