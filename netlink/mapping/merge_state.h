/* Shared state of the parts of merging: groups and ways. */
#ifndef PSIM_NETLINK_MAPPING_MERGE_STATE_H
#define PSIM_NETLINK_MAPPING_MERGE_STATE_H

#include "../../psim/base/vec.h"
#include "merge.h"

enum { AXIS_SYMMETRIES_MAX = 24 * 16 }; /* of four equal axes */

/* A turn of the second box: coordinate j of the result is coordinate axis[j], reversed if mirrored. */
struct turn {
	uint8_t axis[MERGE_DIMS_MAX];
	uint8_t mirrored; /* bit j: of the result's axis j */
};

/* A way: the turn, and the position at the far (or near) end of the first box along `face`. */
struct way {
	struct turn turn;
	uint8_t face;
	bool near; /* the second box precedes the first */
};

/* An edge between the two groups, or within one, in coordinates of each group's box. */
struct crossing {
	int16_t a[MERGE_DIMS_MAX], b[MERGE_DIMS_MAX];
	uint64_t out, in; /* bytes from the first to the second, and back */
};
struct crossings vec_of(struct crossing);
struct ways vec_of(struct way); /* in the order of trial */

/* The first group of a join: one of this round, or what several have become. */
struct joined {
	uint32_t group;   /* its number: that of its first part */
	uint32_t *member; /* its tasks */
	uint32_t tasks;
	uint32_t length; /* of its box along the axis of the round; the other sides are those of `box` */
};

struct merge {
	const struct task_graph *g;
	const struct merge_machine *m;
	const struct merge_options *o;
	unsigned axis;                  /* along which this round merges */
	unsigned parts;                 /* groups that become one in this round: a prime number */
	struct joined first;            /* of the present join; the second is one of `groups` */
	uint32_t box[MERGE_DIMS_MAX];   /* of each group */
	uint32_t groups, tasks;         /* number of groups; tasks of each */
	uint32_t *member, *next_member; /* [group * tasks + i] */
	uint32_t *group;                /* [task] */
	int16_t (*at)[MERGE_DIMS_MAX];  /* [task]: its coordinates in its group's box */
	bool *taken;                    /* [group] */
	uint64_t *weight;               /* [group]: bytes between it and the present one */
	struct vec_of(uint32_t) near;   /* groups of weight > 0 */
	struct ways pair, further;      /* of this round: of two groups, of further ones */
	struct crossings crossing;
	struct link_search *links; /* merge_links.c; NULL if the goal ignores links */
};

/* Adds the edge `x` of `task`, with the coordinates of its ends; 0, or -1 with `e`. */
int merge_note_crossing(const struct merge *s, struct crossings *to, uint32_t task, const struct task_link *x,
			struct err *e);

/* Returns the distance along axis d of the machine. */
static inline uint32_t merge_distance(const struct merge *s, unsigned d, int difference)
{
	uint32_t far = (uint32_t)(difference < 0 ? -difference : difference);

	return s->m->wrap[d] && !s->m->open && far > s->m->size[d] / 2 ? s->m->size[d] - far : far;
}

/* Returns the length of the first group's box along axis d. */
static inline int merge_length(const struct merge *s, unsigned d)
{
	return (int)(d == s->axis ? s->first.length : s->box[d]);
}

/* Returns the tasks of the join's first group, or else of group `second`, and their number. */
static inline const uint32_t *merge_members(const struct merge *s, bool first, uint32_t second, uint32_t *tasks)
{
	*tasks = first ? s->first.tasks : s->tasks;
	return first ? s->first.member : &s->member[(size_t)second * s->tasks];
}

/* Returns the ways of the present join. */
static inline const struct ways *merge_ways(const struct merge *s)
{
	return s->first.tasks == s->tasks ? &s->pair : &s->further;
}

/* Returns the coordinate to which the way moves a place of the second box, before axes are exchanged. */
static inline int merge_turned(const struct merge *s, const struct way *w, const int16_t *b, unsigned j)
{
	int x = b[w->turn.axis[j]];

	if (w->turn.mirrored >> j & 1)
		x = (int)s->box[j] - 1 - x;
	return j == w->face && !w->near ? x + merge_length(s, j) : x;
}

/* Searches by bytes on links, for a machine. */
struct link_search *merge_links_create(const struct merge_machine *m, struct err *e);
void merge_links_destroy(struct link_search *l); /* NULL is allowed */

/* Sets the number of the best way, by its links, to join group `b` to the first; 0, or -1 with `e` (memory). */
int merge_links_best(struct merge *s, uint32_t b, const uint64_t *cost, uint32_t *way, struct err *e);

#endif
