/* Info objects (MPI 3.1, 9): lists of keys and values in the order in which they were set. Handles are indices. */
#ifndef PSIM_VMPI_INFO_H
#define PSIM_VMPI_INFO_H

#include <stddef.h>

#include "../../../psim/base/err.h"

enum { INFO_HANDLE_ENV = 1 }; /* the predefined one, which is empty */

struct info_entry {
	struct info_entry *next;
	char *key, *value;
};
struct info {
	struct info_entry *first;
};
struct infos {
	struct info **at; /* by handle; NULL: free */
	int count, room;
};

int infos_create(struct infos *n, struct err *e);
void infos_finish(struct infos *n);

/* Returns the handle of a new list with the entries of `like` (NULL: none), 0 with `e`. */
int info_create(struct infos *n, const struct info *like, struct err *e);
/* NULL: unknown handle. */
struct info *info_find(const struct infos *n, int handle);
void info_release(struct infos *n, int handle);

/* Sets a value: 0, or -1 with `e`. */
int info_set(struct info *i, const char *key, const char *value, struct err *e);
/* NULL: no such key. */
const char *info_get(const struct info *i, const char *key);
/* Removes a key; -1 if it is not there. */
int info_delete(struct info *i, const char *key);
int info_keys(const struct info *i);
/* The key of this number; NULL: there are not so many. */
const char *info_key(const struct info *i, int number);

#endif
