/*
 * The cycle stack: every empty commit slot is charged to one cause, and to the
 * oldest static instruction.
 */
#include "core_state.h"

/* The cause of empty slots while the pipeline is empty. */
static enum stall empty_cause(const struct core *c)
{
	const struct fetched *q = &c->front.fq[c->front.fq_head & c->front.fq_mask];

	if (c->front.latch[c->cfg->decode.stages - 1] &&
	    (c->win.sync_running || q->uop->flags & UOP_SYNC || q->flags & FETCHED_TRAP_TAKEN))
		return c->win.sync_cause;
	return front_cause(c);
}

static enum stall load_cause(const struct rob_entry *r)
{
	static const uint8_t causes[LOAD_NOTE_COUNT] = {
#define N(name, cause, text) [LOAD_##name] = STALL_##cause,
#include "load_note.def"
#undef N
	};

	return causes[r->note];
}

enum stall store_buffer_cause(const struct core *c)
{
	const struct store_entry *s = &c->ls.sb[c->ls.sb_head & c->ls.sb_mask];

	if (s->ready == CYCLE_NEVER && s->retry.at > c->now)
		return s->retry.why == MEM_NO_PAGE ? STALL_store_tlb : STALL_store_miss_buffer;
	if (s->ready == CYCLE_NEVER || s->ready <= c->now || s->level == MEM_L1)
		return STALL_store_buffer;
	return s->level == MEM_L2 ? STALL_store_l2 : STALL_store_memory;
}

static inline enum stall stall_cause(const struct core *c)
{
	const struct rob_entry *r = &c->win.rob[c->win.rob_head];
	uint32_t flags;

	if (!c->win.rob_count)
		return empty_cause(c);
	if (c->win.sync_running)
		return c->win.sync_cause;
	flags = r->uop->flags;
	if (c->array && waits_for_array(r))
		return array_cause(c, r);
	if (flags & UOP_STORE && r->done <= c->now)
		return store_buffer_cause(c);
	if (c->now < c->acct.refill_until)
		return c->acct.refill_cause;
	if (r->state == SLOT_WAITING || r->state == SLOT_READY)
		return STALL_select;
	if (flags & UOP_LOAD || (flags & UOP_PREFETCH && r->note == LOAD_BUFFER))
		return load_cause(r);
	if (flags & UOP_STORE)
		return r->data_at == CYCLE_NEVER || r->data_at > c->now ? STALL_store_data : STALL_store_address;
	return uop_class_cause(r->uop->class);
}

const struct uop *account_oldest(const struct core *c)
{
	if (c->win.rob_count)
		return c->win.rob[c->win.rob_head].uop;
	if (c->front.fq_head != c->front.fq_tail)
		return c->front.fq[c->front.fq_head & c->front.fq_mask].uop;
	if (c->front.feed.at_end)
		return NULL;
	return c->front.feed.uop;
}

/*
 * The occupancy of window and stations is summed a word at a time, all its lanes at
 * once: single cycles in near_sum, whose lanes are as narrow as the words'; near_sum
 * and skipped cycles in far_sum, with wider lanes; far_sum in the statistics.
 */
static inline void add_far(struct core *c, const uint64_t word[1 + RS_WORDS], uint64_t cycles)
{
	for (unsigned n = 0; n < 1 + RS_WORDS; n++)
		lane_sum_add(&c->acct.far_sum[n], word[n], cycles);
}

static void far_to_statistics(struct core *c)
{
	static const uint8_t level[1 + RS_WORDS][LANE_COUNT] = {
		{[LANE_ROB] = LEVEL_rob,
		 [LANE_GUB] = LEVEL_gub,
		 [LANE_FUB] = LEVEL_fub,
		 [LANE_LOAD_QUEUE] = LEVEL_load_queue,
		 [LANE_STORE_QUEUE] = LEVEL_store_queue},
		{LEVEL_rs_int0, LEVEL_rs_int1, LEVEL_rs_int2, LEVEL_rs_int3, LEVEL_rs_addr},
		{LEVEL_rs_fp0, LEVEL_rs_fp1, LEVEL_rs_fp2, LEVEL_rs_fp3, LEVEL_rs_br},
	};

	for (unsigned n = 0; n < (1 + RS_WORDS) * LANE_COUNT; n++)
		c->acct.stats.occupancy[level[n / LANE_COUNT][n % LANE_COUNT]] +=
			lane_sum_of(&c->acct.far_sum[n / LANE_COUNT], n % LANE_COUNT);
	memset(c->acct.far_sum, 0, sizeof(c->acct.far_sum));
	c->acct.far_cycles = 0;
}

__attribute__((noinline)) static void near_to_far(struct core *c)
{
	if (c->acct.far_cycles + c->acct.near_cycles > LANE_SUM_CYCLES)
		far_to_statistics(c);
	add_far(c, c->acct.near_sum, 1);
	c->acct.far_cycles += c->acct.near_cycles;
	memset(c->acct.near_sum, 0, sizeof(c->acct.near_sum));
	c->acct.near_cycles = 0;
}

