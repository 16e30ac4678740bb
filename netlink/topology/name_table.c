#include "name_table.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"

static uint64_t hash_name(const char *name)
{
	return hash_low(hash_bytes(HASH_BYTES, name, strlen(name)));
}

/* Returns the slot of the name, or the empty slot for it. */
static uint32_t *name_slot(const struct name_table *t, const char *name)
{
	size_t i = hash_name(name) & (t->slots - 1);

	while (t->slot[i] && strcmp(name_table_text(t, t->slot[i] - 1), name) != 0)
		i = (i + 1) & (t->slots - 1);
	return &t->slot[i];
}

static int more_name_slots(struct name_table *t, struct err *e)
{
	size_t slots = t->slots ? 2 * t->slots : 1024;
	uint32_t *larger = mem_alloc(slots, sizeof(*larger), e);

	if (!larger)
		return -1;
	free(t->slot);
	t->slot = larger;
	t->slots = slots;
	for (uint32_t i = 0; i < t->at.count; i++)
		*name_slot(t, name_table_text(t, i)) = i + 1;
	return 0;
}

uint32_t name_table_find(const struct name_table *t, const char *name)
{
	return t->slots ? *name_slot(t, name) - 1U : NAME_NONE;
}

uint32_t name_table_add(struct name_table *t, const char *name, struct err *e)
{
	size_t length = strlen(name) + 1, *at;

	if (2 * t->at.count >= t->slots && more_name_slots(t, e))
		return NAME_NONE;
	if (vec_reserve(&t->text, length, e) || !(at = vec_push(&t->at, e)))
		return NAME_NONE;
	*at = t->text.count;
	memcpy(t->text.at + t->text.count, name, length);
	t->text.count += length;
	*name_slot(t, name) = (uint32_t)t->at.count;
	return (uint32_t)t->at.count - 1;
}

void name_table_finish(struct name_table *t)
{
	vec_finish(&t->at);
	vec_finish(&t->text);
	free(t->slot);
	t->slot = NULL;
	t->slots = 0;
}
