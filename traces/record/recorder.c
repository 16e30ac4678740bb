#include "recorder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "warm_up.h"

enum { KNOWN_SIZE = 1 << 14 };

struct known_block {
	struct known_block *next;
	uint64_t pc;
	int64_t *id; /* in each trace, `ids` of them; -1: not declared yet */
	unsigned ids;
	unsigned count, memory_count;
	bool simd;
	uint32_t words[];
};

int recorder_init(struct recorder *r, struct guest *g, const struct run_options *o, struct err *e)
{
	*r = (struct recorder){.g = g, .options = o, .error = e};
	r->armed = !o->from;
	r->skip_left = o->skip;
	r->known = calloc(KNOWN_SIZE, sizeof(*r->known));
	if (!r->known)
		return err_set(e, STATUS_FAILED, "out of memory for the recorder");
	return recorder_turn(r);
}

int recorder_turn(struct recorder *r)
{
	const struct run_options *o = r->options;

	r->now = &r->trace[r->g->running];
	if (r->now->warm_up || !o->warm_up || !o->open)
		return 0;
	r->now->warm_up = warm_up_create(o->warm_up, r->error);
	return r->now->warm_up ? 0 : -1;
}

void recorder_warn_open(const struct recorder *r)
{
	if (r->depth)
		guest_warn(r->g, "region '%s' has no end: it extends to the end of the program",
			   r->region[r->depth - 1].name);
}

void recorder_finish(struct recorder *r)
{
	for (unsigned i = 0; r->known && i < KNOWN_SIZE; i++)
		while (r->known[i]) {
			struct known_block *k = r->known[i];
			r->known[i] = k->next;
			free(k->id);
			free(k);
		}
	free(r->known);
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		warm_up_destroy(r->trace[n].warm_up);
}

bool recorder_inside(const struct recorder *r)
{
	return r->armed && (!r->options->region_count || r->selected);
}

static void recorder_fail(struct recorder *r)
{
	r->result = -1;
	r->changed = true;
}

bool recorder_keeps(const struct recorder *r)
{
	return r->now->warm_up;
}

/* Makes room for the numbers of `k` in `count` traces. 0, or -1. */
static int grow_ids(struct known_block *k, unsigned count)
{
	int64_t *id = realloc(k->id, count * sizeof(*id));

	if (!id)
		return -1;
	for (k->id = id; k->ids < count; k->ids++)
		id[k->ids] = -1;
	return 0;
}

/* Writes a run of a block, and declares the block if it is new to the trace. */
static int write_known(struct recorder *r, struct known_block *k, const uint64_t *ea)
{
	unsigned place = r->g->running;
	struct trace_writer *w = r->now->writer;

	if (place >= k->ids && grow_ids(k, place + 1) < 0)
		return err_set(r->error, STATUS_FAILED, "out of memory for the recorder");
	if (k->id[place] < 0)
		k->id[place] = trace_writer_block(w, k->pc, k->words, k->count, k->simd, r->error);
	return k->id[place] < 0 ? -1 : trace_writer_run(w, (uint32_t)k->id[place], ea, r->error);
}

/* Writes the kept instructions of the running thread's place as a warm-up part. */
static int write_warm_up(struct recorder *r)
{
	struct place_trace *t = r->now;
	struct warm_up_run run;

	if (!t->warm_up || !warm_up_first(t->warm_up, &run))
		return 0;
	if (trace_writer_warm_up(t->writer, true, r->error) < 0)
		return -1;
	for (; warm_up_first(t->warm_up, &run); warm_up_drop(t->warm_up))
		if (write_known(r, run.block, run.ea) < 0)
			return -1;
	return trace_writer_warm_up(t->writer, false, r->error);
}

/* Writes the begin of a region to the running thread's trace. */
static int write_begin(struct recorder *r, struct open_region *o)
{
	o->written |= (uint64_t)1 << r->g->running;
	return trace_writer_region(r->now->writer, o->name, true, r->error);
}

