#include "tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned tests_done;

static void test_done(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failures)
{
	printf("%sok %u %s: %s\n", failures ? "not " : "", ++tests_done, suite->pName, test->pName);
	fflush(stdout);
	for (CU_pFailureRecord f = failures; f; f = f->pNext)
		fprintf(stderr, "%s:%u: %s\n", f->strFileName ? f->strFileName : "?", f->uiLineNumber,
			f->strCondition ? f->strCondition : "failed");
}

int tap_main(const char *topic, const struct tap_test *tests, unsigned count)
{
	CU_pSuite suite;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	suite = CU_add_suite(topic, NULL, NULL);
	if (!suite)
		return 1;
	for (unsigned i = 0; i < count; i++)
		if (!CU_add_test(suite, tests[i].title, tests[i].run)) {
			fprintf(stderr, "test \"%s\": %s\n", tests[i].title, CU_get_error_msg());
			return 1;
		}
	printf("1..%u\n", count);
	CU_set_test_complete_handler(test_done);
	CU_run_all_tests();
	CU_cleanup_registry();
	return 0;
}

__attribute__((format(printf, 4, 5))) static void check(int holds, const char *file, int line, const char *format, ...)
{
	char text[600];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	CU_assertImplementation(holds ? CU_TRUE : CU_FALSE, (unsigned)line, text, file, "", CU_FALSE);
}

void tap_check_u64(uint64_t actual, uint64_t expected, const char *what, const char *file, int line)
{
	check(actual == expected, file, line, "%s is %" PRIu64 ", expected %" PRIu64, what, actual, expected);
}

void tap_check_i64(int64_t actual, int64_t expected, const char *what, const char *file, int line)
{
	check(actual == expected, file, line, "%s is %" PRId64 ", expected %" PRId64, what, actual, expected);
}

void tap_check_hex(uint64_t actual, uint64_t expected, const char *what, const char *file, int line)
{
	check(actual == expected, file, line, "%s is 0x%" PRIx64 ", expected 0x%" PRIx64, what, actual, expected);
}

void tap_check_str(const char *actual, const char *expected, const char *what, const char *file, int line)
{
	int same = actual && expected ? !strcmp(actual, expected) : actual == expected;

	check(same, file, line, "%s is \"%s\", expected \"%s\"", what, actual ? actual : "(null)",
	      expected ? expected : "(null)");
}

void tap_check_f64(double actual, double expected, double tolerance, const char *what, const char *file, int line)
{
	check(fabs(actual - expected) <= tolerance, file, line, "%s is %.17g, expected %.17g within %g", what, actual,
	      expected, tolerance);
}

const char *tap_source(const char *relative)
{
	static char path[4][1024];
	static unsigned next;
	const char *root = getenv("PSIM_SOURCE_ROOT");
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", root ? root : ".", relative);
	return p;
}
