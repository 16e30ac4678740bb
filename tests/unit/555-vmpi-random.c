/*
 * Programs by chance with real data, on every engine: what they receive is right, clocks never go
 * back, the critical path is as long as the run; and it makes no difference in which order the host
 * runs ranks.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net_maker.h"
#include "fake_engine.h"
#include "netlink/analysis/critical_path.h"
#include "netlink/vmpi/message/message.h"
#include "psim/base/rng.h"
#include "netlink/vmpi/vmpi_config.h"

enum { RANKS = 12, ROUNDS = 10, WORDS_MAX = 3000, EAGER = 4096 };

struct chance {
	uint64_t seed;
	uint64_t sum[RANKS];  /* of all that each rank received: no engine's business */
	int64_t ended[RANKS]; /* ps */
	int64_t times[RANKS]; /* a sum over clocks on the way */
	unsigned polls[RANKS];
	bool wrong;
};

/* Draws a number of the round, the same for all ranks. */
static uint32_t draw(const struct chance *c, uint32_t round, unsigned what, uint32_t below)
{
	return (uint32_t)rng_below(c->seed, what, round, below);
}

static uint32_t word(const struct chance *c, uint32_t round, uint32_t from, uint32_t to, uint32_t i)
{
	return (uint32_t)(c->seed * 977 + round * 131071 + from * 8191 + to * 127 + i);
}

static void fill(const struct chance *c, uint32_t round, uint32_t from, uint32_t to, uint32_t *data, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		data[i] = word(c, round, from, to, i);
}

static void expect(struct chance *c, uint32_t round, uint32_t from, uint32_t to, const uint32_t *data, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		c->wrong |= data[i] != word(c, round, from, to, i);
		c->sum[to] += (uint64_t)data[i] * (i + 1);
	}
}

/* ---- what ranks do in a round ---- */

/* Tests the request repeatedly: each result depends on what all others did until then. */
static void poll(struct vmpi *v, struct chance *c, uint32_t round, uint32_t rank, VMPI_Request *q)
{
	int done = 0;

	for (unsigned i = 0; !done; i++) {
		vmpi_Testall(v, 2, q, &done, NULL);
		vmpi_Add_time(v, 1e-12 * (double)rng_below(c->seed, 300 + rank, round * 10000 + i, 800000));
		c->polls[rank]++;
	}
}

static void shift(struct vmpi *v, struct chance *c, uint32_t round, uint32_t rank, uint32_t n, bool late)
{
	uint32_t by = 1 + draw(c, round, 3, RANKS - 1), to = (rank + by) % RANKS, from = (rank + RANKS - by) % RANKS;
	uint32_t *out = malloc(n * 4 + 1), *in = malloc(n * 4 + 1);
	VMPI_Request q[2];

	fill(c, round, rank, to, out, n);
	if (!late)
		vmpi_Irecv(v, in, (int)n, VMPI_UNSIGNED, (int)from, 5, VMPI_COMM_WORLD, &q[0]);
	vmpi_Isend(v, out, (int)n, VMPI_UNSIGNED, (int)to, 5, VMPI_COMM_WORLD, &q[1]);
	vmpi_Add_time(v, 1e-12 * (double)rng_below(c->seed, 100 + rank, round, 3000000));
	if (late)
		vmpi_Irecv(v, in, (int)n, VMPI_UNSIGNED, (int)from, 5, VMPI_COMM_WORLD, &q[0]);
	if (round % 2)
		poll(v, c, round, rank, q);
	else
		vmpi_Waitall(v, 2, q, NULL);
	expect(c, round, from, rank, in, n);
	free(out);
	free(in);
}

/* Everybody to one, who takes them as they come: who sent is in the status. */
static void funnel(struct vmpi *v, struct chance *c, uint32_t round, uint32_t rank, uint32_t n)
{
	uint32_t root = draw(c, round, 4, RANKS), *data = malloc(n * 4 + 1);

	if (rank != root) {
		fill(c, round, rank, root, data, n);
		vmpi_Send(v, data, (int)n, VMPI_UNSIGNED, (int)root, 6, VMPI_COMM_WORLD);
	} else {
		for (uint32_t i = 1; i < RANKS; i++) {
			VMPI_Status status;

			vmpi_Probe(v, VMPI_ANY_SOURCE, 6, VMPI_COMM_WORLD, &status);
			vmpi_Recv(v, data, (int)n, VMPI_UNSIGNED, status.VMPI_SOURCE, 6, VMPI_COMM_WORLD, &status);
			expect(c, round, (uint32_t)status.VMPI_SOURCE, root, data, n);
		}
	}
	free(data);
}

