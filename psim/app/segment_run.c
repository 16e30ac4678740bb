/*
 * psim -j N: the first process simulates the first segment while it warms up, and a copy of it each other segment
 * (segments.h); at most N of them work at a time. A copy sends its records over a socket. Behind the end of its segment
 * it waits at each sync point for an order that lets it go on. segment_copy.h has the copies, and rows over time.
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
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/mem.h"
#include "segment_checkpoint.h"
#include "segment_runner.h"

/* ---- the first process and its copies ---- */
static void close_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Closes what the first process has of other copies, in a new one. */
static void close_others(const struct segment_runner *r)
{
	for (unsigned n = 1; n <= STAND_IN; n++) {
		const struct worker *w = &r->worker[n];

		close_open(w->from.fd);
		close_open(w->rows.fd);
		for (unsigned k = 0; k < MIRRORED_UNITS; k++)
			close_open(w->stand_in[k]);
	}
}

/* The sockets of a copy, each with the end of the first process, and that of the copy; -1: it has none. */
enum copy_socket { TO_COPY, TO_TWINS, TO_STAND_INS, COPY_SOCKETS = TO_STAND_INS + MIRRORED_UNITS };

static void close_ends(int ends[COPY_SOCKETS][2], unsigned end)
{
	for (unsigned n = 0; n < COPY_SOCKETS; n++) {
		close_open(ends[n][end]);
		ends[n][end] = -1;
	}
}

/* Makes the sockets of the next copy. 0, or -1 with `e`. */
static int open_sockets(const struct segment_runner *r, int ends[COPY_SOCKETS][2], struct err *e)
{
	const bool stands = r->run->segments.runs && r->owner;

	for (unsigned n = 0; n < COPY_SOCKETS; n++)
		ends[n][0] = ends[n][1] = -1;
	for (unsigned n = 0; n < COPY_SOCKETS; n++) {
		if (n == TO_TWINS ? !r->rows.interval || !r->owner : n >= TO_STAND_INS && !stands)
			continue;
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[n]) == 0)
			continue;
		err_set(e, STATUS_FAILED, "-j: cannot create a socket: %s", strerror(errno));
		close_ends(ends, 0);
		close_ends(ends, 1);
		return -1;
	}
	return 0;
}

/* The first segment behind those of the process of segment `n`. A stand-in is compared wherever it is. */
static uint64_t run_end(const struct segment_runner *r, unsigned n)
{
	return n == STAND_IN ? 0 : segment_next_run(&r->run->segments, n);
}

/* The rows of the copy of a new segment. The first one, which follows the first process, knows its cycle of the run. */
static struct segment_rows rows_of_copy(const struct segment_runner *r)
{
	struct segment_rows rows = r->rows;

	rows.records = 0;
	rows.known = !r->owner;
	return rows;
}

int begin_segment(struct segment_runner *r, struct err *e)
{
	struct worker *w = &r->worker[r->begun];
	int ends[COPY_SOCKETS][2];
	pid_t pid;

	if (open_sockets(r, ends, e) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		struct segment_copy copy = {.core = r->core,
					    .trace = r->run->trace[0],
					    .end = run_end(r, r->begun),
					    .follows = !r->owner,
					    .fd = ends[TO_COPY][1],
					    .rows_fd = ends[TO_TWINS][1],
					    .rows = rows_of_copy(r)};

		for (unsigned n = 0; n < MIRRORED_UNITS; n++)
			copy.stand_in[n] = ends[TO_STAND_INS + n][1];
		close_others(r);
		close_ends(ends, 0);
		segment_copy_run(&copy);
	}
	close_ends(ends, 1);
	if (pid < 0) {
		close_ends(ends, 0);
		return err_set(e, STATUS_FAILED, "-j: cannot create a process: %s", strerror(errno));
	}
	*w = (struct worker){
		.state = WORKER_WORKS, .pid = pid, .from = {.fd = ends[TO_COPY][0]}, .rows = {.fd = ends[TO_TWINS][0]}};
	for (unsigned n = 0; n < MIRRORED_UNITS; n++)
		w->stand_in[n] = ends[TO_STAND_INS + n][0];
	r->begun++;
	return 0;
}

static void stream_close(struct stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->data);
	*s = (struct stream){.fd = -1};
}

