/*
 * Traces: what a program executed, instruction by instruction.
 *
 * A trace is a sequence of blocks. A block is a run of consecutive instructions at pc, pc + 4,
 * …; it ends after the delay slot of a control transfer (or after the transfer itself if the
 * slot was annulled), at a trap, or at TRACE_BLOCK_MAX. The next block's pc is the target. Each
 * run of a block has the effective addresses of its instructions in order, insn_address_count
 * of each (isa/insn.h). A block runs in one SIMD mode; simdon and simdoff end a block.
 *
 * docs/formats/trace-format.md describes the file.
 */
#ifndef PSIM_TRACES_TRACE_H
#define PSIM_TRACES_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "../isa/insn.h"
#include "../psim/base/err.h"

enum {
	TRACE_BLOCK_MAX = 256,                     /* instructions in a block */
	TRACE_SECTIONS_MAX = 8 << 20,              /* critical sections of a trace */
	TRACE_ADDRESSES_MAX = 3 * TRACE_BLOCK_MAX, /* addresses of a block */
	TRACE_NAME_MAX = 256,                      /* bytes of a region's name with its NUL */
	TRACE_REGION_DEPTH = 64,                   /* regions open at a time */
	TRACE_THREADS = 64,                        /* of a program */
};

struct trace_symbol {
	uint64_t address, size;
	const char *name;
};

/* A row of the line table: code from `address` to the next row is of this line of files[file - 1]; file 0: unknown. */
struct trace_line {
	uint64_t address;
	uint32_t file, line;
};

/* Description of the recorded program, at the start of the file. */
struct trace_info {
	const char *program;     /* file name of the ELF without its directory */
	uint64_t program_crc;    /* CRC-32 of the ELF file */
	const char *const *args; /* argv of the guest, args[0] its name */
	unsigned arg_count;
	const struct trace_symbol *symbols; /* functions, ascending by address */
	unsigned symbol_count;
	const char *recorder; /* name and version */
	bool fma_fused;
	uint64_t entry, first_insn;     /* first_insn: executed before recording began */
	unsigned pes;                   /* of the SIMD array; 0: not used by the program */
	uint32_t sbm_bytes;             /* buffer memory of each PE; 0 if pes is 0 */
	bool warm_up;                   /* there may be warm-up parts */
	const char *const *files;       /* source files, as the debugging information has them: paths */
	unsigned file_count;            /* 0: no source lines */
	const struct trace_line *lines; /* ascending by address */
	unsigned line_count;
	unsigned thread; /* of the program, below TRACE_THREADS; those in one place follow each other */
};

/*
 * Order of threads: behind `position` instructions of this trace, its thread goes on only after `thread` has executed
 * `after` instructions of its own trace.
 */
struct trace_order {
	uint64_t position, after;
	unsigned thread;
};

/* The thread held the lock at address `lock` from behind `begin` instructions of this trace to behind `end`. */
struct trace_section {
	uint64_t begin, end;
	uint64_t lock;
};

/* A static block. Owned by the writer or reader and valid until that is destroyed. */
struct trace_block {
	uint32_t id;           /* 0, 1, 2 … in order of first appearance */
	uint32_t count;        /* instructions */
	uint32_t memory_count; /* effective addresses of one execution */
	bool simd;             /* its SIMD mode */
	uint64_t pc;
	const struct insn *insns; /* decoded in that mode */
	void *user;               /* for the reader's client; initially NULL */
};

/* ---- writing ---- */
struct trace_writer;

/*
 * Opens `path` for writing under a temporary name; trace_writer_close renames it. "-" is
 * standard output. `info` is written at once and not kept. Returns NULL on error. After an
 * error of any function below only trace_writer_abort may be called.
 */
struct trace_writer *trace_writer_create(const char *path, const struct trace_info *info, struct err *e);

/*
 * Sets, before the first run, the instructions in a chunk, the unit of seeking and checking (1 to 2^20, default 2^20).
 * Tests of seeking and of damage make small ones.
 */
