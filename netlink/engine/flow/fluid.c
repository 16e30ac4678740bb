#include "fluid.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "../../../psim/base/mem.h"

#define NOTHING UINT32_MAX

/* Grows every array that has one element a link to `room` links; new ones are zero. */
static int more_links(struct fluid *f, uint32_t room, struct err *e)
{
	uint32_t old = f->link_room, more = room - old;
	struct fluid_link *link = mem_resize(f->link, room, sizeof(*link), e);
	struct fluid_share *share = link ? mem_resize(f->share, room, sizeof(*share), e) : NULL;

	f->link = link ? link : f->link;
	f->share = share ? share : f->share;
	if (!share || lowest_resize(&f->watched, room, e))
		return -1;
	memset(link + old, 0, more * sizeof(*link));
	memset(share + old, 0, more * sizeof(*share));
	for (uint32_t i = old; i < room; i++)
		link[i].level = HUGE_VAL;
	f->link_room = room;
	if (vec_reserve(&f->dirty, room - f->dirty.count, e) || vec_reserve(&f->touched, room - f->touched.count, e) ||
	    vec_reserve(&f->changed, room, e))
		return -1;
	return 0;
}

int fluid_init(struct fluid *f, enum fluid_rule rule, double th, const double *capacity, uint32_t links, struct err *e)
{
	*f = (struct fluid){.rule = rule, .th = th, .free_flow = NOTHING};
	if (more_links(f, links, e))
		return -1;
	f->links = links;
	for (uint32_t i = 0; i < links; i++)
		f->link[i].capacity = capacity[i];
	return 0;
}

int fluid_add_link(struct fluid *f, double capacity, struct err *e)
{
	if (f->links == f->link_room && more_links(f, 2 * f->link_room, e))
		return -1;
	f->link[f->links++].capacity = capacity;
	return 0;
}

void fluid_set_capacity(struct fluid *f, uint32_t link, double capacity)
{
	f->link[link].capacity = capacity;
}

void fluid_finish(struct fluid *f)
{
	for (uint32_t i = 0; f->link && i < f->links; i++)
		free(f->link[i].member);
	free(f->link);
	free(f->share);
	vec_finish(&f->flow);
	vec_finish(&f->amount);
	vec_finish(&f->given);
	vec_finish(&f->path);
	vec_finish(&f->at);
	vec_finish(&f->part);
	slots_finish(&f->group);
	vec_finish(&f->regrouped);
	vec_finish(&f->list);
	vec_finish(&f->free_path);
	vec_finish(&f->dirty);
	vec_finish(&f->started);
	vec_finish(&f->touched);
	vec_finish(&f->changed);
	vec_finish(&f->affected);
	lowest_finish(&f->watched);
	vec_finish(&f->scratch);
	winner_finish(&f->ends);
}

/* Allocates a run for `hops` links, freed or new. NOTHING with `e` if memory is short. */
static uint32_t take_path(struct fluid *f, unsigned hops, struct err *e)
{
	uint32_t path;

	while (f->free_path.count <= hops) {
		uint32_t *first = vec_push(&f->free_path, e);

		if (!first)
			return NOTHING;
		*first = NOTHING;
	}
	path = f->free_path.at[hops];
	if (path != NOTHING) {
		f->free_path.at[hops] = f->path.at[path];
	} else {
		if (vec_reserve(&f->path, hops + 1, e) || vec_reserve(&f->at, hops + 1, e) ||
		    vec_reserve(&f->part, hops + 1, e))
			return NOTHING;
		path = (uint32_t)f->path.count;
		f->path.count += hops + 1;
		f->at.count += hops + 1;
		f->part.count += hops + 1;
	}
	f->path.at[path] = hops;
	return path;
}

static void give_path(struct fluid *f, uint32_t path)
{
	uint32_t hops = f->path.at[path];

	f->path.at[path] = f->free_path.at[hops];
	f->free_path.at[hops] = path;
}

