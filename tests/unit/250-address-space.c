/* The guest's address space: areas, rights, pages. Addresses are in pages of 8 KiB (0x2000). */
#include "tap.h"

#include "traces/record/address_space.h"

#define MIB ((uint64_t)1 << 20)

static struct cpu cpu;

static struct address_space make(uint64_t limit)
{
	struct address_space m;
	cpu_init(&cpu, NULL);
	REQUIRE(address_space_init(&m, &cpu, limit) == 0);
	return m;
}

static void fresh_memory_is_zero(void)
{
	struct address_space m = make(MIB);
	bool fault = false;
	CHECK_I64(address_space_map(&m, 0x10000, 0x4000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_HEX(space_read64(&m, 0x13ff8, &fault), 0);
	CHECK(!fault);
	address_space_finish(&m);
}

static void values_are_big_endian(void)
{
	struct address_space m = make(MIB);
	uint8_t byte[8];
	CHECK_I64(address_space_map(&m, 0x10000, 0x4000, SPACE_READ | SPACE_WRITE), 0);
	/* across the border of two pages */
	CHECK_I64(space_write64(&m, 0x11ffc, 0x0102030405060708), 0);
	CHECK_I64(address_space_read(&m, 0x11ffc, byte, 8), 0);
	CHECK_U64(byte[0], 1);
	CHECK_U64(byte[7], 8);
	address_space_finish(&m);
}

static void rights_are_kept(void)
{
	struct address_space m = make(MIB);
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ), 0);
	CHECK_I64(space_write32(&m, 0x10000, 1), -1);
	CHECK_I64(address_space_protect(&m, 0x10000, 0x2000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(space_write32(&m, 0x10000, 1), 0);
	CHECK(!address_space_allows(&m, 0x10000, 0x2000, SPACE_EXEC));
	CHECK(m.cpu_memory.page(&m.cpu_memory, 0x10000, CPU_READ) != NULL);
	CHECK(m.cpu_memory.page(&m.cpu_memory, 0x12000, CPU_READ) == NULL);
	address_space_finish(&m);
}

static void unmapping_the_middle_leaves_both_ends(void)
{
	struct address_space m = make(MIB);
	CHECK_I64(address_space_map(&m, 0x10000, 0x6000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(space_write32(&m, 0x10000, 11), 0);
	CHECK_I64(space_write32(&m, 0x14000, 33), 0);
	CHECK_I64(address_space_unmap(&m, 0x12000, 0x2000), 0);
	bool fault = false;
	CHECK_U64(space_read32(&m, 0x10000, &fault), 11);
	CHECK_U64(space_read32(&m, 0x14000, &fault), 33);
	CHECK(!fault);
	space_read32(&m, 0x12000, &fault);
	CHECK(fault);
	CHECK_U64(m.mapped, 0x4000); /* three pages less one */
	address_space_finish(&m);
}

static void mapped_again_reads_as_zero(void)
{
	struct address_space m = make(MIB);
	bool fault = false;
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(space_write32(&m, 0x10000, 11), 0);
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_U64(space_read32(&m, 0x10000, &fault), 0);
	address_space_finish(&m);
}

static void moving_keeps_the_contents(void)
{
	struct address_space m = make(MIB);
	bool fault = false;
	CHECK_I64(address_space_map(&m, 0x10000, 0x4000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(space_write32(&m, 0x12004, 77), 0);
	CHECK_I64(address_space_move(&m, 0x10000, 0x40000, 0x4000), 0);
	CHECK_U64(space_read32(&m, 0x42004, &fault), 77);
	CHECK(!fault);
	CHECK(address_space_area_at(&m, 0x10000) == NULL);
	address_space_finish(&m);
}

static void the_limit_holds(void)
{
	struct address_space m = make(0x4000);
	CHECK_I64(address_space_map(&m, 0x10000, 0x4000, SPACE_READ), 0);
	CHECK_I64(address_space_map(&m, 0x20000, 0x2000, SPACE_READ), -1);
	CHECK_I64(address_space_unmap(&m, 0x10000, 0x2000), 0);
	CHECK_I64(address_space_map(&m, 0x20000, 0x2000, SPACE_READ), 0);
	CHECK_I64(address_space_map(&m, 0x30000, 0x6000, SPACE_READ), -1);
	address_space_finish(&m);
}

static void nothing_lies_beyond_the_top(void)
{
	struct address_space m = make(MIB);
	CHECK_I64(address_space_map(&m, SPACE_TOP - 0x2000, 0x4000, SPACE_READ), -1);
	CHECK_I64(address_space_map(&m, SPACE_TOP - 0x2000, 0x2000, SPACE_READ), 0);
	CHECK(!address_space_allows(&m, SPACE_TOP - 0x2000, ~(uint64_t)0, SPACE_READ));
	CHECK_I64(address_space_unmap(&m, 0x2000, ~(uint64_t)0x1fff), -1);
	CHECK(address_space_area_at(&m, ~(uint64_t)0) == NULL);
	address_space_finish(&m);
}

static void a_terabyte_costs_nothing_until_it_is_touched(void)
{
	struct address_space m = make((uint64_t)1 << 42);
	CHECK_I64(address_space_map(&m, 0x10000000, (uint64_t)1 << 40, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(space_write32(&m, 0x10000000 + ((uint64_t)1 << 39), 5), 0);
	CHECK_U64(m.chunk_count, 1); /* one chunk of 2 MiB for the one page */
	address_space_finish(&m);
}

static void free_places_are_found_from_below(void)
{
	struct address_space m = make(MIB);
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ), 0);
	CHECK_I64(address_space_map(&m, 0x14000, 0x2000, SPACE_READ), 0);
	CHECK_HEX(address_space_find_free(&m, 0x10000, 0x2000), 0x12000);
	CHECK_HEX(address_space_find_free(&m, 0x10000, 0x4000), 0x16000);
	CHECK_HEX(address_space_find_free(&m, 0x14000, 0x2000), 0x16000);
	CHECK_HEX(address_space_find_free(&m, SPACE_TOP - 0x2000, 0x4000), 0);
	address_space_finish(&m);
}

static void strings_end_at_their_nul_or_not_at_all(void)
{
	struct address_space m = make(MIB);
	char text[16];
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(address_space_write(&m, 0x10000, "four", 5), 0);
	CHECK_I64(address_space_read_string(&m, 0x10000, text, sizeof(text)), 4);
	CHECK_STR(text, "four");
	CHECK_I64(address_space_read_string(&m, 0x10000, text, 4), -1); /* no room for the NUL */
	CHECK_I64(address_space_write(&m, 0x11ffc, "edge", 4), 0);
	CHECK_I64(address_space_read_string(&m, 0x11ffc, text, sizeof(text)), -1); /* runs off the area */
	address_space_finish(&m);
}

static void only_executable_areas_ask_for_new_blocks(void)
{
	struct address_space m = make(MIB);
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ | SPACE_WRITE), 0);
	CHECK_I64(address_space_unmap(&m, 0x10000, 0x2000), 0);
	CHECK(!m.remapped);
	CHECK_I64(address_space_map(&m, 0x10000, 0x2000, SPACE_READ | SPACE_EXEC), 0);
	CHECK_I64(address_space_unmap(&m, 0x10000, 0x2000), 0);
	CHECK(m.remapped);
	address_space_finish(&m);
}

static const struct tap_test tests[] = {
	{"Fresh memory is zero", fresh_memory_is_zero},
	{"Values are big-endian, also across pages", values_are_big_endian},
	{"Rights are kept and can be changed", rights_are_kept},
	{"Unmapping the middle leaves both ends", unmapping_the_middle_leaves_both_ends},
	{"A range that is mapped again reads as zero", mapped_again_reads_as_zero},
	{"Moving keeps the contents", moving_keeps_the_contents},
	{"The limit of mapped bytes holds", the_limit_holds},
	{"Nothing lies beyond the top of user addresses", nothing_lies_beyond_the_top},
	{"A terabyte costs nothing until it is touched", a_terabyte_costs_nothing_until_it_is_touched},
	{"Free places are found from below", free_places_are_found_from_below},
	{"Strings end at their NUL or are refused", strings_end_at_their_nul_or_not_at_all},
	{"Only changes of executable areas ask for new blocks", only_executable_areas_ask_for_new_blocks},
};

int main(void)
{
	return tap_main("space", tests, TAP_COUNT(tests));
}
