#include "side_runs.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/cores.h"
#include "../base/message_line.h"

enum { AT_ONCE_MAX = 64, SIDE_STEP = 200000 }; /* processes; cycles between checks of signals */

/* The answer of a process: a result, or why there is none. */
struct answer {
	bool done, runaway; /* of the junction: `err` describes it, and the run is done */
	struct side_result result;
	struct err err;
};

static int open_copies(const struct side_runs *s, unsigned cores, struct trace_reader *trace[CHIP_CORES_MAX],
		       struct err *e)
{
	for (unsigned n = 0; n < cores; n++) {
		trace[n] = trace_open(s->paths[n], e);
		if (!trace[n] || (s->skip && trace_seek(trace[n], s->skip, e) < 0))
			return -1;
	}
	return 0;
}

/* 0; 1 if the junction's temperature runs away, with `e`: the leakage is that at energy.temperature; or -1. */
static int side_result_of(const struct chip *chip, const struct core_config *cfg, struct side_result *out,
			  struct err *e)
{
	struct energy_machine machine;
	struct energy_model *energy;
	struct energy_result joules;
	struct activity activity;
	bool runaway;

	core_energy_machine(cfg, &machine);
	energy = energy_create(&machine, e);
	if (!energy)
		return -1;
	chip_activity(chip, &activity);
	runaway = energy_settle(energy, &activity, e) < 0;
	energy_evaluate(energy, &activity, &joules);
	energy_destroy(energy);
	*out = (struct side_result){chip_cycles(chip), chip_held(chip), joules.total_j};
	return runaway;
}

/* Simulates in the process of its own. */
static void answer_run(const struct side_runs *s, const struct side_run *run, struct answer *a)
{
	struct trace_reader *trace[CHIP_CORES_MAX] = {NULL};
	struct chip_options options = *s->options;
	struct chip *chip = NULL;
	int more = -1, answer = -1;

	options.perturbed_run = run->perturbed;
	if (open_copies(s, run->cfg->chip.cores, trace, &a->err) == 0)
		chip = chip_create(run->cfg, trace, &options, &a->err);
	if (chip)
		do
			more = chip_run(chip, SIDE_STEP, &a->err);
		while (more > 0);
	if (more == 0)
		answer = side_result_of(chip, run->cfg, &a->result, &a->err);
	a->done = answer >= 0;
	a->runaway = answer > 0;
	chip_destroy(chip);
	for (unsigned n = 0; n < CHIP_CORES_MAX; n++)
		trace_close(trace[n]);
}

struct worker {
	pid_t pid;
	int answers; /* reading end */
	unsigned run;
};

static int start_run(const struct side_runs *s, const struct side_run *run, unsigned n, struct worker *w, struct err *e)
{
	struct answer a;
	int ends[2];

	memset(&a, 0, sizeof(a));
	if (pipe(ends) != 0)
		return err_set(e, STATUS_FAILED, "%s: no pipe: %s", run[n].what, strerror(errno));
	w->pid = fork();
	if (w->pid == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		close(ends[0]);
		answer_run(s, &run[n], &a);
		_exit(write(ends[1], &a, sizeof(a)) == (ssize_t)sizeof(a) ? 0 : 1);
	}
	close(ends[1]);
	w->answers = ends[0];
	w->run = n;
	if (w->pid > 0)
		return 0;
	close(ends[0]);
	return err_set(e, STATUS_FAILED, "%s: no process: %s", run[n].what, strerror(errno));
}

/* Waits for a worker's answer. *runaway: a run before it has warned. 0, or -1 with `e`. */
static int end_run(struct worker *w, const char *what, struct side_result *result, bool *runaway, struct err *e)
{
	struct answer a;
	ssize_t got = read(w->answers, &a, sizeof(a));

	close(w->answers);
	if (got != (ssize_t)sizeof(a))
		kill(w->pid, SIGTERM); /* a signal has ended the read */
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (got != (ssize_t)sizeof(a))
		return err_set(e, STATUS_FAILED, "%s: the run ended early", what);
	if (!a.done) {
		*e = a.err;
		return err_prefix(e, "%s", what);
	}
	if (a.runaway && !*runaway)
		message("psim: warning: %s: %s; leakage is that at energy.temperature", what, a.err.text);
	*runaway |= a.runaway;
	*result = a.result;
	return 0;
}

static void stop_runs(struct worker *w, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		kill(w[n].pid, SIGTERM);
		close(w[n].answers);
		while (waitpid(w[n].pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

int side_runs_simulate(const struct side_runs *s, const struct side_run *run, unsigned count,
		       struct side_result *result, struct err *e)
{
	const unsigned cores = cores_allowed(), most = cores > AT_ONCE_MAX ? AT_ONCE_MAX : cores;
	struct worker worker[AT_ONCE_MAX];
	unsigned next = 0, active = 0, done = 0;
	bool runaway = false;

	while (done < count) {
		struct worker first;

		for (; active < most && next < count; next++, active++)
			if (start_run(s, run, next, &worker[active], e) < 0)
				goto failed;
		/* the oldest first: what the others answer waits in their pipes */
		first = worker[0];
		memmove(worker, worker + 1, --active * sizeof(*worker));
		if (end_run(&first, run[first.run].what, &result[first.run], &runaway, e) < 0)
			goto failed;
		if (!s->step(s->user, ++done)) {
			err_set(e, STATUS_FAILED, "%s: interrupted", run[first.run].what);
			goto failed;
		}
	}
	return 0;
failed:
	stop_runs(worker, active);
	return -1;
}
