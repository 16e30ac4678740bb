#include "thread_order.h"

#include <limits.h>
#include <stdlib.h>

#include "../../traces/trace.h"
#include "../base/err.h"
#include "../memory/memsys.h"

struct wait {
	uint64_t position, after; /* in the own trace; in that of `core` */
	unsigned core;
};

/* A critical section of a lock that several cores take. */
struct section {
	uint64_t begin, end;
	unsigned lock;
	bool leaving;          /* its end is fetched, but not committed */
	struct section *outer; /* the next one that the core is in */
};

#define NOBODY UINT_MAX
#define NEVER THREADS_NEVER

/* One core's part. */
struct waits {
	struct wait *row;
	size_t rows, passed;              /* those behind it are the first */
	struct section *section, *inside; /* all; those that the core is in */
	size_t sections, entered;
	uint64_t since; /* number of its last stop, of all cores' */
	uint64_t *stop; /* all, and those at which it always stops */
	size_t stops;
	uint64_t *firm;
	size_t firms, firms_passed;
	uint64_t reached, fetched; /* instructions: committed, and passed by fetch, at its last stop */
	bool begun, stopped;       /* `reached` is valid; the core has stopped there */
};

struct thread_order {
	unsigned cores;
	uint64_t stops;    /* so far */
	uint64_t released; /* cycle from which a lock is free for which cores may wait; NEVER */
	unsigned *holder;  /* of each lock: a core, or NOBODY */
	struct waits core[CHIP_CORES_MAX];
};

/* The core with a thread of a program; `cores`: none. */
static unsigned core_of(struct trace_reader *const *traces, const unsigned *program, unsigned cores, unsigned of,
			unsigned thread)
{
	unsigned n = 0;

	while (n < cores && (n == of || program[n] != program[of] || trace_info(traces[n])->thread != thread))
		n++;
	return n;
}

static int compare_stops(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Reads the rows of core `n`, and counts the stops that they make. 0, or -1: no memory. */
static int read_waits(struct thread_order *o, struct trace_reader *const *traces, const unsigned *program, unsigned n)
{
	struct waits *w = &o->core[n];
	size_t count;
	const struct trace_order *row = trace_orders(traces[n], &count);

	w->row = calloc(count + 1, sizeof(*w->row));
	if (!w->row)
		return -1;
	for (size_t i = 0; i < count; i++) {
		unsigned core = core_of(traces, program, o->cores, n, row[i].thread);

		if (core == o->cores)
			continue;
		w->row[w->rows++] = (struct wait){row[i].position, row[i].after, core};
		w->stops++;
		o->core[core].stops++;
	}
	return 0;
}

/* A section, while locks are numbered. */
struct found {
	uint64_t lock;
	unsigned program, core;
	size_t at; /* in the core's sections */
};

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (x->lock != y->lock)
		return x->lock < y->lock ? -1 : 1;
	return (x->core > y->core) - (x->core < y->core);
}

/* Copies the sections of core `n`, and lists them in found[]. 0, or -1: no memory. */
static int copy_sections(struct thread_order *o, struct trace_reader *const *traces, const unsigned *program,
			 unsigned n, struct found *found)
{
	struct waits *w = &o->core[n];
	const struct trace_section *row = trace_sections(traces[n], &w->sections);

	w->section = calloc(w->sections + 1, sizeof(*w->section));
	if (!w->section)
		return -1;
	for (size_t i = 0; i < w->sections; i++) {
		w->section[i] = (struct section){.begin = row[i].begin, .end = row[i].end, .lock = NOBODY};
		found[i] = (struct found){row[i].lock, program[n], n, i};
	}
	return 0;
}

/* Numbers the locks that several cores of a program take, and returns how many there are. */
static unsigned number_locks(struct thread_order *o, struct found *found, size_t count)
{
	unsigned locks = 0;

	qsort(found, count, sizeof(*found), compare_found);
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1; next < count && found[next].program == found[first].program &&
				       found[next].lock == found[first].lock;)
			next++;
		if (found[first].core == found[next - 1].core)
			continue;
		for (size_t i = first; i < next; i++)
			o->core[found[i].core].section[found[i].at].lock = locks;
		locks++;
	}
	return locks;
}

/* Leaves out the sections of locks that no other core takes, and counts the stops of the rest. */
static void keep_shared(struct waits *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->sections; i++)
		if (w->section[i].lock != NOBODY)
			w->section[kept++] = w->section[i];
	w->sections = kept;
	w->stops += 2 * kept;
}

