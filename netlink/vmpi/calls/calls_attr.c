/* Calls: attributes of communicators, datatypes and windows (MPI 3.1, 6.7). */
#include "../message/message.h"
#include "object_calls.h"

static const int no_object[] = {
	[OBJECT_COMM] = VMPI_ERR_COMM, [OBJECT_TYPE] = VMPI_ERR_TYPE, [OBJECT_WIN] = VMPI_ERR_WIN};

static bool object_exists(const struct vmpi *v, enum object_kind kind, int object)
{
	return kind == OBJECT_COMM   ? comm_find(&v->comms, object) != NULL
	       : kind == OBJECT_TYPE ? type_find(&v->types, object) != NULL
				     : window_exists(v, object);
}

/* The communicator whose error handler counts. */
static VMPI_Comm handler_of(enum object_kind kind, int object)
{
	return kind == OBJECT_COMM ? object : VMPI_COMM_WORLD;
}

static int create_key(struct vmpi *v, enum call_id call, struct keyval k, int *keyval)
{
	rank_enter(v, call);
	*keyval = keyval_create(&v->mpi.attributes, &k, &v->err);
	if (!*keyval)
		rank_stop(v);
	return VMPI_SUCCESS;
}

static int free_key(struct vmpi *v, enum call_id call, enum object_kind kind, int *keyval)
{
	struct keyval *k = keyval_find(&v->mpi.attributes, kind, *keyval);

	rank_enter(v, call);
	if (!k) /* a copy of the handle may free the key again */
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_KEYVAL, "unknown key %d", *keyval);
	k->freed = true;
	*keyval = VMPI_KEYVAL_INVALID;
	return VMPI_SUCCESS;
}

/* The value as a program in this language has it. */
static void *value_for(const struct attribute *a, enum keyval_language language)
{
	return a->fortran && language == KEYVAL_C ? (void *)(uintptr_t)&a->value : a->value;
}

/* The language of the running call. */
static enum keyval_language caller_language(const struct vmpi *v)
{
	bool fortran = rank_own(v)->in_fortran;

	rank_own(v)->in_fortran = false;
	return fortran ? KEYVAL_FORTRAN : KEYVAL_C;
}

void vmpi_attribute_fortran(struct vmpi *v)
{
	rank_own(v)->in_fortran = true;
}

/* Calls the delete function; the attribute stays if that fails. */
static int delete_one(struct vmpi *v, struct attribute *a)
{
	const struct keyval *k = keyval_find(&v->mpi.attributes, a->kind, a->keyval);
	int ret = keyval_call_delete(k, a->object, a->keyval, value_for(a, k->language));

	if (ret)
		return rank_error(v, handler_of(a->kind, a->object), ret, "the delete function of key %d returned %d",
				  a->keyval, ret);
	attribute_remove(&v->mpi.attributes, v->current->world, a);
	return VMPI_SUCCESS;
}

int attributes_delete_all(struct vmpi *v, enum object_kind kind, int object)
{
	uint32_t rank = v->current->world;
	struct attribute *a;
	int ret = VMPI_SUCCESS;

	while (ret == VMPI_SUCCESS && (a = attribute_latest(&v->mpi.attributes, rank, kind, object)))
		ret = delete_one(v, a);
	return ret;
}

/* In the order in which they were set, which is the list's from its end. */
static int copy_from(struct vmpi *v, const struct attribute *a, enum object_kind kind, int from, int to)
{
	const struct keyval *k;
	struct attribute *new;
	int ret, flag = 0;
	void *value;

	if (!a)
		return VMPI_SUCCESS;
	ret = copy_from(v, a->next, kind, from, to);
	if (ret || a->kind != kind || a->object != from)
		return ret;
	k = keyval_find(&v->mpi.attributes, kind, a->keyval);
	ret = keyval_call_copy(k, from, a->keyval, value_for(a, k->language), &value, &flag);
	if (ret)
		return rank_error(v, handler_of(kind, from), ret, "the copy function of key %d returned %d", a->keyval,
				  ret);
	if (!flag)
		return VMPI_SUCCESS;
	new = attribute_add(&v->mpi.attributes, v->current->world, kind, to, a->keyval, &v->err);
	if (!new)
		rank_stop(v);
	new->value = value;
	new->fortran = (intptr_t)k->copy == 1 ? a->fortran : k->language != KEYVAL_C;
	return VMPI_SUCCESS;
}

int attributes_copy_all(struct vmpi *v, enum object_kind kind, int from, int to)
{
	return copy_from(v, v->mpi.attributes.of_rank[v->current->world], kind, from, to);
}

static int set_attribute(struct vmpi *v, enum call_id call, enum object_kind kind, int object, int keyval, void *value)
{
	uint32_t rank = rank_enter(v, call)->world;
	enum keyval_language language = caller_language(v);
	struct keyval *k = keyval_find(&v->mpi.attributes, kind, keyval);
	struct attribute *a;

	if (!object_exists(v, kind, object))
		return rank_error(v, VMPI_COMM_WORLD, no_object[kind], "unknown handle %d", object);
	if (!k || k->freed)
		return rank_error(v, handler_of(kind, object), VMPI_ERR_KEYVAL, "key %d: expected one of the program",
				  keyval);
	a = attribute_find(&v->mpi.attributes, rank, kind, object, keyval);
	if (a) {
		int ret = keyval_call_delete(k, object, keyval, value_for(a, k->language));

		if (ret)
			return rank_error(v, handler_of(kind, object), ret, "the delete function of key %d returned %d",
					  keyval, ret);
	} else {
		a = attribute_add(&v->mpi.attributes, rank, kind, object, keyval, &v->err);
	}
	if (!a)
		rank_stop(v);
	a->value = value;
	a->fortran = language != KEYVAL_C;
	return VMPI_SUCCESS;
}

