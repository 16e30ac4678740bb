/*
 * The feed from the trace to fetch: the current block and the next one, whose
 * address is the target of the current block's control transfer.
 *
 * A part that is not simulated stops the feed. The pipeline drains, and only then
 * does feed_resume warm up with that part, so that its accesses follow those of the
 * part before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_state.h"

static int grow_profile(struct core *c, uint32_t need)
{
	uint32_t size = c->counters.static_size ? c->counters.static_size : 1024;
	struct uop **by_number;
	struct core_profile *p;

	if (need <= c->counters.static_size)
		return 0;
	while (size < need)
		size *= 2;
	p = realloc(c->counters.profile, size * sizeof(*p));
	if (!p)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for the profile of %u instructions", size);
	c->counters.profile = p;
	for (uint32_t n = 0; n < c->counters.static_count; n++)
		c->front.static_uop[n]->profile = &p[n];
	if (c->opt.details) {
		struct core_detail *d = realloc(c->counters.detail, size * sizeof(*d));

		if (!d)
			return err_set(c->error, STATUS_FAILED,
				       "core: out of memory for the details of %u instructions", size);
		c->counters.detail = d;
		memset(d + c->counters.static_size, 0, (size - c->counters.static_size) * sizeof(*d));
	}
	by_number = realloc(c->front.static_uop, size * sizeof(*by_number));
	if (!by_number)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for %u instructions", size);
	c->front.static_uop = by_number;
	c->counters.static_size = size;
	return 0;
}

/* Checks that the PEs have the units beside the paper's that the instruction needs. */
static int check_units(struct core *c, const struct insn *i, uint64_t pc)
{
	const struct simd_params *p = &c->cfg->simd;
	const struct {
		bool needs, has;
		const char *key, *value, *what, *choice;
	} units[] = {
		{uop_divides(i), p->divide != SIMD_DIVIDE_NONE, "divide", "none", "divide", "shared or pe"},
		{uop_selects(i), p->select, "select", "no", "compare", "yes"},
		{uop_uses_integer(i), p->integer, "integer", "no", "compute with integers", "yes"},
		{uop_uses_single(i), p->single, "single", "no", "compute with pairs of singles", "yes"},
		{uop_uses_gather(i), p->gather, "gather", "no", "gather or scatter", "yes"},
	};

	for (unsigned n = 0; n < sizeof(units) / sizeof(units[0]); n++)
		if (units[n].needs && !units[n].has)
			return err_set(c->error, STATUS_USAGE,
				       "simd.%s = %s, but the PEs %s at 0x%llx of the trace, expected -p simd.%s=%s",
				       units[n].key, units[n].value, units[n].what, (unsigned long long)pc,
				       units[n].key, units[n].choice);
	return 0;
}

/* Makes the table of a block that is simulated for the first time. */
static int make_uops(struct core *c, const struct trace_block *b, struct block_use *use)
{
	struct uop *u;

	if (grow_profile(c, c->counters.static_count + b->count) < 0)
		return -1;
	u = malloc(b->count * sizeof(*u));
	if (!u)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for a block");
	use->uops = u;
	use->last = u + b->count - 1;
	for (uint32_t n = 0; n < b->count; n++) {
		uint64_t pc = b->pc + 4 * (uint64_t)n;

		if (!c->array && uop_needs_array(&b->insns[n]))
			return err_set(c->error, STATUS_BAD_INPUT,
				       "0x%llx: instruction of the SIMD array, expected none: according to its header "
				       "the program uses no array",
				       (unsigned long long)pc);
		if (check_units(c, &b->insns[n], pc) < 0)
			return -1;
		c->counters.profile[c->counters.static_count] = (struct core_profile){.pc = pc, .insn = &b->insns[n]};
		c->front.static_uop[c->counters.static_count] = &u[n];
		uop_make(&u[n], &b->insns[n], pc, c->counters.static_count, c->cfg);
		u[n].profile = &c->counters.profile[c->counters.static_count++];
	}
	for (uint32_t n = b->count - 1; n-- > 0;)
		u[n].plain = u[n].flags & UOP_FETCH_SPECIAL ? 0 : u[n + 1].plain + 1;
	u[0].leads = true;
	return 0;
}

