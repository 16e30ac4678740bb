/* The hottest links, and the ranks, pairs of ranks and calls that load them: --hot-links. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../engine/link_loads.h"
#include "jobs_state.h"
#include "../../topology/topology_names.h"
#include "program_run.h"

enum { HOT_LINKS = 10, LOADERS = 5, LOADER_TEXT = 240 };

/* ---- calls ---- */

uint64_t run_call_mark(void *user, const char *call, const void *where)
{
	struct run *run = user;
	struct run_call *to;

	for (size_t i = 0; i < run->calls.count; i++)
		if (run->calls.at[i].where == where && run->calls.at[i].call == call)
			return i + 1;
	to = vec_push(&run->calls, NULL);
	if (!to)
		return 0;
	*to = (struct run_call){call, where};
	return run->calls.count;
}

/* ---- the links ---- */

struct hot_link {
	uint32_t link;
	double bytes, seconds;
};

/* Bytes that a link carries for one rank, pair or call. */
struct loader {
	uint32_t one, other; /* rank; ranks; call */
	double bytes;
};

/* A link's loads by something, by its numbers or by bytes. */
struct loaders {
	struct loader *at;
	size_t count;
};

/* Makes the hottest links, in order; ties keep the order of links. */
static unsigned find_hot(const struct topology *t, const double *bytes, struct hot_link hot[HOT_LINKS])
{
	unsigned count = 0;

	for (uint32_t l = 0; l < t->links; l++) {
		const struct hot_link x = {l, bytes[l], run_link_seconds(t, l, bytes[l])};
		unsigned at = count;

		while (at && x.seconds > hot[at - 1].seconds)
			at--;
		if (at == HOT_LINKS || !(x.seconds > 0))
			continue;
		count += count < HOT_LINKS;
		memmove(&hot[at + 1], &hot[at], (count - at - 1) * sizeof(*hot));
		hot[at] = x;
	}
	return count;
}

static int by_numbers(const void *a, const void *b)
{
	const struct loader *x = a, *y = b;

	if (x->one != y->one)
		return x->one < y->one ? -1 : 1;
	return (x->other > y->other) - (x->other < y->other);
}

