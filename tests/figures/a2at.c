#include "a2at.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netlink/log/log.h"
#include "psim/base/mem.h"
#include "psim/base/rng.h"
#include "netlink/engines/engine_kinds.h"

/* ---- programs ---- */
static struct a2at_program *empty(unsigned n)
{
	struct a2at_program *p = mem_alloc(1, sizeof(*p), NULL);

	if (!p)
		return NULL;
	p->n = n;
	p->dims = 2;
	p->nodes = n * n;
	p->phase = mem_alloc(A2AT_PHASES_MAX, sizeof(*p->phase), NULL);
	if (!p->phase) {
		free(p);
		return NULL;
	}
	return p;
}

void a2at_free(struct a2at_program *p)
{
	if (!p)
		return;
	free(p->phase);
	free(p);
}

static unsigned distance(int d, unsigned n)
{
	unsigned one = (unsigned)abs(d) % n;

	return one < n - one ? one : n - one;
}

/* Hops of the k-th message of a phase. */
static unsigned hops_of(const struct a2at_program *p, const struct a2at_phase *f, unsigned k)
{
	return distance(f->x[k], p->n) + distance(f->y[k], p->n) + distance(f->z[k], p->n);
}

static void add(struct a2at_program *p, double bias, unsigned sends, const int (*at)[2])
{
	struct a2at_phase *f = &p->phase[p->count++];

	*f = (struct a2at_phase){.to = TO_OFFSET, .sends = sends, .bias = bias};
	for (unsigned k = 0; k < sends; k++) {
		f->x[k] = at[k][0];
		f->y[k] = at[k][1];
		if (hops_of(p, f, k) > f->hops)
			f->hops = hops_of(p, f, k);
	}
	p->sequences++;
}

/* The reconstruction of the paper's listing: docs/accuracy/pacing.md. */
struct a2at_program *a2at_program(unsigned n, double bias)
{
	struct a2at_program *p = empty(n);
	int half = (int)n / 2;

	if (!p)
		return NULL;
	for (int i = 1; i <= ((int)n - 1) / 2; i++) {
		add(p, bias, 4, (const int[][2]){{i, 0}, {-i, 0}, {0, i}, {0, -i}});
		add(p, bias, 4, (const int[][2]){{i, i}, {-i, -i}, {-i, i}, {i, -i}});
		for (int j = 1; j < i; j++) {
			add(p, bias, 4, (const int[][2]){{i, j}, {-i, -j}, {j, i}, {-j, -i}});
			add(p, bias, 4, (const int[][2]){{-i, j}, {i, -j}, {j, -i}, {-j, i}});
		}
	}
	if (n % 2)
		return p;
	for (int k = 1; k < half; k++)
		add(p, bias, 4, (const int[][2]){{half, k}, {half, -k}, {k, half}, {-k, half}});
	add(p, bias, 3, (const int[][2]){{half, half}, {half, 0}, {0, half}});
	return p;
}

/* Returns whether a phase is of the four messages (-i, j), (i, -j), (j, -i), (-j, i), i > j, in this order. */
static bool is_unlike(const struct a2at_program *p, const struct a2at_phase *f)
{
	int half = (int)p->n / 2, x = f->x[0], y = f->y[0];

	if (f->to != TO_OFFSET || f->sends != 4 || (p->n % 2 == 0 && -x == half))
		return false;
	return x < 0 && y > 0 && -x > y && f->x[2] == y && f->y[2] == x;
}

void a2at_reorder(struct a2at_program *p, enum a2at_order order)
{
	static const unsigned from[][A2AT_SENDS] = {
		[ORDER_RECONSTRUCTED] = {0, 1, 2, 3}, [ORDER_PRINTED] = {3, 2, 0, 1}, [ORDER_MIRRORED] = {0, 1, 3, 2}};

	for (unsigned i = 0; i < p->count; i++) {
		struct a2at_phase *f = &p->phase[i], was = *f;

		if (!is_unlike(p, f))
			continue;
		for (unsigned k = 0; k < A2AT_SENDS; k++) {
			f->x[k] = was.x[from[order][k]];
			f->y[k] = was.y[from[order][k]];
		}
	}
}

