/* Reports an analysis as groups and tables. Tables have the largest rows only. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "analysis_state.h"

enum { TOP = 10, NAME_MAX_BYTES = 200 };

static double analysis_report_seconds(int64_t ps)
{
	return (double)ps / 1e12;
}

static double analysis_report_share(int64_t part, int64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

/* ---- the largest of many ---- */

struct top {
	struct {
		int64_t value;
		size_t index;
	} row[TOP];
	unsigned count;
};

/* Keeps the largest values, the first among equals. */
static void top_add(struct top *t, int64_t value, size_t index)
{
	unsigned i;

	if (value <= 0 || (t->count == TOP && value <= t->row[TOP - 1].value))
		return;
	if (t->count < TOP)
		t->count++;
	for (i = t->count - 1; i && t->row[i - 1].value < value; i--)
		t->row[i] = t->row[i - 1];
	t->row[i].value = value;
	t->row[i].index = index;
}

/* ---- places: sites without the attributes of their messages ---- */

struct place {
	const void *where;
	const char *call;
	sum128 sum; /* of all ranks */
	int64_t path;
	uint64_t count, path_count;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->where != y->where)
		return (uintptr_t)x->where < (uintptr_t)y->where ? -1 : 1;
	if (!x->call || !y->call)
		return (x->call != NULL) - (y->call != NULL);
	return strcmp(x->call, y->call);
}

/* Combines all sites of a call and a line into one place; returns their number. The caller owns the array. */
static size_t merge_places(const struct analysis *a, struct place *place)
{
	const struct record *r = a->record;
	size_t n = 0, count = 0;

	for (uint32_t i = 0; i < r->sites; i++)
		if (r->site[i].kind != SITE_PHASE)
			place[count++] = (struct place){r->site[i].where, r->site[i].call,  r->site[i].sum,
							a->path.site[i],  r->site[i].count, a->path.site_count[i]};
	if (count)
		qsort(place, count, sizeof(*place), compare_places);
	for (size_t i = 0; i < count; i++) {
		if (n && compare_places(&place[n - 1], &place[i]) == 0) {
			place[n - 1].sum += place[i].sum;
			place[n - 1].path += place[i].path;
			place[n - 1].count += place[i].count;
			place[n - 1].path_count += place[i].path_count;
		} else {
			place[n++] = place[i];
		}
	}
	return n;
}

static void place_cell(const struct vmpi *v, const struct place *p, struct report *r)
{
	char text[NAME_MAX_BYTES];

	vmpi_where_text(v, p->where, text, sizeof(text));
	report_cell_text(r, p->call ? p->call : "computation");
	report_cell_text(r, text);
}

static void place_cells(const struct analysis *a, const struct place *p, struct report *r)
{
	report_cell_f64(r, analysis_report_seconds(p->path));
	report_cell_f64(r, analysis_report_share(p->path, a->end));
	report_cell_u64(r, p->path_count);
	report_cell_f64(r, (double)p->sum / 1e12);
	report_cell_u64(r, p->count);
}

/* Sums up places that have no row of their own, and the overhead of calls, so that all shares are 100 %. */
static void place_rest(const struct analysis *a, const struct vmpi *v, const struct place *place, size_t count,
		       const struct top *shown, struct report *r)
{
	struct place rest = {.where = NULL}, overhead = {.path = a->path.sum.overhead, .path_count = a->path.overheads};
	char text[32];
	size_t others = 0;

	for (uint32_t i = 0; i < a->record->size; i++) {
		overhead.sum += (uint64_t)vmpi_rank_time(v, i);
		overhead.count += vmpi_rank_calls(v, i);
	}
	for (size_t i = 0; i < count; i++) {
		unsigned k = 0;

		overhead.sum -= place[i].sum;
		while (k < shown->count && shown->row[k].index != i)
			k++;
		if (k < shown->count || !place[i].path)
			continue;
		rest.path += place[i].path;
		rest.sum += place[i].sum;
		rest.path_count += place[i].path_count;
		rest.count += place[i].count;
		others++;
	}
	if (others) {
		snprintf(text, sizeof(text), "(%zu places)", others);
		report_cell_text(r, "others");
		report_cell_text(r, text);
		place_cells(a, &rest, r);
	}
	if (!overhead.path)
		return;
	report_cell_text(r, "call overhead");
	report_cell_text(r, "(all calls)");
	place_cells(a, &overhead, r);
}

