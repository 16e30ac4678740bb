#include "kind.h"

const struct topology_kind *const *topology_kinds(unsigned *count)
{
	static const struct topology_kind *const kinds[] = {
		&topology_mesh,
		&topology_torus,
	};

	*count = sizeof kinds / sizeof kinds[0];
	return kinds;
}