/* Reads the critical sections of all cores. 0, or -1: no memory. */
static int read_sections(struct thread_order *o, struct trace_reader *const *traces, const unsigned *program)
{
	size_t count = 0, of_core;
	struct found *found;
	unsigned locks;

	for (unsigned n = 0; n < o->cores; n++) {
		trace_sections(traces[n], &of_core);
		count += of_core;
	}
	found = calloc(count + 1, sizeof(*found));
	if (!found)
		return -1;
	count = 0;
	for (unsigned n = 0; n < o->cores; n++) {
		if (copy_sections(o, traces, program, n, found + count) < 0) {
			free(found);
			return -1;
		}
		count += o->core[n].sections;
	}
	locks = number_locks(o, found, count);
	free(found);
	for (unsigned n = 0; n < o->cores; n++)
		keep_shared(&o->core[n]);
	o->holder = calloc(locks + 1, sizeof(*o->holder));
	for (unsigned n = 0; o->holder && n < locks; n++)
		o->holder[n] = NOBODY;
	return o->holder ? 0 : -1;
}

static void add_stop(struct waits *w, uint64_t position, bool firm)
{
	w->stop[w->stops++] = position;
	if (firm)
		w->firm[w->firms++] = position;
}

static int make_stops(struct thread_order *o)
{
	for (unsigned n = 0; n < o->cores; n++) {
		o->core[n].stop = calloc(o->core[n].stops + 1, sizeof(uint64_t));
		o->core[n].firm = calloc(o->core[n].stops + 1, sizeof(uint64_t));
		if (!o->core[n].stop || !o->core[n].firm)
			return -1;
		o->core[n].stops = 0;
	}
	for (unsigned n = 0; n < o->cores; n++)
		for (size_t i = 0; i < o->core[n].rows; i++) {
			add_stop(&o->core[n], o->core[n].row[i].position, true);
			add_stop(&o->core[o->core[n].row[i].core], o->core[n].row[i].after, true);
		}
	for (unsigned n = 0; n < o->cores; n++)
		for (size_t i = 0; i < o->core[n].sections; i++) {
			add_stop(&o->core[n], o->core[n].section[i].begin, false);
			add_stop(&o->core[n], o->core[n].section[i].end, false);
		}
	for (unsigned n = 0; n < o->cores; n++) {
		qsort(o->core[n].stop, o->core[n].stops, sizeof(uint64_t), compare_stops);
		qsort(o->core[n].firm, o->core[n].firms, sizeof(uint64_t), compare_stops);
	}
	return 0;
}

struct thread_order *thread_order_create(struct trace_reader *const *traces, const unsigned *program, unsigned cores,
					 struct err *e)
{
	struct thread_order *o = calloc(1, sizeof(*o));

	if (!o)
		goto no_memory;
	o->cores = cores;
	o->released = NEVER;
	for (unsigned n = 0; n < cores; n++)
		if (read_waits(o, traces, program, n) < 0)
			goto no_memory;
	if (read_sections(o, traces, program) < 0 || make_stops(o) < 0)
		goto no_memory;
	return o;
no_memory:
	thread_order_destroy(o);
	err_set(e, STATUS_FAILED, "chip: out of memory");
	return NULL;
}

void thread_order_destroy(struct thread_order *o)
{
	if (!o)
		return;
	for (unsigned n = 0; n < o->cores; n++) {
		free(o->core[n].row);
		free(o->core[n].section);
		free(o->core[n].stop);
		free(o->core[n].firm);
	}
	free(o->holder);
	free(o);
}

const uint64_t *thread_order_stops(const struct thread_order *o, unsigned n, size_t *count)
{
	*count = o->core[n].stops;
	return o->core[n].stop;
}

/* The first row for which the core waits, or NULL. */
static const struct wait *awaited(const struct thread_order *o, struct waits *w)
{
	for (; w->passed < w->rows && w->row[w->passed].position <= w->reached; w->passed++) {
		const struct wait *row = &w->row[w->passed];
		const struct waits *other = &o->core[row->core];

		if (!other->begun || other->reached < row->after)
			return row;
	}
	return NULL;
}

/* The next section at which the core has stopped, or NULL. */
static struct section *next_section(struct waits *w)
{
	while (w->entered < w->sections && w->section[w->entered].end <= w->fetched)
		w->entered++; /* nothing of it is simulated */
	if (w->entered == w->sections || w->section[w->entered].begin > w->fetched)
		return NULL;
	return &w->section[w->entered];
}

/* The lock for which a core waits, and for nothing else; NOBODY: none. */
static unsigned wanted_lock(struct thread_order *o, struct waits *w)
{
	const struct section *s = w->stopped && !awaited(o, w) ? next_section(w) : NULL;

	return s ? s->lock : NOBODY;
}

/* Returns whether another core than `n` waits for a lock, and has waited longer. */
static bool is_behind(struct thread_order *o, unsigned n, unsigned lock)
{
	for (unsigned k = 0; k < o->cores; k++)
		if (k != n && o->core[k].since < o->core[n].since && wanted_lock(o, &o->core[k]) == lock)
			return true;
	return false;
}

