#include "matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static struct comm_matrix_entry *find(const struct comm_matrix *m, uint32_t src, uint32_t dst)
{
	uint64_t key = ((uint64_t)src << 32 | dst) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t i = (key ^ key >> 32) & (m->room - 1);

	while (m->table[i].messages && (m->table[i].src != src || m->table[i].dst != dst))
		i = (i + 1) & (m->room - 1);
	return &m->table[i];
}

static int grow(struct comm_matrix *m, struct err *e)
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
			*find(m, old.table[i].src, old.table[i].dst) = old.table[i];
	free(old.table);
	return 0;
}

int comm_matrix_add(struct comm_matrix *m, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t messages, struct err *e)
{
	struct comm_matrix_entry *x;

	if (!messages)
		return 0;
	if (3 * m->used >= 2 * m->room && grow(m, e))
		return -1;
	x = find(m, src, dst);
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
	const char *name;
	unsigned long line;
	struct comm_matrix *m; /* NULL until the line `ranks N` */
	struct err *err;
};

__attribute__((format(printf, 2, 3))) static int fail(const struct matrix_reader *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(r->err, STATUS_BAD_INPUT, format, ap);
	va_end(ap);
	return err_prefix(r->err, "%s:%lu", r->name, r->line);
}

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
			return fail(r, "%.60s, expected %u whole numbers", text, count);
		at = end;
	}
	at += strspn(at, " \t\r");
	return *at ? fail(r, "%.60s, expected %u whole numbers and nothing behind them", text, count) : 0;
}

static int read_entry(const struct matrix_reader *r, const char *text)
{
	uint64_t v[4];

	if (numbers(r, text, v, 4))
		return -1;
	if (v[0] >= r->m->ranks || v[1] >= r->m->ranks)
		return fail(r, "from %" PRIu64 " to %" PRIu64 ", expected ranks from 0 to %" PRIu32, v[0], v[1],
			    r->m->ranks - 1);
	if (!v[3])
		return fail(r, "no messages from %" PRIu64 " to %" PRIu64 ", expected at least one", v[0], v[1]);
	if (find(r->m, (uint32_t)v[0], (uint32_t)v[1])->messages)
		return fail(r, "from %" PRIu64 " to %" PRIu64 " appears twice", v[0], v[1]);
	return comm_matrix_add(r->m, (uint32_t)v[0], (uint32_t)v[1], v[2], v[3], r->err);
}

static int read_line(struct matrix_reader *r, char *text)
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
		return fail(r, "%.60s, expected ranks N first", text);
	if (numbers(r, text + 5, &ranks, 1))
		return -1;
	if (!ranks || ranks > MATRIX_RANKS_MAX)
		return fail(r, "%" PRIu64 " ranks, expected 1 to %d", ranks, MATRIX_RANKS_MAX);
	r->m = comm_matrix_create((uint32_t)ranks, r->err);
	return r->m ? 0 : -1;
}

struct comm_matrix *comm_matrix_read(FILE *in, const char *name, struct err *e)
{
	struct matrix_reader r = {.name = name, .err = e};
	struct lines lines = {.in = in};
	char text[256];
	int status = 0;

	while (!status && lines_next(&lines, text, sizeof(text))) {
		r.line++;
		status = read_line(&r, text);
	}
	if (!status && *lines.why) {
		r.line++;
		status = fail(&r, "%s", lines.why);
	}
	if (!status && ferror(in))
		status = err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", name, strerror(errno));
	if (!status && !r.m)
		status = fail(&r, "end of the file, expected ranks N");
	if (!status)
		return r.m;
	comm_matrix_destroy(r.m);
	return NULL;
}
