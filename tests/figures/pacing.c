/*
 * The four experiments of the pacing paper (docs/accuracy-packet.md), its figures beside ours.
 *
 *     pacing CONFIG.ini whole | alternatives | algorithms [NODES…] | curve [N…] | sequences [STEP]
 *
 * Each part prints a table; `curve` prints lines "curve n bias ms use" too, which `pacing CONFIG.ini
 * picture <LINES` draws as SVG. Status 5 where a figure that the paper fixes is missed by more than 15 % or the
 * order of variants is another one.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "a2at.h"
#include "psim/base/mem.h"
#include "psim/base/svg.h"

enum { MIB = 1 << 20, SEEDS = 5 };
#define CALL_PS 200000   /* Table 1 of the paper */
#define JITTER_PS 200000 /* for the spread: phases begin up to 200 ns later */

struct study {
	const char *config;
	bool missed;
};

/* One run's parameters beside those of the file. */
struct variant {
	unsigned n;
	uint64_t bytes;
	int64_t jitter_ps;
	uint64_t seed;
	const char *overrides; /* with blanks between them, or NULL */
};

static int override_all(struct config *c, const char *overrides, struct err *e)
{
	char text[300], *save, *word;

	snprintf(text, sizeof text, "%s", overrides ? overrides : "");
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (config_override(c, word, "variant", e) < 0)
			return -1;
	return 0;
}

static void must(int result, const struct err *e)
{
	if (result == 0)
		return;
	fprintf(stderr, "pacing: %s\n", e->text);
	exit((int)e->status);
}

/* Runs `p` and frees it. */
static struct a2at_result run(const struct study *s, const struct variant *v, struct a2at_program *p,
                              double *phase_end)
{
	struct topology_config topology;
	struct net_config net;
	struct config *c = config_create();
	struct a2at_run r = { .topology = &topology, .config = &net, .bytes = v->bytes, .call_ps = CALL_PS,
		              .jitter_ps = v->jitter_ps, .seed = v->seed };
	struct a2at_result result = { .phase_end = phase_end };
	struct err e = { 0 };
	char dims[40];

	if (!c || !p)
		must(mem_short(&e), &e);
	topology_config_add(c, &topology);
	net_config_add(c, &net);
	snprintf(dims, sizeof dims, "topology.dims=%ux%u", v->n, v->n);
	must(config_read(c, s->config, &e), &e);
	must(config_override(c, dims, "variant", &e), &e);
	must(override_all(c, v->overrides, &e), &e);
	must(topology_config_check(c, &topology, &e), &e);
	must(net_config_check(c, &net, &e), &e);
	must(a2at_run(p, &r, &result, &e), &e);
	config_destroy(c);
	a2at_free(p);
	return result;
}

static double run_ms(const struct study *s, const struct variant *v, double bias)
{
	return 1e3 * run(s, v, a2at_program(v->n, bias), NULL).seconds;
}

/* ---- whole runs ---- */
struct spread {
	double plain, least, most;
};

/* Without jitter, and the least and the most over seeds with it. */
static struct spread spread_of(const struct study *s, unsigned n, double bias)
{
	struct variant v = { .n = n, .bytes = MIB };
	struct spread spread = { .plain = run_ms(s, &v, bias), .least = HUGE_VAL };

	v.jitter_ps = JITTER_PS;
	for (v.seed = 1; v.seed <= SEEDS; v.seed++) {
		double ms = run_ms(s, &v, bias);

		spread.least = ms < spread.least ? ms : spread.least;
		spread.most = ms > spread.most ? ms : spread.most;
	}
	return spread;
}

static void row(struct study *s, const char *what, double paper, struct spread ours, const char *unit)
{
	double off = 100 * (ours.plain / paper - 1);
	bool missed = fabs(off) > 15;

	printf("%-36s %9.2f %9.2f %+7.1f %%", what, paper, ours.plain, off);
	if (ours.most > 0)
		printf("  %7.2f %7.2f", ours.least, ours.most);
	else
		printf("  %7s %7s", "-", "-");
	printf("  %s%s\n", unit, missed ? "  MISSED" : "");
	fflush(stdout);
	s->missed |= missed;
}

