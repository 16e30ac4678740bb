/*
 * Transfers between memory and buffer memories. A transfer is checked whole, then executed at
 * once. It stays outstanding until an sxwait covers it, to detect accesses that would race it
 * on hardware.
 */
#include "exec_simd.h"

#include "exec_memory.h"

/* ---- addresses of a transfer ---- */

static uint64_t piece_address(const struct simd_outstanding *o, uint32_t piece)
{
	return o->memory + (uint64_t)(o->transfer.stride * (int64_t)piece);
}

/* Returns the bytes [*low, *high) of `o` in the memory of `pe`; *low == *high if none. */
static void sbm_range(const struct simd_array *a, const struct simd_outstanding *o, unsigned pe, uint64_t *low,
		      uint64_t *high)
{
	unsigned named = 0;
	uint32_t offset = 0;
	bool all = simd_window_of(o->window, &named, &offset) == SIMD_WINDOW_ALL;

	*low = *high = offset;
	if (all || named == pe)
		*high += (uint64_t)o->transfer.bytes * simd_transfer_share(&o->transfer, a->pes, pe);
}

/* Ranges may be empty, and then overlap nothing. */
static bool overlap(uint64_t low1, uint64_t high1, uint64_t low2, uint64_t high2)
{
	return low1 < high2 && low2 < high1 && low1 < high1 && low2 < high2;
}

static bool overlap_in_sbm(const struct simd_array *a, const struct simd_outstanding *x,
			   const struct simd_outstanding *y)
{
	for (unsigned pe = 0; pe < a->pes; pe++) {
		uint64_t low1, high1, low2, high2;

		sbm_range(a, x, pe, &low1, &high1);
		sbm_range(a, y, pe, &low2, &high2);
		if (overlap(low1, high1, low2, high2))
			return true;
	}
	return false;
}

/* Returns the range in memory that contains all pieces: [*low, *high). */
static void span(const struct simd_outstanding *o, uint64_t *low, uint64_t *high)
{
	uint64_t last = piece_address(o, o->transfer.pieces - 1);

	*low = o->transfer.stride < 0 ? last : o->memory;
	*high = (o->transfer.stride < 0 ? o->memory : last) + o->transfer.bytes;
}

/* Returns whether a piece of `o` has a byte in [low, high). */
static bool has_piece_in(const struct simd_outstanding *o, uint64_t low, uint64_t high)
{
	int64_t stride = o->transfer.stride;
	uint64_t first, last;

	span(o, &first, &last);
	if (!overlap(first, last, low, high))
		return false;
	if (stride == 0 || o->transfer.pieces == 1)
		return true;
	/* the last piece that begins below `high`, counted upwards from `first`, reaches furthest */
	uint64_t step = stride < 0 ? (uint64_t)-stride : (uint64_t)stride;
	uint64_t n = (high - 1 - first) / step;

	if (n >= o->transfer.pieces)
		n = o->transfer.pieces - 1;
	return first + n * step + o->transfer.bytes > low;
}

static bool overlap_in_memory(const struct simd_outstanding *x, const struct simd_outstanding *y)
{
	uint64_t low1, high1, low2, high2;

	span(x, &low1, &high1);
	span(y, &low2, &high2);
	if (!overlap(low1, high1, low2, high2))
		return false;
	for (uint32_t k = 0; k < x->transfer.pieces; k++) {
		uint64_t at = piece_address(x, k);

		if (has_piece_in(y, at, at + x->transfer.bytes))
			return true;
	}
	return false;
}

/* ---- outstanding transfers ---- */

static const struct simd_outstanding *outstanding(const struct simd_array *a, unsigned n)
{
	return &a->outstanding[(a->first + n) % SIMD_OUTSTANDING_MAX];
}

