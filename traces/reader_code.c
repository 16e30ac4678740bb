/* Static blocks: the CODE members. */
#include "reader.h"

/* One block: its length and address; `words` are its instructions. */
struct packed_block {
	uint32_t count;
	bool simd;
	uint64_t pc;
	const uint8_t *words;
};

/*
 * Parses one block. `end` is the pc after the previous block; `arrays` is whether blocks can
 * have the SIMD mode. Returns NULL, or what is wrong.
 */
static const char *parse_block(struct view *v, uint64_t end, bool arrays, struct packed_block *l)
{
	uint64_t count, distance;
	if (!view_number(v, TRACE_BLOCK_MAX + (arrays ? BLOCK_SIMD : 0), &count))
		return "a block's length is truncated or out of range";
	l->simd = count & BLOCK_SIMD;
	count &= BLOCK_SIMD - 1;
	if (count == 0 || count > TRACE_BLOCK_MAX)
		return "a block's length is truncated or out of range";
	if (!view_varint(v, &distance) || distance > UINT64_MAX >> 2)
		return "a block's address is truncated or out of range";
	if (view_left(v) < 4 * count)
		return "a block's instructions are truncated";
	l->count = (uint32_t)count;
	l->pc = end + (unzigzag(distance) << 2);
	if (l->pc > UINT64_MAX - 4 * count)
		return "a block exceeds the address space";
	l->words = v->p;
	v->p += 4 * count;
	return NULL;
}

/* Allocates memory that lives as long as the reader. */
static void *pool(struct trace_reader *r, size_t bytes)
{
	void **pools = realloc(r->pools, (r->pool_count + 1) * sizeof(*pools));
	if (!pools)
		return NULL;
	r->pools = pools;
	void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);
	if (p)
		r->pools[r->pool_count++] = p;
	return p;
}

void reader_code_free(struct trace_reader *r)
{
	for (size_t i = 0; i < r->pool_count; i++)
		free(r->pools[i]);
	free(r->pools);
	free(r->blocks);
}

/* Validates the member and counts its blocks and instructions. */
static const char *validate_blocks(struct view v, bool arrays, uint64_t *blocks, uint64_t *insns)
{
	uint64_t end = 0;
	while (view_left(&v)) {
		struct packed_block l;
		const char *wrong = parse_block(&v, end, arrays, &l);
		if (wrong)
			return wrong;
		++*blocks;
		*insns += l.count;
		end = l.pc + 4 * (uint64_t)l.count;
	}
	return *blocks ? NULL : "the member has no block";
}

static uint64_t decode_insns(const struct packed_block *l, struct insn *out)
{
	uint64_t memory = 0;
	for (uint32_t i = 0; i < l->count; i++) {
		const uint8_t *w = l->words + 4 * (size_t)i;
		insn_decode_simd((uint32_t)w[0] << 24 | (uint32_t)w[1] << 16 | (uint32_t)w[2] << 8 | w[3], l->simd,
				 &out[i]);
		memory += insn_address_count(&out[i]);
	}
	return memory;
}

/* Decodes the blocks that `validate_blocks` validated. Returns their total number of addresses. */
static uint64_t decode_blocks(struct trace_reader *r, struct view v, struct block *b, struct insn *insns)
{
	uint64_t end = 0, addresses = 0;
	for (uint32_t id = r->block_count; view_left(&v); id++, b++) {
		struct packed_block l;
		if (parse_block(&v, end, r->info.info.pes > 0, &l))
			break;
		uint64_t memory = decode_insns(&l, insns);
		*b = (struct block){
			.pub = {.id = id,
				.count = l.count,
				.memory_count = (uint32_t)memory,
				.pc = l.pc,
				.insns = insns,
				.simd = l.simd},
		};
		insns += l.count;
		addresses += memory;
		end = l.pc + 4 * (uint64_t)l.count;
		r->blocks[id] = b;
	}
	return addresses;
}

static bool grow_blocks(struct trace_reader *r, uint64_t count)
{
	if (count <= r->block_capacity)
		return true;
	uint64_t capacity = 2 * count;
	struct block **blocks = realloc(r->blocks, capacity * sizeof(*blocks));
	if (!blocks)
		return false;
	r->blocks = blocks;
	r->block_capacity = (uint32_t)capacity;
	return true;
}

int reader_code(struct trace_reader *r)
{
	if (r->member.sequence < r->code_sequence)
		return 0;
	const struct view v = {r->content.data, r->content.data + r->content.size};
	uint64_t count = 0, insns = 0;
	const char *wrong = validate_blocks(v, r->info.info.pes > 0, &count, &insns);
	if (wrong)
		return reader_wrong(r, wrong);
	if (insns > STATIC_INSNS_MAX - r->static_insns)
		return reader_damage(r,
				     "the static blocks have more than %d instructions, the "
				     "format's limit",
				     STATIC_INSNS_MAX);
	struct block *blocks = pool(r, count * sizeof(*blocks));
	struct insn *code = pool(r, insns * sizeof(*code));
	if (!blocks || !code || !grow_blocks(r, r->block_count + count))
		return reader_failure(r, "out of memory");
	uint64_t addresses = decode_blocks(r, v, blocks, code);
	uint64_t *state = pool(r, (3 * (addresses + count) + TRACE_SLACK) * sizeof(*state));
	if (!state)
		return reader_failure(r, "out of memory");
	for (uint64_t i = 0; i < count; i++) {
		blocks[i].stride = state;
		blocks[i].run = state + block_pairs(&blocks[i]);
		state += 3 * block_pairs(&blocks[i]);
	}
	r->block_count += (uint32_t)count;
	r->static_insns += insns;
	r->code_sequence = r->member.sequence + 1;
	return 0;
}