/* The predefined attributes of communicators: pointers to numbers. */
static const int *predefined(struct vmpi *v, int keyval)
{
	static const int tag_ub = VMPI_TAG_UB_VALUE, host = VMPI_PROC_NULL, io = VMPI_ANY_SOURCE, global = 1;

	switch (keyval) {
	case VMPI_TAG_UB: return &tag_ub;
	case VMPI_HOST: return &host;
	case VMPI_IO: return &io;
	case VMPI_WTIME_IS_GLOBAL: return &global;
	case VMPI_LASTUSEDCODE: return &rank_own(v)->last_code;
	case VMPI_UNIVERSE_SIZE: return &v->mpi.universe;
	default: return NULL;
	}
}

static int get_attribute(struct vmpi *v, enum call_id call, enum object_kind kind, int object, int keyval, void *value,
			 int *flag)
{
	uint32_t rank = rank_enter(v, call)->world;
	enum keyval_language language = caller_language(v);
	const struct attribute *a;
	void *at = NULL;

	if (!object_exists(v, kind, object))
		return rank_error(v, VMPI_COMM_WORLD, no_object[kind], "unknown handle %d", object);
	if (keyval > 0 && keyval < KEYVAL_FIRST) {
		if (kind == OBJECT_COMM)
			at = (void *)(uintptr_t)predefined(v, keyval);
		*flag = at != NULL;
		if (kind == OBJECT_WIN)
			*flag = window_attribute(v, object, keyval, &at);
		if (*flag)
			*(void **)value = at;
		return VMPI_SUCCESS;
	}
	if (!keyval_find(&v->mpi.attributes, kind, keyval))
		return rank_error(v, handler_of(kind, object), VMPI_ERR_KEYVAL, "unknown key %d", keyval);
	a = attribute_find(&v->mpi.attributes, rank, kind, object, keyval);
	*flag = a != NULL;
	if (a)
		*(void **)value = value_for(a, language);
	return VMPI_SUCCESS;
}

static int delete_attr(struct vmpi *v, enum call_id call, enum object_kind kind, int object, int keyval)
{
	uint32_t rank = rank_enter(v, call)->world;
	struct attribute *a;

	if (!object_exists(v, kind, object))
		return rank_error(v, VMPI_COMM_WORLD, no_object[kind], "unknown handle %d", object);
	if (!keyval_find(&v->mpi.attributes, kind, keyval))
		return rank_error(v, handler_of(kind, object), VMPI_ERR_KEYVAL, "key %d: expected one of the program",
				  keyval);
	a = attribute_find(&v->mpi.attributes, rank, kind, object, keyval);
	return a ? delete_one(v, a) : VMPI_SUCCESS;
}

#define ATTRIBUTES(prefix, kind_, type) \
	int vmpi_##prefix##_create_keyval(struct vmpi *v, VMPI_##prefix##_copy_attr_function *copy, \
					  VMPI_##prefix##_delete_attr_function *del, int *keyval, void *extra_state) \
	{ \
		return create_key(v, CALL_##prefix##_create_keyval, \
				  (struct keyval){.kind = kind_, .copy = copy, .delete = del, .extra = extra_state}, \
				  keyval); \
	} \
	int vmpi_##prefix##_free_keyval(struct vmpi *v, int *keyval) \
	{ \
		return free_key(v, CALL_##prefix##_free_keyval, kind_, keyval); \
	} \
	int vmpi_##prefix##_set_attr(struct vmpi *v, type object, int keyval, void *value) \
	{ \
		return set_attribute(v, CALL_##prefix##_set_attr, kind_, object, keyval, value); \
	} \
	int vmpi_##prefix##_get_attr(struct vmpi *v, type object, int keyval, void *value, int *flag) \
	{ \
		return get_attribute(v, CALL_##prefix##_get_attr, kind_, object, keyval, value, flag); \
	} \
	int vmpi_##prefix##_delete_attr(struct vmpi *v, type object, int keyval) \
	{ \
		return delete_attr(v, CALL_##prefix##_delete_attr, kind_, object, keyval); \
	}
ATTRIBUTES(Comm, OBJECT_COMM, VMPI_Comm)
ATTRIBUTES(Type, OBJECT_TYPE, VMPI_Datatype)
ATTRIBUTES(Win, OBJECT_WIN, VMPI_Win)
#undef ATTRIBUTES

/* ---- MPI-1's names ---- */

int vmpi_Keyval_create(struct vmpi *v, VMPI_Copy_function *copy, VMPI_Delete_function *del, int *keyval,
		       void *extra_state)
{
	return vmpi_Comm_create_keyval(v, copy, del, keyval, extra_state);
}

int vmpi_Keyval_free(struct vmpi *v, int *keyval)
{
	return vmpi_Comm_free_keyval(v, keyval);
}

int vmpi_Attr_put(struct vmpi *v, VMPI_Comm comm, int keyval, void *value)
{
	return vmpi_Comm_set_attr(v, comm, keyval, value);
}

int vmpi_Attr_get(struct vmpi *v, VMPI_Comm comm, int keyval, void *value, int *flag)
{
	return vmpi_Comm_get_attr(v, comm, keyval, value, flag);
}

int vmpi_Attr_delete(struct vmpi *v, VMPI_Comm comm, int keyval)
{
	return vmpi_Comm_delete_attr(v, comm, keyval);
}

void vmpi_keyval_fortran(struct vmpi *v, int keyval, int language)
{
	int i = keyval - KEYVAL_FIRST;

	if (i >= 0 && i < v->mpi.attributes.count)
		v->mpi.attributes.keyval[i].language = (enum keyval_language)language;
}
