/*
 * More is never slower: doubles every capacity and width of the processor model, one at a
 * time, and compares cycles.
 *
 *     more [--steps] [--machine 'KEY=VALUE...']... EXCEPTIONS [TRACE]...   without a trace: reads the lists
 *
 * The list is psim/machine/params.def itself: a parameter is a capacity or a width if its unit is
 * one (`units` below), so that a new one is in the list without further ado; a unit that is not
 * known here is an error. EXCEPTIONS has the rest: more.table. An array's trace is bound to
 * its PEs and their memories: NAME.pes2.trace.gz beside NAME.trace.gz is the same program
 * recorded for twice simd.pes.
 *
 * --machine: another machine besides the default one. --steps: each parameter from a quarter of
 * its value to eight times it, step by step; then a step may cost 5 %, and exceptions need not occur.
 *
 * Prints a line for each step that costs more than it may; status 5 if there is one, or if a
 * row of EXCEPTIONS is about nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "psim/core/core.h"

enum {
	PARAMS_MAX = 256,
	EXCEPTIONS_MAX = 256,
	SETS_MAX = 64,
	MACHINES_MAX = 16,
	NAME_SIZE = 128,
	LINE_SIZE = 1024,
};
#define COST_MAX 0.5       /* percent */
#define COST_MAX_STEPS 5.0 /* a machine with little of one thing settles in one order of dispatch or another */

/* A capacity or width: its default is `value`, in units of `suffix`. */
struct capacity {
	char name[NAME_SIZE], suffix[NAME_SIZE];
	double value;
	bool full; /* there is no twice as much of it */
};

/* A row of EXCEPTIONS. */
struct exception {
	char parameter[NAME_SIZE], kernel[NAME_SIZE];
	char with[NAME_SIZE]; /* what is doubled with it, or "" */
	double percent;       /* what it may cost; < 0: it is no capacity */
	double step_percent;  /* what a step may cost with --steps */
	bool used;
};

/* Assignments of a configuration. */
struct sets {
	char text[SETS_MAX][2 * NAME_SIZE + 32];
	unsigned count;
};

struct study {
	struct capacity params[PARAMS_MAX];
	struct exception exceptions[EXCEPTIONS_MAX];
	unsigned param_count, exception_count, runs, slower;
	const char *machine_name;
	struct sets machine; /* of all runs */
	bool steps;
};

/* A trace, and the array that it needs. */
struct kernel {
	const char *path;
	char name[NAME_SIZE];
	unsigned pes, sbm_bytes;
};

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fputs("more: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(STATUS_USAGE);
}

/* ---- the list: by type, numbers without one by unit ---- */
struct unit {
	const char *name;
	bool more; /* is it a capacity or a width? */
};
static const struct unit units[] = {
	{"entries", true},  {"pipes", true},         {"ports", true},    {"instructions/cycle", true},
	{"bytes", true},    {"ways", true},          {"banks", true},    {"lines", true},
	{"PEs", true},      {"transfers", true},     {"cycles", false},  {"bits", false},
	{"cores", false},   {"instructions", false}, {"tables", true},   {"branches", false},
	{"targets", false}, {"rounds", false},       {"channels", true}, {"ranks", false},
	{"groups", false},  {"requests", false},     {"clocks", false},  {"devices", false},
	{"slices", true},   {"dividers", true},      {"", false}, /* scores, of which nothing is held */
};

static bool is_more(const struct param *p)
{
	switch (p->type) {
	case PARAM_RATE:
	case PARAM_FLOW: return true;
	case PARAM_UINT:
	case PARAM_SIZE: break;
	case PARAM_REAL:
	case PARAM_FREQ:
	case PARAM_TIME:
	case PARAM_DELAY:
	case PARAM_BOOL:
	case PARAM_ENUM:
	case PARAM_TEXT:
	case PARAM_PATH: return false;
	}
	for (unsigned n = 0; n < sizeof(units) / sizeof(units[0]); n++)
		if (!strcmp(units[n].name, p->unit))
			return units[n].more;
	fail("%s.%s: its unit is `%s`, expected one of the table of units: is it a capacity or a width?", p->section,
	     p->key, p->unit);
}

