/*
 * Computes, for every way, the bytes on the links of two merged groups: dimension-order routing, in
 * the frame of the merged box; a dimension wraps once the box spans it.
 *
 * Traffic within the first group depends on the way only through the exchange of axes, and traffic
 * within the second only on its turn. Both are cached; only the edges between the groups are routed
 * for each way.
 */
#include <string.h>

#include "../../psim/base/mem.h"
#include "merge_state.h"

enum { KEYS = 1 << 12, PORTS_MAX = 2 * MERGE_DIMS_MAX };

/*
 * A box of nodes and the bytes on the links that leave them: load[node * ports + 2 * axis + (1 for
 * the negative direction)].
 */
struct frame {
	unsigned dims;
	int box[MERGE_DIMS_MAX], stride[MERGE_DIMS_MAX];
	bool wraps[MERGE_DIMS_MAX], direct;
	size_t loads;
};

struct link_search {
	struct crossings within[2];    /* edges of the first group, of the second */
	double *first[MERGE_DIMS_MAX]; /* by the axis exchanged with the round's; valid if first_known */
	bool first_known[MERGE_DIMS_MAX];
	struct vec_of(double *) second; /* by turn; those from `used` on are free */
	size_t used;
	int16_t slot[KEYS]; /* index of a turn in `second`, -1: not computed */
	double *cross;
};

struct link_search *merge_links_create(const struct merge_machine *m, struct err *e)
{
	struct link_search *l = mem_alloc(1, sizeof(*l), e);
	size_t loads = 2 * m->dims;
	bool failed = !l;

	for (unsigned d = 0; d < m->dims; d++)
		loads *= m->size[d];
	for (unsigned d = 0; d < m->dims && !failed; d++) {
		l->first[d] = mem_alloc(loads, sizeof(*l->first[d]), e);
		failed = !l->first[d];
	}
	if (!failed) {
		l->cross = mem_alloc(loads, sizeof(*l->cross), e);
		failed = !l->cross;
	}
	if (!failed)
		return l;
	merge_links_destroy(l);
	return NULL;
}

void merge_links_destroy(struct link_search *l)
{
	if (!l)
		return;
	for (unsigned d = 0; d < MERGE_DIMS_MAX; d++)
		free(l->first[d]);
	for (size_t i = 0; i < l->second.count; i++)
		free(l->second.at[i]);
	vec_finish(&l->second);
	vec_finish(&l->within[0]);
	vec_finish(&l->within[1]);
	free(l->cross);
	free(l);
}

/* Returns the frame of a box that is `length` long along the axis of the round. */
static struct frame frame_of(const struct merge *s, uint32_t length)
{
	struct frame f = {.dims = s->m->dims, .loads = 2 * s->m->dims, .direct = s->m->direct};
	int stride = 1;

	for (unsigned d = 0; d < f.dims; d++) {
		f.box[d] = (int)(d == s->axis ? length : s->box[d]);
		f.stride[d] = stride;
		f.wraps[d] = s->m->wrap[d] && (uint32_t)f.box[d] == s->m->size[d];
		f.loads *= (size_t)f.box[d];
		stride *= f.box[d];
	}
	return f;
}

/* Adds bytes to every link on the path from one place of the box to another. */
static void add_route(const struct frame *f, const int *from, const int *to, double bytes, double *load)
{
	unsigned ports = 2 * f->dims;
	int node = 0;

	for (unsigned d = 0; d < f->dims; d++)
		node += from[d] * f->stride[d];
	for (unsigned d = 0; d < f->dims; d++) {
		int left = to[d] - from[d], n = f->box[d], at = from[d];

		if (f->wraps[d]) {
			int forth = left < 0 ? left + n : left;

			if (2 * forth == n)
				left = f->direct ? left : forth;
			else
				left = 2 * forth < n ? forth : forth - n;
		}
		for (; left > 0; left--) {
			load[(unsigned)node * ports + 2 * d] += bytes;
			node += at + 1 < n ? f->stride[d] : -at * f->stride[d];
			at = at + 1 < n ? at + 1 : 0;
		}
		for (; left < 0; left++) {
			load[(unsigned)node * ports + 2 * d + 1] += bytes;
			node += at ? -f->stride[d] : (n - 1) * f->stride[d];
			at = at ? at - 1 : n - 1;
		}
	}
}

