/*
 * Reads GOAL schedules as text. The grammar is that of LogGOPSim's txt2bin.re: an operation or a dependency ends with
 * its line, and labels are known within the block of a rank from their operation on.
 */
#include <string.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "replay_goal.h"
#include "replay_read.h"

enum { LABEL_MOST = 200, TABLE_FIRST = 64 };

struct goal_label {
	size_t text; /* its place among the characters of all */
	uint32_t hash, next;
};

/* Labels of the present block; the n-th is that of operation `op_of[n]`. */
struct goal_labels {
	struct vec_of(struct goal_label) all;
	struct vec_of(uint32_t) op;
	struct vec_of(char) text;
	uint32_t *table; /* 1 + label, 0: none */
	uint32_t room;   /* a power of 2 */
};

struct goal_text {
	struct lines *lines;
	struct goal *goal;
	const char *at; /* in the line */
	bool in_comment;
	int64_t rank; /* of the block; -1: outside */
	struct vec_of(struct goal_op) ops;
	struct vec_of(struct goal_edge) edges;
	struct goal_labels labels;
};

/* ---- labels ---- */

static uint32_t label_hash(const char *text, size_t length)
{
	return (uint32_t)hash_low(hash_bytes(HASH_BYTES, text, length));
}

/* The label's number, or -1. */
static int64_t label_find(const struct goal_labels *l, const char *text, size_t length)
{
	uint32_t hash = label_hash(text, length), i = l->room ? l->table[hash & (l->room - 1)] : 0;

	for (; i; i = l->all.at[i - 1].next) {
		const char *other = &l->text.at[l->all.at[i - 1].text];

		if (l->all.at[i - 1].hash == hash && strncmp(other, text, length) == 0 && !other[length])
			return i - 1;
	}
	return -1;
}

static void label_link(struct goal_labels *l, uint32_t i)
{
	uint32_t *slot = &l->table[l->all.at[i].hash & (l->room - 1)];

	l->all.at[i].next = *slot;
	*slot = i + 1;
}

static int grow_labels(struct goal_labels *l, struct err *e)
{
	uint32_t room = l->room ? 2 * l->room : TABLE_FIRST, *table = mem_alloc(room, sizeof(*table), e);

	if (!table)
		return -1;
	free(l->table);
	l->table = table;
	l->room = room;
	for (uint32_t i = 0; i < l->all.count; i++)
		label_link(l, i);
	return 0;
}

static int label_add(struct goal_labels *l, const char *text, size_t length, uint32_t op, struct err *e)
{
	struct goal_label *label;
	uint32_t *op_of;

	if (l->all.count == l->room && grow_labels(l, e) < 0)
		return -1;
	label = vec_push(&l->all, e);
	op_of = vec_push(&l->op, e);
	if (!label || !op_of || vec_reserve(&l->text, length + 1, e) < 0)
		return -1;
	*label = (struct goal_label){.text = l->text.count, .hash = label_hash(text, length)};
	*op_of = op;
	memcpy(&l->text.at[l->text.count], text, length);
	l->text.at[l->text.count + length] = '\0';
	l->text.count += length + 1;
	label_link(l, (uint32_t)l->all.count - 1);
	return 0;
}

static void forget_labels(struct goal_labels *l)
{
	for (size_t i = 0; i < l->all.count; i++)
		l->table[l->all.at[i].hash & (l->room - 1)] = 0;
	l->all.count = l->op.count = l->text.count = 0;
}

/* ---- words ---- */

static void goal_skip_blanks(struct goal_text *t)
{
	t->at += strspn(t->at, " \t\r\n");
}

/* The next word's length: a letter, then letters, digits and underscores. */
static size_t word_length(struct goal_text *t)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	goal_skip_blanks(t);
	return strchr("0123456789_", *t->at) ? 0 : strspn(t->at, letters);
}

/* Skips the word if it is the next one. */
static bool take_word(struct goal_text *t, const char *word)
{
	size_t length = word_length(t);

	if (length != strlen(word) || strncmp(t->at, word, length) != 0)
		return false;
	t->at += length;
	return true;
}

static int expect_word(struct goal_text *t, const char *word)
{
	if (take_word(t, word))
		return 0;
	return lines_wrong(t->lines, "'%.20s': expected '%s'", t->at, word);
}

/* Reads a number from 0 to `most`; "-1" is `any`, if that is not 0. Returns false after reporting another text. */
static bool read_number(struct goal_text *t, const char *what, uint64_t most, uint32_t any, uint64_t *value)
{
	const char *from;
	uint64_t n = 0;
	bool large = false;

	goal_skip_blanks(t);
	from = t->at;
	if (any && strncmp(t->at, "-1", 2) == 0) {
		t->at += 2;
		*value = any;
		return true;
	}
	for (; *t->at >= '0' && *t->at <= '9'; t->at++) {
		unsigned digit = (unsigned)(*t->at - '0');

		large = large || digit > most || n > (most - digit) / 10;
		n = large ? 0 : 10 * n + digit;
	}
	if (t->at == from || large) {
		lines_wrong(t->lines, "%s '%.20s': expected a number from 0 to %llu%s", what, from,
			    (unsigned long long)most, any ? ", or -1 for any" : "");
		return false;
	}
	*value = n;
	return true;
}

