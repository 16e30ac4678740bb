/* The configuration as an INI file to run again, and as a table to read. */
#include <string.h>

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
	struct listing l = {c, out, NULL};

	fputs("unused = allowed ; all keys are here, whatever reads them\n\n", out);
	config_visit(c, dump_row, &l);
}

#define LIST_FORMAT "  %-22s %-12s %-28s %-18s %-24s %s\n"

static void list_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct listing *l = user;
	char range[160], source[PARAM_TEXT_MAX];

	(void)value;
	(void)origin;
	value_range(p, range, sizeof(range));
	config_source_text(l->config, p, source, sizeof(source));
	if (new_section(l, p))
		fprintf(l->out, "[%s] %s\n", p->section, config_section_doc(l->config, p->section));
	fprintf(l->out, LIST_FORMAT, p->key, *p->initial ? p->initial : "-", range, *p->unit ? p->unit : "-",
		*source ? source : "-", p->doc);
}

void config_list(const struct config *c, FILE *out)
{
	struct listing l = {c, out, NULL};

	fprintf(out,
		"source: of the default; assumed: no published figure; ours: a choice of the model, not of a machine;\n"
		"papers, pages (p.42): docs/README.md, docs/formats/parameters.md\n\n");
	fprintf(out, LIST_FORMAT "\n", "name", "default", "range", "unit", "source", "meaning");
	config_visit(c, list_row, &l);
	for (size_t i = 0; i < c->sections.count; i++)
		if (c->sections.at[i].open)
			fprintf(out, "\n[%s] %s\n", c->sections.at[i].name, c->sections.at[i].doc);
}
