#include "matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"

enum { MATRIX_RANKS_MAX = 1 << 24, FIRST_ROOM = 1024 };

/* A hash table with open addressing while messages are counted; a sorted list on demand. */
struct comm_matrix {
	uint32_t ranks;
	uint64_t room, used;             /* of the table: a power of two */
	struct comm_matrix_entry *table; /* 0 messages: free */
	struct comm_matrix_entry *list;  /* NULL: outdated by an addition */
};

struct comm_matrix *comm_matrix_create(uint32_t ranks, struct err *e)
{
	struct comm_matrix *m = mem_alloc(1, sizeof(*m), e);

	if (!m)
		return NULL;
	m->ranks = ranks;
	m->room = FIRST_ROOM;
	m->table = mem_alloc(m->room, sizeof(*m->table), e);
	if (m->table)
		return m;
	free(m);
	return NULL;
}

void comm_matrix_destroy(struct comm_matrix *m)
{
	if (!m)
		return;
	free(m->table);
	free(m->list);
	free(m);
}

uint32_t comm_matrix_ranks(const struct comm_matrix *m)
{
	return m->ranks;
}

static struct comm_matrix_entry *matrix_find(const struct comm_matrix *m, uint32_t src, uint32_t dst)
{
	uint64_t i = hash_low((uint64_t)src << 32 | dst) & (m->room - 1);

	while (m->table[i].messages && (m->table[i].src != src || m->table[i].dst != dst))
		i = (i + 1) & (m->room - 1);
	return &m->table[i];
}

static int matrix_grow(struct comm_matrix *m, struct err *e)
{
	struct comm_matrix old = *m;

	m->table = mem_alloc(2 * old.room, sizeof(*m->table), e);
	if (!m->table) {
		m->table = old.table;
		return -1;
	}
	m->room = 2 * old.room;
	for (uint64_t i = 0; i < old.room; i++)
		if (old.table[i].messages)
			*matrix_find(m, old.table[i].src, old.table[i].dst) = old.table[i];
	free(old.table);
	return 0;
}

int comm_matrix_add(struct comm_matrix *m, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t messages, struct err *e)
{
	struct comm_matrix_entry *x;

	if (!messages)
		return 0;
	if (3 * m->used >= 2 * m->room && matrix_grow(m, e))
		return -1;
	x = matrix_find(m, src, dst);
	m->used += !x->messages;
	x->src = src;
	x->dst = dst;
	x->bytes += bytes;
	x->messages += messages;
	free(m->list);
	m->list = NULL;
	return 0;
}

static int by_pair(const void *a, const void *b)
{
	const struct comm_matrix_entry *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

const struct comm_matrix_entry *comm_matrix_entries(struct comm_matrix *m, size_t *count)
{
	size_t n = 0;

	*count = m->used;
	if (!m->used)
		return NULL;
	if (!m->list) {
		m->list = mem_alloc(m->used, sizeof(*m->list), NULL);
		if (!m->list)
			return NULL;
		for (uint64_t i = 0; i < m->room; i++)
			if (m->table[i].messages)
				m->list[n++] = m->table[i];
		qsort(m->list, n, sizeof(*m->list), by_pair);
	}
	return m->list;
}

int comm_matrix_join(struct comm_matrix *m, const struct comm_matrix_entry *entries, size_t count, struct err *e)
{
	for (size_t i = 0; i < count; i++)
		if (comm_matrix_add(m, entries[i].src, entries[i].dst, entries[i].bytes, entries[i].messages, e) < 0)
			return -1;
	return 0;
}

int comm_matrix_write(struct comm_matrix *m, FILE *out, struct err *e)
{
	size_t count;
	const struct comm_matrix_entry *x = comm_matrix_entries(m, &count);

	if (!x && m->used)
		return mem_short(e);
	fprintf(out, "# communication matrix: source destination bytes messages\nranks %" PRIu32 "\n", m->ranks);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", x[i].src, x[i].dst, x[i].bytes,
			x[i].messages);
	if (fflush(out) || ferror(out))
		return err_set(e, STATUS_FAILED, "communication matrix: cannot write: %s", strerror(errno));
	return 0;
}

/* ---- reading ---- */

struct matrix_reader {
	struct lines lines;
	struct comm_matrix *m; /* NULL until the line `ranks N` */
};

/* Reads `count` whole numbers separated by blanks, with nothing behind them. */
static int numbers(const struct matrix_reader *r, const char *text, uint64_t *value, unsigned count)
{
	const char *at = text;
	char *end;

	for (unsigned i = 0; i < count; i++) {
		at += strspn(at, " \t");
		errno = 0;
		value[i] = strtoull(at, &end, 10);
		if (end == at || *at < '0' || *at > '9' || errno)
			return lines_wrong(&r->lines, "%.60s, expected %u whole numbers", text, count);
		at = end;
	}
	at += strspn(at, " \t\r");
	return *at ? lines_wrong(&r->lines, "%.60s, expected %u whole numbers and the end of the line", text, count)
		   : 0;
}

static int read_entry(const struct matrix_reader *r, const char *text)
{
	uint64_t v[4];

	if (numbers(r, text, v, 4))
		return -1;
	if (v[0] >= r->m->ranks || v[1] >= r->m->ranks)
		return lines_wrong(&r->lines, "from %" PRIu64 " to %" PRIu64 ", expected ranks from 0 to %" PRIu32,
				   v[0], v[1], r->m->ranks - 1);
	if (!v[3])
		return lines_wrong(&r->lines, "no messages from %" PRIu64 " to %" PRIu64 ", expected at least one",
				   v[0], v[1]);
	if (matrix_find(r->m, (uint32_t)v[0], (uint32_t)v[1])->messages)
		return lines_wrong(&r->lines, "duplicate pair from %" PRIu64 " to %" PRIu64 ", expected each once",
				   v[0], v[1]);
	return comm_matrix_add(r->m, (uint32_t)v[0], (uint32_t)v[1], v[2], v[3], r->lines.err);
}

static int matrix_read_line(struct matrix_reader *r, char *text)
{
	char *comment = strchr(text, '#');
	uint64_t ranks;

	if (comment)
		*comment = '\0';
	text += strspn(text, " \t");
	if (!text[strspn(text, " \t\r\n")])
		return 0;
	text[strcspn(text, "\n")] = '\0';
	if (r->m)
		return read_entry(r, text);
	if (strncmp(text, "ranks", 5) != 0)
		return lines_wrong(&r->lines, "%.60s before the number of ranks, expected ranks N", text);
	if (numbers(r, text + 5, &ranks, 1))
		return -1;
	if (!ranks || ranks > MATRIX_RANKS_MAX)
		return lines_wrong(&r->lines, "%" PRIu64 " ranks, expected 1 to %d", ranks, MATRIX_RANKS_MAX);
	r->m = comm_matrix_create((uint32_t)ranks, r->lines.err);
	return r->m ? 0 : -1;
}

struct comm_matrix *comm_matrix_read(FILE *in, const char *name, struct err *e)
{
	struct matrix_reader r = {.lines = {.in = in, .name = name, .err = e}};
	char text[256];
	int more, status = 0;

	while (!status && (more = lines_read(&r.lines, text, sizeof(text))))
		status = more < 0 ? -1 : matrix_read_line(&r, text);
	if (!status && !r.m)
		status = lines_wrong(&r.lines, "end of the file, expected ranks N");
	if (!status)
		return r.m;
	comm_matrix_destroy(r.m);
	return NULL;
}
