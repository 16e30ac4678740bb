/*
 * The action graph: state, request, answer, state. Internal to memo*.c.
 *
 *   state ──▶ node: request ──▶ edge: answer ──▶ node … ──▶ edge ──▶ state
 *                           └──▶ edge: another answer ──▶ …
 *
 * A transition is a few cycles with requests, up to one that begins with a key (closes in memo_record.c). The last
 * edge of a cycle has what follows up to the next cycle with a request: cycles, moves of stores; the last edge of
 * all also counts.
 */
#ifndef PSIM_REPLAY_MEMO_GRAPH_H
#define PSIM_REPLAY_MEMO_GRAPH_H

#include "core_key.h"
#include "memo.h"
#include "memo_array.h"
#include "memo_in_flight.h"
#include "memo_lines.h"
#include "memo_loop_period.h"
#include "../core/core_requests.h"

/* Requests that always follow each other are one step. */
enum step {
	STEP_LOAD,   /* REQUEST_ORDER; if no store is touched, REQUEST_PORT; if a port was free, REQUEST_LOAD */
	STEP_STORE,  /* REQUEST_PORT, REQUEST_STORE */
	STEP_PORT,   /* REQUEST_PORT of a load whose data a store has, or of a prefetch */
	STEP_ACCESS, /* an access without a port */
	STEP_FETCH,
	STEP_PREDICTOR, /* REQUEST_SET to REQUEST_SQUASH */
	/* of the array, each a request: */
	STEP_SBM_LOAD, /* REQUEST_SBM_LOAD or REQUEST_SBM_HELD */
	STEP_SBM_STORE,
	STEP_LINE,
	STEP_FIRST_LINE,
};

/* The answer to an access that hits. */
static inline uint64_t hit_word(void)
{
	const struct mem_answer hit = {.ready = 0, .level = MEM_L1, .refused = MEM_ACCEPTED, .hit = true};

	return access_word(&hit, 0);
}

/*
 * Requests for which replay has a fast path. It takes the node's first edge, without a search. The first edge of such
 * a node is the hit, if the access has ever hit; FAST_LOAD is for loads that have. At a port, the addresses are
 * aligned, and an access uses at most a row of banks.
 */
enum fast_path {
	FAST_NONE,
	FAST_PART,           /* STEP_FETCH of a group that is one part of another kind than FAST_PLAIN, and hits */
	FAST_PLAIN,          /* STEP_FETCH of a group that is one plain part, and hits */
	FAST_LOAD,           /* STEP_LOAD */
	FAST_STORE,          /* STEP_STORE */
	FAST_STORE_PREFETCH, /* REQUEST_STORE_PREFETCH */
};

/* A counter that a transition increases; or instructions with numbers in a row, each of which it commits once more. */
struct count {
	uint32_t at; /* word of struct core_stats; from STAT_WORDS on: 2 x static instruction, + 1: its lost slots */
	uint32_t by; /* or how many instructions */
};
/*
 * Where a transition ends, and its counts. A word has `at` above COUNT_BITS bits of `by`; where one of them is too
 * large, COUNT_WIDE, and two words with them follow. Small counts of struct core_stats have half a word, behind these.
 */
struct ending {
	struct state *to;
	uint32_t visits; /* since the counters were last added */
	uint32_t quiet;  /* cycles from the last commit to the end; QUIET_ALL: none */
	uint32_t count;  /* words */
	uint32_t halves;
	uint32_t word[];
};
enum { COUNT_BITS = 12, HALF_BITS = 7 };
#define COUNT_WIDE UINT32_MAX
enum { STAT_WORDS = sizeof(struct core_stats) / sizeof(uint64_t) };
_Static_assert(STAT_WORDS <= 1 << (16 - HALF_BITS), "half a word has room for the place of a counter");

struct edge {
	uint64_t answer;       /* STEP_FETCH: the address of a struct path */
	struct node *next;     /* NULL: not known yet */
	struct ending *ending; /* after the last request of a transition; NULL: it goes on */
	struct edge *other;    /* another answer to the request */
	uint32_t advance;      /* cycles to the next one with a request; 0: the same cycle goes on */
	uint32_t moves;        /* of stores in these: memo_in_flight.h */
};
#define QUIET_ALL UINT32_MAX
/* In a machine with an array: behind an edge, the array's moves in the same cycles (memo_array.h). */
static inline uint64_t *edge_array_moves(const struct edge *e)
{
	return (uint64_t *)(uintptr_t)(e + 1);
}

