/* A trace as the kit of the first Championship Value Prediction (CVP-1, 2018) reads it. */
#ifndef PSIM_TRACES_VIEW_CVP_H
#define PSIM_TRACES_VIEW_CVP_H

#include "executed.h"

/* executed_writer. `out`: a FILE, which records errors. */
void cvp_write(void *out, const struct executed_insn *x, bool taken, uint64_t next);

#endif
