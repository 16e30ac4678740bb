/* Critical paths: netlink/analysis. Expected times are sums of the constants below. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "fake_engine.h"
#include "netlink/analysis/critical_path.h"
#include "netlink/vmpi/message/message.h"
#include "psim/base/rng.h"
#include "netlink/vmpi/vmpi_config.h"

/* ps: overhead of a call; latency; time of a byte; longest eager message */
enum { O = 200, L = 10000, W = 3, EAGER = 1000 };

struct world {
	struct config *config;
	struct vmpi_config cfg;
	struct net_engine *engine;
	struct vmpi_observer observer;
	struct vmpi *v;
	struct record *record;
	struct path path;
	uint64_t thin_every; /* steps; 0: never */
	int64_t end;
	struct err e;
};

static const struct fake_times times = {.latency = L, .per_byte = W};

static void computed(void *user, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	record_computed(user, rank, from, to, where);
}

static void waited(void *user, const struct vmpi_waited *w)
{
	CHECK(w->from < w->to && w->cause.began <= w->to);
	record_waited(user, w);
}

/* Runs `body` on `ranks` ranks, one a node, and finds the path. */
static void run(struct world *w, uint32_t ranks, vmpi_body *body, void *user, uint64_t thin_every)
{
	struct vmpi_setup s = {.config = &w->cfg,
			       .kind = &fake_engine,
			       .ranks = ranks,
			       .nodes = ranks,
			       .nics = 1,
			       .seed = 1,
			       .observer = &w->observer};
	enum vmpi_end end;
	uint32_t last = 0;

	memset(w, 0, sizeof(*w));
	w->config = config_create();
	vmpi_config_add(w->config, &w->cfg);
	w->cfg.mpi.overhead = O;
	w->cfg.mpi.eager = EAGER;
	w->engine = fake_create(&times);
	w->record = record_create(ranks, &w->e);
	w->observer = (struct vmpi_observer){.computed = computed, .waited = waited, .user = w->record};
	s.engine = w->engine;
	w->v = vmpi_create(&s, &w->e);
	REQUIRE(w->v != NULL && w->record != NULL);
	vmpi_set_body(w->v, body, user);
	do {
		end = vmpi_run(w->v, thin_every ? thin_every : 1000, &w->e);
		if (thin_every)
			REQUIRE(record_thin(w->record, w->v, &w->e) == 0);
	} while (end == VMPI_RUNNING);
	CHECK_U64(end, VMPI_DONE);
	for (uint32_t i = 0; i < ranks; i++)
		if (vmpi_rank_time(w->v, i) > vmpi_rank_time(w->v, last))
			last = i;
	w->end = vmpi_rank_time(w->v, last);
	CHECK_I64(path_find(&w->path, w->record, last, w->end, &w->e), 0);
}

static void finish(struct world *w)
{
	path_finish(&w->path);
	record_destroy(w->record);
	vmpi_destroy(w->v);
	fake_engine.destroy(w->engine);
	config_destroy(w->config);
}

static int64_t length(const struct world *w)
{
	return w->path.sum.work + w->path.sum.overhead + w->path.sum.flight;
}

/* Steps follow each other from 0 to the end; each begins on the rank on which the one before ended.
 */
static void check_chain(const struct world *w)
{
	const struct path *p = &w->path;
	int64_t at = 0;

	for (size_t i = 0; i < p->steps; i++) {
		CHECK_I64(p->step[i].from, at);
		CHECK(p->step[i].to > at);
		if (i)
			CHECK_U64(p->step[i].origin, p->step[i - 1].rank);
		at = p->step[i].to;
	}
	CHECK_I64(at, w->end);
	CHECK_I64(length(w), w->end);
}

static void work(struct vmpi *v, int64_t ps)
{
	vmpi_Add_time(v, (double)ps * 1e-12);
}

/* ---- by hand ---- */

struct one {
	int bytes;
	int64_t before[2]; /* computation of each rank before the call */
	int64_t after;     /* of the receiver after it */
};

