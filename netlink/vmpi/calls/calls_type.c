/* Calls: datatypes, and packing. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/scratch.h"
#include "../objects/type_envelope.h"
#include "../message/run_checks.h"
#include "object_calls.h"

/* Returns the type of a handle, or NULL after reporting an unknown handle. */
static struct type *enter_type_call(struct vmpi *v, enum call_id call, VMPI_Datatype datatype, int *ret)
{
	struct type *t = type_find(&v->types, datatype);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!t)
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	return t;
}

static int make_type(struct vmpi *v, const struct type_block *blocks, unsigned count, VMPI_Datatype *newtype)
{
	*newtype = type_create(&v->types, blocks, count, &v->err);
	if (!*newtype)
		rank_stop(v);
	if (v->checks)
		check_type_made(v, *newtype);
	return VMPI_SUCCESS;
}

/* Notes how the type was made. */
static struct type_envelope *note(struct vmpi *v, VMPI_Datatype newtype, int combiner, int integers, int addresses,
				  int types)
{
	struct type *t = type_find(&v->types, newtype);

	type_envelope_free(t->envelope);
	t->envelope = type_envelope_create(combiner, integers, addresses, types, &v->err);
	if (!t->envelope)
		rank_stop(v);
	return t->envelope;
}

/* Notes the envelope of a type of one other type: counts, then addresses. */
static void note_of(struct vmpi *v, VMPI_Datatype newtype, struct type *of, int combiner, int integers,
		    const int *integer, int addresses, const VMPI_Aint *address)
{
	struct type_envelope *r = note(v, newtype, combiner, integers, addresses, 1);

	for (int i = 0; i < integers; i++)
		r->integer[i] = integer[i];
	for (int i = 0; i < addresses; i++)
		r->address[i] = address[i];
	type_envelope_set_type(r, 0, of);
}

static int check_count(struct vmpi *v, int count)
{
	return count < 0 ? rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COUNT, "count %d: expected 0 or more", count)
			 : VMPI_SUCCESS;
}

static int64_t extent(const struct type *t)
{
	return t->ub - t->lb;
}

int vmpi_Type_contiguous(struct vmpi *v, int count, VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter_type_call(v, CALL_Type_contiguous, oldtype, &ret);
	struct type_block b = {0, 1, 0, count, t};

	if (!t || (ret = check_count(v, count)))
		return ret;
	ret = make_type(v, &b, 1, newtype);
	note_of(v, *newtype, t, VMPI_COMBINER_CONTIGUOUS, 1, &count, 0, NULL);
	return ret;
}

int vmpi_Type_contiguous_c(struct vmpi *v, VMPI_Count count, VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct type *t;
	struct type_block b;

	if (count <= INT_MAX)
		return vmpi_Type_contiguous(v, count < 0 ? -1 : (int)count, oldtype, newtype);
	t = enter_type_call(v, CALL_Type_contiguous_c, oldtype, &ret);
	if (!t)
		return ret;
	if (type_is_beyond(t, count))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COUNT, "%lld elements of %lld bytes are too many", count,
				  (long long)t->size);
	b = (struct type_block){0, 1, 0, count, t};
	ret = make_type(v, &b, 1, newtype);
	note_of(v, *newtype, t, VMPI_COMBINER_CONTIGUOUS, 1, &(int){-1}, 0, NULL);
	return ret;
}

static int vector(struct vmpi *v, int count, int length, int64_t stride, struct type *t, VMPI_Datatype *newtype)
{
	struct type_block b = {0, count, stride, length, t};
	int ret = check_count(v, count);

	if (ret == VMPI_SUCCESS)
		ret = check_count(v, length);
	return ret ? ret : make_type(v, &b, 1, newtype);
}

int vmpi_Type_vector(struct vmpi *v, int count, int blocklength, int stride, VMPI_Datatype oldtype,
		     VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter_type_call(v, CALL_Type_vector, oldtype, &ret);

	if (!t || (ret = vector(v, count, blocklength, stride * extent(t), t, newtype)))
		return ret;
	note_of(v, *newtype, t, VMPI_COMBINER_VECTOR, 3, (int[]){count, blocklength, stride}, 0, NULL);
	return ret;
}