/* Collects the edges within the first group (`which` 0) or within `group`, each once. */
static int collect_within(struct merge *s, uint32_t group, unsigned which, struct err *e)
{
	struct link_search *l = s->links;
	uint32_t tasks;
	const uint32_t *member = merge_members(s, which == 0, group, &tasks);

	l->within[which].count = 0;
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t task = member[i];

		for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
			const struct task_link *x = &s->g->link[k];

			if (x->other >= task && s->group[x->other] == group &&
			    merge_note_crossing(s, &l->within[which], task, x, e))
				return -1;
		}
	}
	return 0;
}

/* Composes a turn with the exchange of the face's axis and the round's. */
static struct turn exchanged(const struct merge *s, const struct way *w)
{
	struct turn t = w->turn;
	unsigned face = w->face, bits = t.mirrored >> face & 1, other = t.mirrored >> s->axis & 1;

	t.axis[face] = w->turn.axis[s->axis];
	t.axis[s->axis] = w->turn.axis[face];
	t.mirrored &= (uint8_t) ~(1u << face | 1u << s->axis);
	t.mirrored |= (uint8_t)(face == s->axis ? bits << face : bits << s->axis | other << face);
	return t;
}

static void turned(const struct frame *f, const struct turn *t, const int16_t *from, int *to)
{
	for (unsigned j = 0; j < f->dims; j++) {
		int x = from[t->axis[j]];

		to[j] = t->mirrored >> j & 1 ? f->box[j] - 1 - x : x;
	}
}

/* Computes the bytes on the links within a group that is turned. */
static void load_within(const struct frame *f, const struct link_search *l, unsigned which, const struct turn *t,
			double *load)
{
	memset(load, 0, f->loads * sizeof(*load));
	for (size_t i = 0; i < l->within[which].count; i++) {
		const struct crossing *x = &l->within[which].at[i];
		int a[MERGE_DIMS_MAX], b[MERGE_DIMS_MAX];

		turned(f, t, x->a, a);
		turned(f, t, x->b, b);
		if (x->out)
			add_route(f, a, b, x->out, load);
		if (x->in)
			add_route(f, b, a, x->in, load);
	}
}

static const double *load_first(struct merge *s, const struct frame *f, unsigned face)
{
	struct link_search *l = s->links;
	struct way plain = {.face = (uint8_t)face};
	struct turn t;

	if (l->first_known[face])
		return l->first[face];
	for (unsigned d = 0; d < f->dims; d++)
		plain.turn.axis[d] = (uint8_t)d;
	t = exchanged(s, &plain);
	load_within(f, l, 0, &t, l->first[face]);
	l->first_known[face] = true;
	return l->first[face];
}

static unsigned key_of(const struct turn *t)
{
	unsigned key = t->mirrored;

	for (unsigned d = 0; d < MERGE_DIMS_MAX; d++)
		key = key << 2 | t->axis[d];
	return key;
}

/*
 * Returns the cached load of the second group for a turn, computed at first use; NULL with `e` when
 * memory is short.
 */
static const double *load_second(struct merge *s, const struct frame *f, const struct turn *t, struct err *e)
{
	struct link_search *l = s->links;
	int16_t *slot = &l->slot[key_of(t)];

	if (*slot >= 0)
		return l->second.at[*slot];
	if (l->used == l->second.count) {
		size_t most = 1;
		double **place = vec_push(&l->second, e);

		if (!place)
			return NULL;
		for (unsigned d = 0; d < s->m->dims; d++)
			most *= s->m->size[d];
		*place = mem_alloc(most * s->m->dims + 1, sizeof(**place), e);
		if (!*place) {
			l->second.count--;
			return NULL;
		}
	}
	*slot = (int16_t)l->used;
	load_within(f, l, 1, t, l->second.at[l->used]);
	return l->second.at[l->used++];
}

static void load_cross(struct merge *s, const struct frame *joined, const struct way *w, const struct turn *t)
{
	struct link_search *l = s->links;
	const struct frame one = frame_of(s, s->first.length), two = frame_of(s, s->box[s->axis]);
	struct way plain = {.face = w->face};
	struct turn first;

	for (unsigned d = 0; d < joined->dims; d++)
		plain.turn.axis[d] = (uint8_t)d;
	first = exchanged(s, &plain);
	memset(l->cross, 0, joined->loads * sizeof(*l->cross));
	for (size_t i = 0; i < s->crossing.count; i++) {
		const struct crossing *x = &s->crossing.at[i];
		int a[MERGE_DIMS_MAX], b[MERGE_DIMS_MAX];

		turned(&one, &first, x->a, a);
		turned(&two, t, x->b, b);
		if (w->near)
			a[s->axis] += two.box[s->axis];
		else
			b[s->axis] += one.box[s->axis];
		if (x->out)
			add_route(joined, a, b, x->out, l->cross);
		if (x->in)
			add_route(joined, b, a, x->in, l->cross);
	}
}

