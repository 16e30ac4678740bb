/*
 * Predictions on wrong paths. The tables are only read; what goes on along the path, histories and the return stack, is
 * kept at its begin, and restored at its end, as by a checkpoint of each branch.
 */
#include <stdlib.h>
#include <string.h>

#include "bpred_kind.h"
#include "bpred_state.h"
#include "target_kind.h"

struct bpred_path {
	bool active;
	unsigned ras_top, ras_live;
	uint64_t *ras;
	void *direction, *target; /* kept histories; NULL: the kind has none */
};

/* The histories of the kinds, *ret_bytes long; NULL: none. */
static void *direction_history(struct bpred *b, size_t *ret_bytes)
{
	*ret_bytes = 0;
	return b->kind->history ? b->kind->history(b->direction, ret_bytes) : NULL;
}

static void *target_history(struct bpred *b, size_t *ret_bytes)
{
	*ret_bytes = 0;
	return b->targets->history ? b->targets->history(b->target, ret_bytes) : NULL;
}

int bpred_path_prepare(struct bpred *b, struct err *e)
{
	struct bpred_path *p = calloc(1, sizeof(*p));
	size_t direction, target;

	b->path = p;
	if (!p)
		goto no_memory;
	direction_history(b, &direction);
	target_history(b, &target);
	p->ras = calloc(b->ras_entries ? b->ras_entries : 1, sizeof(*p->ras));
	p->direction = direction ? malloc(direction) : NULL;
	p->target = target ? malloc(target) : NULL;
	if (p->ras && (p->direction || !direction) && (p->target || !target))
		return 0;
no_memory:
	return err_set(e, STATUS_FAILED, "branch prediction: out of memory for wrong paths");
}

void bpred_path_destroy(struct bpred *b)
{
	if (!b->path)
		return;
	free(b->path->ras);
	free(b->path->direction);
	free(b->path->target);
	free(b->path);
}

void bpred_path_begin(struct bpred *b)
{
	struct bpred_path *p = b->path;
	size_t bytes;
	const void *history;

	p->active = true;
	p->ras_top = b->ras_top;
	p->ras_live = b->ras_live;
	memcpy(p->ras, b->ras, b->ras_entries * sizeof(*p->ras));
	if ((history = direction_history(b, &bytes)))
		memcpy(p->direction, history, bytes);
	if ((history = target_history(b, &bytes)))
		memcpy(p->target, history, bytes);
}

void bpred_path_end(struct bpred *b)
{
	bpred_path_swap(b);
	b->path->active = false;
}

static void swap_bytes(unsigned char *a, unsigned char *b, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		unsigned char byte = a[n];

		a[n] = b[n];
		b[n] = byte;
	}
}

static void swap_numbers(unsigned *a, unsigned *b)
{
	unsigned number = *a;

	*a = *b;
	*b = number;
}

bool bpred_path_swap(struct bpred *b)
{
	struct bpred_path *p = b->path;
	uint64_t *ras = b->ras;
	size_t bytes;
	void *history;

	if (!p || !p->active)
		return false;
	swap_numbers(&b->ras_top, &p->ras_top);
	swap_numbers(&b->ras_live, &p->ras_live);
	b->ras = p->ras;
	p->ras = ras;
	if ((history = direction_history(b, &bytes)))
		swap_bytes(history, p->direction, bytes);
	if ((history = target_history(b, &bytes)))
		swap_bytes(history, p->target, bytes);
	return true;
}

/* The entry of the branch history, whose order of use stays; NULL: none. */
static const struct bpred_entry *path_entry(const struct bpred *b, uint64_t pc)
{
	const struct bpred_entry *set = bpred_set(b, pc);

	for (unsigned n = 0; n < b->ways; n++)
		if ((set[n].tag ^ pc) <= COUNTER_MASK)
			return &set[n];
	return NULL;
}

static uint64_t path_pop(struct bpred *b)
{
	uint64_t popped = b->ras[b->ras_top];

	b->ras_live -= b->ras_live != 0;
	b->ras_top = b->ras_top ? b->ras_top - 1 : b->ras_entries - 1;
	return popped;
}

static void path_push(struct bpred *b, uint64_t address)
{
	b->ras_live += b->ras_live < b->ras_entries;
	b->ras_top = b->ras_top + 1 == b->ras_entries ? 0 : b->ras_top + 1;
	b->ras[b->ras_top] = address;
}

/* As table_predict and predict of bpred.c. */
uint64_t bpred_path_next(struct bpred *b, uint64_t pc, const struct insn *i)
{
	const struct bpred_entry *e;
	bool taken = true;

	if (i->flags & INSN_CALL && b->ras_entries)
		path_push(b, pc + 8);
	if (i->flags & INSN_RETURN && b->ras_entries)
		return path_pop(b);
	if (!b->kind->built)
		return 0;
	e = path_entry(b, pc);
	if (i->flags & INSN_COND && b->kind->guess)
		taken = b->kind->guess(b->direction, pc);
	else if (i->flags & INSN_COND)
		taken = e && (e->tag & COUNTER_MASK) >= COUNTER_TAKEN;
	if (!e || !taken)
		return 0;
	if ((i->flags & (INSN_INDIRECT | INSN_RETURN)) == INSN_INDIRECT && b->targets->guess)
		return b->targets->guess(b->target, pc, e->target);
	return e->target;
}
