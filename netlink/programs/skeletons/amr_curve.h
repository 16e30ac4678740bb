/*
 * The blocks of a refined mesh along the space-filling curve by which they are dealt to ranks. The coarsest mesh is a
 * cube of root^3 blocks in Z order, as the leaves of an octree are. The refined ones are a ball, and have all blocks
 * beyond the coarsest mesh, in equal parts. What a cycle adds is dealt likewise. Each rank has an equal part of the
 * curve, so blocks that are added in front of a part move its ends, by more than its length where there are many parts.
 */
#ifndef AMR_CURVE_H
#define AMR_CURVE_H

#include <math.h>
#include <stdlib.h>

enum { CURVE_MAX = 8192 }; /* blocks along a side */

/* A stretch of the curve whose blocks of the coarsest mesh all are refined, or none of them; where it begins. */
struct run {
	double blocks;  /* all blocks in front of it */
	double refined; /* refined ones of the coarsest mesh in front of it */
};

struct curve {
	long root;
	int ranks;
	double middle[3];     /* of the ball, from 0 to 1 along each side */
	double radius;        /* of the ball, in blocks of the coarsest mesh */
	double blocks, added; /* all blocks; those that a cycle adds, or takes if negative */
	struct run *runs;     /* `count` of them, and the end */
	size_t count, room;
	int inside;    /* whether the last run is refined */
	int exhausted; /* no memory */
};

/* Continues the curve by blocks of the coarsest mesh; `blocks` has only their number until curve_make scales it. */
static inline void curve_add(struct curve *c, double roots, int inside)
{
	struct run *last;

	if (c->count == 0 || inside != c->inside) {
		if (c->count + 2 > c->room) {
			struct run *more = realloc(c->runs, (2 * c->room + 16) * sizeof(*more));

			if (!more) {
				c->exhausted = 1;
				return;
			}
			c->runs = more;
			c->room = 2 * c->room + 16;
		}
		if (c->count == 0)
			c->runs[0] = (struct run){0, 0};
		c->runs[c->count + 1] = c->runs[c->count];
		c->count++;
		c->inside = inside;
	}
	last = &c->runs[c->count];
	last->blocks += roots;
	last->refined += inside ? roots : 0;
}

/* Follows the curve through an octant of the coarsest mesh, of which the corner and the side are given. */
static inline void curve_follow(struct curve *c, const long corner[3], long side)
{
	double near = 0, far = 0, roots = 1;

	for (int d = 0; d < 3; d++) {
		long length = corner[d] + side < c->root ? side : c->root - corner[d];
		double low = (double)corner[d] + 0.5 - c->middle[d] * (double)c->root, high = low + (double)length - 1;

		if (length <= 0)
			return;
		roots *= (double)length;
		near += low > 0 ? low * low : high < 0 ? high * high : 0;
		far += fmax(low * low, high * high);
	}
	if (far <= c->radius * c->radius || near > c->radius * c->radius || side == 1) {
		curve_add(c, roots, far <= c->radius * c->radius);
		return;
	}
	for (int i = 0; i < 8 && !c->exhausted; i++)
		curve_follow(c,
			     (const long[]){corner[0] + (i & 1) * side / 2, corner[1] + (i >> 1 & 1) * side / 2,
					    corner[2] + (i >> 2) * side / 2},
			     side / 2);
}

/*
 * Makes the curve of a mesh of which root, ranks, middle, blocks and added are given, `refined` blocks of the coarsest
 * mesh among them. Returns 1 if there is no memory. curve_free frees it.
 */
static inline int curve_make(struct curve *c, double refined)
{
	double all = (double)c->root * (double)c->root * (double)c->root, ball, each;
	long side = 1, root = c->root;

	/* At least the block around the middle of the ball. */
	c->radius = refined > 0 ? fmax(cbrt(refined * 3 / 4 / acos(-1)), sqrt(3) / 2) : -1;
	while (side < root)
		side *= 2;
	curve_follow(c, (const long[]){0, 0, 0}, side);
	if (c->exhausted)
		return 1;
	ball = c->runs[c->count].refined;
	each = ball > 0 ? (c->blocks - (all - ball)) / ball : 0;
	for (size_t i = 0; i <= c->count; i++)
		c->runs[i].blocks += (each - 1) * c->runs[i].refined;
	return 0;
}

static inline void curve_free(struct curve *c)
{
	free(c->runs);
	c->runs = NULL;
}

/* Blocks that a cycle adds in front of the place at the beginning of a run. */
static inline double curve_added(const struct curve *c, size_t run)
{
	double ball = c->runs[c->count].refined;

	return ball > 0 ? c->added * c->runs[run].refined / ball : c->added * c->runs[run].blocks / c->blocks;
}

/* The run in which a block is, counted before the change of the mesh or after it. */
static inline size_t curve_run(const struct curve *c, double block, int after)
{
	size_t low = 0, high = c->count;

	while (high - low > 1) {
		size_t at = (low + high) / 2;

		if (c->runs[at].blocks + (after ? curve_added(c, at) : 0) <= block)
			low = at;
		else
			high = at;
	}
	return low;
}

/* Returns the part of a cycle's added blocks that is in front of a block. */
static inline double curve_share(const struct curve *c, double block)
{
	size_t i = curve_run(c, block, 0);
	const struct run *r = &c->runs[i], *end = &c->runs[c->count];
	double refined = r->refined + (r[1].refined - r->refined) * (block - r->blocks) / (r[1].blocks - r->blocks);

	return end->refined > 0 ? refined / end->refined : block / c->blocks;
}

/* The block with which a rank's part begins, as the mesh is before a change; the end for the number of ranks. */
static inline double curve_before(const struct curve *c, int rank)
{
	return floor(c->blocks * rank / c->ranks + 0.5);
}

/* The same for the part that it has after the change, counted in the blocks before it. */
static inline double curve_after(const struct curve *c, int rank)
{
	double block = (c->blocks + c->added) * rank / c->ranks;
	size_t i = curve_run(c, block, 1);
	double from = c->runs[i].blocks, length = c->runs[i + 1].blocks - from;
	double begin = from + curve_added(c, i), grown = length + curve_added(c, i + 1) - curve_added(c, i);

	return rank == c->ranks ? curve_before(c, rank) : floor(from + (block - begin) * length / grown + 0.5);
}

/* The rank that has a block, before or after the change. */
static inline int curve_owner(const struct curve *c, double block, int after)
{
	double (*begins)(const struct curve *, int) = after ? curve_after : curve_before;
	double place = after ? (block + c->added * curve_share(c, block)) / (c->blocks + c->added) : block / c->blocks;
	int rank = (int)fmin(fmax(place * c->ranks, 0), c->ranks - 1);

	while (rank > 0 && begins(c, rank) > block)
		rank--;
	while (rank < c->ranks - 1 && begins(c, rank + 1) <= block)
		rank++;
	return rank;
}

#endif
