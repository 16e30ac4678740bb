#include "recorder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_SIZE = 1 << 14 };

struct known_block {
	struct known_block *next;
	uint64_t pc;
	int64_t id;
	unsigned count;
	bool simd;
	uint32_t words[];
};

int recorder_init(struct recorder *r, struct guest *g, const struct run_options *o, struct err *e)
{
	*r = (struct recorder){.g = g, .options = o, .error = e};
	r->armed = !o->from;
	r->skip_left = o->skip;
	r->known = calloc(KNOWN_SIZE, sizeof *r->known);
	return r->known ? 0 : err_set(e, STATUS_FAILED, "no memory for the recorder");
}

void recorder_finish(struct recorder *r)
{
	for (unsigned i = 0; r->known && i < KNOWN_SIZE; i++)
		while (r->known[i]) {
			struct known_block *k = r->known[i];
			r->known[i] = k->next;
			free(k);
		}
	free(r->known);
}

bool recorder_inside(const struct recorder *r)
{
	return r->armed && (!r->options->region_count || r->selected);
}

static void fail(struct recorder *r)
{
	r->result = -1;
	r->changed = true;
}

/* Regions that are open already are told first, so that their ends have a beginning. */
int recorder_start(struct recorder *r)
{
	if (!r->options->open)
		return 0;
	r->writer = r->options->open(r->options->user, r->g->insns, r->error);
	if (!r->writer)
		return -1;
	for (unsigned i = 0; i < r->depth; i++) {
		r->region[i].written = true;
		if (trace_writer_region(r->writer, r->region[i].name, true, r->error) < 0)
			return -1;
	}
	return 0;
}

/* The trace's number of a block of these words: declared once, also after its code was reloaded. */
static int64_t declare(struct recorder *r, uint64_t pc, const uint32_t *words, unsigned count,
                       bool simd)
{
	struct known_block **bucket = &r->known[(pc >> 2 ^ pc >> 16 ^ count) % KNOWN_SIZE], *k;
	for (k = *bucket; k; k = k->next)
		if (k->pc == pc && k->count == count && k->simd == simd &&
		    memcmp(k->words, words, count * sizeof *words) == 0)
			return k->id;
	k = malloc(sizeof *k + count * sizeof *words);
	if (!k)
		return err_set(r->error, STATUS_FAILED, "no memory for the recorder");
	*k = (struct known_block){.next = *bucket, .pc = pc, .count = count,
	                           .simd = simd};
	memcpy(k->words, words, count * sizeof *words);
	k->id = trace_writer_block(r->writer, pc, words, count, simd, r->error);
	*bucket = k;
	return k->id;
}

static int64_t declare_block(struct recorder *r, const struct block *b, unsigned count)
{
	uint32_t words[TRACE_BLOCK_MAX];
	for (unsigned i = 0; i < count; i++)
		words[i] = b->entry[i].insn.word;
	return declare(r, b->pc, words, count, b->simd);
}

static void write_run(struct recorder *r, int64_t id, const uint64_t *ea)
{
	if (id < 0 || trace_writer_run(r->writer, (uint32_t)id, ea, r->error) < 0)
		fail(r);
}

static void log_pcs(const struct recorder *r, uint64_t pc, unsigned count)
{
	for (unsigned i = 0; r->options->log && i < count; i++)
		fprintf(r->options->log, "%" PRIx64 "\n", pc + 4 * (uint64_t)i);
}

void recorder_put(struct recorder *r, struct block *b, unsigned count, const uint64_t *ea)
{
	if (r->options->log)
		log_pcs(r, b->pc, count);
	if (!r->writer || !count)
		return;
	int64_t id;
	if (count == b->count) {
		if (b->full_id < 0)
			b->full_id = declare_block(r, b, count);
		id = b->full_id;
	} else if (b->slot && count == b->count - 1) {
		if (b->cut_id < 0)
			b->cut_id = declare_block(r, b, count);
		id = b->cut_id;
	} else {
		id = declare_block(r, b, count);
	}
	write_run(r, id, ea);
}

void recorder_put_single(struct recorder *r, uint64_t pc, uint32_t word, bool simd,
                         const uint64_t *ea)
{
	log_pcs(r, pc, 1);
	if (r->writer)
		write_run(r, declare(r, pc, &word, 1, simd), ea);
}

static bool is_selected(const struct recorder *r, const char *name)
{
	for (unsigned i = 0; i < r->options->region_count; i++)
		if (strcmp(r->options->regions[i], name) == 0)
			return true;
	return false;
}

/* The begin itself is written when recording is on or comes on (recorder_start). */
static void begin_region(struct recorder *r, const char *name)
{
	if (r->depth == TRACE_REGION_DEPTH) {
		guest_warn(r->g, "region '%s': more than %d regions are open, this one is ignored",
		           name, TRACE_REGION_DEPTH);
		return;
	}
	struct open_region *o = &r->region[r->depth++];
	*o = (struct open_region){.selected = is_selected(r, name), .written = false};
	memcpy(o->name, name, strlen(name) + 1);
	if (o->selected && r->selected++ == 0)
		r->changed = true;
	if (r->writer && recorder_inside(r)) {
		o->written = true;
		if (trace_writer_region(r->writer, name, true, r->error) < 0)
			fail(r);
	}
}

static void end_region(struct recorder *r, const char *name)
{
	struct open_region *o = r->depth ? &r->region[r->depth - 1] : NULL;
	if (!o || strcmp(o->name, name) != 0) {
		guest_warn(r->g, "region '%s' ends but '%s' is the one open: the end is ignored", name,
		           o ? o->name : "none");
		return;
	}
	if (o->written && trace_writer_region(r->writer, name, false, r->error) < 0)
		fail(r);
	if (o->selected && --r->selected == 0)
		r->changed = true;
	r->depth--;
}

void recorder_marker(struct recorder *r, enum marker marker)
{
	char name[TRACE_NAME_MAX];
	uint64_t address = r->g->cpu.r[8];
	if (space_read_string(&r->g->memory, address, name, sizeof name) < 1) {
		guest_warn(r->g, "region marker before pc 0x%" PRIx64 ": its name at 0x%" PRIx64
		           " is not a text of 1 to %d bytes: ignored", r->g->cpu.pc, address,
		           TRACE_NAME_MAX - 1);
		return;
	}
	if (marker == BEGIN_MARKER)
		begin_region(r, name);
	else
		end_region(r, name);
}