struct node {
	struct access
		access; /* index: distance from the tail of the accesses in flight, or entry of the store buffer */
	uint8_t step, request;
	uint8_t ports;       /* taken in the cycle before it */
	uint8_t fast_path;   /* enum fast_path; if so, the first edge has a next node */
	uint8_t will;        /* enum fast_path of a node whose first edge has one */
	uint8_t inside;      /* fast_path: the bits that are zero in an aligned address */
	struct node *parent; /* an edge of which leads here; NULL: the first of a state */
	struct edge first;
};

/* Instructions of a block in a row, within a fetch group: memo_fetch.c. */
enum part_kind {
	PART_UNKNOWN,
	PART_PLAIN,    /* up to the end of the group */
	PART_TRANSFER, /* and a control transfer, before its delay slot */
	PART_LAST,     /* and the last instruction of the block, which is plain */
	PART_ENDS,     /* and the last instruction of the block, a control transfer that annuls its delay slot */
	PART_BLOCK,    /* and a control transfer and its delay slot, which is plain and ends the block */
	PART_OTHER,    /* other shapes */
};
enum { PART_STORES = 8 };
struct part_store {
	uint8_t access, size; /* its number among the accesses */
};
struct part {
	const struct uop *after;  /* the instructions in a row */
	uint8_t kind;             /* enum part_kind */
	uint8_t plain;            /* instructions in a row */
	uint8_t accesses, stores; /* of these, and of the delay slot */
	bool settles;   /* of a transfer: it is no call, and its prediction may leave the predictor as it is */
	uint32_t flags; /* of a transfer: of its instruction; and the first entry of its predictor's set */
	struct bpred_entry *entry;
	struct part_store store[PART_STORES];
};

/*
 * A fetch group in parts: two words a part, the address of its first struct uop and the outcome of its transfer
 * (OUTCOME_AFTER and others, memo_fetch.h).
 */
enum { GROUP_PARTS = 6 };
struct group {
	const struct uop *next;   /* the instruction behind the group; NULL: the feed has ended */
	uint32_t parts;           /* 0: a group of another shape, or not known */
	bool entered;             /* it is in the fetch queue */
	bool quick;               /* it hits L1I, and `next` is not NULL: a later fetch compares words alone. Then: */
	uint8_t will;             /* enum fast_path of a node whose first edge has it */
	struct fetch_place place; /* of its line in L1I */
	uint64_t word[2 * GROUP_PARTS + 1]; /* quick: `next` is behind the parts */
	struct part part[GROUP_PARTS];
};

/*
 * Groups as trees: the steps are parts with their outcomes, so that what groups have in common is there once. A tree is
 * of a first instruction, the answer of L1I, and what fetch has before (fetch_context in memo_fetch.c).
 */
struct group_step {
	uint64_t outcome;
	const struct uop *next;   /* the instruction behind the part; NULL: the feed has ended */
	struct group_step *other; /* of the same part, with another outcome, or another instruction behind */
	struct group_step *then;  /* of the part behind it */
	struct path *path;        /* of the group, which ends; NULL: it goes on */
};
struct group_tree {
	uint64_t access, context;
	struct group_tree *other; /* of the same instruction */
	struct group_step *first;
};
/* A static instruction as the first one of groups. */
struct group_begin {
	struct fetch_place place; /* tag == NULL: not known yet */
	struct group_tree *tree;
};

/* A fetch group in words (core_requests.h). */
struct path {
	struct path *other; /* with the same hash */
	struct group group;
	uint32_t count;
	uint64_t word[];
};

struct state {
	struct node *first;
	uint64_t hash;
	uint32_t accesses; /* in window and fetch queue */
	uint32_t count;
	uint32_t key[];
};

/*
 * A slot of the hash table of states. It has the hash too, so that a search touches only states with the same hash: the
 * signature above 32 bits of the key's hash. The place follows from the high half.
 */
