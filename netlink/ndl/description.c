#include "description.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/near.h"
#include "parser.h"
#include "parse.h"

enum { NDL_BYTES_MAX = 16 << 20 }; /* larger than any hand-written description */

int ndl_error(struct ndl_parser *p, int line, const char *format, ...)
{
	char text[512];
	va_list ap;

	if (p->failed)
		return -1;
	p->failed = true;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return err_set(p->e, STATUS_BAD_INPUT, "%s:%d: %s", p->d->file, line, text);
}

int ndl_short(struct ndl_parser *p)
{
	if (p->failed)
		return -1;
	p->failed = true;
	return err_set(p->e, STATUS_FAILED, "%s: out of memory", p->d->file);
}

char *ndl_keep(struct ndl_parser *p, char *text)
{
	char **place = text ? vec_push(&p->d->strings, NULL) : NULL;

	if (!place) {
		free(text);
		ndl_short(p);
		return NULL;
	}
	return *place = text;
}

char *ndl_join(struct ndl_parser *p, const char *a, const char *b, const char *c)
{
	size_t size = (a ? strlen(a) : 0) + strlen(b) + (c ? strlen(c) : 0) + 1;
	char *all;

	if (size > 4096) {
		ndl_error(p, p->statement_line, "expression too long, expected at most 4000 characters");
		return NULL;
	}
	all = ndl_keep(p, mem_alloc(size, 1, NULL));
	if (all)
		snprintf(all, size, "%s%s%s", a ? a : "", b, c ? c : "");
	return all;
}

/* Reads the whole file and appends two NULs, which *size includes. NULL and `e` on failure. */
static char *read_whole(FILE *in, const char *file, size_t *size, struct err *e)
{
	size_t room = 1 << 16, used = 0, got;
	char *text = mem_alloc(room, 1, e);

	while (text && (got = fread(text + used, 1, room - used - 2, in)) > 0) {
		char *more = text;

		used += got;
		if (used > NDL_BYTES_MAX) {
			err_set(e, STATUS_BAD_INPUT, "%s: too large, expected at most %d bytes", file, NDL_BYTES_MAX);
			more = NULL;
		} else if (room - used == 2) {
			more = mem_resize(text, room *= 2, 1, e);
		}
		if (!more)
			free(text);
		text = more;
	}
	if (text && ferror(in)) {
		err_set(e, STATUS_FAILED, "%s: cannot read: %s", file, strerror(errno));
		free(text);
		return NULL;
	}
	if (text)
		memset(text + used, 0, 2);
	*size = used + 2;
	return text;
}

static int description_parse(struct ndl_parser *p, char *text, size_t size)
{
	int result;

	if (ndl_scan_start(p, text, size))
		return ndl_short(p);
	result = ndl_yyparse(p->scanner, p);
	ndl_scan_end(p);
	free(p->text);
	if (result == 2) /* bison's result where memory is short */
		ndl_short(p);
	else if (result)
		ndl_error(p, 1, "cannot be parsed");
	return p->failed ? -1 : 0;
}

struct ndl_description *ndl_read(FILE *in, const char *file, struct err *e)
{
	struct ndl_parser p = {.e = e, .statement = true};
	size_t size;
	char *text = read_whole(in, file, &size, e);
	int result = -1;

	p.d = text ? mem_alloc(1, sizeof(*p.d), e) : NULL;
	if (p.d) {
		p.d->file = file;
		result = description_parse(&p, text, size);
	}
	free(text);
	if (result == 0)
		return p.d;
	ndl_destroy(p.d);
	return NULL;
}

void ndl_destroy(struct ndl_description *d)
{
	if (!d)
		return;
	for (size_t k = 0; k < d->strings.count; k++)
		free(d->strings.at[k]);
	vec_finish(&d->strings), vec_finish(&d->texts), vec_finish(&d->ranges), vec_finish(&d->variables);
	vec_finish(&d->resources), vec_finish(&d->sizes), vec_finish(&d->classes);
	vec_finish(&d->connections), vec_finish(&d->routings);
	free(d);
}

/* ---- checks that do not need net_config ---- */

static const struct ndl_resource *find_resource(const struct ndl_description *d, const char *name)
{
	for (size_t k = 0; k < d->resources.count; k++)
		if (!strcmp(d->resources.at[k].name.name, name))
			return &d->resources.at[k];
	return NULL;
}

static int check_reference(const struct ndl_description *d, const struct ndl_reference *r, struct err *e)
{
	const struct ndl_resource *known = find_resource(d, r->name);

	if (!known)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s:%d: unknown node or switch %s, expected one declared in resource{}", d->file,
			       r->line, r->name);
	if (known->name.dims != r->dims)
		return err_set(e, STATUS_BAD_INPUT, "%s:%d: %s has %u %s, expected %u as declared in line %d", d->file,
			       r->line, r->name, r->dims, r->dims == 1 ? "index" : "indices", known->name.dims,
			       known->name.line);
	return 0;
}

