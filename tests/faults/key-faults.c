/*
 * A core's key without one of its fields (key_fields.py): replay, which looks up states by the key and restores cores
 * from it, then differs from the detailed core. In programs on one core, with an array, and on the cores of a chip,
 * each field is found: counts differ, or --memo-check reports a difference, or an assertion of the core fails. Fields
 * whose loss no run shows are in key_spare.def, with the reason. Each fault runs in a process of its own.
 *
 * key-faults [1|2|3]: all tests, or one. KEY_FAULTS=TEXT in the environment: only fields whose text has TEXT.
 * KEY_FAULTS_SHOW: prints what found each field.
 */
#define _DEFAULT_SOURCE 1
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "key_faults.h"
#include "psim/core/chip.h"
#include "psim/replay/memo_graph.h"
#include "psim/app/whole_core.h"
#include "tests/unit/array_random.h"
#include "tests/unit/core_draw.h"
#include "tests/unit/core_random.h"

unsigned key_left_out;
const uint64_t key_no_slots[ROB_WORDS_MAX];

static const struct {
	const char *file, *function, *text;
} fields[] = {
#include "key_fields.h"
};
enum { FIELDS = sizeof(fields) / sizeof(fields[0]), CORES_MAX = 2, MEMORY = 64000000, RUNS = 60, CELL_RUNS = 4 };

/* ---- programs and machines ---- */
enum kind { SCALAR, ARRAY, CHIP };
/* A program and its machine. */
struct run {
	struct config *config;
	struct core_config cfg;
	struct trace_reader *trace[CORES_MAX];
	struct trace_maker program[CORES_MAX];
	struct core_draw machine;
	const char *sample; /* NULL: it is drawn */
	unsigned cores, number;
	struct chip *chip; /* the detailed one, which has ended */
};
struct sample {
	const char *name, *overrides[9];
};

/* Run before the drawn ones, on machines where many things wait. */
enum { SAMPLES = 3 };
static const struct sample samples[][SAMPLES] = {
	[SCALAR] = {{"hello",
		     {"decode.stages=5", "fetch.width_bytes=8", "lsu.store_buffer=1", "l1d.miss_buffers=1",
		      "l1d.size=1KiB", "tlb.udtlb_entries=2", "core.speculative_wakeup=no", NULL}},
		    {"quicksort",
		     {"decode.stages=4", "fetch.width_bytes=8", "lsu.store_buffer=1", "l1d.miss_buffers=1",
		      "l1d.size=1KiB", "tlb.udtlb_entries=2", "tlb.main_entries=16", NULL}},
		    {"fft-radix4", {"fetch.width_bytes=8", NULL}}},
	[ARRAY] = {{"axpy",
		    {"simd.pes=16", "simd.transfers=2", "simd.transfer_buffers=3", "simd.sbm_ports=1",
		     "simd.rs_entries=4", "simd.store_buffer=2", NULL}},
		   {"simd-zgemm", {"simd.pes=16", "simd.load_pipes=1", "simd.sbm_ports=1", "simd.c_cycles=3", NULL}},
		   {"simd-fft", {"simd.pes=16", "simd.load_pipes=1", "simd.sbm_ports=1", "simd.store_pipes=1", NULL}}},
	[CHIP] = {{"hello",
		   {"decode.stages=5", "fetch.width_bytes=8", "lsu.store_buffer=1", "l1d.miss_buffers=1",
		    "l1d.size=1KiB", "tlb.udtlb_entries=2", "l2.miss_buffers=1", NULL}},
		  {"axpy",
		   {"simd.pes=16", "simd.transfers=2", "simd.transfer_buffers=3", "simd.sbm_ports=1",
		    "simd.rs_entries=4", "simd.store_buffer=2", NULL}},
		  {"simd-zgemm", {"simd.pes=16", "simd.load_pipes=1", "simd.sbm_ports=1", "simd.c_cycles=3", NULL}}},
};

static void make_config(struct run *r, const char *const *overrides)
{
	struct err e = {.text = ""};
	char text[32];

	r->config = config_create();
	core_config_add(r->config, &r->cfg);
	snprintf(text, sizeof(text), "chip.cores=%u", r->cores);
	REQUIRE(config_override(r->config, text, "test", &e) == 0);
	for (; *overrides; overrides++)
		REQUIRE(config_override(r->config, *overrides, "test", &e) == 0);
	REQUIRE(core_config_check(r->config, &r->cfg, &e) == 0);
}