/* Adds the messages to (x, y, z), its turns and their opposites; two if all turns are the same. */
static void add_turns(struct a2at_program *p, double bias, int x, int y, int z)
{
	struct a2at_phase *f = &p->phase[p->count++];
	const int at[] = {x, y, z};

	*f = (struct a2at_phase){.to = TO_OFFSET, .bias = bias};
	for (unsigned turn = 0; turn < (x == y && y == z ? 1U : 3U); turn++)
		for (int sign = 1; sign >= -1; sign -= 2, f->sends++) {
			f->x[f->sends] = sign * at[turn];
			f->y[f->sends] = sign * at[(turn + 1) % 3];
			f->z[f->sends] = sign * at[(turn + 2) % 3];
		}
	f->hops = hops_of(p, f, 0);
	p->sequences++;
}

/* Returns whether (x, y, z) is the first, in the order of its digits, of its turns and their opposites. */
static bool is_first_turn(int x, int y, int z, int n)
{
	int self = (x * 2 * n + y) * 2 * n + z, a = (y * 2 * n + z) * 2 * n + x, b = (z * 2 * n + x) * 2 * n + y;

	return self > 0 && self >= a && self >= b && self >= -a && self >= -b;
}

struct a2at_program *a2at_cube(unsigned n, double bias)
{
	struct a2at_program *p = empty(n);
	int most = (int)n / 2;

	if (!p)
		return NULL;
	p->dims = 3;
	p->nodes = n * n * n;
	for (int hops = 1; hops <= 3 * most; hops++)
		for (int x = -most; x <= most; x++)
			for (int y = -most; y <= most; y++)
				for (int z = -most; z <= most; z++)
					if (abs(x) + abs(y) + abs(z) == hops && is_first_turn(x, y, z, (int)n))
						add_turns(p, bias, x, y, z);
	return p;
}

static struct a2at_program *one_at_a_time(unsigned n, enum a2at_to to)
{
	struct a2at_program *p = empty(n);

	for (unsigned k = 1; p && k < n * n; k++) {
		p->phase[p->count++] = (struct a2at_phase){.to = to, .sends = 1, .x = {(int)k}, .bias = (double)NAN};
		p->sequences++;
	}
	return p;
}

struct a2at_program *a2at_pairwise(unsigned n)
{
	return one_at_a_time(n, TO_XOR);
}

struct a2at_program *a2at_ring(unsigned n)
{
	return one_at_a_time(n, TO_SHIFT);
}

struct a2at_program *a2at_bruck(uint32_t nodes)
{
	struct a2at_program *p = empty(1);

	for (uint32_t k = 1; p && k < nodes; k *= 2) {
		p->phase[p->count++] =
			(struct a2at_phase){.to = TO_SHIFT, .sends = 1, .x = {(int)k}, .bias = (double)NAN};
		p->sequences++;
	}
	if (p)
		p->nodes = nodes;
	return p;
}

struct a2at_program *a2at_copy(const struct a2at_program *all)
{
	struct a2at_program *p = empty(all->n);

	if (!p)
		return NULL;
	memcpy(p->phase, all->phase, all->count * sizeof(*p->phase));
	p->dims = all->dims;
	p->nodes = all->nodes;
	p->count = all->count;
	p->sequences = all->sequences;
	return p;
}

struct a2at_program *a2at_single(const struct a2at_program *all, unsigned sequence)
{
	struct a2at_program *p = empty(all->n);

	if (p) {
		p->phase[p->count++] = all->phase[sequence];
		p->sequences = 1;
	}
	return p;
}

struct a2at_program *a2at_with_barriers(const struct a2at_program *all)
{
	struct a2at_program *p = empty(all->n);

	for (unsigned i = 0; p && i < all->count; i++) {
		p->phase[p->count++] = all->phase[i];
		p->sequences++;
		for (unsigned k = 1; k < all->n * all->n; k *= 2)
			p->phase[p->count++] = (struct a2at_phase){
				.to = TO_SHIFT,
				.sends = 1,
				.x = {(int)k},
				.barrier = true,
				.bias = (double)NAN,
			};
	}
	return p;
}

