#include "fit_data.h"

#include <string.h>

#include "tap.h"

#include "psim/base/mem.h"

struct points fit_data_points(const char *names)
{
	struct points p = {.value_name = "seconds", .unit = "s"};

	for (const char *at = names; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		REQUIRE(variables_add(&p.variables, at, length, NULL) == 0);
		at += length;
	}
	return p;
}

void fit_data_add(struct points *p, double n, double m, double result)
{
	struct point *point = vec_push(&p->list, NULL);

	REQUIRE(point != NULL);
	*point = (struct point){.values = {n, m}, .result = result};
	point->file = mem_copy_text("made by hand", NULL);
	point->checksum = mem_copy_text("", NULL);
	point->program = mem_copy_text("", NULL);
	REQUIRE(point->file && point->checksum && point->program);
}

const struct term *fit_data_terms(const struct points *p, const char *text, unsigned *count)
{
	static struct term terms[MODEL_TERMS_MAX];
	int n = terms_read(terms, text, &p->variables, NULL);

	REQUIRE(n > 0);
	*count = (unsigned)n;
	return terms;
}

double fit_data_half(const struct fit *f, const double *values)
{
	double low, high;

	fit_interval(f, values, &low, &high, NULL);
	return (high - low) / 2;
}
