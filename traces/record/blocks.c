#include "blocks.h"

#include <stdlib.h>
#include <string.h>

enum { UNREACHABLE = 1 }; /* no pc is odd */

void block_cache_init(struct block_cache *c, struct address_space *memory, uint64_t boundary)
{
	*c = (struct block_cache){.memory = memory, .boundary = boundary};
}

void block_cache_clear(struct block_cache *c)
{
	while (c->newest) {
		struct block *b = c->newest;
		c->newest = b->older;
		free(b);
	}
	memset(c->hash, 0, sizeof(c->hash));
	c->count = 0;
}

bool block_fetch(struct address_space *memory, uint64_t pc, uint32_t *word)
{
	size_t left;
	const uint8_t *p = pc % 4 ? NULL : address_space_host(memory, pc, SPACE_EXEC, &left);
	if (!p)
		return false;
	*word = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	return true;
}

enum marker marker_of(uint32_t word)
{
	if (word == (0x01000000u | MARKER_BEGIN))
		return BEGIN_MARKER;
	if (word == (0x01000000u | MARKER_CHECKED))
		return CHECKED_MARKER;
	if (word == (0x01000000u | MARKER_RAN))
		return RAN_MARKER;
	return word == (0x01000000u | MARKER_END) ? END_MARKER : NO_MARKER;
}

static void blocks_add_entry(struct block *b, const struct insn *i)
{
	b->entry[b->count].insn = *i;
	b->entry[b->count++].run = insn_function(i);
	if (i->class == CLASS_ATOMIC)
		b->atomic = (uint16_t)b->count;
}

/* Adds the instruction at `pc`; true if the block continues after it. */
static bool extend(struct block_cache *c, struct block *b, uint64_t pc)
{
	struct insn i, slot;
	uint32_t word;
	if (b->count >= TRACE_BLOCK_MAX - 1 || !block_fetch(c->memory, pc, &word))
		return false;
	insn_decode_simd(word, b->simd, &i);
	if (b->count && (pc == c->boundary || i.opcode == OP_RDPC))
		return false;
	blocks_add_entry(b, &i);
	if (!(i.flags & INSN_CTI)) {
		b->straight++;
		b->flush = i.opcode == OP_FLUSH;
		b->marker = (uint8_t)marker_of(word);
		return !(i.flags & (INSN_TRAP | INSN_MODE)) && !b->flush && !b->marker;
	}
	b->transfer = true;
	if (!block_fetch(c->memory, pc + 4, &word))
		return false;
	insn_decode_simd(word, b->simd, &slot);
	/* a transfer, trap, mode change or flush in the slot is rare; record_run.c steps it singly */
	if ((slot.flags & (INSN_CTI | INSN_TRAP | INSN_MODE)) || slot.opcode == OP_FLUSH || marker_of(word))
		return false;
	blocks_add_entry(b, &slot);
	b->slot = true;
	return false;
}

static unsigned hash_of(uint64_t pc)
{
	return (unsigned)(pc >> 2 ^ pc >> (2 + BLOCK_HASH_BITS)) & (BLOCK_HASH_SIZE - 1);
}

static struct block *blocks_make(struct block_cache *c, uint64_t pc, bool simd, bool *no_memory)
{
	/* allocated at the maximum size, then shrunk */
	struct block *b = malloc(sizeof(*b) + TRACE_BLOCK_MAX * sizeof(*b->entry)), *cut;
	if (!b) {
		*no_memory = true;
		return NULL;
	}
	*b = (struct block){
		.pc = pc,
		.simd = simd,
		.first = pc == c->boundary,
	};
	for (uint64_t at = pc; extend(c, b, at);)
		at += 4;
	if (!b->count) {
		free(b);
		return NULL;
	}
	cut = realloc(b, sizeof(*b) + b->count * sizeof(*b->entry));
	b = cut ? cut : b;
	struct block **bucket = &c->hash[hash_of(pc)];
	b->chain = *bucket;
	*bucket = b;
	b->older = c->newest;
	c->newest = b;
	c->count++;
	return b;
}

struct block *block_find(struct block_cache *c, uint64_t pc, bool simd, bool *no_memory)
{
	for (struct block *b = c->hash[hash_of(pc)]; b; b = b->chain)
		if (b->pc == pc && b->simd == simd)
			return b;
	return blocks_make(c, pc, simd, no_memory);
}

void block_forget(struct block_cache *c, uint64_t address)
{
	address &= ~(uint64_t)7; /* FLUSH works on a doubleword */
	for (struct block *b = c->newest; b; b = b->older)
		if (b->pc < address + 8 && b->pc + 4 * (uint64_t)b->count > address)
			b->pc = UNREACHABLE;
}
