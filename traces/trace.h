/*
 * Traces: what a program did, instruction by instruction.
 *
 * A trace is a sequence of blocks. A block is a straight run of instructions
 * at pc, pc + 4, … that were executed one after the other; it ends after the
 * delay slot of a control transfer (or after the transfer itself, where the
 * slot was annulled), at a trap, or at TRACE_BLOCK_MAX. Where control went is
 * told by the next block's pc. With it come the effective addresses of its
 * memory instructions in order (see cpu.h for which instructions have one).
 *
 * docs/trace-format.md describes the file.
 */
#ifndef PSIM_TRACES_TRACE_H
#define PSIM_TRACES_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "../isa/insn.h"
#include "../psim/base/err.h"

enum { TRACE_BLOCK_MAX = 256 };

struct trace_symbol {
	uint64_t address, size;
	const char *name;
};

/* What the recorder knows of the program, told once at the start of the file. */
struct trace_info {
	const char *program;        /* file name of the ELF without its folder */
	uint64_t program_crc;       /* CRC-32 of the ELF file */
	const char *const *args;    /* argv of the guest, args[0] its name */
	unsigned arg_count;
	const struct trace_symbol *symbols; /* functions, ascending by address */
	unsigned symbol_count;
	const char *recorder;       /* name and version */
	bool fma_fused;
	uint64_t entry, first_insn; /* first_insn: executed before recording began */
};

/* A static block: owned by the writer or reader, valid until it is destroyed. */
struct trace_block {
	uint32_t id;                /* 0, 1, 2 … in order of first appearance */
	uint32_t count;             /* instructions */
	uint32_t memory_count;      /* of them with an effective address */
	uint64_t pc;
	const struct insn *insns;   /* decoded */
	void *user;                 /* the reader's client's; NULL at first */
};

/* ---- writing ---- */
struct trace_writer;

/*
 * Opens `path` for writing under a temporary name; trace_writer_close gives it
 * its final one. "-" is standard output. `info` is copied. NULL on error.
 */
struct trace_writer *trace_writer_create(const char *path, const struct trace_info *info, struct err *e);

/* Declares a static block; returns its id, or < 0. */
int64_t trace_writer_block(struct trace_writer *w, uint64_t pc, const uint32_t *words,
                           unsigned count, struct err *e);

/*
 * One execution of a block; `ea` has the block's memory_count addresses.
 * `cansave` and `canrestore` are those before the block (kept at chunk starts).
 */
int trace_writer_run(struct trace_writer *w, uint32_t block, const uint64_t *ea, struct err *e);

/* A region of interest begins or ends here. Regions nest; `name` is copied. */
int trace_writer_region(struct trace_writer *w, const char *name, bool begin, struct err *e);

/* Ends the file (exit status of the program recorded), renames it, frees the writer. */
int trace_writer_close(struct trace_writer *w, int exit_status, struct err *e);

/* Removes what was written and frees the writer. */
void trace_writer_abort(struct trace_writer *w);

/* ---- reading ---- */
struct trace_reader;

enum trace_event {
	TRACE_END = 0,
	TRACE_RUN,         /* `block` was executed with the addresses `ea` */
	TRACE_REGION_BEGIN, /* `name` */
	TRACE_REGION_END,
};

struct trace_step {
	struct trace_block *block;
	const uint64_t *ea; /* valid until the next call */
	const char *name;
};

/* Opens and checks the header. "-" is standard input (no seeking then). NULL on error. */
struct trace_reader *trace_open(const char *path, struct err *e);
void trace_close(struct trace_reader *r); /* NULL is allowed */

/* What the file says of its program; valid until trace_close. */
const struct trace_info *trace_info(const struct trace_reader *r);

/* The next event: enum trace_event, or < 0 with `e` where the file is damaged or cut. */
int trace_next(struct trace_reader *r, struct trace_step *step, struct err *e);

/*
 * Goes to the chunk that holds instruction `insn` (0 = first) and skips to the
 * block that holds it; the next trace_next gives that block. Needs the index
 * at the end of the file.
 */
int trace_seek(struct trace_reader *r, uint64_t insn, struct err *e);

/* Instructions delivered so far, counted from the beginning of the trace. */
uint64_t trace_position(const struct trace_reader *r);

/* Total number of instructions if the index tells (0 = not known), for progress. */
uint64_t trace_length(const struct trace_reader *r);

/* CRC-32 over the chunks' checksums: names the content in reports. Complete after TRACE_END. */
uint32_t trace_checksum(const struct trace_reader *r);

/* Symbol that covers `address`, or NULL. */
const struct trace_symbol *trace_symbol_at(const struct trace_info *info, uint64_t address);

#endif
