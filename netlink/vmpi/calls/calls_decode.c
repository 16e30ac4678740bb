/* Calls: how datatypes were made, their names, distributed arrays, types of Fortran by range, and external32. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../objects/external32.h"
#include "../objects/type_envelope.h"
#include "../message/run_checks.h"
#include "object_calls.h"

static const char *const basic_names[] = {
	"",
#define TYPE(name, ctype, class) "MPI_" #name,
#include "../api/constants.def"
#undef TYPE
};

static struct type *enter_decode_call(struct vmpi *v, enum call_id call, VMPI_Datatype datatype, int *ret)
{
	struct type *t = type_find(&v->types, datatype);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!t)
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	return t;
}

/* ---- envelope and contents ---- */

int vmpi_Type_get_envelope(struct vmpi *v, VMPI_Datatype datatype, int *num_integers, int *num_addresses,
			   int *num_datatypes, int *combiner)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Type_get_envelope, datatype, &ret);
	static const struct type_envelope named = {.combiner = VMPI_COMBINER_NAMED};
	const struct type_envelope *r = t && t->envelope ? t->envelope : &named;

	if (!t)
		return ret;
	*num_integers = r->integers;
	*num_addresses = r->addresses;
	*num_datatypes = r->types;
	*combiner = r->combiner;
	return VMPI_SUCCESS;
}

int vmpi_Type_get_contents(struct vmpi *v, VMPI_Datatype datatype, int max_integers, int max_addresses,
			   int max_datatypes, int *integers, VMPI_Aint *addresses, VMPI_Datatype *datatypes)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Type_get_contents, datatype, &ret);
	const struct type_envelope *r = t ? t->envelope : NULL;

	if (!t)
		return ret;
	if (!r)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "datatype %d: expected a derived one", datatype);
	if (r->combiner == VMPI_COMBINER_CONTIGUOUS && r->integer[0] < 0)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "datatype %d has a count that no int holds",
				  datatype);
	if (max_integers < r->integers || max_addresses < r->addresses || max_datatypes < r->types)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "room for %d, %d and %d: expected %d, %d and %d",
				  max_integers, max_addresses, max_datatypes, r->integers, r->addresses, r->types);
	for (int i = 0; i < r->integers; i++)
		integers[i] = r->integer[i];
	for (int i = 0; i < r->addresses; i++)
		addresses[i] = r->address[i];
	for (int i = 0; i < r->types; i++) {
		struct type *of = r->type[i];

		datatypes[i] = of->handle < BASIC_TYPES ? of->handle : type_handle(&v->types, of, &v->err);
		if (!datatypes[i])
			rank_stop(v);
		if (v->checks && of->handle >= BASIC_TYPES)
			check_type_made(v, datatypes[i]);
	}
	return VMPI_SUCCESS;
}

/* ---- names ---- */

int vmpi_Type_set_name(struct vmpi *v, VMPI_Datatype datatype, const char *name)
{
	int ret;
	struct type *t = enter_decode_call(v, CALL_Type_set_name, datatype, &ret);
	char cut[VMPI_MAX_OBJECT_NAME], *copy;

	if (!t)
		return ret;
	snprintf(cut, sizeof(cut), "%s", name);
	copy = mem_copy_text(cut, &v->err);
	if (!copy)
		rank_stop(v);
	free(t->name);
	t->name = copy;
	return VMPI_SUCCESS;
}

int vmpi_Type_get_name(struct vmpi *v, VMPI_Datatype datatype, char *name, int *resultlen)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Type_get_name, datatype, &ret);
	const char *text;

	if (!t)
		return ret;
	text = t->name ? t->name : datatype < BASIC_TYPES ? basic_names[datatype] : "";
	*resultlen = snprintf(name, VMPI_MAX_OBJECT_NAME, "%s", text);
	return VMPI_SUCCESS;
}

/* ---- sizes of more than 2 GiB ---- */

int vmpi_Type_size_x(struct vmpi *v, VMPI_Datatype datatype, VMPI_Count *size)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Type_size_x, datatype, &ret);

	if (t)
		*size = t->size;
	return ret;
}

int vmpi_Type_get_extent_x(struct vmpi *v, VMPI_Datatype datatype, VMPI_Count *lb, VMPI_Count *extent)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Type_get_extent_x, datatype, &ret);

	if (!t)
		return ret;
	*lb = t->lb;
	*extent = t->ub - t->lb;
	return ret;
}

