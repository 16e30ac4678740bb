/* The configuration as an INI file to run again, and as a table to read. */
#include <string.h>

#include "../hash.h"
#include "config.h"
#include "config_rows.h"
#include "value.h"

enum { LINE_CHARS = 198 }; /* a longer line loses its comment */

static const char *config_section_doc(const struct config *c, const char *section)
{
	for (size_t i = 0; i < c->sections.count; i++)
		if (!strcmp(c->sections.at[i].name, section))
			return c->sections.at[i].doc;
	return "";
}

struct listing {
	const struct config *config;
	FILE *out;
	const char *section; /* the section being listed */
	bool sources;        /* of some defaults are known */
};

/* Returns true if the row begins a new section. */
static bool new_section(struct listing *l, const struct param *p)
{
	bool first = !l->section;

	if (!first && !strcmp(l->section, p->section))
		return false;
	l->section = p->section;
	if (!first)
		fputc('\n', l->out);
	return true;
}

static void dump_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct listing *l = user;
	char line[VALUE_TEXT_MAX + 128];
	int n;

	(void)origin; /* a dump that is read back gives the same dump */
	if (new_section(l, p)) {
		const char *doc = config_section_doc(l->config, p->section);

		if (*doc)
			fprintf(l->out, "; %s\n", doc);
		fprintf(l->out, "[%s]\n", p->section);
	}
	n = snprintf(line, sizeof(line), "%s = %s", p->key, value);
	fputs(line, l->out);
	if (*p->doc && n + (int)strlen(p->doc) + (int)strlen(p->unit) + 40 <= LINE_CHARS) {
		fprintf(l->out, "%*s ; ", n < 32 ? 32 - n : 0, "");
		if (*p->unit && (p->type == PARAM_UINT || p->type == PARAM_REAL))
			fprintf(l->out, "%s: ", p->unit);
		fputs(p->doc, l->out);
	}
	fputc('\n', l->out);
}

void config_dump(const struct config *c, FILE *out)
{
	struct listing l = {c, out, NULL, false};

	fputs("unused = allowed ; all keys are here, whatever reads them\n\n", out);
	config_visit(c, dump_row, &l);
}

/* A line of the list; tables without sources have no such column. */
static void list_line(const struct listing *l, const char *const cell[5], const char *source)
{
	fprintf(l->out, "  %-22s %-12s %-28s %-18s ", cell[0], cell[1], cell[2], cell[3]);
	if (l->sources)
		fprintf(l->out, "%-24s ", source);
	fprintf(l->out, "%s\n", cell[4]);
}

static void list_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct listing *l = user;
	char range[160], source[PARAM_TEXT_MAX];
	const char *const cell[] = {p->key, *p->initial ? p->initial : "-", range, *p->unit ? p->unit : "-", p->doc};

	(void)value;
	(void)origin;
	value_range(p, range, sizeof(range));
	config_source_text(l->config, p, source, sizeof(source));
	if (new_section(l, p))
		fprintf(l->out, "[%s] %s\n", p->section, config_section_doc(l->config, p->section));
	list_line(l, cell, *source ? source : "-");
}

void config_list(const struct config *c, FILE *out)
{
	static const char *const head[] = {"name", "default", "range", "unit", "meaning"};
	struct listing l = {c, out, NULL, false};

	for (size_t i = 0; i < c->rows.count; i++)
		l.sources |= c->rows.at[i].source_kind != SOURCE_NONE;
	if (l.sources)
		fprintf(out, "source: of the default; assumed: no published figure; ours: a choice of the model;\n"
			     "papers, pages (p.42): docs/README.md, docs/formats/parameters.md\n\n");
	list_line(&l, head, "source");
	fputc('\n', out);
	config_visit(c, list_row, &l);
	for (size_t i = 0; i < c->families.count; i++)
		for (unsigned k = 0; k < c->families.at[i].count; k++)
			list_row(&l, &c->families.at[i].params[k], "", "");
	for (size_t i = 0; i < c->sections.count; i++)
		if (c->sections.at[i].open)
			fprintf(out, "\n[%s] %s\n", c->sections.at[i].name, c->sections.at[i].doc);
}

/* ---- identity ---- */
static void hash_text(uint64_t *h, const char *text)
{
	*h = hash_bytes(*h, text, strlen(text));
}

static void hash_row(void *user, const struct param *p, const char *value, const char *origin)
{
	(void)origin; /* the origin of a value is not part of the identity */
	hash_text(user, p->section);
	hash_text(user, ".");
	hash_text(user, p->key);
	hash_text(user, "=");
	hash_text(user, value);
	hash_text(user, "\n");
}

uint64_t config_hash(const struct config *c)
{
	uint64_t h = HASH_BYTES;

	config_visit(c, hash_row, &h);
	return h;
}
