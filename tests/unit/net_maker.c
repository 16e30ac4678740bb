#include "net_maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "topology_maker.h"
#include "netlink/engines/engine_kinds.h"

static void override_all(struct config *c, const char *parameters)
{
	char text[512], *at, *next;
	struct err e = {0};

	snprintf(text, sizeof(text), "%s", parameters);
	for (at = strtok_r(text, " ", &next); at; at = strtok_r(NULL, " ", &next)) {
		CHECK_I64(config_override(c, at, "-p", &e), 0);
		CHECK_STR(e.text, "");
	}
}

struct net_made net_must(const char *engine, const char *network, const char *parameters)
{
	struct net_made m = {.topology = topology_must(network)};
	struct config *c = config_create();
	struct err e = {0};

	net_config_add(c, &m.config);
	override_all(c, parameters);
	CHECK_I64(net_config_check(c, &m.config, &e), 0);
	config_destroy(c);
	m.kind = net_engine_find(engine, &e);
	REQUIRE(m.kind != NULL);
	m.engine = NULL;
	return m;
}

void net_hosts(struct net_made *m, const struct protocol *protocol)
{
	m->kind = net_engine_with_hosts(m->kind);
	REQUIRE(m->kind != NULL);
	m->protocol = protocol;
}

static void start(struct net_made *m)
{
	struct net_setup s = {.topology = m->topology,
			      .config = &m->config,
			      .seed = 1,
			      .check = true,
			      .log = m->log,
			      .protocol = m->protocol};
	struct err e = {0};

	if (m->engine)
		return;
	m->engine = m->kind->create(&s, &e);
	REQUIRE(m->engine != NULL);
}

void net_unmake(struct net_made *m)
{
	m->kind->destroy(m->engine);
	topology_destroy(m->topology);
}

static void send_message(struct net_made *m, int64_t time_ps, const struct net_message *x)
{
	struct err e = {0};

	start(m);
	CHECK_I64(m->kind->send(m->engine, time_ps, x, &e), 0);
}

void net_send(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes)
{
	net_send_between(m, time_ps, id, src, dst, bytes, 0, 0);
}

void net_send_between(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes,
		      uint32_t from, uint32_t to)
{
	struct net_message x = {
		.id = id, .src = src, .dst = dst, .nic = NET_NIC_ANY, .bytes = bytes, .from = from, .to = to};

	send_message(m, time_ps, &x);
}

void net_send_control(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes)
{
	struct net_message x = {.id = id, .src = src, .dst = dst, .nic = NET_NIC_ANY, .bytes = bytes, .control = true};

	send_message(m, time_ps, &x);
}

const char *net_next(struct net_made *m)
{
	static char text[64];
	struct net_notice x;
	struct err e = {0};

	start(m);
	if (m->kind->next_time(m->engine) == NET_TIME_NEVER)
		return "nothing";
	CHECK_I64(m->kind->advance(m->engine, NET_TIME_NEVER - 1, &x, 1, &e), 1);
	CHECK_STR(e.text, "");
	snprintf(text, sizeof(text), "%s %" PRIu32 " at %" PRId64, x.kind == NET_SENT ? "SENT" : "DELIVERED", x.id,
		 x.time_ps);
	return text;
}

int64_t net_finish(struct net_made *m)
{
	struct net_notice x[8];
	struct err e = {0};
	int64_t last = 0;
	int count;

	start(m);
	while (m->kind->next_time(m->engine) != NET_TIME_NEVER) {
		count = m->kind->advance(m->engine, NET_TIME_NEVER - 1, x, 8, &e);
		REQUIRE(count > 0);
		last = x[count - 1].time_ps;
	}
	CHECK_I64(m->kind->verify(m->engine, &e), 0);
	CHECK_STR(e.text, "");
	return last;
}
