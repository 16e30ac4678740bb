/*
 * INI files: libinih splits a line, this file feeds it lines and takes what
 * it found. The feeding is ours because inih cuts lines at 200 characters and
 * takes an indented line for the continuation of the last value.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "config.h"
#include "config_rows.h"
#include "mem.h"

enum { DEPTH_MAX = 16, LINE_MAX_CHARS = 200 - 2 /* inih's buffer: with newline and NUL */ };

struct reading {
	struct config *config;
	const char *path;
	const struct reading *outer; /* the file that inherits this one */
	unsigned depth;
	FILE *file;
	unsigned line;
	bool in_section, failed, at_end;
	struct err *e;
};

static int read_file(struct config *c, const char *path, const struct reading *outer,
                     struct err *e);

__attribute__((format(printf, 2, 3))) static void fail(struct reading *r, const char *format, ...)
{
	va_list ap;

	r->failed = true;
	va_start(ap, format);
	err_vset(r->e, STATUS_USAGE, format, ap);
	va_end(ap);
	err_prefix(r->e, "%s:%u", r->path, r->line);
}

/* One line without its end; its length, or -1 at the end of the file or on a failure. */
static int get_line(struct reading *r, char line[LINE_MAX_CHARS + 1])
{
	int n = 0, c;

	r->line++;
	while ((c = getc(r->file)) != EOF && c != '\n') {
		if (c == '\r') {
			int after = getc(r->file);

			if (after == '\n' || after == EOF)
				break;
			ungetc(after, r->file);
		}
		if (c != '\t' && iscntrl(c)) {
			fail(r, "control character 0x%02x, expected text", (unsigned)c);
			return -1;
		}
		if (n == LINE_MAX_CHARS) {
			fail(r, "line too long, expected at most %d characters", LINE_MAX_CHARS);
			return -1;
		}
		line[n++] = (char)c;
	}
	line[n] = '\0';
	if (ferror(r->file)) {
		r->failed = true;
		err_set(r->e, STATUS_USAGE, "%s: cannot read: %s", r->path, strerror(errno));
		return -1;
	}
	return c == EOF && !n ? -1 : n;
}

/* "[section]": a section without keys is looked at too, since it may be a misspelt one. */
static void enter_section(struct reading *r, const char *line)
{
	const char *end = strchr(line, ']');
	char name[LINE_MAX_CHARS + 1], place[1024];

	if (!end) {
		fail(r, "no ] after the section's name, expected [section]");
		return;
	}
	end++;
	end += strspn(end, " \t");
	if (*end && *end != ';' && *end != '#') {
		fail(r, "\"%s\" after a section's name, expected the end of the line", end);
		return;
	}
	r->in_section = true;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 1, "]"), line + 1);
	if (config_has_section(r->config, name))
		return;
	snprintf(place, sizeof place, "%s:%u", r->path, r->line);
	r->failed = true;
	config_unknown_section(r->config, place, name, r->e);
}

/* What inih calls for its next line, of at most size - 1 characters. */
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
	if (r->line == 1 && !strncmp(text, "\xef\xbb\xbf", 3)) /* byte order mark */
		text += 3;
	text += strspn(text, " \t");
	if (*text == '[')
		enter_section(r, text);
	else if (*text && !strchr(";#", *text) && !strpbrk(text, "=:"))
		fail(r, "\"%s\" is not understood, expected [section] or key = value", text);
	if (r->failed)
		return NULL;
	snprintf(buffer, (size_t)size, "%s\n", text);
	return buffer;
}

/* "inherit = other.ini", relative to the folder of the file that says it. */
static void inherit(struct reading *r, const char *value)
{
	const char *slash = strrchr(r->path, '/');
	size_t room = strlen(r->path) + strlen(value) + 2;
	char *path;

	if (r->depth >= DEPTH_MAX) {
		fail(r, "inherit: too deep, expected at most %d files", DEPTH_MAX);
		return;
	}
	path = mem_alloc(room, 1, r->e);
	if (!path) {
		r->failed = true;
		return;
	}
	if (slash && value[0] != '/')
		snprintf(path, room, "%.*s%s", (int)(slash - r->path) + 1, r->path, value);
	else
		snprintf(path, room, "%s", value);
	r->failed = read_file(r->config, path, r, r->e) != 0;
	free(path);
}

/* inih's handler: 1 goes on, 0 notes an error. */
static int take(void *user, const char *section, const char *key, const char *value)
{
	struct reading *r = user;
	char text[LINE_MAX_CHARS + 1], place[1024];
	size_t n;

	/* inih ends a value at " ;"; " #" begins a comment too, as it does at the start of a line
	 */
	snprintf(text, sizeof text, "%s", value);
	for (n = 0; text[n]; n++)
		if (text[n] == '#' && (!n || isspace((unsigned char)text[n - 1])))
			text[n--] = '\0';
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		text[n - 1] = '\0';
	if (!r->in_section) {
		if (!strcmp(key, "inherit"))
			inherit(r, text);
		else
			fail(r,
			     "%s stands before the first section, expected [section] or inherit = "
			     "FILE",
			     key);
		return !r->failed;
	}
	snprintf(place, sizeof place, "%s:%u", r->path, r->line);
	r->failed = config_assign(r->config, place, section, key, text, r->e) != 0;
	return !r->failed;
}

/* Is `path` the same file as one that is being read? */
static bool loops(const char *path, const struct reading *outer)
{
	char *real = realpath(path, NULL);
	bool same = false;

	for (; real && outer && !same; outer = outer->outer) {
		char *other = realpath(outer->path, NULL);

		same = other && !strcmp(real, other);
		free(other);
	}
	free(real);
	return same;
}

static int cannot_open(const char *path, const struct reading *outer, const char *why,
                       struct err *e)
{
	if (outer)
		return err_set(e, STATUS_USAGE, "%s:%u: inherit: cannot open %s: %s", outer->path,
		               outer->line, path, why);
	return err_set(e, STATUS_USAGE, "%s: cannot open: %s", path, why);
}

static int read_file(struct config *c, const char *path, const struct reading *outer, struct err *e)
{
	struct reading r = {.config = c, .path = path, .outer = outer, .e = e};
	int bad_line;

	if (loops(path, outer))
		return err_set(e, STATUS_USAGE,
		               "%s:%u: inherit: %s inherits itself, expected another file",
		               outer->path, outer->line, path);
	r.depth = outer ? outer->depth + 1 : 0;
	r.file = fopen(path, "r");
	if (!r.file)
		return cannot_open(path, outer, strerror(errno), e);
	bad_line = ini_parse_stream(feed, &r, take, &r);
	fclose(r.file);
	if (r.failed)
		return -1;
	if (bad_line < 0)
		return mem_short(e);
	if (bad_line > 0)
		return err_set(e, STATUS_USAGE,
		               "%s:%d: unknown kind of line, expected [section] or key = value",
		               path, bad_line);
	return 0;
}

int config_read(struct config *c, const char *path, struct err *e)
{
	if (!c || c->short_of_memory)
		return mem_short(e);
	return read_file(c, path, NULL, e);
}