void trace_writer_chunks(struct trace_writer *w, uint32_t insns);

/* Returns the number of data addresses that one execution of these instructions has. `simd` is the mode bit. */
unsigned trace_count_addresses(const uint32_t *words, unsigned count, bool simd);

/*
 * Declares a static block of 1 to TRACE_BLOCK_MAX instructions and returns its id (0, 1, 2 …),
 * or < 0. `simd` is the mode bit; only a trace with PEs can have blocks with it. The same pc
 * may be declared again with another length, mode or other words; blocks are not searched for
 * duplicates.
 */
int64_t trace_writer_block(struct trace_writer *w, uint64_t pc, const uint32_t *words, unsigned count, bool simd,
			   struct err *e);

/* Writes one execution of a block; `ea` has the block's memory_count addresses (NULL if 0). */
int trace_writer_run(struct trace_writer *w, uint32_t block, const uint64_t *ea, struct err *e);

/*
 * Writes the begin or end of a region of interest between two runs. `name` (1 to TRACE_NAME_MAX
 * - 1 bytes) is copied. Regions nest, at most TRACE_REGION_DEPTH deep, and the end must name
 * the innermost one; any other order is an error that leaves the writer unchanged. Regions may
 * be open when the file ends.
 */
int trace_writer_region(struct trace_writer *w, const char *name, bool begin, struct err *e);

/*
 * Writes the begin or end of a warm-up part. Its runs are not measured; they warm up caches and
 * the like. Only for a trace whose info has warm_up; no region may begin or end in it.
 */
int trace_writer_warm_up(struct trace_writer *w, bool begin, struct err *e);

/* Adds a row of the order of threads, at any time before the end; positions ascend. */
int trace_writer_order(struct trace_writer *w, const struct trace_order *row, struct err *e);

/*
 * Adds a critical section that begins at `begin`, at any time before the end; those of a trace ascend. Returns its
 * number, or < 0. trace_writer_section_end gives it its end; one without an end is not written.
 */
int64_t trace_writer_section(struct trace_writer *w, uint64_t begin, uint64_t lock, struct err *e);
void trace_writer_section_end(struct trace_writer *w, int64_t section, uint64_t end);

/* Instructions written so far. */
uint64_t trace_writer_position(const struct trace_writer *w);

/*
 * Ends the file (with the exit status of the recorded program), renames it and frees the
 * writer. On failure it frees the writer too, and the final name does not exist.
 */
int trace_writer_close(struct trace_writer *w, int exit_status, struct err *e);

/* Removes the file and frees the writer. NULL is allowed. */
void trace_writer_abort(struct trace_writer *w);

/* ---- reading ---- */
struct trace_reader;

enum trace_event {
	TRACE_END = 0,
	TRACE_RUN,          /* `block` was executed with the addresses `ea` */
	TRACE_REGION_BEGIN, /* `name` */
	TRACE_REGION_END,
};

enum { TRACE_SLACK = 4 };
struct trace_step {
	struct trace_block *block; /* valid until trace_close, like its `insns` */
	/* memory_count addresses, and TRACE_SLACK words that can be read; valid until the run after the next one */
	const uint64_t *ea;
	const char *name; /* valid until the next call */
	bool warm_up;     /* the run is part of a warm-up */
};

/*
 * Opens a trace and checks its header. For a regular file it also checks the end and the index,
 * so it rejects a truncated file; in a stream trace_next reports the truncation. "-" is
 * standard input (without seeking). Returns NULL on error.
 */
struct trace_reader *trace_open(const char *path, struct err *e);
void trace_close(struct trace_reader *r); /* NULL is allowed */

/* The description of the recorded program; valid until trace_close. */
const struct trace_info *trace_info(const struct trace_reader *r);

/*
 * Returns the next event, enum trace_event, or < 0 with `e` if the file is damaged or truncated
 * (also in every later call). A chunk is checked whole before its first instruction is
 * delivered. Fields of `step` that the event does not use keep their values.
 */