struct state_place {
	struct state *state; /* NULL: free */
	uint64_t hash;
};

/* Memory that is freed as a whole, on large pages, in multiples of `unit`, which is a power of two. */
struct arena {
	size_t unit;
	char **chunk;
	unsigned chunks, room, used; /* chunks made, places for them, chunks in use */
	size_t left;
	char *at;
};

/* Where stores are, before a cycle. */
struct store_place {
	uint64_t now;
	uint32_t stores, buffered, sb_head; /* in the window; in the store buffer; written, as a sum */
	uint32_t squashed;                  /* squashed, as a sum */
	struct array_place array;
};
/* The core's place where recording is: state before a cycle. */
struct place {
	struct core_stats stats;
	uint64_t last_commit;
	struct store_place at;
	uint32_t counted; /* items of memo.profile */
};

struct answered_step { /* of a transition that was replayed in part */
	const struct node *node;
	uint64_t answer;
	uint32_t advance; /* as in struct edge */
};
/* Where the transition began that is replayed. */
struct replay_start {
	uint64_t now;
	uint32_t tail, written, committed, dispatched; /* as in struct in_flight */
	struct array_in_flight_place sbm;
	uint64_t transfer; /* the next one to be fetched */
};
/*
 * Bounds of a transition: cycles with requests, while fetch waits for a branch and else, and what may have been fetched
 * or requested before its last cycle. A cycle has three steps for each slot, two for each entry of the store buffer,
 * and the fetch.
 */
enum { WAIT_CYCLES_MAX = 4, CYCLES_MAX = 8, ACCESSES_MAX = 64, STEPS_BEFORE = 512, STEPS_MAX = STEPS_BEFORE + 4096 };

/* A transition that is simulated in detail and recorded. */
struct recording {
	struct state *state; /* in which it begins; NULL: a new one, with memo.key */
	struct node **at;    /* of the next request */
	struct node *last;   /* the last request; NULL: none */
	struct edge *edge;   /* of the last answer */
	bool known;          /* its edge was recorded before */
	unsigned cycles;     /* so far */
	unsigned fetched;    /* accesses fetched in these */
	bool leads;          /* a block begins behind what the last of these fetched */
	bool waits;          /* fetch waits for a branch at its begin */
	bool idles;          /* the cycle with requests is over, and those without come, from here in the transcript: */
	size_t idle_at;
};
/* Numbers of the accesses in window and fetch queue, in the order of the program, modulo 2^16. */
struct numbering {
	uint16_t number[ROB_WORDS_MAX * 64];  /* by slot: of its access, or the next one */
	uint16_t oldest, dispatched, fetched; /* of the oldest instruction; the next one of window and queue */
	uint64_t seq;   /* the instruction with the next number in the window; 0: all of them lack one */
	unsigned queue; /* the same of the fetch queue, if `queued` */
	bool queued;
};
/* Where the turn of a core has ended within a transition; the next one goes on from there. */
enum stopped { STOPPED_NOT, STOPPED_REPLAY, STOPPED_RECORD };
struct replay_place {
	struct state *state; /* in which the transition began */
	struct node *node;   /* the next request, or the one whose answer ends the replay: */
	uint64_t answer;
};

/* Ends of transitions that were replayed, in their order. They are anywhere in memory, so they are counted together. */
enum { ARRIVALS = 64 };
struct arrival_of {
	struct ending *ending;
	uint64_t now;
};

/*
 * Signatures of states seen lately, by their low bits. A state is stored when its signature is seen again: most states
 * of an irregular program never come back, and to store one costs ten times as much as to simulate it.
 */
enum { SEEN_BITS = 16 };

