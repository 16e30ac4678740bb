/* The energy of a run: what each part of the machine did, by ../../power; by rank, phase, call, and class of links. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "power_run.h"

static double in_seconds(int64_t ps)
{
	return (double)ps * 1e-12;
}

/* ---- waits by call ---- */

static struct run_power_call *find_call(struct run *run, const char *call)
{
	struct run_power_call *c;
	struct err e;

	for (size_t i = 0; i < run->power_calls.count; i++)
		if (!strcmp(run->power_calls.at[i].call, call))
			return &run->power_calls.at[i];
	c = vec_push(&run->power_calls, &e);
	if (c)
		*c = (struct run_power_call){.call = call};
	return c;
}

void run_power_waited(struct run *run, const struct vmpi_waited *w)
{
	int64_t after = run->machine.power_config.power.sleep_after, ps = w->to - w->from;
	struct run_power_call *c;

	if (!power_given(&run->machine.power_config))
		return;
	if (run_power_over_time(run)) {
		power_bins_add_time(&run->power_bins, POWER_STATE_WAIT, w->from, w->to);
		if (after)
			power_bins_add_time(&run->power_bins, POWER_STATE_ASLEEP, w->from + after, w->to);
	}
	c = find_call(run, w->call);
	if (!c)
		return;
	c->waits++;
	c->waited += ps;
	c->asleep += after && ps > after ? ps - after : 0;
}

bool run_power_over_time(const struct run *run)
{
	return run->in.set.power_series || run->in.set.power_picture;
}

void run_power_forget(struct run *run)
{
	power_bins_finish(&run->power_bins);
	power_bins_init(&run->power_bins, run->machine.net_config.engine.interval);
	vec_finish(&run->power_calls);
	memset(&run->power_calls, 0, sizeof(run->power_calls));
}

/* ---- activity ---- */

/* Activity of processors, in s. */
struct processors {
	double busy, wait, sleep, model_j, memory_bytes;
};

static void add_activity(struct processors *to, const struct vmpi_activity *a)
{
	to->busy += in_seconds(a->time - a->waited - a->modelled);
	to->wait += in_seconds(a->waited);
	to->sleep += in_seconds(a->asleep);
	to->model_j += a->joules;
	to->memory_bytes += a->memory_bytes;
}

/* A rank that has ended waits for the end of the run. */
static void add_end(const struct power_run *p, struct processors *to, int64_t time)
{
	int64_t left = p->end_ps - time, after = p->config->power.sleep_after;

	to->wait += in_seconds(left);
	to->sleep += after && left > after ? in_seconds(left - after) : 0;
}

static struct processors of_rank(const struct power_run *p, uint32_t rank)
{
	struct vmpi_activity a = vmpi_activity(p->run->vmpi, rank, VMPI_ALL_PHASES);
	struct processors x = {0};

	add_activity(&x, &a);
	add_end(p, &x, a.time);
	return x;
}

static void count_processors(struct power_run *p)
{
	const struct vmpi *v = p->run->vmpi;

	for (uint32_t i = 0; v && i < p->run->machine.ranks; i++) {
		struct processors x = of_rank(p, i);

		p->a.busy_s += x.busy;
		p->a.wait_s += x.wait;
		p->a.sleep_s += x.sleep;
		p->a.model_j += x.model_j;
		p->a.memory_bytes += x.memory_bytes;
		p->flops += vmpi_activity(v, i, VMPI_ALL_PHASES).flops;
	}
	if (!v)
		p->a.wait_s = p->run->machine.ranks * in_seconds(p->end_ps);
	/* a message is read at its source, and written at its destination */
	p->a.memory_bytes += 2 * (double)(v ? vmpi_bytes(v) : p->run->result->bytes);
}

/* Nodes and routers that are up, and the share of them that is counted. 0, or -1 with `e`. */
static int count_machine(struct power_run *p, struct err *e)
{
	const struct run_machine *m = &p->run->machine;
	const struct topology *t = m->topology;
	bool *used = mem_alloc(t->nodes, sizeof(*used), e);
	double up = 0, with_ranks = 0, routers = 0;

	if (!used)
		return -1;
	for (uint32_t i = 0; i < m->ranks; i++)
		used[m->node_of[i]] = true;
	for (uint32_t i = 0; i < t->nodes; i++) {
		up += topology_reaches(t, i, i);
		with_ranks += used[i];
	}
	for (uint32_t i = t->nodes; i < t->nodes + t->routers; i++)
		routers += topology_reaches(t, i, i);
	free(used);
	p->share = p->config->power.count == POWER_COUNT_ALL ? 1 : with_ranks / up;
	p->a.nodes = p->config->power.count == POWER_COUNT_ALL ? up : with_ranks;
	p->a.nics = p->a.nodes * t->nics;
	p->a.routers = routers * p->share;
	return 0;
}

