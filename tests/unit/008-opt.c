/* Command lines: psim/base/cli/opt.h. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "psim/base/cli/opt.h"
#include "psim/base/config/config.h"

/* The values that one command line gave. */
struct outcome {
	int first, status;
	bool stats;
	uint64_t limit;
	unsigned mode, entries;
	struct opt_list marks;
	const char *plan;
	struct opt_common common;
	char out[6000], err[1200];
	const char *operand; /* argv[first] */
};

static const struct param params[] = {
	{"core", "entries", PARAM_UINT, "64", 1, 1024, NULL, "entries", "reorder buffer", 0},
};

static int refuse_13(const struct config *c, void *user, struct err *e)
{
	const struct outcome *o = user;

	if (o->entries != 13)
		return 0;
	return err_set(e, STATUS_USAGE, "%s: core.entries: 13 is unlucky", config_origin(c, "core", "entries"));
}

/* Runs opt_start with stdout and stderr going to files. */
static void captured(const struct opt_program *p, int argc, char *argv[], struct outcome *o)
{
	FILE *file[2] = {tmpfile(), tmpfile()};
	char *text[2] = {o->out, o->err};
	size_t size[2] = {sizeof(o->out), sizeof(o->err)};
	int held[2];

	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		if (!file[i])
			abort();
		held[i] = dup(i + 1);
		dup2(fileno(file[i]), i + 1);
	}
	o->first = opt_start(p, argc, argv, &o->status);
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		size_t n;

		dup2(held[i], i + 1);
		close(held[i]);
		rewind(file[i]);
		n = fread(text[i], 1, size[i] - 1, file[i]);
		text[i][n] = '\0';
		fclose(file[i]);
	}
}

/* Parses the words of `line`, which are separated by single blanks. */
static struct outcome run(const char *line)
{
	static char words[400];
	static char *argv[40];
	static struct outcome o;
	struct config *c = config_create();
	const struct opt rows[] = {
		{"stats", 0, NULL, "print cache statistics", OPT_FLAG, &o.stats},
		{"stop-after", 'n', "N", "stop after N instructions", OPT_COUNT, &o.limit},
		{"mode", 'm', "slow|fast", "how to run", OPT_CHOICE, &o.mode},
		{"mark", 0, "NAME", "mark a name", OPT_LIST, &o.marks},
		{"plan", 0, "[=N]", "with a plan", OPT_TEXT, &o.plan},
	};
	struct opt_program p = {
		.name = "prog",
		.operands = "TRACE",
		.summary = "Runs a trace.",
		.examples = "prog x.gz\nprog -q y.gz",
		.rows = rows,
		.row_count = 5,
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &o.common,
		.config = c,
		.min_operands = 1,
		.max_operands = 2,
		.config_check = refuse_13,
		.config_user = &o,
	};
	int argc = 0;

	memset(&o, 0, sizeof(o));
	config_add(c, params, 1, &o.entries);
	snprintf(words, sizeof(words), "prog %s", line);
	if (*line == '+') { /* the first operand ends the options */
		p.stop_at_operand = true;
		p.max_operands = 9;
		snprintf(words, sizeof(words), "prog %s", line + 1);
	}
	if (*line == '=') { /* the result may have several files */
		p.groups |= OPT_FILES;
		snprintf(words, sizeof(words), "prog %s", line + 1);
	}
	for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	captured(&p, argc, argv, &o);
	o.operand = o.first > 0 ? argv[o.first] : NULL;
	config_destroy(c);
	return o;
}

/* Checks that `line` is refused with status 2 and exactly this message, and nothing on stdout. */
static void refused(const char *line, const char *message)
{
	struct outcome o = run(line);
	char expected[1200];

	snprintf(expected, sizeof(expected), "prog: %s\n", message);
	CHECK_I64(o.first, -1);
	CHECK_I64(o.status, 2);
	CHECK_STR(o.err, expected);
	CHECK_STR(o.out, "");
}

static void options_fill_their_targets(void)
{
	struct outcome o = run("--stats -n 5k --mode fast --mark a --mark=b x.gz");

	CHECK(o.stats);
	CHECK_U64(o.limit, 5000);
	CHECK_U64(o.mode, 1);
	CHECK_U64(o.marks.count, 2);
	CHECK_STR(o.marks.item[1], "b");
	CHECK_STR(o.operand, "x.gz");
}