/* The core's data for block `b`, made for simulation or, if `outside`, for warming; NULL on failure. */
static struct block_use *use_of(struct core *c, struct trace_block *b, bool outside)
{
	struct block_use *use = b->user;

	if (!use) {
		use = calloc(1, sizeof(*use));
		if (!use)
			goto no_memory;
		use->older = c->front.block_uses;
		c->front.block_uses = b->user = use;
		if (c->wrong && wrong_path_add(c, b) < 0)
			goto no_memory;
	}
	if (outside && !use->warm) {
		use->warm = warm_block_create(b, c->cfg);
		if (!use->warm)
			goto no_memory;
	}
	if (!outside && !use->uops && make_uops(c, b, use) < 0)
		return NULL;
	return use;
no_memory:
	err_set(c->error, STATUS_FAILED, "core: out of memory for a block");
	return NULL;
}

/* ---- the simulated part ---- */
static bool in_region(const struct core *c)
{
	return !c->opt.region || c->front.feed.depth;
}

static bool inside(const struct core *c)
{
	if (c->opt.sample)
		return c->front.feed.sample.state != SAMPLE_OUTSIDE;
	return in_region(c) && !(c->opt.segments && c->front.feed.segment.outside);
}

static void offer_name(struct feed *f, const char *name)
{
	near_offer(&f->near, name);
	if (f->near.best != name)
		return;
	snprintf(f->near_name, sizeof(f->near_name), "%s", name);
	f->near.best = f->near_name;
}

/* Marks regions within the simulated one, and ignores those around it. */
static int take_region(struct core *c, const char *name, bool begin)
{
	struct feed *f = &c->front.feed;
	bool named = c->opt.region && !strcmp(name, c->opt.region);
	int ret = 0;

	if (c->opt.region && !f->found)
		offer_name(f, name);
	f->found |= named;
	if (named && begin)
		f->depth++;
	if (in_region(c) && !c->opt.sample)
		ret = region_mark(c, name, begin); /* in each process of segments */
	if (named && !begin && f->depth)
		f->depth--;
	return ret;
}

/*
 * Goes on to a block of so many instructions, and marks the sync point before it. Of several that are in a part before
 * the block, which only warms up, that is the last one. 0, or -1 without memory.
 */
static int segment_block(struct core *c, uint64_t instructions, bool warms_up)
{
	struct feed *f = &c->front.feed;
	struct segment_place *s = &f->segment;
	const uint64_t at = f->counted;

	f->counted += instructions;
	if (warms_up || s->outside)
		return 0;
	if (!f->simulated)
		segment_place_first(s, at);
	return segment_place_reach(s, at) ? segment_mark(c) : 0;
}

/* Updates the place in the sample for the next block, and marks the ends of units. */
static int sample_block(struct core *c, const struct trace_block *b)
{
	struct feed *f = &c->front.feed;
	int ret = 0;

	while (ret == 0 && sample_advance(&f->sample, f->counted))
		ret = unit_mark(c, f->sample.state == SAMPLE_MEASURING);
	f->counted += b->count;
	return ret;
}

/* Ends a chosen unit with the trace; those of a plan by periods need their whole length. */
static int sample_end(struct core *c)
{
	struct sample_place *s = &c->front.feed.sample;

	if (!c->opt.sample || !s->plan.chosen || s->state != SAMPLE_MEASURING)
		return 0;
	s->state = SAMPLE_ENDING;
	return unit_mark(c, false);
}

static void set_block(struct feed_block *f, const struct block_use *use, const struct trace_step *step)
{
	f->block = step->block;
	f->uops = use->uops;
	f->last = use->last;
	f->ea = step->ea;
}

