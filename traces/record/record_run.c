/*
 * The interpreter: finds the next block, executes it, follows control, and passes traps to the
 * system call and signal code.
 */
#include "record_run.h"

#include <stdlib.h>

#include "recorder.h"

/*
 * Instructions between checks for interruption: some tens of milliseconds. And those of a thread's turn: few, so that
 * one that waits in a loop for another executes few of its rounds.
 */
enum { SLICE = 4000000, TURN = 1000 };

struct run {
	struct guest *g;
	struct recorder recorder;
	struct block_cache cache;
	uint64_t limit;                       /* leave the loop at this instruction count */
	uint64_t ea[TRACE_ADDRESSES_MAX + 4]; /* of the current block */
};

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static bool should_leave(const struct run *r)
{
	return r->g->end != GUEST_RUNS || r->recorder.changed || r->g->insns >= r->limit;
}

/* Returns whether the trap comes from a completed instruction: a system call and the like. */
static bool is_call(enum cpu_trap t)
{
	return t == (enum cpu_trap)(TRAP_SOFTWARE + 0x6d) || t == (enum cpu_trap)(TRAP_SOFTWARE + 0x6e) ||
	       t == (enum cpu_trap)(TRAP_SOFTWARE + 0x6f) || t == (enum cpu_trap)(TRAP_SOFTWARE + 0x03);
}

/* Handles a trap at cpu.pc; pc and npc are those of the instruction. */
static void handle_trap(struct run *r, enum cpu_trap t, uint32_t word)
{
	struct guest *g = r->g;
	switch ((unsigned)t) {
	case TRAP_SOFTWARE + 0x6d: guest_syscall(g); break;
	case TRAP_SOFTWARE + 0x6e: guest_getcontext(g); break;
	case TRAP_SOFTWARE + 0x6f: guest_setcontext(g); break;
	case TRAP_SOFTWARE + 0x03: /* the traditional trap to flush windows */
		cpu_flush_windows(&g->cpu, NULL);
		g->cpu.pc = g->cpu.npc;
		g->cpu.npc += 4;
		break;
	default:
		if (!guest_simd_trap(g, t, word))
			guest_trap(g, t, word);
		break;
	}
	if (g->memory.remapped) {
		block_cache_clear(&r->cache);
		g->memory.remapped = false;
	}
	if (g->threads > 1 && r->limit > g->insns + TURN)
		r->limit = g->insns + TURN; /* the call has started a second thread */
	if (g->interrupted) {
		g->interrupted = false;
		r->limit = g->insns;
	}
}

static void after_flush(struct run *r, const struct insn *i)
{
	const struct cpu *c = &r->g->cpu;
	uint64_t second = i->flags & INSN_IMM ? (uint64_t)(int64_t)i->imm : c->r[i->rs2];
	block_forget(&r->cache, c->r[i->rs1] + second);
}

/* Handles a failed fetch at pc, or exhausted host memory. */
static void handle_missing_block(struct run *r, bool no_memory)
{
	if (no_memory) {
		guest_fail(r->g, "host out of memory for decoded blocks");
		return;
	}
	r->g->cpu.fault_address = r->g->cpu.pc;
	guest_trap(r->g, r->g->cpu.pc % 4 ? TRAP_ALIGNMENT : TRAP_ACCESS, 0);
}

/*
 * Executes one instruction while npc is not pc + 4: a transfer in a delay slot, or the state
 * after a trap. Slow and rare.
 */
