#include "energy_maker.h"

#include "tap.h"

struct energy_model *energy_must(const struct energy_machine *machine)
{
	struct err e = {.text = ""};
	struct energy_model *m = energy_create(machine, &e);

	CHECK_STR(e.text, "");
	REQUIRE(m != NULL);
	return m;
}
