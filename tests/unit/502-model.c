/* Model files and their evaluation: netlink/model/model.h. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "netlink/model/model.h"

/* 2 + 3 n^2 log2(m), fitted for n = 10 … 100 and m = 2 … 8; a model of seconds. */
#define HEAD \
	"{\"model\": {\"format\": \"psim-model\", \"version\": 1, \"value\": \"v\", \"unit\": " \
	"\"s\", \"max_error\": 1.5}, "
#define VARIABLES \
	"\"variables\": [{\"variable\": \"n\", \"from\": 10, \"to\": 100}, {\"variable\": \"m\", " \
	"\"from\": 2, \"to\": 8}], "
#define TERMS \
	"\"terms\": [{\"term\": \"1\", \"coefficient\": 2}, {\"term\": \"n^2*log2(m)\", " \
	"\"coefficient\": 3}]}"

/* The larger of 3 n m + 100 and 2 n^2, of version 2. */
#define HEAD2 \
	"{\"model\": {\"format\": \"psim-model\", \"version\": 2, \"value\": \"v\", \"unit\": " \
	"\"s\", \"max_error\": 1.5}, "
#define SUMS \
	"\"terms\": [{\"sum\": 1, \"term\": \"n*m\", \"coefficient\": 3}, {\"sum\": 1, \"term\": \"1\", " \
	"\"coefficient\": 100}, {\"sum\": 2, \"term\": \"n^2\", \"coefficient\": 2}]}"
#define ROW(sum, term) "{\"sum\": " sum ", \"term\": \"" term "\", \"coefficient\": 1}"
#define ROWS6(sum) \
	ROW(sum, "n") \
	", " ROW(sum, "n^2") ", " ROW(sum, "n^3") ", " ROW(sum, "n^4") ", " ROW(sum, "n^5") ", " ROW(sum, "n^6")

/* A table, version 3: 1 at n = 2 and 8 at n = 8, so n^1.5 / 2^1.5; errors of 3 % inside and 20 % outside. */
#define HEAD3 \
	"{\"model\": {\"format\": \"psim-model\", \"version\": 3, \"value\": \"v\", \"unit\": " \
	"\"s\", \"max_error\": 0, \"errors\": 2, \"error_inside\": 3, \"error_outside\": 20}, " \
	"\"variables\": [{\"variable\": \"n\", \"from\": 2, \"to\": 8}], "
#define KNOT(x, value) "{\"x1\": " x ", \"value\": " value "}"

static struct model *read_text(const char *text, struct err *e)
{
	char path[] = "/tmp/psim-model-XXXXXX";
	struct model *m;
	int fd = mkstemp(path);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
	m = model_read(path, e);
	unlink(path);
	return m;
}

static void a_model_file_says_what_it_gives(void)
{
	struct err e = {0};
	struct model *m = read_text(HEAD VARIABLES TERMS, &e);
	double from, to;

	REQUIRE(m != NULL);
	CHECK_U64(model_variables(m), 2);
	CHECK_STR(model_variable(m, 0, &from, &to), "n");
	CHECK_F64(from, 10, 0);
	CHECK_F64(to, 100, 0);
	CHECK_STR(model_variable(m, 1, NULL, NULL), "m");
	CHECK_STR(model_unit(m), "s");
	model_destroy(m);
	model_destroy(NULL);
}

