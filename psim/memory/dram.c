#include "dram.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "dram_channel.h"

struct dram {
	struct dram_map map;
	unsigned channels;
	uint64_t clock_rate, core_rate; /* in the least integers: clocks of the memory for cycles of the core */
	uint64_t latency;               /* cycles */
	struct dram_counts of[DRAM_OWNERS];
	bool overdue; /* a read was served before others: `arrival` is that of the next dram_advance */
	struct dram_arrival arrival;
	struct dram_channel channel[];
};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* n * to / from, rounded up. Frequencies are whole kHz, so that neither product exceeds 64 bits. */
static uint64_t scale_up(uint64_t n, uint64_t from, uint64_t to)
{
	return n / from * to + (n % from * to + from - 1) / from;
}

static uint64_t clock_of(const struct dram *d, uint64_t cycle)
{
	return scale_up(cycle, d->core_rate, d->clock_rate);
}

static uint64_t cycle_of(const struct dram *d, uint64_t clock)
{
	return scale_up(clock, d->clock_rate, d->core_rate);
}

/* The cycle in which the data of a read command of clock `t` is at L2. */
static uint64_t arrival_of(const struct dram *d, const struct dram_channel *c, uint64_t t)
{
	return cycle_of(d, t + c->p->cl + c->burst_clocks) + d->latency;
}

struct dram *dram_create(const struct dram_params *p, unsigned line_bytes, double hertz, unsigned reads,
			 unsigned writes)
{
	struct dram *d = calloc(1, sizeof(*d) + p->channels * sizeof(d->channel[0]));
	uint64_t clock = (uint64_t)llround(p->frequency / 1e3), core = (uint64_t)llround(hertz / 1e3);
	uint64_t divisor = common_divisor(clock, core);
	bool failed = false;

	if (!d)
		return NULL;
	dram_map_init(&d->map, p, line_bytes);
	d->channels = p->channels;
	d->clock_rate = clock / divisor;
	d->core_rate = core / divisor;
	d->latency = (uint64_t)ceil((p->latency.in_cycles ? p->latency.value : p->latency.value * 1e-9 * hertz) *
				    (1 - 1e-12));
	for (unsigned n = 0; n < p->channels; n++)
		failed |= dram_channel_init(&d->channel[n], p, line_bytes, reads, writes, d->of) < 0;
	if (!failed)
		return d;
	dram_destroy(d);
	return NULL;
}

void dram_destroy(struct dram *d)
{
	if (!d)
		return;
	for (unsigned n = 0; n < d->channels; n++)
		dram_channel_finish(&d->channel[n]);
	free(d);
}

static const struct dram_plan *plan_of(struct dram_channel *c)
{
	if (!c->plan.valid)
		c->scheduler->plan(c);
	return &c->plan;
}

/* The arrival of a request whose last read command is that of clock `t`. */
static struct dram_arrival arrival_at(const struct dram *d, const struct dram_channel *c, const struct dram_request *r,
				      uint64_t t)
{
	return (struct dram_arrival){r->line, r->cycle, cycle_of(d, t), arrival_of(d, c, t), r->source, r->owner};
}

/* The channel with the earliest command. */
static struct dram_channel *earliest_channel(struct dram *d)
{
	struct dram_channel *first = &d->channel[0];

	for (unsigned n = 0; n < d->channels; n++)
		if (plan_of(&d->channel[n])->clock < plan_of(first)->clock)
			first = &d->channel[n];
	return first;
}

bool dram_advance(struct dram *d, uint64_t until, struct dram_arrival *out)
{
	uint64_t end = clock_of(d, until);
	struct dram_channel *c;
	struct dram_request r;

	if (d->overdue) {
		d->overdue = false;
		*out = d->arrival;
		return true;
	}
	while (plan_of(c = earliest_channel(d))->clock < end) {
		uint64_t t = c->plan.clock;

		if (!dram_step(c, &r))
			continue;
		*out = arrival_at(d, c, &r, t);
		return true;
	}
	for (unsigned n = 0; n < d->channels; n++)
		if (d->channel[n].time < end)
			d->channel[n].time = end;
	return false;
}

/* A request of the line in cycle `at`; its channel. */
static struct dram_channel *request_of(struct dram *d, struct dram_request *r, uint64_t at, uint64_t line,
				       unsigned owner)
{
	struct dram_place place = dram_place(&d->map, line);
	struct dram_channel *c = &d->channel[place.part[PART_CHANNEL]];
	unsigned bank =
		place.part[PART_RANK] * c->rank_banks + place.part[PART_GROUP] * c->group_banks + place.part[PART_BANK];

	*r = (struct dram_request){
		.line = line,
		.at = clock_of(d, at),
		.row = place.row,
		.bank = bank,
		.bursts = c->line_bursts,
		.cycle = at,
		.owner = owner,
	};
	return c;
}

