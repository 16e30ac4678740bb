/* Records waits and computation. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"

enum { TABLE_FIRST = 64, SITES_MANY = 1 << 16 };

struct record *record_create(uint32_t ranks, struct err *e)
{
	struct record *r = mem_alloc(1, sizeof(*r), e);

	if (!r)
		return NULL;
	r->size = ranks;
	r->ranks = mem_alloc(ranks, sizeof(*r->ranks), e);
	r->site = mem_alloc(TABLE_FIRST / 2, sizeof(*r->site), e);
	r->site_table = mem_alloc(TABLE_FIRST, sizeof(*r->site_table), e);
	r->site_room = TABLE_FIRST;
	r->pair = mem_alloc(TABLE_FIRST, sizeof(*r->pair), e);
	r->pair_room = TABLE_FIRST;
	r->phase = mem_alloc(1, sizeof(*r->phase), e);
	if (!r->ranks || !r->site || !r->site_table || !r->pair || !r->phase) {
		record_destroy(r);
		return NULL;
	}
	r->phase[r->phases++] = "";
	return r;
}

void record_destroy(struct record *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->ranks && i < r->size; i++) {
		rows_finish(&r->ranks[i].waits);
		rows_finish(&r->ranks[i].works);
	}
	free(r->ranks);
	free(r->site);
	free(r->site_table);
	free(r->pair);
	free(r->phase);
	free(r);
}

uint64_t record_bytes(const struct record *r)
{
	uint64_t sum = r->size * sizeof(*r->ranks) + r->pair_room * sizeof(*r->pair) +
		       r->site_room * (sizeof(*r->site) / 2 + sizeof(*r->site_table));

	for (uint32_t i = 0; i < r->size; i++)
		sum += ROWS_CHUNK * (r->ranks[i].waits.chunks * sizeof(struct wait_row) +
				     r->ranks[i].works.chunks * sizeof(struct work_row));
	return sum;
}

/* ---- sites ---- */

static uint64_t site_hash(const struct site *s)
{
	return hash_mix((uintptr_t)s->where ^ hash_mix(s->bytes ^ hash_mix((uint64_t)s->phase << 8 | s->kind)));
}

static bool same_site(const struct site *a, const struct site *b)
{
	return a->where == b->where && a->call == b->call && a->bytes == b->bytes && a->phase == b->phase &&
	       a->kind == b->kind;
}

static int widen_sites(struct record *r)
{
	uint32_t room = 2 * r->site_room;
	uint32_t *table = mem_alloc(room, sizeof(*table), NULL);
	struct site *site = table ? mem_resize(r->site, room / 2, sizeof(*site), NULL) : NULL;

	if (!site) {
		free(table);
		return -1;
	}
	for (uint32_t i = 0; i < r->sites; i++) {
		uint64_t at = site_hash(&site[i]);

		while (table[at & (room - 1)])
			at++;
		table[at & (room - 1)] = i + 1;
	}
	free(r->site_table);
	r->site_table = table;
	r->site = site;
	r->site_room = room;
	return 0;
}

/* Returns the site's number; the first of all where memory is short. */
static uint32_t find_site(struct record *r, struct site s)
{
	uint64_t at;

	if (r->sites > SITES_MANY && s.bytes >= 64) {
		unsigned low = 58 - (unsigned)__builtin_clzll(s.bytes);

		s.bytes = s.bytes >> low << low;
	}
	for (at = site_hash(&s); r->site_table[at & (r->site_room - 1)]; at++) {
		uint32_t i = r->site_table[at & (r->site_room - 1)] - 1;

		if (same_site(&r->site[i], &s))
			return i;
	}
	if (r->sites == r->site_room / 2) {
		if (widen_sites(r) < 0) {
			r->short_of_memory = true;
			return 0;
		}
		at = site_hash(&s);
		while (r->site_table[at & (r->site_room - 1)])
			at++;
	}
	s.count = 0;
	s.sum = 0;
	r->site[r->sites] = s;
	r->site_table[at & (r->site_room - 1)] = ++r->sites;
	return r->sites - 1;
}

/* ---- pairs ---- */

static struct wait_pair *pair_place(struct wait_pair *pair, uint32_t room, uint32_t rank, uint32_t peer)
{
	uint64_t at = hash_mix((uint64_t)rank << 32 | peer);

	for (;; at++) {
		struct wait_pair *p = &pair[at & (room - 1)];

		if (!p->count || (p->rank == rank && p->peer == peer))
			return p;
	}
}

