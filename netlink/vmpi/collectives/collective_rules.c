/* Rules of a file: collective_rules.h. */
#include "collective_rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/config/value.h"
#include "../../../psim/base/input.h"
#include "../../../psim/base/lines.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/vec.h"

enum { RULES_LINE_CHARS = 1024, RULE_WORDS = 5, RULES_NUMBER_MOST = 1 << 30, RULES_MOST = 4096 };

struct collective_rule {
	enum collective_op op;
	int ranks;
	uint64_t bytes, segment;
	const char *algorithm; /* NULL: as without rules */
};

struct collective_rules {
	struct vec_of(struct collective_rule) rules;
	bool totals; /* bytes are those of all parts */
};

/* A file on its way in. */
struct rules_reading {
	struct lines lines;
	const struct collective_algorithm *const *algorithms;
	struct collective_rules *rules;
	char line[RULES_LINE_CHARS + 1];
	char *rest; /* of the line; NULL: a new one is needed */
};

static const char *const rule_operations[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

void collective_rules_destroy(struct collective_rules *r)
{
	if (!r)
		return;
	vec_finish(&r->rules);
	free(r);
}

static int rules_add(const struct rules_reading *r, const struct collective_rule *rule)
{
	struct collective_rule *place;

	for (size_t i = 0; i < r->rules->rules.count; i++) {
		place = &r->rules->rules.at[i];
		if (place->op == rule->op && place->ranks == rule->ranks && place->bytes == rule->bytes)
			return lines_wrong(&r->lines, "a second rule of %s from %d ranks and %llu bytes on",
					   rule_operations[rule->op], rule->ranks, (unsigned long long)rule->bytes);
	}
	if (r->rules->rules.count == RULES_MOST)
		return lines_wrong(&r->lines, "more than %d rules", RULES_MOST);
	place = vec_push(&r->rules->rules, r->lines.err);
	if (!place)
		return -1;
	*place = *rule;
	return 0;
}

/* ---- our format ---- */

static int rules_operation(const struct rules_reading *r, const char *name, enum collective_op *op)
{
	for (unsigned i = 0; i < COLLECTIVE_COUNT; i++)
		if (!strcmp(name, rule_operations[i])) {
			*op = (enum collective_op)i;
			return 0;
		}
	return lines_wrong(&r->lines, "%.40s: expected an operation of --list-collectives", name);
}

static int rules_algorithm(const struct rules_reading *r, struct collective_rule *rule, const char *name)
{
	for (const struct collective_algorithm *const *a = r->algorithms; *a; a++)
		if ((*a)->op == rule->op && (*a)->run && !strcmp((*a)->name, name)) {
			rule->algorithm = (*a)->name;
			return 0;
		}
	return strcmp(name, "auto")
		       ? lines_wrong(&r->lines, "%.40s: expected auto or an algorithm of %s (--list-collectives)", name,
				     rule_operations[rule->op])
		       : 0;
}

static int rules_size(const struct rules_reading *r, const char *text, uint64_t most, uint64_t *value)
{
	const struct param p = {.type = PARAM_SIZE, .min = 0, .max = (double)most, .unit = "bytes"};
	struct err e;

	return value_read(&p, text, value, &e) ? lines_wrong(&r->lines, "%s", e.text) : 0;
}

/* OPERATION RANKS BYTES ALGORITHM [SEGMENT] */
static int rules_line(struct rules_reading *r)
{
	char *words[RULE_WORDS + 1], *save;
	struct collective_rule rule = {.algorithm = NULL};
	uint64_t ranks;
	unsigned count = 0;

	r->line[strcspn(r->line, "#\r\n")] = '\0';
	for (char *w = strtok_r(r->line, " \t", &save); w && count <= RULE_WORDS; w = strtok_r(NULL, " \t", &save))
		words[count++] = w;
	if (!count)
		return 0;
	if (count < RULE_WORDS - 1 || count > RULE_WORDS)
		return lines_wrong(&r->lines, "expected a rule: OPERATION RANKS BYTES ALGORITHM [SEGMENT]");
	if (rules_operation(r, words[0], &rule.op) || rules_size(r, words[1], RULES_NUMBER_MOST, &ranks) ||
	    rules_size(r, words[2], UINT64_C(1) << 50, &rule.bytes) || rules_algorithm(r, &rule, words[3]) ||
	    (count == RULE_WORDS && rules_size(r, words[4], UINT64_C(1) << 50, &rule.segment)))
		return -1;
	rule.ranks = (int)ranks;
	return rules_add(r, &rule);
}

static int rules_read_ours(struct rules_reading *r)
{
	int more;

	while ((more = lines_read(&r->lines, r->line, sizeof(r->line))) > 0)
		if (rules_line(r) < 0)
			return -1;
	return more;
}

/* ---- Open MPI's format: numbers, between which there is white space, and comments from # to the end of a line ---- */

static int rules_number(struct rules_reading *r, const char *what, int64_t *value)
{
	char *end;

	for (;;) {
		int more;

		if (r->rest)
			r->rest += strspn(r->rest, " \t\r\n");
		if (r->rest && *r->rest && *r->rest != '#')
			break;
		more = lines_read(&r->lines, r->line, sizeof(r->line));
		if (more <= 0)
			return more < 0 ? -1 : lines_wrong(&r->lines, "the file ends, expected %s", what);
		r->rest = r->line;
	}
	errno = 0;
	*value = strtoll(r->rest, &end, 10);
	if (end == r->rest || errno || *value < 0 || (*end && !strchr(" \t\r\n#", *end)))
		return lines_wrong(&r->lines, "\"%.*s\": expected %s, a whole number", (int)strcspn(r->rest, " \t\r\n"),
				   r->rest, what);
	r->rest = end;
	return 0;
}

static int rules_openmpi_operation(const struct rules_reading *r, int64_t number, enum collective_op *op)
{
#define OPENMPI(id, OPERATION) \
	if (number == (id)) { \
		*op = COLLECTIVE_##OPERATION; \
		return 0; \
	}
#include "rules_openmpi.def"
	return lines_wrong(&r->lines, "collective %lld: no rules for it here", (long long)number);
}

static int rules_openmpi_algorithm(const struct rules_reading *r, struct collective_rule *rule, int64_t number)
{
	if (!number) /* Open MPI's own choice */
		return 0;
#define NUMBER(OPERATION, id, name) \
	if (rule->op == COLLECTIVE_##OPERATION && number == (id)) \
		return rules_algorithm(r, rule, #name);
#include "rules_openmpi.def"
	return lines_wrong(&r->lines, "algorithm %lld of %s has no counterpart here, expected another or 0",
			   (long long)number, rule_operations[rule->op]);
}

/* MESSAGE-SIZE ALGORITHM FAN-IN-OUT SEGMENT; in version 2 the most requests may follow in the line. */
static int rules_openmpi_message(struct rules_reading *r, struct collective_rule rule, int64_t version)
{
	int64_t bytes, algorithm, fan, segment, requests;

	if (rules_number(r, "a message size", &bytes) || rules_number(r, "an algorithm", &algorithm) ||
	    rules_number(r, "a fan in and out", &fan) || rules_number(r, "a segment size", &segment))
		return -1;
	rule.bytes = (uint64_t)bytes;
	rule.segment = (uint64_t)segment;
	if (rules_openmpi_algorithm(r, &rule, algorithm) || rules_add(r, &rule))
		return -1;
	r->rest += strspn(r->rest, " \t");
	return version > 1 && isdigit((unsigned char)*r->rest) ? rules_number(r, "requests", &requests) : 0;
}

static int rules_openmpi_collective(struct rules_reading *r, int64_t version)
{
	int64_t id, sizes, ranks, messages;
	struct collective_rule rule = {.algorithm = NULL};

	if (rules_number(r, "a collective", &id) || rules_openmpi_operation(r, id, &rule.op) ||
	    rules_number(r, "the number of communicator sizes", &sizes))
		return -1;
	for (int64_t i = 0; i < sizes; i++) {
		if (rules_number(r, "a communicator size", &ranks) ||
		    rules_number(r, "the number of message sizes", &messages))
			return -1;
		rule.ranks = ranks > RULES_NUMBER_MOST ? RULES_NUMBER_MOST : (int)ranks;
		for (int64_t k = 0; k < messages; k++)
			if (rules_openmpi_message(r, rule, version))
				return -1;
	}
	return 0;
}

static int rules_read_openmpi(struct rules_reading *r)
{
	static const char head[] = "rule-file-version-";
	int64_t version = 1, collectives;

	r->rules->totals = true;
	r->rest = r->line;
	if (!strncmp(r->line, head, sizeof(head) - 1)) {
		r->rest += sizeof(head) - 1;
		if (rules_number(r, "a version", &version))
			return -1;
	}
	if (rules_number(r, "\"collective-rules 1\", or the number of collectives of a file of Open MPI", &collectives))
		return -1;
	for (int64_t i = 0; i < collectives; i++)
		if (rules_openmpi_collective(r, version))
			return -1;
	return 0;
}

/* ---- the whole ---- */

static int rules_read_file(struct rules_reading *r)
{
	static const char head[] = "collective-rules 1";
	int more = lines_read(&r->lines, r->line, sizeof(r->line));

	if (more < 0)
		return -1;
	if (!more)
		return lines_wrong(&r->lines, "empty, expected \"collective-rules 1\" or a file of Open MPI");
	if (strncmp(r->line, head, sizeof(head) - 1) != 0)
		return rules_read_openmpi(r);
	return strspn(r->line + sizeof(head) - 1, " \t\r\n") == strlen(r->line + sizeof(head) - 1)
		       ? rules_read_ours(r)
		       : lines_wrong(&r->lines, "expected \"collective-rules 1\" alone in the first line");
}

struct collective_rules *collective_rules_read(const char *path, const struct collective_algorithm *const *known,
					       struct err *e)
{
	FILE *f = input_plain(path);
	struct rules_reading r = {.lines = {.in = f, .name = path, .err = e}, .algorithms = known};
	int failed;

	if (!f) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	r.rules = mem_alloc(1, sizeof(*r.rules), e);
	failed = !r.rules || rules_read_file(&r) < 0;
	fclose(f);
	if (!failed)
		return r.rules;
	collective_rules_destroy(r.rules);
	return NULL;
}

const char *collective_rules_find(const struct collective_rules *r, enum collective_op op, int ranks, double bytes,
				  double total, int64_t *segment)
{
	const struct collective_rule *best = NULL;

	for (size_t i = 0; i < r->rules.count; i++) {
		const struct collective_rule *k = &r->rules.at[i];

		if (k->op != op || k->ranks > ranks || (double)k->bytes > (r->totals ? total : bytes))
			continue;
		if (!best || k->ranks > best->ranks || (k->ranks == best->ranks && k->bytes > best->bytes))
			best = k;
	}
	*segment = best ? (int64_t)best->segment : 0;
	return best ? best->algorithm : NULL;
}