static void an_argument_may_be_missing(void)
{
	struct outcome o = run("--plan x.gz");

	CHECK_STR(o.plan, "");
	CHECK_STR(o.operand, "x.gz");
	o = run("--plan=5 x.gz");
	CHECK_STR(o.plan, "5");
	o = run("x.gz");
	CHECK(o.plan == NULL);
	o = run("--help");
	CHECK(strstr(o.out, "\n      --plan[=N]  ") != NULL);
}

static void what_is_not_given_keeps_its_default(void)
{
	struct outcome o = run("x.gz");

	CHECK(!o.stats && !o.common.quiet && !o.common.check);
	CHECK_U64(o.limit, 0);
	CHECK_STR(o.common.output, "-");
	CHECK_U64(o.common.format, REPORT_TEXT);
	CHECK_U64(o.entries, 64);
	CHECK_STR(o.err, "");
}

/* Alone, --html and --csv name the result's file; beside another one they need OPT_FILES. */
static void the_result_has_one_file_or_several(void)
{
	struct outcome o = run("--csv a.csv x.gz");

	CHECK_U64(o.common.file_count, 1);
	CHECK_STR(o.common.output, "a.csv");
	CHECK_U64(o.common.format, REPORT_CSV);
	refused("--csv a.csv --json x.gz", "--csv and --output, --format or --json: expected one of them");
	o = run("=--html a.html -o b.txt --csv c.csv x.gz");
	CHECK_U64(o.common.file_count, 3);
	CHECK_STR(o.common.output, "b.txt");
	CHECK_U64(o.common.format, REPORT_TEXT);
	CHECK_STR(o.common.files[1].path, "a.html");
	CHECK_U64(o.common.files[1].format, REPORT_HTML);
	CHECK_STR(o.common.files[2].path, "c.csv");
	CHECK_U64(o.common.files[2].format, REPORT_CSV);
	o = run("=--csv c.csv --html a.html x.gz");
	CHECK_U64(o.common.file_count, 2);
	CHECK_STR(o.common.output, "a.html");
}

static void options_may_follow_operands(void)
{
	struct outcome o = run("x.gz -q --json");

	CHECK_STR(o.operand, "x.gz");
	CHECK(o.common.quiet);
	CHECK_U64(o.common.format, REPORT_JSON);
}

static void two_dashes_end_the_options(void)
{
	CHECK_STR(run("-- --stats").operand, "--stats");
}

static void the_first_operand_can_end_the_options(void)
{
	struct outcome o = run("+-q prog.sparc --stats -n");

	CHECK_STR(o.operand, "prog.sparc");
	CHECK(o.common.quiet && !o.stats);
}

static void counts_have_suffixes(void)
{
	CHECK_U64(run("-n 3 x").limit, 3);
	CHECK_U64(run("-n 3M x").limit, 3000000);
	CHECK_U64(run("-n 2G x").limit, 2000000000);
	CHECK_U64(run("-n 0x10 x").limit, 16);
	refused("-n 3x x", "--stop-after 3x: not a number, expected digits and perhaps k, M or G");
	refused("-n -3 x", "--stop-after -3: not a number, expected digits and perhaps k, M or G");
	refused("-n 18446744073709551616 x", "--stop-after 18446744073709551616: too large, expected less than 2^64");
	refused("-n 18446744073709552k x", "--stop-after 18446744073709552k: too large, expected less than 2^64");
}

static void unknown_options_bring_the_nearest(void)
{
	refused("--statz x", "unknown option --statz, did you mean --stats?");
	refused("--statz=3 x", "unknown option --statz, did you mean --stats?");
	refused("x --quite", "unknown option --quite, did you mean --quiet?");
	refused("--frobnicate x", "unknown option --frobnicate, expected one of --help");
	refused("-Z x", "unknown option -Z, expected one of --help");
	refused("--ma x", "ambiguous option --ma, expected one of --help"); /* mark, man */
}

static void arguments_are_asked_for_and_refused(void)
{
	refused("x -n", "option -n: missing argument, expected one");
	refused("x --stop-after", "option --stop-after: missing argument, expected N");
	refused("--stats=3 x", "option --stats=3: unexpected argument, expected none");
	refused("--mode medium x", "--mode: unknown value 'medium', expected one of slow|fast");
	refused("-f xml x", "--format: unknown value 'xml', expected one of text|json|csv|html");
}

static void the_number_of_operands_is_checked(void)
{
	refused("-q", "no operand, expected TRACE: see prog --help");
	refused("a b c", "3 operands, expected TRACE: see prog --help");
}

static void overrides_reach_the_configuration(void)
{
	CHECK_U64(run("-p core.entries=7 -p core.entries=8 x").entries, 8);
	refused("-p core.entries=0 x", "-p: core.entries: 0 is out of range, expected 1 to 1024 entries");
	refused("-c /nowhere.ini x", "/nowhere.ini: cannot open: No such file or directory");
}