static void a_table_is_interpolated(void)
{
	struct err e = {0};
	struct model *m = read_text(HEAD3 "\"knots\": [" KNOT("8", "8") ", " KNOT("2", "1") "]}", &e);

	REQUIRE(m != NULL);
	CHECK_F64(model_evaluate(m, (double[]){2}, NULL), 1, 1e-12);
	CHECK_F64(model_evaluate(m, (double[]){4}, NULL), pow(2, 1.5), 1e-12);
	CHECK_F64(model_evaluate(m, (double[]){32}, NULL), 64, 1e-12);
	CHECK(isnan(model_evaluate(m, (double[]){0}, NULL)));
	/* 20 % at twice 8 or half of 2, 40 at four times; at 9 20 x log2(9/8) = 3.4, at 8.5 1.7: at least 3 */
	CHECK_F64(model_expected_error(m, (double[]){4}), 3, 0);
	CHECK_F64(model_expected_error(m, (double[]){16}), 20, 0);
	CHECK_F64(model_expected_error(m, (double[]){1}), 20, 0);
	CHECK_F64(model_expected_error(m, (double[]){32}), 40, 1e-12);
	CHECK_F64(model_expected_error(m, (double[]){9}), 20 * log2(9. / 8), 1e-12);
	CHECK_F64(model_expected_error(m, (double[]){8.5}), 3, 0);
	CHECK(isinf(model_expected_error(m, (double[]){0})));
	model_destroy(m);
	CHECK(!read_text(HEAD3 "\"knots\": [" KNOT("8", "8") "]}", &e));
	CHECK(strstr(e.text, ": knots: expected a table of 2 to 65536 rows") != NULL);
	CHECK(!read_text(HEAD3 "\"knots\": [" KNOT("8", "8") ", " KNOT("0", "1") "]}", &e));
	CHECK(strstr(e.text, ": knots: 1 at a size of 0, expected numbers above 0 for interpolation") != NULL);
	/* without the two errors: that at the fitted points */
	m = read_text(HEAD VARIABLES TERMS, &e);
	REQUIRE(m != NULL);
	CHECK_F64(model_expected_error(m, (double[]){200, 8}), 1.5, 0);
	model_destroy(m);
}

/*
 * Files of all ages: with neither error or one, with both but no number of their rules, with an older one, and as now.
 */
static void old_expected_errors_are_told(void)
{
	static const struct {
		const char *errors, *note;
	} rows[] = {
		{"", "no expected errors"},
		{", \"error_inside\": 3", "no expected errors"},
		{", \"errors\": 2, \"error_inside\": 3, \"error_outside\": null", "no expected errors"},
		{", \"error_inside\": 3, \"error_outside\": 9", "expected errors of an older psim-fit"},
		{", \"errors\": 1, \"error_inside\": 3, \"error_outside\": 9", "expected errors of an older psim-fit"},
		{", \"errors\": 2, \"error_inside\": 3, \"error_outside\": 9", NULL},
	};

	for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		char text[1024];
		struct model *m;

		snprintf(text, sizeof(text),
			 "{\"model\": {\"format\": \"psim-model\", \"version\": 1, \"value\": \"v\", \"unit\": "
			 "\"s\", \"max_error\": 1%s}, %s%s",
			 rows[n].errors, VARIABLES, TERMS);
		m = read_text(text, NULL);
		REQUIRE(m != NULL);
		if (rows[n].note)
			CHECK_STR(model_errors_note(m), rows[n].note);
		else
			CHECK(!model_errors_note(m));
		model_destroy(m);
	}
}

static void the_value_is_the_sum_of_the_terms(void)
{
	struct model *m = read_text(HEAD VARIABLES TERMS, NULL);

	REQUIRE(m != NULL);
	CHECK_F64(model_evaluate(m, (double[]){10, 4}, NULL), 602, 1e-9);  /* 2 + 3 x 100 x 2 */
	CHECK_F64(model_evaluate(m, (double[]){20, 8}, NULL), 3602, 1e-9); /* 2 + 3 x 400 x 3 */
	model_destroy(m);
}

static void the_value_is_that_of_the_largest_sum(void)
{
	struct model *m = read_text(HEAD2 VARIABLES SUMS, NULL);

	REQUIRE(m != NULL);
	CHECK_F64(model_evaluate(m, (double[]){10, 2}, NULL), 200, 1e-9);  /* 60 + 100 < 2 x 100 */
	CHECK_F64(model_evaluate(m, (double[]){10, 4}, NULL), 220, 1e-9);  /* 120 + 100 > 200 */
	CHECK_F64(model_evaluate(m, (double[]){20, 8}, NULL), 800, 1e-9);  /* 480 + 100 < 2 x 400 */
	CHECK_F64(model_evaluate(m, (double[]){-10, 4}, NULL), 200, 1e-9); /* -120 + 100 < 200 */
	CHECK(isnan(model_evaluate(m, (double[]){1e200, 4}, NULL)));       /* one of them is 2e400 */
	CHECK(isnan(model_evaluate(m, (double[]){-1e200, 1e200}, NULL)));  /* one of them is -3e400 */
	model_destroy(m);
}

static void two_full_sums_are_read(void)
{
	struct model *m = read_text(HEAD2 VARIABLES "\"terms\": [" ROWS6("1") ", " ROWS6("1") ", " ROWS6(
					    "2") ", " ROWS6("2") ", " ROW("3", "m") "]}",
				    NULL);

	REQUIRE(m != NULL);
	CHECK_F64(model_evaluate(m, (double[]){1, 2}, NULL), 12, 1e-12);  /* six powers of 1, twice; 2 */
	CHECK_F64(model_evaluate(m, (double[]){1, 13}, NULL), 13, 1e-12); /* the third sum */
	model_destroy(m);
}

