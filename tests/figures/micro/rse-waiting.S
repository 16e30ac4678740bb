/*
 * A division, 20 adds that wait for it, and behind them two loads, one after the
 * other, which give the next division its operand. Division selected at t; at
 * T = t + int_div the first two adds are, and two each cycle after; each leaves
 * its station in X, 1 + operand_stages later, and lets another in. R = 2 rse_entries
 * adds wait from the beginning, so the last one and the load behind it are dispatched
 * at T + 1 + operand_stages + (20 - R) / 2; the load is selected in the next cycle,
 * and the division 2 load_use later.
 */
#define SETUP
#include "micro.inc"

	function setup
	set	here, %g1
	mov	1, %g6
	retl
	stx	%g1, [%g1]
	.comm	here, 64, 64

	function loop
1:
	sdivx	%g1, %g6, %g2
	.rept	20
	add	%g2, 1, %g3
	.endr
	ldx	[%g2], %g4
	ldx	[%g4], %g1
	nop
	nop
	nop
	again	1b
	retl
	nop
