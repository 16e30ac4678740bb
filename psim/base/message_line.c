#include "message_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"

enum { MESSAGE_MAX = 8192 };

void message(const char *format, ...)
{
	char text[MESSAGE_MAX], line[MESSAGE_MAX + 1];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	escape_copy(line, MESSAGE_MAX, text);
	strcat(line, "\n");
	fputs(line, stderr); /* one write, since several processes share it */
}

void message_lines(const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");

		message("%.*s", (int)length, text);
		text += length + (text[length] == '\n');
	}
}
