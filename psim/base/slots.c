#include "slots.h"

#include <string.h>

#include "mem.h"

struct slots_members slots_of(void);

int slots_grow(void *s, size_t element_size, struct err *e)
{
	struct slots_members m;
	uint32_t *spare;
	size_t room;

	memcpy(&m, s, sizeof(m));
	room = m.room;
	if (m.count >= SLOT_NONE)
		return err_set(e, STATUS_FAILED, "too many elements, expected at most %u", SLOT_NONE);
	if (vec_grow(&m, element_size, 1, e))
		return -1;
	spare = mem_resize(m.spare, m.room, sizeof(*spare), e);
	if (spare)
		m.spare = spare;
	else
		m.room = room; /* the elements have more, which the next attempt uses */
	memcpy(s, &m, sizeof(m));
	return spare ? 0 : -1;
}
