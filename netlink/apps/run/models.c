#include "models_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/message_line.h"
#include "../../../psim/base/config/config_find.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"

void models_config_add(struct config *c)
{
	config_add_open(c, "models", "time models by name: NAME = FILE [FACTOR]; FILE is relative to this file", true);
	config_add_open(c, "skeleton", "parameters of skeletons: NAME = NUMBER", false);
}

static struct entry *models_find(const struct models *m, const char *name)
{
	for (size_t i = 0; i < m->entries.count; i++)
		if (!strcmp(m->entries.at[i].name, name))
			return &m->entries.at[i];
	return NULL;
}

static struct number *find_number(const struct models *m, const char *name)
{
	for (size_t i = 0; i < m->numbers.count; i++)
		if (!strcmp(m->numbers.at[i].name, name))
			return &m->numbers.at[i];
	return NULL;
}

/* ---- reading ---- */

static bool models_read_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value);
}

/* Cuts "FILE*1.05" or "FILE 1.05" after the file; the factor is 1 if none is given. */
static int cut_factor(char *text, double *factor, const char *place, struct err *e)
{
	size_t at = strlen(text);

	*factor = 1;
	if (strchr(text, '*') && !models_read_number(strrchr(text, '*') + 1, factor))
		return err_set(e, STATUS_USAGE, "%s: factor '%s', expected a number above 0", place,
			       strrchr(text, '*') + 1);
	while (at && !strchr("* \t", text[at - 1]))
		at--;
	if (!at || !models_read_number(text + at, factor))
		return 0;
	if (!(*factor > 0))
		return err_set(e, STATUS_USAGE, "%s: factor %g, expected a number above 0", place, *factor);
	while (at && strchr("* \t", text[at - 1]))
		text[--at] = '\0';
	return 0;
}

/* Reads the file of an entry; `place` is the place that names it. */
static int read_model(struct entry *n, const char *place, struct err *e)
{
	char found[PATH_MAX];

	model_destroy(n->model);
	n->model = model_read(config_find(n->path, found), e);
	if (!n->model && access(n->path, F_OK)) {
		const struct err missing = *e;

		return err_set(e, missing.status, "%s: %s%s", place, missing.text, config_find_places(n->path, found));
	}
	if (!n->model)
		return err_prefix(e, "%s", place);
	if (strcmp(model_unit(n->model), "s") != 0)
		return err_set(e, STATUS_BAD_INPUT, "%s: %s: model of unit '%s', expected seconds (s)", place, n->path,
			       model_unit(n->model));
	return 0;
}

/* Adds a model, or replaces the one of the same name. */
static int set_model(struct models *m, const char *name, const char *value, const char *place, struct err *e)
{
	struct entry *n = models_find(m, name);
	char *path;

	if (!n) {
		n = vec_push(&m->entries, e);
		if (!n)
			return -1;
		*n = (struct entry){.name = mem_copy_text(name, e)};
		if (!n->name)
			return -1;
	}
	path = mem_copy_text(value, e);
	if (!path)
		return -1;
	free(n->path);
	n->path = path;
	if (cut_factor(n->path, &n->factor, place, e) < 0)
		return -1;
	return read_model(n, place, e);
}

static int set_number(struct models *m, const char *name, const char *value, const char *place, struct err *e)
{
	struct number *n = find_number(m, name);
	double number;

	if (!models_read_number(value, &number))
		return err_set(e, STATUS_USAGE, "%s: %s = %s: expected a number", place, name, value);
	if (!n) {
		n = vec_push(&m->numbers, e);
		if (!n)
			return -1;
		*n = (struct number){.name = mem_copy_text(name, e)};
		if (!n->name)
			return -1;
	}
	n->value = number;
	return 0;
}

static void mark_model(struct models *m, const char *name)
{
	models_find(m, name)->option = true;
}

static void mark_number(struct models *m, const char *name)
{
	find_number(m, name)->option = true;
}

struct reading {
	struct models *m;
	int ret;
	struct err *e;
};

/* Notes whether -p gives a number, or else where. 0, or -1 with `e`. */
static int place_number(struct number *n, bool assigned, const char *origin, struct err *e)
{
	free(n->place);
	n->assigned = assigned;
	n->place = assigned ? NULL : mem_copy_text(origin, e);
	return assigned || n->place ? 0 : -1;
}

