/* Reads and checks the records of an image. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image_read.h"

#define OTHER_FILE "remove the file, or name another one"

struct image_reader {
	FILE *in;
	const char *name;
	struct image_contents *c;
	struct digest digest;
	uint64_t at;  /* offset of the record's payload */
	uint64_t end; /* of the last area's pages so far */
	struct err *e;
};

static int image_damaged(const struct image_reader *r, const char *what)
{
	if (ferror(r->in))
		return err_set(r->e, err_errno(STATUS_BAD_INPUT), "%s: %s", r->name, strerror(errno));
	return err_set(r->e, STATUS_BAD_INPUT, "%s: offset %" PRIu64 ": damaged: %s: " OTHER_FILE, r->name, r->at,
		       what);
}

/* Reads words. 0, or -1. */
static int take(struct image_reader *r, void *to, size_t bytes)
{
	const unsigned char *from = to;

	if (fread(to, 1, bytes, r->in) != bytes)
		return image_damaged(r, "the file ends here, expected the last record of its image");
	for (size_t n = 0; n < bytes; n += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, from + n, sizeof(word));
		digest_add(&r->digest, word);
	}
	return 0;
}

/* Passes over data, which are read when they are needed. */
static int pass(struct image_reader *r, uint64_t bytes)
{
	unsigned char block[1 << 16];

	while (bytes) {
		const size_t piece = bytes < sizeof(block) ? (size_t)bytes : sizeof(block);

		if (take(r, block, piece) < 0)
			return -1;
		bytes -= piece;
	}
	return 0;
}

static int read_state(struct image_reader *r, uint64_t bytes)
{
	if (bytes != sizeof(r->c->state) || r->c->state.fs)
		return image_damaged(r, "expected one record of the thread's state");
	return take(r, &r->c->state, sizeof(r->c->state));
}

static int read_opened(struct image_reader *r, uint64_t bytes)
{
	struct image_file *f = vec_push(&r->c->files, r->e);

	if (!f)
		return -1;
	if (bytes != sizeof(*f) || r->c->files.count > IMAGE_DESCRIPTORS) {
		r->c->files.count--;
		return image_damaged(r, "expected a file");
	}
	if (take(r, f, sizeof(*f)) < 0)
		return -1;
	if (f->descriptor >= IMAGE_DESCRIPTORS || f->kind > IMAGE_MEMORY ||
	    memchr(f->path, 0, sizeof(f->path)) == NULL || f->bytes > INT64_MAX || f->position > INT64_MAX ||
	    (f->kind == IMAGE_STANDARD && f->position > 2))
		return image_damaged(r, "expected a file");
	for (size_t n = 0; n + 1 < r->c->files.count; n++)
		if (r->c->files.at[n].descriptor == f->descriptor)
			return image_damaged(r, "expected another descriptor");
	return 0;
}

static int read_content(struct image_reader *r, uint64_t bytes)
{
	const struct image_file *f = r->c->files.count ? &r->c->files.at[r->c->files.count - 1] : NULL;
	struct image_content head;
	struct image_piece *p;

	if (!f || bytes < sizeof(head) || bytes - sizeof(head) > IMAGE_BLOCK)
		return image_damaged(r, "expected contents of a file");
	if (take(r, &head, sizeof(head)) < 0)
		return -1;
	bytes -= sizeof(head);
	if (head.descriptor != f->descriptor || f->kind < IMAGE_WRITTEN_FILE || head.offset >= f->bytes ||
	    bytes >= f->bytes - head.offset + sizeof(uint64_t))
		return image_damaged(r, "expected contents of the last file");
	p = vec_push(&r->c->pieces, r->e);
	if (!p)
		return -1;
	*p = (struct image_piece){head.offset, bytes < f->bytes - head.offset ? bytes : f->bytes - head.offset,
				  r->at + sizeof(head), head.descriptor};
	return pass(r, bytes);
}

static bool good_area(const struct image_contents *c, const struct image_area *a)
{
	const struct image_area *last = c->areas.count > 1 ? a - 1 : NULL;

	return a->begin % IMAGE_PAGE == 0 && a->end % IMAGE_PAGE == 0 && a->begin < a->end && a->begin >= IMAGE_PAGE &&
	       a->end <= IMAGE_TOP && a->protection <= 7 && a->kind <= IMAGE_SHARED && (!last || last->end <= a->begin);
}

