#include "state_walk.h"

#include <stdlib.h>

/* In front of a block, as long as the strictest alignment. */
union block_head {
	size_t bytes;
	max_align_t align;
};

void *state_block(size_t bytes)
{
	union block_head *head = calloc(1, sizeof(*head) + bytes);

	if (!head)
		return NULL;
	head->bytes = bytes;
	return head + 1;
}

void state_block_free(void *block)
{
	if (block)
		free((union block_head *)block - 1);
}

void state_block_walk(const struct state_walk *w, void *block)
{
	if (block)
		state_piece(w, block, ((union block_head *)block - 1)->bytes);
}