static void report_places(const struct analysis *a, const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {{"what", ""},  {"where", ""},      {"path", "s"}, {"share", "%"},
						       {"steps", ""}, {"all_ranks", "s"}, {"times", ""}};
	struct place *place = mem_alloc(a->record->sites + 1, sizeof(*place), NULL);
	size_t count = place ? merge_places(a, place) : 0;
	struct top path = {.count = 0};

	for (size_t i = 0; i < count; i++)
		top_add(&path, place[i].path, i);
	report_table(r, "critical_path_places",
		     "what is on the critical path, by place in the program, with the time of all ranks there", columns,
		     7);
	for (unsigned i = 0; i < path.count; i++) {
		const struct place *p = &place[path.row[i].index];

		place_cell(v, p, r);
		place_cells(a, p, r);
	}
	place_rest(a, v, place, count, &path, r);
	report_table_end(r);
	free(place);
}

/* ---- ranks and phases of the path ---- */

static const struct report_column share_columns[] = {
	{"rank", ""}, {"time", "s"}, {"share", "%"}, {"compute", "s"}, {"overhead", "s"}, {"communication", "s"},
};

static int64_t whole(const struct path_share *s)
{
	return s->work + s->overhead + s->flight;
}

static void share_cells(const struct path_share *s, int64_t end, struct report *r)
{
	report_cell_f64(r, analysis_report_seconds(whole(s)));
	report_cell_f64(r, analysis_report_share(whole(s), end));
	report_cell_f64(r, analysis_report_seconds(s->work));
	report_cell_f64(r, analysis_report_seconds(s->overhead));
	report_cell_f64(r, analysis_report_seconds(s->flight));
}

static void analysis_report_ranks(const struct analysis *a, struct report *r)
{
	char text[24];
	struct top t = {.count = 0};

	for (uint32_t i = 0; i < a->record->size; i++)
		top_add(&t, whole(&a->path.rank[i]), i);
	report_table(r, "critical_path_ranks", "critical path by rank; a message belongs to the rank that waits for it",
		     share_columns, 6);
	for (unsigned i = 0; i < t.count; i++) {
		snprintf(text, sizeof(text), "%zu", t.row[i].index);
		report_cell_text(r, text); /* text, since comparisons of reports identify rows by text */
		share_cells(&a->path.rank[t.row[i].index], a->end, r);
	}
	report_table_end(r);
}

static void analysis_report_phases(const struct analysis *a, struct report *r)
{
	struct report_column columns[6];

	if (a->record->phases < 2)
		return;
	memcpy(columns, share_columns, sizeof(columns));
	columns[0].name = "phase";
	report_table(r, "critical_path_phases", "critical path by phase", columns, 6);
	for (uint32_t i = 0; i < a->record->phases; i++) {
		if (!whole(&a->path.phase[i]))
			continue;
		report_cell_text(r, i ? a->record->phase[i] : "(none)");
		share_cells(&a->path.phase[i], a->end, r);
	}
	report_table_end(r);
}

/* ---- its longest messages ---- */

