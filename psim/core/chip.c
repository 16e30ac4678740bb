#include "chip.h"

#include <stdlib.h>
#include <string.h>

#include "array_state.h"
#include "core_state.h"
#include "perturb.h"
#include "thread_order.h"

enum { TURN_ROOM = 4 * CHIP_CORES_MAX }; /* the queue of turns moves on in it, by one a turn */

struct chip {
	struct chip_memory *memory; /* NULL with one core, which makes its own */
	unsigned cores;
	struct core *core[CHIP_CORES_MAX];
	/* of several cores: present cycle x CHIP_CORES_MAX + number; TURN_DONE. The least has the next turn */
	uint64_t turn[CHIP_CORES_MAX];
	uint64_t *next; /* the turns in ascending order, somewhere in `queue`; NULL: to be found */
	uint64_t queue[TURN_ROOM];
	struct thread_order *order; /* NULL: cores do not wait for each other */
	const uint64_t *released;   /* thread_order_release of it */
	struct perturbation perturbation;
};
#define TURN_DONE (UINT64_MAX - CHIP_CORES_MAX) /* as that of cycle DONE_CYCLE, which no core reaches */
#define DONE_CYCLE (TURN_DONE / CHIP_CORES_MAX)

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

static uint64_t turn_at(const struct chip *c, unsigned n)
{
	return c->core[n]->now * CHIP_CORES_MAX + n;
}

/* Lets cores go on, in cycle `now`, that need not wait any longer. */
static int pass_stops(struct chip *c, uint64_t now, struct err *e)
{
	for (unsigned k = 0; k < c->cores; k++) {
		if (!thread_order_passes(c->order, k))
			continue;
		if (core_pass(c->core[k], now, e) < 0)
			return err_prefix(e, "core %u", k);
		c->turn[k] = turn_at(c, k);
		c->next = NULL;
	}
	return 0;
}

/* Sets the next turn of core `n`, whose last one returned `more`. 0, or -1. */
static inline int turn_over(struct chip *c, unsigned n, int more, struct err *e)
{
	uint64_t at;

	c->turn[n] = more == 1 ? turn_at(c, n) : TURN_DONE;
	if (!c->order)
		return 0;
	if (*c->released != THREADS_NEVER && thread_order_released(c->order, &at) && pass_stops(c, at, e) < 0)
		return -1;
	if (more == 1)
		return 0;
	thread_order_reach(c->order, n, more ? c->core[n]->front.feed.place : UINT64_MAX, more != 0);
	return pass_stops(c, c->core[n]->now, e);
}

/* Sets core `n` to its first cycle, or to done if its trace has nothing to simulate. */
static int chip_begin(struct chip *c, unsigned n, struct err *e)
{
	int more = core_run(c->core[n], 0, e);

	if (more < 0)
		return c->cores > 1 ? err_prefix(e, "core %u", n) : -1;
	return turn_over(c, n, more, e);
}

/* Returns whether two traces are of two threads of one program, by what their headers have. */
static bool are_threads(const struct trace_info *a, const struct trace_info *b)
{
	if (a->thread == b->thread || a->program_crc != b->program_crc || a->arg_count != b->arg_count)
		return false;
	for (unsigned n = 0; n < a->arg_count; n++)
		if (strcmp(a->args[n], b->args[n]) != 0)
			return false;
	return true;
}

/*
 * The first core whose memory core `n` has by a rule. Of threads: the last of those before it whose program has no
 * thread of that number yet; `first` has the results for the cores before `n`.
 */
static unsigned shared_with(unsigned rule, struct trace_reader *const *traces, const unsigned *first, unsigned n)
{
	if (rule != SHARING_THREADS)
		return rule == SHARING_ALL ? 0 : n;
	for (unsigned k = n; k-- > 0;) {
		bool all = first[k] == k;

		for (unsigned i = k; all && i < n; i++)
			all = first[i] != k || are_threads(trace_info(traces[i]), trace_info(traces[n]));
		if (all)
			return k;
	}
	return n;
}

/* Coherence does not search victim caches. */
static int share_memory(struct chip *c, const struct core_config *cfg, struct trace_reader *const *traces,
			struct err *e)
{
	unsigned first[CHIP_CORES_MAX];

