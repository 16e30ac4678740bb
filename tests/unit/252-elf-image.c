/*
 * Program files that are right: places, rights, symbols. Wrong ones are in
 * tests/bad/elf. symbols.elf is symbols.s, linked with -z max-page-size=8192.
 */
#include "tap.h"

#include <string.h>

#include "traces/record/elf_image.h"
#include "traces/record/syscall.h"

static struct cpu cpu;

struct loaded {
	struct address_space space;
	struct elf_image image;
};

static void load(struct loaded *l, const char *file)
{
	struct err e = {.text = ""};
	cpu_init(&cpu, NULL);
	REQUIRE(address_space_init(&l->space, &cpu, (uint64_t)1 << 30) == 0);
	CHECK_I64(elf_image_load(&l->image, &l->space, tap_source(file), &e), 0);
	CHECK_STR(e.text, "");
}

static void unload(struct loaded *l)
{
	elf_image_finish(&l->image);
	address_space_finish(&l->space);
}

static void segments_are_mapped_with_their_rights(void)
{
	struct loaded l;
	bool fault = false;
	load(&l, "tests/bad/elf/symbols.elf");
	CHECK_HEX(l.image.entry, 0x100078);
	CHECK_HEX(space_read32(&l.space, 0x100078, &fault), 0x90102007); /* mov 7, %o0 */
	CHECK(address_space_allows(&l.space, 0x100000, 8192, SPACE_READ | SPACE_EXEC));
	CHECK(!address_space_allows(&l.space, 0x100000, 8192, SPACE_WRITE));
	CHECK_HEX(l.image.brk, 0x102000);          /* the page after the segment */
	CHECK_HEX(l.image.phdr_address, 0x100040); /* behind the header of 64 bytes */
	CHECK_U64(l.image.phdr_count, 1);
	unload(&l);
}

static void functions_are_sorted_one_an_address(void)
{
	struct loaded l;
	load(&l, "tests/bad/elf/symbols.elf");
	REQUIRE(l.image.symbol_count == 3);
	CHECK_STR(l.image.symbols[0].name, "_start");
	CHECK_U64(l.image.symbols[0].size, 16);
	CHECK_STR(l.image.symbols[1].name, "second"); /* not __second_alias: the plainer name */
	CHECK_HEX(l.image.symbols[1].address, 0x100088);
	CHECK_STR(l.image.symbols[2].name, "tail");
	CHECK(elf_symbol_named(&l.image, "tail") == &l.image.symbols[2]);
	CHECK(elf_symbol_named(&l.image, "none") == NULL);
	unload(&l);
}

static void no_symbols_is_no_error(void)
{
	struct loaded l;
	load(&l, "tests/bad/elf/exit7.elf");
	CHECK_U64(l.image.symbol_count, 0);
	CHECK(l.image.stack_exec); /* Linux: no PT_GNU_STACK means an executable stack */
	unload(&l);
}

static void error_numbers_are_sparcs(void)
{
	CHECK_I64(sparc_errno(2), 2);   /* ENOENT: the same everywhere up to 34 */
	CHECK_I64(sparc_errno(38), 90); /* ENOSYS: 38 on x86 and ARM */
	CHECK_I64(sparc_errno(36), 63); /* ENAMETOOLONG */
	CHECK_I64(sparc_errno(39), 66); /* ENOTEMPTY */
}

static void signals_are_translated_to_the_hosts(void)
{
	CHECK_I64(host_signal(10), 7);  /* SIGBUS */
	CHECK_I64(host_signal(30), 10); /* SIGUSR1 */
	CHECK_I64(host_signal(11), 11); /* SIGSEGV */
	CHECK_STR(sparc_signal_name(10), "BUS");
}

static const struct tap_test tests[] = {
	{"Segments are mapped with their rights", segments_are_mapped_with_their_rights},
	{"Functions are sorted, one for an address", functions_are_sorted_one_an_address},
	{"A program without symbols is no error", no_symbols_is_no_error},
	{"Error numbers are SPARC's", error_numbers_are_sparcs},
	{"Signals are translated to the host's", signals_are_translated_to_the_hosts},
};

int main(void)
{
	return tap_main("elf-image", tests, TAP_COUNT(tests));
}
