#include "link_class.h"

#include <stdio.h>
#include <string.h>

#include "../../psim/base/config/param_row.h"
#include "../../psim/base/near.h"

static const struct param class_rows[] = {
#define P(field_, type_, initial_, min_, max_, unit_, doc_) \
	PARAM_ROW("link.NAME", struct link_class_config, field_, PARAM_##type_, initial_, min_, max_, unit_, doc_)
#include "link_class.def"
#undef P
};

static void *take_class(void *user, const char *name, const char *place, struct err *e)
{
	struct topology_config *t = user;
	struct link_class_config *c = &t->class[t->classes];

	if (strlen(name) >= sizeof(c->name)) {
		err_set(e, STATUS_USAGE, "%s: [link.%.64s]: expected a class of at most %d characters", place, name,
			TOPOLOGY_NAME_MAX - 1);
		return NULL;
	}
	if (t->classes == LINK_CLASSES_MAX) {
		err_set(e, STATUS_USAGE, "%s: [link.%s]: too many classes of links, expected at most %d", place, name,
			LINK_CLASSES_MAX);
		return NULL;
	}
	t->classes++;
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->place, sizeof(c->place), "%s", place);
	return c;
}

void link_class_config_add(struct config *c, struct topology_config *target)
{
	target->classes = 0;
	config_add_family(c, "links of class NAME, in place of what [link] gives them", class_rows,
			  sizeof(class_rows) / sizeof(class_rows[0]), take_class, target);
}

static int unknown_class(const struct link_class_config *c, const struct graph *g, struct err *e)
{
	struct near n = near_start(c->name);
	char names[200] = "";
	size_t length = 0;

	for (size_t i = 0; i < g->class.count; i++) {
		near_offer(&n, g->class.at[i].name);
		if (length < sizeof(names))
			length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s", length ? ", " : "",
						   g->class.at[i].name);
	}
	return err_set(e, STATUS_USAGE, "%s: [link.%s]: no links of class %s, expected one of %s%s%s%s%s", c->place,
		       c->name, c->name, names, length < sizeof(names) ? "" : "…", n.best ? " (did you mean " : "",
		       n.best ? n.best : "", n.best ? "?)" : "");
}

static bool class_is_of_nics(const char *name)
{
	return !strcmp(name, "inject") || !strcmp(name, "eject");
}

int link_class_apply(const struct topology_config *cfg, struct graph *g, struct err *e)
{
	for (size_t i = 0; i < g->class.count; i++)
		g->class.at[i].pj_per_bit = cfg->link.energy;
	for (unsigned k = 0; k < cfg->classes; k++) {
		const struct link_class_config *c = &cfg->class[k];
		bool known = false;

		for (size_t i = 0; i < g->class.count; i++) {
			struct topology_class *class = &g->class.at[i];

			if (strcmp(class->name, c->name) != 0)
				continue;
			known = true;
			if (c->bandwidth > 0)
				class->bytes_per_s = c->bandwidth;
			if (c->cable >= 0)
				class->cable_ps = c->cable;
			if (c->energy >= 0)
				class->pj_per_bit = c->energy;
			if (c->fat && class_is_of_nics(c->name))
				return err_set(e, STATUS_USAGE,
					       "%s: [link.%s]: fat = yes, expected it for links between routers only",
					       c->place, c->name);
			class->fat |= c->fat;
		}
		if (!known)
			return unknown_class(c, g, e);
	}
	return 0;
}