/* Takes the locks of the sections at which core `n` has stopped. False: one is taken. */
static bool enter_sections(struct thread_order *o, unsigned n)
{
	struct waits *w = &o->core[n];
	struct section *s;

	while ((s = next_section(w))) {
		if (o->holder[s->lock] != NOBODY || is_behind(o, n, s->lock))
			return false;
		o->holder[s->lock] = n;
		s->outer = w->inside;
		w->inside = s;
		w->entered++;
	}
	return true;
}

/* Returns whether a core waits for a lock. */
static bool is_awaited(struct thread_order *o, unsigned lock)
{
	for (unsigned k = 0; k < o->cores; k++)
		if (wanted_lock(o, &o->core[k]) == lock)
			return true;
	return false;
}

/* Core `n`, which is in section *at, is out of it. Returns whether another core waits for its lock. */
static bool leave_section(struct thread_order *o, unsigned n, struct section **at)
{
	struct section *s = *at;

	*at = s->outer;
	if (o->holder[s->lock] != n)
		return false;
	o->holder[s->lock] = NOBODY;
	return is_awaited(o, s->lock);
}

/* Leaves the sections that core `n` has committed. */
static void leave_committed(struct thread_order *o, unsigned n)
{
	struct section **at = &o->core[n].inside;

	while (*at)
		if ((*at)->end <= o->core[n].reached)
			leave_section(o, n, at);
		else
			at = &(*at)->outer;
}

/* Leaves the sections whose end core `n` fetches. Returns whether one waits for its commit: its lock is awaited. */
static bool leave_fetched(struct thread_order *o, unsigned n)
{
	struct section **at = &o->core[n].inside;
	bool leaving = false;

	while (*at) {
		struct section *s = *at;

		if (s->end > o->core[n].fetched || s->leaving) {
			at = &s->outer;
		} else if (o->holder[s->lock] == n && is_awaited(o, s->lock)) {
			s->leaving = leaving = true;
			at = &s->outer;
		} else {
			leave_section(o, n, at);
		}
	}
	return leaving;
}

bool thread_order_left(struct thread_order *o, unsigned n, uint64_t now)
{
	uint64_t end = NEVER;
	bool awaited = false;

	for (const struct section *s = o->core[n].inside; s; s = s->outer)
		if (s->leaving && s->end < end)
			end = s->end;
	for (struct section **at = &o->core[n].inside; *at;)
		if ((*at)->leaving && (*at)->end == end)
			awaited |= leave_section(o, n, at);
		else
			at = &(*at)->outer;
	if (awaited)
		o->released = now + 1;
	return awaited;
}

void thread_order_reach(struct thread_order *o, unsigned n, uint64_t position, bool stops)
{
	struct waits *w = &o->core[n];

	w->reached = w->fetched = position;
	w->begun = true;
	w->stopped = stops;
	w->since = o->stops++;
	leave_committed(o, n);
}

bool thread_order_gate(struct thread_order *o, unsigned n, uint64_t position, bool *marks)
{
	struct waits *w = &o->core[n];

	*marks = false;
	if (w->firms_passed < w->firms && w->firm[w->firms_passed] <= position)
		return false;
	w->fetched = position;
	w->since = NEVER;
	*marks = leave_fetched(o, n);
	return enter_sections(o, n);
}

const uint64_t *thread_order_release(const struct thread_order *o)
{
	return &o->released;
}

bool thread_order_released(struct thread_order *o, uint64_t *at)
{
	*at = o->released;
	o->released = NEVER;
	return *at != NEVER;
}

bool thread_order_passes(struct thread_order *o, unsigned n)
{
	struct waits *w = &o->core[n];

	if (!w->stopped || awaited(o, w) || !enter_sections(o, n))
		return false;
	while (w->firms_passed < w->firms && w->firm[w->firms_passed] <= w->reached)
		w->firms_passed++;
	w->stopped = false;
	return true;
}

bool thread_order_gives_way(struct thread_order *o)
{
	for (unsigned n = 0; n < o->cores; n++) {
		unsigned lock = wanted_lock(o, &o->core[n]);

		if (lock == NOBODY || o->holder[lock] == NOBODY)
			continue;
		o->holder[lock] = NOBODY;
		return true;
	}
	return false;
}

int thread_order_stuck(const struct thread_order *o, struct err *e)
{
	for (unsigned n = 0; n < o->cores; n++) {
		const struct waits *w = &o->core[n];
		const struct wait *row = w->row + w->passed;

		if (w->stopped)
			return err_set(
				e, STATUS_STUCK,
				"core %u waits at instruction %llu of its trace for instruction %llu of core %u's, "
				"which is never executed: are the traces of one run?",
				n, (unsigned long long)row->position, (unsigned long long)row->after, row->core);
	}
	return 0;
}
