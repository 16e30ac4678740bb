/* Why a commit slot stayed empty. */
#ifndef PSIM_CORE_STALL_H
#define PSIM_CORE_STALL_H

enum stall {
#define T(part, top_down, name, doc) STALL_##name,
#include "stall.def"
#undef T
	STALL_COUNT
};

#endif
