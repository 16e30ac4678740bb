#include "merge_state.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

enum { SIZE_MAX_OF_DIMENSION = 16384 };

/* ---- ways ---- */

/*
 * Returns whether distances along axis i after this round are those of an open dimension, even if the box grows along
 * it.
 */
static bool fits_without_wrap(const struct merge *s, unsigned i)
{
	uint64_t grown = (uint64_t)s->parts * s->box[i];

	return grown < s->m->size[i] && 2 * (grown - 1) <= s->m->size[i];
}

/*
 * Returns whether axes i and j may be exchanged. If the box or the machine differs along them,
 * distances would change.
 */
static bool merge_alike(const struct merge *s, unsigned i, unsigned j)
{
	const struct merge_machine *m = s->m;

	if (s->box[i] != s->box[j])
		return false;
	return (m->size[i] == m->size[j] && m->wrap[i] == m->wrap[j]) ||
	       (fits_without_wrap(s, i) && fits_without_wrap(s, j));
}

static int push_ways(struct merge *s, const struct turn *t, struct ways *to, struct err *e)
{
	for (unsigned face = 0; face < s->m->dims && face < MERGE_DIMS_MAX; face++)
		for (unsigned near = 0; near < 2; near++) {
			struct way *w;

			if (face != s->axis && (to == &s->further || !merge_alike(s, face, s->axis)))
				continue;
			w = vec_push(to, e);
			if (!w)
				return -1;
			*w = (struct way){*t, (uint8_t)face, near};
		}
	return 0;
}

/* Adds all orders of the axes from `depth` on, each with all mirrorings. */
static int push_turns(struct merge *s, struct turn *t, unsigned depth, unsigned used, struct ways *to, struct err *e)
{
	if (depth == s->m->dims || depth == MERGE_DIMS_MAX) {
		for (unsigned mirrored = 0; mirrored < 1u << depth; mirrored++) {
			bool needed = true;

			/* an axis of one node has no direction */
			for (unsigned d = 0; d < depth; d++)
				needed &= !(mirrored >> d & 1) || s->box[d] > 1;
			t->mirrored = (uint8_t)mirrored;
			if (needed && push_ways(s, t, to, e))
				return -1;
		}
		return 0;
	}
	for (unsigned i = 0; i < s->m->dims && i < MERGE_DIMS_MAX; i++) {
		if (used >> i & 1 || (i != depth && (!merge_alike(s, i, depth) || s->box[i] == 1)))
			continue;
		t->axis[depth] = (uint8_t)i;
		if (push_turns(s, t, depth + 1, used | 1u << i, to, e))
			return -1;
	}
	return 0;
}

/* Lists the ways of two groups, or of a further one, which is joined along the axis of the round only. */
static int make_ways(struct merge *s, struct ways *to, struct err *e)
{
	struct turn t = {0};
	struct way *w;

	to->count = 0;
	if (s->o->goal == MERGE_NONE) {
		w = vec_push(to, e);
		if (!w)
			return -1;
		*w = (struct way){.face = (uint8_t)s->axis};
		for (unsigned d = 0; d < s->m->dims; d++)
			w->turn.axis[d] = (uint8_t)d;
		return 0;
	}
	if (push_turns(s, &t, 0, 0, to, e))
		return -1;
	for (size_t i = to->count; s->o->order && i > 1; i--) {
		size_t j = rng_below(s->o->order, s->groups, i, i);
		struct way other = to->at[j];

		to->at[j] = to->at[i - 1];
		to->at[i - 1] = other;
	}
	return 0;
}

/* ---- the cost of ways ---- */

/* Position of the second box along an axis: beside the first, behind it, before it. */
enum { BESIDE, BEHIND, BEFORE, PLACES };

struct axis_sums {
	uint64_t at[MERGE_DIMS_MAX][MERGE_DIMS_MAX][2][PLACES]; /* [result's axis][source axis][mirrored][position] */
};

static void sum_axis(const struct merge *s, unsigned j, unsigned i, unsigned mirrored, uint64_t sum[PLACES])
{
	int box = (int)s->box[j], length = merge_length(s, j);

	for (size_t k = 0; k < s->crossing.count; k++) {
		const struct crossing *x = &s->crossing.at[k];
		int b = mirrored ? box - 1 - x->b[i] : x->b[i], difference = b - x->a[j];
		uint64_t bytes = x->out + x->in;

		sum[BESIDE] += bytes * merge_distance(s, j, difference);
		sum[BEHIND] += bytes * merge_distance(s, j, difference + length);
		sum[BEFORE] += bytes * merge_distance(s, j, difference - box);
	}
}

/* Computes cost[way], the bytes x links of each way. */
static void merge_costs(const struct merge *s, uint64_t *cost)
{
	struct axis_sums sums = {0};
	bool known[MERGE_DIMS_MAX][MERGE_DIMS_MAX][2] = {0};
	const struct ways *ways = merge_ways(s);

	for (size_t k = 0; k < ways->count; k++) {
		const struct way *w = &ways->at[k];

		cost[k] = 0;
		for (unsigned j = 0; j < s->m->dims; j++) {
			unsigned i = w->turn.axis[j], mirrored = w->turn.mirrored >> j & 1;

			if (!known[j][i][mirrored])
				sum_axis(s, j, i, mirrored, sums.at[j][i][mirrored]);
			known[j][i][mirrored] = true;
			cost[k] += sums.at[j][i][mirrored][w->face != j ? BESIDE : w->near ? BEFORE : BEHIND];
		}
	}
}

