/* The pipeline view: selects the instructions of its window, and passes them to the format's writer. */
#include "pipeview.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pipeview_stages.h"
#include "view_samples.h"

/* Number of committed instructions whose results are kept: twice the largest reorder buffer. */
enum { RESULTS = 2048 };

struct pipeview {
	const struct core_config *cfg;
	struct view_window window;
	bool open, region; /* the window has begun; its region, if any, has begun */
	uint64_t begin;    /* number of its first instruction */
	struct {
		uint64_t seq, cycle;
	} result[RESULTS];
	struct view_samples *samples; /* may be NULL */
	const struct view_writer *writer;
	void *state; /* the writer's; NULL: none */
};

#define VIEW_WRITER(id, name) [VIEW_##id] = &name##_writer,
static const struct view_writer *const writers[VIEW_FORMAT_COUNT] = {VIEW_FORMATS(VIEW_WRITER)};
#undef VIEW_WRITER

struct pipeview *pipeview_create(FILE *out, enum view_format format, const struct core_config *cfg,
				 const struct trace_info *info, const struct view_window *window,
				 struct view_samples *samples, struct err *e)
{
	struct pipeview *v = calloc(1, sizeof(*v));

	if (!v) {
		err_set(e, STATUS_FAILED, "out of memory for the pipeline view");
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

const char *pipeview_awaits(const struct pipeview *v)
{
	return v->region ? NULL : v->window.region;
}

void pipeview_region(struct pipeview *v)
{
	v->region = true;
}

static bool begins_at(const struct view_window *w, uint64_t pc)
{
	return !w->start_pc || pc == w->start_pc || (pc > w->start_pc && pc < w->end_pc);
}

static bool pipeview_wanted(struct pipeview *v, const struct view_record *r)
{
	const struct view_window *w = &v->window;

	if (!v->open) {
		if (r->number < w->first || !begins_at(w, r->pc) || (w->region && !v->region))
			return false;
		v->open = true;
		v->begin = r->number;
	}
	return r->number - v->begin < w->count;
}

/* The result cycle of instruction `seq`; 0: unknown, as it committed long ago. */
static uint64_t result_of(const struct pipeview *v, uint64_t seq)
{
	return v->result[seq % RESULTS].seq == seq ? v->result[seq % RESULTS].cycle : 0;
}

/*
 * Keeps the producers that delayed selection (a store is selected for its address, and
 * its data may arrive later); returns the cycle from which they allow it.
 */
static uint64_t operands_ready(const struct pipeview *v, struct view_record *r)
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

int pipeview_commit(struct pipeview *v, const struct view_record *record, struct err *e)
{
	struct view_record r = *record;
	struct view_stages stages;
	bool wanted = v->state && pipeview_wanted(v, &r), sampled = v->samples && view_samples_want(v->samples, &r);

	v->result[r.seq % RESULTS].seq = r.seq;
	v->result[r.seq % RESULTS].cycle = r.result;
	if (!wanted && !sampled)
		return 0;
	view_stages(v->cfg, &r, operands_ready(v, &r), &stages);
	if (sampled)
		view_samples_add(v->samples, &r, &stages);
	return wanted ? v->writer->add(v->state, &r, &stages, e) : 0;
}

static int never_began(const struct view_window *w, struct err *e)
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

int pipeview_finish(struct pipeview *v, struct err *e)
{
	int ret = v->open || !v->state ? 0 : never_began(&v->window, e);

	if (v->state)
		v->writer->finish(v->state);
	free(v);
	return ret;
}