/* Accesses to a few cells, with a predictor of memory dependences that learns again and again. */
static void cells_run(struct run *r, enum kind kind, uint64_t seed)
{
	static const char *const overrides[][5] = {
		{"lsu.disambiguation=wait_table", "lsu.wait_table_clear=60", "decode.gub_entries=64", NULL},
		{"lsu.disambiguation=store_sets", "lsu.ssit_clear=40", "fetch.width_bytes=8", "l1i.size=1KiB", NULL},
	};

	r->cores = kind == CHIP ? 2 : 1;
	for (unsigned n = 0; n < r->cores; n++)
		core_random_cells(&r->program[n], 3000, seed + n * 1000);
	make_config(r, overrides[seed % 2]);
}

static void draw_run(struct run *r, enum kind kind, uint64_t seed)
{
	uint64_t state = seed;
	unsigned pes = kind == ARRAY || (kind == CHIP && seed % 2) ? array_draw_pes(&state) : 0;

	r->cores = kind == CHIP ? 2 : 1;
	if (pes)
		array_draw_machine(&r->machine, pes, &state);
	else
		core_draw_machine(&r->machine, &state);
	for (unsigned n = 0; n < r->cores; n++) {
		if (pes)
			array_random_loops(&r->program[n], 10, pes, seed + n * 1000);
		else
			core_random_loops(&r->program[n], 20, seed + n * 1000);
	}
	make_config(r, r->machine.overrides);
}

static void sample_run(struct run *r, enum kind kind, const struct sample *s)
{
	r->cores = kind == CHIP ? 2 : 1;
	r->sample = s->name;
	make_config(r, s->overrides);
}

static struct chip *make_chip(struct run *r, uint64_t memory, uint64_t check)
{
	struct chip_options options = {.hooks = &whole_core, .memo_bytes = memory, .memo_check = check};
	struct chip *chip;
	struct err e;
	char path[64];

	for (unsigned n = 0; n < r->cores; n++) {
		snprintf(path, sizeof(path), "traces/samples/%s.trace.gz", r->sample ? r->sample : "");
		r->trace[n] = r->sample ? trace_open(tap_source(path), &e) : trace_maker_open(&r->program[n]);
		if (!r->trace[n])
			return NULL;
	}
	chip = chip_create(&r->cfg, r->trace, &options, &e);
	for (unsigned n = 0; chip && memory && n < r->cores; n++)
		((struct core *)(uintptr_t)chip_core(chip, n))->memo->tireless = true;
	return chip;
}

/* ---- what a fault changes ---- */
static bool same_counts(const struct core *a, const struct core *b)
{
	struct activity x, y;

	core_activity(a, &x);
	core_activity(b, &y);
	if (memcmp(core_stats(a), core_stats(b), sizeof(struct core_stats)) ||
	    memcmp(core_memsys_stats(a), core_memsys_stats(b), sizeof(struct memsys_stats)) ||
	    memcmp(core_bpred_stats(a), core_bpred_stats(b), sizeof(struct bpred_stats)) || memcmp(&x, &y, sizeof(x)) ||
	    core_profile_count(a) != core_profile_count(b))
		return false;
	for (uint32_t n = 0; n < core_profile_count(a); n++) {
		struct core_profile p, q;

		core_profile(a, n, &p);
		core_profile(b, n, &q);
		if (p.pc != q.pc || p.committed != q.committed || p.lost != q.lost)
			return false;
	}
	return true;
}

/* Returns whether the memoised chip counts as the detailed one. */
static bool same_run(struct run *r, uint64_t check)
{
	struct chip *chip = make_chip(r, MEMORY, check);
	uint64_t most = 2 * chip_cycles(r->chip);
	struct err e;
	int more;

	if (!chip)
		abort();
	do
		more = chip_run(chip, most / 4 + 1, &e);
	while (more > 0 && chip_cycles(chip) <= most);
	if (more)
		return false;
	for (unsigned n = 0; n < r->cores; n++)
		if (!same_counts(chip_core(r->chip, n), chip_core(chip, n)))
			return false;
	return true;
}

enum found { FOUND_NOTHING, FOUND_COUNTS, FOUND_CHECK, FOUND_STOP };
static const char *const found_text[] = {"nothing differs", "counts differ", "a check fails", "the core stops"};

/* Returns what finds the fault in a run. */
static enum found found_by(struct run *run, unsigned field)
{
	int status;
	pid_t child = fork();

