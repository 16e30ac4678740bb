#include "counter_series.h"

#include <inttypes.h>
#include <string.h>

#include "../base/number.h"
#include "core_report.h"
#include "counter_list.h"

/* Columns of a sample: the first instruction of a row, that behind the last, and how its counts were obtained. */
static const char places[] = "first,end,obtained,";

/* Figures of a row that are no counters. */
static const char figures[] = "cycle,seconds,ipc,branch_mpki,l1d_mpki,l2_mpki,memory_bandwidth,parallelism";

int counter_series_open(struct counter_series *s, const struct core_config *cfg, struct err *e)
{
	char name[COUNTER_NAME];
	unsigned source = 0;
	size_t n = SIZE_MAX;

	if (!s->path)
		return 0;
	if (!cfg->energy.interval && !s->sampled)
		return err_set(e, STATUS_USAGE,
			       "--counters-csv: expected an interval too, for instance -p energy.interval=10000");
	s->out = out_create(s->path, e);
	if (!s->out)
		return -1;
	fprintf(out_file(s->out), "%s%s", s->sampled ? places : "", figures);
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

static void print_counters(const struct core_stats *stats, const struct memsys_stats *memory,
			   const struct bpred_stats *branch, const struct core_config *cfg, FILE *out)
{
	const struct counter_values values = counter_values(stats, memory, branch);
	unsigned source = 0;
	size_t n = SIZE_MAX;

	while (counter_next(cfg, &source, &n))
		fprintf(out, ",%" PRIu64, values.of[source][n]);
	fputc('\n', out);
}

void counter_series_row(struct counter_series *s, const struct core *c, const struct core_config *cfg)
{
	FILE *out = out_file(s->out);
	struct bpred_stats branch;
	struct memsys_stats memory;
	struct core_stats stats;

	subtract((uint64_t *)&stats, core_stats(c), &s->stats, sizeof(stats) / sizeof(uint64_t));
	subtract((uint64_t *)&memory, core_memsys_stats(c), &s->memory, sizeof(memory) / sizeof(uint64_t));
	subtract((uint64_t *)&branch, core_bpred_stats(c), &s->branch, sizeof(branch) / sizeof(uint64_t));
	s->stats = *core_stats(c);
	s->memory = *core_memsys_stats(c);
	s->branch = *core_bpred_stats(c);
	print_figures(&stats, &memory, s->stats.cycles, cfg, out);
	print_counters(&stats, &memory, &branch, cfg, out);
}

/* ---- of a sample ---- */
/* A part of the trace that was not measured: its cells are empty. */
static void print_gap(uint64_t first, uint64_t end, const struct core_config *cfg, FILE *out)
{
	unsigned source = 0;
	size_t n = SIZE_MAX;

	if (first == end)
		return;
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",not_measured", first, end);
	for (const char *at = figures; at; at = strchr(at + 1, ','))
		fputc(',', out);
	while (counter_next(cfg, &source, &n))
		fputc(',', out);
	fputc('\n', out);
}

/* Writes the units in the order of the trace, and what is between them. Cycles are those measured so far. */
static void sample_rows(const struct core_sample *s, const struct core_config *cfg, FILE *out)
{
	uint64_t end = 0, cycles = 0;

	for (uint64_t n = 0; n < s->count; n++) {
		const struct sample_counts *u = &s->unit[n];
		const struct core_region *r = &s->each[n];

		print_gap(end, u->first, cfg, out);
		end = u->first + u->instructions;
		cycles += u->cycles;
		fprintf(out, "%" PRIu64 ",%" PRIu64 ",measured,", u->first, end);
		print_figures(&r->stats, &r->memory, cycles, cfg, out);
		print_counters(&r->stats, &r->memory, &r->branch, cfg, out);
	}
	print_gap(end, s->whole.instructions, cfg, out);
}

int counter_series_close(struct counter_series *s, const struct core *c, const struct core_config *cfg, struct err *e)
{
	struct core_sample sample;
	struct out *out = s->out;

	if (!out)
		return 0;
	if (s->sampled) {
		core_sample(c, &sample);
		sample_rows(&sample, cfg, out_file(out));
	} else if (core_stats(c)->cycles > s->stats.cycles)
		counter_series_row(s, c, cfg);
	s->out = NULL;
	return out_close(out, e);
}
