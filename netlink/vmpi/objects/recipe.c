/* Recipes of datatypes: recipe.h. */
#include "recipe.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "datatype.h"

struct recipe *recipe_create(int combiner, int integers, int addresses, int types, struct err *e)
{
	struct recipe *r = mem_alloc(1, sizeof(*r), e);

	if (!r)
		return NULL;
	*r = (struct recipe){.combiner = combiner, .integers = integers, .addresses = addresses, .types = types};
	r->integer = mem_alloc((size_t)integers + 1, sizeof(*r->integer), e);
	r->address = mem_alloc((size_t)addresses + 1, sizeof(*r->address), e);
	r->type = mem_alloc((size_t)types + 1, sizeof(struct type *), e);
	if (r->integer && r->address && r->type)
		return r;
	recipe_free(r);
	return NULL;
}

void recipe_set_type(struct recipe *r, int i, struct type *type)
{
	r->type[i] = type_hold(type);
}

void recipe_free(struct recipe *r)
{
	if (!r)
		return;
	for (int i = 0; r->type && i < r->types; i++)
		if (r->type[i])
			type_drop(r->type[i]);
	free(r->integer);
	free(r->address);
	free(r->type);
	free(r);
}
