/* Writes gzip members to the file. */
#include "writer.h"

#include "../psim/base/mem.h"

int writer_file_open(struct writer_file *f, const char *path, struct err *e)
{
	f->out = out_create_packed(path, e);
	return f->out ? 0 : -1;
}

static bool deflater_start(struct writer_file *f)
{
	if (f->deflater_ready)
		return deflateReset(&f->deflater) == Z_OK;
	/* a window of 15 bits without zlib's own header; the member has one */
	f->deflater_ready = deflateInit2(&f->deflater, Z_BEST_SPEED, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK;
	return f->deflater_ready;
}

static void append_le32(struct bytes *b, uint32_t value)
{
	for (unsigned shift = 0; shift < 32; shift += 8)
		b->data[b->size++] = (uint8_t)(value >> shift);
}

/* Builds the member in f->packed; its head comes last, when its size is known. */
static bool writer_file_pack(struct writer_file *f, struct member *m, const struct bytes *content, uint32_t crc)
{
	struct bytes *b = &f->packed;
	if (!deflater_start(f))
		return false;
	uLong bound = deflateBound(&f->deflater, (uLong)content->size);
	b->size = 0;
	if (!bytes_reserve(b, MEMBER_HEAD + bound + MEMBER_TRAILER))
		return false;
	f->deflater.next_in = content->data;
	f->deflater.avail_in = (uInt)content->size;
	f->deflater.next_out = b->data + MEMBER_HEAD;
	f->deflater.avail_out = (uInt)bound;
	if (deflate(&f->deflater, Z_FINISH) != Z_STREAM_END)
		return false;
	b->size = MEMBER_HEAD + bound - f->deflater.avail_out;
	append_le32(b, crc);
	append_le32(b, (uint32_t)content->size);
	m->stored = (uint32_t)b->size;
	member_encode(m, b->data);
	return true;
}

int writer_file_member(struct writer_file *f, enum member_kind kind, uint64_t at, uint32_t insns,
		       const struct bytes *content, struct err *e)
{
	if (content->size > member_max(kind))
		return err_set(e, STATUS_FAILED, "trace: %s member of %zu bytes, expected at most %u",
			       member_name(kind), content->size, (unsigned)member_max(kind));
	struct member m = {
		.kind = kind,
		.version = f->version,
		.sequence = f->sequence,
		.inflated = (uint32_t)content->size,
		.insns = insns,
		.at = at,
	};
	uint32_t crc = content->size ? (uint32_t)crc32_z(0, content->data, content->size) : 0;
	if (!writer_file_pack(f, &m, content, crc))
		return mem_short(e);
	if (fwrite(f->packed.data, 1, f->packed.size, out_file(f->out)) != f->packed.size)
		return out_error(out_name(f->out), e);
	if (kind == MEMBER_CODE || kind == MEMBER_DATA) {
		struct index_entry entry = {f->offset, at, m.stored, insns};
		if (!index_add(&f->index, entry))
			return mem_short(e);
	}
	if (kind != MEMBER_END && kind != MEMBER_TAIL)
		f->checksum = checksum_push(f->checksum, crc);
	f->sequence++;
	f->offset += m.stored;
	return 0;
}

static void writer_file_release(struct writer_file *f)
{
	if (f->deflater_ready)
		deflateEnd(&f->deflater);
	bytes_free(&f->packed);
	index_free(&f->index);
	f->deflater_ready = false;
	f->out = NULL;
}

int writer_file_close(struct writer_file *f, struct err *e)
{
	int status = out_close(f->out, e);
	writer_file_release(f);
	return status;
}

void writer_file_abort(struct writer_file *f)
{
	out_abort(f->out);
	writer_file_release(f);
}
