/*
 * Internal to the reader: members in reader_file.c, static blocks in reader_code.c, the end and
 * its index in reader_end.c, chunks in reader.c.
 */
#ifndef PSIM_TRACES_READER_H
#define PSIM_TRACES_READER_H

#include <zlib.h>

#include "format.h"

/*
 * The addresses of a run are in one of two buffers, those of the run before in the other, so that a client may read
 * ahead by one run without copying them.
 */
struct block {
	struct trace_block pub; /* first, since clients hold its address */
	uint32_t next;          /* the block that followed it last in this chunk */
	uint32_t chunk;         /* number of the load to which the state belongs */
	const uint64_t *last;   /* addresses of the last run; zeros before the first one of a chunk */
	uint64_t *run;          /* buffer for the next run */
	uint64_t *stride;       /* block_pairs strides, then two buffers of as many addresses */
};

/* The number of addresses of a block, which are in pairs. */
static inline size_t block_pairs(const struct block *b)
{
	return ((size_t)b->pub.memory_count + 1) & ~(size_t)1;
}

struct trace_reader {
	/* the current chunk; the fields of the hot loop come first */
	uint64_t until;   /* runs until the next region event or the chunk's end */
	uint64_t repeats; /* runs of `previous` whose predictions are right; if any, `until` is 0, and these follow: */
	uint64_t after;
	uint64_t jump_hits, ea_hits;
	uint32_t context, load;
	uint64_t position;
	struct block **blocks;
	struct block *previous;
	struct view streams[STREAM_COUNT];
	bool adopt;              /* the next misprediction sets the address's stride */
	bool warm_up;            /* the current runs are warm-up */
	uint64_t seen_accesses;  /* in this chunk; checked at its end */
	uint64_t runs_left;      /* after `until` */
	uint64_t runs, accesses; /* as stated by the chunk */
	uint32_t block_count;
	uint32_t table[CONTEXT_SIZE];

	/* the file */
	char *path; /* for messages */
	FILE *in;
	bool regular;  /* the file can seek */
	bool in_order; /* the file was read from the beginning without a seek */
	bool in_chunk, ended, finished, damaged;
	struct err error; /* the damage, reported by every later call */
	z_stream inflater;
	bool inflater_ready;
	struct bytes packed, content;
	struct member member;           /* the last member read */
	uint32_t crc;                   /* of its content */
	uint64_t member_offset, offset; /* of the last member, and of the next one */
	uint64_t next_at;               /* instructions before the next one */
	uint64_t good;                  /* instructions before the current one */
	uint32_t sequence;              /* of the next one */
	uint32_t checksum;              /* of what was read so far */
	uint32_t header_size;           /* stored size of HEADER */
	unsigned version;               /* of the format */

	/* contents */
	struct info_copy info;
	struct trace_totals totals;
	bool totals_known;
	struct trace_index index;        /* as stated by END */
	struct trace_index seen;         /* as read, while in order */
	uint64_t sum_runs, sum_accesses; /* delivered, if read in order from the beginning */

	/* static blocks */
	uint32_t block_capacity;
	uint64_t static_insns;
	uint32_t code_sequence; /* CODE members below this number are loaded */
	void **pools;           /* their memory */
	size_t pool_count;

	/* open regions */
	unsigned depth;
	char regions[TRACE_REGION_DEPTH][TRACE_NAME_MAX];

	/* trace_follow: the reader that has the file, or NULL; runs that are left, and their addresses */
	const struct trace_reader *leader;
	const struct trace_run *follow;
	size_t follow_count;
	const uint64_t *follow_ea;

	/* the block found by trace_seek */
	struct trace_step pending;
	uint64_t pending_until;
};

/*
 * Records damage of the current member: `path:offset N: member N (kind): …` and the number of
 * intact instructions before it. Returns -1.
 */
__attribute__((format(printf, 2, 3))) int reader_damage(struct trace_reader *r, const char *format, ...);
/* Records damage that a decoder has described; its out_of_memory is a failure of the host. Returns -1. */
int reader_wrong(struct trace_reader *r, const char *wrong);

/* trace_next of a reader that follows another one. Returns its event, or -1 with r->error. */
int reader_follow_next(struct trace_reader *r, struct trace_step *step);
void reader_follow_close(struct trace_reader *r);

/* Records a failure of the host (reading, memory). Returns -1. */
__attribute__((format(printf, 2, 3))) int reader_failure(struct trace_reader *r, const char *format, ...);

/*
 * Reads, checks and inflates the next member into r->content, and checks the order of kinds.
 * Returns -1 on damage, with r->error set.
 */
int reader_member(struct trace_reader *r);

/* Seeks to member `sequence` at file offset `offset`, before which there are `at` instructions. */
int reader_goto(struct trace_reader *r, uint64_t offset, uint32_t sequence, uint64_t at);

/* After END, checks the tail, and that the file ends there. */
int reader_tail(struct trace_reader *r);

/* Loads the static blocks of the CODE member in r->content. */
int reader_code(struct trace_reader *r);
void reader_code_free(struct trace_reader *r);

/* Checks the END member in r->content against what was read. */
int reader_end(struct trace_reader *r);

/*
 * For a regular file: finds END through its tail and reads totals and index. Without a tail,
 * walks the members to report where the file is truncated.
 */
int reader_find_end(struct trace_reader *r);

#endif