static void add_param(void *user, const struct param *p, const char *value, const char *origin)
{
	struct study *s = user;
	struct capacity *c = &s->params[s->param_count];
	char *end;

	(void)origin;
	if (!is_more(p))
		return;
	if (s->param_count == PARAMS_MAX)
		fail("more than %d parameters", PARAMS_MAX);
	s->param_count++;
	snprintf(c->name, sizeof(c->name), "%s.%s", p->section, p->key);
	c->value = strtod(value, &end);
	snprintf(c->suffix, sizeof(c->suffix), "%s", end);
	c->full = p->type == PARAM_UINT && 2 * c->value > p->max;
}

static void list_params(struct study *s)
{
	struct err e;
	struct core_config cfg;
	struct config *c = config_create();

	if (!c)
		fail("out of memory");
	core_config_add(c, &cfg);
	for (unsigned n = 0; n < s->machine.count; n++)
		if (config_override(c, s->machine.text[n], "-p", &e) < 0)
			fail("%s", e.text);
	config_visit(c, add_param, s);
	config_destroy(c);
}

static const struct capacity *param_of(const struct study *s, const char *name)
{
	for (unsigned n = 0; n < s->param_count; n++)
		if (!strcmp(s->params[n].name, name))
			return &s->params[n];
	return NULL;
}

/* ---- exceptions ---- */

/* The next field of a row, without the blanks around it; "-" is nothing. NULL: there is none. */
static char *next_field(char **rest)
{
	char *start = *rest, *end;

	if (!start)
		return NULL;
	end = start + strcspn(start, "|\n");
	*rest = *end == '|' ? end + 1 : NULL;
	start += strspn(start, " \t");
	while (end > start && strchr(" \t", end[-1]))
		end--;
	*end = '\0';
	return strcmp(start, "-") ? start : end;
}

static void read_row(struct study *s, const char *path, unsigned number, char *line)
{
	struct exception *x = &s->exceptions[s->exception_count];
	const char *fields[5];
	char *rest = "";

	if (line[0] == '#' || line[0] == '\n')
		return;
	for (unsigned n = 0; n < 5; n++)
		fields[n] = next_field(&line);
	if (!fields[4] || !*fields[4] || s->exception_count == EXCEPTIONS_MAX)
		fail("%s:%u: expected parameter | kernel | with | percent | why, in at most %d rows", path, number,
		     EXCEPTIONS_MAX);
	if (!param_of(s, fields[0]) || (*fields[2] && !param_of(s, fields[2])))
		fail("%s:%u: %s, %s: expected capacities or widths", path, number, fields[0], fields[2]);
	s->exception_count++;
	snprintf(x->parameter, sizeof(x->parameter), "%s", fields[0]);
	snprintf(x->kernel, sizeof(x->kernel), "%s", fields[1]);
	snprintf(x->with, sizeof(x->with), "%s", fields[2]);
	x->percent = x->step_percent = strcmp(fields[3], "no capacity") ? strtod(fields[3], &rest) : -1;
	if (*rest == '/')
		x->step_percent = strtod(rest + 1, NULL);
}

static void read_exceptions(struct study *s, const char *path)
{
	char line[LINE_SIZE];
	FILE *f = fopen(path, "r");

	if (!f)
		fail("%s: cannot be opened", path);
	for (unsigned n = 1; fgets(line, sizeof(line), f); n++)
		read_row(s, path, n, line);
	fclose(f);
}

/* The row for a parameter and a kernel, or else for all kernels, or NULL. */
static struct exception *exception_of(struct study *s, const char *parameter, const char *kernel)
{
	struct exception *any = NULL;

	for (unsigned n = 0; n < s->exception_count; n++) {
		struct exception *x = &s->exceptions[n];

		if (strcmp(x->parameter, parameter) != 0)
			continue;
		if (!strcmp(x->kernel, kernel))
			return x;
		if (!strcmp(x->kernel, "*"))
			any = x;
	}
	return any;
}