/* Adds the occupancy of any number of skipped cycles. */
__attribute__((noinline)) static void add_many_levels(struct core *c, uint64_t cycles)
{
	const uint64_t used[1 + RS_WORDS] = {c->win.capacity - c->win.free, c->win.rs_used[0], c->win.rs_used[1]};

	while (cycles) {
		uint64_t room = LANE_SUM_CYCLES - c->acct.far_cycles, n = cycles < room ? cycles : room;

		add_far(c, used, n);
		c->acct.far_cycles += n;
		cycles -= n;
		if (cycles)
			far_to_statistics(c);
	}
}

/* Adds the occupancy in each of `cycles` cycles. */
static inline void add_levels(struct core *c, uint64_t cycles)
{
	c->acct.stats.occupancy[LEVEL_ibuffer] += c->front.group_count * cycles;
	c->acct.stats.occupancy[LEVEL_store_buffer] += c->ls.sb_count * cycles;
	if (cycles > 1) {
		add_many_levels(c, cycles);
		return;
	}
	c->acct.near_sum[0] += c->win.capacity - c->win.free;
	c->acct.near_sum[1] += c->win.rs_used[0];
	c->acct.near_sum[2] += c->win.rs_used[1];
	if (++c->acct.near_cycles == c->acct.near_limit)
		near_to_far(c);
}

uint64_t core_level_entries(const struct core_config *cfg, enum level level)
{
	const uint64_t all[LEVEL_COUNT] = {
#define L(name, label, entries, doc) [LEVEL_##name] = entries,
#include "level.def"
#undef L
	};

	return all[level];
}

void flush_lanes(struct core *c)
{
	struct core_stats *s = &c->acct.stats;
	uint64_t d = c->acct.dispatch_lanes, m = c->acct.commit_lanes;

	c->acct.dispatch_lanes = c->acct.commit_lanes = 0;
	c->acct.lane_insns = 0;
	s->int_sources += d & 0xffff;
	s->fp_sources += d >> 16 & 0xffff;
	s->int_results += d >> 32 & 0xffff;
	s->fp_results += d >> 48;
	s->flops += m & 0xffff;
	s->loads += m >> 16 & 0xffff;
	s->stores += m >> 32 & 0xffff;
	s->branches += m >> 48;
	s->selected = 0;
	if (c->array)
		s->flops += array_new_flops(c);
	for (unsigned n = 0; n < CORE_CLASSES; n++)
		s->selected += s->selected_class[n];
	near_to_far(c);
	far_to_statistics(c);
	if (c->array)
		array_levels(c);
}

void flush_counters(struct core *c)
{
	if (c->memo)
		c->replay->sum(c);
	flush_lanes(c);
}

/* Charges empty slots to a cause and to the oldest instruction. */
static inline void charge_lost(struct core *c, uint64_t lost)
{
	const struct uop *u = account_oldest(c);
	enum stall cause = stall_cause(c);

	c->acct.stats.lost[cause] += lost;
	if (!u || u->flags & UOP_WINDOW_TRAP)
		return;
	c->acct.profile[u->sid].lost += lost;
	if (c->acct.detail)
		c->acct.detail[u->sid].lost[cause] += lost;
}

void account_detail(struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct core_detail *d = &c->acct.detail[r->uop->sid];
	/* completion is that many cycles behind the selection of a consumer; of the PEs' instructions not always */
	uint64_t wake = r->uop->flags & UOP_SIMD ? c->win.wake[slot]
						 : r->done - c->cfg->core.operand_stages - c->cfg->core.commit_stages;

	/* others that are done have not been selected */
	bool timed = r->state == SLOT_SELECTED || (r->uop->flags & UOP_LOAD && r->uop->unit == EXEC_ADDR);

	if (r->uop->ndst && timed && wake != CYCLE_NEVER && wake > r->selected) {
		d->latency += wake - r->selected;
		d->timed++;
	}
	if (!(r->uop->flags & UOP_LOAD))
		return;
	switch (r->note) {
	case LOAD_L1: d->level[0]++; break;
	case LOAD_L2: d->level[1]++; break;
	case LOAD_MEMORY: d->level[2]++; break;
	default: break;
	}
}

uint64_t account_next(const struct core *c)
{
	const struct rob_entry *r = &c->win.rob[c->win.rob_head];

	if (!c->win.rob_count)
		return CYCLE_NEVER;
	return earlier(if_later(c, r->data_at), if_later(c, c->acct.refill_until));
}

void account(struct core *c, uint64_t cycles)
{
	unsigned lost = c->cfg->core.commit_width - c->acct.committed;

	c->acct.stats.cycles += cycles;
	if (c->front.dispatch_stall) {
		unsigned held = c->front.latch[c->cfg->decode.stages - 1];

		*c->front.dispatch_stall += cycles;
		c->acct.stats.stalled_d += held * cycles;
		c->acct.stats.stalled_e += (c->front.latch_sum - held) * cycles;
	}
	add_levels(c, cycles);
	if (lost)
		charge_lost(c, lost * cycles);
}
