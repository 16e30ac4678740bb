#include "worst_case.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../topology/kind.h"

enum { WORST_LINKS_MAX = 4096 }; /* of a path */

/* A matching of sources, the rows, with destinations, the columns. */
struct matching {
	uint32_t nodes;
	double *weight; /* [source * nodes + destination]: share of the pair's messages that cross the link */
	/* by row or column, from 1 on; 0 is none */
	double *up, *down, *slack; /* potentials of rows and of columns; slack of a column */
	uint32_t *row_of, *way;    /* of a column: its row; the column before it on the augmenting path */
	bool *used;
	uint32_t *path; /* links */
};

/* ---- weights ---- */

/* Returns the share of the pair's messages that cross the link. */
static double share_of(const struct topology *t, uint32_t link, uint32_t src, uint32_t dst, uint32_t *path)
{
	const uint32_t choices = t->random ? topology_choices(t) : 1;
	uint32_t crosses = 0;

	for (uint32_t c = 0; c < choices; c++) {
		unsigned count = t->random ? topology_choose(t, src, dst, c, path, WORST_LINKS_MAX)
					   : topology_path(t, src, dst, 0, path, WORST_LINKS_MAX);

		for (unsigned i = 0; i < count; i++)
			crosses += path[i] == link;
	}
	return (double)crosses / choices;
}

static void weigh(const struct topology *t, uint32_t link, struct matching *m)
{
	for (uint32_t s = 0; s < t->nodes; s++)
		for (uint32_t d = 0; d < t->nodes; d++)
			m->weight[s * t->nodes + d] = s == d ? 0 : share_of(t, link, s, d, m->path);
}

/* ---- the Hungarian algorithm (H. Kuhn 1955, J. Munkres 1957), a row at a time, with weights as negative costs ---- */

/* The next column of the augmenting path from column `at`: that of the least slack. */
static uint32_t next_on_way(struct matching *m, uint32_t at)
{
	const uint32_t row = m->row_of[at];
	uint32_t next = 0;
	double least = HUGE_VAL;

	m->used[at] = true;
	for (uint32_t j = 1; j <= m->nodes; j++) {
		double cost = -m->weight[(row - 1) * m->nodes + j - 1] - m->up[row] - m->down[j];

		if (m->used[j])
			continue;
		if (cost < m->slack[j]) {
			m->slack[j] = cost;
			m->way[j] = at;
		}
		if (m->slack[j] < least) {
			least = m->slack[j];
			next = j;
		}
	}
	for (uint32_t j = 0; j <= m->nodes; j++)
		if (m->used[j]) {
			m->up[m->row_of[j]] += least;
			m->down[j] -= least;
		} else {
			m->slack[j] -= least;
		}
	return next;
}

static void match_row(struct matching *m, uint32_t row)
{
	uint32_t at = 0;

	m->row_of[0] = row;
	for (uint32_t j = 0; j <= m->nodes; j++) {
		m->slack[j] = HUGE_VAL;
		m->used[j] = false;
	}
	do
		at = next_on_way(m, at);
	while (m->row_of[at]);
	for (; at; at = m->way[at])
		m->row_of[at] = m->row_of[m->way[at]];
}

/* Matches all rows; returns the sum of the weights. */
static double match_all(struct matching *m)
{
	double sum = 0;

	for (uint32_t j = 0; j <= m->nodes; j++) {
		m->up[j] = m->down[j] = 0;
		m->row_of[j] = 0;
	}
	for (uint32_t i = 1; i <= m->nodes; i++)
		match_row(m, i);
	for (uint32_t j = 1; j <= m->nodes; j++)
		sum += m->weight[(m->row_of[j] - 1) * m->nodes + j - 1];
	return sum;
}

/* ---- all links ---- */

static void keep_if_worse(struct matching *m, uint32_t *to, double *load)
{
	double sum = match_all(m);

	if (sum <= *load + 1e-9)
		return;
	*load = sum;
	for (uint32_t j = 1; j <= m->nodes; j++)
		to[m->row_of[j] - 1] = j - 1;
}

static void worst_finish(struct matching *m)
{
	free(m->weight);
	free(m->up);
	free(m->down);
	free(m->slack);
	free(m->row_of);
	free(m->way);
	free(m->used);
	free(m->path);
}

static int worst_start(struct matching *m, uint32_t nodes, struct err *e)
{
	*m = (struct matching){
		.nodes = nodes,
		.weight = mem_alloc((size_t)nodes * nodes, sizeof(double), e),
		.up = mem_alloc(nodes + 1, sizeof(double), e),
		.down = mem_alloc(nodes + 1, sizeof(double), e),
		.slack = mem_alloc(nodes + 1, sizeof(double), e),
		.row_of = mem_alloc(nodes + 1, sizeof(uint32_t), e),
		.way = mem_alloc(nodes + 1, sizeof(uint32_t), e),
		.used = mem_alloc(nodes + 1, sizeof(bool), e),
		.path = mem_alloc(WORST_LINKS_MAX, sizeof(uint32_t), e),
	};
	return m->weight && m->up && m->down && m->slack && m->row_of && m->way && m->used && m->path ? 0 : -1;
}

/* Refuses routings whose loads are not known, and sizes that take minutes: time grows as links x nodes^3. */
static int worst_check(const struct topology *t, struct err *e)
{
	uint32_t choices = t->random ? topology_choices(t) : 1;

	if (t->routing->choice)
		return err_set(e, STATUS_USAGE,
			       "pattern: worst_case with the adaptive routing %s, expected one of fixed shares",
			       t->routing->name);
	if (!choices || choices > WORST_CASE_CHOICES_MAX)
		return err_set(e, STATUS_USAGE,
			       "pattern: worst_case with routing %s of too many ways, expected at most %d",
			       t->routing->name, WORST_CASE_CHOICES_MAX);
	if (t->nodes > WORST_CASE_NODES_MAX)
		return err_set(e, STATUS_USAGE, "pattern: worst_case on %" PRIu32 " nodes, expected at most %d",
			       t->nodes, WORST_CASE_NODES_MAX);
	return 0;
}

int worst_case_find(const struct topology *t, uint32_t *to, double *load, struct err *e)
{
	struct matching m;
	int ret = -1;

	*load = 0;
	for (uint32_t i = 0; i < t->nodes; i++)
		to[i] = i;
	if (worst_check(t, e) < 0)
		return -1;
	if (!worst_start(&m, t->nodes, e)) {
		for (uint32_t l = 0; l < t->links; l++)
			if (t->link[l].from >= t->nodes && t->link[l].to >= t->nodes) {
				weigh(t, l, &m);
				keep_if_worse(&m, to, load);
			}
		ret = 0;
	}
	worst_finish(&m);
	return ret;
}