/* Returns the larger of `result` and the most bytes on any of n links. */
static double merge_links_most_of(const double *cross, const double *within, size_t n, double result)
{
	double other = result;

	for (size_t i = 0; i + 1 < n; i += 2) { /* n is even: links come in pairs, + and - */
		double x = cross[i] + within[i], y = cross[i + 1] + within[i + 1];

		result = x > result ? x : result;
		other = y > other ? y : other;
	}
	return other > result ? other : result;
}

static double squares_of(const double *cross, const double *within, size_t n, double result)
{
	double other = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		double x = cross[i] + within[i], y = cross[i + 1] + within[i + 1];

		result += x * x;
		other += y * y;
	}
	return result + other;
}

/* The loads of a group, and how many a slab has: the places that agree in the axes behind the round's. */
struct slabs {
	const double *load;
	size_t slab;
};

static struct slabs slabs_of(const struct merge *s, const struct frame *f, const double *load)
{
	return (struct slabs){load, (size_t)f->stride[s->axis] * 2 * f->dims * (size_t)f->box[s->axis]};
}

/* Returns the most bytes on a link, or the sum of squares; returns early once it exceeds `limit`. */
static double merge_links_measure(const struct merge *s, const struct frame *joined, struct slabs low,
				  struct slabs high, double limit)
{
	/* the axis splits the box into slabs; within a slab the order of nodes is that of the two groups */
	double (*part)(const double *, const double *, size_t, double) =
		s->o->goal == MERGE_SQUARES ? squares_of : merge_links_most_of;
	const double *cross = s->links->cross, *end = cross + joined->loads;
	double result = 0;

	for (; cross < end && result <= limit; low.load += low.slab, high.load += high.slab) {
		result = part(cross, low.load, low.slab, result);
		result = part(cross + low.slab, high.load, high.slab, result);
		cross += low.slab + high.slab;
	}
	return result;
}

/* The goal's value of a way, or more than `limit`; -1 with `e` when memory is short. */
static double merge_links_value_of(struct merge *s, const struct way *w, double limit, struct err *e)
{
	const struct frame one = frame_of(s, s->first.length), two = frame_of(s, s->box[s->axis]);
	const struct frame joined = frame_of(s, s->first.length + s->box[s->axis]);
	struct turn t = exchanged(s, w);
	struct slabs first = slabs_of(s, &one, load_first(s, &one, w->face));
	struct slabs second = slabs_of(s, &two, load_second(s, &two, &t, e));

	if (!second.load)
		return -1;
	load_cross(s, &joined, w, &t);
	return merge_links_measure(s, &joined, w->near ? second : first, w->near ? first : second, limit);
}

int merge_links_best(struct merge *s, uint32_t b, const uint64_t *cost, uint32_t *way, struct err *e)
{
	const struct ways *ways = merge_ways(s);
	struct link_search *l = s->links;
	uint64_t least = cost[0];
	double best = -1, limit;

	for (uint32_t k = 1; k < ways->count; k++)
		least = cost[k] < least ? cost[k] : least;
	limit = (double)least * (1 + s->o->slack);
	if (collect_within(s, s->first.group, 0, e) || collect_within(s, b, 1, e))
		return -1;
	memset(l->slot, 0xff, sizeof(l->slot));
	memset(l->first_known, 0, sizeof(l->first_known));
	l->used = 0;
	for (uint32_t k = 0; k < ways->count; k++) {
		double value;

		if (s->o->goal == MERGE_BALANCED && (double)cost[k] > limit)
			continue;
		value = merge_links_value_of(s, &ways->at[k], best < 0 ? 1e300 : best, e);
		if (value < 0)
			return -1;
		if (best < 0 || value < best || (value <= best && cost[k] < cost[*way])) {
			best = value;
			*way = k;
		}
	}
	return 0;
}
