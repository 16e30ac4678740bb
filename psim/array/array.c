/*
 * The SIMD array: dispatch into its station, C, selection for its arithmetic
 * pipes, release of its resources. array_memory.c has the load and store pipes,
 * array_transfer.c the transfers.
 *
 * An instruction dispatched in cycle t is sent to the PEs: C is in the cycles from
 * t + 1 on, and it can be selected in t + 1 + c_cycles. From there on the PEs'
 * pipeline is that of the scalar units: P B X U, then W1, in which they report to
 * the core, then W. Scalar operands, addresses and broadcast values pass C too.
 */
#include <stdlib.h>

#include "../base/number.h"
#include "../core/array_state.h"

int core_check_array(const struct core_config *cfg, unsigned pes, uint32_t sbm_bytes, struct err *e)
{
	if (!pes)
		return 0;
	if (pes != cfg->simd.pes)
		return err_set(e, STATUS_USAGE,
			       "simd.pes = %u, but the trace was recorded with %u PEs, expected the same number "
			       "(psim-record --pes, psim -p simd.pes or -c simd16.ini)",
			       cfg->simd.pes, pes);
	if (sbm_bytes != cfg->simd.sbm_bytes)
		return err_set(
			e, STATUS_USAGE,
			"simd.sbm_bytes = %llu, but the trace was recorded with %u bytes of SBM in each PE, expected "
			"the same size (psim-record --sbm, psim -p simd.sbm_bytes)",
			(unsigned long long)cfg->simd.sbm_bytes, sbm_bytes);
	return 0;
}

static void list_flop_classes(struct array *a)
{
	for (uint32_t n = 0; n < CLASS_COUNT; n++) {
		uint32_t flops = (uint32_t)uop_simd_flops(n, a->pes);

		if (flops)
			a->flop_class[a->flop_classes++] = (struct class_flops){n, flops};
	}
}

int array_create(struct core *c, struct err *e)
{
	const struct trace_info *info = trace_info(c->front.feed.reader);
	const struct simd_params *p = &c->cfg->simd;
	unsigned stores = power_of_two_from(p->store_buffer);
	struct array *a;

	if (core_check_array(c->cfg, info->pes, info->sbm_bytes, e) < 0)
		return -1;
	if (!p->pes)
		return 0;
	a = c->array = calloc(1, sizeof(*a));
	if (!a)
		return err_set(e, STATUS_FAILED, "core: out of memory for the array");
	a->p = p;
	a->pes = p->pes;
	list_flop_classes(a);
	a->sfub_free = p->sfub_entries;
	a->wait_slot = SLOT_NONE;
	a->sb_mask = stores - 1;
	a->sb = calloc(stores, sizeof(*a->sb));
	a->arrive = calloc((size_t)NEAR_SIZE * c->win.rob_words, sizeof(*a->arrive));
	if (!a->sb || !a->arrive)
		return err_set(e, STATUS_FAILED, "core: out of memory for the array");
	return transfers_create(c, e);
}

void array_destroy(struct core *c)
{
	if (!c->array)
		return;
	transfers_destroy(c->array);
	free(c->array->sb);
	free(c->array->arrive);
	free(c->array);
}

/* ---- dispatch and commit ---- */
void array_dispatched(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop *u = r->uop;
	struct array *a = c->array;

	if (u->flags & UOP_TRANSFER) {
		array_transfer_of(a, r->ea)->seq = c->win.first_seq + slot_age(&c->win, slot);
		a->transfer_dispatched = r->ea + 1;
		return;
	}
	array_dispatch_simd(c, slot, u, c->win.rob_words);
}

/* ---- C ---- */
void array_arrive(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];

	if (r->uop->unit != EXEC_SIMD)
		array_memory_arrive(c, slot);
	else if (--r->pending == 0)
		slot_ready(c, r, slot, c->win.rob_words);
}

static inline void run_arrivals(struct core *c, unsigned words)
{
	struct array *a = c->array;
	unsigned row = (unsigned)c->now & (NEAR_SIZE - 1);

	if (!(a->arrive_rows >> row & 1))
		return;
	a->arrive_rows &= ~(1ull << row);
	c->progress = true;
	for (unsigned w = 0; w < words; w++) {
		uint64_t m = a->arrive[row * words + w];

		a->arrive[row * words + w] = 0;
		for (; m; m &= m - 1)
			array_arrive(c, (w << 6) + (unsigned)__builtin_ctzll(m));
	}
}

