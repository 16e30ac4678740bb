/* Reports as text, JSON and CSV: psim/base/report/report.h. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "alloc_fail.h"
#include "psim/base/report/report.h"

/* The report as text of the given format; to be freed. */
static char *written(const struct report *r, enum report_format format)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		abort();
	CHECK_I64(report_write(r, format, f, NULL), 0);
	fclose(f);
	return text;
}

static void check_written(struct report *r, enum report_format format, const char *expected)
{
	char *text = written(r, format);

	CHECK_STR(text, expected);
	free(text);
	report_destroy(r);
}

static void fill_table(struct report *r)
{
	static const struct report_column columns[] = {{"name", ""}, {"cycles", "cycles"}};

	report_table(r, "functions", "by function", columns, 2);
	report_cell_text(r, "main");
	report_cell_u64(r, 5);
	report_cell_text(r, "a,\"b\"");
	report_cell_u64(r, 12345678);
	report_table_end(r);
}

static struct report *sample(void)
{
	struct report *r = report_create();

	report_group(r, "core", "the core");
	report_u64(r, "cycles", 1000, "cycles", "clock cycles");
	report_f64(r, "ipc", 1.0 / 3, "insn/cycle", "");
	fill_table(r);
	report_end(r);
	return r;
}

static void text_is_aligned(void)
{
	/* names 20 wide, numbers 12 wide to the right, units as wide as the widest */
	check_written(sample(), REPORT_TEXT,
		      "core: the core\n"
		      "  cycles                        1000 cycles      # clock cycles\n"
		      "  ipc                       0.333333 insn/cycle\n"
		      "\n"
		      "core.functions: by function\n"
		      "  name     cycles\n"
		      "           cycles\n"
		      "  main          5\n"
		      "  a,\"b\"  12345678\n");
}

static void csv_has_a_line_a_value(void)
{
	check_written(sample(), REPORT_CSV,
		      "group,name,row,value,unit\n"
		      "core,cycles,,1000,cycles\n"
		      "core,ipc,,0.3333333333333333,insn/cycle\n"
		      "core.functions,name,0,main,\n"
		      "core.functions,cycles,0,5,cycles\n"
		      "core.functions,name,1,\"a,\"\"b\"\"\",\n"
		      "core.functions,cycles,1,12345678,cycles\n");
}

static void json_has_the_tree_and_the_units(void)
{
	struct report *r = sample();
	char *text = written(r, REPORT_JSON);
	json_t *root = json_loads(text, 0, NULL), *core = json_object_get(root, "core");
	json_t *rows = json_object_get(core, "functions"), *units = json_object_get(root, "units");

	CHECK_I64(json_integer_value(json_object_get(core, "cycles")), 1000);
	CHECK_F64(json_real_value(json_object_get(core, "ipc")), 1.0 / 3, 0); /* to the bit */
	CHECK_U64(json_array_size(rows), 2);
	CHECK_STR(json_string_value(json_object_get(json_array_get(rows, 1), "name")), "a,\"b\"");
	CHECK_I64(json_integer_value(json_object_get(json_array_get(rows, 1), "cycles")), 12345678);
	CHECK_STR(json_string_value(json_object_get(units, "core.functions.cycles")), "cycles");
	CHECK_STR(json_string_value(json_object_get(units, "core.ipc")), "insn/cycle");
	json_decref(root);
	free(text);
	report_destroy(r);
}

static struct report *odd_numbers(void)
{
	struct report *r = report_create();

	report_f64(r, "nan", (double)NAN, "", "");
	report_f64(r, "inf", (double)INFINITY, "", "");
	report_f64(r, "tiny", 5e-324, "", "");
	report_u64(r, "largest", UINT64_MAX, "", "");
	return r;
}

static void what_is_not_finite_is_null_in_json(void)
{
	struct report *r = odd_numbers();
	char *text = written(r, REPORT_JSON);
	json_t *root = json_loads(text, 0, NULL);

	CHECK(json_is_null(json_object_get(root, "nan")));
	CHECK(json_is_null(json_object_get(root, "inf")));
	CHECK_F64(json_real_value(json_object_get(root, "tiny")), 5e-324, 0);
	CHECK_F64(json_real_value(json_object_get(root, "largest")), 0x1p64, 0);
	json_decref(root);
	free(text);
	report_destroy(r);
}

