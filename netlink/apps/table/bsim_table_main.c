/* bsim-table: fills a table of times (docs/formats/times-format.md) by running an engine for each cell; draws it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/input.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/config/config.h"
#include "../../../psim/base/report/out.h"
#include "../../../psim/base/cli/progress.h"
#include "../../times/times.h"
#include "cells.h"
#include "measure.h"

struct work {
	struct opt_common common;
	struct opt_program program;
	struct config *config;
	struct machine machine;
	const char *engine, *sizes, *ranks, *tables, *picture, *draw;
	struct cells cells;
	struct out *out, *drawing;
	char *part; /* file of finished cells, until all are done */
	FILE *kept;
};

/* Keys that this run reads. */
static const struct config_use uses[] = {
#define USE(keys, when) {keys, when, false},
#include "../../engine/net_uses.def"
#include "../../vmpi/vmpi_uses.def"
#undef USE
	{NULL, NULL, false},
};

/* States the facts of these conditions besides the configuration; --engine is an override like others. */
static int bsim_table_settle(const struct work *w, struct err *e)
{
	char assignment[PARAM_TEXT_MAX + 20];

	snprintf(assignment, sizeof(assignment), "engine.kind=%.*s", PARAM_TEXT_MAX, w->engine ? w->engine : "");
	if (w->engine && config_override(w->config, assignment, "--engine", e) < 0)
		return -1;
	if (config_fact(w->config, "simulator", true, "", e) < 0 ||
	    config_fact(w->config, "jobs", false, "without nsim --job", e) < 0 ||
	    config_fact(w->config, "report", false, "by bsim-table", e) < 0 ||
	    config_fact(w->config, "power", false, "by bsim-table", e) < 0 ||
	    config_fact(w->config, "log", false, "by bsim-table", e) < 0)
		return -1;
	return config_fact(w->config, "collectives_by_table", false, "by bsim-table", e);
}

static int bsim_table_check_config(const struct config *c, void *user, struct err *e)
{
	struct work *w = user;
	struct machine *m = &w->machine;

	if (bsim_table_settle(w, e) < 0)
		return -1;
	if (topology_config_check(c, &m->topology_config, e) < 0 || net_config_check(c, &m->net_config, e) < 0)
		return -1;
	return vmpi_config_check(c, &m->vmpi_config, e);
}

static const char examples[] =
	"bsim-table -p topology.dims=4x4 -o torus.times\n"
	"bsim-table -c cluster-fat-tree.ini --engine flow --ranks 16,64,256 --sizes 8,1KiB,64KiB,1MiB -o "
	"cluster.times\n"
	"bsim-table -p topology.dims=4x4 --tables p2p,allreduce -o torus.times --picture torus.svg\n"
	"bsim-table --draw measured.times --picture measured.svg\n"
	"bsim -p topology.dims=4x4 --engine table -p table.file=torus.times -p mpi.collectives=table skeleton.so";

static int bsim_table_start(struct work *w, int argc, char *argv[], int *status)
{
	const struct opt rows[] = {
		{"engine", 'e', "NAME", "engine that carries the messages (engine.kind)", OPT_TEXT, &w->engine},
		{"sizes", 0, "SIZE,...", "bytes of the columns (0,256,4KiB,64KiB,1MiB)", OPT_TEXT, &w->sizes},
		{"ranks", 0, "N,...",
		 "communicator sizes of the rows (2,3,4,5,7,8,9 ... 63,64, up to the machine's size)", OPT_TEXT,
		 &w->ranks},
		{"tables", 0, "NAME,...", "tables to fill: p2p, barrier, bcast ... (all)", OPT_TEXT, &w->tables},
		{"picture", 0, "FILE", "draw the tables (SVG), a panel each, a curve a row", OPT_WRITES, &w->picture},
		{"draw", 0, "FILE", "simulate nothing: --picture draws the tables of this file", OPT_READS, &w->draw},
	};

	w->program = (struct opt_program){
		.name = "bsim-table",
		.operands = "",
		.summary = "Fills a table of times of messages and collective operations by simulating each. An "
			   "interrupted run\ncontinues with the next call.",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &w->common,
		.config = w->config,
		.config_check = bsim_table_check_config,
		.config_user = w,
		.uses = uses,
	};
	return opt_start(&w->program, argc, argv, status);
}

