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

struct merge {
	const struct task_graph *g;
	const struct merge_machine *m;
	const struct merge_options *o;
	unsigned axis;                  /* along which this round merges */
	uint32_t box[MERGE_DIMS_MAX];   /* of each group */
	uint32_t groups, tasks;         /* number of groups; tasks of each */
	uint32_t *member, *next_member; /* [group * tasks + i] */
	uint32_t *group;                /* [task] */
	int16_t (*at)[MERGE_DIMS_MAX];  /* [task]: its coordinates in its group's box */
	bool *taken;                    /* [group] */
	uint64_t *weight;               /* [group]: bytes between it and the present one */
	struct vec_of(uint32_t) near;   /* groups of weight > 0 */
	struct vec_of(struct way) ways; /* of this round, in the order of trial */
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

/*
 * Returns the coordinate to which the way moves a place of the second box, or the shift of the
 * first box; before axes are exchanged.
 */
static inline int merge_turned(const struct merge *s, const struct way *w, const int16_t *b, unsigned j)
{
	int x = b[w->turn.axis[j]];

	if (w->turn.mirrored >> j & 1)
		x = (int)s->box[j] - 1 - x;
	return j == w->face && !w->near ? x + (int)s->box[j] : x;
}

/*
 * Searches by bytes on links: create for a machine; prepare for the groups numbered `a` and `b`;
 * then the goal's value for each way.
 */
struct link_search *merge_links_create(const struct merge_machine *m, struct err *e);
void merge_links_destroy(struct link_search *l); /* NULL is allowed */

/* Returns the number of the best way by its links, -1 with `e` when memory is short. */
int merge_links_best(struct merge *s, uint32_t a, uint32_t b, const uint64_t *cost, uint32_t *way, struct err *e);

#endif
