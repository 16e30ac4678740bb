#include "wrong_path.h"

#include <stdlib.h>
#include <string.h>

#include "../../isa/simd.h"
#include "../bpred/bpred.h"
#include "lsu_ports.h"

/* ---- the code that the trace has shown ---- */
static struct path_code *code_place(struct path_code *code, uint64_t mask, uint64_t pc)
{
	uint64_t n = (pc >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & mask;

	while (code[n].insn && code[n].pc != pc)
		n = (n + 1) & mask;
	return &code[n];
}

/* The instruction at `pc`; NULL: unknown. */
static struct path_code *code_find(const struct wrong_path *w, uint64_t pc)
{
	struct path_code *k = code_place(w->code, w->code_mask, pc);

	return k->insn ? k : NULL;
}

static int code_grow(struct wrong_path *w, uint64_t need)
{
	uint64_t places = w->code_mask + 1;
	struct path_code *code;

	while (places < 2 * need)
		places *= 2;
	if (places == w->code_mask + 1)
		return 0;
	code = calloc(places, sizeof(*code));
	if (!code)
		return -1;
	for (uint64_t n = 0; n <= w->code_mask; n++)
		if (w->code[n].insn)
			*code_place(code, places - 1, w->code[n].pc) = w->code[n];
	free(w->code);
	w->code = code;
	w->code_mask = places - 1;
	return 0;
}

int wrong_path_add(struct core *c, const struct trace_block *b)
{
	struct wrong_path *w = c->wrong;

	if (code_grow(w, w->code_count + b->count) < 0)
		return -1;
	for (uint32_t n = 0; n < b->count; n++) {
		uint64_t pc = b->pc + 4 * (uint64_t)n;
		struct path_code *k = code_place(w->code, w->code_mask, pc);

		if (k->insn)
			continue; /* of another block */
		*k = (struct path_code){.pc = pc, .insn = &b->insns[n]};
		w->code_count++;
	}
	return 0;
}

int wrong_path_create(struct core *c, struct err *e)
{
	enum { FIRST_PLACES = 4096 };
	struct wrong_path *w;

	if (!core_has_wrong_paths(c->cfg))
		return 0;
	c->wrong = w = calloc(1, sizeof(*w));
	if (!w)
		goto no_memory;
	w->code = calloc(FIRST_PLACES, sizeof(*w->code));
	w->code_mask = FIRST_PLACES - 1;
	w->load = calloc(c->cfg->lsu.load_queue + c->cfg->l1d.miss_buffers, sizeof(*w->load));
	w->group = calloc(c->cfg->fetch.buffer_entries, sizeof(*w->group));
	if (w->code && w->load && w->group)
		return bpred_path_prepare(c->bpred, e);
no_memory:
	return err_set(e, STATUS_FAILED, "core: out of memory for wrong paths");
}

void wrong_path_destroy(struct core *c)
{
	if (!c->wrong)
		return;
	free(c->wrong->code);
	free(c->wrong->load);
	free(c->wrong->group);
	free(c->wrong);
}

/* ---- addresses of loads ---- */

/* Returns whether wrong paths may request the load: not of an atomic, nor of the array. */
static bool may_guess(const struct insn *i)
{
	return (i->flags & (INSN_LOAD | INSN_STORE | INSN_SIMD | INSN_TRANSFER)) == INSN_LOAD && i->size;
}

static void learn(struct path_code *k, uint64_t ea)
{
	uint64_t stride;

	if (!k || simd_in_window(ea))
		return;
	stride = ea - k->last;
	k->steady = k->seen && stride == k->stride;
	k->stride = k->seen ? stride : 0;
	k->last = ea;
	k->seen = true;
}

/* The load; NULL: it is none that wrong paths may request. */
static struct path_code *load_of(const struct core *c, const struct uop *u)
{
	bool may = u->flags & UOP_LOAD && !(u->flags & UOP_WINDOW_TRAP) && may_guess(u->insn);

