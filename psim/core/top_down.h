/* The top-down analysis: commit slots by class (top_down.def). */
#ifndef PSIM_CORE_TOP_DOWN_H
#define PSIM_CORE_TOP_DOWN_H

#include "core.h"

enum top_down_row {
#define C(class, doc) TOP_DOWN_##class,
#define P(class, part, doc) TOP_DOWN_##part,
#include "top_down.def"
#undef C
#undef P
	TOP_DOWN_COUNT
};

struct top_down {
	const char *name, *doc;
	enum top_down_row class; /* of the first level: itself */
};
extern const struct top_down top_down_rows[TOP_DOWN_COUNT];

/* Slots of each row; those of the first level add up to the commit width times the cycles of `s`. */
void top_down_slots(const struct core_stats *s, uint64_t slots[TOP_DOWN_COUNT]);

#endif
