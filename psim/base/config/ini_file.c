/*
 * libinih splits a line; this file feeds it lines and handles what it finds. Lines are read here
 * because inih cuts lines at 200 characters and section names at 50, and takes an indented line for
 * the continuation of the last value.
 */
#include "ini_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <ini.h>

#include "../mem.h"

enum { LINE_MAX_CHARS = 200 - 2 /* inih's buffer: with newline and NUL */ };

struct reading {
	const struct ini_client *client;
	struct ini_place at;
	FILE *file;
	char section[LINE_MAX_CHARS + 1];
	bool in_section, failed, at_end;
	struct err *e;
};

__attribute__((format(printf, 2, 3))) static void ini_file_fail(struct reading *r, const char *format, ...)
{
	va_list ap;

	r->failed = true;
	va_start(ap, format);
	err_vset(r->e, STATUS_USAGE, format, ap);
	va_end(ap);
	err_prefix(r->e, "%s:%u", r->at.path, r->at.line);
}

/* Reads one line without its end. Returns its length, or -1 at the end of the file or on a failure. */
static int get_line(struct reading *r, char line[LINE_MAX_CHARS + 1])
{
	int n = 0, c;

	r->at.line++;
	while ((c = getc(r->file)) != EOF && c != '\n') {
		if (c == '\r') {
			int after = getc(r->file);

			if (after == '\n' || after == EOF)
				break;
			ungetc(after, r->file);
		}
		if (c != '\t' && iscntrl(c)) {
			ini_file_fail(r, "control character 0x%02x, expected text", (unsigned)c);
			return -1;
		}
		if (n == LINE_MAX_CHARS) {
			ini_file_fail(r, "line too long, expected at most %d characters", LINE_MAX_CHARS);
			return -1;
		}
		line[n++] = (char)c;
	}
	line[n] = '\0';
	if (ferror(r->file)) {
		r->failed = true;
		err_set(r->e, err_errno(STATUS_USAGE), "%s: cannot read: %s", r->at.path, strerror(errno));
		return -1;
	}
	return c == EOF && !n ? -1 : n;
}

static void ini_file_enter_section(struct reading *r, const char *line)
{
	const char *end = strchr(line, ']');

	if (!end) {
		ini_file_fail(r, "no ] after the section's name, expected [section]");
		return;
	}
	end++;
	end += strspn(end, " \t");
	if (*end && *end != ';' && *end != '#') {
		ini_file_fail(r, "\"%s\" after a section's name, expected the end of the line", end);
		return;
	}
	r->in_section = true;
	snprintf(r->section, sizeof(r->section), "%.*s", (int)strcspn(line + 1, "]"), line + 1);
	r->failed = r->client->section(r->client->user, &r->at, r->section, r->e) < 0;
}

/* Reader that inih calls for its next line, of at most size - 1 characters. */
static char *feed(char *buffer, int size, void *user)
{
	struct reading *r = user;
	char line[LINE_MAX_CHARS + 1];
	const char *text = line;
	int n;

	if (r->failed || r->at_end)
		return NULL;
	n = get_line(r, line);
	if (n < 0) {
		r->at_end = true;
		return NULL;
	}
	if (r->at.line == 1 && !strncmp(text, "\xef\xbb\xbf", 3)) /* byte order mark */
		text += 3;
	text += strspn(text, " \t");
	if (*text == '[')
		ini_file_enter_section(r, text);
	else if (*text && !strchr(";#", *text) && !strpbrk(text, "=:"))
		ini_file_fail(r, "\"%s\" is neither a section nor an assignment, expected [section] or key = value",
			      text);
	if (r->failed)
		return NULL;
	snprintf(buffer, (size_t)size, "%s\n", text);
	return buffer;
}

/* Handler that inih calls; 1 goes on, 0 records an error. */
static int ini_file_take(void *user, const char *section, const char *key, const char *value)
{
	struct reading *r = user;
	char text[LINE_MAX_CHARS + 1];
	size_t n;

	(void)section; /* cut by inih where it is long */
	/* inih ends a value at " ;"; " #" begins a comment too, as it does at the start of a line
	 */
	snprintf(text, sizeof(text), "%s", value);
	for (n = 0; text[n]; n++)
		if (text[n] == '#' && (!n || isspace((unsigned char)text[n - 1])))
			text[n--] = '\0';
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		text[n - 1] = '\0';
	r->failed = r->client->value(r->client->user, &r->at, r->in_section ? r->section : NULL, key, text, r->e) < 0;
	return !r->failed;
}

int ini_file_read(FILE *file, const char *path, const struct ini_client *client, struct err *e)
{
	struct reading r = {.client = client, .at = {path, 0}, .file = file, .e = e};
	int bad_line = ini_parse_stream(feed, &r, ini_file_take, &r);

	if (r.failed)
		return -1;
	if (bad_line < 0)
		return mem_short(e);
	if (bad_line > 0)
		return err_set(e, STATUS_USAGE, "%s:%d: unknown kind of line, expected [section] or key = value", path,
			       bad_line);
	return 0;
}
