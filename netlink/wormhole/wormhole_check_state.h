/* State of the check of a description; private to wormhole_check.c, wormhole_sets.c and wormhole_escape.c. */
#ifndef PSIM_NETLINK_WORMHOLE_CHECK_STATE_H
#define PSIM_NETLINK_WORMHOLE_CHECK_STATE_H

#include "wormhole_check.h"

enum { NEXT_HOPS_MAX = 256 };

/* The search over places of a head: a virtual channel, or, numbered after these, the source of a node. */
struct check {
	const struct network *n;
	uint32_t vcs, places;
	uint32_t *first_vc, *link_of; /* [output]; [virtual channel] */
	/* dependences: for each virtual channel a bit set of those that a head in it may request */
	uint64_t *after;
	unsigned words;             /* 64-bit words of each set */
	bool *escape;               /* [virtual channel] of the escape channels */
	uint32_t escape_choices;    /* calls that chose one by `escape` */
	struct escape_graph *graph; /* of escape channels; NULL until all are known */
	/* for one destination */
	uint32_t *seen, *order, *distance;
	uint32_t *walk, *place_in_order;
	uint32_t *next_hops, *hop_first; /* paths of order[k]: next_hops[hop_first[k] … hop_first[k+1]-1] */
	size_t hops_room;
	struct check_result *out;
	struct err *e;
};

/* A question of a routing about a virtual channel, or (vc < 0) all of a port, in one call. */
struct check_question {
	char word; /* 'v' free, 'p' port free, 'r' room, 't' trail */
	int32_t port, vc;
	bool yes;
};

/* One call of a routing for a head in `place`. */
struct check_call {
	uint32_t place, dest;
	uint32_t to; /* its choice; NETWORK_NONE: retry */
	const struct check_question *asked;
	unsigned asked_count;
	const uint32_t *next_hops; /* all choices of this place and destination, whatever the answers */
	unsigned hop_count;
};

uint32_t check_place_resource(const struct check *c, uint32_t place);
void check_place_name(const struct check *c, uint32_t place, char *text, unsigned size);
/* True if `place` is a channel to the node of `dest`, where its messages leave the network. */
bool check_ends_here(const struct check *c, uint32_t place, uint32_t dest);
/* The virtual channel of an output of the resource of `place`. */
uint32_t check_channel(const struct check *c, uint32_t place, int32_t port, int32_t vc);
/* Records a mistake of the routing at `place`; returns -1. */
int check_wrong(const struct check *c, uint32_t place, uint32_t dest, const char *what);
/* The next channel that a head in `place` may request, from bit *from on, which it moves on; or NETWORK_NONE. */
uint32_t check_next_after(const struct check *c, uint32_t place, uint32_t *from);

/*
 * Finds all next places of a head to `dest` in `place`, whatever is free. Returns their number, or < 0. `open`:
 * dimensions (a bit each) in which `dest` stands for all indices; *named: 1 + the first of these that the routing
 * reads, or 0.
 */
int check_next_hops(struct check *c, uint32_t place, uint32_t dest, unsigned open, unsigned *named,
		    uint32_t *next_hops);
/* Records the dependences of a place on its next ones. */
void check_note(struct check *c, uint32_t place, const uint32_t *next_hops, unsigned count);

/* ---- sets of destinations (wormhole_sets.c) ---- */

/*
 * Follows the paths to all destinations, those that a routing does not distinguish together. Adds the links of all
 * paths to *sum. 1; 0: it cannot be done so, and some of the dependences are recorded; -1: o->tick ended it.
 */
int check_by_sets(struct check *c, const struct check_options *o, double *sum);

/* ---- escape channels (wormhole_escape.c) ---- */

/* Makes c->graph: no dependences yet. Channels from which no dependence leads on count as escape channels. */
int escape_channel_start(struct check *c);
void escape_channel_finish(struct check *c);
/* Judges whether a head may wait as one call decides. 0, or -1 and the doubt in c->out. */
int escape_channel_judge(struct check *c, const struct check_call *call);
/* Adds the dependences of escape channels for one destination, whose next hops are known. 0, or -1 and the doubt. */
int escape_channel_add(struct check *c, uint32_t dest, uint32_t count);
/* As check_next_after, in the graph of escape channels. */
uint32_t escape_channel_next(const struct check *c, uint32_t place, uint32_t *from);

#endif
