#include "run_outputs.h"

#include <string.h>

#include "../../topology/network_picture.h"

static int open_one(struct out **file, const char *path, struct err *e)
{
	if (!path)
		return 0;
	*file = out_create(path, e);
	return *file ? 0 : -1;
}

/* Opens all but the report. */
static int open_others(struct run_outputs *out, const struct run_inputs *in, const struct run_machine *m, struct err *e)
{
	const struct settings *s = &in->set;
	struct net_log_setup log = {
		.topology = m->topology,
		.changes = m->changes,
		.series = s->series || s->series_picture || s->power_series || s->power_picture || inputs_have_page(in),
		.links = inputs_have_page(in) && network_map_fits(m->topology),
		.interval_ps = m->net_config.engine.interval,
		.packets = s->log_packets,
		.elsewhere = s->log_of_first,
		.arrows = !s->pattern && !s->pattern_file,
		.window = inputs_have_window(in) ? &in->window : NULL,
	};

#define OUTPUT(option, name) \
	if (open_one(&out->file.name, s->name, e) < 0) \
		return -1;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	if (out->file.write_pattern) {
		out->writer = pattern_writer_create(out_file(out->file.write_pattern), m->ranks, e);
		if (!out->writer)
			return -1;
	}
	if (out->file.matrix || s->matrix_of_first) {
		out->matrix = comm_matrix_create(m->ranks, e);
		if (!out->matrix)
			return -1;
	}
	if (!log.series && !out->file.chrome && !out->file.paje && !out->file.paraver && !s->log_of_first)
		return s->log_packets ? err_set(e, STATUS_USAGE, "--log-packets: expected --timeline or --paje too")
				      : 0;
	log.chrome = out->file.chrome ? out_file(out->file.chrome) : NULL;
	log.paje = out->file.paje ? out_file(out->file.paje) : NULL;
	if (out->file.paraver) {
		log.paraver = out_file(out->file.paraver);
		log.paraver_meanings = out_file(out->file.paraver_meanings);
		log.paraver_rows = out_file(out->file.paraver_rows);
		log.node_of = m->node_of;
		log.ranks = m->ranks;
	}
	out->log = net_log_create(&log, e);
	return out->log ? 0 : -1;
}

int outputs_open(struct run_outputs *out, const struct run_inputs *in, const struct run_machine *m, struct err *e)
{
	out->report = out_create(in->common.output, e);
	return out->report ? open_others(out, in, m, e) : -1;
}

static int close_one(struct out **file, struct err *e)
{
	struct out *closed = *file;

	*file = NULL;
	return closed ? out_close(closed, e) : 0;
}

void outputs_add_message(struct run_outputs *out, uint32_t src, uint32_t dst, uint64_t bytes)
{
	if (comm_matrix_add(out->matrix, src, dst, bytes, 1, &out->matrix_error) < 0)
		out->matrix_short = true;
}

/* Returns the subject of the picture: the pattern, or links and buffers. */
static const char *series_title(const struct settings *s)
{
	return s->pattern ? s->pattern : "Links and buffers over time";
}

void output_failed(struct out **file, const struct err *why, struct err *first)
{
	err_keep_first(first, why);
	out_abort(*file);
	*file = NULL;
}

void outputs_write(struct run_outputs *out, const struct settings *s, struct err *first)
{
	struct err why;

	if (out->log && net_log_finish(out->log, &why) < 0) {
		output_failed(&out->file.chrome, &why, first);
		output_failed(&out->file.paje, &why, first);
		output_failed(&out->file.paraver, &why, first);
		output_failed(&out->file.paraver_meanings, &why, first);
		output_failed(&out->file.paraver_rows, &why, first);
		output_failed(&out->file.series_picture, &why, first);
	}
	if (out->matrix_short)
		output_failed(&out->file.matrix, &out->matrix_error, first);
	if (out->file.matrix && comm_matrix_write(out->matrix, out_file(out->file.matrix), &why) < 0) {
		err_prefix(&why, "%s", s->matrix);
		output_failed(&out->file.matrix, &why, first);
	}
	if (out->file.series_picture &&
	    net_log_picture(out->log, series_title(s), out_file(out->file.series_picture), &why) < 0)
		output_failed(&out->file.series_picture, &why, first);
}

void outputs_close(struct run_outputs *out, struct err *first)
{
	struct err why;

#define OUTPUT(option, name) \
	if (close_one(&out->file.name, &why) < 0) \
		err_keep_first(first, &why);
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
}

/* Removes all but the report. */
static void finish_others(struct run_outputs *out)
{
	net_log_destroy(out->log);
	pattern_writer_destroy(out->writer);
	comm_matrix_destroy(out->matrix);
#define OUTPUT(option, name) out_abort(out->file.name);
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
}

int outputs_again(struct run_outputs *out, const struct run_inputs *in, const struct run_machine *m, struct err *e)
{
	struct out *report = out->report;

	finish_others(out);
	*out = (struct run_outputs){.report = report};
	return open_others(out, in, m, e);
}

void outputs_finish(struct run_outputs *out)
{
	finish_others(out);
	out_abort(out->report);
}
