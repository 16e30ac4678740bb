/* Energy in reports and over time: energy/energy.h. */
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "energy_maker.h"

static struct energy_model *model(unsigned gating)
{
	struct energy_machine machine = *energy_reference();

	machine.gating = gating;
	return energy_must(&machine);
}

/* A thousand IR slots and a thousand FMAs in 1000 cycles. */
static const struct activity thousand = {
	.cycles = 1000,
	.moved[STAGE_ir] = 1000,
	.ops[EOP_fp_fma] = 1000,
};

/* Returns what `r` writes as JSON; the caller decrefs. */
static json_t *as_json(struct report *r)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct err e = {.text = ""};
	json_t *root;

	REQUIRE(out != NULL);
	CHECK_I64(report_write(r, REPORT_JSON, out, &e), 0);
	fclose(out);
	root = json_loads(text, 0, NULL);
	free(text);
	REQUIRE(root != NULL);
	return root;
}

static void csv_rows_are_watts_by_unit(void)
{
	struct energy_model *m = model(GATING_IDEAL);
	struct activity zero = {.cycles = 0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct err e;

	REQUIRE(out != NULL);
	CHECK_I64(energy_csv_header(m, out, &e), 0);
	CHECK_I64(energy_csv_row(m, &zero, &thousand, out, &e), 0);
	CHECK_I64(energy_csv_row(m, &thousand, &thousand, out, &e), 0); /* empty: no row */
	fclose(out);
	/*
	 * 0.5 us. IR: 1000 x 7631.292 x 0.238 pJ = 1.8162476 uJ = 3.6325 W; FMA: 1000 x 120 pJ = 0.24 W, and the
	 * logic of its slots in X 1000 x 1105.2855 pJ (410-energy.c) = 2.21057 W; clock 4.8 W; leakage 8 W; total
	 * 18.8831 W
	 */
	CHECK_STR(text, "cycle,seconds,total_w,fetch_w,decode_w,integer_w,fp_w,load_store_w,branch_w,commit_w,"
			"l2_w,clock_w,leakage_w\n"
			"1000,5e-07,18.8831,3.6325,0,0,2.45057,0,0,0,0,4.8,8\n");
	free(text);
	energy_destroy(m);
}

static void csv_tells_output_errors(void)
{
	struct energy_model *m = model(GATING_IDEAL);
	struct activity zero = {.cycles = 0};
	FILE *full = fopen("/dev/full", "w");
	struct err e = {.text = ""};

	if (!full)
		return;
	setvbuf(full, NULL, _IONBF, 0);
	CHECK_I64(energy_csv_header(m, full, &e), -1);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK(strstr(e.text, "cannot write") != NULL);
	CHECK_I64(energy_csv_row(m, &zero, &thousand, full, &e), -1);
	fclose(full);
	energy_destroy(m);
}

static double number(const json_t *group, const char *name)
{
	json_t *value = json_object_get(group, name);

	CHECK(json_is_number(value));
	return json_number_value(value);
}

/* Sum of a column of a table in `group`. */
static double column(const json_t *group, const char *table, const char *name)
{
	json_t *rows = json_object_get(group, table), *row;
	double sum = 0;
	size_t i;

	CHECK(json_array_size(rows) > 0);
	json_array_foreach(rows, i, row) sum += number(row, name);
	return sum;
}

static void report_tables_add_up(void)
{
	struct energy_model *m = model(GATING_NONE);
	struct report *r = report_create();
	json_t *root, *energy, *area;

	energy_report(m, &thousand, r);
	root = as_json(r);
	energy = json_object_get(root, "energy");
	CHECK_F64(column(energy, "units", "energy") / number(energy, "total_j"), 1, 1e-9);
	CHECK_F64(column(energy, "units", "share"), 100, 1e-9);
	CHECK_F64((column(energy, "stages", "power") + column(energy, "arrays", "power") +
		   column(energy, "operations", "power") + number(energy, "clock_w") + number(energy, "leakage_w")) /
			  number(energy, "average_w"),
		  1, 1e-9);
	area = json_object_get(root, "area");
	CHECK_F64(column(area, "units", "area") / number(area, "total_mm2"), 1, 1e-9);
	CHECK_F64(column(area, "parts", "area") / number(area, "total_mm2"), 1, 1e-9);
	json_decref(root);
	report_destroy(r);
	energy_destroy(m);
}

static void report_gives_the_latch_only_reading(void)
{
	struct energy_model *m = model(GATING_IDEAL);
	struct report *r = report_create();
	json_t *root, *latches;

	energy_report(m, &thousand, r);
	root = as_json(r);
	latches = json_object_get(json_object_get(root, "energy"), "latches");
	/* one IR slot a cycle: 7631.29 latches x 53.5 fJ x 2 GHz = 0.816548 W; 445 bits: 0.047615 W */
	CHECK_F64(number(latches, "clocked_per_cycle"), 7631.29, 0.01);
	CHECK_F64(number(latches, "alone_w"), 0.816548, 1e-5);
	CHECK_F64(number(latches, "described_alone_w"), 0.047615, 1e-6);
	CHECK_F64(number(latches, "chip"), 200000, 1e-6);
	CHECK_F64(number(latches, "described"), 9673, 0);
	json_decref(root);
	report_destroy(r);
	energy_destroy(m);
}

static json_t *row_named(json_t *rows, const char *column, const char *name)
{
	for (size_t n = 0; n < json_array_size(rows); n++)
		if (!strcmp(json_string_value(json_object_get(json_array_get(rows, n), column)), name))
			return json_array_get(rows, n);
	return NULL;
}

static void stage_rows_multiply(json_t *energy)
{
	json_t *stages = json_object_get(energy, "stages");

	CHECK_I64((int64_t)json_array_size(stages), STAGE_simd_c); /* all but those of the array */
	for (size_t n = 0; n < json_array_size(stages); n++) {
		json_t *row = json_array_get(stages, n);

		CHECK_F64(number(row, "slots_moved") * number(row, "moved") +
				  number(row, "slots_held") * number(row, "held") + 1e12 * number(row, "operations"),
			  1e12 * number(row, "energy"), 1e-3);
	}
}

/*
 * A thousand FMAs: 1000 x 1105.2855 pJ of logic (410-energy.c) are in no slot of X, but in the row's operations. IR:
 * 1000 slots of 7631.292 latches move. IA: none of 1000 slots moves, which are held without gating.
 */
static void stage_rows_multiply_to_their_energy(void)
{
	for (unsigned gating = 0; gating < GATING_COUNT; gating++) {
		double held = gating == GATING_NONE ? 1000 : 0;
		struct energy_model *m = model(gating);
		struct report *r = report_create();
		json_t *root, *energy, *row, *fma;

		energy_report(m, &thousand, r);
		root = as_json(r);
		energy = json_object_get(root, "energy");
		stage_rows_multiply(energy);
		row = row_named(json_object_get(energy, "stages"), "stage", "X fp");
		fma = row_named(json_object_get(energy, "operations"), "operation", "fp_fma");
		CHECK_F64(1e12 * number(row, "operations"), 1105285.5, 1);
		CHECK_F64(number(fma, "count") * number(fma, "in_stage"), 1105285.5, 1);
		CHECK(!strcmp(json_string_value(json_object_get(fma, "stage")), "X fp"));
		row = row_named(json_object_get(energy, "stages"), "stage", "IR");
		CHECK_F64(number(row, "clocked"), 7631292, 1);
		row = row_named(json_object_get(energy, "stages"), "stage", "IA");
		CHECK_F64(number(row, "slots_held"), held, 0);
		CHECK_F64(number(row, "clocked"), held * number(row, "latches"), 1e-6);
		json_decref(root);
		report_destroy(r);
		energy_destroy(m);
	}
}

static void empty_run_reports_finite_numbers(void)
{
	struct energy_model *m = model(GATING_IDEAL);
	struct activity zero = {.cycles = 0};
	struct report *r = report_create();
	json_t *root, *energy;

	energy_report(m, &zero, r);
	root = as_json(r);
	energy = json_object_get(root, "energy");
	CHECK_F64(number(energy, "total_j"), 0, 0);
	CHECK_F64(number(energy, "average_w"), 0, 0);
	CHECK_F64(number(energy, "leakage_w"), 8, 1e-12);
	json_decref(root);
	report_destroy(r);
	energy_destroy(m);
}

static const struct tap_test tests[] = {
	{"a CSV row gives the watts of each unit, an empty interval none", csv_rows_are_watts_by_unit},
	{"output errors of the CSV are told", csv_tells_output_errors},
	{"the report's tables add up to its totals", report_tables_add_up},
	{"the report gives the latches' energy alone", report_gives_the_latch_only_reading},
	{"a stage's row multiplies to its energy, with the logic of its operations",
	 stage_rows_multiply_to_their_energy},
	{"the report of an empty run has finite numbers", empty_run_reports_finite_numbers},
};

int main(void)
{
	return tap_main("series", tests, TAP_COUNT(tests));
}