	return may ? code_find(c->wrong, u->pc) : NULL;
}

void wrong_path_fetched(struct core *c, unsigned first)
{
	if (c->cfg->fetch.wrong_path != WRONG_PATH_LOADS)
		return;
	for (unsigned n = first; n != c->front.fq_tail; n++) {
		struct path_code *k = load_of(c, c->front.fq[n & c->front.fq_mask].uop);

		if (k)
			k->flying++;
	}
}

void wrong_path_committed(struct core *c, unsigned count)
{
	if (c->cfg->fetch.wrong_path != WRONG_PATH_LOADS)
		return;
	for (unsigned n = 0; n < count; n++) {
		const struct rob_entry *r = &c->win.rob[(c->win.rob_head + n) & c->win.rob_mask];
		struct path_code *k = load_of(c, r->uop);

		if (!k)
			continue;
		k->flying--;
		learn(k, r->ea);
	}
}

void wrong_path_warm(struct core *c, const struct trace_block *b, const uint64_t *ea)
{
	if (c->cfg->fetch.wrong_path != WRONG_PATH_LOADS)
		return;
	for (uint32_t n = 0; n < b->count; n++) {
		if (may_guess(&b->insns[n]))
			learn(code_find(c->wrong, b->pc + 4 * (uint64_t)n), *ea);
		ea += insn_address_count(&b->insns[n]);
	}
}

/* Guesses the address; false: nothing is known, or the strides lead out of the address space. */
static bool path_guess(struct core *c, struct path_load *l)
{
	const struct path_code *k = code_find(c->wrong, l->pc);

	l->ea = k->steady ? k->last + k->stride * (k->flying + l->ahead) : k->last;
	l->guessed = k->seen && !((l->ea ^ k->last) >> (64 - CHIP_CORES_LOG2));
	c->counters.stats.path_loads_unknown += !l->guessed;
	return l->guessed;
}

/* Requests the load `k`, the last instruction of the path, at Ps: as soon as a load without dependences would. */
static void add_load(struct core *c, struct path_code *k)
{
	const struct core_config *cfg = c->cfg;
	struct wrong_path *w = c->wrong;

	k->ahead = k->path == w->number ? k->ahead + 1 : 1;
	k->path = w->number;
	if (w->serialized || w->loads == cfg->lsu.load_queue)
		return;
	w->loads++;
	w->load[w->load_count++] = (struct path_load){
		.ahead = k->ahead,
		.pc = k->pc,
		.at = w->e_cycle + cfg->decode.stages + 2 + cfg->core.operand_stages,
		.number = w->fetched,
		.size = k->insn->size,
	};
}

/* ---- the path ---- */
void wrong_path_predicted(struct core *c, uint64_t pc, bool taken)
{
	c->wrong->pc = pc;
	c->wrong->taken = taken;
}

void wrong_path_begin(struct core *c)
{
	struct wrong_path *w = c->wrong;

	w->active = w->reading = true;
	w->slot = w->serialized = false;
	w->number++;
	w->next = latest(c->now + 1, w->taken ? c->front.fetch.target_cycle : 0);
	w->fetched = w->loads = 0;
	w->group_count = 0;
	bpred_path_begin(c->bpred);
	c->counters.stats.paths_followed++;
}

/* Returns whether a load among the first `count` waits for a line of L1D with that of `l`. */
static bool line_is_awaited(const struct core *c, const struct path_load *l, unsigned count)
{
	const uint64_t mask = ~(uint64_t)(c->cfg->l1d.line_bytes - 1);

	for (unsigned n = 0; n < count; n++)
		if (!((c->wrong->load[n].ea ^ l->ea) & mask))
			return true;
	return false;
}

/*
 * Memory of banks and rows fills a line into L1D when its access is repeated. So where a line is on its way, one load
 * goes on beyond the path.
 */
static void cut_loads(struct core *c)
{
	struct wrong_path *w = c->wrong;
	unsigned kept = 0;

	for (unsigned n = 0; n < w->load_count; n++) {
		if (w->load[n].number || kept == c->cfg->l1d.miss_buffers || line_is_awaited(c, &w->load[n], kept))
			c->counters.stats.path_loads_cut++;
		else
			w->load[kept++] = w->load[n];
	}
	w->load_count = kept;
}

void wrong_path_end(struct core *c)
{
	struct wrong_path *w = c->wrong;

	if (!w->active)
		return;
	w->active = w->reading = false;
	w->group_count = 0;
	cut_loads(c);
	bpred_path_end(c->bpred);
}

/* Window entries that instructions of the path may take. */
static uint32_t window_room(const struct core *c)
{
	uint32_t used = c->win.rob_count + (c->front.fq_tail - c->front.fq_head);

	return used < c->cfg->core.rob_entries ? c->cfg->core.rob_entries - used : 0;
}

/* An instruction that E may hold from `available` on enters it. */
static void enter_e(struct core *c, uint64_t available)
{
	struct wrong_path *w = c->wrong;

	if (w->e_count == c->cfg->decode.width) {
		w->e_cycle++;
		w->e_count = 0;
	}
	if (available > w->e_cycle) {
		w->e_cycle = available;
		w->e_count = 0;
	}
	w->e_count++;
}

/* The right path's instructions in the buffer enter E first; what is there has filled E up to the next cycle. */
static void enter_right_path(struct core *c)
{
	c->wrong->e_cycle = c->now + 2;
	c->wrong->e_count = 0;
	for (unsigned n = 0; n < c->front.group_count; n++) {
		const struct fetch_group *g = &c->front.groups[(c->front.group_head + n) & c->front.group_mask];

		for (unsigned k = 0; k < g->count; k++)
			enter_e(c, g->available);
	}
}

/* Returns whether the oldest group has left the buffer for the window. */
static bool oldest_has_left(const struct core *c)
{
	const struct path_group *g = c->wrong->group;

	return g->entered <= c->now && g->number <= window_room(c);
}

/* Returns whether the instruction buffer has room for a group. */
static bool buffer_has_room(const struct core *c)
{
	return c->wrong->group_count + c->front.group_count < c->cfg->fetch.buffer_entries;
}

static void leave_buffer(struct core *c)
{
	struct wrong_path *w = c->wrong;

	while (w->group_count && oldest_has_left(c)) {
		memmove(w->group, w->group + 1, --w->group_count * sizeof(*w->group));
		c->progress = true;
	}
}

/* Follows the transfer `i` at w->pc as it is predicted; true: the group ends. */
static bool path_transfer(struct core *c, const struct insn *i)
{
	struct wrong_path *w = c->wrong;
	uint64_t target = bpred_path_next(c->bpred, w->pc, i);
	bool annuls = i->flags & INSN_ANNUL;

	c->counters.stats.path_transfers++;
	if (!target) {
		w->pc += annuls && i->flags & INSN_COND ? 8 : 4;
		return false;
	}
	w->target = target;
	w->target_cycle = c->now + c->cfg->fetch.predict_stage;
	w->slot = !annuls || i->flags & INSN_COND; /* ba,a has none */
	w->pc = w->slot ? w->pc + 4 : target;
	if (!w->slot)
		w->next = latest(w->next, w->target_cycle);
	return !w->slot;
}

/* Fetches the instruction at w->pc; true: the group ends with it. */
static bool path_instruction(struct core *c, struct path_code *k, uint64_t available)
{
	struct wrong_path *w = c->wrong;

	w->fetched++;
	c->counters.stats.path_instructions++;
	enter_e(c, available);
	if (c->cfg->fetch.wrong_path == WRONG_PATH_LOADS && may_guess(k->insn))
		add_load(c, k);
	w->serialized |= (k->insn->flags & INSN_SYNC) != 0;
	if (w->slot) {
		w->slot = false;
		w->pc = w->target;
		w->next = latest(w->next, w->target_cycle);
		return true;
	}
	if (k->insn->flags & INSN_CTI)
		return path_transfer(c, k->insn);
	w->pc += 4;
	return false;
}

/* Fetches the group at w->pc. */
static void path_fetch(struct core *c)
{
	struct wrong_path *w = c->wrong;
	uint64_t end = fetch_end(c, w->pc), available;
	struct path_code *k = code_find(w, w->pc);
	struct mem_answer a;
	bool ends = false;

	c->progress = true;
	if (k) {
		if (!w->fetched)
			enter_right_path(c);
		memsys_wrong_path(c->mem, true);
		a = memsys_fetch(c->mem, c->now, w->pc);
		memsys_wrong_path(c->mem, false);
		c->counters.stats.path_groups++;
		w->next = latest(c->now, a.ready) + 1;
		available = a.ready + c->cfg->fetch.stages;
		for (; k && !ends; k = ends || w->pc >= end ? NULL : code_find(w, w->pc))
			ends = path_instruction(c, k, available);
		w->group[w->group_count++] = (struct path_group){w->e_cycle, w->fetched};
		if (ends || w->pc >= end)
			return;
	}
	w->reading = false;
	c->counters.stats.paths_left++;
}

/* Requests a load, or repeats its request. True: that is done with, as it is accepted or has no address. */
static bool path_load(struct core *c, struct path_load *l)
{
	struct mem_answer a;

	c->progress = true;
	if (!l->guessed && !path_guess(c, l))
		return true;
	if (!l->has_port && !lsu_take_spare_port(c, l->ea, l->size)) {
		l->at = c->now + 1;
		return false;
	}
	l->has_port = true;
	if (c->transcript && c->transcript->notes)
		memsys_note_pc(c->mem, l->pc);
	memsys_wrong_path(c->mem, true);
	a = memsys_load_again(c->mem, c->now, l->ea, l->size, l->known);
	memsys_wrong_path(c->mem, false);
	if (!a.refused) {
		c->counters.stats.path_loads++;
		return true;
	}
	l->at = a.ready;
	if (a.refused == MEM_NO_PAGE || a.refused == MEM_QUEUED)
		l->known |= MEM_TRANSLATED;
	if (a.refused == MEM_QUEUED)
		l->number = 0;
	return false;
}

static void path_loads(struct core *c)
{
	struct wrong_path *w = c->wrong;
	uint32_t room = window_room(c);
	unsigned kept = 0;

	for (unsigned n = 0; n < w->load_count; n++) {
		struct path_load *l = &w->load[n];

		if (l->at > c->now || l->number > room || !path_load(c, l))
			w->load[kept++] = *l;
	}
	w->load_count = kept;
	lsu_forget_ports(c);
}

/* The first cycle in which the path may fetch; the group with the transfer arrives from L1I before. */
static uint64_t path_fetch_at(const struct core *c)
{
	return latest(c->wrong->next, c->front.fetch.next);
}

void stage_wrong_path(struct core *c)
{
	struct wrong_path *w = c->wrong;

	if (c->cfg->fetch.wrong_path == WRONG_PATH_LOADS)
		path_loads(c);
	leave_buffer(c);
	if (w->reading && path_fetch_at(c) <= c->now && buffer_has_room(c))
		path_fetch(c);
}

uint64_t wrong_path_next_cycle(const struct core *c)
{
	const struct wrong_path *w = c->wrong;
	uint64_t next = CYCLE_NEVER;
	uint32_t room;

	room = window_room(c);
	for (unsigned n = 0; n < w->load_count; n++)
		if (w->load[n].number <= room)
			next = earlier(next, if_later(c, w->load[n].at));
	if (w->group_count && w->group[0].number <= room)
		next = earlier(next, if_later(c, w->group[0].entered));
	return w->reading && buffer_has_room(c) ? earlier(next, if_later(c, path_fetch_at(c))) : next;
}

/* ---- for segments ---- */
static void digest_loads(const struct core *c, struct digest *d)
{
	const struct wrong_path *w = c->wrong;

	digest_add(d, w->load_count);
	for (unsigned n = 0; n < w->load_count; n++) {
		const struct path_load *l = &w->load[n];

		digest_add(d, l->ea);
		digest_add(d, l->pc);
		digest_add_time(d, l->at, c->now);
		digest_add(d, (uint64_t)l->number << 32 | l->ahead);
		digest_add(d,
			   (uint64_t)l->size << 16 | (uint64_t)l->known << 8 | (uint64_t)l->guessed << 1 | l->has_port);
	}
}

static void digest_path(const struct core *c, struct digest *d)
{
	const struct wrong_path *w = c->wrong;

	digest_add(d, (uint64_t)w->reading | (uint64_t)w->slot << 1 | (uint64_t)w->serialized << 2);
	digest_add(d, w->pc);
	digest_add(d, w->slot ? w->target : 0);
	digest_add_time(d, w->slot ? w->target_cycle : 0, c->now);
	digest_add_time(d, w->next, c->now);
	digest_add(d, (uint64_t)w->fetched << 32 | w->loads);
	digest_add_time(d, w->fetched ? w->e_cycle : 0, c->now);
	digest_add(d, w->fetched ? w->e_count : 0);
	digest_add(d, w->group_count);
	for (unsigned n = 0; n < w->group_count; n++) {
		digest_add_time(d, w->group[n].entered, c->now);
		digest_add(d, w->group[n].number);
	}
}

void wrong_path_digest(const struct core *c, struct digest *d)
{
	const struct wrong_path *w = c->wrong;

	for (uint64_t n = 0; n <= w->code_mask; n++) {
		const struct path_code *k = &w->code[n];

		if (!k->seen && !k->flying)
			continue;
		digest_add(d, k->pc);
		digest_add(d, k->last);
		digest_add(d, k->stride);
		digest_add(d, (uint64_t)k->flying << 2 | (uint64_t)k->seen << 1 | k->steady);
		digest_add(d, w->active && k->path == w->number ? k->ahead : 0);
	}
	digest_add(d, w->active);
	digest_loads(c, d);
	/* where a transfer whose delay slot is not fetched yet leads */
	digest_add(d, c->front.fetch.after_slot == SLOT_BLOCK ? w->pc : 0);
	digest_add(d, c->front.fetch.after_slot == SLOT_BLOCK && w->taken);
	if (w->active)
		digest_path(c, d);
}