static int send_one(struct vmpi *v, uint32_t rank, void *user)
{
	const struct one *s = user;

	work(v, s->before[rank]);
	if (rank == 0) {
		vmpi_Send(v, NULL, s->bytes, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD);
	} else {
		vmpi_Recv(v, NULL, s->bytes, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD, NULL);
		work(v, s->after);
	}
	return 0;
}

static void a_late_sender_is_on_the_path_up_to_its_send(void)
{
	struct one s = {.bytes = 100, .before = {50000, 1000}, .after = 7000};
	struct world w;

	run(&w, 2, send_one, &s, 0);
	check_chain(&w);
	/* rank 0 computes 50000 and calls; 100 bytes fly; rank 1 computes 7000. Rank 1's own 1000
	 * are not on it */
	CHECK_I64(w.end, 50000 + O + 100 * W + L + 7000);
	CHECK_I64(w.path.sum.work, 50000 + 7000);
	CHECK_I64(w.path.sum.overhead, O);
	CHECK_I64(w.path.sum.flight, 100 * W + L);
	CHECK_I64(w.path.rank[0].work, 50000);
	CHECK_I64(w.path.rank[1].work, 7000);
	CHECK_U64(w.path.last, 1);
	finish(&w);
}

static void a_late_receiver_of_a_short_message_was_never_kept(void)
{
	struct one s = {.bytes = 100, .before = {0, 50000}, .after = 7000};
	struct world w;

	run(&w, 2, send_one, &s, 0);
	check_chain(&w);
	CHECK_I64(w.end, 50000 + O + 7000);
	CHECK_I64(w.path.rank[1].work, 57000);
	CHECK_I64(w.path.sum.flight, 0);
	CHECK_I64(w.path.rank[0].work + w.path.rank[0].overhead + w.path.rank[0].flight, 0);
	finish(&w);
}

static void a_late_receiver_of_a_long_message_gives_the_answer_late(void)
{
	struct one s = {.bytes = 2000, .before = {0, 50000}, .after = 7000};
	struct world w;

	run(&w, 2, send_one, &s, 0);
	check_chain(&w);
	/* rank 1 posts at 50000 + O; the answer L, the data 2000 W + L; all of it on rank 1 */
	CHECK_I64(w.end, 50000 + O + L + 2000 * W + L + 7000);
	CHECK_I64(w.path.sum.flight, L + 2000 * W + L);
	CHECK_I64(w.path.rank[1].work, 57000);
	CHECK_I64(w.path.rank[0].work, 0);
	finish(&w);
}

static void an_early_receiver_of_a_long_message_waits_for_request_answer_and_data(void)
{
	struct one s = {.bytes = 2000, .before = {50000, 0}, .after = 0};
	struct world w;

	run(&w, 2, send_one, &s, 0);
	check_chain(&w);
	CHECK_I64(w.end, 50000 + O + L + L + 2000 * W + L);
	CHECK_I64(w.path.sum.flight, L + L + 2000 * W + L);
	CHECK_I64(w.path.rank[0].work, 50000);
	finish(&w);
}

/* The sender ends last: what keeps it is the receiver that comes late. */
static int sender_ends_last(struct vmpi *v, uint32_t rank, void *user)
{
	(void)user;
	if (rank == 0) {
		vmpi_Ssend(v, NULL, 10, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD);
		work(v, 90000);
	} else {
		work(v, 50000);
		vmpi_Recv(v, NULL, 10, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD, NULL);
	}
	return 0;
}

static void a_sender_waits_for_a_late_receive(void)
{
	struct world w;

	run(&w, 2, sender_ends_last, NULL, 0);
	check_chain(&w);
	CHECK_I64(w.end, 50000 + O + L + 10 * W + 90000);
	CHECK_I64(w.path.rank[1].work, 50000);
	CHECK_I64(w.path.rank[0].work, 90000);
	CHECK_I64(w.path.sum.overhead, O); /* of the receive */
	finish(&w);
}

