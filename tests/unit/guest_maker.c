#include "guest_maker.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

enum {
	PAGE = 8192,
	FILE_MAX = 2 * PAGE,
};

static void put(uint8_t *at, unsigned size, uint64_t value)
{
	while (size-- > 0) {
		at[size] = (uint8_t)value;
		value >>= 8;
	}
}

/* The code is at offset 8192, so that address and offset agree within a page. */
void guest_maker_write(char path[GUEST_MAKER_PATH], const uint32_t *words, unsigned count)
{
	static uint8_t file[FILE_MAX];
	uint8_t *header = file + sizeof(Elf64_Ehdr), *code = file + PAGE;
	memset(file, 0, sizeof(file));
	memcpy(file, "\177ELF\2\2\1", 7);
	put(file + 16, 2, ET_EXEC);
	put(file + 18, 2, EM_SPARCV9);
	put(file + 20, 4, 1);
	put(file + 24, 8, GUEST_MAKER_BASE);
	put(file + 32, 8, sizeof(Elf64_Ehdr));
	put(file + 52, 2, sizeof(Elf64_Ehdr));
	put(file + 54, 2, sizeof(Elf64_Phdr));
	put(file + 56, 2, 1);
	put(header, 4, PT_LOAD);
	put(header + 4, 4, PF_R | PF_W | PF_X);
	put(header + 8, 8, PAGE);
	put(header + 16, 8, GUEST_MAKER_BASE);
	put(header + 32, 8, 4 * (uint64_t)count);
	put(header + 40, 8, PAGE);
	for (unsigned i = 0; i < count; i++)
		put(code + 4 * i, 4, words[i]);
	strcpy(path, "/tmp/psim-guest-XXXXXX");
	int fd = mkstemp(path);
	REQUIRE(fd >= 0 && count <= PAGE / 4);
	REQUIRE(write(fd, file, PAGE + 4 * count) == (ssize_t)(PAGE + 4 * count));
	close(fd);
}

struct guest *guest_maker_load(const uint32_t *words, unsigned count, unsigned pes)
{
	char path[GUEST_MAKER_PATH];
	char *const args[] = {path};
	struct guest_options o = {
		.program = path,
		.args = args,
		.arg_count = 1,
		.pes = pes,
		.sbm_bytes = pes ? 8192 : 0,
	};
	struct err e = {.text = ""};
	guest_maker_write(path, words, count);
	struct guest *g = guest_create(&o, &e);
	unlink(path);
	CHECK_STR(e.text, "");
	REQUIRE(g != NULL);
	return g;
}

void guest_maker_temporary(char path[GUEST_MAKER_PATH])
{
	strcpy(path, "/tmp/psim-record-XXXXXX");
	int fd = mkstemp(path);
	REQUIRE(fd >= 0);
	close(fd);
}

struct trace_reader *guest_maker_open(const char *path)
{
	struct err e = {.text = ""};
	struct trace_reader *reader = trace_open(path, &e);
	unlink(path);
	CHECK_STR(e.text, "");
	REQUIRE(reader != NULL);
	return reader;
}
