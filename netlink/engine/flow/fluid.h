/*
 * Fluids in pipes: flows share the links on their paths.
 *
 * A flow is an amount that drains at a rate; a path is a set of links, each
 * given once; a link has a capacity that the rates of its flows never exceed.
 * With FLUID_MAXMIN a link may carry a share of a flow's rate, and flows may drain
 * one amount together (a group): those are the routes of one message.
 * Rates hold from one change (a start, an end) to the next. Four rules:
 *
 * FLUID_MAXMIN  max-min fairness, exact: rates grow together, in proportion to
 *               the flows' weights, until a link is full; its flows keep their
 *               rates and the others go on (progressive filling; D. Bertsekas,
 *               R. Gallager, "Data Networks", 2nd ed. 1992, section 6.5.2).
 * FLUID_FAIR    rate = smallest capacity / number of flows on the path: mode F
 *               of S. Yazaki, H. Ishihata's Message Flow Simulator.
 * FLUID_ITERATE mode N of the same: from mode F's rates, each flow again and
 *               again gets the smallest unused part / number of flows of its
 *               path, until no link's unused part changes by more than `th` of
 *               its capacity.
 * FLUID_LITERAL mode N as the paper's figure 1 words it: a link takes the rate of
 *               its last flow (step 5.2) and adds the unused part / number of
 *               flows (5.4); each flow then gets the least of its links (5.1).
 *               A link may be exceeded.
 *
 * The cost of a change depends on its extent. FLUID_FAIR visits the flows on the links of the path. FLUID_MAXMIN skips
 * flows whose bottleneck is unchanged (fluid_maxmin.c). FLUID_ITERATE and FLUID_LITERAL visit everything connected
 * with the change by flows and links. A flow's remainder is updated only when its rate changes.
 *
 * Flows are numbered by slots, links from 0; nothing depends on addresses. Time
 * is int64 picoseconds. An end rounds up from a fraction of 0.5857865 ps: equal
 * shares often end at halves, where the last bit of a rate would decide.
 */
#ifndef PSIM_NETLINK_FLOW_FLUID_H
#define PSIM_NETLINK_FLOW_FLUID_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../psim/base/err.h"
#include "../../../psim/base/slots.h"
#include "../../../psim/base/vec.h"
#include "lowest.h"
#include "winner.h"

enum fluid_rule { FLUID_MAXMIN, FLUID_FAIR, FLUID_ITERATE, FLUID_LITERAL };
enum { FLUID_PATH_MAX = 4096 };
#define FLUID_ALONE UINT32_MAX

/* An entry of a link's list. */
struct fluid_member {
	uint32_t flow;
	uint32_t crossing; /* index in the pool of paths */
};

struct fluid_link {
	double capacity; /* bytes/s */
	uint32_t count, room;
	struct fluid_member *member;
	/* MAXMIN: sum of its flows' rates; level of the fastest if the link is full, else infinite */
	double load, level;
	bool dirty;                  /* its flows changed since rates were computed */
	int64_t busy_since, busy_ps; /* time with a flow */
	double carried;              /* bytes of ended flows */
};

/*
 * State of a link during a solution. It is separate and half a cache line, because every rate change writes to all
 * links of a path.
 */
struct fluid_share {
	double left; /* capacity not yet assigned; FAIR: of each flow */
	union {
		double open_weight; /* MAXMIN: of the open flows */
		double before;      /* ITERATE, LITERAL: `left` of the previous round */
	};
	union {
		double old_level; /* MAXMIN: the previous level, until it is reached */
		double part;      /* ITERATE, LITERAL: left / flows */
	};
	union {
		uint32_t open; /* MAXMIN: number of open flows */
		uint32_t last; /* LITERAL: index in `affected` of the link's last flow */
	};
	uint32_t mark; /* the pass that last visited it; MAXMIN: the batch in which flows on it were last opened */
};

