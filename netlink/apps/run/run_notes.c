/* Notes and warnings on settings that bound a run in ways that its user may not expect. */
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/message_line.h"
#include "../../engine/nic_rates.h"
#include "../../engine/protocol/protocol_engine.h"
#include "../../engines/engine_kinds.h"
#include "../../parallel/record_exchange.h"
#include "../../topology/kind.h"
#include "../../traffic/steady.h"
#include "program_run.h"

enum { NOTES_MOST = 24, NOTE_MOST = 240 };

/* A sentence on a bound of a run, or on a part that it does not use. */
struct run_note {
	const char *about; /* a key, or a part of the machine */
	bool configured;   /* the user has named the value: only the report has the note */
	char text[NOTE_MOST];
};
struct run_list {
	const struct run *run;
	unsigned count;
	struct run_note at[NOTES_MOST];
};

__attribute__((format(printf, 3, 4))) static void run_note_add(struct run_list *list, const char *about,
							       const char *format, ...)
{
	struct run_note *n = &list->at[list->count];
	va_list args;

	assert(list->count < NOTES_MOST);
	list->count++;
	n->about = about;
	n->configured = false;
	va_start(args, format);
	vsnprintf(n->text, sizeof(n->text), format, args);
	va_end(args);
}

/* Notes a run that does not use its network: a machine of many nodes, and all ranks on one of them. */
static void note_one_node(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	char name[ROUTER_NAME_MAX];
	uint32_t same = 0;

	while (same < m->ranks && m->node_of[same] == m->node_of[0])
		same++;
	if (m->ranks > 1 && m->topology->nodes > 1 && same == m->ranks)
		run_note_add(list, "ranks", "all %" PRIu32 " ranks are on node %s: the network is not used", m->ranks,
			     topology_node_name(m->topology, m->node_of[0], name));
}

/* Notes tasks that do the same work, and write to the same files. */
static void note_tasks(const struct run *run)
{
	const unsigned tasks = mpi_launched_apart();

	if (tasks > 1)
		message("%s: note: srun has started %u tasks without --mpi=pmi2 or pmix: each is a run of its own",
			run->in.program->name, tasks);
}

/* Returns whether the engine obeys the rates of NICs and memory. */
static bool obeys_nics(const struct net_config *c)
{
	const char *kind = c->engine.kind;

	return !strcmp(kind, "packet") || !strcmp(kind, "flow") || (!strcmp(kind, "linear") && c->linear.bandwidth < 0);
}

/* Returns whether two ranks are on one node. */
static bool shares_nodes(const struct run_machine *m)
{
	struct err e;
	bool *taken = mem_alloc(m->topology->nodes, sizeof(*taken), &e), shared = false;

	for (uint32_t i = 0; taken && i < m->ranks; i++) {
		shared |= taken[m->node_of[i]];
		taken[m->node_of[i]] = true;
	}
	free(taken);
	return shared;
}

/* Notes that a node is slower than its links; by default none is. */
static void note_nic_caps(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	const struct nic_rates r = nic_rates(&m->net_config, m->topology);
	unsigned first = list->count;

	if (!obeys_nics(&m->net_config))
		return;
	if (nic_dma_caps(&r))
		run_note_add(list, "nic.dma", "nic.dma = %.6g GB/s caps each NIC, whose link carries %.6g GB/s",
			     r.dma / 1e9, r.link / 1e9);
	if (nic_memory_caps(&r))
		run_note_add(list, "nic.memory",
			     "nic.memory = %.6g GB/s caps the NICs of a node, which carry %.6g GB/s together",
			     r.memory / 1e9, r.nics / 1e9);
	while (first < list->count)
		list->at[first++].configured = true;
}

/* The bandwidth that buffers leave the links of a class, where a full packet follows another. */
struct run_credit {
	const char *key; /* the buffer's parameter */
	double carries;  /* bytes/s that the credits of one channel let through; at most those of the link */
	double trip;     /* s from a packet's start to the return of its credit, without the packet's own time */
	const struct topology_class *class;
};

/*
 * A packet's credit is taken when its head starts, and is back when its tail has left the next buffer, a cable later
 * (docs/models/packet-engine.md). So a channel has as many packets under way as its buffer holds.
 */
