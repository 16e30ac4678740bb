#include "vec.h"

#include <stdint.h>
#include <string.h>

#include "mem.h"

struct members vec_of(void);

int vec_grow(void *v, size_t element_size, size_t more, struct err *e)
{
	struct members m;
	size_t room;
	void *at;

	memcpy(&m, v, sizeof(m));
	if (more > SIZE_MAX / 2 - m.count)
		return mem_short(e);
	room = m.room <= SIZE_MAX / 4 ? 2 * m.room : m.room;
	if (room < m.count + more)
		room = m.count + more;
	if (room < 8)
		room = 8;
	at = mem_resize(m.at, room, element_size, e);
	if (!at)
		return -1;
	m.at = at;
	m.room = room;
	memcpy(v, &m, sizeof(m));
	return 0;
}