/* Shared memory is that of one of the files, which come first. */
static bool has_memory(const struct image_contents *c, const struct image_area *a)
{
	for (size_t n = 0; n < c->files.count; n++) {
		const struct image_file *f = &c->files.at[n];

		if (f->descriptor == a->descriptor && f->kind == IMAGE_MEMORY)
			return a->offset <= f->bytes && a->end - a->begin <= f->bytes - a->offset;
	}
	return false;
}

static int read_area(struct image_reader *r, uint64_t bytes)
{
	struct image_area *a = vec_push(&r->c->areas, r->e);

	if (!a)
		return -1;
	if (bytes != sizeof(*a) || r->c->areas.count > IMAGE_AREAS) {
		r->c->areas.count--;
		return image_damaged(r, "expected an area of memory");
	}
	if (take(r, a, sizeof(*a)) < 0)
		return -1;
	if (!good_area(r->c, a) || (a->kind == IMAGE_SHARED && !has_memory(r->c, a)))
		return image_damaged(r, "expected an area of memory behind the last one");
	r->end = a->begin;
	return 0;
}

static int read_pages(struct image_reader *r, uint64_t bytes)
{
	const struct image_area *a = r->c->areas.count ? &r->c->areas.at[r->c->areas.count - 1] : NULL;
	struct image_pages head;
	struct image_piece *p;

	if (!a || a->kind == IMAGE_SHARED || bytes <= sizeof(head) || bytes - sizeof(head) > IMAGE_BLOCK)
		return image_damaged(r, "expected pages of an area");
	if (take(r, &head, sizeof(head)) < 0)
		return -1;
	bytes -= sizeof(head);
	if (bytes % IMAGE_PAGE || head.begin % IMAGE_PAGE || head.begin < r->end || head.begin >= a->end ||
	    bytes > a->end - head.begin)
		return image_damaged(r, "expected pages of the last area");
	r->end = head.begin + bytes;
	p = vec_push(&r->c->pages, r->e);
	if (!p)
		return -1;
	*p = (struct image_piece){head.begin, bytes, r->at + sizeof(head), 0};
	return pass(r, bytes);
}

/* 0: the image is whole; -1. */
static int read_last(struct image_reader *r, uint64_t bytes)
{
	const struct digest own = r->digest;
	struct digest its;

	if (bytes != sizeof(its))
		return image_damaged(r, "expected its digest");
	if (take(r, &its, sizeof(its)) < 0)
		return -1;
	if (its.a != own.a || its.b != own.b)
		return image_damaged(r, "another digest than that of its data");
	if (fgetc(r->in) != EOF)
		return image_damaged(r, "more behind its last record, expected none");
	return r->c->state.fs ? 0 : image_damaged(r, "expected a record of the thread's state");
}

int image_read(FILE *in, const char *name, struct image_contents *c, struct err *e)
{
	struct image_reader r = {.in = in, .name = name, .c = c, .e = e};
	int ret = 0;

	while (ret == 0) {
		/* the last record is not part of the digest */
		const struct digest before = r.digest;
		struct image_record head;

		r.at = (uint64_t)ftello(in);
		if (take(&r, &head, sizeof(head)) < 0)
			return -1;
		r.at += sizeof(head);
		if (head.bytes % sizeof(uint64_t))
			return image_damaged(&r, "expected a record of whole words");
		switch (head.kind) {
		case IMAGE_STATE: ret = read_state(&r, head.bytes); break;
		case IMAGE_FILE: ret = read_opened(&r, head.bytes); break;
		case IMAGE_CONTENT: ret = read_content(&r, head.bytes); break;
		case IMAGE_AREA: ret = read_area(&r, head.bytes); break;
		case IMAGE_PAGES: ret = read_pages(&r, head.bytes); break;
		case IMAGE_END: r.digest = before; return read_last(&r, head.bytes);
		default: return image_damaged(&r, "unknown record, expected kinds 1 to 6");
		}
	}
	return ret;
}

void image_contents_finish(struct image_contents *c)
{
	vec_finish(&c->files);
	vec_finish(&c->areas);
	vec_finish(&c->pages);
	vec_finish(&c->pieces);
}
