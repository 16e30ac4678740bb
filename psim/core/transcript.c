#include "transcript.h"

#include <stdlib.h>

bool transcript_grow(struct transcript *t)
{
	size_t size = t->size ? 2 * t->size : 64;
	struct request_record *record;

	if (t->notes)
		return false;
	record = realloc(t->record, size * sizeof(*record));
	if (!record) {
		t->no_memory = true;
		return false;
	}
	t->record = record;
	t->size = size;
	return true;
}

void transcript_finish(struct transcript *t)
{
	free(t->record);
	free(t->fetched);
	*t = (struct transcript){0};
}
