/* What is asked of a run beyond its report: the critical path; the window of its logs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/config/value.h"
#include "program_run.h"

/* ---- the window ---- */

bool analyse_has_window(const struct run *run)
{
	return run->set.window || run->set.window_ranks;
}

/* A time: a plain number is seconds. */
static bool read_time(const char *text, int64_t *ps)
{
	static const struct param row = {.type = PARAM_TIME, .min = 0, .max = 4e18, .unit = "ps"};
	char *end;
	double seconds = strtod(text, &end);
	struct err e;

	if (*end || end == text)
		return end != text && value_read(&row, text, ps, &e) == 0;
	if (!(seconds >= 0 && seconds <= 4e6))
		return false;
	*ps = (int64_t)(seconds * 1e12 + 0.5);
	return true;
}

static int read_times(struct run *run, const char *option, struct err *e)
{
	struct net_log_window *w = &run->window;
	const char *colon = strchr(option, ':');
	char from[64];
	size_t length = colon ? (size_t)(colon - option) : 0;

	if (colon && length < sizeof(from)) {
		memcpy(from, option, length);
		from[length] = '\0';
		if (read_time(from, &w->from_ps) && read_time(colon + 1, &w->to_ps) && w->from_ps < w->to_ps)
			return 0;
	}
	return err_set(e, STATUS_USAGE, "--window '%s': expected FROM:TO, two times of which the first is earlier",
		       option);
}

static int read_ranks(struct run *run, const char *option, struct err *e)
{
	struct net_log_window *w = &run->window;
	char rest;
	int n = sscanf(option, "%" SCNu32 "-%" SCNu32 "%c", &w->first_rank, &w->last_rank, &rest);

	if (n == 1 && strspn(option, "0123456789") == strlen(option)) {
		w->last_rank = w->first_rank;
		n = 2;
	}
	if (n != 2 || !strchr("0123456789", option[0]) || w->first_rank > w->last_rank || w->last_rank >= run->ranks)
		return err_set(e, STATUS_USAGE, "--window-ranks '%s': expected A-B, ranks from 0 to %" PRIu32, option,
			       run->ranks - 1);
	w->node_of = run->node_of;
	return 0;
}

int analyse_read_window(struct run *run, struct err *e)
{
	run->window = (struct net_log_window){.to_ps = INT64_MAX - 1, .last_rank = run->ranks - 1, .ranks = run->ranks};
	if (run->set.window && read_times(run, run->set.window, e) < 0)
		return -1;
	return run->set.window_ranks ? read_ranks(run, run->set.window_ranks, e) : 0;
}

/* ---- what vmpi tells ---- */

static void note_computed(void *user, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	const struct run *run = user;

	analysis_computed(run->analysis, rank, from, to, where);
}

int analyse_start(struct run *run, struct err *e)
{
	struct analysis_setup setup = {
		.ranks = run->ranks,
		.node_of = run->node_of,
		.config = &run->vmpi_config,
		.picture = run->set.picture != NULL,
		.from_ps = run->window.from_ps,
		.to_ps = run->set.window ? run->window.to_ps : INT64_MAX,
		.first_rank = run->window.first_rank,
		.last_rank = run->window.last_rank,
		.kind = run->kind,
		.net = {.topology = run->topology, .config = &run->net_config, .seed = run->set.seed},
	};

	if (!run->set.critical_path && !run->set.picture)
		return 0;
	run->analysis = analysis_create(&setup, e);
	if (!run->analysis)
		return -1;
	run->observer.computed = note_computed;
	return 0;
}

int analyse_between(struct run *run, struct err *e)
{
	return run->analysis ? analysis_between(run->analysis, run->vmpi, e) : 0;
}

int analyse_finish(struct run *run, struct err *e)
{
	return run->analysis ? analysis_finish(run->analysis, run->vmpi, e) : 0;
}

void analyse_picture(const struct run *run)
{
	if (run->picture_out)
		analysis_picture(run->analysis, run->vmpi, out_file(run->picture_out));
}

void analyse_report(const struct run *run, struct report *r)
{
	if (run->analysis && run->set.critical_path)
		analysis_report(run->analysis, run->vmpi, r);
}
