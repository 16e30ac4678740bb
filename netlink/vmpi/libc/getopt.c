/*
 * getopt and getopt_long with the GNU extensions. The state of the C library's functions belongs to the simulator,
 * which parses its own options with them.
 */
#include "libc_state.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

static const char *rest; /* next short option of a cluster */
static int operands;     /* number of operands between the element of the options and the next element */

enum order { PERMUTE, STOP_AT_OPERAND, OPERANDS_TOO };

struct parse {
	int argc;
	char **argv;
	const char *options;
	const struct option *longs;
	int *index;
	bool only,
		colon; /* only: long options may have one dash; colon: a missing argument gives ':' without a message */
	enum order order;
	const char *dashes;
};

static void move_before(char **argv, int from, int to)
{
	char *element = argv[from];

	memmove(&argv[to + 1], &argv[to], (size_t)(from - to) * sizeof(*argv));
	argv[to] = element;
}

/* Moves the next element behind the one at optind, before operands, and advances to it; false if none is left. */
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

static bool prints_messages(const struct parse *p)
{
	return opterr && !p->colon;
}

/* ---- long options ---- */

/* Returns the long option of this name or with this unique prefix; NULL if none has it. */
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

static void report_ambiguous(const struct parse *p, const char *name, size_t length)
{
	if (!prints_messages(p))
		return;
	fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", p->argv[0], p->dashes, name);
	for (const struct option *o = p->longs; o->name; o++)
		if (strncmp(o->name, name, length) == 0)
			fprintf(stderr, " '%s%s'", p->dashes, o->name);
	fprintf(stderr, "\n");
}

static int bad_long(const struct parse *p, const char *name, const char *before, const char *after, int value)
{
	if (prints_messages(p))
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

/* Parses the element at optind as a long option; -1 if it is none, but may be a cluster. */
static int long_option(struct parse *p)
{
	const char *element = p->argv[optind], *name = element + (element[1] == '-' ? 2 : 1);
	size_t length = strcspn(name, "=");
	bool several;
	const struct option *o = find_long(p, name, length, &several);

	p->dashes = element[1] == '-' ? "--" : "-";
	if (several) {
		report_ambiguous(p, name, length);
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
	if (prints_messages(p))
		fprintf(stderr, "%s: %s -- '%c'\n", p->argv[0], what, option);
	optopt = option;
	return result;
}

/* Parses the next option of the cluster at optind. */
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

/* Moves the next element with options to optind. Returns 0 if one exists, else the result of the call. */
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

	if (optind == 0) { /* restart, as GNU getopt has it */
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

/* The name that headers use if only POSIX is selected. */
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
