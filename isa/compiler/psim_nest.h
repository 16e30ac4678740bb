/*
 * What a compiled loop nest gives to the routine that runs it on the SIMD array (psim_nest.c): a table of longs. The
 * compiler's plugin writes it, so both include this file.
 *
 * A nest is the loop over lanes, number 0, whose iterations are distributed over the PEs, and sequential loops in it;
 * there may be one around it.
 * A reference accesses memory at start + the sum of stride * index over the loops. References of one pointer with the
 * same strides are a family; a family without a stride of loop 0 is uniform, and its values are broadcast.
 */
#ifndef PSIM_NEST_H
#define PSIM_NEST_H

/*
 * The table: NEST_HEADER words, then counts[loops], work[loops][NEST_WORK], strides[families][loops],
 * extents[families][loops], ranges[families][2], refs[refs][NEST_REF], variants[variants][NEST_VARIANT], chains[loops],
 * dividers[loops], numbered, kinds[sums], gathers[][NEST_GATHER], rows[NEST_ROWS]. Loops in which a family has the same
 * stride are one dimension: the extent of the first is how many places all of them go through; that of the others is
 * minus its number. Ranges are how far a family reaches from its start, in bytes: downwards, upwards. Chains are cycles
 * of the scalar core from an iteration to the next one that needs its result. Dividers are the part of NEST_ARITHMETIC
 * in which the divider works, beside the rest. Numbered is 1 if kernels need the number of a PE's first lane, after its
 * sums; its bit NEST_HAS_ROWS is 1 with a loop over rows, and from bit NEST_GATHERS on it has the number of gathers.
 */
enum nest_header {
	NEST_LANES,    /* iterations of loop 0 */
	NEST_LOOPS,    /* loops, with loop 0 */
	NEST_FAMILIES, /* of references */
	NEST_REFS,     /* references with a base of their own in the kernel's data */
	NEST_SUMS,     /* numbers that are summed over the lanes: enum nest_sum */
	NEST_VARIANTS, /* kernels, the best first */
	NEST_STREAM, /* a loop around the lanes' loop, the last number, or 0: the kernel runs once for each iteration */
	NEST_SURVEY, /* a function, or 0: it finds what lane 0 accesses around each reference, which is a root */
	/* of a loop without a directive the address of the least work for which it calls, -1 if always; or 0 */
	NEST_AUTO,
	NEST_WARM,         /* the address of a long that is not 0 if the nest's data may be in caches; or 0 */
	NEST_REGROUPED,    /* 1: sums are regrouped, -fpsim-regroup or -fassociative-math */
	NEST_RESIDENT,     /* 1: the nest is in a block whose arrays stay in the buffer memories (target data) */
	NEST_JOINED,       /* 1: several loops of a family go through one dimension */
	NEST_INTERCHANGED, /* not 0: the loop of the directive is not the outermost of the nest */
	NEST_RAGGED,       /* bits of the loops that count more in later lanes */
	NEST_FIRST,        /* their count in lane 0 */
	NEST_MORE,         /* how much it grows with each lane */
	NEST_SAFELEN,      /* lanes that the directive permits at the same time, or enum nest_safelen */
	NEST_HEADER
};

/*
 * Lanes that a directive without safelen permits at the same time: all, and in each set of them a statement sees what
 * the ones above it have stored; or, with order(concurrent), not even that.
 */
enum nest_safelen { NEST_CONCURRENT = -1, NEST_CHUNK = 0 };

/* Work of a lane in an iteration of a loop's body, without loops in it; 0 if the inner loops are not affine. */
enum nest_work_words {
	NEST_ARITHMETIC, /* instructions of the array, a division as its cycles */
	NEST_LOADS,
	NEST_STORES,
	NEST_WITHIN, /* bits of the loop and those around it, without loop 0 */
	NEST_WORK
};

