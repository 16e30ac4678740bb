/* nsim-calibrate: makes a protocol (docs/formats/protocol-format.md) from what benchmarks measured. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/report/out.h"
#include "../../../psim/base/report/report.h"
#include "../../engine/net_config.h"
#include "../../engines/engine_kinds.h"
#include "../../topology/down.h"
#include "../../topology/topology_config.h"
#include "../run/models.h"
#include "calibrate.h"

struct calibration {
	struct opt_common common;
	struct opt_program program;
	struct config *config;
	struct topology_config topology_config;
	struct net_config net_config;
	struct vmpi_config vmpi_config;
	const char *engine, *noise, *window, *protocol;
	bool copies;
	const char *files[PROTOCOL_WHERES][3]; /* latencies, rates, processor times; NULL: none */
	struct topology *topology;
	struct alone *network;
	struct calibrate_table table[PROTOCOL_WHERES];
	struct out *out; /* of the protocol */
};

/* Keys that a calibration reads: the network's, and the protocol's limits. */
static const struct config_use uses[] = {
#define USE(keys, when) {keys, when, false},
#include "../../engine/net_uses.def"
#include "../../vmpi/vmpi_uses.def"
#undef USE
	{NULL, NULL, false},
};

static int calibrate_settle(const struct calibration *w, struct err *e)
{
	char assignment[PARAM_TEXT_MAX + 20];

	snprintf(assignment, sizeof(assignment), "engine.kind=%.*s", PARAM_TEXT_MAX, w->engine ? w->engine : "");
	if (w->engine && config_override(w->config, assignment, "--engine", e) < 0)
		return -1;
	if (config_fact(w->config, "simulator", true, "", e) < 0 ||
	    config_fact(w->config, "report", false, "by nsim-calibrate", e) < 0 ||
	    config_fact(w->config, "power", false, "by nsim-calibrate", e) < 0 ||
	    config_fact(w->config, "log", false, "by nsim-calibrate", e) < 0)
		return -1;
	return config_fact(w->config, "collectives_by_table", false, "by nsim-calibrate", e);
}

static int calibrate_check_config(const struct config *c, void *user, struct err *e)
{
	struct calibration *w = user;

	if (calibrate_settle(w, e) < 0 || topology_config_check(c, &w->topology_config, e) < 0 ||
	    net_config_check(c, &w->net_config, e) < 0)
		return -1;
	return vmpi_config_check(c, &w->vmpi_config, e);
}

static const char examples[] =
	"nsim-calibrate -c pair.ini --latency osu_latency.txt --protocol pair.protocol\n"
	"nsim-calibrate -c pair.ini --latency osu_latency.txt --rate osu_mbw_mr.txt --protocol pair.protocol\n"
	"nsim -c pair.ini -p protocol.file=pair.protocol program.so";

static int calibrate_start(struct calibration *w, int argc, char *argv[], int *status)
{
	const struct opt rows[] = {
		{"engine", 'e', "NAME", "engine that carries the messages (engine.kind)", OPT_TEXT, &w->engine},
		{"latency", 0, "FILE", "latencies between two nodes: osu_latency, IMB PingPong or Sendrecv, CSV",
		 OPT_READS, &w->files[PROTOCOL_BETWEEN][0]},
		{"rate", 0, "FILE", "rates between two nodes: osu_bw, osu_bibw, osu_mbw_mr, CSV", OPT_READS,
		 &w->files[PROTOCOL_BETWEEN][1]},
		{"overheads", 0, "FILE", "processor times of messages between two nodes: examples/overheads.c",
		 OPT_READS, &w->files[PROTOCOL_BETWEEN][2]},
		{"within-latency", 0, "FILE", "latencies between two ranks of a node", OPT_READS,
		 &w->files[PROTOCOL_WITHIN][0]},
		{"within-rate", 0, "FILE", "rates between two ranks of a node", OPT_READS,
		 &w->files[PROTOCOL_WITHIN][1]},
		{"within-overheads", 0, "FILE", "processor times of messages between two ranks of a node", OPT_READS,
		 &w->files[PROTOCOL_WITHIN][2]},
		{"within-copies", 0, NULL, "within a node the receiver's processor copies: what is left is its time",
		 OPT_FLAG, &w->copies},
		{"noise", 0, "PERCENT", "standard deviation of a measurement (2)", OPT_TEXT, &w->noise},
		{"window", 0, "N", "messages of a rate's window, which an answer follows; 0: none does (64)", OPT_TEXT,
		 &w->window},
		{"protocol", 0, "FILE", "write the protocol", OPT_WRITES, &w->protocol},
	};

	w->program = (struct opt_program){
		.name = "nsim-calibrate",
		.operands = "",
		.summary = "Fits the times of hosts to measured latencies and rates, and writes them as a protocol. "
			   "The network "
			   "of\n-c carries the messages; every third size is held out and predicted.",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &w->common,
		.config = w->config,
		.config_check = calibrate_check_config,
		.config_user = w,
		.uses = uses,
	};
	return opt_start(&w->program, argc, argv, status);
}

