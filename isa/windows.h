/*
 * Internal to isa: register windows.
 *
 * Window w's outs are the ins of window w + 1 (modulo CPU_WINDOWS); SAVE moves from w to w + 1.
 * cpu.r holds the current window, cpu.window[w] the locals [0..7] and ins [8..15] of the
 * others. After a SAVE the new locals and outs hold their previous contents, as in hardware.
 */
#ifndef PSIM_ISA_WINDOWS_H
#define PSIM_ISA_WINDOWS_H

#include "exec.h"

/*
 * Frees a window for a SAVE: spills the oldest window if CANSAVE is 0. *area becomes the
 * address of the save area written, 0 if none was.
 */
enum cpu_trap window_spill(struct cpu *c, uint64_t *area);

/* Likewise for RESTORE: fills the previous window if CANRESTORE is 0. */
enum cpu_trap window_fill(struct cpu *c, uint64_t *area);

/* Moves to the next or the previous window. The caller has done the spill or fill. */
void window_up(struct cpu *c);
void window_down(struct cpu *c);

#endif