/* ---- arithmetic: P B X U W1 W ---- */
static inline void simd_array_select_slot(struct core *c, unsigned slot, unsigned words)
{
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop *u = r->uop;
	uint64_t wake = c->now + u->latency;

	slot_clear_in(ready_in(&c->win, r->ready_row, words), slot, words);
	r->state = SLOT_SELECTED;
	r->selected = c->now;
	array_release(c);
	c->counters.stats.selected_class[u->class]++;
	c->counters.stats.simd_cross += u->insn->flags & INSN_CROSS ? 1 : 0;
	c->win.wake[slot] = wake;
	r->done = wake + u->report;
	wake_at(c, wake, slot, words);
	if (u->pipe_cycles > 1)
		c->array->arithmetic_busy = c->now + u->pipe_cycles;
	if (u->divider_cycles)
		c->array->dividers_busy = c->now + u->divider_cycles;
	if (c->opt.pipe_trace)
		pipe_trace_note(c, slot, PIPE_TRACE_SELECT);
}

static inline void select_arithmetic(struct core *c, unsigned words)
{
	struct array *a = c->array;
	uint64_t *row = ready_of(&c->win, READY_SIMD), *divide = ready_of(&c->win, READY_DIVIDE), any = 0;

	for (unsigned n = 0; n < a->p->arithmetic_pipes && a->arithmetic_busy <= c->now; n++) {
		/* While the dividers are busy, only other operations can be selected. */
		unsigned slot = slot_oldest_in(&c->win, row, a->dividers_busy > c->now ? row : divide, words);

		if (slot == SLOT_NONE)
			break;
		simd_array_select_slot(c, slot, words);
		c->progress = true;
	}
	for (unsigned w = 0; w < words; w++)
		any |= row[w] | divide[w];
	if (!any)
		c->win.ready_rs &= ~(1u << RS_SIMD);
}

static inline void release_station(struct core *c)
{
	struct array *a = c->array;
	unsigned row = (unsigned)c->now % RELEASE_SIZE;

	if (!(a->rs_releasing >> row & 1))
		return;
	c->progress = c->win.may_dispatch = true;
	a->rs_releasing &= ~(1u << row);
	a->rs_used -= a->rs_release[row];
	a->rs_release[row] = 0;
}

/*
 * Sums up the cycles without a supply in the interval from levels_at until now, in which nothing has changed. The core
 * begins with PEs asleep.
 */
static void sum_sleep(struct core *c)
{
	struct array *a = c->array;
	uint64_t from = array_asleep_from(a);

	if (array_occupied(a)) {
		a->sleep_from = c->now + a->p->sleep_after;
	} else if (c->now > from) {
		c->counters.stats.simd_sleeps += from == a->sleep_from;
		c->counters.stats.simd_asleep += c->now - from;
	}
}

void array_levels(struct core *c)
{
	struct array *a = c->array;
	uint64_t *o = c->counters.stats.occupancy, cycles = c->now - a->levels_at;

	if (a->p->power == POWER_GATED)
		sum_sleep(c);
	/* occupancy has not changed since the end of the last simulated cycle */
	a->levels_at = c->now;
	o[LEVEL_rs_simd] += a->rs_used * cycles;
	o[LEVEL_sfub] += (a->p->sfub_entries - a->sfub_free) * cycles;
	o[LEVEL_simd_store_buffer] += a->sb_count * cycles;
	o[LEVEL_transfers] += (a->transfer_tail - a->transfer_head) * cycles;
}

static inline void array_cycle(struct core *c, unsigned words)
{
	struct array *a = c->array;

	array_levels(c);
	if (a->awake_at == c->now)
		c->progress = c->win.may_dispatch = true;
	if (a->rs_releasing)
		release_station(c);
	if (a->arrive_rows)
		run_arrivals(c, words);
	if (a->held.count)
		release_ports(&a->held, c->now);
	a->ports_left = a->p->sbm_ports - a->held.count;
	a->ended = 0;
	if (a->transfer_head != a->transfer_tail)
		transfers_step(c);
	if (a->load_count | a->store_count | a->sb_count)
		array_loads_and_stores(c, words);
	if (c->win.ready_rs >> RS_SIMD & 1)
		select_arithmetic(c, words);
}

/* The two shapes of the window; see slot_set_in. */
__attribute__((noinline)) static void array_small(struct core *c)
{
	array_cycle(c, 1);
}

