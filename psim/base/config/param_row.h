/* A parameter as a row of a table, from the columns of a row P of a .def file. */
#ifndef PSIM_BASE_PARAM_ROW_H
#define PSIM_BASE_PARAM_ROW_H

#include <stddef.h>

#include "config.h"

/* `field_` of `struct_`; the other arguments are the columns. */
#define PARAM_ROW(section_, struct_, field_, type_, initial_, min_, max_, unit_, doc_) \
	{.section = section_, \
	 .key = #field_, \
	 .type = type_, \
	 .initial = initial_, \
	 .min = min_, \
	 .max = max_, \
	 .unit = unit_, \
	 .doc = doc_, \
	 .offset = offsetof(struct_, field_)},

#endif