int vmpi_Type_get_true_extent_x(struct vmpi *v, VMPI_Datatype datatype, VMPI_Count *true_lb, VMPI_Count *true_extent)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Type_get_true_extent_x, datatype, &ret);

	if (!t)
		return ret;
	*true_lb = t->true_lb;
	*true_extent = t->true_ub - t->true_lb;
	return ret;
}

int vmpi_Get_elements_x(struct vmpi *v, const VMPI_Status *status, VMPI_Datatype datatype, VMPI_Count *count)
{
	int ret;
	const struct type *t = enter_decode_call(v, CALL_Get_elements_x, datatype, &ret);
	int64_t n;

	if (!t)
		return ret;
	n = type_elements(t, (int64_t)status->bytes_);
	*count = n < 0 ? VMPI_UNDEFINED : n;
	return VMPI_SUCCESS;
}

/* ---- distributed arrays (MPI 3.1, 4.1.4) ---- */

struct part {
	int size, kind, argument, processes, at; /* of one dimension */
};

/* The blocks of a dimension that a process has, each as a type_block; their number. */
static unsigned part_blocks(const struct part *p, int64_t stride, struct type *of, struct type_block *blocks)
{
	int length = p->argument, step;
	unsigned count = 0;

	if (p->kind == VMPI_DISTRIBUTE_NONE)
		length = p->size;
	else if (length == VMPI_DISTRIBUTE_DFLT_DARG)
		length = p->kind == VMPI_DISTRIBUTE_BLOCK ? (p->size + p->processes - 1) / p->processes : 1;
	step = p->kind == VMPI_DISTRIBUTE_CYCLIC ? length * p->processes : p->size;
	for (int64_t first = p->kind == VMPI_DISTRIBUTE_NONE ? 0 : (int64_t)p->at * length;
	     first<p->size; first += step> 0 ? step : p->size) {
		int64_t n = first + length > p->size ? p->size - first : length;

		if (blocks)
			blocks[count] = (struct type_block){first * stride, n, stride, 1, of};
		count++;
	}
	return count;
}

/* One dimension more around `inner`. Returns the new type's handle, 0 with v->err. */
static int add_dimension(struct vmpi *v, const struct part *p, int64_t stride, int inner)
{
	struct type *of = type_find(&v->types, inner);
	unsigned count = part_blocks(p, stride, of, NULL);
	struct type_block *blocks = mem_alloc(count + 1, sizeof(*blocks), &v->err);
	int handle = 0;

	if (blocks) {
		part_blocks(p, stride, of, blocks);
		handle = type_create(&v->types, blocks, count, &v->err);
	}
	free(blocks);
	return handle;
}

static int check_part(struct vmpi *v, int i, const struct part *p)
{
	bool good = p->size >= 1 && p->processes >= 1 &&
		    (p->argument == VMPI_DISTRIBUTE_DFLT_DARG || p->argument >= 1) &&
		    (p->kind != VMPI_DISTRIBUTE_NONE || p->processes == 1) &&
		    (p->kind == VMPI_DISTRIBUTE_NONE || p->kind == VMPI_DISTRIBUTE_BLOCK ||
		     p->kind == VMPI_DISTRIBUTE_CYCLIC);

	if (good && p->kind == VMPI_DISTRIBUTE_BLOCK && p->argument != VMPI_DISTRIBUTE_DFLT_DARG)
		good = (int64_t)p->argument * p->processes >= p->size;
	return good ? VMPI_SUCCESS
		    : rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG,
				 "dimension %d: size %d, distribution %d, argument %d, on %d processes", i, p->size,
				 p->kind, p->argument, p->processes);
}

struct darray {
	int size, rank, ndims, order;
	const int *gsizes, *distribs, *dargs, *psizes;
};

static int note_darray(struct vmpi *v, const struct darray *d, struct type *of, VMPI_Datatype newtype)
{
	struct type *t = type_find(&v->types, newtype);
	int n = d->ndims;

	t->envelope = type_envelope_create(VMPI_COMBINER_DARRAY, 4 + 4 * n, 0, 1, &v->err);
	if (!t->envelope)
		rank_stop(v);
	t->envelope->integer[0] = d->size;
	t->envelope->integer[1] = d->rank;
	t->envelope->integer[2] = n;
	for (int i = 0; i < n; i++) {
		t->envelope->integer[3 + i] = d->gsizes[i];
		t->envelope->integer[3 + n + i] = d->distribs[i];
		t->envelope->integer[3 + 2 * n + i] = d->dargs[i];
		t->envelope->integer[3 + 3 * n + i] = d->psizes[i];
	}
	t->envelope->integer[3 + 4 * n] = d->order;
	type_envelope_set_type(t->envelope, 0, of);
	return VMPI_SUCCESS;
}