static void report_steps(const struct analysis *a, const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {{"from", ""},    {"to", ""},   {"sent", "s"}, {"time", "s"},
						       {"waited", "s"}, {"what", ""}, {"where", ""}};
	struct top t = {.count = 0};

	for (size_t i = 0; i < a->path.steps; i++)
		if (a->path.step[i].wait)
			top_add(&t, a->path.step[i].to - a->path.step[i].from, i);
	report_table(r, "critical_path_messages",
		     "longest messages of the critical path, to who waited; from itself: its own that had not left",
		     columns, 7);
	for (unsigned i = 0; i < t.count; i++) {
		const struct path_step *s = &a->path.step[t.row[i].index];
		const struct wait_row *w = wait_at(&a->record->ranks[s->rank], s->wait - 1);
		const struct site *site = &a->record->site[w->site];

		report_cell_u64(r, s->origin);
		report_cell_u64(r, s->rank);
		report_cell_f64(r, analysis_report_seconds(s->from));
		report_cell_f64(r, analysis_report_seconds(s->to - s->from));
		report_cell_f64(r, analysis_report_seconds(w->end - w->from));
		place_cell(v, &(struct place){.where = site->where, .call = site->call}, r);
	}
	report_table_end(r);
}

/* ---- all waits ---- */

/* Sorts in descending order. */
static int compare_pairs(const void *a, const void *b)
{
	const struct wait_pair *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->peer > y->peer) - (x->peer < y->peer);
}

static void report_pairs(const struct analysis *a, struct report *r)
{
	static const struct report_column columns[] = {
		{"pair", ""}, {"wait", "s"}, {"late", "s"}, {"waits", ""}, {"longest", "s"},
	};
	const struct record *k = a->record;
	struct wait_pair *pair = mem_alloc(k->pairs + 1, sizeof(*pair), NULL);
	uint32_t count = 0;
	char text[32];

	for (uint32_t i = 0; pair && i < k->pair_room; i++)
		if (k->pair[i].count)
			pair[count++] = k->pair[i];
	if (count)
		qsort(pair, count, sizeof(*pair), compare_pairs);
	report_table(r, "waits",
		     "longest waits of a rank for another; late: until the other began the call that ended the wait",
		     columns, 5);
	for (unsigned i = 0; i < count && i < TOP; i++) {
		snprintf(text, sizeof(text), "%" PRIu32 " for %" PRIu32, pair[i].rank, pair[i].peer);
		report_cell_text(r, text);
		report_cell_f64(r, analysis_report_seconds(pair[i].sum));
		report_cell_f64(r, analysis_report_seconds(pair[i].late));
		report_cell_u64(r, pair[i].count);
		report_cell_f64(r, analysis_report_seconds(pair[i].longest));
	}
	report_table_end(r);
	free(pair);
}

static void report_waiting(const struct analysis *a, struct report *r)
{
	const struct record *k = a->record;
	double n = k->size;

	report_group(r, "waiting", "waiting time of all ranks");
	report_u64(r, "waits", k->waits, "", "waits of more than zero time");
	report_u64(r, "pairs", k->pairs, "", "pairs of ranks with a wait");
	report_f64(r, "wait", (double)k->waited / n / 1e12, "s", "waiting time of a rank, mean");
	report_f64(r, "late", (double)k->late / n / 1e12, "s",
		   "waiting time until the other rank began the call that ended the wait, mean");
	report_f64(r, "network", (double)(k->waited - k->late) / n / 1e12, "s",
		   "waiting time for messages in flight, mean");
	report_u64(r, "memory", k->peak_bytes, "bytes", "peak memory of the record");
	report_end(r);
}

/* The factors of M. Wagner et al., "A structured approach to performance analysis" (POP
 * methodology, 2018). */
static void report_efficiency(const struct analysis *a, struct report *r)
{
	int64_t most = 0;
	double sum = 0, n = a->record->size, end = (double)a->end;

	for (uint32_t i = 0; i < a->record->size; i++) {
		int64_t computed = a->record->ranks[i].computed;

		sum += (double)computed;
		most = computed > most ? computed : most;
	}
	report_group(r, "efficiency", "share of the ranks' time spent in computation");
	report_f64(r, "parallel", end > 0 ? 100 * sum / n / end : 0, "%",
		   "mean computation of a rank / time of the run");
	report_f64(r, "balance", most ? 100 * sum / n / (double)most : 0, "%", "mean computation of a rank / largest");
	report_f64(r, "communication", end > 0 ? 100 * (double)most / end : 0, "%",
		   "largest computation of a rank / time of the run");
	report_f64(r, "excess", analysis_report_seconds(most) - sum / n / 1e12, "s",
		   "computation of the busiest rank beyond the mean");
	report_end(r);
}

