/*
 * One run of bsim or nsim, as a process: the parameters that are not defaults are its options, and its report, as CSV,
 * has the figures. The process ends with the one that waits for it.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "system_point.h"

struct words vec_of(char *);

/* ---- the command ---- */

struct command {
	struct words words;
	const struct study *study;
	int ret;
	struct err *e;
};

static void add_word(struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_word(struct command *c, const char *format, ...)
{
	char text[2 * PARAM_TEXT_MAX], **at = c->ret < 0 ? NULL : vec_push(&c->words, c->e);
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (at)
		*at = mem_copy_text(text, c->e);
	if (!at || !*at)
		c->ret = -1;
}

/* Adds a parameter that is no default, and of the simulator. */
static void add_param(void *user, const struct param *p, const char *value, const char *origin)
{
	struct command *c = user;
	static const char *const own[] = {"run", "arguments"};

	if (!strcmp(origin, "default"))
		return;
	for (size_t n = 0; n < sizeof(own) / sizeof(own[0]); n++)
		if (!strcmp(p->section, own[n]))
			return;
	add_word(c, "-p");
	add_word(c, "%s.%s=%s", p->section, p->key, value);
}

static void add_words(struct command *c, const char *text)
{
	char *copy = mem_copy_text(text, c->e), *left;

	if (!copy) {
		c->ret = -1;
		return;
	}
	for (char *word = strtok_r(copy, " \t", &left); word; word = strtok_r(NULL, " \t", &left))
		add_word(c, "%s%s", word == copy && word[0] != '-' && !strchr(word, '/') ? "./" : "", word);
	free(copy);
}

/* Makes the words of the command, and NULL behind them. 0, or -1 with `e`. */
static int make_command(struct command *c, const struct plan_file *f, const struct simulate_options *o, uint64_t seed)
{
	const struct study *s = c->study;
	char **end;

	add_word(c, "%s", s->kind->name);
	add_word(c, "-q");
	add_word(c, "--format=csv");
	if (o->check)
		add_word(c, "--check");
	add_word(c, "--seed=%" PRIu64, seed);
	if (s->system->own.run.ranks) {
		add_word(c, "-n");
		add_word(c, "%u", s->system->own.run.ranks);
	}
	if (*s->system->own.run.mapping) {
		add_word(c, "--mapping");
		add_word(c, "%s", s->system->own.run.mapping);
	}
	config_visit(s->config, add_param, c);
	add_words(c, f->path);
	end = c->ret < 0 ? NULL : vec_push(&c->words, c->e);
	if (!end)
		return -1;
	*end = NULL;
	return 0;
}

static void command_finish(struct command *c)
{
	for (size_t n = 0; n < c->words.count; n++)
		free(c->words.at[n]);
	vec_finish(&c->words);
}

/* ---- the process ---- */

/* The program beside this one, or else in PATH. */
_Noreturn static void run_command(char *const *words, const int files[2])
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 64);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(files[0], STDOUT_FILENO) < 0 || dup2(files[1], STDERR_FILENO) < 0)
		_exit(126);
	if (length > 0) {
		self[length] = '\0';
		snprintf(strrchr(self, '/') + 1, 60, "%s", words[0]);
		execv(self, words);
	}
	execvp(words[0], words);
	fprintf(stderr, "%s: cannot run: %s\n", words[0], strerror(errno));
	_exit(126);
}

/* Runs the words with standard output and error in `files`. Returns its wait status, or -1 with `e`. */
static int run_process(char *const *words, const int files[2], struct err *e)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		run_command(words, files);
	if (pid < 0)
		return err_set(e, STATUS_FAILED, "cannot create a process: %s", strerror(errno));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Fails with the line that the program has written on its error. */
