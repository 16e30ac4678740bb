#include "lowest.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"

/* Room for whole nodes in each row. */
static int make_row(struct lowest *x, unsigned row, uint32_t count, struct err *e)
{
	uint32_t room = (count + LOWEST_WAYS - 1) / LOWEST_WAYS * LOWEST_WAYS;
	double *at = mem_resize(x->row[row], room, sizeof(*at), e);

	if (!at)
		return -1;
	for (uint32_t i = 0; i < room; i++)
		at[i] = HUGE_VAL;
	x->row[row] = at;
	return 0;
}

int lowest_resize(struct lowest *x, uint32_t count, struct err *e)
{
	unsigned row = 0;

	for (;; row++) {
		if (make_row(x, row, count, e))
			return -1;
		if (count <= LOWEST_WAYS)
			break;
		count = (count + LOWEST_WAYS - 1) / LOWEST_WAYS;
	}
	x->rows = row + 1;
	return 0;
}

void lowest_finish(struct lowest *x)
{
	for (unsigned row = 0; row < LOWEST_ROWS; row++)
		free(x->row[row]);
	*x = (struct lowest){0};
}
