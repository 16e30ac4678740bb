/* Walks the critical path backwards. */
#include "critical_path.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"

void path_finish(struct path *p)
{
	free(p->step);
	free(p->rank);
	free(p->phase);
	free(p->site);
	free(p->site_count);
	*p = (struct path){0};
}

static int critical_path_push(struct path *p, struct path_step step, struct err *e)
{
	if (p->steps == p->room) {
		size_t room = p->room ? 2 * p->room : 256;
		struct path_step *to = mem_resize(p->step, room, sizeof(*to), e);

		if (!to)
			return -1;
		p->step = to;
		p->room = room;
	}
	p->step[p->steps++] = step;
	return 0;
}

/* Walks all steps, from the last one to the first. */
static int critical_path_walk(struct path *p, const struct record *r, uint32_t rank, int64_t end, struct err *e)
{
	uint32_t limit = UINT32_MAX;

	for (uint64_t left = r->rows + 1; left; left--) {
		const struct record_rank *k = &r->ranks[rank];
		uint32_t n = record_waits_until(k, end, limit);
		const struct wait_row *w = n ? wait_at(k, n - 1) : NULL;
		int64_t from = w ? w->end : 0;
		uint32_t phase = w ? r->site[w->site].phase : 0, origin = rank;

		if (end > from && critical_path_push(p, (struct path_step){from, end, rank, rank, 0, phase}, e) < 0)
			return -1;
		if (!w)
			return 0;
		if (w->began > w->end || w->peer >= r->size)
			break;
		limit = path_is_own(r, w) ? n - 1 : UINT32_MAX;
		origin = path_is_own(r, w) ? rank : w->peer;
		if (w->end > w->began &&
		    critical_path_push(p, (struct path_step){w->began, w->end, rank, origin, n, phase}, e) < 0)
			return -1;
		rank = origin;
		end = w->began;
	}
	return err_set(e, STATUS_FAILED, "critical path: rank %" PRIu32 " waits for a later event", rank);
}

static void critical_path_reverse(struct path *p)
{
	for (size_t i = 0, k = p->steps; i + 1 < k; i++) {
		struct path_step step = p->step[i];

		p->step[i] = p->step[--k];
		p->step[k] = step;
	}
}

static void critical_path_add(struct path_share *s, int64_t work, int64_t overhead, int64_t flight)
{
	s->work += work;
	s->overhead += overhead;
	s->flight += flight;
}

/* Returns the computation within a stretch; also adds it to its sites. */
static int64_t work_within(struct path *p, const struct record *r, const struct path_step *s)
{
	const struct record_rank *k = &r->ranks[s->rank];
	uint32_t i = record_works_before(k, s->from);
	int64_t sum = 0;

	/* the previous one may overlap: the path may leave the rank in the middle of a stretch */
	for (i = i ? i - 1 : 0; i < k->works.count && work_at(k, i)->from < s->to; i++) {
		const struct work_row *w = work_at(k, i);
		int64_t from = w->from > s->from ? w->from : s->from, to = w->to < s->to ? w->to : s->to;

		if (to <= from)
			continue;
		sum += to - from;
		p->site[w->site] += to - from;
		p->site_count[w->site]++;
	}
	return sum;
}

static void critical_path_count(struct path *p, const struct record *r)
{
	for (size_t i = 0; i < p->steps; i++) {
		const struct path_step *s = &p->step[i];
		int64_t length = s->to - s->from, work = 0, flight = 0;

		if (s->wait) {
			uint32_t site = wait_at(&r->ranks[s->rank], s->wait - 1)->site;

			flight = length;
			p->site[site] += length;
			p->site_count[site]++;
		} else {
			work = work_within(p, r, s);
			p->overheads += length > work;
		}
		critical_path_add(&p->sum, work, length - work - flight, flight);
		critical_path_add(&p->rank[s->rank], work, length - work - flight, flight);
		critical_path_add(&p->phase[s->phase], work, length - work - flight, flight);
	}
}

int path_find(struct path *p, const struct record *r, uint32_t last, int64_t end, struct err *e)
{
	*p = (struct path){.last = last};
	p->rank = mem_alloc(r->size, sizeof(*p->rank), e);
	p->phase = mem_alloc(r->phases, sizeof(*p->phase), e);
	p->site = mem_alloc(r->sites + 1, sizeof(*p->site), e);
	p->site_count = mem_alloc(r->sites + 1, sizeof(*p->site_count), e);
	if (!p->rank || !p->phase || !p->site || !p->site_count || critical_path_walk(p, r, last, end, e) < 0)
		return -1;
	critical_path_reverse(p);
	critical_path_count(p, r);
	return 0;
}
