/*
 * Arrays of all shapes: machines drawn at random, extremes often among them, and
 * programs drawn at random from everything that touches the array. Every cycle is
 * checked, the energy model's bounds too, and skipping idle cycles changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

enum { DRAWS = 250, INSNS = 250, ROWS_MAX = 300, CHANGES_MAX = 8, PES = 16 };

struct draw {
	const struct param *row[ROWS_MAX];
	unsigned rows;
	uint64_t state;
	char text[1024]; /* what was changed, for the message of a failure */
	uint32_t words[INSNS];
	uint64_t ea[3 * INSNS];
};

/* A linear congruence of Knuth's. */
static uint32_t next_number(struct draw *d)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(d->state >> 33);
}

/* Everything that shapes the core, but for what the trace fixes. */
static void note_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct draw *d = user;

	(void)value;
	(void)origin;
	if (!strcmp(p->section, "energy") || !strcmp(p->section, "technology") || !strcmp(p->section, "chip") ||
	    !strcmp(p->key, "deadlock_cycles") || !strcmp(p->key, "pes") || !strcmp(p->key, "sbm_bytes"))
		return;
	REQUIRE(d->rows < ROWS_MAX);
	d->row[d->rows++] = p;
}

static void draw_value(struct draw *d, const struct param *p, char *text, size_t size)
{
	uint64_t v = (uint64_t)1 << next_number(d) % 9;

	if (p->type == PARAM_ENUM) {
		snprintf(text, size, "%.*s", (int)strcspn(p->choices, "|"), p->choices);
		return;
	}
	if (p->type == PARAM_BOOL) {
		snprintf(text, size, "%s", next_number(d) % 2 ? "yes" : "no");
		return;
	}
	if (p->type == PARAM_SIZE)
		v <<= 12;
	else if (next_number(d) % 3 == 0)
		v = (uint64_t)p->min;
	else if (next_number(d) % 3 == 0)
		v = next_number(d) % 40;
	v = (double)v < p->min ? (uint64_t)p->min : v;
	v = (double)v > p->max ? (uint64_t)p->max : v;
	snprintf(text, size, "%llu", (unsigned long long)v);
}

/* Half of the changes in [simd]. False where the rules refuse the result. */
static bool draw_machine(struct draw *d, struct config *c, struct core_config *cfg)
{
	unsigned changes = next_number(d) % (CHANGES_MAX + 1);
	struct err e;

	d->text[0] = 0;
	d->rows = 0;
	core_config_add(c, cfg);
	config_visit(c, note_row, d);
	REQUIRE(config_override(c, "simd.pes=16", "-p", &e) == 0);
	for (unsigned i = 0; i < changes; i++) {
		const struct param *p = d->row[next_number(d) % d->rows];
		char value[64], assignment[128];

		while (i % 2 && strcmp(p->section, "simd"))
			p = d->row[next_number(d) % d->rows];
		draw_value(d, p, value, sizeof(value));
		snprintf(assignment, sizeof(assignment), "%s.%s=%s", p->section, p->key, value);
		strcat(strcat(d->text, " "), assignment);
		if (config_override(c, assignment, "-p", &e) < 0)
			return false; /* a kind of value that draw_value does not know */
	}
	cfg->simd.integer = cfg->simd.single = cfg->simd.gather = true; /* the programs need them */
	return core_config_check(c, cfg, &e) == 0;
}

/* An offset within a few lines, so that accesses meet. */
static uint64_t place(struct draw *d, unsigned kind)
{
	uint64_t offset = 8 * (next_number(d) % 24);

	return kind == 0   ? SIMD_ALL_BASE + offset
	       : kind == 1 ? SIMD_PE_BASE(next_number(d) % 3) + offset
			   : 0x100000 + 64 * (next_number(d) % 40) + offset;
}

static uint32_t draw_word(struct draw *d, bool simd)
{
	unsigned a = 2 * (next_number(d) % 6), b = 2 * (next_number(d) % 6), r = 1 + next_number(d) % 4;
	const uint32_t words[] = {
		W_FADDD(a, b, a),
		W_FMADDD(a, b, a, b),
		W_FNEGD(a, b),
		W_FMULD(a, a, b),
		W_FP(a + 1, b, a, 0x41),
		W_LDDF(a, r, 0),
		W_LDDF(b, r, 0),
		W_STDF(a, r, 0),
		W_PEGETD(a, r, b),
		W_PEPUTD(a, r, b),
		W_PESUMD(a, b),
		W_LDX(r, r, 0),
		W_STX(r, r, 0),
		W_ADD(r, r, 1),
		W_NOP,
		W_SXWAIT(next_number(d) % 4),
		W_MULX(r, r, r),
		W_SXGET(r, r, r, next_number(d) % 2),
		W_SXPUT(r, r, r, next_number(d) % 2),
		simd ? W_SIMD(a, r, b, 0x1b8 + next_number(d) % 8) : W_NOP,          /* gathers and scatters */
		simd ? W_SIMD(a, b, a, 0x42 + 0x166 * (next_number(d) % 2)) : W_NOP, /* fpadd64, fadd2s */
		simd ? W_PEXD(a, b) : W_FDIVD(a, b, a),
		simd ? W_FXMADDD(a, b, a, b) : W_NOP,
		simd ? W_SIMDOFF : W_SIMDON,
	};

	return words[next_number(d) % (sizeof(words) / sizeof(words[0]))];
}

