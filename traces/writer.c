/*
 * Writing traces: blocks and addresses are predicted as in the reader, and only mispredictions
 * are written. Each chunk begins with empty tables, so it can be read alone.
 */
#include "trace.h"

#include "../isa/insn.h"
#include "../psim/base/mem.h"
#include "writer.h"

struct block {
	uint64_t *state; /* memory_count each of: last address, stride, last mispredicted step, its position */
	uint64_t runs;   /* in this chunk */
	uint32_t count, memory_count;
	uint32_t next;  /* the block that followed it last in this chunk */
	uint32_t chunk; /* chunk number + 1 to which the state belongs */
};

struct trace_writer {
	struct writer_file file;
	uint32_t chunk_insns;
	bool arrays, warm_up; /* the info has PEs; warm-up parts */

	struct block *blocks;
	uint32_t block_count, block_capacity;
	uint64_t static_insns, code_end; /* pc after the last declared block */
	struct bytes code;               /* blocks declared since the last CODE member */

	struct trace_totals totals; /* of the chunks written */

	/* the current chunk */
	uint32_t chunk; /* its number + 1 */
	uint64_t runs, insns, accesses;
	uint64_t jump_hits, ea_hits, region_runs;
	uint32_t context, previous;
	bool full;
	struct bytes streams[STREAM_COUNT];
	struct bytes opening; /* the regions open at its start */
	uint32_t table[CONTEXT_SIZE];

	unsigned depth;
	char regions[TRACE_REGION_DEPTH][TRACE_NAME_MAX];
};

static void trace_writer_reset_block(struct trace_writer *w, struct block *b)
{
	b->chunk = w->chunk;
	b->runs = 0;
	b->next = 0;
	memset(b->state, 0, 4 * b->memory_count * sizeof(*b->state));
}

static bool chunk_begin(struct trace_writer *w)
{
	w->chunk++;
	w->runs = w->insns = w->accesses = 0;
	w->jump_hits = w->ea_hits = w->region_runs = 0;
	w->context = w->previous = 0;
	w->full = false;
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		w->streams[i].size = 0;
	memset(w->table, 0, sizeof(w->table));
	if (w->block_count)
		trace_writer_reset_block(w, &w->blocks[0]);
	w->opening.size = 0;
	bool ok = bytes_number(&w->opening, w->depth);
	for (unsigned i = 0; ok && i < w->depth; i++)
		ok = bytes_string(&w->opening, w->regions[i]);
	return ok;
}

struct trace_writer *trace_writer_create(const char *path, const struct trace_info *info, struct err *e)
{
	struct trace_writer *w = calloc(1, sizeof(*w));
	struct bytes content = {0};
	if (!w) {
		mem_short(e);
		return NULL;
	}
	w->chunk_insns = CHUNK_INSNS;
	w->arrays = info->pes > 0;
	w->warm_up = info->warm_up;
	w->file.version = info_version(info);
	if (!info_encode(info, &content, e) || writer_file_open(&w->file, path, e) < 0 ||
	    writer_file_member(&w->file, MEMBER_HEADER, 0, 0, &content, e) < 0)
		goto failed;
	if (!chunk_begin(w)) {
		mem_short(e);
		goto failed;
	}
	bytes_free(&content);
	return w;
failed:
	bytes_free(&content);
	trace_writer_abort(w);
	return NULL;
}

void trace_writer_chunks(struct trace_writer *w, uint32_t insns)
{
	w->chunk_insns = insns;
}

static bool declare(struct trace_writer *w, uint64_t pc, const uint32_t *words, unsigned count, bool simd)
{
	struct bytes *c = &w->code;
	if (!bytes_reserve(c, 2 * VARINT_MAX + 4 * (size_t)count))
		return false;
	uint64_t distance = pc - w->code_end; /* a multiple of 4 */
	bytes_varint(c, count + (simd ? BLOCK_SIMD : 0));
	bytes_varint(c, zigzag(distance >> 2 | (0 - (distance >> 63)) << 62));
	for (unsigned i = 0; i < count; i++)
		for (int shift = 24; shift >= 0; shift -= 8)
			c->data[c->size++] = (uint8_t)(words[i] >> shift);
	w->code_end = pc + 4 * (uint64_t)count;
	return true;
}

unsigned trace_count_addresses(const uint32_t *words, unsigned count, bool simd)
{
	unsigned n = 0;
	for (unsigned i = 0; i < count; i++) {
		struct insn insn;
		insn_decode_simd(words[i], simd, &insn);
		n += insn_address_count(&insn);
	}
	return n;
}