static void count_network(struct power_run *p)
{
	const struct topology *t = p->run->machine.topology;

	if (p->bytes)
		power_count_bytes(t, p->bytes, &p->a.router_bytes, &p->a.nic_bytes);
	for (unsigned c = 0; c < t->classes; c++) {
		struct power_links x;

		power_count_links(p->config, t, c, p->media, p->a.seconds, p->share, &x);
		p->a.link_j += x.carried_j;
		p->a.link_idle_j += x.idle_j;
	}
}

int power_run_count(struct power_run *p, struct err *e)
{
	const struct run_machine *m = &p->run->machine;

	p->end_ps = p->run->vmpi ? vmpi_end_time(p->run->vmpi) : p->run->result->total_ps;
	p->a.seconds = in_seconds(p->end_ps);
	if (m->kind->carried) {
		p->bytes = mem_alloc(m->topology->links, sizeof(*p->bytes), e);
		p->media = run_carried(p->run, &p->first, e);
		if (!p->bytes || !p->media)
			return -1;
		m->kind->carried(m->engine, p->bytes);
	}
	if (count_machine(p, e) < 0)
		return -1;
	count_processors(p);
	count_network(p);
	power_evaluate(p->config, &p->a, &p->x);
	return 0;
}

/* ---- report ---- */

static void report_sum(const struct power_run *p, struct report *r)
{
	double s = p->a.seconds;

	report_group(r, "power", "energy of the run, by the figures of [power]");
	report_f64(r, "energy", p->x.total, "J", "energy to solution, with supply and cooling");
	report_f64(r, "machine", p->x.machine, "J", "of it, the machine's parts");
	report_f64(r, "power", s > 0 ? p->x.total / s : 0, "W", "mean power");
	report_f64(r, "edp", p->x.total * s, "J s", "energy times time of the run");
	report_f64(r, "nodes", p->a.nodes, "", "nodes that are counted");
	report_f64(r, "network", 100 * p->share, "%", "share of the network that is counted");
	if (p->flops > 0)
		report_f64(r, "flops_per_watt", p->x.total > 0 ? p->flops / p->x.total : 0, "flop/s/W",
			   "rate of useful operations (BSIM_Flops) over mean power");
	if (!p->bytes)
		report_text(r, "unknown", "energy of bits through links, NICs and routers",
			    "what the engine does not say: engines packet and flow know what links carry");
	report_end(r);
}

static void report_part(const struct power_run *p, struct report *r, const char *name, double joules, const char *doc)
{
	if (!(joules > 0))
		return;
	report_cell_text(r, name);
	report_cell_f64(r, joules);
	report_cell_f64(r, p->a.seconds > 0 ? joules / p->a.seconds : 0);
	report_cell_f64(r, 100 * joules / p->x.total);
	report_cell_text(r, doc);
}

static void report_parts(const struct power_run *p, struct report *r)
{
	static const struct report_column columns[] = {
		{"part", ""}, {"energy", "J"}, {"power", "W"}, {"share", "%"}, {"of", ""}};

	report_table(r, "power_parts", "energy by part of the machine; adds up to that of the run", columns, 5);
	for (enum power_term t = 0; t < POWER_TERMS; t++)
		report_part(p, r, power_term_name(t), p->x.term[t], power_term_doc(t));
	report_part(p, r, "supply", p->x.supply, "losses of power supplies");
	report_part(p, r, "cooling", p->x.cooling, "cooling");
	report_table_end(r);
}

/* Cells of processors' energy: compute, models, wait, sleep, and all of them. */
static void processor_cells(const struct power_run *p, const struct processors *a, struct report *r)
{
	const struct power_power_params *w = &p->config->power;
	double compute = w->compute * a->busy, wait = w->wait * (a->wait - a->sleep), sleep = w->sleep * a->sleep;

	report_cell_f64(r, compute);
	report_cell_f64(r, a->model_j);
	report_cell_f64(r, wait);
	report_cell_f64(r, sleep);
	report_cell_f64(r, compute + a->model_j + wait + sleep);
}

