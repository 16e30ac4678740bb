/* Reading traces: chunks, and the predictions that replace what the writer omitted. */
#include "reader.h"

#include <errno.h>
#include <sys/stat.h>

#include "../psim/base/mem.h"

static int trace_reader_fail(struct trace_reader *r, struct err *e)
{
	if (e)
		*e = r->error;
	return -1;
}

static int open_input(struct trace_reader *r, const char *path, struct err *e)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat st;
	r->path = strdup(standard ? "standard input" : path);
	if (!r->path)
		return mem_short(e);
	r->in = standard ? stdin : fopen(path, "rb");
	if (!r->in || fstat(fileno(r->in), &st) != 0)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", r->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return err_set(e, STATUS_BAD_INPUT, "%s: a directory, expected a trace", r->path);
	r->regular = !standard && S_ISREG(st.st_mode);
	return 0;
}

int trace_reopen(struct trace_reader *r, struct err *e)
{
	struct stat before, now;
	FILE *in = fopen(r->path, "rb");

	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open again: %s", r->path, strerror(errno));
	if (fstat(fileno(r->in), &before) != 0 || fstat(fileno(in), &now) != 0 || before.st_dev != now.st_dev ||
	    before.st_ino != now.st_ino || fseeko(in, (off_t)r->offset, SEEK_SET) != 0) {
		fclose(in);
		return err_set(e, STATUS_FAILED, "%s: another file than before, expected that it stays", r->path);
	}
	fclose(r->in);
	r->in = in;
	return 0;
}

static int read_header(struct trace_reader *r)
{
	if (reader_member(r) < 0)
		return -1;
	const struct view v = {r->content.data, r->content.data + r->content.size};
	const char *wrong = info_decode(v, r->member.version, &r->info);
	if (wrong)
		return reader_wrong(r, wrong);
	r->header_size = r->member.stored;
	return r->regular ? reader_find_end(r) : 0;
}

struct trace_reader *trace_open(const char *path, struct err *e)
{
	struct trace_reader *r = aligned_alloc(64, (sizeof(*r) + 63) / 64 * 64);
	if (!r) {
		mem_short(e);
		return NULL;
	}
	memset(r, 0, sizeof(*r));
	r->in_order = true;
	if (open_input(r, path, e) < 0) {
		trace_close(r);
		return NULL;
	}
	if (read_header(r) < 0) {
		trace_reader_fail(r, e);
		trace_close(r);
		return NULL;
	}
	return r;
}

void trace_close(struct trace_reader *r)
{
	if (!r)
		return;
	if (r->leader) {
		reader_follow_close(r);
		return;
	}
	if (r->in && r->in != stdin)
		fclose(r->in);
	if (r->inflater_ready)
		inflateEnd(&r->inflater);
	bytes_free(&r->packed);
	bytes_free(&r->content);
	index_free(&r->index);
	index_free(&r->seen);
	info_free(&r->info);
	reader_code_free(r);
	free(r->path);
	free(r);
}

const struct trace_info *trace_info(const struct trace_reader *r)
{
	return &r->info.info;
}

uint64_t trace_position(const struct trace_reader *r)
{
	return r->position;
}

uint64_t trace_length(const struct trace_reader *r)
{
	return r->totals_known ? r->totals.insns : 0;
}

uint32_t trace_checksum(const struct trace_reader *r)
{
	return r->totals_known ? r->totals.checksum : r->checksum;
}

const struct trace_totals *trace_totals(const struct trace_reader *r)
{
	return r->totals_known ? &r->totals : NULL;
}

const struct trace_order *trace_orders(const struct trace_reader *r, size_t *count)
{
	*count = r->totals_known ? r->index.order_count : 0;
	return r->index.orders;
}

const struct trace_section *trace_sections(const struct trace_reader *r, size_t *count)
{
	*count = r->totals_known ? r->index.section_count : 0;
	return r->index.sections;
}

/* ---- begin and end of a chunk ---- */

static void trace_reader_reset_block(struct trace_reader *r, struct block *b)
{
	static const uint64_t zeros[TRACE_ADDRESSES_MAX + 1];
	b->chunk = r->load;
	b->next = 0;
	b->last = zeros;
	memset(b->stride, 0, b->pub.memory_count * sizeof(*b->stride));
}

