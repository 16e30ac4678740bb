/* Checks of ELF files: elf_check.h. */
#include "elf_check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NATIVE_CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };

struct file {
	const char *path;
	int fd;
	uint64_t size;
	struct err *e;
};

static int no_object(const struct file *f, const char *what)
{
	return err_set(f->e, STATUS_BAD_INPUT, "%s: %s, expected a program made by nsimcc, bsimcc or bsimf90", f->path,
		       what);
}

/* Returns whether the file has `count` rows of `row` bytes at offset `at`. */
static int check_range(const struct file *f, uint64_t at, uint64_t count, uint64_t row, const char *what)
{
	uint64_t end = at + count * row; /* no overflow: count is below 2^32, row and at below 2^63 */

	if (at <= f->size && end >= at && end <= f->size)
		return 0;
	return err_set(f->e, STATUS_BAD_INPUT, "%s: truncated: %llu bytes, expected %llu with its %s", f->path,
		       (unsigned long long)f->size, (unsigned long long)end, what);
}

static bool read_at(const struct file *f, void *to, size_t bytes, uint64_t at)
{
	return pread(f->fd, to, bytes, (off_t)at) == (ssize_t)bytes;
}

static int check_head(const struct file *f, const ElfW(Ehdr) * h)
{
	ElfW(Ehdr) own;

	if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
		return no_object(f, "no ELF file");
	/* the simulator's own file has this machine's type and byte order */
	if (h->e_ident[EI_CLASS] != NATIVE_CLASS || h->e_type != ET_DYN)
		return no_object(f, "no shared object of this machine");
	{
		int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		bool known = fd >= 0 && pread(fd, &own, sizeof(own), 0) == (ssize_t)sizeof(own);

		if (fd >= 0)
			close(fd);
		if (known && (own.e_machine != h->e_machine || own.e_ident[EI_DATA] != h->e_ident[EI_DATA]))
			return no_object(f, "made for another machine");
	}
	if (h->e_phentsize != sizeof(ElfW(Phdr)) || h->e_phoff >> 62 || h->e_shoff >> 62)
		return no_object(f, "damaged");
	return 0;
}

static int check_elf_check(const struct file *f)
{
	ElfW(Ehdr) h;

	if (!read_at(f, &h, sizeof(h), 0))
		return no_object(f, "too short for an ELF file");
	if (check_head(f, &h) < 0 || check_range(f, h.e_phoff, h.e_phnum, sizeof(ElfW(Phdr)), "segments' headers") < 0)
		return -1;
	for (unsigned i = 0; i < h.e_phnum; i++) {
		ElfW(Phdr) p;

		if (!read_at(f, &p, sizeof(p), h.e_phoff + i * sizeof(p)))
			return no_object(f, "cannot be read");
		if (p.p_type != PT_LOAD)
			continue;
		if (p.p_offset >> 62 || p.p_filesz >> 62 || p.p_memsz < p.p_filesz)
			return no_object(f, "damaged");
		if (check_range(f, p.p_offset, 1, p.p_filesz, "segments") < 0)
			return -1;
	}
	return h.e_shoff ? check_range(f, h.e_shoff, h.e_shnum, h.e_shentsize, "sections' headers") : 0;
}

int elf_check(const char *path, struct err *e)
{
	struct file f = {.path = path, .e = e};
	struct stat s;
	int result;

	f.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f.fd < 0)
		return err_set(e, STATUS_BAD_INPUT, "%s: cannot open: %s", path, strerror(errno));
	if (fstat(f.fd, &s) < 0 || !S_ISREG(s.st_mode)) {
		result = no_object(&f, "not a regular file");
	} else {
		f.size = (uint64_t)s.st_size;
		result = check_elf_check(&f);
	}
	close(f.fd);
	return result;
}
