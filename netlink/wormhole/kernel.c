#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "kernel_state.h"
#include "guard.h"

/* ---- timing wheel: events due at a clock ---- */

static int wheel_put(struct kernel *k, enum timed_kind kind, uint64_t clock, uint32_t what)
{
	uint32_t t = slots_take(&k->timed, k->error), slot = (uint32_t)clock % WHEEL_SIZE;

	if (t == SLOT_NONE)
		return k->failed = true, -1;
	k->timed.at[t] = (struct timed){what, NONE};
	if (k->wheel[kind][slot] == NONE)
		k->wheel[kind][slot] = t;
	else
		k->timed.at[k->wheel_last[kind][slot]].next = t;
	k->wheel_last[kind][slot] = t;
	k->due++;
	return 0;
}

/* Takes the first entry of this clock; NONE if there is none. */
static uint32_t wheel_take(struct kernel *k, enum timed_kind kind)
{
	uint32_t slot = (uint32_t)k->now % WHEEL_SIZE, t = k->wheel[kind][slot];

	if (t == NONE)
		return NONE;
	k->wheel[kind][slot] = k->timed.at[t].next;
	slots_give(&k->timed, t);
	k->due--;
	return k->timed.at[t].what;
}

/* ---- heads without an output ---- */

static void head_appears(struct kernel *k, uint32_t channel)
{
	uint32_t *place = vec_push(&k->heads, k->error);

	if (place)
		*place = channel;
	else
		k->failed = true;
}

/* Registers a head that reaches the front of `c` in clock `since`: its routing computation starts. */
static void head_in_front(struct kernel *k, uint32_t c, uint64_t since)
{
	uint64_t ready = since;

	if (c < k->vc_count)
		ready += k->p.route_clocks;
	if (ready <= k->now)
		head_appears(k, c);
	else
		wheel_put(k, TIMED_HEAD, ready, c);
}

/* ---- binding: `from` gets the virtual channel `to`, from `clock` on ---- */

/*
 * Marks link `l` as active. Links leave the list only at the end of a clock, so that no iteration
 * skips one.
 */
static void link_activate(struct kernel *k, uint32_t l)
{
	if (k->link[l].listed)
		return;
	k->link[l].listed = true;
	k->active[k->active_count++] = l;
}

static void links_retire(struct kernel *k)
{
	uint32_t kept = 0;

	for (uint32_t a = 0; a < k->active_count; a++) {
		uint32_t l = k->active[a];
		if (k->link[l].bound)
			k->active[kept++] = l;
		else
			k->link[l].listed = false;
	}
	k->active_count = kept;
}

static uint32_t front_message(const struct kernel *k, uint32_t c)
{
	return c < k->vc_count ? front(&k->channel[c])->message : k->queue_first[c - k->vc_count];
}

static void bind(struct kernel *k, uint32_t from, uint32_t to, uint64_t clock)
{
	struct channel *t = &k->channel[to];
	struct link *l = &k->link[t->link];

	t->owner = front_message(k, from);
	t->delivers = l->sink == k->messages.at[t->owner].dst;
	t->feeder = from;
	t->owned_at = clock;
	if (from < k->vc_count) {
		struct flit *head = front(&k->channel[from]);
		if (head->ready < clock + k->p.grant_clocks)
			head->ready = clock + k->p.grant_clocks;
	}
	k->channel[from].output = to;
	k->channel[from].wanted = NONE;
	l->bound++;
	link_activate(k, t->link);
}

/* Releases channel `to` at `clock`; the next in its queue gets it. */
static void set_free(struct kernel *k, uint32_t to, uint64_t clock)
{
	struct channel *t = &k->channel[to];
	uint32_t next = t->wait_first;

	t->held += clock - t->owned_at;
	t->owner = NONE;
	k->link[t->link].bound--;
	if (next == NONE)
		return;
	t->wait_first = k->channel[next].wait_next;
	bind(k, next, to, clock);
}

