/*
 * Traces: what a program did, instruction by instruction.
 *
 * A trace is a sequence of blocks. A block is a straight run of instructions
 * at pc, pc + 4, … that were executed one after the other; it ends after the
 * delay slot of a control transfer (or after the transfer itself, where the
 * slot was annulled), at a trap, or at TRACE_BLOCK_MAX. Where control went is
 * told by the next block's pc. With it come the effective addresses of its
 * instructions in order: insn_address_count of each (isa/insn.h). All of a
 * block runs in one SIMD mode; simdon and simdoff end a block.
 *
 * docs/trace-format.md describes the file.
 */
#ifndef PSIM_TRACES_TRACE_H
#define PSIM_TRACES_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "../isa/insn.h"
#include "../psim/base/err.h"

enum {
	TRACE_BLOCK_MAX = 256,                     /* instructions of a block */
	TRACE_ADDRESSES_MAX = 3 * TRACE_BLOCK_MAX, /* addresses of one */
	TRACE_NAME_MAX = 256,                      /* bytes of a region's name with its NUL */
	TRACE_REGION_DEPTH = 64,                   /* regions open at a time */
};

struct trace_symbol {
	uint64_t address, size;
	const char *name;
};

/* What the recorder knows of the program, told once at the start of the file. */
struct trace_info {
	const char *program;     /* file name of the ELF without its folder */
	uint64_t program_crc;    /* CRC-32 of the ELF file */
	const char *const *args; /* argv of the guest, args[0] its name */
	unsigned arg_count;
	const struct trace_symbol *symbols; /* functions, ascending by address */
	unsigned symbol_count;
	const char *recorder; /* name and version */
	bool fma_fused;
	uint64_t entry, first_insn; /* first_insn: executed before recording began */
	unsigned pes;               /* of the SIMD array; 0: the program does not use it */
	uint32_t sbm_bytes;         /* buffer memory of each; 0 if pes is */
	bool warm_up;               /* there may be parts that only warm up */
};

/* A static block: owned by the writer or reader, valid until it is destroyed. */
struct trace_block {
	uint32_t id;           /* 0, 1, 2 … in order of first appearance */
	uint32_t count;        /* instructions */
	uint32_t memory_count; /* effective addresses of one execution */
	uint64_t pc;
	const struct insn *insns; /* decoded in the block's SIMD mode */
	bool simd;                /* that mode */
	void *user;               /* the reader's client's; NULL at first */
};

/* ---- writing ---- */
struct trace_writer;

/*
 * Opens `path` for writing under a temporary name; trace_writer_close gives it
 * its final one. "-" is standard output. `info` is written at once and not kept.
 * NULL on error. After an error of any function below only trace_writer_abort
 * may be called.
 */
struct trace_writer *trace_writer_create(const char *path, const struct trace_info *info, struct err *e);

/*
 * Before the first run: zlib's compression level (1 to 9, at first 1) and the
 * instructions of a chunk, the unit of seeking and of checking (at first 2^20,
 * at most 2^20). 0 leaves a value as it is.
 */
void trace_writer_tune(struct trace_writer *w, int level, uint32_t chunk_insns);

/*
 * Declares a static block of 1 to TRACE_BLOCK_MAX instructions; returns its id
 * (0, 1, 2 …), or < 0. `simd`: the mode bit, with which only a trace whose info
 * has PEs can have blocks. The same pc may be declared again with another length,
 * mode or other words; blocks are not searched for duplicates.
 */
int64_t trace_writer_block(struct trace_writer *w, uint64_t pc, const uint32_t *words, unsigned count, bool simd,
			   struct err *e);

/* Effective addresses of one execution of a declared block: entries of `ea`. */
unsigned trace_writer_memory_count(const struct trace_writer *w, uint32_t block);

/* One execution of a block; `ea` has the block's memory_count addresses (NULL if 0). */
int trace_writer_run(struct trace_writer *w, uint32_t block, const uint64_t *ea, struct err *e);