static void cross_field_rules_are_checked(void)
{
	refused("-p core.entries=13 x", "-p: core.entries: 13 is unlucky");
}

static void help_goes_to_stdout(void)
{
	struct outcome o = run("--help");

	CHECK_I64(o.first, -1);
	CHECK_I64(o.status, 0);
	CHECK_STR(o.err, "");
	CHECK(!strncmp(o.out, "usage: prog [OPTION]... TRACE\nRuns a trace.\n", 43));
	CHECK(strstr(o.out, "\n  -n, --stop-after N                stop after N instructions\n") != NULL);
	CHECK(strstr(o.out, "\n  -c, --config FILE                 read parameters") != NULL);
	CHECK(strstr(o.out, "\nexamples:\n  prog x.gz\n  prog -q y.gz\n") != NULL);
}

static void the_version_is_told(void)
{
	struct outcome o = run("-V");

	CHECK_I64(o.status, 0);
	CHECK(!strncmp(o.out, "prog 0.", 7));
}

static void the_manual_page_has_every_option(void)
{
	struct outcome o = run("--man");

	CHECK_I64(o.status, 0);
	CHECK(!strncmp(o.out, ".TH \"prog\" 1 ", 13));
	CHECK(strstr(o.out, "\n.TP\n\\fB\\-n\\fR, \\fB\\-\\-stop\\-after\\fR \\fIN\\fR\nstop after "
			    "N instructions\n") != NULL);
	CHECK(strstr(o.out, "\\-\\-list\\-params") != NULL);
}

static void options_are_listed_for_scripts(void)
{
	struct outcome o = run("--list-options");

	CHECK_I64(o.status, 0);
	CHECK(strstr(o.out, "--stats\t-\t-\tprint cache statistics\n--stop-after\t-n\tN\tstop after N ") == o.out);
	CHECK(strstr(o.out, "\n--mode\t-m\tslow|fast\thow to run\n") != NULL);
	CHECK(strstr(o.out, "\n--version\t-V\t-\tshow the version\n") != NULL);
	CHECK(!strstr(o.out, "list-options"));
	o = run("--help");
	CHECK(!strstr(o.out, "list-options"));
}

static void parameters_are_listed_and_dumped(void)
{
	struct outcome o = run("--list-params");

	CHECK_I64(o.status, 0);
	CHECK(strstr(o.out, "1 to 1024") != NULL);
	o = run("--dump-config -p core.entries=9");
	CHECK_I64(o.status, 0);
	CHECK(strstr(o.out, "\n\n[core]\nentries = 9 ") != NULL);
}

static void groups_that_are_not_taken_are_unknown(void)
{
	struct opt_program p = {.name = "prog", .operands = "", .summary = "x", .max_operands = 0};
	char *argv[] = {"prog", "--config", "a", NULL};
	static struct outcome o;

	captured(&p, 3, argv, &o);
	CHECK_I64(o.first, -1);
	CHECK_I64(o.status, 2);
	CHECK_STR(o.err, "prog: unknown option --config, expected one of --help\n");
}

static const struct tap_test tests[] = {
	{"options fill their targets", options_fill_their_targets},
	{"an argument may be missing", an_argument_may_be_missing},
	{"what is not given keeps its default", what_is_not_given_keeps_its_default},
	{"the result has one file or several", the_result_has_one_file_or_several},
	{"options may follow operands", options_may_follow_operands},
	{"two dashes end the options", two_dashes_end_the_options},
	{"the first operand can end the options", the_first_operand_can_end_the_options},
	{"counts take k, M and G, and nothing else", counts_have_suffixes},
	{"an unknown option brings the nearest one", unknown_options_bring_the_nearest},
	{"missing, superfluous and unknown arguments are refused", arguments_are_asked_for_and_refused},
	{"the number of operands is checked", the_number_of_operands_is_checked},
	{"overrides reach the configuration", overrides_reach_the_configuration},
	{"cross-field rules are checked", cross_field_rules_are_checked},
	{"help goes to standard output with status 0", help_goes_to_stdout},
	{"the version is told", the_version_is_told},
	{"the manual page has every option", the_manual_page_has_every_option},
	{"options are listed for scripts", options_are_listed_for_scripts},
	{"parameters are listed and dumped", parameters_are_listed_and_dumped},
	{"options of groups that a program does not take are unknown", groups_that_are_not_taken_are_unknown},
};

int main(void)
{
	return tap_main("opt", tests, TAP_COUNT(tests));
}