__attribute__((noinline)) static void array_large(struct core *c)
{
	array_cycle(c, c->win.rob_words);
}

void stage_array(struct core *c)
{
	if (c->win.rob_words == 1)
		array_small(c);
	else
		array_large(c);
}

/* ---- time ---- */

/* The next cycle whose row, of `size`, is not empty. */
static uint64_t next_row(const struct core *c, uint64_t rows, unsigned size)
{
	for (unsigned n = 1; rows && n <= size; n++)
		if (rows >> ((c->now + n) % size) & 1)
			return c->now + n;
	return CYCLE_NEVER;
}

uint64_t array_next_cycle(const struct core *c)
{
	const struct array *a = c->array;
	uint64_t next;

	next = earlier(next_row(c, a->arrive_rows, NEAR_SIZE), next_row(c, a->rs_releasing, RELEASE_SIZE));
	next = earlier(next, transfers_next(c));
	next = earlier(next, next_free_port(&a->held, c->now));
	next = earlier(next, if_later(c, a->awake_at));
	if (a->sb_count)
		next = earlier(next, if_later(c, a->sb[a->sb_head & a->sb_mask].ready));
	if (!(c->win.ready_rs >> RS_SIMD & 1))
		return next;
	return earlier(next, earlier(if_later(c, a->arithmetic_busy), if_later(c, a->dividers_busy)));
}

/* ---- counters ---- */
uint64_t array_new_flops(struct core *c)
{
	struct array *a = c->array;
	uint64_t all = 0, more;

	for (unsigned n = 0; n < a->flop_classes; n++)
		all += c->counters.stats.committed[CLASS_COUNT + a->flop_class[n].class] * a->flop_class[n].flops;
	more = all - a->flops;
	a->flops = all;
	return more;
}

enum stall array_cause(const struct core *c, const struct rob_entry *r)
{
	const struct array *a = c->array;
	uint32_t flags = r->uop->flags;
	bool waits = r->state == SLOT_WAITING || r->state == SLOT_READY;

	if (r->done <= c->now && flags & UOP_TRANSFER)
		return a->transfer_tail - a->transfer_head >= a->p->transfers ? STALL_transfer_slots
									      : STALL_transfer_stores;
	if (r->done <= c->now && flags & UOP_STORE)
		return STALL_simd_store_buffer;
	if (c->now < c->stack.refill_until)
		return c->stack.refill_cause;
	if (r->uop->unit == EXEC_SIMD)
		return waits ? STALL_simd_wait : STALL_simd_latency;
	if (waits)
		return STALL_select;
	return flags & UOP_TRANSFER ? STALL_int_latency : STALL_simd_store;
}

/* ---- --check ---- */
bool array_check(const struct core *c, const char **what, uint64_t *have, uint64_t *want)
{
	const struct array *a = c->array;
	uint64_t sfub = 0, waiting = 0, loads = 0, stores = 0, blocked = 0;

	for (unsigned n = 0; n < c->win.rob_count; n++) {
		unsigned slot = (c->win.rob_head + n) & c->win.rob_mask;
		const struct rob_entry *r = &c->win.rob[slot];

		sfub += r->uop->sfub;
		waiting += r->uop->flags & UOP_SIMD && r->done == CYCLE_NEVER;
		loads += slot_has(a->want, slot) + slot_has(a->value, slot);
		stores += slot_has(a->store, slot);
		blocked += slot_has(a->blocked, slot);
	}
	const struct {
		const char *what;
		uint64_t have, want;
	} equal[] = {
		{"SFPR rename entries in use", a->p->sfub_entries - a->sfub_free, sfub},
		{"loads at the PEs", a->load_count, loads},
		{"stores at the PEs", a->store_count, stores},
		{"loads that wait at the PEs", a->blocked_count, blocked},
		{"waiting SIMD instructions outside the SIMD station", waiting > a->rs_used ? waiting : 0, 0},
		{"SIMD station entries too many", a->rs_used > a->p->rs_entries ? a->rs_used : 0, 0},
		{"transfers too many", a->transfer_tail - a->transfer_head > a->p->transfers, 0},
		{"lines of transfers too many", a->lines > a->p->transfer_buffers, 0},
	};

	for (unsigned n = 0; n < sizeof(equal) / sizeof(equal[0]); n++) {
		*what = equal[n].what;
		*have = equal[n].have;
		*want = equal[n].want;
		if (*have != *want)
			return false;
	}
	return true;
}
