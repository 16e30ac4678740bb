/* The names of the kinds, from the rows of their table. */
#include "kind.h"

#define NAME(kind, name) const char kind##_name[] = name;
TOPOLOGY_KINDS(NAME)
#undef NAME
