#include "param_costs.h"

#include <string.h>

static const struct param_cost rows[] = {
#define COST(section, key, better, also, where) {#section, #key, better, also, where},
#define FREE(section, key, why) {#section, #key, NULL, NULL, why},
#define SRC(section, key, kind, text)
#include "param_notes.def"
#undef SRC
#undef COST
#undef FREE
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

const struct param_cost *param_cost_at(size_t n)
{
	return n < ROWS ? &rows[n] : NULL;
}

const struct param_cost *param_cost_find(const char *section, const char *key)
{
	for (size_t n = 0; n < ROWS; n++)
		if (!strcmp(rows[n].section, section) && !strcmp(rows[n].key, key))
			return &rows[n];
	return NULL;
}
