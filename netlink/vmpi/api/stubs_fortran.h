/*
 * Helpers of the Fortran stubs that make_fortran generates: variables in place of special addresses, and strings
 * padded with blanks.
 */
#ifndef PSIM_VMPI_STUBS_FORTRAN_H
#define PSIM_VMPI_STUBS_FORTRAN_H

#include <stddef.h>
#include <string.h>

#include "mpi.h"

/* Variables of the modules and of mpif.h that stand for their address; defined in stubs_fortran.c. */
extern int vmpi_f_bottom_, vmpi_f_in_place_, vmpi_f_status_ignore_[6], vmpi_f_statuses_ignore_[6];
extern int vmpi_f_unweighted_[1], vmpi_f_weights_empty_[1];

/* The place of a call with a large count: stubs_large.h. */
extern const void *vmpi_large_where;

static inline void *buffer_of(void *p)
{
	return p == &vmpi_f_bottom_ ? MPI_BOTTOM : p == &vmpi_f_in_place_ ? MPI_IN_PLACE : p;
}

static inline int *weights_of(int *p)
{
	return p == vmpi_f_unweighted_ ? MPI_UNWEIGHTED : p == vmpi_f_weights_empty_ ? MPI_WEIGHTS_EMPTY : p;
}

static inline MPI_Status *status_of(MPI_Status *p)
{
	void *at = p;

	return at == vmpi_f_status_ignore_ || at == vmpi_f_statuses_ignore_ ? MPI_STATUS_IGNORE : p;
}

/* Truncates to what fits. */
static inline void text_in(const char *from, size_t length, char *to, size_t room)
{
	while (length && from[length - 1] == ' ')
		length--;
	if (length >= room)
		length = room - 1;
	memcpy(to, from, length);
	to[length] = '\0';
}

/* The same without blanks in front: keys and values of info objects. */
static inline void word_in(const char *from, size_t length, char *to, size_t room)
{
	for (; length && *from == ' '; length--)
		from++;
	text_in(from, length, to, room);
}

static inline void text_out(const char *from, char *to, size_t length)
{
	size_t have = strlen(from);

	memcpy(to, from, have < length ? have : length);
	if (have < length)
		memset(to + have, ' ', length - have);
}

#endif