static int say_why(const char *name, int status, FILE *errors, struct err *e)
{
	char line[1024], prefix[32];
	size_t length = (size_t)snprintf(prefix, sizeof(prefix), "%s: ", name);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;

	rewind(errors);
	while (fgets(line, sizeof(line), errors)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, prefix, length) && strncmp(line + length, "warning: ", 9) != 0 &&
		    strncmp(line + length, "note: ", 6) != 0)
			return err_set(e, (enum exit_status)code, "%s", line + length);
	}
	return err_set(e, STATUS_FAILED, WIFSIGNALED(status) ? "%s was killed by signal %d" : "%s ended with status %d",
		       name, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* ---- figures ---- */

struct reading {
	struct figures *out;
	bool got[FIGURE_COUNT];
	double expected; /* time to solution, by Daly's formula; 0: none */
};

/* Reads the number of a line "table,key,row,value,…" if it is of this table and key. */
static bool cell(const char *line, const char *table, const char *key, double *value)
{
	size_t t = strlen(table), k = strlen(key);
	const char *at;
	char *end;

	if (strncmp(line, table, t) != 0 || line[t] != ',' || strncmp(line + t + 1, key, k) != 0 ||
	    line[t + 1 + k] != ',')
		return false;
	at = strchr(line + t + k + 2, ',');
	if (!at)
		return false;
	*value = strtod(at + 1, &end);
	return end != at + 1;
}

static void read_line(struct reading *r, const char *line)
{
	static const struct {
		enum figure figure;
		const char *table, *key;
		double factor;
	} rows[] = {
#define S(figure, table, key, factor) {FIGURE_##figure, table, key, factor},
#include "system_figures.def"
#undef S
	};
	double value;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		if (r->got[rows[n].figure] || !cell(line, rows[n].table, rows[n].key, &value))
			continue;
		r->out->value[rows[n].figure] = value * rows[n].factor;
		r->got[rows[n].figure] = true;
	}
	if (cell(line, "reliability", "expected", &value))
		r->expected = value;
}

/*
 * A run in which nothing fails has its own time, and one whose failures are too many to draw Daly's. 0, or -1 with `e`:
 * it has no time to solution.
 */
static int read_solution(const struct study *s, struct reading *r, struct err *e)
{
	if (r->got[FIGURE_solution_s])
		return 0;
	if (!reliability_given(&s->system->reliability)) { /* nothing fails */
		r->out->value[FIGURE_solution_s] = r->out->value[FIGURE_seconds];
		r->out->value[FIGURE_solution_j] = r->out->value[FIGURE_system_j];
		return 0;
	}
	if (!(r->expected > 0))
		return err_set(e, STATUS_FAILED,
			       "[reliability]: no time to solution is known: the program hardly advances "
			       "between failures, or the file of failures ends before it");
	r->out->value[FIGURE_solution_s] = r->expected;
	return 0;
}

static int system_read_figures(const struct study *s, FILE *report, struct figures *out, struct err *e)
{
	struct reading r = {.out = out};
	char *line = NULL;
	size_t room = 0;

	*out = (struct figures){{0}};
	rewind(report);
	while (getline(&line, &room, report) > 0)
		read_line(&r, line);
	free(line);
	if (!r.got[FIGURE_seconds])
		return err_set(e, STATUS_FAILED, "the report of %s has no time", s->kind->name);
	return read_solution(s, &r, e);
}

/* ---- runs ---- */

static int run_in(const struct study *s, char *const *words, FILE *const files[2], struct figures *out, struct err *e)
{
	const int fds[2] = {fileno(files[0]), fileno(files[1])};
	int status = run_process(words, fds, e);

	if (status < 0)
		return -1;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return say_why(s->kind->name, status, files[1], e);
	return system_read_figures(s, files[0], out, e);
}

static int run_seed(const struct study *s, const struct plan_file *f, const struct simulate_options *o, uint64_t seed,
		    struct figures *out, struct err *e)
{
	struct command c = {.study = s, .e = e};
	FILE *files[2] = {tmpfile(), tmpfile()};
	int ret = -1;

	if (!files[0] || !files[1])
		err_set(e, STATUS_FAILED, "cannot make a temporary file: %s", strerror(errno));
	else if (make_command(&c, f, o, seed) == 0)
		ret = run_in(s, c.words.at, files, out, e);
	command_finish(&c);
	for (unsigned n = 0; n < 2; n++)
		if (files[n])
			fclose(files[n]);
	return ret;
}

int system_run(const struct study *s, const struct plan_file *f, const struct simulate_options *o, struct figures *out,
	       struct err *e)
{
	struct figures *figures = mem_alloc(o->runs, sizeof(*figures), e);
	int ret = figures ? 0 : -1;

	for (uint64_t n = 0; ret == 0 && n < o->runs; n++)
		ret = run_seed(s, f, o, n + 1, &figures[n], e);
	if (ret == 0)
		figures_mean(figures, o->runs, out);
	free(figures);
	return ret;
}
