#include "share.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/slots.h"
#include "../../psim/base/vec.h"

enum { SHARE_NOTICES = 256 };

/* A message in flight, by the engine's id. */
struct share_row {
	uint32_t id; /* the job's */
	uint32_t view;
	unsigned notices; /* to come */
	int64_t sent_ps;
	uint64_t bytes;
};

/* A view. */
struct net_engine {
	struct net_share *share;
	uint32_t first_rank;
	uint8_t class;
	struct vec_of(struct net_notice) queue;
	size_t given;
	struct share_counts *counts;
};

struct net_share {
	const struct net_engine_kind *kind;
	struct net_engine *engine;
	struct net_engine_kind of_views;
	struct slots_of(struct share_row) rows;
	unsigned views;
	struct net_engine *view;
};

/* ---- a view ---- */

static int share_send(struct net_engine *view, int64_t time_ps, const struct net_message *m, struct err *e)
{
	struct net_share *s = view->share;
	uint32_t row = slots_take(&s->rows, e);
	struct net_message own = *m;

	if (row == SLOT_NONE)
		return -1;
	s->rows.at[row] = (struct share_row){
		.id = m->id, .view = (uint32_t)(view - s->view), .notices = 2, .sent_ps = time_ps, .bytes = m->bytes};
	own.id = row;
	own.class = view->class;
	own.from += view->first_rank;
	own.to += view->first_rank;
	view->counts->sent++;
	return s->kind->send(s->engine, time_ps, &own, e);
}

static bool has_queued(const struct net_engine *view)
{
	return view->given < view->queue.count;
}

static int64_t share_next_time(const struct net_engine *view)
{
	if (has_queued(view))
		return view->queue.at[view->given].time_ps;
	return view->counts->sent == view->counts->delivered ? NET_TIME_NEVER
							     : view->share->kind->next_time(view->share->engine);
}

static int share_advance(struct net_engine *view, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e)
{
	unsigned n = 0;

	(void)until_ps;
	(void)e;
	while (n < max && has_queued(view))
		out[n++] = view->queue.at[view->given++];
	if (!has_queued(view))
		view->queue.count = view->given = 0;
	return (int)n;
}

static int share_verify(const struct net_engine *view, struct err *e)
{
	(void)view;
	(void)e;
	return 0; /* the owner verifies the engine itself */
}

/* ---- the share ---- */

struct net_share *net_share_create(const struct net_engine_kind *kind, struct net_engine *engine, unsigned views,
				   struct err *e)
{
	struct net_share *s = mem_alloc(1, sizeof(*s), e);

	if (!s)
		return NULL;
	s->kind = kind;
	s->engine = engine;
	s->of_views = (struct net_engine_kind){.name = kind->name,
					       .doc = kind->doc,
					       .timeless = kind->timeless,
					       .send = share_send,
					       .next_time = share_next_time,
					       .advance = share_advance,
					       .verify = share_verify};
	s->view = mem_alloc(views, sizeof(*s->view), e);
	for (; s->view && s->views < views; s->views++) {
		s->view[s->views].share = s;
		s->view[s->views].counts = mem_alloc(1, sizeof(struct share_counts), e);
		if (!s->view[s->views].counts)
			break;
	}
	if (s->views == views)
		return s;
	net_share_destroy(s);
	return NULL;
}

void net_share_destroy(struct net_share *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->views; i++) {
		vec_finish(&s->view[i].queue);
		free(s->view[i].counts);
	}
	free(s->view);
	slots_finish(&s->rows);
	free(s);
}

const struct net_engine_kind *net_share_kind(const struct net_share *s)
{
	return &s->of_views;
}

struct net_engine *net_share_view(struct net_share *s, unsigned view, uint32_t first_rank, uint8_t class)
{
	s->view[view].first_rank = first_rank;
	s->view[view].class = class;
	return &s->view[view];
}

const struct share_counts *net_share_counts(const struct net_share *s, unsigned view)
{
	return s->view[view].counts;
}

bool net_share_queued(const struct net_share *s, unsigned view)
{
	return has_queued(&s->view[view]);
}

bool net_share_waits(const struct net_share *s, unsigned view)
{
	const struct net_engine *v = &s->view[view];

	return has_queued(v) || v->counts->sent != v->counts->delivered;
}

static void share_count(struct share_counts *c, const struct share_row *row, int64_t now)
{
	int64_t took = now - row->sent_ps;
	double rate = took > 0 ? (double)row->bytes / ((double)took * 1e-12) : 0;

	c->delivered++;
	c->bytes += row->bytes;
	c->latency_ps += (uint64_t)took;
	c->latency_bin[quantile_bin((uint64_t)took)]++;
	c->bandwidth += rate;
	c->bandwidth_bin[quantile_bin((uint64_t)rate)]++;
}

/* Passes a notice to the view of its message. 0, or -1 with `e`. */
static int pass_notice(struct net_share *s, const struct net_notice *x, struct err *e)
{
	struct share_row *row = &s->rows.at[x->id];
	struct net_engine *view = &s->view[row->view];
	struct net_notice *to = vec_push(&view->queue, e);

	if (!to)
		return -1;
	*to = (struct net_notice){.time_ps = x->time_ps, .id = row->id, .kind = x->kind};
	if (x->kind == NET_DELIVERED)
		share_count(view->counts, row, x->time_ps);
	if (!--row->notices)
		slots_give(&s->rows, x->id);
	return 0;
}

int net_share_advance(struct net_share *s, int64_t until_ps, int64_t *now, struct err *e)
{
	struct net_notice notices[SHARE_NOTICES];
	bool any = false;

	for (;;) {
		int n = s->kind->advance(s->engine, any ? *now : until_ps, notices, SHARE_NOTICES, e);

		for (int i = 0; i < n; i++)
			if (pass_notice(s, &notices[i], e) < 0)
				return -1;
		if (n <= 0)
			return n < 0 ? -1 : any;
		*now = notices[0].time_ps;
		any = true;
	}
}
