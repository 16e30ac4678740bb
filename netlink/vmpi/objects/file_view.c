/* Views of files: file_view.h. */
#include "file_view.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "external32.h"

#define STRETCHES_MAX ((size_t)1 << 26)

struct flattening {
	struct file_view *w;
	size_t room;
	struct err *e;
};

/* Adds bytes behind those that are there; what continues the last stretch becomes a part of it. */
static int add_stretch(struct flattening *f, int64_t at, int64_t bytes)
{
	struct file_view *w = f->w;
	struct file_stretch *last = w->stretches ? &w->stretch[w->stretches - 1] : NULL, *grown;
	int64_t before = last ? last->before + last->bytes : 0;

	if (!bytes)
		return 0;
	if (last && last->at + last->bytes == at) {
		last->bytes += bytes;
		return 0;
	}
	if (w->stretches == f->room) {
		if (f->room >= STRETCHES_MAX)
			return err_set(f->e, STATUS_FAILED, "a view of more than %zu stretches", STRETCHES_MAX);
		f->room = f->room ? 2 * f->room : 8;
		grown = mem_resize(w->stretch, f->room, sizeof(*grown), f->e);
		if (!grown)
			return -1;
		w->stretch = grown;
	}
	w->stretch[w->stretches++] = (struct file_stretch){at, bytes, before};
	return 0;
}

static int flatten(struct flattening *f, const struct type *t, int64_t count, int64_t at)
{
	if (t->dense)
		return add_stretch(f, at, count * t->size);
	for (int64_t n = 0; n < count; n++, at += t->ub - t->lb)
		for (unsigned i = 0; i < t->blocks; i++) {
			const struct type_block *b = &t->block[i];

			for (int64_t k = 0; k < b->count && b->length > 0 && b->of->size; k++)
				if (flatten(f, b->of, b->length, at + b->at + k * b->stride) < 0)
					return -1;
		}
	return 0;
}

int file_view_create(struct file_view *w, int64_t disp, struct type *etype, struct type *filetype, bool external,
		     struct err *e)
{
	struct file_view new = {.disp = disp, .etype = etype, .filetype = filetype, .external = external};
	struct flattening f = {&new, 0, e};
	int ret;

	new.unit = external ? external32_size(etype) : etype->size;
	if (external && external32_size(filetype) != filetype->size) /* of such types only rows without gaps */
		ret = add_stretch(&f, 0, external32_size(filetype));
	else
		ret = flatten(&f, filetype, 1, 0);
	if (ret < 0) {
		free(new.stretch);
		return -1;
	}
	new.size = new.stretches ? new.stretch[new.stretches - 1].before + new.stretch[new.stretches - 1].bytes : 0;
	new.extent = new.size == filetype->size ? filetype->ub - filetype->lb : new.size;
	type_hold(etype);
	type_hold(filetype);
	*w = new;
	return 0;
}

void file_view_finish(struct file_view *w)
{
	if (w->etype)
		type_drop(w->etype);
	if (w->filetype)
		type_drop(w->filetype);
	free(w->stretch);
	memset(w, 0, sizeof(*w));
}

/* The stretch that has byte `within` of a filetype. */
static const struct file_stretch *stretch_of(const struct file_view *w, int64_t within)
{
	size_t low = 0, high = w->stretches;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (w->stretch[middle].before <= within)
			low = middle;
		else
			high = middle;
	}
	return &w->stretch[low];
}

int file_view_find(const struct file_view *w, int64_t at, int64_t bytes, int64_t *place, int64_t *length)
{
	int64_t tile, within, end;
	const struct file_stretch *s;

	if (!w->size)
		return -1;
	tile = at / w->size;
	within = at % w->size;
	s = stretch_of(w, within);
	*length = s->bytes - (within - s->before);
	if (w->stretches == 1 && s->bytes == w->extent) /* tiles follow each other */
		*length = bytes;
	if (*length > bytes)
		*length = bytes;
	if (__builtin_mul_overflow(tile, w->extent, place) || __builtin_add_overflow(*place, w->disp, place) ||
	    __builtin_add_overflow(*place, s->at + (within - s->before), place) || *place < 0 ||
	    __builtin_add_overflow(*place, *length, &end))
		return -1;
	return 0;
}

int64_t file_view_etypes(const struct file_view *w, int64_t file_bytes)
{
	int64_t left = file_bytes - w->disp, bytes = 0;

	if (left <= 0 || !w->size || !w->unit)
		return 0;
	if (w->extent > 0) {
		bytes = left / w->extent * w->size;
		left %= w->extent;
	}
	for (size_t i = 0; i < w->stretches; i++) {
		int64_t in = left - w->stretch[i].at;

		if (in > 0)
			bytes += in < w->stretch[i].bytes ? in : w->stretch[i].bytes;
	}
	return (bytes + w->unit - 1) / w->unit;
}