/* ---- runs ---- */

/* `scale` times the parameter's value. */
static void set_scaled(struct sets *sets, const struct capacity *p, double scale)
{
	snprintf(sets->text[sets->count++], sizeof(sets->text[0]), "%s=%.0f%s", p->name, p->value * scale, p->suffix);
}

static void set(struct sets *sets, const char *name, unsigned value)
{
	snprintf(sets->text[sets->count++], sizeof(sets->text[0]), "%s=%u", name, value);
}

/* Cycles of the trace on the machine; false where the machine is none. */
static bool run(struct study *s, const char *path, const struct sets *sets, uint64_t *ret_cycles)
{
	struct err e = {.status = STATUS_DONE};
	struct core_config cfg;
	struct config *c = config_create();
	struct trace_reader *trace;
	struct core *core;

	core_config_add(c, &cfg);
	for (unsigned n = 0; n < sets->count; n++)
		if (config_override(c, sets->text[n], "-p", &e) < 0) {
			config_destroy(c);
			return false;
		}
	if (core_config_check(c, &cfg, &e) < 0) {
		config_destroy(c);
		return false;
	}
	trace = trace_open(path, &e);
	core = trace ? core_create(&cfg, trace, NULL, &e) : NULL;
	if (!core || core_run(core, UINT64_MAX, &e) < 0)
		fail("%s: %s", path, e.text);
	*ret_cycles = core_stats(core)->cycles;
	s->runs++;
	core_destroy(core);
	trace_close(trace);
	config_destroy(c);
	return true;
}

/* The trace for a machine with `scale` times the parameter `key`; false: there is none. */
static bool trace_for(const struct kernel *k, const char *key, double scale, char *path, size_t size)
{
	snprintf(path, size, "%s", k->path);
	if (scale != 1 && (!strcmp(key, "simd.pes") || !strcmp(key, "simd.sbm_bytes")))
		snprintf(path, size, "%.*s.%s%g.trace.gz", (int)(strlen(k->path) - strlen(".trace.gz")), k->path,
			 key + strlen("simd."), scale);
	return access(path, R_OK) == 0;
}

/* Cycles with `scale` times the parameter (and what goes with it). */
static bool run_scaled(struct study *s, const struct kernel *k, const struct capacity *p, double scale,
		       const struct exception *x, uint64_t *ret_cycles)
{
	struct sets sets = s->machine;
	char path[LINE_SIZE];
	double value = strcmp(p->name, "simd.pes") ? p->value : k->pes;

	if (!trace_for(k, p->name, scale, path, sizeof(path)) || value * scale < 1)
		return false;
	if (k->pes) {
		set(&sets, "simd.pes", k->pes);
		set(&sets, "simd.sbm_bytes", k->sbm_bytes);
	}
	snprintf(sets.text[sets.count++], sizeof(sets.text[0]), "%s=%.0f%s", p->name, value * scale, p->suffix);
	if (x && *x->with)
		set_scaled(&sets, param_of(s, x->with), scale);
	return run(s, path, &sets, ret_cycles);
}

static void judge(struct study *s, const struct kernel *k, const struct capacity *p, double scale, struct exception *x,
		  uint64_t less, uint64_t more)
{
	double cost = 100.0 * ((double)more - (double)less) / (double)less;

	if (cost <= (s->steps ? COST_MAX_STEPS : COST_MAX))
		return;
	if (x && cost <= (s->steps ? x->step_percent : x->percent)) {
		x->used = true;
		return;
	}
	s->slower++;
	printf("%-18s %-24s x%-5g to x%-5g %10llu %10llu %+7.2f %%  %s\n", k->name, p->name, scale, 2 * scale,
	       (unsigned long long)less, (unsigned long long)more, cost, s->machine_name);
	fflush(stdout);
}

