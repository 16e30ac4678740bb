#include "description.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "parser.h"
#include "parse.h"

int ndl_yylex_init_extra(struct ndl_parser *p, void **scanner);
int ndl_yylex_destroy(void *scanner);

int ndl_error(struct ndl_parser *p, int line, const char *format, ...)
{
	char text[512];
	va_list ap;

	if (p->failed)
		return -1;
	p->failed = true;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return err_set(p->e, STATUS_BAD_INPUT, "%s:%d: %s", p->d->file, line, text);
}

char *ndl_join(struct ndl_parser *p, char *a, const char *b, char *c)
{
	size_t size = (a ? strlen(a) : 0) + strlen(b) + (c ? strlen(c) : 0) + 1;
	char *all = size > 4096 ? NULL : mem_alloc(size, 1, NULL);

	if (all)
		snprintf(all, size, "%s%s%s", a ? a : "", b, c ? c : "");
	else
		ndl_error(p, p->statement_line,
		          "an expression of more than 4000 characters, or out of memory");
	free(a);
	free(c);
	return all;
}

struct ndl_description *ndl_read(FILE *in, const char *file, struct err *e)
{
	struct ndl_parser p = {.e = e, .in = in, .statement = true};
	int result;

	p.d = mem_alloc(1, sizeof *p.d, e);
	if (!p.d)
		return NULL;
	p.d->file = file;
	if (ndl_yylex_init_extra(&p, &p.scanner)) {
		mem_short(e);
		ndl_destroy(p.d);
		return NULL;
	}
	result = ndl_yyparse(p.scanner, &p);
	ndl_yylex_destroy(p.scanner);
	free(p.text);
	if (!result && !p.failed && ferror(in))
		result = err_set(e, STATUS_FAILED, "%s: cannot be read", file);
	if (!result && !p.failed)
		return p.d;
	if (!p.failed && result)
		ndl_error(&p, 1, "cannot be parsed");
	ndl_destroy(p.d);
	return NULL;
}

static void reference_finish(struct ndl_reference *r)
{
	free(r->name);
	for (unsigned k = 0; k < r->dims; k++)
		free(r->index[k]);
}

void ndl_destroy(struct ndl_description *d)
{
	if (!d)
		return;
	for (size_t k = 0; k < d->texts.count; k++)
		free(d->texts.at[k].text);
	for (size_t k = 0; k < d->ranges.count; k++)
		free(d->ranges.at[k].name), free(d->ranges.at[k].low), free(d->ranges.at[k].high);
	for (size_t k = 0; k < d->variables.count; k++)
		free(d->variables.at[k].name), free(d->variables.at[k].low),
			free(d->variables.at[k].high);
	for (size_t k = 0; k < d->resources.count; k++)
		reference_finish(&d->resources.at[k].name);
	for (size_t k = 0; k < d->sizes.count; k++) {
		reference_finish(&d->sizes.at[k].of);
		free(d->sizes.at[k].inputs), free(d->sizes.at[k].outputs), free(d->sizes.at[k].vcs);
	}
	for (size_t k = 0; k < d->connections.count; k++) {
		struct ndl_connection *c = &d->connections.at[k];
		reference_finish(&c->output.of), reference_finish(&c->input.of);
		free(c->output.port), free(c->input.port);
	}
	for (size_t k = 0; k < d->routings.count; k++) {
		reference_finish(&d->routings.at[k].of);
		free(d->routings.at[k].body);
	}
	vec_finish(&d->texts), vec_finish(&d->ranges), vec_finish(&d->variables),
		vec_finish(&d->resources);
	vec_finish(&d->sizes), vec_finish(&d->connections), vec_finish(&d->routings);
	free(d);
}

/* ---- what can be told without running ---- */

static const struct ndl_resource *find_resource(const struct ndl_description *d, const char *name)
{
	for (size_t k = 0; k < d->resources.count; k++)
		if (!strcmp(d->resources.at[k].name.name, name))
			return &d->resources.at[k];
	return NULL;
}

static int check_reference(const struct ndl_description *d, const struct ndl_reference *r,
                           struct err *e)
{
	const struct ndl_resource *known = find_resource(d, r->name);

	if (!known)
		return err_set(e, STATUS_BAD_INPUT, "%s:%d: %s: no such node or switch", d->file,
		               r->line, r->name);
	if (known->name.dims != r->dims)
		return err_set(e, STATUS_BAD_INPUT,
		               "%s:%d: %s has %u %s, expected %u as declared in line %d", d->file,
		               r->line, r->name, r->dims, r->dims == 1 ? "index" : "indices",
		               known->name.dims, known->name.line);
	return 0;
}

static int check_twice(const struct ndl_description *d, const char *what, const char *name,
                       int line, int first, struct err *e)
{
	return err_set(e, STATUS_BAD_INPUT, "%s:%d: %s %s is declared twice, first in line %d",
	               d->file, line, what, name, first);
}

static int check_names(const struct ndl_description *d, struct err *e)
{
	for (size_t a = 0; a < d->variables.count; a++)
		for (size_t b = 0; b < a; b++)
			if (!strcmp(d->variables.at[a].name, d->variables.at[b].name))
				return check_twice(d, "variable", d->variables.at[a].name,
				                   d->variables.at[a].line, d->variables.at[b].line,
				                   e);
	for (size_t a = 0; a < d->resources.count; a++)
		for (size_t b = 0; b < a; b++)
			if (!strcmp(d->resources.at[a].name.name, d->resources.at[b].name.name))
				return check_twice(d, d->resources.at[a].node ? "node" : "switch",
				                   d->resources.at[a].name.name,
				                   d->resources.at[a].name.line,
				                   d->resources.at[b].name.line, e);
	return 0;
}

static bool is_name(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
	               strlen(text) &&
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
				return err_set(
					e, STATUS_BAD_INPUT,
					"%s:%d: routing of %s: index %u is \"%s\", expected a name",
					d->file, r->line, r->name, i + 1, r->index[i]);
		for (size_t b = 0; b < k; b++)
			if (!strcmp(d->routings.at[b].of.name, r->name))
				return check_twice(d, "routing of", r->name, r->line,
				                   d->routings.at[b].of.line, e);
	}
	for (size_t k = 0; k < d->resources.count; k++) {
		const struct ndl_reference *r = &d->resources.at[k].name;
		bool found = false;
		for (size_t b = 0; b < d->routings.count; b++)
			found |= !strcmp(d->routings.at[b].of.name, r->name);
		if (!found)
			return err_set(e, STATUS_BAD_INPUT,
			               "%s:%d: %s has no routing, expected one in routing{}",
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

	if (check_names(d, e))
		return -1;
	for (size_t k = 0; k < d->resources.count; k++)
		node |= d->resources.at[k].node;
	if (!node)
		return err_set(
			e, STATUS_BAD_INPUT,
			"%s:1: no node is declared, expected `node name(size);` in resource{}",
			d->file);
	for (size_t k = 0; k < d->sizes.count; k++)
		if (check_reference(d, &d->sizes.at[k].of, e))
			return -1;
	for (size_t k = 0; k < d->connections.count; k++)
		if (check_reference(d, &d->connections.at[k].output.of, e) ||
		    check_reference(d, &d->connections.at[k].input.of, e))
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
