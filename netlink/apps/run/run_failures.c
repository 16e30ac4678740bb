/* Links, routers and nodes that fail or are repaired during the run: the networks of --fail and --repair. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../topology/down.h"
#include "run_machine.h"

enum {
	CHANGES_MOST = 1000,
	PROVED_MOST =
		64, /* nodes of networks whose freedom from deadlock is proved: the time grows with their square */
};

/* One of the options. */
struct failure {
	int64_t time_ps;
	const char *text, *item;
	bool up;
	unsigned order; /* among those of one time: failures before repairs, then as they are typed */
};

static const char *option_of(const struct failure *x)
{
	return x->up ? "--repair" : "--fail";
}

static int failure_read(struct failure *x, const char *text, bool up, unsigned order, bool *round, struct err *e)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	char time[64];

	*x = (struct failure){.text = text, .item = colon ? colon + 1 : "", .up = up, .order = order};
	snprintf(time, sizeof(time), "%.*s", (int)(length < sizeof(time) ? length : 0), text);
	if (!inputs_read_time(time, &x->time_ps))
		return err_set(e, STATUS_USAGE,
			       "%s %s: expected TIME:ITEM, a time from 0 up and a link A-B, router:R or node:N",
			       option_of(x), text);
	if (!*x->item)
		return err_set(e, STATUS_USAGE, "%s %s: no item, expected a link A-B, router:R or node:N", option_of(x),
			       text);
	if (down_check(x->item, round, e) < 0)
		return err_prefix(e, "%s %s", option_of(x), text);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;

	if (x->time_ps != y->time_ps)
		return x->time_ps < y->time_ps ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Reads the options, in order of time. Sets *round if links or routers fail. NULL with `e`. */
static struct failure *failures_read(const struct settings *s, unsigned *count, bool *round, struct err *e)
{
	struct failure *x = mem_alloc(s->fails.count + s->repairs.count + (size_t)1, sizeof(*x), e);
	bool any = false;

	*count = 0;
	for (unsigned i = 0; x && i < s->fails.count + s->repairs.count; i++) {
		bool up = i >= s->fails.count, this;
		const char *text = up ? s->repairs.item[i - s->fails.count] : s->fails.item[i];

		if (failure_read(&x[i], text, up, i, &this, e) < 0) {
			free(x);
			return NULL;
		}
		any |= this;
		(*count)++;
	}
	if (x && *count)
		qsort(x, *count, sizeof(*x), by_time);
	*round = any;
	return x;
}

static bool is_down_text(const struct topology_config *c)
{
	return *c->topology.down && strcmp(c->topology.down, "none") != 0;
}

int failures_check(struct run_machine *m, const struct settings *s, struct err *e)
{
	unsigned count = s->fails.count + s->repairs.count;
	struct failure *x;

	if (count > CHANGES_MOST)
		return err_set(e, STATUS_USAGE, "--fail and --repair: %u of them, expected at most %d", count,
			       CHANGES_MOST);
	if (s->network && (count || is_down_text(&m->topology_config)))
		return err_set(e, STATUS_USAGE,
			       "%s: a description has its own links and routing (--network), expected a network of "
			       "topology.kind",
			       !count           ? "topology.down"
			       : s->fails.count ? "--fail"
						: "--repair");
	x = failures_read(s, &count, &m->topology_config.links_fail, e);
	free(x);
	return x ? 0 : -1;
}

static struct net_change *add_change(struct net_changes *c, const struct failure *x)
{
	struct net_change *at = &c->at[c->count];

	*at = (struct net_change){.time_ps = x->time_ps};
	return at;
}

/* Adds "down 0-1" to what a change is. */
static void say_change(struct net_change *at, const struct failure *x)
{
	size_t used = strlen(at->what);

	snprintf(at->what + used, sizeof(at->what) - used, "%s%s %s", used ? ", " : "", x->up ? "up" : "down", x->item);
}

/* Makes the change of x[0] and of those at the same time; returns how many, or -1 with `e`. */
static int make_change(struct run_machine *m, const struct failure *x, unsigned count, const struct topology *before,
		       struct err *e)
{
	struct net_change *at = add_change(m->changes, x);
	struct topology_down *d = down_copy(before, e);
	unsigned i = 0;

	for (; d && i < count && x[i].time_ps == x->time_ps; i++) {
		if (down_take(d, m->topology, x[i].item, x[i].up, e) < 0) {
			err_prefix(e, "%s", option_of(&x[i]));
			down_destroy(d);
			return -1;
		}
		say_change(at, &x[i]);
	}
	at->topology = d ? topology_without(m->topology, d, e) : NULL;
	if (!at->topology)
		return -1;
	m->changes->count++;
	return (int)i;
}

/* All networks have the virtual channels of the one that needs the most: engines have them from the start. */
static void share_channels(struct run_machine *m)
{
	unsigned most = m->topology->vcs;

	for (unsigned i = 0; i < m->changes->count; i++)
		most = m->changes->at[i].topology->vcs > most ? m->changes->at[i].topology->vcs : most;
	m->topology->vcs = most;
	for (unsigned i = 0; i < m->changes->count; i++)
		((struct topology *)m->changes->at[i].topology)->vcs = most;
}

static int make_changes(struct run_machine *m, const struct failure *x, unsigned count, struct err *e)
{
	const struct topology *before = m->topology;

	m->changes = mem_alloc(1, sizeof(*m->changes) + count * sizeof(m->changes->at[0]), e);
	if (!m->changes)
		return -1;
	for (unsigned i = 0; i < count;) {
		int made = make_change(m, &x[i], count - i, before, e);

		if (made < 0)
			return -1;
		before = m->changes->at[m->changes->count - 1].topology;
		i += (unsigned)made;
	}
	share_channels(m);
	return 0;
}

int failures_make(struct run_machine *m, const struct settings *s, struct err *e)
{
	unsigned count = s->fails.count + s->repairs.count;
	struct failure *x;
	bool round;
	int ret;

	if (!m->kind->links && (count || m->topology->down))
		return err_set(e, STATUS_USAGE, "%s: engine %s does not model links, expected engine packet or flow",
			       count ? "--fail" : "topology.down", m->kind->name);
	if (!count)
		return 0;
	x = failures_read(s, &count, &round, e);
	ret = x ? make_changes(m, x, count, e) : -1;
	free(x);
	return ret;
}

int failures_prove(const struct net_changes *c, struct err *e)
{
	for (unsigned i = 0; c && i < c->count; i++)
		if (c->at[i].topology->nodes <= PROVED_MOST && topology_check_deadlock(c->at[i].topology, e) < 0)
			return -1;
	return 0;
}

void failures_destroy(struct net_changes *c)
{
	for (unsigned i = 0; c && i < c->count; i++)
		topology_destroy((struct topology *)c->at[i].topology);
	free(c);
}
