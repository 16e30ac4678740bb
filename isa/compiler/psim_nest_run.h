/* Internal to the routine that runs nests (psim_nest.c): slices, references, and the state of a run. */
#ifndef PSIM_NEST_RUN_H
#define PSIM_NEST_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "psim_nest.h"

enum { PHASES = 32, RESIDENT_ARRAYS = 48 }; /* of a nest that keeps its arrays; slices that stay */
/* Limits: a nest with more is refused, and its loop runs on the core. */
enum {
	LOOPS = 8,
	REFS = 64, /* references */
	SUMS = 16,
	SLICES = 24, /* arrays that it moves */
	ROWS = 4096, /* pieces that an array has in memory, of a lane */
};
enum { OUTSTANDING = 900 }; /* transfers started before the routine waits for all of them */
enum { FEW = 16 };          /* an array of more rows is not laid out tight */
/* Bytes a cycle; cycles of a call, its layout and its first transfers; of a later one, whose code is in caches. */
enum { MEMORY_RATE = 4, CALL_CYCLES = 10000, LATER_CALL_CYCLES = 4000 };
enum { HALO = 16 }; /* references of a slice are at most so many steps of a loop apart */

struct dim {
	long stride, count; /* in memory; of the lanes' loop, the count is the share */
	long low, high;     /* least shift of a reference, in steps; how far they reach beyond the count */
	long end;           /* how far they reach */
	long local;         /* stride in the buffer memory */
	int loop;
	bool row;
};

struct slice {
	int array, dims;          /* array: of the references */
	long element;             /* bytes; of members of two sizes, NEST_SIZE */
	bool mixed;               /* it has members of two sizes */
	long origin, least, most; /* address of the first reference; bytes that references reach around it */
	bool lanes, read, write, get, empty;
	bool private_copy, last; /* each lane has its own; memory gets the last lane's */
	bool shorter;            /* memory gets of each lane as much as its ragged loops' count */
	bool flows;              /* a part of the loop that has run before has stored it, for the same iteration */
	bool twin;               /* lanes store to it what they store last to another slice of the array */
	bool meets;              /* then, both are at one place in lane 0 */
	bool tight;              /* runs without gaps, so that nothing need be fetched */
	long from, to;           /* addresses that references of all lanes reach, of a slice without lanes */
	long run, size;          /* bytes of a run, of a share in the buffer memory */
	long slope;              /* bytes that a lane adds */
	bool members;            /* references are within an element of a lane, the first one at origin + first */
	bool together;           /* they are within one step of each loop */
	long first;
	long at, pitch; /* of the first buffer; from one to the next */
	int buffers;
	long laid;                       /* the share that dims, run and size are laid out for, or 0 */
	struct dim *plane;               /* the dimension of the loop around, or NULL */
	struct resident_array *resident; /* what stays in the buffer memories, with a buffer for each phase, or NULL */
	bool there;                      /* its data is what an earlier nest has left */
	bool subscripts;                 /* it has subscripts of such arrays */
	bool of_rows;                    /* each PE has the elements of its rows, one after the other */
	bool copied;                     /* each PE has all of it, from origin on, as far as subscripts reach */
	long mapped;                     /* enum nest_mapped, or a region's number */
	/* filled as far as it is used: */
	struct dim dim[LOOPS];  /* by size of the stride */
	long buffer_at[PHASES]; /* of what stays: the phases' buffers, from the first one */
};

struct ref {
	int slice;
	long shift[LOOPS], rest; /* from the slice's origin: steps of each dimension, and bytes */
	int loop[LOOPS];         /* that goes through each dimension, or -1 */
	long back;               /* bits of the dimensions that it goes through backwards, from its shift on */
};

