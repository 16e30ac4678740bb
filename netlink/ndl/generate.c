/* Writes the C program of a description. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "description.h"

enum { USED_MAX = 64 };

/* The ranged variables used in some texts: the loops of a statement. */
struct used {
	const struct ndl_variable *variable[USED_MAX];
	unsigned count;
};

static void use(const struct ndl_description *d, struct used *u, const char *text)
{
	for (const char *s = text; *s;) {
		if (!isalpha((unsigned char)*s) && *s != '_') {
			s += isdigit((unsigned char)*s) ? strspn(s, "0123456789xXabcdefABCDEF") : 1;
			continue;
		}
		size_t length = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
		for (size_t k = 0; k < d->variables.count; k++) {
			const struct ndl_variable *v = &d->variables.at[k];
			bool known = strlen(v->name) != length || strncmp(v->name, s, length) || u->count == USED_MAX;
			for (unsigned m = 0; m < u->count; m++)
				known |= u->variable[m] == v;
			if (!known)
				u->variable[u->count++] = v;
		}
		s += length;
	}
}

static void use_reference(const struct ndl_description *d, struct used *u, const struct ndl_reference *r)
{
	for (unsigned k = 0; k < r->dims; k++)
		use(d, u, r->index[k]);
}

static void ndl_generate_place(const struct ndl_description *d, FILE *out, int line)
{
	fprintf(out, "#line %d \"", line);
	for (const char *s = d->file; *s; s++)
		fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	fputs("\"\n", out);
}

static void ndl_generate_loops(const struct ndl_description *d, FILE *out, const struct used *u)
{
	for (unsigned k = 0; k < u->count; k++) {
		const struct ndl_variable *v = u->variable[k];
		ndl_generate_place(d, out, v->line);
		fprintf(out,
			"for (int64_t ndl_high_%s = (int64_t)(%s), %s = (int64_t)(%s); %s <= "
			"ndl_high_%s; %s++)\n",
			v->name, v->high, v->name, v->low, v->name, v->name, v->name);
	}
}

/* Writes "(int64_t[]){(int64_t)(i), …}". */
static void indices(FILE *out, const struct ndl_reference *r)
{
	fputs("(int64_t[]){", out);
	for (unsigned k = 0; k < r->dims; k++)
		fprintf(out, "%s(int64_t)(%s)", k ? ", " : "", r->index[k]);
	fputs("}", out);
}

static void ndl_generate_end(FILE *out, const struct ndl_end *x)
{
	fprintf(out, "&(struct network_end){\"%s\", %u, ", x->of.name, x->of.dims);
	indices(out, &x->of);
	fprintf(out, ", (int64_t)(%s)}", x->port);
}

/* Announces the statement's line, for errors in its ranges, indices and ports. */
static void statement(FILE *out, int line)
{
	fprintf(out, "network_at(ndl_n, %d);\n", line);
}

/* Returns 1 + the place of a declared class; 0: none. */
static size_t class_number(const struct ndl_description *d, const char *name)
{
	for (size_t k = 0; name && k < d->classes.count; k++)
		if (!strcmp(d->classes.at[k].name, name))
			return k + 1;
	return 0;
}