/* Reads a name of 1 to TRACE_NAME_MAX - 1 bytes, or, with `empty`, of none. */
static bool read_name(struct view *v, bool empty, char name[TRACE_NAME_MAX])
{
	uint64_t n;
	if (!view_number(v, TRACE_NAME_MAX - 1, &n) || n > view_left(v) || (n == 0 && !empty) ||
	    memchr(v->p, 0, (size_t)n))
		return false;
	memcpy(name, v->p, (size_t)n);
	name[n] = '\0';
	v->p += n;
	return true;
}

static bool is_warm_up(const struct trace_reader *r, const char *name)
{
	return r->info.info.warm_up && strcmp(name, WARM_UP_NAME) == 0;
}

static const char *read_open_regions(struct trace_reader *r, struct view *v)
{
	uint64_t depth;
	if (!view_number(v, TRACE_REGION_DEPTH, &depth))
		return "the number of open regions is truncated or out of range";
	if (r->in_order && depth != r->depth)
		return "the open regions differ from those before the chunk";
	for (r->depth = 0; r->depth < depth; r->depth++) {
		char name[TRACE_NAME_MAX];
		if (!read_name(v, false, name))
			return "an open region's name is truncated or out of range";
		if (r->in_order && strcmp(name, r->regions[r->depth]) != 0)
			return "the open regions differ from those before the chunk";
		if (r->depth && is_warm_up(r, r->regions[r->depth - 1]))
			return "a region is open in a warm-up part";
		memcpy(r->regions[r->depth], name, sizeof(name));
	}
	r->warm_up = depth && is_warm_up(r, r->regions[depth - 1]);
	return NULL;
}

static const char *read_streams(struct trace_reader *r, struct view *v)
{
	uint64_t size[STREAM_COUNT];
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		if (!view_number(v, DATA_MAX, &size[i]))
			return "the size of a column is truncated or out of range";
	for (unsigned i = 0; i < STREAM_COUNT; i++) {
		if (size[i] > view_left(v))
			return "a column is truncated";
		r->streams[i] = (struct view){v->p, v->p + size[i]};
		v->p += size[i];
	}
	return view_left(v) ? "bytes follow the columns" : NULL;
}

static const char *read_ea_gap(struct trace_reader *r)
{
	uint64_t gap;
	if (!view_varint(&r->streams[STREAM_EA_GAP], &gap))
		return "the column of address gaps is truncated";
	r->ea_hits = gap >> 1;
	r->adopt = gap & 1;
	return NULL;
}

/* Reads the number of runs until the next region event, or until the chunk's end. */
static const char *read_region_gap(struct trace_reader *r)
{
	struct view *v = &r->streams[STREAM_REGION];
	r->until = r->runs_left;
	if (view_left(v) && !view_number(v, r->runs_left, &r->until))
		return "a region event is beyond the end of the chunk";
	r->runs_left -= r->until;
	return NULL;
}

static const char *open_chunk(struct trace_reader *r)
{
	struct view v = {r->content.data, r->content.data + r->content.size};
	uint64_t insns;
	if (!view_number(&v, CHUNK_INSNS_MAX, &r->runs) || !view_number(&v, CHUNK_INSNS_MAX, &insns) ||
	    !view_number(&v, CHUNK_ADDRESSES_MAX, &r->accesses) || insns != r->member.insns || r->runs > insns ||
	    r->accesses > 3 * insns)
		return "a count is truncated or out of range";
	const char *wrong = read_open_regions(r, &v);
	if (!wrong)
		wrong = read_streams(r, &v);
	if (wrong)
		return wrong;
	if (r->runs ? r->block_count == 0 : view_left(&r->streams[STREAM_REGION]) == 0)
		return "the chunk has runs without blocks, or is empty";
	r->load++;
	r->context = 0;
	memset(r->table, 0, sizeof(r->table));
	if (r->block_count) {
		r->previous = r->blocks[0];
		trace_reader_reset_block(r, r->previous);
	}
	r->runs_left = r->runs;
	r->seen_accesses = 0;
	r->in_chunk = true;
	if (!view_varint(&r->streams[STREAM_JUMP_GAP], &r->jump_hits))
		return "the column of block gaps is truncated";
	wrong = read_ea_gap(r);
	return wrong ? wrong : read_region_gap(r);
}

/* Checks that everything in the chunk was consumed, and that its counts are right. */
static const char *close_chunk(struct trace_reader *r)
{
	r->in_chunk = false;
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		if (view_left(&r->streams[i]))
			return "a column has unused data";
	if (r->jump_hits || r->ea_hits || r->adopt)
		return "the chunk has unused predictions";
	if (r->position != r->next_at || r->seen_accesses != r->accesses)
		return "the stated numbers of instructions and addresses are wrong";
	r->sum_runs += r->runs;
	r->sum_accesses += r->accesses;
	return NULL;
}

