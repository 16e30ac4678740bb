#include "selections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "program_run.h"

/* Selections of libraries, and the cheapest, which a library that knows the machine may come close to. */
static const struct {
	enum collectives_by by;
	const char *name;
} choices[] = {
	{COLLECTIVES_MPICH, "mpich"},
	{COLLECTIVES_OPENMPI, "openmpi"},
	{COLLECTIVES_AUTO, "auto"},
};
enum { SELECTIONS = sizeof(choices) / sizeof(choices[0]) };

struct selections {
	unsigned configured; /* the run's own */
	bool failed;         /* one of them, by `why`; the others are not known */
	struct err why;
	double seconds[SELECTIONS];
};

/* A process writes this to its pipe. */
struct selection_message {
	double seconds;
	struct err err;
	bool good;
};

/* ---- standard input, which each run reads from the same place ---- */

enum { LURE = 1 }; /* bytes */

struct selections_input {
	off_t at; /* its place; -1: a pipe or a terminal, which one run alone can read */
	int lure; /* a pipe that selections have in its stead: if its bytes are gone, they read; -1: none */
};

/* 0, or -1 with `e`. */
static int selections_input_create(struct selections_input *in, struct err *e)
{
	int ends[2];
	ssize_t written;

	*in = (struct selections_input){.at = lseek(STDIN_FILENO, 0, SEEK_CUR), .lure = -1};
	if (in->at >= 0)
		return 0;
	if (pipe(ends) < 0)
		return err_set(e, STATUS_FAILED, "cannot create a pipe: %s", strerror(errno));
	written = write(ends[1], "\n", LURE);
	close(ends[1]);
	in->lure = ends[0];
	return written == LURE ? 0 : err_set(e, STATUS_FAILED, "cannot write to a pipe");
}

/* After a selection: 0, or -1 with `e`: its program reads what the next run cannot read again. */
static int selections_input_again(const struct selections_input *in, struct err *e)
{
	int left = LURE;

	if (in->at >= 0)
		return lseek(STDIN_FILENO, in->at, SEEK_SET) == in->at
			       ? 0
			       : err_set(e, STATUS_FAILED, "standard input: %s", strerror(errno));
	if (ioctl(in->lure, FIONREAD, &left) < 0 || left == LURE)
		return 0;
	return err_set(e, STATUS_USAGE,
		       "--interval: standard input is read, and is a pipe or a terminal, expected a file, which each "
		       "selection can read");
}

/* ---- a selection's process ---- */

static void selection_drop_outputs(struct run *run)
{
	run->in.common.quiet = true;
	run->in.common.check = false;
	run->in.common.output = "/dev/null";
	run->in.set.expect.count = 0;
	run->in.set.write_otf2 = NULL;
#define OUTPUT(option, name) run->in.set.name = NULL;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
}

static void selection_run(struct run *run, unsigned i, int fd, const struct selections_input *in, int first, int argc,
			  char *argv[], int (*whole)(struct run *run, int first, int argc, char *argv[], struct err *e))
{
	struct selection_message m;
	char assignment[40];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memset(&m, 0, sizeof(m));
	selection_drop_outputs(run);
	snprintf(assignment, sizeof(assignment), "mpi.collectives=%s", choices[i].name);
	if (in->lure >= 0)
		dup2(in->lure, STDIN_FILENO);
	m.good = run_mute(&m.err) == 0 && config_override(run->machine.config, assignment, "--interval", &m.err) == 0 &&
		 whole(run, first, argc, argv, &m.err) == 0;
	if (m.good)
		m.seconds = (double)vmpi_end_time(run->vmpi) / 1e12;
	_exit(write(fd, &m, sizeof(m)) == (ssize_t)sizeof(m) ? 0 : 1);
}

/* ---- the process that starts them ---- */

