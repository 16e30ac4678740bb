/*
 * The markers as functions for Fortran (psim_region.f90), whose names have a length and
 * trailing blanks.
 */
#include "psim_region.h"

enum { NAME_MAX_BYTES = 256 };

void psim_region_begin_c(const char *name, int length);
void psim_region_end_c(const char *name, int length);

static void copy_name(char *to, const char *name, int length)
{
	int n = 0;

	while (length > 0 && name[length - 1] == ' ')
		length--;
	for (; n < length && n < NAME_MAX_BYTES - 1; n++)
		to[n] = name[n];
	to[n] = 0;
}

void psim_region_begin_c(const char *name, int length)
{
	char text[NAME_MAX_BYTES];

	copy_name(text, name, length);
	psim_region_begin(text);
}

void psim_region_end_c(const char *name, int length)
{
	char text[NAME_MAX_BYTES];

	copy_name(text, name, length);
	psim_region_end(text);
}
