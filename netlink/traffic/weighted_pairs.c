/* Pairs of ranks with weights, from a file: a rank draws the receiver of each message from its pairs. */
#include "weighted_pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "../../psim/base/vec.h"
#include "traffic_state.h"

enum { PAIRS_LINE_CHARS = 200, PAIRS_MAX = 1 << 26, STREAM_PAIRS = 0x5052 };

struct pair {
	uint32_t from, to;
	double weight; /* after sorting: with that of the pairs before it of the same sender */
};

struct pairs {
	size_t *first; /* [rank]: its pairs, up to those of the next */
	struct pair *at;
};

/* Reads a rank; -1 with the error. */
static int read_rank(const struct lines *l, const char *word, uint32_t ranks, uint32_t *rank)
{
	char *end;
	unsigned long v = strtoul(word, &end, 10);

	if (*word < '0' || *word > '9' || *end || v >= ranks)
		return lines_wrong(l, "%.40s is no rank, expected 0 to %" PRIu32, word, ranks - 1);
	*rank = (uint32_t)v;
	return 0;
}

/* Reads "FROM TO [WEIGHT]". 1; 0: a line without words; -1 with the error. */
static int read_pair(const struct lines *l, char *line, uint32_t ranks, struct pair *p)
{
	char *word[4] = {NULL}, *rest = NULL, *end;
	unsigned words = 0;

	line[strcspn(line, "#\r\n")] = '\0';
	for (char *at = strtok_r(line, " \t", &rest); at && words < 4; at = strtok_r(NULL, " \t", &rest))
		word[words++] = at;
	if (!words)
		return 0;
	if (words < 2 || words > 3)
		return lines_wrong(l, "%u words, expected SENDER RECEIVER [WEIGHT]", words);
	p->weight = 1;
	if (read_rank(l, word[0], ranks, &p->from) || read_rank(l, word[1], ranks, &p->to))
		return -1;
	if (p->from == p->to)
		return lines_wrong(l, "rank %" PRIu32 " as its own receiver, expected another", p->to);
	if (words == 3) {
		p->weight = strtod(word[2], &end);
		if (end == word[2] || *end || !(p->weight > 0) || p->weight > 1e9)
			return lines_wrong(l, "weight %.40s, expected more than 0, at most 1e9", word[2]);
	}
	return 1;
}

/* Sorts by senders, in the order of the lines, and sums the weights of each. */
static int pairs_sort(struct pairs *x, const struct pair *pair, size_t count, uint32_t ranks, struct err *e)
{
	x->first = mem_alloc((size_t)ranks + 2, sizeof(*x->first), e);
	x->at = x->first ? mem_alloc(count, sizeof(*x->at), e) : NULL;
	if (!x->at)
		return -1;
	for (size_t i = 0; i < count; i++)
		x->first[pair[i].from + 2]++;
	for (uint32_t r = 2; r < ranks + 2; r++)
		x->first[r] += x->first[r - 1];
	for (size_t i = 0; i < count; i++)
		x->at[x->first[pair[i].from + 1]++] = pair[i];
	for (size_t i = 1; i < count; i++)
		if (x->at[i].from == x->at[i - 1].from)
			x->at[i].weight += x->at[i - 1].weight;
	return 0;
}

static int pairs_read_lines(struct pairs *x, struct lines *l, uint32_t ranks)
{
	struct vec_of(struct pair) all = {0};
	char line[PAIRS_LINE_CHARS];
	int got;

	while ((got = lines_read(l, line, sizeof(line))) > 0) {
		struct pair p, *new;

		got = read_pair(l, line, ranks, &p);
		if (!got)
			continue;
		if (got > 0 && all.count == PAIRS_MAX)
			got = lines_wrong(l, "too many pairs, expected at most %d", PAIRS_MAX);
		new = got > 0 ? vec_push(&all, l->err) : NULL;
		if (!new) {
			got = -1;
			break;
		}
		*new = p;
	}
	if (!got && !all.count)
		got = err_set(l->err, STATUS_BAD_INPUT, "%s: no pairs, expected lines SENDER RECEIVER [WEIGHT]",
			      l->name);
	if (!got)
		got = pairs_sort(x, all.at, all.count, ranks, l->err);
	vec_finish(&all);
	return got;
}

struct pairs *pairs_read_stream(FILE *in, const char *name, uint32_t ranks, struct err *e)
{
	struct lines l = {.in = in, .name = name, .err = e};
	struct pairs *x = mem_alloc(1, sizeof(*x), e);

	if (!x || !pairs_read_lines(x, &l, ranks))
		return x;
	pairs_destroy(x);
	return NULL;
}

struct pairs *pairs_read(const char *path, uint32_t ranks, struct err *e)
{
	FILE *in = input_open(path);
	struct pairs *x = NULL;

	if (!in) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	x = pairs_read_stream(in, path, ranks, e);
	fclose(in);
	return x;
}

void pairs_destroy(struct pairs *x)
{
	if (!x)
		return;
	free(x->first);
	free(x->at);
	free(x);
}

bool pairs_sends(const struct pairs *x, uint32_t rank)
{
	return x->first[rank + 1] > x->first[rank];
}

uint32_t pairs_draw(const struct pairs *x, uint64_t seed, uint32_t rank, uint64_t number)
{
	size_t low = x->first[rank], high = x->first[rank + 1] - 1;
	double at = rng_unit(seed, (uint64_t)STREAM_PAIRS << 32 | rank, number) * x->at[high].weight;

	while (low < high) { /* the first whose sum is above */
		size_t middle = low + (high - low) / 2;

		if (x->at[middle].weight > at)
			high = middle;
		else
			low = middle + 1;
	}
	return x->at[low].to;
}
