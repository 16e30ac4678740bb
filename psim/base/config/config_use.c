/* Finds given keys that nothing reads, by the rules that config.h describes. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "config_rows.h"
#include "../mem.h"
#include "value.h"

enum { NAME_MAX_CHARS = 80, LIST_CHARS = 400 };

/* Part of a text: a name of a list, a term of a condition. */
struct part {
	const char *at;
	size_t length;
};

/* Cuts the next word, up to one of `ends`, off *rest; returns false if there is none. */
static bool next_part(const char **rest, const char *ends, struct part *out)
{
	const char *at = *rest + strspn(*rest, " ");

	if (!*at)
		return false;
	out->at = at;
	out->length = strcspn(at, ends);
	*rest = at + out->length + (at[out->length] != '\0');
	return true;
}

/* Returns whether `names` contains section.key or SECTION.*. */
static bool has_name(const char *names, const char *section, const char *key)
{
	size_t length = strlen(section);
	struct part p;

	while (next_part(&names, " ", &p))
		if (p.length > length && !strncmp(p.at, section, length) && p.at[length] == '.' &&
		    ((p.length == length + 2 && p.at[length + 1] == '*') ||
		     (p.length == length + 1 + strlen(key) && !strncmp(p.at + length + 1, key, strlen(key)))))
			return true;
	return false;
}

/* Returns whether `value` is one of the values, which bars separate. */
static bool has_value(struct part values, const char *value)
{
	size_t length = strlen(value);

	for (const char *at = values.at, *end = at + values.length; at <= end;) {
		const char *bar = memchr(at, '|', (size_t)(end - at));
		size_t room = (size_t)((bar ? bar : end) - at);

		if (room == length && !strncmp(at, value, length))
			return true;
		at += room + 1;
	}
	return false;
}

static const struct config_fact *find_fact(const struct config *c, struct part name)
{
	for (size_t i = 0; i < c->facts.count; i++)
		if (strlen(c->facts.at[i].name) == name.length && !strncmp(c->facts.at[i].name, name.at, name.length))
			return &c->facts.at[i];
	return NULL;
}

static const struct config_row *config_use_find_row(const struct config *c, struct part name)
{
	for (size_t i = 0; i < c->rows.count; i++) {
		const struct param *p = c->rows.at[i].param;
		size_t length = strlen(p->section);

		if (name.length == length + 1 + strlen(p->key) && !strncmp(name.at, p->section, length) &&
		    name.at[length] == '.' && !strncmp(name.at + length + 1, p->key, strlen(p->key)))
			return &c->rows.at[i];
	}
	return NULL;
}

/*
 * Returns whether a term holds; an unknown fact does. If not, writes why: "by engine linear", "with
 * flow.mode = n".
 */
static bool fact_holds(const struct config *c, struct part term, char *why, size_t room)
{
	bool wanted = *term.at == '?';
	const struct config_fact *f = find_fact(c, (struct part){term.at + 1, term.length - 1});

	if (!f || f->value == wanted)
		return true;
	snprintf(why, room, "%s", f->why);
	return false;
}

static bool term_holds(const struct config *c, struct part term, char *why, size_t room)
{
	size_t name = strcspn(term.at, "=!");
	bool not = term.at[name] == '!';
	struct part values = {term.at + name + 1 + not, term.length - name - 1 - not };
	const struct config_row *row;
	char value[VALUE_TEXT_MAX], number[VALUE_TEXT_MAX];

	if (*term.at == '?' || *term.at == '!')
		return fact_holds(c, term, why, room);
	row = config_use_find_row(c, (struct part){term.at, name});
	if (!row)
		return true;
	value_write(row->param, (const char *)row->target + row->param->offset, value, sizeof(value));
	snprintf(number, sizeof(number), "%.*s", (int)strcspn(value, " "), value); /* rules have no units */
	if (has_value(values, number) != not )
		return true;
	if (!strcmp(row->param->key, "kind"))
		snprintf(why, room, "by %s %s", row->param->section, value);
	else
		snprintf(why, room, "with %s.%s = %s", row->param->section, row->param->key, value);
	return false;
}