/* Fills `f` with the next block of the trace, which begins with this event; block = NULL at its end. */
static int feed_take_event(struct core *c, struct feed_block *f, int event, struct trace_step *step)
{
	const struct block_use *use;

	while (event != TRACE_RUN) {
		if (event < 0)
			return -1;
		if (event == TRACE_END)
			return sample_end(c);
		if (take_region(c, step->name, event == TRACE_REGION_BEGIN) < 0)
			return -1;
		event = trace_next(c->front.feed.reader, step, c->error);
	}
	if (c->opt.sample && !step->warm_up && sample_block(c, step->block) < 0)
		return -1;
	f->warm_up = step->warm_up || (c->opt.segments && !in_region(c));
	if (c->opt.segments && !step->warm_up && segment_block(c, step->block->count, f->warm_up) < 0)
		return -1;
	f->outside = step->warm_up || !inside(c);
	/* so that instructions have the same numbers in the processes of all segments */
	if (f->outside && c->opt.segments && !f->warm_up && !use_of(c, step->block, false))
		return -1;
	use = use_of(c, step->block, f->outside);
	if (!use)
		return -1;
	set_block(f, use, step);
	if (!f->outside)
		c->front.feed.simulated += step->block->count;
	return 0;
}

/* Goes on to a block if it is between the units of a sample, and so was the one before. */
static inline bool goes_between(struct core *c, const struct trace_block *b)
{
	struct feed *f = &c->front.feed;

	if (!c->opt.sample || f->sample.state != SAMPLE_OUTSIDE || f->counted >= f->sample.change)
		return false;
	f->counted += b->count;
	return true;
}

/* Goes on to a block that the first process of segments only warms up with, as with the one before. */
static inline bool goes_outside(struct core *c, const struct trace_block *b)
{
	struct feed *f = &c->front.feed;

	if (!c->opt.segments || !f->segment.outside || c->opt.region)
		return false;
	f->counted += b->count;
	return true;
}

/* Fills `f` with the next block of the trace; block = NULL at its end. 1: a simulated block follows the last one. */
static inline int feed_read_block(struct core *c, struct feed_block *f)
{
	struct trace_step step;
	int event;

	f->block = NULL;
	event = trace_next(c->front.feed.reader, &step, c->error);
	if (event == TRACE_RUN && !step.warm_up) {
		const struct block_use *use = step.block->user;

		if (c->front.feed.whole && use && use->uops) { /* the usual one */
			f->outside = false;
			set_block(f, use, &step);
			c->front.feed.simulated += step.block->count;
			return 1;
		}
		if (use && use->warm && (goes_between(c, step.block) || (use->uops && goes_outside(c, step.block)))) {
			f->warm_up = false;
			f->outside = true;
			set_block(f, use, &step);
			return 0;
		}
	}
	return feed_take_event(c, f, event, &step);
}

static void drop_stops(struct feed *f)
{
	while (f->stop_count && *f->stop <= f->place) {
		f->stop++;
		f->stop_count--;
	}
}

/* Returns whether the core goes on at the stop that it has reached. */
static bool feed_goes_on(struct core *c)
{
	struct feed *f = &c->front.feed;
	bool marks, goes_on = c->opt.gate(c->opt.gate_user, c->opt.number, f->place, &marks);

	if (goes_on)
		drop_stops(f);
	if (marks && section_mark(c, f->simulated - f->now->block->count) < 0) {
		c->failed = true;
		c->run_to = 0;
	}
	return goes_on;
}

/* Updates the feed for a new `now`, the last block read, and reads the block after it; as feed_read_block. */
static int read_next(struct core *c)
{
	struct feed *f = &c->front.feed;

	f->uop = f->now->uops;
	f->ea = f->now->ea;
	f->last = f->now->last;
	f->at_end = !f->now->block || f->now->outside;
	if (f->stop_count && !f->at_end) {
		f->place = trace_position(f->reader) - f->now->block->count;
		f->at_end = f->stopped = *f->stop <= f->place && !feed_goes_on(c);
	}
	f->next->block = NULL;
	return f->at_end ? 0 : feed_read_block(c, f->next);
}

static void feed_swap(struct feed *f)
{
	struct feed_block *old = f->now;

	f->now = f->next;
	f->next = old;
}

