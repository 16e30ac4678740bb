/* Helpers of the kernels for the SIMD array: its size, and addresses and transfers in doubles. */
#ifndef SIMD_KERNEL_H
#define SIMD_KERNEL_H

#include <stdint.h>
#include <stdio.h>

#include "../psim_simd.h"

struct array {
	long pes, room; /* PEs; doubles in the SBM of each */
};

static inline struct array array_here(void)
{
	return (struct array){.pes = (long)simd_pes(), .room = (long)simd_sbm_bytes() / 8};
}

/* Complex numbers need an even number of PEs: returns 0, or 1 with a message. */
static inline int needs_pairs(long pes)
{
	if (pes % 2 == 0)
		return 0;
	fprintf(stderr, "complex numbers lie in pairs of PEs: their number must be even, here it is %ld\n", pes);
	return 1;
}

/* Returns 0, or 1 with a message if an SBM has fewer than `doubles`. */
static inline int needs_room(struct array array, long doubles)
{
	if (doubles <= array.room)
		return 0;
	fprintf(stderr, "an SBM of %ld bytes is too small: this takes %ld\n", 8 * array.room, 8 * doubles);
	return 1;
}

static inline long smaller(long a, long b)
{
	return a < b ? a : b;
}

/* The SBMs of all PEs from double `at` on: each PE loads from and stores to its own. */
static inline double *sbm(long at)
{
	return simd_all(8 * (uint64_t)at);
}

/* The SBM of one PE, for the scalar core's integer loads and stores: bit patterns of doubles. */
static inline uint64_t *sbm_of(long pe, long at)
{
	return simd_pe((unsigned)pe, 8 * (uint64_t)at);
}

/*
 * Rows of `width` doubles, `stride` doubles apart in memory, to and from the SBMs: row r is in
 * PE r mod pes at double `at` + r / pes * width.
 */
static inline void deal_rows(const double *from, long at, long width, long rows, long stride)
{
	simd_deal_pieces(sbm(at), from, (uint32_t)(8 * width), (uint32_t)rows, 8 * stride);
}

static inline void collect_rows(double *to, long at, long width, long rows, long stride)
{
	simd_collect_pieces(sbm(at), to, (uint32_t)(8 * width), (uint32_t)rows, 8 * stride);
}

/* The same with one PE that has all rows, contiguously. */
static inline void get_rows(const double *from, long pe, long at, long width, long rows, long stride)
{
	simd_get_pieces(sbm_of(pe, at), from, (uint32_t)(8 * width), (uint32_t)rows, 8 * stride);
}

static inline void put_rows(double *to, long pe, long at, long width, long rows, long stride)
{
	simd_put_pieces(sbm_of(pe, at), to, (uint32_t)(8 * width), (uint32_t)rows, 8 * stride);
}

/*
 * The largest share of a vector of `count` elements: each PE gets a block, the first ones one
 * element more.
 */
static inline long vector_share(struct array array, long count)
{
	return (count + array.pes - 1) / array.pes;
}

static inline void vector_get(struct array array, const double *from, long at, long count)
{
	long share = count / array.pes, rest = count % array.pes;

	if (share > 0)
		deal_rows(from, at, share, array.pes, share);
	if (rest > 0)
		deal_rows(from + count - rest, at + share, 1, rest, 1);
}

static inline void vector_put(struct array array, double *to, long at, long count)
{
	long share = count / array.pes, rest = count % array.pes;

	if (share > 0)
		collect_rows(to, at, share, array.pes, share);
	if (rest > 0)
		collect_rows(to + count - rest, at + share, 1, rest, 1);
}

#endif
