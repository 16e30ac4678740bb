#include "explore_run.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../psim/base/mem.h"
#include "point_kind.h"

enum { POLL_MS = 200, CHUNK = 64 };

/* A message of a child: its progress, its units in chunks, and finally its result. */
struct message {
	bool last, good, whole; /* whole: with figures of the whole trace */
	uint64_t instructions;
	struct figures figures;   /* of the whole trace, or expanded from the units */
	size_t first, count, all; /* units: those of this chunk, and all of the point; 0: none */
	double value[UNIT_FIGURES][CHUNK];
	struct err err;
};
/* pipe writes up to PIPE_BUF are atomic */
_Static_assert(sizeof(struct message) <= PIPE_BUF, "a message fits a pipe");

struct worker {
	pid_t pid; /* 0: free */
	int fd;
	size_t point;
	uint64_t instructions; /* so far */
	size_t got;            /* bytes of `message` */
	bool ended;            /* `message` is the last one */
	struct point_units units;
	struct message message;
};

struct runner {
	struct plan *plan;
	struct store *store;
	const struct run_options *o;
	struct run_outcome *out;
	struct worker *workers;
	struct pollfd *polls;
	size_t next; /* index of the next point to start */
	size_t first_failed;
	size_t points;   /* points unknown at the start */
	uint64_t before; /* instructions of the finished points */
};

/* ---- the child ---- */
static bool send_progress(void *user, uint64_t instructions)
{
	const int *fd = user;
	const struct message m = {.instructions = instructions};

	return write(*fd, &m, sizeof(m)) == (ssize_t)sizeof(m);
}

static bool send_units(int fd, const struct point_units *u)
{
	struct message m;

	for (size_t first = 0; first < u->count; first += CHUNK) {
		memset(&m, 0, sizeof(m));
		m.first = first;
		m.all = u->count;
		m.count = u->count - first < CHUNK ? u->count - first : CHUNK;
		m.figures = u->expanded;
		for (unsigned k = 0; k < UNIT_FIGURES; k++)
			memcpy(m.value[k], u->value[k] + first, m.count * sizeof(m.value[k][0]));
		if (write(fd, &m, sizeof(m)) != (ssize_t)sizeof(m))
			return false;
	}
	return true;
}

/* Simulates what a point lacks, and sends its units. 0, or -1 with m->err. */
static int run_point(const struct runner *r, const struct plan_point *point, const struct simulate_options *o, int fd,
		     struct message *m)
{
	const struct study *s = r->plan->study;
	const struct plan_file *file = &r->plan->files.at[point->file];
	struct point_units units;

	if (plan_lacks_units(point)) {
		if (simulate_units(&s->core, file, &file->units, o, &units, &m->err) < 0)
			return -1;
		if (!send_units(fd, &units))
			return err_set(&m->err, STATUS_FAILED, "cannot write to a pipe: %s", strerror(errno));
	}
	m->whole = plan_lacks_whole(point);
	return m->whole ? s->kind->run(s, file, o, &m->figures, &m->err) : 0;
}

/* Never returns, and frees nothing of the parent's. */
static void run_child(struct runner *r, size_t n, int fd)
{
	const struct simulate_options o = {.check = r->o->check,
					   .no_memo = r->o->no_memo,
					   .runs = r->plan->study->runs,
					   .step = send_progress,
					   .user = &fd};
	struct message m;

	/* the parent handles signals and ends its children */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	memset(&m, 0, sizeof(m));
	m.last = true;
	m.good = run_point(r, &r->plan->points[n], &o, fd, &m) == 0;
	_exit(write(fd, &m, sizeof(m)) == (ssize_t)sizeof(m) ? 0 : 1);
}

/* ---- the parent ---- */
static int start_worker(struct runner *r, struct worker *w, size_t n, struct err *e)
{
	int ends[2];
	pid_t pid;

	if (study_configure(r->plan->study, r->plan->points[n].combination, e) < 0)
		return -1;
	if (pipe(ends) < 0)
		return err_set(e, STATUS_FAILED, "cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		run_child(r, n, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err_set(e, STATUS_FAILED, "cannot create a process: %s", strerror(errno));
	}
	*w = (struct worker){.pid = pid, .fd = ends[0], .point = n};
	return 0;
}

static int start_workers(struct runner *r, struct err *e)
{
	for (unsigned n = 0; n < r->o->jobs; n++) {
		if (r->workers[n].pid)
			continue;
		while (r->next < r->plan->count && !plan_missing(&r->plan->points[r->next]))
			r->next++;
		if (r->next == r->plan->count)
			return 0;
		if (start_worker(r, &r->workers[n], r->next, e) < 0)
			return -1;
		r->next++;
	}
	return 0;
}

static void explore_run_note_failure(struct runner *r, size_t n, const struct err *why)
{
	const struct plan_point *point = &r->plan->points[n];
	char label[STUDY_LABEL_MAX];

	if (r->out->failed++ && r->first_failed < n)
		return;
	r->first_failed = n;
	r->out->first = *why;
	study_label(r->plan->study, point->combination, label);
	err_prefix(&r->out->first, "%s of %s", label, r->plan->study->traces.at[point->trace].name);
}

