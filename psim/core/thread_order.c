#include "thread_order.h"

#include <stdlib.h>

#include "../../traces/trace.h"
#include "../base/err.h"
#include "memsys.h"

struct wait {
	uint64_t position, after; /* in the own trace; in that of `core` */
	unsigned core;
};

/* One core's part. */
struct waits {
	struct wait *row;
	size_t rows, passed; /* those behind it are the first */
	uint64_t *stop;
	size_t stops;
	uint64_t reached;
	bool begun, stopped; /* `reached` is valid; the core has stopped there */
};

struct thread_order {
	unsigned cores;
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

static void add_stop(struct waits *w, uint64_t position)
{
	w->stop[w->stops++] = position;
}

static int make_stops(struct thread_order *o)
{
	for (unsigned n = 0; n < o->cores; n++) {
		o->core[n].stop = calloc(o->core[n].stops + 1, sizeof(uint64_t));
		if (!o->core[n].stop)
			return -1;
		o->core[n].stops = 0;
	}
	for (unsigned n = 0; n < o->cores; n++)
		for (size_t i = 0; i < o->core[n].rows; i++) {
			add_stop(&o->core[n], o->core[n].row[i].position);
			add_stop(&o->core[o->core[n].row[i].core], o->core[n].row[i].after);
		}
	for (unsigned n = 0; n < o->cores; n++)
		qsort(o->core[n].stop, o->core[n].stops, sizeof(uint64_t), compare_stops);
	return 0;
}

struct thread_order *thread_order_create(struct trace_reader *const *traces, const unsigned *program, unsigned cores,
					 struct err *e)
{
	struct thread_order *o = calloc(1, sizeof(*o));

	if (!o)
		goto no_memory;
	o->cores = cores;
	for (unsigned n = 0; n < cores; n++)
		if (read_waits(o, traces, program, n) < 0)
			goto no_memory;
	if (make_stops(o) < 0)
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
		free(o->core[n].stop);
	}
	free(o);
}

const uint64_t *thread_order_stops(const struct thread_order *o, unsigned n, size_t *count)
{
	*count = o->core[n].stops;
	return o->core[n].stop;
}

void thread_order_reach(struct thread_order *o, unsigned n, uint64_t position, bool stops)
{
	struct waits *w = &o->core[n];

	w->reached = position;
	w->begun = true;
	w->stopped = stops;
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

bool thread_order_passes(struct thread_order *o, unsigned n)
{
	struct waits *w = &o->core[n];

	if (!w->stopped || awaited(o, w))
		return false;
	w->stopped = false;
	return true;
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
