/* Notes on units that a run did not use although its configuration has them: idle.def. */
#include <string.h>

#include "../memory/prefetch.h"
#include "chip_report.h"

/* Adds a struct made of uint64_t only. */
static void idle_add_counts(void *into, const void *from, size_t bytes)
{
	uint64_t *to = into;
	const uint64_t *counts = from;

	for (size_t n = 0; n < bytes / sizeof(*to); n++)
		to[n] += counts[n];
}

struct idle {
	const char *unit, *note;
	bool is;
};

static bool idle_key_is_set(const struct config *config, const char *section, const char *key)
{
	return strcmp(config_origin(config, section, key), "default") != 0;
}

void chip_report_idle(const struct chip *c, const struct core_config *cfg, const struct config *config, bool copies,
		      struct report *r)
{
	static const struct report_column columns[] = {{"unit", ""}, {"note", ""}};
	struct core_stats sum = {0}, *s = &sum;
	struct memsys_stats memory = {0}, *m = &memory;
	bool open = false;

	for (unsigned n = 0; n < chip_cores(c); n++) {
		idle_add_counts(s, core_stats(chip_core(c, n)), sizeof(*s));
		idle_add_counts(m, core_memsys_stats(chip_core(c, n)), sizeof(*m));
	}
	const struct idle idle[] = {
#define I(unit, section, key, present, used, note) \
	{#unit, note, (present) && !(used) && idle_key_is_set(config, #section, #key)},
#include "idle.def"
#undef I
	};

	for (size_t n = 0; n < sizeof(idle) / sizeof(idle[0]); n++) {
		if (!idle[n].is)
			continue;
		if (!open)
			report_table(r, "notes", "what the configuration has and the run did not use", columns, 2);
		open = true;
		report_cell_text(r, idle[n].unit);
		report_cell_text(r, idle[n].note);
	}
	if (open)
		report_table_end(r);
}
