#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_rows.h"
#include "../mem.h"
#include "../near.h"
#include "value.h"

struct config *config_create(void)
{
	return mem_alloc(1, sizeof(struct config), NULL);
}

void config_destroy(struct config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->rows.count; i++)
		free(c->rows.at[i].origin);
	for (size_t i = 0; i < c->owns.count; i++) {
		free(c->owns.at[i]->key);
		free(c->owns.at[i]);
	}
	for (size_t i = 0; i < c->files.count; i++)
		free(c->files.at[i]);
	for (size_t i = 0; i < c->old_names.count; i++)
		free(c->old_names.at[i].place);
	config_drop_families(c);
	vec_finish(&c->old_names);
	vec_finish(&c->files);
	vec_finish(&c->rows);
	vec_finish(&c->sections);
	vec_finish(&c->owns);
	vec_finish(&c->facts);
	free(c);
}

static void *field_of(const struct config_row *row)
{
	return (char *)row->target + row->param->offset;
}

void config_add(struct config *c, const struct param *params, unsigned count, void *target)
{
	struct err e;

	for (unsigned i = 0; i < count; i++) {
		const struct param *p = &params[i];
		struct config_row row = {.param = p, .target = target}, *place;

		if (value_read(p, p->initial, field_of(&row), &e))
			bug("default of %s.%s: %s", p->section, p->key, e.text);
		place = c ? vec_push(&c->rows, NULL) : NULL;
		if (place)
			*place = row;
		else if (c)
			c->short_of_memory = true;
	}
}

int config_is_whole(const struct config *c, struct err *e)
{
	return !c || c->short_of_memory ? mem_short(e) : 0;
}

static void add_section(struct config *c, const struct config_section *section)
{
	struct config_section *s = c ? vec_push(&c->sections, NULL) : NULL;

	if (s)
		*s = *section;
	else if (c)
		c->short_of_memory = true;
}

void config_describe(struct config *c, const char *section, const char *doc)
{
	add_section(c, &(struct config_section){.name = section, .doc = doc});
}

void config_add_open(struct config *c, const char *section, const char *doc, bool paths)
{
	add_section(c, &(struct config_section){section, doc, true, paths});
}

static const struct config_section *open_section(const struct config *c, const char *section)
{
	for (size_t i = 0; i < c->sections.count; i++)
		if (c->sections.at[i].open && !strcmp(c->sections.at[i].name, section))
			return &c->sections.at[i];
	return NULL;
}

static struct config_row *find_key(const struct config *c, const char *section, const char *key)
{
	for (size_t i = 0; i < c->rows.count; i++)
		if (!strcmp(c->rows.at[i].param->section, section) && !strcmp(c->rows.at[i].param->key, key))
			return &c->rows.at[i];
	return NULL;
}

static bool section_has_rows(const struct config *c, const char *section)
{
	for (size_t i = 0; i < c->rows.count; i++)
		if (!strcmp(c->rows.at[i].param->section, section))
			return true;
	return false;
}

bool config_has_section(const struct config *c, const char *section)
{
	return section_has_rows(c, section) || open_section(c, section) != NULL || config_family_of(c, section) != NULL;
}

int config_unknown_section(const struct config *c, const char *place, const char *section, struct err *e)
{
	struct near n = near_start(section);

	for (size_t i = 0; i < c->rows.count; i++)
		near_offer(&n, c->rows.at[i].param->section);
	for (size_t i = 0; i < c->sections.count; i++)
		near_offer(&n, c->sections.at[i].name);
	if (n.best)
		return err_set(e, STATUS_USAGE, "%s: unknown section [%s], did you mean [%s]?", place, section, n.best);
	return err_set(e, STATUS_USAGE, "%s: unknown section [%s], expected one that --list-params shows", place,
		       section);
}

enum { KEYS_SHOWN = 200 }; /* characters of a list in a message */

/* Lists the keys of a section; false: they do not fit. */
static bool list_keys(const struct config *c, const char *section, char *list, size_t room)
{
	size_t used = 0;

	*list = '\0';
	for (size_t i = 0; i < c->rows.count && used < room; i++)
		if (!strcmp(c->rows.at[i].param->section, section))
			used += (size_t)snprintf(list + used, room - used, "%s%s", used ? ", " : "",
						 c->rows.at[i].param->key);
	return used && used < room;
}

