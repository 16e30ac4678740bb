#include "transcript.h"

#include <stdlib.h>

void transcript_add(struct transcript *t, enum request_kind q, uint64_t answer, struct access access)
{
	if (t->count == t->size) {
		size_t size = t->size ? 2 * t->size : 64;
		struct request_record *record = realloc(t->record, size * sizeof(*record));

		if (!record) {
			t->no_memory = true;
			return;
		}
		t->record = record;
		t->size = size;
	}
	t->record[t->count++] = (struct request_record){
		.word = (uint64_t)q << ANSWER_BITS | (answer & (((uint64_t)1 << ANSWER_BITS) - 1)),
		.access = access,
	};
	t->at = t->count;
}

bool transcript_take(struct transcript *t, enum request_kind q, struct access access, uint64_t *ret_answer)
{
	uint64_t word;

	if (t->at >= t->count)
		return false;
	t->record[t->at].access = access;
	word = t->record[t->at++].word;
	t->failed |= word >> ANSWER_BITS != (uint64_t)q;
	*ret_answer = word & (((uint64_t)1 << ANSWER_BITS) - 1);
	return true;
}

void transcript_finish(struct transcript *t)
{
	free(t->record);
	free(t->fetched);
	*t = (struct transcript){0};
}
