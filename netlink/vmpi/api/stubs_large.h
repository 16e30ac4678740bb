/*
 * Helpers of the stubs with large counts that make_large generates. A stub turns its arguments into those of the call
 * without _c, and gives back afterwards what it made for that.
 */
#ifndef PSIM_VMPI_STUBS_LARGE_H
#define PSIM_VMPI_STUBS_LARGE_H

#include <limits.h>
#include <stddef.h>

#include "gate.h"

enum { LARGE_TYPES = 3 };

/* The place of a call that a Fortran stub makes; NULL: C makes it. */
extern const void *vmpi_large_where;

static inline void large_place(const void *from)
{
	vmpi_gate.where = vmpi_large_where ? vmpi_large_where : from;
	vmpi_large_where = NULL;
}

/* One call. */
struct large {
	const char *name; /* of the call without _c */
	MPI_Comm comm;    /* whose error handler is called */
	int ret;          /* of the call; an error: it is not made */
	int types;
	MPI_Datatype type[LARGE_TYPES]; /* made for this call */
	int *memory, *next;             /* of its lists; the part that is not taken yet */
};

static inline void large_refuse(struct large *l, MPI_Count count)
{
	if (l->ret == MPI_SUCCESS)
		l->ret = vmpi_gate.calls->large_count_refuse(vmpi_gate.v, l->name, l->comm, count);
}

/* A number that has to be an int. */
static inline int large_int(struct large *l, MPI_Count count)
{
	if (count >= INT_MIN && count <= INT_MAX)
		return (int)count;
	large_refuse(l, count);
	return 0;
}

/* A count of elements of *type, which may become a type of all of them. */
static inline int large_elements(struct large *l, MPI_Count count, MPI_Datatype *type)
{
	if (count <= INT_MAX)
		return large_int(l, count);
	if (l->ret == MPI_SUCCESS)
		l->ret = vmpi_gate.calls->large_count_type(vmpi_gate.v, l->name, l->comm, count, *type, type);
	if (l->ret)
		return 0;
	l->type[l->types++] = *type;
	return 1;
}

/* Makes room for the numbers of all lists; `kept`: until the request ends. */
static inline void large_room(struct large *l, MPI_Count numbers, int kept)
{
	if (l->ret == MPI_SUCCESS && numbers > 0)
		l->memory = l->next = vmpi_gate.calls->large_count_take(vmpi_gate.v, numbers, kept);
}

/* A list of `count` numbers as ints; NULL: there is none, or it does not count on this rank. */
static inline int *large_list(struct large *l, const MPI_Count *from, MPI_Count count)
{
	int *list = l->next;

	if (l->ret || !from || !list || count <= 0)
		return NULL;
	for (MPI_Count i = 0; i < count; i++)
		list[i] = large_int(l, from[i]);
	l->next += count;
	return list;
}

/* After the call. */
static inline int large_end(struct large *l, const MPI_Request *request)
{
	for (int i = 0; i < l->types; i++)
		vmpi_gate.calls->Type_free(vmpi_gate.v, &l->type[i]);
	if (l->memory && request)
		vmpi_gate.calls->large_count_keep(vmpi_gate.v, l->ret ? MPI_REQUEST_NULL : *request, l->memory);
	else if (l->memory)
		vmpi_gate.calls->large_count_give(vmpi_gate.v, l->memory);
	return l->ret;
}

#endif