/* Allocates a slot, and grows the arrays that have one element a slot. */
static uint32_t take_slot(struct fluid *f, struct err *e)
{
	uint32_t slot = f->free_flow;

	if (slot != NOTHING) {
		f->free_flow = f->flow.at[slot].path;
		return slot;
	}
	slot = (uint32_t)f->flow.count;
	/* `affected` may hold flows of the last pass: it needs room for all flows and one more */
	if (vec_reserve(&f->flow, 1, e) || vec_reserve(&f->amount, 1, e) || vec_reserve(&f->given, 1, e) ||
	    vec_reserve(&f->affected, slot + 1, e) || vec_reserve(&f->scratch, slot + 1, e) ||
	    vec_reserve(&f->list, slot + 1, e) || winner_grow(&f->ends, slot + 1, e))
		return NOTHING;
	f->flow.count++;
	f->amount.count++;
	f->given.count++;
	f->flow.at[slot] = (struct fluid_flow){0};
	f->amount.at[slot] = (struct fluid_amount){0};
	return slot;
}

static void give_slot(struct fluid *f, uint32_t slot)
{
	f->amount.at[slot].used = f->amount.at[slot].started = false;
	f->flow.at[slot].path = f->free_flow;
	f->free_flow = slot;
}

static int room_on(struct fluid_link *link, struct err *e)
{
	uint32_t room = link->room ? 2 * link->room : 4;
	struct fluid_member *member;

	if (link->count < link->room)
		return 0;
	member = mem_resize(link->member, room, sizeof(*member), e);
	if (!member)
		return -1;
	link->member = member;
	link->room = room;
	return 0;
}

static void make_dirty(struct fluid *f, uint32_t link)
{
	if (f->link[link].dirty)
		return;
	f->link[link].dirty = true;
	f->dirty.at[f->dirty.count++] = link; /* has room for all */
}

static void fluid_enter(struct fluid *f, int64_t now_ps, uint32_t slot, uint32_t crossing, uint32_t link_index)
{
	struct fluid_link *link = &f->link[link_index];

	if (!link->count)
		link->busy_since = now_ps;
	f->path.at[crossing] = link_index;
	f->at.at[crossing] = link->count;
	link->member[link->count++] = (struct fluid_member){slot, crossing};
	make_dirty(f, link_index);
}

/* Lists a flow whose rate has to be found, whatever its links do. */
static int reopen(struct fluid *f, uint32_t slot, struct err *e)
{
	if (f->amount.at[slot].started)
		return 0;
	if (vec_reserve(&f->started, 1, e))
		return -1;
	f->amount.at[slot].started = true;
	f->started.at[f->started.count++] = slot;
	return 0;
}

/* Makes room for a flow on its links and allocates its slot and its path; NOTHING with `e` if memory is short. */
static uint32_t make_room(struct fluid *f, const uint32_t *path, unsigned hops, struct err *e)
{
	uint32_t first, slot;

	for (unsigned i = 0; i < hops; i++)
		if (room_on(&f->link[path[i]], e))
			return NOTHING;
	if (vec_reserve(&f->started, 1, e))
		return NOTHING;
	slot = take_slot(f, e);
	if (slot == NOTHING)
		return NOTHING;
	first = take_path(f, hops, e);
	if (first == NOTHING) {
		give_slot(f, slot);
		return NOTHING;
	}
	f->flow.at[slot] = (struct fluid_flow){.path = first};
	return slot;
}

int fluid_start(struct fluid *f, int64_t now_ps, double size, double weight, const uint32_t *path, unsigned hops,
		uint32_t tag, uint32_t *slot, struct err *e)
{
	return fluid_start_part(f, now_ps, size, weight, path, NULL, hops, tag, NULL, slot, e);
}

/* Adds a flow to its group, a new one if `*group` is FLUID_ALONE. */
static int add_to_group(struct fluid *f, int64_t now_ps, double size, uint32_t slot, uint32_t *group, struct err *e)
{
	struct fluid_given *given = &f->given.at[slot];

	if (*group == FLUID_ALONE) {
		*group = slots_take(&f->group, e);
		if (*group == SLOT_NONE || vec_reserve(&f->regrouped, f->group.count, e))
			return -1;
		f->group.at[*group] = (struct fluid_group){.left = size, .since_ps = now_ps, .first = slot};
	} else {
		struct fluid_given *first = &f->given.at[f->group.at[*group].first];

		given->next = first->next;
		first->next = slot;
	}
	given->group = *group;
	given->size = f->amount.at[slot].left = 0;
	return 0;
}

