#include "chip.h"

#include <stdlib.h>

#include "core_state.h"

struct chip {
	struct chip_memory *memory; /* NULL with one core, which makes its own */
	unsigned cores;
	struct core *core[CHIP_CORES_MAX];
	uint64_t at[CHIP_CORES_MAX]; /* present cycle of each of several cores; CYCLE_NEVER: done */
};

/* Warms up the cores by turns, so that the shared L2 holds lines of each. */
static int chip_warm_up(struct chip *c, struct err *e)
{
	enum { TURN = 1000 };
	bool more = true;

	while (more) {
		more = false;
		for (unsigned n = 0; n < c->cores; n++) {
			int ret = core_warm_up(c->core[n], TURN, e);

			if (ret < 0)
				return c->cores > 1 ? err_prefix(e, "core %u", n) : -1;
			more |= ret;
		}
	}
	return 0;
}

/* Sets core `n` to its first cycle, or to done if its trace has nothing to simulate. */
static int chip_begin(struct chip *c, unsigned n, struct err *e)
{
	int more = core_run(c->core[n], 0, e);

	c->at[n] = more > 0 ? c->core[n]->now : CYCLE_NEVER;
	if (more < 0 && c->cores > 1)
		err_prefix(e, "core %u", n);
	return more < 0 ? -1 : 0;
}

struct chip *chip_create(const struct core_config *cfg, struct trace_reader *const *traces,
			 const struct chip_options *options, struct err *e)
{
	struct chip *c = calloc(1, sizeof(*c));

	if (!c) {
		err_set(e, STATUS_FAILED, "chip: out of memory");
		return NULL;
	}
	c->cores = cfg->chip.cores;
	if (c->cores > 1) {
		c->memory = chip_memory_create(cfg, e);
		if (!c->memory)
			goto fail;
	}
	for (unsigned n = 0; n < c->cores; n++) {
		const struct core_options o = {
			.memory = c->memory,
			.check = options->check,
			.no_skip = options->no_skip,
			.details = options->details,
			.memo_bytes = options->memo_bytes,
			.memo_check = options->memo_check,
			.region = options->region,
			.sample = options->sample,
			.on_warm = options->on_warm,
			.warm_user = options->warm_user,
			.view = n == options->view_core ? options->view : NULL,
		};

		c->core[n] = core_create(cfg, traces[n], &o, e);
		if (!c->core[n])
			goto fail;
	}
	if (chip_warm_up(c, e) < 0)
		goto fail;
	for (unsigned n = 0; n < c->cores; n++)
		if (chip_begin(c, n, e) < 0)
			goto fail;
	return c;
fail:
	chip_destroy(c);
	return NULL;
}

void chip_destroy(struct chip *c)
{
	if (!c)
		return;
	for (unsigned n = 0; n < c->cores; n++)
		core_destroy(c->core[n]);
	chip_memory_destroy(c->memory);
	free(c);
}

uint64_t chip_warmed(const struct chip *c)
{
	uint64_t instructions = 0;

	for (unsigned n = 0; n < c->cores; n++)
		instructions += core_warmed(c->core[n]);
	return instructions;
}

/* The earliest present cycle of a core; CYCLE_NEVER if all are done. */
static uint64_t earliest(const struct chip *c)
{
	uint64_t at = CYCLE_NEVER;

	for (unsigned n = 0; n < c->cores; n++)
		at = c->at[n] < at ? c->at[n] : at;
	return at;
}

/* Steps the cores that are at cycle `at`, in their order. `*ret_next`: the earliest present cycle afterwards. */
static int step_cores(struct chip *c, uint64_t at, uint64_t end, uint64_t *ret_next, struct err *e)
{
	uint64_t next = CYCLE_NEVER;

	for (unsigned n = 0; n < c->cores; n++) {
		if (c->at[n] == at) {
			int more = core_step(c->core[n], end, e);

			if (more < 0)
				return err_prefix(e, "core %u", n);
			c->at[n] = more ? c->core[n]->now : CYCLE_NEVER;
		}
		next = c->at[n] < next ? c->at[n] : next;
	}
	*ret_next = next;
	return 0;
}

/* Runs all cores to cycle `end`. Returns as chip_run. */
static int chip_run_to(struct chip *c, uint64_t end, struct err *e)
{
	uint64_t at = earliest(c);

	while (at < end)
		if (step_cores(c, at, end, &at, e) < 0)
			return -1;
	return at != CYCLE_NEVER;
}

int chip_run(struct chip *c, uint64_t limit, struct err *e)
{
	uint64_t now = chip_cycles(c), end = limit < CYCLE_NEVER - now ? now + limit : CYCLE_NEVER;
	int more;

	if (c->cores == 1)
		return core_run(c->core[0], limit, e);
	more = chip_run_to(c, end, e);
	for (unsigned n = 0; n < c->cores; n++)
		flush_counters(c->core[n]);
	return more;
}

unsigned chip_cores(const struct chip *c)
{
	return c->cores;
}

const struct core *chip_core(const struct chip *c, unsigned core)
{
	return c->core[core];
}

uint64_t chip_cycles(const struct chip *c)
{
	uint64_t cycles = 0;

	for (unsigned n = 0; n < c->cores; n++)
		if (core_stats(c->core[n])->cycles > cycles)
			cycles = core_stats(c->core[n])->cycles;
	return cycles;
}

uint64_t chip_instructions(const struct chip *c)
{
	uint64_t instructions = 0;

	for (unsigned n = 0; n < c->cores; n++)
		instructions += core_stats(c->core[n])->instructions;
	return instructions;
}

void chip_activity(const struct chip *c, struct activity *out)
{
	core_activity(c->core[0], out);
	for (unsigned n = 1; n < c->cores; n++) {
		struct activity one;

		core_activity(c->core[n], &one);
		activity_add(out, &one);
	}
	out->cycles = chip_cycles(c);
}
