/*
 * psim --checkpoint: the file has the records of the run so far (segments.h), each with the digest of the state at its
 * sync point. The state itself is not kept. A run that continues simulates segment 0 again, warms up to the last
 * segments of which there are records, and simulates the begin of each in a copy. A copy whose digest at a sync point
 * is that of the record is in the state that the run had there, so its counts continue those of the records. If there
 * is none, the copy of segment 1 is, which follows segment 0, and all but that is simulated again.
 */
#include "segment_checkpoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message_line.h"
#include "segment_runner.h"

/* Segments whose begin is tried again: nearly all reach the state (docs/accuracy/performance.md). */
enum { TRIED = 8 };

/* ---- the file ---- */
int segment_checkpoint_facts(struct run *run, struct err *e)
{
	struct checkpoint *k = &run->checkpoint;

	for (unsigned n = 0; n < run->cores; n++)
		if (checkpoint_is(k, e, "trace", "%08" PRIx32, trace_checksum(run->trace[n])) < 0)
			return -1;
	return checkpoint_is(k, e, "configuration", "%016" PRIx64, config_hash(run->config));
}

static int add_facts(struct run *run, uint64_t length, struct err *e)
{
	struct checkpoint *k = &run->checkpoint;

	return checkpoint_is(k, e, "trace", "%08" PRIx32, trace_checksum(run->trace[0])) < 0 ||
			       checkpoint_is(k, e, "instructions", "%" PRIu64, length) < 0 ||
			       checkpoint_is(k, e, "skip", "%" PRIu64, run->set.skip) < 0 ||
			       checkpoint_is(k, e, "configuration", "%016" PRIx64, config_hash(run->config)) < 0
		       ? -1
		       : 0;
}

/* The plan's words: what decides where the sync points are. */
enum { PLAN_WORDS = 4 };

static void put_plan(const struct segment_plan *p, uint64_t words[PLAN_WORDS])
{
	words[0] = p->length;
	words[1] = p->count;
	words[2] = p->run_in;
	words[3] = p->apart;
}

static int wrong_part(const struct checkpoint *k, const char *name, const char *why, struct err *e)
{
	return err_set(e, STATUS_BAD_INPUT, "%s: part '%s': %s: remove the file, or name another one", k->path, name,
		       why);
}

/* Takes the plan of the file for the run. 0, or -1 with `e`. */
static int take_plan(struct run *run, uint64_t length, struct err *e)
{
	const struct checkpoint_part *p = &run->checkpoint.parts.at[0];
	struct segment_plan plan = {.run_in = SEGMENT_RUN_IN, .apart = SEGMENT_APART};
	uint64_t fixed[PLAN_WORDS];

	if (strcmp(p->name, "plan") != 0 || p->count != PLAN_WORDS)
		return wrong_part(&run->checkpoint, p->name, "expected 'plan' with 4 words", e);
	plan.length = p->words[0];
	plan.count = p->words[1];
	put_plan(&plan, fixed);
	if (!plan.count || plan.count > SEGMENTS_KEPT || plan.length != length / plan.count ||
	    (plan.count > 1 && plan.length < SEGMENT_LEAST) || memcmp(fixed, p->words, sizeof(fixed)) != 0)
		return wrong_part(&run->checkpoint, p->name, "expected a plan for this trace", e);
	run->segments = plan;
	return 0;
}

static const struct segment_record *record_of(const struct checkpoint_part *p)
{
	return (const struct segment_record *)(const void *)p->words;
}

/* Checks that a part is the record of sync point `sync`. 0, or -1 with `e`. */
static int check_record(const struct run *run, const struct checkpoint_part *p, uint64_t sync, struct err *e)
{
	const size_t least = sizeof(struct segment_record) / sizeof(uint64_t);
	char name[CHECKPOINT_NAME_MAX];

	snprintf(name, sizeof(name), "sync-%" PRIu64, sync);
	if (strcmp(p->name, name) != 0 || sync >= run->segments.count * SEGMENT_SYNCS || p->count < least ||
	    record_of(p)->sync != sync)
		return wrong_part(&run->checkpoint, p->name, "expected the record of the next sync point", e);
	return 0;
}

int segment_checkpoint_begin(struct run *run, struct err *e)
{
	uint64_t plan[PLAN_WORDS];

	put_plan(&run->segments, plan);
	checkpoint_forget(&run->checkpoint);
	return checkpoint_add(&run->checkpoint, "plan", plan, PLAN_WORDS, e);
}

int segment_checkpoint_read(struct run *run, uint64_t length, struct err *e)
{
	struct checkpoint *k = &run->checkpoint;
	if (add_facts(run, length, e) < 0 || checkpoint_read(k, e) < 0)
		return -1;
	if (!k->parts.count)
		return segment_checkpoint_begin(run, e);
	if (take_plan(run, length, e) < 0)
		return -1;
	for (size_t n = 1; n < k->parts.count; n++)
		if (check_record(run, &k->parts.at[n], SEGMENT_SYNCS + n - 1, e) < 0)
			return -1;
	return 0;
}