int fluid_start_part(struct fluid *f, int64_t now_ps, double size, double weight, const uint32_t *path,
		     const double *part, unsigned hops, uint32_t tag, uint32_t *group, uint32_t *slot, struct err *e)
{
	uint32_t s = make_room(f, path, hops, e), first;

	if (s == NOTHING)
		return -1;
	first = f->flow.at[s].path;
	f->given.at[s] =
		(struct fluid_given){.size = size, .weight = weight, .group = FLUID_ALONE, .next = FLUID_ALONE};
	f->weighted |= weight != 1;
	f->amount.at[s] = (struct fluid_amount){
		.left = size,
		.since_ps = now_ps,
		.tag = tag,
		.used = true,
		.started = true,
	};
	if (group && add_to_group(f, now_ps, size, s, group, e)) {
		give_path(f, first);
		give_slot(f, s);
		return -1;
	}
	f->started.at[f->started.count++] = s;
	f->shared |= part != NULL;
	for (unsigned i = 0; i < hops; i++) {
		f->part.at[first + 1 + i] = part ? part[i] : 1;
		fluid_enter(f, now_ps, s, first + 1 + i, path[i]);
	}
	f->counts.starts++;
	if (++f->flows > f->counts.most_flows)
		f->counts.most_flows = f->flows;
	*slot = s;
	return 0;
}

int fluid_weigh(struct fluid *f, uint32_t slot, double weight, struct err *e)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	uint32_t hops;
	const uint32_t *path = fluid_path(f, flow, &hops);

	if (reopen(f, slot, e))
		return -1;
	flow->level = f->amount.at[slot].rate / weight;
	f->given.at[slot].weight = weight;
	f->weighted = true;
	for (uint32_t i = 0; i < hops; i++)
		make_dirty(f, path[i]);
	return 0;
}

int fluid_extend(struct fluid *f, int64_t now_ps, uint32_t slot, uint32_t link, struct err *e)
{
	uint32_t old = f->flow.at[slot].path, hops = f->path.at[old], path;

	if (room_on(&f->link[link], e) || reopen(f, slot, e))
		return -1;
	path = take_path(f, hops + 1, e);
	if (path == NOTHING)
		return -1;
	for (uint32_t i = 1; i <= hops; i++) {
		uint32_t on = f->path.at[path + i] = f->path.at[old + i];

		f->at.at[path + i] = f->at.at[old + i];
		f->part.at[path + i] = f->part.at[old + i];
		f->link[on].member[f->at.at[old + i]].crossing = path + i;
	}
	f->part.at[path + hops + 1] = 1;
	fluid_enter(f, now_ps, slot, path + hops + 1, link);
	f->link[link].load += f->amount.at[slot].rate;
	f->flow.at[slot].path = path;
	give_path(f, old);
	return 0;
}

static void fluid_leave(struct fluid *f, int64_t now_ps, uint32_t crossing, double rate, double size)
{
	uint32_t index = f->path.at[crossing], at = f->at.at[crossing];
	struct fluid_link *link = &f->link[index];
	struct fluid_member last = link->member[--link->count];

	assert(at <= link->count && link->busy_since <= now_ps); /* each crossing knows its place among the members */
	link->member[at] = last;
	f->at.at[last.crossing] = at;
	link->load -= rate;
	link->carried += size;
	if (!link->count)
		link->busy_ps += now_ps - link->busy_since;
	make_dirty(f, index);
}

double fluid_sent(const struct fluid *f, uint32_t slot, int64_t time_ps)
{
	const struct fluid_amount *x = &f->amount.at[slot];
	const struct fluid_given *given = &f->given.at[slot];
	double left = x->left - x->rate * (double)(time_ps - x->since_ps) * 1e-12;

	return given->size - (given->group != FLUID_ALONE || left > 0 ? left : 0);
}

static void end_flow(struct fluid *f, int64_t now_ps, uint32_t slot)
{
	const struct fluid_flow *flow = &f->flow.at[slot];
	const struct fluid_given *given = &f->given.at[slot];
	double rate = f->amount.at[slot].rate;
	double size = given->group == FLUID_ALONE ? given->size : fluid_sent(f, slot, now_ps);
	uint32_t hops = f->path.at[flow->path];

	for (uint32_t i = 1; i <= hops; i++) {
		double part = f->part.at[flow->path + i];

		if (f->carries)
			f->carries(f->user, f->amount.at[slot].tag, f->path.at[flow->path + i], size * part);
		fluid_leave(f, now_ps, flow->path + i, rate * part, size * part);
	}
	give_path(f, flow->path);
	give_slot(f, slot);
	assert(f->flows);
	f->flows--;
	f->counts.ends++;
}

