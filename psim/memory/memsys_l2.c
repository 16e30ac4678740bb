/* L2, its channel to L1, memory and write-backs to it, and the prefetchers' requests. */
#include "memsys_state.h"

#include <stdlib.h>

/* A miss goes through all these functions: as one of them it takes a fifth less of the host's instructions. */
#define INLINE __attribute__((always_inline)) inline

static inline uint64_t max_cycle(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns whether L1 of core `m` certainly has nothing of an L2 line; else l1_invalidate knows. */
static inline bool l1_lacks(const struct memsys *m, uint64_t line)
{
	return m->l1_pairs && cache_pair_lacks(&m->l1i.cache, line) && cache_pair_lacks(&m->l1d.cache, line);
}

/* Invalidates an L2 line's lines in L1 of core `m`. Was one of them dirty? */
static bool l1_invalidate(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	uint64_t end = line + m->cfg->l2.line_bytes;
	bool dirty = false;

	for (uint64_t a = line; a != end; a += m->cfg->l1i.line_bytes)
		m->stats.l1i_invalidated += cache_remove(&m->l1i.cache, a) != 0;
	for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes) {
		uint64_t removed = l1d_remove(m, a);

		m->stats.l1d_invalidated += removed != 0;
		if (removed & LINE_DIRTY) {
			m->stats.l1d_writebacks++;
			channel_reserve(&m->chip->l2_channel, now, t, m->chip->l1d_time);
			dirty = true;
		}
	}
	return dirty;
}

/* ---- write-backs of L2 ---- */

static uint64_t *write_back_at(struct write_backs *w, unsigned i)
{
	return &w->ready[(w->first + i) & w->mask];
}

/* Reserves the channel for the oldest write-back, as early as possible. */
static void send_write_back(struct chip_memory *chip)
{
	struct write_backs *w = &chip->write_backs;
	uint64_t ready = *write_back_at(w, 0);

	channel_reserve(&chip->memory_channel, ready, ready, chip->memory_time);
	w->first++;
	w->count--;
}

/*
 * Sends the write-backs that start before cycle `now`: those that find the memory channel idle, and
 * those that the next one displaces from the buffers. It runs before each request, so the result does
 * not depend on the time of the call.
 */
static void memsys_l2_settle(struct chip_memory *chip, uint64_t now)
{
	struct write_backs *w = &chip->write_backs;

	while (w->count && *write_back_at(w, 0) < now) {
		bool pushed = w->count > w->buffers && *write_back_at(w, w->buffers) <= now;

		if (!pushed && !channel_idle(&chip->memory_channel, *write_back_at(w, 0), now))
			return;
		send_write_back(chip);
	}
}

void l2_add_write_back(struct chip_memory *chip, uint64_t ready, uint64_t line, unsigned number)
{
	struct write_backs *w = &chip->write_backs;
	unsigned i;

	if (chip->dram) {
		dram_write(chip->dram, ready, line, number);
		return;
	}
	if (w->count > w->mask)
		send_write_back(chip);
	for (i = w->count++; i > 0 && *write_back_at(w, i - 1) > ready; i--)
		*write_back_at(w, i) = *write_back_at(w, i - 1);
	*write_back_at(w, i) = ready;
}

/* Reserves the memory channel for a line, not before cycle `t`; returns the cycle in which it starts. */
INLINE static uint64_t take_memory(struct chip_memory *chip, uint64_t now, uint64_t t)
{
	memsys_l2_settle(chip, now);
	return channel_reserve(&chip->memory_channel, now, t, chip->memory_time);
}

uint64_t l2_take_memory(struct chip_memory *chip, uint64_t now, uint64_t t)
{
	return take_memory(chip, now, t);
}

void memsys_occupy(struct memsys *m, uint64_t now, uint64_t cycles)
{
	struct chip_memory *chip = memsys_shared(m);

	if (chip->dram) {
		memsys_dram_settle(chip, now);
		dram_hold(chip->dram, now, cycles);
		return;
	}
	memsys_l2_settle(chip, now);
	channel_reserve(&chip->memory_channel, now, now, cycles << CHANNEL_SHIFT);
}

bool l2_clear_l1(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	return !l1_lacks(m, line) && l1_invalidate(m, now, t, line);
}

/*
 * Evicts a line from L2 at `t`, for a line that `m` requests. Inclusion removes it from
 * every L1; dirty data is written back to memory.
 */