/* ---- between runs: region events, the next member ---- */

/*
 * Reads the next region event. Returns its kind, TRACE_RUN for the begin or end of a warm-up
 * part, or -1.
 */
static int read_region_event(struct trace_reader *r, struct trace_step *step)
{
	char name[TRACE_NAME_MAX];
	if (!read_name(&r->streams[STREAM_REGION], true, name))
		return reader_damage(r, "a region's name is truncated or out of range");
	int event = name[0] ? TRACE_REGION_BEGIN : TRACE_REGION_END;
	if (name[0] && r->warm_up)
		return reader_damage(r, "a region begins in a warm-up part");
	if (event == TRACE_REGION_BEGIN) {
		if (r->depth == TRACE_REGION_DEPTH)
			return reader_damage(r, "more than %d regions are open", TRACE_REGION_DEPTH);
		memcpy(r->regions[r->depth++], name, sizeof(name));
		step->name = r->regions[r->depth - 1];
	} else {
		if (r->depth == 0)
			return reader_damage(r, "end of a region, but none is open");
		step->name = r->regions[--r->depth];
	}
	if (is_warm_up(r, step->name)) {
		r->warm_up = event == TRACE_REGION_BEGIN;
		event = TRACE_RUN;
	}
	const char *wrong = read_region_gap(r);
	return wrong ? reader_wrong(r, wrong) : event;
}

/* Reads members up to and including the next chunk (1) or the end (0). */
static int trace_reader_next_chunk(struct trace_reader *r)
{
	for (;;) {
		if (reader_member(r) < 0)
			return -1;
		if (r->member.kind == MEMBER_END)
			return reader_end(r) < 0 ? -1 : reader_tail(r);
		if (r->member.kind == MEMBER_DATA) {
			const char *wrong = open_chunk(r);
			return wrong ? reader_wrong(r, wrong) : 1;
		}
		if (reader_code(r) < 0)
			return -1;
	}
}

/* Returns the next event between runs, or TRACE_RUN if runs are available again. */
__attribute__((noinline)) static int next_event(struct trace_reader *r, struct trace_step *step)
{
	while (!r->damaged && !r->finished) {
		if (r->in_chunk && view_left(&r->streams[STREAM_REGION])) {
			int event = read_region_event(r, step);
			if (event == TRACE_RUN && !r->until)
				continue;
			return event;
		}
		if (r->in_chunk) {
			const char *wrong = close_chunk(r);
			if (wrong)
				return reader_wrong(r, wrong);
		}
		int more = trace_reader_next_chunk(r);
		if (more < 0)
			return -1;
		if (more && r->until)
			return TRACE_RUN;
	}
	return r->damaged ? -1 : TRACE_END;
}

/* ---- runs ---- */

/* Reads the block after a misprediction. Returns NULL on damage. */
__attribute__((noinline)) static struct block *trace_reader_read_block(struct trace_reader *r)
{
	uint64_t code;
	if (!view_varint(&r->streams[STREAM_JUMP], &code) ||
	    !view_varint(&r->streams[STREAM_JUMP_GAP], &r->jump_hits)) {
		reader_damage(r, "a column of blocks is truncated");
		return NULL;
	}
	uint64_t id = code ? code - 1 : r->previous->next;
	if (id >= r->block_count) {
		reader_damage(r, "unknown block %llu, expected one of %lu", (unsigned long long)id,
			      (unsigned long)r->block_count);
		return NULL;
	}
	r->table[r->context] = (uint32_t)id;
	return r->blocks[id];
}

/* Computes addresses, some of which are mispredicted and read from the trace. */
__attribute__((noinline)) static bool read_addresses(struct trace_reader *r, const struct block *b)
{
	struct view *steps = &r->streams[STREAM_EA];
	for (uint32_t i = 0; i < b->pub.memory_count; i++) {
		if (r->ea_hits) {
			r->ea_hits--;
			b->run[i] = b->last[i] + b->stride[i];
			continue;
		}
		uint64_t step;
		bool adopt = r->adopt;
		if (!view_varint(steps, &step) || read_ea_gap(r)) {
			reader_damage(r, "a column of addresses is truncated");
			return false;
		}
		step = unzigzag(step);
		b->run[i] = b->last[i] + step;
		if (adopt)
			b->stride[i] = step;
	}
	return true;
}