int vmpi_Type_create_hvector(struct vmpi *v, int count, int blocklength, VMPI_Aint stride, VMPI_Datatype oldtype,
			     VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter_type_call(v, CALL_Type_create_hvector, oldtype, &ret);

	if (!t || (ret = vector(v, count, blocklength, stride, t, newtype)))
		return ret;
	note_of(v, *newtype, t, VMPI_COMBINER_HVECTOR, 2, (int[]){count, blocklength}, 1, &stride);
	return ret;
}

int vmpi_Type_hvector(struct vmpi *v, int count, int blocklength, VMPI_Aint stride, VMPI_Datatype oldtype,
		      VMPI_Datatype *newtype)
{
	return vmpi_Type_create_hvector(v, count, blocklength, stride, oldtype, newtype);
}

/* ---- lists of blocks ---- */

struct list {
	int count;
	const int *lengths; /* NULL: `length` each */
	int length;
	const int *elements;        /* displacements in elements, or NULL */
	const VMPI_Aint *bytes;     /* in bytes */
	const VMPI_Datatype *types; /* NULL: `type` */
	struct type *type;
	int combiner;
};

/* Counts, lengths, displacements, types, as Type_get_contents has them. */
static void note_list(struct vmpi *v, const struct list *l, VMPI_Datatype newtype)
{
	int n = l->count, lengths = l->lengths ? n : 1, elements = l->elements ? n : 0;
	struct type_envelope *r =
		note(v, newtype, l->combiner, 1 + lengths + elements, l->bytes ? n : 0, l->type ? 1 : n);

	r->integer[0] = n;
	for (int i = 0; i < lengths; i++)
		r->integer[1 + i] = l->lengths ? l->lengths[i] : l->length;
	for (int i = 0; i < elements; i++)
		r->integer[1 + lengths + i] = l->elements[i];
	for (int i = 0; l->bytes && i < n; i++)
		r->address[i] = l->bytes[i];
	for (int i = 0; i < r->types; i++)
		type_envelope_set_type(r, i, l->type ? l->type : type_find(&v->types, l->types[i]));
}

static int make_list(struct vmpi *v, const struct list *l, VMPI_Datatype *newtype)
{
	struct type_block *blocks;
	int ret = check_count(v, l->count);

	if (ret)
		return ret;
	blocks = scratch_take(v, (size_t)l->count + 1, sizeof(*blocks));
	for (int i = 0; i < l->count && ret == VMPI_SUCCESS; i++) {
		struct type *t = l->types ? type_find(&v->types, l->types[i]) : l->type;
		int length = l->lengths ? l->lengths[i] : l->length;

		if (!t)
			ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", l->types[i]);
		else if (length < 0)
			ret = check_count(v, length);
		else
			blocks[i] = (struct type_block){l->bytes ? l->bytes[i] : l->elements[i] * extent(t), 1, 0,
							length, t};
	}
	if (ret == VMPI_SUCCESS)
		ret = make_type(v, blocks, (unsigned)l->count, newtype);
	if (ret == VMPI_SUCCESS)
		note_list(v, l, *newtype);
	scratch_give(v, blocks);
	return ret;
}

