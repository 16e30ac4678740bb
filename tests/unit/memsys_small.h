/* A memory system small enough to work out by hand; for the tests of psim/memory/memsys.h. */
#ifndef PSIM_TESTS_MEMSYS_SMALL_H
#define PSIM_TESTS_MEMSYS_SMALL_H

#include <string.h>

#include "psim/memory/quick_access.h"
#include "tap.h"

enum { LINE = 64 };

/*
 * L1I, L1D: 2 sets of 2 ways: line n in set n % 2. L2: 4 sets of 4 ways: line n
 * in set n % 4. L1 miss, L2 hit: 12 + 2 = 14 cycles. From memory: 120 + 14 = 134.
 */
static inline struct core_config small_config(void)
{
	struct core_config c;

	memset(&c, 0, sizeof(c));
	c.l1i.size = c.l1d.size = 4 * LINE;
	c.l1i.ways = c.l1d.ways = 2;
	c.l1i.line_bytes = c.l1d.line_bytes = LINE;
	c.l1i.miss_buffers = c.l1d.miss_buffers = 8;
	c.l1d.banks = 8;
	c.l1d.bank_bytes = 4;
	c.l1d.fill_latency = 2;
	c.l2.size = 16 * LINE;
	c.l2.ways = 4;
	c.l2.line_bytes = LINE;
	c.l2.latency = 12;
	c.l2.bandwidth = (struct clocked){LINE / 2, true};
	c.l2.writeback_buffers = 8;
	c.l2.miss_buffers = 16;
	c.memory.latency = (struct clocked){120, true};
	c.memory.bandwidth = (struct clocked){LINE / 16, true}; /* 16 cycles for a line */
	c.prefetch.streams = 4;
	c.prefetch.distance = 4;
	c.tlb.page_size = 8192;
	c.tlb.uitlb_entries = c.tlb.udtlb_entries = 2;
	c.tlb.main_entries = 4;
	c.tlb.main_ways = 2;
	c.tlb.main_latency = 4;
	c.tlb.walk_latency = 60;
	c.tlb.perfect = true;
	return c;
}

static inline struct memsys *create(const struct core_config *c)
{
	struct memsys *m = memsys_create(c, NULL, NULL);

	REQUIRE(m != NULL);
	return m;
}

static inline struct mem_answer load(struct memsys *m, uint64_t now, uint64_t line)
{
	return memsys_load(m, now, line * LINE + 8, 8);
}

/* Repeats a refused access whose page is known. */
static inline struct mem_answer load_again(struct memsys *m, uint64_t now, uint64_t line)
{
	return memsys_load_again(m, now, line * LINE + 8, 8, MEM_TRANSLATED);
}

static inline struct mem_answer store(struct memsys *m, uint64_t now, uint64_t line)
{
	return memsys_store(m, now, line * LINE + 8, 8, 0);
}

#define CHECK_ANSWER(answer, expected_ready, expected_level) \
	do { \
		struct mem_answer got = answer; \
		CHECK_U64(got.refused, MEM_ACCEPTED); \
		CHECK_U64(got.ready, expected_ready); \
		CHECK_U64(got.level, expected_level); \
	} while (0)

#define CHECK_REFUSED(answer, why, until) \
	do { \
		struct mem_answer got = answer; \
		CHECK_U64(got.refused, why); \
		CHECK_U64(got.ready, until); \
	} while (0)

#endif
