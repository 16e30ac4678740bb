/*
 * The pipeline over time, for a chosen window of instructions: as a Kanata 0004
 * log (Konata, Onikiri) or as plain text for a terminal of 120 columns.
 *
 * The core records the times of an instruction in flight, and passes them to the
 * trace at commit. It converts them to stages; docs/programs/psim.md lists their letters.
 */
#ifndef PSIM_PIPE_TRACE_H
#define PSIM_PIPE_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../traces/trace.h"
#include "../machine/core_config.h"
#include "../core/core_hooks.h"

/* The formats: F(id, name). Each has a `struct pipe_trace_writer` (pipe_trace_stages.h) in pipe_trace_<name>.c. */
#define PIPE_TRACE_FORMATS(F) \
	F(KANATA, kanata) \
	F(TEXT, text)
#define PIPE_TRACE_FORMAT_ID(id, name) PIPE_TRACE_##id,
/* "kanata|text" */
#define PIPE_TRACE_CHOICE(id, name) "|" #name
#define PIPE_TRACE_CHOICES (&(PIPE_TRACE_FORMATS(PIPE_TRACE_CHOICE))[1])
enum pipe_trace_format { PIPE_TRACE_FORMATS(PIPE_TRACE_FORMAT_ID) PIPE_TRACE_FORMAT_COUNT };

enum { PIPE_TRACE_REPLAYS_MAX = 6, PIPE_TRACE_PRODUCERS_MAX = 3 };

/* Times of one committed instruction, in cycles; 0 where a stage was not passed. */
struct pipe_trace_record {
	uint64_t seq;            /* number among those committed, handler instructions included */
	uint64_t number;         /* index in the trace; for a handler's, that of the trapped instruction */
	uint64_t pc;             /* 0: part of a window trap handler */
	const struct insn *insn; /* NULL for handler instructions */
	const char *window_trap; /* name of a handler instruction */
	uint64_t fetch, decode, dispatch, select, address, pe, result, done, commit;
	/* fetch: IA; decode: E; dispatch: D; select: P; address: Ps (last try);
	   pe: selected for a load or store pipe of the PEs;
	   result: consumers may be selected; done: first cycle it may commit; commit: W */
	struct {
		uint64_t from, to;
	} replay[PIPE_TRACE_REPLAYS_MAX]; /* selected, cancelled */
	unsigned replays;
	unsigned latency;
	bool load, store, mispredicted;
	bool simd;          /* in the SIMD station: pe, or select of arithmetic, is in the PEs */
	bool arithmetic;    /* SIMD, and no load or store */
	bool to_core;       /* SIMD arithmetic whose result goes to the scalar core */
	unsigned operand_c; /* cycles of C for scalar operands of the array's arithmetic */
	bool window;        /* a scalar access to SBM */
	const char *held;   /* last stall of a load at the PEs or of a completed store, or NULL */
	const char *cause;  /* level that served a load, or its stall; NULL for others */
	const char *stop;   /* stall in D, or NULL */
	uint64_t producer[PIPE_TRACE_PRODUCERS_MAX]; /* seq of the instructions in flight that it depends on */
	unsigned producers;
};

struct pipe_trace;
struct pipe_trace_samples;

/* Records the times for core_options.pipe_trace, a `struct pipe_trace`. */
extern const struct pipe_trace_hooks pipe_trace_hooks;

/*
 * The window: `count` instructions of the trace from instruction `first` on. If start_pc is not 0,
 * it begins at the first one thereafter in [start_pc, end_pc) (end_pc 0: at start_pc). If `region`
 * is not NULL (borrowed), it begins at the first entry of that region thereafter.
 */
struct pipe_trace_window {
	uint64_t first, count, start_pc, end_pc;
	const char *region;
};

/*
 * Parses a window: FROM:COUNT, @FUNCTION:COUNT (from the first of its instructions executed,
 * which need not be its entry), @FUNCTION+OFFSET:COUNT, @ADDRESS:COUNT, @region:NAME:COUNT;
 * :COUNT defaults to 200. Functions are those of `info`. A region's name is stored in `region`,
 * to which `w` then refers. 0, or -1 with `e`.
 */
int pipe_trace_window_parse(const char *text, const struct trace_info *info, struct pipe_trace_window *w,
			    char region[TRACE_NAME_MAX], struct err *e);

/*
 * Makes a pipe trace that writes the instructions of `window` to `out` (borrowed), with the symbols
 * of `info` (borrowed), and passes samples of the run to `samples` (borrowed). `out` NULL: no window; `samples` NULL:
 * none. NULL and `e` without memory.
 */
struct pipe_trace *pipe_trace_create(FILE *out, enum pipe_trace_format format, const struct core_config *cfg,
				     const struct trace_info *info, const struct pipe_trace_window *window,
				     struct pipe_trace_samples *samples, struct err *e);

/* The region whose entry opens the window; NULL if the pipe trace does not wait for a region. */
const char *pipe_trace_awaits(const struct pipe_trace *v);
/* A region begins with the next instruction committed. */
void pipe_trace_region(struct pipe_trace *v);

/* Adds a committed instruction, in order; copies it if it is in the window. 0, or -1 with `e`. */
int pipe_trace_commit(struct pipe_trace *v, const struct pipe_trace_record *r, struct err *e);

/*
 * Writes what is buffered, frees the pipe trace. 0, or -1 with `e`: out of memory, or
 * (STATUS_USAGE) the window never began. Write errors are left in the stream.
 */
int pipe_trace_finish(struct pipe_trace *v, struct err *e);

#endif
