/* Numbers of a report by name, and expectations of them: psim/base/report/report.h. */
#include "tap.h"

#include <string.h>

#include "psim/base/report/report.h"

static struct report *sample(void)
{
	static const struct report_column columns[] = {{"name", ""}, {"ipc", ""}, {"note", ""}};
	struct report *r = report_create();

	report_group(r, "core", "");
	report_u64(r, "cycles", 1000, "", "");
	report_f64(r, "ipc", 1.25, "", "");
	report_text(r, "kind", "big", "");
	report_group(r, "l1", "");
	report_u64(r, "ipc", 7, "", "");
	report_end(r);
	report_end(r);
	report_table(r, "regions", "", columns, 3);
	report_cell_text(r, "a.b");
	report_cell_f64(r, 2.5);
	report_cell_text(r, "x");
	report_cell_text(r, "a");
	report_cell_f64(r, 3.5);
	report_cell_text(r, "y");
	report_table_end(r);
	report_u64(r, "last", 9, "", "");
	return r;
}

static void numbers_have_names(void)
{
	static const struct {
		const char *path;
		double value;
	} numbers[] = {
		{"core.cycles", 1000},  {"core.ipc", 1.25},       {"core.l1.ipc", 7},
		{"regions.a.ipc", 3.5}, {"regions.a.b.ipc", 2.5}, {"last", 9},
	};
	static const char *const none[] = {"",       "core",      "core.",          "core.ip",       "core.ipcs",
					   "ipc",    "core.kind", "regions.a.note", "regions.c.ipc", "regions.a",
					   "l1.ipc", ".last"};
	struct report *r = sample();
	double value = 0;

	for (unsigned n = 0; n < 6; n++) {
		CHECK(report_number(r, numbers[n].path, &value));
		CHECK_F64(value, numbers[n].value, 0);
	}
	value = -1;
	for (unsigned n = 0; n < 12; n++)
		CHECK(!report_number(r, none[n], &value));
	CHECK_F64(value, -1, 0);
	report_destroy(r);
}

/* psim/base/renamed.def has the names of the last release. */
static void numbers_keep_their_names_for_a_release(void)
{
	static const struct report_column columns[] = {{"structure", ""}, {"entries", ""}};
	struct report *r = report_create();
	double value = 0;

	report_group(r, "dispatch", "");
	report_u64(r, "stall_load_queue", 5, "", "");
	report_end(r);
	report_table(r, "occupancy", "", columns, 2);
	report_cell_text(r, "store queue");
	report_cell_u64(r, 16);
	report_table_end(r);
	CHECK(report_number(r, "dispatch.stall_fetch_port", &value));
	CHECK_F64(value, 5, 0);
	CHECK(report_number(r, "occupancy.store ports.entries", &value));
	CHECK_F64(value, 16, 0);
	CHECK_I64(report_expect(r, "dispatch.stall_fetch_port=5", NULL), 0);
	CHECK(!report_number(r, "dispatch.stall_fetch_ports", &value)); /* a key of the configuration */
	CHECK(!report_number(r, "occupancy.store ports.", &value));
	report_destroy(r);
}

static void met_expectations(void)
{
	static const char *const met[] = {
		"core.cycles=1000",    "core.ipc=1.25",          "core.ipc=1.2+-0.05000001",
		"core.ipc=1.2+-5%",    "core.ipc=1.2\302\2615%", "core.ipc>=1.25",
		"core.ipc<=1.25",      "core.ipc>=-1e3",         "last=9+-0",
		"regions.a.b.ipc=2.5",
	};
	struct report *r = sample();

	for (unsigned n = 0; n < 10; n++) {
		CHECK_I64(report_expect_check(met[n], NULL), 0);
		CHECK_I64(report_expect(r, met[n], NULL), 0);
	}
	report_destroy(r);
}

static void missed_expectations_say_what_is(void)
{
	static const struct {
		const char *text, *message;
	} missed[] = {
		{"core.cycles=1001", "core.cycles is 1000, expected 1001"},
		/* 4 % of 1.2 is 0.048, and 1.25 is 0.05 away */
		{"core.ipc=1.2+-4%", "core.ipc is 1.25, expected 1.2 +- 0.048"},
		{"core.ipc>=1.26", "core.ipc is 1.25, expected at least 1.26"},
		{"core.ipc<=1", "core.ipc is 1.25, expected at most 1"},
		/* the next number above 1.25, 2^-52 more: nine digits do not distinguish them */
		{"core.ipc>=1.2500000000000002", "core.ipc is 1.25, expected at least 1.2500000000000002"},
	};
	struct report *r = sample();

	for (unsigned n = 0; n < 5; n++) {
		struct err e = {0};

		CHECK_I64(report_expect(r, missed[n].text, &e), -1);
		CHECK_U64(e.status, STATUS_EXPECT);
		CHECK_STR(e.text, missed[n].message);
	}
	report_destroy(r);
}

static void malformed_expectations_are_told_beforehand(void)
{
	static const char *const malformed[] = {
		"",
		"core.ipc",
		"=1",
		"core.ipc=",
		"core.ipc=x",
		"core.ipc=1x",
		"core.ipc=1+-",
		"core.ipc=1+-x",
		"core.ipc=1+--1",
		"core.ipc=1+-1%%",
		"core.ipc>1",
		"core.ipc>=1+-1",
		"core.ipc= 1",
		"core.ipc=nan",
		"core.ipc=inf",
		"core.ipc==1",
	};

	for (unsigned n = 0; n < 16; n++) {
		struct err e = {0};

		CHECK_I64(report_expect_check(malformed[n], &e), -1);
		CHECK_U64(e.status, STATUS_USAGE);
		CHECK(strstr(e.text, "expected NAME=VALUE") != NULL);
	}
}

static void an_unknown_name_is_a_usage_error(void)
{
	struct report *r = sample();
	struct err e = {0};

	CHECK_I64(report_expect(r, "core.nothing=1", &e), -1);
	CHECK_U64(e.status, STATUS_USAGE);
	report_destroy(r);
}

static const struct tap_test tests[] = {
	{"numbers have names, also those of tables", numbers_have_names},
	{"numbers keep their names for a release", numbers_keep_their_names_for_a_release},
	{"met expectations are met", met_expectations},
	{"missed expectations say what is and what was expected", missed_expectations_say_what_is},
	{"malformed expectations are told beforehand", malformed_expectations_are_told_beforehand},
	{"an unknown name is a usage error", an_unknown_name_is_a_usage_error},
};

int main(void)
{
	return tap_main("report-expect", tests, TAP_COUNT(tests));
}
