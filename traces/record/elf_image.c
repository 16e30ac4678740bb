#include "elf_image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../../psim/base/mem.h"

#define BAD(...) err_set(e, STATUS_BAD_INPUT, __VA_ARGS__)

struct elf_file {
	const char *path;
	int fd;
	uint64_t size;
	Elf *elf;
	GElf_Ehdr header;
	GElf_Phdr segment[ELF_MAX_SEGMENTS]; /* PT_LOAD only, ascending */
	unsigned segment_count;
};

static int open_file(struct elf_file *f, const char *path, struct err *e)
{
	struct stat st;
	f->path = path;
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st) < 0)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s, expected a SPARC-V9 program", path,
			       strerror(errno));
	if (!S_ISREG(st.st_mode))
		return BAD("%s: not a regular file, expected a SPARC-V9 program", path);
	f->size = (uint64_t)st.st_size;
	elf_version(EV_CURRENT);
	errno = 0;
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (!f->elf && errno == ENOMEM)
		return mem_short(e);
	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF)
		return BAD("%s: not an ELF file, expected a statically linked SPARC-V9 program", path);
	return 0;
}

static int check_header(struct elf_file *f, struct err *e)
{
	const char *ident = elf_getident(f->elf, NULL);
	if (!ident || !gelf_getehdr(f->elf, &f->header))
		return BAD("%s:offset 0x0: ELF header is damaged: %s", f->path, elf_errmsg(-1));
	if (ident[EI_CLASS] != ELFCLASS64)
		return BAD("%s:offset 0x4: a 32-bit program, expected a 64-bit one (ELFCLASS64)", f->path);
	if (ident[EI_DATA] != ELFDATA2MSB)
		return BAD("%s:offset 0x5: a little-endian program, expected a big-endian one "
			   "(SPARC-V9)",
			   f->path);
	if (f->header.e_machine != EM_SPARCV9)
		return BAD("%s:offset 0x12: machine number %u, expected %u (SPARC-V9)", f->path, f->header.e_machine,
			   EM_SPARCV9);
	if (f->header.e_type == ET_DYN)
		return BAD("%s:offset 0x10: a dynamic or position-independent program, expected "
			   "one linked with -static -no-pie",
			   f->path);
	if (f->header.e_type != ET_EXEC)
		return BAD("%s:offset 0x10: file type %u, expected %u (a linked program)", f->path, f->header.e_type,
			   ET_EXEC);
	if (f->header.e_phentsize != sizeof(Elf64_Phdr))
		return BAD("%s:offset 0x36: program headers of %u bytes, expected %zu", f->path, f->header.e_phentsize,
			   sizeof(Elf64_Phdr));
	return 0;
}

/* Checks one PT_LOAD on its own and against the previous one. */
static int check_segment(const struct elf_file *f, unsigned index, const GElf_Phdr *p, struct err *e)
{
	if (p->p_filesz > p->p_memsz)
		return BAD("%s:segment %u: 0x%" PRIx64 " bytes in the file but 0x%" PRIx64
			   " in memory, expected no more in the file",
			   f->path, index, p->p_filesz, p->p_memsz);
	/* linkers give a segment without bytes in the file (.bss alone) any offset */
	if (p->p_filesz && (p->p_offset > f->size || p->p_filesz > f->size - p->p_offset))
		return BAD("%s:segment %u: ends at offset 0x%" PRIx64 "+0x%" PRIx64 " but the file has 0x%" PRIx64
			   " bytes: is it truncated?",
			   f->path, index, p->p_offset, p->p_filesz, f->size);
	if (p->p_vaddr < SPACE_PAGE || p->p_vaddr > SPACE_TOP || p->p_memsz > SPACE_TOP - p->p_vaddr)
		return BAD("%s:segment %u: address 0x%" PRIx64 "+0x%" PRIx64 ", expected 0x%" PRIx64 " to 0x%" PRIx64,
			   f->path, index, p->p_vaddr, p->p_memsz, SPACE_PAGE, SPACE_TOP);
	if ((p->p_vaddr ^ p->p_offset) & (SPACE_PAGE - 1))
		return BAD("%s:segment %u: offset 0x%" PRIx64 " and address 0x%" PRIx64
			   " differ within a page of %" PRIu64 " bytes",
			   f->path, index, p->p_offset, p->p_vaddr, SPACE_PAGE);
	const GElf_Phdr *last = f->segment_count ? &f->segment[f->segment_count - 1] : NULL;
	if (last && p->p_vaddr < last->p_vaddr + last->p_memsz)
		return BAD("%s:segment %u: at 0x%" PRIx64 ", expected after the end of the one "
			   "before it, 0x%" PRIx64,
			   f->path, index, p->p_vaddr, last->p_vaddr + last->p_memsz);
	return 0;
}