/* Host instructions that a look in such a place has gained, and that less its cost: averages. */
struct look_worth {
	int64_t gain, net;
	uint32_t looks;  /* in the averages, up to a bound */
	uint32_t passed; /* places without a look since the last one */
};
/* The worth of looking up states, in host instructions: memo_worth.c. */
enum { WORTH_PLACES = 9 };
struct window_worth { /* of a window of looks */
	int64_t spent, gained;
};
struct worth {
	struct look_worth place[WORTH_PLACES]; /* by how full the window is */
	struct look_worth linked, all;         /* behind a recorded transition; of all looks */
	struct look_worth *last;               /* the place of the present look */
	int64_t cost, gains;                   /* of it */
	uint64_t visits, replayed, recorded;   /* of memo_stats, which are in these */
	int64_t visit;                         /* gain of a replayed transition */
	int64_t earned;                        /* of all looks of the run */
	int64_t balance;                       /* of those of the attempt, as far as they count */
	int64_t debt, debt_most;         /* how far it may be below zero, while a window promises; while it learns */
	struct window_worth now, before; /* the present window of looks; the last one */
	uint64_t tried, grace;           /* looks of the attempt; as many need no promise */
	unsigned looks, window;          /* in the present window, which has so many */
	bool pays;                       /* the window before gained half of what it spent */
	uint64_t rest_since;             /* cycle */
};

struct memo {
	bool wide; /* the machine has an array, and edges have its moves */
	uint64_t most_bytes;
	uint64_t turn_end; /* the present turn ends where this cycle begins */
	enum stopped stopped;
	struct arena hot, cold;
	struct state_place *table; /* by hash: open addressing */
	uint64_t table_mask;
	struct path *paths[1 << 12];
	struct memo_stats stats;
	/* replay */
	struct in_flight in_flight;
	struct answered_step step[STEPS_MAX];
	struct replay_start start;
	struct replay_place stop;
	struct loop_period loop_period;
	struct line_run line_run;
	uint64_t stop_at; /* replay stops at the first cycle from this one on, to try one of these two, or at the end */
	struct arrival_of arrival[ARRIVALS]; /* not yet counted */
	unsigned arrivals;
	uint64_t commit_until; /* a transition that ends later needs a check of the last commit; 0: all do */
	/* the last group fetched: */
	struct mem_answer access;
	uint64_t context; /* of fetch, before it */
	uint32_t before;  /* the tail of the accesses in flight before it */
	struct group group;
	struct part *part;         /* by static instruction */
	struct group_begin *begin; /* as many */
	uint32_t part_size;
	struct ending **touched; /* those with visits */
	size_t touched_count, touched_size;
	size_t endings; /* stored */
	/* record */
	struct transcript transcript;
	struct core_key key;
	uint64_t hash;        /* of `key`; above 32 bits, the signature, if there is `seen` */
	uint64_t looks;       /* places where states may be looked up, from the begin */
	uint32_t *seen;       /* 1 << SEEN_BITS signatures; NULL: all states are stored */
	struct edge *pending; /* the last edge recorded, whose next state is not known yet; NULL: none */
	bool pending_known;   /* it is not new: its next state comes again */
	struct place place[2], *since, *here; /* where the transition began, and now: these two */
	struct store_place soft;              /* before the last cycles of the transition since `since` */
	struct count *profile;                /* commits and lost slots since `since` */
	uint32_t profile_count, profile_size;
	uint32_t commits, losses;      /* the place of the last item of each kind */
	uint16_t changing[STAT_WORDS]; /* the words of struct core_stats that a transition has changed so far */
	uint32_t changing_count;
	struct numbering numbering;
	struct recording recording;
	bool failed;               /* out of memory */
	uint64_t check, unchecked; /* each `check`-th known transition is compared; known ones since the last */
	bool checks;               /* one is simulated now: `pending` is its last edge */
	struct worth worth;
	bool tireless; /* it looks up all states: with checks, and in tests */
};

void graph_init(struct memo *m);
/* memo_graph.c; these return NULL where memory is short */
struct state *graph_find(const struct memo *m, uint64_t hash, const struct core_key *k);
/* Returns whether a state with this signature is stored. */
bool graph_has_signature(const struct memo *m, uint32_t signature);
struct state *graph_add(struct memo *m, uint64_t hash, const struct core_key *k, uint32_t accesses);
uint64_t graph_hash(const struct core_key *k);
struct path *graph_path(struct memo *m, const uint64_t *words, unsigned count);
struct node *graph_node(struct memo *m, const struct node *like, struct node *parent);
/* The edge of `n` with this answer, which is added if it is new. `fresh`: `n` has none yet. */
struct edge *graph_edge(struct memo *m, struct node *n, uint64_t answer, bool fresh);
void *arena_take(struct memo *m, struct arena *a, size_t bytes);
/* Gives back the last `bytes` of what was taken last; less than a unit of them stay taken. */
void arena_return(struct memo *m, struct arena *a, size_t bytes);
/* Bytes of the graph and of its tables. */
uint64_t graph_bytes(const struct memo *m);
/* Forgets everything. No transition may have visits. */
void graph_clear(struct memo *m);
/* Makes room for one more ending to be visited; false: no memory. */
bool graph_touchable(struct memo *m);
void memo_graph_finish(struct memo *m);

