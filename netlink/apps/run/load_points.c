#include "load_points.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MS = 100 };

bool load_point_falls_behind(const struct load_point *p)
{
	return p->measured.state == TRAFFIC_FALLS_BEHIND || p->measured.state == TRAFFIC_ACCEPTED_CHANGES ||
	       p->measured.state == TRAFFIC_STARVES;
}

/* ---- the process of a point ---- */

/* It writes this to its pipe. */
struct load_message {
	struct load_point point;
	struct err err;
	bool good;
};

/* Runs the pattern once; its result is in run->result. */
static int run_once(struct run *run, const struct load_point *p, struct err *e)
{
	struct run_machine *m = &run->machine;
	const struct traffic_load load = {.load = p->load, .longer = p->longer};

	traffic_destroy(run->traffic);
	traffic_result_destroy(run->result);
	run->result = NULL;
	run->traffic = traffic_of_load(run->in.set.pattern, &load, m->topology, m->ranks, e);
	if (!run->traffic)
		return -1;
	m->kind->destroy(m->engine);
	m->engine = NULL;
	return machine_make_engine(m, &run->in, NULL, e) < 0 ? -1 : run_traffic(run, e);
}

static void note_beyond(const struct run_machine *m, struct load_point *p)
{
	for (unsigned w = 0; m->protocol && w < PROTOCOL_WHERES; w++)
		p->beyond[w].count = protocol_engine_beyond(m->engine, (enum protocol_where)w, &p->beyond[w].longest);
}

/* Runs a point: longer until its window is steady, or the network falls behind. */
static int run_point(struct run *run, struct load_point *p, struct err *e)
{
	run->in.set.processes = 1;
	run->in.common.quiet = true;
	for (;; p->longer *= 2) {
		if (run_once(run, p, e) < 0)
			return -1;
		p->done = run->result->complete;
		note_beyond(&run->machine, p);
		if (!p->done || !traffic_measure(run->result, &p->measured) || p->measured.state == TRAFFIC_STEADY ||
		    load_point_falls_behind(p) || p->longer >= LOAD_LONGEST)
			return 0;
	}
}

static void be_point(struct run *run, const struct load_point *p, const sigset_t *before, int fd)
{
	struct load_message m;

	/* who has forked it ends it; run_traffic keeps what is ignored */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	pthread_sigmask(SIG_SETMASK, before, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memset(&m, 0, sizeof(m));
	m.point = *p;
	m.good = run_point(run, &m.point, &m.err) == 0;
	_exit(write(fd, &m, sizeof(m)) == (ssize_t)sizeof(m) ? 0 : 1);
}

/* ---- the process that starts them ---- */

struct load_worker {
	pid_t pid; /* 0: none */
	int fd;
	unsigned point;
};

struct load_pool {
	struct run *run;
	struct load_point *point;
	unsigned count, next, workers; /* `count`: points up to the end of the curve, as far as it is known */
	struct load_worker worker[EXCHANGE_MOST];
	struct err failed; /* of the first point that failed */
	unsigned first_failed;
};

static int load_pool_start(struct load_pool *pool, struct load_worker *w, struct err *e)
{
	sigset_t held, before;
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return err_set(e, STATUS_FAILED, "cannot create a pipe: %s", strerror(errno));
	fflush(NULL);
	sigemptyset(&held);
	sigaddset(&held,
		  SIGTERM); /* until the process takes it by itself: the handler that it inherits would lose it */
	pthread_sigmask(SIG_BLOCK, &held, &before);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		be_point(pool->run, &pool->point[pool->next], &before, ends[1]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err_set(e, STATUS_FAILED, "cannot create a process: %s", strerror(errno));
	}
	*w = (struct load_worker){.pid = pid, .fd = ends[0], .point = pool->next++};
	return 0;
}

/* ---- points of a checkpoint ---- */

enum { POINT_WORDS = sizeof(struct load_point) / sizeof(uint64_t) };
_Static_assert(sizeof(struct load_point) % sizeof(uint64_t) == 0, "a point is words");

/* The name of the point that is requested: its load, exactly, and the length of its first run. */
static void name_point(const struct load_point *p, char name[CHECKPOINT_NAME_MAX])
{
	snprintf(name, CHECKPOINT_NAME_MAX, "load-%.17g-%" PRIu64, p->load, p->longer);
}

/* Takes the point from the checkpoint, if that has it. 0, or -1 with `e`: it is not what was requested. */
static int take_point(const struct checkpoint *k, struct load_point *p, struct err *e)
{
	char name[CHECKPOINT_NAME_MAX];
	const struct checkpoint_part *part;
	struct load_point found;

	name_point(p, name);
	part = checkpoint_find(k, name);
	if (!part)
		return 0;
	memset(&found, 0, sizeof(found));
	if (part->count == POINT_WORDS)
		memcpy(&found, part->words, sizeof(found));
	if (found.load != p->load || found.longer < p->longer || found.longer > LOAD_LONGEST ||
	    (unsigned)found.measured.state > TRAFFIC_CEASES)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: part '%s': expected a point of that load: remove the file, or name another one",
			       k->path, name);
	*p = found;
	p->done = true;
	return 0;
}

