/* State of a configuration, shared by config.c, config_read.c, config_list.c and config_use.c. */
#ifndef PSIM_BASE_CONFIG_ROWS_H
#define PSIM_BASE_CONFIG_ROWS_H

#include "config.h"
#include "../vec.h"

struct config_row {
	const struct param *param;
	void *target; /* the struct to which `param->offset` applies */
	char *origin; /* owned; NULL: the default */
	bool allowed; /* may be unused */
	bool noted;   /* config_note_used found it used */
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

enum { OWN_KEY_MAX = 63 }; /* characters of a key of an open section */

/* A row of an open section: its parameter and its value. */
struct config_own {
	struct param param;
	char *key;
	char text[PARAM_TEXT_MAX];
};

struct config {
	struct config_rows vec_of(struct config_row) rows;
	struct config_sections vec_of(struct config_section) sections;
	struct config_owns vec_of(struct config_own *) owns;
	struct config_facts vec_of(struct config_fact) facts;
	struct config_read_files vec_of(char *) files; /* that were read, in order */
	bool allow_unused;                             /* the file being read says `unused = allowed` */
	size_t next_source;                            /* the row behind the last one with a source */
	bool short_of_memory;                          /* a row is missing: reading and overriding fail */
};

bool config_has_section(const struct config *c, const char *section);

/* Writes the message for an unknown section; `place` is file:line or "-p". Returns -1. */
int config_unknown_section(const struct config *c, const char *place, const char *section, struct err *e);

/* Sets section.key from text and records its source. 0, or -1 with `e`. */
int config_assign(struct config *c, const char *place, const char *section, const char *key, const char *value,
		  struct err *e);

#endif