static void models_read_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct reading *r = user;
	const bool assigned = !strcmp(origin, "-p"), model = !strcmp(p->section, "models");

	if (r->ret < 0)
		return;
	if (model)
		r->ret = set_model(r->m, p->key, value, origin, r->e);
	else if (!strcmp(p->section, "skeleton"))
		r->ret = set_number(r->m, p->key, value, origin, r->e);
	else
		return;
	if (r->ret == 0 && model)
		models_find(r->m, p->key)->assigned = assigned;
	else if (r->ret == 0)
		r->ret = place_number(find_number(r->m, p->key), assigned, origin, r->e);
}

typedef int set_fn(struct models *m, const char *name, const char *value, const char *place, struct err *e);
typedef void mark_fn(struct models *m, const char *name);

/* Reads options NAME=VALUE. */
static int models_read_options(struct models *m, const char *option, const struct opt_list *list, set_fn *set,
			       mark_fn *mark, struct err *e)
{
	for (unsigned i = 0; i < list->count; i++) {
		const char *text = list->item[i], *equals = strchr(text, '=');
		char place[160], *name;
		int ret;

		if (!equals || equals == text || !equals[1])
			return err_set(e, STATUS_USAGE, "%s %s: expected NAME=VALUE", option, text);
		snprintf(place, sizeof(place), "%s %s", option, text);
		name = mem_copy_text(text, e);
		if (!name)
			return -1;
		name[equals - text] = '\0';
		ret = set(m, name, equals + 1, place, e);
		if (ret == 0)
			mark(m, name);
		free(name);
		if (ret < 0)
			return -1;
	}
	return 0;
}

struct models *models_create(const struct config *c, const struct opt_list *models, const struct opt_list *parameters,
			     struct err *e)
{
	struct models *m = mem_alloc(1, sizeof(*m), e);
	struct reading r = {m, 0, e};

	if (!m)
		return NULL;
	config_visit(c, models_read_row, &r);
	if (r.ret == 0 && models_read_options(m, "--model", models, set_model, mark_model, e) == 0 &&
	    models_read_options(m, "--set", parameters, set_number, mark_number, e) == 0)
		return m;
	models_destroy(m);
	return NULL;
}

void models_destroy(struct models *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->entries.count; i++) {
		free(m->entries.at[i].name);
		free(m->entries.at[i].path);
		model_destroy(m->entries.at[i].model);
	}
	for (size_t i = 0; i < m->numbers.count; i++) {
		free(m->numbers.at[i].name);
		free(m->numbers.at[i].place);
	}
	for (unsigned i = 0; i < m->missed_count; i++)
		free(m->missed[i].name);
	vec_finish(&m->entries);
	vec_finish(&m->numbers);
	free(m);
}

/* ---- requests of skeletons ---- */

/* Records a missing name for the report, and for hints about unused names. */
static void note_missed(struct models *m, const char *name, bool number, double value)
{
	struct step_order turn = models_turn(m);
	char *copy;
	struct err e;

	for (unsigned i = 0; i < m->missed_count; i++)
		if (m->missed[i].number == number && !strcmp(m->missed[i].name, name))
			return;
	copy = m->missed_count < MISSED_MAX ? mem_copy_text(name, &e) : NULL;
	if (copy)
		m->missed[m->missed_count++] = (struct missed){copy, value, number, turn};
}

static bool models_has(void *user, const char *name)
{
	struct entry *n = models_find(user, name);

	if (n)
		n->read = true;
	else
		note_missed(user, name, false, 0);
	return n != NULL;
}

static void explain_missing(const struct models *m, const char *name, char *why, size_t size)
{
	struct near n = near_start(name);

	for (size_t i = 0; i < m->entries.count; i++)
		near_offer(&n, m->entries.at[i].name);
	if (n.best)
		snprintf(why, size, "unknown model, did you mean '%s'?", n.best);
	else
		snprintf(why, size, "unknown model, expected a row of [models] or --model %.32s=FILE", name);
}

/* Writes a model's variables, "m, n, k", or with values, "m = 1, n = 2". */
static void list_variables(const struct model *m, const double *values, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < model_variables(m) && used < size; i++) {
		const char *name = model_variable(m, i, NULL, NULL), *comma = i ? ", " : "";
		int n = values ? snprintf(text + used, size - used, "%s%s = %g", comma, name, values[i])
			       : snprintf(text + used, size - used, "%s%s", comma, name);

		used += n > 0 ? (size_t)n : 0;
	}
}