/* sum[i] = a[i] + b[i], in whole pairs. */
static inline void add_pairs(uint64_t *sum, const uint64_t *a, const uint64_t *b, uint32_t count)
{
	typedef uint64_t pair __attribute__((vector_size(16)));
	for (uint32_t i = 0; i < count; i += 2) {
		pair x, y;
		memcpy(&x, a + i, sizeof(x));
		memcpy(&y, b + i, sizeof(y));
		x += y;
		memcpy(sum + i, &x, sizeof(x));
	}
}

/* Makes the buffer with the addresses of a run the last one. */
static inline void take_addresses(struct block *b)
{
	b->last = b->run;
	b->run = b->stride + (3 * block_pairs(b) - (size_t)(b->run - b->stride)); /* the two buffers by turns */
}

/* Computes the addresses of a run: b->last, and the buffer for the run after it. */
static inline bool addresses(struct trace_reader *r, struct block *b)
{
	const uint32_t n = b->pub.memory_count;
	if (b->chunk != r->load)
		trace_reader_reset_block(r, b);
	r->seen_accesses += n;
	if (r->ea_hits < n) {
		if (!read_addresses(r, b))
			return false;
	} else {
		r->ea_hits -= n;
		add_pairs(b->run, b->last, b->stride, n);
	}
	take_addresses(b);
	return true;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Counts those of the next runs that certainly repeat the last one, of block `b`, with its strides: its context is its
 * own successor, and the predictions of blocks and addresses are right. They are taken from all counts at once.
 */
__attribute__((noinline)) static void count_repeats(struct trace_reader *r, const struct block *b)
{
	uint64_t n = b->pub.memory_count, repeats = least(r->until, r->jump_hits);
	if (n)
		repeats = least(repeats, r->ea_hits / n);
	if (!repeats)
		return;
	r->repeats = repeats;
	r->after = r->until - repeats;
	r->until = 0;
	r->jump_hits -= repeats;
	r->ea_hits -= repeats * n;
	r->seen_accesses += repeats * n;
}

/* Undoes count_repeats for the runs that have not been read. */
static void uncount_repeats(struct trace_reader *r)
{
	uint64_t repeats = r->repeats, n = repeats ? r->previous->pub.memory_count : 0;
	if (!repeats)
		return;
	r->until = r->after + repeats;
	r->jump_hits += repeats;
	r->ea_hits += repeats * n;
	r->seen_accesses -= repeats * n;
	r->repeats = 0;
}

/* Takes repeats; the last one makes the runs after them available. */
static inline void take_repeats(struct trace_reader *r, uint64_t count)
{
	r->repeats -= count;
	if (!r->repeats)
		r->until = r->after;
}

/* Reads the next run, which is a repeat. */
static inline int next_repeat(struct trace_reader *r, struct trace_step *step)
{
	struct block *b = r->previous;
	take_repeats(r, 1);
	add_pairs(b->run, b->last, b->stride, b->pub.memory_count);
	take_addresses(b);
	r->position += b->pub.count;
	step->block = &b->pub;
	step->ea = b->last;
	step->warm_up = r->warm_up;
	return TRACE_RUN;
}

/* Delivers the next run, of block `b`. */
static inline int take_run(struct trace_reader *r, struct block *b, struct trace_step *step)
{
	r->context = context_push(r->context, b->pub.id);
	r->previous->next = b->pub.id;
	r->previous = b;
	if (!addresses(r, b))
		return -1;
	r->position += b->pub.count;
	step->block = &b->pub;
	step->ea = b->last;
	step->warm_up = r->warm_up;
	return TRACE_RUN;
}

/* As above, of the block of the run before, where repeats may follow. */
__attribute__((noinline)) static int take_run_again(struct trace_reader *r, struct block *b, struct trace_step *step)
{
	uint32_t context = r->context;
	if (take_run(r, b, step) < 0)
		return -1;
	if (r->context == context)
		count_repeats(r, b);
	return TRACE_RUN;
}

/* Reads the next run, of which one is left. */
static inline int next_run(struct trace_reader *r, struct trace_step *step)
{
	struct block *b;
	r->until--;
	if (__builtin_expect(r->jump_hits != 0, 1)) {
		r->jump_hits--;
		b = r->blocks[r->table[r->context]];
	} else if (!(b = trace_reader_read_block(r))) {
		return -1;
	}
	if (__builtin_expect(b == r->previous && r->ea_hits > 4 * b->pub.memory_count, 0))
		return take_run_again(r, b, step);
	return take_run(r, b, step);
}

/* trace_next where the next run is a repeat, or none is left before the next event, or a failure to report. */
__attribute__((noinline)) static int trace_next_event(struct trace_reader *r, struct trace_step *step, struct err *e)
{
	int event;
	if (r->repeats)
		return next_repeat(r, step);
	if (r->pending.block) {
		step->block = r->pending.block;
		step->ea = r->pending.ea;
		step->warm_up = r->warm_up;
		r->pending.block = NULL;
		r->until = r->pending_until;
		r->position += step->block->count;
		return TRACE_RUN;
	}
	if (r->leader) {
		event = reader_follow_next(r, step);
		return event < 0 ? trace_reader_fail(r, e) : event;
	}
	event = next_event(r, step);
	if (event == TRACE_RUN)
		return trace_next(r, step, e);
	return event < 0 ? trace_reader_fail(r, e) : event;
}

int trace_next(struct trace_reader *r, struct trace_step *step, struct err *e)
{
	if (__builtin_expect(r->until == 0, 0))
		return trace_next_event(r, step, e);
	if (__builtin_expect(next_run(r, step) < 0, 0))
		return trace_reader_fail(r, e);
	return TRACE_RUN;
}

uint64_t trace_repeats(const struct trace_reader *r)
{
	return r->repeats;
}

const uint64_t *trace_strides(const struct trace_reader *r)
{
	return r->previous->stride;
}

void trace_skip_repeats(struct trace_reader *r, uint64_t count)
{
	struct block *b = r->previous;
	uint64_t *last = b->stride + (3 * block_pairs(b) - (size_t)(b->run - b->stride));
	take_repeats(r, count);
	r->position += count * b->pub.count;
	for (uint32_t i = 0; i < b->pub.memory_count; i++) {
		b->run[i] += count * b->stride[i];
		last[i] += count * b->stride[i];
	}
}

/* ---- seeking ---- */

/* The row of the index whose chunk contains instruction `insn`. */
static size_t trace_reader_find_entry(const struct trace_index *x, uint64_t insn)
{
	size_t low = 0, high = x->count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (x->entries[middle].at <= insn)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Reads the static blocks of all members before row `line` of the index. */
static int load_code(struct trace_reader *r, size_t line)
{
	for (size_t i = r->code_sequence ? r->code_sequence - 1 : 0; i < line; i++) {
		const struct index_entry *x = &r->index.entries[i];
		if (x->insns)
			continue;
		if (reader_goto(r, x->offset, (uint32_t)i + 1, x->at) < 0 || reader_member(r) < 0)
			return -1;
		if (r->member.kind == MEMBER_CODE && reader_code(r) < 0)
			return -1;
	}
	return 0;
}

static int skip_to(struct trace_reader *r, uint64_t insn, struct err *e)
{
	struct trace_step step;
	int event;
	do {
		event = trace_next(r, &step, e);
	} while (event > 0 && (event != TRACE_RUN || r->position <= insn));
	if (event < 0)
		return -1;
	if (event == TRACE_END) {
		reader_damage(r, "the index contains an instruction that the trace does not");
		return trace_reader_fail(r, e);
	}
	uncount_repeats(r);
	r->position -= step.block->count;
	r->pending = step;
	r->pending_until = r->until;
	r->until = 0;
	return 0;
}

int trace_seek(struct trace_reader *r, uint64_t insn, struct err *e)
{
	if (!r->regular)
		return err_set(e, STATUS_USAGE,
			       "%s: cannot seek, expected a "
			       "regular file",
			       r->path);
	if (r->damaged)
		return trace_reader_fail(r, e);
	if (insn >= r->totals.insns)
		return err_set(e, STATUS_USAGE, "%s: no instruction %llu, expected less than %llu", r->path,
			       (unsigned long long)insn, (unsigned long long)r->totals.insns);
	size_t line = trace_reader_find_entry(&r->index, insn);
	const struct index_entry *x = &r->index.entries[line];
	r->in_order = false;
	r->pending.block = NULL;
	r->until = r->repeats = 0;
	if (load_code(r, line) < 0 || reader_goto(r, x->offset, (uint32_t)line + 1, x->at) < 0)
		return trace_reader_fail(r, e);
	r->position = x->at;
	return skip_to(r, insn, e);
}
