/*
 * Prints docs/formats/parameters.md from the tables of the core: every parameter, its
 * default, and where the default comes from. Fails where a parameter
 * has no source, or a source no parameter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim/core/core_config.h"

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
#include "psim/core/param_notes.def"
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
#include "psim/core/params.def"
#undef SECTION
#undef P
#undef E
#undef END
};

struct state {
	const char *section;
	unsigned used, missing, of_kind[KIND_COUNT];
};

static void print_section(struct state *s, const char *name)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (!strcmp(sections[i].name, name))
			printf("\n## [%s] %s\n\n", name, sections[i].doc);
	printf("| parameter | default | meaning | source |\n|---|---|---|---|\n");
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

static void print_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct state *s = user;
	const struct source *from = NULL;
	/* "2 GHz" has its unit, "8" banks need none, "0" often means something else. */
	bool has_unit = strchr(p->initial, ' ') || !strcmp(p->initial, "0") || !*p->unit || !strcmp(p->unit, p->key);

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
	printf("| `%s` | %s%s%s | ", p->key, p->initial, has_unit ? "" : " ", has_unit ? "" : p->unit);
	print_cell(p->doc);
	printf(" | **%s**: ", kind_name[from->kind]);
	print_cell(from->text);
	printf(" |\n");
}

int main(void)
{
	struct config *c = config_create();
	struct core_config cfg;
	struct state s = {NULL, 0, 0, {0}};

	if (!c)
		return STATUS_FAILED;
	core_config_add(c, &cfg);
	printf("# Parameters of the processor model\n\n"
	       "Made by `docs/formats/parameters_table.c` from `psim/core/params.def` and "
	       "`psim/core/param_notes.def`; do not edit.\n\n"
	       "The source of a default is one of\n\n"
	       "- **paper**: fixed by the paper (its Table 1);\n"
	       "- **published**: read in a document about the chip, which is named. JPS1-V is "
	       "*SPARC JPS1 Implementation Supplement: Fujitsu SPARC64 V*, Release 1.0, July 2002, "
	       "with the page of the PDF;\n"
	       "- **assumed**: no published figure was found; recalled from the literature or "
	       "chosen, as said;\n"
	       "- **ours**: of the model or the program, not of the chip.\n\n"
	       "`psim --list-params` prints the ranges; rules between parameters are in "
	       "`psim/core/core_config.c`.\n");
	config_visit(c, print_row, &s);
	printf("\n%u parameters:", s.used);
	for (unsigned k = 0; k < KIND_COUNT; k++)
		printf(" %u %s%s", s.of_kind[k], kind_name[k], k + 1 < KIND_COUNT ? "," : ".\n");
	config_destroy(c);
	if (s.used < SOURCES)
		fprintf(stderr, "param_notes.def: %u rows belong to no parameter\n", SOURCES - s.used);
	return s.missing || s.used < SOURCES ? STATUS_FAILED : STATUS_DONE;
}
