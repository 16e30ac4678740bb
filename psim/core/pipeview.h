/*
 * The pipeline over time, for a chosen window of instructions: as a Kanata 0004
 * log (Konata, Onikiri) or as plain text for a terminal.
 *
 * The core notes times while an instruction is in flight; at commit the view
 * gets them all, and turns them into stages with their letters.
 */
#ifndef PSIM_CORE_PIPEVIEW_H
#define PSIM_CORE_PIPEVIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../traces/trace.h"
#include "config.h"

enum view_format { VIEW_KANATA, VIEW_TEXT };

/* A replay: selected in `from`, called back in `to`. */
enum { VIEW_REPLAYS_MAX = 6 };

/* Times of one committed instruction, in cycles; 0 where a stage was not passed. */
struct view_record {
	uint64_t seq;          /* number among those committed (handler instructions included) */
	uint64_t pc;           /* 0: part of a window trap handler */
	const struct insn *insn; /* NULL for handler instructions */
	const char *handler;   /* what it is then */
	uint64_t fetch, decode, dispatch, select, address, result, done, commit;
	/* fetch: IA; decode: E; dispatch: D; select: P; address: Ps (last try);
	   result: consumers may be selected; done: first cycle it may commit; commit: W */
	struct { uint64_t from, to; } replay[VIEW_REPLAYS_MAX];
	unsigned replays;
	unsigned latency;
	bool load, mispredicted;
	const char *cause;     /* what it waited for, for the label; may be NULL */
	/* producers of its sources, for arrows: seq numbers; ~0 = none */
	uint64_t producer[3];
	unsigned producers;
};

struct pipeview;

/* The window: `count` instructions in commit order from number `first`, or, */
/* where `start_pc` is not 0, from the first one at that address after it. */
struct view_window {
	uint64_t first, count, start_pc;
};

/*
 * Writes to `out` (borrowed) the instructions of `window`. `info` names the
 * symbols (borrowed). NULL and `e` without memory.
 */
struct pipeview *pipeview_create(FILE *out, enum view_format format, const struct core_config *cfg,
                                 const struct trace_info *info, const struct view_window *window,
                                 struct err *e);

/* Is this instruction (numbered by commit order) in the window? Opens the window at start_pc. */
bool pipeview_wants(struct pipeview *v, uint64_t seq, uint64_t pc);

/* One committed instruction; copied. Called in commit order. */
int pipeview_add(struct pipeview *v, const struct view_record *r, struct err *e);

/* Writes what is buffered, frees the view. */
int pipeview_finish(struct pipeview *v, struct err *e);

#endif