struct nest {
	const long *table, *counts, *work, *strides, *extents, *ranges, *refs, *variant, *chains, *dividers, *kinds,
		*gather;
	long *data;
	long lanes, loops, families, references, sums;
	const long *rows;                 /* enum nest_rows, or NULL */
	long row_low, row_high, row_most; /* elements of all rows; the longest row */
	bool row_singles;
	long row_odd;        /* 1: their odd elements are at multiples of 8 bytes */
	long gathers;        /* references whose subscripts are data */
	long numbered;       /* 1: each PE has the number of its first lane, behind its sums */
	long stream, planes; /* the loop around, or 0, and its iterations */
	long pes, bytes;     /* of the array */
	long idle;           /* bits of the loops that do not run */
	bool structures;     /* lanes may have elements of several members */
	bool merged;         /* slices also have references that do not move in all their dimensions */
	bool dear;           /* phases take many transfers, or fetch more than all lanes at a time do */
	bool even;           /* pieces of an odd number of lanes are not at multiples of 8 bytes */
	long summing;        /* PEs that have partial sums */
	int slices;
	long share; /* of a whole phase */
	bool overlapped;
	long started;          /* transfers that may be outstanding */
	long transfers, moved; /* all, and their bytes */
	long looked;           /* subscripts and rows that the scalar core has read */
	bool resident;         /* its arrays stay in the buffer memories */
	long not_moved;        /* bytes that were there, or stay there */
	union {
		double real;
		long whole;
	} total[SUMS];
	const char *why;
	bool passing;      /* why the nest is refused: another run of it may not be */
	bool checked;      /* psim-record --check-simd */
	bool leaves;       /* memory gets the last lane's elements of some array */
	bool chosen;       /* whether the array is faster is decided elsewhere */
	const char *doubt; /* why a directive is not believed, if it is for the check */
	long chunk;        /* then, lanes that it permits at the same time, or 0: all */
	struct slice slice[SLICES];
	struct ref ref[REFS];
};

struct phase {
	long lane, share, pieces;
};

static inline long magnitude(long a)
{
	return a < 0 ? -a : a;
}

static inline long stride_of(const struct nest *n, long family, long loop)
{
	return n->strides[family * n->loops + loop];
}

static inline long loop_extent(const struct nest *n, long family, long loop)
{
	return n->extents[family * n->loops + loop];
}

/* The loop whose dimension a loop goes through. */
static inline long leader_of(const struct nest *n, long family, long loop)
{
	long extent = loop_extent(n, family, loop);

	return extent < 0 ? -extent : loop;
}

static inline const long *ref_of(const struct nest *n, long r)
{
	return n->refs + r * NEST_REF;
}

/* ---- psim_nest_slices.c ---- */

/* Notes why a nest stays scalar. Returns false. */
bool nest_refuse(struct nest *n, const char *why);

/* Makes the slices of the table's references. Like all that return bool here, false if the nest is refused. */
bool nest_make_slices(struct nest *n);

/* Finds what lanes access around each root, if the nest's inner loops are not affine. */
bool nest_survey(struct nest *n);

/* Returns whether each element that is stored to belongs to one lane; may make the slices again. */
bool nest_independent(struct nest *n);

/* Returns whether iterations that the kernel interleaves store to different places. */
bool nest_jam_apart(const struct nest *n);

/* First byte, and the one behind the last, of all lanes' accesses to a slice that is not empty. */
void slice_range(const struct nest *n, const struct slice *s, long *from, long *to);

/* The dimension of a loop, or NULL. */
struct dim *slice_dim(struct slice *s, long loop);

/* ---- psim_nest.c ---- */

/*
 * The transfers of a slice, in a stream of one of its planes: one for each row, unless it is so short that the scalar
 * core copies it. Returns their number.
 */
long nest_transfer(struct nest *n, struct slice *s, bool put, long number, const struct phase *p, long plane);

/* Begins with a table and a kernel's data. */
void nest_set_up(struct nest *n, const long *table, long *data);

/* Makes all that a run on the array needs. False, with n->why, if the scalar loop has to run. */
bool nest_prepare(struct nest *n);

/* Runs a nest that has been prepared. */
void nest_compute(struct nest *n);

/* Waits for all transfers. */
void nest_wait(struct nest *n);

/* ---- psim_nest_rows.c ---- */

/* Reads the bounds of all rows. */
bool nest_find_rows(struct nest *n);

/* Makes the slice of an array that has elements of rows. */
bool nest_make_rows(struct nest *n, const long *gather);

/* Bytes of an element in all such arrays; beside these, bytes in front of elements and behind them. */
long nest_row_bytes(const struct nest *n);
long nest_row_room(const struct nest *n);

/* Places the buffers from `at` on; returns where they end. */
long nest_place_rows(struct nest *n, long at);

/* Lanes that a PE may have in a phase. */
long nest_most_row_lanes(void);

/* Begins the transfers of a phase's elements. */
void nest_get_rows(struct nest *n, const struct phase *p, long number);

/* Gives PEs and kernel the words on a phase's rows. */
void nest_count_rows(struct nest *n, const struct phase *p);

/* ---- psim_nest_gather.c ---- */

/* Makes the slices of the arrays that each PE has a copy of. */
bool nest_make_copies(struct nest *n);

/* Bytes of all copies in a buffer memory. */
long nest_copies_room(const struct nest *n);

