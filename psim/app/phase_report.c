/* The report's groups of a run that simulates one interval of each phase: the phases, and the estimate of the whole. */
#include "core_report.h"

static double phase_report_share(uint64_t a, uint64_t b)
{
	return b ? 100 * (double)a / (double)b : 0;
}

static void phase_sample_group(const struct core_sample *s, const struct phases *p, const struct phase_units *u,
			       struct report *r)
{
	report_group(r, "sample", "what was simulated; all else warmed up caches, TLBs and branch prediction");
	report_u64(r, "interval", p->interval, "insns", "instructions of an interval, rounded to a block");
	report_u64(r, "intervals", p->intervals, "intervals", "in the trace");
	report_u64(r, "phases", p->count, "phases", "groups of intervals that execute the same code");
	report_f64(r, "explained", 100 * p->explained, "%",
		   "of the variance between intervals' code is between phases");
	report_u64(r, "units", u->count, "intervals", "measured: one that stands for each phase, and checks");
	report_u64(r, "warm_up", SAMPLE_WARM_UP, "insns", "simulated before each, and not measured");
	report_u64(r, "simulated", s->simulated, "insns", "simulated in all");
	report_f64(r, "simulated_share", phase_report_share(s->simulated, s->whole.instructions), "%",
		   "of the trace's instructions: simulated");
	if (s->count >= u->count)
		report_f64(r, "mean_cycles", phase_mean_cycles(p, u, s->unit), "cycles",
			   "if the mean of all measured intervals of a phase stood for it");
	report_text(r, "not_estimated", "regions, functions, loops, counters, energy by unit and stage",
		    "what a sampled run does not report");
	report_end(r);
}

/* One row for each phase. */
static void phase_table(const struct core_sample *s, const struct phases *p, const struct phase_units *u,
			struct report *r)
{
	static const struct report_column columns[] = {
		{"phase", ""},      {"weight", "%"},        {"intervals", ""}, {"chosen", ""},
		{"begin", "insns"}, {"cpi", "cycles/insn"}, {"checks", ""},    {"error", "%"},
	};

	report_table(r, "phases",
		     "the interval that stands for each phase, and how far checks are from it (root mean square)",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned n = 0; n < p->count; n++) {
		const struct phase *phase = &p->phase[n];
		const double cpi = phase_unit_cpi(u, s->unit, phase->chosen);

		report_cell_u64(r, n + 1);
		report_cell_f64(r, phase_report_share(phase->instructions, p->instructions));
		report_cell_u64(r, phase->intervals);
		report_cell_u64(r, phase->chosen);
		report_cell_u64(r, phase->chosen * p->interval);
		report_cell_f64(r, cpi);
		report_cell_u64(r, phase->checks);
		report_cell_f64(r, cpi > 0 ? 100 * phase_error(phase, u, s->unit) / cpi : 0);
	}
	report_table_end(r);
}

/* The counts of each phase in the proportion of its instructions. */
static void weigh_counts(const struct core_sample *s, const struct phases *p, const struct phase_units *u,
			 struct core_estimate *out)
{
	for (unsigned n = 0; n < p->count; n++) {
		const uint64_t place = phase_unit_of(u, p->phase[n].chosen);
		const struct core_region *unit = &s->each[place];
		const double scale = s->unit[place].instructions
					     ? (double)p->phase[n].instructions / (double)s->unit[place].instructions
					     : 0;

		core_scaled_sum(&out->stats, &out->stats, &unit->stats, scale, sizeof(out->stats));
		core_scaled_sum(&out->activity, &out->activity, &unit->activity, scale, sizeof(out->activity));
	}
}

void core_report_phases(const struct core *c, const struct core_config *cfg, const struct phases *phases,
			const struct phase_units *units, const struct energy_model *energy, struct report *r)
{
	struct core_estimate estimate = {.note = "errors of phases from the checks of each, taken as independent"};
	struct core_sample s;

	core_sample(c, &s);
	phase_sample_group(&s, phases, units, r);
	if (s.count < units->count) {
		/* interrupted: some phases have no figure */
		report_group(r, "estimate", "none");
		report_text(r, "note", "the run was interrupted before all intervals were simulated", "");
		report_end(r);
		return;
	}
	estimate.x = phase_estimate(phases, units, s.unit);
	estimate.instructions = s.whole.instructions;
	weigh_counts(&s, phases, units, &estimate);
	core_report_estimate(&estimate, cfg, energy, r);
	phase_table(&s, phases, units, r);
}
