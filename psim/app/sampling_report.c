/* The report's groups of a sampled run: the sample, and the estimate of the whole. */
#include <math.h>
#include <string.h>

#include "core_report.h"

static double sampling_report_ratio(double a, double b)
{
	/* a fit may be below 0 */
	return b < 0 || b > 0 ? a / fabs(b) : 0;
}

static void sample_group(const struct core_sample *s, const struct sample_plan *plan, const struct sample_long *longer,
			 struct report *r)
{
	uint64_t simulated = s->simulated + longer->simulated;

	report_group(r, "sample", "what was simulated; all else warmed up caches, TLBs and branch prediction");
	report_u64(r, "head", s->unit[0].instructions, "insns", "simulated whole: the beginning of the trace");
	report_u64(r, "units", s->count - 1, "units", "measured behind it");
	report_u64(r, "unit", plan->unit, "insns", "instructions of a unit, rounded up to a block");
	report_u64(r, "every", plan->every, "insns", "instructions of a period, which has a unit at a random place");
	report_u64(r, "warm_up", plan->warm_up, "insns", "simulated before each unit, and not measured");
	report_u64(r, "long_parts", longer->parts, "parts", "with a long warm-up before the same units");
	if (longer->parts)
		report_u64(r, "long_part", longer->part[0].length, "insns", "simulated in each");
	report_u64(r, "simulated", simulated, "insns", "simulated in all");
	report_f64(r, "simulated_share", 100 * sampling_report_ratio((double)simulated, (double)s->whole.instructions),
		   "%", "of the trace's instructions: simulated");
	report_text(r, "not_estimated", "regions, functions, loops, counters, energy by unit and stage",
		    "what a sampled run does not report");
	report_end(r);
}

void core_scaled_sum(void *into, const void *head, const void *units, double scale, size_t bytes)
{
	uint64_t *sum = into;
	const uint64_t *h = head, *u = units;

	for (size_t n = 0; n < bytes / sizeof(*sum); n++)
		sum[n] = h[n] + (uint64_t)((double)u[n] * scale + 0.5);
}

/* Limits of the interval that a reader has to know. */
static const char *estimate_note(const struct sample_estimate *x, const struct sample_long *longer)
{
	if (sample_trust(x) != SAMPLE_HOLDS)
		return "the units say little of the whole: simulate it whole";
	if (longer->parts < 2)
		return "no long parts in so short a trace, or of unknown length: what a longer warm-up changes is "
		       "unknown";
	if (x->drifts)
		return "units still change within the long parts, and the interval is wider for that";
	return "a longer warm-up changes no more than the interval has";
}

static struct sample_estimate estimate_of(const struct core_sample *s, const struct core_config *cfg,
					  const struct sample_long *longer)
{
	const double cost[SAMPLE_EVENTS] = {
		[SAMPLE_MISPREDICTS] = cfg->fetch.stages + cfg->decode.stages + cfg->core.operand_stages,
		[SAMPLE_LINES] = cfg->l2.latency,
		[SAMPLE_READS] = (double)core_memory_cycles(cfg),
		[SAMPLE_WALKS] = cfg->tlb.walk_latency,
	};

	return sample_estimate(&s->whole, s->unit, s->unit + 1, s->count - 1, cost, longer);
}

struct sample_estimate core_sample_estimate(const struct core *c, const struct core_config *cfg,
					    const struct sample_long *longer)
{
	struct core_sample s;

	core_sample(c, &s);
	return estimate_of(&s, cfg, longer);
}

void core_report_estimate(const struct core_estimate *estimate, const struct core_config *cfg,
			  const struct energy_model *energy, struct report *r)
{
	const struct sample_estimate *x = &estimate->x;
	const struct core_stats *stats = &estimate->stats;
	double error = x->sampling + x->allowance;
	double seconds = x->cycles / cfg->chip.frequency, insns = (double)estimate->instructions;
	double flops = sampling_report_ratio((double)stats->flops, seconds),
	       scale = sampling_report_ratio(x->cycles, (double)stats->cycles);
	struct energy_result joules;

	energy_evaluate(energy, &estimate->activity, &joules);
	report_group(r, "estimate", "the whole trace, estimated from the sample: no exact figures");
	report_f64(r, "cycles", x->cycles, "cycles", "simulated time");
	report_f64(r, "cycles_low", x->cycles - error, "cycles", "low end of the interval");
	report_f64(r, "cycles_high", x->cycles + error, "cycles", "high end of the interval");
	report_f64(r, "error", 100 * sampling_report_ratio(error, x->cycles), "%",
		   "half the interval: the sum of the next two");
	report_f64(r, "sampling_error", 100 * sampling_report_ratio(x->sampling, x->cycles), "%",
		   "half the 95 % confidence interval");
	report_f64(r, "allowance", 100 * sampling_report_ratio(x->allowance, x->cycles), "%",
		   "for units that are off, and bursts of events that no unit has");
	report_f64(r, "correction", 100 * sampling_report_ratio(x->correction, x->cycles), "%",
		   "of the cycles: what units with a long warm-up take more than those with a short one");
	report_text(r, "note", estimate->note, "");
	report_f64(r, "seconds", seconds, "s", "simulated time");
	report_u64(r, "instructions", estimate->instructions, "insns", "program instructions; exact");
	report_f64(r, "ipc", sampling_report_ratio(insns, x->cycles), "insn/cycle", "instructions per cycle");
	report_f64(r, "cpi", sampling_report_ratio(x->cycles, insns), "cycles/insn", "cycles per instruction");
	report_f64(r, "gflops", flops * 1e-9, "GFlop/s", CORE_GFLOPS_DOC);
	report_f64(r, "share_of_peak", 100 * sampling_report_ratio(flops, core_peak_flops(cfg)), "%",
		   "of a multiply-add in each FP pipe and cycle");
	report_f64(r, "energy_j", joules.total_j * scale, "J",
		   "energy of core and L2, at the units' power; no interval");
	report_f64(r, "power_w", sampling_report_ratio(joules.total_j, joules.seconds), "W",
		   "average power of the units; no interval");
	report_end(r);
	core_report_parts(stats, x->cycles, cfg, r);
	core_report_top_down(stats, x->cycles, r);
}

void core_report_sample(const struct core *c, const struct core_config *cfg, const struct sample_plan *plan,
			const struct sample_long *longer, const struct energy_model *energy, struct report *r)
{
	struct core_estimate estimate = {.note = NULL};
	struct core_sample s;
	double scale;

	core_sample(c, &s);
	scale = sampling_report_ratio((double)(s.whole.instructions - s.unit[0].instructions),
				      (double)s.rest->stats.instructions);
	core_scaled_sum(&estimate.stats, &s.head->stats, &s.rest->stats, scale, sizeof(estimate.stats));
	core_scaled_sum(&estimate.activity, &s.head->activity, &s.rest->activity, scale, sizeof(estimate.activity));
	estimate.x = estimate_of(&s, cfg, longer);
	estimate.note = estimate_note(&estimate.x, longer);
	estimate.instructions = s.whole.instructions;
	sample_group(&s, plan, longer, r);
	core_report_estimate(&estimate, cfg, energy, r);
}