/* ---- groups ---- */

/* Selects the free group with which the first group communicates most; the first of equals. */
static int choose_partner(struct merge *s, uint32_t *partner, struct err *e)
{
	uint64_t most = 0;

	s->near.count = 0;
	for (uint32_t i = 0; i < s->first.tasks; i++) {
		uint32_t task = s->first.member[i];

		for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
			const struct task_link *x = &s->g->link[k];
			uint32_t other = s->group[x->other];

			if (s->taken[other])
				continue;
			if (!s->weight[other]) {
				uint32_t *place = vec_push(&s->near, e);

				if (!place)
					return -1;
				*place = other;
			}
			s->weight[other] += x->out + x->in;
		}
	}
	for (*partner = s->first.group + 1; !s->near.count && s->taken[*partner]; ++*partner)
		;
	for (size_t i = 0; i < s->near.count; i++) {
		uint32_t other = s->near.at[i];

		if (s->weight[other] > most || (s->weight[other] == most && other < *partner)) {
			most = s->weight[other];
			*partner = other;
		}
		s->weight[other] = 0;
	}
	return 0;
}

int merge_note_crossing(const struct merge *s, struct crossings *to, uint32_t task, const struct task_link *x,
			struct err *e)
{
	struct crossing *c = vec_push(to, e);

	if (!c)
		return -1;
	memcpy(c->a, s->at[task], sizeof(c->a));
	memcpy(c->b, s->at[x->other], sizeof(c->b));
	c->out = x->out;
	c->in = x->in;
	return 0;
}

static int collect_crossings(struct merge *s, uint32_t b, struct err *e)
{
	s->crossing.count = 0;
	for (uint32_t i = 0; i < s->first.tasks; i++) {
		uint32_t task = s->first.member[i];

		for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
			const struct task_link *x = &s->g->link[k];

			if (s->group[x->other] == b && merge_note_crossing(s, &s->crossing, task, x, e))
				return -1;
		}
	}
	return 0;
}

static int choose_way(struct merge *s, uint32_t b, uint32_t *way, struct err *e)
{
	uint64_t cost[AXIS_SYMMETRIES_MAX * 2 * MERGE_DIMS_MAX];
	size_t count = merge_ways(s)->count;

	*way = 0;
	if (count == 1)
		return 0;
	if (collect_crossings(s, b, e))
		return -1;
	merge_costs(s, cost);
	if (s->o->goal != MERGE_COST)
		return merge_links_best(s, b, cost, way, e);
	for (uint32_t k = 1; k < count; k++)
		if (cost[k] < cost[*way])
			*way = k;
	return 0;
}

/* Joins group `b` to the first one, behind whose tasks there is room for more. */
static void join_group(struct merge *s, uint32_t b, const struct way *w)
{
	struct joined *first = &s->first;

	memcpy(first->member + first->tasks, &s->member[(size_t)b * s->tasks], s->tasks * sizeof(*first->member));
	for (uint32_t i = 0; i < first->tasks + s->tasks; i++) {
		bool second = i >= first->tasks;
		uint32_t task = first->member[i];
		int16_t from[MERGE_DIMS_MAX], x[MERGE_DIMS_MAX] = {0};

		memcpy(from, s->at[task], sizeof(from));
		for (unsigned j = 0; j < s->m->dims; j++)
			x[j] = (int16_t)(second ? merge_turned(s, w, from, j)
						: from[j] + (j == w->face && w->near ? (int)s->box[j] : 0));
		/* the box has grown along the face: exchange it with the axis of this round */
		from[0] = x[w->face];
		x[w->face] = x[s->axis];
		x[s->axis] = from[0];
		memcpy(s->at[task], x, sizeof(x));
		s->group[task] = first->group;
	}
	first->tasks += s->tasks;
	first->length += s->box[s->axis];
}

/* Makes group `a` and those that are joined to it group number `number` of the next round. */
static int make_group(struct merge *s, uint32_t a, uint32_t number, struct err *e)
{
	uint32_t b, way;

	s->first = (struct joined){
		.group = a,
		.member = &s->next_member[(size_t)number * s->parts * s->tasks],
		.tasks = s->tasks,
		.length = s->box[s->axis],
	};
	memcpy(s->first.member, &s->member[(size_t)a * s->tasks], s->tasks * sizeof(*s->member));
	s->taken[a] = true;
	for (unsigned part = 1; part < s->parts; part++) {
		if (choose_partner(s, &b, e) || choose_way(s, b, &way, e))
			return -1;
		s->taken[b] = true;
		join_group(s, b, &merge_ways(s)->at[way]);
	}
	return 0;
}