static bool evaluate(void *user, const char *name, int count, const double *arguments, double *seconds, char *why,
		     size_t size)
{
	struct entry *n = models_find(user, name);
	struct model_watch before;
	char list[120];

	if (!n) {
		explain_missing(user, name, why, size);
		return false;
	}
	if (count < 0 || (unsigned)count != model_variables(n->model)) {
		list_variables(n->model, NULL, list, sizeof(list));
		snprintf(why, size, "%d arguments, expected %u: %s", count, model_variables(n->model), list);
		return false;
	}
	before = n->watch;
	*seconds = n->factor * model_evaluate(n->model, arguments, &n->watch);
	if (!isfinite(*seconds)) {
		list_variables(n->model, arguments, list, sizeof(list));
		snprintf(why, size, "negative time or none at %s, expected 0 or more", list);
		return false;
	}
	n->read = true;
	for (unsigned i = 0; i < model_variables(n->model); i++)
		if (n->watch.furthest[i].factor > before.furthest[i].factor)
			n->furthest[i] = models_turn(user);
	if (n->watch.warn) {
		n->warn = true;
		n->first = n->watch;
		n->first_turn = models_turn(user);
	}
	n->calls++;
	n->seconds += time_sum(*seconds);
	n->error += time_sum(*seconds * model_expected_error(n->model, arguments) / 100);
	return true;
}

static bool models_parameter(void *user, const char *name, double *value)
{
	struct number *n = find_number(user, name);

	if (!n) {
		note_missed(user, name, true, *value);
		return false;
	}
	n->read = true;
	*value = n->value;
	return true;
}

static bool models_cost(void *user, const char *name, const double *arguments, struct vmpi_cost *cost, char *why,
			size_t size)
{
	const struct entry *n = models_find(user, name);
	double *to[MODEL_QUANTITIES] = {&cost->joules, &cost->memory_bytes};
	char list[120];

	*cost = (struct vmpi_cost){.has_energy = model_says(n->model, MODEL_energy)};
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++) {
		*to[q] = n->factor * model_quantity(n->model, q, arguments);
		if (isfinite(*to[q]))
			continue;
		list_variables(n->model, arguments, list, sizeof(list));
		snprintf(why, size, "%s below 0 or none at %s, expected 0 or more", model_quantity_name(q), list);
		return false;
	}
	return true;
}

struct vmpi_skeleton models_skeleton(struct models *m, bool cost)
{
	return (struct vmpi_skeleton){models_has, evaluate, cost ? models_cost : NULL, models_parameter, m};
}

/* ---- warnings and report ---- */

/* Warns of expected errors that the program has used, and that are not those of the present psim-fit. */
static void warn_old_errors(struct entry *n, const char *program)
{
	const char *note = model_errors_note(n->model);

	if (!note || !n->read || n->errors_told)
		return;
	n->errors_told = true;
	message("%s: warning: model %s (%s) has %s: the run's interval may be too narrow, expected a model that "
		"psim-fit has fitted again",
		program, n->name, n->path, note);
}

void models_warn(struct models *m, const char *program)
{
	for (size_t i = 0; i < m->entries.count; i++) {
		struct entry *n = &m->entries.at[i];
		char text[OUTSIDE_TEXT_MAX];

		warn_old_errors(n, program);
		if (!n->warn)
			continue;
		n->warn = false;
		model_watch_text(n->model, &n->first, text, sizeof(text));
		message("%s: warning: model %s (%s) is used outside the range of its fit: %s", program, n->name,
			n->path, text);
	}
}

static void warn_unused(const struct models *m, const char *program, const char *option, const char *name)
{
	struct near n = near_start(name);

	for (unsigned i = 0; i < m->missed_count; i++)
		near_offer(&n, m->missed[i].name);
	message("%s: warning: %s%s: the program never read it%s%s%s", program, option, name,
		n.best ? ", did you mean " : "", n.best ? n.best : "", n.best ? "?" : "");
}

/* A file has numbers of several programs. One that is almost a name which this program has read is a typing error. */
static void warn_misspelt(const struct models *m, const char *program, const struct number *number)
{
	struct near n = near_start(number->name);

	for (unsigned i = 0; i < m->missed_count; i++)
		near_offer(&n, m->missed[i].name);
	if (n.best)
		message("%s: warning: %s: skeleton.%s: the program never read it, did you mean %s?", program,
			number->place, number->name, n.best);
}

void models_warn_unused(const struct models *m, const char *program)
{
	for (size_t i = 0; i < m->entries.count; i++)
		if ((m->entries.at[i].option || m->entries.at[i].assigned) && !m->entries.at[i].read)
			warn_unused(m, program, m->entries.at[i].option ? "--model " : "-p models.",
				    m->entries.at[i].name);
	for (size_t i = 0; i < m->numbers.count; i++)
		if ((m->numbers.at[i].option || m->numbers.at[i].assigned) && !m->numbers.at[i].read)
			warn_unused(m, program, m->numbers.at[i].option ? "--set " : "-p skeleton.",
				    m->numbers.at[i].name);
		else if (m->numbers.at[i].place && !m->numbers.at[i].read)
			warn_misspelt(m, program, &m->numbers.at[i]);
}

