#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "../lines.h"
#include "../report/out.h"
#include "../version.h"
#include "checkpoint.h"
#include "checkpoint_file.h"

/* The remedy of all messages. */
#define OTHER_FILE "remove the file, or name another one"

struct file_reader {
	struct checkpoint *k;
	struct lines lines;
	struct digest digest;
	char line[CHECKPOINT_LINE_MAX]; /* the last one, without its end */
	size_t facts;                   /* so far */
	struct err foreign;             /* the first fact that differs */
	bool differs;
};

/* Reads the next line: 0, or -1 with the error of `lines`. The last one is not part of the digest. */
static int next_line(struct file_reader *r)
{
	int got = lines_read(&r->lines, r->line, sizeof(r->line));
	size_t length = got > 0 ? strlen(r->line) : 0;

	if (got < 0)
		return -1;
	if (!length || r->line[length - 1] != '\n')
		return lines_wrong(&r->lines, "the file ends here, expected its line 'end': " OTHER_FILE);
	r->line[length - 1] = 0;
	if (strncmp(r->line, "end ", 4) != 0)
		checkpoint_line_add(&r->digest, r->line);
	return 0;
}

/* Notes that the file is of another run: reported when all of it is known to be whole. */
__attribute__((format(printf, 2, 3))) static void note_foreign(struct file_reader *r, const char *format, ...)
{
	char text[512];
	va_list ap;

	if (r->differs)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	r->differs = true;
	err_set(&r->foreign, STATUS_BAD_INPUT, "%s:%" PRIu32 ": %s: " OTHER_FILE, r->lines.name, r->lines.number, text);
}

/* Reads "WORD VALUE", which must be the program's or run's own. 0, or -1. */
static int read_own(struct file_reader *r, const char *word, const char *value)
{
	const size_t length = strlen(word);

	if (next_line(r) < 0)
		return -1;
	if (strncmp(r->line, word, length) != 0 || r->line[length] != ' ')
		return lines_wrong(&r->lines, "damaged: expected '%s %s': " OTHER_FILE, word, value);
	if (strcmp(r->line + length + 1, value) != 0)
		note_foreign(r, "of a run with %s %s, expected %s", word, r->line + length + 1, value);
	return 0;
}

static int read_head(struct file_reader *r)
{
	struct checkpoint *k = r->k;

	if (next_line(r) < 0)
		return -1;
	if (strcmp(r->line, CHECKPOINT_FIRST_LINE) != 0)
		return lines_wrong(&r->lines, "no checkpoint, expected '" CHECKPOINT_FIRST_LINE "': " OTHER_FILE);
	if (read_own(r, "program", k->program) < 0 || read_own(r, "version", version_text()) < 0)
		return -1;
	while (next_line(r) == 0) {
		const struct checkpoint_fact *f = r->facts < k->facts.count ? &k->facts.at[r->facts] : NULL;
		char own[CHECKPOINT_LINE_MAX];

		if (strncmp(r->line, "is ", 3) != 0) {
			if (f)
				note_foreign(r, "of a run without a %s, expected %s", f->name, f->value);
			return 0;
		}
		r->facts++;
		snprintf(own, sizeof(own), "%s %s", f ? f->name : "", f ? f->value : "");
		if (!f || strcmp(r->line + 3, own) != 0)
			note_foreign(r, "of a run with %s, expected %s", r->line + 3, f ? own : "none");
	}
	return -1;
}