/* Returns whether the line is at its end, or at a comment behind it. */
static bool goal_line_ends(struct goal_text *t)
{
	goal_skip_blanks(t);
	return !*t->at || strncmp(t->at, "//", 2) == 0 || strncmp(t->at, "/*", 2) == 0;
}

/* ---- items ---- */

/* "tag", "cpu", "nic", each with its number. */
static int read_settings(struct goal_text *t, struct goal_op *op)
{
	uint64_t value;

	while (!goal_line_ends(t)) {
		bool message = op->type != GOAL_CALC;

		if (message && take_word(t, "tag")) {
			if (!read_number(t, "tag", UINT64_MAX, GOAL_ANY, &value))
				return -1;
			op->tag = (uint32_t)value; /* modulo 2^32, as txt2bin */
		} else if (take_word(t, "cpu")) {
			if (!read_number(t, "cpu", GOAL_CPUS_MAX - 1, 0, &value))
				return -1;
			op->cpu = (uint8_t)value;
		} else if (message && take_word(t, "nic")) {
			if (!read_number(t, "nic", UINT8_MAX, 0, &value))
				return -1;
			op->nic = (uint8_t)value;
		} else {
			return lines_wrong(t->lines, "'%.20s' in an operation, expected %s or the end of the line",
					   t->at, message ? "tag, cpu, nic" : "cpu");
		}
	}
	return 0;
}

static int read_op(struct goal_text *t, enum goal_type type)
{
	struct goal_op op = {.type = (uint8_t)type, .line = t->lines->number}, *added;
	uint64_t peer;

	if (!read_number(t, type == GOAL_CALC ? "nanoseconds" : "size", GOAL_SIZE_MAX, 0, &op.size))
		return -1;
	if (type != GOAL_CALC) {
		if (expect_word(t, "b") < 0 || expect_word(t, type == GOAL_SEND ? "to" : "from") < 0 ||
		    !read_number(t, "rank", t->goal->ranks - 1, type == GOAL_RECV ? GOAL_ANY : 0, &peer))
			return -1;
		op.peer = (uint32_t)peer;
	}
	if (read_settings(t, &op) < 0)
		return -1;
	if (t->ops.count == GOAL_OPS_MAX)
		return lines_wrong(t->lines, "expected at most %u operations of a rank", GOAL_OPS_MAX);
	added = vec_push(&t->ops, t->lines->err);
	if (!added)
		return -1;
	*added = op;
	return 0;
}

/* Reads send, recv or calc with its words: 1; 0: there is none. */
static int take_op(struct goal_text *t)
{
	static const char *const names[] = {[GOAL_SEND] = "send", [GOAL_RECV] = "recv", [GOAL_CALC] = "calc"};

	for (enum goal_type type = GOAL_SEND; type <= GOAL_CALC; type++)
		if (take_word(t, names[type]))
			return read_op(t, type) < 0 ? -1 : 1;
	return 0;
}

/* "LABEL requires LABEL": `length` is that of the first label, which is at `label`. */
static int read_edge(struct goal_text *t, const char *label, size_t length, bool start)
{
	size_t other_length = word_length(t);
	const char *other = t->at;
	int64_t waits = label_find(&t->labels, label, length), for_it = label_find(&t->labels, other, other_length);
	struct goal_edge *edge;

	if (waits < 0 || for_it < 0)
		return lines_wrong(t->lines,
				   "unknown label '%.*s', expected that of an operation above, in the same block",
				   (int)(waits < 0 ? length : other_length), waits < 0 ? label : other);
	t->at += other_length;
	if (!goal_line_ends(t))
		return lines_wrong(t->lines, "'%.20s' behind a label, expected the end of the line", t->at);
	edge = vec_push(&t->edges, t->lines->err);
	if (!edge)
		return -1;
	*edge = (struct goal_edge){t->labels.op.at[for_it], t->labels.op.at[waits] | (start ? GOAL_ON_START : 0)};
	return 0;
}

/* "LABEL: OPERATION", or a dependency. */
static int read_labelled(struct goal_text *t)
{
	size_t length = word_length(t);
	const char *label = t->at;
	bool start;
	int ret;

	if (!length || length > LABEL_MOST)
		return lines_wrong(t->lines, "'%.20s': expected an operation, a label of at most %d characters or }",
				   t->at, LABEL_MOST);
	t->at += length;
	goal_skip_blanks(t);
	if (*t->at != ':') {
		start = take_word(t, "irequires");
		if (!start && !take_word(t, "requires"))
			return lines_wrong(t->lines, "'%.20s' behind a label, expected ':', requires or irequires",
					   t->at);
		return read_edge(t, label, length, start);
	}
	t->at++;
	if (label_find(&t->labels, label, length) >= 0)
		return lines_wrong(t->lines, "label '%.*s' is in use, expected another one", (int)length, label);
	ret = take_op(t);
	if (ret == 0)
		return lines_wrong(t->lines, "'%.20s': expected send, recv or calc", t->at);
	return ret < 0 ? -1 : label_add(&t->labels, label, length, (uint32_t)t->ops.count - 1, t->lines->err);
}

