/*
 * What looking up states is worth, in host instructions. To find that a signature is new costs about PASS, and
 * PASS_SLOT for each instruction in the window. To look up a state whose signature was seen, and to record it if it is
 * new, costs LOOK_UP and LOOK_UP_SLOT. A replayed transition saves about GAIN, and GAIN_CYCLE for each cycle.
 * docs/accuracy/speed-replay.md has the counts.
 *
 * Programs repeat themselves at some places only, as where a mispredicted branch has emptied the window. So the looks
 * are averaged by how full the window is. In a run that pays, and that has no array, some places have each EXPLORE-th
 * look only: those where looks lose, and gain less than half of what all looks do. A state behind a recorded transition
 * is always looked up: that transition cannot be replayed without it.
 *
 * What is learned pays later. So a run may lose at first, up to DEBT for each instruction of the trace, while a window
 * of WINDOW looks gains 1/PROMISE of what it spends. After PATIENCE windows without promise in a row, cycles are
 * simulated in detail without looking up, until SHARE for each instruction has made up for these and another attempt,
 * of twice as many. So a run that never repeats itself loses a little more than SHARE for each instruction, of which
 * the detailed core costs 600 or more.
 */
#include "memo_graph.h"

enum {
	LOOK_UP = 6000,
	LOOK_UP_SLOT = 200, /* more for each instruction in the window */
	PASS = 600,
	PASS_SLOT = 25,
	GAIN = 900,
	ARRAY_GAIN = 1900,
	GAIN_CYCLE = 200, /* more for each cycle of a transition, up to GAIN_CYCLES: the rest are idle */
	GAIN_CYCLES = 8,
	LATELY = 128, /* looks over which the worth of a place is averaged */
	EXPLORE = 16,
	AFRESH = 16, /* a look that gains so many times its cost */
	WINDOW = 512,
	PROMISE = 5,
	DEBT = 48,
	PATIENCE = 6,
	SHARE = 3,
	ATTEMPT = 4,    /* an attempt and the next one cost so many times as much as the former alone */
	MOST = 5000000, /* of the balance: what was gained long ago does not pay for an irregular part */
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

	w->visit = c->array ? ARRAY_GAIN : GAIN;
	w->debt = DEBT * (int64_t)earlier(expected_length(c), UINT32_MAX);
	w->patience = PATIENCE;
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

/* Adds what the last look has cost and gained. */
static void look_ends(struct worth *w)
{
	if (!w->cost)
		return;
	average(w->last, w->gains, w->cost);
	average(&w->all, w->gains, w->cost);
	w->gained += w->gains;
	w->spent += w->cost;
	w->balance += w->gains - w->cost;
	if (w->balance > MOST)
		w->balance = MOST;
	w->cost = w->gains = 0;
}

/* Lets the core simulate in detail, in core.c, up to an instruction. */
static void rest(struct core *c)
{
	struct memo *m = c->memo;

	m->worth.rest_since = c->now;
	c->memo_wake = c->counters.stats.instructions + (uint64_t)m->worth.lost * ATTEMPT / SHARE;
	m->worth.lost = 0;
	m->worth.failures = 0;
	m->worth.patience += m->worth.patience < 1u << 16 ? m->worth.patience : 0;
}

/* Returns whether the window of looks that ends is worth another one. */
static bool promises(const struct worth *w)
{
	return w->balance >= 0 || (w->gained * PROMISE >= w->spent && w->balance > -w->debt);
}

static void window_ends(struct core *c)
{
	struct worth *w = &c->memo->worth;

	if (promises(w)) {
		w->failures = 0;
		w->lost = 0;
	} else {
		w->failures++;
		w->lost += w->spent > w->gained ? w->spent - w->gained : 0;
	}
	w->looks = 0;
	w->pays = 2 * w->gained >= w->spent;
	w->spent = w->gained = 0;
	if (w->failures >= w->patience && !c->memo->tireless)
		rest(c);
}

void worth_costs(struct core *c, struct look_worth *l, bool seen)
{
	struct worth *w = &c->memo->worth;

	look_ends(w);
	w->last = l;
	w->cost = seen ? LOOK_UP + LOOK_UP_SLOT * c->win.rob_count : PASS + PASS_SLOT * c->win.rob_count;
	if (++w->looks >= WINDOW)
		window_ends(c);
}

void worth_gains(struct memo *m)
{
	struct worth *w = &m->worth;
	uint64_t visits = m->stats.visits - w->visits, cycles = m->stats.replayed - w->replayed;

	w->gains += (int64_t)visits * w->visit;
	w->gains += (int64_t)earlier(cycles, GAIN_CYCLES * visits) * GAIN_CYCLE;
	w->visits = m->stats.visits;
	w->replayed = m->stats.replayed;
}

void worth_wake(struct core *c)
{
	struct memo *m = c->memo;

	m->stats.detailed += c->now - m->worth.rest_since;
	c->memo_wake = 0;
}
