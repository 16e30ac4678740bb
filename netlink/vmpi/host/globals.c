/* The ranks' variables: globals.h. */
#define _GNU_SOURCE /* memfd_create, MAP_ANONYMOUS */
#include "globals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "../vmpi_config.h"

enum { COPY_MOST = 32 << 10, UNTOUCHED_MOST = 256 };

/* ---- mapping ---- */

static int map_create(struct globals *g, struct err *e)
{
	g->file = memfd_create("ranks", MFD_CLOEXEC);
	g->begun = mem_alloc(g->ranks, 1, e);
	if (!g->begun)
		return -1;
	if (g->file < 0 || ftruncate(g->file, (off_t)(g->bytes * g->ranks)) < 0)
		return err_set(e, STATUS_FAILED, "variables of %u ranks, %zu bytes each: %s", g->ranks, g->bytes,
			       strerror(errno));
	return 0;
}

static int map_switch(struct globals *g, uint32_t rank, struct err *e)
{
	off_t at = (off_t)(g->bytes * rank);

	if (mmap(g->start, g->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, g->file, at) == MAP_FAILED)
		return err_set(e, STATUS_FAILED, "variables of rank %u: %s", rank, strerror(errno));
	if (!g->begun[rank])
		memcpy(g->start, g->pristine, g->pristine_bytes);
	g->begun[rank] = 1;
	return 0;
}

/* ---- copying ---- */

static int copy_switch(struct globals *g, uint32_t rank, struct err *e)
{
	char **to = g->owner == GLOBALS_NOBODY ? NULL : &g->copy[g->owner];

	if (to && !*to)
		*to = mem_alloc(g->bytes, 1, e);
	if (to && !*to)
		return -1;
	if (to)
		memcpy(*to, g->start, g->bytes);
	if (g->copy[rank]) {
		memcpy(g->start, g->copy[rank], g->bytes);
	} else {
		memcpy(g->start, g->pristine, g->pristine_bytes);
		memset(g->start + g->pristine_bytes, 0, g->bytes - g->pristine_bytes);
	}
	return 0;
}

/* ---- both ---- */

int globals_create(struct globals *g, char *start, size_t bytes, int way, uint32_t ranks, struct err *e)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*g = (struct globals){.file = -1, .ranks = ranks, .owner = GLOBALS_NOBODY, .way = way};
	if (!bytes || way == GLOBALS_SHARED)
		return 0;
	if (way == GLOBALS_AUTO)
		g->way = bytes <= COPY_MOST ? GLOBALS_COPY : GLOBALS_MAP;
	g->start = start;
	g->bytes = bytes;
	if (g->way == GLOBALS_MAP) {
		char *first = (char *)((uintptr_t)start / page * page);

		g->bytes = ((size_t)(start - first) + bytes + page - 1) / page * page;
		g->start = first;
	}
	g->pristine_bytes = g->bytes;
	while (g->pristine_bytes && !g->start[g->pristine_bytes - 1])
		g->pristine_bytes--;
	g->pristine = mem_alloc(g->pristine_bytes ? g->pristine_bytes : 1, 1, e);
	if (!g->pristine)
		return -1;
	memcpy(g->pristine, g->start, g->pristine_bytes);
	if (g->way == GLOBALS_MAP)
		return map_create(g, e);
	g->copy = mem_alloc(ranks, sizeof(char *), e);
	return g->copy ? 0 : -1;
}

void globals_finish(struct globals *g)
{
	if (g->way == GLOBALS_MAP && g->start && g->owner != GLOBALS_NOBODY) {
		/* private pages with the initial values, which the program needs when it is unloaded */
		void *own = mmap(g->start, g->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
				 -1, 0);

		if (own != MAP_FAILED)
			memcpy(g->start, g->pristine, g->pristine_bytes);
	} else if (g->start && g->pristine) {
		memcpy(g->start, g->pristine, g->pristine_bytes);
	}
	for (uint32_t i = 0; g->copy && i < g->ranks; i++)
		free(g->copy[i]);
	free(g->copy);
	free(g->begun);
	free(g->pristine);
	if (g->file >= 0)
		close(g->file);
	*g = (struct globals){.file = -1};
}

/* Returns whether the variables are still unchanged. They are compared only while they are small and unchanged. */
static bool untouched(struct globals *g)
{
	static const char zeroes[UNTOUCHED_MOST];

	if (!g->touched)
		g->touched = g->bytes > UNTOUCHED_MOST || memcmp(g->start, g->pristine, g->pristine_bytes) != 0 ||
			     memcmp(g->start + g->pristine_bytes, zeroes, g->bytes - g->pristine_bytes) != 0;
	return !g->touched;
}

int globals_switch(struct globals *g, uint32_t rank, struct err *e)
{
	int ret;

	if (g->way == GLOBALS_COPY && g->owner != GLOBALS_NOBODY && untouched(g)) {
		g->owner = rank;
		return 0;
	}
	ret = g->way == GLOBALS_MAP ? map_switch(g, rank, e) : copy_switch(g, rank, e);
	if (ret == 0)
		g->owner = rank;
	return ret;
}

int globals_room(struct globals *g, uint32_t ranks, struct err *e)
{
	char **copy;

	if (!g->copy || ranks <= g->ranks)
		return 0;
	copy = mem_resize(g->copy, ranks, sizeof(char *), e);
	if (!copy)
		return -1;
	memset(copy + g->ranks, 0, (ranks - g->ranks) * sizeof(char *));
	g->copy = copy;
	g->ranks = ranks;
	return 0;
}

void globals_rank_ended(struct globals *g, uint32_t rank)
{
	if (g->way != GLOBALS_COPY || !g->start)
		return;
	if (g->owner == rank)
		g->owner = GLOBALS_NOBODY;
	free(g->copy[rank]);
	g->copy[rank] = NULL;
}
