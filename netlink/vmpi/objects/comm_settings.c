/* Settings of a communicator that are local to a rank (MPI 3.1, 6.8 and 8.3): comm.h. */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "comm.h"
#include "errhandler.h"

/* The rank's row; -1: it is not in the communicator. */
static int64_t row(const struct comm *c, uint32_t world)
{
	return c->self ? (int64_t)world : group_local(c->group, world);
}

int comm_errhandler(const struct comm *c, uint32_t world)
{
	int64_t i = c->errhandlers ? row(c, world) : -1;

	return i >= 0 && c->errhandlers[i] ? c->errhandlers[i] : ERRHANDLER_FATAL;
}

int comm_set_errhandler(struct comm *c, uint32_t world, int handler, struct err *e)
{
	int64_t i = row(c, world);

	if (!c->errhandlers && handler != ERRHANDLER_FATAL)
		c->errhandlers = mem_alloc(c->settings, sizeof(*c->errhandlers), e);
	if (!c->errhandlers)
		return handler != ERRHANDLER_FATAL ? -1 : 0;
	if (i >= 0)
		c->errhandlers[i] = handler;
	return 0;
}

int comm_inherit_errors(struct comm *c, const struct comm *of, struct err *e)
{
	for (uint32_t i = 0; of->errhandlers && i < c->group->size; i++) {
		uint32_t world = group_world(c->group, i);

		if (comm_set_errhandler(c, world, comm_errhandler(of, world), e) < 0)
			return -1;
	}
	return 0;
}

const char *comm_name(const struct comms *c, int handle, uint32_t world)
{
	static const char *const predefined[] = {[HANDLE_WORLD] = "MPI_COMM_WORLD", [HANDLE_SELF] = "MPI_COMM_SELF"};
	const struct comm *of = c->comm[handle];
	int64_t i = of->names ? row(of, world) : -1;

	if (i >= 0 && of->names[i][0])
		return of->names[i];
	return handle <= HANDLE_SELF ? predefined[handle] : "";
}

int comm_set_name(struct comm *c, uint32_t world, const char *name, struct err *e)
{
	int64_t i = row(c, world);
	size_t length = strlen(name);

	if (!c->names)
		c->names = mem_alloc(c->settings, sizeof(*c->names), e);
	if (!c->names)
		return -1;
	if (i < 0)
		return 0;
	length = length < COMM_NAME_MAX ? length : COMM_NAME_MAX - 1;
	memcpy(c->names[i], name, length);
	c->names[i][length] = '\0';
	return 0;
}