/* The same for all points; returns how many it has, or -1 with `e`. */
static int take_points(struct checkpoint *k, struct load_point *point, unsigned count, struct err *e)
{
	int taken = 0;

	for (unsigned i = 0; i < count; i++) {
		if (take_point(k, &point[i], e) < 0)
			return -1;
		taken += point[i].done;
	}
	return taken;
}

static void note_failed(struct load_pool *pool, unsigned point, const struct err *why)
{
	if (pool->first_failed < point)
		return;
	pool->first_failed = point;
	pool->failed = *why;
	err_prefix(&pool->failed, "load %g", pool->point[point].load);
	if (pool->count > point)
		pool->count = point;
}

/* Ends the curve behind the second point in a row that falls behind. */
static void find_curve_end(struct load_pool *pool)
{
	unsigned behind = 0;

	for (unsigned i = 0; i < pool->count && pool->point[i].done; i++) {
		behind = load_point_falls_behind(&pool->point[i]) ? behind + 1 : 0;
		if (behind == 2)
			pool->count = i + 1;
	}
}

/* Takes the result of a process that has written it, or has died. */
static void load_pool_reap(struct load_pool *pool, struct load_worker *w)
{
	struct load_message m;
	ssize_t size = read(w->fd, &m, sizeof(m));
	char name[CHECKPOINT_NAME_MAX];
	struct err died;
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	if (w->point >= pool->count) /* not needed, and perhaps ended by load_pool_end */
		return;
	if (size == (ssize_t)sizeof(m) && m.good) {
		name_point(&pool->point[w->point], name);
		pool->point[w->point] = m.point;
		if (m.point.done && checkpoint_add(&pool->run->checkpoint, name, &m.point, POINT_WORDS, &died) < 0)
			note_failed(pool, w->point, &died);
		find_curve_end(pool);
	} else if (size == (ssize_t)sizeof(m)) {
		note_failed(pool, w->point, &m.err);
	} else {
		err_set(&died, STATUS_FAILED,
			WIFSIGNALED(status) ? "its process was ended by signal %d" : "its process ended with status %d",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		note_failed(pool, w->point, &died);
	}
}

/* Waits a moment for results; returns whether a process is left. */
static bool load_pool_wait(struct load_pool *pool)
{
	struct pollfd files[EXCHANGE_MOST];
	struct load_worker *of[EXCHANGE_MOST];
	nfds_t count = 0;

	for (unsigned i = 0; i < pool->workers; i++)
		if (pool->worker[i].pid) {
			of[count] = &pool->worker[i];
			files[count++] = (struct pollfd){.fd = pool->worker[i].fd, .events = POLLIN};
		}
	if (count && poll(files, count, POLL_MS) > 0)
		for (nfds_t i = 0; i < count; i++)
			if (files[i].revents)
				load_pool_reap(pool, of[i]);
	return count > 0;
}

/* Ends processes whose points are not needed: all, or those behind the end of the curve. */
static void load_pool_end(const struct load_pool *pool, bool all)
{
	for (unsigned i = 0; i < pool->workers; i++)
		if (pool->worker[i].pid && (all || pool->worker[i].point >= pool->count))
			kill(pool->worker[i].pid, SIGTERM);
}

/* Goes on to the next point that the checkpoint did not have. */
static void skip_done(struct load_pool *pool)
{
	while (pool->next < pool->count && pool->point[pool->next].done)
		pool->next++;
}

static unsigned points_done(const struct load_pool *pool)
{
	unsigned done = 0;

	while (done < pool->count && pool->point[done].done)
		done++;
	return done;
}

int load_points_run(struct run *run, struct load_point *point, unsigned count, struct progress *progress, struct err *e)
{
	struct load_pool pool = {.run = run,
				 .point = point,
				 .count = count,
				 .workers = (unsigned)run->in.set.processes,
				 .first_failed = count};
	const int known = take_points(&run->checkpoint, point, count, e);
	bool go = true;
	int ret = 0;

	if (known < 0)
		return -1;
	progress_from(progress, (uint64_t)known);
	find_curve_end(&pool);
	do {
		for (unsigned i = 0; go && !ret && i < pool.workers; i++) {
			skip_done(&pool);
			if (!pool.worker[i].pid && pool.next < pool.count)
				ret = load_pool_start(&pool, &pool.worker[i], e);
		}
		if (go && (!progress_step(progress, points_done(&pool), NULL) || ret)) {
			go = false;
			load_pool_end(&pool, true);
		}
		if (go && pool.next > pool.count)
			load_pool_end(&pool, false);
	} while (load_pool_wait(&pool));
	if (!ret && go && pool.first_failed < count && pool.first_failed == pool.count) {
		*e = pool.failed;
		return -1;
	}
	return ret ? -1 : (int)points_done(&pool);
}