static void there_is_no_value_without_a_logarithm_or_below_zero_seconds(void)
{
	struct model *m = read_text(HEAD VARIABLES TERMS, NULL);

	REQUIRE(m != NULL);
	CHECK(isnan(model_evaluate(m, (double[]){10, 0}, NULL)));
	CHECK(isnan(model_evaluate(m, (double[]){(double)NAN, 2}, NULL)));
	CHECK(isnan(model_evaluate(m, (double[]){1e200, 2}, NULL)));     /* 1e400 */
	CHECK(isnan(model_evaluate(m, (double[]){10, 0.5}, NULL)));      /* 2 - 300 s */
	CHECK_F64(model_evaluate(m, (double[]){10, 1}, NULL), 2, 1e-12); /* log2(1) = 0 */
	model_destroy(m);
}

static void leaving_the_range_is_told_once(void)
{
	struct model *m = read_text(HEAD VARIABLES TERMS, NULL);
	struct model_watch watch = {0};
	char text[128];

	REQUIRE(m != NULL);
	model_evaluate(m, (double[]){10, 8}, &watch); /* the edges are inside */
	CHECK(!watch.outside && !watch.warn);
	model_evaluate(m, (double[]){250, 8}, &watch);
	CHECK(watch.outside && watch.warn);
	CHECK_F64(watch.furthest[0].factor, 2.5, 1e-12);
	CHECK_F64(watch.furthest[1].factor, 0, 0);
	model_watch_text(m, &watch, text, sizeof(text));
	CHECK_STR(text, "n = 250 is 2.5 times the largest fitted value, 100");
	model_evaluate(m, (double[]){50, 0.5}, &watch); /* 2 / 0.5 = 4: further */
	CHECK(watch.outside && !watch.warn);
	model_watch_text(m, &watch, text, sizeof(text)); /* each variable is named */
	CHECK_STR(text, "n = 250 is 2.5 times the largest fitted value, 100; "
			"m = 0.5 is 1/4 of the smallest fitted value, 2");
	model_evaluate(m, (double[]){50, 4}, &watch);
	CHECK(!watch.outside && !watch.warn);
	model_evaluate(m, (double[]){50, 16}, &watch); /* 2 times: the furthest stays */
	CHECK_F64(watch.furthest[1].factor, 4, 1e-12);
	CHECK_U64(watch.times, 3);
	model_evaluate(m, (double[]){50, -1}, &watch); /* no quotient: infinitely far */
	model_watch_text(m, &watch, text, sizeof(text));
	CHECK_STR(text,
		  "n = 250 is 2.5 times the largest fitted value, 100; m = -1 is below the smallest fitted value, 2");
	model_watch_text(m, &watch, text, 20); /* cut */
	CHECK_STR(text, "n = 250 is 2.5 time");
	model_destroy(m);
}