/* 0 -> 1 -> 2: rank 1 passes on what it gets, rank 2 computes long before, but not long enough. */
static int chain(struct vmpi *v, uint32_t rank, void *user)
{
	const int64_t *before = user;

	work(v, before[rank]);
	if (rank)
		vmpi_Recv(v, NULL, 8, VMPI_BYTE, (int)rank - 1, 0, VMPI_COMM_WORLD, NULL);
	if (rank < 2)
		vmpi_Send(v, NULL, 8, VMPI_BYTE, (int)rank + 1, 0, VMPI_COMM_WORLD);
	return 0;
}

static void the_path_goes_through_those_that_pass_on(void)
{
	int64_t before[] = {30000, 20000, 40000};
	struct world w;

	run(&w, 3, chain, before, 0);
	check_chain(&w);
	/* 0: 30000 + O; 10024 later at 1, which calls Send: O; 10024 later at 2 */
	CHECK_I64(w.end, 30000 + O + 8 * W + L + O + 8 * W + L);
	CHECK_I64(w.path.sum.work, 30000);
	CHECK_I64(w.path.rank[1].overhead, O);
	CHECK_I64(w.path.rank[1].flight, 8 * W + L);
	CHECK_I64(w.path.rank[2].work, 0);
	finish(&w);
}

/* The send goes out before the computation, which the wait at its end does not show. */
static int overlapped(struct vmpi *v, uint32_t rank, void *user)
{
	VMPI_Request q;

	(void)user;
	if (rank == 0) {
		vmpi_Isend(v, NULL, 1000, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD, &q);
		work(v, 2000);
		vmpi_Wait(v, &q, NULL); /* the last byte leaves at O + 3000 */
		work(v, 20000);
	} else {
		vmpi_Recv(v, NULL, 1000, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD, NULL);
	}
	return 0;
}

static void computation_beside_a_message_that_takes_longer_is_not_on_the_path(void)
{
	struct world w;

	run(&w, 2, overlapped, NULL, 0);
	check_chain(&w);
	CHECK_I64(w.end, O + 3000 + 20000);
	CHECK_I64(w.path.sum.work, 20000);
	CHECK_I64(w.path.sum.flight, 3000);
	CHECK_I64(w.path.sum.overhead, O);
	finish(&w);
}

static void pairs_tell_late_partners_from_messages_under_way(void)
{
	struct one s = {.bytes = 100, .before = {50000, 1000}};
	struct world w;
	const struct wait_pair *p = NULL;

	run(&w, 2, send_one, &s, 0);
	for (uint32_t i = 0; i < w.record->pair_room; i++)
		if (w.record->pair[i].count && w.record->pair[i].rank == 1)
			p = &w.record->pair[i];
	REQUIRE(p != NULL);
	CHECK_U64(p->peer, 0);
	CHECK_U64(p->count, 1);
	CHECK_I64(p->sum, 50000 + O + 100 * W + L - (1000 + O));
	CHECK_I64(p->late, 50000 + O - (1000 + O)); /* until the send */
	finish(&w);
}

/* ---- nonblocking collectives ---- */

static int late_for_a_barrier(struct vmpi *v, uint32_t rank, void *user)
{
	VMPI_Request q;

	(void)user;
	work(v, rank == 1 ? 5 * L : L);
	vmpi_Ibarrier(v, VMPI_COMM_WORLD, &q);
	work(v, L);
	vmpi_Wait(v, &q, NULL);
	work(v, rank == 0 ? 7 * L : 0);
	return 0;
}

/*
 * All wait for rank 1, which calls at 5 L + O, some of them through others: whatever passes on, the path is rank 1 up
 * to its call, the messages, and the 7 L that rank 0 computes behind its wait.
 */
static void the_path_of_a_nonblocking_collective_comes_from_the_last_to_call(void)
{
	struct world w;

	run(&w, 4, late_for_a_barrier, NULL, 0);
	check_chain(&w);
	CHECK_I64(w.path.sum.work, 12 * L);
	CHECK_I64(w.path.rank[1].work, 5 * L);
	CHECK_I64(w.path.rank[0].work, 7 * L);
	CHECK_I64(w.path.sum.overhead, O);
	CHECK_I64(w.path.sum.flight, w.end - 12 * L - O);
	finish(&w);
}

/* ---- programs by chance: each round a ring, a pair or an exchange, after computation ---- */

enum { RANKS = 7, ROUNDS = 12 };

