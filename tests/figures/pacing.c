/*
 * The four experiments of the pacing paper (docs/accuracy/pacing.md), its figures beside ours.
 *
 *     pacing [-b LEAST] [-k FILE] [-m KIB] [-p SECTION.KEY=VALUE] [-s SEEDS] CONFIG.ini PART [WORD…]
 *
 * Each part prints a table; `curve` prints lines "curve n bias ms use" too, `phases` "phase n bias ms 0", which
 * `pacing CONFIG.ini picture KIND <LINES` draws as SVG; `draw` draws links and buffers over time. Status 5 where a
 * figure that the paper fixes is missed by more than 15 % or the order of variants is another one. `-k` keeps results,
 * so that what was ended goes on where it was.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pacing_pictures.h"

/*
 * Time from which the directions of 8 x 8 carry unlike loads (the paper's figure 7: 32 ms): behind its twelve phases of
 * any n come those of an even n alone. Use of links before and behind; the paper's falls.
 */
static void uneven(struct study *s)
{
	enum { BEFORE = 12, HOPS = 42 }; /* phases, and their hops; each link carries as many messages */
	double ends[PHASE_ENDS_MAX], message = 1e3 * a2at_ideal(8, s->bytes) / 64; /* 4 x 4 x 4 of them */
	struct variant v = {.n = 8, .bytes = s->bytes};
	struct a2at_result r = study_run(s, &v, a2at_program(8, (double)NAN), ends);
	double from = 1e3 * ends[BEFORE - 1], busy = HOPS * message, all = 1e3 * r.seconds * r.use;

	printf("1: 8x8, directions part from            32.00 %9.2f ms; links used before %.1f %%, behind %.1f %%\n",
	       from, 100 * busy / from, 100 * (all - busy) / (1e3 * r.seconds - from));
}

static void whole(struct study *s, int count, char **words)
{
	struct variant v = {.n = 8, .bytes = s->bytes};
	struct a2at_result unpaced = study_run(s, &v, a2at_program(8, (double)NAN), NULL);

	(void)count;
	(void)words;
	printf("%-36s %9s %9s %9s  %7s %7s\n", "", "paper", "ours", "", "least", "most");
	study_row(s, "ideal 8x8", 17.0, (struct spread){.plain = 1e3 * a2at_ideal(8, MIB)}, "ms");
	study_row(s, "ideal 9x9", 24.0, (struct spread){.plain = 1e3 * a2at_ideal(9, MIB)}, "ms");
	study_row(s, "1: 8x8, no pacing", 71.3, spread_of(s, a2at_program(8, (double)NAN), JITTER_PS), "ms");
	study_row(s, "1: its use of links", 25, (struct spread){.plain = 100 * unpaced.use}, "%");
	uneven(s);
	study_row(s, "1: 9x9, no pacing", 84.0, spread_of(s, a2at_program(9, (double)NAN), JITTER_PS), "ms");
	study_row(s, "2: 8x8, bias 1.250", 42.7, spread_of(s, a2at_program(8, 1.25), JITTER_PS), "ms");
	study_row(s, "2: 9x9, bias 1.250", 30.7, spread_of(s, a2at_program(9, 1.25), JITTER_PS), "ms");
}