static void double_one(struct study *s, const struct kernel *k, const struct capacity *p, uint64_t at_defaults)
{
	struct exception *x = exception_of(s, p->name, k->name);
	uint64_t less = at_defaults, more;
	double scale = 1;
	bool known = true;

	if (x && x->percent < 0) {
		x->used = true;
		return;
	}
	if (x && *x->with)
		x->used = true;
	if (!k->pes && !strncmp(p->name, "simd.", 5))
		return;
	if (p->value < 1 && strcmp(p->name, "simd.pes"))
		return; /* a part that is not there: twice nothing is nothing */
	if (s->steps) {
		scale = 0.25;
		known = run_scaled(s, k, p, scale, x, &less);
	}
	for (; scale <= (s->steps ? 4 : 1); scale *= 2) {
		bool there = run_scaled(s, k, p, 2 * scale, x, &more);

		if (there && known)
			judge(s, k, p, scale, x, less, more);
		else if (!s->steps && !there && !p->full)
			fail("%s: twice %g%s makes no machine", p->name, p->value, p->suffix);
		known = there;
		less = more;
	}
}

static void study_kernel(struct study *s, const char *path)
{
	struct kernel k = {.path = path};
	const char *name = strrchr(path, '/');
	struct err e;
	struct trace_reader *trace = trace_open(path, &e);
	struct sets sets = s->machine;
	uint64_t cycles;

	if (!trace)
		fail("%s", e.text);
	k.pes = trace_info(trace)->pes;
	k.sbm_bytes = trace_info(trace)->sbm_bytes;
	trace_close(trace);
	snprintf(k.name, sizeof(k.name), "%s", name ? name + 1 : path);
	k.name[strcspn(k.name, ".")] = '\0';
	if (k.pes) {
		set(&sets, "simd.pes", k.pes);
		set(&sets, "simd.sbm_bytes", k.sbm_bytes);
	}
	if (!run(s, path, &sets, &cycles))
		fail("%s: the defaults make no machine", path);
	for (unsigned n = 0; n < s->param_count; n++)
		double_one(s, &k, &s->params[n], cycles);
}

/* Assignments with blanks between them. */
static void make_machine(struct study *s, const char *name)
{
	s->machine_name = name;
	s->machine.count = s->param_count = 0;
	while (*(name += strspn(name, " "))) {
		size_t length = strcspn(name, " ");

		if (s->machine.count == SETS_MAX / 2)
			fail("%s: more than %d assignments", s->machine_name, SETS_MAX / 2);
		snprintf(s->machine.text[s->machine.count++], sizeof(s->machine.text[0]), "%.*s", (int)length, name);
		name += length;
	}
	list_params(s);
}

static void find_unused(struct study *s)
{
	for (unsigned n = 0; n < s->exception_count; n++) {
		const struct exception *x = &s->exceptions[n];

		if (x->used)
			continue;
		printf("%s with %s: an exception that nothing needs\n", x->parameter, x->kernel);
		s->slower++;
	}
}

int main(int argc, char *argv[])
{
	struct study s = {.steps = false};
	const char *machines[MACHINES_MAX] = {""};
	unsigned machine_count = 1;
	int n = 1;

	if (n < argc && !strcmp(argv[n], "--steps"))
		s.steps = n++ > 0;
	for (; n + 1 < argc && !strcmp(argv[n], "--machine") && machine_count < MACHINES_MAX; n += 2)
		machines[machine_count++] = argv[n + 1];
	if (argc <= n)
		fail("expected [--steps] [--machine 'KEY=VALUE...']... EXCEPTIONS [TRACE]...");
	make_machine(&s, "");
	read_exceptions(&s, argv[n]);
	if (argc == n + 1) {
		printf("%u capacities and widths, %u exceptions\n", s.param_count, s.exception_count);
		return STATUS_DONE;
	}
	for (unsigned m = 0; m < machine_count; m++) {
		make_machine(&s, machines[m]);
		for (int k = n + 1; k < argc; k++)
			study_kernel(&s, argv[k]);
	}
	if (!s.steps)
		find_unused(&s);
	printf("more is never slower: %u capacities and widths, %u runs, %u slower\n", s.param_count, s.runs, s.slower);
	return s.slower ? STATUS_EXPECT : STATUS_DONE;
}
