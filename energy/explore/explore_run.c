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
#include "../../psim/core/warm_states.h"
#include "point_kind.h"

/* BATCH_MAX: points of a process; more would share the rest of what they share, and lose more where it is killed. */
enum { POLL_MS = 200, CHUNK = 64, BATCH_MAX = 32 };

/* A message of a child: the progress of a point, its units in chunks, and finally its result. */
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
	size_t point[BATCH_MAX], count; /* that it simulates, one after the other */
	size_t done;                    /* of which the result is here */
	uint64_t instructions;          /* of the present one, so far */
	size_t got;                     /* bytes of `message` */
	struct point_units units;
	struct message message;
};

/* TOOK_FAILED: its process has died while it was simulated: it gets one of its own. */
enum took { TOOK_NOT, TOOK, TOOK_FAILED };

struct runner {
	struct plan *plan;
	struct store *store;
	const struct run_options *o;
	struct run_outcome *out;
	struct worker *workers;
	struct pollfd *polls;
	size_t next;        /* no point before it is to be started */
	enum took *took;    /* of each point */
	struct digest *key; /* of each combination whose points may share what they warm up by: warm_states_key */
	size_t left;        /* points to be started */
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
static int run_point(const struct runner *r, const struct plan_point *point, const struct shared_units *shared,
		     const struct simulate_options *o, int fd, struct message *m)
{
	const struct study *s = r->plan->study;
	const struct plan_file *file = &r->plan->files.at[point->file];
	struct point_units units;

	if (plan_lacks_units(point)) {
		if (simulate_units(&s->core, file, shared, o, &units, &m->err) < 0)
			return -1;
		if (!send_units(fd, &units))
			return err_set(&m->err, STATUS_FAILED, "cannot write to a pipe: %s", strerror(errno));
		point_units_finish(&units);
	}
	m->whole = plan_lacks_whole(point);
	return m->whole ? s->kind->run(s, file, o, &m->figures, &m->err) : 0;
}

/* Never returns, and frees nothing of the parent's. The first point's machine is configured. */
static void run_child(struct runner *r, const struct worker *w, int fd)
{
	const struct simulate_options o = {.check = r->o->check,
					   .no_memo = r->o->no_memo,
					   .runs = r->plan->study->runs,
					   .step = send_progress,
					   .user = &fd};
	struct study *s = r->plan->study;
	struct shared_units shared = {.states = NULL};
	struct message m;

	/* the parent handles signals and ends its children */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	memset(&m, 0, sizeof(m));
	/* a failure is that of each point, which says so */
	if (w->count > 1)
		shared_units_create(&s->core, &r->plan->files.at[r->plan->points[*w->point].file], &shared, &m.err);
	for (size_t n = 0; n < w->count; n++) {
		const struct plan_point *point = &r->plan->points[w->point[n]];

		memset(&m, 0, sizeof(m));
		m.last = true;
		m.good = study_configure(s, point->combination, &m.err) == 0 &&
			 run_point(r, point, &shared, &o, fd, &m) == 0;
		if (write(fd, &m, sizeof(m)) != (ssize_t)sizeof(m))
			_exit(1);
	}
	_exit(0);
}

/* ---- the parent ---- */
/* Starts the process of a batch, to whose first point the study is configured. 0, or -1 with `e`. */
static int start_worker(struct runner *r, struct worker *w, struct err *e)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return err_set(e, STATUS_FAILED, "cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		run_child(r, w, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err_set(e, STATUS_FAILED, "cannot create a process: %s", strerror(errno));
	}
	w->pid = pid;
	w->fd = ends[0];
	return 0;
}

static bool to_be_started(const struct runner *r, size_t n)
{
	return r->took[n] != TOOK && plan_missing(&r->plan->points[n]);
}

/* Returns whether a point can be simulated behind the first one of a batch, and share with it. */
static bool joins(const struct runner *r, size_t first, size_t n)
{
	const struct plan_point *a = &r->plan->points[first], *b = &r->plan->points[n];
	const struct digest *k = &r->key[a->combination], *l = &r->key[b->combination];

	return r->took[n] == TOOK_NOT && to_be_started(r, n) && plan_lacks_units(b) && a->file == b->file &&
	       k->a == l->a && k->b == l->b;
}

static void take_point(struct runner *r, struct worker *w, size_t n)
{
	w->point[w->count++] = n;
	r->took[n] = TOOK;
	r->left--;
}

