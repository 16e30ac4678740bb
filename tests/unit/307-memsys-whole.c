/* The memory system as a whole, under random traffic: psim/memory/memsys.h. */
#include "tap.h"

#include "memsys_small.h"

/* A cache as a list of lines with their last use, to compare levels with. */
struct naive {
	uint64_t line[64], used[64];
	unsigned sets, ways;
};

static int naive_find(const struct naive *n, uint64_t line)
{
	unsigned set = line % n->sets;

	for (unsigned i = set * n->ways; i < (set + 1) * n->ways; i++)
		if (n->used[i] && n->line[i] == line)
			return (int)i;
	return -1;
}

/* Uses a line; returns the line that went, or UINT64_MAX. */
static uint64_t naive_use(struct naive *n, uint64_t line, uint64_t time)
{
	unsigned set = line % n->sets;
	unsigned victim = set * n->ways;
	int found = naive_find(n, line);
	uint64_t gone;

	for (unsigned i = victim; found < 0 && i < (set + 1) * n->ways; i++)
		if (n->used[i] < n->used[victim])
			victim = i;
	if (found >= 0)
		victim = (unsigned)found;
	gone = found < 0 && n->used[victim] ? n->line[victim] : UINT64_MAX;
	n->line[victim] = line;
	n->used[victim] = time;
	return gone;
}

static void naive_remove(struct naive *n, uint64_t line)
{
	int i = naive_find(n, line);

	if (i >= 0)
		n->used[i] = 0;
}

/* 3000 accesses far apart, to 24 lines, at random: levels as of a naive LRU hierarchy. */
static void levels_agree_with_a_naive_inclusive_lru_hierarchy(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	struct naive l1 = {.sets = 2, .ways = 2}, l2 = {.sets = 4, .ways = 4};
	unsigned x = 7, wrong = 0, seen[MEM_LEVEL_COUNT] = {0};

	for (uint64_t t = 1; t <= 3000; t++) {
		enum mem_level level = MEM_L1;
		uint64_t line, gone;

		x = x * 1103515245 + 12345;
		line = (x >> 16) % 24;
		if (naive_find(&l1, line) < 0) {
			level = naive_find(&l2, line) < 0 ? MEM_MEMORY : MEM_L2;
			gone = naive_use(&l2, line, t);
			if (gone != UINT64_MAX)
				naive_remove(&l1, gone);
		}
		naive_use(&l1, line, t);
		seen[level]++;
		wrong += (x & 0x8000 ? load(m, 1000 * t, line) : store(m, 1000 * t, line)).level != level;
	}
	CHECK_U64(wrong, 0);
	CHECK(seen[MEM_L1] && seen[MEM_L2] && seen[MEM_MEMORY]);
	memsys_destroy(m);
}

static void every_access_is_counted_once_and_all_invariants_hold(void)
{
	struct core_config c = small_config();
	struct memsys *m;
	const struct memsys_stats *s;
	unsigned x = 3;

	c.tlb.perfect = false;
	c.prefetch.enabled = true;
	c.l1i.next_line_prefetch = true;
	m = create(&c);
	for (uint64_t t = 0; t < 5000; t++) {
		struct mem_answer a;

		x = x * 1103515245 + 12345;
		a = x >> 31 ? load(m, 200 * t, (x >> 16) % 512) : store(m, 200 * t, (x >> 16) % 64);
		/* a page takes 64 cycles at most; buffers are free by then */
		if (a.refused)
			a = x >> 31 ? load_again(m, 200 * t + 64, (x >> 16) % 512)
				    : memsys_store(m, 200 * t + 64, (x >> 16) % 64 * LINE, 8, MEM_TRANSLATED);
		CHECK_U64(a.refused, MEM_ACCEPTED);
		memsys_fetch(m, 200 * t + 64, (x >> 10 & 4095) * 32);
		if (x >> 28 == 0)
			memsys_prefetch(m, 200 * t + 64, (x >> 8 & 255) * LINE, false, 0);
		if (x >> 28 == 1)
			memsys_store_prefetch(m, 200 * t + 64, (x >> 8 & 255) * LINE, 0);
		if (t % 100 == 0) {
			struct err e = {.text = ""};

			CHECK(memsys_check(m, &e) == 0);
			CHECK_STR(e.text, "");
		}
	}
	s = memsys_stats(m);
	CHECK_U64(s->l1d_loads + s->l1d_stores, 5000);
	CHECK_U64(s->l1d_load_hits + s->l1d_load_merged + s->l1d_load_misses, s->l1d_loads);
	CHECK_U64(s->l1d_store_hits + s->l1d_store_merged + s->l1d_store_misses, s->l1d_stores);
	CHECK_U64(s->l1i_accesses, 5000);
	CHECK_U64(s->l1i_hits + s->l1i_merged + s->l1i_misses, 5000);
	CHECK_U64(s->prefetches, s->prefetches_present + s->prefetches_issued + s->prefetches_dropped_tlb);
	CHECK(s->prefetches_issued > 0 && s->l1d_stores_ahead > 0);
	CHECK_U64(s->l2_data_accesses,
		  s->l1d_load_misses + s->l1d_store_misses + s->prefetches_issued + s->l1d_stores_ahead);
	CHECK_U64(s->l2_instruction_accesses, s->l1i_misses + s->l1i_prefetches);
	CHECK_U64(s->l2_data_hits + s->l2_data_merged + s->l2_data_misses, s->l2_data_accesses);
	CHECK_U64(s->l2_instruction_hits + s->l2_instruction_merged + s->l2_instruction_misses,
		  s->l2_instruction_accesses);
	CHECK_U64(s->memory_reads, s->l2_data_misses + s->l2_instruction_misses + s->hw_prefetches);
	memsys_destroy(m);
}