static void what_is_not_finite_is_empty_in_csv(void)
{
	check_written(odd_numbers(), REPORT_CSV,
		      "group,name,row,value,unit\n"
		      ",nan,,,\n"
		      ",inf,,,\n"
		      ",tiny,,4.94065645841247e-324,\n"
		      ",largest,,18446744073709551615,\n");
}

static void what_is_not_finite_is_a_word_in_text(void)
{
	/* the column grows to the 20 digits of 2^64 - 1 */
	check_written(odd_numbers(), REPORT_TEXT,
		      "  nan                                      -\n"
		      "  inf                                    inf\n"
		      "  tiny                          4.94066e-324\n"
		      "  largest               18446744073709551615\n");
}

static void names_that_are_not_utf8_do_not_spoil_json(void)
{
	struct report *r = report_create();
	char *text;
	json_t *root;

	report_text(r, "file", "a\xff.gz", "");
	text = written(r, REPORT_JSON);
	root = json_loads(text, 0, NULL);
	CHECK_STR(json_string_value(json_object_get(root, "file")), "a?.gz");
	json_decref(root);
	free(text);
	report_destroy(r);
}

static void the_order_is_that_of_the_calls(void)
{
	struct report *r = report_create();
	char *text;

	report_u64(r, "zebra", 1, "", "");
	report_u64(r, "ant", 2, "", "");
	text = written(r, REPORT_JSON);
	CHECK_STR(text, "{\n \"zebra\": 1,\n \"ant\": 2,\n \"units\": {}\n}\n");
	free(text);
	report_destroy(r);
}

static void a_command_line_can_be_typed_again(void)
{
	char *argv[] = {"psim", "-p", "a.b=2 GHz", "it's", "", NULL};
	struct report *r = report_create();
	char *text;

	report_identity(r, "psim", 5, argv);
	text = written(r, REPORT_TEXT);
	CHECK(strstr(text, "psim -p 'a.b=2 GHz' 'it'\\''s' ''\n") != NULL);
	free(text);
	report_destroy(r);
}

static void the_configuration_is_echoed(void)
{
	static const struct param p = {"core", "entries", PARAM_UINT, "64", 1, 99, NULL, "entries", "rob", 0};
	unsigned v;
	struct config *c = config_create();
	struct report *r = report_create();

	config_add(c, &p, 1, &v);
	config_override(c, "core.entries=65", "-p", NULL);
	report_config(r, c);
	config_destroy(c);
	check_written(r, REPORT_CSV, "group,name,row,value,unit\nconfig.core,entries,,65,\n");
}

static void a_full_disk_is_an_error(void)
{
	static const enum report_format formats[] = {REPORT_TEXT, REPORT_JSON, REPORT_CSV};

	for (int i = 0; i < 3; i++) {
		struct report *r = sample();
		FILE *f = fopen("/dev/full", "w");
		struct err e = {0};

		REQUIRE(f != NULL);
		CHECK_I64(report_write(r, formats[i], f, &e), -1);
		CHECK_U64(e.status, STATUS_FAILED);
		fclose(f);
		report_destroy(r);
	}
}

static void every_allocation_may_fail(void)
{
	for (unsigned k = 1; k < 100; k++) {
		struct err e = {0};
		struct report *r;
		FILE *f = fopen("/dev/null", "w");
		int result;

		REQUIRE(f != NULL);
		alloc_fail_at(k);
		r = sample();
		result = report_write(r, REPORT_CSV, f, &e);
		fclose(f);
		report_destroy(r);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			return;
		}
		CHECK_I64(result, -1);
		CHECK_STR(e.text, "out of memory");
	}
	CHECK(!"more allocations than expected");
}

static const struct tap_test tests[] = {
	{"text is aligned, six digits", text_is_aligned},
	{"CSV has a line a value, exact and quoted", csv_has_a_line_a_value},
	{"JSON has the tree, exact numbers and the units", json_has_the_tree_and_the_units},
	{"what is not finite is null in JSON", what_is_not_finite_is_null_in_json},
	{"what is not finite is empty in CSV", what_is_not_finite_is_empty_in_csv},
	{"what is not finite is a word in text", what_is_not_finite_is_a_word_in_text},
	{"names that are not UTF-8 do not spoil JSON", names_that_are_not_utf8_do_not_spoil_json},
	{"the order is that of the calls", the_order_is_that_of_the_calls},
	{"a command line can be typed again", a_command_line_can_be_typed_again},
	{"the configuration is echoed", the_configuration_is_echoed},
	{"a full disk is an error in every format", a_full_disk_is_an_error},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	return tap_main("report", tests, TAP_COUNT(tests));
}
