/*
 * What looking up states is worth, in host instructions. To find that a signature is new costs PASS, and PASS_SLOT for
 * each instruction in the window. To look up a state whose signature was seen costs LOOK_UP and LOOK_UP_SLOT, to come
 * back from its replay BACK, and to record a cycle RECORD. A replayed transition saves about GAIN, and GAIN_CYCLE for
 * each cycle. docs/accuracy/speed-replay.md has the counts.
 *
 * Programs repeat themselves at some places only, as where a mispredicted branch has emptied the window. So the looks
 * are averaged by how full the window is. In a run that pays, and that has no array, some places have each EXPLORE-th
 * look only: those where looks lose, and gain less than half of what all looks do. A state behind a recorded transition
 * is always looked up: that transition cannot be replayed without it.
 *
 * What is learned pays later. So a run may lose at first. After each window of looks, whose number doubles up to
 * WINDOW_MOST, it goes on if (learns)
 *   - its balance is not below zero, or the window gains more than it spends (gains count up to MOST and 1/PROMISE of
 *     all that the run has gained, so that it may learn a new phase); or
 *   - the window gains 1/PROMISE of what it spends, and the run owes at most DEBT for each instruction of the trace; or
 *   - it owes at most DEBT_MOST for each, and the window gains less than a third of what it spends, as the run has
 *     learned little yet, or half as much again for its cost as the window before. A run that gains more than a third,
 *     and learns more slowly, will not pay.
 * Else cycles are simulated in detail without looking up, until SHARE for each instruction has made up for the loss and
 * for another attempt, which may lose twice as much. So a run that never repeats itself loses a little more than SHARE
 * for each instruction, of which the detailed core costs 500 or more.
 */
#include "memo_graph.h"

enum {
	PASS = 1500,
	PASS_SLOT = 16,
	LOOK_UP = 1500,
	LOOK_UP_SLOT = 85,
	BACK = 14500, /* core_restore, and the cycles that are simulated again */
	RECORD = 650, /* more than a cycle of the detailed core */
	GAIN = 1000,
	ARRAY_GAIN = 1900,
	GAIN_CYCLE = 80, /* more for each cycle of a transition, up to GAIN_CYCLES: the rest are idle */
	GAIN_CYCLES = 8,
	LATELY = 128, /* looks over which the worth of a place is averaged */
	EXPLORE = 16,
	AFRESH = 16,  /* a look that gains so many times its cost */
	WINDOW = 512, /* looks */
	WINDOW_MOST = 4096,
	PROMISE = 8,
	DEBT = 6,
	DEBT_MOST = 88,
	SHARE = 3,
	ATTEMPT = 4,    /* an attempt and the next one cost so many times as much as the former alone */
	MOST = 5000000, /* of the balance, beside 1/PROMISE of what the run has gained */
};

/* About how many instructions will be simulated. */
static uint64_t expected_length(const struct core *c)
{
	enum { UNKNOWN = 1000000 };
	const struct sample_plan *p = c->opt.sample;
	uint64_t length = trace_length(c->front.feed.reader);

	if (!length || c->opt.region)
		return UNKNOWN;
	return p ? length / p->every * (p->warm_up + p->unit + p->tail) : length;
}

void worth_init(struct core *c)
{
	struct worth *w = &c->memo->worth;
	int64_t length = (int64_t)earlier(expected_length(c), UINT32_MAX);

	w->visit = c->array ? ARRAY_GAIN : GAIN;
	w->debt = DEBT * length;
	w->debt_most = DEBT_MOST * length;
	w->grace = 2 * WINDOW;
	w->window = WINDOW;
	w->last = &w->all;
}

struct look_worth *worth_of(const struct core *c)
{
	struct worth *w = &c->memo->worth;

	return c->memo->pending ? &w->linked
				: &w->place[c->win.rob_count * (WORTH_PLACES - 1) / c->cfg->core.rob_entries];
}

/* Returns whether all places have a look: in tests, in runs that do not pay, and in machines with an array. */
static bool looks_everywhere(const struct memo *m)
{
	return m->tireless || !m->worth.pays || m->wide;
}

