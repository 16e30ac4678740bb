#include "kind.h"

const struct topology_kind *const *topology_kinds(unsigned *count)
{
#define ROW(kind, name) &kind,
	static const struct topology_kind *const kinds[] = {TOPOLOGY_KINDS(ROW)};
#undef ROW

	*count = sizeof(kinds) / sizeof(kinds[0]);
	return kinds;
}
