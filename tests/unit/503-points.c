/* The points that models are fitted to: netlink/model/fit/points.h. The messages: tests/bad/fit.t. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "fit_data.h"
#include "netlink/model/fit/points.h"

static const struct points_choice dgemm = {.region = "dgemm"};

static void an_operand_with_values_is_a_report(void)
{
	CHECK(points_is_assignment("n=1:x.json"));
	CHECK(points_is_assignment("n=1"));
	CHECK(!points_is_assignment("x.csv"));
	CHECK(!points_is_assignment("./n=1.csv"));
	CHECK(!points_is_assignment("-"));
	CHECK(!points_is_assignment("=1"));
}

static void a_report_gives_value_and_origin(void)
{
	struct points p = {0};
	struct err e = {0};
	char operand[4096];

	snprintf(operand, sizeof(operand), "n=64,m=0.5:%s", tap_source("tests/bad/fit/good.json"));
	CHECK_I64(points_add_report(&p, &dgemm, operand, &e), 0);
	snprintf(operand, sizeof(operand), "m=1e3,n=128:%s", tap_source("tests/bad/fit/good.json"));
	CHECK_I64(points_add_report(&p, &dgemm, operand, &e), 0);
	CHECK_STR(e.text, "");
	REQUIRE(p.list.count == 2);
	CHECK_F64(p.list.at[0].values[0], 64, 0);
	CHECK_F64(p.list.at[0].values[1], 0.5, 0);
	CHECK_F64(p.list.at[1].values[0], 128, 0);
	CHECK_F64(p.list.at[1].values[1], 1000, 0);
	CHECK_F64(p.list.at[1].result, 0.5, 0);
	CHECK_STR(p.list.at[1].checksum, "00c0ffee");
	CHECK_STR(p.list.at[1].program, "psim 0.1.0");
	CHECK_STR(p.value_name, "regions.dgemm.seconds");
	CHECK_STR(p.unit, "s");
	points_finish(&p);
}

static void conditions_hold_out_what_meets_them(void)
{
	static const struct {
		const char *condition;
		int count;
	} rows[] = {{"n=3", 1},   {"n<3", 2}, {"n<=3", 3}, {"n>3", 2},  {"n>=3", 3},  {"n>9", -1},
		    {"n=>3", -1}, {"n", -1},  {"n=", -1},  {"k=3", -1}, {"n==3", -1}, {"n=3x", -1}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct points p = fit_data_points("n");
		int held_out = 0;

		for (int n = 1; n <= 5; n++)
			fit_data_add(&p, n, 0, 1);
		CHECK_I64(points_hold_out(&p, rows[i].condition, NULL), rows[i].count);
		for (size_t n = 0; n < p.list.count; n++)
			held_out += p.list.at[n].held_out;
		CHECK_I64(held_out, rows[i].count < 0 ? 0 : rows[i].count);
		points_finish(&p);
	}
}

/* A table in a file that is gone when this returns. */
static int add_table(struct points *p, const struct points_choice *choice, const char *text, struct err *e)
{
	char path[] = "/tmp/psim-points-XXXXXX";
	int fd = mkstemp(path), ret;
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
	ret = points_add_table(p, choice, path, e);
	unlink(path);
	return ret;
}

static void a_table_has_variables_and_a_value(void)
{
	const struct points_choice watts = {.value = "watts"};
	struct points p = {0};

	CHECK_I64(add_table(&p, &watts, "# c\n\n n , watts ,m\r\n 1, 2 ,3\n#x\n4,5,6", NULL), 0);
	REQUIRE(p.list.count == 2);
	CHECK_STR(p.variables.name[0], "n");
	CHECK_STR(p.variables.name[1], "m");
	CHECK_F64(p.list.at[1].values[0], 4, 0);
	CHECK_F64(p.list.at[1].values[1], 6, 0);
	CHECK_F64(p.list.at[1].result, 5, 0);
	CHECK_STR(p.value_name, "watts");
	CHECK_STR(p.unit, "");
	points_finish(&p);
}

static void a_line_that_is_too_long_or_wide_is_refused(void)
{
	struct points_choice none = {0};
	struct points p = {0};
	char text[2000];

	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	CHECK_I64(add_table(&p, &none, text, NULL), -1);
	CHECK_I64(add_table(&p, &none, "a,b,c,d,e,f,g,h\n", NULL), -1);
	CHECK_I64(add_table(&p, &none, "a,b,c,d,e,f\n", NULL), -1);
	points_finish(&p);
}

static void short_of_memory_it_is_told(void)
{
	char operand[4096];

	snprintf(operand, sizeof(operand), "n=64:%s", tap_source("tests/bad/fit/good.json"));
	for (unsigned k = 1;; k++) {
		struct points p = {0};
		struct err e = {0};
		int ret;

		alloc_fail_at(k);
		ret = points_add_report(&p, &dgemm, operand, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(ret, 0);
			points_finish(&p);
			break;
		}
		CHECK_I64(ret, -1);
		CHECK_I64(e.status, STATUS_FAILED);
		points_finish(&p);
	}
}

static const struct tap_test tests[] = {
	{"an operand with values is a report", an_operand_with_values_is_a_report},
	{"a report gives value and origin", a_report_gives_value_and_origin},
	{"conditions hold out what meets them", conditions_hold_out_what_meets_them},
	{"a table has variables and a value", a_table_has_variables_and_a_value},
	{"a line that is too long or wide is refused", a_line_that_is_too_long_or_wide_is_refused},
	{"short of memory it is told", short_of_memory_it_is_told},
};

int main(void)
{
	return tap_main("points", tests, TAP_COUNT(tests));
}
