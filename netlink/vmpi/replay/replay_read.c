/* Reads a trace: replay_read.h. */
#include "replay_read.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/mem.h"
#include "chakra.h"
#include "replay_goal.h"
#include "replay_simgrid.h"

static bool is_empty(const char *text)
{
	text += strspn(text, " \t\r\n");
	return !*text || *text == '#';
}

/* Reads the next line that has something: 1; 0 at the end; -1 with `e`. */
static int replay_read_line(struct replay_reader *r, struct err *e)
{
	int ret;

	r->lines.err = e;
	if (r->unread) {
		r->unread = false;
		return 1;
	}
	do {
		r->lines.bytes = 0; /* a trace may be of any length */
		ret = lines_read(&r->lines, r->text, REPLAY_LINE_MAX);
	} while (ret > 0 && is_empty(r->text));
	return ret;
}

/* A trace of SimGrid does not say how many ranks it has: reads it once. */
static int count_ranks(struct replay_reader *r, struct err *e)
{
	int ret = 1;

	r->format = REPLAY_SIMGRID;
	r->element = 1;
	for (; ret > 0; ret = replay_read_line(r, e)) {
		char *end, *word, *rest;
		unsigned long of = strtoul(r->text, &end, 10);

		if (end == r->text || of >= REPLAY_RANKS_MAX)
			return lines_wrong(&r->lines, "expected a rank below %d and its action", REPLAY_RANKS_MAX);
		r->ranks = of >= r->ranks ? (uint32_t)of + 1 : r->ranks;
		word = strtok_r(end, " \t\r\n", &rest);
		if (word && strcmp(word, "init") == 0 && strtok_r(NULL, " \t\r\n", &rest))
			r->element = 8; /* as its MPE tracer counted */
	}
	if (ret < 0)
		return -1;
	if (fseek(r->file, 0, SEEK_SET) < 0)
		return err_set(e, STATUS_BAD_INPUT, "%s: cannot be read twice: %s", r->path, strerror(errno));
	r->lines = (struct lines){.in = r->file, .name = r->path};
	r->ahead = mem_alloc(r->ranks, sizeof(*r->ahead), e);
	return r->ahead ? 0 : -1;
}

/* The file begins with something else. SimGrid's tracer writes a list of files, one of each rank. */
static int wrong_begin(struct replay_reader *r)
{
	struct stat file;

	r->text[strcspn(r->text, "\r\n")] = '\0';
	if (stat(r->text, &file) == 0 && S_ISREG(file.st_mode))
		return lines_wrong(&r->lines,
				   "the name of a file, expected its contents: cat $(cat %s) > FILE joins all files",
				   r->path);
	return lines_wrong(&r->lines, "expected 'ranks N' before all events");
}

