/*
 * Pattern files: docs/formats/traffic.md describes the format. Reads the lines into a list, sorts it by
 * their order numbers, and checks for duplicate orders.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/config/value.h"
#include "../../psim/base/vec.h"
#include "traffic_state.h"

enum { FILE_RANKS_MAX = 1 << 24, WORDS_MAX = 8, LINE_MAX_BYTES = 512 };

struct item {
	uint32_t rank;
	uint64_t order;
	unsigned part; /* 0: the pause before the entry, 1: the entry */
	unsigned long line;
	struct traffic_entry entry;
};

struct reader {
	struct lines lines;
	unsigned nics, outstanding;
	uint32_t ranks; /* 0: unset */
	unsigned words;
	char *word[WORDS_MAX];
	struct vec_of(struct item) items;
};

/* Reads a whole number from 0 to `max`. */
static int pattern_file_number(struct reader *r, const char *text, const char *what, uint64_t max, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || *value > max)
		return lines_wrong(&r->lines, "%s %s, expected a number from 0 to %" PRIu64, what, text, max);
	return 0;
}

static int rank(struct reader *r, const char *text, const char *what, uint32_t *value)
{
	uint64_t v;

	if (!r->ranks)
		return lines_wrong(&r->lines, "%s before the number of ranks, expected ranks N", r->word[0]);
	if (pattern_file_number(r, text, what, r->ranks - 1, &v))
		return -1;
	*value = (uint32_t)v;
	return 0;
}

/* Reads a size or a time with its unit. */
static int pattern_file_value(struct reader *r, const char *text, const char *what, enum param_type type, double max,
			      void *field)
{
	const struct param p = {
		.section = "", .key = what, .type = type, .max = max, .unit = type == PARAM_TIME ? "ps" : "bytes"};
	struct err e;

	if (!value_read(&p, text, field, &e))
		return 0;
	return lines_wrong(&r->lines, "%s %s: %s", what, text, e.text);
}

/* Reads "wait=1us": an option behind the columns. */
static int option(struct reader *r, char *text, struct item *x, int64_t *wait)
{
	uint64_t nic;

	if (!strncmp(text, "wait=", 5))
		return pattern_file_value(r, text + 5, "wait", PARAM_TIME, 1e18, wait);
	if (x->entry.kind == TRAFFIC_SEND && !strncmp(text, "gap=", 4))
		return pattern_file_value(r, text + 4, "gap", PARAM_TIME, 1e15, &x->entry.ps);
	if (x->entry.kind == TRAFFIC_SEND && !strncmp(text, "nic=", 4)) {
		if (pattern_file_number(r, text + 4, "nic", UINT32_MAX, &nic))
			return -1;
		if (nic >= r->nics)
			return lines_wrong(&r->lines, "nic %" PRIu64 ", expected less than topology.nics = %u", nic,
					   r->nics);
		x->entry.nic = (int32_t)nic;
		return 0;
	}
	return lines_wrong(&r->lines, "unknown option %s of %s, expected %s", text, r->word[0],
			   x->entry.kind == TRAFFIC_SEND ? "wait=TIME, gap=TIME or nic=NUMBER" : "wait=TIME");
}

/* Adds the entry, and the pause before it if there is one. */
static int pattern_file_add(struct reader *r, struct item x, unsigned options)
{
	int64_t wait = 0;

	for (unsigned i = options; i < r->words; i++)
		if (option(r, r->word[i], &x, &wait))
			return -1;
	if (vec_reserve(&r->items, 2, r->lines.err))
		return -1;
	x.line = r->lines.number;
	x.part = 1;
	r->items.at[r->items.count++] = x;
	x.part = 0;
	x.entry = (struct traffic_entry){.kind = TRAFFIC_PAUSE, .ps = wait};
	if (wait > 0)
		r->items.at[r->items.count++] = x;
	return 0;
}

