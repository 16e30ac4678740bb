/* The SIMD extension as functions, for Fortran (psim_simd.f90). */
#include "psim_simd.h"

void psim_simd_on(void);
void psim_simd_off(void);
int psim_simd_pes(void);
int64_t psim_simd_bytes(void);
void psim_simd_get(uint64_t window, const void *memory, int32_t bytes, int32_t pieces, int32_t stride);
void psim_simd_put(uint64_t window, void *memory, int32_t bytes, int32_t pieces, int32_t stride);
void psim_simd_deal(uint64_t window, const void *memory, int32_t bytes, int32_t pieces, int32_t stride);
void psim_simd_collect(uint64_t window, void *memory, int32_t bytes, int32_t pieces, int32_t stride);
void psim_simd_wait(int count);
void psim_simd_gather(double *values, const double *table, const int32_t *index, int n);
void psim_simd_scatter(double *table, const int32_t *index, const double *values, int n);
void psim_simd_choose_less(double *to, const double *x, const double *y, const double *a, const double *b, int n);
void psim_simd_int_multiply_add(int64_t *to, const int64_t *x, const int64_t *y, const int64_t *z, int n);
void psim_simd_pair_multiply_add(float *to, const float *x, const float *y, const float *z, int n);

void psim_simd_on(void)
{
	simd_on();
}

void psim_simd_off(void)
{
	simd_off();
}

int psim_simd_pes(void)
{
	return (int)simd_pes();
}

int64_t psim_simd_bytes(void)
{
	return simd_sbm_bytes();
}

void psim_simd_get(uint64_t window, const void *memory, int32_t bytes, int32_t pieces, int32_t stride)
{
	simd_get_pieces((void *)window, memory, (uint32_t)bytes, (uint32_t)pieces, stride);
}

void psim_simd_put(uint64_t window, void *memory, int32_t bytes, int32_t pieces, int32_t stride)
{
	simd_put_pieces((void *)window, memory, (uint32_t)bytes, (uint32_t)pieces, stride);
}

void psim_simd_deal(uint64_t window, const void *memory, int32_t bytes, int32_t pieces, int32_t stride)
{
	simd_deal_pieces((void *)window, memory, (uint32_t)bytes, (uint32_t)pieces, stride);
}

void psim_simd_collect(uint64_t window, void *memory, int32_t bytes, int32_t pieces, int32_t stride)
{
	simd_collect_pieces((void *)window, memory, (uint32_t)bytes, (uint32_t)pieces, stride);
}

/* The instruction's count is a constant. */
void psim_simd_wait(int count)
{
	switch (count) {
	case 1: simd_wait(1); break;
	case 2: simd_wait(2); break;
	case 3: simd_wait(3); break;
	case 4: simd_wait(4); break;
	case 8: simd_wait(8); break;
	case 12: simd_wait(12); break;
	default: simd_wait(0);
	}
}

/* ---- units beside the paper's: on `n` elements of arrays in SBM, in SIMD mode ---- */

SIMD_FUNCTION void psim_simd_gather(double *values, const double *table, const int32_t *index, int n)
{
	for (int k = 0; k < n; k++)
		values[k] = simd_gather(table, simd_index(index + k));
}

SIMD_FUNCTION void psim_simd_scatter(double *table, const int32_t *index, const double *values, int n)
{
	for (int k = 0; k < n; k++)
		simd_scatter(table, simd_index(index + k), values[k]);
}

SIMD_FUNCTION void psim_simd_choose_less(double *to, const double *x, const double *y, const double *a, const double *b,
					 int n)
{
	for (int k = 0; k < n; k++)
		to[k] = simd_less(x[k], y[k], a[k], b[k]);
}

SIMD_FUNCTION void psim_simd_int_multiply_add(int64_t *to, const int64_t *x, const int64_t *y, const int64_t *z, int n)
{
	for (int k = 0; k < n; k++)
		((simd_bits *)to)[k] = simd_int_multiply_add(((const simd_bits *)x)[k], ((const simd_bits *)y)[k],
							     ((const simd_bits *)z)[k]);
}

SIMD_FUNCTION void psim_simd_pair_multiply_add(float *to, const float *x, const float *y, const float *z, int n)
{
	for (int k = 0; k < n; k++)
		((simd_bits *)to)[k] = simd_pair_multiply_add(((const simd_bits *)x)[k], ((const simd_bits *)y)[k],
							      ((const simd_bits *)z)[k]);
}