static void whole(struct study *s)
{
	struct variant v = { .n = 8, .bytes = MIB };
	struct a2at_result unpaced = run(s, &v, a2at_program(8, (double)NAN), NULL);

	printf("%-36s %9s %9s %9s  %7s %7s\n", "", "paper", "ours", "", "least", "most");
	row(s, "ideal 8x8", 17.0, (struct spread){ 1e3 * a2at_ideal(8, MIB), 0, 0 }, "ms");
	row(s, "ideal 9x9", 24.0, (struct spread){ 1e3 * a2at_ideal(9, MIB), 0, 0 }, "ms");
	row(s, "1: 8x8, no pacing", 71.3, spread_of(s, 8, (double)NAN), "ms");
	row(s, "1: its use of links", 25, (struct spread){ 100 * unpaced.use, 0, 0 }, "%");
	row(s, "1: 9x9, no pacing", 84.0, spread_of(s, 9, (double)NAN), "ms");
	row(s, "2: 8x8, bias 1.250", 42.7, spread_of(s, 8, 1.25), "ms");
	row(s, "2: 9x9, bias 1.250", 30.7, spread_of(s, 9, 1.25), "ms");
}

/* ---- choices that the paper leaves open ---- */
static void alternatives(struct study *s)
{
	static const struct {
		const char *what, *overrides;
	} choices[] = {
		{ "the combination", NULL },
		{ "injection FIFO unbounded", "nic.fifo=0" },
		{ "injection FIFO 8 KiB", "nic.fifo=8192" },
		{ "injection FIFO 2 KiB", "nic.fifo=2048" },
		{ "one FIFO a VC", "router.queues=per_vc" },
		{ "any number of packets an input", "router.input_port=unlimited" },
		{ "ties to -", "topology.ties=negative" },
		{ "ties by parity of the source", "topology.ties=parity" },
		{ "ties at random", "topology.ties=random" },
		{ "VCs balanced", "topology.dateline=balanced" },
		{ "4 KiB a VC", "router.vc_buffer=4096" },
		{ "round robin", "router.arbitration=round_robin" },
		{ "FIFO a VC, round robin, 8 KiB",
		  "router.queues=per_vc router.arbitration=round_robin nic.fifo=8192" },
		{ "oldest packet first", "router.arbitration=oldest" },
		{ "oldest packet first, 8 KiB", "router.arbitration=oldest nic.fifo=8192" },
		{ "receives at any NIC", "nic.receive=any" },
		{ "NIC links of 16 GB/s", "link.nic_bandwidth=16GB/s" },
		{ "credits 100 ns late", "router.credit_delay=100ns" },
	};
	static const struct {
		unsigned n;
		double bias;
	} cases[] = { { 8, (double)NAN }, { 9, (double)NAN }, { 8, 1.25 }, { 9, 1.25 }, { 9, 0 } };

	printf("%-34s %7s %7s %9s %9s %7s\n", "ms", "8x8", "9x9", "8x8 1.25", "9x9 1.25", "9x9 0");
	printf("%-34s %7.1f %7.1f %9.1f %9.1f %7s\n", "paper", 71.3, 84.0, 42.7, 30.7, ">30.7");
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		printf("%-34s", choices[i].what);
		for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
			struct variant v = { .n = cases[k].n, .bytes = MIB, .overrides = choices[i].overrides };

			printf(" %*.1f", k == 2 || k == 3 ? 9 : 7, run_ms(s, &v, cases[k].bias));
			fflush(stdout);
		}
		printf("\n");
	}
	(void)s->missed;
}

/* ---- experiment 1: algorithms ---- */
static void algorithms(struct study *s, int count, char **sizes)
{
	static char *const usual[] = { "64", "256" };

	if (!count) {
		count = 2;
		sizes = (char **)usual;
	}
	printf("%-6s %10s %12s %12s %12s %24s\n", "nodes", "message", "a2at ms", "pairwise ms", "ring ms",
	       "use of links %");
	for (int i = 0; i < count; i++) {
		unsigned nodes = (unsigned)strtoul(sizes[i], NULL, 10), n = (unsigned)lround(sqrt(nodes));
		struct variant v = { .n = n, .bytes = (uint64_t)64 * MIB / nodes };
		struct a2at_result a = run(s, &v, a2at_program(n, (double)NAN), NULL);
		struct a2at_result p = run(s, &v, a2at_pairwise(n), NULL), r = run(s, &v, a2at_ring(n), NULL);
		bool shape = a.seconds < p.seconds && a.seconds < r.seconds && a.use > p.use && a.use > r.use;

		printf("%-6u %10llu %12.1f %12.1f %12.1f %8.1f %7.1f %7.1f%s\n", nodes, (unsigned long long)v.bytes,
		       1e3 * a.seconds, 1e3 * p.seconds, 1e3 * r.seconds, 100 * a.use, 100 * p.use, 100 * r.use,
		       shape ? "" : "  MISSED: the paper's a2at is the fastest, with the most use");
		fflush(stdout);
		s->missed |= !shape;
	}
}