static int widen_pairs(struct record *r)
{
	uint32_t room = 2 * r->pair_room;
	struct wait_pair *pair = mem_alloc(room, sizeof(*pair), NULL);

	if (!pair)
		return -1;
	for (uint32_t i = 0; i < r->pair_room; i++)
		if (r->pair[i].count)
			*pair_place(pair, room, r->pair[i].rank, r->pair[i].peer) = r->pair[i];
	free(r->pair);
	r->pair = pair;
	r->pair_room = room;
	return 0;
}

/* NULL: there are RECORD_PAIRS_MAX others, or memory is short. */
static struct wait_pair *analysis_record_find_pair(struct record *r, uint32_t rank, uint32_t peer)
{
	struct wait_pair *p = pair_place(r->pair, r->pair_room, rank, peer);

	if (p->count)
		return p;
	if (r->pairs == RECORD_PAIRS_MAX)
		return NULL;
	if (2 * r->pairs == r->pair_room) {
		if (widen_pairs(r) < 0) {
			r->short_of_memory = true;
			return NULL;
		}
		p = pair_place(r->pair, r->pair_room, rank, peer);
	}
	r->pairs++;
	p->rank = rank;
	p->peer = peer;
	return p;
}

static void add_to_pair(struct record *r, const struct vmpi_waited *w)
{
	struct wait_pair *p = analysis_record_find_pair(r, w->rank, w->cause.peer);
	bool is_late = !vmpi_cause_is_own(w->cause.kind) && w->cause.began > w->from;
	int64_t wait = w->to - w->from, late = is_late ? w->cause.began - w->from : 0;

	r->waited += (uint64_t)wait;
	r->late += (uint64_t)late;
	if (!p)
		return;
	p->count++;
	p->sum += wait;
	p->late += late;
	if (wait > p->longest)
		p->longest = wait;
}

/* ---- events ---- */

void record_computed(struct record *r, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	struct record_rank *k = &r->ranks[rank];
	uint32_t site = find_site(r, (struct site){.where = where, .phase = k->phase, .kind = SITE_WORK});
	struct work_row *last = k->works.count ? work_at(k, k->works.count - 1) : NULL;

	k->computed += to - from;
	if (site < r->sites) {
		r->site[site].count++;
		r->site[site].sum += (uint64_t)(to - from);
	}
	if (last && last->to == from && last->site == site) {
		last->to = to;
		return;
	}
	last = rows_push(&k->works, sizeof(*last), NULL);
	if (!last) {
		r->short_of_memory = true;
		return;
	}
	*last = (struct work_row){from, to, site};
	r->rows++;
}

static void push_wait(struct record *r, uint32_t rank, struct wait_row row)
{
	struct wait_row *to = rows_push(&r->ranks[rank].waits, sizeof(*to), NULL);

	if (!to) {
		r->short_of_memory = true;
		return;
	}
	*to = row;
	r->rows++;
}

void record_waited(struct record *r, const struct vmpi_waited *w)
{
	struct record_rank *k = &r->ranks[w->rank];
	uint32_t site = find_site(r, (struct site){.where = w->where,
						   .call = w->call,
						   .bytes = w->cause.bytes,
						   .phase = k->phase,
						   .kind = (uint8_t)w->cause.kind});

	k->waited += w->to - w->from;
	if (site < r->sites) {
		r->site[site].count++;
		r->site[site].sum += (uint64_t)(w->to - w->from);
	}
	r->waits++;
	add_to_pair(r, w);
	push_wait(r, w->rank, (struct wait_row){w->to, w->from, w->cause.began, w->cause.peer, site});
}

static uint32_t analysis_record_find_phase(struct record *r, const char *name)
{
	const char **list;
	uint32_t i;

	for (i = 0; i < r->phases; i++)
		if (r->phase[i] == name || strcmp(r->phase[i], name) == 0)
			return i;
	list = mem_resize(r->phase, r->phases + 1, sizeof(*list), NULL);
	if (!list) {
		r->short_of_memory = true;
		return 0;
	}
	r->phase = list;
	list[i] = name;
	return r->phases++;
}

void record_phase(struct record *r, uint32_t rank, int64_t time, const char *name)
{
	struct record_rank *k = &r->ranks[rank];
	uint32_t phase = analysis_record_find_phase(r, name), site;

	if (phase == k->phase)
		return;
	k->phase = phase;
	site = find_site(r, (struct site){.phase = phase, .kind = SITE_PHASE});
	push_wait(r, rank, (struct wait_row){time, time, time, rank, site});
}

/* ---- look-up ---- */

uint32_t record_waits_until(const struct record_rank *k, int64_t time, uint32_t limit)
{
	uint32_t low = 0, high = k->waits.count < limit ? k->waits.count : limit;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (wait_at(k, middle)->end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t record_works_before(const struct record_rank *k, int64_t time)
{
	uint32_t low = 0, high = k->works.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (work_at(k, middle)->from < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
