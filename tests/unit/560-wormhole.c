/* The wormhole kernel on small networks, with clocks worked out by hand:
 * netlink/wormhole/kernel.h. */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "../../netlink/wormhole/wormhole_check.h"
#include "../../netlink/wormhole/kernel.h"
#include "../../netlink/wormhole/routing.h"

/* A row of `length` switches, a PU at each: outputs 0 right, 1 left, 2 the PU. `ring`: the ends
 * meet. */
static bool ring_wraps;

static struct routing_choice from_pu(struct routing_view *v, const int32_t *index)
{
	(void)v, (void)index;
	return (struct routing_choice){0, 0, false};
}

static struct routing_choice along_row(struct routing_view *v, const int32_t *index)
{
	if (v->dest[0] == index[0])
		return (struct routing_choice){2, 0, false};
	if (ring_wraps)
		return (struct routing_choice){0, 0, false};
	return (struct routing_choice){v->dest[0] > index[0] ? 0 : 1, 0, false};
}

static struct routing_choice own_channel(struct routing_view *v, const int32_t *index)
{
	struct routing_choice c = along_row(v, index);

	c.vc = v->in_vc; /* messages of PU k keep virtual channel k % 2, as they were given it */
	return c;
}

static struct routing_choice pu_own_channel(struct routing_view *v, const int32_t *index)
{
	(void)v;
	return (struct routing_choice){0, index[0] % 2, false};
}

static void connect(struct network *n, const char *from, int a, int out, const char *to, int b, int in)
{
	struct network_end o = {from, 1, (int64_t[]){a}, out}, i = {to, 1, (int64_t[]){b}, in};

	CHECK_I64(network_connect(n, 1, &o, &i, 0, NULL), 0);
}

static struct network *make_row(int length, int64_t vcs, bool ring, routing_fn *pu, routing_fn *sw)
{
	struct network *n = network_create("row", NULL);
	int64_t size[] = {length};

	ring_wraps = ring;
	network_kind(n, 1, "pu", true, 1, size, NULL);
	network_kind(n, 1, "sw", false, 1, size, NULL);
	for (int64_t k = 0; k < length; k++) {
		network_size(n, 2, "pu", 1, &k, 1, 1, vcs, NULL);
		network_size(n, 2, "sw", 1, &k, 3, 3, vcs, NULL);
	}
	network_layout(n, NULL);
	for (int k = 0; k < length; k++) {
		connect(n, "pu", k, 0, "sw", k, 2);
		connect(n, "sw", k, 2, "pu", k, 0);
		/* the ends of a row are joined too, since every channel has to be; nothing goes
		 * there */
		connect(n, "sw", k, 0, "sw", (k + 1) % length, 1);
		connect(n, "sw", k, 1, "sw", (k + length - 1) % length, 0);
	}
	network_route(n, 3, "pu", 1, pu, NULL);
	network_route(n, 3, "sw", 1, sw, NULL);
	CHECK_I64(network_finish(n, NULL), 0);
	return n;
}

struct log {
	char text[512];
};

static void note(void *user, const struct kernel_delivery *d)
{
	struct log *l = user;
	size_t used = strlen(l->text);

	snprintf(l->text + used, sizeof(l->text) - used, "%s%llu: head %llu tail %llu", used ? "; " : "",
		 (unsigned long long)d->tag, (unsigned long long)d->head_at, (unsigned long long)d->tail_at);
}

/* Runs until all has arrived, or `limit` clocks. */
static int drain(struct kernel *k, uint64_t limit, struct err *e)
{
	while (kernel_counts(k)->in_flight && kernel_now(k) < limit) {
		kernel_arrivals(k);
		if (kernel_check(k, e) || kernel_step(k, e))
			return -1;
	}
	return kernel_check(k, e);
}

static const struct kernel_params ideal = {.flit_bytes = 1, .buffer_flits = 1, .link_clocks = 1, .watchdog_clocks = 50};

static struct kernel *start(const struct network *n, const struct kernel_params *p, struct log *l)
{
	struct kernel_client client = {l, note, NULL};

	l->text[0] = 0;
	return kernel_create(n, p, &client, NULL);
}

/* pu0 -> sw0 -> sw1 -> sw2 -> pu2: 4 links, a clock each; 5 flits: the tail 4 clocks later. */
static void a_worm_without_load(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct log l;
	struct kernel *k = start(n, &ideal, &l);

	kernel_post(k, 0, 2, 5, 7, NULL);
	CHECK_I64(drain(k, 100, NULL), 0);
	CHECK_STR(l.text, "7: head 4 tail 8");
	CHECK_I64((int64_t)kernel_counts(k)->flit_hops, 20);
	kernel_destroy(k);
	network_destroy(n);
}