int64_t trace_writer_block(struct trace_writer *w, uint64_t pc, const uint32_t *words, unsigned count, bool simd,
			   struct err *e)
{
	if (count < 1 || count > TRACE_BLOCK_MAX || pc & 3 || pc > UINT64_MAX - 4 * count)
		return err_set(e, STATUS_FAILED,
			       "trace: block of %u instructions at 0x%llx, expected "
			       "1 to %d at a multiple of 4",
			       count, (unsigned long long)pc, TRACE_BLOCK_MAX);
	if (simd && !w->arrays)
		return err_set(e, STATUS_FAILED,
			       "trace: block at 0x%llx in SIMD mode, expected none "
			       "without PEs",
			       (unsigned long long)pc);
	if (w->static_insns + count > STATIC_INSNS_MAX)
		return err_set(e, STATUS_FAILED, "trace: too many instructions in static blocks, expected at most %d",
			       STATIC_INSNS_MAX);
	if (w->block_count == w->block_capacity) {
		uint32_t capacity = w->block_capacity ? 2 * w->block_capacity : 1024;
		struct block *blocks = realloc(w->blocks, capacity * sizeof(*blocks));
		if (!blocks)
			return mem_short(e);
		w->blocks = blocks;
		w->block_capacity = capacity;
	}
	struct block *b = &w->blocks[w->block_count];
	*b = (struct block){
		.count = count,
		.memory_count = trace_count_addresses(words, count, simd),
	};
	b->state = calloc(4 * b->memory_count + 1, sizeof(*b->state));
	if (!b->state || !declare(w, pc, words, count, simd)) {
		free(b->state);
		return mem_short(e);
	}
	b->chunk = w->chunk;
	w->static_insns += count;
	return w->block_count++;
}

static void check_full(struct trace_writer *w)
{
	size_t size = 0;
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		size += w->streams[i].size;
	w->full = size >= DATA_FULL;
}

/* Encodes a block that the context mispredicts: as the last successor, or by its number. */
static bool write_jump(struct trace_writer *w, uint32_t block)
{
	struct bytes *gap = &w->streams[STREAM_JUMP_GAP], *jump = &w->streams[STREAM_JUMP];
	if (!bytes_reserve(gap, VARINT_MAX) || !bytes_reserve(jump, VARINT_MAX))
		return false;
	bytes_varint(gap, w->jump_hits);
	bytes_varint(jump, w->blocks[w->previous].next == block ? 0 : (uint64_t)block + 1);
	w->jump_hits = 0;
	check_full(w);
	return true;
}

static bool addresses_follow(const struct block *b, const uint64_t *ea)
{
	const uint64_t *last = b->state, *stride = b->state + b->memory_count;
	uint64_t wrong = 0;
	for (unsigned i = 0; i < b->memory_count; i++)
		wrong |= (last[i] + stride[i]) ^ ea[i];
	return wrong == 0;
}

/*
 * Encodes addresses, some of which are mispredicted. The same wrong step twice in a row becomes
 * the stride; a single jump (the end of a matrix row) does not.
 */
static bool write_addresses(struct trace_writer *w, struct block *b, const uint64_t *ea)
{
	struct bytes *gap = &w->streams[STREAM_EA_GAP], *steps = &w->streams[STREAM_EA];
	const unsigned n = b->memory_count;
	uint64_t *last = b->state, *stride = last + n, *wrong = stride + n, *when = wrong + n;
	if (!bytes_reserve(gap, n * VARINT_MAX) || !bytes_reserve(steps, n * VARINT_MAX))
		return false;
	for (unsigned i = 0; i < n; i++) {
		uint64_t step = ea[i] - last[i];
		last[i] = ea[i];
		if (step == stride[i]) {
			w->ea_hits++;
			continue;
		}
		bool adopt = when[i] + 1 == b->runs && wrong[i] == step;
		bytes_varint(gap, w->ea_hits << 1 | adopt);
		bytes_varint(steps, zigzag(step));
		w->ea_hits = 0;
		wrong[i] = step;
		when[i] = b->runs;
		if (adopt)
			stride[i] = step;
	}
	check_full(w);
	return true;
}

static int write_code(struct trace_writer *w, struct err *e)
{
	if (w->code.size == 0)
		return 0;
	int status = writer_file_member(&w->file, MEMBER_CODE, w->totals.insns, 0, &w->code, e);
	w->code.size = 0;
	w->code_end = 0;
	return status;
}

