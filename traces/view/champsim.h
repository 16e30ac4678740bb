/* A trace as ChampSim reads it: one record of 64 bytes an instruction. */
#ifndef PSIM_TRACES_VIEW_CHAMPSIM_H
#define PSIM_TRACES_VIEW_CHAMPSIM_H

#include "executed.h"

/* executed_writer. `out`: a FILE, which records errors. */
void champsim_write(void *out, const struct executed_insn *x, bool taken, uint64_t next);

#endif