enum nest_ref {
	NEST_FAMILY,
	NEST_ARRAY,  /* number of the array or pointer that the family comes from */
	NEST_START,  /* address in memory at index 0 of all loops */
	NEST_FLAGS,  /* enum nest_flags */
	NEST_INSIDE, /* bits of the loops that the reference is in */
	NEST_FIXED,  /* bits of the loops whose strides are constants of the kernel */
	NEST_MAPPED, /* enum nest_mapped, or the number of a region at whose end the array is forgotten */
	NEST_REF
};

/* Where an array is between nests of a region of target data. */
enum nest_mapped {
	NEST_MOVES = -1, /* moves with each nest, as outside of a region */
	NEST_STAYS = 0
};

enum nest_variant {
	NEST_KERNEL, /* address of the function */
	NEST_USABLE, /* address of a long: 0 if the kernel cannot run on the array */
	NEST_UNIT,   /* lanes that it computes at a time */
	NEST_JAMMED, /* a loop whose iterations it interleaves, or 0; plus NEST_PAIRS if lanes are in pairs */
	NEST_VARIANT
};
enum { NEST_PAIRS = 256 };

/* A reference whose subscript is data: each PE has a copy of the array. */
enum nest_gather {
	NEST_GATHERED,  /* the reference, which has NEST_COPIED */
	NEST_SUBSCRIPT, /* the reference that loads the subscript, or -1 */
	NEST_BY,        /* bytes from one value of the subscript to the next */
	NEST_LEAST,     /* without such a reference, the subscript's least and largest value; with it, 0 and */
	NEST_MOST,      /* enum nest_subscript */
	NEST_GATHER
};
enum nest_subscript { NEST_INT, NEST_UNSIGNED, NEST_LONG };
enum { NEST_GATHERS = 2, NEST_HAS_ROWS = 1 }; /* bits */
enum { NEST_OF_ROW = -2 };                    /* in place of NEST_SUBSCRIPT: it counts the elements of a lane's row */

/* Behind the gathers: references that load a lane's bounds, with enum nest_subscript; the loop. */
enum nest_rows { NEST_ROW_BEGIN, NEST_ROW_BEGIN_TYPE, NEST_ROW_END, NEST_ROW_END_TYPE, NEST_ROW_LOOP, NEST_ROWS };

/* Sums over the lanes: doubles, or longs that are added or combined bit by bit. */
enum nest_sum { NEST_REAL_SUM, NEST_INTEGER_SUM, NEST_XOR, NEST_OR };

enum nest_flags {
	NEST_READ = 1,
	NEST_WRITE = 2,
	NEST_EXACT = 4,  /* the counts of all loops around it are what the table says, not only upper bounds */
	NEST_SINGLE = 8, /* of NEST_SINGLE_SIZE bytes */
	/* it reads what an earlier part of the loop has stored in the same iteration (nest_distribute.cc) */
	NEST_FLOWS = 16,
	NEST_PRIVATE = 32,  /* each lane has a copy of the array, of which memory gets nothing */
	NEST_LAST = 64,     /* but the last lane's */
	NEST_SHORTER = 128, /* memory gets as many elements of a lane as the ragged loops count there */
	NEST_UPWARDS = 256, /* in a ragged loop: the lanes' stride has to be positive */
	NEST_COPIED = 1024, /* its subscript is data */
	NEST_TWIN = 512     /* only stores what the store in front of it has stored to the same array */
};

/*
 * The kernel's data: DATA_HEADER words, then a base address of each reference, strides[refs][loops], the sums of
 * the nest (doubles, a result), values that the nest takes from outside.
 */
enum nest_data {
	DATA_LANES, /* lanes of each PE */
	DATA_LAST,  /* the last lane of all PEs */
	DATA_ROWS,  /* address of how often a loop over rows runs in each lane */
	DATA_SUMS,  /* address of the PEs' partial sums */
	DATA_HEADER
};

