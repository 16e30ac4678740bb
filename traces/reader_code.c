/* Static blocks: the CODE members. */
#include "reader.h"

/* One block's line: its length and place; `words` is where its instructions lie. */
struct line {
	uint32_t count;
	bool simd;
	uint64_t pc;
	const uint8_t *words;
};

/*
 * Takes one line; `end` is the pc after the block before it, `arrays` whether
 * blocks can have the SIMD mode. NULL, or what is wrong.
 */
static const char *take_line(struct view *v, uint64_t end, bool arrays, struct line *l)
{
	uint64_t count, distance;
	if (!view_number(v, TRACE_BLOCK_MAX + (arrays ? BLOCK_SIMD : 0), &count))
		return "a block's length is cut or out of range";
	l->simd = count & BLOCK_SIMD;
	count &= BLOCK_SIMD - 1;
	if (count == 0 || count > TRACE_BLOCK_MAX)
		return "a block's length is cut or out of range";
	if (!view_varint(v, &distance) || distance > UINT64_MAX >> 2)
		return "a block's address is cut or out of range";
	if (view_left(v) < 4 * count)
		return "a block's instructions are cut";
	l->count = (uint32_t)count;
	l->pc = end + (unzigzag(distance) << 2);
	if (l->pc > UINT64_MAX - 4 * count)
		return "a block reaches beyond the last address";
	l->words = v->p;
	v->p += 4 * count;
	return NULL;
}

/* Memory that lives as long as the reader. */
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

/* Looks through the member and counts. */
static const char *survey(struct view v, bool arrays, uint64_t *blocks, uint64_t *insns)
{
	uint64_t end = 0;
	while (view_left(&v)) {
		struct line l;
		const char *wrong = take_line(&v, end, arrays, &l);
		if (wrong)
			return wrong;
		++*blocks;
		*insns += l.count;
		end = l.pc + 4 * (uint64_t)l.count;
	}
	return *blocks ? NULL : "it has no block";
}

static uint64_t decode_insns(const struct line *l, struct insn *out)
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

/* Decodes the lines that `survey` found right. Returns the number of addresses in all. */
static uint64_t decode_blocks(struct trace_reader *r, struct view v, struct block *b, struct insn *insns)
{
	uint64_t end = 0, addresses = 0;
	for (uint32_t id = r->block_count; view_left(&v); id++, b++) {
		struct line l;
		if (take_line(&v, end, r->info.info.pes > 0, &l))
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
	const char *wrong = survey(v, r->info.info.pes > 0, &count, &insns);
	if (wrong)
		return reader_wrong(r, wrong);
	if (insns > STATIC_INSNS_MAX - r->static_insns)
		return reader_damage(r,
				     "the static blocks hold more than %d instructions, the "
				     "format's limit",
				     STATIC_INSNS_MAX);
	struct block *blocks = pool(r, count * sizeof(*blocks));
	struct insn *code = pool(r, insns * sizeof(*code));
	if (!blocks || !code || !grow_blocks(r, r->block_count + count))
		return reader_failure(r, "out of memory");
	uint64_t addresses = decode_blocks(r, v, blocks, code);
	uint64_t *state = pool(r, 2 * addresses * sizeof(*state));
	if (!state)
		return reader_failure(r, "out of memory");
	for (uint64_t i = 0; i < count; i++) {
		blocks[i].last = state;
		blocks[i].stride = state + blocks[i].pub.memory_count;
		state += 2 * (size_t)blocks[i].pub.memory_count;
	}
	r->block_count += (uint32_t)count;
	r->static_insns += insns;
	r->code_sequence = r->member.sequence + 1;
	return 0;
}