static int read_segments(struct elf_file *f, struct elf_image *image, struct err *e)
{
	unsigned count = f->header.e_phnum;
	uint64_t place = f->header.e_phoff;
	if (!count || count > ELF_MAX_SEGMENTS)
		return BAD("%s:offset 0x38: %u program headers, expected 1 to %d", f->path, count, ELF_MAX_SEGMENTS);
	if (place > f->size || count * sizeof(Elf64_Phdr) > f->size - place)
		return BAD("%s:offset 0x20: program headers at offset 0x%" PRIx64 ", but the file has 0x%" PRIx64
			   " bytes: is it truncated?",
			   f->path, place, f->size);
	image->phdr_count = count;
	image->stack_exec = true; /* Linux's default without PT_GNU_STACK */
	for (unsigned i = 0; i < count; i++) {
		GElf_Phdr p;
		errno = 0;
		if (!gelf_getphdr(f->elf, (int)i, &p))
			return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot read program header %u: %s", f->path,
				       i, elf_errmsg(-1));
		if (p.p_type == PT_INTERP || p.p_type == PT_DYNAMIC)
			return BAD("%s: program header %u: a dynamically linked program, expected "
				   "one linked with -static",
				   f->path, i);
		if (p.p_type == PT_GNU_STACK)
			image->stack_exec = p.p_flags & PF_X;
		if (p.p_type != PT_LOAD || !p.p_memsz)
			continue;
		if (check_segment(f, i, &p, e) < 0)
			return -1;
		f->segment[f->segment_count++] = p;
	}
	if (!f->segment_count)
		return BAD("%s: no segment to load, expected at least one", f->path);
	return 0;
}

static unsigned segment_prot(const GElf_Phdr *p)
{
	return (p->p_flags & PF_R ? SPACE_READ : 0) | (p->p_flags & PF_W ? SPACE_WRITE : 0) |
	       (p->p_flags & PF_X ? SPACE_EXEC : 0);
}

/* Returns whether the code contains simdon or rdsimd, without which a program cannot use the SIMD array. */
static bool has_simd(const uint8_t *code, size_t size)
{
	const struct insn_row *on = insn_row(OP_SIMDON), *rd = insn_row(OP_RDSIMD);
	/* the bits in which both agree; few words have them */
	const uint32_t common = on->mask & rd->mask & ~(on->match ^ rd->match);
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t word = (uint32_t)code[i] << 24 | (uint32_t)code[i + 1] << 16 | (uint32_t)code[i + 2] << 8 |
				code[i + 3];
		if ((word & common) != (on->match & common))
			continue;
		if ((word & on->mask) == on->match || (word & rd->mask) == rd->match)
			return true;
	}
	return false;
}

static int copy_segment(const struct elf_file *f, struct elf_image *image, struct address_space *m, const GElf_Phdr *p,
			struct err *e)
{
	uint8_t buffer[8192];
	for (uint64_t done = 0; done < p->p_filesz;) {
		size_t want = p->p_filesz - done < sizeof(buffer) ? (size_t)(p->p_filesz - done) : sizeof(buffer);
		ssize_t got = pread(f->fd, buffer, want, (off_t)(p->p_offset + done));
		if (got <= 0)
			return BAD("%s:offset 0x%" PRIx64 ": cannot read: %s", f->path, p->p_offset + done,
				   got ? strerror(errno) : "end of file");
		if (address_space_load(m, p->p_vaddr + done, buffer, (size_t)got) < 0)
			return err_set(e, STATUS_FAILED, "%s: out of memory to load it", f->path);
		if (p->p_flags & PF_X && p->p_vaddr % 4 == 0)
			image->simd |= has_simd(buffer, (size_t)got);
		done += (uint64_t)got;
	}
	return 0;
}

static int load_segments(const struct elf_file *f, struct elf_image *image, struct address_space *m, struct err *e)
{
	uint64_t mapped_to = 0;
	for (unsigned i = 0; i < f->segment_count; i++) {
		const GElf_Phdr *p = &f->segment[i];
		uint64_t start = p->p_vaddr & ~(SPACE_PAGE - 1);
		uint64_t end = (p->p_vaddr + p->p_memsz + SPACE_PAGE - 1) & ~(SPACE_PAGE - 1);
		unsigned prot = segment_prot(p);
		if (start < mapped_to) { /* shares its first page with the previous segment */
			const struct address_space_area *a = address_space_area_at(m, start);
			address_space_protect(m, start, SPACE_PAGE, prot | (a ? a->prot : 0));
			start = mapped_to;
		}
		if (end > start && address_space_map(m, start, end - start, prot) < 0)
			return m->exhausted ? mem_short(e)
					    : BAD("%s: segment at 0x%" PRIx64 " of 0x%" PRIx64 " bytes: more "
						  "memory than allowed (%" PRIu64 " MiB)",
						  f->path, p->p_vaddr, p->p_memsz, m->limit >> 20);
		mapped_to = image->brk = end;
		if (copy_segment(f, image, m, p, e) < 0)
			return -1;
		uint64_t table = f->header.e_phoff;
		if (table >= p->p_offset && table - p->p_offset < p->p_filesz)
			image->phdr_address = p->p_vaddr + (table - p->p_offset);
	}
	image->entry = f->header.e_entry;
	if (image->entry % 4 || !address_space_allows(m, image->entry, 4, SPACE_EXEC))
		return BAD("%s:offset 0x18: entry point 0x%" PRIx64 " is not in an executable "
			   "segment or not a multiple of 4",
			   f->path, image->entry);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct trace_symbol *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size) /* the longer one first, which is kept */
		return x->size > y->size ? -1 : 1;
	size_t m = strspn(x->name, "_"), n = strspn(y->name, "_");
	if (m != n) /* then the name with fewer underscores */
		return m < n ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sorts the symbols, keeps one per address, and ends each where the next begins. */
