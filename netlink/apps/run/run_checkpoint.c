/* --checkpoint: the parts of several runs, and what they depend on. */
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/message_line.h"
#include "program_run.h"

/* Options on which no part depends: which parts there are, how they are computed, and what is said of them. */
static const char *const other_options[] = {
	"load", "saturation", "name", "beside", "processes", "checkpoint-minutes", "expect",
};

static bool decides(const struct opt *o)
{
	for (size_t n = 0; n < sizeof(other_options) / sizeof(other_options[0]); n++)
		if (strcmp(o->name, other_options[n]) == 0)
			return false;
	return o->type != OPT_WRITES;
}

/* Adds the value of an option. 0, or -1 with `e`. */
static int add_option(uint64_t *hash, const struct opt *o, struct err *e)
{
	const struct opt_list *list = o->target;
	char number[32];

	switch (o->type) {
	case OPT_FLAG: checkpoint_hash_text(hash, *(const bool *)o->target ? "yes" : "no"); return 0;
	case OPT_COUNT:
		snprintf(number, sizeof(number), "%" PRIu64, *(const uint64_t *)o->target);
		checkpoint_hash_text(hash, number);
		return 0;
	case OPT_LIST:
	case OPT_READS_EACH:
		for (unsigned n = 0; n < list->count; n++)
			if (checkpoint_hash_word(hash, list->item[n], e) < 0)
				return -1;
		return 0;
	default: return checkpoint_hash_word(hash, *(const char *const *)o->target, e);
	}
}

/* Adds names and contents of all files that a pattern of glob(3) finds. 0, or -1 with `e`. */
static int add_found(uint64_t *hash, const char *pattern, struct err *e)
{
	glob_t found;
	int ret = 0;

	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t n = 0; ret == 0 && n < found.gl_pathc; n++)
		ret = checkpoint_hash_word(hash, found.gl_pathv[n], e);
	globfree(&found);
	return ret;
}

/* Adds the files of a trace of several: those of a name with %d, and those beside the anchor of an OTF2 archive. */
static int add_trace(uint64_t *hash, const char *trace, struct err *e)
{
	static const char anchor[] = ".otf2";
	const char *rank = trace ? strstr(trace, "%d") : NULL;
	const size_t length = trace ? strlen(trace) : 0, end = sizeof(anchor) - 1;
	char pattern[PATH_MAX];

	if (rank) {
		snprintf(pattern, sizeof(pattern), "%.*s*%s", (int)(rank - trace), trace, rank + 2);
		return add_found(hash, pattern, e);
	}
	if (length <= end || strcmp(trace + length - end, anchor) != 0)
		return 0;
	snprintf(pattern, sizeof(pattern), "%.*s.def", (int)(length - end), trace);
	if (add_found(hash, pattern, e) < 0)
		return -1;
	snprintf(pattern, sizeof(pattern), "%.*s/*", (int)(length - end), trace);
	return add_found(hash, pattern, e);
}

/* Makes a hash of all options that decide what a part is, and of their files. 0, or -1 with `e`. */
static int hash_options(struct run_inputs *in, uint64_t *hash, struct err *e)
{
	struct opt rows[RUN_OPTIONS_MAX];
	const unsigned count = inputs_options(in, rows);

	for (unsigned n = 0; n < count; n++) {
		if (!decides(&rows[n]))
			continue;
		checkpoint_hash_text(hash, rows[n].name);
		if (add_option(hash, &rows[n], e) < 0)
			return -1;
	}
	return add_trace(hash, in->set.replay, e);
}

struct contents {
	uint64_t hash;
	struct err *e;
};

/* A config_input_fn. */
static int add_input(void *user, const char *path)
{
	struct contents *c = user;

	return checkpoint_hash_file(&c->hash, path, c->e);
}

/* Adds what the parts depend on. 0, or -1 with `e`. */
static int add_facts(struct run *run, int count, char *const words[], struct err *e)
{
	struct checkpoint *k = &run->checkpoint;
	struct contents files = {HASH_BYTES, e};
	uint64_t options = HASH_BYTES, program = HASH_BYTES;

	for (int n = 0; n < count; n++)
		if (checkpoint_hash_word(&program, words[n], e) < 0)
			return -1;
	if (hash_options(&run->in, &options, e) < 0 || config_each_input(run->machine.config, add_input, &files) < 0 ||
	    checkpoint_is(k, e, "configuration", "%016" PRIx64, config_hash(run->machine.config)) < 0 ||
	    checkpoint_is(k, e, "files", "%016" PRIx64, files.hash) < 0 ||
	    checkpoint_is(k, e, "options", "%016" PRIx64, options) < 0)
		return -1;
	return count ? checkpoint_is(k, e, "program", "%016" PRIx64, program) : 0;
}

/* Keeps one run as a whole, outputs included: each word of its command counts. 0, or -1 with `e`. */
static int begin_whole(struct run *run, int argc, char *const argv[], struct err *e)
{
	const struct settings *s = &run->in.set;
	const char *beside = s->processes > 1 || run->joined ? "--processes (-j)"
			     : s->jobs.count                 ? "--job"
			     : s->write_otf2                 ? "--write-otf2"
							     : NULL;

	if (beside)
		return err_set(e, STATUS_USAGE, "--checkpoint and %s: expected one of the two, or %s--interval", beside,
			       run->in.program->traffic ? "--load or " : "");
	return checkpoint_whole(&run->checkpoint, argc, argv, e);
}

int run_checkpoint_begin(struct run *run, int first, int argc, char *const argv[], struct err *e)
{
	const struct settings *s = &run->in.set;

	if (checkpoint_begin(&run->checkpoint, &s->checkpoint, run->in.program->name, e) < 0)
		return -1;
	if (!s->checkpoint.path)
		return 0;
	if (!s->load && !s->interval && begin_whole(run, argc, argv, e) < 0)
		return -1;
	if (add_facts(run, argc - first, argv + first, e) < 0 || checkpoint_read(&run->checkpoint, e) < 0)
		return -1;
	if (run->checkpoint.parts.count && !run->in.common.quiet)
		message("%s: %s: continues, has %zu parts", run->in.program->name, s->checkpoint.path,
			run->checkpoint.parts.count);
	return 0;
}

bool run_step(struct run *run, struct progress *p, uint64_t done, const char *note)
{
	bool continues, goes_on = checkpoint_step(&run->checkpoint, p, done, note, &continues);

	if (continues && run->vmpi)
		vmpi_continue(run->vmpi);
	return goes_on;
}