/* Extends the range of offsets that contains all outstanding transfers. */
static void extend_busy_range(struct simd_array *a, const struct simd_outstanding *o)
{
	uint64_t low, high;
	uint32_t offset = 0;
	unsigned pe = 0;

	simd_window_of(o->window, &pe, &offset);
	sbm_range(a, o, pe, &low, &high); /* PE 0 has the largest share of a deal */
	if (a->count == 1 || low < a->busy_low)
		a->busy_low = (uint32_t)low;
	if (a->count == 1 || high > a->busy_high)
		a->busy_high = (uint32_t)high;
}

bool simd_race_slow(const struct simd_array *a, const struct simd_place *at, unsigned size, bool write)
{
	for (unsigned n = 0; n < a->count; n++) {
		const struct simd_outstanding *o = outstanding(a, n);
		unsigned pe = at->window == SIMD_WINDOW_PE ? at->pe : 0;
		unsigned end = at->window == SIMD_WINDOW_PE ? pe + 1 : a->pes;

		for (; (write || !o->put) && pe < end; pe++) {
			uint64_t low, high;

			sbm_range(a, o, pe, &low, &high);
			if (overlap(low, high, at->offset, (uint64_t)at->offset + size))
				return true;
		}
	}
	return false;
}

X(sxwait)
{
	struct simd_array *a = c->array;
	unsigned keep = (unsigned)i->imm;

	if (!a)
		return TRAP_ILLEGAL;
	a->used = true;
	if (a->count <= keep)
		return TRAP_NONE;
	a->first = (a->first + a->count - keep) % SIMD_OUTSTANDING_MAX;
	a->count = 0;
	a->busy_low = a->busy_high = 0;
	for (unsigned n = 0; n < keep; n++) {
		a->count++;
		extend_busy_range(a, outstanding(a, n));
	}
	return TRAP_NONE;
}

/* ---- checks ---- */

static enum cpu_trap check_shape(struct cpu *c, const struct simd_outstanding *o, uint64_t descriptor)
{
	const struct simd_array *a = c->array;
	const struct simd_transfer *t = &o->transfer;
	unsigned pe = 0;
	uint32_t offset = 0;
	enum simd_window window = simd_window_of(o->window, &pe, &offset);
	uint64_t end = offset + (uint64_t)t->bytes * simd_transfer_share(t, a->pes, 0);

	if (!t->bytes || !t->pieces)
		return simd_trap(c, SIMD_FAULT_TRANSFER_EMPTY, descriptor);
	if (t->bytes % SIMD_TRANSFER_ALIGN)
		return simd_trap(c, SIMD_FAULT_TRANSFER_BYTES, t->bytes);
	if (o->memory % SIMD_TRANSFER_ALIGN)
		return simd_trap(c, SIMD_FAULT_TRANSFER_ALIGN, o->memory);
	if (o->window % SIMD_TRANSFER_ALIGN)
		return simd_trap(c, SIMD_FAULT_TRANSFER_ALIGN, o->window);
	if (window == SIMD_WINDOW_NONE)
		return simd_trap(c, SIMD_FAULT_TRANSFER_WINDOW, o->window);
	if (pe >= a->pes)
		return simd_trap(c, SIMD_FAULT_NO_WINDOW, o->window);
	if (t->deal && window != SIMD_WINDOW_ALL)
		return simd_trap(c, SIMD_FAULT_TRANSFER_DEAL, o->window);
	if (!t->deal && o->put && window == SIMD_WINDOW_ALL)
		return simd_trap(c, SIMD_FAULT_TRANSFER_ONE, o->window);
	if (end > a->sbm_bytes)
		return simd_trap(c, SIMD_FAULT_TRANSFER_BEYOND, o->window + (end - offset) - 8);
	return TRAP_NONE;
}

/* Checks that each page of each piece is accessible. */
static enum cpu_trap check_memory(struct cpu *c, const struct simd_outstanding *o)
{
	for (uint32_t k = 0; k < o->transfer.pieces; k++) {
		uint64_t at = piece_address(o, k), end = at + o->transfer.bytes;

		for (; at < end; at = (at / CPU_PAGE_SIZE + 1) * CPU_PAGE_SIZE)
			if (!(o->put ? mem_write(c, at) : mem_read(c, at)))
				return simd_trap(c, SIMD_FAULT_TRANSFER_UNMAPPED, at);
	}
	return TRAP_NONE;
}

