/*
 * Internal to isa: conversion between the host's numbers and their bits, and the test whether a
 * result of the host's FPU is also SPARC's.
 */
#ifndef PSIM_ISA_FP_BITS_H
#define PSIM_ISA_FP_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline double to_double(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static inline uint64_t of_double(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static inline float to_float(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static inline uint32_t of_float(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* Returns whether the host's result is final: no NaN, and its magnitude is not the smallest normal number. */
static inline bool plain_d(uint64_t bits)
{
	uint64_t magnitude = bits & ~(1ull << 63);

	return magnitude <= 0x7ff0000000000000 && magnitude != 0x0010000000000000;
}

static inline bool plain_f(uint32_t bits)
{
	uint32_t magnitude = bits & ~(1u << 31);

	return magnitude <= 0x7f800000 && magnitude != 0x00800000;
}

/*
 * The complement for many results in a loop: the top bit is set where plain_d or plain_f is
 * false. Differences and logic only, which compilers vectorize.
 */
static inline uint64_t slow_d(uint64_t bits)
{
	uint64_t magnitude = bits & ~(1ull << 63), other = magnitude ^ 0x0010000000000000;

	return (0x7ff0000000000000 - magnitude) | ((other - 1) & ~other);
}

static inline uint32_t slow_f(uint32_t bits)
{
	uint32_t magnitude = bits & ~(1u << 31), other = magnitude ^ 0x00800000;

	return (0x7f800000 - magnitude) | ((other - 1) & ~other);
}

#endif
