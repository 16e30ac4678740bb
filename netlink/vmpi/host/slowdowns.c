/* Factors of ranks on the time of computation: slowdowns.h. */
#include "slowdowns.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/config/value.h"
#include "../../../psim/base/input.h"
#include "../../../psim/base/lines.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"

enum { SLOWDOWN_CHARS = 4096, FACTORS_MAX = 256, STREAM_NODE = 4, STREAM_VARIATION = 5 };
#define SPREAD_REACH 3 /* standard deviations beyond which a node's factor is drawn again */

/* A file on its way in: the ranks of each node, in order, are those from first[node] on in `ranks`. */
struct slowdowns {
	struct lines lines;
	struct vmpi *v;
	uint32_t *first, *ranks;
	bool *given; /* by node */
	bool headed;
};

/* ---- drawn ---- */

/* Returns number `i` of a stream of the standard normal distribution (G. Box, M. Muller, 1958). */
static double normal(uint64_t seed, uint64_t stream, uint64_t i)
{
	double radius = sqrt(-2 * log(1 - rng_unit(seed, stream, 2 * i)));

	return radius * cos(2 * 3.14159265358979323846 * rng_unit(seed, stream, 2 * i + 1));
}

static double drawn(const struct vmpi *v, uint32_t node)
{
	uint64_t stream = (uint64_t)node << 8 | STREAM_NODE, i = 0;
	double z, spread = v->cfg->machine.spread;

	if (!(spread > 0))
		return 1;
	do {
		z = normal(v->setup.seed, stream, i++);
	} while (fabs(z) > SPREAD_REACH);
	return 1 + spread * z;
}

/*
 * A half-normal variable of mean 1: the absolute value of a normal one has mean sqrt(2 / pi) and variance 1 - 2 / pi.
 * Times of dgemm have this shape: T. Cornebize, doctoral thesis, Grenoble, 2021, equation of dgemm's model.
 */
static double varied(const struct vmpi *v, struct rank *r)
{
	static const double mean = 0.79788456080286536, deviation = 0.6028102749890869;
	uint64_t stream = (uint64_t)r->world << 8 | STREAM_VARIATION;
	double z = fabs(normal(v->setup.seed, stream, r->computations++));

	return 1 + v->cfg->machine.variation * (z - mean) / deviation;
}

double rank_slowdown(const struct vmpi *v, struct rank *r)
{
	if (__builtin_expect(v->cfg->machine.variation > 0, 0))
		return r->slowdown * varied(v, r);
	return r->slowdown;
}

/* ---- from a file ---- */

/* Sorts the ranks by node, keeping their order. */
static int sort_by_node(struct slowdowns *s, struct err *e)
{
	uint32_t nodes = s->v->setup.nodes, *next;

	s->first = mem_alloc((size_t)nodes + 2, sizeof(*s->first), e);
	s->ranks = mem_alloc(s->v->size, sizeof(*s->ranks), e);
	s->given = mem_alloc(nodes, sizeof(*s->given), e);
	if (!s->first || !s->ranks || !s->given)
		return -1;
	next = s->first + 1;
	for (uint32_t i = 0; i < s->v->size; i++)
		next[s->v->ranks[i].node + 1]++;
	for (uint32_t n = 0; n < nodes; n++)
		next[n + 1] += next[n];
	for (uint32_t i = 0; i < s->v->size; i++)
		s->ranks[next[s->v->ranks[i].node]++] = i;
	return 0; /* next[n] is at its end, where node n + 1 begins: first[n] is where node n begins */
}

static void slow_node(const struct slowdowns *s, uint32_t node, const double *factors, unsigned count)
{
	uint32_t from = s->first[node], n = s->first[node + 1] - from;

	for (uint32_t i = 0; i < n; i++)
		s->v->ranks[s->ranks[from + i]].slowdown *= factors[(uint64_t)i * count / n];
}