static void collective(struct vmpi *v, struct chance *c, uint32_t round, uint32_t rank, uint32_t n, unsigned which)
{
	uint32_t root = draw(c, round, 4, RANKS), *a = malloc(RANKS * n * 4 + 1), *b = malloc(RANKS * n * 4 + 1);

	switch (which) {
	case 0:
		fill(c, round, root, 0, a, n);
		if (rank != root)
			memset(a, 0, n * 4);
		vmpi_Bcast(v, a, (int)n, VMPI_UNSIGNED, (int)root, VMPI_COMM_WORLD);
		for (uint32_t i = 0; i < n; i++)
			c->wrong |= a[i] != word(c, round, root, 0, i);
		break;
	case 1:
		for (uint32_t i = 0; i < n; i++)
			a[i] = rank * i;
		vmpi_Allreduce(v, a, b, (int)n, VMPI_UNSIGNED, VMPI_SUM, VMPI_COMM_WORLD);
		for (uint32_t i = 0; i < n; i++)
			c->wrong |= b[i] != RANKS * (RANKS - 1) / 2 * i;
		break;
	case 2:
		for (uint32_t to = 0; to < RANKS; to++)
			fill(c, round, rank, to, a + to * n, n);
		vmpi_Alltoall(v, a, (int)n, VMPI_UNSIGNED, b, (int)n, VMPI_UNSIGNED, VMPI_COMM_WORLD);
		for (uint32_t from = 0; from < RANKS; from++)
			expect(c, round, from, rank, b + from * n, n);
		break;
	default:
		fill(c, round, rank, 0, a, n);
		vmpi_Allgather(v, a, (int)n, VMPI_UNSIGNED, b, (int)n, VMPI_UNSIGNED, VMPI_COMM_WORLD);
		for (uint32_t from = 0; from < RANKS; from++)
			for (uint32_t i = 0; i < n; i++)
				c->wrong |= b[from * n + i] != word(c, round, from, 0, i);
	}
	free(a);
	free(b);
}

static int by_chance(struct vmpi *v, uint32_t rank, void *user)
{
	struct chance *c = user;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		unsigned kind = draw(c, round, 1, 7);
		uint32_t n = draw(c, round, 2, 1 + (kind < 3 ? WORDS_MAX : WORDS_MAX / 10));

		/* times with picoseconds: two ranks hardly ever do something at the same */
		vmpi_Add_time(v, 1e-12 * (double)rng_below(c->seed, 200 + rank, round, 5000000));
		if (kind < 2)
			shift(v, c, round, rank, n, kind);
		else if (kind == 2)
			funnel(v, c, round, rank, n);
		else
			collective(v, c, round, rank, n, kind - 3);
		c->times[rank] += v->current->now * (round + 1);
	}
	c->ended[rank] = v->current->now;
	return 0;
}

/* ---- running it ---- */

static void computed(void *user, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	record_computed(user, rank, from, to, where);
}

static void waited(void *user, const struct vmpi_waited *w)
{
	record_waited(user, w);
}

static void check_path(struct record *r, const struct vmpi *v)
{
	struct path p;
	struct err e;
	uint32_t last = 0;

	for (uint32_t i = 0; i < RANKS; i++)
		if (vmpi_rank_time(v, i) > vmpi_rank_time(v, last))
			last = i;
	CHECK_I64(path_find(&p, r, last, vmpi_rank_time(v, last), &e), 0);
	CHECK_I64(p.sum.work + p.sum.overhead + p.sum.flight, vmpi_rank_time(v, last));
	path_finish(&p);
}

/* On an engine whose network and parameters are given; checks all that does not depend on either.
 */
static struct chance run(uint64_t seed, uint64_t shuffle, struct net_made *m)
{
	struct chance c = {.seed = seed};
	struct err e = {0};
	struct record *record = record_create(RANKS, &e);
	struct vmpi_observer observer = {.computed = computed, .waited = waited, .user = record};
	struct net_setup setup = {.topology = m->topology, .config = &m->config, .seed = 1, .check = true};
	struct net_engine *engine = m->kind->create(&setup, &e);
	struct vmpi_config cfg;
	struct config *config = config_create();
	struct vmpi_setup s = {.config = &cfg,
			       .kind = m->kind,
			       .engine = engine,
			       .ranks = RANKS,
			       .nodes = m->topology->nodes,
			       .nics = m->topology->nics,
			       .seed = seed,
			       .check = true,
			       .shuffle = shuffle,
			       .observer = &observer};
	struct vmpi *v;

	REQUIRE(engine != NULL && record != NULL);
	vmpi_config_add(config, &cfg);
	cfg.mpi.eager = EAGER;
	cfg.ranks.start_jitter = 1000000;
	v = vmpi_create(&s, &e);
	REQUIRE(v != NULL);
	vmpi_set_body(v, by_chance, &c);
	CHECK_U64(vmpi_run(v, UINT64_MAX, &e), VMPI_DONE);
	CHECK_STR(e.text, "");
	CHECK(!c.wrong);
	/* an answer that nobody waits for may still be under way */
	while (m->kind->next_time(engine) != NET_TIME_NEVER) {
		struct net_notice notice[8];

		REQUIRE(m->kind->advance(engine, m->kind->next_time(engine), notice, 8, &e) >= 0);
	}
	CHECK_I64(m->kind->verify ? m->kind->verify(engine, &e) : 0, 0);
	check_path(record, v);
	vmpi_destroy(v);
	m->kind->destroy(engine);
	record_destroy(record);
	config_destroy(config);
	return c;
}

