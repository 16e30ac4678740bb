/* The files that a run reads and writes besides the report. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../mapping/placement.h"
#include "program_run.h"

struct named {
	const char *option, *path;
};

int files_check(const struct run *run, const char *program, struct err *e)
{
	const struct settings *s = &run->set;
	const struct named outputs[] = {{"--output", run->common.output},
#define OUTPUT(file, option, setting) {option, s->setting},
					RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	};
	const char *const inputs[] = {program, s->pattern_file, s->mapping, s->network};
	enum { OUTPUTS = sizeof(outputs) / sizeof(outputs[0]) };

	for (unsigned n = 0; n < OUTPUTS; n++) {
		for (unsigned i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
			if (out_is_not(outputs[n].path, inputs[i], e) < 0)
				return -1;
		for (unsigned i = 0; i < run->common.config_files.count; i++)
			if (out_is_not(outputs[n].path, run->common.config_files.item[i], e) < 0)
				return -1;
		for (unsigned k = 0; outputs[n].path && k < n; k++)
			if (outputs[k].path && strcmp(outputs[n].path, outputs[k].path) == 0)
				return err_set(e, STATUS_USAGE, "%s and %s both write to %s, expected different files",
					       outputs[k].option, outputs[n].option,
					       strcmp(outputs[n].path, "-") ? outputs[n].path : "standard output");
	}
	return 0;
}

static int open_one(struct out **out, const char *path, struct err *e)
{
	if (!path)
		return 0;
	*out = out_create_gz(path, e);
	return *out ? 0 : -1;
}

int files_open(struct run *run, struct err *e)
{
	const struct settings *s = &run->set;
	struct net_log_setup log = {
		.topology = run->topology,
		.series = s->series || s->series_picture,
		.interval_ps = run->net_config.engine.interval,
		.packets = s->log_packets,
		.window = analyse_has_window(run) ? &run->window : NULL,
	};

	run->report_out = out_create(run->common.output, e);
	if (!run->report_out)
		return -1;
#define OUTPUT(file, option, setting) \
	if (open_one(&run->file, s->setting, e) < 0) \
		return -1;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	if (run->pattern_out) {
		run->writer = pattern_writer_create(out_file(run->pattern_out), run->ranks, e);
		if (!run->writer)
			return -1;
	}
	if (run->matrix_out) {
		run->matrix = comm_matrix_create(run->ranks, e);
		if (!run->matrix)
			return -1;
	}
	if (!log.series && !run->chrome_out && !run->paje_out)
		return s->log_packets ? err_set(e, STATUS_USAGE, "--log-packets: needs --timeline or --paje") : 0;
	log.chrome = run->chrome_out ? out_file(run->chrome_out) : NULL;
	log.paje = run->paje_out ? out_file(run->paje_out) : NULL;
	run->log = net_log_create(&log, e);
	return run->log ? 0 : -1;
}

static int close_one(struct out **out, struct err *e)
{
	struct out *o = *out;

	*out = NULL;
	return o ? out_close(o, e) : 0;
}

/* What the picture is of: the pattern, or links and buffers. */
static const char *series_title(const struct run *run)
{
	return run->set.pattern ? run->set.pattern : "Links and buffers over time";
}

int files_close(struct run *run, struct err *e)
{
	if (run->log && net_log_finish(run->log, e) < 0)
		return -1;
	if (run->matrix_short) {
		*e = run->matrix_error;
		return -1;
	}
	if (run->matrix && comm_matrix_write(run->matrix, out_file(run->matrix_out), e) < 0)
		return err_prefix(e, "%s", run->set.matrix);
	analyse_picture(run);
	if (run->series_out && net_log_picture(run->log, series_title(run), out_file(run->series_out), e) < 0)
		return -1;
#define OUTPUT(file, option, setting) \
	if (close_one(&run->file, e) < 0) \
		return -1;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	return 0;
}

void files_abort(struct run *run)
{
	out_abort(run->report_out);
	run->report_out = NULL;
#define OUTPUT(file, option, setting) \
	out_abort(run->file); \
	run->file = NULL;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
}

/* ---- placement ---- */

/* As many ranks on a node as mopt would put there: more would share what was given for fewer. */
static int check_mapping(const struct run *run, const char *path, struct err *e)
{
	uint32_t *on = mem_alloc(run->topology->nodes, sizeof(*on), e), most = run->vmpi_config.ranks.per_node;
	int ret = on ? 0 : -1;

	for (uint32_t r = 0; r < run->ranks && ret == 0; r++) {
		uint32_t node = run->node_of[r];

		if (++on[node] > most)
			ret = err_set(e, STATUS_BAD_INPUT,
				      "%s: rank %" PRIu32 " is one too many on node %" PRIu32
				      ", expected at most ranks.per_node = %" PRIu32,
				      path, r, node, most);
	}
	free(on);
	return ret;
}

static int read_mapping(struct run *run, uint32_t ranks, struct err *e)
{
	const char *path = run->set.mapping;
	FILE *in = fopen(path, "r");
	uint32_t count;

	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	run->node_of = placement_read(in, path, run->topology->nodes, &count, e);
	fclose(in);
	if (!run->node_of)
		return -1;
	if (ranks && ranks != count)
		return err_set(e, STATUS_BAD_INPUT, "%s: %" PRIu32 " ranks, expected %" PRIu32, path, count, ranks);
	run->ranks = count;
	return check_mapping(run, path, e);
}

int place_ranks(struct run *run, uint32_t ranks, struct err *e)
{
	uint64_t wanted = run->set.ranks;

	if (!wanted)
		return err_set(e, STATUS_USAGE, "-n 0: expected 1 or more");
	if (wanted == RANKS_ALL)
		wanted = 0;
	if (wanted > INT32_MAX)
		return err_set(e, STATUS_USAGE, "-n %" PRIu64 ": expected at most %d ranks", wanted, INT32_MAX);
	if (ranks && wanted && wanted != ranks)
		return err_set(e, STATUS_USAGE, "-n %" PRIu64 ": the pattern file is for %" PRIu32 " ranks", wanted,
			       ranks);
	if (!ranks)
		ranks = (uint32_t)wanted;
	if (run->set.mapping)
		return read_mapping(run, ranks, e);
	if (!ranks)
		ranks = run->topology->nodes * run->vmpi_config.ranks.per_node;
	run->ranks = ranks;
	run->node_of = mem_alloc(ranks, sizeof(*run->node_of), e);
	if (!run->node_of)
		return -1;
	return vmpi_place(&run->vmpi_config, ranks, run->topology->nodes, run->set.seed, run->node_of, e);
}