static void report_phases(const struct power_run *p, struct report *r)
{
	static const struct report_column columns[] = {
		{"phase", ""}, {"time", "s"},  {"compute", "J"},    {"models", "J"},
		{"wait", "J"}, {"sleep", "J"}, {"processors", "J"}, {"power", "W"},
	};
	const struct vmpi *v = p->run->vmpi;

	if (!v || !vmpi_phases(v))
		return;
	report_table(r, "power_phases",
		     "energy of all processors by phase; time of a rank in it, mean; power of a processor, mean",
		     columns, 8);
	for (unsigned k = 0; k < vmpi_phases(v); k++) {
		struct processors x = {0};
		double time = 0, joules;

		for (uint32_t i = 0; i < p->run->machine.ranks; i++) {
			struct vmpi_activity a = vmpi_activity(v, i, k);

			add_activity(&x, &a);
			time += in_seconds(a.time);
		}
		joules = p->config->power.compute * x.busy + x.model_j + p->config->power.wait * (x.wait - x.sleep) +
			 p->config->power.sleep * x.sleep;
		report_cell_text(r, vmpi_phase_name(v, k));
		report_cell_f64(r, time / p->run->machine.ranks);
		processor_cells(p, &x, r);
		report_cell_f64(r, time > 0 ? joules / time : 0);
	}
	report_table_end(r);
}

static void report_calls(const struct power_run *p, struct report *r)
{
	static const struct report_column columns[] = {
		{"call", ""}, {"waits", ""}, {"waited", "s"}, {"asleep", "s"}, {"energy", "J"}};
	const struct power_power_params *w = &p->config->power;

	if (!p->run->power_calls.count)
		return;
	report_table(r, "power_calls", "energy of processors that wait, by call, all ranks together", columns, 5);
	for (size_t i = 0; i < p->run->power_calls.count; i++) {
		const struct run_power_call *c = &p->run->power_calls.at[i];

		report_cell_text(r, c->call);
		report_cell_u64(r, c->waits);
		report_cell_f64(r, in_seconds(c->waited));
		report_cell_f64(r, in_seconds(c->asleep));
		report_cell_f64(r, w->wait * in_seconds(c->waited - c->asleep) + w->sleep * in_seconds(c->asleep));
	}
	report_table_end(r);
}

static void report_links(const struct power_run *p, struct report *r)
{
	static const struct report_column columns[] = {
		{"class", ""}, {"links", ""}, {"full", "W"}, {"carried", "J"}, {"idle", "J"}};
	const struct topology *t = p->run->machine.topology;

	report_table(r, "power_links",
		     "energy of links by class: of bits, and without data (power.link_idle); full: all with data",
		     columns, 5);
	for (unsigned c = 0; c < t->classes; c++) {
		struct power_links x;

		power_count_links(p->config, t, c, p->media, p->a.seconds, p->share, &x);
		if (!x.links)
			continue;
		report_cell_text(r, t->class[c].name);
		report_cell_u64(r, x.links);
		report_cell_f64(r, x.watts);
		report_cell_f64(r, x.carried_j);
		report_cell_f64(r, x.idle_j);
	}
	report_table_end(r);
}

static void power_report_ranks(const struct power_run *p, struct report *r)
{
	static const struct report_column columns[] = {{"rank", ""},      {"node", ""},  {"compute", "J"},
						       {"models", "J"},   {"wait", "J"}, {"sleep", "J"},
						       {"processor", "J"}};

	if (!p->run->vmpi || !p->run->in.set.each_rank)
		return;
	report_table(r, "power_ranks", "energy of each rank's processor", columns, 7);
	for (uint32_t i = 0; i < p->run->machine.ranks; i++) {
		struct processors x = of_rank(p, i);

		report_cell_u64(r, i);
		report_cell_node(r, p->run->machine.topology, p->run->machine.node_of[i]);
		processor_cells(p, &x, r);
	}
	report_table_end(r);
}

int run_power_report(const struct run *run, struct report *r, struct err *e)
{
	struct power_run p = {.run = run, .config = &run->machine.power_config};
	int ret;

	if (!power_given(p.config) || (!run->vmpi && !run->result))
		return 0;
	ret = power_run_count(&p, e);
	if (ret == 0) {
		report_sum(&p, r);
		report_parts(&p, r);
		report_phases(&p, r);
		report_calls(&p, r);
		report_links(&p, r);
		power_report_ranks(&p, r);
		if (run->in.set.power_series)
			ret = power_series_report(&p, r, e);
	}
	free(p.bytes);
	free(p.media);
	free(p.first);
	return ret;
}

double run_power_joules(const struct run *run)
{
	struct power_run p = {.run = run, .config = &run->machine.power_config};
	struct err e;
	bool known = power_given(p.config) && (run->vmpi || run->result) && power_run_count(&p, &e) == 0;

	free(p.bytes);
	free(p.media);
	free(p.first);
	return known ? p.x.total : 0;
}

int run_power_draw(const struct run *run, struct err *e)
{
	struct power_run p = {.run = run, .config = &run->machine.power_config};
	int ret = run->vmpi || run->result ? power_run_count(&p, e) : 0;

	if (ret == 0)
		ret = power_series_draw(&p, out_file(run->out.file.power_picture), e);
	free(p.bytes);
	free(p.media);
	free(p.first);
	return ret < 0 ? err_prefix(e, "--power-picture") : 0;
}
