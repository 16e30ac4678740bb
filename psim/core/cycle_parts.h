/* The cycle stack by parts of the machine. */
#ifndef PSIM_CORE_CYCLE_PARTS_H
#define PSIM_CORE_CYCLE_PARTS_H

#include "core.h"

enum machine_part {
#define M(name, doc) PART_##name,
#include "machine_part.def"
#undef M
	PART_COUNT
};
const char *core_part_name(unsigned part);
const char *core_part_doc(unsigned part);
/* Commit slots of each part; their sum is the commit width times the cycles of `s`. */
void core_part_slots(const struct core_stats *s, uint64_t slots[PART_COUNT]);

#endif