INLINE static void l2_evict(struct memsys *m, uint64_t now, uint64_t t, uint64_t tag)
{
	struct chip_memory *chip = m->chip;
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS;
	bool dirty = tag & LINE_DIRTY;

	for (unsigned k = 0; k < chip->cores; k++)
		if (!l1_lacks(chip->core[k], line))
			dirty |= l1_invalidate(chip->core[k], now, t, line);
	if (dirty) {
		m->stats.l2_writebacks++;
		l2_add_write_back(chip, t, line, m->number);
	}
}

void l2_insert(struct memsys *m, uint64_t now, uint64_t at, uint64_t address, bool ahead)
{
	uint64_t victim = tagged_insert(&m->chip->l2, address, LINE_FILL_PENDING, fill_word(at, MEM_MEMORY, ahead));

	note_filled(m, WRONG_L2, address, victim, !ahead);
	if (victim)
		l2_evict(m, now, at > now ? at : now, victim);
}

/*
 * Reads a line from memory into L2, with a miss buffer from `t` on; returns the cycle of its arrival. `ahead`: for the
 * prefetcher.
 */
INLINE static uint64_t memory_read(struct memsys *m, const struct request *r, uint64_t t, bool ahead)
{
	uint64_t slot = take_memory(m->chip, r->now, t);
	uint64_t arrival = slot + m->chip->memory_latency;
	uint64_t victim;

	m->stats.memory_reads++;
	m->stats.memory_wait_cycles += slot - t;
	m->stats.memory_read_cycles += arrival - t;
	m->stats.memory_busy_cycles += mshr_more_busy(&m->chip->l2_mshr, t, arrival);
	mshr_take(&m->chip->l2_mshr, r->now, arrival);
	victim = tagged_insert(&m->chip->l2, r->address, LINE_FILL_PENDING, fill_word(arrival, MEM_MEMORY, ahead));
	note_filled(m, WRONG_L2, r->address, victim, !ahead && !r->prefetch);
	if (victim)
		l2_evict(m, r->now, arrival, victim);
	return arrival;
}

/* L2 miss that L3 or another core's L2 serves, or memory behind them. */
static struct arrival l3_miss(struct memsys *m, const struct request *r, bool data)
{
	struct memsys_stats *s = &m->stats;
	uint64_t t = wait_for_buffer(&m->chip->l2_mshr, r->t, &s->l2_buffer_waits, &s->l2_buffer_wait_cycles);
	struct arrival a;

	++*(data ? &s->l2_data_misses : &s->l2_instruction_misses);
	a = l3_read(m, r, t, false);
	a.trigger = true;
	if (data)
		prefetcher_fill(&m->prefetcher, a.at, r->address >> m->chip->l2.shift, false);
	return a;
}

/* L2 miss of memory.kind = dram: of data, which memory has sent; or of instructions, which are served at once. */
static struct arrival dram_miss(struct memsys *m, const struct request *r, size_t i)
{
	struct arrival a = {.at = r->t, .level = MEM_MEMORY, .trigger = true};
	struct dram_served served;
	bool prefetched;

	m->stats.memory_reads++;
	if (i != CACHE_ABSENT) {
		m->stats.l2_data_misses++;
		a.at = use_pending_fill(&m->chip->l2, i, r, &prefetched);
		return a;
	}
	m->stats.l2_instruction_misses++;
	served = memsys_dram_serve(m, r->now, r->t, r->address, false);
	m->stats.memory_wait_cycles += served.start - r->t;
	memsys_dram_read_begins(m->chip, r->t);
	memsys_dram_read_known(m, r->t, served.arrival);
	l2_insert(m, r->now, served.arrival, r->address, false);
	a.at = served.arrival;
	return a;
}