/* Reads "lacks COUNT NAME": calls of the recorded run that are computation in the trace. */
static int read_lack(struct replay_reader *r, struct err *e)
{
	struct replay_lack *lack;
	char *name, *end;
	unsigned long long count;

	if (r->lacks.count == REPLAY_LACKS_MAX)
		return lines_wrong(&r->lines, "lacks: expected at most %d lines of it", REPLAY_LACKS_MAX);
	errno = 0;
	count = strtoull(r->text + 6, &name, 10);
	end = name + strcspn(name, "\r\n");
	name += *name == ' ';
	if (errno || r->text[6] < '0' || r->text[6] > '9' || name == end || end - name >= REPLAY_LACK_MAX ||
	    name + strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ ") != end)
		return lines_wrong(&r->lines, "lacks: expected a count and the name of a call");
	lack = vec_push(&r->lacks, e);
	if (!lack)
		return -1;
	*lack = (struct replay_lack){.count = count};
	memcpy(lack->name, name, (size_t)(end - name));
	return 0;
}

/* The line behind them is the first event. */
static int read_lacks(struct replay_reader *r, struct err *e)
{
	int ret;

	while ((ret = replay_read_line(r, e)) > 0) {
		if (strncmp(r->text, "lacks ", 6) != 0) {
			r->unread = true;
			return 0;
		}
		if (read_lack(r, e) < 0)
			return -1;
	}
	return ret;
}

static int read_ranks(struct replay_reader *r, struct err *e)
{
	char *end;
	unsigned long ranks;
	int ret = replay_read_line(r, e);

	if (ret < 0)
		return -1;
	if (ret == 0)
		return err_set(e, STATUS_BAD_INPUT, "%s: no line, expected 'ranks N'", r->path);
	if (simgrid_begins(r->text + strspn(r->text, "0123456789")) && *r->text >= '0' && *r->text <= '9')
		return count_ranks(r, e);
	if (goal_begins(r->text)) {
		r->format = REPLAY_GOAL;
		return 0;
	}
	if (astra_begins(r->text)) {
		r->format = REPLAY_WORKLOAD;
		return 0;
	}
	if (strncmp(r->text, "ranks ", 6) != 0)
		return wrong_begin(r);
	errno = 0;
	ranks = strtoul(r->text + 6, &end, 10);
	if (errno || end == r->text + 6 || !is_empty(end) || ranks < 1 || ranks > REPLAY_RANKS_MAX)
		return lines_wrong(&r->lines, "ranks: expected a number from 1 to %d", REPLAY_RANKS_MAX);
	r->ranks = (uint32_t)ranks;
	r->ahead = mem_alloc(ranks, sizeof(*r->ahead), e);
	return r->ahead ? read_lacks(r, e) : -1;
}

/* Returns whether the name is that of an OTF2 archive's anchor file. */
static bool is_archive(const char *path)
{
	size_t length = strlen(path);

	return length >= 5 && strcmp(path + length - 5, ".otf2") == 0;
}

/* Returns whether the file begins with a character that text does not have. */
static bool begins_with(FILE *file, int magic)
{
	int first = getc(file);

	if (first != EOF)
		ungetc(first, file);
	return first == magic;
}

int replay_reader_open(struct replay_reader *r, const char *path, struct err *e)
{
	*r = (struct replay_reader){.path = mem_copy_text(path, e)};
	if (!r->path)
		return -1;
	if (chakra_is_name(path)) {
		r->format = REPLAY_CHAKRA;
		return 0;
	}
	r->file = input_open(path);
	if (!r->file)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	if (is_archive(path))
		r->format = REPLAY_ARCHIVE;
	else if (begins_with(r->file, GOAL_MAGIC & 0xff))
		r->format = REPLAY_GOAL_BINARY;
	if (r->format != REPLAY_EVENTS)
		return 0;
	r->text = mem_alloc(REPLAY_LINE_MAX, 1, e);
	r->own = mem_alloc(REPLAY_LINE_MAX, 1, e);
	if (!r->text || !r->own)
		return -1;
	r->lines = (struct lines){.in = r->file, .name = r->path};
	return read_ranks(r, e);
}

void replay_reader_finish(struct replay_reader *r)
{
	for (uint32_t i = 0; r->ahead && i < r->ranks; i++)
		for (struct replay_line *l = r->ahead[i].first, *next; l; l = next) {
			next = l->next;
			free(l);
		}
	free(r->ahead);
	free(r->lacks.at);
	free(r->text);
	free(r->own);
	free(r->path);
	if (r->file)
		fclose(r->file);
}

static int keep_ahead(struct replay_reader *r, uint32_t rank, const char *text, struct err *e)
{
	size_t bytes = strlen(text) + 1;
	struct replay_line *l = mem_alloc(1, sizeof(*l) + bytes, e);
	struct replay_queue *q = &r->ahead[rank];

	if (!l)
		return -1;
	l->number = r->lines.number;
	l->bytes = (uint32_t)((size_t)(text - r->text) + bytes - 1);
	r->kept += l->bytes;
	memcpy(l->text, text, bytes);
	if (q->first)
		q->last->next = l;
	else
		q->first = l;
	q->last = l;
	return 0;
}

static void take_ahead(struct replay_reader *r, uint32_t rank, char **text, uint32_t *number)
{
	struct replay_queue *q = &r->ahead[rank];
	struct replay_line *l = q->first;

	q->first = l->next;
	strcpy(r->own, l->text);
	*text = r->own;
	*number = l->number;
	r->kept -= l->bytes;
	free(l);
}

int replay_reader_next(struct replay_reader *r, uint32_t rank, char **text, uint32_t *number, struct err *e)
{
	if (r->ahead[rank].first) {
		take_ahead(r, rank, text, number);
		return 1;
	}
	for (;;) {
		int ret = replay_read_line(r, e);
		char *end;
		unsigned long of;

		if (ret <= 0)
			return ret;
		if (r->format == REPLAY_EVENTS && !strchr(r->text, '\n'))
			return lines_wrong(&r->lines, "the file ends within this line, expected a newline");
		of = strtoul(r->text, &end, 10);
		if (end == r->text || (*end != ' ' && *end != '\t') || of >= r->ranks)
			return lines_wrong(&r->lines, "expected a rank from 0 to %u and its event", r->ranks - 1);
		if (of == rank) {
			*text = end;
			*number = r->lines.number;
			return 1;
		}
		if ((!r->here || r->here[of]) && keep_ahead(r, (uint32_t)of, end, e) < 0)
			return -1;
	}
}

bool replay_reader_taken(const struct replay_reader *r, uint64_t *taken, uint64_t *size)
{
	struct stat file;
	long at;

	if ((r->format != REPLAY_EVENTS && r->format != REPLAY_SIMGRID) || !r->file || fileno(r->file) < 0 ||
	    fstat(fileno(r->file), &file) < 0 || !S_ISREG(file.st_mode))
		return false;
	at = ftell(r->file);
	*taken = at > 0 && (uint64_t)at > r->kept ? (uint64_t)at - r->kept : 0;
	*size = (uint64_t)file.st_size;
	return at >= 0;
}
