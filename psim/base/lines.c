#include "lines.h"

#include <string.h>

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