/* ---- inputs ---- */

static int calibrate_noise(const struct calibration *w, double *noise, struct err *e)
{
	char *end;
	double percent = w->noise ? strtod(w->noise, &end) : 2;

	if (w->noise && (end == w->noise || *end || !(percent >= 0.01 && percent <= 50)))
		return err_set(e, STATUS_USAGE, "--noise %s: expected 0.01 to 50, in percent", w->noise);
	*noise = percent / 100;
	return 0;
}

static int calibrate_window(const char *text, unsigned *window, struct err *e)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n > 1000000)
		return err_set(e, STATUS_USAGE, "--window %s: expected 0 to 1000000 messages", text);
	*window = (unsigned)n;
	return 0;
}

/* Reads a file that has to be of this kind. */
static int calibrate_read(struct measured *m, const char *path, enum measured_kind kind, struct err *e)
{
	if (measured_read(m, path, e) < 0)
		return -1;
	if (m->kind == kind || (m->kind == MEASURED_EXCHANGE && kind == MEASURED_LATENCY))
		return 0;
	return err_set(e, STATUS_BAD_INPUT, "%s: %s of %s, expected %s", path,
		       m->kind == MEASURED_INTERVAL ? "rates" : "latencies", m->benchmark,
		       kind == MEASURED_LATENCY ? "latencies (osu_latency, PingPong, Sendrecv)"
						: "rates (osu_bw, osu_bibw, osu_mbw_mr)");
}

/* The nearest node of another router, or of the same if there is one router alone. */
static int partner_node(const struct calibration *w, uint32_t *node, struct err *e)
{
	uint32_t best = 0;
	unsigned least = UINT32_MAX;

	for (uint32_t i = 1; i < w->topology->nodes && least > 1; i++) {
		unsigned d = topology_distance(w->topology, 0, i);

		if (!best || (d && d < least))
			best = i;
		least = d ? (d < least ? d : least) : least;
	}
	*node = best;
	return best ? 0 : err_set(e, STATUS_USAGE, "a network of one node: expected two or more for --latency");
}

/* ---- tables ---- */

/* Both columns of a file of processor times. */
static int calibrate_overheads(struct calibrate_table *t, const struct calibrate_machine *m, const char *path,
			       struct err *e)
{
	struct measured send = {0}, receive = {0};
	int ret = measured_read_processor(&send, path, "send", e);

	if (ret == 0)
		ret = measured_read_processor(&receive, path, "receive", e);
	if (ret == 0)
		ret = calibrate_processors(t, m, &send, &receive, e);
	measured_finish(&send);
	measured_finish(&receive);
	return ret;
}

static int calibrate_where(struct calibration *w, enum protocol_where where, struct calibrate_machine *m, struct err *e)
{
	struct measured latency = {0}, interval = {0};
	const char *const *files = w->files[where];
	int ret = 0;

	w->table[where].where = where;
	w->table[where].copies = w->copies && where == PROTOCOL_WITHIN;
	if (!files[0])
		return files[1] || files[2] ? err_set(e, STATUS_USAGE, "%s without latencies: expected --%s FILE, too",
						      files[1] ? "rates" : "overheads",
						      where == PROTOCOL_WITHIN ? "within-latency" : "latency")
					    : 0;
	m->src = m->dst = 0;
	if (where == PROTOCOL_BETWEEN)
		ret = partner_node(w, &m->dst, e);
	if (ret == 0)
		ret = calibrate_read(&latency, files[0], MEASURED_LATENCY, e);
	if (ret == 0 && files[1])
		ret = calibrate_read(&interval, files[1], MEASURED_INTERVAL, e);
	if (ret == 0 && w->window)
		ret = calibrate_window(w->window, &interval.window, e);
	if (ret == 0 && files[2])
		ret = calibrate_overheads(&w->table[where], m, files[2], e);
	if (ret == 0)
		ret = calibrate_fit(&w->table[where], m, &latency, files[1] ? &interval : NULL, e);
	measured_finish(&latency);
	measured_finish(&interval);
	return ret;
}

