/* Writable segments: segment.h. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "segment.h"

#include <elf.h>
#include <link.h>

static int find_segment(struct dl_phdr_info *info, size_t size, void *data)
{
	struct segment *s = data;

	if (info->dlpi_addr != s->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type == PT_GNU_RELRO)
			s->relocated = s->base + h->p_vaddr + h->p_memsz;
		if (h->p_type == PT_TLS && size > offsetof(struct dl_phdr_info, dlpi_tls_modid)) {
			s->thread_module = info->dlpi_tls_modid;
			s->thread_bytes = h->p_memsz;
		}
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t start = s->base + h->p_vaddr, end = start + h->p_memsz;

		if (h->p_type != PT_LOAD || !(h->p_flags & PF_W))
			continue;
		if (s->relocated > start && s->relocated <= end)
			start = s->relocated;
		if (!s->start || start < s->start)
			s->start = start;
		if (end > s->end) {
			s->end = end;
			s->zeroes = s->base + h->p_vaddr + h->p_filesz;
		}
	}
	return 1;
}

bool segment_find(struct segment *s)
{
	return dl_iterate_phdr(find_segment, s) != 0;
}
