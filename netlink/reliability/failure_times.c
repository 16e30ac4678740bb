#include "failure_times.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../psim/base/config/value.h"
#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"

enum { FAILURE_CHARS = 256, FAILURE_WORDS = 3 };

/* A file on its way in. */
struct failure_file {
	struct lines lines;
	const bool *used;
	uint32_t nodes;
	struct failure_times *to;
	double last; /* s: the time of the last line */
	bool headed, ended;
};

/* Reads a time that is not before the last one. */
static int read_seconds(struct failure_file *f, const char *word, double *seconds)
{
	const struct param real = {.type = PARAM_REAL, .min = 0, .max = 1e12, .unit = "s"};
	struct err e;

	if (value_read(&real, word, seconds, &e))
		return lines_wrong(&f->lines, "%s", e.text);
	if (*seconds < f->last)
		return lines_wrong(&f->lines, "%g s behind %g s, expected times in order", *seconds, f->last);
	f->last = *seconds;
	return 0;
}

/* Returns whether the program runs on what fails; -1: it is no item. */
static int concerns(struct failure_file *f, const char *item)
{
	const struct param index = {.type = PARAM_UINT, .min = 0, .max = UINT32_MAX, .unit = ""};
	unsigned node;
	struct err e;

	if (!strcmp(item, "other"))
		return 1;
	if (strncmp(item, "node:", 5) != 0)
		return lines_wrong(&f->lines, "'%.32s' fails, expected node:N, or other", item);
	if (value_read(&index, item + 5, &node, &e))
		return lines_wrong(&f->lines, "%s", e.text);
	if (node >= f->nodes)
		return lines_wrong(&f->lines, "node %u, but the network has %u, expected 0 to %u", node, f->nodes,
				   f->nodes - 1);
	return f->used[node];
}

/* Several failures at one time are one: the program restarts once. */
static int add_failure(struct failure_file *f, double seconds)
{
	struct failure_times *t = f->to;
	double *at;

	if (t->at.count && !(t->at.at[t->at.count - 1] < seconds))
		return 0;
	if (t->at.count == FAILURE_TIMES_MOST)
		return lines_wrong(&f->lines, "more than %d failures", FAILURE_TIMES_MOST);
	at = vec_push(&t->at, f->lines.err);
	if (!at)
		return -1;
	*at = seconds;
	return 0;
}

/* TIME node:N, TIME other, end TIME */
static int failure_words(struct failure_file *f, char *words[FAILURE_WORDS], unsigned count)
{
	double seconds;
	int fails;

	if (f->ended)
		return lines_wrong(&f->lines, "'%.32s' behind the end, expected nothing", words[0]);
	if (count != 2)
		return lines_wrong(&f->lines, "expected a time and what fails, or \"end\" and a time");
	f->ended = !strcmp(words[0], "end");
	if (read_seconds(f, words[f->ended ? 1 : 0], &seconds) < 0)
		return -1;
	if (f->ended) {
		f->to->end = seconds;
		return 0;
	}
	fails = concerns(f, words[1]);
	return fails > 0 ? add_failure(f, seconds) : fails;
}

static int failure_line(struct failure_file *f, char *line)
{
	char *words[FAILURE_WORDS], *save;
	unsigned count = 0;

	for (const char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c) && !strchr("\t\r\n", *c))
			return lines_wrong(&f->lines, "control character 0x%02x", (unsigned)(unsigned char)*c);
	line[strcspn(line, "#\r\n")] = '\0';
	for (char *w = strtok_r(line, " \t", &save); w && count < FAILURE_WORDS; w = strtok_r(NULL, " \t", &save))
		words[count++] = w;
	if (!count)
		return 0;
	if (f->headed)
		return failure_words(f, words, count);
	f->headed = true;
	if (count == 2 && !strcmp(words[0], "failures") && !strcmp(words[1], "1"))
		return 0;
	return lines_wrong(&f->lines, "no failures, expected \"failures 1\" at its beginning");
}

static int failure_lines(struct failure_file *f)
{
	char line[FAILURE_CHARS + 2];
	int more;

	while ((more = lines_read(&f->lines, line, sizeof(line))) > 0)
		if (failure_line(f, line) < 0)
			return -1;
	if (more < 0 || f->ended)
		return more;
	return err_set(
		f->lines.err, STATUS_BAD_INPUT,
		"%s: no line \"end\" with the time up to which failures are known, expected it last: is the file cut?",
		f->lines.name);
}

int failure_times_read(const char *path, const bool *used, uint32_t nodes, struct failure_times *t, struct err *e)
{
	FILE *in = input_plain(path);
	struct failure_file f = {.lines = {.in = in, .name = path, .err = e}, .used = used, .nodes = nodes, .to = t};
	int ret;

	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	ret = failure_lines(&f);
	fclose(in);
	return ret;
}

void failure_times_finish(struct failure_times *t)
{
	vec_finish(&t->at);
}