/*
 * The same row; the link from sw0 to sw1 takes 3 clocks instead of 1, and 2 for a flit, which is there whole a clock
 * later: the head at 4 + 2 + 1, each flit behind it 2 clocks later. Other ways are as they were.
 */
static void a_class_of_links_has_its_clocks(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;
	struct kernel *k;

	CHECK_I64(network_class(n, 1, "slow", 3, 2, NULL), 0);
	n->outputs[n->resources[n->kinds[1].first].first_output].class = 1;
	p.buffer_flits = 8;
	k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	CHECK_I64(drain(k, 100, NULL), 0);
	CHECK_STR(l.text, "7: head 7 tail 15");
	CHECK_U64(kernel_link_busy(k, n->resources[n->kinds[1].first].first_output), 10);
	CHECK_U64(kernel_link_busy(k, n->resources[n->kinds[1].first + 1].first_output), 5);
	kernel_destroy(k);
	k = start(n, &p, &l);
	kernel_post(k, 1, 2, 5, 7, NULL);
	CHECK_I64(drain(k, 100, NULL), 0);
	CHECK_STR(l.text, "7: head 3 tail 7");
	kernel_destroy(k);
	network_destroy(n);
}

/* A credit returns in the clocks of its link, whatever a flit takes: a buffer of one flit takes one each round. */
static void a_credit_takes_the_clocks_of_its_link(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;
	struct kernel *k;

	CHECK_I64(network_class(n, 1, "slow", 3, 1, NULL), 0);
	n->outputs[n->resources[n->kinds[1].first].first_output].class = 1;
	p.credit_clocks = 1;
	k = start(n, &p, &l);
	kernel_post(k, 0, 2, 3, 7, NULL);
	CHECK_I64(drain(k, 100, NULL), 0);
	CHECK_STR(l.text, "7: head 6 tail 18"); /* 3 there, 3 back: two rounds of 6 behind the head */
	kernel_destroy(k);
	network_destroy(n);
}

/* 2 bytes a flit: 5 bytes are 3 flits. */
static void flits_are_what_a_link_carries(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;

	p.flit_bytes = 2;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "7: head 4 tail 6");
	kernel_destroy(k);
	network_destroy(n);
}

/*
 * pu0 and pu1 both send 5 flits to pu2 at clock 0. At clock 1 both heads are at a switch;
 * pu1's is in sw1 and takes sw1 -> sw2 (it leaves at 1, tail at 5); pu0's head waits in sw1 from
 * clock 2, gets the channel when the tail has passed, and moves at 6: at sw2 at 7, at the PU at 8,
 * the tail 4 later. (pu1's: 3 links, head 3, tail 7.)
 */
static void a_worm_holds_its_channels(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct log l;
	struct kernel *k = start(n, &ideal, &l);

	kernel_post(k, 0, 2, 5, 0, NULL);
	kernel_post(k, 1, 2, 5, 1, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "1: head 3 tail 7; 0: head 8 tail 12");
	kernel_destroy(k);
	network_destroy(n);
}

/*
 * The same with channels that are free a clock later: pu1's tail passes sw1 -> sw2 at 5, so pu0's head may at 7, is at
 * sw2 at 8; there pu1's tail has passed to the PU at 6, so that channel is free at 8 too: at the PU at 9, tail 13.
 */
static void a_channel_is_free_some_clocks_after_the_tail(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;

	p.release_clocks = 1;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 0, NULL);
	kernel_post(k, 1, 2, 5, 1, NULL);
	CHECK_I64(drain(k, 100, NULL), 0);
	CHECK_STR(l.text, "1: head 3 tail 7; 0: head 9 tail 13");
	kernel_destroy(k);
	network_destroy(n);
}

/*
 * The same with two virtual channels: both heads go on, the link sw1 -> sw2 gives each every
 * other clock. pu1's flits pass it at 1, then the two take turns: pu1's at 1, pu0's head waits
 * in sw1 from 2. The link's turn goes on behind channel 1 (pu1's): at 2 channel 0 (pu0's head),
 * at 3 channel 1, 4: 0, 5: 1, 6: 0, 7: 1, 8: 0, 9: 1 (pu1's fifth and last), 10: 0 (pu0's fifth).
 * A passing at t is at the PU at t + 2: pu1 tail 11, pu0 head 4, tail 12.
 */
