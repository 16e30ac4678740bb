#include "protocol.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../psim/base/config/value.h"
#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"

enum { SEGMENTS_MAX = 256, PROTOCOL_LINE_CHARS = 1024, PROTOCOL_WORDS = 6 };

struct protocol_table {
	struct vec_of(struct protocol_segment) segments;
	uint64_t upto;
	bool given;
};

struct protocol {
	struct protocol_table table[PROTOCOL_WHERES];
};

static const char *const sends_names[] = {"buffered", "eager", "rendezvous", "fetched"};
static const char *const where_names[] = {"between", "within"};

/* A file on its way in. */
struct protocol_reading {
	struct lines lines;
	struct protocol *protocol;
	struct protocol_table *table; /* that of the line; NULL: before the first */
	bool headed;
};

const char *protocol_where_name(enum protocol_where where)
{
	return where_names[where];
}

/* ---- values ---- */

static int protocol_read_size(const struct protocol_reading *r, const char *text, uint64_t *bytes)
{
	const struct param p = {.type = PARAM_SIZE, .min = 0, .max = 0x1p50, .unit = "bytes"};
	struct err e;

	return value_read(&p, text, bytes, &e) ? lines_wrong(&r->lines, "%s", e.text) : 0;
}

/* T or T+RATE. */
static int protocol_read_time(const struct protocol_reading *r, char *text, struct protocol_time *t)
{
	const struct param time = {.type = PARAM_TIME, .min = 0, .max = 1e15, .unit = "ps"};
	const struct param rate = {.type = PARAM_RATE, .min = 1, .max = 1e18, .unit = "B/s"};
	char *plus = strchr(text, '+');
	double bytes_per_s;
	struct err e;

	*t = (struct protocol_time){0};
	if (plus)
		*plus++ = '\0';
	if (value_read(&time, text, &t->ps, &e))
		return lines_wrong(&r->lines, "%s", e.text);
	if (plus && value_read(&rate, plus, &bytes_per_s, &e))
		return lines_wrong(&r->lines, "%s", e.text);
	if (plus)
		t->ps_per_byte = 1e12 / bytes_per_s;
	return 0;
}

static int protocol_read_sends(const struct protocol_reading *r, const char *text, enum protocol_sends *sends)
{
	for (unsigned i = 0; i < sizeof(sends_names) / sizeof(sends_names[0]); i++)
		if (!strcmp(text, sends_names[i])) {
			*sends = (enum protocol_sends)i;
			return 0;
		}
	return lines_wrong(&r->lines, "%s: expected buffered, eager, rendezvous or fetched", text);
}

/* ---- lines ---- */

static int protocol_check_table(const struct protocol_reading *r)
{
	if (r->table && !r->table->segments.count)
		return lines_wrong(&r->lines, "a table without segments before this line");
	return 0;
}

static int protocol_begin(struct protocol_reading *r, unsigned where)
{
	if (protocol_check_table(r))
		return -1;
	r->table = &r->protocol->table[where];
	if (r->table->given)
		return lines_wrong(&r->lines, "a second table \"%s\"", where_names[where]);
	r->table->given = true;
	return 0;
}

/* The order of sizes and of ways to send: what is buffered is never longer than what waits for its receive. */
static int protocol_check_order(const struct protocol_reading *r, const struct protocol_segment *s)
{
	size_t n = r->table->segments.count;
	const struct protocol_segment *before = n ? &r->table->segments.at[n - 1] : NULL;

	if (!before && s->from)
		return lines_wrong(&r->lines, "the first segment begins at %llu bytes, expected 0",
				   (unsigned long long)s->from);
	if (before && s->from <= before->from)
		return lines_wrong(&r->lines, "a segment from %llu bytes after one from %llu, expected ascending sizes",
				   (unsigned long long)s->from, (unsigned long long)before->from);
	if (before && s->sends < before->sends)
		return lines_wrong(&r->lines,
				   "%s after %s, expected buffered, then eager, then rendezvous, then fetched",
				   sends_names[s->sends], sends_names[before->sends]);
	if (n == SEGMENTS_MAX)
		return lines_wrong(&r->lines, "more than %d segments", SEGMENTS_MAX);
	if (r->table->upto)
		return lines_wrong(&r->lines, "a segment after the line \"to\", expected it before");
	return 0;
}

static int protocol_read_segment(const struct protocol_reading *r, char *words[PROTOCOL_WORDS])
{
	struct protocol_segment s = {0}, *place;

	if (protocol_read_size(r, words[0], &s.from) || protocol_read_sends(r, words[1], &s.sends) ||
	    protocol_read_time(r, words[2], &s.send) || protocol_read_time(r, words[3], &s.receive) ||
	    protocol_read_time(r, words[4], &s.delay) || protocol_read_time(r, words[5], &s.gap) ||
	    protocol_check_order(r, &s))
		return -1;
	place = vec_push(&r->table->segments, r->lines.err);
	if (!place)
		return -1;
	*place = s;
	return 0;
}