/*
 * A survey is called with bases that are no addresses: root k is at ((k + 1) << SURVEY_SHIFT) + SURVEY_MIDDLE. At
 * DATA_SUMS is the address of two longs for each root, which become the least address and the end of what is accessed.
 */
enum { SURVEY_SHIFT = 40 };
#define SURVEY_MIDDLE (1L << (SURVEY_SHIFT - 1))

/* Words of what a kernel needs of the PEs, in section psim_nest_needs (psim_nest_units.c). */
enum nest_need {
	NEED_USABLE, /* address of its NEST_USABLE */
	NEED_UNITS,  /* bits, as rdsimd has them */
	NEED_WORDS
};

/*
 * What psim-record gets of a run (traces/record/nest_runs.c): at marker NEST_RAN, %o0 is the address of these longs.
 * sethi's 22 bits: 'PS' and a byte before it, as those of psim_region.h. traces/record/blocks.h has the same number.
 * It becomes another one with other words, so that programs of an older psim-cc pass nothing.
 */
enum { NEST_RAN = 0x325053 };
enum nest_told {
	TOLD_PLACE,      /* address of "file:line" */
	TOLD_TABLE,      /* address of the nest's table */
	TOLD_PES,        /* 0: the scalar loop runs */
	TOLD_MOVED,      /* bytes of transfers */
	TOLD_WHY,        /* address of the reason why the scalar loop runs, or 0 */
	TOLD_OVERLAPPED, /* not 0: transfers run beside the kernel */
	TOLD_TRANSFERS,  /* their number */
	NEST_TOLD
};

/*
 * Estimates of the array: bytes that memory transfers in a cycle; cycles of a call with its code in memory, and in
 * caches (docs/accuracy/compiled-loops.md#short-loops), and of the instructions that begin a transfer.
 */
enum { NEST_MEMORY_RATE = 4, NEST_FIRST_CALL = 23000, NEST_LATER_CALL = 2900, NEST_TRANSFER = 40 };

/*
 * Estimates of the scalar loop, whose instructions take a cycle each: of the exit of an inner loop that counts more
 * than NEST_PREDICTED, which is mispredicted; and of a line from memory, some of which are on the way together (30 to
 * 56 in loops of tests/simdcc/slower.c). The estimates are right to about a quarter, as slower.py says: so much
 * slower a loop has to be.
 */
enum { NEST_EXIT = 20, NEST_PREDICTED = 8, NEST_LINE_BYTES = 64, NEST_LINE_CYCLES = 45 };
/*
 * Cycles of some instructions of the scalar core with data in caches, about: an element of triad has four and takes
 * 3.0 (docs/accuracy/compiled-loops.md#short-loops). An inner loop of fewer instructions than the reorder buffer has
 * entries runs beside the next one, so that no chain of its iterations delays it (rob_entries of configs/sparc64v.ini).
 */
enum { NEST_WARM_CYCLES = 3, NEST_WARM_INSNS = 4, NEST_REORDERED = 64 };
/* Latencies of the scalar core (section latency of psim's parameters), of comparisons with a conditional move. */
enum { NEST_MOVES_REAL = 2, NEST_ADDS = 4, NEST_MULTIPLIES = 4, NEST_COMPARES = 6 };
/* Cycles of divisions and square roots: defaults of simd.latency_div_d and the like. */
enum { NEST_SINGLE_DIVIDE = 12, NEST_DIVIDE = 19, NEST_SINGLE_ROOT = 18, NEST_ROOT = 29 };
/* Cycles of the scalar core for a subscript: 53 000 for 14 000 of traces/kernels/loops/spmv.c. */
enum { NEST_LOOK = 4 };
enum { NEST_CACHE_BYTES = 6 << 20 }; /* that may be in caches before a loop: the L2 of configs/sparc64v.ini */
#define NEST_TOO_SLOW 1.25

enum { NEST_SIZE = 8, NEST_SINGLE_SIZE = 4 }; /* bytes of an element: a double, a float */

#endif