	for (unsigned n = 0; n < c->cores; n++) {
		first[n] = shared_with(cfg->chip.sharing, traces, first, n);
		if (first[n] == n)
			continue;
		if (cfg->l1d.victim_lines)
			return err_set(e, STATUS_USAGE,
				       "l1d.victim_lines = %u: cores %u and %u share memory, expected 0, or "
				       "chip.sharing = none",
				       cfg->l1d.victim_lines, first[n], n);
		memsys_share(c->core[n]->mem, c->core[first[n]]->mem);
	}
	return 0;
}

/* Reads the order of threads of each program. A sample has none: its cores simulate parts of their own. */
static int read_order(struct chip *c, const struct core_config *cfg, struct trace_reader *const *traces,
		      const struct sample_plan *sample, struct err *e)
{
	unsigned first[CHIP_CORES_MAX];

	if (c->cores < 2 || sample || cfg->chip.sharing == SHARING_NONE)
		return 0;
	for (unsigned n = 0; n < c->cores; n++)
		first[n] = shared_with(SHARING_THREADS, traces, first, n);
	c->order = thread_order_create(traces, first, c->cores, e);
	if (!c->order)
		return -1;
	c->released = thread_order_release(c->order);
	return 0;
}

static bool gate(void *order, unsigned core, uint64_t position, bool *marks)
{
	return thread_order_gate(order, core, position, marks);
}

static bool section_left(void *order, unsigned core, uint64_t now)
{
	return thread_order_left(order, core, now);
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
	c->perturbation = perturbation_begin(options->perturbed_run);
	if (c->cores > 1) {
		c->memory = chip_memory_create(cfg, e);
		if (!c->memory)
			goto fail;
	}
	if (read_order(c, cfg, traces, options->sample, e) < 0)
		goto fail;
	for (unsigned n = 0; n < c->cores; n++) {
		struct core_options o = {
			.memory = c->memory,
			.hooks = options->hooks,
			.check = options->check,
			.no_skip = options->no_skip,
			.details = options->details,
			.memo_bytes = options->memo_bytes / c->cores,
			.memo_check = options->memo_check,
			.region = options->region,
			.sample = options->sample,
			.enter = options->enter,
			.enter_user = options->enter_user,
			.segments = options->segments,
			.on_warm = options->on_warm,
			.warm_user = options->warm_user,
			.pipe_trace = n == options->pipe_trace_core ? options->pipe_trace : NULL,
		};

		if (c->order) {
			o.stops = thread_order_stops(c->order, n, &o.stop_count);
			o.gate = gate;
			o.section_left = section_left;
			o.gate_user = c->order;
			o.number = n;
		}
		c->core[n] = core_create(cfg, traces[n], &o, e);
		if (!c->core[n])
			goto fail;
	}
	if (share_memory(c, cfg, traces, e) < 0 || chip_warm_up(c, e) < 0)
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
	thread_order_destroy(c->order);
	free(c);
}

uint64_t chip_warmed(const struct chip *c)
{
	uint64_t instructions = 0;

	for (unsigned n = 0; n < c->cores; n++)
		instructions += core_warmed(c->core[n]);
	return instructions;
}

/* The core whose turn it is: that with the earliest present cycle, and of these with the lowest number. */
struct turn {
	unsigned core;
	uint64_t at;   /* its present cycle; DONE_CYCLE: all are done */
	uint64_t ends; /* the first cycle that it cannot begin before another core has simulated one */
};

/* Puts a turn into its place of the queue, whose first `count` turns are in order. */
static inline void enter_queue(struct chip *c, unsigned count, uint64_t turn)
{
	for (; count && c->queue[count - 1] > turn; count--)
		c->queue[count] = c->queue[count - 1];
	c->queue[count] = turn;
}

static void make_queue(struct chip *c)
{
	c->next = c->queue;
	for (unsigned n = 0; n < c->cores; n++)
		enter_queue(c, n, c->turn[n]);
}

/* Replaces the first turn of the queue, which is over, by the next one of its core. */
static inline void requeue(struct chip *c, uint64_t turn)
{
	uint64_t *at;

	if (!c->next) /* all are to be found again */
		return;
	at = c->next + c->cores;
	*c->next++ = 0; /* no turn is before it */
	for (; at[-1] > turn; at--)
		*at = at[-1];
	*at = turn;
	if (c->next == c->queue + TURN_ROOM - CHIP_CORES_MAX) {
		memcpy(c->queue, c->next, c->cores * sizeof(*c->next));
		c->next = c->queue;
	}
}

