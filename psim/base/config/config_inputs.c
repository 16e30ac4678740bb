/* The files that a configuration consists of and names. */
#include <string.h>

#include "config.h"
#include "config_rows.h"

/* Returns whether the values of an open section are paths. */
static bool has_paths(const struct config *c, const char *section)
{
	for (size_t i = 0; i < c->sections.count; i++)
		if (c->sections.at[i].paths && !strcmp(c->sections.at[i].name, section))
			return true;
	return false;
}

int config_each_input(const struct config *c, config_input_fn *fn, void *user)
{
	for (size_t i = 0; i < c->files.count; i++)
		if (fn(user, c->files.at[i]))
			return -1;
	for (size_t i = 0; i < c->rows.count; i++) {
		const struct config_row *row = &c->rows.at[i];
		const char *value = (const char *)row->target + row->param->offset;
		bool path = row->param->type == PARAM_PATH ||
			    (row->param->type == PARAM_TEXT && has_paths(c, row->param->section));

		if (path && *value && fn(user, value))
			return -1;
	}
	return 0;
}
