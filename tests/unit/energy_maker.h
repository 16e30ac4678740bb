/* Energy models for tests. */
#ifndef PSIM_TESTS_ENERGY_MAKER_H
#define PSIM_TESTS_ENERGY_MAKER_H

#include "energy/energy_model.h"

/* Makes the model of a machine; the test ends if that fails. */
struct energy_model *energy_must(const struct energy_machine *machine);

#endif