static inline struct turn next_turn(struct chip *c)
{
	uint64_t first, second;

	if (!c->next)
		make_queue(c);
	first = c->next[0];
	second = c->next[1];
	return (struct turn){
		.core = first % CHIP_CORES_MAX,
		.at = first / CHIP_CORES_MAX,
		/* one more if its number is above the first one's */
		.ends = (second - first % CHIP_CORES_MAX + CHIP_CORES_MAX - 1) / CHIP_CORES_MAX,
	};
}

/* Where all cores stop: lets one go on. 1, 0 if none can, or -1. */
static int break_circle(struct chip *c, struct err *e)
{
	uint64_t now = 0;

	if (!c->order || !thread_order_gives_way(c->order))
		return 0;
	for (unsigned n = 0; n < c->cores; n++)
		now = c->core[n]->now > now ? c->core[n]->now : now;
	return pass_stops(c, now, e) < 0 ? -1 : 1;
}

/* Runs all cores to cycle `end`, or until none has a turn: *more is then false. 0, or -1. */
static int take_turns(struct chip *c, uint64_t end, bool *more, struct err *e)
{
	const uint64_t last = earlier(end, DONE_CYCLE);
	struct turn t = next_turn(c);

	for (; t.at < last; t = next_turn(c)) {
		int ret = core_turn(c->core[t.core], end, t.ends, e);

		if (ret < 0)
			return err_prefix(e, "core %u", t.core);
		if (turn_over(c, t.core, ret, e) < 0)
			return -1;
		requeue(c, c->turn[t.core]);
	}
	*more = t.at != DONE_CYCLE;
	return 0;
}

/* Runs all cores to cycle `end`. Returns as chip_run. */
static int chip_run_to(struct chip *c, uint64_t end, struct err *e)
{
	bool more;
	int again;

	do {
		if (take_turns(c, end, &more, e) < 0)
			return -1;
		again = more ? 0 : break_circle(c, e);
	} while (again > 0);
	if (again < 0 || (!more && c->order && thread_order_stuck(c->order, e) < 0))
		return -1;
	return more;
}

/* Pauses fetch in each core, and the memory channel. Nothing of a core is in the middle of a cycle. */
static void chip_perturb(struct chip *c)
{
	struct perturbation *p = &c->perturbation;

	for (unsigned n = 0; n < c->cores; n++) {
		uint64_t cycles = perturbation_pause(p, n);

		fetch_pause(c->core[n], cycles);
		if (!n)
			memsys_occupy(c->core[n]->mem, p->at, cycles);
		p->held += cycles;
	}
	perturbation_next(p);
}

int chip_run(struct chip *c, uint64_t limit, struct err *e)
{
	uint64_t now = chip_cycles(c), end = limit < CYCLE_NEVER - now ? now + limit : CYCLE_NEVER, to;
	int more;

	do {
		to = earlier(end, c->perturbation.at);
		more = c->cores == 1 ? core_run(c->core[0], to - now, e) : chip_run_to(c, to, e);
		now = to;
		if (more > 0 && to == c->perturbation.at)
			chip_perturb(c);
	} while (more > 0 && to < end);
	for (unsigned n = 0; c->cores > 1 && n < c->cores; n++)
		flush_counters(c->core[n]);
	return more;
}

uint64_t chip_held(const struct chip *c)
{
	return c->perturbation.held;
}

unsigned chip_cores(const struct chip *c)
{
	return c->cores;
}

const struct core *chip_core(const struct chip *c, unsigned core)
{
	return c->core[core];
}

struct core *chip_only_core(struct chip *c)
{
	return c->core[0];
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

/* Adds the sleep of a gated array in the `cycles` behind its core's last one, in which other cores go on. */
static void rest_asleep(const struct core *c, uint64_t cycles, struct activity *out)
{
	const uint64_t to = c->now + cycles;
	uint64_t from;

	if (!cycles || !c->array || c->array->p->power != POWER_GATED)
		return;
	from = array_asleep_from(c->array);
	if (to <= from)
		return;
	out->sleeps += from == c->array->sleep_from;
	out->asleep += to - from;
}

void chip_activity(const struct chip *c, struct activity *out)
{
	const uint64_t cycles = chip_cycles(c);

	*out = (struct activity){0};
	for (unsigned n = 0; n < c->cores; n++) {
		struct activity one;

		core_activity(c->core[n], &one);
		rest_asleep(c->core[n], cycles - core_stats(c->core[n])->cycles, &one);
		activity_add(out, &one);
	}
	out->cycles = cycles;
}
