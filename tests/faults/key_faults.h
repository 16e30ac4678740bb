/* A core's key without one of its fields: for sources that key_fields.py makes of core_key.c and array_key.c. */
#ifndef PSIM_TESTS_KEY_FAULTS_H
#define PSIM_TESTS_KEY_FAULTS_H

#include "psim/core/core_state.h"

extern unsigned key_left_out; /* the number of the field; 0: none is */
extern const uint64_t key_no_slots[ROB_WORDS_MAX];

#define KEY_FIELD(number, value) (key_left_out == (number) ? 0 : (value))
#define KEY_CYCLE(number, cycle) (key_left_out == (number) ? c->now : (cycle))
#define KEY_SET(number, set) (key_left_out == (number) ? key_no_slots : (set))

#endif