/* NODE FACTOR... */
static int slowdowns_node(struct slowdowns *s, char *words[FACTORS_MAX + 2], unsigned count)
{
	const struct param index = {.type = PARAM_UINT, .min = 0, .max = UINT32_MAX, .unit = ""};
	const struct param real = {.type = PARAM_REAL, .min = 1e-6, .max = 1e6, .unit = ""};
	double factors[FACTORS_MAX];
	unsigned node;
	struct err e;

	if (count < 2 || count > FACTORS_MAX + 1)
		return lines_wrong(&s->lines, "expected a node and 1 to %d factors of its ranks", FACTORS_MAX);
	if (value_read(&index, words[0], &node, &e))
		return lines_wrong(&s->lines, "%s", e.text);
	if (node >= s->v->setup.nodes)
		return lines_wrong(&s->lines, "node %u, but the network has %u, expected 0 to %u", node,
				   s->v->setup.nodes, s->v->setup.nodes - 1);
	if (s->given[node])
		return lines_wrong(&s->lines, "a second line of node %u", node);
	s->given[node] = true;
	for (unsigned i = 0; i + 1 < count; i++)
		if (value_read(&real, words[i + 1], &factors[i], &e))
			return lines_wrong(&s->lines, "%s", e.text);
	slow_node(s, node, factors, count - 1);
	return 0;
}

static int slowdowns_line(struct slowdowns *s, char *line)
{
	char *words[FACTORS_MAX + 2], *save;
	unsigned count = 0;

	for (const char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c) && !strchr("\t\r\n", *c))
			return lines_wrong(&s->lines, "control character 0x%02x", (unsigned)(unsigned char)*c);
	line[strcspn(line, "#\r\n")] = '\0';
	for (char *w = strtok_r(line, " \t", &save); w && count < FACTORS_MAX + 2; w = strtok_r(NULL, " \t", &save))
		words[count++] = w;
	if (!count)
		return 0;
	if (s->headed)
		return slowdowns_node(s, words, count);
	s->headed = true;
	if (count == 2 && !strcmp(words[0], "slowdowns") && !strcmp(words[1], "1"))
		return 0;
	return lines_wrong(&s->lines, "no slowdowns, expected \"slowdowns 1\" at its beginning");
}

/* Every node that has ranks needs a line. */
static int check_nodes(const struct slowdowns *s)
{
	for (uint32_t n = 0; n < s->v->setup.nodes; n++)
		if (!s->given[n] && s->first[n + 1] > s->first[n])
			return err_set(s->lines.err, STATUS_BAD_INPUT,
				       "%s: no line of node %u, expected one of each node that has ranks",
				       s->lines.name, n);
	return 0;
}

static int slowdowns_file(struct slowdowns *s)
{
	char line[SLOWDOWN_CHARS + 2];
	int more;

	while ((more = lines_read(&s->lines, line, sizeof(line))) > 0)
		if (slowdowns_line(s, line))
			return -1;
	return more < 0 ? -1 : check_nodes(s);
}

static int from_file(struct vmpi *v, const char *path, struct err *e)
{
	FILE *f = input_plain(path);
	struct slowdowns s = {.lines = {.in = f, .name = path, .err = e}, .v = v};
	int failed;

	if (!f)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	failed = sort_by_node(&s, e) || slowdowns_file(&s);
	fclose(f);
	free(s.first);
	free(s.ranks);
	free(s.given);
	return failed ? -1 : 0;
}

int slowdowns_set(struct vmpi *v, struct err *e)
{
	for (uint32_t i = 0; i < v->size; i++)
		v->ranks[i].slowdown = v->cfg->machine.slowdown * drawn(v, v->ranks[i].node);
	return *v->cfg->machine.slowdowns ? from_file(v, v->cfg->machine.slowdowns, e) : 0;
}

/* ---- reports ---- */

double vmpi_slowdown(const struct vmpi *v)
{
	double sum = 0;

	for (uint32_t i = 0; i < v->size; i++)
		sum += v->ranks[i].slowdown;
	return sum / v->size;
}

void slowdowns_report(const struct vmpi *v, struct report *r)
{
	double most = v->ranks[0].slowdown;

	if (!*v->cfg->machine.slowdowns && !(v->cfg->machine.spread > 0))
		return;
	for (uint32_t i = 0; i < v->size; i++)
		most = v->ranks[i].slowdown > most ? v->ranks[i].slowdown : most;
	report_f64(r, "slowdown", vmpi_slowdown(v), "", "factor on the time of a rank's computation, mean");
	report_f64(r, "slowdown_most", most, "", "the largest one");
}