/* ---- choices that the paper leaves open ---- */
static const struct choice {
	const char *what, *overrides;
} choices[] = {
	{"the combination", NULL},
	{"data ask the receiver first", "program.handshake=data"},
	{"inputs booked after 4 packets", "router.patience=4"},
	{"credit kept for the first", "router.credits=in_order"},
	{"booked and kept", "router.patience=4 router.credits=in_order"},
	{"round robin", "router.arbitration=round_robin"},
	{"one FIFO a VC", "router.queues=per_vc"},
	{"any number of packets an input", "router.input_port=unlimited"},
	{"both", "router.queues=per_vc router.input_port=unlimited"},
	{"both, 6 KiB, credits 200 ns late",
	 "router.queues=per_vc router.input_port=unlimited router.vc_buffer=6KiB router.credit_delay=200ns"},
	{"a wait's 200 ns at its beginning", "program.wait=before"},
	{"injection FIFO unbounded", "nic.fifo=0"},
	{"injection FIFO 8 KiB", "nic.fifo=8192"},
	{"injection FIFO 2 KiB", "nic.fifo=2048"},
	{"4 KiB a VC", "router.vc_buffer=4096"},
	{"16 KiB a VC", "router.vc_buffer=16384"},
	{"round robin, FIFO 8 KiB", "router.arbitration=round_robin nic.fifo=8192"},
	{"FIFO a VC, round robin, 8 KiB", "router.queues=per_vc router.arbitration=round_robin nic.fifo=8192"},
	{"oldest packet first", "router.arbitration=oldest"},
	{"oldest packet first, 8 KiB", "router.arbitration=oldest nic.fifo=8192"},
	{"ties to -", "topology.ties=negative"},
	{"ties by parity of the source", "topology.ties=parity"},
	{"ties at random", "topology.ties=random"},
	{"VCs balanced", "topology.dateline=balanced"},
	{"receives at any NIC", "nic.receive=any"},
	{"NIC links of 16 GB/s", "link.nic_bandwidth=16GB/s"},
	{"credits 100 ns late", "router.credit_delay=100ns"},
};

/*
 * The least of some biases from which on, up to 3, 9 x 9 does not jam: takes at most 3 % longer than the phases'
 * packets do, (hops + bias) packets' time each. NAN: 3 jams.
 */
static double knee(struct study *s, struct variant v)
{
	static const double biases[] = {3,    2,     1.5, 1.375, 1.25, 1.125, 1,   0.875,
					0.75, 0.625, 0.5, 0.375, 0.25, 0,     -0.5};
	double from = (double)NAN;

	for (size_t i = 0; i < sizeof(biases) / sizeof(biases[0]); i++) {
		double free = study_free_ms(s, 9, biases[i]);

		if (1e3 * study_run(s, &v, a2at_program(9, biases[i]), NULL).seconds > 1.03 * free)
			return from;
		from = biases[i];
	}
	return from;
}

/* Returns whether the row is named by one of the words; without words all are. */
static bool is_named(const char *row, int count, char **words)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(row, words[i]))
			return true;
	return !count;
}

static void alternatives(struct study *s, int count, char **words)
{
	static const struct {
		unsigned n;
		double bias;
	} cases[] = {{8, (double)NAN}, {9, (double)NAN}, {8, 1.25}, {9, 1.25}, {9, 0}};

	printf("%-31s %7s %7s %9s %9s %7s %7s\n", "ms", "8x8", "9x9", "8x8 1.25", "9x9 1.25", "9x9 0", "knee");
	printf("%-31s %7.1f %7.1f %9.1f %9.1f %7s %7s\n", "paper", 71.3, 84.0, 42.7, 30.7, ">30.7", "1.250");
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		struct variant v = {.bytes = s->bytes, .overrides = choices[i].overrides};

		if (!is_named(choices[i].what, count, words))
			continue;
		printf("%-31s", choices[i].what);
		for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
			v.n = cases[k].n;
			printf(" %*.1f", k == 2 || k == 3 ? 9 : 7,
			       1e3 * study_run(s, &v, a2at_program(v.n, cases[k].bias), NULL).seconds);
			fflush(stdout);
		}
		printf(" %7.3f\n", knee(s, v));
		fflush(stdout);
	}
}

/* The knee if phases begin at random up to so much later. */
static void knees(struct study *s, int count, char **words)
{
	static const int ns[] = {0, 200, 3000};

	(void)count;
	(void)words;
	printf("%-28s %s\n", "phases begin up to", "knee of 9x9, one column a seed (paper: 1.250)");
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++) {
		printf("%6d ns later %14s", ns[i], "");
		for (uint64_t seed = 1; seed <= (ns[i] ? s->seeds : 1); seed++) {
			struct variant v = {
				.n = 9, .bytes = s->bytes, .jitter_ps = ns[i] * INT64_C(1000), .seed = seed};

			printf(" %7.3f", knee(s, v));
			fflush(stdout);
		}
		printf("\n");
	}
}

