#include "warm.h"

#include <stdlib.h>

#include "../../isa/simd.h"
#include "uop.h"

enum { NO_TRANSFER = UINT16_MAX, SAVE_AREA = 16 * 8 };

/* Spill and fill access sixteen registers at their address, unless that is 0. Get and put have three addresses. */
enum warm_kind { WARM_READ, WARM_WRITE, WARM_PREFETCH, WARM_FILL, WARM_SPILL, WARM_GET, WARM_PUT };

struct warm_access {
	uint8_t kind; /* enum warm_kind */
	uint8_t how;  /* enum simd_how of a transfer */
	uint16_t ea;  /* index of its first address */
};

struct warm_block {
	unsigned line_bytes, l2_line_bytes; /* lines of L1I and of L2 */
	uint16_t transfer;                  /* the control transfer; NO_TRANSFER: none */
	uint16_t count;
	struct warm_access access[];
};

static enum warm_kind kind_of(const struct insn *i, const struct uop *u)
{
	if (u->flags & UOP_TRANSFER)
		return i->class == CLASS_SBM_PUT ? WARM_PUT : WARM_GET;
	if (u->flags & UOP_WINDOW)
		return u->flags & UOP_SAVE ? WARM_SPILL : WARM_FILL;
	if (u->flags & UOP_PREFETCH)
		return WARM_PREFETCH;
	return u->flags & UOP_STORE ? WARM_WRITE : WARM_READ;
}

struct warm_block *warm_block_create(const struct trace_block *b, const struct core_config *cfg)
{
	struct warm_block *w = malloc(sizeof(*w) + b->memory_count * sizeof(w->access[0]));
	uint16_t ea = 0;

	if (!w)
		return NULL;
	*w = (struct warm_block){
		.line_bytes = cfg->l1i.line_bytes, .l2_line_bytes = cfg->l2.line_bytes, .transfer = NO_TRANSFER};
	for (uint32_t n = 0; n < b->count; n++) {
		const struct insn *i = &b->insns[n];
		unsigned addresses = insn_address_count(i);
		struct uop u;

		uop_make(&u, i, b->pc + 4 * (uint64_t)n, 0, cfg);
		if (u.flags & UOP_CTI)
			w->transfer = (uint16_t)n;
		if (addresses)
			w->access[w->count++] = (struct warm_access){
				.kind = (uint8_t)kind_of(i, &u),
				.ea = ea,
				.how = i->asi == SIMD_DEAL ? SIMD_DEAL : SIMD_ONE,
			};
		ea += (uint16_t)addresses;
	}
	return w;
}

static void transfer(struct memsys *m, unsigned line_bytes, const struct warm_access *a, const uint64_t *ea)
{
	struct simd_transfer d = simd_transfer_unpack(ea[2], a->how);
	uint64_t piece = ea[0];

	for (uint32_t n = 0; d.bytes && n < d.pieces; n++, piece += (uint64_t)d.stride)
		for (uint64_t at = piece & ~(uint64_t)(line_bytes - 1); at < piece + d.bytes; at += line_bytes)
			memsys_warm_transfer(m, at, a->kind == WARM_PUT);
}

static void save_area(struct memsys *m, uint64_t address, bool write)
{
	for (uint64_t at = address; address && at < address + SAVE_AREA; at += 8)
		memsys_warm_data(m, at, write);
}

static void access_one(struct memsys *m, const struct warm_block *w, const struct warm_access *a, const uint64_t *ea)
{
	switch ((enum warm_kind)a->kind) {
	case WARM_READ:
	case WARM_WRITE:
		if (!simd_in_window(ea[0]))
			memsys_warm_data(m, ea[0], a->kind == WARM_WRITE);
		return;
	case WARM_PREFETCH: memsys_warm_prefetch(m, ea[0]); return;
	case WARM_FILL:
	case WARM_SPILL: save_area(m, ea[0], a->kind == WARM_SPILL); return;
	case WARM_GET:
	case WARM_PUT: transfer(m, w->l2_line_bytes, a, ea); return;
	}
}

/* Trains the predictor with the block's transfer, as fetch does (fetch.c). */
static void branch(struct bpred *p, const struct trace_block *b, unsigned at, const uint64_t *next)
{
	const struct insn *i = &b->insns[at];
	uint64_t pc = b->pc + 4 * (uint64_t)at;
	bool has_slot = at + 1 < b->count;
	uint64_t fall_through = pc + (has_slot || i->flags & INSN_ANNUL ? 8 : 4);
	uint64_t to = next ? *next : fall_through;

	bpred_train(p, pc, i, to != fall_through, to);
}

void warm_run(struct memsys *m, struct bpred *p, const struct trace_block *b, const struct warm_block *w,
	      const uint64_t *ea, const uint64_t *next)
{
	uint64_t end = b->pc + 4 * (uint64_t)b->count, mask = ~(uint64_t)(w->line_bytes - 1);

	for (uint64_t at = b->pc; at < end; at = (at & mask) + w->line_bytes)
		memsys_warm_fetch(m, at);
	for (unsigned n = 0; n < w->count; n++)
		access_one(m, w, &w->access[n], &ea[w->access[n].ea]);
	if (w->transfer != NO_TRANSFER)
		branch(p, b, w->transfer, next);
}