/* ---- experiment 2: over the gap bias ---- */
static void curve(struct study *s, int count, char **sizes)
{
	static const double biases[] = { -2, -1, 0, 0.25, 0.5, 0.625, 0.75, 1, 1.25, 1.375,
		                         1.5, 2, 2.5, 3, 4, 6, 9, 12, 16 };
	static char *const usual[] = { "8", "9", "10", "11" };

	if (!count) {
		count = 4;
		sizes = (char **)usual;
	}
	for (int i = 0; i < count; i++) {
		struct variant v = { .n = (unsigned)strtoul(sizes[i], NULL, 10), .bytes = MIB };
		struct a2at_result a = run(s, &v, a2at_program(v.n, (double)NAN), NULL);

		printf("curve %u none %.3f %.2f ideal %.3f\n", v.n, 1e3 * a.seconds, 100 * a.use,
		       1e3 * a2at_ideal(v.n, MIB));
		for (size_t k = 0; k < sizeof biases / sizeof biases[0]; k++) {
			a = run(s, &v, a2at_program(v.n, biases[k]), NULL);
			printf("curve %u %.3f %.3f %.2f\n", v.n, biases[k], 1e3 * a.seconds, 100 * a.use);
			fflush(stdout);
		}
	}
}

/* ---- experiments 3 and 4: each sequence with a bias of its own ---- */
enum { SEQUENCES_MAX = 64 };

/* The bias (-3 … 3 in steps) at which a sequence alone is fastest, phases beginning up to `jitter` apart. */
static double best_alone(const struct study *s, unsigned n, unsigned sequence, int64_t jitter, double step, double *ms)
{
	double best = 0;

	*ms = HUGE_VAL;
	for (double bias = -3; bias <= 3; bias += step) {
		struct a2at_program *all = a2at_program(n, bias);
		struct variant v = { .n = n, .bytes = MIB, .jitter_ps = jitter, .seed = 1 };
		double now;

		if (!all)
			exit(STATUS_FAILED);
		now = 1e3 * run(s, &v, a2at_single(all, sequence), NULL).seconds;
		a2at_free(all);
		if (now < *ms - 1e-6) {
			*ms = now;
			best = bias;
		}
	}
	return best;
}

static struct a2at_program *with_biases(unsigned n, const double *biases)
{
	struct a2at_program *p = a2at_program(n, 0);

	for (unsigned i = 0; p && i < p->count; i++)
		p->phase[i].bias = biases[i];
	return p;
}

/* Tunes all sequences; prints them; the sum of their times alone. */
static double tune(const struct study *s, unsigned n, int64_t jitter, double step, double *biases)
{
	struct a2at_program *p = a2at_program(n, 0);
	double sum = 0;

	if (!p)
		exit(STATUS_FAILED);
	for (unsigned i = 0; i < p->count; i++) {
		double ms, ideal = 1e3 * p->phase[i].hops * (MIB + 32 * 521) / 4e9;

		biases[i] = best_alone(s, n, i, jitter, step, &ms);
		printf("sequence %2u: %u hops, best bias %6.3f, %.3f ms alone, links used to %.0f %%\n", i + 1,
		       p->phase[i].hops, biases[i], ms, 100 * ideal / ms);
		fflush(stdout);
		sum += ms;
	}
	a2at_free(p);
	return sum;
}

/* Experiment 3; leaves the biases for experiment 4. */
static void sequences(struct study *s, double step, double *biases)
{
	double ends[SEQUENCES_MAX * 8];
	struct variant v = { .n = 9, .bytes = MIB };
	double alone = tune(s, 9, 0, step, biases), before = 0;
	struct a2at_result all = run(s, &v, with_biases(9, biases), ends);

	printf("sum of the sequences alone %.2f ms\n", alone);
	for (unsigned i = 0; i < 20; i++) {
		printf("in the run: sequence %2u takes %.3f ms\n", i + 1, 1e3 * (ends[i] - before));
		before = ends[i];
	}
	row(s, "3: 9x9, biases tuned alone", 25.8, (struct spread){ 1e3 * all.seconds, 0, 0 }, "ms");
}