/* Looks up the line of L1's request in L2; returns the cycle in which L2 has it, and the level that served it. */
INLINE static struct arrival l2_lookup(struct memsys *m, const struct request *r, bool data)
{
	struct memsys_stats *s = &m->stats;
	struct arrival a = {.at = r->t, .level = MEM_L2};
	bool prefetched = false;
	size_t i;

	if (m->cfg->l2.perfect) {
		++*(data ? &s->l2_data_hits : &s->l2_instruction_hits);
		return a;
	}
	i = tagged_use(&m->chip->l2, r->address);
	if (m->chip->far && (i == CACHE_ABSENT || r->missed))
		return m->chip->l3 ? l3_miss(m, r, data) : dram_miss(m, r, i);
	if (i == CACHE_ABSENT) {
		++*(data ? &s->l2_data_misses : &s->l2_instruction_misses);
		a.at = wait_for_buffer(&m->chip->l2_mshr, r->t, &s->l2_buffer_waits, &s->l2_buffer_wait_cycles);
		a.at = memory_read(m, r, a.at, false);
		a.level = MEM_MEMORY;
		a.trigger = true;
		if (data)
			prefetcher_fill(&m->prefetcher, a.at, r->address >> m->chip->l2.shift, false);
		return a;
	}
	if (!r->prefetch)
		note_found(m, WRONG_L2, r->address);
	if (m->chip->l2.tag[i] & LINE_FILL_PENDING)
		a.at = use_pending_fill(&m->chip->l2, i, r, &prefetched);
	a.trigger = prefetched;
	if (a.at > r->t || r->waited) {
		++*(data ? &s->l2_data_merged : &s->l2_instruction_merged);
		s->hw_prefetches_late += prefetched;
		a.level = r->waited ? MEM_MEMORY : (enum mem_level)fill_level(m->chip->l2.fill[i]);
	} else {
		++*(data ? &s->l2_data_hits : &s->l2_instruction_hits);
		s->hw_prefetches_useful += prefetched;
	}
	return a;
}

/* Trains the prefetcher with a data access to L2. Its lines are requested before any later request. */
static void train_prefetcher(struct memsys *m, const struct request *r, bool trigger)
{
	m->stats.hw_prefetches_dropped -= m->prefetcher.overtaken;
	prefetcher_access(&m->prefetcher, r->now, r->address >> m->chip->l2.shift, trigger);
	m->stats.hw_prefetches_dropped += m->prefetcher.overtaken;
	m->wanted_since = r->now;
}

/* Selects, round robin, a core whose prefetcher has wanted lines since before cycle `now`; NULL: none. */
static struct memsys *wanting_core(const struct chip_memory *chip, uint64_t now)
{
	for (unsigned n = 0; n < chip->cores; n++) {
		struct memsys *m = chip->core[(chip->prefetch_turn + n) % chip->cores];

		if (m->prefetcher.wanting && m->wanted_since < now)
			return m;
	}
	return NULL;
}

struct memsys *l2_next_prefetch(const struct chip_memory *chip, uint64_t now, uint64_t *ret_at)
{
	struct memsys *m = mshr_free_at(&chip->l2_mshr) < now ? wanting_core(chip, now) : NULL;

	if (m)
		*ret_at = max_cycle(mshr_free_at(&chip->l2_mshr), m->wanted_since);
	return m;
}

uint64_t l2_take_prefetch(struct memsys *m)
{
	uint64_t line;

	m->chip->prefetch_turn = (m->number + 1) % m->chip->cores;
	if (!prefetcher_take(&m->prefetcher, &line))
		bug("a prefetcher wants lines but names none");
	return line << m->chip->l2.shift;
}

/*
 * Requests the lines that prefetchers want and for which a miss buffer was free before cycle `now`. It
 * runs before each request to L2, so the result does not depend on the time of the call.
 */
static void request_prefetches(struct chip_memory *chip, uint64_t now)
{
	struct memsys *m;
	uint64_t t;

	while ((m = l2_next_prefetch(chip, now, &t))) {
		struct request r = {.now = t, .t = t, .address = l2_take_prefetch(m)};

		if (tagged_find(&chip->l2, r.address) != CACHE_ABSENT)
			continue;
		m->stats.hw_prefetches++;
		prefetcher_fill(&m->prefetcher, memory_read(m, &r, t, true), r.address >> chip->l2.shift, true);
	}
}

/* The core of the chip whose prefetcher could have requested a line first, before cycle `now`; NULL: none. */
static struct memsys *first_prefetch(const struct chip_memory *shared, uint64_t now, uint64_t *ret_at)
{
	struct memsys *first = NULL;

	for (unsigned k = 0; k < shared->cores; k++) {
		uint64_t at = now;
		struct memsys *m = l2_next_prefetch(shared->core[k]->chip, now, &at);

		if (!m || (first && at >= *ret_at)) /* of equal ones that of the first core */
			continue;
		first = m;
		*ret_at = at;
	}
	return first;
}

