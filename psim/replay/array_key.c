/* The array's part of a core's key, written and read: core_key.h. */
#include "../core/array_state.h"
#include "key_words.h"

/* ---- written ---- */
static void put_station(struct out *k, const struct core *c)
{
	const struct array *a = c->array;
	unsigned start = (unsigned)c->now % RELEASE_SIZE;
	uint32_t rows = (a->rs_releasing >> start | a->rs_releasing << (RELEASE_SIZE - start)) & 0xffff;

	put_key(k, a->rs_used | rows << 16);
	for (uint32_t left = rows; left; left &= left - 1)
		put_key(k, a->rs_release[(unsigned)(c->now + (unsigned)__builtin_ctz(left)) % RELEASE_SIZE]);
	put_key(k, time_of(k, c, a->arithmetic_busy));
	if (a->p->divide != SIMD_DIVIDE_NONE)
		put_key(k, time_of(k, c, a->dividers_busy));
}

/* The PEs' supply: a word of a kind, and the cycles until it changes. */
enum { SUPPLY_BUSY, SUPPLY_OFF, SUPPLY_IDLE, SUPPLY_RETURNS, SUPPLY_BITS = 2 };

static void put_supply(struct out *k, const struct core *c)
{
	const struct array *a = c->array;

	if (a->p->power != POWER_GATED)
		return;
	if (array_occupied(a))
		put_key(k, SUPPLY_BUSY);
	else if (c->now < a->awake_at)
		put_key(k, SUPPLY_RETURNS | (uint32_t)(a->awake_at - c->now) << SUPPLY_BITS);
	else if (c->now > a->sleep_from)
		put_key(k, SUPPLY_OFF);
	else
		put_key(k, SUPPLY_IDLE | (uint32_t)(a->sleep_from - c->now) << SUPPLY_BITS);
}

static void put_sbm_stores(struct out *k, const struct core *c)
{
	const struct array *a = c->array;
	const struct store_entry *first = &a->sb[a->sb_head & a->sb_mask];
	bool started = a->sb_count && first->ready != CYCLE_NEVER;

	put_key(k, a->sb_count | (uint32_t)started << SBM_STORE_STARTED | (uint32_t)a->store_held << SBM_STORE_HELD);
	if (started)
		put_key(k, time_of(k, c, first->ready));
	put_held_ports(k, c, &a->held);
	for (unsigned n = 0; n < a->sb_count; n++) {
		const struct store_entry *s = &a->sb[(a->sb_head + n) & a->sb_mask];

		put_key(k, s->size | (uint32_t)s->scatter << SBM_STORE_SCATTER);
	}
}

/* Writes which of the transfers that request their lines, now or later, are puts. */
static void put_puts(struct out *k, const struct array *a)
{
	uint32_t word = 0, bit = 0;

	for (uint64_t n = a->transfer_issue; n != a->transfer_tail; n++) {
		word |= (uint32_t)array_transfer_of(a, n)->put << bit;
		bit = (bit + 1) % 32;
		if (bit && n + 1 != a->transfer_tail)
			continue;
		put_key(k, word);
		word = bit = 0;
	}
}

static void put_transfers(struct out *k, const struct core *c)
{
	const struct array *a = c->array;
	uint32_t next = time_of(k, c, a->next_line);
	bool waits = a->wait_slot != SLOT_NONE;

	if (!array_active(a) && next == KEY_PAST) {
		put_key(k, 0);
		return;
	}
	put_key(k, (uint32_t)(a->transfer_issue - a->transfer_head) << TRANSFER_ISSUED |
			   a->arrived << TRANSFER_ARRIVED | a->lines << TRANSFER_LINES |
			   (uint32_t)waits << TRANSFER_WAIT | (uint32_t)(a->port_debt != 0) << TRANSFER_DEBT |
			   1u << TRANSFER_SOME);
	put_key(k, next);
	put_puts(k, a);
	put_key(k, a->port_units);
	if (a->port_debt)
		put_key(k, a->port_debt);
	if (a->lines) {
		put_key(k, time_of(k, c, a->first.arrival));
		put_key(k, a->first.port_units << 1 | a->first.last);
	}
	if (waits)
		put_key(k, slot_age(&c->win, a->wait_slot) | (uint32_t)(a->wait_for - a->transfer_head) << 16);
}

void array_key_put(struct out *k, const struct core *c)
{
	const struct array *a = c->array;
	const uint64_t *const set[SBM_SET_COUNT] = {
		[SBM_SET_WANT] = a->want,       [SBM_SET_VALUE] = a->value, [SBM_SET_BLOCKED] = a->blocked,
		[SBM_SET_ADDRESS] = a->address, [SBM_SET_DATA] = a->data,   [SBM_SET_STORE] = a->store,
	};

	put_station(k, c);
	put_supply(k, c);
	put_near(k, c, a->arrive, a->arrive_rows);
	put_slot_sets(k, c, set, SBM_SET_COUNT);
	put_sbm_stores(k, c);
	put_transfers(k, c);
}