static int protocol_read_upto(const struct protocol_reading *r, const char *text)
{
	struct protocol_table *t = r->table;

	if (!t->segments.count || t->upto)
		return lines_wrong(&r->lines, "expected one line \"to SIZE\" behind the segments of a table");
	if (protocol_read_size(r, text, &t->upto))
		return -1;
	if (t->upto <= t->segments.at[t->segments.count - 1].from)
		return lines_wrong(&r->lines, "to %s: expected more than the last segment's first size", text);
	return 0;
}

static int protocol_head(struct protocol_reading *r, char *words[PROTOCOL_WORDS], unsigned count)
{
	r->headed = true;
	if (count == 2 && !strcmp(words[0], "message-protocol") && !strcmp(words[1], "1"))
		return 0;
	return lines_wrong(&r->lines, "no protocol, expected \"message-protocol 1\" at its beginning");
}

static int protocol_read_line(struct protocol_reading *r, char *line)
{
	char *words[PROTOCOL_WORDS + 1], *save;
	unsigned count = 0;

	line[strcspn(line, "#\r\n")] = '\0';
	for (char *w = strtok_r(line, " \t", &save); w && count <= PROTOCOL_WORDS; w = strtok_r(NULL, " \t", &save))
		words[count++] = w;
	if (!count)
		return 0;
	if (!r->headed)
		return protocol_head(r, words, count);
	for (unsigned i = 0; i < PROTOCOL_WHERES; i++)
		if (count == 1 && !strcmp(words[0], where_names[i]))
			return protocol_begin(r, i);
	if (!r->table)
		return lines_wrong(&r->lines, "\"%s\", expected \"between\" or \"within\"", words[0]);
	if (count == 2 && !strcmp(words[0], "to"))
		return protocol_read_upto(r, words[1]);
	if (count != PROTOCOL_WORDS)
		return lines_wrong(&r->lines, "expected a segment: SIZE SENDS and the times SEND RECEIVE DELAY GAP");
	return protocol_read_segment(r, words);
}

static int protocol_read_file(struct protocol_reading *r)
{
	char line[PROTOCOL_LINE_CHARS + 1];
	int more;

	while ((more = lines_read(&r->lines, line, sizeof(line))) > 0) {
		for (const char *c = line; *c; c++)
			if (iscntrl((unsigned char)*c) && !strchr("\t\r\n", *c))
				return lines_wrong(&r->lines, "control character 0x%02x", (unsigned)(unsigned char)*c);
		if (protocol_read_line(r, line))
			return -1;
	}
	if (more < 0)
		return -1;
	if (!r->table)
		return lines_wrong(&r->lines, "no table in it, expected \"message-protocol 1\" and then \"between\"");
	return protocol_check_table(r);
}

struct protocol *protocol_read(const char *path, struct err *e)
{
	FILE *f = input_open(path);
	struct protocol_reading r = {.lines = {.in = f, .name = path, .err = e}};
	int failed;

	if (!f) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	r.protocol = mem_alloc(1, sizeof(*r.protocol), e);
	failed = !r.protocol || protocol_read_file(&r);
	fclose(f);
	if (!failed)
		return r.protocol;
	protocol_destroy(r.protocol);
	return NULL;
}

void protocol_destroy(struct protocol *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < PROTOCOL_WHERES; i++)
		vec_finish(&p->table[i].segments);
	free(p);
}

/* ---- use ---- */

const struct protocol_segment *protocol_segments(const struct protocol *p, enum protocol_where where, unsigned *count)
{
	*count = (unsigned)p->table[where].segments.count;
	return *count ? p->table[where].segments.at : NULL;
}

const struct protocol_segment *protocol_find(const struct protocol *p, enum protocol_where where, uint64_t bytes)
{
	const struct protocol_segment *s = p->table[where].segments.at;
	size_t low = 0, high = p->table[where].segments.count;

	if (!high)
		return NULL;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (s[middle].from <= bytes)
			low = middle;
		else
			high = middle;
	}
	return &s[low];
}

uint64_t protocol_upto(const struct protocol *p, enum protocol_where where)
{
	return p->table[where].upto;
}

uint64_t protocol_rendezvous(const struct protocol *p)
{
	uint64_t least = UINT64_MAX;

	for (unsigned w = 0; w < PROTOCOL_WHERES; w++)
		for (size_t i = 0; i < p->table[w].segments.count; i++) {
			const struct protocol_segment *s = &p->table[w].segments.at[i];

			if (protocol_waits(s->sends) && s->from < least)
				least = s->from;
		}
	return least;
}

bool protocol_fetches(const struct protocol *p)
{
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++)
		for (size_t i = 0; i < p->table[w].segments.count; i++)
			if (p->table[w].segments.at[i].sends == PROTOCOL_FETCHED)
				return true;
	return false;
}

int64_t protocol_ps(const struct protocol_segment *s, const struct protocol_time *t, uint64_t bytes)
{
	double ps = (double)(bytes - s->from) * t->ps_per_byte;

	return t->ps + (ps < 0x1p62 ? (int64_t)(ps + 0.5) : INT64_C(1) << 62);
}
