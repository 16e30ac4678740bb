#include "locks.h"

#include "../../isa/cpu.h"
#include "address_space.h"

static uint32_t read_word(struct address_space *memory, uint64_t address, unsigned size)
{
	bool fault = false;
	uint32_t value = space_read32(memory, address & ~(uint64_t)3, &fault);

	if (fault)
		return 0;
	return size == 4 ? value : value >> (24 - 8 * (address & 3)) & 0xff;
}

static size_t known_slot(uint64_t address)
{
	return (address >> 2 ^ address >> 14) % LOCKS_KNOWN;
}

void locks_know(struct locks *l, uint64_t address)
{
	l->known[known_slot(address)] = address;
}

bool locks_known(const struct locks *l, uint64_t address)
{
	return address && l->known[known_slot(address)] == address;
}

bool locks_own(const struct locks *l, uint64_t address)
{
	enum { MUTEX_BYTES = 40 }; /* pthread_mutex_t of glibc */

	for (size_t n = 0; n < l->count; n++)
		if (address - l->held[n].address < MUTEX_BYTES)
			return true;
	return false;
}

static void remove_row(struct locks *l, size_t n)
{
	l->held[n] = l->held[--l->count];
}

bool locks_released(struct locks *l, struct address_space *memory, struct held_lock *out)
{
	for (size_t n = 0; n < l->count; n++)
		if (!read_word(memory, l->held[n].address, l->held[n].size)) {
			*out = l->held[n];
			remove_row(l, n);
			return true;
		}
	return false;
}

/* Bytes of the word of an atomic access that locks are made of; 0: another one. */
static unsigned word_size(const struct insn *i)
{
	switch (i->opcode) {
	case OP_CASA:
	case OP_SWAP:
	case OP_SWAPA: return 4;
	case OP_LDSTUB:
	case OP_LDSTUBA: return 1;
	default: return 0;
	}
}

struct held_lock *locks_taken(struct locks *l, const struct cpu *c, struct address_space *memory, const struct insn *i,
			      unsigned place)
{
	unsigned size = word_size(i);
	uint64_t address = c->atomic_address;
	uint32_t value;

	if (!size)
		return NULL;
	value = read_word(memory, address, size);
	for (size_t n = 0; n < l->count; n++)
		if (l->held[n].address == address) {
			if (i->opcode == OP_CASA && value != c->atomic_old) {
				if (locks_known(l, address))
					l->known[known_slot(address)] = 0;
				remove_row(l, n);
			}
			return NULL;
		}
	if (c->atomic_old || !value || (i->opcode == OP_CASA && value != 1) || l->count == LOCKS_HELD)
		return NULL;
	l->held[l->count] = (struct held_lock){.address = address, .size = size, .place = place, .section = -1};
	return &l->held[l->count++];
}
