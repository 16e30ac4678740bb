/* Reports for people: columns, prefixes of units, parts of a report (psim/base/report/report.h). */
#include "tap.h"

#include <stdlib.h>

#include "psim/base/report/report.h"

static void table(struct report *r, const char *unit, double a, double b)
{
	const struct report_column columns[] = {{"part", ""}, {"value", unit}};

	report_table(r, "parts", "", columns, 2);
	report_cell_text(r, "a");
	report_cell_f64(r, a);
	report_cell_text(r, "b");
	report_cell_f64(r, b);
	report_table_end(r);
}

static void check_text(struct report *r, const struct report_pick *picks, unsigned count, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	REQUIRE(f != NULL);
	CHECK_I64(picks ? report_write_picks(r, picks, count, f, NULL) : report_write(r, REPORT_TEXT, f, NULL), 0);
	fclose(f);
	CHECK_STR(text, expected);
	free(text);
	report_destroy(r);
}

static void check_table(const char *unit, double a, double b, const char *expected)
{
	struct report *r = report_create();

	table(r, unit, a, b);
	check_text(r, NULL, 0, expected);
}

static void a_column_has_its_points_in_line(void)
{
	/* five digits of the largest: 12.345 has two before the point, so three behind */
	check_table("", 12.345, 0.25,
		    "parts\n"
		    "  part   value\n"
		    "  a     12.345\n"
		    "  b      0.250\n");
	/* what is whole has no point at all */
	check_table("", 1234567, 4,
		    "parts\n"
		    "  part    value\n"
		    "  a     1234567\n"
		    "  b           4\n");
	/* nothing larger than 0.0001: each number with its own point */
	check_table("", 1.5e-5, 2.5e-7,
		    "parts\n"
		    "  part    value\n"
		    "  a     1.5e-05\n"
		    "  b     2.5e-07\n");
}

/* "  ", 20 of the name, "  ", 12 of the value, " " and "  # " leave 79 characters: 13 words of 6, less a blank. */
static void a_long_description_goes_on_below_itself(void)
{
	struct report *r = report_create();

	report_u64(r, "a", 1, "",
		   "words words words words words words words words words words words words words words 15");
	check_text(
		r, NULL, 0,
		"  a                                1   # words words words words words words words words words words "
		"words words words\n"
		"                                       # words 15\n");
}

/* A value of 80 characters ends at column 104. */
static void a_description_gives_way_to_a_long_value(void)
{
	struct report *r = report_create();

	report_text(r, "file", "/a/folder/with/a/long/name/of/more/than/seventy/six/characters/and/more/of/it.gz",
		    "a trace of a program");
	check_text(r, NULL, 0,
		   "  file                  "
		   "/a/folder/with/a/long/name/of/more/than/seventy/six/characters/and/more/of/it.gz\n"
		   "                                       # a trace of a program\n");
}

/* "parts: " and 19 words of 6 but for the last blank are 120 characters. */
static void a_long_heading_goes_on_below_itself(void)
{
	const struct report_column columns[] = {{"part", ""}};
	struct report *r = report_create();

	report_table(r, "parts",
		     "words words words words words words words words words words words words words words words words "
		     "words words words words words",
		     columns, 1);
	report_cell_text(r, "a");
	report_table_end(r);
	check_text(r, NULL, 0,
		   "parts: words words words words words words words words words words words words words words words "
		   "words "
		   "words words words\n"
		   "    words words\n"
		   "  part\n"
		   "  a\n");
}

/* Eight names of 16 characters: 8 * (2 + 16) = 144 of 120, so each column gives 3 up, and 13 hold "section.". */
static void names_of_a_wide_table_take_several_lines(void)
{
	struct report_column columns[8];
	struct report *r = report_create();

	for (unsigned n = 0; n < 8; n++)
		columns[n] = (struct report_column){"section.long_key", n ? "" : "mm"};
	report_table(r, "t", "", columns, 8);
	for (unsigned n = 0; n < 8; n++)
		report_cell_u64(r, n);
	report_table_end(r);
	check_text(r, NULL, 0,
		   "t\n"
		   "       section.       section.       section.       section.       section.       section.       "
		   "section."
		   "       section.\n"
		   "       long_key       long_key       long_key       long_key       long_key       long_key       "
		   "long_key"
		   "       long_key\n"
		   "             mm\n"
		   "              0              1              2              3              4              5         "
		   "     6"
		   "              7\n");
}

/* Beside a number, which takes 2 + 1 + 2 of the line: "has" ends with the 111th of 115 characters, "lost" does not. */
static void a_long_text_takes_several_lines(void)
{
	static const struct report_column columns[] = {{"n", ""}, {"why", ""}};
	struct report *r = report_create();

	report_table(r, "t", "", columns, 2);
	for (unsigned n = 0; n < 2; n++) {
		report_cell_u64(r, n);
		report_cell_text(r, n ? "short"
				      : "the first of these words the second of them is the third that is not lost in "
					"this line but in the other one has lost a few that are below");
	}
	report_table_end(r);
	check_text(r, NULL, 0,
		   "t\n"
		   "  n  why\n"
		   "  0  the first of these words the second of them is the third that is not lost in this line but in "
		   "the "
		   "other one has\n"
		   "     lost a few that are below\n"
		   "  1  short\n");
}

static struct report *numbers(unsigned count)
{
	struct report_column columns[20];
	struct report *r = report_create();

	for (unsigned n = 0; n < count; n++)
		columns[n] = (struct report_column){"n", ""};
	report_table(r, "t", "", columns, count);
	for (unsigned n = 0; n < count; n++)
		report_cell_u64(r, 12345678);
	report_table_end(r);
	return r;
}

