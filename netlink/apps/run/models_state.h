/* Models and numbers of a run; private to models.c and models_partitions.c. */
#ifndef PSIM_NETLINK_RUN_MODELS_STATE_H
#define PSIM_NETLINK_RUN_MODELS_STATE_H

#include <math.h>

#include "../../../psim/base/sum128.h"
#include "../../../psim/base/vec.h"
#include "../../model/model.h"
#include "models.h"

/* A sum of times in units of 2^-64 s, which does not depend on the order of addition. */
static inline sum128 time_sum(double seconds)
{
	return (sum128)ldexp(fmin(seconds, 1e15), 64);
}

static inline double time_seconds(sum128 t)
{
	return ldexp((double)t, -64);
}

struct entry {
	char *name, *path;
	struct model *model;
	double factor;
	struct model_watch watch;
	struct step_order furthest[MODEL_VARIABLES_MAX]; /* of the call with this variable furthest outside */
	struct model_watch first;                        /* after the first call outside */
	struct step_order first_turn;                    /* of that call */
	bool warn;                                       /* which is not reported yet */
	bool option, assigned, read;                     /* given by --model; by -p; the skeleton has read it */
	bool errors_told;                                /* that its expected errors are old */
	uint64_t calls;
	sum128 seconds, error; /* total time, and its expected error */
};
struct number {
	char *name, *place; /* place: FILE:LINE, of a file; NULL: of none */
	double value;
	bool option, assigned, read; /* given by --set; by -p; the skeleton has read it */
};
/* A name that the program requested and that does not exist. */
struct missed {
	char *name;
	double value;           /* value that the program uses instead */
	bool number;            /* a number; else a model */
	struct step_order turn; /* of the first request */
};
enum { MISSED_MAX = 32, OUTSIDE_TEXT_MAX = 512 };
struct models {
	struct vec_of(struct entry) entries;
	struct vec_of(struct number) numbers;
	struct missed missed[MISSED_MAX]; /* first missing names */
	unsigned missed_count;
	const struct vmpi *turns; /* whose turns requests have; NULL: one process has all ranks */
};

/* The turn of a request that is made now. */
static inline struct step_order models_turn(const struct models *m)
{
	return m->turns ? step_order(m->turns) : (struct step_order){0};
}

#endif
