/* Reads gzip members from the file. */
#include "reader.h"

#include <errno.h>
#include <inttypes.h>

__attribute__((format(printf, 3, 0))) static int record(struct trace_reader *r, enum exit_status status,
							const char *format, va_list ap)
{
	char what[512];
	vsnprintf(what, sizeof(what), format, ap);
	const char *kind = r->member.kind ? member_name(r->member.kind) : NULL;
	if (r->sequence == 0 && r->next_at == 0 && !r->member_offset)
		err_set(&r->error, status, "%s:offset 0x0: %s", r->path, what);
	else
		err_set(&r->error, status,
			"%s:offset 0x%" PRIx64 ": member %" PRIu32 "%s%s%s: %s; %" PRIu64
			" instructions before it are good",
			r->path, r->member_offset, r->member.sequence, kind ? " (" : "", kind ? kind : "",
			kind ? ")" : "", what, r->good);
	r->damaged = true;
	r->until = 0;
	r->pending.block = NULL;
	return -1;
}

int reader_damage(struct trace_reader *r, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	record(r, STATUS_BAD_INPUT, format, ap);
	va_end(ap);
	return -1;
}

int reader_failure(struct trace_reader *r, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	record(r, STATUS_FAILED, format, ap);
	va_end(ap);
	return -1;
}

int reader_wrong(struct trace_reader *r, const char *wrong)
{
	return wrong == out_of_memory ? reader_failure(r, "%s", wrong) : reader_damage(r, "%s", wrong);
}

/* Reports a premature end of the file. */
static int reader_file_truncated(struct trace_reader *r, const char *part)
{
	if (ferror(r->in))
		return reader_failure(r, "cannot read: %s", strerror(errno));
	return reader_damage(r, "the file is truncated in %s", part);
}

static int reader_file_read_head(struct trace_reader *r, uint8_t head[MEMBER_HEAD])
{
	r->member_offset = r->offset;
	r->good = r->next_at;
	r->member.sequence = r->sequence;
	r->member.kind = r->sequence == 0 ? MEMBER_HEADER : r->ended ? MEMBER_TAIL : 0;
	size_t n = fread(head, 1, MEMBER_HEAD, r->in);
	if (n == 0 && !ferror(r->in))
		return reader_damage(r, r->sequence ? "the file is truncated before its end member"
						    : "the file is empty, expected a trace");
	if (r->sequence == 0 && !ferror(r->in) && !member_begins(head, n))
		return reader_damage(r, "not a trace, expected a file written by psim-record");
	if (n < MEMBER_HEAD)
		return reader_file_truncated(r, "the head of a member");
	const char *wrong = member_decode(head, &r->member);
	return wrong ? reader_wrong(r, wrong) : 0;
}

/* A trace has one version. That of its end is higher if the end has what the header cannot know. */
static bool version_fits(const struct trace_reader *r)
{
	const struct member *m = &r->member;
	const bool end = m->kind == MEMBER_END || m->kind == MEMBER_TAIL;
	return m->version == r->version || (end && m->version == FORMAT_VERSION);
}

static const char *reader_file_check_order(const struct trace_reader *r)
{
	const struct member *m = &r->member;
	if (r->sequence > 0 && !version_fits(r))
		return "the format version differs from the header's";
	if (m->sequence != r->sequence)
		return "members are missing, repeated or out of order";
	if ((m->kind == MEMBER_HEADER) != (r->sequence == 0))
		return "expected a header at the beginning only";
	if ((m->kind == MEMBER_TAIL) != r->ended)
		return "expected a tail after the end only";
	if (m->kind != MEMBER_TAIL && m->at != r->next_at)
		return "the stated number of instructions before it is wrong";
	return NULL;
}

/* Reads what the head states in steps, so that a wrong size does not allocate much memory. */
static int read_body(struct trace_reader *r, const uint8_t head[MEMBER_HEAD])
{
	struct bytes *b = &r->packed;
	b->size = 0;
	if (!bytes_append(b, head, MEMBER_HEAD))
		return reader_failure(r, "out of memory");
	while (b->size < r->member.stored) {
		size_t want = r->member.stored - b->size;
		want = want < 1 << 20 ? want : 1 << 20;
		if (!bytes_reserve(b, want))
			return reader_failure(r, "out of memory");
		size_t n = fread(b->data + b->size, 1, want, r->in);
		b->size += n;
		if (n < want)
			return reader_file_truncated(r, "this member");
	}
	return 0;
}

static int inflate_member(struct trace_reader *r)
{
	z_stream *z = &r->inflater;
	r->content.size = 0;
	if (!bytes_reserve(&r->content, r->member.inflated))
		return reader_failure(r, "out of memory");
	/* 15 bits of window, + 16: gzip header and trailer, which zlib checks */
	if (!(r->inflater_ready ? inflateReset(z) == Z_OK : inflateInit2(z, 15 + 16) == Z_OK))
		return reader_failure(r, "out of memory");
	r->inflater_ready = true;
	z->next_in = r->packed.data;
	z->avail_in = (uInt)r->packed.size;
	z->next_out = r->content.data;
	z->avail_out = r->member.inflated;
	int status = inflate(z, Z_FINISH);
	if (status == Z_MEM_ERROR)
		return reader_failure(r, "out of memory");
	if (status == Z_DATA_ERROR && z->msg && strstr(z->msg, "check"))
		return reader_damage(r, "checksum differs, the file is damaged");
	if (status == Z_DATA_ERROR)
		return reader_damage(r, "the compressed data is damaged (%s)", z->msg ? z->msg : "zlib");
	if (status != Z_STREAM_END || z->avail_in || z->avail_out)
		return reader_damage(r, "the size of the content differs from the stated one");
	r->content.size = r->member.inflated;
	return 0;
}

int reader_member(struct trace_reader *r)
{
	uint8_t head[MEMBER_HEAD];
	if (r->damaged || reader_file_read_head(r, head) < 0)
		return -1;
	const char *wrong = reader_file_check_order(r);
	if (wrong)
		return reader_wrong(r, wrong);
	if (r->sequence == 0)
		r->version = r->member.version;
	if (read_body(r, head) < 0 || inflate_member(r) < 0)
		return -1;
	const uint8_t *t = r->packed.data + r->packed.size - MEMBER_TRAILER;
	r->crc = (uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24;
	if (r->in_order && r->member.kind != MEMBER_END && r->member.kind != MEMBER_TAIL) {
		struct index_entry entry = {r->offset, r->member.at, r->member.stored, r->member.insns};
		if (r->sequence > 0 && !index_add(&r->seen, entry))
			return reader_failure(r, "out of memory");
		r->checksum = checksum_push(r->checksum, r->crc);
	}
	r->offset += r->member.stored;
	r->next_at += r->member.insns;
	r->sequence++;
	return 0;
}

int reader_goto(struct trace_reader *r, uint64_t offset, uint32_t sequence, uint64_t at)
{
	r->offset = r->member_offset = offset;
	r->sequence = sequence;
	r->next_at = r->good = at;
	r->ended = r->finished = r->in_chunk = false;
	if (fseeko(r->in, (off_t)offset, SEEK_SET) != 0)
		return reader_failure(r, "cannot seek: %s", strerror(errno));
	return 0;
}
