/* The pipe trace: selects the instructions of its window, and passes them to the format's writer. */
#include "pipe_trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pipe_trace_stages.h"
#include "pipe_trace_samples.h"

/* Number of committed instructions whose results are kept: twice the largest reorder buffer. */
enum { RESULTS = 2048 };

struct pipe_trace {
	const struct core_config *cfg;
	struct pipe_trace_window window;
	bool open, region; /* the window has begun; its region, if any, has begun */
	uint64_t begin;    /* number of its first instruction */
	struct {
		uint64_t seq, cycle;
	} result[RESULTS];
	struct pipe_trace_samples *samples; /* may be NULL */
	const struct pipe_trace_writer *writer;
	void *state; /* the writer's; NULL: none */
};

#define PIPE_TRACE_WRITER(id, name) [PIPE_TRACE_##id] = &name##_writer,
static const struct pipe_trace_writer *const writers[PIPE_TRACE_FORMAT_COUNT] = {PIPE_TRACE_FORMATS(PIPE_TRACE_WRITER)};
#undef PIPE_TRACE_WRITER

struct pipe_trace *pipe_trace_create(FILE *out, enum pipe_trace_format format, const struct core_config *cfg,
				     const struct trace_info *info, const struct pipe_trace_window *window,
				     struct pipe_trace_samples *samples, struct err *e)
{
	struct pipe_trace *v = calloc(1, sizeof(*v));

	if (!v) {
		err_set(e, STATUS_FAILED, "out of memory for the pipe trace");
		return NULL;
	}
	v->cfg = cfg;
	v->samples = samples;
	if (!out)
		return v;
	v->window = *window;
	v->writer = writers[format];
	v->state = v->writer->create(out, info, e);
	if (!v->state) {
		free(v);
		return NULL;
	}
	return v;
}

const char *pipe_trace_awaits(const struct pipe_trace *v)
{
	return v->region ? NULL : v->window.region;
}

void pipe_trace_region(struct pipe_trace *v)
{
	v->region = true;
}

static bool begins_at(const struct pipe_trace_window *w, uint64_t pc)
{
	return !w->start_pc || pc == w->start_pc || (pc > w->start_pc && pc < w->end_pc);
}

static bool pipe_trace_wanted(struct pipe_trace *v, const struct pipe_trace_record *r)
{
	const struct pipe_trace_window *w = &v->window;

	if (!v->open) {
		if (r->number < w->first || !begins_at(w, r->pc) || (w->region && !v->region))
			return false;
		v->open = true;
		v->begin = r->number;
	}
	return r->number - v->begin < w->count;
}

/* The result cycle of instruction `seq`; 0: unknown, as it committed long ago. */
static uint64_t result_of(const struct pipe_trace *v, uint64_t seq)
{
	return v->result[seq % RESULTS].seq == seq ? v->result[seq % RESULTS].cycle : 0;
}

/*
 * Keeps the producers that delayed selection (a store is selected for its address, and
 * its data may arrive later); returns the cycle from which they allow it.
 */
static uint64_t operands_ready(const struct pipe_trace *v, struct pipe_trace_record *r)
{
	uint64_t ready = 0;
	unsigned left = 0;

	for (unsigned n = 0; n < r->producers; n++) {
		uint64_t cycle = result_of(v, r->producer[n]);

		if (cycle > r->select)
			continue;
		r->producer[left++] = r->producer[n];
		if (cycle > ready)
			ready = cycle;
	}
	r->producers = left;
	return ready;
}

int pipe_trace_commit(struct pipe_trace *v, const struct pipe_trace_record *record, struct err *e)
{
	struct pipe_trace_record r = *record;
	struct pipe_trace_stages stages;
	bool wanted = v->state && pipe_trace_wanted(v, &r),
	     sampled = v->samples && pipe_trace_samples_want(v->samples, &r);

	v->result[r.seq % RESULTS].seq = r.seq;
	v->result[r.seq % RESULTS].cycle = r.result;
	if (!wanted && !sampled)
		return 0;
	pipe_trace_stages(v->cfg, &r, operands_ready(v, &r), &stages);
	if (sampled)
		pipe_trace_samples_add(v->samples, &r, &stages);
	return wanted ? v->writer->add(v->state, &r, &stages, e) : 0;
}

static int never_began(const struct pipe_trace_window *w, struct err *e)
{
	if (w->region)
		return err_set(e, STATUS_USAGE, "--window: region '%s' was not entered in this run", w->region);
	if (w->end_pc)
		return err_set(e, STATUS_USAGE, "--window: the function at 0x%" PRIx64 " was not executed in this run",
			       w->start_pc);
	if (w->start_pc)
		return err_set(e, STATUS_USAGE,
			       "--window: the instruction at 0x%" PRIx64 " was not executed in this run", w->start_pc);
	return err_set(e, STATUS_USAGE, "--window: the run ended before instruction %" PRIu64, w->first);
}

int pipe_trace_finish(struct pipe_trace *v, struct err *e)
{
	int ret = v->open || !v->state ? 0 : never_began(&v->window, e);

	if (v->state)
		v->writer->finish(v->state);
	free(v);
	return ret;
}