/* ---- engines ---- */

#define TORUS "kind=torus dims=4x3 link.bandwidth=2GB/s link.cable=10ns"
enum { ENGINES = 4 };
static const char *const engines[ENGINES] = {"linear", "table", "flow", "packet"};

static char table_file[] = "/tmp/psim-555-XXXXXX";

static void write_table(void)
{
	static const char text[] = "message-times 1\ntable p2p\nbytes 0 1KiB 1MiB\n1 2us 3us 110us\n3 3us 4us 130us\n";
	int fd = mkstemp(table_file);

	if (fd < 0 || write(fd, text, sizeof(text) - 1) != sizeof(text) - 1 || close(fd) < 0)
		abort();
}

static struct net_made make(unsigned engine)
{
	char parameters[100];

	snprintf(parameters, sizeof(parameters), "table.file=%s", table_file);
	return net_must(engines[engine], TORUS, strcmp(engines[engine], "table") ? "" : parameters);
}

static void unmake(struct net_made *m)
{
	topology_destroy(m->topology);
}

static void all_engines_bring_the_same_data(void)
{
	struct net_made made[ENGINES];
	unsigned different = 0;

	for (unsigned k = 0; k < ENGINES; k++)
		made[k] = make(k);
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct chance first = run(seed, 0, &made[0]);

		for (unsigned k = 1; k < ENGINES; k++) {
			struct chance other = run(seed, 0, &made[k]);

			for (uint32_t i = 0; i < RANKS; i++)
				CHECK_U64(other.sum[i], first.sum[i]);
			different += other.ended[0] != first.ended[0];
		}
	}
	CHECK(different > 30); /* they are not one engine */
	for (unsigned k = 0; k < ENGINES; k++)
		unmake(&made[k]);
}

static void the_order_in_which_the_host_runs_ranks_makes_no_difference(void)
{
	for (unsigned k = 0; k < ENGINES; k++) {
		struct net_made m = make(k);

		for (uint64_t seed = 1; seed <= 8; seed++) {
			struct chance plain = run(seed, 0, &m);

			for (uint64_t shuffle = 1; shuffle <= 4; shuffle++) {
				struct chance c = run(seed, shuffle, &m);

				CHECK(memcmp(&c, &plain, sizeof(c)) == 0);
			}
		}
		unmake(&m);
	}
}

/* ---- the check itself ---- */

static int one_message(struct vmpi *v, uint32_t rank, void *user)
{
	(void)user;
	vmpi_Add_time(v, 1e-6);
	if (rank == 0)
		vmpi_Send(v, NULL, 8, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD);
	else
		vmpi_Recv(v, NULL, 8, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD, NULL);
	return 0;
}

/* An engine whose messages arrive before they were sent. */
static void an_engine_that_goes_back_is_found(void)
{
	struct fake_times times = {.latency = -500000, .per_byte = 1};
	struct net_engine *engine = fake_create(&times);
	struct config *config = config_create();
	struct vmpi_config cfg;
	struct vmpi_setup s = {.config = &cfg,
			       .kind = &fake_engine,
			       .engine = engine,
			       .ranks = 2,
			       .nodes = 2,
			       .nics = 1,
			       .seed = 1,
			       .check = true};
	struct err e = {0};
	struct vmpi *v;

	vmpi_config_add(config, &cfg);
	cfg.mpi.overhead = 200;
	v = vmpi_create(&s, &e);
	REQUIRE(v != NULL);
	vmpi_set_body(v, one_message, NULL);
	CHECK_U64(vmpi_run(v, UINT64_MAX, &e), VMPI_FAILED);
	/* sent at 1 us + 200 ps, left 8 ps later */
	CHECK_STR(e.text, "check: a message from rank 0 to rank 1 begins at 1000200 ps and arrives at 500208 ps");
	vmpi_destroy(v);
	fake_engine.destroy(engine);
	config_destroy(config);
}

static const struct tap_test tests[] = {
	{"all engines bring the same data", all_engines_bring_the_same_data},
	{"the order in which the host runs ranks makes no difference",
	 the_order_in_which_the_host_runs_ranks_makes_no_difference},
	{"an engine that goes back is found", an_engine_that_goes_back_is_found},
};

int main(void)
{
	int status;

	write_table();
	status = tap_main("programs by chance", tests, TAP_COUNT(tests));
	unlink(table_file);
	return status;
}
