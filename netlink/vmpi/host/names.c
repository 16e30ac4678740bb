/* Names that programs give to points of time: kept as long as the run. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "world.h"

enum { NAMES_LOOKED_AT = 64 }; /* of the last ones; a name that is further back is kept again */

const char *name_keep(struct vmpi *v, const char *name)
{
	char *copy;

	for (size_t i = v->seen.names.count; i > 0 && v->seen.names.count - i < NAMES_LOOKED_AT; i--)
		if (strcmp(v->seen.names.at[i - 1], name) == 0)
			return v->seen.names.at[i - 1];
	if (vec_reserve(&v->seen.names, 1, &v->err))
		return NULL;
	copy = mem_copy_text(name, &v->err);
	if (copy)
		v->seen.names.at[v->seen.names.count++] = copy;
	return copy;
}

void names_finish(struct vmpi *v)
{
	for (size_t i = 0; i < v->seen.names.count; i++)
		free(v->seen.names.at[i]);
	vec_finish(&v->seen.names);
}
