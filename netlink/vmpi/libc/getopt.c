/*
 * getopt and getopt_long with the GNU extensions. The C library's own are the simulator's, which has read its options
 * with them.
 */
#include "kept.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

static const char *rest; /* of a cluster of short options: the next one */
static int operands;     /* that lie between the element of the options and the next element */

enum order { PERMUTE, STOP_AT_OPERAND, OPERANDS_TOO };

struct parse {
	int argc;
	char **argv;
	const char *options;
	const struct option *longs;
	int *index;
	bool only, colon; /* long options with one dash too; a missing argument is ':' and no message */
	enum order order;
	const char *dashes;
};

static void move_before(char **argv, int from, int to)
{
	char *element = argv[from];

	memmove(&argv[to + 1], &argv[to], (size_t)(from - to) * sizeof(*argv));
	argv[to] = element;
}

/* The element after the one at optind; false: there is none. It follows that one then, before operands. */
static bool next_element(struct parse *p)
{
	int from = optind + 1 + operands;

	if (from >= p->argc)
		return false;
	move_before(p->argv, from, optind + 1);
	optarg = p->argv[optind + 1];
	optind++;
	return true;
}

static bool tells(const struct parse *p)
{
	return opterr && !p->colon;
}

/* ---- long options ---- */

/* The option that `name` means, exactly or as the only one that begins so; NULL. */
static const struct option *find_long(const struct parse *p, const char *name, size_t length, bool *several)
{
	const struct option *found = NULL;

	*several = false;
	for (const struct option *o = p->longs; o->name; o++) {
		if (strncmp(o->name, name, length) != 0)
			continue;
		if (strlen(o->name) == length) {
			*several = false;
			return o;
		}
		if (!found)
			found = o;
		else if (p->only || found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val)
			*several = true;
	}
	return found;
}

static void tell_several(const struct parse *p, const char *name, size_t length)
{
	if (!tells(p))
		return;
	fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", p->argv[0], p->dashes, name);
	for (const struct option *o = p->longs; o->name; o++)
		if (strncmp(o->name, name, length) == 0)
			fprintf(stderr, " '%s%s'", p->dashes, o->name);
	fprintf(stderr, "\n");
}

static int bad_long(const struct parse *p, const char *name, const char *before, const char *after, int value)
{
	if (tells(p))
		fprintf(stderr, "%s: %s'%s%s'%s\n", p->argv[0], before, p->dashes, name, after);
	optind++;
	optopt = value;
	return '?';
}

static int take_long(struct parse *p, const struct option *o, const char *value)
{
	if (value && o->has_arg == no_argument)
		return bad_long(p, o->name, "option ", " doesn't allow an argument", o->val);
	if (value)
		optarg = (char *)(unsigned long)value;
	else if (o->has_arg == required_argument && !next_element(p)) {
		bad_long(p, o->name, "option ", " requires an argument", o->val);
		return p->colon ? ':' : '?';
	}
	optind++;
	if (p->index)
		*p->index = (int)(o - p->longs);
	if (!o->flag)
		return o->val;
	*o->flag = o->val;
	return 0;
}

/* The element at optind as a long option; -1: it is not one, but may be a cluster. */
static int long_option(struct parse *p)
{
	const char *element = p->argv[optind], *name = element + (element[1] == '-' ? 2 : 1);
	size_t length = strcspn(name, "=");
	bool several;
	const struct option *o = find_long(p, name, length, &several);

	p->dashes = element[1] == '-' ? "--" : "-";
	if (several) {
		tell_several(p, name, length);
		optind++;
		optopt = 0;
		return '?';
	}
	if (o)
		return take_long(p, o, name[length] ? name + length + 1 : NULL);
	if (p->only && element[1] != '-' && strchr(p->options, element[1]))
		return -1;
	return bad_long(p, name, "unrecognized option ", "", 0);
}

/* ---- short options ---- */

static int bad_short(const struct parse *p, const char *what, int option, int result)
{
	if (tells(p))
		fprintf(stderr, "%s: %s -- '%c'\n", p->argv[0], what, option);
	optopt = option;
	return result;
}

/* The next option of the cluster in the element at optind. */
static int short_option(struct parse *p)
{
	int option = (unsigned char)*rest++;
	const char *known = option == ':' || option == ';' ? NULL : strchr(p->options, option);
	int result = option;

	if (!known) {
		result = bad_short(p, "invalid option", option, '?');
	} else if (known[1] == ':') {
		if (*rest)
			optarg = (char *)(unsigned long)rest;
		else if (known[2] != ':' && !next_element(p))
			result = bad_short(p, "option requires an argument", option, p->colon ? ':' : '?');
		rest = NULL;
	}
	if (!rest || !*rest) {
		rest = NULL;
		optind++;
	}
	return result;
}

/* ---- elements ---- */

static bool is_option(const char *element)
{
	return element[0] == '-' && element[1];
}

/* Brings the next element with options to optind. 0: there it is; else what the call returns. */
static int find_element(struct parse *p)
{
	int at = optind;

	while (at < p->argc && !is_option(p->argv[at]) && p->order == PERMUTE)
		at++;
	if (at >= p->argc)
		return -1;
	if (!is_option(p->argv[at])) {
		if (p->order == STOP_AT_OPERAND)
			return -1;
		optarg = p->argv[optind++];
		return 1;
	}
	move_before(p->argv, at, optind);
	operands = at - optind;
	if (strcmp(p->argv[optind], "--") != 0)
		return 0;
	optind++;
	return -1;
}

static int parse(struct parse *p)
{
	const char *element;
	int result;

	if (optind == 0) { /* begins anew */
		optind = 1;
		rest = NULL;
	}
	if (*p->options == '-' || *p->options == '+')
		p->order = *p->options++ == '-' ? OPERANDS_TOO : STOP_AT_OPERAND;
	else if (getenv("POSIXLY_CORRECT"))
		p->order = STOP_AT_OPERAND;
	p->colon = *p->options == ':';
	optarg = NULL;
	if (rest && *rest)
		return short_option(p);
	result = find_element(p);
	if (result)
		return result;
	element = p->argv[optind];
	if (p->longs && (element[1] == '-' || (p->only && (element[2] || !strchr(p->options, element[1]))))) {
		result = long_option(p);
		if (result != -1)
			return result;
	}
	rest = element + 1;
	return short_option(p);
}

WEAK int getopt(int argc, char *const argv[], const char *options)
{
	struct parse p = {.argc = argc, .argv = (char **)(unsigned long)argv, .options = options};

	return parse(&p);
}

/* What headers call it where POSIX alone is asked for. */
WEAK int __posix_getopt(int argc, char *const argv[], const char *options)
{
	struct parse p = {
		.argc = argc, .argv = (char **)(unsigned long)argv, .options = options, .order = STOP_AT_OPERAND};

	return parse(&p);
}

WEAK int getopt_long(int argc, char *const argv[], const char *options, const struct option *longs, int *index)
{
	struct parse p = {
		.argc = argc, .argv = (char **)(unsigned long)argv, .options = options, .longs = longs, .index = index};

	return parse(&p);
}

WEAK int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *longs, int *index)
{
	struct parse p = {.argc = argc,
			  .argv = (char **)(unsigned long)argv,
			  .options = options,
			  .longs = longs,
			  .index = index,
			  .only = true};

	return parse(&p);
}