/* Ranks are in the order of rows over the processes, whatever the order of the array. */
static int make_darray(struct vmpi *v, const struct darray *d, struct type *of, VMPI_Datatype oldtype,
		       VMPI_Datatype *newtype)
{
	int64_t stride = of->ub - of->lb;
	int inner = oldtype, left, ret;

	for (int k = 0; k < d->ndims; k++) {
		int i = d->order == VMPI_ORDER_FORTRAN ? k : d->ndims - 1 - k, handle;
		struct part p = {d->gsizes[i], d->distribs[i], d->dargs[i], d->psizes[i], 0};

		left = d->rank;
		for (int j = d->ndims - 1; j > i; j--)
			left /= d->psizes[j];
		p.at = left % p.processes;
		ret = check_part(v, i, &p);
		handle = ret ? 0 : add_dimension(v, &p, stride, inner);
		if (k)
			type_release(&v->types, inner);
		if (ret)
			return ret;
		if (!handle)
			rank_stop(v);
		inner = handle;
		stride *= d->gsizes[i];
	}
	*newtype = inner;
	if (v->checks)
		check_type_made(v, inner);
	type_set_bounds(type_find(&v->types, inner), 0, stride);
	return note_darray(v, d, of, inner);
}

int vmpi_Type_create_darray(struct vmpi *v, int size, int rank, int ndims, const int *gsizes, const int *distribs,
			    const int *dargs, const int *psizes, int order, VMPI_Datatype oldtype,
			    VMPI_Datatype *newtype)
{
	int ret;
	struct type *t = enter_decode_call(v, CALL_Type_create_darray, oldtype, &ret);
	struct darray d = {size, rank, ndims, order, gsizes, distribs, dargs, psizes};
	int64_t product = 1;

	if (!t)
		return ret;
	for (int i = 0; i < ndims && product <= size; i++)
		product *= psizes[i] > 0 ? psizes[i] : size + 1;
	if (ndims < 1 || rank < 0 || rank >= size || product != size)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "%d dimensions, rank %d of %d, in a grid of %lld",
				  ndims, rank, size, (long long)product);
	return make_darray(v, &d, t, oldtype, newtype);
}

/* ---- types of Fortran by range, types by size ---- */

static int make_f90(struct vmpi *v, int combiner, int integers, const int *integer, int basic, VMPI_Datatype *newtype)
{
	struct type *of = basic ? type_find(&v->types, basic) : NULL, *t;
	struct type_block b = {0, 1, 0, 1, of};

	if (!of)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "no type of this range and precision");
	*newtype = type_create(&v->types, &b, 1, &v->err);
	t = *newtype ? type_find(&v->types, *newtype) : NULL;
	if (t)
		t->envelope = type_envelope_create(combiner, integers, 0, 0, &v->err);
	if (!t || !t->envelope)
		rank_stop(v);
	t->committed = true;
	for (int i = 0; i < integers; i++)
		t->envelope->integer[i] = integer[i];
	return VMPI_SUCCESS;
}

int vmpi_Type_create_f90_integer(struct vmpi *v, int range, VMPI_Datatype *newtype)
{
	int basic = range <= 2    ? VMPI_INTEGER1
		    : range <= 4  ? VMPI_INTEGER2
		    : range <= 9  ? VMPI_INTEGER4
		    : range <= 18 ? VMPI_INTEGER8
				  : 0;

	rank_enter(v, CALL_Type_create_f90_integer);
	return make_f90(v, VMPI_COMBINER_F90_INTEGER, 1, &range, basic, newtype);
}

/* 4, 8 or 16 bytes of a real number with these digits and exponents; 0: there is none. */
static int real_bytes(int precision, int range)
{
	if (precision == VMPI_UNDEFINED)
		precision = 0;
	if (range == VMPI_UNDEFINED)
		range = 0;
	return precision <= 6 && range <= 37      ? 4
	       : precision <= 15 && range <= 307  ? 8
	       : precision <= 18 && range <= 4931 ? 16
						  : 0;
}

int vmpi_Type_create_f90_real(struct vmpi *v, int precision, int range, VMPI_Datatype *newtype)
{
	int bytes = real_bytes(precision, range);

	rank_enter(v, CALL_Type_create_f90_real);
	return make_f90(v, VMPI_COMBINER_F90_REAL, 2, (int[]){precision, range},
			bytes == 4    ? VMPI_REAL4
			: bytes == 8  ? VMPI_REAL8
			: bytes == 16 ? VMPI_LONG_DOUBLE
				      : 0,
			newtype);
}