static void virtual_channels_take_turns(void)
{
	struct network *n = make_row(3, 2, false, pu_own_channel, own_channel);
	struct log l;
	struct kernel *k = start(n, &ideal, &l);

	kernel_post(k, 0, 2, 5, 0, NULL);
	kernel_post(k, 1, 2, 5, 1, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "1: head 3 tail 11; 0: head 4 tail 12");
	kernel_destroy(k);
	network_destroy(n);
}

/* Each of the 4 links waits for all 5 flits: the first leaves 5 clocks after the one before; 4 x 5.
 */
static void store_and_forward_waits_for_the_tail(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;

	p.buffer_flits = 5;
	p.switching = SWITCH_STORE_AND_FORWARD;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "7: head 16 tail 20");
	kernel_destroy(k);
	network_destroy(n);
}

/* Cut-through needs room for a whole message where the head goes. */
static void cut_through_needs_room_for_a_message(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;
	struct err e;

	p.switching = SWITCH_CUT_THROUGH;
	p.buffer_flits = 4;
	struct kernel *k = start(n, &p, &l);
	CHECK(kernel_post(k, 0, 2, 5, 7, &e) < 0);
	CHECK_I64(e.status, STATUS_USAGE);
	kernel_destroy(k);
	p.buffer_flits = 5;
	k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "7: head 4 tail 8");
	kernel_destroy(k);
	network_destroy(n);
}

/*
 * A switch takes route 2 + grant 1 clocks, a link 1; a PU is none: the head is in sw0 at 1, leaves
 * at 1 + 2 + 1 = 4, in sw1 at 5, leaves at 8, in sw2 at 9, leaves at 12, at the PU at 13.
 */
static void a_router_takes_its_clocks(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;

	p.route_clocks = 2;
	p.grant_clocks = 1;
	p.buffer_flits = 16;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "7: head 13 tail 17");
	kernel_destroy(k);
	network_destroy(n);
}

/*
 * Credits that travel 3 clocks: a place is used again 1 (link) + 3 clocks after the flit that
 * filled it left: with one place a link carries a flit in 4 clocks, so the tail is 4 x 4 behind the
 * head.
 */
static void credits_take_their_time(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;

	p.credit_clocks = 3;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "7: head 4 tail 20");
	kernel_destroy(k);
	network_destroy(n);
}

/* Any flit spends a clock in a switch, the head no longer than the others: 3 switches and 4 links. */
static void flits_take_their_clocks(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct kernel_params p = ideal;
	struct log l;

	p.route_clocks = 1;
	p.switch_clocks = 1;
	p.buffer_flits = 16;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 2, 5, 7, NULL);
	drain(k, 100, NULL);
	CHECK_STR(l.text, "7: head 7 tail 11");
	kernel_destroy(k);
	network_destroy(n);
}

/* A switch and three PUs, two virtual channels. */
static struct routing_choice star_pu(struct routing_view *v, const int32_t *index)
{
	(void)index;
	return (struct routing_choice){0, v->dest[0] == 2, false};
}

static struct routing_choice star_switch(struct routing_view *v, const int32_t *index)
{
	(void)index;
	return (struct routing_choice){v->dest[0], (v->in_port == 0) == (v->dest[0] == 1), false};
}

static struct network *make_star(void)
{
	struct network *n = network_create("star", NULL);
	int64_t size[] = {3}, one[] = {1}, zero = 0;

	network_kind(n, 1, "pu", true, 1, size, NULL);
	network_kind(n, 1, "sw", false, 1, one, NULL);
	for (int64_t k = 0; k < 3; k++)
		network_size(n, 2, "pu", 1, &k, 1, 1, 2, NULL);
	network_size(n, 2, "sw", 1, &zero, 3, 3, 2, NULL);
	network_layout(n, NULL);
	for (int k = 0; k < 3; k++) {
		connect(n, "pu", k, 0, "sw", 0, k);
		connect(n, "sw", 0, k, "pu", k, 0);
	}
	network_route(n, 3, "pu", 1, star_pu, NULL);
	network_route(n, 3, "sw", 1, star_switch, NULL);
	CHECK_I64(network_finish(n, NULL), 0);
	return n;
}

