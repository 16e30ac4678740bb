/*
 * CUnit tests whose results come out as TAP, one test case a line, so that
 * `meson test` shows each of them.
 *
 * A test file is a list of functions with a sentence for each, and
 *
 *     int main(void) { return tap_main("caches", tests, TAP_COUNT(tests)); }
 *
 * A failed check is reported on stderr as file:line: what came, what was expected;
 * stdout carries only the plan. The exit status is 0 whenever the plan was run
 * to its end, since a TAP reader counts the failures itself.
 */
#ifndef PSIM_TESTS_TAP_H
#define PSIM_TESTS_TAP_H

#include <stdint.h>

#include <CUnit/CUnit.h>

struct tap_test {
	const char *title; /* a sentence that names the property */
	void (*run)(void);
};

#define TAP_COUNT(tests) ((unsigned)(sizeof(tests) / sizeof(tests)[0]))

int tap_main(const char *topic, const struct tap_test *tests, unsigned count);

/* Checks that show both values when they fail. The test goes on. */
#define CHECK(condition) CU_ASSERT(condition)
#define CHECK_U64(actual, expected) tap_check_u64((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_I64(actual, expected) tap_check_i64((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_HEX(actual, expected) tap_check_hex((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_STR(actual, expected) tap_check_str((actual), (expected), #actual, __FILE__, __LINE__)
/* `tolerance` is absolute. */
#define CHECK_F64(actual, expected, tolerance) \
	tap_check_f64((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
/* Checks a precondition of the rest of the test: leaves the function if it fails. */
#define REQUIRE(condition) CU_ASSERT_FATAL(condition)

void tap_check_u64(uint64_t actual, uint64_t expected, const char *what, const char *file, int line);
void tap_check_i64(int64_t actual, int64_t expected, const char *what, const char *file, int line);
void tap_check_hex(uint64_t actual, uint64_t expected, const char *what, const char *file, int line);
void tap_check_str(const char *actual, const char *expected, const char *what, const char *file, int line);
void tap_check_f64(double actual, double expected, double tolerance, const char *what, const char *file, int line);

/* Returns the path of a file of the source tree, e.g. tap_source("tests/bad/x.ini"), in one of four static buffers. */
const char *tap_source(const char *relative);

#endif
