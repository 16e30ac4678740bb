/* State of a configuration, shared by config.c, config_read.c, config_list.c and config_use.c. */
#ifndef PSIM_BASE_CONFIG_ROWS_H
#define PSIM_BASE_CONFIG_ROWS_H

#include "config.h"
#include "../renamed.h"
#include "../vec.h"

struct config_row {
	const struct param *param;
	void *target;       /* the struct to which `param->offset` applies */
	char *origin;       /* owned; NULL: the default */
	bool allowed;       /* may be unused */
	bool noted;         /* config_note_used found it used */
	const char *family; /* "link.NAME", of a row of a family's member; else NULL */
	enum source_kind source_kind;
	const char *source; /* config_source's text */
};

/* A fact that the program stated with config_fact. */
struct config_fact {
	const char *name, *why;
	bool value;
};

struct config_section {
	const char *name, *doc;
	bool open;  /* its keys are the user's own */
	bool paths; /* and their values are paths */
};

/* A key that was given by the name of the last release. */
struct config_old_name {
	const char *section; /* of the row's parameter */
	const struct renamed *name;
	char *place;
};

enum { OWN_KEY_MAX = 63 }; /* characters of a key of an open section */

/* A row of an open section: its parameter and its value. */
struct config_own {
	struct param param;
	char *key;
	char text[PARAM_TEXT_MAX];
};

/* Sections "link.NAME" for any NAME: config_add_family. */
struct config_family {
	const struct param *params; /* whose section is "link.NAME" */
	unsigned count;
	config_member_fn *member;
	void *user;
};

/* A section of a family, which owns its name and rows. */
struct config_member {
	char *section;
	struct param *params;
};

struct config {
	struct config_rows vec_of(struct config_row) rows;
	struct config_sections vec_of(struct config_section) sections;
	struct config_owns vec_of(struct config_own *) owns;
	struct config_families vec_of(struct config_family) families;
	struct config_members vec_of(struct config_member) members;
	struct config_facts vec_of(struct config_fact) facts;
	struct config_old_names vec_of(struct config_old_name) old_names;
	struct config_read_files vec_of(char *) files; /* that were read, in order */
	bool allow_unused;                             /* the file being read says `unused = allowed` */
	size_t next_source;                            /* the row behind the last one with a source */
	bool short_of_memory;                          /* a row is missing: reading and overriding fail */
};

bool config_has_section(const struct config *c, const char *section);

/* Returns the family that [section] is of, or NULL. */
const struct config_family *config_family_of(const struct config *c, const char *section);

/* Adds the rows of a new section of a family, named at `place`: 0, or -1 with `e`. */
int config_make_member(struct config *c, const struct config_family *f, const char *place, const char *section,
		       struct err *e);
void config_drop_families(struct config *c);

/* Writes the message for an unknown section; `place` is file:line or "-p". Returns -1. */
int config_unknown_section(const struct config *c, const char *place, const char *section, struct err *e);

/* Sets section.key from text and records its source. 0, or -1 with `e`. */
int config_assign(struct config *c, const char *place, const char *section, const char *key, const char *value,
		  struct err *e);

#endif
