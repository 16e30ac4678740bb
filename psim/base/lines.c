#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "input.h"

char *lines_next(struct lines *l, char *text, int size)
{
	size_t length;

	l->why[0] = '\0';
	if (!fgets(text, size, l->in))
		return NULL;
	length = strlen(text);
	l->bytes += length + 1;
	if (length && text[length - 1] == '\n') {
		if (l->bytes <= LINES_BYTES_MAX)
			return text;
		snprintf(l->why, sizeof(l->why), "more than %llu bytes, expected a shorter file",
			 (unsigned long long)LINES_BYTES_MAX);
		return NULL;
	}
	if (length + 1 == (size_t)size)
		snprintf(l->why, sizeof(l->why), "a line of more than %d characters", size - 2);
	else if (!feof(l->in))
		snprintf(l->why, sizeof(l->why), "a zero byte, expected text");
	return l->why[0] ? NULL : text;
}

int lines_read(struct lines *l, char *text, int size)
{
	if (lines_next(l, text, size)) {
		l->number++;
		return 1;
	}
	if (*l->why) {
		l->number++;
		return lines_wrong(l, "%s", l->why);
	}
	if (ferror(l->in))
		return err_set(l->err, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", l->name, input_failure());
	return 0;
}

int lines_wrong(const struct lines *l, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(l->err, STATUS_BAD_INPUT, format, ap);
	va_end(ap);
	return err_prefix(l->err, "%s:%lu", l->name, (unsigned long)(l->number ? l->number : 1));
}
