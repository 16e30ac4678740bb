#include "warm.h"

#include <stdlib.h>

#include "../../isa/simd.h"
#include "uop.h"
#include "../bpred/bpred.h"
#include "../memory/prefetch.h"

enum { SAVE_AREA = 16 * 8 };

/*
 * Spill and fill access sixteen registers at their address, unless that is 0. Get and put have three addresses. A noted
 * access is a plain one of a machine with prefetcher_needs_pc.
 */
enum warm_kind { WARM_PLAIN, WARM_NOTED, WARM_PREFETCH, WARM_FILL, WARM_SPILL, WARM_GET, WARM_PUT };

/* An access, or several loads and stores in a row. */
struct warm_access {
	uint8_t kind;   /* enum warm_kind */
	uint8_t how;    /* enum simd_how of a transfer */
	uint16_t ea;    /* index of its first address */
	uint16_t count; /* WARM_PLAIN: loads and stores */
};

struct warm_block {
	unsigned l2_line_bytes;
	/* the control transfer */
	const struct insn *transfer; /* NULL: none */
	uint64_t transfer_pc, fall_through;
	bool *write;      /* for each address: of a store */
	uint64_t begin;   /* of the block; with noted accesses: */
	uint16_t *number; /* for each address: of its instruction in the block; NULL: no access is noted */
	uint16_t count;
	struct warm_access access[];
};

static enum warm_kind warm_kind_of(const struct insn *i, const struct uop *u)
{
	if (u->flags & UOP_TRANSFER)
		return i->class == CLASS_SBM_PUT ? WARM_PUT : WARM_GET;
	if (u->flags & UOP_WINDOW)
		return u->flags & UOP_SAVE ? WARM_SPILL : WARM_FILL;
	return u->flags & UOP_PREFETCH ? WARM_PREFETCH : WARM_PLAIN;
}

/*
 * Adds the access of `i`, instruction `number` of the block, whose first address is number `ea`: to the loads and
 * stores before it, or as a new one.
 */
static void warm_add_access(struct warm_block *w, const struct insn *i, const struct uop *u, uint16_t number,
			    uint16_t ea)
{
	struct warm_access a = {
		.kind = (uint8_t)warm_kind_of(i, u),
		.ea = ea,
		.how = i->asi == SIMD_DEAL ? SIMD_DEAL : SIMD_ONE,
		.count = 1,
	};

	if (a.kind == WARM_PLAIN) {
		w->write[ea] = u->flags & UOP_STORE;
		if (w->number) {
			a.kind = WARM_NOTED;
			w->number[ea] = number;
		}
		if (w->count && w->access[w->count - 1].kind == a.kind) {
			w->access[w->count - 1].count++;
			return;
		}
	}
	w->access[w->count++] = a;
}

/* The successor of a transfer that is not taken follows its delay slot, if that is executed or annulled. */
static void set_transfer(struct warm_block *w, const struct trace_block *b, uint32_t n)
{
	const struct insn *i = &b->insns[n];
	bool has_slot = n + 1 < b->count;

	w->transfer = i;
	w->transfer_pc = b->pc + 4 * (uint64_t)n;
	w->fall_through = w->transfer_pc + (has_slot || i->flags & INSN_ANNUL ? 8 : 4);
}

struct warm_block *warm_block_create(const struct trace_block *b, const struct core_config *cfg)
{
	struct warm_block *w = calloc(
		1, sizeof(*w) + b->memory_count * (sizeof(w->access[0]) + sizeof(w->number[0]) + sizeof(w->write[0])));
	uint16_t ea = 0;

	if (!w)
		return NULL;
	w->l2_line_bytes = cfg->l2.line_bytes;
	w->begin = b->pc;
	w->number = (uint16_t *)&w->access[b->memory_count];
	w->write = (bool *)&w->number[b->memory_count];
	if (!prefetcher_needs_pc(&cfg->prefetch))
		w->number = NULL;
	for (uint32_t n = 0; n < b->count; n++) {
		const struct insn *i = &b->insns[n];
		unsigned addresses = insn_address_count(i);
		struct uop u;

		uop_make(&u, i, b->pc + 4 * (uint64_t)n, 0, cfg);
		if (u.flags & UOP_CTI)
			set_transfer(w, b, n);
		if (addresses)
			warm_add_access(w, i, &u, (uint16_t)n, ea);
		ea += (uint16_t)addresses;
	}
	return w;
}

static void warm_transfer(struct memsys *m, unsigned line_bytes, const struct warm_access *a, const uint64_t *ea)
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
		memsys_warm_data(m, &at, &write, 1);
}

/* Plain accesses of which the memory system knows the instructions. */
static void warm_noted(struct memsys *m, const struct warm_block *w, const struct warm_access *a, const uint64_t *ea)
{
	for (unsigned n = 0; n < a->count; n++) {
		memsys_note_pc(m, w->begin + 4 * (uint64_t)w->number[a->ea + n]);
		memsys_warm_data(m, &ea[n], &w->write[a->ea + n], 1);
	}
	memsys_note_pc(m, 0);
}

static void access_one(struct memsys *m, const struct warm_block *w, const struct warm_access *a, const uint64_t *ea)
{
	switch ((enum warm_kind)a->kind) {
	case WARM_PLAIN: memsys_warm_data(m, ea, &w->write[a->ea], a->count); return;
	case WARM_NOTED: warm_noted(m, w, a, ea); return;
	case WARM_PREFETCH: memsys_warm_prefetch(m, ea[0]); return;
	case WARM_FILL:
	case WARM_SPILL: save_area(m, ea[0], a->kind == WARM_SPILL); return;
	case WARM_GET:
	case WARM_PUT: warm_transfer(m, w->l2_line_bytes, a, ea); return;
	}
}

void warm_memory(struct memsys *m, const struct trace_block *b, const struct warm_block *w, const uint64_t *ea)
{
	memsys_warm_fetch(m, b->pc, b->pc + 4 * (uint64_t)b->count);
	for (unsigned n = 0; n < w->count; n++)
		access_one(m, w, &w->access[n], &ea[w->access[n].ea]);
}

/* As fetch does (fetch.c). */
void warm_branch(struct bpred *p, const struct warm_block *w, const uint64_t *next)
{
	uint64_t to = next ? *next : w->fall_through;

	if (w->transfer)
		bpred_train(p, w->transfer_pc, w->transfer, bpred_taken(w->transfer->flags, to, w->fall_through), to);
}