static void ndl_generate_build(const struct ndl_description *d, FILE *out)
{
	fputs("static int ndl_build(struct network *ndl_n, struct err *ndl_e)\n{\n", out);
	for (size_t k = 0; k < d->resources.count; k++) {
		const struct ndl_resource *r = &d->resources.at[k];
		statement(out, r->name.line);
		ndl_generate_place(d, out, r->name.line);
		fprintf(out, "if (network_kind(ndl_n, %d, \"%s\", %d, %u, ", r->name.line, r->name.name, r->node,
			r->name.dims);
		indices(out, &r->name);
		fputs(", ndl_e)) return -1;\n", out);
	}
	for (size_t k = 0; k < d->sizes.count; k++) {
		const struct ndl_size *s = &d->sizes.at[k];
		struct used u = {.count = 0};
		use_reference(d, &u, &s->of);
		statement(out, s->of.line);
		ndl_generate_loops(d, out, &u);
		ndl_generate_place(d, out, s->of.line);
		fprintf(out, "if (network_size(ndl_n, %d, \"%s\", %u, ", s->of.line, s->of.name, s->of.dims);
		indices(out, &s->of);
		fprintf(out, ", (int64_t)(%s), (int64_t)(%s), (int64_t)(%s), ndl_e)) return -1;\n", s->inputs,
			s->outputs, s->vcs ? s->vcs : "1");
	}
	for (size_t k = 0; k < d->classes.count; k++) {
		const struct ndl_class *c = &d->classes.at[k];
		statement(out, c->line);
		ndl_generate_place(d, out, c->line);
		fprintf(out, "if (network_class(ndl_n, %d, \"%s\", (int64_t)(%s), (int64_t)(%s), ndl_e)) return -1;\n",
			c->line, c->name, c->clocks ? c->clocks : "0", c->flit_clocks ? c->flit_clocks : "1");
	}
	fputs("if (network_layout(ndl_n, ndl_e)) return -1;\n", out);
	for (size_t k = 0; k < d->connections.count; k++) {
		const struct ndl_connection *c = &d->connections.at[k];
		struct used u = {.count = 0};
		use_reference(d, &u, &c->output.of), use(d, &u, c->output.port);
		use_reference(d, &u, &c->input.of), use(d, &u, c->input.port);
		statement(out, c->line);
		ndl_generate_loops(d, out, &u);
		ndl_generate_place(d, out, c->line);
		fprintf(out, "if (network_connect(ndl_n, %d, ", c->line);
		ndl_generate_end(out, &c->output);
		fputs(", ", out);
		ndl_generate_end(out, &c->input);
		fprintf(out, ", %zuu, ndl_e)) return -1;\n", class_number(d, c->class));
	}
	for (size_t k = 0; k < d->routings.count; k++)
		fprintf(out,
			"if (network_route(ndl_n, %d, \"%s\", %u, ndl_route_%zu, ndl_e)) return "
			"-1;\n",
			d->routings.at[k].of.line, d->routings.at[k].of.name, d->routings.at[k].of.dims, k);
	fputs("return 0;\n}\n", out);
}

static void routing(const struct ndl_description *d, size_t number, FILE *out)
{
	const struct ndl_routing *r = &d->routings.at[number];
	int last = r->body_line;

	fprintf(out,
		"static struct routing_choice ndl_route_%zu(struct routing_view *ndl_view, const "
		"int32_t "
		"*ndl_index)\n{\n",
		number);
	fputs("(void)ndl_view, (void)ndl_index;\n", out);
	ndl_generate_place(d, out, r->of.line);
	for (unsigned k = 0; k < r->of.dims; k++)
		fprintf(out, "const int %s = ndl_index[%u]; (void)%s;\n", r->of.index[k], k, r->of.index[k]);
	fputs("{\n", out);
	ndl_generate_place(d, out, r->body_line);
	fprintf(out, "%s\n", r->body);
	for (const char *s = r->body; *s; s++)
		last += *s == '\n';
	ndl_generate_place(d, out, last);
	fputs("}\nreturn ndl_choice(ROUTE_END, 0, 0);\n}\n", out);
}

int ndl_generate(const struct ndl_description *d, FILE *out, struct err *e)
{
	fputs("/* Written by inspire from a network description. */\n#include "
	      "\"netlink/ndl/program.h\"\n"
	      "int net_config(int argc, char **argv);\n",
	      out);
	for (size_t k = 0; k < d->texts.count; k++) {
		ndl_generate_place(d, out, d->texts.at[k].line);
		fprintf(out, "%s\n", d->texts.at[k].text);
	}
	fputs("#include \"netlink/ndl/words.h\"\n", out);
	for (size_t k = 0; k < d->routings.count; k++)
		routing(d, k, out);
	fputs("#undef route\n#undef escape\n#undef retry\n", out);
	ndl_generate_build(d, out);
	fputs("const struct ndl_program ndl_network = {\"", out);
	for (const char *s = d->file; *s; s++)
		fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	fputs("\", net_config, ndl_build};\n", out);
	if (fflush(out) || ferror(out))
		return err_set(e, STATUS_FAILED, "cannot write the C program");
	return 0;
}
