#include "kind.h"

const struct topology_kind *const *topology_kinds(unsigned *count)
{
	static const struct topology_kind *const kinds[] = {
		&topology_mesh,      &topology_torus,          &topology_tofu,     &topology_crossbar,
		&topology_hypercube, &topology_hyper_crossbar, &topology_fat_tree, &topology_dragonfly,
	};

	*count = sizeof(kinds) / sizeof(kinds[0]);
	return kinds;
}