/* send SENDER DESTINATION ORDER SIZE [options] */
static int line_send(struct reader *r)
{
	struct item x = {.entry = {.kind = TRAFFIC_SEND, .nic = NET_NIC_ANY}};

	if (r->words < 5)
		return lines_wrong(&r->lines, "send with %u values, expected sender, destination, order, size",
				   r->words - 1);
	if (rank(r, r->word[1], "sender", &x.rank) || rank(r, r->word[2], "destination", &x.entry.peer) ||
	    pattern_file_number(r, r->word[3], "order", UINT64_MAX / 2, &x.order) ||
	    pattern_file_value(r, r->word[4], "size", PARAM_SIZE, 1e15, &x.entry.bytes))
		return -1;
	return pattern_file_add(r, x, 5);
}

/* receive RECEIVER SENDER ORDER [options] */
static int line_receive(struct reader *r)
{
	struct item x = {.entry = {.kind = TRAFFIC_RECEIVE}};

	if (r->words < 4)
		return lines_wrong(&r->lines, "receive with %u values, expected receiver, sender, order", r->words - 1);
	if (rank(r, r->word[1], "receiver", &x.rank) || rank(r, r->word[2], "sender", &x.entry.peer) ||
	    pattern_file_number(r, r->word[3], "order", UINT64_MAX / 2, &x.order))
		return -1;
	return pattern_file_add(r, x, 4);
}

/* sends SENDER ORDER [options]: all its sends are done */
static int line_sends(struct reader *r)
{
	struct item x = {.entry = {.kind = TRAFFIC_SENDS}};

	if (r->words < 3)
		return lines_wrong(&r->lines, "sends with %u values, expected sender, order", r->words - 1);
	if (rank(r, r->word[1], "sender", &x.rank) ||
	    pattern_file_number(r, r->word[2], "order", UINT64_MAX / 2, &x.order))
		return -1;
	return pattern_file_add(r, x, 3);
}

/* pause RANK ORDER TIME */
static int line_pause(struct reader *r)
{
	struct item x = {.entry = {.kind = TRAFFIC_PAUSE}};

	if (r->words != 4)
		return lines_wrong(&r->lines, "pause with %u values, expected rank, order, time", r->words - 1);
	if (rank(r, r->word[1], "rank", &x.rank) ||
	    pattern_file_number(r, r->word[2], "order", UINT64_MAX / 2, &x.order) ||
	    pattern_file_value(r, r->word[3], "time", PARAM_TIME, 1e18, &x.entry.ps))
		return -1;
	return pattern_file_add(r, x, 4);
}

static int line_ranks(struct reader *r)
{
	uint64_t v;

	if (r->ranks)
		return lines_wrong(&r->lines, "duplicate ranks, expected it once");
	if (r->words != 2)
		return lines_wrong(&r->lines, "ranks with %u values, expected one", r->words - 1);
	if (pattern_file_number(r, r->word[1], "ranks", FILE_RANKS_MAX, &v))
		return -1;
	if (!v)
		return lines_wrong(&r->lines, "ranks 0, expected at least 1");
	r->ranks = (uint32_t)v;
	return 0;
}

static int line_outstanding(struct reader *r)
{
	uint64_t v;

	if (r->words != 2)
		return lines_wrong(&r->lines, "outstanding with %u values, expected one", r->words - 1);
	if (pattern_file_number(r, r->word[1], "outstanding", UINT32_MAX, &v))
		return -1;
	if (!v)
		return lines_wrong(&r->lines, "outstanding 0, expected at least 1");
	r->outstanding = (unsigned)v;
	return 0;
}

