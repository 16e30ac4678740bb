/*
 * A fuzz target is one function that must survive any bytes: no crash, no
 * sanitizer report, no leak, no more than seconds of time. libFuzzer calls it
 * (-Dfuzz=true), or main.c does with the files of the kept corpus.
 */
#ifndef PSIM_TESTS_FUZZ_H
#define PSIM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