static struct run_credit run_credit_of(const struct run_machine *m, const struct topology_class *c)
{
	const struct net_config *n = &m->net_config;
	bool in = !strcmp(c->name, "inject"), out = !strcmp(c->name, "eject");
	uint64_t packet = (n->nic.mtu + n->router.flit - 1) / n->router.flit * n->router.flit;
	uint64_t buffer = in ? n->nic.fifo : out ? n->nic.receive_fifo : n->router.vc_buffer;
	int64_t stages = n->router.route + n->router.vc_allocation + n->router.switch_allocation;
	int64_t trip = 2 * c->cable_ps + n->router.credit_delay + (out ? 0 : stages);
	struct run_credit r = {in ? "nic.fifo" : out ? "nic.receive_fifo" : "router.vc_buffer", c->bytes_per_s, 0, c};
	double held = (double)(buffer / packet * packet), carries;

	trip += in ? 0 : n->router.flit_transfer + n->router.switch_delay;
	r.trip = 1e-12 * (double)trip;
	carries = held / (r.trip + (double)packet / c->bytes_per_s);
	if (buffer && carries < c->bytes_per_s)
		r.carries = carries;
	return r;
}

/* A link whose buffer holds less than is under way in a round trip waits for credits: notes the worst of them. */
static void note_credits(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	const struct topology *t = m->topology;
	struct run_credit worst = {.carries = 1};
	double share = 1;
	unsigned capped = 0;

	if (strcmp(m->net_config.engine.kind, "packet") != 0)
		return;
	for (unsigned i = 0; i < t->classes; i++) {
		struct run_credit r = run_credit_of(m, &t->class[i]);

		if (!t->class[i].links || r.carries >= r.class->bytes_per_s)
			continue;
		capped++;
		if (r.carries / r.class->bytes_per_s < share) {
			share = r.carries / r.class->bytes_per_s;
			worst = r;
		}
	}
	if (capped)
		run_note_add(list, worst.key,
			     "%s lets a virtual channel of links of class %s carry %.6g GB/s of %.6g: credit returns "
			     "after %.6g us; classes of which this holds: %u",
			     worst.key, worst.class->name, worst.carries / 1e9, worst.class->bytes_per_s / 1e9,
			     worst.trip * 1e6, capped);
}

/* Cabinets as large as the network have no links between them. */
static void note_cabinets(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	const struct topology *t = m->topology;
	const char *cabinet = m->topology_config.topology.cabinet;
	uint32_t far = 0;

	if (!strcmp(cabinet, "none") ||
	    (strcmp(topology_name(t), topology_mesh_name) != 0 && strcmp(topology_name(t), topology_torus_name) != 0))
		return;
	for (unsigned i = 0; i < t->classes; i++)
		far += strstr(t->class[i].name, " far") ? t->class[i].links : 0;
	if (!far)
		run_note_add(list, "topology.cabinet",
			     "topology.cabinet = %s: no link leaves a cabinet, so "
			     "link.between_cabinets has no effect",
			     cabinet);
}

/* One message takes the narrowest link's time, but the messages of a node leave at its NIC's rate. */
static void note_narrow(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	const struct net_linear_params *p = &m->net_config.linear;
	const struct nic_rates r = nic_rates(&m->net_config, m->topology);
	double least = r.link;

	if (strcmp(m->net_config.engine.kind, "linear") != 0 || p->bandwidth >= 0 || p->sends == LINEAR_AT_ONCE)
		return;
	for (unsigned i = 0; i < m->topology->classes; i++)
		if (m->topology->class[i].links && m->topology->class[i].bytes_per_s < least)
			least = m->topology->class[i].bytes_per_s;
	if (least < 0.99 * r.link)
		run_note_add(
			list, "linear.bandwidth",
			"a message alone has the %.6g GB/s of the slowest link, several of a node the %.6g GB/s of its "
			"NIC: with linear.bandwidth they have one bandwidth",
			least / 1e9, r.link / 1e9);
}

/* Notes an engine that is known to be a poor model of packets with this routing. */
static void note_doubt(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	struct err e = {0};
	const struct net_engine_kind *kind = net_engine_find(m->net_config.engine.kind, &e);

	if (kind && kind->doubt && kind->doubt(m->topology))
		run_note_add(
			list, "topology.routing",
			"times of engine %s with routing %s on a %s are often more than 15 %% off those of packets",
			kind->name, m->topology->routing->name, topology_name(m->topology));
}

/* Messages within a node have its memory, whose rate follows that of NICs: without a limit they take no time. */
static void note_memory(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	bool linear = !strcmp(m->net_config.engine.kind, "linear");

	if (!obeys_nics(&m->net_config) || (linear && m->net_config.linear.local_bandwidth >= 0) || !shares_nodes(m) ||
	    nic_rates(&m->net_config, m->topology).memory < TOPOLOGY_NIC_UNLIMITED)
		return;
	run_note_add(list, "nic.memory",
		     "messages within a node take no time: the network has no bandwidth of NICs and memory, which "
		     "nic.memory "
		     "gives");
}

