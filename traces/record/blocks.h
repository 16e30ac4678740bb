/*
 * Decoded basic blocks of a guest's code.
 *
 * A block begins at the target of a transfer. It ends after the delay slot of a control
 * transfer, after a trap instruction, FLUSH or region marker, before RDPC and the symbol at
 * which recording begins, after a change of the SIMD mode, at memory that is not executable, or
 * when it is full. It is decoded in the mode in which it runs; the successors in `next` run in
 * the mode at its end. Blocks keep their addresses until the cache is cleared; a block whose
 * code was rewritten (reported by FLUSH) becomes unreachable.
 */
#ifndef PSIM_RECORD_BLOCKS_H
#define PSIM_RECORD_BLOCKS_H

#include "../../isa/cpu.h"
#include "../trace.h"
#include "address_space.h"

/*
 * Region markers: `sethi N, %g0` has no effect on any machine. 'PS' is in the low bytes, and
 * %o0 points to the region's name (kernels/psim_region.h). A third marker is for a loop nest that
 * ran for --check-simd: %o0 points to a line, or to an empty text if all is well (isa/compiler/psim_nest_check.c). A
 * fourth one is for each run of a nest: %o0 points to what nest_runs.h reads.
 */
enum { MARKER_BEGIN = 0x2b5053, MARKER_END = 0x2e5053, MARKER_CHECKED = 0x335053, MARKER_RAN = 0x325053 };
enum marker { NO_MARKER, BEGIN_MARKER, END_MARKER, CHECKED_MARKER, RAN_MARKER };

struct block_entry {
	insn_fn *run;
	struct insn insn;
};

enum { BLOCK_SUCCESSORS = 2 };

struct known_block; /* recorder.c */

struct block {
	uint64_t pc;                          /* 1 if the block is unreachable */
	struct block *next[BLOCK_SUCCESSORS]; /* most recent successors; compared by their pc */
	struct block *chain;                  /* next block in the same hash bucket */
	struct block *older;                  /* list of all blocks */
	uint32_t straight;                    /* instructions before the control transfer, if any */
	uint32_t count;                       /* all, delay slot included */
	bool transfer;                        /* entry[straight] is a control transfer */
	bool slot;                            /* and entry[straight + 1] its delay slot */
	bool flush;                           /* the last instruction is FLUSH */
	bool first;                           /* begins at the address passed to block_cache_init */
	bool simd;                            /* the SIMD mode in which it was decoded */
	uint8_t marker;                       /* enum marker: that of the last instruction */
	uint16_t atomic;                      /* number of instructions up to the last CAS, SWAP or LDSTUB; 0: none */
	struct known_block *full, *cut;       /* the recorder's: whole, and without the slot; NULL until known */
	struct block_entry entry[];
};

enum { BLOCK_HASH_BITS = 14, BLOCK_HASH_SIZE = 1 << BLOCK_HASH_BITS };

struct block_cache {
	struct address_space *memory;
	uint64_t boundary; /* a block always begins here; 1: none */
	struct block *hash[BLOCK_HASH_SIZE];
	struct block *newest;
	unsigned count;
};

void block_cache_init(struct block_cache *c, struct address_space *memory, uint64_t boundary);
void block_cache_clear(struct block_cache *c);

/*
 * Returns the block that begins at `pc` in the SIMD mode `simd`. Returns NULL if the
 * instruction there cannot be fetched, or (with *no_memory set) if the host's memory is
 * exhausted.
 */
struct block *block_find(struct block_cache *c, uint64_t pc, bool simd, bool *no_memory);

/* Invalidates the blocks that contain `address`, whose code was rewritten. */
void block_forget(struct block_cache *c, uint64_t address);

/* Fetches one instruction word; false if it is not executable. */
bool block_fetch(struct address_space *memory, uint64_t pc, uint32_t *word);

/* Returns whether a word is a region marker. */
enum marker marker_of(uint32_t word);

#endif
