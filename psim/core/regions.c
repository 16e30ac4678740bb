/* Regions of interest: counts between their marks, summed over all entries. */
#include <stdlib.h>

#include "core_state.h"

static int find_region(struct core *c, const char *name, uint32_t *out)
{
	struct region_track *t;

	for (uint32_t n = 0; n < c->acct.region_count; n++) {
		if (!strcmp(c->acct.regions[n].r.name, name)) {
			*out = n;
			return 0;
		}
	}
	if (c->acct.region_count == c->acct.region_size) {
		unsigned size = c->acct.region_size ? 2 * c->acct.region_size : 8;

		t = realloc(c->acct.regions, size * sizeof(*t));
		if (!t)
			return err_set(c->error, STATUS_FAILED, "core: out of memory for %u regions", size);
		c->acct.regions = t;
		c->acct.region_size = size;
	}
	t = &c->acct.regions[c->acct.region_count];
	memset(t, 0, sizeof(*t));
	t->r.name = strdup(name);
	if (!t->r.name)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for a region's name");
	*out = c->acct.region_count++;
	return 0;
}

int region_mark(struct core *c, const char *name, bool begin)
{
	struct region_mark *m;
	uint32_t region = 0;

	if (find_region(c, name, &region) < 0)
		return -1;
	if (c->acct.mark_head && c->acct.mark_head + c->acct.mark_count == c->acct.mark_size) {
		memmove(c->acct.marks, c->acct.marks + c->acct.mark_head, c->acct.mark_count * sizeof(*m));
		c->acct.mark_head = 0;
	}
	if (c->acct.mark_head + c->acct.mark_count == c->acct.mark_size) {
		unsigned size = c->acct.mark_size ? 2 * c->acct.mark_size : 16;

		m = realloc(c->acct.marks, size * sizeof(*m));
		if (!m)
			return err_set(c->error, STATUS_FAILED, "core: out of memory for %u region marks", size);
		c->acct.marks = m;
		c->acct.mark_size = size;
	}
	c->acct.marks[c->acct.mark_head + c->acct.mark_count++] = (struct region_mark){
		.region = region,
		.begin = begin,
		.seq = c->front.feed.simulated,
	};
	return 0;
}

/* into += now - then, for structs made of uint64_t only. */
static void add_difference(void *into, const void *now, const void *then, size_t bytes)
{
	uint64_t *a = into;
	const uint64_t *b = now, *d = then;

	for (size_t n = 0; n < bytes / sizeof(*a); n++)
		a[n] += b[n] - d[n];
}

/* Adds the counts since the region was entered to `r`. */
static void add_entry(const struct core *c, const struct region_track *t, struct core_region *r)
{
	struct activity a;

	core_activity(c, &a);
	add_difference(&r->stats, &c->acct.stats, &t->at_entry, sizeof(c->acct.stats));
	add_difference(&r->activity, &a, &t->activity_at_entry, sizeof(a));
}

static void apply(struct core *c, const struct region_mark *m)
{
	struct region_track *t = &c->acct.regions[m->region];

	flush_counters(c);
	if (m->begin) {
		t->r.entries++;
		if (t->r.depth++)
			return;
		t->at_entry = c->acct.stats;
		core_activity(c, &t->activity_at_entry);
		return;
	}
	/* An end without a begin counts nothing: the recording started inside the region. */
	if (t->r.depth && !--t->r.depth)
		add_entry(c, t, &t->r);
}

void regions_commit(struct core *c, uint64_t seq)
{
	while (c->acct.mark_count && c->acct.marks[c->acct.mark_head].seq <= seq) {
		apply(c, &c->acct.marks[c->acct.mark_head++]);
		if (!--c->acct.mark_count)
			c->acct.mark_head = 0;
	}
}

void regions_destroy(struct core *c)
{
	for (unsigned n = 0; n < c->acct.region_count; n++)
		free((char *)(uintptr_t)c->acct.regions[n].r.name);
	free(c->acct.regions);
	free(c->acct.marks);
}

unsigned core_region_count(const struct core *c)
{
	return c->acct.region_count;
}

void core_region(const struct core *c, unsigned n, struct core_region *out)
{
	*out = c->acct.regions[n].r;
	if (out->depth)
		add_entry(c, &c->acct.regions[n], out);
}