/* A processor that sleeps without a figure takes nothing. */
static void note_sleep(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;
	const struct settings *s = &list->run->in.set;
	const struct power_power_params *p = &m->power_config.power;

	if (!s->pattern && !s->pattern_file && p->sleep_after && p->wait > 0 &&
	    !strcmp(config_origin(m->config, "power", "sleep"), "default"))
		run_note_add(
			list, "power.sleep",
			"processors that wait for longer than power.sleep_after take 0 W: power.sleep is not given");
}

/* Returns whether ranks of a pattern inject at a load. */
static bool has_load(const struct run *run)
{
	return run->in.set.load || (run->traffic && traffic_injection(run->traffic) > 0) ||
	       (run->jobs && jobs_have_load(run->jobs));
}

/* A node of rails has links of two bandwidths: its load is a share of the wider one. */
static void note_rails(struct run_list *list)
{
	const struct topology *t = list->run->machine.topology;
	double island = 0, rail = 0;

	if (strcmp(topology_name(t), topology_rails_name) != 0 || !has_load(list->run))
		return;
	for (unsigned i = 0; i < t->classes; i++) {
		const struct topology_class *c = &t->class[i];

		island = !strcmp(c->name, "island") ? c->bytes_per_s : island;
		rail = !strcmp(c->name, "rail") ? c->bytes_per_s : rail;
	}
	if (island != rail)
		run_note_add(list, "pattern.load",
			     "a load is a share of %.6g GB/s, the wider of a GPU's links: that to its island has %.6g "
			     "GB/s, that to its plane %.6g GB/s",
			     t->class[t->link[t->inject[0]].class].bytes_per_s / 1e9, island / 1e9, rail / 1e9);
}

/* Returns whether a window was measured, of a run or of a load curve, whose figures do not hold. */
static bool is_unsteady(const struct run *run)
{
	struct traffic_measured m;

	if (run->curve)
		return !load_curve_steady(run->curve);
	return run->result && traffic_measure(run->result, &m) && m.state != TRAFFIC_STEADY;
}

/* Beyond saturation the order in which a source serves its receivers decides what is accepted. */
static void note_sources(struct run_list *list)
{
	const struct net_config *c = &list->run->machine.net_config;

	if (!is_unsteady(list->run))
		return;
	run_note_add(list, "pattern.load",
		     "figures of a window that is not steady depend on its place and length: compare a run of "
		     "more messages");
	if (!strcmp(c->engine.kind, "packet"))
		run_note_add(
			list, "nic.service", "%s",
			c->nic.service == NIC_SERVICE_IN_TURN
				? "a source serves its receivers in turn; with nic.service = fcfs it is a FIFO"
				: "a source is a FIFO; with nic.service = in_turn it serves its receivers in turn");
}

/* Notes keys of [mpi] that are given, and that a protocol with both tables leaves without effect. */
static void note_ways(struct run_list *list)
{
	static const char *const keys[] = {"eager", "send_done"};
	const struct run_machine *m = &list->run->machine;
	unsigned count;

	for (unsigned w = 0; w < PROTOCOL_WHERES; w++)
		if (!protocol_segments(m->protocol, (enum protocol_where)w, &count))
			return;
	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(config_origin(m->config, "mpi", keys[i]), "default") != 0)
			run_note_add(list, "protocol.file", "mpi.%s has no effect: the protocol has the ways to send",
				     keys[i]);
}

/* Returns whether the run, a job of it or a point of its load curve is a pattern. */
static bool has_pattern(const struct run *run)
{
	return run->result || run->curve || (run->jobs && jobs_have_pattern(run->jobs));
}

/* Messages that are longer than any of the protocol, and the longest one. The points of a curve have their own. */
static struct protocol_beyond count_beyond(const struct run *run, enum protocol_where where)
{
	struct protocol_beyond b = {0};

	if (run->curve)
		return load_curve_beyond(run->curve, where);
	b.count = protocol_engine_beyond(run->machine.engine, where, &b.longest);
	return b;
}

/* Notes what of a protocol a run does not use, and messages that it was not measured for. */
static void note_protocol(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;

	if (!m->protocol || !m->engine)
		return;
	note_ways(list);
	if (has_pattern(list->run))
		run_note_add(list, "protocol.file",
			     "a pattern has the delays and gaps of a protocol; its processor times and ways to send "
			     "are those of programs");
	if (list->run->in.set.write_pattern)
		run_note_add(list, "protocol.file",
			     "the pattern of --write-pattern has neither the receive times nor the rendezvous of the "
			     "protocol");
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++) {
		enum protocol_where where = (enum protocol_where)w;
		const struct protocol_beyond b = count_beyond(list->run, where);

		if (b.count)
			run_note_add(list, "protocol.file",
				     "%" PRIu64 " messages %s nodes are longer than the %" PRIu64
				     " bytes up to which the protocol was measured, up to %" PRIu64
				     " bytes: their times are extrapolated",
				     b.count, protocol_where_name(where), protocol_upto(m->protocol, where), b.longest);
	}
}

