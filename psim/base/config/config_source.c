/* Where the defaults of parameters come from. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "config_rows.h"

static const char *const kind_name[] = {"", "paper", "published", "assumed", "ours"};

/* Returns whether the blank-separated `keys` have this one. */
static bool names_key(const char *keys, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = keys; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == length && !strncmp(at, key, length))
			return true;
	return false;
}

static unsigned count_names(const char *keys)
{
	unsigned count = 0;

	for (const char *at = keys; *at; at += strcspn(at, " "), at += strspn(at, " "))
		count++;
	return count;
}

void config_source(struct config *c, const char *section, const char *keys, enum source_kind kind, const char *text)
{
	bool others = !strcmp(keys, "*");
	unsigned set = 0, names = count_names(keys);
	size_t first;

	if (config_is_whole(c, NULL) < 0)
		return;
	first = c->next_source;
	for (size_t n = 0; n < c->rows.count && (others || set < names); n++) {
		size_t at = (first + n) % c->rows.count; /* they come in the order of the rows, mostly */
		struct config_row *row = &c->rows.at[at];

		if (strcmp(row->param->section, section) != 0 || row->source_kind != SOURCE_NONE ||
		    !(others || names_key(keys, row->param->key)))
			continue;
		row->source_kind = kind;
		row->source = text;
		set++;
		c->next_source = at + 1;
	}
	if (others ? !set : set != names)
		bug("sources of [%s] %s: a key that is unknown or has a source", section, keys);
}

void config_source_text(const struct config *c, const struct param *p, char *buffer, size_t size)
{
	const struct config_row *row = NULL;
	const char *kind, *text;
	bool implied;

	*buffer = '\0';
	for (size_t i = 0; i < c->rows.count && !row; i++)
		if (c->rows.at[i].param == p)
			row = &c->rows.at[i];
	if (!row || row->source_kind == SOURCE_NONE)
		return;
	kind = kind_name[row->source_kind];
	text = row->source;
	implied = row->source_kind < SOURCE_ASSUMED || !strncmp(text, "recalled", 8) || !strncmp(text, "as ", 3);
	if (*text && implied)
		snprintf(buffer, size, "%s", text);
	else
		snprintf(buffer, size, "%s%s%s", kind, *text ? ", " : "", text);
}