static void sort_symbols(struct elf_image *image)
{
	struct trace_symbol *s = image->symbols;
	unsigned n = 0;
	if (image->symbol_count)
		qsort(s, image->symbol_count, sizeof(*s), by_address);
	for (unsigned i = 0; i < image->symbol_count; i++) {
		if (n && s[n - 1].address == s[i].address)
			continue;
		if (n && (!s[n - 1].size || s[n - 1].size > s[i].address - s[n - 1].address))
			s[n - 1].size = s[i].address - s[n - 1].address;
		s[n++] = s[i];
	}
	image->symbol_count = n;
}

static bool is_function(const GElf_Sym *s, const struct address_space *m)
{
	unsigned type = GELF_ST_TYPE(s->st_info);
	if (s->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC))
		return false;
	return s->st_value % 4 == 0 && address_space_allows(m, s->st_value, 4, SPACE_EXEC) && s->st_size < SPACE_TOP;
}

static int read_symbol_table(const struct elf_file *f, struct elf_image *image, const struct address_space *m,
			     Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data ? data->d_size / sizeof(Elf64_Sym) : 0, names = 0, used = 0;
	image->symbols = calloc(count + 1, sizeof(*image->symbols));
	for (size_t pass = 0; image->symbols && pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			GElf_Sym s;
			if (!gelf_getsym(data, (int)i, &s) || !is_function(&s, m))
				continue;
			const char *name = elf_strptr(f->elf, header->sh_link, s.st_name);
			if (!name || !*name)
				continue;
			size_t length = strlen(name) + 1;
			if (pass == 0) {
				names += length;
				continue;
			}
			memcpy(image->names + used, name, length);
			image->symbols[image->symbol_count++] =
				(struct trace_symbol){s.st_value, s.st_size, image->names + used};
			used += length;
		}
		if (pass == 0 && !(image->names = malloc(names + 1)))
			return -1;
	}
	return image->symbols ? 0 : -1;
}

/* A missing symbol table is no error; a damaged one is ignored. */
static int read_symbols(const struct elf_file *f, struct elf_image *image, const struct address_space *m, struct err *e)
{
	Elf_Scn *section = NULL;
	while ((section = elf_nextscn(f->elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		if (read_symbol_table(f, image, m, section, &header) < 0)
			return err_set(e, STATUS_FAILED, "%s: out of memory for its symbols", f->path);
		sort_symbols(image);
		break;
	}
	return 0;
}

static int checksum(const struct elf_file *f, struct elf_image *image, struct err *e)
{
	uint8_t buffer[8192];
	uint64_t at = 0;
	ssize_t got;
	uLong crc = crc32(0, NULL, 0);
	while ((got = pread(f->fd, buffer, sizeof(buffer), (off_t)at)) > 0) {
		crc = crc32(crc, buffer, (uInt)got);
		at += (uint64_t)got;
	}
	if (got < 0)
		return BAD("%s:offset 0x%" PRIx64 ": cannot read: %s", f->path, at, strerror(errno));
	image->crc = (uint32_t)crc;
	return 0;
}

int elf_image_load(struct elf_image *image, struct address_space *m, const char *path, struct err *e)
{
	struct elf_file f = {.fd = -1};
	*image = (struct elf_image){0};
	int result = -1;
	if (open_file(&f, path, e) == 0 && check_header(&f, e) == 0 && read_segments(&f, image, e) == 0 &&
	    load_segments(&f, image, m, e) == 0 && read_symbols(&f, image, m, e) == 0 && checksum(&f, image, e) == 0)
		result = 0;
	if (f.elf)
		elf_end(f.elf);
	if (f.fd >= 0)
		close(f.fd);
	if (result < 0)
		elf_image_finish(image);
	return result;
}

void elf_image_finish(struct elf_image *image)
{
	free(image->symbols);
	free(image->names);
	*image = (struct elf_image){0};
}

const struct trace_symbol *elf_symbol_named(const struct elf_image *image, const char *name)
{
	for (unsigned i = 0; i < image->symbol_count; i++)
		if (strcmp(image->symbols[i].name, name) == 0)
			return &image->symbols[i];
	return NULL;
}
