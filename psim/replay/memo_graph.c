#define _DEFAULT_SOURCE 1
#include "memo_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../base/hash.h"

enum { CHUNK = 2 << 20 }; /* a large page */

/* A chunk that begins at a multiple of its size, so that the host can give it a large page; NULL: no memory. */
static char *make_chunk(void)
{
	char *p = aligned_alloc(CHUNK, CHUNK);

	if (p)
		madvise(p, CHUNK, MADV_HUGEPAGE);
	return p;
}

static bool memo_graph_next_chunk(struct arena *a)
{
	if (a->used == a->chunks) {
		if (a->chunks == a->room) {
			unsigned room = a->room ? 2 * a->room : 16;
			char **chunk = realloc(a->chunk, room * sizeof(*chunk));

			if (!chunk)
				return false;
			a->chunk = chunk;
			a->room = room;
		}
		a->chunk[a->chunks] = make_chunk();
		if (!a->chunk[a->chunks])
			return false;
		a->chunks++;
	}
	a->at = a->chunk[a->used++];
	a->left = CHUNK;
	return true;
}

void *arena_take(struct memo *m, struct arena *a, size_t bytes)
{
	void *p;

	bytes = (bytes + a->unit - 1) & ~(a->unit - 1);
	if (bytes > CHUNK || (a->left < bytes && !memo_graph_next_chunk(a))) {
		m->failed = true;
		return NULL;
	}
	p = a->at;
	a->at += bytes;
	a->left -= bytes;
	m->stats.bytes += bytes;
	return p;
}

void arena_return(struct memo *m, struct arena *a, size_t bytes)
{
	bytes &= ~(a->unit - 1);
	a->at -= bytes;
	a->left += bytes;
	m->stats.bytes -= bytes;
}

static void arena_clear(struct arena *a)
{
	a->used = 0;
	a->left = 0;
}

static void arena_finish(struct arena *a)
{
	for (unsigned n = 0; n < a->chunks; n++)
		free(a->chunk[n]);
	free(a->chunk);
}

/* ---- states ---- */
static inline uint64_t memo_graph_mix(uint64_t hash, uint64_t word)
{
	hash = hash_spread(hash ^ word);
	return hash ^ hash >> 32;
}

/* The first place of a search for states with this signature. */
static inline uint64_t place_of_signature(const struct memo *m, uint32_t signature)
{
	return signature & m->table_mask;
}

uint64_t graph_hash(const struct core_key *k)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t hash = k->count, a, b;
	size_t n = 0;

#pragma GCC unroll 4
	for (; n + 4 <= k->count; n += 4) { /* 16 bytes by one multiplication */
		wide product;

		memcpy(&a, k->words + n, sizeof(a));
		memcpy(&b, k->words + n + 2, sizeof(b));
		product = (wide)(a ^ HASH_GOLDEN) * (b ^ hash);
		hash = (uint64_t)product ^ (uint64_t)(product >> 64) ^ a;
	}
	if (n < k->count) {
		memcpy(&a, k->words + n, sizeof(a));
		hash = memo_graph_mix(hash, a);
	}
	return memo_graph_mix(hash, hash >> 31);
}

bool graph_has_signature(const struct memo *m, uint32_t signature)
{
	const struct state_place *p;

	if (!m->table)
		return false;
	for (uint64_t n = place_of_signature(m, signature); (p = &m->table[n])->state; n = (n + 1) & m->table_mask)
		if (p->hash >> 32 == signature)
			return true;
	return false;
}

struct state *graph_find(const struct memo *m, uint64_t hash, const struct core_key *k)
{
	const struct state_place *p;

	if (!m->table)
		return NULL;
	for (uint64_t n = place_of_signature(m, hash >> 32); (p = &m->table[n])->state; n = (n + 1) & m->table_mask)
		if (p->hash == hash && p->state->count == k->count &&
		    !memcmp(p->state->key, k->words, k->count * sizeof(*k->words)))
			return p->state;
	return NULL;
}

static void memo_graph_enter(struct memo *m, struct state_place p)
{
	uint64_t n = place_of_signature(m, p.hash >> 32);

	assert(m->stats.states < m->table_mask); /* a place is free: the search ends */
	while (m->table[n].state)
		n = (n + 1) & m->table_mask;
	m->table[n] = p;
}

/* Doubles the table. */
static bool memo_graph_grow(struct memo *m)
{
	uint64_t old_mask = m->table_mask, size = m->table ? 2 * (old_mask + 1) : 1 << 12;
	struct state_place *old = m->table, *table = calloc(size, sizeof(*table));

	if (!table)
		return false;
	m->table = table;
	m->table_mask = size - 1;
	for (uint64_t n = 0; old && n <= old_mask; n++)
		if (old[n].state)
			memo_graph_enter(m, old[n]);
	free(old);
	return true;
}

