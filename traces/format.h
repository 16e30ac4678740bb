/*
 * The trace file's outer form, shared by writer and reader: gzip members whose
 * header says what they hold and how long they are (docs/trace-format.md).
 * Internal to traces/.
 */
#ifndef PSIM_TRACES_FORMAT_H
#define PSIM_TRACES_FORMAT_H

#include <stdint.h>

#include "../psim/base/err.h"
#include "bytes.h"
#include "trace.h"

/*
 * Version 2 has the SIMD array: its size in the header, and the mode bit of
 * static blocks (BLOCK_SIMD added to their count). Version 3 has parts that only warm up,
 * which stand where a region called WARM_UP_NAME would; a file without has version 2. Version 1
 * is still read.
 */
enum { FORMAT_VERSION = 3, FORMAT_PLAIN = 2, FORMAT_OLDEST = 1, BLOCK_SIMD = 512 };
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

/* Limits that a reader holds a file to, and a writer itself. */
enum {
	HEADER_MAX = 64 << 20, /* inflated bytes */
	CODE_MAX = 128 << 20,
	DATA_MAX = 8 << 20,
	END_MAX = 256 << 20,
	DATA_FULL = 4 << 20,   /* encoded bytes at which the writer closes a chunk */
	CHUNK_INSNS = 1 << 20, /* instructions at which it does */
	CHUNK_INSNS_MAX = CHUNK_INSNS + TRACE_BLOCK_MAX,
	CHUNK_ADDRESSES_MAX = 3 * CHUNK_INSNS_MAX,
	STATIC_INSNS_MAX = 8 << 20, /* instructions of all static blocks */
	STRING_MAX = 1 << 16,       /* bytes of a program's name, argument, symbol */
	ARGS_MAX = 1 << 16,
	SYMBOLS_MAX = 1 << 20,
	DEFLATE_RATIO_MAX = 1032, /* zlib's technical notes: no stream inflates by more */
};

struct member {
	enum member_kind kind;
	unsigned version;  /* of the format: FORMAT_OLDEST to FORMAT_VERSION */
	uint32_t sequence; /* 0, 1, 2 … */
	uint32_t stored;   /* bytes of the whole member in the file */
	uint32_t inflated; /* bytes of its content */
	uint32_t insns;    /* executed in it: DATA only */
	uint64_t at;       /* instructions before it; TAIL: file offset of END */
};

/* "header", "code", … */
const char *member_name(enum member_kind kind);

/* Largest content that a member of this kind may state. */
uint32_t member_max(enum member_kind kind);

void member_encode(const struct member *m, uint8_t head[MEMBER_HEAD]);

/* Whether the first `n` bytes of a file could begin a trace. */
bool member_begins(const uint8_t *head, size_t n);

/* What a decoder returns where memory is short; any other text says that the file is damaged. */
extern const char out_of_memory[];

/* NULL, or what is wrong with the head. */
const char *member_decode(const uint8_t head[MEMBER_HEAD], struct member *m);

/* The checksum of the whole: CRC-32 over the CRC-32s of HEADER, CODE and DATA contents. */
uint32_t checksum_push(uint32_t checksum, uint32_t crc);

/*
 * Which block comes next: a table of what followed the last three blocks, as
 * seen in this chunk. Its index is a hash of them: each new block pushes the
 * older ones five bits out.
 */
enum { CONTEXT_BITS = 14, CONTEXT_SIZE = 1 << CONTEXT_BITS };

static inline uint32_t context_push(uint32_t context, uint32_t block)
{
	return (context << 5 ^ (block * 0x9E3779B1u) >> (32 - CONTEXT_BITS)) & (CONTEXT_SIZE - 1);
}

/* The columns of a DATA member, in the order in which they lie in it. */
enum stream {
	STREAM_JUMP_GAP, /* right guesses of the next block between wrong ones */
	STREAM_JUMP,     /* the blocks that were guessed wrong */
	STREAM_EA_GAP,   /* right guesses of an address between wrong ones, and what to do then */
	STREAM_EA,       /* the steps to the addresses that were guessed wrong */
	STREAM_REGION,   /* region events */
	STREAM_COUNT,
};

/* One line of the index: a member, its size, and for DATA its instructions. */
struct index_entry {
	uint64_t offset, at;
	uint32_t stored, insns; /* insns: 0 for CODE, and for DATA with region events alone */
};

struct trace_index {
	struct index_entry *entries; /* CODE and DATA members, in file order */
	size_t count, capacity;
};

bool index_add(struct trace_index *x, struct index_entry entry);
void index_free(struct trace_index *x);

/* The content of the HEADER member. */
bool info_encode(const struct trace_info *info, struct bytes *out, struct err *e);

/* A decoded HEADER; `info` points into it. */
struct info_copy {
	struct trace_info info;
	char *text;
	const char **args;
	struct trace_symbol *symbols;
};
/* NULL, or what is wrong. Frees nothing on failure: info_free does. */
const char *info_decode(struct view v, unsigned version, struct info_copy *out);
void info_free(struct info_copy *c);

/* The content of the END member. */
bool end_encode(const struct trace_totals *t, const struct trace_index *x, struct bytes *out);
/*
 * NULL, or what is wrong. Fills insns … static_insns, exit_status and checksum
 * of `t`, and the index; the members of which must end at file offset `end`.
 */
const char *end_decode(struct view v, uint32_t header_size, uint64_t end, struct trace_totals *t,
		       struct trace_index *x);

#endif