int vmpi_Type_indexed(struct vmpi *v, int count, const int *blocklengths, const int *displacements,
		      VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {
		.count = count, .lengths = blocklengths, .elements = displacements, .combiner = VMPI_COMBINER_INDEXED};

	l.type = enter_type_call(v, CALL_Type_indexed, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_create_hindexed(struct vmpi *v, int count, const int *blocklengths, const VMPI_Aint *displacements,
			      VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {
		.count = count, .lengths = blocklengths, .bytes = displacements, .combiner = VMPI_COMBINER_HINDEXED};

	l.type = enter_type_call(v, CALL_Type_create_hindexed, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_create_indexed_block(struct vmpi *v, int count, int blocklength, const int *displacements,
				   VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {.count = count,
			 .length = blocklength,
			 .elements = displacements,
			 .combiner = VMPI_COMBINER_INDEXED_BLOCK};

	l.type = enter_type_call(v, CALL_Type_create_indexed_block, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_create_hindexed_block(struct vmpi *v, int count, int blocklength, const VMPI_Aint *displacements,
				    VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {.count = count,
			 .length = blocklength,
			 .bytes = displacements,
			 .combiner = VMPI_COMBINER_HINDEXED_BLOCK};

	l.type = enter_type_call(v, CALL_Type_create_hindexed_block, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_hindexed(struct vmpi *v, int count, const int *blocklengths, const VMPI_Aint *displacements,
		       VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	return vmpi_Type_create_hindexed(v, count, blocklengths, displacements, oldtype, newtype);
}

int vmpi_Type_create_struct(struct vmpi *v, int count, const int *blocklengths, const VMPI_Aint *displacements,
			    const VMPI_Datatype *types, VMPI_Datatype *newtype)
{
	struct list l = {.count = count,
			 .lengths = blocklengths,
			 .bytes = displacements,
			 .types = types,
			 .combiner = VMPI_COMBINER_STRUCT};

	rank_enter(v, CALL_Type_create_struct);
	return make_list(v, &l, newtype);
}

int vmpi_Type_struct(struct vmpi *v, int count, const int *blocklengths, const VMPI_Aint *displacements,
		     const VMPI_Datatype *types, VMPI_Datatype *newtype)
{
	return vmpi_Type_create_struct(v, count, blocklengths, displacements, types, newtype);
}

/* Builds the dimensions from the fastest on: each is a vector of one block, resized to the whole dimension. */
int vmpi_Type_create_subarray(struct vmpi *v, int ndims, const int *sizes, const int *subsizes, const int *starts,
			      int order, VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret, at;
	struct type *t = enter_type_call(v, CALL_Type_create_subarray, oldtype, &ret);
	VMPI_Datatype inner = oldtype;
	struct type_envelope *r;
	int64_t whole;

	if (!t)
		return ret;
	if (ndims < 1)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_DIMS, "%d dimensions: expected 1 or more", ndims);
	whole = extent(t);
	for (int i = 0; i < ndims; i++) {
		struct type_block b;

		at = order == VMPI_ORDER_FORTRAN ? i : ndims - 1 - i;
		if (sizes[at] < 1 || subsizes[at] < 1 || starts[at] < 0 || starts[at] > sizes[at] - subsizes[at])
			ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "dimension %d: %d from %d on, of %d", at,
					 subsizes[at], starts[at], sizes[at]);
		b = (struct type_block){starts[at] * whole, subsizes[at], whole, 1, type_find(&v->types, inner)};
		if (ret == VMPI_SUCCESS)
			ret = make_type(v, &b, 1, newtype);
		if (i)
			type_release(&v->types, inner);
		if (ret)
			return ret;
		inner = *newtype;
		whole *= sizes[at];
	}
	type_set_bounds(type_find(&v->types, *newtype), 0, whole);
	r = note(v, *newtype, VMPI_COMBINER_SUBARRAY, 2 + 3 * ndims, 0, 1);
	r->integer[0] = ndims;
	for (int i = 0; i < ndims; i++) {
		r->integer[1 + i] = sizes[i];
		r->integer[1 + ndims + i] = subsizes[i];
		r->integer[1 + 2 * ndims + i] = starts[i];
	}
	r->integer[1 + 3 * ndims] = order;
	type_envelope_set_type(r, 0, t);
	return VMPI_SUCCESS;
}

int vmpi_Type_create_resized(struct vmpi *v, VMPI_Datatype oldtype, VMPI_Aint lb, VMPI_Aint extent_,
			     VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter_type_call(v, CALL_Type_create_resized, oldtype, &ret);
	struct type_block b = {0, 1, 0, 1, t};

	if (!t)
		return ret;
	make_type(v, &b, 1, newtype);
	type_set_bounds(type_find(&v->types, *newtype), lb, lb + extent_);
	note_of(v, *newtype, t, VMPI_COMBINER_RESIZED, 0, NULL, 2, (VMPI_Aint[]){lb, extent_});
	return VMPI_SUCCESS;
}

int vmpi_Type_dup(struct vmpi *v, VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter_type_call(v, CALL_Type_dup, oldtype, &ret);
	struct type_block b = {0, 1, 0, 1, t};

	if (!t)
		return ret;
	ret = make_type(v, &b, 1, newtype);
	if (ret == VMPI_SUCCESS)
		type_find(&v->types, *newtype)->committed = t->committed;
	note_of(v, *newtype, t, VMPI_COMBINER_DUP, 0, NULL, 0, NULL);
	ret = attributes_copy_all(v, OBJECT_TYPE, oldtype, *newtype);
	if (ret) {
		type_release(&v->types, *newtype);
		*newtype = VMPI_DATATYPE_NULL;
	}
	return ret;
}

int vmpi_Type_commit(struct vmpi *v, VMPI_Datatype *datatype)
{
	int ret;
	struct type *t = enter_type_call(v, CALL_Type_commit, *datatype, &ret);

	if (t)
		t->committed = true;
	return ret;
}

int vmpi_Type_free(struct vmpi *v, VMPI_Datatype *datatype)
{
	int ret;

	if (!enter_type_call(v, CALL_Type_free, *datatype, &ret))
		return ret;
	if (*datatype < BASIC_TYPES)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "a basic datatype cannot be freed");
	ret = attributes_delete_all(v, OBJECT_TYPE, *datatype);
	if (ret)
		return ret;
	if (v->checks)
		check_type_freed(v, *datatype);
	type_release(&v->types, *datatype);
	*datatype = VMPI_DATATYPE_NULL;
	return VMPI_SUCCESS;
}

/* ---- queries ---- */

int vmpi_Type_size(struct vmpi *v, VMPI_Datatype datatype, int *size)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Type_size, datatype, &ret);

	if (t)
		*size = t->size > INT_MAX ? VMPI_UNDEFINED : (int)t->size;
	return ret;
}

int vmpi_Type_extent(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *extent_)
{
	VMPI_Aint lb;

	return vmpi_Type_get_extent(v, datatype, &lb, extent_);
}

int vmpi_Type_get_extent(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *lb, VMPI_Aint *extent_)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Type_get_extent, datatype, &ret);

	if (!t)
		return ret;
	*lb = t->lb;
	*extent_ = extent(t);
	return ret;
}

int vmpi_Type_get_true_extent(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *true_lb, VMPI_Aint *true_extent)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Type_get_true_extent, datatype, &ret);

	if (!t)
		return ret;
	*true_lb = t->true_lb;
	*true_extent = t->true_ub - t->true_lb;
	return ret;
}

