/* Bytes of buffers: areas.h. */
#include "areas.h"

#include <stdlib.h>

#include "../../../psim/base/vec.h"
#include "message.h"
#include "../vmpi_config.h"

bool p2p_has_buffer(const struct vmpi *v, const void *buf, const struct type *t)
{
	return v->cfg->mpi.payload && (buf || t->true_lb > 65536);
}

/* A row of bytes, up to and without `end`. */
struct row {
	uintptr_t from, end;
};

struct rows {
	struct vec_of(struct row) row;
	bool too_many;
};

static int add_row(struct rows *r, uintptr_t from, uint64_t bytes, struct err *e)
{
	struct row *last = r->row.count ? &r->row.at[r->row.count - 1] : NULL;

	if (!bytes)
		return 0;
	if (last && last->end == from) {
		last->end += bytes;
		return 0;
	}
	if (r->row.count == AREAS_ROWS_MOST) {
		r->too_many = true;
		return 0;
	}
	last = vec_push(&r->row, e);
	if (!last)
		return -1;
	*last = (struct row){from, from + bytes};
	return 0;
}

static int add_elements(struct rows *r, const struct type *t, int64_t count, uintptr_t from, struct err *e)
{
	if (t->dense)
		return add_row(r, from, (uint64_t)(count * t->size), e);
	for (int64_t n = 0; n < count && !r->too_many; n++, from += (uintptr_t)(t->ub - t->lb))
		for (unsigned i = 0; i < t->blocks; i++) {
			const struct type_block *b = &t->block[i];

			for (int64_t k = 0; k < b->count && b->length > 0 && !r->too_many; k++)
				if (add_elements(r, b->of, b->length, from + (uintptr_t)(b->at + k * b->stride), e) < 0)
					return -1;
		}
	return 0;
}

static int add_areas(struct rows *r, const struct area *a, size_t count, struct err *e)
{
	for (size_t i = 0; i < count; i++) {
		uintptr_t from = (uintptr_t)a[i].buf + (uintptr_t)(a[i].at * (a[i].type->ub - a[i].type->lb));

		if (add_elements(r, a[i].type, a[i].count, from, e) < 0)
			return -1;
	}
	return 0;
}

static int rows_by_address(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Both are in the order of addresses. */
static bool rows_meet(const struct rows *a, const struct rows *b)
{
	for (size_t i = 0, k = 0; i < a->row.count && k < b->row.count;) {
		const struct row *x = &a->row.at[i], *y = &b->row.at[k];

		if (x->from < y->end && y->from < x->end)
			return true;
		if (x->end < y->end)
			i++;
		else
			k++;
	}
	return false;
}

static void sort_rows(struct rows *r)
{
	if (r->row.count > 1)
		qsort(r->row.at, r->row.count, sizeof(*r->row.at), rows_by_address);
}

int areas_meet(const struct area *a, size_t count_a, const struct area *b, size_t count_b, struct err *e)
{
	struct rows x = {0}, y = {0};
	int ret = add_areas(&x, a, count_a, e);

	if (ret == 0)
		ret = add_areas(&y, b, count_b, e);
	if (ret == 0 && !x.too_many && !y.too_many) {
		sort_rows(&x);
		sort_rows(&y);
		ret = rows_meet(&x, &y);
	}
	free(x.row.at);
	free(y.row.at);
	return ret;
}
