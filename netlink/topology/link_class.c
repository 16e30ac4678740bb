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
		if (!g->class.at[i].links)
			continue;
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

const struct link_class_config *link_class_section(const struct topology_config *cfg, const char *name)
{
	for (unsigned k = 0; k < cfg->classes; k++)
		if (!strcmp(cfg->class[k].name, name))
			return &cfg->class[k];
	return NULL;
}

/* Messages share links of a class in one way; those of NICs are full duplex, as the engines have them. */
static int check_sharing(const struct link_class_config *c, struct err *e)
{
	const char *key = c->fat ? "fat" : c->half_duplex ? "half_duplex" : "backbone";

	if ((c->fat || c->half_duplex || c->backbone) && class_is_of_nics(c->name))
		return err_set(e, STATUS_USAGE, "%s: [link.%s]: %s = yes, expected it for links between routers only",
			       c->place, c->name, key);
	if (c->fat + c->half_duplex + c->backbone > 1)
		return err_set(e, STATUS_USAGE, "%s: [link.%s]: expected only one of fat, half_duplex and backbone",
			       c->place, c->name);
	return 0;
}

/* Gives the classes of a section's name what it has. */
static int apply_section(const struct link_class_config *c, const struct graph *g, struct err *e)
{
	bool known = false;

	if (check_sharing(c, e))
		return -1;
	for (size_t i = 0; i < g->class.count; i++) {
		struct topology_class *class = &g->class.at[i];

		if (strcmp(class->name, c->name) != 0)
			continue;
		known |= class->links > 0;
		if (c->bandwidth > 0)
			class->bytes_per_s = c->bandwidth;
		if (c->cable >= 0)
			class->cable_ps = c->cable;
		if (c->energy >= 0)
			class->pj_per_bit = c->energy;
		class->fat |= c->fat;
		class->half_duplex |= c->half_duplex;
		class->backbone |= c->backbone;
	}
	return known ? 0 : unknown_class(c, g, e);
}

/* Refuses a key of NICs if both of their classes have sections with it. */
static int refuse_idle_nics(const struct topology_config *cfg, const struct graph *g, struct err *e)
{
	const struct link_class_config *in = link_class_section(cfg, "inject"), *out = link_class_section(cfg, "eject");
	bool rails = false;

	for (size_t i = 0; i < g->class.count; i++)
		rails |= !strcmp(g->class.at[i].name, "rail"); /* these have the NICs' values too */
	if (!in || !out || rails)
		return 0;
	if (cfg->link.nic_bandwidth != 0 && in->bandwidth > 0 && out->bandwidth > 0)
		return err_set(e, STATUS_USAGE,
			       "link.nic_bandwidth: [link.inject] and [link.eject] have a bandwidth, "
			       "expected one of both");
	if (cfg->link.nic_cable != 0 && in->cable >= 0 && out->cable >= 0)
		return err_set(e, STATUS_USAGE,
			       "link.nic_cable: [link.inject] and [link.eject] have a cable, expected one of both");
	return 0;
}

int link_class_apply(const struct topology_config *cfg, struct graph *g, struct err *e)
{
	for (size_t i = 0; i < g->class.count; i++)
		g->class.at[i].pj_per_bit = cfg->link.energy;
	for (unsigned k = 0; k < cfg->classes; k++)
		if (apply_section(&cfg->class[k], g, e))
			return -1;
	return refuse_idle_nics(cfg, g, e);
}
