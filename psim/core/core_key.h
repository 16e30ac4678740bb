/*
 * A core's timing state as canonical bytes: times are relative to the present cycle, slots to the oldest
 * instruction, and state without effect on later cycles is omitted. Two states with equal keys and equal
 * answers (transcript.h) behave alike, at any time and place of a program.
 *
 * The key omits region marks and the profile, which do not affect timing. It does not cover a SIMD array.
 */
#ifndef PSIM_CORE_CORE_KEY_H
#define PSIM_CORE_CORE_KEY_H

#include <stddef.h>
#include <stdint.h>

struct core;

struct core_key {
	uint8_t *bytes;
	size_t count, size;
};

/* Writes the key of `c`, which is between two cycles and has no array. 0, or -1: no memory. */
int core_key_make(const struct core *c, struct core_key *k);
void core_key_finish(struct core_key *k);

#endif
