/* Calls: datatypes, and packing. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../message/message.h"

/* Returns the type of a handle, or NULL after reporting an unknown handle. */
static struct type *enter(struct vmpi *v, enum call_id call, VMPI_Datatype datatype, int *ret)
{
	struct type *t = type_find(&v->types, datatype);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!t)
		*ret = rank_error(v, 0, VMPI_ERR_TYPE, "datatype %d does not exist", datatype);
	return t;
}

static int make(struct vmpi *v, const struct type_block *blocks, unsigned count, VMPI_Datatype *newtype)
{
	*newtype = type_create(&v->types, blocks, count, &v->err);
	if (!*newtype)
		rank_fail(v);
	return VMPI_SUCCESS;
}

static int check_count(struct vmpi *v, int count)
{
	return count < 0 ? rank_error(v, 0, VMPI_ERR_COUNT, "count %d: expected 0 or more", count) : VMPI_SUCCESS;
}

static int64_t extent(const struct type *t)
{
	return t->ub - t->lb;
}

int vmpi_Type_contiguous(struct vmpi *v, int count, VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter(v, CALL_Type_contiguous, oldtype, &ret);
	struct type_block b = {0, 1, 0, count, t};

	if (!t || (ret = check_count(v, count)))
		return ret;
	return make(v, &b, 1, newtype);
}

static int vector(struct vmpi *v, int count, int length, int64_t stride, struct type *t, VMPI_Datatype *newtype)
{
	struct type_block b = {0, count, stride, length, t};
	int ret = check_count(v, count);

	if (ret == VMPI_SUCCESS)
		ret = check_count(v, length);
	return ret ? ret : make(v, &b, 1, newtype);
}

int vmpi_Type_vector(struct vmpi *v, int count, int blocklength, int stride, VMPI_Datatype oldtype,
		     VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter(v, CALL_Type_vector, oldtype, &ret);

	return t ? vector(v, count, blocklength, stride * extent(t), t, newtype) : ret;
}

int vmpi_Type_create_hvector(struct vmpi *v, int count, int blocklength, VMPI_Aint stride, VMPI_Datatype oldtype,
			     VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter(v, CALL_Type_create_hvector, oldtype, &ret);

	return t ? vector(v, count, blocklength, stride, t, newtype) : ret;
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
};

static int make_list(struct vmpi *v, const struct list *l, VMPI_Datatype *newtype)
{
	struct type_block *blocks;
	int ret = check_count(v, l->count);

	if (ret)
		return ret;
	blocks = mem_alloc((size_t)l->count + 1, sizeof(*blocks), &v->err);
	if (!blocks) {
		rank_fail(v);
		return VMPI_ERR_OTHER;
	}
	for (int i = 0; i < l->count && ret == VMPI_SUCCESS; i++) {
		struct type *t = l->types ? type_find(&v->types, l->types[i]) : l->type;
		int length = l->lengths ? l->lengths[i] : l->length;

		if (!t)
			ret = rank_error(v, 0, VMPI_ERR_TYPE, "datatype %d does not exist", l->types[i]);
		else if (length < 0)
			ret = check_count(v, length);
		else
			blocks[i] = (struct type_block){l->bytes ? l->bytes[i] : l->elements[i] * extent(t), 1, 0,
							length, t};
	}
	if (ret == VMPI_SUCCESS)
		ret = make(v, blocks, (unsigned)l->count, newtype);
	free(blocks);
	return ret;
}