static void report_path(const struct analysis *a, struct report *r)
{
	const struct path_share *s = &a->path.sum;
	uint64_t ranks = 0;

	for (uint32_t i = 0; i < a->record->size; i++)
		ranks += whole(&a->path.rank[i]) > 0;
	report_group(r, "critical_path",
		     "chain of computation, calls and messages that determines the end of the last rank");
	report_f64(r, "seconds", analysis_report_seconds(whole(s)), "s",
		   "length of the critical path, which is the time of the run");
	report_f64(r, "compute", analysis_report_seconds(s->work), "s", "computation on the critical path");
	report_f64(r, "overhead", analysis_report_seconds(s->overhead), "s", "call overhead on the critical path");
	report_f64(r, "communication", analysis_report_seconds(s->flight), "s",
		   "time of messages on the critical path");
	report_f64(r, "latency", analysis_report_seconds(a->latency), "s",
		   "time of messages on the path without data, alone in the network");
	report_f64(r, "transfer", analysis_report_seconds(a->transfer), "s",
		   "additional time of the data of these messages, alone in the network");
	report_f64(r, "contention", analysis_report_seconds(a->contention), "s",
		   "remaining time of these messages: contention, service order, pacing");
	if (a->together)
		report_f64(r, "together", analysis_report_seconds(a->together), "s",
			   "collective operations on the path that count as a whole: by table or tree, of execution "
			   "traces");
	report_u64(r, "messages", a->messages, "", "messages on the critical path");
	report_u64(r, "ranks", ranks, "", "ranks on the critical path");
	report_u64(r, "last_rank", a->path.last, "", "rank at which the critical path ends");
	report_end(r);
}

/* ---- what bounds the run ---- */

static struct bound_figures analysis_figures(const struct analysis *a)
{
	struct bound_figures f = {
		.work = a->path.sum.work,
		.overhead = a->path.sum.overhead,
		.latency = a->latency,
		.transfer = a->transfer,
		.copies = a->copies,
		.contention = a->contention,
		.together = a->together,
		.links = a->links,
	};
	sum128 sum = 0;

	for (uint32_t i = 0; i < a->record->size; i++) {
		sum += (uint64_t)a->record->ranks[i].computed;
		f.most = a->record->ranks[i].computed > f.most ? a->record->ranks[i].computed : f.most;
	}
	f.mean = (int64_t)(sum / a->record->size);
	return f;
}

static void report_bounds(const struct analysis *a, struct report *r)
{
	static const struct report_column columns[] = {{"part", ""}, {"time", "s"}, {"share", "%"}, {"meaning", ""}};
	const struct bound_figures f = analysis_figures(a);
	int64_t ps[BOUNDS];
	struct top t = {.count = 0};

	bounds_divide(&f, ps);
	for (size_t i = 0; i < BOUNDS; i++)
		top_add(&t, ps[i], i);
	report_table(r, "bounds", "what bounds the run: parts of its time, which is the critical path's, largest first",
		     columns, 4);
	for (unsigned i = 0; i < t.count; i++) {
		enum bound b = (enum bound)t.row[i].index;

		report_cell_text(r, bound_name(b));
		report_cell_f64(r, analysis_report_seconds(ps[b]));
		report_cell_f64(r, analysis_report_share(ps[b], a->end));
		report_cell_text(r, bound_meaning(b));
	}
	report_table_end(r);
}

int64_t analysis_computation(const struct analysis *a)
{
	return a->path.sum.work;
}

void analysis_report(const struct analysis *a, const struct vmpi *v, struct report *r)
{
	report_bounds(a, r);
	report_path(a, r);
	report_efficiency(a, r);
	report_waiting(a, r);
	analysis_report_phases(a, r);
	analysis_report_ranks(a, r);
	report_places(a, v, r);
	report_steps(a, v, r);
	report_pairs(a, r);
}
