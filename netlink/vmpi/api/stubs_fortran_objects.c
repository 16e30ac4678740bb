/*
 * Linked into Fortran programs: calls whose arguments differ between C and Fortran. Attributes are integers, of default
 * size in MPI-1's calls and of addresses' in those of MPI-2; functions of keys get all by reference. MPI-1's calls on
 * datatypes have addresses as default integers.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gate.h"
#include "stubs_fortran.h"

#define FORTRAN(result, name, params) \
	result pmpi_##name params; \
	extern __typeof__(pmpi_##name) mpi_##name __attribute__((weak, alias("pmpi_" #name))); \
	extern __typeof__(pmpi_##name) lmpi_##name __attribute__((weak, alias("pmpi_" #name))); \
	result pmpi_##name params

#define CALL_HERE vmpi_gate.where = __builtin_return_address(0)

static void report(int *ierror, int code)
{
	if (ierror)
		*ierror = code;
}

/* ---- keys ---- */

/* The standard's functions, which programs pass by address: of attributes with integers of both sizes. */
#define STANDARD_FUNCTIONS(kind, integer) \
	FORTRAN(void, kind##null_copy_fn_, \
		(int *object, int *keyval, integer *extra, integer *in, integer *out, int *flag, int *code)) \
	{ \
		(void)object, (void)keyval, (void)extra, (void)in, (void)out; \
		*flag = *code = 0; \
	} \
	FORTRAN(void, kind##dup_fn_, \
		(int *object, int *keyval, integer *extra, integer *in, integer *out, int *flag, int *code)) \
	{ \
		(void)object, (void)keyval, (void)extra; \
		*out = *in; \
		*flag = 1; \
		*code = 0; \
	} \
	FORTRAN(void, kind##null_delete_fn_, (int *object, int *keyval, integer *value, integer *extra, int *code)) \
	{ \
		(void)object, (void)keyval, (void)value, (void)extra; \
		*code = 0; \
	}
STANDARD_FUNCTIONS(, int)
STANDARD_FUNCTIONS(comm_, intptr_t)
STANDARD_FUNCTIONS(type_, intptr_t)
STANDARD_FUNCTIONS(win_, intptr_t)

enum { OF_DEFAULT_INTEGERS = 1, OF_ADDRESSES = 2 };

#define CREATE_KEY(name, call, prefix, integer, language) \
	FORTRAN(void, name, (void (*copy)(void), void (*del)(void), int *keyval, integer *extra, int *ierror)) \
	{ \
		CALL_HERE; \
		report(ierror, vmpi_gate.calls->call(vmpi_gate.v, (MPI_##prefix##_copy_attr_function *)copy, \
						     (MPI_##prefix##_delete_attr_function *)del, keyval, \
						     (void *)(intptr_t)*extra)); \
		vmpi_gate.calls->keyval_fortran(vmpi_gate.v, *keyval, language); \
	}
CREATE_KEY(keyval_create_, Keyval_create, Comm, int, OF_DEFAULT_INTEGERS)
CREATE_KEY(comm_create_keyval_, Comm_create_keyval, Comm, intptr_t, OF_ADDRESSES)
CREATE_KEY(type_create_keyval_, Type_create_keyval, Type, intptr_t, OF_ADDRESSES)
CREATE_KEY(win_create_keyval_, Win_create_keyval, Win, intptr_t, OF_ADDRESSES)

#define SET_ATTRIBUTE(name, call, integer) \
	FORTRAN(void, name, (const int *object, const int *keyval, const integer *value, int *ierror)) \
	{ \
		CALL_HERE; \
		vmpi_gate.calls->attribute_fortran(vmpi_gate.v); \
		report(ierror, vmpi_gate.calls->call(vmpi_gate.v, *object, *keyval, (void *)(intptr_t)*value)); \
	}
SET_ATTRIBUTE(attr_put_, Attr_put, int)
SET_ATTRIBUTE(comm_set_attr_, Comm_set_attr, intptr_t)
SET_ATTRIBUTE(type_set_attr_, Type_set_attr, intptr_t)
SET_ATTRIBUTE(win_set_attr_, Win_set_attr, intptr_t)

/* Predefined attributes are numbers at an address, in Fortran the numbers themselves. */
static intptr_t value_of(int keyval, void *value)
{
	if (keyval == MPI_WIN_BASE || keyval > MPI_WIN_MODEL || keyval <= 0)
		return (intptr_t)value;
	return keyval == MPI_WIN_SIZE ? *(MPI_Aint *)value : *(int *)value;
}

#define GET_ATTRIBUTE(name, call, integer) \
	FORTRAN(void, name, (const int *object, const int *keyval, integer *value, int *flag, int *ierror)) \
	{ \
		void *found = NULL; \
\
		CALL_HERE; \
		vmpi_gate.calls->attribute_fortran(vmpi_gate.v); \
		report(ierror, vmpi_gate.calls->call(vmpi_gate.v, *object, *keyval, &found, flag)); \
		if (*flag) \
			*value = (integer)value_of(*keyval, found); \
	}
GET_ATTRIBUTE(attr_get_, Attr_get, int)
GET_ATTRIBUTE(comm_get_attr_, Comm_get_attr, intptr_t)
GET_ATTRIBUTE(type_get_attr_, Type_get_attr, intptr_t)
GET_ATTRIBUTE(win_get_attr_, Win_get_attr, intptr_t)

/* ---- MPI-1's calls with addresses in default integers ---- */

FORTRAN(void, address_, (const void *location, int *address, int *ierror))
{
	MPI_Aint at = 0;

	CALL_HERE;
	report(ierror, vmpi_gate.calls->Get_address(vmpi_gate.v, buffer_of((void *)(uintptr_t)location), &at));
	*address = (int)at;
}

FORTRAN(void, type_extent_, (const int *type, int *extent, int *ierror))
{
	MPI_Aint lb, full = 0;

	CALL_HERE;
	report(ierror, vmpi_gate.calls->Type_get_extent(vmpi_gate.v, *type, &lb, &full));
	*extent = (int)full;
}

FORTRAN(void, type_lb_, (const int *type, int *bound, int *ierror))
{
	MPI_Aint at = 0;

	CALL_HERE;
	report(ierror, vmpi_gate.calls->Type_lb(vmpi_gate.v, *type, &at));
	*bound = (int)at;
}

FORTRAN(void, type_ub_, (const int *type, int *bound, int *ierror))
{
	MPI_Aint at = 0;

	CALL_HERE;
	report(ierror, vmpi_gate.calls->Type_ub(vmpi_gate.v, *type, &at));
	*bound = (int)at;
}

FORTRAN(void, type_hvector_,
	(const int *count, const int *length, const int *stride, const int *old, int *new, int *ierror))
{
	CALL_HERE;
	report(ierror, vmpi_gate.calls->Type_create_hvector(vmpi_gate.v, *count, *length, *stride, *old, new));
}

/* A copy of displacements as addresses; NULL: memory is short. */
static MPI_Aint *addresses_of(const int *count, const int *displacements)
{
	MPI_Aint *at = malloc(((size_t)(*count > 0 ? *count : 0) + 1) * sizeof(*at));

	for (int i = 0; at && i < *count; i++)
		at[i] = displacements[i];
	return at;
}

FORTRAN(void, type_hindexed_,
	(const int *count, const int *lengths, const int *displacements, const int *old, int *new, int *ierror))
{
	MPI_Aint *at = addresses_of(count, displacements);

	CALL_HERE;
	report(ierror, at ? vmpi_gate.calls->Type_create_hindexed(vmpi_gate.v, *count, lengths, at, *old, new)
			  : MPI_ERR_NO_MEM);
	free(at);
}

FORTRAN(void, type_struct_,
	(const int *count, const int *lengths, const int *displacements, const int *types, int *new, int *ierror))
{
	MPI_Aint *at = addresses_of(count, displacements);

	CALL_HERE;
	report(ierror,
	       at ? vmpi_gate.calls->Type_create_struct(vmpi_gate.v, *count, lengths, at, types, new) : MPI_ERR_NO_MEM);
	free(at);
}

/* ---- others ---- */

FORTRAN(intptr_t, aint_add_, (const intptr_t *base, const intptr_t *displacement))
{
	return *base + *displacement;
}

FORTRAN(intptr_t, aint_diff_, (const intptr_t *a, const intptr_t *b))
{
	return *a - *b;
}

/* A status of the module mpi and one of mpi_f08: both have the layout of C's. */
static void copy_status(void *to, const void *from, int *ierror)
{
	memcpy(to, from, sizeof(MPI_Status));
	report(ierror, MPI_SUCCESS);
}

FORTRAN(void, status_f2f08_, (const int *from, int *to, int *ierror))
{
	copy_status(to, from, ierror);
}

FORTRAN(void, status_f082f_, (const int *from, int *to, int *ierror))
{
	copy_status(to, from, ierror);
}

FORTRAN(void, pcontrol_, (const int *level, int *ierror))
{
	(void)level;
	report(ierror, MPI_SUCCESS);
}

FORTRAN(void, buffer_detach_, (void *buffer, int *size, int *ierror))
{
	void *attached;

	(void)buffer; /* Fortran has no use for its address */
	CALL_HERE;
	report(ierror, vmpi_gate.calls->Buffer_detach(vmpi_gate.v, &attached, size));
}

/* The program's functions get the status and the state by reference, and an error code. */
struct fortran_request {
	void (*query)(intptr_t *extra, void *status, int *code);
	void (*free)(intptr_t *extra, int *code);
	void (*cancel)(intptr_t *extra, int *complete, int *code);
	intptr_t extra;
};

static int query(void *state, MPI_Status *status)
{
	struct fortran_request *f = state;
	int code = 0;

	f->query(&f->extra, status, &code);
	return code;
}

static int free_state(void *state)
{
	struct fortran_request *f = state;
	int code = 0;

	f->free(&f->extra, &code);
	free(f);
	return code;
}

static int cancel(void *state, int complete)
{
	struct fortran_request *f = state;
	int code = 0;

	f->cancel(&f->extra, &complete, &code);
	return code;
}

FORTRAN(void, grequest_start_,
	(void (*query_)(intptr_t *, void *, int *), void (*free_)(intptr_t *, int *),
	 void (*cancel_)(intptr_t *, int *, int *), const intptr_t *extra, int *request, int *ierror))
{
	struct fortran_request *f = malloc(sizeof(*f));

	CALL_HERE;
	if (!f) {
		report(ierror, MPI_ERR_NO_MEM);
		return;
	}
	*f = (struct fortran_request){query_, free_, cancel_, *extra};
	report(ierror, vmpi_gate.calls->Grequest_start(vmpi_gate.v, query, free_state, cancel, f, request));
}