bool worth_looks(const struct memo *m, struct look_worth *w)
{
	if (looks_everywhere(m) || w == &m->worth.linked || w->looks < LATELY / 2 || w->net >= 0 ||
	    2 * w->gain >= m->worth.all.gain)
		return true;
	if (++w->passed < EXPLORE)
		return false;
	w->passed = 0;
	return true;
}

/* Adds a look to the averages. */
static void average(struct look_worth *w, int64_t gain, int64_t cost)
{
	int64_t looks;

	w->looks += w->looks < LATELY;
	looks = w->looks;
	w->gain += (gain - w->gain) / looks;
	w->net += (gain - cost - w->net) / looks;
	if (gain > AFRESH * cost)
		w->looks = 0; /* what it lost while the graph was small says little */
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Adds what the last look has cost and gained. */
static void look_ends(struct worth *w)
{
	if (!w->cost)
		return;
	average(w->last, w->gains, w->cost);
	average(&w->all, w->gains, w->cost);
	w->now.gained += w->gains;
	w->now.spent += w->cost;
	w->earned += w->gains - w->cost;
	w->balance = smaller(w->balance + w->gains - w->cost, MOST + larger(w->earned, 0) / PROMISE);
	w->cost = w->gains = 0;
}

/* Begins an attempt, which may be as long as `grace` without promise, in looks. */
static void begin_attempt(struct worth *w, uint64_t grace)
{
	w->window = WINDOW;
	w->looks = w->tried = 0;
	w->before = (struct window_worth){0};
	w->grace = grace;
	w->balance = 0;
}

/* Lets the core simulate in detail, in core.c, up to an instruction. */
static void rest(struct core *c)
{
	struct worth *w = &c->memo->worth;
	int64_t lost = -w->balance;

	w->rest_since = c->now;
	c->memo_wake = c->counters.stats.instructions + (uint64_t)(lost * ATTEMPT / SHARE);
	w->debt = w->debt_most = 2 * lost;
	begin_attempt(w, w->grace < 1u << 16 ? 2 * w->grace : w->grace);
}

/* Returns whether the window of looks that ends is worth another one. */
static bool learns(const struct worth *w)
{
	const struct window_worth *a = &w->now, *b = &w->before;

	if (w->balance >= 0 || a->gained >= a->spent || w->tried <= w->grace)
		return true;
	if (PROMISE * a->gained < a->spent || w->balance < -w->debt_most)
		return false;
	return w->balance >= -w->debt || 3 * a->gained < a->spent ||
	       2 * a->gained * b->spent >= 3 * b->gained * a->spent;
}

static void window_ends(struct core *c)
{
	struct worth *w = &c->memo->worth;
	bool goes_on;

	w->tried += w->looks;
	goes_on = learns(w) || c->memo->tireless;
	w->pays = 2 * w->now.gained >= w->now.spent;
	w->before = w->now;
	w->now = (struct window_worth){0};
	w->looks = 0;
	if (w->tried > WINDOW && w->window < WINDOW_MOST)
		w->window *= 2;
	if (!goes_on)
		rest(c);
}

void worth_costs(struct core *c, struct look_worth *l, bool seen)
{
	struct worth *w = &c->memo->worth;

	look_ends(w);
	w->last = l;
	w->cost = PASS + PASS_SLOT * c->win.rob_count;
	if (seen)
		w->cost += LOOK_UP + LOOK_UP_SLOT * c->win.rob_count;
	if (++w->looks >= w->window)
		window_ends(c);
}

void worth_found(struct memo *m)
{
	m->worth.cost += BACK;
}

void worth_gains(struct memo *m)
{
	struct worth *w = &m->worth;
	uint64_t visits = m->stats.visits - w->visits, cycles = m->stats.replayed - w->replayed;

	w->gains += (int64_t)visits * w->visit;
	w->gains += (int64_t)earlier(cycles, GAIN_CYCLES * visits) * GAIN_CYCLE;
	w->cost += (int64_t)(m->stats.recorded - w->recorded) * RECORD;
	w->visits = m->stats.visits;
	w->recorded = m->stats.recorded;
	w->replayed = m->stats.replayed;
}

void worth_wake(struct core *c)
{
	struct memo *m = c->memo;

	m->stats.detailed += c->now - m->worth.rest_since;
	c->memo_wake = 0;
}
