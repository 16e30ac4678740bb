/*
 * States that functional warming alone makes, for several cores: psim/core/warm_states.h. A parameter that is no part
 * of the key must not change a state.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim/bpred/bpred.h"
#include "psim/core/warm_states.h"
#include "psim/machine/core_config.h"
#include "psim/memory/memsys.h"
#include "traces/trace.h"

enum { UNITS = 12, KEEP = 256 << 20 };

/* A machine, and its states in the recorded sort. */
struct machine {
	struct config *c;
	struct core_config cfg;
	struct trace_reader *trace;
	struct warm_states *states;
};

static const uint64_t begin[UNITS] = {0, 2000, 9000, 12000, 20000, 31000, 40000, 55000, 70000, 80000, 81000, 99000};
static const struct sample_plan plan = {
	.unit = 1000, .every = 8000, .warm_up = 500, .tail = 256, .chosen = begin, .chosen_count = UNITS};

static void configure(struct machine *m, const char *settings)
{
	char text[256], *rest = text;
	struct err e = {.text = ""};

	*m = (struct machine){.c = config_create()};
	REQUIRE(m->c != NULL);
	core_config_add(m->c, &m->cfg);
	snprintf(text, sizeof(text), "%s", settings);
	for (char *one; (one = strtok_r(rest, " ", &rest));)
		CHECK_I64(config_override(m->c, one, "-p", &e), 0);
	CHECK_STR(e.text, "");
}

static void make(struct machine *m, size_t keep)
{
	struct err e = {.text = ""};
	bool kept;

	CHECK_I64(core_config_check(m->c, &m->cfg, &e), 0);
	m->trace = trace_open(tap_source("traces/samples/quicksort.trace.gz"), &e);
	REQUIRE(m->trace != NULL);
	m->states = warm_states_create(&m->cfg, m->trace, &plan, keep, &kept, &e);
	CHECK_STR(e.text, "");
	REQUIRE(m->states != NULL);
	CHECK_U64(kept, keep != 0);
}

static void finish(struct machine *m)
{
	warm_states_destroy(m->states);
	trace_close(m->trace);
	config_destroy(m->c);
}

/* A digest of all that a core `cfg` gets of this machine's: states, places, runs with their addresses. */
static struct digest all_of(const struct machine *m, const struct core_config *cfg)
{
	struct err e = {.text = ""};
	struct warm_use *u = warm_use_create(m->states, &e);
	struct memsys *mem = memsys_create(cfg, NULL, &e);
	struct bpred *bpred = bpred_create(&cfg->bpred, &e);
	struct digest d = {0, 0};
	struct trace_step step = {.block = NULL};
	uint64_t counted = 0;
	bool more = true;

	REQUIRE(u && mem && bpred);
	while (more) {
		for (more = false; trace_next(warm_use_trace(u), &step, &e) == TRACE_RUN; more = true) {
			digest_add(&d, step.block->pc);
			for (uint32_t n = 0; n < step.block->memory_count; n++)
				digest_add(&d, step.ea[n]);
		}
		CHECK_I64(warm_use_enter(u, mem, bpred, &counted, &e), 0);
		memsys_digest(mem, 1, &d);
		bpred_digest(bpred, &d);
		digest_add(&d, counted);
		more &= counted < trace_length(m->trace);
	}
	bpred_destroy(bpred);
	memsys_destroy(mem);
	warm_use_destroy(u);
	return d;
}

