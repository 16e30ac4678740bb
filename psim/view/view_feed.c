/* Records the times of instructions in flight for the pipeline view. */
#include <stddef.h>
#include <stdlib.h>

#include "../core/core_state.h"
#include "pipeview.h"

static const char *const window_trap_names[] = {
	"window trap: entry",
	"window trap: access",
	"window trap: exit",
};

static const char *window_trap_name(const struct core *c, const struct uop *u)
{
	if (u == &c->front.window_trap[WINDOW_TRAP_ENTRY])
		return window_trap_names[0];
	return u == &c->front.window_trap[WINDOW_TRAP_EXIT] ? window_trap_names[2] : window_trap_names[1];
}

static int make_records(struct core *c, struct err *e)
{
	c->view.record = calloc(c->win.rob_mask + 1, sizeof(*c->view.record));
	c->front.fq_times = calloc(c->front.fq_mask + 1, sizeof(*c->front.fq_times));
	return c->view.record && c->front.fq_times
		       ? 0
		       : err_set(e, STATUS_FAILED, "core: out of memory for the pipeline view");
}

static void record_producer(struct core *c, unsigned slot)
{
	if (c->view.producers && c->view.producer[c->view.producers - 1] == slot)
		return; /* another part of the same operand */
	if (c->view.producers < 3)
		c->view.producer[c->view.producers++] = (uint16_t)slot;
}

/*
 * The last reason why dispatch stopped, if that was not before cycle `from`: the stall
 * counter that grew most between two dispatches.
 */
static const char *stop_cause(struct core *c, uint64_t from)
{
	static const struct {
		size_t offset;
		const char *name;
	} stops[VIEW_STOPS] = {
		{offsetof(struct core_stats, stall_rob), "ROB"},
		{offsetof(struct core_stats, stall_gub), "GUB"},
		{offsetof(struct core_stats, stall_fub), "FUB"},
		{offsetof(struct core_stats, stall_rse), "RSE"},
		{offsetof(struct core_stats, stall_rsf), "RSF"},
		{offsetof(struct core_stats, stall_rsa), "RSA"},
		{offsetof(struct core_stats, stall_rsbr), "RSBR"},
		{offsetof(struct core_stats, stall_fetch_port), "loads"},
		{offsetof(struct core_stats, stall_store_port), "stores"},
		{offsetof(struct core_stats, stall_sync), "sync"},
		{offsetof(struct core_stats, simd_stall_station), "RSS"},
		{offsetof(struct core_stats, simd_stall_sfub), "SFUB"},
	};
	struct view_stop *v = &c->view.stop;
	uint64_t most = 0;

	for (unsigned n = 0; n < VIEW_STOPS; n++) {
		uint64_t count = *(const uint64_t *)((const char *)&c->acct.stats + stops[n].offset);

		if (count - v->counts[n] > most) {
			most = count - v->counts[n];
			v->cause = stops[n].name;
			v->cycle = c->now;
		}
		v->counts[n] = count;
	}
	return v->cycle > from ? v->cause : NULL;
}

static void record_dispatch(struct core *c, unsigned slot, const struct fetched *q)
{
	struct view_record *v = &c->view.record[slot];
	const struct uop *u = q->uop;

	memset(v, 0, sizeof(*v));
	v->seq = c->view.seq++;
	v->pc = u->pc;
	v->insn = u->insn;
	if (u->flags & UOP_WINDOW_TRAP)
		v->window_trap = window_trap_name(c, u);
	v->fetch = c->front.fq_times[q - c->front.fq].fetch;
	v->dispatch = c->now;
	v->decode = c->front.fq_times[q - c->front.fq].decode;
	v->stop = stop_cause(c, v->decode + c->cfg->decode.stages - 1);
	v->latency = u->latency;
	v->load = u->flags & UOP_LOAD;
	v->store = u->flags & UOP_STORE;
	v->mispredicted = q->flags & FETCHED_MISPREDICT;
	v->simd = u->flags & UOP_SIMD;
	v->arithmetic = u->unit == EXEC_SIMD;
	v->to_core = v->arithmetic && !u->sfub;
	v->operand_c = v->arithmetic && u->ndata ? c->cfg->simd.c_cycles : 0;
	v->window = !v->simd && (v->load || v->store) && simd_in_window(q->ea);
	for (unsigned n = 0; n < c->view.producers; n++)
		v->producer[v->producers++] = c->view.record[c->view.producer[n]].seq;
	c->view.producers = 0;
}