/* ---- read ---- */
static void get_station(struct core *c, struct in *k)
{
	struct array *a = c->array;
	uint32_t word = core_restore_get(k), rows = word >> 16;

	a->rs_used = word & 0xffff;
	memset(a->rs_release, 0, sizeof(a->rs_release));
	a->rs_releasing = 0;
	for (; rows; rows &= rows - 1) {
		unsigned row = (unsigned)(c->now + (unsigned)__builtin_ctz(rows)) % RELEASE_SIZE;

		a->rs_releasing |= 1u << row;
		a->rs_release[row] = (uint8_t)core_restore_get(k);
	}
	a->arithmetic_busy = get_cycle(c, k);
	if (a->p->divide != SIMD_DIVIDE_NONE)
		a->dividers_busy = get_cycle(c, k);
	a->sfub_free = a->p->sfub_entries;
	for (unsigned n = 0; n < c->win.rob_count; n++)
		a->sfub_free -= c->win.rob[(c->win.rob_head + n) & c->win.rob_mask].uop->sfub;
}

static void get_supply(struct core *c, struct in *k)
{
	struct array *a = c->array;
	uint32_t word = 0, kind, left;

	a->sleep_from = c->now + a->p->sleep_after;
	a->awake_at = 0;
	if (a->p->power == POWER_GATED)
		word = core_restore_get(k);
	kind = word & ((1u << SUPPLY_BITS) - 1);
	left = word >> SUPPLY_BITS;
	if (kind == SUPPLY_OFF)
		a->sleep_from = 0;
	else if (kind == SUPPLY_IDLE)
		a->sleep_from = c->now + left;
	else if (kind == SUPPLY_RETURNS)
		a->awake_at = c->now + left, a->sleep_from += left;
}

static void get_array_sets(struct core *c, struct in *k)
{
	struct array *a = c->array;
	uint64_t *const set[SBM_SET_COUNT] = {
		[SBM_SET_WANT] = a->want,       [SBM_SET_VALUE] = a->value, [SBM_SET_BLOCKED] = a->blocked,
		[SBM_SET_ADDRESS] = a->address, [SBM_SET_DATA] = a->data,   [SBM_SET_STORE] = a->store,
	};
	unsigned size[SBM_SET_COUNT];

	for (unsigned n = 0; n < SBM_SET_COUNT; n++)
		memset(set[n], 0, c->win.rob_words * sizeof(*set[n]));
	get_slot_sets(c, k, set, size, SBM_SET_COUNT);
	a->load_count = size[SBM_SET_WANT] + size[SBM_SET_VALUE];
	a->store_count = size[SBM_SET_STORE];
	a->blocked_count = size[SBM_SET_BLOCKED];
}

static void get_sbm_stores(struct core *c, struct in *k)
{
	struct array *a = c->array;
	uint32_t word = core_restore_get(k);
	uint64_t ready = word >> SBM_STORE_STARTED & 1 ? get_cycle(c, k) : CYCLE_NEVER;

	get_held_ports(c, k, &a->held);
	a->store_held = word >> SBM_STORE_HELD & 1;
	a->sb_head = 0;
	a->sb_count = word & ((1u << SBM_STORE_STARTED) - 1);
	for (unsigned n = 0; n < a->sb_count; n++) {
		uint32_t entry = core_restore_get(k);

		a->sb[n] = (struct store_entry){.ea = next_address(&k->from.sbm_stores),
						.size = (uint8_t)entry,
						.scatter = entry >> SBM_STORE_SCATTER & 1,
						.ready = n ? CYCLE_NEVER : ready};
	}
}

static void get_transfers(struct core *c, struct in *k)
{
	struct array *a = c->array;
	uint32_t word = core_restore_get(k), wait;

	a->transfer_issue = a->transfer_head + (word >> TRANSFER_ISSUED & 511);
	a->arrived = word >> TRANSFER_ARRIVED & 511;
	a->lines = word >> TRANSFER_LINES & 2047;
	a->wait_slot = SLOT_NONE;
	a->next_line = c->now;
	a->port_units = a->port_debt = a->ended = 0;
	if (!word)
		return;
	a->next_line = get_cycle(c, k);
	k->at += (a->transfer_tail - a->transfer_issue + 31) / 32; /* a put is known by its instruction */
	a->port_units = core_restore_get(k);
	if (word >> TRANSFER_DEBT & 1)
		a->port_debt = core_restore_get(k);
	if (a->lines) {
		a->first.arrival = get_cycle(c, k);
		a->first.port_units = *k->at >> 1;
		a->first.last = core_restore_get(k) & 1;
	}
	if (!(word >> TRANSFER_WAIT & 1))
		return;
	wait = core_restore_get(k);
	a->wait_slot = wait & 0xffff;
	a->wait_for = a->transfer_head + (wait >> 16);
}

void array_key_get(struct core *c, struct in *k)
{
	struct array *a = c->array;

	get_station(c, k);
	get_supply(c, k);
	get_near(c, k, a->arrive, &a->arrive_rows);
	get_array_sets(c, k);
	get_sbm_stores(c, k);
	get_transfers(c, k);
	a->levels_at = c->now; /* its occupancy has been summed up to here */
}
