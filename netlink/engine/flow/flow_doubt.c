#include <string.h>

#include "../../topology/kind.h"
#include "flow_state.h"

/* Measured by tests/figures/flow-routings.c, which fails if a row is missing (docs/accuracy/flows.md). */
static const struct doubt {
	const char *kind, *routing;
} doubts[] = {
	{"mesh", "adaptive"},  {"torus", "adaptive"},        {"mesh", "ugal"}, {"torus", "ugal"}, {"tofu", "ugal"},
	{"hypercube", "ugal"}, {"dragonfly", "ugal_global"},
};

bool flow_doubt(const struct topology *t)
{
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
		if (!strcmp(t->kind->name, doubts[i].kind) && !strcmp(t->routing->name, doubts[i].routing))
			return true;
	return false;
}