double a2at_ideal(unsigned n, uint64_t bytes)
{
	double wire = (double)bytes + 32 * ceil((double)bytes / (2048 - 32));

	return n / 2.0 * floor(n / 2.0) * ceil(n / 2.0) * wire / 4e9;
}

double a2at_cube_ideal(unsigned n, uint64_t bytes)
{
	return n * a2at_ideal(n, bytes);
}

/* ---- running one ---- */
/* A message is the data alone, or a request to send, the answer, and the data. */
enum part { PART_ASK, PART_CLEAR, PART_DATA, PARTS };

struct node {
	unsigned phase;
	unsigned out;    /* sends of this phase that have not left */
	int64_t posted;  /* the last isend has returned */
	int64_t sent_at; /* the last one left */
};

struct drive {
	const struct a2at_program *p;
	const struct a2at_run *run;
	const struct net_engine_kind *kind;
	struct net_engine *engine;
	struct node *node;
	uint8_t *come;    /* [phase * nodes + node]: messages that have come */
	uint8_t *asked;   /* likewise: bit k: the request to send of a k-th message has come before its receive */
	int64_t *come_at; /* [node]: the last one of the present phase */
	uint32_t nodes;
	uint32_t done;
	int64_t first_end, last_end;
	int64_t *phase_end;
};

/* The node that is (x, y, z) away from `node`. */
static uint32_t away(const struct drive *d, uint32_t node, int x, int y, int z)
{
	uint32_t n = d->p->n, plane = n * n;

	x = ((int)(node % n) + x + (int)n) % (int)n;
	y = ((int)(node / n % n) + y + (int)n) % (int)n;
	z = d->p->dims > 2 ? ((int)(node / plane) + z + (int)n) % (int)n : 0;
	return (uint32_t)x + (uint32_t)y * n + (uint32_t)z * plane;
}

static uint32_t target(const struct drive *d, const struct a2at_phase *f, uint32_t node, unsigned k)
{
	switch (f->to) {
	case TO_SHIFT: return (node + (uint32_t)f->x[k]) % d->nodes;
	case TO_XOR: return node ^ (uint32_t)f->x[k];
	default: return away(d, node, f->x[k], f->y[k], f->z[k]);
	}
}

/* The node whose k-th message of phase `f` goes to `node`. */
static uint32_t origin(const struct drive *d, const struct a2at_phase *f, uint32_t node, unsigned k)
{
	switch (f->to) {
	case TO_SHIFT: return (node + d->nodes - (uint32_t)f->x[k]) % d->nodes;
	case TO_XOR: return node ^ (uint32_t)f->x[k];
	default: return away(d, node, -f->x[k], -f->y[k], -f->z[k]);
	}
}

/* The pause behind each packet of a phase's k-th message: (its hops - 1 + bias) full packets' link
 * time. */
static int64_t gap_of(const struct drive *d, const struct a2at_phase *f, unsigned k)
{
	double gap;

	if (f->barrier || isnan(f->bias))
		return 0;
	gap = hops_of(d->p, f, k) - 1 + f->bias;
	return gap <= 0 ? 0 : llround(gap * (double)d->run->config->nic.mtu / 4e9 * 1e12);
}

/* Sends part `part` of the k-th message that `src` sends in phase number `phase`. */
static int send_part(struct drive *d, unsigned phase, uint32_t src, unsigned k, enum part part, int64_t now,
		     struct err *e)
{
	const struct a2at_phase *f = &d->p->phase[phase];
	uint32_t dst = target(d, f, src, k);
	struct net_message m = {
		.id = ((phase * d->nodes + src) * A2AT_SENDS + k) * PARTS + part,
		.src = part == PART_CLEAR ? dst : src,
		.dst = part == PART_CLEAR ? src : dst,
		.nic = (int32_t)k,
		.control = part != PART_DATA,
	};