static struct dram_request *request_find(const struct dram_queue *q, uint64_t line)
{
	for (unsigned n = 0; n < q->count; n++)
		if (q->request[n].line == line)
			return &q->request[n];
	return NULL;
}

uint64_t dram_read(struct dram *d, uint64_t at, uint64_t line, unsigned source, unsigned owner)
{
	struct dram_request r;
	struct dram_channel *c = request_of(d, &r, at, line, owner);

	if (request_find(&c->writes, line)) {
		d->of[owner].forwarded++;
		return at + d->latency + 1;
	}
	r.source = source;
	dram_queue_add(c, &c->reads, &r);
	return 0;
}

/* Where the writes have no room, the oldest goes first. */
static void make_room(struct dram_channel *c)
{
	struct dram_request oldest = c->writes.request[0];

	if (c->writes.count < c->writes.room)
		return;
	dram_serve_first(c, &oldest, true, oldest.at);
	dram_queue_remove(&c->writes, 0);
}

void dram_write(struct dram *d, uint64_t at, uint64_t line, unsigned owner)
{
	struct dram_request r;
	struct dram_channel *c = request_of(d, &r, at, line, owner);

	if (request_find(&c->writes, line))
		return;
	make_room(c);
	dram_queue_add(c, &c->writes, &r);
}

/* A waiting read of the line, and its channel; or NULL. */
static const struct dram_request *waiting_read(const struct dram *d, uint64_t line, const struct dram_channel **ret)
{
	struct dram_place place = dram_place(&d->map, line);

	*ret = &d->channel[place.part[PART_CHANNEL]];
	return request_find(&(*ret)->reads, line);
}

unsigned dram_waiting(const struct dram *d)
{
	unsigned reads = d->overdue;

	for (unsigned n = 0; n < d->channels; n++)
		reads += d->channel[n].reads.count;
	return reads;
}

bool dram_waits(const struct dram *d, uint64_t line)
{
	const struct dram_channel *c;

	return (d->overdue && d->arrival.line == line) || waiting_read(d, line, &c) != NULL;
}

static uint64_t bound_of(const struct dram *d, const struct dram_channel *c, const struct dram_request *r, uint64_t now)
{
	uint64_t from = clock_of(d, now);

	return arrival_of(d, c, dram_earliest_read(c, r, from > c->time ? from : c->time));
}

uint64_t dram_bound(const struct dram *d, uint64_t now, uint64_t line)
{
	const struct dram_channel *c;
	const struct dram_request *r = waiting_read(d, line, &c);

	assert(r || d->overdue);
	return r ? bound_of(d, c, r, now) : d->arrival.at;
}

uint64_t dram_bound_any(const struct dram *d, uint64_t now)
{
	uint64_t first = d->overdue ? d->arrival.at : CYCLES_NEVER;

	for (unsigned n = 0; n < d->channels; n++) {
		const struct dram_channel *c = &d->channel[n];

		for (unsigned k = 0; k < c->reads.count; k++) {
			uint64_t at = bound_of(d, c, &c->reads.request[k], now);

			first = at < first ? at : first;
		}
	}
	return first;
}

/*
 * Serves the oldest read that waits for the channel in clock `t`, if it has let as many pass as the scheduler selects
 * among: without a bound, requests that are served at once would keep it from its bank for ever.
 */
static void serve_overdue(struct dram *d, struct dram_channel *c, uint64_t t)
{
	struct dram_request r;

	if (d->overdue || !c->reads.count || c->reads.request[0].at > t ||
	    ++c->reads.request[0].passed <= c->p->read_queue)
		return;
	r = c->reads.request[0];
	dram_queue_remove(&c->reads, 0);
	d->arrival = arrival_at(d, c, &r, dram_serve_first(c, &r, false, t));
	d->overdue = true;
}

struct dram_served dram_serve(struct dram *d, uint64_t at, uint64_t line, bool write, unsigned owner)
{
	struct dram_request r;
	struct dram_channel *c = request_of(d, &r, at, line, owner);
	uint64_t t, end;

	serve_overdue(d, c, r.at);
	t = dram_serve_first(c, &r, write, r.at);
	if (!write) {
		end = arrival_of(d, c, t);
		return (struct dram_served){cycle_of(d, t), end};
	}
	end = cycle_of(d, t + c->p->cwl + c->burst_clocks);
	return (struct dram_served){cycle_of(d, t), end};
}

void dram_hold(struct dram *d, uint64_t now, uint64_t cycles)
{
	uint64_t until = clock_of(d, now + cycles);

	for (unsigned n = 0; n < d->channels; n++) {
		struct dram_channel *c = &d->channel[n];

		c->time = c->time > until ? c->time : until;
		c->plan.valid = false;
	}
}

uint64_t dram_line_cycles(const struct dram *d)
{
	const struct dram_channel *c = &d->channel[0];

	return cycle_of(d, (uint64_t)c->line_bursts * c->burst_clocks);
}

const struct dram_counts *dram_counts(const struct dram *d, unsigned owner)
{
	return &d->of[owner];
}
