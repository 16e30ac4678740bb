#include "placement.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"

enum { RANKS_MAX = 1 << 24 };
#define NOWHERE UINT32_MAX

void placement_write(const uint32_t *node, uint32_t ranks, FILE *out)
{
	fprintf(out, "# mapping: rank node\nranks %" PRIu32 "\n", ranks);
	for (uint32_t r = 0; r < ranks; r++)
		fprintf(out, "%" PRIu32 " %" PRIu32 "\n", r, node[r]);
}

struct reader {
	struct lines lines;
	uint32_t nodes, ranks;
	uint32_t *node; /* NULL until the line `ranks N` */
};

/* Reads a whole number of up to 32 bits at *text and moves *text behind it; false if there is none. */
static int placement_read_number(const char **text, uint32_t *value)
{
	uint64_t v = 0;

	*text += strspn(*text, " \t");
	if (**text < '0' || **text > '9')
		return 0;
	for (; **text >= '0' && **text <= '9'; ++*text) {
		v = 10 * v + (uint64_t)(**text - '0');
		if (v > UINT32_MAX)
			return 0;
	}
	*value = (uint32_t)v;
	return 1;
}

static int at_end(const char *text)
{
	return !text[strspn(text, " \t")];
}

static int placement_read_ranks(struct reader *r, const char *text)
{
	uint32_t ranks;

	if (strncmp(text, "ranks", 5) != 0 || (text += 5, !placement_read_number(&text, &ranks)) || !at_end(text) ||
	    !ranks || ranks > RANKS_MAX)
		return lines_wrong(&r->lines, "expected \"ranks N\" first, N from 1 to %d", RANKS_MAX);
	r->node = mem_alloc(ranks, sizeof(*r->node), r->lines.err);
	if (!r->node)
		return -1;
	r->ranks = ranks;
	memset(r->node, 0xff, ranks * sizeof(*r->node));
	return 0;
}

static int placement_read_line(struct reader *r, char *line)
{
	const char *text = line;
	uint32_t rank, node;

	line[strcspn(line, "#\r\n")] = '\0';
	text += strspn(text, " \t");
	if (!*text)
		return 0;
	if (!r->node)
		return placement_read_ranks(r, text);
	if (!placement_read_number(&text, &rank) || !placement_read_number(&text, &node) || !at_end(text))
		return lines_wrong(&r->lines, "%.60s, expected a rank and its node", line);
	if (rank >= r->ranks)
		return lines_wrong(&r->lines, "rank %" PRIu32 ", expected 0 to %" PRIu32, rank, r->ranks - 1);
	if (node >= r->nodes)
		return lines_wrong(&r->lines, "node %" PRIu32 ", expected 0 to %" PRIu32, node, r->nodes - 1);
	if (r->node[rank] != NOWHERE)
		return lines_wrong(&r->lines, "rank %" PRIu32 " appears twice", rank);
	r->node[rank] = node;
	return 0;
}

static int read_all(struct reader *r)
{
	char line[200];
	int more;

	while ((more = lines_read(&r->lines, line, sizeof(line))) > 0)
		if (placement_read_line(r, line))
			return -1;
	if (more < 0)
		return -1;
	r->lines.number++;
	if (!r->node)
		return lines_wrong(&r->lines, "end of the file, expected \"ranks N\"");
	for (uint32_t rank = 0; rank < r->ranks; rank++)
		if (r->node[rank] == NOWHERE)
			return lines_wrong(&r->lines, "end of the file, and rank %" PRIu32 " has no node", rank);
	return 0;
}

uint32_t *placement_read(FILE *in, const char *name, uint32_t nodes, uint32_t *ranks, struct err *e)
{
	struct reader r = {.lines = {.in = in, .name = name, .err = e}, .nodes = nodes};

	if (read_all(&r)) {
		free(r.node);
		return NULL;
	}
	*ranks = r.ranks;
	return r.node;
}
