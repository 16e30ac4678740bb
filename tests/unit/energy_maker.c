#include "energy_maker.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

struct energy_model *energy_must(const struct energy_machine *machine)
{
	struct err e = {.text = ""};
	struct energy_model *m = energy_create(machine, &e);

	CHECK_STR(e.text, "");
	REQUIRE(m != NULL);
	return m;
}

json_t *energy_reported(const struct energy_model *m)
{
	struct activity a = {.cycles = 1000};
	struct report *r = report_create();
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct err e = {.text = ""};
	json_t *root;

	REQUIRE(out != NULL && r != NULL);
	energy_report(m, &a, r);
	CHECK_I64(report_write(r, REPORT_JSON, out, &e), 0);
	fclose(out);
	root = json_loads(text, 0, NULL);
	free(text);
	REQUIRE(root != NULL);
	report_destroy(r);
	return root;
}

double reported_latches(const struct energy_model *m)
{
	json_t *root = energy_reported(m), *group = json_object_get(json_object_get(root, "energy"), "latches");
	double latches = json_number_value(json_object_get(group, "chip"));

	json_decref(root);
	return latches;
}

double reported_unit_mm2(const struct energy_model *m, unsigned unit)
{
	json_t *root = energy_reported(m), *row;
	double mm2 = 0;
	size_t n;

	json_array_foreach(json_object_get(json_object_get(root, "area"), "units"), n, row)
	{
		if (!strcmp(json_string_value(json_object_get(row, "unit")), energy_unit_name(unit)))
			mm2 = json_number_value(json_object_get(row, "area"));
	}
	json_decref(root);
	return mm2;
}