int vmpi_Type_lb(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *displacement)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Type_lb, datatype, &ret);

	if (t)
		*displacement = t->lb;
	return ret;
}

int vmpi_Type_ub(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *displacement)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Type_ub, datatype, &ret);

	if (t)
		*displacement = t->ub;
	return ret;
}

/* ---- packing ---- */

/* Returns whether a buffer of `size` has `bytes` at *position. */
static int check_room(struct vmpi *v, int64_t bytes, int position, int size)
{
	if (position < 0 || bytes > (int64_t)size - position)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TRUNCATE,
				  "%lld bytes at position %d, expected at most the buffer's %d", (long long)bytes,
				  position, size);
	return VMPI_SUCCESS;
}

int vmpi_Pack(struct vmpi *v, const void *inbuf, int incount, VMPI_Datatype datatype, void *outbuf, int outsize,
	      int *position, VMPI_Comm comm)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Pack, datatype, &ret);

	(void)comm;
	if (!t || (ret = check_count(v, incount)) || (ret = check_room(v, incount * t->size, *position, outsize)))
		return ret;
	type_pack(t, incount, inbuf, (char *)outbuf + *position);
	*position += (int)(incount * t->size);
	return VMPI_SUCCESS;
}

int vmpi_Unpack(struct vmpi *v, const void *inbuf, int insize, int *position, void *outbuf, int outcount,
		VMPI_Datatype datatype, VMPI_Comm comm)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Unpack, datatype, &ret);

	(void)comm;
	if (!t || (ret = check_count(v, outcount)) || (ret = check_room(v, outcount * t->size, *position, insize)))
		return ret;
	type_unpack(t, outcount, outbuf, (const char *)inbuf + *position, (uint64_t)(outcount * t->size));
	*position += (int)(outcount * t->size);
	return VMPI_SUCCESS;
}

int vmpi_Pack_size(struct vmpi *v, int incount, VMPI_Datatype datatype, VMPI_Comm comm, int *size)
{
	int ret;
	const struct type *t = enter_type_call(v, CALL_Pack_size, datatype, &ret);

	(void)comm;
	if (t)
		*size = incount * t->size > INT_MAX ? VMPI_UNDEFINED : (int)(incount * t->size);
	return ret;
}