/* request_prefetches with an L3, which gets the requests of all cores in the order of time. */
static void request_l3_prefetches(const struct chip_memory *shared, uint64_t now)
{
	struct memsys *m;
	uint64_t t = now;

	while ((m = first_prefetch(shared, now, &t))) {
		struct request r = {.now = t, .t = t, .address = l2_take_prefetch(m)};

		if (tagged_find(&m->chip->l2, r.address) != CACHE_ABSENT)
			continue;
		m->stats.hw_prefetches++;
		prefetcher_fill(&m->prefetcher, l3_read(m, &r, t, true).at, r.address >> m->chip->l2.shift, true);
	}
}

void l2_request_prefetches(struct memsys *m, uint64_t now)
{
	if (m->chip->dram)
		memsys_dram_settle(m->chip, now);
	else if (m->chip->l3)
		request_l3_prefetches(m->chip->shared, now);
	else
		request_prefetches(m->chip, now);
}

uint64_t l2_write_back(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	uint64_t start = channel_reserve(&m->chip->l2_channel, now, t, m->chip->l1d_time);
	size_t i;

	m->stats.l1d_writebacks++;
	if (m->cfg->l2.perfect)
		return start;
	i = tagged_find(&m->chip->l2, line);
	if (i == CACHE_ABSENT)
		bug("line 0x%llx was in L1 but not in L2", (unsigned long long)line);
	m->chip->l2.tag[i] |= LINE_DIRTY;
	return start;
}

/*
 * Reads the line of `r` for L1, which has a miss buffer for it from r->t on. Returns the cycle of its
 * arrival at L1, and the level that served it. `ret_start`: the cycle in which its transfer starts.
 */
INLINE static struct arrival l2_read(struct memsys *m, const struct request *r, bool data, uint64_t *ret_start)
{
	struct memsys_stats *s = &m->stats;
	struct arrival a;
	uint64_t start;

	if (m->cfg->prefetch.enabled || m->chip->dram)
		l2_request_prefetches(m, r->now);
	a = l2_lookup(m, r, data);
	if (data && m->shares)
		a.at = coherence_take(m, r, a.at);
	start = channel_reserve(&m->chip->l2_channel, r->now, a.at, data ? m->chip->l1d_time : m->chip->l1i_time);

	++*(data ? &s->l2_data_accesses : &s->l2_instruction_accesses);
	s->l2_channel_wait_cycles += start - a.at;
	a.at = start + m->cfg->l2.latency;
	*ret_start = start;
	return a;
}

struct arrival l1i_fill(struct memsys *m, const struct request *r)
{
	uint64_t start, victim;
	struct arrival a = l2_read(m, r, false, &start);

	mshr_take(&m->l1i.mshr, r->now, a.at);
	a.at += m->l1i.fill_latency;
	victim = cache_insert(&m->l1i.cache, r->address, LINE_FILL_PENDING, fill_word(a.at, a.level, r->prefetch));
	note_filled(m, WRONG_L1I, r->address, victim, !r->prefetch);
	return a;
}

/* A line that memory of banks and rows has sent is that of the path of its first access. */
static void note_l1d_filled(struct memsys *m, const struct request *r, uint64_t victim, bool wrong)
{
	bool accessing = wrong_lines_switch(m, wrong);

	if (accessing != wrong)
		wrong_lines_completed(m, r->missed);
	note_filled(m, WRONG_L1D, r->address, victim, !r->prefetch);
	wrong_lines_switch(m, accessing);
}

struct arrival l1d_fill(struct memsys *m, const struct request *r, unsigned flags)
{
	bool wrong = wrong_lines_active(m);
	uint64_t start, victim, fill;
	struct arrival a = l2_read(m, r, true, &start);

	if (m->chip->dram)
		wrong = memsys_dram_filled(m, r, a.at);
	else
		mshr_take(&m->l1d.mshr, r->now, a.at);
	a.at += m->l1d.fill_latency;
	fill = fill_word(a.at, a.level, r->prefetch);
	victim = has_victims(m) ? victims_insert(m, r->address, LINE_FILL_PENDING | flags, fill)
				: cache_insert(&m->l1d.cache, r->address, LINE_FILL_PENDING | flags, fill);
	if (__builtin_expect(m->wrong != NULL, 0))
		note_l1d_filled(m, r, victim, wrong);
	if (victim & LINE_DIRTY)
		l2_write_back(m, r->now, start, victim & ~(uint64_t)LINE_FLAGS);
	if (m->cfg->prefetch.enabled && !m->cfg->l2.perfect)
		train_prefetcher(m, r, a.trigger);
	return a;
}