/*
 * One round of grants. pu0 sends a flit to pu1 (message 1) and one to pu2 (2), pu2 two to pu1 (3) at clock 0, pu1
 * one to pu2 (4) at 1. Routing takes 3 clocks: 1 and 3 are ready at 4, 2 and 4 at 5. At 4 output 1 has virtual
 * channel 0 first: 3. At 5 it is 1's turn; output 2 begins with channel 0, 2's: both grant input 0, which accepts
 * output 1, so that 4 stays though it could go. At 6 output 2 grants 2 again, output 1 the second flit of 3; at 7 it
 * is 4's turn.
 */
static void a_grant_that_is_not_accepted_is_lost(void)
{
	struct network *n = make_star();
	struct kernel_params p = ideal;
	struct log l;

	p.route_clocks = 3;
	p.credit_clocks = 1;
	p.buffer_flits = 4;
	p.one_per_input = p.islip = true;
	struct kernel *k = start(n, &p, &l);
	kernel_post(k, 0, 1, 1, 1, NULL);
	kernel_post(k, 0, 2, 1, 2, NULL);
	kernel_post(k, 2, 1, 2, 3, NULL);
	kernel_step(k, NULL);
	kernel_post(k, 1, 2, 1, 4, NULL);
	drain(k, 100, NULL);
	CHECK(strstr(l.text, "1: head 6 tail 6") != NULL);
	CHECK(strstr(l.text, "2: head 7 tail 7") != NULL);
	CHECK(strstr(l.text, "3: head 5 tail 7") != NULL);
	CHECK(strstr(l.text, "4: head 8 tail 8") != NULL);
	kernel_destroy(k);
	network_destroy(n);
}

/* Four PUs of a ring send two places on, all to the right: each holds a link and wants the next. */
static void a_deadlock_is_found_and_named(void)
{
	struct network *n = make_row(4, 1, true, from_pu, along_row);
	struct check_result c;
	struct log l;
	struct err e = {0};
	struct kernel *k = start(n, &ideal, &l);

	for (uint32_t s = 0; s < 4; s++)
		kernel_post(k, s, (s + 2) % 4, 5, s, NULL);
	CHECK(drain(k, 1000, &e) < 0);
	CHECK_I64(e.status, STATUS_STUCK);
	CHECK(strstr(e.text, "4 messages cannot move") != NULL);
	CHECK(strstr(e.text, "sw(0).o(0) -> sw(1).o(0) -> sw(2).o(0)") != NULL); /* a ring: it may begin anywhere */
	kernel_destroy(k);
	CHECK_I64(network_check(n, NULL, &c, NULL), 0);
	CHECK(c.cyclic);
	CHECK_STR(c.cycle, "sw(0).o(0) -> sw(1).o(0) -> sw(2).o(0) -> sw(3).o(0) -> the first");
	network_destroy(n);
}

static struct routing_choice asks_too_much(struct routing_view *v, const int32_t *index)
{
	(void)index;
	return (struct routing_choice){routing_dest_dim(v, 1, 17), 0, false};
}

/* The check and the kernel name the word, and what is there: a row has dimension 0. */
static void a_dimension_that_is_not_there_is_named(void)
{
	struct network *n = make_row(3, 1, false, from_pu, asks_too_much);
	struct check_result c;
	struct log l;
	struct err e = {0};
	struct kernel *k = start(n, &ideal, &l);

	kernel_post(k, 0, 2, 5, 7, NULL);
	CHECK(drain(k, 100, &e) < 0);
	CHECK_I64(e.status, STATUS_BAD_INPUT);
	CHECK_STR(e.text, "row:17: msg_dest_dim in the routing of sw(0), for a message to pu(2): no dimension 1, "
			  "expected 0 to 0");
	kernel_destroy(k);
	CHECK(network_check(n, NULL, &c, &e) < 0);
	CHECK_STR(e.text, "row:17: msg_dest_dim in the routing of sw(1), for a message to pu(0): no dimension 1, "
			  "expected 0 to 0");
	network_destroy(n);
}

/* A row has no cycle; 2 links to and from the PUs and 4/3 between them on average (distances 1, 2,
 * 1 …). */
static void a_row_is_free_of_deadlock(void)
{
	struct network *n = make_row(3, 1, false, from_pu, along_row);
	struct check_result c;

	CHECK_I64(network_check(n, NULL, &c, NULL), 0);
	CHECK(!c.cyclic);
	CHECK(!c.adaptive);
	CHECK(c.mean_links > 3.3333 && c.mean_links < 3.3334);
	CHECK_I64((int64_t)c.most_links, 4);
	network_destroy(n);
}

/* ---- destinations together ---- */

