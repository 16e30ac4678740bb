/*
 * The call tree of a run: who called a function, and what that cost. Internal to the report.
 *
 * A second reading of the trace follows calls and returns. It counts exactly how often each caller's calls execute each
 * instruction. An execution costs the mean of the run's executions of that instruction, so the nodes of a function add
 * up to its row in the table of functions.
 */
#ifndef PSIM_APP_CALL_TREE_H
#define PSIM_APP_CALL_TREE_H

#include "../base/report/report.h"
#include "../base/vec.h"
#include "profile.h"

struct call_node {
	const struct trace_symbol *symbol; /* NULL: code of no function */
	uint64_t address;                  /* its first instruction that was executed */
	uint32_t parent, child, next;      /* nodes; first of the callees, next callee of the caller; 0: none */
	uint64_t calls, insns;             /* from the parent; executed, without callees */
	double slots;                      /* commit slots, without callees */
	uint64_t all_insns;                /* with callees */
	double all_slots;
};

struct call_tree {
	struct vec_of(struct call_node) nodes; /* [0] stands for what was executed before, and has no function */
};

/* The part of a trace that was simulated. */
struct call_part {
	const char *path;   /* of the trace: a regular file */
	const char *region; /* NULL: all */
	uint64_t skip, insns;
};

/*
 * Makes the tree of that part, in which recursion is folded: a call of a function that is active leads to its node.
 * 0, or -1 with `e`: memory is short, or the trace cannot be read again. call_tree_free is due in both cases.
 */
int call_tree_make(struct call_tree *t, const struct profile *p, const struct call_part *part, struct err *e);
void call_tree_free(struct call_tree *t);

/* Adds the table calls: callers before their callees, the most expensive first. 0, or -1 with `e` as above. */
int call_tree_report(const struct profile *p, const struct call_part *part, struct report *r, struct err *e);

#endif
