/* Quantities of a model besides its value: model.h. */
#include <math.h>

#include "model_parts.h"

bool model_says(const struct model *m, enum model_quantity q)
{
	return m->quantity[q].count > 0;
}

double model_quantity(const struct model *m, enum model_quantity q, const double *values)
{
	const struct quantity *x = &m->quantity[q];
	double sum = 0;

	for (unsigned t = 0; t < x->count; t++)
		sum += x->coefficient[t] * term_value(&x->terms[t], m->variables.count, values);
	return isfinite(sum) && sum >= 0 ? sum : (double)NAN;
}

const char *model_quantity_name(enum model_quantity q)
{
	static const char *const names[] = {
#define QUANTITY(name, unit, doc) #name,
#include "quantity.def"
#undef QUANTITY
	};

	return names[q];
}

const char *model_quantity_unit(enum model_quantity q)
{
	static const char *const units[] = {
#define QUANTITY(name, unit, doc) unit,
#include "quantity.def"
#undef QUANTITY
	};

	return units[q];
}