/* memo_worth.c: what to look up, and when to rest */
void worth_init(struct core *c);
/* The kind of place of the present state. */
struct look_worth *worth_of(const struct core *c);
/* Returns whether a state at such a place is to be looked up. */
bool worth_looks(const struct memo *m, struct look_worth *w);
/* Notes that a state is looked up, whose signature is `seen`. Then c->memo_wake is set if memo rests from here on. */
void worth_costs(struct core *c, struct look_worth *w, bool seen);
/* Notes that the state which is looked up is known. */
void worth_found(struct memo *m);
/* Adds what the last look has led to since the call before. */
void worth_gains(struct memo *m);
/* Ends the rest. */
void worth_wake(struct core *c);

/* memo_counts.c */
void place_here(struct core *c, struct place *p);
void place_stores(const struct core *c, struct store_place *p);
/* Notes what the cycle, or cycles, since `now` did for the profile; `head`: the oldest slot before. */
void counts_profile(struct core *c, unsigned head, uint64_t now);
/*
 * The transition from memo.since to memo.here, which ends in `to`, with its counts; a counter of the profile may be
 * there several times. NULL: it cannot be stored. memo.since is not valid afterwards.
 */
struct ending *ending_at(struct memo *m, struct state *to);
/* Compares their counters, whatever the order. False too where memory is short. */
bool counts_equal(const struct ending *a, const struct ending *b);

/*
 * memo.c: can a stage make a request in the present cycle? Are there events that only detailed cycles handle? Does
 * fetch wait for a branch?
 */
bool memo_may_request(const struct core *c);
bool memo_is_special(const struct core *c);
bool memo_waits(const struct core *c);

/*
 * memo_record.c: simulates a transition in detail, from state `s`, or a new one with memo.key; and records it. 0, 1 or
 * -1 as replay_hooks.advance.
 */
int record_transition(struct core *c, struct state *s, uint64_t end);
/* Goes on with it in another turn. */
int record_on(struct core *c, uint64_t end);
/* Simulates the cycles that take the answers in memo.transcript, and records nothing. */
int record_nothing(struct core *c, uint64_t end);
/* Simulates a cycle without a request, which the transition before goes on with. */
int record_quiet(struct core *c, uint64_t end);
/*
 * The edge memo.pending leads to the present state `s`, at memo.here. If it was known, compares: a difference sets
 * c->failed, and c->error.
 */
void record_link(struct core *c, struct state *s);

/* memo_counts.c: adds what replayed transitions count to the statistics and the profile. */
void memo_sum(struct core *c);
/* memo_replay.c: replays from `s` on, then simulates one transition in detail. 0, 1 or -1 as replay_hooks.advance. */
int replay(struct core *c, struct state *s, uint64_t end);
/* Goes on with it in another turn. */
int replay_on(struct core *c, uint64_t end);
/*
 * A step at a time, for loop periods. replay_answer: makes the request at `at`; returns the edge of the answer, if it
 * leads on; NULL: the rest is to be detailed. replay_edge: goes on along an edge. replay_answered: with this answer.
 */
const struct edge *replay_answer(struct core *c, struct replay_place *at);
enum replayed replay_edge(struct core *c, struct replay_place *at, const struct edge *e, uint64_t end);
enum replayed replay_answered(struct core *c, struct replay_place *at, uint64_t answer, uint64_t end);
/* Counts more visits of an ending. */
void replay_visited(struct memo *m, struct ending *a, uint64_t times);
/* Notes an end of a transition in cycle `now`. */
void replay_arrive(struct core *c, struct ending *a, uint64_t now);
/* Counts what replay has only noted so far: ends of transitions, hits. */
void replay_count(struct core *c);

#endif
