#include "job_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/message_line.h"
#include "../../../psim/base/report/out.h"
#include "../../../psim/base/temporary.h"
#include "program_run.h"

/* ---- two jobs of one program ---- */

/* Returns whether an earlier job has the same file: the loader would give both the same variables. */
static bool is_loaded(const struct run *run, const struct job *j)
{
	for (const struct job *other = run->jobs->job; other < j; other++) {
		char *a = other->argc ? realpath(other->argv[0], NULL) : NULL, *b = realpath(j->argv[0], NULL);
		bool same = a && b && !strcmp(a, b);

		free(a);
		free(b);
		if (same)
			return true;
	}
	return false;
}

#define COPY "program.so" /* in a folder of its own */

static int copy_stream(FILE *in, FILE *out)
{
	char block[1 << 14];
	size_t n;

	while ((n = fread(block, 1, sizeof(block), in)) > 0)
		if (fwrite(block, 1, n, out) != n)
			return -1;
	return ferror(in) ? -1 : 0;
}

/* Copies the program to a file of its own, p->copy. 0, or -1 with `e`. */
static int copy_program(struct job_program *p, const char *path, struct err *e)
{
	char name[PATH_MAX + sizeof(COPY)];
	FILE *in = input_plain(path);
	struct out *out;
	int ret;

	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	if (temporary_folder("nsim-job", p->folder, e) < 0) {
		fclose(in);
		return -1;
	}
	snprintf(name, sizeof(name), "%s/" COPY, p->folder);
	p->copy = mem_copy_text(name, e);
	out = p->copy ? out_create(name, e) : NULL;
	ret = out ? copy_stream(in, out_file(out)) : 0;
	fclose(in);
	if (!out)
		return -1;
	if (ret == 0)
		return out_close(out, e);
	out_abort(out);
	return err_set(e, STATUS_FAILED, "%s: cannot copy %s", name, path);
}

/* ---- the ranks ---- */

int job_program_start(struct job_program *p, struct run *run, const struct job *j, const struct net_engine_kind *kind,
		      struct net_engine *view, FILE *out, struct err *e)
{
	const struct run_machine *m = &run->machine;
	const struct vmpi_setup setup = {
		.config = &m->vmpi_config,
		.kind = kind,
		.engine = view,
		.alone = m->kind,
		.net = &m->net,
		.ranks = j->ranks,
		.nodes = m->topology->nodes,
		.node_name = topology_has_node_names(m->topology) ? topology_node_name : NULL,
		.names = m->topology,
		.nics = m->topology->nics,
		.mapping = j->node_of,
		.seed = run->in.set.seed,
		.time_limit = run->in.time_limit,
		.check = run->in.common.check,
		.skeleton = &run->skeleton,
		.times = m->times,
		.out = out,
	};

	p->run = run;
	p->vmpi = vmpi_create(&setup, e);
	if (!p->vmpi || (is_loaded(run, j) && copy_program(p, j->argv[0], e) < 0))
		return -1;
	return vmpi_load(p->vmpi, p->copy ? p->copy : j->argv[0], j->argc, j->argv, e);
}

/* The run reports what the ranks of a failed job wait for, and their status. */
static int failed(struct job_program *p)
{
	if (!p->run->vmpi) {
		p->run->vmpi = p->vmpi;
		p->vmpi = NULL;
	}
	return -1;
}

int job_program_at(struct job_program *p, int64_t now, struct err *e)
{
	switch (vmpi_run_at(p->vmpi, now, e)) {
	case VMPI_FAILED: return failed(p);
	case VMPI_DONE: p->done = true; return 0;
	default: return 0;
	}
}

int64_t job_program_next(const struct job_program *p)
{
	return p->done ? NET_TIME_NEVER : vmpi_next(p->vmpi);
}

bool job_program_over(const struct job_program *p)
{
	return p->done;
}

int64_t job_program_time(const struct job_program *p)
{
	return vmpi_end_time(p->vmpi);
}

int job_program_stuck(struct job_program *p, struct err *e)
{
	vmpi_fail_stuck(p->vmpi, e);
	return failed(p);
}

void job_program_finish(struct job_program *p)
{
	char text[200];

	while (p->vmpi && vmpi_warning(p->vmpi, text, sizeof(text)))
		message("%s: warning: %s", p->run->in.program->name, text);
	if (p->vmpi && vmpi_left(p->vmpi, text, sizeof(text)))
		message("%s: %s", p->run->in.program->name, text);
	if (p->vmpi)
		run_program_ended(p->run, p->vmpi);
	vmpi_destroy(p->vmpi);
	if (*p->folder)
		temporary_remove(p->folder, (const char *const[]){COPY}, 1);
	free(p->copy);
	*p = (struct job_program){0};
}