/* ---- experiment 1: algorithms ---- */
static void algorithms(struct study *s, int count, char **sizes)
{
	static char *const usual[] = {"64", "256"};

	if (!count) {
		count = 2;
		sizes = (char **)usual;
	}
	printf("%-6s %10s %12s %12s %12s %24s\n", "nodes", "message", "a2at ms", "pairwise ms", "ring ms",
	       "use of links %");
	for (int i = 0; i < count; i++) {
		unsigned nodes = (unsigned)strtoul(sizes[i], NULL, 10), n = (unsigned)lround(sqrt(nodes));
		struct variant v = {.n = n, .bytes = (uint64_t)64 * MIB / nodes};
		struct a2at_result a = study_run(s, &v, a2at_program(n, (double)NAN), NULL);
		struct a2at_result p = study_run(s, &v, a2at_pairwise(n), NULL);
		struct a2at_result r = study_run(s, &v, a2at_ring(n), NULL);
		bool shape = a.seconds < p.seconds && a.seconds < r.seconds && a.use > p.use && a.use > r.use;

		printf("%-6u %10llu %12.1f %12.1f %12.1f %8.1f %7.1f %7.1f%s\n", nodes, (unsigned long long)v.bytes,
		       1e3 * a.seconds, 1e3 * p.seconds, 1e3 * r.seconds, 100 * a.use, 100 * p.use, 100 * r.use,
		       shape ? "" : "  MISSED: the paper's a2at is the fastest, with the most use");
		fflush(stdout);
		s->missed |= !shape;
	}
}

/* ---- experiment 2: over the gap bias ---- */
/* Prints the bias with the shortest run, and how many times shorter it is than the unpaced one. */
static void print_best(unsigned n, double none, const double *bias, const double *seconds, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (seconds[i] < seconds[best])
			best = i;
	printf("best bias of %u: %.3f, %.3f ms, %.2f times\n", n, bias[best], 1e3 * seconds[best],
	       none / seconds[best]);
}

static void curve(struct study *s, int count, char **sizes)
{
	enum { BIASES = 19 };
	static const double biases[BIASES] = {-2,  -1, 0,   0.25, 0.5, 0.625, 0.75, 1,  1.25, 1.375,
					      1.5, 2,  2.5, 3,    4,   6,     9,    12, 16};
	static char *const usual[] = {"8", "9", "10", "11"};

	if (!count) {
		count = 4;
		sizes = (char **)usual;
	}
	for (int i = 0; i < count; i++) {
		struct variant v = {.n = (unsigned)strtoul(sizes[i], NULL, 10), .bytes = s->bytes};
		struct a2at_result a = study_run(s, &v, a2at_program(v.n, (double)NAN), NULL);
		double none = a.seconds, seconds[BIASES];

		printf("curve %u none %.3f %.2f ideal %.3f\n", v.n, 1e3 * a.seconds, 100 * a.use,
		       1e3 * a2at_ideal(v.n, MIB));
		for (size_t k = 0; k < BIASES; k++) {
			a = study_run(s, &v, a2at_program(v.n, biases[k]), NULL);
			seconds[k] = a.seconds;
			printf("curve %u %.3f %.3f %.2f\n", v.n, biases[k], 1e3 * a.seconds, 100 * a.use);
			fflush(stdout);
		}
		print_best(v.n, none, biases, seconds, BIASES);
	}
}

/* ---- pictures ---- */
static void picture(const char *what)
{
	static const struct {
		const char *name;
		struct curves_kind kind;
	} kinds[] = {
		{"time",
		 {"All-to-all of 1 MiB: run time over the gap bias",
		  "the gap behind a packet is (hops - 1 + bias) packets' time; a curve for each size of the torus",
		  true, false}},
		{"use",
		 {"All-to-all of 1 MiB: links used over the gap bias, %",
		  "mean over the run and all links between routers; a curve for each size of the torus", true, true}},
		{"phases",
		 {"Each phase of 9 x 9 nodes alone: run time over its gap bias",
		  "four messages of 1 MiB from each node; phases of as many hops take the same time where nothing "
		  "waits",
		  false, false}},
	};

	if (!strcmp(what, "bars"))
		picture_bars(stdin, stdout);
	if (!strcmp(what, "algorithms") || !strcmp(what, "algorithms-use"))
		picture_algorithms(stdin, stdout, what[10] != 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(what, kinds[i].name))
			picture_curves(stdin, stdout, &kinds[i].kind);
}

