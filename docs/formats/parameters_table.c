/*
 * Prints docs/formats/parameters.md from the tables of the core: every parameter, its
 * default, and where the default comes from. Fails where a parameter
 * has no source, or a source no parameter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim/machine/core_config.h"

enum kind { PAPER, PUBLISHED, ASSUMED, OURS, KIND_COUNT };
static const char *const kind_name[KIND_COUNT] = {"paper", "published", "assumed", "ours"};

static const struct source {
	const char *section, *key;
	enum kind kind;
	const char *text;
} sources[] = {
#define SRC(section, key, kind, text) {#section, #key, kind, text},
#define COST(section, key, better, also, where)
#define FREE(section, key, why)
#include "psim/machine/param_notes.def"
#undef SRC
#undef COST
#undef FREE
};
enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

static const struct section {
	const char *name, *doc;
} sections[] = {
#define SECTION(name, doc) {#name, doc},
#define P(field, type, initial, min, max, unit, doc)
#define E(field, initial, choices, doc)
#define END(name)
#include "psim/machine/params.def"
#undef SECTION
#undef P
#undef E
#undef END
};

struct state {
	const struct config *config;
	const char *section;
	unsigned used, missing, of_kind[KIND_COUNT];
};

static void print_section(struct state *s, const char *name)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (!strcmp(sections[i].name, name))
			printf("| **%s** | | | |\n", sections[i].doc);
	s->section = name;
}

/* A bar would end the cell. */
static void print_cell(const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			putchar('\\');
		putchar(*text);
	}
}

/* Returns whether the reader knows the unit: of rob_entries, or of stages. "0" often means something else. */
static bool is_unit_implied(const struct param *p)
{
	static const char *const usual[] = {"cycles", "entries", "lines", "instructions/cycle"};
	size_t key = strlen(p->key), unit = strlen(p->unit);

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (!strcmp(p->unit, usual[i]))
			return true;
	return strchr(p->initial, ' ') || !strcmp(p->initial, "0") ||
	       (key >= unit && !strcmp(p->key + key - unit, p->unit));
}

static void print_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct state *s = user;
	const struct source *from = NULL;
	const char *unit;
	char text[PARAM_TEXT_MAX];

	(void)value;
	(void)origin;
	for (size_t i = 0; i < SOURCES; i++)
		if (!strcmp(sources[i].section, p->section) && !strcmp(sources[i].key, p->key))
			from = &sources[i];
	if (!from) {
		fprintf(stderr, "param_notes.def: no row for %s.%s\n", p->section, p->key);
		s->missing++;
		return;
	}
	s->used++;
	s->of_kind[from->kind]++;
	if (!s->section || strcmp(s->section, p->section) != 0)
		print_section(s, p->section);
	unit = is_unit_implied(p) ? "" : p->unit;
	printf("| `%s.%s` | %s%s%s | ", p->section, p->key, p->initial, *unit ? " " : "", unit);
	print_cell(p->doc);
	printf(" | ");
	config_source_text(s->config, p, text, sizeof(text));
	print_cell(text);
	printf(" |\n");
}

int main(void)
{
	struct config *c = config_create();
	struct core_config cfg;
	struct state s = {c, NULL, 0, 0, {0}};

	if (!c)
		return STATUS_FAILED;
	core_config_add(c, &cfg);
	printf("# Parameters of the processor model\n\n"
	       "`ninja parameter-docs` makes this page from `psim/machine/params.def` and `param_notes.def` there.\n"
	       "`psim --list-params` prints ranges; `psim/machine/core_config.c` has the rules between parameters.\n"
	       "Times are in cycles, 2^n is a power of two.\n\n"
	       "| source | is |\n|---|---|\n"
	       "| paper, Table 8 | the [PSI-SIM paper](../README.md#the-papers) |\n"
	       "| p.42 | page of SPARC JPS1 Implementation Supplement: Fujitsu SPARC64 V, Release 1.0, 2002 |\n"
	       "| recalled | from memory of literature, as Sakamoto et al., HPCA 2003 |\n"
	       "| assumed, as X | no published figure of this chip |\n"
	       "| ours | of model or program, not of the chip |\n\n"
	       "| parameter | default | meaning | source |\n|---|---|---|---|\n");
	config_visit(c, print_row, &s);
	printf("\n%u parameters:", s.used);
	for (unsigned k = 0; k < KIND_COUNT; k++)
		printf(" %u %s%s", s.of_kind[k], kind_name[k], k + 1 < KIND_COUNT ? "," : ".\n");
	config_destroy(c);
	if (s.used < SOURCES)
		fprintf(stderr, "param_notes.def: %u rows belong to no parameter\n", SOURCES - s.used);
	return s.missing || s.used < SOURCES ? STATUS_FAILED : STATUS_DONE;
}
