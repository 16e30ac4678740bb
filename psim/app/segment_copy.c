#include "segment_copy.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../core/core.h"

/* ---- to and from other processes ---- */
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

static int send_record(int fd, const struct segment_record *record, size_t words, uint64_t behind,
		       const pid_t stands[MIRRORED_UNITS])
{
	struct segment_head h;

	memset(&h, 0, sizeof(h));
	h.words = words;
	h.behind = behind;
	for (unsigned n = 0; stands && n < MIRRORED_UNITS; n++)
		h.stands[n] = stands[n];
	return write_all(fd, &h, sizeof(h)) < 0 || write_all(fd, record, words * sizeof(uint64_t)) < 0 ? -1 : 0;
}

/* Reads a struct that another process has written in one go. False: it is gone; or without `wait`, there is none. */
static bool read_one(int fd, void *to, size_t size, bool wait)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	ssize_t n;

	if (!wait && poll(&ready, 1, 0) <= 0)
		return false;
	do
		n = read(fd, to, size);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

/* ---- rows ---- */
static uint64_t own_cycles(const struct core *c)
{
	return core_stats(c)->cycles;
}

/* The first cycle of the process behind `cycle` at which a row ends. */
static uint64_t row_behind(const struct segment_rows *rows, uint64_t cycle)
{
	return cycle + rows->interval - (cycle + rows->ahead) % rows->interval;
}

void segment_rows_begin(struct segment_rows *rows, uint64_t interval, uint64_t apart)
{
	*rows = (struct segment_rows){.interval = interval, .known = true, .next = interval, .apart = apart};
}

/* Cycles between checks for signals and orders. */
enum { SEGMENT_STEP = 100000 };

/*
 * A row that ends with a record has its counts, so the first process makes it.
 */
int segment_go_on(struct core *c, struct segment_rows *rows, const struct segment_record **ret_record,
		  size_t *ret_words, struct err *e)
{
	const uint64_t own = own_cycles(c), left = rows->interval && rows->known ? rows->next - own : UINT64_MAX;
	int more = core_run(c, left < SEGMENT_STEP ? left : SEGMENT_STEP, e);
	bool due = rows->interval && rows->known && own_cycles(c) == rows->next;

	*ret_record = more < 0 ? NULL : core_segment_record(c, ret_words);
	if (*ret_record && !rows->known && rows->interval) {
		assert(rows->records < sizeof(rows->at) / sizeof(rows->at[0]));
		rows->at[rows->records] = own_cycles(c);
	}
	rows->records += *ret_record != NULL;
	if (!due)
		return more;
	rows->next += rows->interval;
	if (more < 0 || *ret_record)
		return more;
	*ret_record = core_segment_row(c, ret_words);
	return *ret_record ? more : err_set(e, STATUS_FAILED, "core: out of memory for a row over time");
}

/* ---- twins ---- */
/* The order to a twin: makes the rows that end behind its place, up to cycle `until` of the process. */
struct twin_order {
	uint64_t ahead;
	uint64_t until;
	uint64_t from; /* and lets twins that wait behind this cycle, or at it, do so */
};

/* Sends the rows that end behind the present cycle, and no later than `until`. 0, or -1. */
static int send_rows(struct segment_copy *copy, uint64_t until)
{
	struct segment_rows *rows = &copy->rows;
	struct err ignored; /* the copy has been there */

	while (rows->next <= until) {
		const struct segment_record *record;
		size_t words;

		if (segment_go_on(copy->core, rows, &record, &words, &ignored) < 0)
			return -1;
		if (record && record->sync == SEGMENT_ROW &&
		    send_record(copy->rows_fd, record, words, rows->records, NULL) < 0)
			return -1;
	}
	return 0;
}

/* Lets the last of the twins do as `o` says. 0, or -1. */
static int wake_twin(const struct segment_rows *rows, const struct twin_order *o)
{
	return write_all(rows->twin[rows->twins - 1].order, o, sizeof(*o));
}