static int round_of_merges(struct merge *s, struct err *e)
{
	uint32_t number = 0, *members;

	if (make_ways(s, &s->pair, e) || (s->parts > 2 && make_ways(s, &s->further, e)))
		return -1;
	memset(s->taken, 0, s->groups);
	for (uint32_t a = 0; a < s->groups; a++)
		if (!s->taken[a] && make_group(s, a, number++, e))
			return -1;
	members = s->member;
	s->member = s->next_member;
	s->next_member = members;
	s->groups /= s->parts;
	s->tasks *= s->parts;
	s->box[s->axis] *= s->parts;
	for (uint32_t g = 0; g < s->groups; g++)
		for (uint32_t i = 0; i < s->tasks; i++)
			s->group[s->member[(size_t)g * s->tasks + i]] = g;
	return 0;
}

/* ---- the rounds ---- */

static int check_machine(const struct merge_machine *m, uint32_t tasks, struct err *e)
{
	uint64_t nodes = 1;

	for (unsigned d = 0; d < m->dims && m->dims <= MERGE_DIMS_MAX; d++) {
		if (!m->size[d] || m->size[d] > SIZE_MAX_OF_DIMENSION)
			return err_set(e, STATUS_USAGE, "a dimension of %u nodes, expected at most %d for merging",
				       m->size[d], SIZE_MAX_OF_DIMENSION);
		nodes *= m->size[d];
	}
	if (m->dims > MERGE_DIMS_MAX || nodes != tasks)
		return err_set(e, STATUS_USAGE,
			       "%u tasks on %llu nodes of %u dimensions, expected as many tasks as "
			       "nodes and at most %d dimensions",
			       tasks, (unsigned long long)nodes, m->dims, MERGE_DIMS_MAX);
	return 0;
}

static int merge_start(struct merge *s, struct err *e)
{
	uint32_t n = s->g->tasks;

	s->groups = n;
	s->tasks = 1;
	s->member = mem_alloc(n, sizeof(*s->member), e);
	s->next_member = mem_alloc(n, sizeof(*s->next_member), e);
	s->group = mem_alloc(n, sizeof(*s->group), e);
	s->at = mem_alloc(n, sizeof(*s->at), e);
	s->taken = mem_alloc((size_t)n + 1, sizeof(*s->taken), e);
	s->weight = mem_alloc(n, sizeof(*s->weight), e);
	if (!s->member || !s->next_member || !s->group || !s->at || !s->taken || !s->weight)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		s->member[i] = s->group[i] = i;
	for (unsigned d = 0; d < MERGE_DIMS_MAX; d++)
		s->box[d] = 1;
	if (s->o->goal != MERGE_NONE && s->o->goal != MERGE_COST) {
		s->links = merge_links_create(s->m, e);
		return s->links ? 0 : -1;
	}
	return 0;
}

static void merge_finish(struct merge *s)
{
	free(s->member);
	free(s->next_member);
	free(s->group);
	free(s->at);
	free(s->taken);
	free(s->weight);
	vec_finish(&s->near);
	vec_finish(&s->pair);
	vec_finish(&s->further);
	vec_finish(&s->crossing);
	merge_links_destroy(s->links);
}

/* Sets the axes in the order of the rounds: x, y, z, or a shuffled order. */
static void axis_order(const struct merge *s, unsigned axis[MERGE_DIMS_MAX])
{
	for (unsigned d = 0; d < MERGE_DIMS_MAX; d++)
		axis[d] = d;
	for (unsigned d = s->m->dims; s->o->order && d > 1; d--) {
		unsigned other = (unsigned)rng_below(s->o->order, 0, d, d), held = axis[d - 1];

		axis[d - 1] = axis[other];
		axis[other] = held;
	}
}

/* The least prime factor of n > 1. */
static unsigned least_factor(uint32_t n)
{
	for (unsigned factor = 2; factor * factor <= n; factor++)
		if (n % factor == 0)
			return factor;
	return n;
}

static int merge_all(struct merge *s, struct err *e)
{
	unsigned axis[MERGE_DIMS_MAX], turn = s->m->dims - 1;

	axis_order(s, axis);
	while (s->groups > 1) {
		do {
			turn = (turn + 1) % s->m->dims;
			s->axis = axis[turn];
		} while (s->box[s->axis] == s->m->size[s->axis]);
		s->parts = least_factor(s->m->size[s->axis] / s->box[s->axis]);
		if (round_of_merges(s, e))
			return -1;
	}
	return 0;
}

int merge_tasks(const struct task_graph *g, const struct merge_machine *m, const struct merge_options *o,
		uint32_t *node, struct err *e)
{
	struct merge s = {.g = g, .m = m, .o = o};
	int result = check_machine(m, g->tasks, e) || merge_start(&s, e) || merge_all(&s, e) ? -1 : 0;

	for (uint32_t i = 0; !result && i < g->tasks; i++) {
		node[i] = 0;
		for (unsigned d = m->dims; d-- > 0;)
			node[i] = node[i] * m->size[d] + (uint32_t)s.at[i][d];
	}
	merge_finish(&s);
	return result;
}