struct chance {
	uint64_t seed;
	bool named;       /* receives name their sources */
	uint32_t shorter; /* the stretch of computation (round * RANKS + rank) that is shorter … */
	int64_t by;       /* … by so much */
	int64_t began[ROUNDS * RANKS];
};

static int64_t stretch(const struct chance *c, uint32_t round, uint32_t rank)
{
	int64_t ps = (int64_t)rng_below(c->seed, 1, round * RANKS + rank, 60000);

	if (round * RANKS + rank == c->shorter)
		ps = ps > c->by ? ps - c->by : 0;
	return ps;
}

static void exchange(struct vmpi *v, uint32_t rank, int bytes, uint32_t by)
{
	VMPI_Request q[2];

	vmpi_Irecv(v, NULL, bytes, VMPI_BYTE, (int)((rank + RANKS - by) % RANKS), 1, VMPI_COMM_WORLD, &q[0]);
	vmpi_Isend(v, NULL, bytes, VMPI_BYTE, (int)((rank + by) % RANKS), 1, VMPI_COMM_WORLD, &q[1]);
	work(v, rank * 700);
	vmpi_Waitall(v, 2, q, NULL);
}

/* Two at once, and computation beside them. */
static void nonblocking(struct vmpi *v, uint32_t rank, int bytes, uint32_t round)
{
	VMPI_Request q[2];

	vmpi_Iallreduce(v, NULL, NULL, bytes, VMPI_BYTE, VMPI_BAND, VMPI_COMM_WORLD, &q[0]);
	work(v, rank * 900);
	vmpi_Ibcast(v, NULL, bytes, VMPI_BYTE, (int)(round % RANKS), VMPI_COMM_WORLD, &q[1]);
	work(v, 20000);
	vmpi_Wait(v, &q[round % 2], NULL);
	vmpi_Wait(v, &q[1 - round % 2], NULL);
}

static int by_chance(struct vmpi *v, uint32_t rank, void *user)
{
	struct chance *c = user;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		int bytes = (int)rng_below(c->seed, 2, round, 2 * EAGER);

		c->began[round * RANKS + rank] = v->current->now;
		work(v, stretch(c, round, rank));
		switch (rng_below(c->seed, 3, round, 6)) {
		case 0: exchange(v, rank, bytes, 1); break;
		case 1: exchange(v, rank, bytes, 1 + round % (RANKS - 1)); break;
		case 2: vmpi_Barrier(v, VMPI_COMM_WORLD); break;
		case 3: vmpi_Bcast(v, NULL, bytes, VMPI_BYTE, (int)(round % RANKS), VMPI_COMM_WORLD); break;
		case 4: nonblocking(v, rank, bytes, round); break;
		default:
			if (rank == round % RANKS)
				for (uint32_t i = 1; i < RANKS; i++)
					vmpi_Recv(v, NULL, bytes, VMPI_BYTE,
						  c->named ? (int)((rank + i) % RANKS) : VMPI_ANY_SOURCE, 2,
						  VMPI_COMM_WORLD, NULL);
			else
				vmpi_Send(v, NULL, bytes, VMPI_BYTE, (int)(round % RANKS), 2, VMPI_COMM_WORLD);
		}
	}
	return 0;
}

static void the_length_is_the_run_s_time_whatever_the_program(void)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct chance c = {.seed = seed, .shorter = UINT32_MAX};
		struct world w;

		run(&w, RANKS, by_chance, &c, 0);
		check_chain(&w);
		finish(&w);
	}
}

static void what_no_path_can_reach_may_be_dropped(void)
{
	uint64_t kept = 0, all = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct chance c = {.seed = seed, .shorter = UINT32_MAX};
		struct world w, thin;

		run(&w, RANKS, by_chance, &c, 0);
		run(&thin, RANKS, by_chance, &c, 1 + seed);
		check_chain(&thin);
		REQUIRE(thin.path.steps == w.path.steps);
		for (size_t i = 0; i < w.path.steps; i++) {
			CHECK_U64(thin.path.step[i].rank, w.path.step[i].rank);
			CHECK_I64(thin.path.step[i].to, w.path.step[i].to);
		}
		CHECK_I64(thin.path.sum.work, w.path.sum.work);
		CHECK_I64(thin.path.sum.overhead, w.path.sum.overhead);
		kept += thin.record->rows;
		all += w.record->rows;
		finish(&w);
		finish(&thin);
	}
	CHECK(kept < all / 3);
}