/*
 * Returns whether one of the alternatives of `when` holds. If not, writes why the alternative with
 * the most true terms fails.
 */
static bool holds(const struct config *c, const char *when, char *why, size_t room)
{
	struct part alternative;
	unsigned most = 0;

	*why = '\0';
	while (next_part(&when, ",", &alternative)) {
		char text[LIST_CHARS], reason[NAME_MAX_CHARS + VALUE_TEXT_MAX];
		const char *rest = text;
		unsigned held = 0;
		bool all = true;
		struct part term;

		snprintf(text, sizeof(text), "%.*s", (int)alternative.length, alternative.at);
		while (all && next_part(&rest, " ", &term)) {
			char one[LIST_CHARS];

			snprintf(one, sizeof(one), "%.*s", (int)term.length, term.at);
			all = term_holds(c, (struct part){one, strlen(one)}, reason, sizeof(reason));
			held += all;
		}
		if (all)
			return true;
		if (!*why || held > most) {
			most = held;
			snprintf(why, room, "%s", reason);
		}
	}
	return false;
}

/* Returns whether the row is given but unused; then writes why. */
static bool is_unused(const struct config *c, const struct config_row *row, const struct config_use *uses, char *why,
		      size_t room)
{
	if (!row->origin || row->allowed || row->noted)
		return false;
	for (; uses->keys; uses++)
		if ((!uses->typed || !strchr(row->origin, ':')) &&
		    has_name(uses->keys, row->family ? row->family : row->param->section, row->param->key) &&
		    !holds(c, uses->when, why, room))
			return true;
	return false;
}

/* Returns whether two rows come from the same file, or both from the command line. */
static bool same_source(const char *a, const char *b)
{
	size_t n = strcspn(a, ":");

	return n == strcspn(b, ":") && !strncmp(a, b, n);
}

int config_fact(struct config *c, const char *name, bool value, const char *why, struct err *e)
{
	struct config_fact *f = vec_push(&c->facts, e);

	if (!f)
		return -1;
	*f = (struct config_fact){name, why, value};
	return 0;
}

void config_note_used(struct config *c, const struct config_use *uses)
{
	char why[NAME_MAX_CHARS + VALUE_TEXT_MAX];

	for (size_t i = 0; i < c->rows.count; i++)
		c->rows.at[i].noted |= !is_unused(c, &c->rows.at[i], uses, why, sizeof(why));
}

unsigned config_unused(const struct config *c, const struct config_use *uses, config_unused_fn *fn, void *user)
{
	bool *reported = mem_alloc(c->rows.count + 1, sizeof(*reported), NULL);
	unsigned count = 0;

	for (size_t i = 0; reported && i < c->rows.count; i++) {
		const struct config_row *row = &c->rows.at[i];
		char why[NAME_MAX_CHARS + VALUE_TEXT_MAX], other[sizeof(why)], list[LIST_CHARS];
		size_t length;
		bool several = false;

		if (reported[i] || !is_unused(c, row, uses, why, sizeof(why)))
			continue;
		length = (size_t)snprintf(list, sizeof(list), "%s.%s", row->param->section, row->param->key);
		for (size_t k = i + 1; k < c->rows.count && length + NAME_MAX_CHARS < sizeof(list); k++) {
			const struct config_row *next = &c->rows.at[k];

			if (reported[k] || !is_unused(c, next, uses, other, sizeof(other)) || strcmp(why, other) != 0 ||
			    !same_source(row->origin, next->origin))
				continue;
			reported[k] = several = true;
			length += (size_t)snprintf(list + length, sizeof(list) - length, ", %s.%s",
						   next->param->section, next->param->key);
		}
		fn(user, row->origin, list, several, why);
		count++;
	}
	free(reported);
	return count;
}