static void the_check_finds_what_is_broken(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	struct err e = {.text = ""};

	load(m, 0, 5);
	CHECK_I64(memsys_check(m, &e), 0);
	tagged_remove(&m->chip->l2, 5 * LINE);
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: a line that L2 does not have in L1D: 0x143");
	tagged_insert(&m->chip->l2, 5 * LINE, 0, 0);
	CHECK_I64(memsys_check(m, &e), 0);
	m->chip->l2.tag[0] = 5 * LINE + LINE_VALID; /* line 5 belongs to set 1 */
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: a line in a foreign set in L2: 0x141");
	m->chip->l2.tag[0] = 0;
	m->chip->l2.tag[1] = 4 * LINE + LINE_VALID;
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: a line behind an empty way in L2: 0x101");
	m->chip->l2.tag[0] = 4 * LINE + LINE_VALID;
	m->chip->l2.tag[1] = 8 * LINE + LINE_VALID; /* without a mark */
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: a line that no search finds in L2: 0x201");
	m->chip->l2.tag[1] = 0;
	CHECK_I64(memsys_check(m, &e), 0);
	tagged_insert(&m->chip->l2, 4 * LINE, 0, 0); /* in the last place */
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: a line twice in L2: 0x101");
	m->chip->l2.tag[0] = 0;
	CHECK_I64(tagged_remove(&m->chip->l2, 4 * LINE), 4 * LINE + LINE_VALID);
	m->l1d.mshr.free_at[m->l1d.mshr.first] = UINT64_MAX;
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: miss buffers out of order in L1D: 0x0");
	m->l1d.mshr.free_at[m->l1d.mshr.first] = 0;
	/* a store whose line nobody requested from L2: the count of L2 */
	m->stats.l1d_stores_ahead++;
	CHECK_I64(memsys_check(m, &e), -1);
	CHECK_STR(e.text, "memory system: check failed: lines that L1D requested: 2, expected 1");
	memsys_destroy(m);
}

/* The invariants also under lines of three sizes, sets that are no power of two, tiny TLBs. */
static void invariants_hold_for_odd_shapes(void)
{
	struct core_config c = small_config();
	struct err e = {.text = ""};
	struct memsys *m;
	unsigned x = 11;

	c.l1d.size = 3 * 2 * 32;
	c.l1d.line_bytes = 32;
	c.l2.size = 3 * 3 * 128;
	c.l2.ways = 3;
	c.l2.line_bytes = 128;
	c.l1d.miss_buffers = 3;
	c.l2.miss_buffers = 2;
	c.tlb.perfect = false;
	c.prefetch.enabled = true;
	m = create(&c);
	for (uint64_t t = 0; t < 20000; t++) {
		x = x * 1103515245 + 12345;
		/* as if every page that it has to wait for were there at once */
		if (memsys_load(m, 60 * t, (x >> 12 & 1023) * 64, 64).refused == MEM_NO_PAGE)
			memsys_load_again(m, 60 * t, (x >> 12 & 1023) * 64, 64, MEM_TRANSLATED);
		if (x >> 31)
			memsys_store(m, 60 * t, (x >> 16 & 255) * 8, 8, MEM_TRANSLATED);
		if (t % 64 == 0)
			REQUIRE(memsys_check(m, &e) == 0);
	}
	CHECK_STR(e.text, "");
	CHECK(memsys_stats(m)->l2_writebacks > 100);
	memsys_destroy(m);
}

static const struct tap_test tests[] = {
	{"levels agree with a naive inclusive LRU hierarchy", levels_agree_with_a_naive_inclusive_lru_hierarchy},
	{"every access is counted once, and the invariants hold", every_access_is_counted_once_and_all_invariants_hold},
	{"the check finds what is broken", the_check_finds_what_is_broken},
	{"the invariants hold for odd shapes", invariants_hold_for_odd_shapes},
};

int main(void)
{
	return tap_main("memory system under traffic", tests, TAP_COUNT(tests));
}
