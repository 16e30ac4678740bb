#include "trace_part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/report/out.h"

enum { NAME_MAX_BYTES = 4096 };

int64_t trace_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int part_name(char name[NAME_MAX_BYTES], const char *file, int rank)
{
	if (snprintf(name, NAME_MAX_BYTES, "%s.%d", file, rank) < NAME_MAX_BYTES)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

int trace_part_begin(struct trace_part *p, const char *file, int rank)
{
	p->rank = rank;
	if (part_name(p->name, file, rank) == 0)
		p->out = out_journal(p->name, false, NULL);
	if (!p->out) {
		*p->name = '\0';
		return -1;
	}
	p->last = trace_now();
	return 0;
}

void trace_gap(struct trace_part *p)
{
	int64_t now = trace_now(), gap = now - p->last;

	if (gap > 0)
		fprintf(p->out, "%" PRId64 " %d compute %" PRId64 ".%09" PRId64 "\n", p->last, p->rank,
			gap / 1000000000, gap % 1000000000);
	p->last = now;
}

void trace_line_begin(struct trace_part *p)
{
	trace_gap(p);
	fprintf(p->out, "%" PRId64 " %d", p->last, p->rank);
}

void trace_line_end(struct trace_part *p)
{
	fputc('\n', p->out);
}

void trace_call_over(struct trace_part *p)
{
	p->last = trace_now();
}

int trace_part_end(struct trace_part *p)
{
	bool failed = ferror(p->out);
	int why = errno;

	if (fclose(p->out) != 0 && !failed) {
		failed = true;
		why = errno;
	}
	p->out = NULL;
	errno = failed ? why : 0;
	return failed ? -1 : 0;
}

void trace_part_remove(const char *file, int rank)
{
	char name[NAME_MAX_BYTES];

	if (part_name(name, file, rank) == 0)
		out_remove(name);
}

/* ---- all parts as one ---- */

/*
 * A part while it is merged. Its file is open only while a piece is read, so that a run may have more ranks than a
 * process may have open files.
 */
struct source {
	char *piece; /* whole lines from `at` to `end` */
	size_t at, end, size;
	off_t offset; /* of the next piece in the file */
};
enum { PIECE = 1 << 16 };

/* Reads whole lines into the piece, which grows where a line is longer. 1; 0 at the end; -1 with errno. */
static int read_piece(struct source *s, const char *name)
{
	FILE *in = fopen(name, "r");
	size_t count = 0;
	int ret = -1;

	if (!in)
		return -1;
	s->at = s->end = 0;
	while (!s->end && fseeko(in, s->offset, SEEK_SET) == 0) {
		count = fread(s->piece, 1, s->size, in);
		if (ferror(in))
			break;
		for (s->end = count; s->end && s->piece[s->end - 1] != '\n';)
			s->end--;
		if (s->end || count < s->size) { /* the last line of a run that was killed may be cut */
			s->offset += (off_t)s->end;
			ret = s->end > 0;
			break;
		}
		char *more = realloc(s->piece, 2 * s->size);

		if (!more)
			break;
		s->piece = more;
		s->size *= 2;
	}
	if (ret < 0 && !errno)
		errno = EIO;
	fclose(in);
	return ret;
}

struct next_line {
	int64_t time;
	int rank;
};

static bool line_before(const struct next_line *a, const struct next_line *b)
{
	return a->time != b->time ? a->time < b->time : a->rank < b->rank;
}
HEAP(lines, struct next_line, line_before)

struct merge {
	const char *file, *lines; /* lines: before all others */
	FILE *out;
	struct source *source;
	struct next_line *next;
	size_t count; /* of next */
};

/* Adds the next line of `rank`, if there is one. 0, or -1 with errno. */
static int add_next(struct merge *m, int rank)
{
	struct source *s = &m->source[rank];
	char name[NAME_MAX_BYTES];

	if (s->at == s->end) {
		int more = part_name(name, m->file, rank) < 0 ? -1 : read_piece(s, name);

		if (more <= 0)
			return more;
	}
	lines_push(m->next, m->count++, (struct next_line){strtoll(s->piece + s->at, NULL, 10), rank});
	return 0;
}

/* Writes the line of `rank` without its time. */
static void write_traced_line(struct merge *m, int rank)
{
	struct source *s = &m->source[rank];
	const char *line = s->piece + s->at, *end = memchr(line, '\n', s->end - s->at);
	const char *event = memchr(line, ' ', (size_t)(end - line));

	s->at = (size_t)(end + 1 - s->piece);
	if (event)
		fwrite(event + 1, 1, (size_t)(end - event), m->out);
}

/* Merges all lines. 0, or -1 with errno and *ret_rank. */
static int merge_lines(struct merge *m, int ranks, int *ret_rank)
{
	fprintf(m->out, "ranks %d\n%s", ranks, m->lines);
	for (*ret_rank = 0; *ret_rank < ranks; ++*ret_rank) {
		struct source *s = &m->source[*ret_rank];

		s->piece = malloc(PIECE);
		s->size = PIECE;
		if (!s->piece || add_next(m, *ret_rank) < 0)
			return -1;
	}
	while (m->count) {
		*ret_rank = lines_pop(m->next, m->count--).rank;
		write_traced_line(m, *ret_rank);
		if (add_next(m, *ret_rank) < 0)
			return -1;
	}
	*ret_rank = -1;
	return ferror(m->out) ? -1 : 0;
}

/* Writes the message for a part that cannot be read, or for memory that is short. */
static int join_failed(const struct merge *m, int rank, struct err *e)
{
	if (rank < 0)
		return err_set(e, STATUS_FAILED, "%s: %s; the parts %s.0 and so on stay", m->file, strerror(errno),
			       m->file);
	return err_set(e, STATUS_FAILED, "%s.%d: %s, expected the part of rank %d in a folder that all hosts share",
		       m->file, rank, strerror(errno), rank);
}

static void finish_merge(struct merge *m, int ranks)
{
	for (int n = 0; m->source && n < ranks; n++)
		free(m->source[n].piece);
	free(m->source);
	free(m->next);
}

int trace_parts_join(const char *file, int ranks, const char *lines, struct err *e)
{
	struct merge m = {.file = file, .lines = lines};
	struct out *out = out_create(file, e);
	int ret = -1, rank = -1;

	if (!out)
		return -1;
	errno = 0;
	m.out = out_file(out);
	m.source = calloc((size_t)ranks, sizeof(*m.source));
	m.next = calloc((size_t)ranks, sizeof(*m.next));
	if (m.source && m.next)
		ret = merge_lines(&m, ranks, &rank);
	if (ret < 0) {
		join_failed(&m, rank, e);
		out_abort(out);
	} else {
		ret = out_close(out, e);
	}
	finish_merge(&m, ranks);
	for (int n = 0; n < ranks && ret == 0; n++)
		trace_part_remove(file, n);
	return ret;
}
