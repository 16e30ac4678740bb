#include "analysis.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "analysis_state.h"
#include "../vmpi/vmpi_config.h"

enum { ROWS_LEAST = 4 << 20 };

static bool has_rows(const struct analysis_setup *s)
{
	return s->picture && s->last_rank - s->first_rank < GANTT_RANKS_MAX;
}

struct analysis *analysis_create(const struct analysis_setup *setup, struct err *e)
{
	struct analysis *a = mem_alloc(1, sizeof(*a), e);

	if (!a)
		return NULL;
	a->setup = *setup;
	a->record = record_create(setup->ranks, e);
	if (setup->page)
		a->timeline = timeline_create(
			setup->ranks,
			&(struct timeline_window){setup->from_ps, setup->to_ps, setup->first_rank, setup->last_rank},
			e);
	if (!a->record || (setup->page && !a->timeline) ||
	    (has_rows(setup) && gantt_init(&a->gantt, setup->first_rank, setup->last_rank - setup->first_rank + 1,
					   setup->from_ps, setup->to_ps, e) < 0)) {
		analysis_destroy(a);
		return NULL;
	}
	return a;
}

void analysis_destroy(struct analysis *a)
{
	if (!a)
		return;
	path_finish(&a->path);
	gantt_finish(&a->gantt);
	timeline_destroy(a->timeline);
	record_destroy(a->record);
	free(a);
}

void analysis_computed(struct analysis *a, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	record_computed(a->record, rank, from, to, where);
	if (a->gantt.ranks)
		gantt_add(&a->gantt, rank, from, to, GANTT_WORK);
	if (a->timeline)
		timeline_computed(a->timeline, rank, from, to);
}

void analysis_waited(struct analysis *a, const struct vmpi_waited *w)
{
	record_waited(a->record, w);
	if (a->gantt.ranks)
		gantt_add(&a->gantt, w->rank, w->from, w->to, GANTT_WAIT);
	if (a->timeline)
		timeline_waited(a->timeline, w);
}

void analysis_phase(struct analysis *a, uint32_t rank, int64_t time, const char *name)
{
	record_phase(a->record, rank, time, name);
	if (a->timeline)
		timeline_phase(a->timeline, rank, time, name);
}

void analysis_message(struct analysis *a, const struct vmpi_passing *m)
{
	if (a->timeline)
		timeline_message(a->timeline, m);
}

int analysis_page(struct analysis *a, const struct vmpi *v, struct report *r, struct err *e)
{
	return a->timeline ? timeline_report(a->timeline, v, &a->path, r, e) : 0;
}

int analysis_between(struct analysis *a, const struct vmpi *v, struct err *e)
{
	if (a->record->short_of_memory)
		return mem_short(e);
	return record_wants_thinning(a->record, ROWS_LEAST) ? record_thin(a->record, v, e) : 0;
}

/* ---- parts of flights ---- */

static int64_t analysis_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Computes the zero-load times of the cause `kind` between the nodes of rank `peer` and `rank`:
 * that of an empty message, and the time that its bytes add.
 */
static int alone_parts(struct alone *n, const struct analysis *a, const struct site *s, const struct path_step *step,
		       uint32_t peer, int64_t *latency, int64_t *transfer, struct err *e)
{
	uint32_t here = a->setup.node_of[step->rank], there = a->setup.node_of[peer];
	bool send = s->kind == CAUSE_SENDING || s->kind == CAUSE_SENDING_RENDEZVOUS ||
		    s->kind == CAUSE_SENDING_LATE_RECEIVE;
	bool rendezvous = s->kind == CAUSE_RENDEZVOUS || s->kind == CAUSE_SENDING_RENDEZVOUS;
	bool answer = rendezvous || s->kind == CAUSE_LATE_RECEIVE || s->kind == CAUSE_SENDING_LATE_RECEIVE;
	uint32_t src = send ? here : there, dst = send ? there : here;
	uint64_t control = a->setup.config->mpi.control_bytes;
	struct alone_time none, all, to = {0}, back = {0};

	if (alone_measure(n, src, dst, 0, &none, e) < 0 || alone_measure(n, src, dst, s->bytes, &all, e) < 0)
		return -1;
	if ((rendezvous && alone_measure(n, src, dst, control, &to, e) < 0) ||
	    (answer && alone_measure(n, dst, src, control, &back, e) < 0))
		return -1;
	*latency = (send ? none.sent : none.delivered) + to.delivered + back.delivered;
	*transfer = send ? all.sent - none.sent : all.delivered - none.delivered;
	return 0;
}

static int split_flights(struct analysis *a, struct alone *n, struct err *e)
{
	struct path *p = &a->path;

	for (size_t i = 0; i < p->steps; i++) {
		const struct path_step *step = &p->step[i];
		const struct wait_row *w = step->wait ? wait_at(&a->record->ranks[step->rank], step->wait - 1) : NULL;
		int64_t length = step->to - step->from, latency = 0, transfer = 0;

		if (!w)
			continue;
		a->messages++;
		if (a->record->site[w->site].kind == CAUSE_COLLECTIVE) {
			a->together += length;
			continue;
		}
		if (alone_parts(n, a, &a->record->site[w->site], step, w->peer, &latency, &transfer, e) < 0)
			return -1;
		latency = analysis_least(latency, length);
		transfer = analysis_least(transfer, length - latency);
		a->latency += latency;
		a->transfer += transfer;
		if (a->setup.node_of[step->rank] == a->setup.node_of[w->peer])
			a->copies += transfer;
		a->contention += length - latency - transfer;
	}
	return 0;
}

void analysis_links(struct analysis *a, const struct bound_links *links)
{
	a->links = *links;
}

int analysis_finish(struct analysis *a, const struct vmpi *v, struct err *e)
{
	struct alone *n;
	uint32_t last = 0;
	uint64_t bytes = record_bytes(a->record);
	int ret;

	if (a->record->short_of_memory)
		return mem_short(e);
	for (uint32_t i = 1; i < a->setup.ranks; i++)
		if (vmpi_rank_time(v, i) > vmpi_rank_time(v, last))
			last = i;
	a->end = vmpi_rank_time(v, last);
	a->record->peak_bytes = bytes > a->record->peak_bytes ? bytes : a->record->peak_bytes;
	if (path_find(&a->path, a->record, last, a->end, e) < 0)
		return -1;
	if (a->path.sum.work + a->path.sum.overhead + a->path.sum.flight != a->end)
		return err_set(e, STATUS_FAILED, "critical path: %" PRId64 " ps long, expected the run's %" PRId64,
			       a->path.sum.work + a->path.sum.overhead + a->path.sum.flight, a->end);
	n = alone_create(a->setup.kind, &a->setup.net, e);
	if (!n)
		return -1;
	ret = split_flights(a, n, e);
	alone_destroy(n);
	return ret;
}