/* Chooses the points of a batch, of which the first is `first`: few enough that all workers have some. */
static void choose_batch(struct runner *r, struct worker *w, size_t first)
{
	size_t most = (r->left + r->o->jobs - 1) / r->o->jobs;
	const bool alone = r->took[first] == TOOK_FAILED || !plan_lacks_units(&r->plan->points[first]);

	*w = (struct worker){.count = 0};
	most = most < BATCH_MAX ? most : BATCH_MAX;
	take_point(r, w, first);
	for (size_t n = first + 1; !alone && n < r->plan->count && w->count < most; n++)
		if (joins(r, first, n))
			take_point(r, w, n);
}

static int start_workers(struct runner *r, struct err *e)
{
	for (unsigned n = 0; n < r->o->jobs; n++) {
		if (r->workers[n].pid)
			continue;
		while (r->next < r->plan->count && !to_be_started(r, r->next))
			r->next++;
		if (r->next == r->plan->count)
			return 0;
		if (study_configure(r->plan->study, r->plan->points[r->next].combination, e) < 0)
			return -1;
		choose_batch(r, &r->workers[n], r->next);
		if (start_worker(r, &r->workers[n], e) < 0)
			return -1;
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

/* Takes the message that ends a point. 0, or -1 with `e`. */
static int take_result(struct runner *r, struct worker *w, struct err *e)
{
	const size_t n = w->point[w->done++];
	struct plan_point *point = &r->plan->points[n];

	w->instructions = 0;
	r->before += r->plan->files.at[point->file].length * point->cores;
	if (!w->message.good) {
		explore_run_note_failure(r, n, &w->message.err);
		point_units_finish(&w->units);
		return 0;
	}
	r->out->done++;
	return keep_result(r, w, point, e);
}

/*
 * A process has died. The point that it simulated gets another one of its own, unless it had; the points behind it are
 * started again.
 */
static void give_back(struct runner *r, struct worker *w, const struct err *died)
{
	const size_t failed = w->point[w->done];

	point_units_finish(&w->units);
	if (w->count == 1) {
		r->before += r->plan->files.at[r->plan->points[failed].file].length * r->plan->points[failed].cores;
		explore_run_note_failure(r, failed, died);
		return;
	}
	for (size_t n = w->done; n < w->count; n++)
		r->took[w->point[n]] = TOOK_NOT;
	r->took[failed] = TOOK_FAILED;
	r->left += w->count - w->done;
	r->next = failed < r->next ? failed : r->next;
}

/* Reaps a child that has sent all, or closed its pipe. */
static void reap_worker(struct runner *r, struct worker *w)
{
	struct err died;
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	if (w->done == w->count)
		return;
	err_set(&died, STATUS_FAILED,
		WIFSIGNALED(status) ? "the simulation's process was killed by signal %d"
				    : "the simulation's process ended with status %d",
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	give_back(r, w, &died);
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
	if (got == 0) {
		reap_worker(r, w);
		return 0;
	}
	w->got += (size_t)got;
	if (w->got < sizeof(w->message))
		return 0;
	w->got = 0;
	if (w->message.last) {
		if (take_result(r, w, e) < 0)
			return -1;
		if (w->done == w->count)
			reap_worker(r, w);
		return 0;
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

/* Sets the keys of combinations with points by units. 0, or -1 with `e`. */
static int set_keys(struct runner *r, struct err *e)
{
	struct plan *p = r->plan;
	bool configured = false;

	for (size_t n = 0; n < p->count; n++) {
		const uint32_t combination = p->points[n].combination;

		configured &= n && p->points[n - 1].combination == combination;
		if (configured || !plan_missing(&p->points[n]) || !plan_lacks_units(&p->points[n]))
			continue;
		if (study_configure(p->study, combination, e) < 0)
			return -1;
		r->key[combination] = warm_states_key(&p->study->core);
		configured = true;
	}
	return 0;
}

int run_points(struct plan *p, struct store *store, const struct run_options *o, struct run_outcome *out, struct err *e)
{
	struct runner r = {.plan = p, .store = store, .o = o, .out = out};
	int ret = -1;

	*out = (struct run_outcome){.done = 0};
	r.points = r.left = plan_missing_count(p);
	r.workers = mem_alloc(o->jobs, sizeof(*r.workers), e);
	r.polls = r.workers ? mem_alloc(o->jobs, sizeof(*r.polls), e) : NULL;
	r.took = r.polls ? mem_alloc(p->count, sizeof(*r.took), e) : NULL;
	r.key = r.took ? mem_alloc(p->count, sizeof(*r.key), e) : NULL;
	if (r.key && set_keys(&r, e) == 0) {
		ret = explore_run_all(&r, e);
		end_workers(&r);
	}
	free(r.key);
	free(r.took);
	free(r.polls);
	free(r.workers);
	return ret;
}
