/* A value of Accelergy's tables. */
#include "accelergy_read.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../psim/base/input.h"
#include "../psim/base/lines.h"

enum { TABLE_CHARS = 1000 };

/* Where a reader of lines is in the file, and what it looks for. */
struct search {
	const char *component, *action; /* action NULL: an area */
	bool table, component_here, action_here, known;
	size_t indent; /* of components in the table; 0: none yet */
	unsigned found;
	double value;
};

/* The text behind `KEY:`, without quotes and blanks; NULL: another key. */
static char *value_of(char *line, const char *key)
{
	const size_t length = strlen(key);
	char *end;

	if (strncmp(line, key, length) != 0 || line[length] != ':')
		return NULL;
	line += length + 1;
	line += strspn(line, " \t'\"");
	end = line + strlen(line);
	while (end > line && (isspace((unsigned char)end[-1]) || end[-1] == '\'' || end[-1] == '"'))
		*--end = '\0';
	return line;
}

static void name_line(struct search *s, size_t indent, const char *name)
{
	if (!s->indent)
		s->indent = indent;
	if (indent <= s->indent) {
		s->component_here = strcmp(name, s->component) == 0;
		s->known |= s->component_here;
		s->action_here = s->component_here && !s->action;
	} else {
		s->action_here = s->component_here && s->action && strcmp(name, s->action) == 0;
	}
}

static int number_line(struct search *s, struct lines *l, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (!s->action_here)
		return 0;
	if (end == text || *end || !isfinite(value) || value < 0)
		return lines_wrong(l, "%s of %.80s: %.40s, expected a number from 0", s->action ? "energy" : "area",
				   s->component, text);
	if (s->found && value != s->value)
		return lines_wrong(l, "a second energy of %.80s %.80s: %g and %g, expected one for all arguments",
				   s->component, s->action ? s->action : "", s->value, value);
	s->found++;
	s->value = value;
	return 0;
}

/* One line of block-style YAML, as Accelergy writes it. */
static int table_line(struct search *s, struct lines *l, char *line)
{
	size_t indent = strspn(line, " ");
	char *text = line + indent, *value;

	if (*text == '#' || !text[strspn(text, " \t\r\n")])
		return 0;
	if (indent == 0 && *text != '-') {
		s->table = value_of(text, s->action ? "ERT" : "ART") != NULL;
		s->indent = 0;
		return 0;
	}
	if (!s->table)
		return 0;
	if (*text == '-') {
		size_t skip = 1 + strspn(text + 1, " ");

		text += skip;
		indent += skip;
	}
	value = value_of(text, "name");
	if (value) {
		name_line(s, indent, value);
		return 0;
	}
	value = value_of(text, s->action ? "energy" : "area");
	return value ? number_line(s, l, value) : 0;
}

int accelergy_read(const char *path, const char *component, const char *action, double *out, struct err *e)
{
	struct search s = {.component = component, .action = action};
	struct lines l = {.in = input_open(path), .name = path, .err = e};
	char line[TABLE_CHARS];
	int more = 0;

	if (!l.in)
		return err_set(e, STATUS_BAD_INPUT, "%.200s: %s", path, strerror(errno));
	while (more == 0 && (more = lines_read(&l, line, sizeof(line))) > 0)
		more = table_line(&s, &l, line);
	fclose(l.in);
	if (more < 0)
		return -1;
	*out = s.value;
	if (s.found)
		return 0;
	return err_set(e, STATUS_BAD_INPUT, "%.200s: no %s of %s%.80s%s%.80s, expected Accelergy's %s with it", path,
		       action ? "energy" : "area", s.known ? "" : "component ", component, action ? " " : "",
		       action ? action : "", action ? "ERT" : "ART");
}
