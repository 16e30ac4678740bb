#include "sim_points.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../../../psim/base/hash.h"

enum { RESULT_WORDS = sizeof(struct run_result) / sizeof(uint64_t) };
_Static_assert(sizeof(struct run_result) % sizeof(uint64_t) == 0, "a result is words");

int sim_points_begin(struct checkpoint *k, const struct checkpoint_options *o, const struct config *config,
		     const char *pattern, int count, char *const operands[], struct err *e)
{
	uint64_t simulator = HASH_BYTES, words = HASH_BYTES;

	if (checkpoint_begin(k, o, "simulator", e) < 0)
		return -1;
	if (!o->path)
		return 0;
	if (checkpoint_hash_word(&words, pattern, e) < 0)
		return -1;
	for (int n = 0; n < count; n++)
		if (checkpoint_hash_word(&words, operands[n], e) < 0)
			return -1;
	/* description and PU file are in the program */
	return checkpoint_hash_file(&simulator, "/proc/self/exe", e) < 0 ||
			       checkpoint_is(k, e, "simulator", "%016" PRIx64, simulator) < 0 ||
			       checkpoint_is(k, e, "configuration", "%016" PRIx64, config_hash(config)) < 0 ||
			       checkpoint_is(k, e, "operands", "%016" PRIx64, words) < 0 || checkpoint_read(k, e) < 0
		       ? -1
		       : 0;
}

static void name_load(double load, char name[CHECKPOINT_NAME_MAX])
{
	snprintf(name, CHECKPOINT_NAME_MAX, "load-%.17g", load);
}

/* Returns whether the words are a result that is complete: an enum has one of its values, a bool 0 or 1. */
static bool is_result(const uint64_t *words)
{
	const unsigned char *bytes = (const unsigned char *)words;
	unsigned state;

	memcpy(&state, bytes + offsetof(struct run_result, loop.state), sizeof(state));
	return state < OPEN_LOOP_STATES && bytes[offsetof(struct run_result, batches)] <= 1 &&
	       bytes[offsetof(struct run_result, interrupted)] == 0;
}

int sim_points_take(const struct checkpoint *k, double load, struct run_result *out, struct err *e)
{
	char name[CHECKPOINT_NAME_MAX];
	const struct checkpoint_part *part;

	name_load(load, name);
	part = checkpoint_find(k, name);
	if (!part)
		return 0;
	if (part->count != RESULT_WORDS || !is_result(part->words))
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: part '%s': expected the result of a load: remove the file, or name another one",
			       k->path, name);
	memcpy(out, part->words, sizeof(*out));
	return 1;
}

int sim_points_keep(struct checkpoint *k, double load, const struct run_result *result, struct err *e)
{
	char name[CHECKPOINT_NAME_MAX];
	uint64_t words[RESULT_WORDS];

	if (result->interrupted)
		return 0;
	name_load(load, name);
	memcpy(words, result, sizeof(words));
	return checkpoint_add(k, name, words, RESULT_WORDS, e);
}
