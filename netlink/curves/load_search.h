/*
 * Load curves: an open loop at several loads, each in a process of its own, several at a time; and the load at which a
 * network saturates, by bisection. The owner runs a point; what it finds comes back through a pipe.
 */
#ifndef PSIM_NETLINK_LOAD_SEARCH_H
#define PSIM_NETLINK_LOAD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/cli/checkpoint.h"
#include "../../psim/base/cli/progress.h"
#include "../../psim/base/report/report.h"
#include "loads.h"

enum {
	LOAD_LONGEST = 8,
	LOAD_HALVINGS = 16,
	LOAD_POINTS_MAX = LOADS_MAX + LOAD_HALVINGS,
	LOAD_PROCESSES_MAX = 64,
};

/* The begin of a point, an owner's struct without pointers. */
struct load_head {
	double load;
	uint64_t longer; /* factor on the length of the run: 1, or LOAD_LONGEST in a bisection; a run may raise it */
	bool done;       /* the run was complete */
	bool steady;     /* its figures hold */
	bool behind;     /* the network accepts less than is offered */
	bool unknown;    /* nothing is known of steadiness: the window is too short */
	bool taken;      /* from a checkpoint: it was not run here */
};

struct load_search {
	void *point; /* room for LOAD_POINTS_MAX, in the order of their loads */
	size_t size;
	unsigned count;
	unsigned processes; /* 1 to LOAD_PROCESSES_MAX, that run at a time */
	bool whole;         /* all points are run; else the curve ends at the second one in a row that is behind */
	/* Runs a point, and sets what it finds, in a process that ends then. 0, or -1 with `e`. */
	int (*run)(void *user, void *point, struct err *e);
	void *user;
	struct progress *progress;
	struct checkpoint *checkpoint;    /* keeps points, whose size is words, that are done; NULL: none */
	bool (*valid)(const void *point); /* returns whether the owner's part of a point from there can be one */
};

/* Reads --load: loads from `least` to `most`, by size, none twice. 0, or -1 with `e` (STATUS_USAGE). */
int load_search_read(struct load_search *s, const char *text, double least, double most, struct err *e);

/*
 * Runs the points, of which `count` are left: fewer if the curve ends before, or a signal ended the run. With
 * `saturation` it bisects then, to 1 %, between the last load that is steady and the first that is not, in long runs:
 * queues that grow slowly seem steady in a short one. 0, or -1 with `e`.
 */
int load_search_run(struct load_search *s, bool saturation, struct err *e);

struct load_head *load_search_point(const struct load_search *s, unsigned i);
/* Returns the first point that is not steady; `count` if all are. */
unsigned load_search_unsteady(const struct load_search *s);
/* Returns whether each window is inside the time in which sources send: else nothing is known of saturation. */
bool load_search_knows(const struct load_search *s);

/* Adds the group "saturation"; `accepted`: the largest accepted load, in `unit` as loads. */
void load_search_report(const struct load_search *s, double accepted, const char *unit, struct report *r);

/*
 * load_pool.c: runs points `first` to `end` - 1 in the order of their loads. Returns how many are done, from the first
 * on; -1 with `e`.
 */
int load_pool_run(struct load_search *s, unsigned first, unsigned end, struct err *e);

#endif