/* The tail has passed. */
static void kernel_release(struct kernel *k, uint32_t from, uint32_t to)
{
	k->channel[to].feeder = NONE;
	k->channel[from].output = NONE;
	if (k->p.release_clocks)
		wheel_put(k, TIMED_RELEASE, k->now + 1 + k->p.release_clocks, to);
	else
		set_free(k, to, k->now + 1);
}

static void want(struct kernel *k, uint32_t from, uint32_t to)
{
	struct channel *t = &k->channel[to];

	if (t->owner == NONE) {
		bind(k, from, to, k->now);
		return;
	}
	k->channel[from].wanted = to;
	k->channel[from].wait_next = NONE;
	if (t->wait_first == NONE)
		t->wait_first = from;
	else
		k->channel[t->wait_last].wait_next = from;
	t->wait_last = from;
}

/* ---- routing ---- */

struct route_query { /* the view's user */
	struct kernel *k;
	uint32_t channel;
};

static uint32_t output_of(struct routing_view *v, int32_t port)
{
	const struct kernel *k = ((struct route_query *)v->user)->k;
	const struct network_resource *r = &k->net->resources[v->resource];

	return port < 0 || (uint32_t)port >= r->outputs ? NONE : r->first_output + (uint32_t)port;
}

static bool answer_phys_free(struct routing_view *v, int32_t port)
{
	const struct kernel *k = ((struct route_query *)v->user)->k;
	uint32_t o = output_of(v, port);

	if (o == NONE)
		return false;
	if (k->p.phys_idle)
		return k->link[o].used != k->now; /* no flit passed in the clock before */
	return k->link[o].bound < k->link[o].vcs;
}

static bool answer_virt_free(struct routing_view *v, int32_t port, int32_t vc)
{
	const struct kernel *k = ((struct route_query *)v->user)->k;
	uint32_t o = output_of(v, port);

	return o != NONE && vc >= 0 && vc < k->link[o].vcs &&
	       k->channel[k->link[o].first_vc + (uint32_t)vc].owner == NONE;
}

static int32_t answer_virt_room(struct routing_view *v, int32_t port, int32_t vc)
{
	const struct kernel *k = ((struct route_query *)v->user)->k;
	uint32_t o = output_of(v, port);

	return o != NONE && vc >= 0 && vc < k->link[o].vcs
		       ? (int32_t)room(&k->p, &k->channel[k->link[o].first_vc + (uint32_t)vc])
		       : 0;
}

/*
 * Returns whether the flits behind the head can follow: their link carried no other message's flit
 * in the clock before.
 */
static bool answer_trail_move(struct routing_view *v)
{
	const struct route_query *a = v->user;
	const struct channel *c = &a->k->channel[a->channel];

	if (c->link == NONE || c->feeder == NONE)
		return true; /* the message is at its source, or all of it has arrived */
	const struct link *l = &a->k->link[c->link];
	uint32_t mine = a->channel - l->first_vc, last = (l->turn ? l->turn : l->vcs) - 1u;

	return l->used != a->k->now || last == mine; /* `turn` is one past the channel that used the link last */
}

static int bad_choice(struct kernel *k, const struct routing_view *v, struct routing_choice choice)
{
	char here[192], there[192];
	const struct network_kind *kind = &k->net->kinds[k->net->resources[v->resource].kind];
	const struct network_resource *r = &k->net->resources[v->resource];

	network_resource_name(k->net, v->resource, here, sizeof(here));
	network_resource_name(k->net, k->net->nodes[v->dest_node], there, sizeof(there));
	k->failed = true;
	if (choice.port == ROUTE_END)
		return err_set(
			k->error, STATUS_BAD_INPUT,
			"%s:%d: routing of %s ends without a decision for a message to %s, expected route or retry",
			k->net->file, kind->route_line, here, there);
	return err_set(k->error, STATUS_BAD_INPUT,
		       "%s:%d: routing of %s sends a message to %s to output %d, virtual channel %d; "
		       "it has outputs 0 to %d with %u virtual channels",
		       k->net->file, kind->route_line, here, there, choice.port, choice.vc, (int)r->outputs - 1,
		       r->vcs);
}

