#include "cycle_parts.h"

#include <string.h>

static const struct {
	const char *name, *doc;
} parts[PART_COUNT] = {
#define M(name, doc) {#name, doc},
#include "machine_part.def"
#undef M
};

static const enum machine_part part_of_cause[STALL_COUNT] = {
#define T(part, top_down, name, doc) PART_##part,
#include "stall.def"
#undef T
};

const char *core_part_name(unsigned part)
{
	return parts[part].name;
}

const char *core_part_doc(unsigned part)
{
	return parts[part].doc;
}

void core_part_slots(const struct core_stats *s, uint64_t slots[PART_COUNT])
{
	memset(slots, 0, PART_COUNT * sizeof(*slots));
	slots[PART_used] = s->instructions + s->trap_instructions;
	for (unsigned n = 0; n < STALL_COUNT; n++)
		slots[part_of_cause[n]] += s->lost[n];
}