/*
 * A region of interest begins or ends here, between two runs. `name` (1 to
 * TRACE_NAME_MAX - 1 bytes) is copied. Regions nest, at most TRACE_REGION_DEPTH
 * deep, and the end must name the innermost one: anything else is an error
 * that leaves the writer as it was. Regions may be open when the file ends.
 */
int trace_writer_region(struct trace_writer *w, const char *name, bool begin, struct err *e);

/*
 * The runs between these two are not part of what is measured: they only warm up caches and
 * the like for what follows. Of a trace whose info has warm_up; no region may begin or end
 * between them.
 */
int trace_writer_warm_up(struct trace_writer *w, bool begin, struct err *e);

/* Instructions written so far. */
uint64_t trace_writer_position(const struct trace_writer *w);

/*
 * Ends the file (exit status of the program recorded), renames it, frees the
 * writer, also on failure: then nothing is left under the final name.
 */
int trace_writer_close(struct trace_writer *w, int exit_status, struct err *e);

/* Removes what was written and frees the writer. NULL is allowed. */
void trace_writer_abort(struct trace_writer *w);

/* ---- reading ---- */
struct trace_reader;

enum trace_event {
	TRACE_END = 0,
	TRACE_RUN,          /* `block` was executed with the addresses `ea` */
	TRACE_REGION_BEGIN, /* `name` */
	TRACE_REGION_END,
};

struct trace_step {
	struct trace_block *block; /* valid until trace_close, like its `insns` */
	const uint64_t *ea;        /* memory_count addresses; valid until the next call */
	const char *name;          /* valid until the next call */
	bool warm_up;              /* of a run: it only warms up for what follows */
};

/*
 * Opens a trace and checks its header. Of a regular file the end and the index
 * are checked too, so a file that is cut is refused here; a stream tells it
 * when the cut is reached. "-" is standard input (no seeking then). NULL on error.
 */
struct trace_reader *trace_open(const char *path, struct err *e);
void trace_close(struct trace_reader *r); /* NULL is allowed */

/* What the file says of its program; valid until trace_close. */
const struct trace_info *trace_info(const struct trace_reader *r);

/*
 * The next event: enum trace_event, or < 0 with `e` where the file is damaged
 * or cut (again at every further call). A chunk is checked whole before its
 * first instruction is delivered. Fields of `step` that the event does not have
 * are left as they were.
 */
int trace_next(struct trace_reader *r, struct trace_step *step, struct err *e);

/*
 * Goes to the chunk that holds instruction `insn` (0 = first) and skips to the
 * block that holds it; the next trace_next gives that block. Region events on
 * the way are not delivered. Needs a regular file. A failure to read leaves
 * the reader at an error; an `insn` past the end changes nothing.
 */
int trace_seek(struct trace_reader *r, uint64_t insn, struct err *e);

/* Instructions delivered so far, the present block's included, counted from the beginning of the trace. */
uint64_t trace_position(const struct trace_reader *r);

/* Total number of instructions if the index tells (0 = not known), for progress. */
uint64_t trace_length(const struct trace_reader *r);

/*
 * CRC-32 over the members' checksums: names the content in reports. Of a
 * regular file it is that which the end of the file states (verified when all
 * of it has been read in order); of a stream it is complete after TRACE_END.
 */
uint32_t trace_checksum(const struct trace_reader *r);

/* What the end of the file states about the whole. */
struct trace_totals {
	uint64_t insns, runs, accesses; /* executed instructions, blocks, effective addresses */
	uint64_t blocks, static_insns;  /* static blocks and their instructions */
	uint64_t members, bytes;        /* gzip members and size of the file */
	int exit_status;                /* of the program that was recorded */
	uint32_t checksum;
};

/* The totals, or NULL as long as they are not known (a stream before TRACE_END). */
const struct trace_totals *trace_totals(const struct trace_reader *r);

/*
 * The function that holds `address`, or NULL: of the symbols that begin at or
 * below it the last one, if it reaches that far. A symbol of size 0 reaches to
 * the next one.
 */
const struct trace_symbol *trace_symbol_at(const struct trace_info *info, uint64_t address);

#endif