/*
 * Calls the routing function for the head in front of `c`. Returns true if it now has an output or
 * waits for one.
 */
static bool route_head(struct kernel *k, uint32_t c)
{
	struct route_query query = {k, c};
	const struct message *m = &k->messages.at[front_message(k, c)];
	const struct channel *ch = &k->channel[c];
	const struct network *n = k->net;
	struct routing_view v = {.dest_node = m->dst,
				 .resource = ch->resource,
				 .in_port = -1,
				 .in_vc = -1,
				 .bytes = m->bytes,
				 .user = &query,
				 .phys_free = answer_phys_free,
				 .virt_free = answer_virt_free,
				 .virt_room = answer_virt_room,
				 .trail_move = answer_trail_move};

	routing_view_limits(&v, n);
	if (ch->link != NONE) {
		v.in_port = (int32_t)(n->outputs[ch->link].peer - n->resources[ch->resource].first_input);
		v.in_vc = (int32_t)(c - k->link[ch->link].first_vc);
	}
	k->counts.routing_calls++;
	const struct network_kind *kind = &n->kinds[n->resources[ch->resource].kind];

	guard_enter("the routing of", n->file, kind->route_line, n, ch->resource);
	struct routing_choice choice = kind->route(&v, network_place(n, ch->resource));
	guard_leave();
	if (v.wrong.word) {
		k->failed = true;
		return routing_check_words(n, &v, k->error) == 0;
	}
	if (choice.port == ROUTE_RETRY)
		return false;
	uint32_t o = output_of(&v, choice.port);
	if (o == NONE || choice.vc < 0 || choice.vc >= k->link[o].vcs)
		return bad_choice(k, &v, choice), false;
	k->counts.routed++;
	want(k, c, k->link[o].first_vc + (uint32_t)choice.vc);
	return true;
}

static void route_heads(struct kernel *k)
{
	size_t kept = 0;

	for (size_t h = 0; h < k->heads.count && !k->failed; h++) {
		uint32_t c = k->heads.at[h];
		if (!route_head(k, c))
			k->heads.at[kept++] = c;
	}
	k->heads.count = kept;
}

/*
 * ---- moving ----
 *
 * Functions called for every flit take the parameters as an argument, so that the compiler makes
 * two copies: a general one, and one for INSPIRE's model, in which the parameters are constants.
 */

#define EACH static inline __attribute__((always_inline))
typedef void serve_fn(struct kernel *k, uint32_t link);

/* Returns a credit to the feeder of virtual channel `c` for a flit that left it. */
EACH void place_left(struct kernel *k, const struct kernel_params *p, uint32_t c)
{
	if (p->credit_clocks)
		wheel_put(k, TIMED_CREDIT, k->now + credit_clocks(p, &k->link[k->channel[c].link]), c);
}

/* Makes the next flit of the message in front of a source's queue. */
static struct flit make_flit(struct kernel *k, uint32_t s)
{
	uint32_t id = k->queue_first[s];
	struct message *m = &k->messages.at[id];
	struct flit f = {.message = id, .head = !m->sent};

	if (f.head)
		m->injected = k->now;
	f.tail = ++m->sent == m->flits;
	k->counts.queued_flits--;
	if (f.tail) {
		k->queue_first[s] = m->next;
		if (k->client.sent)
			k->client.sent(k->client.user, s, m->tag);
	}
	return f;
}

/* Removes the front flit of `from`. */
EACH struct flit take_flit(struct kernel *k, const struct kernel_params *p, uint32_t from)
{
	struct channel *c = &k->channel[from];

	if (from >= k->vc_count)
		return make_flit(k, from - k->vc_count);
	struct flit f = p->buffer_flits == 1 ? c->ring[0] : *front(c);
	if (p->buffer_flits > 1)
		c->head = c->head + 1 == p->buffer_flits ? 0 : c->head + 1;
	c->count--;
	place_left(k, p, from);
	return f;
}