/* Inputs of a solution only, since these are read repeatedly. */
struct fluid_flow {
	double level;  /* MAXMIN: rate / weight; during a solution, the new level of flows that stopped */
	uint32_t path; /* index in the pool of paths: the number of links, then these; of a free slot: the next one */
	uint32_t mark; /* MAXMIN: pass: open in this one; pass + 1: stopped */
};

/* Remaining bytes and rate of a flow; half a cache line, because every rate change reads and writes it. */
struct fluid_amount {
	double rate, left; /* left: bytes at `since_ps` */
	int64_t since_ps;
	uint32_t tag;       /* the caller's */
	bool used, started; /* in progress; since the last solution */
};

/* Properties that no solution changes. */
struct fluid_given {
	double size; /* bytes; 0 in a group */
	double weight;
	uint32_t group; /* FLUID_ALONE: none */
	uint32_t next;  /* in its group; FLUID_ALONE: the last */
};

/* Flows that drain one amount: its rate is the sum of theirs. */
struct fluid_group {
	double rate, left; /* left: bytes at `since_ps` */
	int64_t since_ps;
	uint32_t first; /* flow */
	bool changed;   /* a flow's rate did, in this solution */
};

struct fluid_counts {
	uint64_t starts, ends;
	uint64_t solutions;                             /* computations of rates */
	uint64_t visited;                               /* crossings visited in them */
	uint64_t rate_changes;                          /* flows whose rate changed, starts included */
	uint64_t iterations, most_iterations, iterated; /* ITERATE, LITERAL; `iterated`: solutions that needed some */
	double most_over;                               /* LITERAL: most that a link is exceeded by, of its capacity */
	uint32_t most_flows;
};

struct fluid {
	enum fluid_rule rule;
	double th;
	bool check;
	/* gets the bytes of each flow on each link of its path, when it ends; NULL: not needed */
	void (*carries)(void *user, uint32_t tag, uint32_t link, double bytes);
	void *user;                       /* of `carries` */
	uint32_t links, link_room, flows; /* flows: in progress */
	uint32_t pass;
	uint32_t batch, first_batch; /* MAXMIN: of opened flows; links are marked by it; `first_batch`: of this pass */
	uint32_t pending;            /* MAXMIN: open flows, and touched links whose old level is still to come */
	struct fluid_link *link;
	struct fluid_share *share; /* of the same links */
	struct vec_of(struct fluid_flow) flow;
	struct vec_of(struct fluid_amount) amount; /* of the same slots */
	struct vec_of(struct fluid_given) given;   /* of the same */
	bool weighted;                             /* not all weights are 1 */
	bool shared;                               /* not all shares are 1 */
	struct slots_of(struct fluid_group) group;
	struct vec_of(uint32_t) regrouped; /* groups whose rate changed in this solution */
	struct vec_of(uint32_t) path;      /* runs: number of links, links */
	struct vec_of(uint32_t) at;        /* parallel to `path`: position in the link's list */
	struct vec_of(double) part;        /* parallel to `path`: the share of the flow that the link carries */
	struct vec_of(uint32_t) free_path; /* [hops]: first free run of that length */
	uint32_t free_flow;
	struct vec_of(uint32_t) dirty;    /* links */
	struct vec_of(uint32_t) started;  /* flows, since rates were last found; may have ended meanwhile */
	struct vec_of(uint32_t) changed;  /* links on which flows were opened just now */
	struct vec_of(uint32_t) touched;  /* links of this pass */
	struct vec_of(uint32_t) affected; /* flows of this pass */
	struct vec_of(uint32_t) list;     /* flows of the current link */
	struct lowest watched;            /* MAXMIN: links by the level of their next event */
	struct vec_of(double) scratch;
	struct winner ends; /* of each slot */
	struct fluid_counts counts;
};

/* `capacity[links]` > 0. 0, or -1 with `e` if memory is short; call fluid_finish in any case. */
int fluid_init(struct fluid *f, enum fluid_rule rule, double th, const double *capacity, uint32_t links, struct err *e);
void fluid_finish(struct fluid *f);

