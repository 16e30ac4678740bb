/*
 * Runs of lines: replay of requests of transfers between memory and SBM at once, where the core does nothing else.
 *
 * While the channel of memory is busy, lines come at a constant distance, and the states of the core repeat themselves.
 * Such a round is a circle in the graph of requests of lines (STEP_LINE, STEP_FIRST_LINE) alone, on the edges of one
 * answer each. Once replay has gone through it, further rounds make its requests one after the other, as long as the
 * answers are the same; the rest follows in one go.
 */
#ifndef PSIM_REPLAY_MEMO_LINES_H
#define PSIM_REPLAY_MEMO_LINES_H

#include "../array/array_requests.h"
#include "memo_loop_period.h"

enum { LINE_STEPS = 64 };

struct line_round {
	unsigned steps;
	struct node *node[LINE_STEPS];
	const struct edge *edge[LINE_STEPS];
};

struct line_run {
	struct line_round past;  /* the last steps, each of which the edge of the one before leads to */
	struct line_round round; /* the last circle; 0 steps: none */
	bool ready;              /* replay is in the circle, and is to stop at the next cycle */
	uint64_t try_at;         /* not before this cycle */
};

/* Notes that replay goes from `n`, a request of a line, along `e`, with which only lines move. True: a round begins. */
bool line_run_note_quiet(struct core *c, struct node *n, const struct edge *e);
/* Replays rounds from `at` on, the begin of a cycle. As loop_period_replay. */
enum replayed line_run_replay(struct core *c, struct replay_place *at, uint64_t end);

#endif
