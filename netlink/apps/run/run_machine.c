#include "run_machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/mem.h"
#include "../../engine/link_loads.h"
#include "../../mapping/placement.h"
#include "../../ndl/described.h"
#include "../../topology/graph_file.h"
#include "../../topology/topology_names.h"

/* ---- configuration ---- */

const struct config_use machine_uses[] = {
#define USE(keys, when) {keys, when, false},
#include "../../engine/net_uses.def"
#include "../../vmpi/vmpi_uses.def"
#include "../../power/power_uses.def"
#include "../../cost/cost_uses.def"
#include "../../reliability/reliability_uses.def"
#undef USE
	{NULL, NULL, false},
};

/* Returns whether any collective operation takes its time from a table. */
static bool collectives_by_table(const struct run_machine *m)
{
	const struct vmpi_mpi_params *mpi = &m->vmpi_config.mpi;

	if (mpi->collectives == COLLECTIVES_TABLE)
		return true;
#define COLLECTIVE(NAME, name, calls, measured) \
	if (strcmp(mpi->collective_##name, "table") == 0) \
		return true;
#include "../../vmpi/collective_ops.def"
	return false;
}

/* States the facts that their conditions use besides the configuration. */
static int state_facts(const struct run_machine *m, const struct settings *s, bool page, struct err *e)
{
	const struct {
		const char *name;
		bool value;
		const char *why;
	} facts[] = {
		{"simulator", true, ""},
		{"jobs", s->jobs.count > 0, "without --job"},
		{"program", !s->pattern && !s->pattern_file && (!s->jobs.count || inputs_have_program(s)),
		 "by traffic without a program"},
		{"built", !s->network, "with --network"},
		{"placed", !s->mapping && !s->jobs.count, s->mapping ? "with --mapping" : "with --job"},
		{"trace", s->replay != NULL, "without --replay"},
		{"limited", s->time_limit != NULL, "without --time-limit"},
		{"report", s->topology_report, "without --topology-report"},
		{"log",
		 s->series || s->series_picture || s->power_series || s->power_picture || s->chrome || s->paje ||
			 s->paraver || page,
		 "without --series, --power-series, --html, --timeline, --paje or --paraver"},
		{"power", power_given(&m->power_config), "without figures in [power]"},
		{"cost", cost_given(&m->cost_config), "without prices in [cost]"},
		{"fails", reliability_given(&m->reliability_config),
		 "without reliability.node_mtbf, link_mtbf or failures"},
		{"collectives_by_table", collectives_by_table(m), "without mpi.collectives = table"},
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (config_fact(m->config, facts[i].name, facts[i].value, facts[i].why, e) < 0)
			return -1;
	return 0;
}

/* --engine is an override like others. */
static int set_engine(const struct run_machine *m, const char *engine, struct err *e)
{
	char assignment[PARAM_TEXT_MAX + 20];

	if (!engine)
		return 0;
	snprintf(assignment, sizeof(assignment), "engine.kind=%.*s", PARAM_TEXT_MAX, engine);
	return config_override(m->config, assignment, "--engine", e);
}

/* So is --graph: two of them. */
static int run_machine_set_graph(const struct run_machine *m, const char *file, struct err *e)
{
	char assignment[PARAM_TEXT_MAX + 20], kind[40];

	if (!file)
		return 0;
	if ((size_t)snprintf(assignment, sizeof(assignment), "topology.file=%s", file) >= sizeof(assignment))
		return err_set(e, STATUS_USAGE, "--graph: a name of %zu letters, expected at most %d", strlen(file),
			       PARAM_TEXT_MAX);
	snprintf(kind, sizeof(kind), "topology.kind=%s", graph_file_kind(file));
	if (config_override(m->config, kind, "--graph", e) < 0)
		return -1;
	return config_override(m->config, assignment, "--graph", e);
}

/* Energies are those of one run of one program or pattern. */
static int run_machine_check_power(const struct run_machine *m, const struct settings *s, struct err *e)
{
	if (power_config_check(m->config, &m->power_config, e) < 0)
		return -1;
	if (!power_given(&m->power_config) && (s->power_series || s->power_picture))
		return err_set(e, STATUS_USAGE, "--power-%s: expected figures in [power]",
			       s->power_picture ? "picture" : "series");
	if (power_given(&m->power_config) && (s->jobs.count || s->load))
		return err_set(e, STATUS_USAGE,
			       "[power] and --%s: expected one run of one program or pattern, or no power",
			       s->load ? "load" : "job");
	if (reliability_given(&m->reliability_config) && (s->jobs.count || s->load))
		return err_set(e, STATUS_USAGE,
			       "[reliability] and --%s: expected one run of one program or pattern, or no failures",
			       s->load ? "load" : "job");
	return 0;
}

int machine_config_check(struct run_machine *m, const struct settings *s, bool page, struct err *e)
{
	const struct config *c = m->config;
	int links;

	if (set_engine(m, s->engine, e) < 0 || run_machine_set_graph(m, s->graph, e) < 0 ||
	    state_facts(m, s, page, e) < 0 || failures_check(m, s, e) < 0)
		return -1;
	links = s->network ? described_config_check(c, &m->topology_config, e)
			   : topology_config_check(c, &m->topology_config, e);
	if (links < 0 || net_config_check(c, &m->net_config, e) < 0)
		return -1;
	if (run_machine_check_power(m, s, e) < 0 || reliability_config_check(c, &m->reliability_config, e) < 0)
		return -1;
	return vmpi_config_check(c, &m->vmpi_config, e);
}

int machine_config_create(struct run_machine *m, const struct run_program *program, struct err *e)
{
	char assignment[64];

	m->config = config_create();
	topology_config_add(m->config, &m->topology_config);
	net_config_add(m->config, &m->net_config);
	vmpi_config_add(m->config, &m->vmpi_config);
	power_config_add(m->config, &m->power_config);
	cost_config_add(m->config, &m->cost_config);
	reliability_config_add(m->config, &m->reliability_config);
	models_config_add(m->config);
	if (!program->engine)
		return 0;
	snprintf(assignment, sizeof(assignment), "engine.kind=%s", program->engine);
	return config_override(m->config, assignment, program->name, e);
}

/* ---- network ---- */

/* Reads the protocol of hosts, if one is configured, and puts the hosts in front of the engine. */
static int machine_read_protocol(struct run_machine *m, struct err *e)
{
	const struct net_engine_kind *kind = net_engine_with_hosts(m->kind);

	if (!*m->net_config.protocol.file || !kind)
		return 0;
	m->kind = kind;
	m->protocol = protocol_read(m->net_config.protocol.file, e);
	return m->protocol ? 0 : -1;
}

int machine_make_network(struct run_machine *m, const struct settings *s, struct err *e)
{
	if (s->network)
		m->topology = described_topology(s->network, s->network_args, &m->topology_config, e);
	else
		m->topology = topology_create(&m->topology_config, e);
	if (!m->topology)
		return -1;
	m->kind = net_engine_find(m->net_config.engine.kind, e);
	if (!m->kind || machine_read_protocol(m, e) < 0)
		return -1;
	return failures_make(m, s, e);
}

/* ---- placement ---- */

/*
 * Checks that the mapping has at most ranks.per_node ranks per node: more would share the node's resources, which the
 * configuration gives for fewer.
 */
static int check_mapping(const struct run_machine *m, const char *path, struct err *e)
{
	uint32_t *on = mem_alloc(m->topology->nodes, sizeof(*on), e), most = m->vmpi_config.ranks.per_node;
	int ret = on ? 0 : -1;

	for (uint32_t r = 0; r < m->ranks && ret == 0; r++) {
		uint32_t node = m->node_of[r];
		char name[ROUTER_NAME_MAX];

		topology_node_name(m->topology, node, name);
		if (!topology_reaches(m->topology, node, node))
			ret = err_set(e, STATUS_BAD_INPUT,
				      "%s: rank %" PRIu32 " on node %s, which is down, expected another node", path, r,
				      name);
		else if (++on[node] > most)
			ret = err_set(e, STATUS_BAD_INPUT,
				      "%s: rank %" PRIu32 " exceeds the ranks of node %s"
				      ", expected at most ranks.per_node = %" PRIu32,
				      path, r, name, most);
	}
	free(on);
	return ret;
}

static int read_mapping(struct run_machine *m, const char *path, uint32_t ranks, struct err *e)
{
	FILE *in = input_plain(path);
	uint32_t count;

	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	m->node_of = placement_read(in, path, m->topology->nodes, &count, e);
	fclose(in);
	if (!m->node_of)
		return -1;
	if (ranks && ranks != count)
		return err_set(e, STATUS_BAD_INPUT, "%s: %" PRIu32 " ranks, expected %" PRIu32, path, count, ranks);
	m->ranks = count;
	return check_mapping(m, path, e);
}

/* The nodes that are up; their number in *count. NULL with `e`. */
static uint32_t *nodes_up(const struct topology *t, uint32_t *count, struct err *e)
{
	uint32_t *node = mem_alloc(t->nodes, sizeof(*node), e);

	*count = 0;
	for (uint32_t i = 0; node && i < t->nodes; i++)
		if (topology_reaches(t, i, i))
			node[(*count)++] = i;
	return node;
}

/* Places ranks on the nodes that are up. */
static int place_up(struct run_machine *m, const struct settings *s, uint32_t ranks, struct err *e)
{
	uint32_t count, *node = nodes_up(m->topology, &count, e);
	int ret = node ? 0 : -1;

	if (node && !count)
		ret = err_set(e, STATUS_USAGE, "all %" PRIu32 " nodes are down, expected some that are up",
			      m->topology->nodes);
	m->ranks = ranks ? ranks : count * m->vmpi_config.ranks.per_node;
	m->node_of = ret ? NULL : mem_alloc(m->ranks, sizeof(*m->node_of), e);
	if (!m->node_of || vmpi_place(&m->vmpi_config, m->ranks, count, s->seed, m->node_of, e) < 0)
		ret = -1;
	for (uint32_t i = 0; !ret && i < m->ranks; i++)
		m->node_of[i] = node[m->node_of[i]];
	free(node);
	return ret;
}

int machine_place_ranks(struct run_machine *m, const struct settings *s, uint32_t ranks, struct err *e)
{
	uint64_t wanted = s->ranks;

	if (!wanted)
		return err_set(e, STATUS_USAGE, "-n 0: expected 1 or more");
	if (wanted == RANKS_ALL)
		wanted = 0;
	if (wanted > INT32_MAX)
		return err_set(e, STATUS_USAGE, "-n %" PRIu64 ": expected at most %d ranks", wanted, INT32_MAX);
	if (ranks && wanted && wanted != ranks)
		return err_set(e, STATUS_USAGE, "-n %" PRIu64 ": the %s is for %" PRIu32 " ranks", wanted,
			       s->replay ? "trace" : "pattern file", ranks);
	if (!ranks)
		ranks = (uint32_t)wanted;
	if (s->mapping)
		return read_mapping(m, s->mapping, ranks, e);
	return place_up(m, s, ranks, e);
}

/* ---- engine ---- */

int machine_read_times(struct run_machine *m, struct err *e)
{
	if (!collectives_by_table(m))
		return 0;
	if (!*m->net_config.table.file)
		return err_set(e, STATUS_USAGE,
			       "collective operations by table: table.file is empty, expected a file of times "
			       "(docs/formats/times-format.md)");
	m->times = times_read(m->net_config.table.file, e);
	return m->times ? 0 : -1;
}

int machine_make_engine(struct run_machine *m, const struct run_inputs *in, struct net_log *log, struct err *e)
{
	m->net = (struct net_setup){.topology = m->topology,
				    .config = &m->net_config,
				    .protocol = m->protocol,
				    .log = log,
				    .changes = m->changes,
				    .seed = in->set.seed,
				    .check = in->common.check};
	if (in->set.hot_links && !m->kind->links)
		return err_set(e, STATUS_USAGE, "--hot-links: engine %s has no links, expected packet or flow",
			       m->kind->name);
	net_loads_destroy(m->loads);
	m->loads = in->set.hot_links ? net_loads_create(e) : NULL;
	if (in->set.hot_links && !m->loads)
		return -1;
	m->net.loads = m->loads;
	if (in->common.check && failures_prove(m->changes, e) < 0)
		return -1;
	m->engine = m->kind->create(&m->net, e);
	return m->engine ? 0 : -1;
}

void machine_finish(struct run_machine *m)
{
	if (m->engine)
		m->kind->destroy(m->engine);
	net_loads_destroy(m->loads);
	free(m->owner);
	times_destroy(m->times);
	protocol_destroy(m->protocol);
	failures_destroy(m->changes);
	topology_destroy(m->topology);
	free(m->node_of);
	config_destroy(m->config);
}
