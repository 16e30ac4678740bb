/*
 * Error handlers (MPI 3.1, 8.3), and error codes of the program (8.5). Handles are indices into a table whose first
 * entries are the predefined handlers (constants.def). Codes belong to a rank, so that all ranks get the same numbers.
 */
#ifndef PSIM_VMPI_ERRHANDLER_H
#define PSIM_VMPI_ERRHANDLER_H

#include <stddef.h>

#include "../../../psim/base/err.h"

enum { ERRHANDLER_FATAL = 1, ERRHANDLER_RETURN = 2, ERRHANDLER_FIRST = 3 };

typedef void errhandler_function(int *object, int *code, ...);

struct errhandlers {
	errhandler_function **function; /* by handle - ERRHANDLER_FIRST */
	int count, room;
};

/* Returns the handle of a new handler, 0 with `e`. */
int errhandler_create(struct errhandlers *h, errhandler_function *function, struct err *e);
/* Returns whether the handle is known. */
static inline int errhandler_exists(const struct errhandlers *h, int handle)
{
	return handle > 0 && handle < ERRHANDLER_FIRST + h->count;
}
/* NULL: a predefined handler, or unknown. */
static inline errhandler_function *errhandler_find(const struct errhandlers *h, int handle)
{
	return handle >= ERRHANDLER_FIRST && errhandler_exists(h, handle) ? h->function[handle - ERRHANDLER_FIRST]
									  : NULL;
}
void errhandlers_finish(struct errhandlers *h);

/* Error codes of a rank's program, numbered behind the standard's. */
struct error_code {
	int class;
	char *text; /* NULL: empty */
};
struct error_codes {
	struct error_code *at;
	int count;
};

/* Adds a code of a class (0: it is a class), whose number is `base` + its index. Returns the index, -1 with `e`. */
int error_code_add(struct error_codes *c, int base, int class, struct err *e);
void error_codes_finish(struct error_codes *c);

#endif