/* Reads a number of hexadecimal digits, as the writer writes it. */
static bool take_word(const char **at, uint64_t *word)
{
	unsigned digits = 0;

	*word = 0;
	for (; digits < 16; digits++, ++*at) {
		const char c = **at;

		if (c >= '0' && c <= '9')
			*word = *word << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*word = *word << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	return digits > 0;
}

/* Reads `count` words of a part. Memory grows with what the file has, not with what it states. */
static int read_words(struct file_reader *r, struct checkpoint_part *p, size_t count)
{
	struct vec_of(uint64_t) words = {0};
	int ret = 0;

	while (ret == 0 && words.count < count) {
		const char *at = r->line;

		ret = next_line(r);
		for (unsigned n = 0; ret == 0 && n < CHECKPOINT_WORDS && words.count < count; n++) {
			uint64_t *word = vec_push(&words, r->lines.err);

			if (!word)
				ret = -1;
			else if (*at++ != ' ' || !take_word(&at, word))
				ret = lines_wrong(&r->lines, "damaged: expected %zu words: " OTHER_FILE, count);
		}
		if (ret == 0 && *at)
			ret = lines_wrong(&r->lines, "damaged: '%.20s', expected the line's end: " OTHER_FILE, at);
	}
	p->words = words.at;
	p->count = words.count;
	return ret;
}

/* Reads the part that r->line begins, and the line behind it. */
static int read_part(struct file_reader *r)
{
	struct checkpoint_part *p;
	char name[CHECKPOINT_NAME_MAX], rest;
	size_t count;

	_Static_assert(CHECKPOINT_NAME_MAX == 64, "the width of a name below");
	if (sscanf(r->line, "part %63s %zu%c", name, &count, &rest) != 2)
		return lines_wrong(&r->lines, "damaged: expected 'part NAME WORDS' or 'end': " OTHER_FILE);
	if (r->k->parts.count == CHECKPOINT_PARTS_MOST)
		return lines_wrong(&r->lines, "damaged: expected at most %d parts: " OTHER_FILE, CHECKPOINT_PARTS_MOST);
	if (checkpoint_find(r->k, name))
		return lines_wrong(&r->lines, "damaged: a second part '%s', expected another name: " OTHER_FILE, name);
	p = vec_push(&r->k->parts, r->lines.err);
	if (!p)
		return -1;
	*p = (struct checkpoint_part){0};
	memcpy(p->name, name, sizeof(p->name));
	return read_words(r, p, count) < 0 ? -1 : next_line(r);
}

static int read_end(struct file_reader *r)
{
	char own[64];

	snprintf(own, sizeof(own), "end %zu %016" PRIx64 "%016" PRIx64, r->k->parts.count, r->digest.a, r->digest.b);
	if (strcmp(r->line, own) != 0)
		return lines_wrong(&r->lines, "damaged: expected '%s': " OTHER_FILE, own);
	if (fgetc(r->lines.in) != EOF)
		return lines_wrong(&r->lines, "damaged: more behind its line 'end', expected none: " OTHER_FILE);
	if (r->differs) {
		*r->lines.err = r->foreign;
		return -1;
	}
	return 0;
}

/* The image is read if it is of this run. Returns only with an error. */
static int read_image(struct file_reader *r)
{
	if (!r->k->whole)
		note_foreign(r, "of a run that is kept as a whole, expected parts");
	if (r->differs) {
		*r->lines.err = r->foreign;
		return -1;
	}
	return image_continue(r->lines.in, r->lines.name, r->lines.err);
}

static int read_file(struct file_reader *r)
{
	if (read_head(r) < 0)
		return -1;
	if (strcmp(r->line, CHECKPOINT_IMAGE_LINE) == 0)
		return read_image(r);
	if (r->k->whole)
		note_foreign(r, "of a run with parts, expected one that is kept as a whole");
	while (strncmp(r->line, "end ", 4) != 0)
		if (read_part(r) < 0)
			return -1;
	return read_end(r);
}

int checkpoint_read(struct checkpoint *k, struct err *e)
{
	struct file_reader r = {.k = k, .lines = {.name = k->path, .err = e}};
	int ret;

	if (!k->path)
		return 0;
	r.lines.in = input_plain(k->path);
	if (!r.lines.in && errno == ENOENT)
		return out_can_create(k->path, e);
	if (!r.lines.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: %s", k->path, strerror(errno));
	ret = read_file(&r);
	fclose(r.lines.in);
	if (ret < 0)
		checkpoint_forget(k);
	return ret < 0 ? -1 : 1;
}