/* Adds a link, numbered by the previous `links`. For limits of single flows. */
int fluid_add_link(struct fluid *f, double capacity, struct err *e);

/* Sets the capacity of a link without flows. */
void fluid_set_capacity(struct fluid *f, uint32_t link, double capacity);

/*
 * Starts a flow of `size` > 0 bytes over `path[hops]` (hops > 0) and returns its slot
 * in *slot. It has no rate before fluid_solve. -1 with `e` if memory is short.
 */
int fluid_start(struct fluid *f, int64_t now_ps, double size, double weight, const uint32_t *path, unsigned hops,
		uint32_t tag, uint32_t *slot, struct err *e);

/*
 * MAXMIN: starts a flow of which each link carries only a share, part[hops], each in (0, 1]; and if `*group` is not
 * FLUID_ALONE, as a further flow of that group. `group` NULL: a flow of its own. FLUID_ALONE: the first flow of a new
 * group, whose number is returned there. A group drains the `size` of its first flow and ends with it.
 */
int fluid_start_part(struct fluid *f, int64_t now_ps, double size, double weight, const uint32_t *path,
		     const double *part, unsigned hops, uint32_t tag, uint32_t *group, uint32_t *slot, struct err *e);

/* MAXMIN: gives a flow in progress another weight from the next solution on. -1 with `e` if memory is short. */
int fluid_weigh(struct fluid *f, uint32_t slot, double weight, struct err *e);

/* Adds a link at the end of a flow's path, from the next solution on. -1 with `e` if memory is short. */
int fluid_extend(struct fluid *f, int64_t now_ps, uint32_t slot, uint32_t link, struct err *e);

/* Removes a drained flow; of a group, which is drained: all of its flows. */
void fluid_end(struct fluid *f, int64_t now_ps, uint32_t slot);

/* Removes a flow, or all of its group, before it is drained. Returns the bytes that are left. */
double fluid_cut(struct fluid *f, int64_t now_ps, uint32_t slot);

/* Bytes that a flow has sent by `time_ps`, not before its last change of rate. */
double fluid_sent(const struct fluid *f, uint32_t slot, int64_t time_ps);

/* Computes the rates from `now_ps` on, and the ends that follow. */
int fluid_solve(struct fluid *f, int64_t now_ps, struct err *e);

/* Returns whether anything changed since the last solution; then rates and ends are outdated. */
static inline bool fluid_changed(const struct fluid *f)
{
	return f->dirty.count > 0;
}

/* The end of the next drained flow; INT64_MAX without flows. */
static inline int64_t fluid_next_end(const struct fluid *f)
{
	return winner_best(&f->ends);
}

/*
 * The certificate of max-min fairness: no link carries more than its capacity,
 * and every flow has a full link on which no flow has a higher level. FLUID_FAIR
 * and FLUID_ITERATE keep the first half, FLUID_LITERAL neither. 0, or -1 with `e`, which names the flow or link.
 */
int fluid_verify(const struct fluid *f, struct err *e);

/* The rules, called by fluid_solve. */
int fluid_maxmin(struct fluid *f, int64_t now_ps, struct err *e);
int fluid_fair(struct fluid *f, int64_t now_ps, struct err *e);
int fluid_iterate(struct fluid *f, int64_t now_ps, struct err *e);
int fluid_literal(struct fluid *f, int64_t now_ps, struct err *e);

/* The links of a flow's path; their number in *hops. */
static inline const uint32_t *fluid_path(const struct fluid *f, const struct fluid_flow *flow, uint32_t *hops)
{
	const uint32_t *run = &f->path.at[flow->path];

	*hops = run[0];
	return run + 1;
}

/* MAXMIN: a flow's rate at its level. */
static inline double fluid_rate(const struct fluid *f, uint32_t slot)
{
	double level = f->flow.at[slot].level;

	return f->weighted ? level * f->given.at[slot].weight : level;
}

/* Common to all rules: sets a rate from `now_ps` on. */
void fluid_set_rate(struct fluid *f, int64_t now_ps, uint32_t slot, double rate);

#endif