/* After the tail: the next message's head is now in front of `from`. */
static void next_in_front(struct kernel *k, uint32_t from)
{
	struct channel *c = &k->channel[from];

	if (from >= k->vc_count) {
		if (k->queue_first[from - k->vc_count] != NONE)
			head_in_front(k, from, k->now + 1);
		return;
	}
	if (!c->count)
		return;
	/*
	 * store and forward requires the whole message; if flits are missing, the arrival of the
	 * tail continues here
	 */
	uint32_t need = k->p.switching == SWITCH_STORE_AND_FORWARD ? k->messages.at[front(c)->message].flits : 1;
	if (c->count < need)
		return;
	uint64_t came = c->ring[(c->head + need - 1) % k->p.buffer_flits].ready - k->p.switch_clocks;
	head_in_front(k, from, came > k->now ? came : k->now + 1);
}

/* Puts a flit into virtual channel `to` or delivers it to its node. */
EACH void put_flit(struct kernel *k, const struct kernel_params *p, uint32_t to, struct flit f, bool from_switch)
{
	struct channel *t = &k->channel[to];
	uint32_t clocks = p->links_differ ? k->link[t->link].clocks : p->link_clocks;
	uint64_t arrives = k->now + clocks + (from_switch ? p->output_clocks : p->inject_clocks);

	if (p->credit_clocks)
		t->credit--;
	if (t->delivers) { /* the processing unit consumes it at once */
		if (f.head)
			k->messages.at[f.message].head_at = arrives;
		if (f.tail)
			wheel_put(k, TIMED_ARRIVAL, arrives, f.message);
		if (p->credit_clocks)
			wheel_put(k, TIMED_CREDIT, arrives + credit_clocks(p, &k->link[t->link]), to);
		return;
	}
	uint32_t place = p->buffer_flits == 1 ? 0 : t->head + t->count;
	place = place >= p->buffer_flits ? place - p->buffer_flits : place;
	f.ready = arrives + p->switch_clocks;
	t->ring[place] = f;
	bool alone = t->count++ == 0;
	if (p->switching == SWITCH_STORE_AND_FORWARD) {
		if (f.tail && front(t)->message == f.message)
			head_in_front(k, to, arrives);
	} else if (alone && f.head) {
		head_in_front(k, to, arrives);
	}
}

/* Returns whether the front flit of `from` can move to virtual channel `to` in this clock. */
EACH bool may_move(struct kernel *k, const struct kernel_params *p, serve_fn *again, uint32_t from, uint32_t to)
{
	const struct channel *c = &k->channel[from];
	const struct channel *t = &k->channel[to];
	uint32_t need = 1;

	/* `from` keeps its owner, the message in front, until the tail has passed and `to` is released */
	if (from < k->vc_count) {
		if (!c->count || (p->buffer_flits == 1 ? c->ring : front(c))->ready > k->now)
			return false;
		if (p->one_per_input && k->input_used[c->link] == k->now + 1)
			return false;
	}
	if (t->delivers && !p->credit_clocks)
		return true;
	if (p->switching != SWITCH_WORMHOLE) {
		const struct message *m = &k->messages.at[t->owner];
		if (from < k->vc_count ? front(c)->head : m->sent == 0)
			need = m->flits;
	}
	if (room(p, t) >= need)
		return true;
	if (p->credit_clocks || t->output == NONE)
		return false;
	again(k, k->channel[t->output].link); /* it may free a place in this same clock */
	return room(p, t) >= need;
}

/*
 * Returns the virtual channel of link `l` that is next in round-robin order among those that can
 * take a flit now, or NONE.
 */