/* A twin: waits for its order, and makes its rows. */
__attribute__((noreturn)) static void run_twin(struct segment_copy *copy, int order)
{
	struct segment_rows *rows = &copy->rows;
	const uint64_t from = own_cycles(copy->core);
	struct segment_head end;
	struct twin_order o;
	struct err ignored;

	close(copy->fd);
	if (!read_one(order, &o, sizeof(o), true))
		_exit(STATUS_DONE); /* the copy's counts are not those of the run */
	rows->known = true;
	rows->ahead = o.ahead;
	rows->next = row_behind(rows, from);
	if (rows->next <= o.until && (trace_reopen(copy->trace, &ignored) < 0 || send_rows(copy, o.until) < 0))
		_exit(STATUS_FAILED);
	o.until = from;
	if (from > o.from)
		_exit(wake_twin(rows, &o) < 0 ? STATUS_FAILED : STATUS_DONE);
	memset(&end, 0, sizeof(end));
	_exit(write_all(copy->rows_fd, &end, sizeof(end)) < 0 ? STATUS_FAILED : STATUS_DONE);
}

/* Leaves a twin at the present cycle. 0, or -1 with `e`. */
static int leave_twin(struct segment_copy *copy, struct err *e)
{
	struct segment_rows *rows = &copy->rows;
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return err_set(e, STATUS_FAILED, "-j: cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		run_twin(copy, ends[0]);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return err_set(e, STATUS_FAILED, "-j: cannot create a process: %s", strerror(errno));
	}
	rows->twin[rows->twins++] = (struct segment_twin){own_cycles(copy->core), ends[1]};
	rows->last_instructions = core_stats(copy->core)->instructions;
	return 0;
}

/* Leaves a twin at each record, and where rows or instructions enough are behind the last one. 0, or -1 with `e`. */
static int leave_twins(struct segment_copy *copy, bool record, struct err *e)
{
	const struct segment_rows *rows = &copy->rows;
	enum { PARTS = 4 }; /* of a row, which a twin simulates in vain */
	bool far;

	if (!rows->interval || rows->known || rows->twins == TWINS_MOST)
		return 0;
	if (record || !rows->twins)
		return record ? leave_twin(copy, e) : 0; /* from the first record on */
	far = core_stats(copy->core)->instructions - rows->last_instructions >= rows->apart &&
	      own_cycles(copy->core) - rows->twin[rows->twins - 1].from >= rows->interval / PARTS;
	return far && rows->twins < TWINS_EACH ? leave_twin(copy, e) : 0;
}

/* Takes the cycle of the run at a record: rows from here on are the copy's. 0, or -1 with `e`. */
static int take_cycle(struct segment_copy *copy, const struct segment_order *order, struct err *e)
{
	struct segment_rows *rows = &copy->rows;
	const uint64_t own = own_cycles(copy->core), from = rows->at[order->record];
	struct twin_order o;

	memset(&o, 0, sizeof(o));
	o.ahead = order->cycle - from;
	o.until = own;
	o.from = from;
	rows->known = true;
	rows->ahead = o.ahead;
	rows->next = row_behind(rows, own);
	if (wake_twin(rows, &o) < 0)
		return err_set(e, STATUS_FAILED, "-j: a process has ended");
	while (rows->twins)
		close(rows->twin[--rows->twins].order);
	close(copy->rows_fd);
	return 0;
}

/* ---- the copy ---- */
/* Waits for an order that lets the copy go on. 1; 0: the first process wants no more of it; -1 with `e`. */
static int may_go_on(struct segment_copy *copy, struct err *e)
{
	struct segment_order o;

	while (read_one(copy->fd, &o, sizeof(o), true)) {
		if (o.goes_on) {
			core_segment_mirror(copy->core, o.mirror);
			return 1;
		}
		if (take_cycle(copy, &o, e) < 0)
			return -1;
	}
	return 0;
}

/* Takes the order that there may be while the copy works. 0, or -1 with `e`. */
static int look_for_cycle(struct segment_copy *copy, struct err *e)
{
	struct segment_order o;

	if (!copy->rows.interval || copy->rows.known || !read_one(copy->fd, &o, sizeof(o), false))
		return 0;
	return take_cycle(copy, &o, e);
}