static void bad_models_are_refused(void)
{
	static const struct {
		const char *text, *message; /* after the file's name */
	} rows[] = {
		{"", ":1: not JSON"},
		{"[]", ": not a model, expected a JSON object"},
		{"{\"run\": {}}", ": model.format: expected \"psim-model\""},
		{"{\"model\": {\"format\": \"psim-model\", \"version\": 4}}",
		 ": version: model of version 4, expected 1 to 3"},
		{HEAD2 VARIABLES TERMS, ": sum: expected a number"},
		{HEAD VARIABLES SUMS, ": sum: expected version 2"},
		{HEAD2 VARIABLES "\"terms\": [" ROW("0", "n") "]}", ": sum: expected numbers from 1 on"},
		{HEAD2 VARIABLES "\"terms\": [" ROW("2", "n") "]}", ": sum: expected numbers from 1 on"},
		{HEAD2 VARIABLES "\"terms\": [" ROW("1.5", "n") "]}", ": sum: expected numbers from 1 on"},
		{HEAD2 VARIABLES "\"terms\": [" ROW("1", "n") ", " ROW("3", "n") "]}",
		 ": sum: expected numbers from 1 on"},
		{HEAD2 VARIABLES "\"terms\": [" ROW("1", "n") ", " ROW("2", "n") ", " ROW("1", "n^2") "]}",
		 ": sum: expected numbers from 1 on"},
		{HEAD2 VARIABLES
		 "\"terms\": [" ROW("1", "n") ", " ROW("2", "n") ", " ROW("3", "n") ", " ROW("4", "n") "]}",
		 ": sum: expected at most 3 sums"},
		{HEAD2 VARIABLES "\"terms\": [" ROWS6("1") ", " ROWS6("1") ", " ROW("1", "m") "]}",
		 ": terms: expected at most 12 rows of a sum"},
		{HEAD2 VARIABLES "\"terms\": []}", ": terms: expected a table"},
		{"{\"model\": {\"format\": \"psim-model\", \"version\": 1}}", ": value: expected a text"},
		{HEAD "\"variables\": []}", ": variables: expected a table"},
		{HEAD "\"variables\": [{\"variable\": \"2n\"}]}", ": variables: '2n' is not a variable name"},
		{HEAD "\"variables\": [{\"variable\": \"n\", \"from\": 2, \"to\": 1}]}",
		 ": variables: expected 'from' not above"},
		{HEAD "\"variables\": [{\"variable\": \"n\", \"from\": null, \"to\": 1}]}",
		 ": from: expected a number"},
		{HEAD VARIABLES "\"terms\": []}", ": terms: expected a table of 1 to 12 rows"},
		{HEAD VARIABLES "\"terms\": [{\"term\": \"k\", \"coefficient\": 1}]}",
		 ": terms: term 'k': unknown variable 'k'"},
		{HEAD VARIABLES "\"terms\": [{\"term\": \"n\", \"coefficient\": \"1\"}]}",
		 ": coefficient: expected a number"},
		{HEAD VARIABLES "\"terms\": [{\"term\": \"n\", \"coefficient\": 1e999}]}", ": not JSON"},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err e = {0};

		CHECK(read_text(rows[i].text, &e) == NULL);
		CHECK_I64(e.status, STATUS_BAD_INPUT);
		if (!strstr(e.text, rows[i].message) &&
		    !(strstr(rows[i].message, "not JSON") && strstr(e.text, "not JSON")))
			CHECK_STR(e.text, rows[i].message);
	}
	CHECK(model_read("/nonexistent/x.model", NULL) == NULL);
}

static void short_of_memory_there_is_no_model(void)
{
	for (unsigned k = 1;; k++) {
		struct err e = {0};
		struct model *m;

		alloc_fail_at(k);
		m = read_text(HEAD VARIABLES TERMS, &e);
		if (!alloc_fail_end()) {
			model_destroy(m);
			break;
		}
		CHECK(m == NULL);
		CHECK_I64(e.status, STATUS_FAILED);
	}
}

static void the_models_of_the_repository_read(void)
{
	static const char *const names[] = {"configs/models/dgemm.model", "configs/models/zgemm.model",
					    "configs/models/fft.model"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct err e = {0};
		struct model *m = model_read(tap_source(names[i]), &e);
		double from, to;

		CHECK_STR(e.text, "");
		REQUIRE(m != NULL);
		CHECK_U64(model_variables(m), 1);
		CHECK_STR(model_variable(m, 0, &from, &to), "n");
		CHECK_STR(model_unit(m), "s");
		/* longer for larger sizes, over the whole range */
		CHECK(model_evaluate(m, &from, NULL) > 0);
		CHECK(model_evaluate(m, &to, NULL) > model_evaluate(m, &from, NULL));
		model_destroy(m);
	}
}

static const struct tap_test tests[] = {
	{"a model file says what it gives", a_model_file_says_what_it_gives},
	{"a table is interpolated", a_table_is_interpolated},
	{"old expected errors are told", old_expected_errors_are_told},
	{"the value is the sum of the terms", the_value_is_the_sum_of_the_terms},
	{"the value is that of the largest sum", the_value_is_that_of_the_largest_sum},
	{"two full sums are read", two_full_sums_are_read},
	{"there is no value without a logarithm or below zero seconds",
	 there_is_no_value_without_a_logarithm_or_below_zero_seconds},
	{"leaving the range is told once", leaving_the_range_is_told_once},
	{"bad models are refused", bad_models_are_refused},
	{"the models of the repository read", the_models_of_the_repository_read},
	{"short of memory there is no model", short_of_memory_there_is_no_model},
};

int main(void)
{
	return tap_main("model", tests, TAP_COUNT(tests));
}
