/* Regions of interest: counts between their marks, summed over all entries. */
#include <stdlib.h>

#include "core_state.h"
#include "../bpred/bpred.h"

static int regions_find_region(struct core *c, const char *name, uint32_t *out)
{
	struct region_track *t;

	for (uint32_t n = 0; n < c->regions.count; n++) {
		if (!strcmp(c->regions.list[n].r.name, name)) {
			*out = n;
			return 0;
		}
	}
	if (c->regions.count == c->regions.size) {
		unsigned size = c->regions.size ? 2 * c->regions.size : 8;

		t = realloc(c->regions.list, size * sizeof(*t));
		if (!t)
			return err_set(c->error, STATUS_FAILED, "core: out of memory for %u regions", size);
		c->regions.list = t;
		c->regions.size = size;
	}
	t = &c->regions.list[c->regions.count];
	memset(t, 0, sizeof(*t));
	t->r.name = strdup(name);
	if (!t->r.name)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for a region's name");
	*out = c->regions.count++;
	return 0;
}

/* Adds a mark before instruction `seq` of those that are simulated. */
static int add_mark_at(struct core *c, uint32_t region, bool begin, uint64_t seq)
{
	struct region_mark *m;

	if (c->regions.mark_head && c->regions.mark_head + c->regions.mark_count == c->regions.mark_size) {
		memmove(c->regions.marks, c->regions.marks + c->regions.mark_head, c->regions.mark_count * sizeof(*m));
		c->regions.mark_head = 0;
	}
	if (c->regions.mark_head + c->regions.mark_count == c->regions.mark_size) {
		unsigned size = c->regions.mark_size ? 2 * c->regions.mark_size : 16;

		m = realloc(c->regions.marks, size * sizeof(*m));
		if (!m)
			return err_set(c->error, STATUS_FAILED, "core: out of memory for %u region marks", size);
		c->regions.marks = m;
		c->regions.mark_size = size;
	}
	c->regions.marks[c->regions.mark_head + c->regions.mark_count++] = (struct region_mark){
		.region = region,
		.begin = begin,
		.seq = seq,
		.place = c->front.feed.counted,
	};
	c->run_to = 0;
	return 0;
}

/* Adds a mark before the next instruction that is read. */
static int add_mark(struct core *c, uint32_t region, bool begin)
{
	return add_mark_at(c, region, begin, c->front.feed.simulated);
}

int section_mark(struct core *c, uint64_t seq)
{
	return add_mark_at(c, REGION_SECTION, false, seq);
}

int region_mark(struct core *c, const char *name, bool begin)
{
	uint32_t region = 0;

	return regions_find_region(c, name, &region) < 0 ? -1 : add_mark(c, region, begin);
}

/* Makes room for the counts of `size` units, where those of each are kept. False: no memory. */
static bool grow_each(struct core *c, uint64_t size)
{
	struct units *u = &c->regions.units;
	struct core_region *each;

	if (!c->opt.sample->chosen && !c->opt.sample->each)
		return true;
	each = realloc(u->each, size * sizeof(*each));
	if (!each)
		return false;
	u->each = each;
	memset(each + u->size, 0, (size - u->size) * sizeof(*each));
	return true;
}

int unit_mark(struct core *c, bool begin)
{
	struct units *u = &c->regions.units;
	uint64_t need = u->count + 2, size = u->size ? 2 * u->size : 64; /* one may be read but not committed */
	struct sample_counts *list;

	if (need <= u->size)
		return add_mark(c, REGION_UNIT, begin);
	list = realloc(u->list, size * sizeof(*list));
	if (list)
		u->list = list;
	if (!list || !grow_each(c, size))
		return err_set(c->error, STATUS_FAILED, "core: out of memory for %llu units of the sample",
			       (unsigned long long)size);
	u->size = size;
	return add_mark(c, REGION_UNIT, begin);
}

int segment_mark(struct core *c)
{
	return add_mark(c, REGION_SEGMENT, false);
}

/* into += now - then, for structs made of uint64_t only. */
static void add_difference(void *into, const void *now, const void *then, size_t bytes)
{
	uint64_t *a = into;
	const uint64_t *b = now, *d = then;

	for (size_t n = 0; n < bytes / sizeof(*a); n++)
		a[n] += b[n] - d[n];
}

/* Makes the activity of the region's counts. */
static void regions_activity(const struct core *c, struct core_region *r)
{
	const struct counts k = {c->cfg, c->array, r->stats, r->memory, r->branch};

	counts_activity(&k, &r->activity);
}

/* Adds the counts since the region was entered to `r`. */
static void regions_add_entry(const struct core *c, const struct region_track *t, struct core_region *r)
{
	add_difference(&r->stats, &c->counters.stats, &t->at_entry, sizeof(c->counters.stats));
	add_difference(&r->memory, memsys_stats(c->mem), &t->memory_at_entry, sizeof(r->memory));
	add_difference(&r->branch, bpred_stats(c->bpred), &t->branch_at_entry, sizeof(r->branch));
	regions_activity(c, r);
}

static void regions_enter(struct core *c, struct region_track *t)
{
	t->at_entry = c->counters.stats;
	t->memory_at_entry = *memsys_stats(c->mem);
	t->branch_at_entry = *bpred_stats(c->bpred);
}