static bool encode_chunk(struct trace_writer *w, struct bytes *content)
{
	bool ok = bytes_number(&w->streams[STREAM_JUMP_GAP], w->jump_hits) &&
		  bytes_number(&w->streams[STREAM_EA_GAP], w->ea_hits << 1) && bytes_number(content, w->runs) &&
		  bytes_number(content, w->insns) && bytes_number(content, w->accesses) &&
		  bytes_append(content, w->opening.data, w->opening.size);
	for (unsigned i = 0; ok && i < STREAM_COUNT; i++)
		ok = bytes_number(content, w->streams[i].size);
	for (unsigned i = 0; ok && i < STREAM_COUNT; i++)
		ok = bytes_append(content, w->streams[i].data, w->streams[i].size);
	return ok;
}

/* Writes the new static blocks, then the chunk. */
static int chunk_end(struct trace_writer *w, struct err *e)
{
	if (write_code(w, e) < 0)
		return -1;
	struct bytes content = {0};
	int status = encode_chunk(w, &content) ? 0 : mem_short(e);
	if (status == 0)
		status = writer_file_member(&w->file, MEMBER_DATA, w->totals.insns, (uint32_t)w->insns, &content, e);
	bytes_free(&content);
	if (status < 0)
		return -1;
	w->totals.runs += w->runs;
	w->totals.insns += w->insns;
	w->totals.accesses += w->accesses;
	return chunk_begin(w) ? 0 : mem_short(e);
}

int trace_writer_run(struct trace_writer *w, uint32_t block, const uint64_t *ea, struct err *e)
{
	if (block >= w->block_count)
		return err_set(e, STATUS_FAILED,
			       "trace: run of block %u, expected one of the %u "
			       "declared",
			       block, w->block_count);
	struct block *b = &w->blocks[block];
	if (b->chunk != w->chunk)
		trace_writer_reset_block(w, b);
	b->runs++;

	uint32_t *guess = &w->table[w->context];
	if (*guess == block)
		w->jump_hits++;
	else if (!write_jump(w, block))
		return mem_short(e);
	*guess = block;
	w->blocks[w->previous].next = block;
	w->previous = block;
	w->context = context_push(w->context, block);

	if (addresses_follow(b, ea)) {
		w->ea_hits += b->memory_count;
		if (b->memory_count)
			memcpy(b->state, ea, b->memory_count * sizeof(*ea));
	} else if (!write_addresses(w, b, ea)) {
		return mem_short(e);
	}
	w->accesses += b->memory_count;
	w->runs++;
	w->insns += b->count;
	return w->insns >= w->chunk_insns || w->full ? chunk_end(w, e) : 0;
}

int trace_writer_order(struct trace_writer *w, const struct trace_order *row, struct err *e)
{
	const struct trace_index *x = &w->file.index;
	if (row->thread >= TRACE_THREADS || row->position > trace_writer_position(w) ||
	    (x->order_count && row->position < x->orders[x->order_count - 1].position))
		return err_set(e, STATUS_FAILED,
			       "trace: order of threads at %llu after thread %u, expected ascending places up to %llu "
			       "and a thread less than %d",
			       (unsigned long long)row->position, row->thread,
			       (unsigned long long)trace_writer_position(w), TRACE_THREADS);
	if (x->order_count == ORDERS_MAX)
		return err_set(e, STATUS_FAILED, "trace: more than %d rows of the order of threads", ORDERS_MAX);
	return index_add_order(&w->file.index, row) ? 0 : mem_short(e);
}

int64_t trace_writer_section(struct trace_writer *w, uint64_t begin, uint64_t lock, struct err *e)
{
	struct trace_index *x = &w->file.index;
	if (begin > trace_writer_position(w) || (x->section_count && begin < x->sections[x->section_count - 1].begin))
		return err_set(e, STATUS_FAILED,
			       "trace: critical section at %llu, expected ascending places up to %llu",
			       (unsigned long long)begin, (unsigned long long)trace_writer_position(w));
	if (x->section_count == TRACE_SECTIONS_MAX)
		return err_set(e, STATUS_FAILED, "trace: more than %d critical sections", TRACE_SECTIONS_MAX);
	if (!index_add_section(x, &(struct trace_section){begin, SECTION_OPEN, lock}))
		return mem_short(e);
	return (int64_t)x->section_count - 1;
}

void trace_writer_section_end(struct trace_writer *w, int64_t section, uint64_t end)
{
	w->file.index.sections[section].end = end;
}

uint64_t trace_writer_position(const struct trace_writer *w)
{
	return w->totals.insns + w->insns;
}