/* A line has 120 / (2 + 8) = 12 numbers of 8 digits. 160 / 10 = 16 stay together; of 17, 5 are below the first. */
static void columns_that_fit_no_line_are_below(void)
{
	static const char first[] = "         n         n         n         n         n         n         n         n"
				    "         n         n         n         n\n";
	static const char digits[] = "  12345678  12345678  12345678  12345678  12345678  12345678  12345678  12345678"
				     "  12345678  12345678  12345678  12345678\n";
	char expected[1024];

	snprintf(expected, sizeof(expected), "t\n%.120s%.40s\n%.120s%.40s\n", first, first, digits, digits);
	check_text(numbers(16), NULL, 0, expected);
	snprintf(expected, sizeof(expected), "t\n%s%s%.60s\n%.60s\n", first, digits, first, digits);
	check_text(numbers(17), NULL, 0, expected);
}

static void a_share_has_two_decimals(void)
{
	check_table("%", 99.9943, 0.0057,
		    "parts\n"
		    "  part  value\n"
		    "            %\n"
		    "  a     99.99\n"
		    "  b      0.01\n");
}

/* A row of three columns of seconds. */
static void check_row(double a, double b, double c, const char *expected)
{
	static const struct report_column columns[] = {{"model", "s"}, {"low", "s"}, {"high", "s"}};
	struct report *r = report_create();

	report_table(r, "t", "", columns, 3);
	report_cell_f64(r, a);
	report_cell_f64(r, b);
	report_cell_f64(r, c);
	report_table_end(r);
	check_text(r, NULL, 0, expected);
}

static void columns_of_one_unit_have_one_prefix(void)
{
	/* 800 us, 750 us and 1.2 ms are all in ms, each column with five digits */
	check_row(800e-6, 750e-6, 1.2e-3,
		  "t\n"
		  "    model      low    high\n"
		  "       ms       ms      ms\n"
		  "  0.80000  0.75000  1.2000\n");
	/* 2 us beside 3 ms, 1500 times as much, keeps its own; 50 us does not */
	check_row(2e-6, 50e-6, 3e-3,
		  "t\n"
		  "   model       low    high\n"
		  "      us        ms      ms\n"
		  "  2.0000  0.050000  3.0000\n");
}

static void the_largest_number_of_a_column_chooses_the_prefix(void)
{
	/* 2.5 mJ and 40 uJ: in millijoules, five digits of the larger */
	check_table("J", 2.5e-3, 40e-6,
		    "parts\n"
		    "  part   value\n"
		    "            mJ\n"
		    "  a     2.5000\n"
		    "  b     0.0400\n");
	/* no prefix for a unit that has none by custom */
	check_table("cycles", 2500.5, 4,
		    "parts\n"
		    "  part   value\n"
		    "        cycles\n"
		    "  a     2500.5\n"
		    "  b        4.0\n");
}

static void a_single_time_has_a_prefix(void)
{
	struct report *r = report_create();

	report_f64(r, "time", 0.000903131, "s", "");
	report_f64(r, "none", 0, "s", "");
	report_f64(r, "delay", 23.5e-9, "J s", "");
	check_text(r, NULL, 0,
		   "  time                       903.131 us\n"
		   "  none                             0 s\n"
		   "  delay                         23.5 nJ s\n");
}

static struct report *tree(void)
{
	struct report *r = report_create();

	report_group(r, "core", "the core");
	report_u64(r, "cycles", 5, "", "");
	report_u64(r, "insns", 6, "", "");
	report_group(r, "inner", "within");
	report_u64(r, "x", 7, "", "");
	report_end(r);
	report_end(r);
	table(r, "", 1, 2);
	return r;
}

static void picks_come_in_their_order(void)
{
	static const struct report_pick picks[] = {{"parts", NULL}, {"core.inner", NULL}, {"core", NULL}};

	/* of core its own values only */
	check_text(tree(), picks, 3,
		   "parts\n"
		   "  part  value\n"
		   "  a         1\n"
		   "  b         2\n"
		   "\n"
		   "core.inner: within\n"
		   "  x                                7\n"
		   "\n"
		   "core: the core\n"
		   "  cycles                           5\n"
		   "  insns                            6\n");
}

static void picks_choose_values_and_columns(void)
{
	static const struct report_pick picks[] = {{"parts", "other value"}, {"core", "insns"}, {"gone", NULL}};

	check_text(tree(), picks, 3,
		   "parts\n"
		   "  value\n"
		   "      1\n"
		   "      2\n"
		   "\n"
		   "core: the core\n"
		   "  insns                            6\n");
}

static const struct tap_test tests[] = {
	{"a column has its points in line", a_column_has_its_points_in_line},
	{"names of a wide table take several lines", names_of_a_wide_table_take_several_lines},
	{"a long text takes several lines", a_long_text_takes_several_lines},
	{"a long description goes on below itself", a_long_description_goes_on_below_itself},
	{"a description gives way to a long value", a_description_gives_way_to_a_long_value},
	{"a long heading goes on below itself", a_long_heading_goes_on_below_itself},
	{"columns that fit no line are below", columns_that_fit_no_line_are_below},
	{"a share has two decimals", a_share_has_two_decimals},
	{"columns of one unit have one prefix", columns_of_one_unit_have_one_prefix},
	{"the largest number of a column chooses the prefix", the_largest_number_of_a_column_chooses_the_prefix},
	{"a single time has a prefix", a_single_time_has_a_prefix},
	{"picks come in their order", picks_come_in_their_order},
	{"picks choose values and columns", picks_choose_values_and_columns},
};

int main(void)
{
	return tap_main("report-text", tests, TAP_COUNT(tests));
}
