/*
 * Internal to recorder.c: which thread holds which lock, seen from atomic accesses alone.
 *
 * A lock is a word of 4 bytes, or a byte, that is 0 while nobody holds it. A thread takes it by CAS from 0 to 1, by
 * SWAP of a value other than 0 for 0, or by LDSTUB; it releases it when the word is 0 again. Until then others may swap
 * in a value that says that they wait. A word that CAS changes meanwhile is a counter, and no lock. So do C libraries,
 * libgomp and spin locks; locks of 8 bytes and those that are words of bits are not seen.
 */
#ifndef PSIM_RECORD_LOCKS_H
#define PSIM_RECORD_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu;
struct insn;
struct address_space;

enum {
	LOCKS_HELD = 256,   /* at a time; of more, the last ones are not seen */
	LOCKS_KNOWN = 4096, /* by a hash of their addresses; of two with one, the last */
};

struct held_lock {
	uint64_t address;
	unsigned size, place; /* of the word; of the thread */
	int64_t section;      /* its number in the thread's trace; < 0: none */
	uint64_t begin;       /* of the section: instructions of the trace */
};

struct locks {
	size_t count;
	struct held_lock held[LOCKS_HELD];
	uint64_t known[LOCKS_KNOWN]; /* addresses; 0: none */
};

/* The lock at an address has had a critical section; has it? */
void locks_know(struct locks *l, uint64_t address);
bool locks_known(const struct locks *l, uint64_t address);

/* Returns whether an address is one of a lock that is held; a mutex has others of its words behind it. */
bool locks_own(const struct locks *l, uint64_t address);

/* Removes the locks that are released, the first of them to *out; false: none is. */
bool locks_released(struct locks *l, struct address_space *memory, struct held_lock *out);

/*
 * Returns the row of the lock that the atomic access `i`, the last one that `c` has executed, takes for the thread at
 * `place`, or NULL. What CAS has changed is removed.
 */
struct held_lock *locks_taken(struct locks *l, const struct cpu *c, struct address_space *memory, const struct insn *i,
			      unsigned place);

#endif
