#include "what_if.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/cores.h"

enum { AT_ONCE_MAX = 64, WHAT_IF_STEP = 200000 }; /* processes; cycles between checks of signals */

#define TWICE(field, most) ((field) = 2 * (field) < (most) ? 2 * (field) : (most))
#define HALF(field, least) ((field) = ((field) + 1) / 2 > (least) ? ((field) + 1) / 2 : (least))

static const struct {
	const char *name, *doc;
} changes[WHAT_IF_COUNT] = {
#define W(name, change, doc) {#name, doc},
#include "what_if.def"
#undef W
};

static void apply_change(enum what_if n, struct core_config *v)
{
	switch (n) {
#define W(name, change, doc) \
	case WHAT_IF_##name: \
		change; \
		break;
#include "what_if.def"
#undef W
	case WHAT_IF_COUNT: break;
	}
}

/* Returns whether the change is one of this machine, and makes it. */
static bool changed_machine(const struct what_if_run *run, enum what_if n, struct core_config *v)
{
	struct err ignored;

	memcpy(v, run->cfg, sizeof(*v));
	apply_change(n, v);
	if (!v->simd.pes)
		v->simd = run->cfg->simd; /* no array, no change of it */
	return memcmp(v, run->cfg, sizeof(*v)) != 0 && core_config_check(run->config, v, &ignored) == 0;
}

/* The answer of a process: cycles, or why there are none. */
struct answer {
	uint64_t cycles;
	struct err err;
};

static int open_copies(const struct what_if_run *run, struct trace_reader *trace[CHIP_CORES_MAX], struct err *e)
{
	for (unsigned n = 0; n < run->cfg->chip.cores; n++) {
		trace[n] = trace_open(run->paths[n], e);
		if (!trace[n] || (run->skip && trace_seek(trace[n], run->skip, e) < 0))
			return -1;
	}
	return 0;
}

/* Simulates in the process of its own. */
static void answer_run(const struct what_if_run *run, const struct core_config *v, struct answer *a)
{
	struct trace_reader *trace[CHIP_CORES_MAX] = {NULL};
	struct chip *chip = NULL;
	int more = -1;

	if (open_copies(run, trace, &a->err) == 0)
		chip = chip_create(v, trace, run->options, &a->err);
	if (chip)
		do
			more = chip_run(chip, WHAT_IF_STEP, &a->err);
		while (more > 0);
	a->cycles = more == 0 ? chip_cycles(chip) : 0;
	chip_destroy(chip);
	for (unsigned n = 0; n < CHIP_CORES_MAX; n++)
		trace_close(trace[n]);
}

struct worker {
	pid_t pid;
	int answers; /* reading end */
	enum what_if change;
};

static int start_change(const struct what_if_run *run, enum what_if n, const struct core_config *v, struct worker *w,
			struct err *e)
{
	struct answer a = {.cycles = 0};
	int ends[2];

	if (pipe(ends) != 0)
		return err_set(e, STATUS_FAILED, "--what-if: no pipe: %s", strerror(errno));
	w->pid = fork();
	if (w->pid == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		close(ends[0]);
		answer_run(run, v, &a);
		_exit(write(ends[1], &a, sizeof(a)) == (ssize_t)sizeof(a) ? 0 : 1);
	}
	close(ends[1]);
	w->answers = ends[0];
	w->change = n;
	if (w->pid > 0)
		return 0;
	close(ends[0]);
	return err_set(e, STATUS_FAILED, "--what-if: no process: %s", strerror(errno));
}

/* Waits for a worker's answer. 0, or -1 with `e`. */
static int end_change(struct worker *w, uint64_t *cycles, struct err *e)
{
	struct answer a;
	ssize_t got = read(w->answers, &a, sizeof(a));

	close(w->answers);
	if (got != (ssize_t)sizeof(a))
		kill(w->pid, SIGTERM); /* a signal has ended the read */
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (got != (ssize_t)sizeof(a))
		return err_set(e, STATUS_FAILED, "--what-if: the run with %s ended early", changes[w->change].name);
	if (!a.cycles) {
		*e = a.err;
		return err_prefix(e, "--what-if: %s", changes[w->change].name);
	}
	*cycles = a.cycles;
	return 0;
}

static void stop_changes(struct worker *w, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		kill(w[n].pid, SIGTERM);
		close(w[n].answers);
		while (waitpid(w[n].pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

int what_if_simulate(const struct what_if_run *run, uint64_t cycles[WHAT_IF_COUNT], struct err *e)
{
	const unsigned cores = cores_allowed(), most = cores > AT_ONCE_MAX ? AT_ONCE_MAX : cores;
	struct worker worker[AT_ONCE_MAX];
	unsigned next = 0, active = 0, done = 0;
	struct core_config v;

	memset(cycles, 0, WHAT_IF_COUNT * sizeof(*cycles));
	for (;;) {
		while (active < most && next < WHAT_IF_COUNT) {
			enum what_if n = (enum what_if)next++;

			if (!changed_machine(run, n, &v)) {
				done++;
				continue;
			}
			if (start_change(run, n, &v, &worker[active], e) < 0)
				goto failed;
			active++;
		}
		if (!active)
			return 0;
		/* the oldest first: what the others answer waits in their pipes */
		struct worker first = worker[0];

		memmove(worker, worker + 1, --active * sizeof(*worker));
		if (end_change(&first, &cycles[first.change], e) < 0)
			goto failed;
		if (!run->step(run->user, ++done)) {
			err_set(e, STATUS_FAILED, "--what-if: interrupted");
			goto failed;
		}
	}
failed:
	stop_changes(worker, active);
	return -1;
}

/* ---- the report ---- */
static int by_cycles(const void *a, const void *b)
{
	const uint64_t *const *x = a, *const *y = b;

	if (**x != **y)
		return **x < **y ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

void what_if_report(const uint64_t cycles[WHAT_IF_COUNT], uint64_t plain, struct report *r)
{
	static const struct report_column columns[] = {
		{"change", ""}, {"cycles", "cycles"}, {"saved", "cycles"}, {"saved_share", "%"}, {"meaning", ""},
	};
	const uint64_t *row[WHAT_IF_COUNT];
	unsigned count = 0;
	bool below = false;

	for (unsigned n = 0; n < WHAT_IF_COUNT; n++)
		if (cycles[n]) {
			row[count++] = &cycles[n];
			below |= cycles[n] > plain;
		}
	qsort(row, count, sizeof(row[0]), by_cycles);
	report_table(
		r, "what_if",
		below ? "the run on machines with one resource twice or without limit, the most useful first; below "
			"0: instructions come in another order, and wait longer"
		      : "the run on machines with one resource twice or without limit, the most useful first",
		columns, 5);
	for (unsigned n = 0; n < count; n++) {
		double saved = (double)plain - (double)*row[n];
		unsigned change = (unsigned)(row[n] - cycles);

		report_cell_text(r, changes[change].name);
		report_cell_u64(r, *row[n]);
		report_cell_f64(r, saved);
		report_cell_f64(r, plain ? 100 * saved / (double)plain : 0);
		report_cell_text(r, changes[change].doc);
	}
	report_table_end(r);
}