static int write_region(struct trace_writer *w, const char *name, struct err *e)
{
	struct bytes *s = &w->streams[STREAM_REGION];
	if (!bytes_number(s, w->runs - w->region_runs) || !bytes_string(s, name))
		return mem_short(e);
	w->region_runs = w->runs;
	check_full(w);
	return w->full ? chunk_end(w, e) : 0;
}

static bool in_warm_up(const struct trace_writer *w)
{
	return w->warm_up && w->depth && strcmp(w->regions[w->depth - 1], WARM_UP_NAME) == 0;
}

static int open_region(struct trace_writer *w, const char *name, struct err *e)
{
	if (w->depth == TRACE_REGION_DEPTH)
		return err_set(e, STATUS_FAILED, "trace: region %s begins in %u others, expected fewer than %d", name,
			       w->depth, TRACE_REGION_DEPTH);
	memcpy(w->regions[w->depth++], name, strlen(name) + 1);
	return write_region(w, name, e);
}

int trace_writer_warm_up(struct trace_writer *w, bool begin, struct err *e)
{
	if (!w->warm_up)
		return err_set(e, STATUS_FAILED, "trace: a warm-up part, but the header declares none");
	if (begin == in_warm_up(w))
		return err_set(e, STATUS_FAILED,
			       begin ? "trace: nested warm-up part" : "trace: end of a warm-up part, but none is open");
	if (begin)
		return open_region(w, WARM_UP_NAME, e);
	w->depth--;
	return write_region(w, "", e);
}

int trace_writer_region(struct trace_writer *w, const char *name, bool begin, struct err *e)
{
	size_t length = strlen(name);
	if (in_warm_up(w))
		return err_set(e, STATUS_FAILED, "trace: region %s %s in a warm-up part, expected none there", name,
			       begin ? "begins" : "ends");
	if (w->warm_up && strcmp(name, WARM_UP_NAME) == 0)
		return err_set(e, STATUS_FAILED,
			       "trace: region name is the byte 1, which is reserved for warm-up parts");
	if (length < 1 || length >= TRACE_NAME_MAX)
		return err_set(e, STATUS_FAILED, "trace: region name of %zu bytes, expected 1 to %d", length,
			       TRACE_NAME_MAX - 1);
	if (begin)
		return open_region(w, name, e);
	if (w->depth == 0)
		return err_set(e, STATUS_FAILED, "trace: end of region %s, but none is open", name);
	if (strcmp(w->regions[w->depth - 1], name) != 0)
		return err_set(e, STATUS_FAILED,
			       "trace: end of region %s, expected the end of the "
			       "innermost, %s",
			       name, w->regions[w->depth - 1]);
	w->depth--;
	return write_region(w, "", e);
}

static void writer_free(struct trace_writer *w)
{
	for (uint32_t i = 0; i < w->block_count; i++)
		free(w->blocks[i].state);
	free(w->blocks);
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		bytes_free(&w->streams[i]);
	bytes_free(&w->code);
	bytes_free(&w->opening);
	free(w);
}

static int write_end(struct trace_writer *w, int exit_status, struct err *e)
{
	struct bytes content = {0};
	w->totals.exit_status = exit_status;
	w->totals.blocks = w->block_count;
	w->totals.static_insns = w->static_insns;
	w->totals.checksum = w->file.checksum;
	uint64_t end = w->file.offset;
	if (end_has_order(&w->file.index))
		w->file.version = FORMAT_VERSION;
	int status = end_encode(&w->totals, &w->file.index, &content) ? 0 : mem_short(e);
	if (status == 0)
		status = writer_file_member(&w->file, MEMBER_END, w->totals.insns, 0, &content, e);
	content.size = 0;
	if (status == 0)
		status = writer_file_member(&w->file, MEMBER_TAIL, end, 0, &content, e);
	bytes_free(&content);
	return status;
}

int trace_writer_close(struct trace_writer *w, int exit_status, struct err *e)
{
	int status = 0;
	if (w->runs || w->streams[STREAM_REGION].size)
		status = chunk_end(w, e);
	if (status == 0)
		status = write_code(w, e);
	if (status == 0)
		status = write_end(w, exit_status, e);
	if (status == 0)
		status = writer_file_close(&w->file, e);
	else
		writer_file_abort(&w->file);
	writer_free(w);
	return status;
}

void trace_writer_abort(struct trace_writer *w)
{
	if (!w)
		return;
	writer_file_abort(&w->file);
	writer_free(w);
}