	if (part == PART_DATA) {
		m.bytes = f->barrier ? 0 : d->run->bytes;
		m.gap_ps = gap_of(d, f, k);
	}
	return d->kind->send(d->engine, now, &m, e);
}

static int begin_phase(struct drive *d, uint32_t i, int64_t now, struct err *e)
{
	struct node *node = &d->node[i];
	const struct a2at_phase *f = &d->p->phase[node->phase];
	int64_t call = d->run->call_ps;
	bool ask = d->run->handshake == HANDSHAKE_ALL || (d->run->handshake && !f->barrier);

	if (d->run->jitter_ps && !f->barrier)
		now += (int64_t)rng_below(d->run->seed, i, node->phase, (uint64_t)d->run->jitter_ps + 1);
	if (i == 0 && node->phase == 0)
		now += d->run->late_ps;
	for (unsigned k = 0; k < f->sends; k++) { /* irecv */
		now += call;
		if (d->asked[(size_t)node->phase * d->nodes + i] >> k & 1 &&
		    send_part(d, node->phase, origin(d, f, i, k), k, PART_CLEAR, now, e) < 0)
			return -1;
	}
	node->out = f->sends;
	node->sent_at = 0;
	for (unsigned k = 0; k < f->sends; k++) {
		now += call + d->run->processor_ps;
		if (send_part(d, node->phase, i, k, ask ? PART_ASK : PART_DATA, now, e) < 0)
			return -1;
	}
	node->posted = now;
	d->come_at[i] = now + d->run->processor_ps * d->come[(size_t)node->phase * d->nodes + i];
	return 0;
}

/* A wait that is called at `now` for what has come at `come`: when it returns. */
static int64_t wait_for(const struct drive *d, int64_t now, int64_t come)
{
	if (d->run->wait == WAIT_BEFORE)
		now += d->run->call_ps;
	if (now < come)
		now = come;
	return d->run->wait == WAIT_AFTER ? now + d->run->call_ps : now;
}

/* Goes to the next phase if all of this one is done at `now`. */
static int maybe_next(struct drive *d, uint32_t i, struct err *e)
{
	for (;;) {
		struct node *node = &d->node[i];
		const struct a2at_phase *f = &d->p->phase[node->phase];
		int64_t at;

		if (node->out || d->come[(size_t)node->phase * d->nodes + i] < f->sends)
			return 0;
		at = wait_for(d, wait_for(d, node->posted, node->sent_at), d->come_at[i]);
		if (at > d->phase_end[node->phase])
			d->phase_end[node->phase] = at;
		if (++node->phase == d->p->count) {
			d->done++;
			if (d->done == 1 || at < d->first_end)
				d->first_end = at;
			if (at > d->last_end)
				d->last_end = at;
			return 0;
		}
		if (begin_phase(d, i, at, e) < 0)
			return -1;
	}
}

/* A request to send has arrived at `i`; it is granted as soon as the receive is posted. */
static int take_ask(struct drive *d, unsigned phase, uint32_t i, unsigned k, int64_t now, struct err *e)
{
	const struct a2at_phase *f = &d->p->phase[phase];
	const struct node *node = &d->node[i];
	int64_t posted = node->posted - d->run->call_ps * (2 * f->sends - 1 - k) - d->run->processor_ps * f->sends;

	if (node->phase == phase)
		return send_part(d, phase, origin(d, f, i, k), k, PART_CLEAR, now > posted ? now : posted, e);
	d->asked[(size_t)phase * d->nodes + i] |= (uint8_t)(1U << k);
	return 0;
}