/* Places them from `at` on; returns where they end. */
long nest_place_copies(struct nest *n, long at);

/* Begins their transfers. */
void nest_get_copies(struct nest *n);

/* ---- psim_nest_check.c ---- */

/*
 * Returns whether a lane may load what a statement above has stored in an earlier lane, fewer than `chunk` lanes before
 * it (0: any). Lanes that run at the same time keep this order.
 */
bool nest_forward(const struct nest *n, long chunk);

/* ---- psim_nest_array.c ---- */

/* Set by each refusal, for compiled functions: whether the next run will be refused, too. */
extern long psim_nest_lasting;

/* ---- psim_nest_report.c ---- */

/* Returns whether PSIM_NEST_REPORT is in the environment. */
bool nest_report_wanted(void);

/* Prints how a nest has run, on the array or not. */
void nest_report(struct nest *n, bool array, const char *place);

/* ---- psim_nest_resident.c ---- */

/*
 * Places a nest whose arrays stay in the buffer memories, beside what is there; what another nest has left is found
 * again. False if there is no room: then nothing stays.
 */
bool resident_place(struct nest *n);

/* The nest has run: what it has fetched and stored is what is there. */
void resident_commit(struct nest *n);

/* Nests that may have left something there since all was dropped. */
extern long resident_runs;

/* Writes back what memory has not, and forgets what is there. */
void resident_release(struct nest *n);

/* ---- psim_nest_layout.c ---- */

/* The place of a phase's data in the buffer memory. */
long slice_buffer(const struct slice *s, long number);

/* The address in memory of a phase's first byte in PE 0; *step: from one PE to the next. */
long slice_start(const struct slice *s, const struct phase *p, long plane, long *step);

/* Bytes in front of a phase's data, so that these are as far from a multiple of 8 bytes as they are in memory. */
long slice_skew(const struct slice *s, const struct phase *p);

/* Bytes of a buffer for the share that a slice is laid out for, a multiple of 8. */
long slice_room(const struct slice *s);

/* Buffers of a slice. */
int slice_buffers(const struct nest *n, const struct slice *s, bool overlapped);

/* The share that overlaps transfers with the kernel: a quarter of a PE's lanes, `of_pe`. */
long nest_some_lanes(const struct nest *n, long of_pe);

/* The layout of a share of lanes in a buffer memory: runs, rows, their strides, size. */
void slice_lay_out_anew(struct slice *s, long share);

static inline void slice_lay_out(struct slice *s, long share)
{
	if (s->laid != share)
		slice_lay_out_anew(s, share);
}

/* The index of the lowest address in a dimension. */
long dim_lowest(const struct dim *m);

/* Decides whether a slice has gaps, and whether it is fetched: not if it is stored to in few runs without gaps. */
void slice_choose_runs(struct nest *n, int slice);

/* Returns whether a slice is in the buffer memories. */
static inline bool slice_moves(const struct slice *s)
{
	return s->lanes && !s->empty;
}

/* Chooses how many lanes a PE has at a time, and places the buffers. */
bool nest_choose_share(struct nest *n);

/* Returns whether transfers can describe all pieces. */
bool nest_transferable(struct nest *n);

/* Returns whether strides that the kernel has as constants are those of the layout. */
bool nest_fixed_strides(struct nest *n);

/* The phase behind `p`, which is all zero at first. False behind the last one. */
bool nest_next_phase(const struct nest *n, struct phase *p);

/* ---- psim_nest_cost.c ---- */

/* Cycles that the array computes: phases one after the other, each as long as its share. */
long nest_arithmetic_cycles(const struct nest *n);

/*
 * Returns whether the array is expected to be faster than the scalar core: a cycle for each instruction, and the time
 * to bring the data from memory; or, if they may be in its caches, three cycles for four. No iteration begins before
 * what it needs of the one before it.
 */
bool nest_worth_it(struct nest *n);

/* Returns whether shares that overlap with their transfers take no longer than all lanes at a time; sets the share. */
bool nest_overlap_pays(struct nest *n, long share, long whole);

/* Adds the cycles of both, about, for that comparison. */
void nest_add_costs(struct nest *n, long *on_core, long *on_array);

/* Returns whether the array with `calls` calls takes less than the scalar core, in cycles; or refuses the nest. */
bool nest_faster(struct nest *n, long on_core, long on_array, long calls);

/* Notes that a loop without a directive was called, and after a refusal that it calls for twice the work only. */
void nest_remember(const struct nest *n, bool array);

#endif
