#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "address_space.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * A page-table entry. The tree has three levels over the 30 bits of a page number (43-bit
 * addresses, 13-bit pages), ten bits each.
 */
struct address_space_page {
	uint8_t *host;
};

enum { LEVEL_BITS = 10, LEVEL_SIZE = 1 << LEVEL_BITS, LEVEL_MASK = LEVEL_SIZE - 1 };
/* Chunks are as large as the host's huge pages, so that scattered accesses have fewer TLB misses. */
enum { CHUNK_PAGES = 256 };

static struct address_space_page *page_slot(struct address_space *m, uint64_t address, bool make)
{
	uint64_t n = address >> CPU_PAGE_BITS;
	struct address_space_page ***middle = (void *)&m->root[n >> (2 * LEVEL_BITS) & LEVEL_MASK];
	if (!*middle) {
		if (!make || !(*middle = calloc(LEVEL_SIZE, sizeof(**middle))))
			return NULL;
	}
	struct address_space_page **leaf = &(*middle)[n >> LEVEL_BITS & LEVEL_MASK];
	if (!*leaf) {
		if (!make || !(*leaf = calloc(LEVEL_SIZE, sizeof(**leaf))))
			return NULL;
	}
	return &(*leaf)[n & LEVEL_MASK];
}

static uint8_t *new_chunk(struct address_space *m)
{
	if (m->chunk_count == m->chunk_capacity) {
		unsigned capacity = m->chunk_capacity ? 2 * m->chunk_capacity : 64;
		uint8_t **chunks = realloc(m->chunks, capacity * sizeof(*chunks));
		if (!chunks)
			return NULL;
		m->chunks = chunks;
		m->chunk_capacity = capacity;
	}
	uint8_t *chunk = aligned_alloc(CHUNK_PAGES * SPACE_PAGE, CHUNK_PAGES * SPACE_PAGE);
	if (chunk) {
		madvise(chunk, CHUNK_PAGES * SPACE_PAGE, MADV_HUGEPAGE); /* a hint, which may fail */
		m->chunks[m->chunk_count++] = chunk;
		m->chunk_used = 0;
	}
	return chunk;
}

static uint8_t *new_page(struct address_space *m)
{
	uint8_t *page = m->free_pages;
	if (page) {
		memcpy(&m->free_pages, page, sizeof(m->free_pages));
	} else {
		if (m->chunk_used == CHUNK_PAGES && !new_chunk(m)) {
			m->exhausted = true;
			return NULL;
		}
		page = m->chunks[m->chunk_count - 1] + SPACE_PAGE * m->chunk_used++;
	}
	memset(page, 0, SPACE_PAGE);
	return page;
}

static void free_page(struct address_space *m, struct address_space_page *p)
{
	memcpy(p->host, &m->free_pages, sizeof(m->free_pages));
	m->free_pages = p->host;
	p->host = NULL;
}

/* The host page of a mapped address; allocates it on demand. */
static uint8_t *page_at(struct address_space *m, uint64_t address)
{
	struct address_space_page *p = page_slot(m, address, true);
	if (!p) {
		m->exhausted = true;
		return NULL;
	}
	if (!p->host)
		p->host = new_page(m);
	return p->host;
}