struct state *graph_add(struct memo *m, uint64_t hash, const struct core_key *k, uint32_t accesses)
{
	struct state *s;

	if ((!m->table || 2 * m->stats.states > m->table_mask) && !memo_graph_grow(m)) {
		m->failed = true;
		return NULL;
	}
	s = arena_take(m, &m->cold, sizeof(*s) + k->count * sizeof(*k->words));
	if (!s)
		return NULL;
	*s = (struct state){.hash = hash, .accesses = accesses, .count = (uint32_t)k->count};
	memcpy(s->key, k->words, k->count * sizeof(*k->words));
	memo_graph_enter(m, (struct state_place){s, hash});
	m->stats.states++;
	return s;
}

/* ---- requests and answers ---- */
struct path *graph_path(struct memo *m, const uint64_t *words, unsigned count)
{
	uint64_t hash = count;
	struct path **head, *p;

	for (unsigned n = 0; n < count; n++)
		hash = memo_graph_mix(hash, words[n]);
	head = &m->paths[hash % (sizeof(m->paths) / sizeof(m->paths[0]))];
	for (p = *head; p; p = p->other)
		if (p->count == count && !memcmp(p->word, words, count * sizeof(*words)))
			return p;
	p = arena_take(m, &m->hot, sizeof(*p) + count * sizeof(*words));
	if (!p)
		return NULL;
	memset(p, 0, sizeof(*p));
	p->other = *head;
	p->count = count;
	memcpy(p->word, words, count * sizeof(*words));
	*head = p;
	return p;
}

/* Bytes of the array's moves behind an edge, which a node's first one has too. */
static size_t more_bytes(const struct memo *m)
{
	return m->wide ? sizeof(*edge_array_moves(NULL)) : 0;
}

/* Returns whether the second edge of the node has a place behind it: groups after a branch are often two. */
static bool has_second(const struct memo *m, const struct node *n)
{
	return n->step == STEP_FETCH && !m->wide;
}

struct node *graph_node(struct memo *m, const struct node *like, struct node *parent)
{
	size_t second = has_second(m, like) ? sizeof(struct node) : 0;
	struct node *n = arena_take(m, &m->hot, sizeof(*n) + second + more_bytes(m));

	if (n)
		*n = *like;
	if (n)
		n->parent = parent;
	return n;
}

bool graph_touchable(struct memo *m)
{
	size_t size = m->touched_size ? 2 * m->touched_size : 1024;
	struct ending **touched;

	if (m->endings < m->touched_size)
		return true;
	touched = realloc(m->touched, size * sizeof(struct ending *));
	if (!touched)
		return false;
	m->touched = touched;
	m->touched_size = size;
	return true;
}

struct edge *graph_edge(struct memo *m, struct node *n, uint64_t answer, bool fresh)
{
	struct edge *e = fresh ? NULL : &n->first, *last = NULL;

	for (; e; last = e, e = e->other)
		if (e->answer == answer)
			return e;
	if (fresh)
		e = &n->first;
	else if (last == &n->first && has_second(m, n))
		e = (struct edge *)(void *)(n + 1);
	else
		e = arena_take(m, &m->hot, sizeof(*e) + more_bytes(m));
	if (!e)
		return NULL;
	*e = (struct edge){.answer = answer};
	if (m->wide)
		*edge_array_moves(e) = 0;
	if (last)
		last->other = e;
	m->stats.transitions++;
	return e;
}

uint64_t graph_bytes(const struct memo *m)
{
	uint64_t table = m->table ? (m->table_mask + 1) * sizeof(*m->table) : 0;

	return m->stats.bytes + table + m->touched_size * sizeof(*m->touched);
}

void graph_clear(struct memo *m)
{
	m->pending = NULL;
	m->line_run = (struct line_run){0}; /* it points to nodes, which go */
	m->stats.states = m->stats.transitions = m->stats.bytes = 0;
	assert(!m->arrivals); /* they point to endings, which go */
	m->endings = 0;
	m->stats.clears++;
	memset(m->paths, 0, sizeof(m->paths));
	for (uint32_t n = 0; n < m->part_size; n++)
		m->begin[n].tree = NULL;
	free(m->table);
	m->table = NULL;
	free(m->touched);
	m->touched = NULL;
	m->touched_size = 0;
	arena_clear(&m->hot);
	arena_clear(&m->cold);
}

/* Nodes and edges are a line of the host's caches each; with an array's moves they do not fit. */
void graph_init(struct memo *m)
{
	enum { WORD = 8, LINE = 64 };

	_Static_assert(sizeof(struct node) <= LINE, "a node fits into a line");
	m->hot.unit = m->wide ? WORD : LINE;
	m->cold.unit = WORD;
}

void memo_graph_finish(struct memo *m)
{
	arena_finish(&m->hot);
	arena_finish(&m->cold);
	free(m->table);
	free(m->touched);
}
