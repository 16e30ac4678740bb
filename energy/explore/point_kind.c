#include "point_kind.h"

#include <string.h>

const struct point_kind *point_kind_find(const char *name, struct err *e)
{
	static const struct point_kind *const kinds[] = {&point_kind_psim, &point_kind_bsim, &point_kind_nsim};

	for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++)
		if (!strcmp(kinds[n]->name, name))
			return kinds[n];
	err_set(e, STATUS_USAGE, "simulator %s, expected psim, bsim or nsim", name);
	return NULL;
}