/* Counts so far of what was simulated. */
static void regions_simulated(const struct core *c, struct sample_counts *out)
{
	const struct memsys_stats *m = memsys_stats(c->mem);

	*out = (struct sample_counts){
		.instructions = c->counters.stats.instructions,
		.cycles = c->counters.stats.cycles,
		.events =
			{
				[SAMPLE_MISPREDICTS] = bpred_stats(c->bpred)->mispredicted,
				[SAMPLE_LINES] = m->l2_data_accesses + m->l2_instruction_accesses,
				[SAMPLE_READS] = m->memory_reads,
				[SAMPLE_WALKS] = m->dtlb_walks,
			},
	};
}

void regions_count_afresh(struct core *c)
{
	for (unsigned n = 0; n < c->regions.count; n++) {
		struct region_track *t = &c->regions.list[n];

		t->r = (struct core_region){.name = t->r.name, .depth = t->r.depth};
		if (t->r.depth)
			regions_enter(c, t);
	}
}

/* Counts so far of warming. */
static void regions_warmed(const struct core *c, struct sample_counts *out)
{
	struct memsys_warmed w;

	memsys_warmed(c->mem, &w);
	out->warmed_instructions = c->front.feed.warmed;
	out->warmed_events[SAMPLE_MISPREDICTS] = bpred_train_mispredicted(c->bpred);
	out->warmed_events[SAMPLE_LINES] = w.lines;
	out->warmed_events[SAMPLE_READS] = w.reads;
	out->warmed_events[SAMPLE_WALKS] = w.walks;
}

static void apply_unit(struct core *c, const struct region_mark *m)
{
	struct units *u = &c->regions.units;
	struct sample_counts *unit = &u->list[u->count];

	if (m->begin) {
		regions_simulated(c, &u->begin);
		u->first = m->place;
		u->begin_warmed = u->warmed;
		regions_warmed(c, &u->warmed);
		regions_enter(c, &u->now);
		return;
	}
	regions_simulated(c, unit);
	add_difference(unit, &(struct sample_counts){0}, &u->begin, sizeof(u->begin));
	unit->first = u->first;
	unit->warmed_instructions = u->warmed.warmed_instructions - u->begin_warmed.warmed_instructions;
	for (unsigned n = 0; n < SAMPLE_EVENTS; n++)
		unit->warmed_events[n] = u->warmed.warmed_events[n] - u->begin_warmed.warmed_events[n];
	if (u->each)
		regions_add_entry(c, &u->now, &u->each[u->count]);
	if (!c->opt.sample->chosen)
		regions_add_entry(c, &u->now, u->count ? &u->rest : &u->head);
	u->count++;
}

/* Ends the core's turn, in which chip.c lets it run by itself, with the present cycle. */
static void regions_end_turn(struct core *c)
{
	c->turn_end = c->now + 1;
	if (c->memo)
		c->replay->end_turn(c->memo, c->turn_end);
}

static void apply(struct core *c, const struct region_mark *m)
{
	struct region_track *t;

	if (m->region == REGION_SECTION) {
		if (c->opt.section_left(c->opt.gate_user, c->opt.number, c->now))
			regions_end_turn(c);
		return;
	}
	flush_counters(c);
	if (m->region == REGION_UNIT) {
		apply_unit(c, m);
		return;
	}
	if (m->region == REGION_SEGMENT) {
		c->counters.next_interval = c->now + 1; /* a record is due at the end of this cycle */
		c->run_to = 0;
		return;
	}
	t = &c->regions.list[m->region];
	if (m->begin) {
		t->r.entries++;
		if (!t->r.depth++)
			regions_enter(c, t);
		return;
	}
	/* An end without a begin counts nothing: the recording started inside the region. */
	if (t->r.depth && !--t->r.depth)
		regions_add_entry(c, t, &t->r);
}

void regions_commit(struct core *c, uint64_t seq)
{
	while (c->regions.mark_count && c->regions.marks[c->regions.mark_head].seq <= seq) {
		apply(c, &c->regions.marks[c->regions.mark_head++]);
		if (!--c->regions.mark_count)
			c->regions.mark_head = 0;
	}
}

void regions_destroy(struct core *c)
{
	for (unsigned n = 0; n < c->regions.count; n++)
		free((char *)(uintptr_t)c->regions.list[n].r.name);
	free(c->regions.list);
	free(c->regions.marks);
	free(c->regions.units.list);
	free(c->regions.units.each);
}

void core_sample(const struct core *c, struct core_sample *out)
{
	const struct units *u = &c->regions.units;
	struct sample_counts w;

	*out = (struct core_sample){
		.head = &u->head, .rest = &u->rest, .each = u->each, .unit = u->list, .count = u->count};
	regions_simulated(c, &out->whole);
	out->simulated = out->whole.instructions;
	regions_warmed(c, &w);
	out->whole.instructions = c->front.feed.counted;
	for (unsigned n = 0; n < SAMPLE_EVENTS; n++)
		out->whole.events[n] += w.warmed_events[n];
}

unsigned core_region_count(const struct core *c)
{
	return c->regions.count;
}

void core_region(const struct core *c, unsigned n, struct core_region *out)
{
	*out = c->regions.list[n].r;
	if (out->depth)
		regions_add_entry(c, &c->regions.list[n], out);
	else
		regions_activity(c, out);
}
