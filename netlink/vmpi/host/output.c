/* Standard output of the ranks: output.h. */
#define _GNU_SOURCE /* fopencookie */
#include "output.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"

/* A closed pipe is no failure: its reader has read enough. */
static void note_failure(struct output *o)
{
	if (errno == EPIPE)
		o->closed = 1;
	else if (!o->failed && !o->closed)
		o->failed = errno ? errno : EIO;
}

void output_put(struct output *o, bool error, const char *text, size_t length)
{
	uint64_t *skip = error ? &o->skip.error : &o->skip.out;
	size_t skipped = length < *skip ? length : (size_t)*skip;

	if (!length)
		return;
	*skip -= skipped;
	text += skipped;
	length -= skipped;
	if (length && fwrite(text, 1, length, error ? o->own_error : o->to) != length && !error)
		note_failure(o);
}

static void put(struct output *o, const char *text, size_t length)
{
	if (!o->divert)
		output_put(o, false, text, length);
	else if (length)
		o->divert(o->divert_user, false, text, length);
}

/* Standard error of a rank, where it does not go its own way. */
static ssize_t error_from_rank(void *cookie, const char *text, size_t length)
{
	struct output *o = cookie;

	if (o->divert)
		o->divert(o->divert_user, true, text, length);
	else
		output_put(o, true, text, length);
	return (ssize_t)length;
}

static int open_error_stream(struct output *o, struct err *e)
{
	cookie_io_functions_t functions = {.write = error_from_rank};

	o->own_error = stderr;
	o->error_stream = fopencookie(o, "w", functions);
	return o->error_stream && setvbuf(o->error_stream, NULL, _IONBF, 0) == 0 ? 0 : mem_short(e);
}

int output_skip(struct output *o, struct vmpi_written bytes, struct err *e)
{
	o->skip = bytes;
	return bytes.error ? open_error_stream(o, e) : 0;
}

int output_divert_to(struct output *o, output_divert *divert, void *user, struct err *e)
{
	o->divert = divert;
	o->divert_user = user;
	return open_error_stream(o, e);
}

/* Appends to the rank's unfinished line; -1 if memory is short. */
static int keep(struct output_line *l, const char *text, size_t length)
{
	if (l->length + length > l->room) {
		size_t room = (l->length + length) * 2;
		char *grown = mem_resize(l->text, room, 1, NULL);

		if (!grown || room > UINT32_MAX)
			return -1;
		l->text = grown;
		l->room = (uint32_t)room;
	}
	if (length)
		memcpy(l->text + l->length, text, length);
	l->length += (uint32_t)length;
	return 0;
}

static ssize_t from_rank(void *cookie, const char *text, size_t length)
{
	struct output *o = cookie;
	struct output_line *l = &o->line[o->writer];
	size_t whole = length;

	while (whole && text[whole - 1] != '\n')
		whole--;
	if (whole) {
		put(o, l->text, l->length);
		l->length = 0;
		put(o, text, whole);
	}
	if (keep(l, text + whole, length - whole) < 0)
		put(o, text + whole, length - whole); /* short of memory: writes the line in pieces */
	return (ssize_t)length;
}

int output_flush(struct output *o)
{
	errno = 0;
	if (fflush(o->to) || ferror(o->to))
		note_failure(o);
	return o->failed ? -1 : 0;
}

int output_create(struct output *o, uint32_t ranks, FILE *to, struct err *e)
{
	cookie_io_functions_t functions = {.write = from_rank};

	*o = (struct output){.to = to ? to : stdout, .own = stdout, .ranks = ranks};
	o->line = mem_alloc(ranks, sizeof(*o->line), e);
	if (!o->line)
		return -1;
	o->stream = fopencookie(o, "w", functions);
	if (!o->stream || setvbuf(o->stream, NULL, _IOFBF, 65536) != 0)
		return mem_short(e);
	return 0;
}

void output_finish(struct output *o)
{
	output_end(o);
	if (o->stream)
		fclose(o->stream);
	if (o->error_stream)
		fclose(o->error_stream);
	for (uint32_t i = 0; o->line && i < o->ranks; i++)
		free(o->line[i].text);
	free(o->line);
	*o = (struct output){0};
}

void output_begin(struct output *o)
{
	stdout = o->stream;
	if (o->error_stream)
		stderr = o->error_stream;
}

void output_end(struct output *o)
{
	if (o->stream && stdout == o->stream)
		stdout = o->own;
	if (o->error_stream && stderr == o->error_stream)
		stderr = o->own_error;
}

void output_by(struct output *o, uint32_t rank)
{
	if (__fpending(o->stream) == 0)
		return;
	o->writer = rank;
	fflush(o->stream);
}

void output_show(struct output *o, uint32_t rank)
{
	output_by(o, rank);
	if (!o->divert)
		output_flush(o);
}

void output_rank_ended(struct output *o, uint32_t rank)
{
	struct output_line *l = &o->line[rank];

	output_by(o, rank);
	if (l->length) {
		put(o, l->text, l->length);
		put(o, "\n", 1);
	}
	free(l->text);
	*l = (struct output_line){0};
}
