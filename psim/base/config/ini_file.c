/*
 * Lines of INI files, split here: libinih cuts lines at 200 characters and section names at 50, takes an
 * indented line for the continuation of the last value, and keeps "key =; comment" as a value.
 */
#include "ini_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "../input.h"

enum { LINE_MAX_CHARS = 1000 };

struct reading {
	const struct ini_client *client;
	struct ini_place at;
	FILE *file;
	char section[LINE_MAX_CHARS + 1];
	bool in_section, failed;
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
		err_set(r->e, err_errno(STATUS_USAGE), "%s: cannot read: %s", r->at.path, input_failure());
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

/* Ends `text` at a comment: at a ; or # that begins it or follows a blank. */
static void cut_comment(char *text)
{
	for (char *c = text; *c; c++)
		if ((*c == ';' || *c == '#') && (c == text || isblank((unsigned char)c[-1]))) {
			*c = '\0';
			return;
		}
}

static void cut_blanks_at_end(char *text)
{
	size_t n = strlen(text);

	while (n && isblank((unsigned char)text[n - 1]))
		text[--n] = '\0';
}

/* Handles "key = value" and "key: value". */
static void ini_file_assign(struct reading *r, char *text)
{
	char *value = strpbrk(text, "=:");

	if (!value || value == text) {
		ini_file_fail(r, "\"%s\" is neither a section nor an assignment, expected [section] or key = value",
			      text);
		return;
	}
	*value++ = '\0';
	value += strspn(value, " \t");
	cut_comment(value);
	cut_blanks_at_end(value);
	cut_blanks_at_end(text);
	r->failed = r->client->value(r->client->user, &r->at, r->in_section ? r->section : NULL, text, value, r->e) < 0;
}

int ini_file_read(FILE *file, const char *path, const struct ini_client *client, struct err *e)
{
	struct reading r = {.client = client, .at = {path, 0}, .file = file, .e = e};
	char line[LINE_MAX_CHARS + 1];

	while (!r.failed && get_line(&r, line) >= 0) {
		char *text = line;

		if (r.at.line == 1 && !strncmp(text, "\xef\xbb\xbf", 3)) /* byte order mark */
			text += 3;
		text += strspn(text, " \t");
		if (*text == '[')
			ini_file_enter_section(&r, text);
		else if (*text && !strchr(";#", *text))
			ini_file_assign(&r, text);
	}
	return r.failed ? -1 : 0;
}