enum { TORUS_X = 13, TORUS_Y = 10 };
static unsigned torus_calls; /* of a routing that is no function of what it reads */

/* The output toward `to` on a ring of `size`: 2 dim, or 2 dim + 1 backward; *high: before the dateline. */
static int32_t ring_output(int dim, int32_t here, int32_t to, int32_t size, int32_t *high)
{
	int32_t ahead = (to - here + size) % size;
	bool plus = 2 * ahead <= size;

	*high = plus ? here < to : here > to;
	return 2 * dim + !plus;
}

static struct routing_choice torus_pu(struct routing_view *v, const int32_t *index)
{
	(void)index;
	return (struct routing_choice){0, !v->virt_free(v, 0, 0), false};
}

/* Dimension order, x first, on any virtual channel of the node's link. */
static struct routing_choice torus_x_first(struct routing_view *v, const int32_t *index)
{
	int32_t to = routing_dest_dim(v, 0, 1), high = 0, port;

	if (to != index[0]) {
		port = ring_output(0, index[0], to, TORUS_X, &high);
		return (struct routing_choice){port, high, false};
	}
	to = routing_dest_dim(v, 1, 1);
	if (to == index[1])
		return (struct routing_choice){4, !v->virt_free(v, 4, 0), false};
	port = ring_output(1, index[1], to, TORUS_Y, &high);
	return (struct routing_choice){port, high, false};
}

/* y first, and without a dateline: a cycle in each ring. */
static struct routing_choice torus_y_first(struct routing_view *v, const int32_t *index)
{
	int32_t to = routing_dest_dim(v, 1, 1), high;

	if (to != index[1])
		return (struct routing_choice){ring_output(1, index[1], to, TORUS_Y, &high), 0, false};
	to = routing_dest_dim(v, 0, 1);
	if (to != index[0])
		return (struct routing_choice){ring_output(0, index[0], to, TORUS_X, &high), 0, false};
	return (struct routing_choice){4, 0, false};
}

/* Any shortest way. */
static struct routing_choice torus_adaptive(struct routing_view *v, const int32_t *index)
{
	int32_t x = routing_dest_dim(v, 0, 1), y = routing_dest_dim(v, 1, 1), high = 0;

	if (x == index[0] && y == index[1])
		return (struct routing_choice){4, 0, false};
	if (x != index[0] && (y == index[1] || v->phys_free(v, 0)))
		return (struct routing_choice){ring_output(0, index[0], x, TORUS_X, &high), 0, false};
	return (struct routing_choice){ring_output(1, index[1], y, TORUS_Y, &high), 0, false};
}

/* A longer way round where the shorter is busy: ways of different length to the same destinations. */
static struct routing_choice torus_around(struct routing_view *v, const int32_t *index)
{
	int32_t to = routing_dest_dim(v, 0, 1), high = 0, port;

	if (to != index[0] && v->in_port >= 0 && v->in_port < 2)
		return (struct routing_choice){v->in_port, v->in_vc, false};
	if (to != index[0]) {
		port = ring_output(0, index[0], to, TORUS_X, &high);
		return (struct routing_choice){v->phys_free(v, port) ? port : port ^ 1, 0, false};
	}
	return torus_y_first(v, index);
}

/* x first; at half the ring, of an even number, either side in turn: no function of what it reads. */
static struct routing_choice torus_in_turn(struct routing_view *v, const int32_t *index)
{
	struct routing_choice c = torus_x_first(v, index);

	if (c.port / 2 == 1 && (routing_dest_dim(v, 1, 1) - index[1] + TORUS_Y) % TORUS_Y == TORUS_Y / 2)
		c.port = 2 + (int32_t)(torus_calls++ & 1);
	return c;
}

static void torus_connect(struct network *n, const char *from, const int64_t *a, int out, const char *to,
			  const int64_t *b, int in)
{
	struct network_end o = {from, 2, a, out}, i = {to, 2, b, in};

	CHECK_I64(network_connect(n, 1, &o, &i, 0, NULL), 0);
}

static struct network *make_torus(routing_fn *sw)
{
	struct network *n = network_create("torus", NULL);
	int64_t size[] = {TORUS_X, TORUS_Y};