/* Writes the begins of open regions that the running thread's trace does not have yet. */
static int write_open_regions(struct recorder *r)
{
	uint64_t mine = (uint64_t)1 << r->g->running;

	if (!r->depth || r->region[r->depth - 1].written & mine)
		return 0;
	if (write_warm_up(r) < 0)
		return -1;
	for (unsigned i = 0; i < r->depth; i++)
		if (!(r->region[i].written & mine) && write_begin(r, &r->region[i]) < 0)
			return -1;
	return 0;
}

/* Writes the begins of open regions first, so that their ends match. */
int recorder_start(struct recorder *r)
{
	if (!r->options->open)
		return 0;
	if (r->now->writer)
		return write_open_regions(r);
	r->now->writer = r->options->open(r->options->user, r->g->running, r->g->insns, r->error);
	if (!r->now->writer)
		return -1;
	if (r->now->awaits && trace_writer_order(r->now->writer, &r->now->first, r->error) < 0)
		return -1;
	if (write_warm_up(r) < 0)
		return -1;
	return write_open_regions(r);
}

/*
 * Finds or adds the block of these words, which may be the same after its code was reloaded.
 * NULL: out of memory.
 */
static struct known_block *find_or_add_block(struct recorder *r, uint64_t pc, const uint32_t *words, unsigned count,
					     bool simd)
{
	struct known_block **bucket = &r->known[(pc >> 2 ^ pc >> 16 ^ count) % KNOWN_SIZE], *k;
	for (k = *bucket; k; k = k->next)
		if (k->pc == pc && k->count == count && k->simd == simd &&
		    memcmp(k->words, words, count * sizeof(*words)) == 0)
			return k;
	k = malloc(sizeof(*k) + count * sizeof(*words));
	if (!k) {
		err_set(r->error, STATUS_FAILED, "out of memory for the recorder");
		return NULL;
	}
	*k = (struct known_block){.next = *bucket,
				  .pc = pc,
				  .count = count,
				  .memory_count = trace_count_addresses(words, count, simd),
				  .simd = simd};
	memcpy(k->words, words, count * sizeof(*words));
	*bucket = k;
	return k;
}

static struct known_block *find_or_add_part(struct recorder *r, const struct block *b, unsigned count)
{
	uint32_t words[TRACE_BLOCK_MAX];
	for (unsigned i = 0; i < count; i++)
		words[i] = b->entry[i].insn.word;
	return find_or_add_block(r, b->pc, words, count, b->simd);
}

/* Writes a run of `k`, or keeps it for a warm-up part. `k` is NULL if it could not be added. */
static void put_run(struct recorder *r, struct known_block *k, const uint64_t *ea)
{
	if (!k)
		recorder_fail(r);
	else if (r->recording ? write_known(r, k, ea) < 0
			      : warm_up_put(r->now->warm_up, k, k->count, k->memory_count, ea, r->error) < 0)
		recorder_fail(r);
}

static void log_pcs(const struct recorder *r, uint64_t pc, unsigned count)
{
	for (unsigned i = 0; r->recording && r->options->log && i < count; i++)
		fprintf(r->options->log, "%" PRIx64 "\n", pc + 4 * (uint64_t)i);
}

/* Begins a critical section at `begin` if the atomic access `i` has taken a lock. */
static void begin_section(struct recorder *r, const struct insn *i, uint64_t begin)
{
	struct held_lock *lock = locks_taken(&r->locks, &r->g->cpu, &r->g->memory, i, r->g->running);

	if (!lock || r->now->sections == TRACE_SECTIONS_MAX)
		return;
	lock->begin = begin;
	lock->section = trace_writer_section(r->now->writer, begin, lock->address, r->error);
	if (lock->section < 0)
		recorder_fail(r);
	r->now->sections++;
}

