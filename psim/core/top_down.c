#include "top_down.h"

#include <string.h>

const struct top_down top_down_rows[TOP_DOWN_COUNT] = {
#define C(class, doc) {#class, doc, TOP_DOWN_##class},
#define P(class, part, doc) {#part, doc, TOP_DOWN_##class},
#include "top_down.def"
#undef C
#undef P
};

static const enum top_down_row part_of_cause[STALL_COUNT] = {
#define T(part, top_down, name, doc) TOP_DOWN_##top_down,
#include "stall.def"
#undef T
};

void top_down_slots(const struct core_stats *s, uint64_t slots[TOP_DOWN_COUNT])
{
	memset(slots, 0, TOP_DOWN_COUNT * sizeof(*slots));
	slots[TOP_DOWN_retiring] = s->instructions + s->trap_instructions;
	for (unsigned n = 0; n < STALL_COUNT; n++) {
		slots[part_of_cause[n]] += s->lost[n];
		slots[top_down_rows[part_of_cause[n]].class] += s->lost[n];
	}
}
