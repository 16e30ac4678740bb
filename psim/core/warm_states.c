#include "warm_states.h"

#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/state_walk.h"
#include "../base/vec.h"
#include "../bpred/bpred.h"
#include "../machine/core_config.h"
#include "warm.h"

/*
 * A state is kept by the pieces of this size that differ from the state before. Little of a core's state differs from
 * the one that it gets, so it is compared first, in pieces of LOAD_BYTES.
 */
enum { CHUNK_BYTES = 64, LOAD_BYTES = 4096 };
struct chunk {
	unsigned char byte[CHUNK_BYTES];
};

/* A block of the trace, for warming. */
struct known_block {
	struct warm_block *warm;
	struct known_block *older;
};

/* A run of the trace; block NULL: its end. */
struct place {
	const struct trace_block *block;
	const struct warm_block *warm;
	const uint64_t *ea;
	uint64_t counted; /* instructions before it, without those that the trace marks as warming */
	bool outside, warm_up;
};

/* A stretch of the trace that is simulated without a pause, from a state on: how much all parts before it have. */
struct part {
	uint64_t counted;
	size_t run, ea, chunk;
};

struct warm_states {
	const struct core_config *cfg;
	struct trace_reader *trace;
	struct memsys *mem;
	struct bpred *bpred;
	struct known_block *known;
	struct sample_place sample;
	uint64_t counted;
	struct place now;
	struct place next;
	bool keep, ended;
	/* the state before the last part, piece by piece, each from a multiple of CHUNK_BYTES on */
	unsigned char *image;
	size_t image_bytes;
	/* of the last part, or with `keep` of all parts */
	struct warm_parts vec_of(struct part) parts;
	struct warm_runs vec_of(struct trace_run) runs;
	struct warm_addresses vec_of(uint64_t) addresses;
	struct warm_chunks vec_of(struct chunk) chunks;
	struct warm_chunk_places vec_of(uint32_t) chunk_at; /* in the image, in chunks */
};

bool warm_states_possible(const struct core_config *cfg)
{
	return cfg->chip.cores == 1 && !core_has_wrong_paths(cfg);
}

/* ---- what warming depends on ---- */
/* Keys of these sections, and these keys, change times alone, energy, or what one core does not have. */
static const char *const timing_sections[] = {"decode", "core",      "latency", "lsu",       "memory",
					      "dram",   "coherence", "energy",  "technology"};
static const char *const timing_keys[] = {
	"chip.frequency",      "fetch.width_bytes",    "fetch.stages",
	"fetch.predict_stage", "fetch.buffer_entries", "fetch.decode_redirect",
	"l1i.miss_buffers",    "l1i.way_prediction",   "l1i.way_latency",
	"l1d.banks",           "l1d.bank_bytes",       "l1d.port_bytes",
	"l1d.miss_buffers",    "l1d.fill_latency",     "l1d.victim_latency",
	"l1d.way_prediction",  "l1d.way_latency",      "l2.latency",
	"l2.bandwidth",        "l2.miss_buffers",      "l2.writeback_buffers",
	"l3.latency",          "l3.bandwidth",         "l3.miss_buffers",
	"l3.network",          "l3.hop_cycles",        "tlb.main_latency",
	"tlb.walk_latency",
};

static bool warming_depends(const char *section, const char *key)
{
	const size_t length = strlen(section);

	for (size_t n = 0; n < sizeof(timing_sections) / sizeof(*timing_sections); n++)
		if (!strcmp(section, timing_sections[n]))
			return false;
	for (size_t n = 0; n < sizeof(timing_keys) / sizeof(*timing_keys); n++)
		if (!strncmp(timing_keys[n], section, length) && timing_keys[n][length] == '.' &&
		    !strcmp(timing_keys[n] + length + 1, key))
			return false;
	return true;
}

/* Adds the bytes of a parameter, if warming depends on it. */
static void add_parameter(struct digest *d, const char *section, const char *key, const void *value, size_t bytes)
{
	if (!warming_depends(section, key))
		return;
	for (size_t n = 0; n < bytes; n++)
		digest_add(d, ((const unsigned char *)value)[n]);
}

