/*
 * Where the ranks' time went: computation, communication, waiting for others. A wait counts as late until the other
 * side began (sent, received, came last) and as communication from then on. The cost of calls is communication.
 */
#include "world.h"
#include "../vmpi_config.h"

static double shares_seconds(int64_t ps)
{
	return (double)ps / 1e12;
}

enum part { COMPUTE, COMMUNICATION, LATE, PARTS };
static const char *const part_names[PARTS] = {"compute", "communication", "late"};

static int64_t shares_part_of(const struct phase_share *s, enum part part)
{
	switch (part) {
	case COMPUTE: return s->computed;
	case COMMUNICATION: return s->time - s->computed - s->late;
	default: return s->late;
	}
}

/* Statistics of one value over all ranks. */
struct spread {
	double sum;
	int64_t least, most;
	uint32_t least_rank, most_rank;
};

static void spread_add(struct spread *s, uint32_t rank, int64_t value)
{
	if (rank == 0 || value < s->least) {
		s->least = value;
		s->least_rank = rank;
	}
	if (rank == 0 || value > s->most) {
		s->most = value;
		s->most_rank = rank;
	}
	s->sum += shares_seconds(value);
}

static void report_shares(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {
		{"part", ""},        {"mean", "s"}, {"share", "%"},      {"min", "s"},
		{"rank_of_min", ""}, {"max", "s"},  {"rank_of_max", ""},
	};
	struct spread parts[PARTS] = {0};
	double all = 0;

	for (uint32_t i = 0; i < v->size; i++) {
		struct phase_share s = rank_share(v, i);

		for (enum part p = 0; p < PARTS; p++)
			spread_add(&parts[p], i, shares_part_of(&s, p));
		all += shares_seconds(s.time);
	}
	report_table(r, "shares", "parts of a rank's time; late: waiting for ranks that had not begun their call",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (enum part p = 0; p < PARTS; p++) {
		report_cell_text(r, part_names[p]);
		report_cell_f64(r, parts[p].sum / v->size);
		report_cell_f64(r, all > 0 ? 100 * parts[p].sum / all : 0);
		report_cell_f64(r, shares_seconds(parts[p].least));
		report_cell_u64(r, parts[p].least_rank);
		report_cell_f64(r, shares_seconds(parts[p].most));
		report_cell_u64(r, parts[p].most_rank);
	}
	report_table_end(r);
}

static void report_phase(const struct vmpi *v, struct report *r, unsigned phase)
{
	struct spread time = {0}, parts[PARTS] = {0};
	double flops = 0;

	for (uint32_t i = 0; i < v->size; i++) {
		struct phase_share s = phase_share(v, i, phase);

		spread_add(&time, i, s.time);
		for (enum part p = 0; p < PARTS; p++)
			spread_add(&parts[p], i, shares_part_of(&s, p));
		flops += s.flops;
	}
	report_cell_text(r, vmpi_phase_name(v, phase));
	report_cell_f64(r, time.sum / v->size);
	report_cell_f64(r, shares_seconds(time.least));
	report_cell_f64(r, shares_seconds(time.most));
	for (enum part p = 0; p < PARTS; p++)
		report_cell_f64(r, parts[p].sum / v->size);
	report_cell_f64(r, flops);
}

static void shares_report_phases(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {
		{"phase", ""},    {"time", "s"},          {"min", "s"},  {"max", "s"},
		{"compute", "s"}, {"communication", "s"}, {"late", "s"}, {"flops", ""},
	};

	if (!v->seen.phase_count)
		return;
	report_table(
		r, "phases",
		"each phase: time of a rank in it (mean, minimum, maximum), parts of the mean, operations of all ranks",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < v->seen.phase_count; i++)
		report_phase(v, r, i);
	report_table_end(r);
}

int64_t vmpi_end_time(const struct vmpi *v)
{
	int64_t last = 0;

	for (uint32_t i = 0; i < v->size; i++)
		last = v->ranks[i].now > last ? v->ranks[i].now : last;
	return last;
}

bool vmpi_over_peak(const struct vmpi *v, char *text, size_t size)
{
	double peak = v->cfg->machine.peak * v->size * shares_seconds(vmpi_end_time(v)), flops = 0;

	for (uint32_t i = 0; i < v->size; i++)
		flops += v->ranks[i].flops;
	if (!(peak > 0) || !(flops > (1 + 1e-9) * peak)) /* allows for rounding */
		return false;
	snprintf(text, size, "%.4g %% of machine.peak: a model gives too little, or operations are counted twice",
		 100 * flops / peak);
	return true;
}

static void report_speed(const struct vmpi *v, struct report *r)
{
	double flops = 0, peak = v->cfg->machine.peak, rate;
	int64_t last = vmpi_end_time(v);
	char text[160];

	for (uint32_t i = 0; i < v->size; i++)
		flops += v->ranks[i].flops;
	if (!(flops > 0) || !last)
		return;
	rate = flops / shares_seconds(last);
	report_group(r, "speed", "rate of useful operations (BSIM_Flops) over the time of the last rank");
	report_f64(r, "flops", flops, "", "operations of all ranks");
	report_f64(r, "rate", rate, "flop/s", "rate of all ranks together");
	report_f64(r, "rank_rate", rate / v->size, "flop/s", "rate of a rank, mean");
	if (peak > 0)
		report_f64(r, "of_peak", 100 * rate / v->size / peak, "%", "rate as a share of machine.peak");
	if (vmpi_over_peak(v, text, sizeof(text)))
		report_text(r, "doubt", text, "");
	report_end(r);
}

void shares_report(const struct vmpi *v, struct report *r)
{
	report_shares(v, r);
	shares_report_phases(v, r);
	report_speed(v, r);
}