int trace_next(struct trace_reader *r, struct trace_step *step, struct err *e);

/*
 * The number of runs from here on that are certain to repeat the block of the last run, each with addresses that are
 * a stride behind those of the run before it; 0 may mean that it is not known yet. And the strides.
 */
uint64_t trace_repeats(const struct trace_reader *r);
const uint64_t *trace_strides(const struct trace_reader *r);
/*
 * Skips `count` of these runs, at least one. The addresses of the last run, and of the one before it, which must be a
 * stride before, move to those of `count` runs later, where they are.
 */
void trace_skip_repeats(struct trace_reader *r, uint64_t count);

/*
 * Seeks to the chunk that contains instruction `insn` (0 = first) and skips to its block; the
 * next trace_next returns that block. Skipped region events are not delivered. Requires a
 * regular file. A failure to read leaves the reader in an error state; an `insn` past the end
 * changes nothing.
 */
int trace_seek(struct trace_reader *r, uint64_t insn, struct err *e);

/*
 * In a copy of the process (fork), before trace_next: opens the file again, as the place in an open file is common
 * to both processes. 0, or -1 with `e`: it cannot be opened, or is another file by now.
 */
int trace_reopen(struct trace_reader *r, struct err *e);

/*
 * A reader without a file: it delivers runs of another one, which must outlive it, that a client has copied. Its blocks
 * are its own, so it can have another client. It has the same description, length and checksum; it cannot seek.
 * NULL and `e` where memory is short; trace_close closes it.
 */
struct trace_run {
	uint32_t block; /* its id */
	bool warm_up;
};
struct trace_reader *trace_follow(const struct trace_reader *leader, struct err *e);
/*
 * Gives it `count` runs after which the trace ends for it, with the addresses of all of them one after the other, and
 * TRACE_SLACK words behind them. Both are borrowed until the next call, or the end.
 */
void trace_follow_runs(struct trace_reader *r, const struct trace_run *runs, size_t count, const uint64_t *addresses);

/* Instructions delivered so far, including the current block's, from the beginning of the trace. */
uint64_t trace_position(const struct trace_reader *r);

/* Total number of instructions from the index, for progress; 0 if unknown. */
uint64_t trace_length(const struct trace_reader *r);

/*
 * CRC-32 over the members' checksums; identifies the content in reports. For a regular file it
 * is the one stated at the end of the file (verified when the file has been read in order); for
 * a stream it is complete after TRACE_END.
 */
uint32_t trace_checksum(const struct trace_reader *r);

/* The totals stated at the end of the file. */
struct trace_totals {
	uint64_t insns, runs, accesses; /* executed instructions, blocks, effective addresses */
	uint64_t blocks, static_insns;  /* static blocks and their instructions */
	uint64_t members, bytes;        /* gzip members and size of the file */
	int exit_status;                /* of the recorded program */
	uint32_t checksum;
};

/* The totals, or NULL while unknown (a stream before TRACE_END). */
const struct trace_totals *trace_totals(const struct trace_reader *r);

/* The order of threads that the trace states, and its number of rows: 0 while unknown, as in a stream. */
const struct trace_order *trace_orders(const struct trace_reader *r, size_t *count);

/* The critical sections of the thread, and their number: 0 while unknown, as in a stream. */
const struct trace_section *trace_sections(const struct trace_reader *r, size_t *count);

/*
 * The function that contains `address`, or NULL: the last symbol at or below it, if it extends
 * that far. A symbol of size 0 extends to the next one.
 */
const struct trace_symbol *trace_symbol_at(const struct trace_info *info, uint64_t address);

/* The row of the line table that contains `address`, or NULL if its source is unknown. */
const struct trace_line *trace_line_at(const struct trace_info *info, uint64_t address);

/* The name of a row's file without its directories. */
const char *trace_line_file(const struct trace_info *info, const struct trace_line *line);

#endif
