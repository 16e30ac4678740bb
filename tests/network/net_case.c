#include "net_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netlink/engine/net_config.h"
#include "psim/base/mem.h"
#include "netlink/engines/engine_kinds.h"

static void give_up(const struct net_case *c, const struct err *e)
{
	fprintf(stderr, "%s, %s, %s, %s: %s\n", c->network, c->parameters, c->engine, c->pattern, e->text);
	exit(1);
}

static void override_all(const struct net_case *c, struct config *config, const char *parameters)
{
	char text[512], *at, *next;
	struct err e = {0};

	snprintf(text, sizeof(text), "%s", parameters);
	for (at = strtok_r(text, " ", &next); at; at = strtok_r(NULL, " ", &next))
		if (config_override(config, at, "-p", &e))
			give_up(c, &e);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct net_case_result run(const struct net_case *c, struct traffic_setup *s)
{
	struct net_case_result r = {0};
	struct err e = {0};
	double start = cpu_seconds();
	struct traffic_result *x = traffic_run(s, &e);

	if (!x)
		give_up(c, &e);
	r.host_s = cpu_seconds() - start;
	r.total_ps = x->total_ps;
	r.messages = x->messages;
	r.latency_mean_ps = x->messages ? (double)x->latency_sum_ps / (double)x->messages : 0;
	for (uint32_t i = 0; i < x->ranks; i++)
		r.end_sum_ps += (double)x->rank[i].end_ps;
	if (!strcmp(c->engine, "flow"))
		r.flow = net_flow_fluid(s->engine)->counts;
	traffic_result_destroy(x);
	return r;
}

struct net_case_result net_case_run(const struct net_case *c)
{
	struct config *config = config_create();
	struct topology_config topology;
	struct net_config net;
	struct err e = {0};
	struct net_setup setup = {.config = &net, .seed = 1, .check = c->check};
	struct traffic_setup s = {0};
	struct net_case_result r;
	struct topology *t = NULL;
	struct traffic *traffic;
	uint32_t *place;

	topology_config_add(config, &topology);
	net_config_add(config, &net);
	override_all(c, config, c->network);
	override_all(c, config, c->parameters);
	if (topology_config_check(config, &topology, &e) || net_config_check(config, &net, &e) ||
	    !(s.kind = net_engine_find(c->engine, &e)) || !(t = topology_create(&topology, &e)))
		give_up(c, &e);
	traffic = *c->pattern == '@' ? traffic_from_file(c->pattern + 1, t->nics, &e)
				     : traffic_of_load(c->pattern, NULL, t, t->nodes, &e);
	place = traffic ? traffic_placement(t->nodes, traffic_ranks(traffic), c->placement, c->placement, &e) : NULL;
	setup.topology = s.topology = t;
	s.engine = place ? s.kind->create(&setup, &e) : NULL;
	if (!s.engine)
		give_up(c, &e);
	s.traffic = traffic;
	s.node_of = place;
	r = run(c, &s);
	s.kind->destroy(s.engine);
	free(place);
	traffic_destroy(traffic);
	topology_destroy(t);
	config_destroy(config);
	return r;
}