void run_program_ended(struct run *run, const struct vmpi *v)
{
	run->ended.timeless |= vmpi_timeless(v);
	run->ended.files += vmpi_files_opened(v);
}

/* Notes what takes no time, though a program may report times or rates of it. */
static void note_timeless(struct run_list *list)
{
	const struct vmpi *v = list->run->vmpi;
	uint64_t files = list->run->ended.files + (v ? vmpi_files_opened(v) : 0);

	if (list->run->ended.timeless || (v && vmpi_timeless(v)))
		run_note_add(
			list, "ranks.measure",
			"ranks read clocks, and their computation takes no time: times and rates that they print are "
			"those of calls; ranks.measure = 1 adds the host's time");
	if (files)
		run_note_add(list, "files",
			     "ranks opened %" PRIu64
			     " files without MPI-IO (POSIX, C, C++, Fortran): their reads and writes take no "
			     "time",
			     files);
}

/* An engine without links has none that jobs share. */
static void note_jobs(struct run_list *list)
{
	const struct run_machine *m = &list->run->machine;

	if (list->run->jobs && !m->kind->carried)
		run_note_add(
			list, "engine.kind",
			"messages of engine %s share no links: no job slows another down, and links_shared is unknown",
			m->kind->name);
}

/* A recorder counts computation where its trace has no event. */
static void note_lacks(struct run_list *list)
{
	char calls[NOTE_MOST / 2];
	uint64_t count = list->run->replay ? replay_lacks(list->run->replay, calls, sizeof(calls)) : 0;

	if (count)
		run_note_add(list, "trace", "%" PRIu64 " calls of the recorded run are computation in the trace: %s",
			     count, calls);
}

static struct run_list list_notes(const struct run *run)
{
	struct run_list list = {.run = run};

	note_one_node(&list);
	note_nic_caps(&list);
	note_credits(&list);
	note_cabinets(&list);
	note_narrow(&list);
	note_doubt(&list);
	note_memory(&list);
	note_sleep(&list);
	note_rails(&list);
	note_jobs(&list);
	note_lacks(&list);
	return list;
}

void run_notes(const struct run *run)
{
	struct run_list list;

	if (run->in.common.quiet)
		return;
	list = list_notes(run);
	note_tasks(run);
	for (unsigned i = 0; i < list.count; i++)
		if (!list.at[i].configured)
			message("%s: note: %s", run->in.program->name, list.at[i].text);
}

void run_report_notes(const struct run *run, struct report *r)
{
	static const struct report_column columns[] = {{"about", ""}, {"note", ""}};
	struct run_list list = list_notes(run);

	note_sources(&list);
	note_timeless(&list);
	note_protocol(&list);
	if (!list.count)
		return;
	report_table(r, "notes", "what bounds this run, or is not used by it", columns, 2);
	for (unsigned i = 0; i < list.count; i++) {
		report_cell_text(r, list.at[i].about);
		report_cell_text(r, list.at[i].text);
	}
	report_table_end(r);
}

void run_warn_window(const struct run *run)
{
	const struct traffic_result *x = run->result;
	struct traffic_measured m;
	char state[NOTE_MOST];

	if (x && x->complete && traffic_measure(x, &m) && m.state != TRAFFIC_STEADY)
		message("%s: warning: pattern: steady: %s", run->in.program->name,
			traffic_say_state(&m, state, sizeof(state)));
}

/* Exchanges of so many windows take about a second, with few events (docs/programs/parallel.md) most of the run. */
enum { MANY_WINDOWS = 50000, FEW_EVENTS = 50 };

void run_note_end(const struct run *run)
{
	const struct window_counts *c = run->result ? &run->result->parallel : &run->parallel;
	double each = c->windows ? (double)c->events / (double)c->windows / c->processes : 0;
	struct run_list list = {.run = run};

	note_timeless(&list);
	note_protocol(&list);
	for (unsigned i = 0; i < list.count && !run->in.common.quiet; i++)
		message("%s: note: %s", run->in.program->name, list.at[i].text);

	if (c->windows >= MANY_WINDOWS && each < FEW_EVENTS && !run->in.common.quiet)
		message("%s: note: %.1f events a window and process: with less than about %d, one process is faster",
			run->in.program->name, each, FEW_EVENTS);
}