bool feed_advance(struct core *c)
{
	int ret;

	feed_swap(&c->front.feed);
	ret = read_next(c);
	if (ret > 0)
		return true;
	c->run_to = 0;
	if (ret < 0) {
		c->front.feed.next->block = NULL;
		c->failed = true;
	}
	return false;
}

int feed_pass(struct core *c)
{
	struct feed *f = &c->front.feed;

	drop_stops(f);
	f->stopped = false;
	return read_next(c) < 0 ? -1 : 0;
}

/* ---- warming ---- */
/* Goes on to the next part that is simulated, before which the caller of the core sets the state. As feed_resume. */
static int feed_enter(struct core *c)
{
	struct feed *f = &c->front.feed;

	f->at_end = true;
	if (c->opt.enter(c->opt.enter_user, c->mem, c->bpred, &f->counted, c->error) < 0)
		return -1;
	if (feed_read_block(c, f->now) < 0 || read_next(c) < 0)
		return -1;
	return f->now->block != NULL;
}

enum { WARM_STEP = 1 << 20 };

int feed_resume(struct core *c, uint64_t most)
{
	struct feed *f = &c->front.feed;
	uint64_t end = most < UINT64_MAX - f->warmed ? f->warmed + most : UINT64_MAX;
	uint64_t look = (f->warmed | (WARM_STEP - 1)) + 1;

	if (c->opt.enter && f->now->block && f->now->outside)
		return feed_enter(c);
	while (f->now->block && f->now->outside) {
		const struct block_use *use = f->now->block->user;

		f->at_end = true;
		if (f->warmed >= end)
			return 1;
		if (!f->segment.skims) {
			warm_memory(c->mem, f->now->block, use->warm, f->now->ea);
			if (c->wrong)
				wrong_path_warm(c, f->now->block, f->now->ea);
		}
		if (feed_read_block(c, f->next) < 0)
			return -1;
		if (!f->segment.skims)
			warm_branch(c->bpred, use->warm, f->next->block ? &f->next->block->pc : NULL);
		f->warmed += f->now->block->count;
		feed_swap(f);
		if (f->warmed < look)
			continue;
		look += WARM_STEP;
		if (c->opt.on_warm && !c->opt.on_warm(c->opt.warm_user, f->warmed))
			return err_set(c->error, STATUS_FAILED, "interrupted after warming up with %llu instructions",
				       (unsigned long long)f->warmed);
	}
	if (read_next(c) < 0)
		return -1;
	return f->now->block != NULL;
}

int feed_create(struct core *c, struct err *e)
{
	struct feed *f = &c->front.feed;

	c->error = e;
	if (c->opt.sample)
		f->sample.plan = *c->opt.sample;
	if (c->opt.segments)
		segment_place_begin(&f->segment, c->opt.segments);
	f->stop = c->opt.stops;
	f->stop_count = c->opt.stop_count;
	f->now = &f->buffer[0];
	f->next = &f->buffer[1];
	f->whole = !c->opt.sample && !c->opt.region && !c->opt.segments;
	if (c->opt.region)
		f->near = near_start(c->opt.region);
	/* with several cores, the chip warms them up by turns */
	return feed_read_block(c, f->now) < 0 || feed_resume(c, c->opt.memory ? 0 : UINT64_MAX) < 0 ? -1 : 0;
}

int core_warm_up(struct core *c, uint64_t most, struct err *e)
{
	c->error = e;
	if (!c->front.feed.now->block || !c->front.feed.now->outside)
		return 0;
	return feed_resume(c, most) < 0 ? -1 : c->front.feed.now->block && c->front.feed.now->outside;
}

void feed_destroy(struct core *c)
{
	while (c->front.block_uses) {
		struct block_use *use = c->front.block_uses;

		c->front.block_uses = use->older;
		free(use->uops);
		free(use->warm);
		free(use);
	}
	free(c->counters.profile);
	free(c->counters.detail);
	free(c->front.static_uop);
}

uint64_t core_warmed(const struct core *c)
{
	return c->front.feed.warmed;
}