/* Ends the sections whose locks are free now; what another thread has released has none. */
static void end_sections(struct recorder *r)
{
	struct held_lock lock;

	while (locks_released(&r->locks, &r->g->memory, &lock))
		if (lock.section >= 0 && lock.place == r->g->running) {
			trace_writer_section_end(r->now->writer, lock.section, trace_writer_position(r->now->writer));
			locks_know(&r->locks, lock.address);
		}
}

/* Returns whether the running thread has just begun a critical section: one that counts arrivals is short. */
static bool in_short_section(const struct recorder *r, uint64_t position)
{
	enum { SHORT = 256 }; /* instructions */

	for (size_t n = 0; n < r->locks.count; n++)
		if (r->locks.held[n].place == r->g->running && position - r->locks.held[n].begin < SHORT)
			return true;
	return false;
}

/* Follows the loads and stores of the first `count` instructions of a block. */
static void follow_accesses(struct recorder *r, const struct block *b, unsigned count, const uint64_t *ea)
{
	for (unsigned n = 0; n < count; ea += insn_address_count(&b->entry[n++].insn)) {
		const struct insn *i = &b->entry[n].insn;

		if (i->class == CLASS_LOAD && !locks_own(&r->locks, *ea))
			wake_flow_load(&r->flow, r->g->running, *ea);
		else if (i->class == CLASS_STORE && !locks_own(&r->locks, *ea))
			wake_flow_store(&r->flow, r->g->running, *ea);
	}
}

/* Follows the last atomic access, which takes a lock or does not. */
static void follow_atomic(struct recorder *r, const struct insn *i, uint64_t begin)
{
	const struct cpu *c = &r->g->cpu;

	begin_section(r, i, begin);
	if (!locks_known(&r->locks, c->atomic_address))
		wake_flow_atomic(&r->flow, r->g->running, c->atomic_address);
}

static void write_block(struct recorder *r, struct block *b, unsigned count, const uint64_t *ea)
{
	if (count == b->count) {
		if (!b->full)
			b->full = find_or_add_part(r, b, count);
		put_run(r, b->full, ea);
	} else if (b->slot && count == b->count - 1) {
		if (!b->cut)
			b->cut = find_or_add_part(r, b, count);
		put_run(r, b->cut, ea);
	} else {
		put_run(r, find_or_add_part(r, b, count), ea);
	}
}

/* Sections begin and end between blocks, since that is where a simulator can stop. */
void recorder_put(struct recorder *r, struct block *b, unsigned count, const uint64_t *ea)
{
	uint64_t before;

	if (r->options->log)
		log_pcs(r, b->pc, count);
	if (!(r->recording ? r->now->writer != NULL : r->now->warm_up != NULL) || !count)
		return;
	before = r->recording ? trace_writer_position(r->now->writer) : 0;
	write_block(r, b, count, ea);
	if (!r->recording)
		return;
	if (r->locks.count) {
		if (in_short_section(r, before))
			follow_accesses(r, b, count, ea);
		end_sections(r);
	}
	if (b->atomic && b->atomic <= count && r->g->threads > 1)
		follow_atomic(r, &b->entry[b->atomic - 1].insn, before);
}

void recorder_put_single(struct recorder *r, uint64_t pc, uint32_t word, bool simd, const uint64_t *ea)
{
	log_pcs(r, pc, 1);
	if (r->recording ? r->now->writer != NULL : r->now->warm_up != NULL)
		put_run(r, find_or_add_block(r, pc, &word, 1, simd), ea);
}

static bool is_selected(const struct recorder *r, const char *name)
{
	bool selected = false;

	for (unsigned i = 0; i < r->options->region_count; i++) {
		if (strcmp(r->options->regions[i], name) != 0)
			continue;
		selected = true;
		if (r->options->entered)
			r->options->entered[i] = true;
	}
	if (!selected && r->options->other && !*r->options->other)
		memcpy(r->options->other, name, strlen(name) + 1);
	return selected;
}

