/*
 * Calls of the module mpi_f08 that return before their buffer is free: they get descriptors, so that sections of arrays
 * need no copy, which would be gone too early. A section with gaps becomes a datatype.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gate.h"
#include "stubs_fortran.h"

/* The descriptor that gfortran makes, as its ISO_Fortran_binding.h has it. */
struct section {
	char *base;
	size_t bytes; /* of an element */
	int version;
	int8_t rank, attribute;
	int16_t type;
	struct {
		ptrdiff_t low, extent, step; /* step: bytes */
	} dim[15];
};

/* Arguments that a call passes on: `type` is its own if `made`. */
struct section_use {
	void *base;
	int count, type;
	bool made;
};

/* Returns whether the elements follow each other without gaps. The last extent of an array of assumed size is -1. */
static bool is_whole(const struct section *s)
{
	ptrdiff_t step = (ptrdiff_t)s->bytes;

	for (int i = 0; s->base && i < s->rank; i++) {
		if (s->dim[i].extent != 1 && s->dim[i].step != step)
			return false;
		step *= s->dim[i].extent;
	}
	return true;
}

/* Returns the place of element `i` in array element order. */
static MPI_Aint element_at(const struct section *s, size_t i)
{
	MPI_Aint at = 0;

	for (int k = 0; k < s->rank; k++) {
		size_t extent = (size_t)s->dim[k].extent;

		at += (MPI_Aint)(i % extent) * s->dim[k].step;
		i /= extent;
	}
	return at;
}

static void section_fails(const void *where, const char *what)
{
	fprintf(stderr, "nsim: a section of an array with gaps: %s\n", what);
	vmpi_gate.where = where;
	vmpi_gate.calls->Abort(vmpi_gate.v, MPI_COMM_WORLD, 1);
}

/* Makes the datatype of `count` elements of `type`, of which an element of the array has one or more. */
static void use_gaps(const struct section *s, int count, int type, const void *where, struct section_use *use)
{
	MPI_Aint low, extent, *at;
	size_t each, elements;
	int size;

	PMPI_Type_size(type, &size);
	PMPI_Type_get_extent(type, &low, &extent);
	if (size <= 0 || low || extent != size || s->bytes % (size_t)size || count < 0)
		section_fails(where, "expected a datatype without gaps that divides its elements");
	each = s->bytes / (size_t)size;
	elements = (size_t)count / each;
	if ((size_t)count % each)
		section_fails(where, "expected a count of whole elements");
	at = malloc((elements + 1) * sizeof(*at));
	if (!at)
		section_fails(where, "out of memory");
	for (size_t i = 0; i < elements; i++)
		at[i] = element_at(s, i);
	PMPI_Type_create_hindexed_block((int)elements, (int)each, at, type, &use->type);
	free(at);
	PMPI_Type_commit(&use->type);
	use->base = s->base;
	use->count = 1;
	use->made = true;
}

static struct section_use section_use(const struct section *s, int count, int type, const void *where)
{
	struct section_use use = {s->base, count, type, false};

	if (count && !is_whole(s))
		use_gaps(s, count, type, where, &use);
	return use;
}

/* The arguments that follow the buffer; and a stub of the module mpi. */
#define SECTION_ARGUMENTS \
	const int *count, const int *type, const int *peer, const int *tag, const int *comm, int *request, int *ierror
typedef void section_stub(void *buf, SECTION_ARGUMENTS);

/*
 * A call and its PMPI name. A profiler may have replaced the module mpi's call of the first name, which then gets those
 * of mpi_f08, too.
 */
#define CALL(name, call) \
	section_stub mpi_##name##_, pmpi_##name##_; \
	static inline void section_##name(const struct section *s, SECTION_ARGUMENTS, section_stub *replaced, \
					  const void *where) \
	{ \
		struct section_use use = section_use(s, *count, *type, where); \
		int code; \
		vmpi_gate.where = where; \
		if (replaced) { \
			replaced(use.base, &use.count, &use.type, peer, tag, comm, request, ierror); \
		} else { \
			code = vmpi_gate.calls->call(vmpi_gate.v, buffer_of(use.base), use.count, use.type, *peer, \
						     *tag, *comm, request); \
			if (ierror) \
				*ierror = code; \
		} \
		if (use.made) \
			PMPI_Type_free(&use.type); \
	} \
	SECTION_VISIBLE void vmpi_f08_pmpi_##name(const struct section *s, SECTION_ARGUMENTS) \
	{ \
		section_##name(s, count, type, peer, tag, comm, request, ierror, NULL, __builtin_return_address(0)); \
	} \
	SECTION_VISIBLE void vmpi_f08_mpi_##name(const struct section *s, SECTION_ARGUMENTS) \
	{ \
		section_stub *stub = mpi_##name##_ == pmpi_##name##_ ? NULL : mpi_##name##_; \
		section_##name(s, count, type, peer, tag, comm, request, ierror, stub, __builtin_return_address(0)); \
	}
#define SECTION_VISIBLE __attribute__((visibility("default")))
CALL(isend, Isend)
CALL(ibsend, Ibsend)
CALL(issend, Issend)
CALL(irsend, Irsend)
CALL(irecv, Irecv)
CALL(send_init, Send_init)
CALL(bsend_init, Bsend_init)
CALL(ssend_init, Ssend_init)
CALL(rsend_init, Rsend_init)
CALL(recv_init, Recv_init)