int vmpi_Type_create_f90_complex(struct vmpi *v, int precision, int range, VMPI_Datatype *newtype)
{
	int bytes = real_bytes(precision, range);

	rank_enter(v, CALL_Type_create_f90_complex);
	return make_f90(v, VMPI_COMBINER_F90_COMPLEX, 2, (int[]){precision, range},
			bytes == 4    ? VMPI_COMPLEX8
			: bytes == 8  ? VMPI_COMPLEX16
			: bytes == 16 ? VMPI_C_LONG_DOUBLE_COMPLEX
				      : 0,
			newtype);
}

int vmpi_Type_match_size(struct vmpi *v, int typeclass, int size, VMPI_Datatype *datatype)
{
	static const struct {
		int class, size, type;
	} matches[] = {
		{VMPI_TYPECLASS_INTEGER, 1, VMPI_INTEGER1},   {VMPI_TYPECLASS_INTEGER, 2, VMPI_INTEGER2},
		{VMPI_TYPECLASS_INTEGER, 4, VMPI_INTEGER4},   {VMPI_TYPECLASS_INTEGER, 8, VMPI_INTEGER8},
		{VMPI_TYPECLASS_REAL, 4, VMPI_REAL4},         {VMPI_TYPECLASS_REAL, 8, VMPI_REAL8},
		{VMPI_TYPECLASS_REAL, 16, VMPI_LONG_DOUBLE},  {VMPI_TYPECLASS_COMPLEX, 8, VMPI_COMPLEX8},
		{VMPI_TYPECLASS_COMPLEX, 16, VMPI_COMPLEX16},
	};

	rank_enter(v, CALL_Type_match_size);
	for (unsigned i = 0; i < sizeof(matches) / sizeof(matches[0]); i++)
		if (matches[i].class == typeclass && matches[i].size == size) {
			*datatype = matches[i].type;
			return VMPI_SUCCESS;
		}
	return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "class %d, %d bytes: there is no such type", typeclass,
			  size);
}

/* ---- external32 ---- */

static struct type *enter_external(struct vmpi *v, enum call_id call, const char *datarep, VMPI_Datatype datatype,
				   int *ret)
{
	struct type *t = enter_decode_call(v, call, datatype, ret);

	if (t && strcmp(datarep, "external32") != 0) {
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_UNSUPPORTED_DATAREP,
				  "representation '%.40s': expected external32", datarep);
		return NULL;
	}
	return t;
}

static int check_decode_room(struct vmpi *v, int64_t bytes, VMPI_Aint position, VMPI_Aint size)
{
	if (position < 0 || bytes < 0 || bytes > size - position)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TRUNCATE,
				  "%lld bytes at position %ld, expected at most the buffer's %ld", (long long)bytes,
				  (long)position, (long)size);
	return VMPI_SUCCESS;
}

int vmpi_Pack_external(struct vmpi *v, const char *datarep, const void *inbuf, int incount, VMPI_Datatype datatype,
		       void *outbuf, VMPI_Aint outsize, VMPI_Aint *position)
{
	int ret;
	const struct type *t = enter_external(v, CALL_Pack_external, datarep, datatype, &ret);
	int64_t bytes = t ? incount * external32_size(t) : 0;

	if (!t || (ret = check_decode_room(v, bytes, *position, outsize)))
		return ret;
	external32_pack(t, incount, inbuf, (char *)outbuf + *position);
	*position += bytes;
	return VMPI_SUCCESS;
}

int vmpi_Unpack_external(struct vmpi *v, const char *datarep, const void *inbuf, VMPI_Aint insize, VMPI_Aint *position,
			 void *outbuf, int outcount, VMPI_Datatype datatype)
{
	int ret;
	const struct type *t = enter_external(v, CALL_Unpack_external, datarep, datatype, &ret);
	int64_t bytes = t ? outcount * external32_size(t) : 0;

	if (!t || (ret = check_decode_room(v, bytes, *position, insize)))
		return ret;
	external32_unpack(t, outcount, outbuf, (const char *)inbuf + *position);
	*position += bytes;
	return VMPI_SUCCESS;
}

int vmpi_Pack_external_size(struct vmpi *v, const char *datarep, int incount, VMPI_Datatype datatype, VMPI_Aint *size)
{
	int ret;
	const struct type *t = enter_external(v, CALL_Pack_external_size, datarep, datatype, &ret);

	if (t)
		*size = incount * external32_size(t);
	return ret;
}
