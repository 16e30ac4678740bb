/* Energy models for tests. */
#ifndef PSIM_TESTS_ENERGY_MAKER_H
#define PSIM_TESTS_ENERGY_MAKER_H

#include <jansson.h>

#include "energy/energy_model.h"

/* Makes the model of a machine; the test ends if that fails. */
struct energy_model *energy_must(const struct energy_machine *machine);

/* The report of a model without activity, as JSON; the caller calls json_decref. */
json_t *energy_reported(const struct energy_model *m);
/* Figures of that report: all latches; the area of a unit in mm2, 0 if it has no row. */
double reported_latches(const struct energy_model *m);
double reported_unit_mm2(const struct energy_model *m, unsigned unit);

#endif