EACH uint32_t choose(struct kernel *k, const struct kernel_params *p, serve_fn *again, const struct link *l)
{
	if (p->links_differ && l->idle_from > k->now)
		return NONE;
	for (unsigned n = 0, v = l->turn; n < l->vcs; n++, v = v + 1u == l->vcs ? 0 : v + 1u) {
		uint32_t to = l->first_vc + v, from = k->channel[to].feeder;

		if (from != NONE && k->channel[to].owned_at <= k->now && may_move(k, p, again, from, to))
			return to;
	}
	return NONE;
}

/* Moves a flit over link `l` into virtual channel `to`. */
EACH void move(struct kernel *k, const struct kernel_params *p, struct link *l, uint32_t to)
{
	uint32_t from = k->channel[to].feeder, v = to - l->first_vc;
	struct flit f = take_flit(k, p, from);

	l->turn = (uint16_t)(v + 1u == l->vcs ? 0 : v + 1u);
	l->used = k->now + 1;
	if (p->links_differ)
		l->idle_from = k->now + l->flit_clocks;
	l->flits++;
	if (p->one_per_input && from < k->vc_count)
		k->input_used[k->channel[from].link] = k->now + 1;
	k->counts.flit_hops++;
	put_flit(k, p, to, f, from < k->vc_count);
	if (f.tail) {
		kernel_release(k, from, to);
		next_in_front(k, from);
	}
}

/* Moves at most one flit a clock over link `l`, whichever call comes first. */
EACH void serve(struct kernel *k, const struct kernel_params *p, serve_fn *again, uint32_t number)
{
	struct link *l = &k->link[number];
	uint32_t to;

	if (l->served == k->now + 1)
		return;
	l->served = k->now + 1;
	to = choose(k, p, again, l);
	if (to != NONE)
		move(k, p, l, to);
}

static void serve_any(struct kernel *k, uint32_t number)
{
	serve(k, &k->p, serve_any, number);
}

static const struct kernel_params paper = {.buffer_flits = 1, .link_clocks = 1, .node_link_clocks = 1};

static void serve_paper(struct kernel *k, uint32_t number)
{
	serve(k, &paper, serve_paper, number);
}

static bool is_paper(const struct kernel_params *p)
{
	return !p->links_differ && p->buffer_flits == paper.buffer_flits && p->link_clocks == paper.link_clocks &&
	       !p->switch_clocks && !p->inject_clocks && !p->output_clocks && !p->credit_clocks && !p->one_per_input &&
	       p->switching == SWITCH_WORMHOLE;
}

EACH void serve_all(struct kernel *k, serve_fn *one)
{
	uint32_t count = k->active_count, start = count ? (uint32_t)(k->now % count) : 0;

	for (uint32_t n = 0; n < count; n++) {
		uint32_t a = start + n;
		one(k, k->active[a < count ? a : a - count]);
	}
}

/* Returns whether output `a` precedes `b` in the round-robin order of an input that starts at `turn`. */
static bool kernel_before(uint32_t a, uint32_t b, uint32_t turn)
{
	return (a >= turn) == (b >= turn) ? a < b : a >= turn;
}

/* One iteration of iSLIP: every link grants one of its requests; every input accepts one of its grants. */
static void allocate_all(struct kernel *k)
{
	uint32_t count = k->active_count;

	for (uint32_t a = 0; a < count; a++) {
		struct link *l = &k->link[k->active[a]];
		uint32_t to = k->chosen[a] = choose(k, &k->p, NULL, l);
		uint32_t from = to == NONE ? NONE : k->channel[to].feeder;
		if (from == NONE || from >= k->vc_count)
			continue;
		struct grant *g = &k->grants[k->channel[from].link];
		if (g->clock != k->now + 1 || kernel_before(k->active[a], g->link, g->turn))
			*g = (struct grant){k->now + 1, k->active[a], g->turn};
	}
	for (uint32_t a = 0; a < count; a++) {
		uint32_t to = k->chosen[a], from = to == NONE ? NONE : k->channel[to].feeder;
		if (from == NONE)
			continue;
		if (from < k->vc_count) {
			struct grant *g = &k->grants[k->channel[from].link];
			if (g->link != k->active[a])
				continue;
			g->turn = k->active[a] + 1;
		}
		move(k, &k->p, &k->link[k->active[a]], to);
	}
}