/* ---- cells of an earlier run ---- */

static void bsim_table_add_text(uint64_t *hash, const char *text)
{
	*hash = hash_bytes(*hash, text, strlen(text));
}

/* A file determines times by its contents: a graph, a table of times, a protocol. */
static void bsim_table_add_file(uint64_t *hash, const char *path)
{
	FILE *f = input_plain(path);
	int c;

	while (f && (c = getc(f)) != EOF)
		*hash = hash_bytes(*hash, &(unsigned char){(unsigned char)c}, 1);
	if (f)
		fclose(f);
}

static void bsim_table_add_row(void *user, const struct param *p, const char *value, const char *origin)
{
	(void)origin;
	bsim_table_add_text(user, p->section);
	bsim_table_add_text(user, p->key);
	bsim_table_add_text(user, value);
	if (p->type == PARAM_PATH && *value)
		bsim_table_add_file(user, value);
}

/* Returns a hash of everything that determines the times. */
static uint64_t fingerprint(const struct work *w)
{
	uint64_t hash = HASH_BYTES;

	config_visit(w->config, bsim_table_add_row, &hash);
	bsim_table_add_text(&hash, w->machine.kind->name);
	return hash;
}

/* Reads cells of an earlier run of the same machine from FILE.part and opens it for appending. */
static int open_part(struct work *w, struct err *e)
{
	uint64_t mark = fingerprint(w), of = 0;
	size_t room;

	if (!out_is_file(w->out))
		return 0;
	room = strlen(w->common.output) + sizeof(".part");
	w->part = mem_alloc(room, 1, e);
	if (!w->part)
		return -1;
	snprintf(w->part, room, "%s.part", w->common.output);
	w->kept = input_plain(w->part);
	if (w->kept) {
		bool ours = fscanf(w->kept, "bsim-table %" SCNx64, &of) == 1, empty = !ours && feof(w->kept);

		if (ours && of == mark)
			cells_read(&w->cells, w->kept);
		fclose(w->kept);
		w->kept = NULL;
		if (!ours && !empty)
			return err_set(e, STATUS_FAILED, "%s: no cells of bsim-table, expected them or no such file",
				       w->part);
	}
	w->kept = out_journal(w->part, of == mark, e);
	if (!w->kept)
		return -1;
	if (of != mark)
		fprintf(w->kept, "bsim-table %" PRIx64 "\n", mark);
	return out_check(w->kept, w->part, e);
}

/* ---- */

static int bsim_table_interrupted(const struct work *w, size_t done, struct err *e)
{
	if (!w->part)
		return err_set(e, STATUS_FAILED, "interrupted by signal %d after %zu of %zu cells; -o FILE keeps them",
			       progress_signal(), done, w->cells.count);
	return err_set(e, STATUS_FAILED, "interrupted by signal %d: %zu of %zu cells are kept in %s", progress_signal(),
		       done, w->cells.count, w->part);
}

static int keep_cell(struct work *w, const struct cell *c, struct err *e)
{
	cell_write(c, w->kept);
	return out_check(w->kept, w->part, e);
}

static int bsim_table_fill(struct work *w, struct err *e)
{
	struct progress progress;
	int ret = 0;

	progress_start(&progress, "bsim-table", "cells", w->cells.count, w->common.quiet);
	for (size_t i = 0; i < w->cells.count && ret == 0; i++) {
		struct cell *c = &w->cells.at[i];
		char note[96];

		snprintf(note, sizeof(note), "%s, %u, %" PRIu64 " bytes", cell_table(c->table), c->row, c->bytes);
		if (c->ps < 0) {
			ret = measure(&w->machine, c, e);
			if (ret == 0 && c->ps >= 0 && w->kept)
				ret = keep_cell(w, c, e);
		}
		if (!progress_step(&progress, i + 1, note) && ret == 0)
			ret = bsim_table_interrupted(w, i + (c->ps >= 0), e);
	}
	progress_end(&progress);
	return ret;
}

/* ---- the picture ---- */

