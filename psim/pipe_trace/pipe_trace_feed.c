/* Records the times of instructions in flight for the pipe trace. */
#include <stddef.h>
#include <stdlib.h>

#include "../core/core_state.h"
#include "pipe_trace.h"

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
	c->pipe_trace.record = calloc(c->win.rob_mask + 1, sizeof(*c->pipe_trace.record));
	c->front.fq_times = calloc(c->front.fq_mask + 1, sizeof(*c->front.fq_times));
	return c->pipe_trace.record && c->front.fq_times
		       ? 0
		       : err_set(e, STATUS_FAILED, "core: out of memory for the pipe trace");
}

static void record_producer(struct core *c, unsigned slot)
{
	if (c->pipe_trace.producers && c->pipe_trace.producer[c->pipe_trace.producers - 1] == slot)
		return; /* another part of the same operand */
	if (c->pipe_trace.producers < 3)
		c->pipe_trace.producer[c->pipe_trace.producers++] = (uint16_t)slot;
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
	} stops[PIPE_TRACE_STOPS] = {
		{offsetof(struct core_stats, stall_rob), "ROB"},
		{offsetof(struct core_stats, stall_gub), "GUB"},
		{offsetof(struct core_stats, stall_fub), "FUB"},
		{offsetof(struct core_stats, stall_rse), "RSE"},
		{offsetof(struct core_stats, stall_rsf), "RSF"},
		{offsetof(struct core_stats, stall_rsa), "RSA"},
		{offsetof(struct core_stats, stall_rsbr), "RSBR"},
		{offsetof(struct core_stats, stall_load_queue), "loads"},
		{offsetof(struct core_stats, stall_store_queue), "stores"},
		{offsetof(struct core_stats, stall_sync), "sync"},
		{offsetof(struct core_stats, simd_stall_station), "RSS"},
		{offsetof(struct core_stats, simd_stall_sfub), "SFUB"},
		{offsetof(struct core_stats, simd_stall_wake), "wake"},
	};
	struct pipe_trace_stop *v = &c->pipe_trace.stop;
	uint64_t most = 0;

	for (unsigned n = 0; n < PIPE_TRACE_STOPS; n++) {
		uint64_t count = *(const uint64_t *)((const char *)&c->counters.stats + stops[n].offset);

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
	struct pipe_trace_record *v = &c->pipe_trace.record[slot];
	const struct uop *u = q->uop;

	memset(v, 0, sizeof(*v));
	v->seq = c->pipe_trace.seq++;
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
	for (unsigned n = 0; n < c->pipe_trace.producers; n++)
		v->producer[v->producers++] = c->pipe_trace.record[c->pipe_trace.producer[n]].seq;
	c->pipe_trace.producers = 0;
}

/* Returns whether the region begins before the committing instruction. */
static bool region_begins(const struct core *c, const char *name)
{
	for (unsigned n = 0; n < c->regions.count; n++)
		if (c->regions.list[n].r.depth && !strcmp(c->regions.list[n].r.name, name))
			return true;
	for (unsigned n = 0; n < c->regions.mark_count; n++) {
		const struct region_mark *m = &c->regions.marks[c->regions.mark_head + n];

		if (m->seq <= c->counters.stats.instructions && m->begin &&
		    !strcmp(c->regions.list[m->region].r.name, name))
			return true;
	}
	return false;
}

static const char *const note_names[LOAD_NOTE_COUNT] = {
#define N(name, cause, text) [LOAD_##name] = text,
#include "../core/load_note.def"
#undef N
};

static void record_held(struct core *c, unsigned slot)
{
	c->pipe_trace.record[slot].held = note_names[c->win.rob[slot].note];
}

/* The name in the pipe trace for a cause of store_buffer_cause. */
static const char *store_buffer_name(enum stall cause)
{
	static const char *const names[STALL_COUNT] = {
		[STALL_store_buffer] = "store buffer: L1D",   [STALL_store_miss_buffer] = "store buffer: miss buffer",
		[STALL_store_l2] = "store buffer: L2",        [STALL_store_memory] = "store buffer: memory",
		[STALL_store_tlb] = "store buffer: TLB miss", [STALL_store_l3] = "store buffer: L3",
	};

	if (!names[cause])
		bug("a store waits for the store buffer because of cause %u", cause);
	return names[cause];
}

static void record_store_held(struct core *c, unsigned slot)
{
	enum stall cause = store_buffer_cause(c);

	/* the buffer writes between two waits for lines; the waits are the longer stalls */
	if (!c->pipe_trace.record[slot].held || cause != STALL_store_buffer)
		c->pipe_trace.record[slot].held = store_buffer_name(cause);
}

static void record_squashed(struct core *c, unsigned count)
{
	c->pipe_trace.seq -= count;
}

static void note_commit(struct core *c, unsigned slot)
{
	struct pipe_trace_record *v = &c->pipe_trace.record[slot];
	const struct rob_entry *r = &c->win.rob[slot];
	const char *region = pipe_trace_awaits(c->opt.pipe_trace);

	v->number = c->counters.first_position + c->front.feed.warmed + c->counters.stats.instructions;
	v->commit = c->now;
	v->done = r->done;
	v->result = c->win.wake[slot] == CYCLE_NEVER ? 0 : c->win.wake[slot];
	if (v->load)
		v->cause = v->held ? v->held : note_names[r->note];
	if (region && region_begins(c, region))
		pipe_trace_region(c->opt.pipe_trace);
	if (pipe_trace_commit(c->opt.pipe_trace, v, c->error) < 0) {
		c->failed = true;
		c->run_to = 0;
	}
}

static void record_note(struct core *c, unsigned slot, enum pipe_trace_event what)
{
	struct pipe_trace_record *v = &c->pipe_trace.record[slot];

	switch (what) {
	case PIPE_TRACE_SELECT: v->select = c->now; break;
	case PIPE_TRACE_PS: v->address = c->now; break;
	case PIPE_TRACE_PE: v->pe = c->now; break;
	case PIPE_TRACE_UNDO:
		if (v->replays < PIPE_TRACE_REPLAYS_MAX) {
			v->replay[v->replays].from = v->select;
			v->replay[v->replays++].to = c->now;
		}
		v->select = 0;
		break;
	case PIPE_TRACE_COMMIT: note_commit(c, slot); break;
	}
}

const struct pipe_trace_hooks pipe_trace_hooks = {
	.create = make_records,
	.producer = record_producer,
	.dispatch = record_dispatch,
	.note = record_note,
	.held = record_held,
	.store_held = record_store_held,
	.squashed = record_squashed,
};
