/* Generates task graphs of common patterns. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../topology/number_list.h"
#include "task_graph.h"

enum { DIMS_MAX = 6, TASKS_MAX = 1 << 24 };

struct pattern {
	uint32_t size[DIMS_MAX];
	unsigned dims;
	uint64_t bytes;
	uint32_t tasks;
};

/*
 * Bruck's allgather as in figure 7 of S. Sano, K. Kise: in step k every rank sends its 2^k blocks,
 * or those still missing, to the rank 2^k behind it.
 */
static int add_bruck(const struct pattern *p, struct comm_matrix *m, struct err *e)
{
	for (uint64_t have = 1; have < p->tasks; have *= 2) {
		uint64_t blocks = have < p->tasks - have ? have : p->tasks - have;

		for (uint32_t r = 0; r < p->tasks; r++)
			if (comm_matrix_add(m, r, (uint32_t)((r + have) % p->tasks), blocks * p->bytes, 1, e))
				return -1;
	}
	return 0;
}

static int add_neighbours(const struct pattern *p, struct comm_matrix *m, int wrap, struct err *e)
{
	for (uint32_t r = 0; r < p->tasks; r++)
		for (uint32_t d = 0, stride = 1; d < p->dims; stride *= p->size[d++]) {
			uint32_t n = p->size[d], c = r / stride % n;

			if (n > 1 && (c + 1 < n || wrap)) {
				uint32_t other = c + 1 < n ? r + stride : r - (n - 1) * stride;

				if (comm_matrix_add(m, r, other, p->bytes, 1, e) ||
				    comm_matrix_add(m, other, r, p->bytes, 1, e))
					return -1;
			}
		}
	return 0;
}

static int add_stencil(const struct pattern *p, struct comm_matrix *m, struct err *e)
{
	return add_neighbours(p, m, 0, e);
}

static int add_stencil_torus(const struct pattern *p, struct comm_matrix *m, struct err *e)
{
	return add_neighbours(p, m, 1, e);
}

static const struct {
	const char *name;
	int (*add)(const struct pattern *p, struct comm_matrix *m, struct err *e);
} patterns[] = {
	{"bruck", add_bruck},
	{"stencil", add_stencil},
	{"stencil-torus", add_stencil_torus},
};

/* Reads ":4096:2048" or ":16x16x16:1000". */
static int read_sizes(struct pattern *p, const char *whole, const char *text, struct err *e)
{
	char sizes[64], *end;
	uint64_t tasks = 1;
	size_t n = strcspn(text, ":");
	int dims;

	if (n >= sizeof(sizes) || text[n] != ':' || text[n + 1] < '0' || text[n + 1] > '9')
		return err_set(e, STATUS_USAGE, "pattern %s: expected NAME:SIZES:BYTES, for instance bruck:4096:2048",
			       whole);
	memcpy(sizes, text, n);
	sizes[n] = '\0';
	p->bytes = strtoull(text + n + 1, &end, 10);
	if (*end || !p->bytes || p->bytes > UINT32_MAX)
		return err_set(e, STATUS_USAGE, "pattern %s: %s, expected 1 to %" PRIu32 " bytes", whole, text + n + 1,
			       UINT32_MAX);
	dims = list_sizes(sizes, p->size, DIMS_MAX, e);
	if (dims < 0)
		return err_prefix(e, "pattern %s", whole);
	p->dims = (unsigned)dims;
	for (int d = 0; d < dims; d++) {
		tasks *= p->size[d];
		if (tasks > TASKS_MAX)
			return err_set(e, STATUS_USAGE, "pattern %s: too large, expected at most %d tasks", whole,
				       TASKS_MAX);
	}
	p->tasks = (uint32_t)tasks;
	return 0;
}

struct comm_matrix *task_pattern(const char *text, struct err *e)
{
	size_t length = strcspn(text, ":");
	struct comm_matrix *m;
	struct pattern p;

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (strlen(patterns[i].name) != length || memcmp(patterns[i].name, text, length) != 0)
			continue;
		if (read_sizes(&p, text, text + length + (text[length] == ':'), e))
			return NULL;
		m = comm_matrix_create(p.tasks, e);
		if (m && patterns[i].add(&p, m, e)) {
			comm_matrix_destroy(m);
			m = NULL;
		}
		return m;
	}
	err_set(e, STATUS_USAGE, "unknown pattern '%s', expected bruck, stencil or stencil-torus", text);
	return NULL;
}