/* draw FILE N BIAS */
static void draw(struct study *s, char **words)
{
	unsigned n = (unsigned)strtoul(words[1], NULL, 10);
	double bias = strcmp(words[2], "none") ? strtod(words[2], NULL) : (double)NAN;
	struct a2at_result r;
	char title[120];

	if (isnan(bias))
		snprintf(title, sizeof(title), "All-to-all of 1 MiB on %u x %u nodes without pacing: links, buffers", n,
			 n);
	else
		snprintf(title, sizeof(title), "All-to-all of 1 MiB on %u x %u nodes, gaps of hops - 1 + %s packets", n,
			 n, words[2]);
	r = picture_run(s, n, a2at_program(n, bias), title, words[0]);
	printf("%s: %.3f ms\n", words[0], 1e3 * r.seconds);
}

/* ---- one run ---- */
static void one(struct study *s, int count, char **words)
{
	struct variant v = {.n = (unsigned)strtoul(words[0], NULL, 10), .bytes = s->bytes, .seed = 1};
	double bias = strcmp(words[1], "none") ? strtod(words[1], NULL) : (double)NAN;
	struct a2at_result r;

	if (count > 2)
		v.jitter_ps = (int64_t)(1e3 * strtod(words[2], NULL));
	r = study_run(s, &v, a2at_program(v.n, bias), NULL);
	printf("%s x %s, bias %s: %.3f ms, links used %.1f %%, nodes end %.3f us apart\n", words[0], words[0], words[1],
	       1e3 * r.seconds, 100 * r.use, 1e6 * r.imbalance);
}

/*
 * All-to-alls beyond the paper's sizes, on N x N or N x N x N nodes (words N, NxNxN with an odd N), unpaced and over
 * some biases, beside the bisection bound, which no all-to-all can beat: its links are always busy where the share is
 * 100 %.
 */
static void beyond(struct study *s, int count, char **words)
{
	static const double biases[] = {(double)NAN, 0, 1.25, 3, 6};

	printf("%-10s %8s %10s %10s %10s %8s\n", "nodes", "KiB", "bias", "ms", "bound ms", "share %");
	for (int i = 0; i < count; i++) {
		bool cube = strchr(words[i], 'x') != NULL;
		struct variant v = {.n = (unsigned)strtoul(words[i], NULL, 10), .cube = cube, .bytes = s->bytes};
		double bound = 1e3 * (cube ? a2at_cube_ideal(v.n, s->bytes) : a2at_ideal(v.n, s->bytes));

		for (size_t k = 0; k < sizeof(biases) / sizeof(biases[0]); k++) {
			double bias = biases[k];
			struct a2at_program *p = cube ? a2at_cube(v.n, bias) : a2at_program(v.n, bias);
			double ms = 1e3 * study_run(s, &v, p, NULL).seconds;
			char text[16] = "none", size[40];

			if (!isnan(bias))
				snprintf(text, sizeof(text), "%.2f", bias);
			snprintf(size, sizeof(size), cube ? "%ux%ux%u" : "%ux%u", v.n, v.n, v.n);
			printf("%-10s %8.0f %10s %10.3f %10.3f %8.1f\n", size, (double)s->bytes / 1024, text, ms, bound,
			       100 * bound / ms);
			fflush(stdout);
			s->missed |= ms < bound;
		}
	}
}

/* Phase number `words[1]` of n x n alone: two that are mirror images of each other need not take as long. */
static void one_phase(struct study *s, char **words)
{
	unsigned n = (unsigned)strtoul(words[0], NULL, 10), i = (unsigned)strtoul(words[1], NULL, 10);
	struct variant v = {.n = n, .bytes = s->bytes};
	struct a2at_program *all = a2at_program(n, strtod(words[2], NULL));

	if (!all || !i || i > all->count)
		exit(STATUS_USAGE);
	printf("phase %u of %u x %u, bias %s: %.3f ms\n", i, n, n, words[2],
	       1e3 * study_run(s, &v, a2at_single(all, i - 1), NULL).seconds);
	a2at_free(all);
}

