#include "measure.h"

#include <stdlib.h>

#include "../../topology/down.h"
#include "../../vmpi/collectives/collective.h"
#include "cells.h"
#include "calls.h"

int machine_create(struct machine *m, const char *engine, struct err *e)
{
	m->topology = topology_create(&m->topology_config, e);
	if (!m->topology || down_expect_whole(m->topology, e) < 0)
		return -1;
	m->kind = net_engine_find(engine ? engine : m->net_config.engine.kind, e);
	if (m->kind && m->topology->down && !m->kind->links)
		return err_set(e, STATUS_USAGE,
			       "topology.down: engine %s does not model links, expected engine packet or flow",
			       m->kind->name);
	if (!m->kind || !*m->net_config.protocol.file || !net_engine_with_hosts(m->kind))
		return m->kind ? 0 : -1;
	m->kind = net_engine_with_hosts(m->kind);
	m->protocol = protocol_read(m->net_config.protocol.file, e);
	return m->protocol ? 0 : -1;
}

void machine_destroy(struct machine *m)
{
	topology_destroy(m->topology);
	protocol_destroy(m->protocol);
	m->topology = NULL;
	m->protocol = NULL;
}

uint64_t machine_ranks(const struct machine *m)
{
	return (uint64_t)m->topology->nodes * m->vmpi_config.ranks.per_node;
}

unsigned machine_diameter(const struct machine *m)
{
	unsigned most = 0;

	for (uint32_t i = 0; i < m->topology->nodes; i++) {
		unsigned d = topology_distance(m->topology, 0, i);

		most = d > most ? d : most;
	}
	return most;
}

bool machine_at_distance(const struct machine *m, unsigned distance, uint32_t *node)
{
	for (uint32_t i = 0; i < m->topology->nodes; i++)
		if (topology_distance(m->topology, 0, i) == distance) {
			*node = i;
			return true;
		}
	return false;
}

static struct net_setup net_of(const struct machine *m)
{
	return (struct net_setup){
		.topology = m->topology, .config = &m->net_config, .protocol = m->protocol, .seed = 1};
}

static struct net_engine *make_engine(const struct machine *m, struct err *e)
{
	struct net_setup setup = net_of(m);

	return m->kind->create(&setup, e);
}

static int measure_message(const struct machine *m, struct cell *c, struct err *e)
{
	struct net_message message = {.id = 1, .nic = NET_NIC_ANY, .bytes = c->bytes};
	struct net_engine *engine = make_engine(m, e);
	int n = engine ? 0 : -1;

	if (c->row)
		machine_at_distance(m, c->row, &message.dst);
	if (n == 0 && m->kind->send(engine, 0, &message, e) < 0)
		n = -1;
	while (n >= 0 && c->ps < 0) {
		struct net_notice notices[2];

		n = m->kind->advance(engine, NET_TIME_NEVER - 1, notices, 2, e);
		if (n == 0)
			n = err_set(e, STATUS_FAILED, "engine %s: a message of %llu bytes never arrived", m->kind->name,
				    (unsigned long long)c->bytes);
		for (int i = 0; i < n; i++)
			if (notices[i].kind == NET_DELIVERED)
				c->ps = notices[i].time_ps;
	}
	if (engine)
		m->kind->destroy(engine);
	return n < 0 ? -1 : 0;
}

/* ---- collective operations ---- */

static int body(struct vmpi *v, uint32_t rank, void *user)
{
	const struct cell *c = user;
	int n = (int)c->bytes;

	(void)rank;
	switch ((enum collective_op)(c->table - 1)) {
#define COLLECTIVE(NAME, name, calls, measured) \
	case COLLECTIVE_##NAME: \
		measured; \
		break;
#include "../../vmpi/collective_ops.def"
	case COLLECTIVE_COUNT: break;
	}
	return 0;
}

static int measure_collective(const struct machine *m, struct cell *c, struct err *e)
{
	struct net_engine *engine = make_engine(m, e);
	struct net_setup net = net_of(m);
	struct vmpi_setup setup = {
		.config = &m->vmpi_config,
		.kind = m->kind,
		.engine = engine,
		.net = &net,
		.ranks = c->row,
		.nodes = m->topology->nodes,
		.nics = m->topology->nics,
		.seed = 1,
	};
	struct vmpi *v = engine ? vmpi_create(&setup, e) : NULL;
	enum vmpi_end end = VMPI_FAILED;

	if (v) {
		vmpi_set_body(v, body, c);
		end = vmpi_run(v, UINT64_MAX, e);
	}
	for (uint32_t i = 0; end == VMPI_DONE && i < c->row; i++)
		if (vmpi_rank_time(v, i) > c->ps)
			c->ps = vmpi_rank_time(v, i);
	vmpi_destroy(v);
	if (engine)
		m->kind->destroy(engine);
	return end == VMPI_DONE || end == VMPI_RUNNING ? 0 : -1;
}

int measure(const struct machine *m, struct cell *c, struct err *e)
{
	return c->table ? measure_collective(m, c, e) : measure_message(m, c, e);
}
