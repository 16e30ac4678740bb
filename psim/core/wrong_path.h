/*
 * Wrong paths: what fetch reads, and which lines loads request, behind a mispredicted transfer until that resolves.
 *
 * A trace has the right path alone. But its blocks are the program's code, so fetch can go on where the prediction
 * leads as long as the trace has shown that code before; transfers there go where the predictor sends them. With
 * fetch.wrong_path = loads, loads on it access L1D at guessed addresses: the last one of that instruction that has
 * committed, or, where two strides in a row were equal, as many of them further on as the load is executed between (as
 * the reference prediction table of Chen and Baer, IEEE Transactions on Computers 44(5), 1995). Addresses in flight are
 * in the trace, but no core knows them yet. Nothing on a wrong path is dispatched.
 */
#ifndef PSIM_CORE_WRONG_PATH_H
#define PSIM_CORE_WRONG_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "../../isa/insn.h"

struct core;
struct digest;
struct err;
struct trace_block;
struct uop;

/* A static instruction that the trace has shown, and the addresses of a load. */
struct path_code {
	uint64_t pc;
	const struct insn *insn; /* NULL: an empty place of the table */
	uint64_t last, stride;
	uint64_t path;   /* number of the wrong path to which `ahead` belongs */
	uint32_t ahead;  /* how often the load is on it */
	uint32_t flying; /* how often it is fetched and not committed, on the right path */
	bool seen;       /* `last` is valid */
	bool steady;     /* `stride` has come twice in a row */
};

struct path_load {       /* a load that has not been accepted yet */
	uint64_t ea, pc; /* `ea` is guessed at the first attempt */
	uint64_t at;     /* cycle of the next attempt */
	uint32_t ahead;  /* how often the load is on the path up to here */
	uint32_t number; /* of its instruction on the path, from 1 on; 0: its line is on the way */
	uint8_t size, known;
	bool guessed;
	bool has_port; /* as any repeated access (lsu_retry.c), it needs none */
};

struct path_group { /* a fetched group, in the instruction buffer until all of it has entered E */
	uint64_t entered;
	uint32_t number; /* of its last instruction on the path */
};

struct wrong_path {
	/* the code by address: open addressing, a power of two of places, at most half of them used */
	struct path_code *code;
	uint64_t code_mask, code_count;
	/* the path: */
	bool active;
	bool reading;     /* its code is known so far */
	bool slot, taken; /* the next instruction is the slot of a transfer to `target`; the path begins with a jump */
	uint64_t number;  /* of paths so far */
	uint64_t pc, target, target_cycle;
	uint64_t next;    /* earliest cycle of the next IA */
	uint32_t fetched; /* instructions */
	uint32_t loads;   /* requested, or to be requested */
	bool serialized;  /* no load behind this may be requested */
	uint64_t e_cycle; /* of the last instruction that has entered E, or is going to */
	unsigned e_count; /* instructions in that cycle */
	/*
	 * The path's, lsu.load_queue of them at most, and those of paths before it whose lines are on the way, one for
	 * each miss buffer of L1D at most; the oldest first.
	 */
	struct path_load *load;
	unsigned load_count;
	struct path_group *group; /* fetch.buffer_entries of them, the oldest first */
	unsigned group_count;
};

/* Returns whether the stage may do anything: on a path, or for lines on their way. `w` may be NULL. */
static inline bool wrong_path_may(const struct wrong_path *w)
{
	return w && (w->active || w->load_count);
}

/* Makes c->wrong, if the machine has wrong paths. 0, or -1 with `e`. */
int wrong_path_create(struct core *c, struct err *e);
void wrong_path_destroy(struct core *c);
/* Adds the code of a block that the trace shows for the first time. 0, or -1: no memory. */
int wrong_path_add(struct core *c, const struct trace_block *b);
/* The right path has fetched instructions, from number `first` of the fetch queue on. */
void wrong_path_fetched(struct core *c, unsigned first);
/* The `count` oldest instructions of the window commit. */
void wrong_path_committed(struct core *c, unsigned count);
/* It has executed a block at these addresses, which is not simulated. */
void wrong_path_warm(struct core *c, const struct trace_block *b, const uint64_t *ea);
/* A transfer was predicted wrong: fetch would go on at `pc`, to which it jumps if `taken`. */
void wrong_path_predicted(struct core *c, uint64_t pc, bool taken);
/* The group with that transfer and its delay slot is fetched: the path begins, or ends. */
void wrong_path_begin(struct core *c);
void wrong_path_end(struct core *c);
/* Adds its state: segments. */
void wrong_path_digest(const struct core *c, struct digest *d);

#endif
