/* Points of a load curve, each in a process of its own, several at a time. */
#include "load_search.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../psim/base/mem.h"

enum { POLL_MS = 100 };

/* ---- the process of a point ---- */

/* It writes this to its pipe, and then the point. */
struct load_message {
	struct err err;
	bool good;
};

/* Writes all; returns whether it has. */
static bool write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t written = write(fd, at, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		at += written;
		size -= (size_t)written;
	}
	return true;
}

static bool read_all(int fd, void *data, size_t size)
{
	char *at = data;

	while (size) {
		ssize_t got = read(fd, at, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

static _Noreturn void be_point(const struct load_search *s, unsigned point, const sigset_t *before, int fd)
{
	void *own = load_search_point(s, point);
	struct load_message m;

	/* who has forked it ends it; the run keeps what is ignored */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	pthread_sigmask(SIG_SETMASK, before, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memset(&m, 0, sizeof(m));
	m.good = s->run(s->user, own, &m.err) == 0;
	_exit(write_all(fd, &m, sizeof(m)) && write_all(fd, own, s->size) ? 0 : 1);
}

/* ---- the process that starts them ---- */

struct load_worker {
	pid_t pid; /* 0: none */
	int fd;
	unsigned point;
};

struct load_pool {
	struct load_search *search;
	void *got; /* a point that has come */
	unsigned first, next;
	unsigned end; /* of the curve, as far as it is known */
	struct load_worker worker[LOAD_PROCESSES_MAX];
	struct err failed; /* of the first point that failed */
	unsigned first_failed;
};

static struct load_head *pool_point(const struct load_pool *pool, unsigned i)
{
	return load_search_point(pool->search, i);
}

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
		be_point(pool->search, pool->next, &before, ends[1]);
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

/* The name of the point that is requested: its load, exactly, and the length of its first run. */
static void name_point(const struct load_head *p, char name[CHECKPOINT_NAME_MAX])
{
	snprintf(name, CHECKPOINT_NAME_MAX, "load-%.17g-%" PRIu64, p->load, p->longer);
}

/* Takes the point from the checkpoint, if that has it. 0, or -1 with `e`: it is not what was requested. */
static int take_point(struct load_pool *pool, struct load_head *p, struct err *e)
{
	const struct load_search *s = pool->search;
	char name[CHECKPOINT_NAME_MAX];
	const struct checkpoint_part *part;
	const struct load_head *found = pool->got;
	bool good;

	name_point(p, name);
	part = checkpoint_find(s->checkpoint, name);
	if (!part)
		return 0;
	good = part->count == s->size / sizeof(uint64_t);
	if (good)
		memcpy(pool->got, part->words, s->size);
	if (!good || found->load != p->load || found->longer < p->longer || found->longer > LOAD_LONGEST ||
	    !s->valid(pool->got))
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: part '%s': expected a point of that load: remove the file, or name another one",
			       s->checkpoint->path, name);
	memcpy(p, pool->got, s->size);
	p->done = p->taken = true;
	return 0;
}

/* The same for all points; returns how many it has, or -1 with `e`. */
static int take_points(struct load_pool *pool, struct err *e)
{
	int taken = 0;

	for (unsigned i = pool->first; pool->search->checkpoint && i < pool->end; i++) {
		if (take_point(pool, pool_point(pool, i), e) < 0)
			return -1;
		taken += pool_point(pool, i)->done;
	}
	return taken;
}

/* Keeps a point that has come, requested as `name`. 0, or -1 with `e`. */
static int keep_point(const struct load_pool *pool, const char *name, struct err *e)
{
	const struct load_head *p = pool->got;

	if (!p->done || !pool->search->checkpoint)
		return 0;
	return checkpoint_add(pool->search->checkpoint, name, pool->got, pool->search->size / sizeof(uint64_t), e);
}

static void note_failed(struct load_pool *pool, unsigned point, const struct err *why)
{
	if (pool->first_failed < point)
		return;
	pool->first_failed = point;
	pool->failed = *why;
	err_prefix(&pool->failed, "load %g", pool_point(pool, point)->load);
	if (pool->end > point)
		pool->end = point;
}

/* Ends the curve behind the second point in a row that falls behind. */
static void find_curve_end(struct load_pool *pool)
{
	unsigned behind = 0;

	for (unsigned i = pool->first; i < pool->end && pool_point(pool, i)->done && !pool->search->whole; i++) {
		behind = pool_point(pool, i)->behind ? behind + 1 : 0;
		if (behind == 2)
			pool->end = i + 1;
	}
}

/* Takes the result of a process that has written it, or has died. */
static void load_pool_reap(struct load_pool *pool, struct load_worker *w)
{
	struct load_message m;
	bool whole = read_all(w->fd, &m, sizeof(m)) && read_all(w->fd, pool->got, pool->search->size);
	char name[CHECKPOINT_NAME_MAX];
	struct err died;
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	if (w->point >= pool->end) /* not needed, and perhaps ended by load_pool_end */
		return;
	if (whole && m.good) {
		name_point(pool_point(pool, w->point), name);
		memcpy(pool_point(pool, w->point), pool->got, pool->search->size);
		if (keep_point(pool, name, &died) < 0)
			note_failed(pool, w->point, &died);
		find_curve_end(pool);
	} else if (whole) {
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
	struct pollfd files[LOAD_PROCESSES_MAX];
	struct load_worker *of[LOAD_PROCESSES_MAX];
	nfds_t count = 0;

	for (unsigned i = 0; i < pool->search->processes; i++)
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
	for (unsigned i = 0; i < pool->search->processes; i++)
		if (pool->worker[i].pid && (all || pool->worker[i].point >= pool->end))
			kill(pool->worker[i].pid, SIGTERM);
}

static unsigned points_done(const struct load_pool *pool)
{
	unsigned done = pool->first;

	while (done < pool->end && pool_point(pool, done)->done)
		done++;
	return done - pool->first;
}

/* Starts processes while there are points that the checkpoint did not have. 0, or -1 with `e`. */
static int start_some(struct load_pool *pool, struct err *e)
{
	for (unsigned i = 0; i < pool->search->processes; i++) {
		while (pool->next < pool->end && pool_point(pool, pool->next)->done)
			pool->next++;
		if (!pool->worker[i].pid && pool->next < pool->end && load_pool_start(pool, &pool->worker[i], e) < 0)
			return -1;
	}
	return 0;
}

static int run_all(struct load_pool *pool, struct err *e)
{
	const int known = take_points(pool, e);
	bool go = true;
	int ret = 0;

	if (known < 0)
		return -1;
	progress_from(pool->search->progress, (uint64_t)known);
	find_curve_end(pool);
	do {
		if (go && !ret)
			ret = start_some(pool, e);
		if (go && (!progress_step(pool->search->progress, points_done(pool), NULL) || ret)) {
			go = false;
			load_pool_end(pool, true);
		}
		if (go && pool->next > pool->end)
			load_pool_end(pool, false);
	} while (load_pool_wait(pool));
	if (!ret && go && pool->first_failed != UINT32_MAX && pool->first_failed == pool->end) {
		*e = pool->failed;
		return -1;
	}
	return ret ? -1 : (int)points_done(pool);
}

int load_pool_run(struct load_search *s, unsigned first, unsigned end, struct err *e)
{
	struct load_pool pool = {.search = s, .first = first, .next = first, .end = end, .first_failed = UINT32_MAX};
	int ret;

	pool.got = mem_alloc(1, s->size, e);
	if (!pool.got)
		return -1;
	ret = run_all(&pool, e);
	free(pool.got);
	return ret;
}