static int write_backs_init(struct write_backs *w, unsigned buffers, unsigned in_flight)
{
	unsigned size = 1;

	while (size < buffers + in_flight)
		size *= 2;
	*w = (struct write_backs){.mask = size - 1, .buffers = buffers};
	w->ready = calloc(size, sizeof(*w->ready));
	return w->ready ? 0 : -1;
}

int l2_init(struct cache *c, const struct l2_params *p)
{
	const struct replacement_kind *row = replacement_kind(p);

	if (!row->victim)
		return tagged_init(c, p->size, p->ways, p->line_bytes);
	return tagged_init_policy(c, p->size, p->ways, p->line_bytes, row, row->limit(p));
}

/* The parts of a chip that all cores share: memory, and L3, or else L2. Its private L2s have one each. */
static int memsys_l2_create_parts(struct chip_memory *chip, const struct core_config *cfg, bool has_l2)
{
	/* bound of reservations: a line and a victim for each miss buffer, and requests that wait for a buffer */
	unsigned ahead = 2 * cfg->l2.miss_buffers + cfg->l1d.miss_buffers + cfg->l1i.miss_buffers + 64;

	if (has_l2 && (l2_init(&chip->l2, &cfg->l2) < 0 || mshr_init(&chip->l2_mshr, cfg->l2.miss_buffers) < 0))
		return -1;
	return channel_init(&chip->l2_channel, ahead) < 0 || channel_init(&chip->memory_channel, ahead) < 0 ||
			       write_backs_init(&chip->write_backs, cfg->l2.writeback_buffers, ahead) < 0
		       ? -1
		       : 0;
}

struct chip_memory *chip_memory_create_l2(const struct core_config *cfg, struct chip_memory *shared)
{
	struct chip_memory *chip = calloc(1, sizeof(*chip));
	double l2_rate = core_bytes_per_cycle(cfg, &cfg->l2.bandwidth);

	if (!chip || memsys_l2_create_parts(chip, cfg, true) < 0) {
		chip_memory_destroy(chip);
		return NULL;
	}
	chip->l1i_time = channel_time(cfg->l1i.line_bytes, l2_rate);
	chip->l1d_time = channel_time(cfg->l1d.line_bytes, l2_rate);
	chip->shared = shared;
	chip->l3 = shared->l3;
	chip->far = true;
	return chip;
}

struct chip_memory *chip_memory_create(const struct core_config *cfg, struct err *e)
{
	struct chip_memory *chip = calloc(1, sizeof(*chip));
	double l2_rate = core_bytes_per_cycle(cfg, &cfg->l2.bandwidth);

	if (!chip || memsys_l2_create_parts(chip, cfg, !cfg->l3.size) < 0 ||
	    (cfg->l3.size && l3_create(chip, cfg) < 0)) {
		chip_memory_destroy(chip);
		err_set(e, STATUS_FAILED, "memory system: out of memory for its tables");
		return NULL;
	}
	chip->l1i_time = channel_time(cfg->l1i.line_bytes, l2_rate);
	chip->l1d_time = channel_time(cfg->l1d.line_bytes, l2_rate);
	chip->memory_time = channel_time(cfg->l2.line_bytes, core_bytes_per_cycle(cfg, &cfg->memory.bandwidth));
	chip->memory_latency = core_cycles(cfg, &cfg->memory.latency);
	if (cfg->memory.kind != MEMORY_DRAM || cfg->l2.perfect || memsys_dram_create(chip, cfg) == 0) {
		chip->far = chip->dram;
		return chip;
	}
	chip_memory_destroy(chip);
	err_set(e, STATUS_FAILED, "memory system: out of memory for the queues of memory");
	return NULL;
}

void chip_memory_destroy(struct chip_memory *chip)
{
	if (!chip)
		return;
	cache_finish(&chip->l2);
	mshr_finish(&chip->l2_mshr);
	channel_finish(&chip->l2_channel);
	channel_finish(&chip->memory_channel);
	dram_destroy(chip->dram);
	free(chip->write_backs.ready);
	if (!chip->shared)
		l3_destroy(chip->l3);
	free(chip);
}

