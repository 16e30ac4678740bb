/* Constants of energy: refused with one line, or a machine that has energies above 0. */
#include <stdlib.h>
#include <string.h>

#include "energy/energy.h"
#include "fuzz.h"
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct energy_machine machine = *energy_reference();
	struct err e = {0};
	struct energy_model *m;

	machine.constants = fuzz_file("a.constants", data, size);
	m = energy_create(&machine, &e);
	if (m ? !(energy_peak_w(m) > 0) : !*e.text || strchr(e.text, '\n'))
		abort();
	energy_destroy(m);
	return 0;
}
