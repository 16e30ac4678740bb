/*
 * The state of a core's timing as bytes, in a canonical form: times count from the present cycle, slots from
 * the oldest instruction; what can no longer matter is left out. Two states with equal keys that are given equal
 * answers (transcript.h) go on alike, whenever and wherever in a program they are.
 *
 * Without: a SIMD array; marks of regions and the profile, which count only.
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
