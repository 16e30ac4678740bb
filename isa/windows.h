/*
 * Inside isa: register windows. Not a public header.
 *
 * Window w's outs are the ins of window w + 1 (modulo CPU_WINDOWS); SAVE goes
 * from w to w + 1. cpu.r holds the current window, cpu.window[w] the locals
 * [0..7] and ins [8..15] of the others. What a SAVE finds in its new locals and
 * outs is what was left there, as in hardware.
 */
#ifndef PSIM_ISA_WINDOWS_H
#define PSIM_ISA_WINDOWS_H

#include "exec.h"

/*
 * Makes room for a SAVE: spills the oldest window if CANSAVE is 0. *area: the
 * address of the save area written, 0 if none was.
 */
enum cpu_trap window_spill(struct cpu *c, uint64_t *area);

/* Likewise for RESTORE: fills the previous window if CANRESTORE is 0. */
enum cpu_trap window_fill(struct cpu *c, uint64_t *area);

/* To the next window, the previous window. The caller has seen to spill and fill. */
void window_up(struct cpu *c);
void window_down(struct cpu *c);

#endif
