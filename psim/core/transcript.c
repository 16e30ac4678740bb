#include "transcript.h"

#include <stdlib.h>

void transcript_add(struct transcript *t, enum question q, uint64_t answer)
{
	if (t->count == t->size) {
		size_t size = t->size ? 2 * t->size : 64;
		uint64_t *words = realloc(t->words, size * sizeof(*words));

		if (!words) {
			t->failed = true;
			return;
		}
		t->words = words;
		t->size = size;
	}
	t->words[t->count++] = (uint64_t)q << ANSWER_BITS | (answer & (((uint64_t)1 << ANSWER_BITS) - 1));
}

void transcript_finish(struct transcript *t)
{
	free(t->words);
	*t = (struct transcript){0};
}