/* Returns whether another thread has begun the innermost region of this name, which is then its alone. */
static bool is_of_another(const struct recorder *r, const char *name)
{
	for (unsigned i = r->depth; i-- > 0;)
		if (strcmp(r->region[i].name, name) == 0)
			return r->region[i].place != r->g->running;
	return false;
}

/* recorder_start writes the begin if recording is off. */
static void begin_region(struct recorder *r, const char *name)
{
	if (is_of_another(r, name))
		return;
	if (r->depth == TRACE_REGION_DEPTH) {
		guest_warn(r->g, "region '%s': more than %d regions are open, ignored", name, TRACE_REGION_DEPTH);
		return;
	}
	struct open_region *o = &r->region[r->depth++];
	*o = (struct open_region){.selected = is_selected(r, name), .place = r->g->running};
	memcpy(o->name, name, strlen(name) + 1);
	if (o->selected && r->selected++ == 0)
		r->changed = true;
	if (r->now->writer && recorder_inside(r) && (write_warm_up(r) < 0 || write_begin(r, o) < 0))
		recorder_fail(r);
}

static void end_region(struct recorder *r, const char *name)
{
	struct open_region *o = r->depth ? &r->region[r->depth - 1] : NULL;
	if (is_of_another(r, name))
		return;
	if (!o || strcmp(o->name, name) != 0) {
		guest_warn(r->g, "end of region '%s', but '%s' is open: ignored", name, o ? o->name : "none");
		return;
	}
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		if (o->written >> n & 1 && trace_writer_region(r->trace[n].writer, name, false, r->error) < 0)
			recorder_fail(r);
	if (o->selected && --r->selected == 0)
		r->changed = true;
	r->depth--;
}

/* Passes on the line of a nest that was checked, or an empty one. */
static void pass_on_line(struct recorder *r, uint64_t address)
{
	char line[512];
	if (r->options->checked && address_space_read_string(&r->g->memory, address, line, sizeof(line)) >= 0)
		r->options->checked(r->options->user, line);
}

/* Adds to the trace of `place` that it goes on at `position` only behind instruction `after` of thread `from`. */
static void put_order(struct recorder *r, unsigned place, uint64_t position, unsigned from, uint64_t after)
{
	struct place_trace *t = &r->trace[place];
	struct trace_order row = {.position = position, .after = after, .thread = from};

	if (!t->writer) {
		t->first = row;
		t->awaits = true;
	} else if (trace_writer_order(t->writer, &row, r->error) < 0) {
		recorder_fail(r);
	}
}

void recorder_wakes(void *recorder, unsigned place, uint64_t futex, bool meet)
{
	struct recorder *r = recorder;
	const struct trace_writer *other = r->trace[place].writer;
	uint64_t here, there = other ? trace_writer_position(other) : 0;

	if (!r->recording || !r->now->writer || locks_known(&r->locks, futex))
		return;
	here = trace_writer_position(r->now->writer);
	put_order(r, place, there, r->g->running, here);
	if (wake_flow_wakes(&r->flow, r->g->running, place) && meet)
		put_order(r, r->g->running, here, place, there);
}

void recorder_marker(struct recorder *r, enum marker marker)
{
	char name[TRACE_NAME_MAX];
	uint64_t address = r->g->cpu.r[8];
	if (marker == CHECKED_MARKER) {
		pass_on_line(r, address);
		return;
	}
	if (marker == RAN_MARKER) {
		if (r->options->nests)
			nest_runs_note(r->options->nests, &r->g->memory, address);
		return;
	}
	if (address_space_read_string(&r->g->memory, address, name, sizeof(name)) < 1) {
		guest_warn(r->g,
			   "region marker before pc 0x%" PRIx64 ": its name at 0x%" PRIx64
			   " is not a text of 1 to %d bytes: ignored",
			   r->g->cpu.pc, address, TRACE_NAME_MAX - 1);
		return;
	}
	if (marker == BEGIN_MARKER)
		begin_region(r, name);
	else
		end_region(r, name);
}