static int unknown_key(const struct config *c, const char *place, const char *section, const char *key, struct err *e)
{
	struct near n = near_start(key);
	char list[KEYS_SHOWN];

	if (!strcmp(key, "inherit"))
		return err_set(e, STATUS_USAGE, "%s: inherit in section [%s], expected it before the first section",
			       place, section);
	for (size_t i = 0; i < c->rows.count; i++)
		if (!strcmp(c->rows.at[i].param->section, section))
			near_offer(&n, c->rows.at[i].param->key);
	if (n.best)
		return err_set(e, STATUS_USAGE, "%s: unknown key %s in section [%s], did you mean %s?", place, key,
			       section, n.best);
	if (list_keys(c, section, list, sizeof(list)))
		return err_set(e, STATUS_USAGE, "%s: unknown key %s in section [%s], expected one of %s", place, key,
			       section, list);
	return err_set(e, STATUS_USAGE, "%s: unknown key %s in section [%s], expected one that --list-params shows",
		       place, key, section);
}

/* Adds a row for a new key of an open section; NULL with `e` when memory is short. */
static struct config_row *add_own(struct config *c, const char *section, const char *key, struct err *e)
{
	struct config_own *own = mem_alloc(1, sizeof(*own), e), **place = NULL;
	struct config_row *row = NULL;

	if (own)
		own->key = mem_copy_text(key, e);
	if (own && own->key)
		place = vec_push(&c->owns, e);
	if (!place) {
		free(own ? own->key : NULL);
		free(own);
		return NULL;
	}
	*place = own;
	own->param = (struct param){
		.section = section, .key = own->key, .type = PARAM_TEXT, .initial = "", .unit = "", .doc = ""};
	row = vec_push(&c->rows, e);
	if (row)
		*row = (struct config_row){.param = &own->param, .target = own->text};
	return row;
}

/* Returns the length of "DIR/" in "DIR/FILE:LINE", the folder of paths in that file; 0 for "-p". */
static int folder_length(const char *place)
{
	const char *slash = strrchr(place, '/');

	return slash && strrchr(place, ':') > slash ? (int)(slash + 1 - place) : 0;
}

/* Writes `value`, from `place`, to `text`; a path is relative to the file of that place. -1 with `e`: too long. */
static int config_resolve(const struct param *p, bool is_path, const char *place, const char *value,
			  char text[PARAM_TEXT_MAX], struct err *e)
{
	int folder = is_path && *value != '/' ? folder_length(place) : 0;
	int n = snprintf(text, PARAM_TEXT_MAX, "%.*s%s", folder, place, value);

	if (n >= PARAM_TEXT_MAX)
		return err_set(e, STATUS_USAGE, "%s: %s.%s: %d characters, expected at most %d", place, p->section,
			       p->key, n, PARAM_TEXT_MAX - 1);
	return 0;
}

/* Checks a new key of an open section. A key of these characters reads back from an INI file. */
static int check_own_key(const char *place, const char *section, const char *key, struct err *e)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-";
	size_t n = strlen(key);

	if (n && n <= OWN_KEY_MAX && strspn(key, letters) == n)
		return 0;
	return err_set(e, STATUS_USAGE,
		       "%s: [%s]: \"%.64s\" is not a name, expected 1 to %d letters, digits, _ . + or -", place,
		       section, key, OWN_KEY_MAX);
}

/* Checks that an INI file can hold a value of the command line. */
static int check_value(const char *place, const char *section, const char *key, const char *value, struct err *e)
{
	for (const char *c = value; *c; c++) {
		bool comment = (*c == ';' || *c == '#') && (c == value || isblank((unsigned char)c[-1]));

		if (comment || (*c != '\t' && iscntrl((unsigned char)*c)))
			return err_set(e, STATUS_USAGE,
				       "%s: %s.%s: comment or control character in the value, expected text", place,
				       section, key);
	}
	return 0;
}

/* Sets a key of an open section, made if it is new. */
static int assign_own(struct config *c, const struct config_section *s, const char *place, const char *key,
		      const char *value, struct config_row **row, struct err *e)
{
	if (!*row && check_own_key(place, s->name, key, e) < 0)
		return -1;
	if (!*row)
		*row = add_own(c, s->name, key, e);
	return *row ? config_resolve((*row)->param, s->paths, place, value, field_of(*row), e) : -1;
}

