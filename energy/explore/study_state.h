/* What reading a study (study_read.c) and using it (study.c) share. */
#ifndef PSIM_ENERGY_EXPLORE_STUDY_STATE_H
#define PSIM_ENERGY_EXPLORE_STUDY_STATE_H

#include "study.h"

/* The row named "section.key", of which `length` characters count; NULL if psim has none. */
const struct param *study_find_param(const struct study *s, const char *name, size_t length);

/* `path` as seen from the folder of the study; to be freed; NULL and `e` without memory. */
char *study_relative(const struct study *s, const char *path, struct err *e);

/* Reads s->path into `s`. 0, or -1 with `e`. */
int study_read(struct study *s, struct err *e);

#endif