void fluid_end(struct fluid *f, int64_t now_ps, uint32_t slot)
{
	uint32_t group = f->given.at[slot].group, next;

	winner_set(&f->ends, slot, WINNER_NEVER);
	for (; slot != FLUID_ALONE; slot = next) {
		next = f->given.at[slot].next;
		end_flow(f, now_ps, slot);
	}
	if (group != FLUID_ALONE) {
		f->group.at[group] = (struct fluid_group){0};
		slots_give(&f->group, group);
	}
}

double fluid_cut(struct fluid *f, int64_t now_ps, uint32_t slot)
{
	struct fluid_given *given = &f->given.at[slot];
	double left;

	if (given->group == FLUID_ALONE) {
		double sent = fluid_sent(f, slot, now_ps);

		left = given->size - sent;
		given->size = sent;
	} else {
		const struct fluid_group *g = &f->group.at[given->group];

		left = g->left - g->rate * (double)(now_ps - g->since_ps) * 1e-12;
		slot = g->first;
	}
	fluid_end(f, now_ps, slot);
	return left > 0 ? left : 0;
}

/* Converts `seconds` from `now` on to picoseconds below WINNER_NEVER; fluid.h says why halves round down. */
static int64_t fluid_after(int64_t now_ps, double seconds)
{
	double ps = seconds * 1e12;

	if (!(ps < (double)(WINNER_NEVER - 1024 - now_ps)))
		return WINNER_NEVER - 1;
	return now_ps + (int64_t)(ps + 0.4142135);
}

/* A group's end follows when all of its flows have their rates. */
static void set_rate_in_group(struct fluid *f, int64_t now_ps, uint32_t slot, double rate)
{
	struct fluid_amount *x = &f->amount.at[slot];
	uint32_t group = f->given.at[slot].group;

	x->since_ps = now_ps;
	x->rate = rate;
	f->counts.rate_changes++;
	if (f->group.at[group].changed)
		return;
	f->group.at[group].changed = true;
	f->regrouped.at[f->regrouped.count++] = group; /* has room for all */
}

void fluid_set_rate(struct fluid *f, int64_t now_ps, uint32_t slot, double rate)
{
	struct fluid_amount *x = &f->amount.at[slot];

	if (rate == x->rate)
		return;
	x->left -= x->rate * (double)(now_ps - x->since_ps) * 1e-12;
	if (f->group.count && f->given.at[slot].group != FLUID_ALONE) {
		set_rate_in_group(f, now_ps, slot, rate);
		return;
	}
	if (x->left < 0)
		x->left = 0;
	x->since_ps = now_ps;
	x->rate = rate;
	f->counts.rate_changes++;
	winner_put(&f->ends, slot, fluid_after(now_ps, x->left / rate));
}

/* Sets the rates of the groups from those of their flows. */
static void solve_groups(struct fluid *f, int64_t now_ps)
{
	for (size_t i = 0; i < f->regrouped.count; i++) {
		struct fluid_group *g = &f->group.at[f->regrouped.at[i]];
		double rate = 0;

		for (uint32_t slot = g->first; slot != FLUID_ALONE; slot = f->given.at[slot].next)
			rate += f->amount.at[slot].rate;
		g->changed = false;
		if (rate == g->rate)
			continue;
		g->left -= g->rate * (double)(now_ps - g->since_ps) * 1e-12;
		if (g->left < 0)
			g->left = 0;
		g->since_ps = now_ps;
		g->rate = rate;
		winner_put(&f->ends, g->first, fluid_after(now_ps, g->left / rate));
	}
	f->regrouped.count = 0;
}

int fluid_solve(struct fluid *f, int64_t now_ps, struct err *e)
{
	static int (*const rules[])(struct fluid *, int64_t, struct err *) = {
		[FLUID_MAXMIN] = fluid_maxmin,
		[FLUID_FAIR] = fluid_fair,
		[FLUID_ITERATE] = fluid_iterate,
		[FLUID_LITERAL] = fluid_literal,
	};

	if (!f->dirty.count)
		return 0;
	f->counts.solutions++;
	if (rules[f->rule](f, now_ps, e))
		return -1;
	solve_groups(f, now_ps);
	winner_settle(&f->ends);
	for (size_t i = 0; i < f->dirty.count; i++)
		f->link[f->dirty.at[i]].dirty = false;
	f->dirty.count = 0;
	for (size_t i = 0; i < f->started.count; i++)
		f->amount.at[f->started.at[i]].started = false;
	f->started.count = 0;
	return f->check ? fluid_verify(f, e) : 0;
}
