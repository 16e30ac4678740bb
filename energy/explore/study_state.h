/* Internal to the study: shared by reading (study_read.c) and using it (study.c). */
#ifndef PSIM_ENERGY_EXPLORE_STUDY_STATE_H
#define PSIM_ENERGY_EXPLORE_STUDY_STATE_H

#include "study.h"

/* The row "section.key", the first `length` characters of `name`; NULL if psim has none. */
const struct param *study_find_param(const struct study *s, const char *name, size_t length);

/*
 * Returns `path` relative to the study's directory. The caller frees it; NULL and `e` if memory
 * is exhausted.
 */
char *study_relative(const struct study *s, const char *path, struct err *e);

/* Makes the configuration that `s->kind` needs, in place of another one. 0, or -1 with `e`. */
int study_use_kind(struct study *s, const struct point_kind *kind, struct err *e);

/* Reads s->path into `s`. Returns 0, or -1 with `e`. */
int study_read(struct study *s, struct err *e);

#endif