struct digest warm_states_key(const struct core_config *cfg)
{
	struct digest d = {0, 0};

#define SECTION(name, doc) \
	{ \
		const char *section = #name; \
		const struct name##_params *p = &cfg->name;
#define P(field, ...) add_parameter(&d, section, #field, &p->field, sizeof(p->field));
#define E(field, ...) add_parameter(&d, section, #field, &p->field, sizeof(p->field));
#define END(name) }
#define SOURCE(section, keys, kind, text)
#include "../machine/params.def"
#undef SECTION
#undef P
#undef E
#undef END
#undef SOURCE
	return d;
}

/* ---- images of the state ---- */
static void walk(struct memsys *m, struct bpred *b, void (*piece)(void *user, void *data, size_t bytes), void *user,
		 bool loads)
{
	const struct state_walk w = {.piece = piece, .user = user, .loads = loads};

	memsys_walk(m, &w);
	bpred_walk(b, &w);
}

static size_t in_chunks(size_t bytes)
{
	return (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
}

static void add_size(void *user, void *data, size_t bytes)
{
	size_t *sum = user;

	(void)data;
	*sum += in_chunks(bytes);
}

/* Where in the image a walk is. */
struct image_place {
	struct warm_states *states; /* to which a walk that saves adds what has changed */
	unsigned char *image;
	size_t at;
	bool failed;
	struct err *e;
};

static void save_chunk(struct image_place *p, const unsigned char *data, size_t bytes)
{
	struct warm_states *s = p->states;
	struct chunk *c;

	if (p->failed || memcmp(p->image + p->at, data, bytes) == 0)
		return;
	memcpy(p->image + p->at, data, bytes);
	if (!s->keep)
		return;
	p->failed = vec_reserve(&s->chunks, 1, p->e) < 0 || vec_reserve(&s->chunk_at, 1, p->e) < 0;
	if (p->failed)
		return;
	s->chunk_at.at[s->chunk_at.count++] = (uint32_t)(p->at / CHUNK_BYTES);
	c = &s->chunks.at[s->chunks.count++];
	memcpy(c->byte, p->image + p->at, CHUNK_BYTES);
}

static void save_piece(void *user, void *data, size_t bytes)
{
	struct image_place *p = user;

	for (size_t n = 0; n < bytes; n += CHUNK_BYTES, p->at += CHUNK_BYTES)
		save_chunk(p, (const unsigned char *)data + n, bytes - n < CHUNK_BYTES ? bytes - n : CHUNK_BYTES);
}

static void load_piece(void *user, void *data, size_t bytes)
{
	struct image_place *p = user;
	unsigned char *to = data;

	for (size_t n = 0; n < bytes; n += LOAD_BYTES) {
		const size_t count = bytes - n < LOAD_BYTES ? bytes - n : LOAD_BYTES;

		if (memcmp(to + n, p->image + p->at + n, count) != 0)
			memcpy(to + n, p->image + p->at + n, count);
	}
	p->at += in_chunks(bytes);
}

static int save_image(struct warm_states *s, struct err *e)
{
	struct image_place p = {.states = s, .image = s->image, .e = e};

	walk(s->mem, s->bpred, save_piece, &p, false);
	return p.failed ? -1 : 0;
}

/* ---- the trace ---- */
static struct known_block *know(struct warm_states *s, struct trace_block *b, struct err *e)
{
	struct known_block *k = b->user;

	if (k)
		return k;
	k = mem_alloc(1, sizeof(*k), e);
	if (!k)
		return NULL;
	k->older = s->known;
	s->known = b->user = k;
	k->warm = warm_block_create(b, s->cfg);
	if (k->warm)
		return k;
	mem_short(e);
	return NULL;
}

/* Reads the next run as feed.c does, which has the same sample_place. 0, or -1 with `e`. */
static int read_place(struct warm_states *s, struct place *out, struct err *e)
{
	const struct known_block *k;
	struct trace_step step;
	int event;

	do
		event = trace_next(s->trace, &step, e);
	while (event > 0 && event != TRACE_RUN);
	*out = (struct place){.counted = s->counted};
	if (event <= 0)
		return event;
	k = know(s, step.block, e);
	if (!k)
		return -1;
	while (!step.warm_up && sample_advance(&s->sample, s->counted))
		;
	s->counted += step.warm_up ? 0 : step.block->count;
	out->block = step.block;
	out->warm = k->warm;
	out->ea = step.ea;
	out->warm_up = step.warm_up;
	out->outside = step.warm_up || s->sample.state == SAMPLE_OUTSIDE;
	return 0;
}

/* Warms up by the present run, and goes on to the next one. 0, or -1 with `e`. */
static int pass(struct warm_states *s, struct err *e)
{
	warm_memory(s->mem, s->now.block, s->now.warm, s->now.ea);
	if (read_place(s, &s->next, e) < 0)
		return -1;
	warm_branch(s->bpred, s->now.warm, s->next.block ? &s->next.block->pc : NULL);
	s->now = s->next;
	return 0;
}

/* Adds the present run to the part. 0, or -1 with `e`. */
static int add_run(struct warm_states *s, struct err *e)
{
	const uint32_t count = s->now.block->memory_count;

	if (vec_reserve(&s->runs, 1, e) < 0 || vec_reserve(&s->addresses, count + TRACE_SLACK, e) < 0)
		return -1;
	s->runs.at[s->runs.count++] = (struct trace_run){.block = s->now.block->id, .warm_up = s->now.warm_up};
	if (count)
		memcpy(s->addresses.at + s->addresses.count, s->now.ea, count * sizeof(*s->now.ea));
	s->addresses.count += count;
	memset(s->addresses.at + s->addresses.count, 0, TRACE_SLACK * sizeof(*s->addresses.at));
	return 0;
}

static int add_part(struct warm_states *s, struct err *e)
{
	if (!s->keep)
		s->parts.count = s->runs.count = s->addresses.count = s->chunks.count = s->chunk_at.count = 0;
	if (vec_reserve(&s->parts, 1, e) < 0)
		return -1;
	s->parts.at[s->parts.count++] =
		(struct part){s->now.counted, s->runs.count, s->addresses.count, s->chunks.count};
	return 0;
}

/*
 * Makes the next part: state, then runs up to the one behind it, which is not simulated, but the core reads that far.
 * The last part has no runs. 0, or -1 with `e`.
 */
static int next_part(struct warm_states *s, struct err *e)
{
	while (s->now.block && s->now.outside)
		if (pass(s, e) < 0)
			return -1;
	if (add_part(s, e) < 0 || save_image(s, e) < 0)
		return -1;
	s->ended = !s->now.block;
	for (; s->now.block && !s->now.outside;)
		if (add_run(s, e) < 0 || pass(s, e) < 0)
			return -1;
	return s->now.block ? add_run(s, e) : 0;
}

/* The first part: the trace's first run alone, if it is not simulated; the core has the state, as it is new. */
static int first_part(struct warm_states *s, struct err *e)
{
	if (read_place(s, &s->now, e) < 0)
		return -1;
	if (!s->now.block || !s->now.outside)
		return next_part(s, e);
	return add_part(s, e) < 0 ? -1 : add_run(s, e);
}

static void drop_parts(struct warm_states *s)
{
	vec_finish(&s->parts);
	vec_finish(&s->runs);
	vec_finish(&s->addresses);
	vec_finish(&s->chunks);
	vec_finish(&s->chunk_at);
}

static size_t kept_bytes(const struct warm_states *s)
{
	return s->chunks.count * (sizeof(*s->chunks.at) + sizeof(*s->chunk_at.at)) +
	       s->runs.count * sizeof(*s->runs.at) + s->addresses.count * sizeof(*s->addresses.at);
}

/* Makes all parts, and keeps them, unless they need more bytes. 0, or -1 with `e`. */
static int keep_all(struct warm_states *s, size_t keep_bytes, bool *ret_kept, struct err *e)
{
	while (!s->ended && kept_bytes(s) <= keep_bytes)
		if (next_part(s, e) < 0)
			return -1;
	*ret_kept = s->ended && kept_bytes(s) <= keep_bytes;
	if (!*ret_kept)
		drop_parts(s);
	return 0;
}

struct warm_states *warm_states_create(const struct core_config *cfg, struct trace_reader *trace,
				       const struct sample_plan *plan, size_t keep_bytes, bool *ret_kept, struct err *e)
{
	struct warm_states *s = mem_alloc(1, sizeof(*s), e);

	*ret_kept = false;
	if (!s)
		return NULL;
	s->cfg = cfg;
	s->trace = trace;
	s->sample.plan = *plan;
	s->keep = keep_bytes;
	s->mem = memsys_create(cfg, NULL, e);
	s->bpred = s->mem ? bpred_create(&cfg->bpred, e) : NULL;
	if (!s->bpred)
		goto fail;
	walk(s->mem, s->bpred, add_size, &s->image_bytes, false);
	s->image = mem_alloc(s->image_bytes, 1, e);
	if (!s->image || first_part(s, e) < 0 || (keep_bytes && keep_all(s, keep_bytes, ret_kept, e) < 0))
		goto fail;
	return s;
fail:
	warm_states_destroy(s);
	return NULL;
}

void warm_states_destroy(struct warm_states *s)
{
	if (!s)
		return;
	while (s->known) {
		struct known_block *k = s->known;

		s->known = k->older;
		free(k->warm);
		free(k);
	}
	drop_parts(s);
	free(s->image);
	bpred_destroy(s->bpred);
	memsys_destroy(s->mem);
	free(s);
}

/* ---- use ---- */
struct warm_use {
	struct warm_states *states;
	struct trace_reader *trace;
	size_t part;          /* that the core is in, of those that are kept */
	unsigned char *image; /* of kept states: that before this part */
};

/* Gives the reader the runs of part `n` of those that are there. */
static void follow(struct warm_use *u, size_t n)
{
	const struct warm_states *s = u->states;
	const struct part *p = &s->parts.at[n];
	const size_t end = n + 1 < s->parts.count ? p[1].run : s->runs.count;

	trace_follow_runs(u->trace, s->runs.at + p->run, end - p->run, s->addresses.at + p->ea);
}

/* Makes the state before part `n` of those that are kept of that before the part before it. */
static void apply_chunks(struct warm_use *u, size_t n)
{
	const struct warm_states *s = u->states;
	const size_t end = n + 1 < s->parts.count ? s->parts.at[n + 1].chunk : s->chunks.count;

	for (size_t k = s->parts.at[n].chunk; k < end; k++)
		memcpy(u->image + (size_t)s->chunk_at.at[k] * CHUNK_BYTES, s->chunks.at[k].byte, CHUNK_BYTES);
}

/* Goes on to the next part. Returns its number in the list; or -1 with `e`. */
static int64_t advance(struct warm_use *u, struct err *e)
{
	if (!u->states->keep)
		return next_part(u->states, e) < 0 ? -1 : 0;
	apply_chunks(u, ++u->part);
	return (int64_t)u->part;
}

struct warm_use *warm_use_create(struct warm_states *s, struct err *e)
{
	struct warm_use *u = mem_alloc(1, sizeof(*u), e);

	if (!u)
		return NULL;
	u->states = s;
	u->trace = trace_follow(s->trace, e);
	u->image = s->keep ? mem_alloc(s->image_bytes, 1, e) : s->image;
	if (!u->trace || !u->image) {
		warm_use_destroy(u);
		return NULL;
	}
	if (s->keep)
		apply_chunks(u, 0);
	follow(u, 0);
	return u;
}

void warm_use_destroy(struct warm_use *u)
{
	if (!u)
		return;
	if (u->states->keep)
		free(u->image);
	trace_close(u->trace);
	free(u);
}

struct trace_reader *warm_use_trace(struct warm_use *u)
{
	return u->trace;
}

int warm_use_enter(void *use, struct memsys *m, struct bpred *b, uint64_t *counted, struct err *e)
{
	struct warm_use *u = use;
	struct image_place p = {.image = u->image};
	const int64_t part = advance(u, e);

	if (part < 0)
		return -1;
	*counted = u->states->parts.at[part].counted;
	follow(u, (size_t)part);
	walk(m, b, load_piece, &p, true);
	return 0;
}
