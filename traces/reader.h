/*
 * The reader's inside: members in reader_file.c, static blocks in
 * reader_code.c, the end and its index in reader_end.c, chunks in reader.c.
 */
#ifndef PSIM_TRACES_READER_H
#define PSIM_TRACES_READER_H

#include <zlib.h>

#include "format.h"

/* A cache line: the hot loop touches one a run. */
struct block {
	struct trace_block pub;  /* first: clients hold its address */
	uint32_t next;           /* what followed it last in this chunk */
	uint32_t chunk;          /* number of the load that the state belongs to */
	uint64_t *last, *stride; /* memory_count each */
};

struct trace_reader {
	/* the chunk being read; what every run touches comes first */
	uint64_t until; /* runs until the next region event or the chunk's end */
	uint64_t jump_hits, ea_hits;
	uint32_t context, load;
	uint64_t position;
	struct block **blocks;
	struct block *previous;
	struct view streams[STREAM_COUNT];
	bool adopt;              /* the next wrong address sets its stride */
	bool warm_up;            /* the runs at hand only warm up */
	uint64_t seen_accesses;  /* in this chunk, counted for the check at its end */
	uint64_t runs_left;      /* beyond `until` */
	uint64_t runs, accesses; /* as the chunk states */
	uint32_t block_count;
	uint32_t table[CONTEXT_SIZE];

	/* the file */
	char *path; /* for messages */
	FILE *in;
	bool regular;  /* it can be read from the middle */
	bool in_order; /* it was read from the beginning without a seek */
	bool in_chunk, ended, finished, damaged;
	struct err error; /* the damage, told again at every call */
	z_stream inflater;
	bool inflater_ready;
	struct bytes packed, content;
	struct member member;           /* the one that was read last */
	uint32_t crc;                   /* of its content */
	uint64_t member_offset, offset; /* of it, and of the next one */
	uint64_t next_at;               /* instructions before the next one */
	uint64_t good;                  /* instructions before the present one */
	uint32_t sequence;              /* of the next one */
	uint32_t checksum;              /* as far as read */
	uint32_t header_size;           /* stored size of HEADER */
	unsigned version;               /* of the format */

	/* what it holds */
	struct info_copy info;
	struct trace_totals totals;
	bool totals_known;
	struct trace_index index;        /* as END states it */
	struct trace_index seen;         /* as found, while in order */
	uint64_t sum_runs, sum_accesses; /* delivered, if in order from the beginning */

	/* static blocks */
	uint32_t block_capacity;
	uint64_t static_insns;
	uint32_t code_sequence; /* CODE members below this number are in */
	void **pools;           /* what they were allocated in */
	size_t pool_count;

	/* regions open now */
	unsigned depth;
	char regions[TRACE_REGION_DEPTH][TRACE_NAME_MAX];

	/* a block that trace_seek found */
	struct trace_step pending;
	uint64_t pending_until;
};

/*
 * Records that the present member is wrong: `path:offset N: member N (kind): …`
 * and how many instructions before it are good. Returns -1.
 */
__attribute__((format(printf, 2, 3))) int reader_damage(struct trace_reader *r, const char *format, ...);
/* The same with what a decoder returned, which is a failure where it is out_of_memory. */
int reader_wrong(struct trace_reader *r, const char *wrong);

/* The same for the host's failures (reading, memory). */
__attribute__((format(printf, 2, 3))) int reader_failure(struct trace_reader *r, const char *format, ...);

/*
 * Reads the next member, checks and inflates it to r->content. The kinds'
 * order is checked too. -1 on damage, which r->error then tells.
 */
int reader_member(struct trace_reader *r);

/* Places the file before member `sequence`, which begins at `offset` and has `at`. */
int reader_goto(struct trace_reader *r, uint64_t offset, uint32_t sequence, uint64_t at);

/* After END: the tail, and nothing behind it. */
int reader_tail(struct trace_reader *r);

/* Takes the static blocks of the CODE member in r->content. */
int reader_code(struct trace_reader *r);
void reader_code_free(struct trace_reader *r);

/* Checks the END member in r->content against what was read. */
int reader_end(struct trace_reader *r);

/*
 * Of a regular file: finds END from its tail, reads totals and index. Where
 * there is none, walks the members to say where the file is cut.
 */
int reader_find_end(struct trace_reader *r);

#endif
