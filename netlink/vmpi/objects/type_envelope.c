/* Recipes of datatypes: type_envelope.h. */
#include "type_envelope.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "datatype.h"

struct type_envelope *type_envelope_create(int combiner, int integers, int addresses, int types, struct err *e)
{
	struct type_envelope *r = mem_alloc(1, sizeof(*r), e);

	if (!r)
		return NULL;
	*r = (struct type_envelope){.combiner = combiner, .integers = integers, .addresses = addresses, .types = types};
	r->integer = mem_alloc((size_t)integers + 1, sizeof(*r->integer), e);
	r->address = mem_alloc((size_t)addresses + 1, sizeof(*r->address), e);
	r->type = mem_alloc((size_t)types + 1, sizeof(struct type *), e);
	if (r->integer && r->address && r->type)
		return r;
	type_envelope_free(r);
	return NULL;
}

void type_envelope_set_type(struct type_envelope *r, int i, struct type *type)
{
	r->type[i] = type_hold(type);
}

void type_envelope_free(struct type_envelope *r)
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