static void numbers_report(const struct models *m, struct report *r)
{
	static const struct report_column columns[] = {{"parameter", ""}, {"value", ""}, {"from", ""}};
	bool any = false;

	for (size_t i = 0; i < m->numbers.count; i++)
		any |= m->numbers.at[i].read;
	for (unsigned i = 0; i < m->missed_count; i++)
		any |= m->missed[i].number;
	if (!any)
		return;
	report_table(r, "parameters", "parameters that the program read", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < m->numbers.count; i++) {
		const struct number *n = &m->numbers.at[i];

		if (!n->read)
			continue;
		report_cell_text(r, n->name);
		report_cell_f64(r, n->value);
		report_cell_text(r, n->option ? "--set" : "[skeleton]");
	}
	for (unsigned i = 0; i < m->missed_count; i++) {
		if (!m->missed[i].number)
			continue;
		report_cell_text(r, m->missed[i].name);
		report_cell_f64(r, m->missed[i].value);
		report_cell_text(r, "program");
	}
	report_table_end(r);
}

/*
 * Writes the reasons to doubt a model, those of its file and the age of its expected errors. False if there are none.
 */
static bool doubts_of(const struct model *m, char text[OUTSIDE_TEXT_MAX + 64])
{
	const char *doubts = model_doubts(m), *note = model_errors_note(m);

	snprintf(text, OUTSIDE_TEXT_MAX + 64, "%s%s%s", doubts, *doubts && note ? "; " : "", note ? note : "");
	return *text;
}

static void entries_report(const struct models *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"model", ""},  {"file", ""},          {"factor", ""},   {"calls", ""},  {"seconds", "s"},
		{"error", "%"}, {"calls_outside", ""}, {"furthest", ""}, {"doubts", ""},
	};
	unsigned count = sizeof(columns) / sizeof(columns[0]);
	char text[OUTSIDE_TEXT_MAX + 64];
	bool doubts = false;

	if (!m->entries.count)
		return;
	for (size_t i = 0; i < m->entries.count; i++)
		doubts |= doubts_of(m->entries.at[i].model, text);
	report_table(r, "models", "calls of each time model, all ranks together", columns, doubts ? count : count - 1);
	for (size_t i = 0; i < m->entries.count; i++) {
		const struct entry *n = &m->entries.at[i];

		text[0] = '\0';
		if (n->watch.times)
			model_watch_text(n->model, &n->watch, text, sizeof(text));
		report_cell_text(r, n->name);
		report_cell_text(r, n->path);
		report_cell_f64(r, n->factor);
		report_cell_u64(r, n->calls);
		report_cell_f64(r, time_seconds(n->seconds));
		report_cell_f64(r, n->seconds ? 100 * time_seconds(n->error) / time_seconds(n->seconds) : 0);
		report_cell_u64(r, n->watch.times);
		report_cell_text(r, text);
		if (!doubts)
			continue;
		doubts_of(n->model, text);
		report_cell_text(r, text);
	}
	report_table_end(r);
}

/* An expected error above this many times the value is none: the size is outside a range that has no factor. */
#define UNKNOWN 1e3

void models_interval(const struct models *m, double seconds, double computed, double slowdown, struct report *r)
{
	double modelled = 0, error = 0, half;
	uint64_t outside = 0;

	for (size_t i = 0; m && i < m->entries.count; i++) {
		modelled += slowdown * time_seconds(m->entries.at[i].seconds);
		error += slowdown * time_seconds(m->entries.at[i].error);
		outside += m->entries.at[i].watch.times;
	}
	if (!(modelled > 0))
		return;
	error /= modelled;
	if (error > UNKNOWN)
		error = (double)NAN;
	half = error * (modelled < computed ? modelled : computed);
	report_group(r, "interval", "interval of the run's time, from the expected error of the models");
	report_f64(r, "error", 100 * error, "%", "expected error of the models, mean weighted by time");
	report_f64(r, "low", seconds - half < 0 ? 0 : seconds - half, "s",
		   "time of the run if the models predict too much by this error");
	report_f64(r, "high", seconds + half, "s", "time of the run if the models predict too little by this error");
	report_u64(r, "calls_outside", outside, "", "calls of models outside the range of their fit");
	report_end(r);
}

void models_report(const struct models *m, struct report *r)
{
	if (!m)
		return;
	numbers_report(m, r);
	entries_report(m, r);
}