/* Experiment 4. */
static void barriers(struct study *s, double step, double *biases)
{
	struct variant v = { .n = 9, .bytes = MIB };
	struct a2at_program *p = a2at_program(9, 1.5);
	struct a2at_program *flat = p ? a2at_with_barriers(p) : NULL, *alone = p ? a2at_single(p, 0) : NULL;
	struct a2at_program *barrier = alone ? a2at_with_barriers(alone) : NULL;
	double ends[SEQUENCES_MAX * 8];
	struct a2at_result r;

	if (!barrier)
		exit(STATUS_FAILED);
	a2at_free(p);
	a2at_free(alone);
	r = run(s, &v, barrier, ends);
	row(s, "4: barrier alone", 11.5, (struct spread){ 1e6 * (r.seconds - ends[0]), 0, 0 }, "us");
	p = with_biases(9, biases);
	r = run(s, &v, a2at_with_barriers(p), NULL);
	a2at_free(p);
	row(s, "4: biases tuned alone, barriers", 92.6, (struct spread){ 1e3 * r.seconds, 0, 0 }, "ms");
	tune(s, 9, 3000000, step, biases);
	p = with_biases(9, biases);
	r = run(s, &v, a2at_with_barriers(p), NULL);
	a2at_free(p);
	row(s, "4: tuned at 3 us imbalance, barriers", 32.8, (struct spread){ 1e3 * r.seconds, 0, 0 }, "ms");
	r = run(s, &v, flat, NULL);
	row(s, "4: bias 1.5 throughout, barriers", 32.8, (struct spread){ 1e3 * r.seconds, 0, 0 }, "ms");
}

/* ---- the picture ---- */
enum { POINTS_MAX = 1000 };
struct curve_point {
	unsigned n;
	double bias, ms;
};

static unsigned read_points(FILE *in, struct curve_point *points, double *most)
{
	char line[200], bias[40];
	unsigned count = 0;

	while (count < POINTS_MAX && fgets(line, sizeof line, in)) {
		struct curve_point *p = &points[count];

		if (sscanf(line, "curve %u %39s %lf", &p->n, bias, &p->ms) != 3 || !strcmp(bias, "none"))
			continue;
		p->bias = strtod(bias, NULL);
		*most = p->ms > *most ? p->ms : *most;
		count++;
	}
	return count;
}

static void picture(FILE *in, FILE *out)
{
	static struct curve_point points[POINTS_MAX];
	double most = 0;
	unsigned count = read_points(in, points, &most);
	struct svg_axis x = svg_axis_fit(-2, 16, 70, 620, 9), y = svg_axis_fit(0, most, 380, 30, 8);

	svg_begin(out, 720, 440, "All-to-all over the gap bias",
	          "Run time of the all-to-all with pacing over the gap bias, a curve for each size of the torus");
	svg_axis_draw_x(out, &x, &y, "gap bias", "packets");
	svg_axis_draw_y(out, &x, &y, "run time", "ms");
	for (unsigned i = 0; i + 1 < count; i++) {
		char colour[8];

		svg_colour((points[i].n - 8) / 8.0, colour);
		if (points[i].n == points[i + 1].n)
			fprintf(out, "<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\" stroke-width=\"2\" "
			             "fill=\"none\"/>\n",
			        svg_axis_at(&x, points[i].bias), svg_axis_at(&y, points[i].ms),
			        svg_axis_at(&x, points[i + 1].bias), svg_axis_at(&y, points[i + 1].ms), colour);
	}
	for (unsigned i = 0; i < count; i++)
		if (i + 1 == count || points[i].n != points[i + 1].n) {
			char text[20];

			snprintf(text, sizeof text, "%ux%u", points[i].n, points[i].n);
			svg_text(out, svg_axis_at(&x, points[i].bias) + 6, svg_axis_at(&y, points[i].ms) + 4, "label",
			         "start", text);
		}
	svg_end(out);
}

int main(int argc, char **argv)
{
	struct study s = { .config = argc > 1 ? argv[1] : "" };
	const char *part = argc > 2 ? argv[2] : "";
	double step = argc > 3 ? strtod(argv[3], NULL) : 0.125, biases[SEQUENCES_MAX];

	if (!strcmp(part, "whole")) {
		whole(&s);
	} else if (!strcmp(part, "alternatives")) {
		alternatives(&s);
	} else if (!strcmp(part, "algorithms")) {
		algorithms(&s, argc - 3, argv + 3);
	} else if (!strcmp(part, "curve")) {
		curve(&s, argc - 3, argv + 3);
	} else if (!strcmp(part, "sequences")) {
		sequences(&s, step, biases);
		barriers(&s, step, biases);
	} else if (!strcmp(part, "picture")) {
		picture(stdin, stdout);
	} else {
		fprintf(stderr, "usage: pacing CONFIG.ini whole | alternatives | algorithms [NODES...] | "
		                "curve [N...] | sequences [STEP] | picture\n");
		return STATUS_USAGE;
	}
	return s.missed ? STATUS_EXPECT : STATUS_DONE;
}
