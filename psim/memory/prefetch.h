/*
 * The hardware prefetcher into L2: a kind is a row of functions in a file of its own. The choice PREFETCHER_X of
 * core_config.h has the row PREFETCHER_X_kind.
 *
 * A prefetcher sees the line numbers of data accesses to L2 and wants lines of their pages. A wanted line is requested
 * as soon as L2 has a free miss buffer. Prefetchers that see physical addresses do not cross a page (Intel 64 and IA-32
 * Architectures Optimization Reference Manual, on the streamer).
 *
 * Used by memsys*.c; the core needs only what a kind stores, and whether it learns by instruction.
 */
#ifndef PSIM_MEMORY_PREFETCH_H
#define PSIM_MEMORY_PREFETCH_H

#include "../machine/core_config.h"
#include "../base/digest.h"
#include "../base/state_walk.h"

struct prefetcher {
	const struct prefetch_kind *row;
	void *state;        /* of its kind */
	unsigned wanting;   /* lines, or streams that want lines; 0: none */
	bool fills;         /* prefetcher_fill wants to be called */
	uint64_t page_mask; /* selects the page in a line's number */
	uint64_t overtaken; /* wanted lines that were accessed, or dropped, before they were requested */
	uint64_t pc;        /* of the instruction that accesses, if prefetcher_needs_pc; 0: none of the program */
};

enum { PREFETCH_ZONE_LINES = 64 }; /* of a map of ampm */

/* Storage of a kind, for energy and area: `entries` of `bits`, of which an access compares `search_bits` in each. */
struct prefetch_storage {
	uint64_t entries;
	unsigned bits, search_bits;
};

struct prefetch_kind {
	/* Makes the state as one state_block, without pointers; NULL where memory is short. */
	void *(*create)(const struct prefetch_params *cfg);
	void (*access)(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger);
	bool (*take)(struct prefetcher *p, uint64_t *ret_line);
	void (*fill)(struct prefetcher *p, uint64_t at, uint64_t line,
		     bool prefetched); /* NULL: it learns nothing from fills */
	void (*digest)(struct prefetcher *p, uint64_t now, struct digest *d);
	void (*storage)(const struct prefetch_params *cfg, struct prefetch_storage *out);
};

#define PREFETCHER_ROW(id, name) extern const struct prefetch_kind id##_kind;
PREFETCHERS(PREFETCHER_ROW)
#undef PREFETCHER_ROW

/* Returns whether the prefetcher of `cfg` learns by instruction. Else prefetcher.pc is not used. */
static inline bool prefetcher_needs_pc(const struct prefetch_params *cfg)
{
	return cfg->enabled && cfg->kind == PREFETCHER_STRIDE;
}

/* `line_bytes`: L2's line. 0, or -1 where memory is short. */
int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg, uint64_t page_size, unsigned line_bytes);
void prefetcher_finish(struct prefetcher *p);

/*
 * Notes an access to `line` in cycle `now`; no later call is earlier. `trigger`: L2 lacked the line, or this is the
 * first use of a line that was prefetched.
 */
static inline void prefetcher_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	p->row->access(p, now, line, trigger);
}

/* Takes the next wanted line, and marks it as requested. False if none is wanted. */
static inline bool prefetcher_take(struct prefetcher *p, uint64_t *ret_line)
{
	return p->wanting && p->row->take(p, ret_line);
}

/* Notes that `line` comes into L2 in cycle `at`, by a prefetch or an access. */
static inline void prefetcher_fill(struct prefetcher *p, uint64_t at, uint64_t line, bool prefetched)
{
	if (p->fills)
		p->row->fill(p, at, line, prefetched);
}

/* Walks over what the prefetcher has learned, of which lines in flight are no part. */
void prefetcher_walk(struct prefetcher *p, const struct state_walk *w);

/* Adds to `d` what later requests depend on, from cycle `now` on. */
void prefetcher_digest(struct prefetcher *p, uint64_t now, struct digest *d);

/* The storage of the prefetcher of `cfg`; nothing if it is off. */
void prefetcher_storage(const struct prefetch_params *cfg, struct prefetch_storage *out);

/* ---- best_offset ---- */

enum { BEST_OFFSETS = 52 };
/* The offsets that it tests, in their order. */
extern const uint16_t best_offsets[BEST_OFFSETS];
/* Its present offset, 0: prefetching is off; and the score of the n-th offset. */
unsigned best_offset(const struct prefetcher *p);
unsigned best_offset_score(const struct prefetcher *p, unsigned n);

#endif