/* Returns whether any of the stretch [from, to] of `rank` is on the path. */
static bool on_path(const struct world *w, uint32_t rank, int64_t from, int64_t to)
{
	for (size_t i = 0; i < w->path.steps; i++) {
		const struct path_step *s = &w->path.step[i];

		if (!s->wait && s->rank == rank && s->from < to && s->to > from)
			return true;
	}
	return false;
}

/*
 * Where receives name their sources: what becomes shorter off the path changes nothing. (With
 * ANY_SOURCE another message may come first.)
 */
static void what_is_shorter_off_the_path_changes_nothing(void)
{
	unsigned tried = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct chance c = {.seed = seed, .named = true, .shorter = UINT32_MAX}, before;
		struct world w;

		run(&w, RANKS, by_chance, &c, 0);
		before = c;
		for (uint32_t k = (uint32_t)seed % 5; k < ROUNDS * RANKS; k += 5) {
			int64_t from = before.began[k], to = from + stretch(&before, k / RANKS, k % RANKS);
			struct world other;

			if (on_path(&w, k % RANKS, from, to))
				continue;
			c.shorter = k;
			c.by = 10000;
			run(&other, RANKS, by_chance, &c, 0);
			CHECK_I64(other.end, w.end);
			finish(&other);
			tried++;
		}
		finish(&w);
	}
	CHECK(tried > 20);
}

/* ---- phases ---- */

static void a_change_of_phase_splits_the_path(void)
{
	struct err e = {0};
	struct record *r = record_create(1, &e);
	struct path p;

	REQUIRE(r != NULL);
	record_computed(r, 0, 100, 300, NULL);
	record_phase(r, 0, 400, "solve");
	record_computed(r, 0, 400, 900, NULL);
	record_phase(r, 0, 1000, "solve"); /* no change */
	record_phase(r, 0, 1000, "");
	CHECK_I64(path_find(&p, r, 0, 1500, &e), 0);
	REQUIRE(r->phases == 2);
	CHECK_I64(p.phase[0].work, 200);
	CHECK_I64(p.phase[0].overhead, 400 - 200 + 500);
	CHECK_I64(p.phase[1].work, 500);
	CHECK_I64(p.phase[1].overhead, 100);
	path_finish(&p);
	record_destroy(r);
}

static const struct tap_test tests[] = {
	{"a late sender is on the path up to its send", a_late_sender_is_on_the_path_up_to_its_send},
	{"a late receiver of a short message was never kept", a_late_receiver_of_a_short_message_was_never_kept},
	{"a late receiver of a long message gives the answer late",
	 a_late_receiver_of_a_long_message_gives_the_answer_late},
	{"an early receiver of a long message waits for request, answer and data",
	 an_early_receiver_of_a_long_message_waits_for_request_answer_and_data},
	{"a sender waits for a late receive", a_sender_waits_for_a_late_receive},
	{"the path goes through those that pass on", the_path_goes_through_those_that_pass_on},
	{"computation beside a message that takes longer is not on the path",
	 computation_beside_a_message_that_takes_longer_is_not_on_the_path},
	{"pairs tell late partners from messages under way", pairs_tell_late_partners_from_messages_under_way},
	{"the length is the run's time, whatever the program", the_length_is_the_run_s_time_whatever_the_program},
	{"what no path can reach may be dropped", what_no_path_can_reach_may_be_dropped},
	{"what is shorter off the path changes nothing", what_is_shorter_off_the_path_changes_nothing},
	{"a change of phase splits the path", a_change_of_phase_splits_the_path},
	{"the path of a nonblocking collective comes from the last to call",
	 the_path_of_a_nonblocking_collective_comes_from_the_last_to_call},
};

int main(void)
{
	return tap_main("critical path", tests, TAP_COUNT(tests));
}