static enum cpu_trap check_outstanding(struct cpu *c, const struct simd_outstanding *o)
{
	const struct simd_array *a = c->array;

	if (a->count == SIMD_OUTSTANDING_MAX)
		return simd_trap(c, SIMD_FAULT_TRANSFER_MANY, SIMD_OUTSTANDING_MAX);
	for (unsigned n = 0; n < a->count; n++) {
		const struct simd_outstanding *other = outstanding(a, n);

		if ((o->put || other->put) && overlap_in_memory(o, other))
			return simd_trap(c, SIMD_FAULT_TRANSFER_MEMORY, o->memory);
		if (!(o->put && other->put) && overlap_in_sbm(a, o, other))
			return simd_trap(c, SIMD_FAULT_TRANSFER_SBM, o->window);
	}
	return TRAP_NONE;
}

/* ---- execution ---- */

/* Moves one doubleword of one memory or of all; `pe` is an index, or `pes` for all. */
static inline void move_word(struct simd_array *a, uint8_t *p, unsigned pe, uint32_t offset, bool put)
{
	if (put) {
		put_be64(p, *simd_word(a, pe, offset));
	} else if (pe < a->pes) {
		*simd_word(a, pe, offset) = get_be64(p);
	} else {
		for (unsigned k = 0; k < a->pes; k++)
			*simd_word(a, k, offset) = get_be64(p);
	}
}

static void move_piece(struct cpu *c, const struct simd_outstanding *o, uint64_t at, unsigned pe, uint32_t offset)
{
	uint64_t end = at + o->transfer.bytes;
	uint8_t *p = NULL;

	for (; at < end; at += 8, p += 8, offset += 8) {
		if (!p || at % CPU_PAGE_SIZE == 0)
			p = o->put ? mem_write(c, at) : mem_read(c, at);
		move_word(c->array, p, pe, offset, o->put);
	}
}

static void move_all(struct cpu *c, const struct simd_outstanding *o)
{
	const struct simd_transfer *t = &o->transfer;
	unsigned pes = c->array->pes, pe = pes;
	uint32_t offset = 0;

	simd_window_of(o->window, &pe, &offset); /* pe stays `pes` for the window of all */
	for (uint32_t k = 0; k < t->pieces; k++) {
		uint32_t place = t->deal ? k / pes : k;

		move_piece(c, o, piece_address(o, k), t->deal ? k % pes : pe, offset + place * t->bytes);
	}
}

static enum cpu_trap exec_sbm_transfer(struct cpu *c, const struct insn *i, bool put)
{
	struct simd_array *a = c->array;
	struct simd_outstanding o = {
		.transfer = simd_transfer_unpack(c->r[i->rd], i->asi),
		.memory = c->r[i->rs1],
		.window = c->r[i->rs2],
		.put = put,
	};
	enum cpu_trap trap;

	if (!a)
		return TRAP_ILLEGAL;
	a->used = true;
	trap = check_shape(c, &o, c->r[i->rd]);
	if (trap == TRAP_NONE)
		trap = check_memory(c, &o);
	if (trap == TRAP_NONE)
		trap = check_outstanding(c, &o);
	if (trap != TRAP_NONE)
		return trap;
	move_all(c, &o);
	a->outstanding[(a->first + a->count++) % SIMD_OUTSTANDING_MAX] = o;
	extend_busy_range(a, &o);
	log_ea(c, o.memory);
	log_ea(c, o.window);
	log_ea(c, c->r[i->rd]);
	return TRAP_NONE;
}

X(sxget)
{
	return exec_sbm_transfer(c, i, false);
}

X(sxput)
{
	return exec_sbm_transfer(c, i, true);
}