/* Takes the result of a point, and keeps it in the file. */
static int keep_result(struct runner *r, struct worker *w, struct plan_point *point, struct err *e)
{
	if (study_configure(r->plan->study, point->combination, e) < 0)
		return -1;
	if (w->units.count) {
		point_units_finish(&point->units);
		point->units = w->units;
		w->units = (struct point_units){.count = 0};
		if (store_save_units(r->store, r->plan, point, e) < 0)
			return -1;
	}
	if (!w->message.whole)
		return 0;
	point->figures = w->message.figures;
	point->known = true;
	return store_save(r->store, r->plan, point, e);
}

/* Reaps a child that has closed its pipe. */
static int reap_worker(struct runner *r, struct worker *w, struct err *e)
{
	struct plan_point *point = &r->plan->points[w->point];
	struct err died;
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	r->before += r->plan->files.at[point->file].length * point->cores;
	if (!w->ended) {
		err_set(&died, STATUS_FAILED,
			WIFSIGNALED(status) ? "the simulation's process was killed by signal %d"
					    : "the simulation's process ended with status %d",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		explore_run_note_failure(r, w->point, &died);
		point_units_finish(&w->units);
		return 0;
	}
	if (!w->message.good) {
		explore_run_note_failure(r, w->point, &w->message.err);
		point_units_finish(&w->units);
		return 0;
	}
	r->out->done++;
	return keep_result(r, w, point, e);
}

/* Takes a chunk of the units. 0, or -1 with `e`. */
static int take_chunk(struct worker *w, struct err *e)
{
	const struct message *m = &w->message;

	if (!w->units.count && point_units_create(&w->units, m->all, e) < 0)
		return -1;
	w->units.expanded = m->figures;
	for (unsigned k = 0; k < UNIT_FIGURES; k++)
		memcpy(w->units.value[k] + m->first, m->value[k], m->count * sizeof(m->value[k][0]));
	return 0;
}

static int read_worker(struct runner *r, struct worker *w, struct err *e)
{
	ssize_t got = read(w->fd, (char *)&w->message + w->got, sizeof(w->message) - w->got);

	if (got < 0)
		return errno == EINTR || errno == EAGAIN
			       ? 0
			       : err_set(e, STATUS_FAILED, "cannot read a pipe: %s", strerror(errno));
	if (got == 0)
		return reap_worker(r, w, e);
	w->got += (size_t)got;
	if (w->got < sizeof(w->message))
		return 0;
	w->got = 0;
	if (w->message.last) {
		w->ended = true;
		return reap_worker(r, w, e);
	}
	if (w->message.count)
		return take_chunk(w, e);
	w->instructions = w->message.instructions;
	return 0;
}

/* Waits once; returns the number of busy workers, or -1. */
static int wait_for_workers(struct runner *r, struct err *e)
{
	nfds_t busy = 0;

	for (unsigned n = 0; n < r->o->jobs; n++)
		r->polls[n] = (struct pollfd){.fd = r->workers[n].pid ? r->workers[n].fd : -1, .events = POLLIN};
	if (poll(r->polls, r->o->jobs, POLL_MS) < 0 && errno != EINTR)
		return err_set(e, STATUS_FAILED, "cannot wait for a process: %s", strerror(errno));
	for (unsigned n = 0; n < r->o->jobs; n++) {
		if (r->workers[n].pid && r->polls[n].revents && read_worker(r, &r->workers[n], e) < 0)
			return -1;
		busy += r->workers[n].pid != 0;
	}
	return (int)busy;
}

static bool explore_run_step(struct runner *r)
{
	uint64_t instructions = r->before;
	char note[64];

	for (unsigned n = 0; n < r->o->jobs; n++)
		instructions += r->workers[n].pid ? r->workers[n].instructions : 0;
	snprintf(note, sizeof(note), "%zu of %zu points", r->out->done + r->out->failed, r->points);
	return !r->o->step || r->o->step(r->o->user, instructions, note);
}

static int explore_run_all(struct runner *r, struct err *e)
{
	int busy;

	do {
		if (!explore_run_step(r)) {
			r->out->stopped = true;
			return 0;
		}
		if (start_workers(r, e) < 0)
			return -1;
		busy = wait_for_workers(r, e);
	} while (busy > 0 || (busy == 0 && r->next < r->plan->count));
	return busy;
}

/* Kills the running children; their points are simulated again in the next run. */
static void end_workers(struct runner *r)
{
	for (unsigned n = 0; n < r->o->jobs; n++) {
		if (!r->workers[n].pid)
			continue;
		point_units_finish(&r->workers[n].units);
		kill(r->workers[n].pid, SIGKILL);
		close(r->workers[n].fd);
		while (waitpid(r->workers[n].pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

int run_points(struct plan *p, struct store *store, const struct run_options *o, struct run_outcome *out, struct err *e)
{
	struct runner r = {.plan = p, .store = store, .o = o, .out = out};
	int ret = -1;

	*out = (struct run_outcome){.done = 0};
	r.points = plan_missing_count(p);
	r.workers = mem_alloc(o->jobs, sizeof(*r.workers), e);
	r.polls = r.workers ? mem_alloc(o->jobs, sizeof(*r.polls), e) : NULL;
	if (r.polls) {
		ret = explore_run_all(&r, e);
		end_workers(&r);
	}
	free(r.polls);
	free(r.workers);
	return ret;
}
