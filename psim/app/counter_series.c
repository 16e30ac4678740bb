#include "counter_series.h"

#include <inttypes.h>

#include "../base/number.h"
#include "core_report.h"
#include "counter_list.h"

/* Figures of a row that are no counters. */
static const char figures[] = "cycle,seconds,ipc,branch_mpki,l1d_mpki,l2_mpki,memory_bandwidth,parallelism";

int counter_series_open(struct counter_series *s, const struct core_config *cfg, struct err *e)
{
	char name[COUNTER_NAME];
	unsigned source = 0;
	size_t n = SIZE_MAX;

	if (!s->path)
		return 0;
	if (!cfg->energy.interval)
		return err_set(e, STATUS_USAGE,
			       "--counters-csv: expected an interval too, for instance -p energy.interval=10000");
	s->out = out_create_gz(s->path, e);
	if (!s->out)
		return -1;
	fputs(figures, out_file(s->out));
	while (counter_next(cfg, &source, &n)) {
		counter_whole_name(&counter_sources[source], n, name);
		fprintf(out_file(s->out), ",%s", name);
	}
	fputc('\n', out_file(s->out));
	return 0;
}

/* The growth of counters since `last`, of which `count` are in `now`. */
static void subtract(uint64_t *growth, const void *now, const void *last, size_t count)
{
	for (size_t n = 0; n < count; n++)
		growth[n] = ((const uint64_t *)now)[n] - ((const uint64_t *)last)[n];
}

static void print_figures(const struct core_stats *s, const struct memsys_stats *m, uint64_t now,
			  const struct core_config *cfg, FILE *out)
{
	const double insns = (double)s->instructions, seconds = (double)s->cycles / cfg->chip.frequency;

	fprintf(out, "%" PRIu64 ",%.9g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", now, (double)now / cfg->chip.frequency,
		ratio_of(insns, (double)s->cycles), 1000 * ratio_of((double)s->mispredicts, insns),
		1000 * ratio_of((double)m->l2_data_accesses, insns),
		1000 * ratio_of((double)(m->l2_data_misses + m->l2_instruction_misses), insns),
		1e-9 * ratio_of((double)core_memory_lines(m) * cfg->l2.line_bytes, seconds),
		ratio_of((double)m->memory_read_cycles, (double)m->memory_busy_cycles));
}

void counter_series_row(struct counter_series *s, const struct core *c, const struct core_config *cfg)
{
	FILE *out = out_file(s->out);
	struct bpred_stats branch;
	struct memsys_stats memory;
	struct core_stats stats;
	struct counter_values values;
	unsigned source = 0;
	size_t n = SIZE_MAX;

	subtract((uint64_t *)&stats, core_stats(c), &s->stats, sizeof(stats) / sizeof(uint64_t));
	subtract((uint64_t *)&memory, core_memsys_stats(c), &s->memory, sizeof(memory) / sizeof(uint64_t));
	subtract((uint64_t *)&branch, core_bpred_stats(c), &s->branch, sizeof(branch) / sizeof(uint64_t));
	s->stats = *core_stats(c);
	s->memory = *core_memsys_stats(c);
	s->branch = *core_bpred_stats(c);
	print_figures(&stats, &memory, s->stats.cycles, cfg, out);
	values = counter_values(&stats, &memory, &branch);
	while (counter_next(cfg, &source, &n))
		fprintf(out, ",%" PRIu64, values.of[source][n]);
	fputc('\n', out);
}

int counter_series_close(struct counter_series *s, const struct core *c, const struct core_config *cfg, struct err *e)
{
	struct out *out = s->out;

	if (!out)
		return 0;
	if (core_stats(c)->cycles > s->stats.cycles)
		counter_series_row(s, c, cfg);
	s->out = NULL;
	return out_close(out, e);
}
