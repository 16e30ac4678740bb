/* The system's code for programs, without its data: an ELF library whose functions become system calls. */
#define _GNU_SOURCE
#include <elf.h>
#include <string.h>
#include <sys/syscall.h>

#include "image_state.h"

#if IMAGE_HERE
/* Its functions, and the calls that do the same (vdso(7), x86-64). */
static const struct {
	const char *name;
	uint32_t call;
} functions[] = {
	{"clock_gettime", SYS_clock_gettime},
	{"gettimeofday", SYS_gettimeofday},
	{"time", SYS_time},
	{"getcpu", SYS_getcpu},
	{"clock_getres", SYS_clock_getres},
	{"getrandom", SYS_getrandom},
};

/* Returns `count` bytes at an offset of the library; NULL: it is shorter. */
static const void *within(const unsigned char *image, size_t bytes, uint64_t at, uint64_t count)
{
	return at <= bytes && count <= bytes - at ? image + at : NULL;
}

static bool replace(unsigned char *to, size_t bytes, const char *name, uint64_t at)
{
	unsigned char code[8] = {0xb8, 0, 0, 0, 0, 0x0f, 0x05, 0xc3}; /* mov $number, %eax; syscall; ret */

	if (strncmp(name, "__vdso_", 7) == 0)
		name += 7;
	for (size_t n = 0; n < sizeof(functions) / sizeof(functions[0]); n++)
		if (strcmp(name, functions[n].name) == 0) {
			memcpy(code + 1, &functions[n].call, sizeof(functions[n].call));
			if (!within(to, bytes, at, sizeof(code)))
				return false;
			memcpy(to + at, code, sizeof(code));
		}
	return true;
}

static bool replace_all(unsigned char *to, const unsigned char *from, size_t bytes, const Elf64_Shdr *symbols,
			const Elf64_Shdr *names)
{
	const Elf64_Sym *symbol = within(from, bytes, symbols->sh_offset, symbols->sh_size);
	const char *text = within(from, bytes, names->sh_offset, names->sh_size);

	if (!symbol || !text || !names->sh_size || text[names->sh_size - 1])
		return false;
	for (size_t n = 0; n < symbols->sh_size / sizeof(*symbol); n++)
		if (symbol[n].st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol[n].st_info) == STT_FUNC &&
		    (symbol[n].st_name >= names->sh_size ||
		     !replace(to, bytes, text + symbol[n].st_name, symbol[n].st_value)))
			return false;
	return true;
}

bool image_vdso_copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
	const Elf64_Ehdr *head = within(from, bytes, 0, sizeof(*head));
	const Elf64_Shdr *section;

	memcpy(to, from, bytes);
	if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_shentsize != sizeof(*section))
		return false;
	section = within(from, bytes, head->e_shoff, (uint64_t)head->e_shnum * sizeof(*section));
	for (unsigned n = 0; section && n < head->e_shnum; n++)
		if (section[n].sh_type == SHT_DYNSYM)
			return section[n].sh_link < head->e_shnum &&
			       replace_all(to, from, bytes, &section[n], &section[section[n].sh_link]);
	return false;
}
#else
bool image_vdso_copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return false;
}
#endif