/* Words before the configuration: -b LEAST, -k FILE, -m KIB, -p SECTION.KEY=VALUE, -s SEEDS. How many, or -1. */
static int options(struct study *s, int argc, char **argv)
{
	static char all[300];
	int o;

	while ((o = getopt(argc, argv, "+b:k:m:p:s:")) != -1) {
		size_t used = strlen(all);

		if (o == 'k')
			s->kept = optarg;
		else if (o == 's')
			s->seeds = (unsigned)strtoul(optarg, NULL, 10);
		else if (o == 'b')
			s->least_bias = strtod(optarg, NULL);
		else if (o == 'm')
			s->bytes = (uint64_t)(1024 * strtod(optarg, NULL));
		else if (o == 'p' && used + strlen(optarg) + 2 <= sizeof(all))
			snprintf(all + used, sizeof(all) - used, "%s%s", used ? " " : "", optarg);
		else
			return -1;
	}
	s->overrides = all;
	return optind;
}

static double step_of(int count, char **words)
{
	return count > 0 ? strtod(words[0], NULL) : 0.125;
}

/* The parts that take words in another way than the table below has them. */
static bool other_part(struct study *s, const char *name, int count, char **words)
{
	if (!strcmp(name, "one") && count >= 2)
		one(s, count, words);
	else if (!strcmp(name, "phase") && count >= 3)
		one_phase(s, words);
	else if (!strcmp(name, "draw") && count >= 3)
		draw(s, words);
	else if (!strcmp(name, "draw-tuned") && count >= 2)
		study_draw_tuned(s, words[0], strtod(words[1], NULL));
	else if (!strcmp(name, "sequences"))
		study_sequences(s, step_of(count, words), count > 1);
	else if (!strcmp(name, "phases"))
		study_phases(s, step_of(count, words));
	else if (!strcmp(name, "picture"))
		picture(count ? words[0] : "time");
	else
		return false;
	return true;
}

/* Part `name` with its words; false if there is none such. */
static bool part(struct study *s, const char *name, int count, char **words)
{
	static const struct {
		const char *name;
		void (*run)(struct study *s, int count, char **words);
	} parts[] = {
		{"whole", whole}, {"alternatives", alternatives},
		{"knees", knees}, {"algorithms", algorithms},
		{"curve", curve}, {"beyond", beyond},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(name, parts[i].name)) {
			parts[i].run(s, count, words);
			return true;
		}
	return other_part(s, name, count, words);
}

int main(int argc, char **argv)
{
	struct study s = {.seeds = SEEDS, .least_bias = -3, .bytes = MIB};
	int first = options(&s, argc, argv);

	if (first >= 0 && argc >= first + 2) {
		s.config = argv[first];
		if (part(&s, argv[first + 1], argc - first - 2, argv + first + 2)) {
			if (s.kept)
				fprintf(stderr, "pacing: %u results were in %s, %u were run\n", s.found, s.kept, s.run);
			return s.missed ? STATUS_EXPECT : STATUS_DONE;
		}
	}
	fprintf(stderr,
		"usage: pacing [-k FILE] [-m KIB] [-p SECTION.KEY=VALUE] [-s SEEDS] CONFIG.ini whole | alternatives "
		"[ROW...] |\n"
		"       knees | algorithms [NODES...] | curve [N...] | sequences [STEP [3]] | phases [STEP] | one N "
		"BIAS [NS] "
		"|\n"
		"       phase N NUMBER BIAS | beyond N|NxNxN... | picture "
		"[time|use|bars|phases|algorithms|algorithms-use] | draw FILE N "
		"BIAS |\n"
		"       draw-tuned FOLDER STEP\n"
		"-m: kibibytes of a message, 1024 unless told; experiment 1 has 64 MiB a node\n"
		"-b: the least bias of experiments 3 and 4, -3 unless told\n"
		"-k: takes results from FILE and adds those that it runs; delete it where the engine has changed\n");
	return STATUS_USAGE;
}
