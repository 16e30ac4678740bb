/*
 * The pipeline over time, for a chosen window of instructions: as a Kanata 0004
 * log (Konata, Onikiri) or as plain text for a terminal of 120 columns.
 *
 * The core notes times while an instruction is in flight; at commit the view
 * gets them all, and turns them into stages with their letters. docs/psim.md
 * has the letters.
 */
#ifndef PSIM_CORE_PIPEVIEW_H
#define PSIM_CORE_PIPEVIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../traces/trace.h"
#include "core_config.h"

/* The formats: F(id, name). Each has a `struct view_writer` (pipeview_stages.h) in pipeview_<name>.c. */
#define VIEW_FORMATS(F) \
	F(KANATA, kanata) \
	F(TEXT, text)
#define VIEW_FORMAT_ID(id, name) VIEW_##id,
/* "kanata|text" */
#define VIEW_CHOICE(id, name) "|" #name
#define VIEW_CHOICES (&(VIEW_FORMATS(VIEW_CHOICE))[1])
enum view_format { VIEW_FORMATS(VIEW_FORMAT_ID) VIEW_FORMAT_COUNT };

enum { VIEW_REPLAYS_MAX = 6, VIEW_PRODUCERS_MAX = 3 };

/* Times of one committed instruction, in cycles; 0 where a stage was not passed. */
struct view_record {
	uint64_t seq;            /* number among those committed, handler instructions included */
	uint64_t number;         /* of the trace's instruction; a handler's: of the one that trapped next */
	uint64_t pc;             /* 0: part of a window trap handler */
	const struct insn *insn; /* NULL for handler instructions */
	const char *handler;     /* what it is then */
	uint64_t fetch, decode, dispatch, select, address, pe, result, done, commit;
	/* fetch: IA; decode: E; dispatch: D; select: P; address: Ps (last try);
	   pe: selected for a load or store pipe of the PEs;
	   result: consumers may be selected; done: first cycle it may commit; commit: W */
	struct {
		uint64_t from, to;
	} replay[VIEW_REPLAYS_MAX]; /* selected, called back */
	unsigned replays;
	unsigned latency;
	bool load, store, mispredicted;
	bool simd;          /* in the SIMD station: pe, or select of arithmetic, is in the PEs */
	bool arithmetic;    /* SIMD, and no load or store */
	bool to_core;       /* SIMD arithmetic whose result goes to the scalar core */
	unsigned operand_c; /* C, if it has scalar operands in the array */
	bool window;        /* a scalar access to SBM */
	const char *held;   /* why a load at the PEs, or a store that was done, waited last; or NULL */
	const char *cause;  /* what served a load, or held it up; NULL for others */
	const char *stop;   /* what it waited for in D, if it did; may be NULL */
	uint64_t producer[VIEW_PRODUCERS_MAX]; /* seq of those in flight that it waited for */
	unsigned producers;
};

struct pipeview;

/*
 * The window: `count` instructions of the trace, from its instruction `first`
 * on; or, after that one, from the first in [start_pc, end_pc) (start_pc not 0;
 * end_pc 0: at start_pc) or the first entry of `region` (not NULL; borrowed) on.
 */
struct view_window {
	uint64_t first, count, start_pc, end_pc;
	const char *region;
};

/*
 * Reads a window: FROM:COUNT, @FUNCTION:COUNT (what of it is executed first,
 * which need not be its entry), @FUNCTION+OFFSET:COUNT, @ADDRESS:COUNT,
 * @region:NAME:COUNT; :COUNT may be left out (200). Functions are those of `info`. A
 * region's name goes to `region`, which then belongs to the window. 0, or -1 with `e`.
 */
int view_window_parse(const char *text, const struct trace_info *info, struct view_window *w,
		      char region[TRACE_NAME_MAX], struct err *e);

/*
 * Writes to `out` (borrowed) the instructions of `window`. `info` names the
 * symbols (borrowed). NULL and `e` without memory.
 */
struct pipeview *pipeview_create(FILE *out, enum view_format format, const struct core_config *cfg,
				 const struct trace_info *info, const struct view_window *window, struct err *e);

/* The region whose beginning opens the window, or NULL if the view does not wait for one. */
const char *pipeview_awaits(const struct pipeview *v);
/* It begins with the next instruction committed. */
void pipeview_region(struct pipeview *v);

/* Each committed instruction, in order; copied if it lies in the window. 0, or -1 with `e`. */
int pipeview_commit(struct pipeview *v, const struct view_record *r, struct err *e);

/*
 * Writes what is buffered, frees the view. 0, or -1 with `e`: out of memory, or
 * (STATUS_USAGE) the window never began. Errors of writing show in the stream.
 */
int pipeview_finish(struct pipeview *v, struct err *e);

#endif
