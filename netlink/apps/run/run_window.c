/* --window and --window-ranks: the part of a run that is logged and drawn. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/config/value.h"
#include "run_inputs.h"

bool inputs_have_window(const struct run_inputs *in)
{
	return in->set.window || in->set.window_ranks;
}

bool inputs_read_time(const char *text, int64_t *ps)
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

static int read_times(struct net_log_window *w, const char *option, struct err *e)
{
	const char *colon = strchr(option, ':');
	char from[64];
	size_t length = colon ? (size_t)(colon - option) : 0;

	if (colon && length < sizeof(from)) {
		memcpy(from, option, length);
		from[length] = '\0';
		if (inputs_read_time(from, &w->from_ps) && inputs_read_time(colon + 1, &w->to_ps) &&
		    w->from_ps < w->to_ps)
			return 0;
	}
	return err_set(e, STATUS_USAGE, "--window '%s': expected FROM:TO, two times in ascending order", option);
}

static int run_window_read_ranks(struct net_log_window *w, const char *option, struct err *e)
{
	char rest;
	int n = sscanf(option, "%" SCNu32 "-%" SCNu32 "%c", &w->first_rank, &w->last_rank, &rest);

	if (n == 1 && strspn(option, "0123456789") == strlen(option)) {
		w->last_rank = w->first_rank;
		n = 2;
	}
	if (n != 2 || !strchr("0123456789", option[0]) || w->first_rank > w->last_rank || w->last_rank >= w->ranks)
		return err_set(e, STATUS_USAGE, "--window-ranks '%s': expected A-B, ranks from 0 to %" PRIu32, option,
			       w->ranks - 1);
	return 0;
}

int inputs_read_window(struct run_inputs *in, uint32_t ranks, const uint32_t *node_of, struct err *e)
{
	const struct settings *s = &in->set;
	struct net_log_window *w = &in->window;

	*w = (struct net_log_window){.to_ps = INT64_MAX - 1, .last_rank = ranks - 1, .ranks = ranks};
	if (s->window && read_times(w, s->window, e) < 0)
		return -1;
	if (!s->window_ranks)
		return 0;
	w->node_of = node_of;
	return run_window_read_ranks(w, s->window_ranks, e);
}
