/* The time of an isolated message: alone.h. */
#include "alone.h"

#include <stdlib.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "net_config.h"

enum {
	ANSWERS = 4096, /* cached, because programs need the same ones repeatedly */
	NOTICES = 4,
	DRAWS = 16, /* messages one after the other whose mean is the time of one, where an engine remembers */
};

struct answer {
	uint64_t bytes;
	uint32_t src, dst;
	bool known;
	struct alone_time time;
};

struct alone {
	const struct net_engine_kind *kind;
	struct net_setup setup;
	struct net_engine *engine;
	bool remembers; /* the engine's answers depend on earlier messages */
	bool used;      /* it has carried some */
	int64_t now;
	struct answer answer[ANSWERS];
};

/*
 * Returns whether an answer may depend on the messages before it: random paths are drawn by a message's number, and
 * links, NICs and inputs take turns.
 */
static bool remembers(const struct net_setup *s)
{
	return !s->topology->fixed_routes || s->topology->nics > 1 ||
	       s->config->router.arbitration == ARBITRATION_ROUND_ROBIN;
}

struct alone *alone_create(const struct net_engine_kind *kind, const struct net_setup *setup, struct err *e)
{
	struct alone *a = mem_alloc(1, sizeof(*a), e);

	if (!a)
		return NULL;
	a->kind = kind;
	a->setup = *setup;
	a->setup.log = NULL;
	a->setup.loads = NULL;
	a->setup.changes = NULL;
	a->setup.check = false;
	a->remembers = remembers(setup);
	a->engine = kind->create(&a->setup, e);
	if (!a->engine) {
		free(a);
		return NULL;
	}
	return a;
}

void alone_destroy(struct alone *a)
{
	if (!a)
		return;
	a->kind->destroy(a->engine);
	free(a);
}

/* Makes a new engine where the old one remembers: the same messages take the same time after any others. */
static int begin_anew(struct alone *a, struct err *e)
{
	struct net_engine *fresh;

	if (a->remembers && a->used) {
		fresh = a->kind->create(&a->setup, e);
		if (!fresh)
			return -1;
		a->kind->destroy(a->engine);
		a->engine = fresh;
		a->now = 0;
	}
	a->used = true;
	return 0;
}

/* Carries one message, and the credits that return for it; adds its times to `sum`. */
static int carry_one(struct alone *a, const struct net_message *m, struct alone_time *sum, struct err *e)
{
	bool sent = false, delivered = false;
	int64_t begin = a->now;

	if (a->kind->send(a->engine, begin, m, e) < 0)
		return -1;
	while (!sent || !delivered || a->kind->next_time(a->engine) != NET_TIME_NEVER) {
		struct net_notice notice[NOTICES];
		int64_t next = a->kind->next_time(a->engine);
		int n;

		if (next == NET_TIME_NEVER)
			return err_set(e, STATUS_FAILED, "a single message in the network never arrives");
		/* next_time may equal the present: only NET_TIME_NEVER advances until there is a notice */
		n = a->kind->advance(a->engine, sent && delivered ? next : NET_TIME_NEVER, notice, NOTICES, e);
		if (n < 0)
			return -1;
		a->now = n ? notice[n - 1].time_ps : next;
		for (int i = 0; i < n; i++)
			if (notice[i].kind == NET_SENT) {
				sent = true;
				sum->sent += notice[i].time_ps - begin;
			} else {
				delivered = true;
				sum->delivered += notice[i].time_ps - begin;
			}
	}
	return 0;
}

static int carry(struct alone *a, const struct net_message *m, struct alone_time *out, struct err *e)
{
	const int draws = a->remembers ? DRAWS : 1;
	struct alone_time sum = {0};

	if (begin_anew(a, e) < 0)
		return -1;
	for (int i = 0; i < draws; i++)
		if (carry_one(a, m, &sum, e) < 0)
			return -1;
	*out = (struct alone_time){sum.sent / draws, sum.delivered / draws};
	return 0;
}

int alone_measure(struct alone *a, uint32_t src, uint32_t dst, uint64_t bytes, struct alone_time *out, struct err *e)
{
	struct answer *k = &a->answer[hash_two((uint64_t)src << 32 | dst, bytes) & (ANSWERS - 1)];
	struct net_message m = {.id = 1, .src = src, .dst = dst, .nic = NET_NIC_ANY, .bytes = bytes};

	if (!k->known || k->src != src || k->dst != dst || k->bytes != bytes) {
		*k = (struct answer){.bytes = bytes, .src = src, .dst = dst};
		if (carry(a, &m, &k->time, e) < 0)
			return -1;
		k->known = true;
	}
	*out = k->time;
	return 0;
}

static struct net_message message_of_pair(const struct alone_pair *pair, uint32_t id, uint64_t bytes)
{
	return (struct net_message){.id = id,
				    .src = pair->src,
				    .dst = pair->dst,
				    .nic = NET_NIC_ANY,
				    .bytes = bytes,
				    .from = pair->from,
				    .to = pair->to};
}

int64_t alone_measure_together(struct alone *a, const struct alone_pair *pairs, uint32_t count, uint64_t bytes,
			       struct err *e)
{
	uint32_t left = count;
	int64_t begin, last;

	if (count == 1) {
		struct net_message m = message_of_pair(pairs, 1, bytes);
		struct alone_time time;

		return carry(a, &m, &time, e) < 0 ? -1 : time.delivered;
	}
	if (begin_anew(a, e) < 0)
		return -1;
	begin = last = a->now;
	for (uint32_t i = 0; i < count; i++) {
		struct net_message m = message_of_pair(&pairs[i], i + 1, bytes);

		if (a->kind->send(a->engine, begin, &m, e) < 0)
			return -1;
	}
	while (left || a->kind->next_time(a->engine) != NET_TIME_NEVER) {
		struct net_notice notice[64];
		int64_t next = a->kind->next_time(a->engine);
		int n;

		if (next == NET_TIME_NEVER)
			return err_set(e, STATUS_FAILED, "concurrent messages never arrive");
		n = a->kind->advance(a->engine, left ? NET_TIME_NEVER : next, notice, 64, e);
		if (n < 0)
			return -1;
		a->now = n ? notice[n - 1].time_ps : next;
		for (int i = 0; i < n; i++)
			if (notice[i].kind == NET_DELIVERED) {
				last = notice[i].time_ps;
				left--;
			}
	}
	return last - begin;
}