/* Returns whether the region begins before the committing instruction. */
static bool region_begins(const struct core *c, const char *name)
{
	for (unsigned n = 0; n < c->acct.region_count; n++)
		if (c->acct.regions[n].r.depth && !strcmp(c->acct.regions[n].r.name, name))
			return true;
	for (unsigned n = 0; n < c->acct.mark_count; n++) {
		const struct region_mark *m = &c->acct.marks[c->acct.mark_head + n];

		if (m->seq <= c->acct.stats.instructions && m->begin &&
		    !strcmp(c->acct.regions[m->region].r.name, name))
			return true;
	}
	return false;
}

static const char *const note_names[LOAD_NOTE_COUNT] = {
#define N(name, cause, view) [LOAD_##name] = view,
#include "../core/load_note.def"
#undef N
};

static void record_held(struct core *c, unsigned slot)
{
	c->view.record[slot].held = note_names[c->win.rob[slot].note];
}

/* The view's name for a cause of store_buffer_cause. */
static const char *store_buffer_name(enum stall cause)
{
	static const char *const names[STALL_COUNT] = {
		[STALL_store_buffer] = "store buffer: L1D",   [STALL_store_miss_buffer] = "store buffer: miss buffer",
		[STALL_store_l2] = "store buffer: L2",        [STALL_store_memory] = "store buffer: memory",
		[STALL_store_tlb] = "store buffer: TLB miss",
	};

	if (!names[cause])
		bug("a store waits for the store buffer because of cause %u", cause);
	return names[cause];
}

static void record_store_held(struct core *c, unsigned slot)
{
	enum stall cause = store_buffer_cause(c);

	/* the buffer writes between two waits for lines; the waits are the longer stalls */
	if (!c->view.record[slot].held || cause != STALL_store_buffer)
		c->view.record[slot].held = store_buffer_name(cause);
}

static void record_squashed(struct core *c, unsigned count)
{
	c->view.seq -= count;
}

static void note_commit(struct core *c, unsigned slot)
{
	struct view_record *v = &c->view.record[slot];
	const struct rob_entry *r = &c->win.rob[slot];
	const char *region = pipeview_awaits(c->opt.view);

	v->number = c->acct.first_position + c->front.feed.warmed + c->acct.stats.instructions;
	v->commit = c->now;
	v->done = r->done;
	v->result = c->win.wake[slot] == CYCLE_NEVER ? 0 : c->win.wake[slot];
	if (v->load)
		v->cause = v->held ? v->held : note_names[r->note];
	if (region && region_begins(c, region))
		pipeview_region(c->opt.view);
	if (pipeview_commit(c->opt.view, v, c->error) < 0)
		c->failed = true;
}

static void record_note(struct core *c, unsigned slot, enum view_event what)
{
	struct view_record *v = &c->view.record[slot];

	switch (what) {
	case VIEW_SELECT: v->select = c->now; break;
	case VIEW_PS: v->address = c->now; break;
	case VIEW_PE: v->pe = c->now; break;
	case VIEW_UNDO:
		if (v->replays < VIEW_REPLAYS_MAX) {
			v->replay[v->replays].from = v->select;
			v->replay[v->replays++].to = c->now;
		}
		v->select = 0;
		break;
	case VIEW_COMMIT: note_commit(c, slot); break;
	}
}

const struct view_hooks pipeview_hooks = {
	.create = make_records,
	.producer = record_producer,
	.dispatch = record_dispatch,
	.note = record_note,
	.held = record_held,
	.store_held = record_store_held,
	.squashed = record_squashed,
};
