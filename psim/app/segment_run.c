/*
 * psim -j N: the first process simulates the first segment while it warms up, and a copy of it each other segment
 * (segments.h); at most N of them work at a time. A copy sends its records over a socket. Behind the end of its segment
 * it waits at each sync point for a byte that lets it go on.
 *
 * The owner is the process that is in the true state. Its records are added up, until its digest is that of the next
 * segment's process, which is the owner from there on. A process that fails is only missed if it is the owner's: else
 * the owner simulates that segment too.
 */
#include "segment_run.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/mem.h"
#include "segment_checkpoint.h"
#include "segment_runner.h"

/* The head of what a copy sends: the words of a record follow. */
struct head {
	uint64_t words; /* 0: it has failed, and ends */
	struct err err;
};

/* ---- a copy ---- */
static int write_all(int fd, const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		ssize_t n = write(fd, from, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		from += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Cycles between checks for signals. */
enum { SEGMENT_STEP = 100000 };

/* Goes on to the next record, or at most a step: core_run's result; the record, or NULL, is in *ret_record. */
static int to_next_record(struct core *c, const struct segment_record **ret_record, size_t *ret_words, struct err *e)
{
	int more = core_run(c, SEGMENT_STEP, e);

	*ret_record = more < 0 ? NULL : core_segment_record(c, ret_words);
	return more;
}

/* Waits for a byte that lets the copy go on: a mirror image. False: the first process wants no more of it. */
static bool may_go_on(struct core *c, int fd)
{
	unsigned char mirror;
	ssize_t n;

	do
		n = read(fd, &mirror, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		core_segment_mirror(c, mirror);
	return n == 1;
}

/* Simulates segment `number`, and on. 0, or -1 with `e`. */
static int simulate_segment(struct core *c, unsigned number, int fd, struct err *e)
{
	int more = 1;

	while (more > 0) {
		const struct segment_record *record;
		struct head h;
		size_t words;

		more = to_next_record(c, &record, &words, e);
		if (!record)
			continue;
		memset(&h, 0, sizeof(h));
		h.words = words;
		if (write_all(fd, &h, sizeof(h)) < 0 || write_all(fd, record, words * sizeof(uint64_t)) < 0)
			return 0; /* the first process is gone */
		if (record->sync != SEGMENT_END && record->sync / SEGMENT_SYNCS > number && !may_go_on(c, fd))
			return 0;
	}
	return more;
}

__attribute__((noreturn)) static void run_copy(struct segment_runner *r, unsigned number, int fd)
{
	struct head h;

	/* the first process handles signals, and ends its copies */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	memset(&h, 0, sizeof(h));
	if (trace_reopen(r->run->trace[0], &h.err) == 0) {
		if (number > 1)
			core_segment_enter(r->core);
		if (simulate_segment(r->core, number, fd, &h.err) == 0)
			_exit(STATUS_DONE);
	}
	_exit(write_all(fd, &h, sizeof(h)) < 0 ? STATUS_FAILED : STATUS_DONE);
}

/* ---- the first process and its copies ---- */
int begin_segment(struct segment_runner *r, struct err *e)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return err_set(e, STATUS_FAILED, "-j: cannot create a socket: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		for (unsigned n = 1; n < r->begun; n++)
			if (r->worker[n].pid)
				close(r->worker[n].fd);
		close(ends[0]);
		run_copy(r, r->begun, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err_set(e, STATUS_FAILED, "-j: cannot create a process: %s", strerror(errno));
	}
	r->worker[r->begun++] = (struct worker){.state = WORKER_WORKS, .pid = pid, .fd = ends[0]};
	return 0;
}

void free_worker(struct worker *w, bool end)
{
	if (w->pid) {
		if (end)
			kill(w->pid, SIGKILL);
		close(w->fd);
		while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
			;
		w->pid = 0;
	}
	for (size_t n = 0; n < w->records.count; n++)
		free(w->records.at[n].record);
	vec_finish(&w->records);
	free(w->data);
	w->data = NULL;
	w->state = WORKER_NONE;
}

static unsigned working(const struct segment_runner *r)
{
	unsigned count = 0;

	for (unsigned n = 1; n < r->begun; n++)
		count += r->worker[n].state == WORKER_WORKS;
	return count;
}

/* Takes the process of segment `n`, which has closed its socket. */
static void worker_gone(struct segment_runner *r, unsigned n)
{
	struct worker *w = &r->worker[n];
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	if (w->state != WORKER_WORKS)
		return;
	w->state = WORKER_FAILED;
	err_set(&w->err, STATUS_FAILED,
		WIFSIGNALED(status) ? "%s: -j: the process of segment %u was killed by signal %d"
				    : "%s: -j: the process of segment %u ended with status %d",
		r->run->path[0], n, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Keeps the record at the begin of what segment `n` has sent, if it is whole: 1; 0: it is not; -1 with `e`. */
static int keep_record(struct segment_runner *r, unsigned n, struct err *e)
{
	struct worker *w = &r->worker[n];
	struct kept_record *kept;
	struct head h;
	size_t size;

	if (w->size < sizeof(h))
		return 0;
	memcpy(&h, w->data, sizeof(h));
	size = h.words * sizeof(uint64_t);
	if (!h.words) {
		w->state = WORKER_FAILED;
		w->err = h.err;
		w->size = 0;
		return 0;
	}
	if (w->size < sizeof(h) + size)
		return 0;
	kept = vec_push(&w->records, e);
	if (!kept)
		return -1;
	*kept = (struct kept_record){mem_alloc(h.words, sizeof(uint64_t), e), h.words};
	if (!kept->record)
		return -1;
	memcpy(kept->record, w->data + sizeof(h), size);
	w->size -= sizeof(h) + size;
	memmove(w->data, w->data + sizeof(h) + size, w->size);
	if (kept->record->sync == SEGMENT_END)
		w->state = WORKER_ENDED;
	else if (kept->record->sync / SEGMENT_SYNCS > n)
		w->state = WORKER_WAITS;
	return 1;
}

/* Reads what segment `n` sends. 0, or -1 with `e`. */
static int read_copy(struct segment_runner *r, unsigned n, struct err *e)
{
	enum { STEP = 1 << 16 };
	struct worker *w = &r->worker[n];
	ssize_t size;
	int ret;

	if (w->room - w->size < STEP) {
		char *data = mem_resize(w->data, w->room + 4 * STEP, 1, e);

		if (!data)
			return -1;
		w->data = data;
		w->room += 4 * STEP;
	}
	size = read(w->fd, w->data + w->size, STEP);
	if (size > 0)
		w->size += (size_t)size;
	if (size == 0 || (size < 0 && errno != EINTR))
		worker_gone(r, n);
	while ((ret = keep_record(r, n, e)) > 0)
		;
	return ret;
}

/* ---- the owner ---- */
/* Moves a record to the sum. */
static int add_record(struct segment_runner *r, struct kept_record *k, struct err *e)
{
	struct kept_record *to = vec_push(&r->sum, e);

	if (!to)
		return -1;
	*to = *k;
	k->record = NULL;
	return segment_keep(r, e);
}

int sum_add(struct segment_runner *r, const struct segment_record *record, size_t words, struct err *e)
{
	struct kept_record *to = vec_push(&r->sum, e);

	if (!to)
		return -1;
	*to = (struct kept_record){mem_alloc(words, sizeof(uint64_t), e), words};
	if (!to->record) {
		r->sum.count--;
		return -1;
	}
	memcpy(to->record, record, words * sizeof(uint64_t));
	return 0;
}

/* The record of segment `n`'s process at a sync point; NULL: it has not been there. */
static const struct segment_record *record_at(const struct worker *w, uint64_t sync, size_t *ret_place)
{
	for (size_t n = 0; n < w->records.count; n++) {
		if (w->records.at[n].record->sync != sync)
			continue;
		*ret_place = n;
		return w->records.at[n].record;
	}
	return NULL;
}

static bool same(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

/*
 * Returns whether it has needed a first pipe of the units `mirror` behind record `place`, to the next segment: 1, 0;
 * -1: not yet known.
 */
static int needs_first_pipe(const struct worker *w, size_t place, uint64_t segment, unsigned mirror)
{
	for (size_t n = place + 1; mirror && n < w->records.count; n++) {
		const struct segment_record *record = w->records.at[n].record;

		if (record->first_pipe & mirror)
			return 1;
		if (record->sync == SEGMENT_END || record->sync / SEGMENT_SYNCS > segment)
			return 0;
	}
	return mirror ? -1 : 0;
}

enum agreement agree(const struct segment_runner *r, const struct segment_record *own, size_t *ret_place,
		     unsigned *ret_mirror)
{
	uint64_t segment = own->sync / SEGMENT_SYNCS;
	const struct worker *w = &r->worker[segment];
	const struct segment_record *other = NULL;
	int needs = 1;

	if (segment >= r->begun)
		return r->all_begun ? AGREE_NO : AGREE_LATER;
	other = record_at(w, own->sync, ret_place);
	if (!other)
		return w->state == WORKER_WORKS ? AGREE_LATER : AGREE_NO;
	if (!own->known || !other->known)
		return AGREE_NO;
	for (unsigned n = 0; needs == 1 && n < SEGMENT_MIRRORS; n++) {
		if (!same(own->mirrored[r->mirror ^ n], other->mirrored[0]))
			continue;
		*ret_mirror = n;
		needs = needs_first_pipe(w, *ret_place, segment, n);
	}
	if (needs < 0)
		return w->state == WORKER_WORKS ? AGREE_LATER : AGREE_NO;
	return needs ? AGREE_NO : AGREE_YES;
}

/* Lets the owner go on behind sync point `sync` of a segment whose process has another state. 0, or -1 with `e`. */
static int owner_goes_on(struct segment_runner *r, uint64_t sync, struct err *e)
{
	struct worker *w = &r->worker[r->owner];
	uint64_t segment = sync / SEGMENT_SYNCS;
	unsigned char mirror = (unsigned char)r->mirror;

	if (segment < r->begun && sync % SEGMENT_SYNCS == SEGMENT_SYNCS - 1)
		free_worker(&r->worker[segment], true);
	r->mirror = 0;
	w->state = WORKER_WORKS;
	if (write_all(w->fd, &mirror, 1) < 0)
		return err_set(e, STATUS_FAILED, "%s: -j: a process has ended", r->run->path[0]);
	return 0;
}

/* Adds up what the owner has recorded, and passes the ownership on. 0, or -1 with `e`. */
static int follow_owner(struct segment_runner *r, struct err *e)
{
	while (r->owner && !r->done) {
		struct worker *w = &r->worker[r->owner];
		struct kept_record *k;
		enum agreement a = AGREE_NO;
		const struct segment_record *own;
		unsigned mirror = 0;
		size_t place = 0;
		uint64_t sync;

		if (w->used == w->records.count) {
			if (w->state != WORKER_FAILED)
				return 0;
			*e = w->err;
			return -1;
		}
		k = &w->records.at[w->used];
		own = k->record;
		sync = own->sync;
		r->done = sync == SEGMENT_END;
		if (!r->done && sync / SEGMENT_SYNCS > r->owner)
			a = agree(r, own, &place, &mirror);
		else
			sync = SEGMENT_END;
		if (a == AGREE_LATER)
			return 0;
		if (add_record(r, k, e) < 0)
			return -1;
		w->used++;
		if (a == AGREE_YES) {
			free_worker(w, true);
			r->owner = (unsigned)(sync / SEGMENT_SYNCS);
			r->worker[r->owner].used = place + 1;
			r->mirror = mirror;
		} else if (sync != SEGMENT_END && owner_goes_on(r, sync, e) < 0) {
			return -1;
		}
	}
	return 0;
}

/* Instructions up to the last record: where the owner is, at least. */
static uint64_t instructions_recorded(const struct segment_runner *r)
{
	const uint64_t sync = r->sum.count ? r->sum.at[r->sum.count - 1].record->sync : 0;

	return sync < SEGMENT_SYNCS ? 0 : segment_sync(&r->run->segments, sync);
}

/* Done is what is counted, or, while the first process reads on, that with what it has seen. */
bool segment_progress(struct segment_runner *r)
{
	const uint64_t seen = core_warmed(r->core) + core_stats(r->core)->instructions,
		       recorded = instructions_recorded(r);
	const bool owned = r->whole || r->continues;
	char note[64];

	snprintf(note, sizeof(note), "segment %u of %" PRIu64, r->begun, r->run->segments.count);
	if (!progress_step(&r->run->progress, owned ? recorded : seen, note))
		r->interrupted = true;
	return !r->interrupted;
}

int poll_copies(struct segment_runner *r, int ms, struct err *e)
{
	struct pollfd fds[SEGMENTS_KEPT];

	for (unsigned n = 0; n < r->begun; n++)
		fds[n] = (struct pollfd){.fd = r->worker[n].pid ? r->worker[n].fd : -1, .events = POLLIN};
	if (poll(fds, r->begun, ms) > 0)
		for (unsigned n = 0; n < r->begun; n++)
			if (fds[n].revents && read_copy(r, n, e) < 0)
				return -1;
	return 0;
}

/* Waits until at most `most` copies work, or with `all` until the run is done. 0, or -1 with `e`; interrupts end it. */
static int wait_for_copies(struct segment_runner *r, unsigned most, bool all, struct err *e)
{
	enum { POLL_MS = 200 };

	while ((all ? !r->done : working(r) > most) && segment_progress(r)) {
		if (poll_copies(r, POLL_MS, e) < 0 || follow_owner(r, e) < 0)
			return -1;
	}
	return 0;
}

/*
 * Simulates segment 0, or with a checkpoint and no other process all. 1: it has ended; 0: so has the trace, or it was
 * interrupted; -1 with `e`.
 */
static int simulate_head(struct segment_runner *r, struct err *e)
{
	const bool alone = r->run->set.processes == 1 && !r->continues;
	const struct segment_record *record = NULL;
	size_t words;
	int more = 1;

	while (more > 0 && (alone || !record)) {
		if (!segment_progress(r))
			return 0;
		more = to_next_record(r->core, &record, &words, e);
		if (more >= 0 && record && (sum_add(r, record, words, e) < 0 || segment_keep(r, e) < 0))
			return -1;
	}
	r->done = r->whole = more == 0;
	return more;
}

/* Reads the trace to its end, and begins further segments as processes are free. 0, or -1: the owner has failed. */
static int begin_further(struct segment_runner *r, int more, struct err *e)
{
	const unsigned most = (unsigned)r->run->set.processes - 1;
	struct err ignored; /* the owner will be there too */

	while (more > 0 && !r->interrupted) {
		if (!r->all_begun && wait_for_copies(r, most, false, e) < 0)
			return -1;
		if (r->all_begun && (poll_copies(r, 0, e) < 0 || follow_owner(r, e) < 0 || !segment_progress(r)))
			return r->interrupted ? 0 : -1;
		if (!r->interrupted)
			more = core_segment_next(r->core, &ignored);
		if (more > 0 && !r->all_begun && begin_segment(r, &ignored) < 0)
			r->all_begun = true; /* the core still has to see all of the trace */
	}
	r->whole = more == 0;
	r->all_begun = true;
	return 0;
}

/*
 * Begins the segments behind the first, as far as it can. 0, or -1 with `e`: segment 1 cannot begin, or the owner has
 * failed.
 */
static int begin_segments(struct segment_runner *r, struct err *e)
{
	struct err ignored;
	int more;

	if (begin_segment(r, e) < 0)
		return -1;
	r->owner = 1;
	more = core_segment_leave(r->core, &ignored) < 0 ? -1 : 1;
	if (more > 0 && r->continues && segment_continue(r, e) < 0)
		return -1;
	r->all_begun = r->run->set.processes == 1; /* the owner simulates the rest */
	return begin_further(r, more, e);
}

/* Gives the core the sum of all records. 0, or -1 with `e`. */
static int sum_records(struct segment_runner *r, struct err *e)
{
	core_segment_clear(r->core);
	for (size_t n = 0; n < r->sum.count; n++)
		if (core_segment_add(r->core, r->sum.at[n].record, r->sum.at[n].words, e) < 0)
			return -1;
	return 0;
}

/* Simulates all. 0, or -1 with `e`. */
static int simulate_segments(struct segment_runner *r, struct err *e)
{
	int ret = simulate_head(r, e);

	if (ret > 0)
		ret = begin_segments(r, e);
	return ret == 0 && r->owner ? wait_for_copies(r, 0, true, e) : ret;
}

/* Gives the core the counts of the run. 0, or -1 with `e`: interrupted before the core knows what they count. */
static int end_segments(struct segment_runner *r, struct err *e)
{
	if (!r->sum.count || (r->interrupted && !r->owner && !r->continues))
		return 0;
	if (r->continues && !r->whole)
		return err_set(e, STATUS_FAILED,
			       "%s: interrupted before the trace was read again, so there is no report",
			       r->run->set.checkpoint.path);
	return sum_records(r, e);
}

int segment_run(struct run *run, struct err *e)
{
	struct segment_runner r = {.run = run,
				   .core = chip_only_core(run->chip),
				   .begun = 1,
				   .continues = run->checkpoint.parts.count > 1};
	int ret = simulate_segments(&r, e);

	if (!r.done)
		checkpoint_write(&run->checkpoint);
	if (ret == 0)
		ret = end_segments(&r, e);
	for (unsigned n = 1; n < r.begun; n++)
		free_worker(&r.worker[n], true);
	for (size_t n = 0; n < r.sum.count; n++)
		free(r.sum.at[n].record);
	vec_finish(&r.sum);
	return ret < 0 ? -1 : !r.done;
}

/* The plan of the checkpoint's run, or one for this run. 0, or -1 with `e`. */
static int make_plan(struct run *run, uint64_t length, struct err *e)
{
	if (run->set.checkpoint.path && run->set.processes == 1)
		segment_plan_make_kept(&run->segments, length);
	else
		segment_plan_make(&run->segments, length, run->set.processes);
	return segment_checkpoint_read(run, length, e);
}

/* Keeps a run that has no parts as a whole. 0, or -1 with `e`. */
static int keep_whole(struct run *run, int argc, char *const argv[], struct err *e)
{
	const struct settings *s = &run->set;
	const char *beside = s->what_if    ? "--what-if"
			     : s->runs > 1 ? "--runs"
			     : s->sample   ? "--sample"
			     : s->phases   ? "--simpoints"
					   : NULL;

	if (beside)
		return err_set(e, STATUS_USAGE, "--checkpoint and %s: expected one of the two", beside);
	return checkpoint_whole(&run->checkpoint, argc, argv, e) < 0 || segment_checkpoint_facts(run, e) < 0 ||
			       checkpoint_read(&run->checkpoint, e) < 0
		       ? -1
		       : 0;
}

int segment_run_plan(struct run *run, struct chip_options *o, int argc, char *const argv[], struct err *e)
{
	const struct settings *s = &run->set;
	const char *option = s->checkpoint.path ? "--checkpoint" : "-j";
	uint64_t length = trace_length(run->trace[0]);
	const struct psim_option more[] = {
		{s->sample, "--sample"},
		{s->phases, "--simpoints"},
		{s->what_if, "--what-if"},
		{s->checkpoint.path && s->annotate.count, "--annotate"},
		{s->checkpoint.path && s->misses, "--misses"},
		{s->runs > 1, "--runs"},
		{psim_run_has_page(run), "--html"},
		{run->cfg.memory.kind == MEMORY_DRAM, "memory.kind = dram"},
	};

	if (s->processes == 0 || s->processes > PROCESSES_MOST)
		return err_set(e, STATUS_USAGE, "-j %" PRIu64 ": expected 1 to %d processes", s->processes,
			       PROCESSES_MOST);
	if (s->processes == 1 && !s->checkpoint.path)
		return 0;
	if (!length)
		return err_set(e, STATUS_USAGE, "%s: the length of the trace is unknown, expected a file", option);
	if (psim_run_by_parts(run, option, "parts of the trace are simulated side by side", more,
			      sizeof(more) / sizeof(more[0]), e) < 0)
		return s->processes == 1 ? keep_whole(run, argc, argv, e) : -1;
	o->segments = &run->segments;
	return make_plan(run, length - s->skip, e);
}
