/*
 * The stages' own times (psim/core/stages.def). A run that skips idle cycles believes them, so each
 * has to be early enough (--check finds progress in a cycle that could have been skipped), and
 * each has to be needed: in these runs every stage ends some idle time alone.
 */
#include "tap.h"

#include "psim/core/core_state.h"
#include "psim/core/idle.h"

enum {
	STAGES = 0
#define STAGE(name, due, doc) +1
#include "psim/core/stages.def"
#undef STAGE
};

static const struct {
	const char *name;
	uint64_t (*next)(const struct core *c, bool simple);
} stages[STAGES] = {
#define STAGE(name, due, doc) {#name, name##_next},
#include "psim/core/stages.def"
#undef STAGE
};

/* Idle times that a stage ended alone, by stage. */
struct ended {
	uint64_t times[STAGES];
};

/* After an idle cycle: the stage whose time comes first, `*ret_at`; STAGES where several are first. */
static unsigned first_stage(struct core *c, uint64_t *ret_at)
{
	unsigned first = STAGES;

	*ret_at = CYCLE_NEVER;
	c->now--; /* the stages say it of the cycle that they were in */
	for (unsigned n = 0; n < STAGES; n++) {
		uint64_t at = stages[n].next(c, false);

		if (at > *ret_at)
			continue;
		first = at == *ret_at ? STAGES : n;
		*ret_at = at;
	}
	c->now++;
	return first;
}

static void run(const char *sample, const char *override, uint64_t cycles, struct ended *ended)
{
	const struct core_options options = {.check = true, .no_skip = true};
	struct err e = {.text = ""};
	struct trace_reader *trace = trace_open(tap_source(sample), &e);
	struct config *config = config_create();
	struct core_config cfg;
	struct core *c;
	unsigned first = STAGES;
	uint64_t at = CYCLE_NEVER;
	int more = 1;

	core_config_add(config, &cfg);
	REQUIRE(config_override(config, override, "test", &e) == 0);
	REQUIRE((c = core_create(&cfg, trace, &options, &e)) != NULL);
	REQUIRE(core_run(c, 0, &e) > 0);
	while (more > 0 && c->now < cycles) {
		more = core_turn(c, CYCLE_NEVER, 0, &e);
		if (c->progress && first < STAGES && c->now - 1 == at)
			ended->times[first]++;
		first = STAGES;
		if (!c->progress)
			first = first_stage(c, &at);
	}
	CHECK_STR(e.text, "");
	core_destroy(c);
	trace_close(trace);
	config_destroy(config);
}

static void each_stage_is_needed(void)
{
	struct ended ended = {{0}};

	run("traces/samples/quicksort.trace.gz", "bpred.kind=brhis", 60000, &ended);
	run("traces/samples/chase.trace.gz", "bpred.kind=brhis", 60000, &ended);
	run("traces/samples/axpy.trace.gz", "simd.pes=16", 60000, &ended);
	run("traces/samples/hello.trace.gz", "fetch.wrong_path=loads", 60000, &ended);
	for (unsigned n = 0; n < STAGES; n++) {
		if (!ended.times[n])
			fprintf(stderr, "no idle time was ended by %s_next alone\n", stages[n].name);
		CHECK(ended.times[n] > 0);
	}
}

static const struct tap_test tests[] = {
	{"each stage's own time ends some idle time, and never too late", each_stage_is_needed},
};

int main(void)
{
	return tap_main("core stages", tests, TAP_COUNT(tests));
}