static int by_bytes(const void *a, const void *b)
{
	const struct loader *x = a, *y = b;

	if (x->bytes < y->bytes || x->bytes > y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return by_numbers(a, b);
}

/* Adds up loaders of the same numbers; the largest come first. */
static void add_up(struct loaders *x)
{
	size_t count = 0;

	if (!x->count)
		return;
	qsort(x->at, x->count, sizeof(*x->at), by_numbers);
	for (size_t i = 1; i < x->count; i++) {
		if (by_numbers(&x->at[count], &x->at[i]) == 0)
			x->at[count].bytes += x->at[i].bytes;
		else
			x->at[++count] = x->at[i];
	}
	x->count = count + 1;
	qsort(x->at, x->count, sizeof(*x->at), by_bytes);
}

/* ---- tables ---- */

enum loads_by { BY_SENDER, BY_RECEIVER, BY_PAIR, BY_CALL, LOADS_BY };

struct loads_report {
	const struct run *run;
	struct report *r;
	struct hot_link hot[HOT_LINKS];
	unsigned links;
	const struct net_load *load;
	size_t loads;
	struct loaders by[LOADS_BY]; /* of one link */
};

/* Makes the loaders of a link. */
static void find_loaders(struct loads_report *x, uint32_t link)
{
	for (unsigned k = 0; k < LOADS_BY; k++)
		x->by[k].count = 0;
	for (size_t i = 0; i < x->loads; i++) {
		const struct net_load *l = &x->load[i];
		const struct loader each[LOADS_BY] = {
			[BY_SENDER] = {l->from, 0, l->bytes},
			[BY_RECEIVER] = {l->to, 0, l->bytes},
			[BY_PAIR] = {l->from, l->to, l->bytes},
			[BY_CALL] = {l->call, 0, l->bytes},
		};

		for (unsigned k = 0; l->link == link && k < LOADS_BY; k++)
			x->by[k].at[x->by[k].count++] = each[k];
	}
	for (unsigned k = 0; k < LOADS_BY; k++)
		add_up(&x->by[k]);
}

static void cell_link(const struct loads_report *x, uint32_t link)
{
	char name[LINK_NAME_MAX];

	report_cell_text(x->r, topology_medium_name(x->run->machine.topology, link, name));
}

/* A rank, of jobs with the job's number before it: "2:17". */
static void rank_text(const struct loads_report *x, uint32_t rank, char text[LOADER_TEXT])
{
	const struct jobs *js = x->run->jobs;
	unsigned i = js ? js->count - 1 : 0;

	while (i && js->job[i].first_rank > rank)
		i--;
	if (js)
		snprintf(text, LOADER_TEXT, "%u:%" PRIu32, js->job[i].number, rank - js->job[i].first_rank);
	else
		snprintf(text, LOADER_TEXT, "%" PRIu32, rank);
}

static void cell_rank(const struct loads_report *x, uint32_t rank)
{
	char text[LOADER_TEXT];

	rank_text(x, rank, text);
	report_cell_text(x->r, text);
}

static void cells_bytes(const struct loads_report *x, const struct hot_link *h, double bytes)
{
	report_cell_f64(x->r, bytes);
	report_cell_f64(x->r, 100 * bytes / h->bytes);
}

/* Names a loader in two cells. */
static void cells_loader(const struct loads_report *x, enum loads_by by, const struct loader *l)
{
	char text[LOADER_TEXT] = "";

	switch (by) {
	case BY_SENDER:
	case BY_RECEIVER:
		cell_rank(x, l->one);
		report_cell_text(x->r, by == BY_SENDER ? "sends" : "receives");
		return;
	case BY_PAIR:
		cell_rank(x, l->one);
		cell_rank(x, l->other);
		return;
	default: break;
	}
	if (l->one && x->run->vmpi)
		vmpi_where_text(x->run->vmpi, x->run->calls.at[l->one - 1].where, text, sizeof(text));
	report_cell_text(x->r, l->one ? x->run->calls.at[l->one - 1].call : "none");
	report_cell_text(x->r, text);
}

/* Rows of a link's largest loaders, and one of the others. */
static void rows_of(const struct loads_report *x, const struct hot_link *h, enum loads_by by)
{
	const struct loaders *l = &x->by[by];
	double rest = h->bytes;
	char text[LOADER_TEXT];

	for (size_t i = 0; i < l->count && i < LOADERS; i++) {
		cell_link(x, h->link);
		cells_loader(x, by, &l->at[i]);
		cells_bytes(x, h, l->at[i].bytes);
		rest -= l->at[i].bytes;
	}
	if (l->count <= LOADERS && rest <= 1e-9 * h->bytes)
		return;
	snprintf(text, sizeof(text), "(%zu)", l->count > LOADERS ? l->count - LOADERS : 0);
	cell_link(x, h->link);
	report_cell_text(x->r, "others");
	report_cell_text(x->r, by == BY_SENDER ? "send" : by == BY_RECEIVER ? "receive" : text);
	cells_bytes(x, h, rest);
}

static void report_hot(struct loads_report *x, double seconds)
{
	static const struct report_column columns[] = {
		{"link", ""}, {"class", ""},   {"bytes", "bytes"}, {"time", "s"},
		{"use", "%"}, {"senders", ""}, {"pairs", ""},
	};
	const struct topology *t = x->run->machine.topology;

	report_table(
		x->r, "hot_links",
		"links whose bytes take the longest at their bandwidth, NICs among them, at most 10: that time, its "
		"share of the run, and who sends over them",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < x->links; i++) {
		find_loaders(x, x->hot[i].link);
		cell_link(x, x->hot[i].link);
		report_cell_text(x->r, t->class[t->link[x->hot[i].link].class].name);
		report_cell_f64(x->r, x->hot[i].bytes);
		report_cell_f64(x->r, x->hot[i].seconds);
		report_cell_f64(x->r, seconds > 0 ? 100 * x->hot[i].seconds / seconds : 0);
		report_cell_u64(x->r, x->by[BY_SENDER].count);
		report_cell_u64(x->r, x->by[BY_PAIR].count);
	}
	report_table_end(x->r);
}

/* A table of loaders; ranks are there twice, as senders and receivers. */
static void report_loaders(struct loads_report *x, const char *name, const char *text, enum loads_by by,
			   const struct report_column *columns)
{
	report_table(x->r, name, text, columns, 5);
	for (unsigned i = 0; i < x->links; i++) {
		find_loaders(x, x->hot[i].link);
		rows_of(x, &x->hot[i], by);
		if (by == BY_SENDER)
			rows_of(x, &x->hot[i], BY_RECEIVER);
	}
	report_table_end(x->r);
}

static void report_all(struct loads_report *x)
{
	static const struct report_column ranks[] = {
		{"link", ""}, {"rank", ""}, {"as", ""}, {"bytes", "bytes"}, {"share", "%"}};
	static const struct report_column pairs[] = {
		{"link", ""}, {"from", ""}, {"to", ""}, {"bytes", "bytes"}, {"share", "%"}};
	static const struct report_column calls[] = {
		{"link", ""}, {"call", ""}, {"where", ""}, {"bytes", "bytes"}, {"share", "%"}};

	report_hot(x, (double)run_time(x->run) / 1e12);
	report_loaders(x, "hot_link_ranks", "ranks that send most, and that receive most, over each of them", BY_SENDER,
		       ranks);
	report_loaders(x, "hot_link_pairs", "pairs of ranks that load each of them most", BY_PAIR, pairs);
	if (x->run->calls.count)
		report_loaders(x, "hot_link_calls", "calls in which ranks send what each of them carries", BY_CALL,
			       calls);
}

int run_loads_report(const struct run *run, struct report *r, struct err *e)
{
	struct loads_report x = {.run = run, .r = r};
	double *bytes;
	int ret = 0;

	if (!run->machine.loads)
		return 0;
	if (net_loads_check(run->machine.loads, e) < 0)
		return -1;
	bytes = run_carried(run, NULL, e);
	if (!bytes)
		return -1;
	x.links = find_hot(run->machine.topology, bytes, x.hot);
	free(bytes);
	x.load = net_loads_rows(run->machine.loads, &x.loads);
	for (unsigned k = 0; k < LOADS_BY && !ret; k++) {
		x.by[k].at = mem_alloc(x.loads, sizeof(*x.by[k].at), e);
		ret = x.by[k].at ? 0 : -1;
	}
	if (!ret)
		report_all(&x);
	for (unsigned k = 0; k < LOADS_BY; k++)
		free(x.by[k].at);
	return ret;
}
