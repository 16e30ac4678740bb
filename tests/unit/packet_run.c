#include "packet_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlink/engine/net_config.h"
#include "tap.h"
#include "topology_maker.h"

enum { IDS = 4096 };

struct run {
	struct topology *t;
	struct net_config config;
	struct net_engine *n;
	struct net_log *log;
	int64_t now, sent, delivered[IDS];
	uint32_t id;
};

static void assign_all(struct config *c, const char *parameters)
{
	char text[500], *save, *word;
	struct err e = {0};

	snprintf(text, sizeof(text), "%s", parameters);
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (config_override(c, word, "-p", &e))
			fprintf(stderr, "%s\n", e.text);
		REQUIRE(!e.text[0]);
	}
}

struct run *run_new(const char *topology, const char *engine)
{
	return run_new_logged(topology, engine, NULL);
}

struct run *run_new_logged(const char *topology, const char *engine, const struct net_log_setup *log)
{
	return run_new_shuffled(topology, engine, log, 0);
}

struct run *run_new_shuffled(const char *topology, const char *engine, const struct net_log_setup *log,
			     uint64_t shuffle)
{
	struct run *r = calloc(1, sizeof(*r));
	struct config *c = config_create();
	struct net_setup setup = {.check = true, .shuffle = shuffle, .seed = 1};
	struct err e = {0};

	REQUIRE(r != NULL && c != NULL);
	r->t = topology_must(topology);
	net_config_add(c, &r->config);
	assign_all(c, engine);
	CHECK_I64(net_config_check(c, &r->config, &e), 0);
	config_destroy(c);
	setup.topology = r->t;
	setup.config = &r->config;
	if (log) {
		struct net_log_setup with = *log;

		with.topology = r->t;
		r->log = setup.log = net_log_create(&with, &e);
		REQUIRE(r->log != NULL);
	}
	r->n = net_packet.create(&setup, &e);
	if (!r->n)
		fprintf(stderr, "%s\n", e.text);
	REQUIRE(r->n != NULL);
	memset(r->delivered, -1, sizeof(r->delivered));
	return r;
}

void run_free(struct run *r)
{
	struct err e = {0};

	CHECK_I64(net_packet.verify(r->n, &e), 0);
	CHECK_STR(e.text, "");
	net_packet.destroy(r->n);
	net_log_destroy(r->log);
	topology_destroy(r->t);
	free(r);
}

void run_message(struct run *r, int64_t time_ps, const struct net_message *m)
{
	struct err e = {0};

	CHECK_I64(net_packet.send(r->n, time_ps, m, &e), 0);
}

uint32_t run_send(struct run *r, int64_t time_ps, uint32_t src, uint32_t dst, uint64_t bytes)
{
	struct net_message m = {.id = r->id++, .src = src, .dst = dst, .nic = 0, .bytes = bytes};

	run_message(r, time_ps, &m);
	return m.id;
}

int run_to_end(struct run *r, struct err *e)
{
	struct net_notice out[16];
	int count;

	while ((count = net_packet.advance(r->n, NET_TIME_NEVER, out, 16, e)) > 0)
		for (int i = 0; i < count; i++) {
			int64_t *at = out[i].kind == NET_SENT ? &r->sent : &r->now;

			CHECK(out[i].time_ps >= r->now);
			*at = out[i].time_ps;
			if (out[i].kind == NET_DELIVERED && out[i].id < IDS)
				r->delivered[out[i].id] = out[i].time_ps;
		}
	return count;
}

int64_t run_end(struct run *r)
{
	struct err e = {0};

	CHECK_I64(run_to_end(r, &e), 0);
	CHECK_STR(e.text, "");
	return r->now;
}

struct net_log *run_log(const struct run *r)
{
	return r->log;
}

int64_t run_now(const struct run *r)
{
	return r->now;
}

int64_t run_sent(const struct run *r)
{
	return r->sent;
}

int64_t run_delivered(const struct run *r, uint32_t id)
{
	return r->delivered[id];
}

struct net_packet_counts run_counts(const struct run *r)
{
	return net_packet_counts(r->n);
}

const struct net_engine *run_engine(const struct run *r)
{
	return r->n;
}

const struct topology *run_topology(const struct run *r)
{
	return r->t;
}