static void draw_program(struct draw *d, struct trace_maker *m)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "test",
		.pes = PES,
		.sbm_bytes = SIMD_SBM,
	};
	bool simd = true;
	unsigned n = 0;

	for (unsigned k = 0; k < INSNS; k++) {
		struct insn i;

		d->words[k] = draw_word(d, simd);
		insn_decode_simd(d->words[k], simd, &i);
		if (i.flags & INSN_TRANSFER) {
			d->ea[n++] = place(d, 2);
			d->ea[n++] = place(d, i.asi == SIMD_DEAL ? 0 : next_number(d) % 2);
			d->ea[n++] = simd_transfer_pack(8 * (next_number(d) % 20), next_number(d) % 20,
							8 * (int64_t)(next_number(d) % 40) - 64);
		} else if (insn_address_count(&i)) {
			/* SIMD stores go to all PEs only, and scalar loads not there */
			unsigned kind = next_number(d) % 3;

			d->ea[n++] = place(
				d, simd && (i.class == CLASS_FP_STORE || i.class == CLASS_SIMD_SCATTER) ? 0 : kind);
		}
		if (i.flags & INSN_MODE)
			simd = i.opcode == OP_SIMDON;
	}
	trace_maker_start(m, &info);
	m->simd = true;
	trace_maker_straight(m, 0x10000, d->words, INSNS, d->ea);
}

/* Runs it; what went wrong is in `e`. */
static int run(const struct core_config *cfg, struct trace_maker *m, bool every_cycle, struct core_stats *stats,
	       struct err *e)
{
	struct core_options options = {.check = true, .no_skip = every_cycle};
	struct trace_reader *trace = trace_maker_open(m);
	struct energy_machine machine;
	struct energy_model *energy = NULL;
	struct activity activity;
	struct core *core = core_create(cfg, trace, &options, e);
	int result = -1;

	core_energy_machine(cfg, &machine);
	if (core && (energy = energy_create(&machine, e)) && core_run(core, UINT64_MAX, e) == 0) {
		*stats = *core_stats(core);
		core_activity(core, &activity);
		result = energy_check(energy, &activity, e);
		CHECK(energy_total_j(energy, &activity, READING_LIKELY) <=
		      energy_peak_w(energy) * (double)activity.cycles / machine.frequency_hz);
	}
	energy_destroy(energy);
	core_destroy(core);
	trace_close(trace);
	return result;
}

static void run_all(unsigned seed)
{
	struct draw *d = calloc(1, sizeof(*d));
	unsigned ran = 0;

	REQUIRE(d != NULL);
	d->state = seed;
	for (unsigned i = 0; i < DRAWS; i++) {
		struct config *c = config_create();
		struct core_stats skipping, every;
		struct err e = {.text = ""};
		struct core_config cfg;
		struct trace_maker m;

		REQUIRE(c != NULL);
		draw_program(d, &m);
		if (draw_machine(d, c, &cfg)) {
			ran++;
			if (run(&cfg, &m, false, &skipping, &e) < 0 || run(&cfg, &m, true, &every, &e) < 0)
				fprintf(stderr, "draw %u of %u:%s: %s\n", i, seed, d->text, e.text);
			CHECK_STR(e.text, "");
			if (!*e.text && memcmp(&every, &skipping, sizeof(every))) {
				fprintf(stderr, "draw %u of %u:%s: skipping changes the counters\n", i, seed, d->text);
				CHECK_U64(skipping.cycles, every.cycles);
				CHECK(!memcmp(&every, &skipping, sizeof(every)));
			}
		}
		trace_maker_finish(&m);
		config_destroy(c);
	}
	CHECK(ran > DRAWS / 3); /* or the draw is no good */
	free(d);
}

static void some(void)
{
	run_all(1);
}

static void others(void)
{
	run_all(2);
}

static const struct tap_test tests[] = {
	{"arrays of all shapes run any program", some},
	{"and others", others},
};

int main(void)
{
	return tap_main("array-shapes", tests, TAP_COUNT(tests));
}
