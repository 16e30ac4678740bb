/*
 * Internal to traces: the container format, shared by writer and reader. A file is a sequence
 * of gzip members whose header gives kind and length of the content (docs/formats/trace-format.md).
 */
#ifndef PSIM_TRACES_FORMAT_H
#define PSIM_TRACES_FORMAT_H

#include <stdint.h>

#include "../psim/base/err.h"
#include "bytes.h"
#include "trace.h"

/*
 * Version 2 adds the SIMD array: its size in the header, and the mode bit of static blocks
 * (BLOCK_SIMD added to their count). Version 3 adds warm-up parts, encoded as regions of the
 * name WARM_UP_NAME; a file without such parts has version 2. Version 4 adds the line table to the
 * header, which then says whether there are warm-up parts. Version 5 adds the number of the thread, of those but the
 * first. Version 6 adds the order of threads and their critical sections: END and TAIL alone have it, since the writer
 * knows only then whether there are any. Readers accept version 1.
 */
enum {
	FORMAT_VERSION = 6,
	FORMAT_THREAD = 5,
	FORMAT_LINES = 4,
	FORMAT_WARM_UP = 3,
	FORMAT_PLAIN = 2,
	FORMAT_OLDEST = 1,
	BLOCK_SIMD = 512
};
#define WARM_UP_NAME "\1"

enum member_kind {
	MEMBER_HEADER = 'H',
	MEMBER_CODE = 'C',
	MEMBER_DATA = 'D',
	MEMBER_END = 'E',
	MEMBER_TAIL = 'T',
};

enum {
	MEMBER_HEAD = 48,                             /* bytes before the deflated data */
	MEMBER_TRAILER = 8,                           /* gzip's CRC-32 and length */
	TAIL_SIZE = MEMBER_HEAD + 2 + MEMBER_TRAILER, /* an empty deflate stream is 03 00 */
};

/* limits that the reader checks and the writer obeys */
enum {
	HEADER_MAX = 64 << 20, /* inflated bytes */
	CODE_MAX = 128 << 20,
	DATA_MAX = 8 << 20,
	END_MAX = 256 << 20,
	DATA_FULL = 4 << 20,   /* encoded size at which the writer closes a chunk */
	CHUNK_INSNS = 1 << 20, /* instructions at which the writer closes a chunk */
	CHUNK_INSNS_MAX = CHUNK_INSNS + TRACE_BLOCK_MAX,
	CHUNK_ADDRESSES_MAX = 3 * CHUNK_INSNS_MAX,
	STATIC_INSNS_MAX = 8 << 20, /* instructions of all static blocks */
	STRING_MAX = 1 << 16,       /* bytes of a program's name, argument, symbol */
	ARGS_MAX = 1 << 16,
	SYMBOLS_MAX = 1 << 20,
	FILES_MAX = 1 << 16,
	LINES_MAX = 4 << 20,
	ORDERS_MAX = 8 << 20,
	DEFLATE_RATIO_MAX = 1032, /* the highest ratio of deflate, from zlib's technical notes */
};

struct member {
	enum member_kind kind;
	unsigned version;  /* of the format: FORMAT_OLDEST to FORMAT_VERSION */
	uint32_t sequence; /* 0, 1, 2 … */
	uint32_t stored;   /* bytes of the whole member in the file */
	uint32_t inflated; /* bytes of its content */
	uint32_t insns;    /* executed in it; DATA only */
	uint64_t at;       /* instructions before it; for TAIL the file offset of END */
};

/* "header", "code", … */
const char *member_name(enum member_kind kind);

/* The size limit of the content of a member of this kind. */
uint32_t member_max(enum member_kind kind);

void member_encode(const struct member *m, uint8_t head[MEMBER_HEAD]);

/* Returns whether the first `n` bytes of a file could begin a trace. */
bool member_begins(const uint8_t *head, size_t n);

/* The message of a decoder that is out of memory; any other message reports a damaged file. */
extern const char out_of_memory[];

/* Decodes a head. Returns NULL, or what is wrong with it. */
const char *member_decode(const uint8_t head[MEMBER_HEAD], struct member *m);

/* Updates the checksum of the trace: CRC-32 over the CRC-32s of HEADER, CODE and DATA contents. */
uint32_t checksum_push(uint32_t checksum, uint32_t crc);

/*
 * The predictor of the next block: a table of what followed the last three blocks in this
 * chunk. The context, its index, is a hash of them: each new block shifts the older ones by
 * five bits.
 */
enum { CONTEXT_BITS = 14, CONTEXT_SIZE = 1 << CONTEXT_BITS };

static inline uint32_t context_push(uint32_t context, uint32_t block)
{
	return (context << 5 ^ (block * 0x9E3779B1u) >> (32 - CONTEXT_BITS)) & (CONTEXT_SIZE - 1);
}

/* The columns of a DATA member, in file order. */
enum stream {
	STREAM_JUMP_GAP, /* numbers of correct predictions of the next block between wrong ones */
	STREAM_JUMP,     /* the blocks that were mispredicted */
	STREAM_EA_GAP,   /* numbers of correct predictions of an address between wrong ones, with the update rule */
	STREAM_EA,       /* the differences to the mispredicted addresses */
	STREAM_REGION,   /* region events */
	STREAM_COUNT,
};

/* One row of the index: a member, its size, and for DATA its instructions. */
struct index_entry {
	uint64_t offset, at;
	uint32_t stored, insns; /* insns: 0 for CODE, and for DATA with region events only */
};

struct trace_index {
	struct index_entry *entries; /* CODE and DATA members, in file order */
	size_t count, capacity;
	struct trace_order *orders; /* of threads */
	size_t order_count, order_capacity;
	struct trace_section *sections; /* without an end: SECTION_OPEN */
	size_t section_count, section_capacity;
};
#define SECTION_OPEN UINT64_MAX

bool index_add(struct trace_index *x, struct index_entry entry);
bool index_add_order(struct trace_index *x, const struct trace_order *row);
bool index_add_section(struct trace_index *x, const struct trace_section *row);
void index_free(struct trace_index *x);

/* The oldest version of the format that has all of `info`. */
unsigned info_version(const struct trace_info *info);
/* Encodes the content of the HEADER member. */
bool info_encode(const struct trace_info *info, struct bytes *out, struct err *e);

/* A decoded HEADER; `info` points into it. */
struct info_copy {
	struct trace_info info;
	char *text;
	const char **args;
	struct trace_symbol *symbols;
	const char **files;
	struct trace_line *lines;
};
/* Decodes a HEADER. Returns NULL, or what is wrong. The caller calls info_free, also on failure. */
const char *info_decode(struct view v, unsigned version, struct info_copy *out);
void info_free(struct info_copy *c);

/* Returns whether END has the order of threads, or critical sections: version 6. */
bool end_has_order(const struct trace_index *x);
/* Encodes the content of the END member. */
bool end_encode(const struct trace_totals *t, const struct trace_index *x, struct bytes *out);
/*
 * Decodes the END member. Returns NULL, or what is wrong. Fills insns … static_insns,
 * exit_status and checksum of `t`, the order of threads, and the index, whose members must end at file offset `end`.
 */
const char *end_decode(struct view v, uint32_t header_size, uint64_t end, struct trace_totals *t,
		       struct trace_index *x);

#endif