	REQUIRE(child >= 0);
	if (!child) {
		const struct rlimit seconds = {300, 300}; /* only ends what would never end */

		setrlimit(RLIMIT_CPU, &seconds);
		if (!freopen("/dev/null", "w", stderr))
			abort();
		key_left_out = field;
		_exit(!same_run(run, 0) ? FOUND_COUNTS : !same_run(run, 3) ? FOUND_CHECK : FOUND_NOTHING);
	}
	REQUIRE(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? (enum found)WEXITSTATUS(status) : FOUND_STOP;
}

/* ---- the tests ---- */
enum { IN_SCALAR = 1 << SCALAR, IN_ARRAY = 1 << ARRAY, IN_CHIP = 1 << CHIP, IN_ALL = IN_SCALAR | IN_ARRAY | IN_CHIP };
static const struct spare {
	unsigned kinds;
	const char *function, *text;
} spare[] = {
#define SPARE(kinds, function, text, reason) {kinds, #function, text},
#include "key_spare.def"
#undef SPARE
};

static bool is_spare(enum kind kind, unsigned field)
{
	for (size_t n = 0; n < sizeof(spare) / sizeof(spare[0]); n++)
		if (!strcmp(spare[n].function, fields[field].function) && !strcmp(spare[n].text, fields[field].text))
			return spare[n].kinds >> kind & 1;
	return false;
}

/* Returns whether a test of this kind tries the field. */
static bool is_tried(enum kind kind, unsigned field)
{
	static const char *const file[] = {[SCALAR] = "core_key.c", [ARRAY] = "array_key.c", [CHIP] = ""};
	const char *only = getenv("KEY_FAULTS");

	return strstr(fields[field].file, file[kind]) && !is_spare(kind, field) &&
	       (!only || strstr(fields[field].text, only));
}

/* Notes in found[] what finds each of the fields in a run; returns how many are still to be found. */
static unsigned try_run(struct run *run, enum kind kind, enum found found[FIELDS])
{
	unsigned left = 0;
	struct err e;

	run->chip = make_chip(run, 0, 0);
	REQUIRE(run->chip && chip_run(run->chip, UINT64_MAX, &e) == 0);
	CHECK_STR(found_text[found_by(run, 0)], found_text[FOUND_NOTHING]); /* with the whole key */
	for (unsigned n = 0; n < FIELDS; n++) {
		if (found[n] || !is_tried(kind, n))
			continue;
		found[n] = found_by(run, n + 1);
		left += !found[n];
		if (found[n] && getenv("KEY_FAULTS_SHOW"))
			fprintf(stderr, "%s: %s: %s: %s in run %u\n", fields[n].file, fields[n].function,
				fields[n].text, found_text[found[n]], run->number);
	}
	return left;
}

static void end_run(struct run *run)
{
	chip_destroy(run->chip);
	config_destroy(run->config);
	for (unsigned n = 0; n < run->cores; n++) {
		trace_close(run->trace[n]);
		if (!run->sample)
			trace_maker_finish(&run->program[n]);
	}
}

static void try_kind(enum kind kind)
{
	enum found found[FIELDS] = {FOUND_NOTHING};
	unsigned left = 1;

	for (unsigned n = 1; left && n <= RUNS; n++) {
		struct run run = {.number = n};

		if (n <= SAMPLES)
			sample_run(&run, kind, &samples[kind][n - 1]);
		else if (kind != ARRAY && n <= SAMPLES + CELL_RUNS)
			cells_run(&run, kind, n);
		else
			draw_run(&run, kind, n);
		left = try_run(&run, kind, found);
		end_run(&run);
	}
	for (unsigned n = 0; left && n < FIELDS; n++)
		if (!found[n] && is_tried(kind, n))
			fprintf(stderr, "%s: %s: %s: without it, nothing differs\n", fields[n].file, fields[n].function,
				fields[n].text);
	CHECK_U64(left, 0);
}

static void scalar(void)
{
	try_kind(SCALAR);
}

static void array(void)
{
	try_kind(ARRAY);
}

static void chips(void)
{
	try_kind(CHIP);
}

static const struct tap_test tests[] = {
	{"a core's key without one of its fields is found", scalar},
	{"one without a field of the array is", array},
	{"one of a chip's core without either is", chips},
};

int main(int argc, char **argv)
{
	unsigned count = TAP_COUNT(tests), only = argc > 1 ? (unsigned)atoi(argv[1]) : 0;

	return only && only <= count ? tap_main("key faults", tests + only - 1, 1)
				     : tap_main("key faults", tests, count);
}