int segment_keep(struct segment_runner *r, struct err *e)
{
	const struct kept_record *k = &r->sum.at[r->sum.count - 1];
	char name[CHECKPOINT_NAME_MAX];

	if (k->record->sync == SEGMENT_END)
		return 0; /* what is left is the report */
	if (r->continues && !r->owner)
		return 0; /* segment 0, again */
	snprintf(name, sizeof(name), "sync-%" PRIu64, k->record->sync);
	return checkpoint_add(&r->run->checkpoint, name, k->record, k->words, e);
}

/* ---- a run that continues ---- */
/* The first record of the run, which segment 0 has made again, is that of the checkpoint. 0, or -1 with `e`. */
static int check_first(const struct segment_runner *r, struct err *e)
{
	const struct checkpoint_part *p = &r->run->checkpoint.parts.at[1];
	const struct kept_record *k = &r->sum.at[0];

	if (k->words == p->count && memcmp(k->record, p->words, p->count * sizeof(uint64_t)) == 0)
		return 0;
	return wrong_part(&r->run->checkpoint, p->name, "counts of another run, expected those of this one", e);
}

/* Takes the further records of the checkpoint. 0, or -1 with `e`. */
static int take_records(struct segment_runner *r, struct err *e)
{
	const struct checkpoint *k = &r->run->checkpoint;

	for (size_t n = 2; n < k->parts.count; n++)
		if (sum_add(r, record_of(&k->parts.at[n]), k->parts.at[n].count, (struct segment_spot){0}, e) < 0)
			return -1;
	return 0;
}

/* The place of a copy that is in the state of the run. */
struct found {
	unsigned segment;
	unsigned mirror;
	size_t used; /* records of the copy up to there */
	size_t kept; /* records of the run up to there */
};

/* Compares segment `n`'s copy with the records of the run. */
static enum agreement try_segment(const struct segment_runner *r, unsigned n, struct found *f)
{
	enum agreement answer = AGREE_NO;

	for (size_t k = 0; k < r->sum.count; k++) {
		const struct segment_record *record = r->sum.at[k].record;
		enum agreement a = AGREE_NO;
		unsigned mirror = 0;
		size_t place = 0;

		if (record->sync / SEGMENT_SYNCS == n)
			a = agree(r, record, &place, &mirror);
		if (a == AGREE_YES) {
			*f = (struct found){n, mirror, place + 1, k + 1};
			return AGREE_YES;
		}
		answer = a == AGREE_LATER ? AGREE_LATER : answer;
	}
	return answer;
}

/* Lets a copy simulate segment `n` until it is known whether it has the state of the run. 0, or -1 with `e`. */
static int simulate_begin(struct segment_runner *r, unsigned n, struct found *f, struct err *e)
{
	enum { POLL_MS = 200 };
	const unsigned before = f->segment;
	enum agreement a = AGREE_LATER;

	r->begun = n;
	if (begin_segment(r, e) < 0)
		return -1;
	while (a == AGREE_LATER && segment_progress(r)) {
		if (poll_copies(r, POLL_MS, e) < 0)
			return -1;
		a = try_segment(r, n, f);
	}
	if (a == AGREE_YES)
		free_worker(&r->worker[before], true);
	if (a != AGREE_YES)
		free_worker(&r->worker[n], true);
	return 0;
}

/* Removes the records behind the place from which the copy counts. */
static void own_from(struct segment_runner *r, const struct found *f)
{
	struct checkpoint *k = &r->run->checkpoint;

	while (r->sum.count > f->kept)
		free(r->sum.at[--r->sum.count].record);
	r->behind.count = r->sum.count;
	while (k->parts.count > 1 + f->kept)
		free(k->parts.at[--k->parts.count].words);
	r->owner = f->segment;
	r->worker[f->segment].used = f->used;
	r->mirror = f->mirror;
}

/* Says where the run continues: progress counts from there. */
static void tell_place(struct segment_runner *r)
{
	const uint64_t at = segment_sync(&r->run->segments, r->sum.at[r->sum.count - 1].record->sync);

	progress_from(&r->run->progress, at);
	if (!r->run->common.quiet)
		message("psim: %s: continues at instruction %" PRIu64 " of %" PRIu64, r->run->set.checkpoint.path,
			at + r->run->set.skip, trace_length(r->run->trace[0]));
}

int segment_continue(struct segment_runner *r, struct err *e)
{
	const uint64_t last = (SEGMENT_SYNCS + r->run->checkpoint.parts.count - 2) / SEGMENT_SYNCS,
		       first = last > TRIED ? last - TRIED + 1 : 2;
	struct found f = {.segment = 1, .kept = 1};

	if (check_first(r, e) < 0 || take_records(r, e) < 0)
		return -1;
	for (uint64_t n = first; n <= last && !r->interrupted; n++)
		if (core_segment_go(r->core, n, e) < 0 || simulate_begin(r, (unsigned)n, &f, e) < 0)
			return -1;
	own_from(r, &f);
	if (!r->interrupted)
		tell_place(r);
	return 0;
}
