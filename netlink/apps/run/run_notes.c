/* Notes and warnings on settings that bound a run in ways that its user may not expect. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../parallel/record_exchange.h"
#include "program_run.h"

/* Notes a run that does not use its network: a machine of many nodes, and all ranks on one of them. */
static void note_one_node(const struct run *run)
{
	const struct run_machine *m = &run->machine;
	uint32_t same = 0;

	while (same < m->ranks && m->node_of[same] == m->node_of[0])
		same++;
	if (m->ranks > 1 && m->topology->nodes > 1 && same == m->ranks)
		fprintf(stderr, "%s: note: all %" PRIu32 " ranks are on node %" PRIu32 ": the network is not used\n",
			run->in.program->name, m->ranks, m->node_of[0]);
}

/* Notes tasks that do the same work, and write to the same files. */
static void note_tasks(const struct run *run)
{
	const unsigned tasks = mpi_launched_apart();

	if (tasks > 1)
		fprintf(stderr,
			"%s: note: srun has started %u tasks without --mpi=pmi2 or pmix: each is a run of its own\n",
			run->in.program->name, tasks);
}

/* Notes that `key` of [nic], as nobody has set it, is slower than the links of a node. */
static void note_slower(const struct run *run, const char *key, double rate, double links)
{
	if (rate < links && !strcmp(config_origin(run->machine.config, "nic", key), "default"))
		fprintf(stderr,
			"%s: note: nic.%s is %.6g GB/s by default, less than the links that it serves, %.6g GB/s\n",
			run->in.program->name, key, rate / 1e9, links / 1e9);
}

/* Faster links do not make a node faster if its memory stays as it is. */
static void note_memory(const struct run *run)
{
	const struct net_config *c = &run->machine.net_config;
	const struct topology *t = run->machine.topology;
	double link = t->class[t->link[t->inject[0]].class].bytes_per_s;

	if (strcmp(c->engine.kind, "packet") != 0 &&
	    (strcmp(c->engine.kind, "linear") != 0 || c->linear.bandwidth >= 0))
		return;
	note_slower(run, "dma", c->nic.dma, link);
	note_slower(run, "memory", c->nic.memory, link * t->nics);
}

/* A virtual channel that holds one packet cannot accept the next one before that has left. */
static void note_buffer(const struct run *run)
{
	const struct net_config *c = &run->machine.net_config;
	uint64_t packet = (c->nic.mtu + c->router.flit - 1) / c->router.flit * c->router.flit;

	if (!strcmp(c->engine.kind, "packet") && c->router.vc_buffer < 2 * packet)
		fprintf(stderr,
			"%s: note: router.vc_buffer = %" PRIu64 " holds one packet of nic.mtu = %" PRIu64
			": links may idle until it has left\n",
			run->in.program->name, c->router.vc_buffer, c->nic.mtu);
}

void run_notes(const struct run *run)
{
	if (run->in.common.quiet)
		return;
	note_one_node(run);
	note_tasks(run);
	note_memory(run);
	note_buffer(run);
}

void run_warn_window(const struct run *run)
{
	const struct traffic_result *x = run->result;

	if (x && x->complete && x->window.end_ps > x->total_ps)
		fprintf(stderr,
			"%s: warning: pattern: the measured window ends at %.6g s, after all messages: "
			"expected more of them, or an earlier window\n",
			run->in.program->name, (double)x->window.end_ps / 1e12);
}

/* Exchanges of so many windows take about a second, with few events (docs/programs/parallel.md) most of the run. */
enum { MANY_WINDOWS = 50000, FEW_EVENTS = 50 };

void run_note_end(const struct run *run)
{
	const struct window_counts *c = run->result ? &run->result->parallel : &run->parallel;
	double each = c->windows ? (double)c->events / (double)c->windows / c->processes : 0;

	if (c->windows >= MANY_WINDOWS && each < FEW_EVENTS && !run->in.common.quiet)
		fprintf(stderr,
			"%s: note: %.1f events a window and process: with less than about %d, one process is faster\n",
			run->in.program->name, each, FEW_EVENTS);
}