	network_kind(n, 1, "pu", true, 2, size, NULL);
	network_kind(n, 1, "sw", false, 2, size, NULL);
	for (int64_t k = 0; k < TORUS_X * TORUS_Y; k++) {
		int64_t at[] = {k % TORUS_X, k / TORUS_X};
		network_size(n, 2, "pu", 2, at, 1, 1, 2, NULL);
		network_size(n, 2, "sw", 2, at, 5, 5, 2, NULL);
	}
	network_layout(n, NULL);
	for (int64_t k = 0; k < TORUS_X * TORUS_Y; k++) {
		int64_t at[] = {k % TORUS_X, k / TORUS_X};
		int64_t x[] = {(at[0] + 1) % TORUS_X, at[1]}, y[] = {at[0], (at[1] + 1) % TORUS_Y};
		torus_connect(n, "pu", at, 0, "sw", at, 4);
		torus_connect(n, "sw", at, 4, "pu", at, 0);
		torus_connect(n, "sw", at, 0, "sw", x, 0);
		torus_connect(n, "sw", x, 1, "sw", at, 1);
		torus_connect(n, "sw", at, 2, "sw", y, 2);
		torus_connect(n, "sw", y, 3, "sw", at, 3);
	}
	network_route(n, 3, "pu", 2, torus_pu, NULL);
	network_route(n, 3, "sw", 2, sw, NULL);
	CHECK_I64(network_finish(n, NULL), 0);
	return n;
}

/*
 * Whatever a routing reads, and whether it can be followed by sets of destinations, the check says the same as one by
 * one. Dimension order is called for (row or column) + its place in it instead of every destination.
 */
static void destinations_together_are_as_one_by_one(void)
{
	static const struct {
		routing_fn *route;
		bool fewer; /* calls: it does not read all of the destination */
	} cases[] = {{torus_x_first, true},
		     {torus_y_first, true},
		     {torus_adaptive, false},
		     {torus_around, false},
		     {torus_in_turn, false}};

	for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct network *n = make_torus(cases[k].route);
		struct check_result a, b;

		torus_calls = 0;
		CHECK_I64(network_check(n, &(struct check_options){.each = true}, &a, NULL), 0);
		torus_calls = 0;
		CHECK_I64(network_check(n, NULL, &b, NULL), 0);
		CHECK(a.mean_links == b.mean_links);
		CHECK_U64(a.most_links, b.most_links);
		CHECK(a.adaptive == b.adaptive && a.cyclic == b.cyclic && a.partial == b.partial);
		CHECK_STR(a.cycle, b.cycle);
		CHECK(!cases[k].fewer || 2 * b.calls < a.calls);
		network_destroy(n);
	}
}

/*
 * Of 13 places of a ring one is at distance 0, two at 1 to 6: 42/13 links. Of 10 one at 0 and 5, two at 1 to 4: 25/10.
 * Two links to and from the nodes; without itself 130/129 of the others.
 */
static void distances_of_a_torus(void)
{
	struct network *n = make_torus(torus_x_first);
	struct check_result c;

	CHECK_I64(network_check(n, NULL, &c, NULL), 0);
	CHECK_F64(c.mean_links, 2 + (42 / 13.0 + 25 / 10.0) * 130 / 129, 1e-12);
	CHECK_U64(c.most_links, 2 + 6 + 5);
	CHECK(!c.cyclic);
	network_destroy(n);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a worm without load", a_worm_without_load},
		{"a class of links has its clocks", a_class_of_links_has_its_clocks},
		{"a credit takes the clocks of its link", a_credit_takes_the_clocks_of_its_link},
		{"flits are what a link carries", flits_are_what_a_link_carries},
		{"a worm holds its channels", a_worm_holds_its_channels},
		{"a channel is free some clocks after the tail", a_channel_is_free_some_clocks_after_the_tail},
		{"virtual channels take turns", virtual_channels_take_turns},
		{"store and forward waits for the tail", store_and_forward_waits_for_the_tail},
		{"cut through needs room for a message", cut_through_needs_room_for_a_message},
		{"a router takes its clocks", a_router_takes_its_clocks},
		{"credits take their time", credits_take_their_time},
		{"flits take their clocks", flits_take_their_clocks},
		{"a grant that is not accepted is lost", a_grant_that_is_not_accepted_is_lost},
		{"a deadlock is found and named", a_deadlock_is_found_and_named},
		{"a dimension that is not there is named", a_dimension_that_is_not_there_is_named},
		{"a row is free of deadlock", a_row_is_free_of_deadlock},
		{"destinations together are as one by one", destinations_together_are_as_one_by_one},
		{"distances of a torus", distances_of_a_torus},
	};

	return tap_main("wormhole", tests, TAP_COUNT(tests));
}