static int calibrate_make_network(struct calibration *w, struct calibrate_machine *m, struct err *e)
{
	const struct net_engine_kind *kind;
	struct net_setup setup = {.config = &w->net_config, .seed = 1};

	w->topology = topology_create(&w->topology_config, e);
	if (w->topology && down_expect_whole(w->topology, e) < 0)
		return -1;
	kind = w->topology ? net_engine_find(w->net_config.engine.kind, e) : NULL;
	if (!kind)
		return -1;
	if (kind->timeless)
		return err_set(e, STATUS_USAGE, "engine %s: messages take no time, expected another engine",
			       kind->name);
	setup.topology = w->topology;
	w->network = alone_create(kind, &setup, e);
	m->network = w->network;
	m->mpi = &w->vmpi_config;
	return w->network ? 0 : -1;
}

/* ---- outputs ---- */

static int calibrate_write_protocol(struct calibration *w, const struct calibrate_machine *m, int argc, char *argv[],
				    struct err *e)
{
	struct out *out = w->out;
	FILE *f;

	if (!out)
		return 0;
	w->out = NULL;
	f = out_file(out);
	fprintf(f, "message-protocol 1\n# calibrated:");
	for (int i = 0; i < argc; i++)
		fprintf(f, " %s", argv[i]);
	fputc('\n', f);
	for (unsigned where = 0; where < PROTOCOL_WHERES; where++)
		if (w->table[where].sizes.count)
			calibrate_write(&w->table[where], m, f);
	return out_close(out, e);
}

static int calibrate_write_report(struct calibration *w, int argc, char *argv[], struct err *e)
{
	struct report *r = report_create();
	struct out *out = r ? out_create(w->common.output, e) : NULL;
	int ret = -1;

	if (out) {
		report_identity(r, "nsim-calibrate", argc, argv);
		for (unsigned where = 0; where < PROTOCOL_WHERES; where++)
			if (w->table[where].sizes.count)
				calibrate_report(&w->table[where], r);
		ret = report_write(r, (enum report_format)w->common.format, out_file(out), e);
		ret = ret < 0 ? out_fail(out, e) : out_close(out, e);
	}
	report_destroy(r);
	return ret;
}

static int calibrate_run(struct calibration *w, int argc, char *argv[], struct err *e)
{
	struct calibrate_machine m = {0};
	struct err why, first = {0};

	if (!w->files[PROTOCOL_BETWEEN][0] && !w->files[PROTOCOL_WITHIN][0])
		return err_set(e, STATUS_USAGE,
			       "nothing measured: expected --latency FILE, --within-latency FILE or both");
	if (w->copies && (!w->files[PROTOCOL_WITHIN][0] || w->files[PROTOCOL_WITHIN][2]))
		return err_set(e, STATUS_USAGE,
			       "--within-copies: expected --within-latency FILE, and no "
			       "--within-overheads, which has the processors' times");
	if (calibrate_noise(w, &m.noise, e) < 0 || calibrate_make_network(w, &m, e) < 0)
		return -1;
	for (unsigned where = 0; where < PROTOCOL_WHERES; where++)
		if (calibrate_where(w, (enum protocol_where)where, &m, e) < 0)
			return -1;
	if (w->protocol && !(w->out = out_create(w->protocol, e)))
		return -1;
	/* a file that fails costs no other one */
	if (calibrate_write_protocol(w, &m, argc, argv, &why) < 0)
		err_keep_first(&first, &why);
	if (calibrate_write_report(w, argc, argv, &why) < 0)
		err_keep_first(&first, &why);
	return err_of_first(e, &first);
}

int main(int argc, char *argv[])
{
	struct calibration w = {.config = config_create()};
	struct err e;
	int status;

	topology_config_add(w.config, &w.topology_config);
	net_config_add(w.config, &w.net_config);
	vmpi_config_add(w.config, &w.vmpi_config);
	models_config_add(w.config);
	if (calibrate_start(&w, argc, argv, &status) >= 0)
		status = calibrate_run(&w, argc, argv, &e) == 0 ? STATUS_DONE : opt_fail(&w.program, &e);
	out_abort(w.out);
	for (unsigned where = 0; where < PROTOCOL_WHERES; where++)
		calibrate_finish(&w.table[where]);
	alone_destroy(w.network);
	topology_destroy(w.topology);
	config_destroy(w.config);
	return status;
}