/* ---- blocks ---- */

static int begin_block(struct goal_text *t)
{
	uint64_t rank;

	if (!read_number(t, "rank", t->goal->ranks - 1, 0, &rank))
		return -1;
	if (t->goal->rank[rank].read)
		return lines_wrong(t->lines, "rank %llu: expected one block of each rank", (unsigned long long)rank);
	goal_skip_blanks(t);
	if (*t->at != '{')
		return lines_wrong(t->lines, "'%.20s' behind a rank, expected {", t->at);
	t->at++;
	t->rank = (int64_t)rank;
	return 0;
}

static int end_block(struct goal_text *t)
{
	int ret = goal_set_rank(t->goal, (uint32_t)t->rank, t->ops.at, (uint32_t)t->ops.count, t->edges.at,
				t->edges.count, t->lines->err);

	t->at++;
	t->rank = -1;
	t->ops.count = t->edges.count = 0;
	forget_labels(&t->labels);
	return ret;
}

static int read_num_ranks(struct goal_text *t)
{
	uint64_t ranks;

	if (!read_number(t, "num_ranks", REPLAY_RANKS_MAX, 0, &ranks))
		return -1;
	if (!ranks || t->goal)
		return lines_wrong(t->lines, "num_ranks: expected a number from 1 to %d, once", REPLAY_RANKS_MAX);
	t->goal = goal_create(t->lines->name, (uint32_t)ranks, t->lines->err);
	return t->goal ? 0 : -1;
}

static int goal_read_item(struct goal_text *t)
{
	int ret;

	if (t->rank < 0) {
		if (take_word(t, "num_ranks"))
			return read_num_ranks(t);
		if (!t->goal)
			return lines_wrong(t->lines, "'%.20s': expected num_ranks before all blocks", t->at);
		return expect_word(t, "rank") < 0 ? -1 : begin_block(t);
	}
	if (*t->at == '}')
		return end_block(t);
	ret = take_op(t);
	return ret ? (ret < 0 ? -1 : 0) : read_labelled(t);
}

static int read_line(struct goal_text *t, const char *text)
{
	for (t->at = text;;) {
		if (t->in_comment) {
			t->at = strstr(t->at, "*/");
			if (!t->at)
				return 0;
			t->at += 2;
			t->in_comment = false;
		}
		goal_skip_blanks(t);
		if (!*t->at || strncmp(t->at, "//", 2) == 0)
			return 0;
		if (strncmp(t->at, "/*", 2) == 0) {
			t->in_comment = true;
			t->at += 2;
		} else if (goal_read_item(t) < 0) {
			return -1;
		}
	}
}

/* ---- files ---- */

static int goal_check_whole(struct goal_text *t)
{
	if (t->in_comment || t->rank >= 0)
		return lines_wrong(t->lines, "the file ends within a %s, expected %s",
				   t->in_comment ? "comment" : "rank's block", t->in_comment ? "*/" : "}");
	if (!t->goal)
		return lines_wrong(t->lines, "the file ends, expected num_ranks");
	for (uint32_t i = 0; i < t->goal->ranks; i++)
		if (!t->goal->rank[i].read)
			return lines_wrong(t->lines,
					   "the file ends without a block of rank %u, expected one of each rank", i);
	return 0;
}

bool goal_begins(const char *text)
{
	text += strspn(text, " \t\r\n");
	return strncmp(text, "num_ranks", 9) == 0 || strncmp(text, "//", 2) == 0 || strncmp(text, "/*", 2) == 0;
}

struct goal *goal_read_text(struct lines *lines, char *text, int size, struct err *e)
{
	struct goal_text t = {.lines = lines, .rank = -1};
	int ret = 1;

	lines->err = e;
	while (ret > 0) {
		text[strcspn(text, "\r\n")] = '\0';
		if (read_line(&t, text) < 0) {
			ret = -1;
			break;
		}
		lines->bytes = 0; /* a schedule may be of any length */
		ret = lines_read(lines, text, size);
	}
	if (ret < 0 || goal_check_whole(&t) < 0) {
		goal_destroy(t.goal);
		t.goal = NULL;
	}
	vec_finish(&t.ops);
	vec_finish(&t.edges);
	vec_finish(&t.labels.all);
	vec_finish(&t.labels.op);
	vec_finish(&t.labels.text);
	free(t.labels.table);
	return t.goal;
}