/* Sets a key of a table. An empty path stays empty: no file. */
static int assign_row(const struct config_row *row, const char *place, const char *value, struct err *e)
{
	const struct param *p = row->param;
	char path[PARAM_TEXT_MAX];

	if (p->type == PARAM_PATH) {
		if (config_resolve(p, *value != '\0', place, value, path, e) < 0)
			return -1;
		value = path;
	}
	if (value_read(p, value, field_of(row), e))
		return err_prefix(e, "%s: %s.%s", place, p->section, p->key);
	return 0;
}

const char *config_present_key(struct config *c, const char *place, const char *section, const char *key, struct err *e)
{
	const struct renamed *name = renamed_find(key, strlen(key));
	const struct config_row *row = name ? find_key(c, section, name->present) : NULL;
	struct config_old_name *old;

	if (!row || find_key(c, section, key))
		return key;
	old = vec_push(&c->old_names, e);
	if (!old)
		return NULL;
	*old = (struct config_old_name){row->param->section, name, mem_copy_text(place, e)};
	return old->place ? name->present : NULL;
}

void config_old_names(const struct config *c, config_old_name_fn *fn, void *user)
{
	for (size_t i = 0; i < c->old_names.count; i++) {
		const struct config_old_name *old = &c->old_names.at[i];

		fn(user, old->place, old->section, old->name->old, old->name->present);
	}
}

int config_assign(struct config *c, const char *place, const char *section, const char *key, const char *value,
		  struct err *e)
{
	const struct config_section *own = open_section(c, section);
	const struct config_family *family;
	struct config_row *row;
	char *origin;

	if (!config_has_section(c, section))
		return config_unknown_section(c, place, section, e);
	family = config_family_of(c, section);
	if (family && !section_has_rows(c, section) && config_make_member(c, family, place, section, e) < 0)
		return -1;
	key = config_present_key(c, place, section, key, e);
	if (!key)
		return -1;
	row = find_key(c, section, key);
	if (!row && !own)
		return unknown_key(c, place, section, key, e);
	if (check_value(place, section, key, value, e) < 0)
		return -1;
	if ((own ? assign_own(c, own, place, key, value, &row, e) : assign_row(row, place, value, e)) < 0)
		return -1;
	origin = mem_copy_text(place, e);
	if (!origin)
		return -1;
	free(row->origin);
	row->origin = origin;
	row->allowed = c->allow_unused;
	return 0;
}

/* Cuts the blanks off both ends, in place. */
static char *config_trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* Returns the dot between section and key of "core.key=", or of "link.NAME.key=" if there is such a family; or NULL. */
static char *section_end(const struct config *c, char *assignment, const char *equals)
{
	char *dot = strchr(assignment, '.'), *last = NULL;

	for (char *at = assignment; at < equals; at++)
		last = *at == '.' ? at : last;
	if (!last || last == dot)
		return last;
	*last = '\0';
	dot = config_family_of(c, assignment) ? last : dot;
	*last = '.';
	return dot;
}

int config_override(struct config *c, const char *assignment, const char *origin, struct err *e)
{
	char *copy, *dot, *equals;
	int result = -1;

	if (config_is_whole(c, e))
		return -1;
	copy = mem_copy_text(assignment, e);
	if (!copy)
		return -1;
	equals = strchr(copy, '=');
	dot = equals ? section_end(c, copy, equals) : NULL;
	if (!dot) {
		err_set(e, STATUS_USAGE, "%s %s: not an assignment, expected section.key=value", origin, assignment);
	} else {
		*equals = *dot = '\0';
		result = config_assign(c, origin, config_trim(copy), config_trim(dot + 1), config_trim(equals + 1), e);
	}
	free(copy);
	return result;
}

const char *config_origin(const struct config *c, const char *section, const char *key)
{
	const struct config_row *row = c ? find_key(c, section, key) : NULL;

	return row && row->origin ? row->origin : "default";
}

void config_visit(const struct config *c, config_visit_fn *fn, void *user)
{
	char value[VALUE_TEXT_MAX];

	for (size_t i = 0; c && i < c->rows.count; i++) {
		const struct config_row *row = &c->rows.at[i];

		value_write(row->param, field_of(row), value, sizeof(value));
		fn(user, row->param, value, row->origin ? row->origin : "default");
	}
}