static unsigned log2_floor(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

/* The low `bits` bits of n in reverse order. */
static uint64_t memsys_l2_reverse(uint64_t n, unsigned bits)
{
	uint64_t r = 0;

	for (unsigned k = 0; k < bits; k++)
		r |= (n >> k & 1) << (bits - 1 - k);
	return r;
}

/*
 * The highest bits, which user addresses do not reach, are the number of the address
 * space. Programs of one build have equal addresses, which would compete for the same
 * sets of L2; the page allocation of a system avoids that. So the number also shifts the
 * pages of its program in L2: by half of the sets for 1, a quarter for 2, three quarters
 * for 3, …
 */
uint64_t chip_memory_join(struct chip_memory *chip, struct memsys *m)
{
	uint64_t number = chip->cores;
	unsigned page = log2_floor(m->cfg->tlb.page_size);
	unsigned way =
		log2_floor((chip->l3 ? m->cfg->l3.size / m->cfg->l3.ways : chip->l2.sets * m->cfg->l2.line_bytes));
	unsigned low = way > page + CHIP_CORES_LOG2 ? way - CHIP_CORES_LOG2 : page;
	unsigned bits = way > low ? way - low : 0;

	if (number == CHIP_CORES_MAX)
		bug("more than %u cores on a chip", CHIP_CORES_MAX);
	m->number = chip->cores;
	chip->core[chip->cores++] = m;
	return number << (64 - CHIP_CORES_LOG2) ^
	       (memsys_l2_reverse(number, CHIP_CORES_LOG2) >> (CHIP_CORES_LOG2 - bits) << low);
}

/* ---- transfers between memory and SBM ---- */

/* Writes back the dirty L1D lines of core `m` within the L2 line at `line`, which L2 has. */
static void flush_l1d(struct memsys *m, uint64_t now, uint64_t line)
{
	uint64_t end = line + m->cfg->l2.line_bytes;

	for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes)
		if (l1d_clean(m, a))
			l2_write_back(m, now, now, a);
}

static void flush_all(const struct chip_memory *chip, uint64_t now, uint64_t line)
{
	for (unsigned k = 0; k < chip->cores; k++)
		flush_l1d(chip->core[k], now, line);
}

static struct mem_line read_from_l2(struct memsys *m, uint64_t now, uint64_t t, uint64_t line, size_t i)
{
	struct request r = {.now = now, .t = t, .address = line};
	bool prefetched;
	uint64_t start, time;

	flush_all(m->chip, now, line);
	if (m->chip->l2.tag[i] & LINE_FILL_PENDING)
		t = use_pending_fill(&m->chip->l2, i, &r, &prefetched);
	time = m->cfg->l2.line_bytes / m->cfg->l1d.line_bytes * m->chip->l1d_time;
	start = channel_reserve(&m->chip->l2_channel, now, t, time);
	m->stats.transfer_l2_reads++;
	return (struct mem_line){start + m->cfg->l2.latency, start + channel_whole_cycles(time)};
}

static struct mem_line dram_transfer(struct memsys *m, uint64_t now, uint64_t earliest, uint64_t address, bool write)
{
	struct dram_served served = memsys_dram_serve(m, now, earliest, address, write);

	++*(write ? &m->stats.transfer_writes : &m->stats.transfer_reads);
	m->stats.transfer_wait_cycles += served.start - earliest;
	return (struct mem_line){served.arrival, served.start + dram_line_cycles(m->chip->dram)};
}

struct mem_line memsys_transfer(struct memsys *m, uint64_t now, uint64_t earliest, uint64_t address, bool write,
				bool whole)
{
	size_t i;
	uint64_t start, removed;

	address ^= m->space;
	if (m->cfg->prefetch.enabled || m->chip->dram)
		l2_request_prefetches(m, now);
	if (m->chip->l3 && !m->cfg->l2.perfect)
		return l3_transfer(m, now, earliest, address, write, whole);
	i = m->cfg->l2.perfect ? CACHE_ABSENT : tagged_find_rare(&m->chip->l2, address);
	if (i != CACHE_ABSENT && !write)
		return read_from_l2(m, now, earliest, address, i);
	if (i != CACHE_ABSENT) {
		flush_all(m->chip, now, address);
		removed = tagged_remove(&m->chip->l2, address);
		l2_evict(m, now, earliest, whole ? removed & ~(uint64_t)LINE_DIRTY : removed);
	}
	if (m->chip->dram)
		return dram_transfer(m, now, earliest, address, write);
	start = take_memory(m->chip, now, earliest);
	++*(write ? &m->stats.transfer_writes : &m->stats.transfer_reads);
	m->stats.transfer_wait_cycles += start - earliest;
	return (struct mem_line){start + m->chip->memory_latency, start + channel_whole_cycles(m->chip->memory_time)};
}
