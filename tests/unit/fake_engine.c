/* The engine of fake_engine.h: a list of notices, searched for the earliest. */
#include "fake_engine.h"

#include <stdlib.h>

#include "psim/base/vec.h"

struct due {
	struct net_notice notice;
	uint64_t order;
};

struct net_engine {
	struct fake_times times;
	struct dues vec_of(struct due) list;
	int64_t present;
	uint64_t orders;
};

struct net_engine *fake_create(const struct fake_times *times)
{
	struct net_engine *n = calloc(1, sizeof(*n));

	if (!n)
		abort();
	n->times = *times;
	return n;
}

static void fake_destroy(struct net_engine *n)
{
	vec_finish(&n->list);
	free(n);
}

static void add(struct net_engine *n, int64_t time, uint32_t id, enum net_notice_kind kind)
{
	struct due *d = vec_push(&n->list, NULL);

	if (!d)
		abort();
	*d = (struct due){{time, id, kind}, n->orders++};
}

static int fake_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	int64_t left = time_ps + (int64_t)m->bytes * n->times.per_byte;

	if (time_ps < n->present)
		return err_set(e, STATUS_FAILED, "a message for the past");
	add(n, left, m->id, NET_SENT);
	add(n, left + n->times.latency + (m->bytes && m->bytes == n->times.slow_bytes ? n->times.slower : 0), m->id,
	    NET_DELIVERED);
	return 0;
}

/* The place of the earliest in the list, -1: none. */
static long earliest(const struct net_engine *n)
{
	long first = -1;

	for (size_t i = 0; i < n->list.count; i++) {
		const struct due *d = &n->list.at[i], *f = first < 0 ? NULL : &n->list.at[first];

		if (!f || d->notice.time_ps < f->notice.time_ps ||
		    (d->notice.time_ps == f->notice.time_ps && d->order < f->order))
			first = (long)i;
	}
	return first;
}

static int64_t fake_next_time(const struct net_engine *n)
{
	long i = earliest(n);

	return i < 0 ? NET_TIME_NEVER : n->list.at[i].notice.time_ps;
}

static int fake_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e)
{
	int64_t time = fake_next_time(n);
	unsigned count = 0;

	(void)e;
	if (time > until_ps || time == NET_TIME_NEVER) {
		n->present = until_ps;
		return 0;
	}
	n->present = time;
	while (count < max && fake_next_time(n) == time) {
		long i = earliest(n);

		out[count++] = n->list.at[i].notice;
		n->list.at[i] = n->list.at[--n->list.count];
	}
	return (int)count;
}

const struct net_engine_kind fake_engine = {
	.name = "fake",
	.doc = "for tests",
	.destroy = fake_destroy,
	.send = fake_send,
	.next_time = fake_next_time,
	.advance = fake_advance,
};
