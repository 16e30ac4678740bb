/* What the three parts of the configuration share: state, reading (config_read.c), listing
 * (config_list.c). */
#ifndef PSIM_BASE_CONFIG_ROWS_H
#define PSIM_BASE_CONFIG_ROWS_H

#include "config.h"
#include "../vec.h"

struct config_row {
	const struct param *param;
	void *target; /* the struct that `param->offset` counts from */
	char *origin; /* owned; NULL: the default */
	bool allowed; /* need not be used */
	bool noted;   /* was used: config_note_used */
};

/* What a program tells, for the rules of config_use. */
struct config_fact {
	const char *name, *why;
	bool value;
};

struct config_section {
	const char *name, *doc;
	bool open;  /* its keys are the user's own */
	bool paths; /* and their values paths */
};

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
	bool allow_unused;    /* of what is assigned: says the file that is being read */
	bool short_of_memory; /* a row is missing: reading and overriding refuse */
};

bool config_has_section(const struct config *c, const char *section);

/* The message for a section that no table has; `place` is file:line or "-p". Returns -1. */
int config_unknown_section(const struct config *c, const char *place, const char *section, struct err *e);

/* Sets section.key from text and notes where it came from. 0, or -1 with `e`. */
int config_assign(struct config *c, const char *place, const char *section, const char *key, const char *value,
		  struct err *e);

#endif