static int pattern_file_line(struct reader *r, char *text)
{
	char *next, *word, *comment = strchr(text, '#');

	if (comment)
		*comment = '\0';
	r->words = 0;
	for (word = strtok_r(text, " \t\r\n", &next); word; word = strtok_r(NULL, " \t\r\n", &next)) {
		if (r->words == WORDS_MAX)
			return lines_wrong(&r->lines, "too many words, expected at most %d", WORDS_MAX);
		r->word[r->words++] = word;
	}
	if (!r->words)
		return 0;
	if (!strcmp(r->word[0], "send"))
		return line_send(r);
	if (!strcmp(r->word[0], "receive"))
		return line_receive(r);
	if (!strcmp(r->word[0], "sends"))
		return line_sends(r);
	if (!strcmp(r->word[0], "pause"))
		return line_pause(r);
	if (!strcmp(r->word[0], "ranks"))
		return line_ranks(r);
	if (!strcmp(r->word[0], "outstanding"))
		return line_outstanding(r);
	return lines_wrong(&r->lines, "unknown word %s, expected ranks, outstanding, send, receive, sends or pause",
			   r->word[0]);
}

static int read_lines(struct reader *r)
{
	char text[LINE_MAX_BYTES];
	int more;

	while ((more = lines_read(&r->lines, text, sizeof(text))) > 0)
		if (pattern_file_line(r, text))
			return -1;
	if (more < 0)
		return -1;
	if (!r->ranks)
		return lines_wrong(&r->lines, "end of the file, expected ranks N");
	return 0;
}

static int by_rank_and_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Reports two entries of a rank with the same order, at the later line. */
static int check_orders(struct reader *r)
{
	const struct item *last = NULL;

	for (size_t i = 0; i < r->items.count; i++) {
		const struct item *x = &r->items.at[i];

		if (!x->part)
			continue;
		if (last && last->rank == x->rank && last->order == x->order) {
			r->lines.number = (uint32_t)x->line;
			return lines_wrong(&r->lines,
					   "rank %" PRIu32 ": duplicate order %" PRIu64
					   ", first in line %lu, expected each once",
					   x->rank, x->order, last->line);
		}
		last = x;
	}
	return 0;
}

static int pattern_file_fill(struct reader *r, struct traffic *t)
{
	size_t at = 0;

	t->ranks = r->ranks;
	t->outstanding = r->outstanding;
	t->file.first = mem_alloc((size_t)t->ranks + 1, sizeof(*t->file.first), r->lines.err);
	t->file.entry = mem_alloc(r->items.count + 1, sizeof(*t->file.entry), r->lines.err);
	if (!t->file.first || !t->file.entry)
		return -1;
	for (uint32_t i = 0; i < t->ranks; i++) {
		t->file.first[i] = at;
		for (; at < r->items.count && r->items.at[at].rank == i; at++) {
			t->file.entry[at] = r->items.at[at].entry;
			t->waits |= t->file.entry[at].kind == TRAFFIC_RECEIVE;
			t->messages += t->file.entry[at].kind == TRAFFIC_SEND;
		}
	}
	t->file.first[t->ranks] = at;
	return 0;
}

struct traffic *traffic_from_stream(FILE *in, const char *name, unsigned nics, struct err *e)
{
	struct reader r = {.lines = {.in = in, .name = name, .err = e}, .nics = nics, .outstanding = 1};
	struct traffic *t = mem_alloc(1, sizeof(*t), e);
	int status = t ? read_lines(&r) : -1;

	if (!status && r.items.count)
		qsort(r.items.at, r.items.count, sizeof(*r.items.at), by_rank_and_order);
	if (!status)
		status = check_orders(&r);
	if (!status)
		status = pattern_file_fill(&r, t);
	vec_finish(&r.items);
	if (!status)
		return t;
	traffic_destroy(t);
	return NULL;
}

struct traffic *traffic_from_file(const char *path, unsigned nics, struct err *e)
{
	FILE *in = input_plain(path);
	struct traffic *t;

	if (!in) {
		err_set(e, STATUS_FAILED, "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	t = traffic_from_stream(in, path, nics, e);
	fclose(in);
	return t;
}