/* Index of the first area that ends above `address`. */
static unsigned area_index(const struct address_space *m, uint64_t address)
{
	unsigned low = 0, high = m->count;
	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		if (m->areas[mid].end <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct address_space_area *address_space_area_at(const struct address_space *m, uint64_t address)
{
	unsigned i = area_index(m, address);
	return i < m->count && m->areas[i].start <= address ? &m->areas[i] : NULL;
}

static uint8_t *page_callback(struct cpu_memory *cm, uint64_t address, enum cpu_access access)
{
	struct address_space *m = (struct address_space *)cm;
	const struct address_space_area *a = address_space_area_at(m, address);
	if (!a || !(a->prot & (access == CPU_WRITE ? SPACE_WRITE : SPACE_READ)))
		return NULL;
	return page_at(m, address);
}

int address_space_init(struct address_space *m, struct cpu *cpu, uint64_t limit)
{
	*m = (struct address_space){.cpu_memory.page = page_callback, .cpu = cpu, .limit = limit};
	m->chunk_used = CHUNK_PAGES;
	m->root = calloc(LEVEL_SIZE, sizeof(*m->root));
	return m->root ? 0 : -1;
}

void address_space_finish(struct address_space *m)
{
	for (unsigned i = 0; m->root && i < LEVEL_SIZE; i++) {
		for (unsigned k = 0; m->root[i] && k < LEVEL_SIZE; k++)
			free(m->root[i][k]);
		free(m->root[i]);
	}
	for (unsigned i = 0; i < m->chunk_count; i++)
		free(m->chunks[i]);
	free(m->root);
	free(m->chunks);
	free(m->areas);
	*m = (struct address_space){0};
}

static bool in_space(uint64_t start, uint64_t length)
{
	return start <= SPACE_TOP && length <= SPACE_TOP - start;
}

/* Flushes translations after a change of an area; `prot`: its old and new rights. */
static void flush_translations(struct address_space *m, unsigned prot)
{
	if (prot & SPACE_EXEC)
		m->remapped = true;
	if (m->cpu)
		cpu_flush_tlb(m->cpu);
}

static int insert_area(struct address_space *m, unsigned at, struct address_space_area a)
{
	if (m->count == m->capacity) {
		unsigned capacity = m->capacity ? 2 * m->capacity : 16;
		struct address_space_area *areas = realloc(m->areas, capacity * sizeof(*areas));
		if (!areas) {
			m->exhausted = true;
			return -1;
		}
		m->areas = areas;
		m->capacity = capacity;
	}
	memmove(&m->areas[at + 1], &m->areas[at], (m->count - at) * sizeof(*m->areas));
	m->areas[at] = a;
	m->count++;
	return 0;
}

/* Makes `address` a boundary between areas. */
static int split_area(struct address_space *m, uint64_t address)
{
	unsigned i = area_index(m, address);
	if (i == m->count || m->areas[i].start >= address)
		return 0;
	struct address_space_area low = {m->areas[i].start, address, m->areas[i].prot};
	if (insert_area(m, i, low) < 0)
		return -1;
	m->areas[i + 1].start = address;
	return 0;
}

/* Merges neighbours with the same rights, so that many small mappings stay one area. */
static void merge_areas(struct address_space *m)
{
	unsigned to = 0;
	for (unsigned i = 0; i < m->count; i++) {
		struct address_space_area *last = to ? &m->areas[to - 1] : NULL;
		if (last && last->end == m->areas[i].start && last->prot == m->areas[i].prot)
			last->end = m->areas[i].end;
		else
			m->areas[to++] = m->areas[i];
	}
	m->count = to;
}

void address_space_clear(struct address_space *m, uint64_t start, uint64_t length)
{
	uint64_t end = start + length;
	for (uint64_t a = start; a < end; a += SPACE_PAGE) {
		struct address_space_page *p = page_slot(m, a, false);
		if (!p) /* nothing in this leaf: skip it */
			a = (a | (SPACE_PAGE * LEVEL_SIZE - 1)) + 1 - SPACE_PAGE;
		else if (p->host)
			free_page(m, p);
	}
	flush_translations(m, 0);
}

int address_space_unmap(struct address_space *m, uint64_t start, uint64_t length)
{
	uint64_t end = start + length;
	if (!in_space(start, length) || split_area(m, start) < 0 || split_area(m, end) < 0)
		return -1;
	unsigned first = area_index(m, start), last = first;
	while (last < m->count && m->areas[last].start < end) {
		flush_translations(m, m->areas[last].prot);
		address_space_clear(m, m->areas[last].start, m->areas[last].end - m->areas[last].start);
		m->mapped -= m->areas[last].end - m->areas[last].start;
		last++;
	}
	if (last > first) /* without areas there is no array */
		memmove(m->areas + first, m->areas + last, (m->count - last) * sizeof(*m->areas));
	m->count -= last - first;
	return 0;
}

int address_space_map(struct address_space *m, uint64_t start, uint64_t length, unsigned prot)
{
	if (!length || !in_space(start, length) || length > m->limit || address_space_unmap(m, start, length) < 0 ||
	    m->mapped > m->limit - length)
		return -1;
	struct address_space_area a = {start, start + length, prot};
	if (insert_area(m, area_index(m, start), a) < 0)
		return -1;
	m->mapped += length;
	merge_areas(m);
	return 0;
}

int address_space_protect(struct address_space *m, uint64_t start, uint64_t length, unsigned prot)
{
	if (!address_space_allows(m, start, length, 0) || split_area(m, start) < 0 || split_area(m, start + length) < 0)
		return -1;
	for (unsigned i = area_index(m, start); i < m->count && m->areas[i].start < start + length; i++) {
		flush_translations(m, m->areas[i].prot | prot);
		m->areas[i].prot = prot;
	}
	merge_areas(m);
	return 0;
}

int address_space_move(struct address_space *m, uint64_t from, uint64_t to, uint64_t length)
{
	const struct address_space_area *a = address_space_area_at(m, from);
	if (!a || a->end - from < length || !in_space(to, length))
		return -1;
	if (address_space_map(m, to, length, a->prot) < 0)
		return -1;
	for (uint64_t k = 0; k < length; k += SPACE_PAGE) {
		struct address_space_page *old = page_slot(m, from + k, false);
		if (!old || !old->host)
			continue;
		struct address_space_page *new = page_slot(m, to + k, true);
		if (!new) {
			m->exhausted = true;
			return -1;
		}
		new->host = old->host;
		old->host = NULL;
	}
	return address_space_unmap(m, from, length);
}

uint64_t address_space_find_free(const struct address_space *m, uint64_t from, uint64_t length)
{
	uint64_t at = from;
	for (unsigned i = area_index(m, from); i < m->count; i++) {
		if (m->areas[i].start >= at && m->areas[i].start - at >= length)
			return at;
		at = m->areas[i].end;
	}
	return in_space(at, length) ? at : 0;
}

bool address_space_allows(const struct address_space *m, uint64_t start, uint64_t length, unsigned prot)
{
	if (!in_space(start, length))
		return false;
	uint64_t at = start, end = start + length;
	for (unsigned i = area_index(m, start); at < end; i++) {
		if (i == m->count || m->areas[i].start > at || (m->areas[i].prot & prot) != prot)
			return false;
		at = m->areas[i].end;
	}
	return true;
}

uint8_t *address_space_host(struct address_space *m, uint64_t address, unsigned prot, size_t *left)
{
	const struct address_space_area *a = address_space_area_at(m, address);
	if (!a || (a->prot & prot) != prot)
		return NULL;
	uint64_t offset = address & (SPACE_PAGE - 1);
	uint8_t *page = page_at(m, address);
	*left = SPACE_PAGE - offset;
	return page ? page + offset : NULL;
}

/* Copies in either direction; exactly one of `to` and `from` is set. */
static int address_space_copy(struct address_space *m, uint64_t address, unsigned prot, void *to, const void *from,
			      size_t size)
{
	for (size_t done = 0; done < size;) {
		size_t left;
		uint8_t *host = address_space_host(m, address + done, prot, &left);
		if (!host)
			return -1;
		if (left > size - done)
			left = size - done;
		if (to)
			memcpy((char *)to + done, host, left);
		else
			memcpy(host, (const char *)from + done, left);
		done += left;
	}
	return 0;
}

int address_space_read(struct address_space *m, uint64_t address, void *to, size_t size)
{
	return address_space_copy(m, address, SPACE_READ, to, NULL, size);
}

int address_space_write(struct address_space *m, uint64_t address, const void *from, size_t size)
{
	return address_space_copy(m, address, SPACE_WRITE, NULL, from, size);
}

int address_space_load(struct address_space *m, uint64_t address, const void *from, size_t size)
{
	return address_space_copy(m, address, 0, NULL, from, size);
}

long address_space_read_string(struct address_space *m, uint64_t address, char *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		size_t left;
		const uint8_t *host = address_space_host(m, address + done, SPACE_READ, &left);
		if (!host)
			return -1;
		if (left > size - done)
			left = size - done;
		const uint8_t *nul = memchr(host, 0, left);
		size_t n = nul ? (size_t)(nul - host) + 1 : left;
		memcpy(to + done, host, n);
		done += n;
		if (nul)
			return (long)done - 1;
	}
	return -1;
}

static uint64_t address_space_read_value(struct address_space *m, uint64_t address, unsigned size, bool *fault)
{
	uint8_t b[8];
	uint64_t v = 0;
	if (address_space_read(m, address, b, size) < 0) {
		*fault = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		v = v << 8 | b[i];
	return v;
}

uint64_t space_read64(struct address_space *m, uint64_t address, bool *fault)
{
	return address_space_read_value(m, address, 8, fault);
}

uint32_t space_read32(struct address_space *m, uint64_t address, bool *fault)
{
	return (uint32_t)address_space_read_value(m, address, 4, fault);
}

int space_write64(struct address_space *m, uint64_t address, uint64_t value)
{
	uint8_t b[8];
	for (unsigned i = 0; i < 8; i++)
		b[i] = (uint8_t)(value >> (56 - 8 * i));
	return address_space_write(m, address, b, sizeof(b));
}

int space_write32(struct address_space *m, uint64_t address, uint32_t value)
{
	uint8_t b[4];
	for (unsigned i = 0; i < 4; i++)
		b[i] = (uint8_t)(value >> (24 - 8 * i));
	return address_space_write(m, address, b, sizeof(b));
}