#undef EACH

/* ---- the clock ---- */

void kernel_arrivals(struct kernel *k)
{
	uint32_t id;

	while ((id = wheel_take(k, TIMED_ARRIVAL)) != NONE) {
		struct message *m = &k->messages.at[id];
		struct kernel_delivery d = {.message = id,
					    .src = m->src,
					    .dst = m->dst,
					    .bytes = m->bytes,
					    .created = m->created,
					    .injected = m->injected,
					    .head_at = m->head_at,
					    .tail_at = k->now,
					    .tag = m->tag};
		slots_give(&k->messages, id);
		k->counts.delivered++;
		k->counts.in_flight--;
		k->client.deliver(k->client.user, &d);
	}
}

int kernel_step(struct kernel *k, struct err *e)
{
	uint32_t c;

	uint64_t moved = k->counts.flit_hops;

	k->error = e;
	while ((c = wheel_take(k, TIMED_CREDIT)) != NONE)
		k->channel[c].credit++;
	while ((c = wheel_take(k, TIMED_RELEASE)) != NONE)
		set_free(k, c, k->now);
	while ((c = wheel_take(k, TIMED_HEAD)) != NONE)
		head_appears(k, c);
	route_heads(k);
	if (k->p.islip)
		allocate_all(k);
	else if (is_paper(&k->p))
		serve_all(k, serve_paper);
	else
		serve_all(k, serve_any);
	links_retire(k);
	if (k->failed)
		return -1;
	if (k->counts.flit_hops != moved)
		k->last_move = k->now;
	if (k->p.watchdog_clocks && k->counts.in_flight && k->now - k->last_move >= k->p.watchdog_clocks)
		return kernel_stuck(k, e);
	k->now++;
	return 0;
}

uint64_t kernel_next(const struct kernel *k)
{
	if (k->active_count || k->heads.count)
		return k->now;
	if (!k->due)
		return CLOCK_NEVER;
	for (uint64_t t = k->now;; t++)
		for (unsigned kind = 0; kind < TIMED_KINDS; kind++)
			if (k->wheel[kind][t % WHEEL_SIZE] != NONE)
				return t;
}

void kernel_skip_to(struct kernel *k, uint64_t clock)
{
	if (clock > k->now) {
		k->last_move += clock - k->now;
		k->now = clock;
	}
}

int kernel_post(struct kernel *k, uint32_t src, uint32_t dst, uint32_t bytes, uint64_t tag, struct err *e)
{
	uint32_t id = slots_take(&k->messages, e);

	if (id == SLOT_NONE)
		return -1;
	struct message *m = &k->messages.at[id];
	*m = (struct message){.src = src, .dst = dst, .bytes = bytes, .created = k->now, .tag = tag, .next = NONE};
	m->flits = (bytes + k->p.flit_bytes - 1) / k->p.flit_bytes;
	if (k->p.switching != SWITCH_WORMHOLE && m->flits > k->p.buffer_flits)
		return err_set(e, STATUS_USAGE,
			       "a message of %u flits and buffers of %u flits: with this switching expected buffers "
			       "for a whole message",
			       m->flits, k->p.buffer_flits);
	if (!k->counts.in_flight)
		k->last_move = k->now;
	k->counts.posted++;
	k->counts.in_flight++;
	k->counts.queued_flits += m->flits;
	if (k->queue_first[src] == NONE) {
		k->queue_first[src] = k->queue_last[src] = id;
		k->error = e;
		head_in_front(k, k->vc_count + src, k->now);
		return k->failed ? -1 : 0;
	}
	k->messages.at[k->queue_last[src]].next = id;
	k->queue_last[src] = id;
	return 0;
}