static void step_single(struct run *r, bool record)
{
	struct guest *g = r->g;
	struct cpu *c = &g->cpu;
	uint64_t pc = c->pc;
	bool simd = c->simd;
	uint32_t word;
	struct insn i;
	if (!block_fetch(&g->memory, pc, &word)) {
		handle_missing_block(r, false);
		return;
	}
	insn_decode_simd(word, simd, &i);
	c->ea_log = r->ea;
	enum cpu_trap t = insn_function(&i)(c, &i);
	if (t == TRAP_NONE || is_call(t)) {
		g->insns++;
		if (record)
			recorder_put_single(&r->recorder, pc, word, simd, r->ea);
	}
	if (t != TRAP_NONE) {
		handle_trap(r, t, word);
		return;
	}
	if (!(i.flags & INSN_CTI)) {
		c->pc = c->npc;
		c->npc += 4;
	}
	if (i.opcode == OP_FLUSH)
		after_flush(r, &i);
	if (marker_of(word))
		recorder_marker(&r->recorder, marker_of(word));
}

/* Handles a trap of entry `at` of the block; all entries before it are complete. */
static void block_trap(struct run *r, struct block *b, unsigned at, enum cpu_trap t, bool record)
{
	struct cpu *c = &r->g->cpu;
	unsigned done = at + (is_call(t) ? 1 : 0);
	if (at <= b->straight) { /* in the slot the transfer has set both */
		c->pc = b->pc + 4 * (uint64_t)at;
		c->npc = c->pc + 4;
	}
	r->g->insns += done;
	if (record)
		recorder_put(&r->recorder, b, done, r->ea);
	handle_trap(r, t, b->entry[at].insn.word);
}

/* Executes the control transfer and its slot. Returns a trap and its position. */
static inline enum cpu_trap run_transfer(struct cpu *c, const struct block *b, unsigned *count)
{
	const struct block_entry *e = &b->entry[b->straight];
	c->pc = b->pc + 4 * (uint64_t)b->straight;
	c->npc = c->pc + 4;
	enum cpu_trap t = e->run(c, &e->insn);
	*count = b->straight;
	if (UNLIKELY(t))
		return t;
	*count = b->straight + 1;
	if (c->annulled || !b->slot)
		return TRAP_NONE; /* not annulled: pc is at the slot, where step_single continues */
	e++;
	t = e->run(c, &e->insn);
	if (UNLIKELY(t))
		return t;
	*count = b->straight + 2;
	c->pc = c->npc;
	c->npc += 4;
	return TRAP_NONE;
}

/* Executes one block; false after a trap. */
static inline bool run_block(struct run *r, struct block *b, const bool record)
{
	struct guest *g = r->g;
	struct cpu *c = &g->cpu;
	const struct block_entry *e = b->entry, *end = e + b->straight;
	unsigned count = b->straight;
	enum cpu_trap t;
	c->ea_log = r->ea;
	c->tick = g->insns;
	for (; e != end; e++) {
		t = e->run(c, &e->insn);
		if (UNLIKELY(t)) {
			block_trap(r, b, (unsigned)(e - b->entry), t, record);
			return false;
		}
	}
	if (b->transfer) {
		t = run_transfer(c, b, &count);
		if (UNLIKELY(t)) {
			block_trap(r, b, count, t, record);
			return false;
		}
	} else {
		c->pc = b->pc + 4 * (uint64_t)count;
		c->npc = c->pc + 4;
	}
	g->insns += count;
	if (record)
		recorder_put(&r->recorder, b, count, r->ea);
	if (UNLIKELY(b->flush))
		after_flush(r, &b->entry[count - 1].insn);
	if (UNLIKELY(b->marker))
		recorder_marker(&r->recorder, b->marker);
	return true;
}

/* Finds the block at pc: a known successor of the last block, or one from the cache. */
static inline struct block *next_block(struct run *r, struct block *last)
{
	uint64_t pc = r->g->cpu.pc;
	bool no_memory = false;
	if (last) {
		if (last->next[0] && last->next[0]->pc == pc)
			return last->next[0];
		if (last->next[1] && last->next[1]->pc == pc)
			return last->next[1];
	}
	struct block *b = block_find(&r->cache, pc, r->g->cpu.simd, &no_memory);
	if (!b) {
		handle_missing_block(r, no_memory);
		return NULL;
	}
	if (last) {
		last->next[1] = last->next[0];
		last->next[0] = b;
	}
	return b;
}

