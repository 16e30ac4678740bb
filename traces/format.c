#include "format.h"

#include <zlib.h>

const char out_of_memory[] = "out of memory";

/* Reads a varint byte by byte. */
static bool view_varint_bytes(struct view *v, uint64_t *value)
{
	uint64_t sum = 0;
	const uint8_t *p = v->p;
	for (unsigned shift = 0; p < v->end && shift < 64; shift += 7) {
		uint64_t digit = *p & 0x7f;
		if (shift == 63 && digit > 1)
			return false;
		sum |= digit << shift;
		if (*p++ < 0x80) {
			if (digit == 0 && shift > 0)
				return false;
			v->p = p;
			*value = sum;
			return true;
		}
	}
	return false;
}

/* The eight bytes at `p`, the least significant first. */
static inline uint64_t le64(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

/* The number whose digits of seven bits are in the bytes of `word`, the least significant first. */
static inline uint64_t digits_of(uint64_t word)
{
	if (word <= UINT32_MAX) { /* most numbers, with half the work */
		uint32_t w = (uint32_t)word;

		w = (w & 0x007f007f) | (w & 0x7f007f00) >> 1;
		return (w & 0x00003fff) | (w & 0x3fff0000) >> 2;
	}
	word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
	word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
	return (word & 0x0fffffff) | (word & 0x0fffffff00000000) >> 4;
}

bool view_varint_slow(struct view *v, uint64_t *value)
{
	uint64_t word, ends, size;

	if (view_left(v) < sizeof(word))
		return view_varint_bytes(v, value);
	word = le64(v->p);
	ends = ~word & 0x8080808080808080;
	size = ends ? (uint64_t)__builtin_ctzll(ends) + 1 : 0; /* in bits */
	if (size < 16 || !(word >> (size - 8) & 0x7f))
		return view_varint_bytes(v, value);
	v->p += size / 8;
	*value = digits_of(word & UINT64_MAX >> (64 - size));
	return true;
}

const char *member_name(enum member_kind kind)
{
	switch (kind) {
	case MEMBER_HEADER: return "header";
	case MEMBER_CODE: return "code";
	case MEMBER_DATA: return "data";
	case MEMBER_END: return "end";
	case MEMBER_TAIL: return "tail";
	}
	return "unknown";
}

uint32_t member_max(enum member_kind kind)
{
	switch (kind) {
	case MEMBER_HEADER: return HEADER_MAX;
	case MEMBER_CODE: return CODE_MAX;
	case MEMBER_DATA: return DATA_MAX;
	case MEMBER_END: return END_MAX;
	case MEMBER_TAIL: return 0;
	}
	return 0;
}

static void trace_format_put(uint8_t *p, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t trace_format_get(const uint8_t *p, unsigned bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)p[i] << 8 * i;
	return value;
}

uint32_t checksum_push(uint32_t checksum, uint32_t crc)
{
	uint8_t bytes[4];
	trace_format_put(bytes, crc, 4);
	return (uint32_t)crc32(checksum, bytes, 4);
}

/*
 * RFC 1952: ID1 ID2, CM = 8, FLG = FEXTRA, MTIME = 0, XFL = 0, OS = 255 (unknown), XLEN = 36,
 * then the subfield "PT" of 32 bytes.
 */
static const uint8_t fixed_head[16] = {
	0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 36, 0, 'P', 'T', 32, 0,
};

void member_encode(const struct member *m, uint8_t head[MEMBER_HEAD])
{
	memcpy(head, fixed_head, sizeof(fixed_head));
	head[16] = (uint8_t)m->kind;
	head[17] = (uint8_t)m->version;
	trace_format_put(head + 18, 0, 2);
	trace_format_put(head + 20, m->sequence, 4);
	trace_format_put(head + 24, m->stored, 4);
	trace_format_put(head + 28, m->inflated, 4);
	trace_format_put(head + 32, m->at, 8);
	trace_format_put(head + 40, m->insns, 4);
	trace_format_put(head + 44, crc32(0, head, 44), 4);
}

static bool kind_is_known(uint8_t kind)
{
	return kind == MEMBER_HEADER || kind == MEMBER_CODE || kind == MEMBER_DATA || kind == MEMBER_END ||
	       kind == MEMBER_TAIL;
}

bool member_begins(const uint8_t *head, size_t n)
{
	return memcmp(head, fixed_head, n < sizeof(fixed_head) ? n : sizeof(fixed_head)) == 0;
}

const char *member_decode(const uint8_t head[MEMBER_HEAD], struct member *m)
{
	if (!member_begins(head, MEMBER_HEAD))
		return "not the head of a trace member";
	if (trace_format_get(head + 44, 4) != crc32(0, head, 44))
		return "the member head's checksum differs, the file is damaged";
	if (head[17] < FORMAT_OLDEST || head[17] > FORMAT_VERSION)
		return "unknown version of the trace format, expected 1 to 6";
	m->version = head[17];
	m->kind = (enum member_kind)head[16];
	m->sequence = (uint32_t)trace_format_get(head + 20, 4);
	m->stored = (uint32_t)trace_format_get(head + 24, 4);
	m->inflated = (uint32_t)trace_format_get(head + 28, 4);
	m->at = trace_format_get(head + 32, 8);
	m->insns = (uint32_t)trace_format_get(head + 40, 4);
	if (!kind_is_known(head[16]) || trace_format_get(head + 18, 2))
		return "unknown kind of member";
	if (m->insns > (m->kind == MEMBER_DATA ? CHUNK_INSNS_MAX : 0))
		return "the stated number of instructions exceeds the limit of its kind";
	if (m->inflated > member_max(m->kind))
		return "the stated content exceeds the limit of its kind";
	/* an empty deflate stream has two bytes */
	if (m->stored < TAIL_SIZE)
		return "the stated size is smaller than head and trailer";
	uint64_t deflated = m->stored - MEMBER_HEAD - MEMBER_TRAILER;
	if (m->inflated > deflated * DEFLATE_RATIO_MAX)
		return "the stated content is larger than the member can inflate to";
	/* stored blocks cost 5 bytes in 16 KiB or more; this allows twice that */
	if (deflated > 2 * (uint64_t)m->inflated + 64)
		return "the member is too large for its content";
	return NULL;
}
