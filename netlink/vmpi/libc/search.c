/* hsearch: one hash table per rank. */
#define _GNU_SOURCE /* hsearch_r */
#include "libc_state.h"

#include <search.h>
#include <stddef.h>

static struct hsearch_data table;

WEAK int hcreate(size_t entries)
{
	return hcreate_r(entries, &table);
}

WEAK void hdestroy(void)
{
	hdestroy_r(&table);
}

WEAK ENTRY *hsearch(ENTRY entry, ACTION action)
{
	ENTRY *found;

	return hsearch_r(entry, action, &found, &table) ? found : NULL;
}