int vmpi_Type_indexed(struct vmpi *v, int count, const int *blocklengths, const int *displacements,
		      VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {.count = count, .lengths = blocklengths, .elements = displacements};

	l.type = enter(v, CALL_Type_indexed, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_create_hindexed(struct vmpi *v, int count, const int *blocklengths, const VMPI_Aint *displacements,
			      VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {.count = count, .lengths = blocklengths, .bytes = displacements};

	l.type = enter(v, CALL_Type_create_hindexed, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_create_indexed_block(struct vmpi *v, int count, int blocklength, const int *displacements,
				   VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct list l = {.count = count, .length = blocklength, .elements = displacements};

	l.type = enter(v, CALL_Type_create_indexed_block, oldtype, &ret);
	return l.type ? make_list(v, &l, newtype) : ret;
}

int vmpi_Type_create_struct(struct vmpi *v, int count, const int *blocklengths, const VMPI_Aint *displacements,
			    const VMPI_Datatype *types, VMPI_Datatype *newtype)
{
	struct list l = {.count = count, .lengths = blocklengths, .bytes = displacements, .types = types};

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
	struct type *t = enter(v, CALL_Type_create_subarray, oldtype, &ret);
	VMPI_Datatype inner = oldtype;
	int64_t whole;

	if (!t)
		return ret;
	if (ndims < 1)
		return rank_error(v, 0, VMPI_ERR_DIMS, "%d dimensions: expected 1 or more", ndims);
	whole = extent(t);
	for (int i = 0; i < ndims; i++) {
		struct type_block b;

		at = order == VMPI_ORDER_FORTRAN ? i : ndims - 1 - i;
		if (sizes[at] < 1 || subsizes[at] < 1 || starts[at] < 0 || starts[at] > sizes[at] - subsizes[at])
			ret = rank_error(v, 0, VMPI_ERR_ARG, "dimension %d: %d from %d on, of %d", at, subsizes[at],
					 starts[at], sizes[at]);
		b = (struct type_block){starts[at] * whole, subsizes[at], whole, 1, type_find(&v->types, inner)};
		if (ret == VMPI_SUCCESS)
			ret = make(v, &b, 1, newtype);
		if (i)
			type_release(&v->types, inner);
		if (ret)
			return ret;
		inner = *newtype;
		whole *= sizes[at];
	}
	t = type_find(&v->types, *newtype);
	type_set_bounds(t, 0, whole);
	return VMPI_SUCCESS;
}

int vmpi_Type_create_resized(struct vmpi *v, VMPI_Datatype oldtype, VMPI_Aint lb, VMPI_Aint extent_,
			     VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter(v, CALL_Type_create_resized, oldtype, &ret);
	struct type_block b = {0, 1, 0, 1, t};

	if (!t)
		return ret;
	make(v, &b, 1, newtype);
	type_set_bounds(type_find(&v->types, *newtype), lb, lb + extent_);
	return VMPI_SUCCESS;
}

int vmpi_Type_dup(struct vmpi *v, VMPI_Datatype oldtype, VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter(v, CALL_Type_dup, oldtype, &ret);
	struct type_block b = {0, 1, 0, 1, t};

	if (!t)
		return ret;
	ret = make(v, &b, 1, newtype);
	if (ret == VMPI_SUCCESS)
		type_find(&v->types, *newtype)->committed = t->committed;
	return ret;
}

int vmpi_Type_commit(struct vmpi *v, VMPI_Datatype *datatype)
{
	int ret;
	struct type *t = enter(v, CALL_Type_commit, *datatype, &ret);

	if (t)
		t->committed = true;
	return ret;
}

int vmpi_Type_free(struct vmpi *v, VMPI_Datatype *datatype)
{
	int ret;

	if (!enter(v, CALL_Type_free, *datatype, &ret))
		return ret;
	if (*datatype < BASIC_COUNT)
		return rank_error(v, 0, VMPI_ERR_TYPE, "a basic datatype cannot be freed");
	type_release(&v->types, *datatype);
	*datatype = VMPI_DATATYPE_NULL;
	return VMPI_SUCCESS;
}

/* ---- queries ---- */

int vmpi_Type_size(struct vmpi *v, VMPI_Datatype datatype, int *size)
{
	int ret;
	const struct type *t = enter(v, CALL_Type_size, datatype, &ret);

	if (t)
		*size = (int)t->size;
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
	const struct type *t = enter(v, CALL_Type_get_extent, datatype, &ret);

	if (!t)
		return ret;
	*lb = t->lb;
	*extent_ = extent(t);
	return ret;
}

int vmpi_Type_get_true_extent(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *true_lb, VMPI_Aint *true_extent)
{
	int ret;
	const struct type *t = enter(v, CALL_Type_get_true_extent, datatype, &ret);

	if (!t)
		return ret;
	*true_lb = t->true_lb;
	*true_extent = t->true_ub - t->true_lb;
	return ret;
}

int vmpi_Type_lb(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *displacement)
{
	int ret;
	const struct type *t = enter(v, CALL_Type_lb, datatype, &ret);

	if (t)
		*displacement = t->lb;
	return ret;
}

int vmpi_Type_ub(struct vmpi *v, VMPI_Datatype datatype, VMPI_Aint *displacement)
{
	int ret;
	const struct type *t = enter(v, CALL_Type_ub, datatype, &ret);

	if (t)
		*displacement = t->ub;
	return ret;
}

/* ---- packing ---- */

/* Are there `bytes` at *position in a buffer of `size`? */
static int check_room(struct vmpi *v, int64_t bytes, int position, int size)
{
	if (position < 0 || bytes > (int64_t)size - position)
		return rank_error(v, 0, VMPI_ERR_TRUNCATE, "%lld bytes at %d in a buffer of %d", (long long)bytes,
				  position, size);
	return VMPI_SUCCESS;
}

int vmpi_Pack(struct vmpi *v, const void *inbuf, int incount, VMPI_Datatype datatype, void *outbuf, int outsize,
	      int *position, VMPI_Comm comm)
{
	int ret;
	const struct type *t = enter(v, CALL_Pack, datatype, &ret);

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
	const struct type *t = enter(v, CALL_Unpack, datatype, &ret);

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
	const struct type *t = enter(v, CALL_Pack_size, datatype, &ret);

	(void)comm;
	if (t)
		*size = (int)(incount * t->size);
	return ret;
}