static inline void loop(struct run *r, const bool record)
{
	struct cpu *c = &r->g->cpu;
	struct block *b = NULL;
	while (!should_leave(r)) {
		if (UNLIKELY(c->npc != c->pc + 4)) {
			step_single(r, record);
			b = NULL;
			continue;
		}
		b = next_block(r, b);
		if (UNLIKELY(!b))
			continue;
		if (UNLIKELY(b->first) && !r->recorder.armed) {
			r->recorder.armed = true;
			return;
		}
		if (UNLIKELY(!run_block(r, b, record)))
			b = NULL;
	}
}

static void loop_recording(struct run *r)
{
	loop(r, true);
}

static void loop_plain(struct run *r)
{
	loop(r, false);
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int start_trace(struct run *r, struct run_result *result)
{
	int status = recorder_start(&r->recorder);

	result->writer[r->g->running] = r->recorder.now->writer;
	return status;
}

/* Runs until the next check for interruption, the end of a turn, or until recording has to begin or end. */
static int slice(struct run *r, struct run_result *result)
{
	struct recorder *rec = &r->recorder;
	const struct run_options *o = rec->options;
	uint64_t before = r->g->insns, length = r->g->threads > 1 ? TURN : SLICE;
	bool inside = recorder_inside(rec), record = inside && !rec->skip_left;
	if (record && !result->reached)
		result->first_insn = before;
	result->reached |= record;
	if (record && start_trace(r, result) < 0)
		return -1;
	if (inside && !record)
		length = min_u64(length, rec->skip_left);
	if (record && o->max)
		length = min_u64(length, o->max - result->recorded);
	r->limit = before + length;
	rec->changed = false;
	fenv_t host;
	rec->recording = record;
	if (!record)
		rec->locks.count = 0; /* nobody sees what happens to them */
	cpu_fp_enter(&r->g->cpu, &host);
	if (record ? rec->now->writer || o->log : recorder_keeps(rec))
		loop_recording(r);
	else
		loop_plain(r);
	cpu_fp_leave(&r->g->cpu, &host);
	if (record && rec->now->writer)
		guest_simd_check(r->g);
	uint64_t executed = r->g->insns - before;
	if (record)
		result->recorded += executed;
	else if (inside)
		rec->skip_left -= min_u64(rec->skip_left, executed);
	if (o->max && result->recorded >= o->max && r->g->end == GUEST_RUNS)
		r->g->end = GUEST_STOPPED;
	return rec->result;
}

int guest_run(struct guest *g, const struct run_options *o, struct run_result *result, struct err *e)
{
	struct run *r = calloc(1, sizeof(*r));
	uint64_t next = 0; /* call of progress, while threads run by turns */
	*result = (struct run_result){0};
	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory to run a program");
	r->g = g;
	g->memory.remapped = false;
	block_cache_init(&r->cache, &g->memory, o->from ? o->from : 1);
	int status = recorder_init(&r->recorder, g, o, e);
	g->wakes = recorder_wakes;
	g->wakes_user = &r->recorder;
	while (status == 0 && g->end == GUEST_RUNS) {
		bool turns = g->threads > 1;
		status = slice(r, result);
		if (status == 0 && g->end == GUEST_RUNS && (!turns || g->insns >= next) && o->progress) {
			next = g->insns + SLICE;
			if (!o->progress(o->user, g->insns))
				g->end = GUEST_STOPPED;
		}
		if (status == 0 && g->end == GUEST_RUNS && (g->threads > 1 || g->reschedule)) {
			guest_schedule(g);
			status = recorder_turn(&r->recorder);
		}
	}
	if (status == 0 && g->end == GUEST_EXITED)
		recorder_warn_open(&r->recorder);
	result->executed = g->insns;
	g->wakes = NULL;
	recorder_finish(&r->recorder);
	block_cache_clear(&r->cache);
	free(r);
	return status;
}
