/*
 * Cores of all shapes: what the rules between parameters let through must run.
 * Parameters drawn at random, extremes often among them; recorded samples; every
 * cycle checked.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "psim/core/core.h"

enum { DRAWS = 400, CYCLES = 6000, ROWS_MAX = 300, CHANGES_MAX = 8 };

struct draw {
	const struct param *row[ROWS_MAX];
	unsigned rows;
	uint64_t state;
	char text[1024]; /* what was changed, for the message of a failure */
};

/* A linear congruence of Knuth's. */
static uint32_t next_number(struct draw *d)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(d->state >> 33);
}

/* Everything that shapes the core; energy's rows scale results only. */
static void note_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct draw *d = user;

	(void)value;
	(void)origin;
	if (!strcmp(p->section, "energy") || !strcmp(p->section, "technology") || !strcmp(p->section, "chip") ||
	    !strcmp(p->key, "deadlock_cycles"))
		return;
	REQUIRE(d->rows < ROWS_MAX);
	d->row[d->rows++] = p;
}

/* The n-th of "a|b|c", from 0; n beyond the last gives the last. */
static void choice(const char *choices, unsigned n, char *text, size_t size)
{
	const char *bar;

	while ((bar = strchr(choices, '|')) && n--)
		choices = bar + 1;
	snprintf(text, size, "%.*s", bar ? (int)(bar - choices) : (int)strlen(choices), choices);
}

static void draw_value(struct draw *d, const struct param *p, char *text, size_t size)
{
	uint64_t v = (uint64_t)1 << next_number(d) % 9;

	switch (p->type) {
	case PARAM_ENUM: choice(p->choices, next_number(d) % 4, text, size); return;
	case PARAM_BOOL: snprintf(text, size, "%s", next_number(d) % 2 ? "yes" : "no"); return;
	case PARAM_SIZE: snprintf(text, size, "%llu", (unsigned long long)v << 12); return;
	default:
		if (next_number(d) % 3 == 0)
			v = (uint64_t)p->min;
		else if (next_number(d) % 3 == 0)
			v = next_number(d) % 40;
		v = (double)v < p->min ? (uint64_t)p->min : v;
		v = (double)v > p->max ? (uint64_t)p->max : v;
		v = p->type == PARAM_FLOW && !v ? 1 : v;
		snprintf(text, size, "%llu%s", (unsigned long long)v,
			 p->type == PARAM_DELAY  ? " cycles"
			 : p->type == PARAM_FLOW ? " B/cycle"
						 : "");
	}
}

/* Changes a few parameters; false where the rules refuse the result. */
static bool draw_machine(struct draw *d, struct config *c, struct core_config *cfg)
{
	unsigned changes = 1 + next_number(d) % CHANGES_MAX;
	struct err e;

	d->text[0] = 0;
	d->rows = 0;
	core_config_add(c, cfg);
	config_visit(c, note_row, d);
	for (unsigned i = 0; i < changes; i++) {
		const struct param *p = d->row[next_number(d) % d->rows];
		char value[64], assignment[128];

		draw_value(d, p, value, sizeof(value));
		snprintf(assignment, sizeof(assignment), "%s.%s=%s", p->section, p->key, value);
		strcat(strcat(d->text, " "), assignment);
		REQUIRE(config_override(c, assignment, "-p", &e) == 0);
	}
	return core_config_check(c, cfg, &e) == 0;
}

/* Runs it; what went wrong is in `e`. */
static int run(const struct core_config *cfg, const char *path, struct err *e)
{
	struct core_options options = {.check = true};
	struct trace_reader *trace = trace_open(path, e);
	struct energy_machine machine;
	struct energy_model *energy = NULL;
	struct activity activity;
	struct core *core = NULL;
	int result = -1;

	core_energy_machine(cfg, &machine);
	if (trace && (core = core_create(cfg, trace, &options, e)) && (energy = energy_create(&machine, e)) &&
	    core_run(core, CYCLES, e) >= 0) {
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

static void run_all(const char *sample)
{
	struct draw d = {.state = sample[0]};
	unsigned ran = 0;

	for (unsigned i = 0; i < DRAWS; i++) {
		struct config *c = config_create();
		struct err e = {.text = ""};
		struct core_config cfg;
		char path[64];

		REQUIRE(c != NULL);
		snprintf(path, sizeof(path), "traces/samples/%s.trace.gz", sample);
		if (draw_machine(&d, c, &cfg)) {
			ran++;
			if (run(&cfg, tap_source(path), &e) < 0)
				fprintf(stderr, "%s:%s: %s\n", sample, d.text, e.text);
			CHECK_STR(e.text, "");
		}
		config_destroy(c);
	}
	CHECK(ran > DRAWS / 3); /* or the draw is no good */
}

static void integer_code(void)
{
	run_all("quicksort");
}

static void floating_point_code(void)
{
	run_all("dgemm");
}

static void system_calls_and_startup(void)
{
	run_all("hello");
}

static const struct tap_test tests[] = {
	{"cores of all shapes run integer code", integer_code},
	{"cores of all shapes run floating-point code", floating_point_code},
	{"cores of all shapes run start-up code and system calls", system_calls_and_startup},
};

int main(void)
{
	return tap_main("core shapes", tests, TAP_COUNT(tests));
}