static int take_notice(struct drive *d, const struct net_notice *notice, struct err *e)
{
	enum part part = (enum part)(notice->id % PARTS);
	uint32_t k = notice->id / PARTS % A2AT_SENDS, rest = notice->id / PARTS / A2AT_SENDS, src = rest % d->nodes;
	unsigned phase = rest / d->nodes;
	uint32_t i = notice->kind == NET_SENT ? src : target(d, &d->p->phase[phase], src, k);

	if (part != PART_DATA && notice->kind == NET_SENT)
		return 0;
	if (part == PART_ASK)
		return take_ask(d, phase, i, k, notice->time_ps, e);
	if (part == PART_CLEAR)
		return send_part(d, phase, src, k, PART_DATA, notice->time_ps, e);
	if (notice->kind == NET_SENT) {
		d->node[i].out--;
		if (notice->time_ps > d->node[i].sent_at)
			d->node[i].sent_at = notice->time_ps;
	} else {
		d->come[(size_t)phase * d->nodes + i]++;
		if (phase == d->node[i].phase)
			d->come_at[i] = (notice->time_ps > d->come_at[i] ? notice->time_ps : d->come_at[i]) +
					d->run->processor_ps;
	}
	return d->node[i].phase < d->p->count ? maybe_next(d, i, e) : 0;
}

static int drive(struct drive *d, struct err *e)
{
	struct net_notice notices[64];
	int count;

	for (uint32_t i = 0; i < d->nodes; i++)
		if (begin_phase(d, i, 0, e) < 0)
			return -1;
	while (d->done < d->nodes) {
		count = d->kind->advance(d->engine, NET_TIME_NEVER, notices, 64, e);
		if (count < 0)
			return -1;
		if (!count)
			return err_set(e, STATUS_FAILED, "nothing is under way, and %u of %u nodes are done", d->done,
				       d->nodes);
		for (int i = 0; i < count; i++)
			if (take_notice(d, &notices[i], e) < 0)
				return -1;
	}
	return d->kind->verify(d->engine, e);
}

static void read_result(struct drive *d, struct a2at_result *result)
{
	result->seconds = (double)d->last_end * 1e-12;
	result->imbalance = (double)(d->last_end - d->first_end) * 1e-12;
	if (d->kind == &net_packet)
		result->counts = net_packet_counts(d->engine);
	result->use = result->counts.router_links_busy;
	for (unsigned i = 0; result->phase_end && i < d->p->count; i++)
		result->phase_end[i] = (double)d->phase_end[i] * 1e-12;
}

/* Returns the log of what is drawn over time; NULL if nothing is. */
static struct net_log *log_of(const struct a2at_run *run, const struct topology *t, struct err *e)
{
	struct net_log_setup setup = {.topology = t, .series = true, .interval_ps = run->config->engine.interval};

	return t && run->picture ? net_log_create(&setup, e) : NULL;
}

static int draw(const struct a2at_run *run, struct net_log *log, struct err *e)
{
	return log ? net_log_picture(log, run->title, run->picture, e) : 0;
}

int a2at_run(const struct a2at_program *p, const struct a2at_run *run, struct a2at_result *result, struct err *e)
{
	struct topology *t = topology_create(run->topology, e);
	struct net_setup setup = {.topology = t, .config = run->config, .seed = run->seed, .check = run->check};
	struct net_log *log = log_of(run, t, e);
	struct drive d = {.p = p, .run = run, .nodes = p->nodes};
	clock_t begin;
	int status = -1;

	setup.log = log;
	d.kind = net_engine_find(run->config->engine.kind, e);
	if (t && d.kind && (d.engine = d.kind->create(&setup, e)) != NULL) {
		d.node = mem_alloc(d.nodes, sizeof(*d.node), e);
		d.come = mem_alloc((size_t)d.nodes * p->count, 1, e);
		d.asked = mem_alloc((size_t)d.nodes * p->count, 1, e);
		d.come_at = mem_alloc(d.nodes, sizeof(*d.come_at), e);
		d.phase_end = mem_alloc(p->count, sizeof(*d.phase_end), e);
		begin = clock();
		if (d.node && d.come && d.asked && d.come_at && d.phase_end)
			status = drive(&d, e);
		result->host_seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
		if (status == 0)
			read_result(&d, result);
		if (status == 0)
			status = draw(run, log, e);
		free(d.node);
		free(d.come);
		free(d.asked);
		free(d.come_at);
		free(d.phase_end);
		d.kind->destroy(d.engine);
	}
	net_log_destroy(log);
	topology_destroy(t);
	return status;
}