void free_worker(struct worker *w, bool end)
{
	if (w->stands && w->from.fd >= 0)
		kill(w->stands, SIGKILL);
	w->stands = 0;
	stream_close(&w->from);
	for (unsigned n = 0; n < MIRRORED_UNITS; n++) {
		close_open(w->stand_in[n]);
		w->stand_in[n] = -1;
	}
	if (w->pid) {
		if (end)
			kill(w->pid, SIGKILL);
		while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
			;
		w->pid = 0;
	}
	for (size_t n = 0; n < w->records.count; n++)
		free(w->records.at[n].record);
	vec_finish(&w->records);
	if (!w->rows_due)
		stream_close(&w->rows);
	w->state = WORKER_NONE;
}

static unsigned working(const struct segment_runner *r)
{
	unsigned count = 0;

	for (unsigned n = 1; n < r->begun; n++)
		count += (r->worker[n].state == WORKER_WORKS) + r->worker[n].rows_due;
	return count + (r->worker[STAND_IN].state == WORKER_WORKS);
}

/* Takes the process of segment `n`, which has closed its socket. */
static void worker_gone(struct segment_runner *r, unsigned n)
{
	struct worker *w = &r->worker[n];
	int status = 0;

	while (w->pid && waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = w->stands = 0;
	stream_close(&w->from);
	if (w->state != WORKER_WORKS)
		return;
	w->state = WORKER_FAILED;
	if (n == STAND_IN) {
		err_set(&w->err, STATUS_FAILED, "%s: -j: a process has ended", r->run->path[0]);
		return;
	}
	err_set(&w->err, STATUS_FAILED,
		WIFSIGNALED(status) ? "%s: -j: the process of segment %u was killed by signal %d"
				    : "%s: -j: the process of segment %u ended with status %d",
		r->run->path[0], n, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Keeps a row of segment `n`. 0, or -1 with `e`. */
static int keep_row(struct segment_runner *r, unsigned n, uint64_t records, const void *record, size_t size,
		    struct err *e)
{
	struct kept_row *row = vec_push(&r->row, e);

	if (!row)
		return -1;
	*row = (struct kept_row){{n, records}, mem_alloc(size, 1, e)};
	if (!row->record) {
		r->row.count--;
		return -1;
	}
	memcpy(row->record, record, size);
	return 0;
}

/* Keeps a record that segment `n` has sent. 0, or -1 with `e`. */
static int keep_record(struct segment_runner *r, unsigned n, const void *record, const struct segment_head *h,
		       struct err *e)
{
	const size_t words = h->words;
	struct worker *w = &r->worker[n];
	struct kept_record *kept = vec_push(&w->records, e);

	if (!kept)
		return -1;
	*kept = (struct kept_record){mem_alloc(words, sizeof(uint64_t), e), words, {0}};
	memcpy(kept->stands, h->stands, sizeof(kept->stands));
	if (!kept->record)
		return -1;
	memcpy(kept->record, record, words * sizeof(uint64_t));
	if (kept->record->sync == SEGMENT_END)
		w->state = WORKER_ENDED;
	else if (kept->record->sync / SEGMENT_SYNCS >= run_end(r, n))
		w->state = WORKER_WAITS;
	return 0;
}

/* Takes what segment `n` has sent last, which is no record. */
static void take_end(struct worker *w, const struct segment_head *h)
{
	if (!h->failed) {
		w->rows_due = false;
		return;
	}
	w->state = WORKER_FAILED;
	w->err = h->err;
}

/* Takes the record at the begin of what segment `n` has sent, if it is whole: 1; 0: it is not; -1 with `e`. */
static int take_record(struct segment_runner *r, unsigned n, struct stream *s, struct err *e)
{
	const struct segment_record *record;
	struct segment_head h;
	size_t size;
	int ret;

	if (s->size < sizeof(h))
		return 0;
	memcpy(&h, s->data, sizeof(h));
	size = h.words * sizeof(uint64_t);
	if (!h.words) {
		take_end(&r->worker[n], &h);
		s->size = 0;
		return 0;
	}
	if (s->size < sizeof(h) + size)
		return 0;
	record = (const struct segment_record *)(const void *)(s->data + sizeof(h));
	ret = record->sync == SEGMENT_ROW ? keep_row(r, n, h.behind, record, size, e)
					  : keep_record(r, n, record, &h, e);
	if (ret < 0)
		return -1;
	s->size -= sizeof(h) + size;
	memmove(s->data, s->data + sizeof(h) + size, s->size);
	return 1;
}

/* Twins of segment `n` have closed their socket. 0, or -1 with `e`: not all rows were sent. */
static int twins_gone(struct segment_runner *r, unsigned n, struct err *e)
{
	struct worker *w = &r->worker[n];

	stream_close(&w->rows);
	if (!w->rows_due)
		return 0;
	w->rows_due = false;
	return err_set(e, STATUS_FAILED, "%s: -j: a process that makes rows over time has ended", r->run->path[0]);
}

/* Reads what segment `n`, or its twins, send. 0, or -1 with `e`. */
static int read_copy(struct segment_runner *r, unsigned n, struct stream *s, struct err *e)
{
	enum { STEP = 1 << 16 };
	ssize_t size;
	int ret;

	if (s->room - s->size < STEP) {
		char *data = mem_resize(s->data, s->room + 4 * STEP, 1, e);

		if (!data)
			return -1;
		s->data = data;
		s->room += 4 * STEP;
	}
	size = read(s->fd, s->data + s->size, STEP);
	if (size < 0 && errno == EINTR)
		return 0;
	if (size > 0)
		s->size += (size_t)size;
	while ((ret = take_record(r, n, s, e)) > 0)
		;
	if (ret < 0 || size > 0)
		return ret;
	if (s == &r->worker[n].rows)
		return twins_gone(r, n, e);
	worker_gone(r, n);
	return 0;
}

/* ---- the owner ---- */
/* Moves a record to the sum, which then is at `behind`. 0, or -1 with `e`. */
static int sum_move(struct segment_runner *r, struct kept_record *k, struct segment_spot behind, struct err *e)
{
	struct kept_record *to = vec_push(&r->sum, e);
	struct segment_spot *spot = to ? vec_push(&r->behind, e) : NULL;

	if (!spot)
		return -1;
	*to = *k;
	*spot = behind;
	r->cycles += segment_cycles(k->record);
	k->record = NULL;
	return 0;
}

/* Moves a record of the owner to the sum. */
static int add_record(struct segment_runner *r, struct kept_record *k, struct segment_spot behind, struct err *e)
{
	return sum_move(r, k, behind, e) < 0 ? -1 : segment_keep(r, e);
}

int sum_add(struct segment_runner *r, const struct segment_record *record, size_t words, struct segment_spot behind,
	    struct err *e)
{
	struct kept_record k = {mem_alloc(words, sizeof(uint64_t), e), words, {0}};
	int ret;

	if (!k.record)
		return -1;
	memcpy(k.record, record, words * sizeof(uint64_t));
	ret = sum_move(r, &k, behind, e);
	free(k.record);
	return ret;
}

/* The record of segment `n`'s process at a sync point, of those that do not count yet; NULL: it has not been there. */
static const struct segment_record *record_at(const struct worker *w, uint64_t sync, size_t *ret_place)
{
	for (size_t n = w->used; n < w->records.count; n++) {
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
 * Returns whether it has needed a first pipe of the units `mirror` behind record `place`, to the end of its segments:
 * 1, 0; -1: not yet known.
 */
static int needs_first_pipe(const struct worker *w, size_t place, uint64_t end, unsigned mirror)
{
	for (size_t n = place + 1; mirror && n < w->records.count; n++) {
		const struct segment_record *record = w->records.at[n].record;

		if (record->first_pipe & mirror)
			return 1;
		if (record->sync == SEGMENT_END || record->sync / SEGMENT_SYNCS >= end)
			return 0;
	}
	return mirror ? -1 : 0;
}

enum agreement agree(const struct segment_runner *r, const struct segment_record *own, size_t *ret_place,
		     unsigned *ret_mirror)
{
	const uint64_t segment = segment_run_of(&r->run->segments, own->sync / SEGMENT_SYNCS);
	const struct worker *w = &r->worker[segment];
	const struct segment_record *other = NULL;
	int needs = 1;

	if (!own->known)
		return AGREE_NO;
	if (segment >= r->begun)
		return r->all_begun ? AGREE_NO : AGREE_LATER;
	other = record_at(w, own->sync, ret_place);
	if (!other)
		return w->state == WORKER_WORKS ? AGREE_LATER : AGREE_NO;
	if (!other->known)
		return AGREE_NO;
	for (unsigned n = 0; needs == 1 && n < SEGMENT_MIRRORS; n++) {
		if (!same(own->mirrored[r->mirror ^ n], other->mirrored[0]))
			continue;
		*ret_mirror = n;
		needs = needs_first_pipe(w, *ret_place, run_end(r, (unsigned)segment), n);
	}
	if (needs < 0)
		return w->state == WORKER_WORKS ? AGREE_LATER : AGREE_NO;
	return needs ? AGREE_NO : AGREE_YES;
}

/* False: the process has ended. */
static bool give_order(const struct worker *w, const struct segment_order *order)
{
	ssize_t n;

	do
		n = write(w->from.fd, order, sizeof(*order));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*order);
}

/*
 * Passes the ownership to the process of `segment`, whose record `place` has the state of which `mirror` is the true
 * one. It and its twins make the rows behind that record; if it has ended, the owner is missed soon.
 */
static void pass_on(struct segment_runner *r, unsigned segment, size_t place, unsigned mirror)
{
	const struct segment_order order = {.record = place, .cycle = r->cycles};
	struct worker *w = &r->worker[segment], *before = &r->worker[r->owner];

	free_worker(before, !before->rows_due); /* it waits, and may not yet have read of its cycle */
	r->owner = segment;
	w->used = place + 1;
	w->hands_at = 0;
	r->mirror = mirror;
	w->rows_due = r->rows.interval && give_order(w, &order);
}

/* Lets the owner go on behind sync point `sync` of a segment whose process has another state. 0, or -1 with `e`. */
static int owner_goes_on(struct segment_runner *r, uint64_t sync, struct err *e)
{
	struct worker *w = &r->worker[r->owner];
	const uint64_t segment = segment_run_of(&r->run->segments, sync / SEGMENT_SYNCS);
	const struct segment_order order = {.goes_on = true, .mirror = (unsigned char)r->mirror};

	if (segment < r->begun &&
	    segment_next_sync(&r->run->segments, sync) == run_end(r, (unsigned)segment) * SEGMENT_SYNCS)
		free_worker(&r->worker[segment], true);
	r->mirror = 0;
	w->state = WORKER_WORKS;
	if (!give_order(w, &order))
		return err_set(e, STATUS_FAILED, "%s: -j: a process has ended", r->run->path[0]);
	return 0;
}

/*
 * Makes the process of the segment the owner up to its last stand-in for which that has the state of a mirror image of
 * the owner's, with record `own`. False: there is none behind its record of this sync point.
 */
static bool pass_to_stand_in(struct segment_runner *r, const struct segment_record *own, size_t *ret_place)
{
	const uint64_t segment = segment_run_of(&r->run->segments, own->sync / SEGMENT_SYNCS);
	struct worker *w = &r->worker[segment];
	const struct segment_record *other = segment < r->begun ? record_at(w, own->sync, ret_place) : NULL;

	if (!other || !other->known || !own->known)
		return false;
	for (unsigned mirror = 1; mirror < SEGMENT_MIRRORS; mirror++) {
		size_t last[MIRRORED_UNITS] = {0};
		uint64_t units = 0;

		if (!same(own->mirrored[r->mirror ^ mirror], other->mirrored[0]))
			continue;
		for (size_t n = *ret_place + 1; n < w->records.count && !units; n++) {
			units = w->records.at[n].record->first_pipe & mirror;
			for (unsigned k = 0; k < MIRRORED_UNITS && !units; k++)
				last[k] = w->records.at[n].stands[k] ? n : last[k];
		}
		w->hands_to = units & SEGMENT_MIRROR_INT ? 0 : 1;
		if (!units || !last[w->hands_to] || w->stand_in[w->hands_to] < 0)
			continue;
		pass_on(r, (unsigned)segment, *ret_place, mirror);
		w->hands_at = last[w->hands_to] + 1;
		return true;
	}
	return false;
}

/* Makes the stand-in of the owner the owner. 0, or -1 with `e`: it has ended. */
static int hand_over(struct segment_runner *r, struct err *e)
{
	const struct segment_order order = {.goes_on = true, .mirror = (unsigned char)r->mirror};
	struct worker *w = &r->worker[r->owner], *to = &r->worker[STAND_IN];

	*to = (struct worker){.state = WORKER_WORKS,
			      .stands = w->records.at[w->hands_at - 1].stands[w->hands_to],
			      .from = {.fd = w->stand_in[w->hands_to]},
			      .rows = {.fd = -1}};
	for (unsigned n = 0; n < MIRRORED_UNITS; n++)
		to->stand_in[n] = -1;
	w->stand_in[w->hands_to] = -1;
	w->hands_at = 0;
	r->owner = STAND_IN;
	r->mirror = 0;
	return give_order(to, &order) ? 0 : err_set(e, STATUS_FAILED, "%s: -j: a process has ended", r->run->path[0]);
}

/* Adds up what the owner has recorded, and passes the ownership on. 0, or -1 with `e`. */
static int follow_owner(struct segment_runner *r, struct err *e)
{
	while (r->owner && !r->done) {
		struct worker *w = &r->worker[r->owner];
		struct segment_spot behind = {r->owner, w->used + 1};
		enum agreement a = AGREE_NO;
		const struct segment_record *own;
		unsigned mirror = 0;
		size_t place = 0;
		uint64_t sync;

		if (w->hands_at && w->used == w->hands_at) {
			if (hand_over(r, e) < 0)
				return -1;
			continue;
		}
		if (w->used == w->records.count) {
			if (w->state != WORKER_FAILED)
				return 0;
			*e = w->err;
			return -1;
		}
		own = w->records.at[w->used].record;
		sync = own->sync;
		r->done = sync == SEGMENT_END;
		if (!r->done && sync / SEGMENT_SYNCS >= run_end(r, r->owner))
			a = agree(r, own, &place, &mirror);
		else
			sync = SEGMENT_END;
		if (a == AGREE_LATER)
			return 0;
		if (a == AGREE_YES)
			behind = (struct segment_spot){segment_run_of(&r->run->segments, sync / SEGMENT_SYNCS),
						       place + 1};
		if (add_record(r, &w->records.at[w->used], behind, e) < 0)
			return -1;
		w->used++;
		if (a == AGREE_YES)
			pass_on(r, (unsigned)behind.segment, place, mirror);
		else if (sync != SEGMENT_END && !pass_to_stand_in(r, own, &place) && owner_goes_on(r, sync, e) < 0)
			return -1;
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
	const unsigned begun = r->begun;
	struct pollfd fds[2 * (SEGMENTS_KEPT + 1)];

	for (unsigned n = 0; n <= begun; n++) {
		const struct worker *w = &r->worker[n < begun ? n : STAND_IN];

		fds[2 * n] = (struct pollfd){.fd = w->from.fd, .events = POLLIN};
		fds[2 * n + 1] = (struct pollfd){.fd = w->rows.fd, .events = POLLIN};
	}
	if (poll(fds, 2 * (begun + 1), ms) > 0)
		for (unsigned n = 0; n <= begun; n++) {
			const unsigned number = n < begun ? n : STAND_IN;
			struct worker *w = &r->worker[number];

			if ((fds[2 * n].revents && read_copy(r, number, &w->from, e) < 0) ||
			    (fds[2 * n + 1].revents && read_copy(r, number, &w->rows, e) < 0))
				return -1;
		}
	return 0;
}

static bool rows_due(const struct segment_runner *r)
{
	bool due = false;

	for (unsigned n = 1; n < r->begun; n++)
		due |= r->worker[n].rows_due;
	return due;
}

/* Waits until at most `most` copies work, or with `all` until the run is done. 0, or -1 with `e`; interrupts end it. */
static int wait_for_copies(struct segment_runner *r, unsigned most, bool all, struct err *e)
{
	enum { POLL_MS = 200 };

	while ((all ? !r->done || rows_due(r) : working(r) > most) && segment_progress(r)) {
		if (poll_copies(r, POLL_MS, e) < 0 || follow_owner(r, e) < 0)
			return -1;
	}
	return 0;
}

/* The place behind a record of the first process: in its segment, or in that of its first copy. */
static struct segment_spot head_spot(const struct segment_runner *r, uint64_t sync, bool alone)
{
	if (sync == SEGMENT_END || alone)
		return (struct segment_spot){0, r->rows.records};
	return (struct segment_spot){segment_run_of(&r->run->segments, sync / SEGMENT_SYNCS), 0};
}

/*
 * Simulates segment 0, or with a checkpoint and no other process all. 1: it has ended; 0: so has the trace, or it was
 * interrupted; -1 with `e`.
 */
static int simulate_head(struct segment_runner *r, struct err *e)
{
	const bool alone = r->run->set.processes == 1 && !r->continues;
	bool sync = false;
	int more = 1;

	while (more > 0 && (alone || !sync)) {
		const struct segment_record *record;
		size_t words;

		if (!segment_progress(r))
			return 0;
		more = segment_go_on(r->core, &r->rows, &record, &words, e);
		sync = record && record->sync != SEGMENT_ROW;
		if (sync &&
		    (sum_add(r, record, words, head_spot(r, record->sync, alone), e) < 0 || segment_keep(r, e) < 0))
			return -1;
		if (record && !sync)
			psim_run_row(r->run);
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
		if (more <= 0 || r->all_begun)
			continue;
		r->begun = (unsigned)core_segment_number(r->core);
		if (begin_segment(r, &ignored) < 0)
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

	r->begun = (unsigned)r->behind.at[0].segment;
	if (begin_segment(r, e) < 0)
		return -1;
	r->owner = r->begun - 1;
	more = core_segment_leave(r->core, &ignored) < 0 ? -1 : 1;
	if (more > 0 && r->continues && segment_continue(r, e) < 0)
		return -1;
	r->all_begun = r->run->set.processes == 1; /* the owner simulates the rest */
	return begin_further(r, more, e);
}

/* ---- the sum ---- */
static int in_order(const void *one, const void *other)
{
	const struct kept_row *a = one, *b = other;
	const uint64_t of_a[] = {a->spot.segment, a->spot.records, segment_cycles(a->record)},
		       of_b[] = {b->spot.segment, b->spot.records, segment_cycles(b->record)};

	for (unsigned n = 0; n < sizeof(of_a) / sizeof(of_a[0]); n++)
		if (of_a[n] != of_b[n])
			return of_a[n] < of_b[n] ? -1 : 1;
	return 0;
}

/* Writes the rows between two records, at `spot`. */
static void write_rows(struct segment_runner *r, struct segment_spot spot)
{
	for (; r->shown < r->row.count; r->shown++) {
		const struct kept_row *row = &r->row.at[r->shown];

		if (row->spot.segment != spot.segment || row->spot.records != spot.records)
			return;
		core_segment_show(r->core, row->record);
		psim_run_row(r->run);
		core_segment_hide(r->core, row->record);
	}
}

/* An interrupted run ends before the first record behind which rows are missing. */
static void drop_without_rows(struct segment_runner *r)
{
	for (size_t n = 0; n < r->sum.count; n++) {
		if (!r->behind.at[n].segment || !r->worker[r->behind.at[n].segment].rows_due)
			continue;
		while (r->sum.count > n + 1)
			free(r->sum.at[--r->sum.count].record);
		r->done = false;
	}
}

/*
 * Gives the core the sum of all records, and writes the rows up to the last one; the first process has written those of
 * its segment. 0, or -1 with `e`.
 */
static int sum_records(struct segment_runner *r, struct err *e)
{
	drop_without_rows(r);
	if (r->row.count)
		qsort(r->row.at, r->row.count, sizeof(*r->row.at), in_order);
	core_segment_clear(r->core);
	for (size_t n = 0; n < r->sum.count; n++) {
		if (core_segment_add(r->core, r->sum.at[n].record, r->sum.at[n].words, e) < 0)
			return -1;
		if (!r->rows.interval)
			continue;
		if (core_stats(r->core)->cycles % r->rows.interval == 0)
			psim_run_row(r->run);
		if (n + 1 < r->sum.count)
			write_rows(r, r->behind.at[n]);
	}
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

static void runner_finish(struct segment_runner *r)
{
	for (unsigned n = 1; n <= r->begun; n++) {
		struct worker *w = &r->worker[n < r->begun ? n : STAND_IN];

		w->rows_due = false;
		free_worker(w, true);
	}
	for (size_t n = 0; n < r->sum.count; n++)
		free(r->sum.at[n].record);
	for (size_t n = 0; n < r->row.count; n++)
		free(r->row.at[n].record);
	vec_finish(&r->sum);
	vec_finish(&r->behind);
	vec_finish(&r->row);
}

int segment_run(struct run *run, struct err *e)
{
	struct segment_runner r = {.run = run,
				   .core = chip_only_core(run->chip),
				   .begun = 1,
				   .continues = run->checkpoint.parts.count > 1};
	const uint64_t interval = psim_run_has_rows(run) ? run->cfg.energy.interval : 0;
	int ret;

	for (unsigned n = 0; n <= STAND_IN; n++) {
		r.worker[n].from.fd = r.worker[n].rows.fd = -1;
		for (unsigned k = 0; k < MIRRORED_UNITS; k++)
			r.worker[n].stand_in[k] = -1;
	}
	segment_rows_begin(&r.rows, interval, run->segments.length / TWINS_EACH);
	ret = simulate_segments(&r, e);
	if (!r.done)
		checkpoint_write(&run->checkpoint);
	if (ret == 0)
		ret = end_segments(&r, e);
	runner_finish(&r);
	return ret < 0 ? -1 : !r.done;
}
