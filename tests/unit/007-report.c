/* Reports as text, JSON and CSV: psim/base/report/report.h. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "alloc_fail.h"
#include "psim/base/config/config.h"
#include "psim/base/report/report.h"

/* The report as text of the given format; to be freed. */
static char *written(const struct report *r, enum report_format format)
{
	/* static: gcc 12 at -O3 takes a place in the text for one in the pointer, and warns that it dangles */
	static char *text;
	static size_t size;
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

/* The data of a page, between the marks of its script; the caller frees it. */
static json_t *page_data(const char *page)
{
	const char *begin = strstr(page, "const report = "), *end = begin ? strstr(begin, ";\n") : NULL;

	REQUIRE(end != NULL);
	begin += strlen("const report = ");
	return json_loadb(begin, (size_t)(end - begin), 0, NULL);
}

/* Items of a page: {"n", "d"} and "v", or "i", or "c" and "r" (report_html.c). */
static void a_page_has_the_tree_with_units_and_meanings(void)
{
	struct report *r = sample();
	char *text = written(r, REPORT_HTML);
	json_t *root = page_data(text), *core = json_array_get(root, 0), *items = json_object_get(core, "i");
	json_t *cycles = json_array_get(items, 0), *table = json_array_get(items, 2), *columns, *rows;

	CHECK(!strncmp(text, "<!DOCTYPE html>", 15));
	CHECK(strstr(text, "</html>") != NULL);
	CHECK_STR(json_string_value(json_object_get(core, "n")), "core");
	CHECK_STR(json_string_value(json_object_get(core, "d")), "the core");
	CHECK_I64(json_integer_value(json_object_get(cycles, "v")), 1000);
	CHECK_STR(json_string_value(json_object_get(cycles, "u")), "cycles");
	CHECK_STR(json_string_value(json_object_get(cycles, "d")), "clock cycles");
	columns = json_object_get(table, "c");
	rows = json_object_get(table, "r");
	CHECK_STR(json_string_value(json_array_get(json_array_get(columns, 1), 0)), "cycles");
	CHECK_STR(json_string_value(json_array_get(json_array_get(columns, 1), 1)), "cycles");
	CHECK_U64(json_array_size(rows), 2);
	CHECK_I64(json_integer_value(json_array_get(json_array_get(rows, 1), 1)), 12345678);
	json_decref(root);
	free(text);
	report_destroy(r);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;

	while ((text = strstr(text, word))) {
		count++;
		text++;
	}
	return count;
}

/* The name of a file may have the end of a script in it, or bytes that are not UTF-8. */
static void text_does_not_end_the_script_of_a_page(void)
{
	struct report *plain = report_create(), *r = report_create();
	char *expected, *text;

	report_text(plain, "file", "x", "");
	report_text(r, "file", "</script><script>alert(1)</script>\xff", "");
	expected = written(plain, REPORT_HTML);
	text = written(r, REPORT_HTML);
	CHECK_U64(count_of(text, "</script>"), count_of(expected, "</script>"));
	free(expected);
	free(text);
	report_destroy(plain);
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

/* Parts at the top, tables and groups, with all that is in them; also where a pick names a part within. */
static void parts_that_are_not_kept_are_dropped(void)
{
	static const struct report_pick picks[] = {{"core.stages", NULL}, {"links", NULL}};
	static const struct report_column columns[] = {{"name", ""}, {"bytes", "bytes"}};
	struct report *r = report_create();

	report_keep(r, picks, 2);
	CHECK(report_keeps(r, "core") && !report_keeps(r, "cor") && !report_keeps(r, "cores"));
	for (unsigned i = 0; i < 3; i++) {
		static const char *const names[] = {"core", "cores", "links"};

		report_group(r, names[i], "");
		report_group(r, "stages", "");
		report_u64(r, "fetch", i, "", "");
		report_text(r, "why", "text", "");
		report_end(r);
		report_table(r, "table", "", columns, 2);
		report_cell_text(r, "row");
		report_cell_u64(r, 7);
		report_table_end(r);
		report_end(r);
	}
	report_table(r, "nodes", "", columns, 2);
	report_cell_text(r, "row");
	report_cell_u64(r, 8);
	report_table_end(r);
	report_keep(r, NULL, 0);
	report_u64(r, "after", 1, "", "");
	check_written(
		r, REPORT_CSV,
		"group,name,row,value,unit\n"
		"core.stages,fetch,,0,\ncore.stages,why,,text,\ncore.table,name,0,row,\ncore.table,bytes,0,7,bytes\n"
		"links.stages,fetch,,2,\nlinks.stages,why,,text,\nlinks.table,name,0,row,\n"
		"links.table,bytes,0,7,bytes\n,after,,1,\n");
}

static void a_full_disk_is_an_error(void)
{
	static const enum report_format formats[] = {REPORT_TEXT, REPORT_JSON, REPORT_CSV, REPORT_HTML};

	for (int i = 0; i < 4; i++) {
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
	{"a page has the tree with units and meanings", a_page_has_the_tree_with_units_and_meanings},
	{"text does not end the script of a page", text_does_not_end_the_script_of_a_page},
	{"what is not finite is null in JSON", what_is_not_finite_is_null_in_json},
	{"what is not finite is empty in CSV", what_is_not_finite_is_empty_in_csv},
	{"what is not finite is a word in text", what_is_not_finite_is_a_word_in_text},
	{"names that are not UTF-8 do not spoil JSON", names_that_are_not_utf8_do_not_spoil_json},
	{"the order is that of the calls", the_order_is_that_of_the_calls},
	{"a command line can be typed again", a_command_line_can_be_typed_again},
	{"the configuration is echoed", the_configuration_is_echoed},
	{"parts that are not kept are dropped", parts_that_are_not_kept_are_dropped},
	{"a full disk is an error in every format", a_full_disk_is_an_error},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	return tap_main("report", tests, TAP_COUNT(tests));
}