static int check_twice(const struct ndl_description *d, const char *what, const char *name, int line, int first,
		       struct err *e)
{
	return err_set(e, STATUS_BAD_INPUT, "%s:%d: duplicate %s %s, first in line %d", d->file, line, what, name,
		       first);
}

static int description_check_names(const struct ndl_description *d, struct err *e)
{
	for (size_t a = 0; a < d->variables.count; a++)
		for (size_t b = 0; b < a; b++)
			if (!strcmp(d->variables.at[a].name, d->variables.at[b].name))
				return check_twice(d, "variable", d->variables.at[a].name, d->variables.at[a].line,
						   d->variables.at[b].line, e);
	for (size_t a = 0; a < d->resources.count; a++)
		for (size_t b = 0; b < a; b++)
			if (!strcmp(d->resources.at[a].name.name, d->resources.at[b].name.name))
				return check_twice(d, d->resources.at[a].node ? "node" : "switch",
						   d->resources.at[a].name.name, d->resources.at[a].name.line,
						   d->resources.at[b].name.line, e);
	return 0;
}

static int check_classes(const struct ndl_description *d, struct err *e)
{
	for (size_t a = 0; a < d->classes.count; a++) {
		const struct ndl_class *c = &d->classes.at[a];

		if (strlen(c->name) > NDL_CLASS_NAME_MAX)
			return err_set(e, STATUS_BAD_INPUT,
				       "%s:%d: link %.64s: a name of %zu letters, expected at most %d", d->file,
				       c->line, c->name, strlen(c->name), NDL_CLASS_NAME_MAX);
		for (size_t b = 0; b < a; b++)
			if (!strcmp(c->name, d->classes.at[b].name))
				return check_twice(d, "link", c->name, c->line, d->classes.at[b].line, e);
	}
	return 0;
}

/* Checks that the class of a connection is declared. */
static int check_class(const struct ndl_description *d, const struct ndl_connection *c, struct err *e)
{
	struct near n = near_start(c->class ? c->class : "");

	for (size_t k = 0; k < d->classes.count && c->class; k++) {
		if (!strcmp(d->classes.at[k].name, c->class))
			return 0;
		near_offer(&n, d->classes.at[k].name);
	}
	if (!c->class)
		return 0;
	return err_set(e, STATUS_BAD_INPUT, "%s:%d: unknown link %s, expected one declared in resource{}%s%s%s",
		       d->file, c->line, c->class, n.best ? " (did you mean " : "", n.best ? n.best : "",
		       n.best ? "?)" : "");
}

static bool is_name(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(text) &&
	       !(text[0] >= '0' && text[0] <= '9');
}

static int check_routings(const struct ndl_description *d, struct err *e)
{
	for (size_t k = 0; k < d->routings.count; k++) {
		const struct ndl_reference *r = &d->routings.at[k].of;
		if (check_reference(d, r, e))
			return -1;
		for (unsigned i = 0; i < r->dims; i++)
			if (!is_name(r->index[i]))
				return err_set(e, STATUS_BAD_INPUT,
					       "%s:%d: routing of %s: index %u is \"%s\", expected a name", d->file,
					       r->line, r->name, i + 1, r->index[i]);
		for (size_t b = 0; b < k; b++)
			if (!strcmp(d->routings.at[b].of.name, r->name))
				return check_twice(d, "routing of", r->name, r->line, d->routings.at[b].of.line, e);
	}
	for (size_t k = 0; k < d->resources.count; k++) {
		const struct ndl_reference *r = &d->resources.at[k].name;
		bool found = false;
		for (size_t b = 0; b < d->routings.count; b++)
			found |= !strcmp(d->routings.at[b].of.name, r->name);
		if (!found)
			return err_set(e, STATUS_BAD_INPUT, "%s:%d: %s has no routing, expected one in routing{}",
				       d->file, r->line, r->name);
	}
	return 0;
}

static bool defines_config(const struct ndl_description *d)
{
	for (size_t k = 0; k < d->texts.count; k++)
		if (strstr(d->texts.at[k].text, "net_config"))
			return true;
	return false;
}

int ndl_check(const struct ndl_description *d, struct err *e)
{
	bool node = false;

	if (description_check_names(d, e) || check_classes(d, e))
		return -1;
	for (size_t k = 0; k < d->resources.count; k++)
		node |= d->resources.at[k].node;
	if (!node)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s:1: no node is declared, expected `node name(size);` in resource{}", d->file);
	for (size_t k = 0; k < d->sizes.count; k++)
		if (check_reference(d, &d->sizes.at[k].of, e))
			return -1;
	for (size_t k = 0; k < d->connections.count; k++)
		if (check_reference(d, &d->connections.at[k].output.of, e) ||
		    check_reference(d, &d->connections.at[k].input.of, e) || check_class(d, &d->connections.at[k], e))
			return -1;
	if (check_routings(d, e))
		return -1;
	if (!defines_config(d))
		return err_set(e, STATUS_BAD_INPUT,
			       "%s:1: no net_config, expected `int net_config(int argc, char "
			       "**argv)` in the C part",
			       d->file);
	return 0;
}
