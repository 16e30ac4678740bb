/* Names, numbered in the order in which they are added, each once. */
#ifndef PSIM_NETLINK_NAME_TABLE_H
#define PSIM_NETLINK_NAME_TABLE_H

#include <stdint.h>

#include "../../psim/base/vec.h"

#define NAME_NONE UINT32_MAX

struct name_table {
	struct vec_of(size_t) at; /* place in `text` of each */
	struct vec_of(char) text;
	uint32_t *slot; /* hash table: number + 1 */
	size_t slots;   /* a power of two */
};

/* Returns the number of a name, or NAME_NONE. */
uint32_t name_table_find(const struct name_table *t, const char *name);

/* Adds a name that is not there. Returns its number, or NAME_NONE with `e`. */
uint32_t name_table_add(struct name_table *t, const char *name, struct err *e);

static inline const char *name_table_text(const struct name_table *t, uint32_t number)
{
	return t->text.at + t->at.at[number];
}

void name_table_finish(struct name_table *t);

#endif
