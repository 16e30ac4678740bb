/* Families of sections: [link.NAME] for any NAME, with the rows of one table. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "config_rows.h"
#include "value.h"
#include "../mem.h"

void config_add_family(struct config *c, const char *doc, const struct param *params, unsigned count,
		       config_member_fn *member, void *user)
{
	struct config_family *f = c ? vec_push(&c->families, NULL) : NULL;

	if (f)
		*f = (struct config_family){params, count, member, user};
	else if (c)
		c->short_of_memory = true;
	config_describe(c, params[0].section, doc);
}

/* Returns the length of "link." in the "link.NAME" of a family. */
static size_t prefix_length(const struct config_family *f)
{
	return (size_t)(strrchr(f->params[0].section, '.') + 1 - f->params[0].section);
}

const struct config_family *config_family_of(const struct config *c, const char *section)
{
	for (size_t i = 0; i < c->families.count; i++) {
		const struct config_family *f = &c->families.at[i];
		size_t length = prefix_length(f);

		if (!strncmp(section, f->params[0].section, length) && section[length])
			return f;
	}
	return NULL;
}

/* A name of these characters reads back from an INI file. */
static bool reads_back(const char *name)
{
	for (const char *at = name; *at; at++)
		if (iscntrl((unsigned char)*at) || *at == ']')
			return false;
	return true;
}

static int add_member_rows(struct config *c, const struct config_family *f, const struct config_member *m, void *target,
			   struct err *e)
{
	if (vec_reserve(&c->rows, f->count, e))
		return -1;
	for (unsigned i = 0; i < f->count; i++) {
		struct param *p = &m->params[i];

		*p = f->params[i];
		p->section = m->section;
		if (value_read(p, p->initial, (char *)target + p->offset, e))
			bug("default of %s.%s: %s", f->params[i].section, p->key, e->text);
		*(struct config_row *)vec_push(&c->rows, NULL) =
			(struct config_row){.param = p, .target = target, .family = f->params[0].section};
	}
	return 0;
}

int config_make_member(struct config *c, const struct config_family *f, const char *place, const char *section,
		       struct err *e)
{
	struct config_member m = {.section = mem_copy_text(section, e)}, *kept;
	void *target;

	if (!reads_back(section))
		err_set(e, STATUS_USAGE, "%s: [%.64s]: ] or a control character in a name, expected other characters",
			place, section);
	else if (m.section && (target = f->member(f->user, m.section + prefix_length(f), place, e)) != NULL &&
		 (m.params = mem_alloc(f->count, sizeof(*m.params), e)) != NULL &&
		 (kept = vec_push(&c->members, e)) != NULL) {
		*kept = m;
		return add_member_rows(c, f, kept, target, e);
	}
	free(m.section);
	free(m.params);
	return -1;
}

void config_drop_families(struct config *c)
{
	for (size_t i = 0; i < c->members.count; i++) {
		free(c->members.at[i].section);
		free(c->members.at[i].params);
	}
	vec_finish(&c->members);
	vec_finish(&c->families);
}
