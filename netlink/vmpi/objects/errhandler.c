/* Error handlers and codes: errhandler.h. */
#include "errhandler.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"

int errhandler_create(struct errhandlers *h, errhandler_function *function, struct err *e)
{
	if (h->count == h->room) {
		int room = h->room ? 2 * h->room : 8;
		errhandler_function **at = mem_resize(h->function, (size_t)room, sizeof(*at), e);

		if (!at)
			return 0;
		h->function = at;
		h->room = room;
	}
	h->function[h->count] = function;
	return ERRHANDLER_FIRST + h->count++;
}

void errhandlers_finish(struct errhandlers *h)
{
	free(h->function);
	*h = (struct errhandlers){0};
}

int error_code_add(struct error_codes *c, int base, int class, struct err *e)
{
	struct error_code *at = mem_resize(c->at, (size_t)c->count + 1, sizeof(*at), e);

	if (!at)
		return -1;
	c->at = at;
	at[c->count] = (struct error_code){class ? class : base + c->count, NULL};
	return c->count++;
}

void error_codes_finish(struct error_codes *c)
{
	for (int i = 0; i < c->count; i++)
		free(c->at[i].text);
	free(c->at);
	*c = (struct error_codes){0};
}