static bool same(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

/* With all that has a state: prefetcher, victims, an L3, tables of directions and of targets. */
#define SMALL "l1i.size=8KiB l1d.size=8KiB l2.size=32KiB l2.ways=4 "
static const char many[] = SMALL "prefetch.enabled=yes l1d.victim_lines=4 l3.size=64KiB l3.ways=8 l2.replacement=drrip "
				 "bpred.kind=tage bpred.targets=ittage";

static void kept_and_passing_states_are_the_same(void)
{
	static const char *const machines[] = {"chip.cores=1", many, "prefetch.enabled=yes prefetch.kind=best_offset",
					       "bpred.kind=perceptron bpred.targets=target_cache l2.replacement=plru"};

	for (size_t n = 0; n < sizeof(machines) / sizeof(*machines); n++) {
		struct machine kept, passing;
		struct digest first;

		configure(&kept, machines[n]);
		make(&kept, KEEP);
		configure(&passing, machines[n]);
		make(&passing, 0);
		first = all_of(&kept, &kept.cfg);
		CHECK(same(first, all_of(&kept, &kept.cfg))); /* as often as one likes */
		CHECK(same(first, all_of(&passing, &passing.cfg)));
		finish(&kept);
		finish(&passing);
	}
}

/* Values that may be other ones of a parameter, the first that its rules allow is. */
static bool change(struct machine *m, const struct param *p, const char *value, unsigned n)
{
	static const char *const numbers[] = {"2", "4", "8", "16", "32", "1", "3", "64", "256", "1000", "16384"};
	static const char *const quantities[] = {"7 ns", "7 GB/s", "3 GHz", "300 MHz"};
	static const char *const switches[] = {"no", "yes"};
	const unsigned counts[] = {11, 4, 2};
	char text[128], choices[512], *rest = choices;
	const char *other = NULL;
	struct err e = {.text = ""};

	snprintf(choices, sizeof(choices), "%s", p->choices ? p->choices : "");
	if (p->choices)
		for (unsigned k = 0; k <= n; k++)
			other = strtok_r(rest, "|", &rest);
	else if (n < counts[0] + counts[1] + counts[2])
		other = n < counts[0]               ? numbers[n]
			: n < counts[0] + counts[1] ? quantities[n - counts[0]]
						    : switches[n - counts[0] - counts[1]];
	if (!other)
		return false;
	snprintf(text, sizeof(text), "%s.%s=%s", p->section, p->key, other);
	if (strcmp(other, value) != 0 && config_override(m->c, text, "-p", &e) == 0 &&
	    core_config_check(m->c, &m->cfg, &e) == 0)
		return true;
	snprintf(text, sizeof(text), "%s.%s=%s", p->section, p->key, value);
	config_override(m->c, text, "-p", &e);
	return change(m, p, value, n + 1);
}

/* A row of the table of parameters that a visit has reached. */
struct visit {
	const struct machine *base;
	struct digest key, all;
	const char *settings;
	unsigned changed, outside;
};

static void change_one(void *user, const struct param *p, const char *value, const char *origin)
{
	struct visit *v = user;
	struct machine m;
	struct digest key;
	bool same_states;

	(void)origin;
	configure(&m, v->settings);
	if (!change(&m, p, value, 0)) {
		config_destroy(m.c);
		return;
	}
	v->changed++;
	key = warm_states_key(&m.cfg);
	if (!same(key, v->key) || !warm_states_possible(&m.cfg)) {
		config_destroy(m.c);
		return;
	}
	v->outside++;
	make(&m, KEEP);
	same_states = same(all_of(&m, &v->base->cfg), v->all);
	if (!same_states)
		fprintf(stderr, "%s.%s is no part of the key, and changes states\n", p->section, p->key);
	CHECK(same_states);
	finish(&m);
}

static void keys_outside_the_key_change_no_state(void)
{
	static const char *const machines[] = {many, SMALL "memory.kind=dram bpred.entries=64"};

	for (size_t n = 0; n < sizeof(machines) / sizeof(*machines); n++) {
		struct machine m;
		struct visit v = {.base = &m, .settings = machines[n]};

		configure(&m, machines[n]);
		make(&m, KEEP);
		v.key = warm_states_key(&m.cfg);
		v.all = all_of(&m, &m.cfg);
		config_visit(m.c, change_one, &v);
		/* nearly all rows have another value that the rules allow; most change times, or energy, alone */
		CHECK(v.changed > 250 && v.outside > 150);
		finish(&m);
	}
}

static void what_warming_depends_on_is_in_the_key(void)
{
	static const char *const others[] = {"l1d.size=8KiB",
					     "l2.ways=6",
					     "tlb.page_size=4KiB",
					     "bpred.entries=64",
					     "l3.size=8MiB",
					     "prefetch.enabled=yes",
					     "l1i.next_line_prefetch=no",
					     "l2.perfect=yes"};
	struct machine base, other;
	struct digest all;

	configure(&base, "l1d.size=16KiB");
	make(&base, KEEP);
	all = all_of(&base, &base.cfg);
	for (size_t n = 0; n < sizeof(others) / sizeof(*others); n++) {
		configure(&other, others[n]);
		make(&other, KEEP);
		CHECK(!same(warm_states_key(&base.cfg), warm_states_key(&other.cfg)));
		CHECK(!same(all, all_of(&other, &other.cfg)));
		finish(&other);
	}
	finish(&base);
	configure(&other, "fetch.wrong_path=loads");
	CHECK(!warm_states_possible(&other.cfg));
	config_destroy(other.c);
}

static const struct tap_test tests[] = {
	{"states that are kept are those that pass", kept_and_passing_states_are_the_same},
	{"parameters outside the key change no state", keys_outside_the_key_change_no_state},
	{"what warming depends on is in the key", what_warming_depends_on_is_in_the_key},
};

int main(void)
{
	return tap_main("warm-states", tests, TAP_COUNT(tests));
}
