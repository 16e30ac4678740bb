/*
 * The calls of a core to the rooms above it, which read and write its state: replay, pipe trace, segments. They are
 * pointers, so that the core needs none of these rooms. whole_core.h has them all.
 */
#ifndef PSIM_CORE_CORE_HOOKS_H
#define PSIM_CORE_CORE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct err;
struct fetched;
struct memo;

/* The replay of known transitions. Its `struct memo` is the core's. */
struct replay_hooks {
	unsigned most_transfers; /* of an array; with more, the core is not replayed */
	/*
	 * Makes c->memo, of at most `bytes`. Each `check`-th (0: no) known transition is simulated in detail too, and a
	 * difference is an error. 0, or -1 with `e`.
	 */
	int (*create)(struct core *c, uint64_t bytes, uint64_t check, struct err *e);
	void (*destroy)(struct memo *m);
	/*
	 * Simulates one cycle or more, up to cycle `end`, which is not passed. No request is made in cycle `turn_end`
	 * or later, except in the first cycle. 0; 1 within a transition, which the next call goes on with: until then
	 * only the present cycle of the core is valid; -1 as core_run.
	 */
	int (*advance)(struct core *c, uint64_t end, uint64_t turn_end);
	/* Lets the turn that `advance` simulates end earlier: at `cycle`, which has not begun. */
	void (*end_turn)(struct memo *m, uint64_t cycle);
	/* Instructions of the window have been squashed. */
	void (*squashed)(struct memo *m);
	/* Adds what replayed transitions count to the statistics and the profile. */
	void (*sum)(struct core *c);
};

enum pipe_trace_event { PIPE_TRACE_SELECT, PIPE_TRACE_PS, PIPE_TRACE_PE, PIPE_TRACE_UNDO, PIPE_TRACE_COMMIT };

/* The recorder of events for the pipe trace, core_options.pipe_trace. */
struct pipe_trace_hooks {
	/* Makes the records of the slots. 0, or -1 with `e`. */
	int (*create)(struct core *c, struct err *e);
	/* The instruction that is dispatched next depends on `slot`. */
	void (*producer)(struct core *c, unsigned slot);
	void (*dispatch)(struct core *c, unsigned slot, const struct fetched *q);
	void (*note)(struct core *c, unsigned slot, enum pipe_trace_event what);
	/* The load at `slot` waits at the PEs; its note has the reason. */
	void (*held)(struct core *c, unsigned slot);
	/* The store at `slot` cannot commit: the store buffer is full. */
	void (*store_held)(struct core *c, unsigned slot);
	/* The `count` youngest instructions of the window are squashed: they are dispatched again, and shown then. */
	void (*squashed)(struct core *c, unsigned count);
};

struct core_hooks {
	const struct replay_hooks *replay;         /* for core_options.memo_bytes */
	const struct pipe_trace_hooks *pipe_trace; /* for core_options.pipe_trace */
	/* Makes a record at a sync point, between two cycles, or at the end of the trace: for core_options.segments. */
	void (*sync_point)(struct core *c, bool end);
};

#endif
