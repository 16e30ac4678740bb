/* Each job alone on its nodes, in a process of its own: no program finds what another run of it has left. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../psim/base/cli/progress.h"
#include "jobs_state.h"
#include "program_run.h"

/* Runs it here, on a new engine. 0, or -1 with `e`. */
static int run_job(struct run *run, struct job *j, int64_t end_ps, struct err *e)
{
	struct run_machine *m = &run->machine;
	struct job_result *result = &j->alone->result;

	m->kind->destroy(m->engine);
	m->engine = NULL;
	run->in.common.quiet = true;
	if (machine_make_engine(m, &run->in, NULL, e) < 0 ||
	    jobs_together(run, m->engine, &j, 1, end_ps, &result, NULL, e) < 0)
		return -1;
	if (j->carried)
		m->kind->carried(m->engine, j->carried);
	return 0;
}

static void be_job(struct run *run, struct job *j, int64_t end_ps)
{
	int nothing = open("/dev/null", O_WRONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	if (nothing >= 0) { /* its ranks' output is that of the run together */
		dup2(nothing, STDOUT_FILENO);
		dup2(nothing, STDERR_FILENO);
	}
	j->alone->good = run_job(run, j, end_ps, &j->alone->err) == 0;
	_exit(0);
}

/* Waits for the process; a signal to this one ends it. */
static void wait_job(struct run *run, pid_t pid, struct progress *p)
{
	int status;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		if (!progress_step(p, 0, NULL) && !run->interrupted) {
			run->interrupted = true;
			kill(pid, SIGTERM);
		}
}

static int run_apart(struct run *run, struct job *j, int64_t end_ps, struct progress *p, struct err *e)
{
	pid_t pid;

	fflush(NULL);
	err_set(&j->alone->err, STATUS_FAILED, "its process ended");
	pid = fork();
	if (pid < 0)
		return err_set(e, STATUS_FAILED, "cannot create a process: %s", strerror(errno));
	if (!pid)
		be_job(run, j, end_ps);
	wait_job(run, pid, p);
	if (j->alone->good || run->interrupted)
		return 0;
	*e = j->alone->err;
	err_prefix(e, "alone");
	return -1;
}

int jobs_alone(struct run *run, bool background, int64_t end_ps, struct err *e)
{
	struct jobs *js = run->jobs;
	struct progress p;
	int ret = 0;

	progress_start(&p, run->in.program->name, "jobs", js->count, run->in.common.quiet);
	for (unsigned i = 0; i < js->count && !ret && !run->interrupted; i++)
		if (js->job[i].background == background)
			ret = run_apart(run, &js->job[i], end_ps, &p, e);
	progress_end(&p);
	return ret;
}