/* ---- stand-ins ---- */
__attribute__((noreturn)) static void run_from_here(struct segment_copy *copy);

/* A stand-in: waits for its order, and simulates from its place on; it waits again at each sync point. */
__attribute__((noreturn, noinline)) static void run_stand_in(struct segment_copy *copy, unsigned unit)
{
	struct segment_order o;

	close(copy->fd);
	copy->fd = copy->stand_in[unit];
	for (unsigned n = 0; n < MIRRORED_UNITS; n++) {
		if (n != unit)
			close(copy->stand_in[n]);
		copy->stand_in[n] = -1;
	}
	if (!read_one(copy->fd, &o, sizeof(o), true))
		_exit(STATUS_DONE); /* none is wanted */
	core_segment_mirror(copy->core, o.mirror);
	copy->follows = true;
	copy->end = 0;
	run_from_here(copy);
}

/*
 * Leaves stand-ins at a record, at equal distances in the copy's run, for the units whose first pipe no instruction has
 * needed since the first record: each replaces the one before it. ret: those that were left.
 */
static void leave_stand_ins(struct segment_copy *copy, const struct segment_record *record, pid_t ret[MIRRORED_UNITS])
{
	const uint64_t segment = record->sync / SEGMENT_SYNCS;

	if (copy->stand_in[0] < 0 || record->sync == SEGMENT_END)
		return;
	if (copy->stand_at)
		copy->first_pipe |= record->first_pipe;
	if (segment < copy->stand_at || segment >= copy->end)
		return;
	copy->stand_at = segment + (copy->end - segment + STAND_INS_EACH) / STAND_INS_EACH;
	for (unsigned n = 0; n < MIRRORED_UNITS; n++) {
		if (copy->first_pipe >> n & 1)
			continue;
		if (copy->stands[n] > 0)
			kill(copy->stands[n], SIGKILL);
		copy->stands[n] = fork();
		if (copy->stands[n] == 0)
			run_stand_in(copy, n);
		ret[n] = copy->stands[n] > 0 ? copy->stands[n] : 0;
	}
}

/* Simulates the segment, and on. 0, or -1 with `e`. */
static int simulate_segment(struct segment_copy *copy, struct err *e)
{
	int more = 1;

	while (more > 0) {
		const struct segment_record *record;
		pid_t stands[MIRRORED_UNITS] = {0};
		bool sync, end;
		size_t words;

		if (look_for_cycle(copy, e) < 0)
			return -1;
		more = segment_go_on(copy->core, &copy->rows, &record, &words, e);
		sync = record && record->sync != SEGMENT_ROW;
		if (sync)
			leave_stand_ins(copy, record, stands);
		end = record && record->sync == SEGMENT_END;
		if (record && send_record(copy->fd, record, words, copy->rows.records, stands) < 0)
			return 0; /* the first process is gone */
		if (more < 0 || leave_twins(copy, sync, e) < 0)
			return -1;
		if (sync && !end && record->sync / SEGMENT_SYNCS >= copy->end)
			more = may_go_on(copy, e);
	}
	if (more == 0 && copy->rows.interval && !copy->rows.known)
		more = may_go_on(copy, e);
	return more;
}

/* Runs from the place of the process on, and ends it. */
__attribute__((noreturn)) static void run_from_here(struct segment_copy *copy)
{
	struct segment_head h;

	memset(&h, 0, sizeof(h));
	h.failed = true;
	if (trace_reopen(copy->trace, &h.err) == 0) {
		if (!copy->follows)
			core_segment_enter(copy->core);
		if (simulate_segment(copy, &h.err) >= 0)
			_exit(STATUS_DONE);
	}
	_exit(write_all(copy->fd, &h, sizeof(h)) < 0 ? STATUS_FAILED : STATUS_DONE);
}

void segment_copy_run(struct segment_copy *copy)
{

	/* the first process handles signals, and ends its copies; nobody waits for twins */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_IGN);
	run_from_here(copy);
}