static int check_picture(const struct work *w, struct err *e)
{
	if (w->draw && !w->picture)
		return err_set(e, STATUS_USAGE, "--draw %s: expected --picture FILE too", w->draw);
	if (!w->picture)
		return 0;
	if (!w->draw && strcmp(w->common.output, "-") == 0)
		return err_set(e, STATUS_USAGE, "--picture %s: expected -o FILE, or --draw FILE, too", w->picture);
	return 0;
}

/* Draws tables, and frees them; NULL: they could not be read. */
static int bsim_table_draw(struct work *w, struct times *t, const char *file, struct err *e)
{
	struct out *out = w->drawing;
	char title[300];

	if (!t)
		return -1;
	w->drawing = NULL;
	snprintf(title, sizeof(title), "Times of messages and collective operations: %.200s", file);
	times_picture(t, title, out_file(out));
	times_destroy(t);
	return out_close(out, e);
}

/* Opens the output before the first cell, so that a file that cannot be written is reported at once. */
static int bsim_table_open_outputs(struct work *w, struct err *e)
{
	if (w->picture && !(w->drawing = out_create(w->picture, e)))
		return -1;
	if (w->draw)
		return 0;
	w->out = out_create(w->common.output, e);
	return w->out ? open_part(w, e) : -1;
}

/* ---- */

static void bsim_table_write(const struct work *w, int argc, char *argv[], FILE *f)
{
	fprintf(f, "message-times 1\n# simulated:");
	for (int i = 0; i < argc; i++)
		fprintf(f, " %s", argv[i]);
	fprintf(f, "\n# engine %s, %u nodes\n", w->machine.kind->name, w->machine.topology->nodes);
	if (w->machine.protocol)
		fprintf(f, "hosts included\n");
	cells_write(&w->cells, f);
}

/* Draws what -o has got, or would have got if it has failed. */
static int bsim_table_draw_cells(struct work *w, int argc, char *argv[], struct err *e)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int ret;

	if (f)
		bsim_table_write(w, argc, argv, f);
	if (!f || fclose(f) || !(f = fmemopen(text, size, "r"))) {
		free(text);
		return mem_short(e);
	}
	ret = bsim_table_draw(w, times_read_stream(f, w->common.output, e), w->common.output, e);
	fclose(f);
	free(text);
	return ret;
}

/* A file that fails costs no other one. */
static int bsim_table_write_all(struct work *w, int argc, char *argv[], struct err *e)
{
	struct out *out = w->out;
	struct err why, first = {0};

	w->out = NULL;
	bsim_table_write(w, argc, argv, out_file(out));
	if (out_close(out, &why) < 0)
		err_keep_first(&first, &why);
	else if (w->part)
		out_remove(w->part);
	if (w->picture && bsim_table_draw_cells(w, argc, argv, &why) < 0)
		err_keep_first(&first, &why);
	return err_of_first(e, &first);
}

static int bsim_table_run(struct work *w, int argc, char *argv[], struct err *e)
{
	if (check_picture(w, e) < 0)
		return -1;
	if (w->draw)
		return bsim_table_open_outputs(w, e) < 0 ? -1 : bsim_table_draw(w, times_read(w->draw, e), w->draw, e);
	if (machine_create(&w->machine, w->engine, e) < 0 ||
	    cells_plan(&w->cells, &w->machine, w->sizes, w->ranks, w->tables, e) < 0 ||
	    bsim_table_open_outputs(w, e) < 0 || bsim_table_fill(w, e) < 0)
		return -1;
	return bsim_table_write_all(w, argc, argv, e);
}

int main(int argc, char *argv[])
{
	struct work w = {.config = config_create()};
	struct err e;
	int status, first;

	topology_config_add(w.config, &w.machine.topology_config);
	net_config_add(w.config, &w.machine.net_config);
	vmpi_config_add(w.config, &w.machine.vmpi_config);
	models_config_add(w.config);
	first = bsim_table_start(&w, argc, argv, &status);
	if (first >= 0)
		status = bsim_table_run(&w, argc, argv, &e) == 0 ? STATUS_DONE : opt_fail(&w.program, &e);
	out_abort(w.out);
	out_abort(w.drawing);
	if (w.kept)
		fclose(w.kept);
	free(w.part);
	cells_finish(&w.cells);
	machine_destroy(&w.machine);
	config_destroy(w.config);
	return status;
}