static int selection_take(struct selections *s, unsigned i, pid_t pid, int fd, struct err *e)
{
	struct selection_message m;
	ssize_t size;
	int status = 0;

	do
		size = read(fd, &m, sizeof(m));
	while (size < 0 && errno == EINTR);
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (size != (ssize_t)sizeof(m))
		return err_set(e, STATUS_FAILED,
			       WIFSIGNALED(status) ? "its process was ended by signal %d"
						   : "its process ended with status %d",
			       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (!m.good) {
		*e = m.err;
		return -1;
	}
	s->seconds[i] = m.seconds;
	return 0;
}

/* Forks. 0 in the new process; its id; -1 with `e`. */
static pid_t selection_fork(int ends[2], struct err *e)
{
	pid_t pid;

	if (pipe(ends) < 0)
		return err_set(e, STATUS_FAILED, "cannot create a pipe: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return err_set(e, STATUS_FAILED, "cannot create a process: %s", strerror(errno));
	}
	close(ends[pid ? 1 : 0]);
	return pid;
}

/* Gets the place of the configured selection; -1 with `e`: there is none, or nothing to compare. */
static int selections_configured(const struct run *run, const char *operand, unsigned *configured, struct err *e)
{
	const struct vmpi_config *c = &run->machine.vmpi_config;

	if (run->joined)
		return err_set(e, STATUS_USAGE, "--interval and mpirun, expected one process, or -j");
	if (!operand && !run->in.set.replay)
		return err_set(e, STATUS_USAGE,
			       "--interval: expected a program or --replay, whose collective "
			       "operations have algorithms");
	for (unsigned i = 0; i < SELECTIONS; i++)
		if (c->mpi.collectives == choices[i].by) {
			*configured = i;
			return 0;
		}
	return err_set(e, STATUS_USAGE,
		       "--interval: mpi.collectives = %s selects one way each, expected mpich, openmpi or auto",
		       c->mpi.collectives == COLLECTIVES_TABLE ? "table" : "a set of NCCL");
}

/* Takes the time of a selection from the checkpoint, if that has it. */
static bool selection_known(struct selections *s, unsigned i, const struct checkpoint *k)
{
	const struct checkpoint_part *p = checkpoint_find(k, choices[i].name);

	if (p && p->count == 1)
		memcpy(&s->seconds[i], p->words, sizeof(s->seconds[i]));
	return p && p->count == 1;
}

/* A run, in whole. */
struct selections_run {
	struct run *run;
	int first, argc;
	char **argv;
	int (*whole)(struct run *run, int first, int argc, char *argv[], struct err *e);
};

/* Runs the other selections up to one that fails. 0, or -1 with `e`: the program reads what cannot be read again. */
static int selections_others(struct selections *s, const struct selections_run *r, struct err *e)
{
	struct selections_input in;
	int ends[2], ret = selections_input_create(&in, e);

	for (unsigned i = 0; i < SELECTIONS && ret == 0 && !s->failed; i++) {
		pid_t pid;

		if (i == s->configured || selection_known(s, i, &r->run->checkpoint))
			continue;
		pid = selection_fork(ends, &s->why);
		if (pid == 0)
			selection_run(r->run, i, ends[1], &in, r->first, r->argc, r->argv, r->whole);
		s->failed = pid < 0 || selection_take(s, i, pid, ends[0], &s->why) < 0;
		if (s->failed)
			err_prefix(&s->why, "--interval, %s", choices[i].name);
		else if (checkpoint_add(&r->run->checkpoint, choices[i].name, &s->seconds[i], 1, e) < 0)
			ret = -1;
		if (ret < 0)
			break;
		ret = selections_input_again(&in, e);
	}
	if (in.lure >= 0)
		close(in.lure);
	return ret;
}

struct selections *selections_run(struct run *run, int first, int argc, char *argv[],
				  int (*whole)(struct run *run, int first, int argc, char *argv[], struct err *e),
				  struct err *e)
{
	const struct selections_run r = {run, first, argc, argv, whole};
	unsigned configured = 0;
	struct selections *s;

	if (selections_configured(run, first < argc ? argv[first] : NULL, &configured, e) < 0)
		return NULL;
	s = mem_alloc(1, sizeof(*s), e);
	if (!s)
		return NULL;
	s->configured = configured;
	if (selections_others(s, &r, e) < 0) {
		selections_destroy(s);
		return NULL;
	}
	return s;
}

int selections_check(const struct selections *s, struct err *e)
{
	return s->failed ? err_set(e, STATUS_FAILED, "%s", s->why.text) : 0;
}

void selections_destroy(struct selections *s)
{
	free(s);
}

/* ---- the report ---- */

void selections_report(const struct selections *s, double seconds, struct report *r)
{
	static const struct report_column columns[] = {{"selection", ""}, {"seconds", "s"}};
	double time[SELECTIONS];
	unsigned least = 0, most = 0;

	if (s->failed)
		return;
	for (unsigned i = 0; i < SELECTIONS; i++) {
		time[i] = i == s->configured ? seconds : s->seconds[i];
		least = time[i] < time[least] ? i : least;
		most = time[i] > time[most] ? i : most;
	}
	report_group(r, "selections_interval", "times of the run under the selections of mpi.collectives");
	report_f64(r, "least", time[least], "s", "the shortest");
	report_text(r, "least_of", choices[least].name, "its selection");
	report_f64(r, "most", time[most], "s", "the longest");
	report_text(r, "most_of", choices[most].name, "its selection");
	report_end(r);
	report_table(r, "selections", "the same program with other algorithms of collective operations", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < SELECTIONS; i++) {
		report_cell_text(r, choices[i].name);
		report_cell_f64(r, time[i]);
	}
	report_table_end(r);
}
