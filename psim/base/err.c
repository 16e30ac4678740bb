#include "err.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

/* Replaces what escape.h shows by escapes: names from files must not move a terminal's cursor or begin a new line. */
static void make_plain(char *text)
{
	while (*text) {
		bool plain;
		size_t length = escape_length(text, &plain);

		if (!plain)
			memset(text, '?', length);
		text += length;
	}
}

int err_vset(struct err *e, enum exit_status status, const char *format, va_list ap)
{
	if (!e)
		return -1;
	e->status = status;
	vsnprintf(e->text, sizeof(e->text), format, ap);
	make_plain(e->text);
	return -1;
}

int err_set(struct err *e, enum exit_status status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(e, status, format, ap);
	va_end(ap);
	return -1;
}

int err_prefix(struct err *e, const char *format, ...)
{
	char held[sizeof(e->text)];
	va_list ap;
	int n;

	if (!e)
		return -1;
	memcpy(held, e->text, sizeof(held));
	va_start(ap, format);
	n = vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(e->text))
		snprintf(e->text + n, sizeof(e->text) - (size_t)n, ": %s", held);
	make_plain(e->text);
	return -1;
}

void err_keep_first(struct err *first, const struct err *e)
{
	if (first->status == STATUS_DONE)
		*first = *e;
}

int err_of_first(struct err *e, const struct err *first)
{
	if (first->status == STATUS_DONE)
		return 0;
	*e = *first;
	return -1;
}

enum exit_status err_errno(enum exit_status input)
{
	switch (errno) {
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case EIO: return STATUS_FAILED;
	default: return input;
	}
}

void bug_at(const char *file, int line, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "%s:%d: bug: ", file, line);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
