/* Attributes: attribute.h. */
#include "attribute.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"

/* Fortran's functions: everything by reference, an error code last. */
typedef void copy_fortran(int *object, int *keyval, void *extra, void *in, void *out, int *flag, int *code);
typedef void delete_fortran(int *object, int *keyval, void *value, void *extra, int *code);

int attributes_create(struct attributes *a, uint32_t ranks, struct err *e)
{
	*a = (struct attributes){.ranks = ranks};
	a->of_rank = mem_alloc(ranks, sizeof(struct attribute *), e);
	return a->of_rank ? 0 : -1;
}

void attributes_finish(struct attributes *a)
{
	for (uint32_t i = 0; a->of_rank && i < a->ranks; i++)
		while (a->of_rank[i])
			attribute_remove(a, i, a->of_rank[i]);
	free(a->of_rank);
	free(a->keyval);
	*a = (struct attributes){0};
}

int keyval_create(struct attributes *a, const struct keyval *k, struct err *e)
{
	if (a->count == a->room) {
		int room = a->room ? 2 * a->room : 16;
		struct keyval *at = mem_resize(a->keyval, (size_t)room, sizeof(*at), e);

		if (!at)
			return 0;
		a->keyval = at;
		a->room = room;
	}
	a->keyval[a->count] = *k;
	return KEYVAL_FIRST + a->count++;
}

struct keyval *keyval_find(const struct attributes *a, enum object_kind kind, int handle)
{
	int i = handle - KEYVAL_FIRST;

	return i >= 0 && i < a->count && a->keyval[i].kind == kind ? &a->keyval[i] : NULL;
}

struct attribute *attribute_find(const struct attributes *a, uint32_t rank, enum object_kind kind, int object,
				 int keyval)
{
	for (struct attribute *i = a->of_rank[rank]; i; i = i->next)
		if (i->kind == kind && i->object == object && i->keyval == keyval)
			return i;
	return NULL;
}

struct attribute *attribute_add(struct attributes *a, uint32_t rank, enum object_kind kind, int object, int keyval,
				struct err *e)
{
	struct attribute *new = mem_alloc(1, sizeof(*new), e);

	if (!new)
		return NULL;
	*new = (struct attribute){.next = a->of_rank[rank], .kind = kind, .object = object, .keyval = keyval};
	a->of_rank[rank] = new;
	return new;
}

struct attribute *attribute_latest(const struct attributes *a, uint32_t rank, enum object_kind kind, int object)
{
	for (struct attribute *i = a->of_rank[rank]; i; i = i->next)
		if (i->kind == kind && i->object == object)
			return i;
	return NULL;
}

void attribute_remove(struct attributes *a, uint32_t rank, struct attribute *attribute)
{
	struct attribute **link = &a->of_rank[rank];

	while (*link && *link != attribute)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = attribute->next;
	free(attribute);
}

/* ---- the program's functions ---- */

int keyval_call_copy(const struct keyval *k, int object, int handle, void *value, void **copy, int *flag)
{
	intptr_t extra = (intptr_t)k->extra, in = (intptr_t)value, out = 0;
	int small_extra = (int)extra, small_in = (int)in, small_out = 0, code = 0;

	*flag = 0;
	*copy = NULL;
	if (!k->copy)
		return 0;
	if ((intptr_t)k->copy == 1) { /* the standard's function that copies the value: COMM_DUP_FN and so on */
		*flag = 1;
		*copy = value;
		return 0;
	}
	if (k->language == KEYVAL_C)
		return k->copy(object, handle, k->extra, value, copy, flag);
	if (k->language == KEYVAL_FORTRAN)
		((copy_fortran *)(void (*)(void))k->copy)(&object, &handle, &small_extra, &small_in, &small_out, flag,
							  &code);
	else
		((copy_fortran *)(void (*)(void))k->copy)(&object, &handle, &extra, &in, &out, flag, &code);
	*copy = (void *)(k->language == KEYVAL_FORTRAN ? (intptr_t)small_out : out);
	return code;
}

int keyval_call_delete(const struct keyval *k, int object, int handle, void *value)
{
	intptr_t extra = (intptr_t)k->extra, in = (intptr_t)value;
	int small_extra = (int)extra, small_in = (int)in, code = 0;

	if (!k->delete)
		return 0;
	if (k->language == KEYVAL_C)
		return k->delete (object, handle, value, k->extra);
	if (k->language == KEYVAL_FORTRAN)
		((delete_fortran *)(void (*)(void))k->delete)(&object, &handle, &small_in, &small_extra, &code);
	else
		((delete_fortran *)(void (*)(void))k->delete)(&object, &handle, &in, &extra, &code);
	return code;
}
