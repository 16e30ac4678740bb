/*
 * An integer division, an FP load that has its address from it, 20 FP adds that
 * wait for the load; the next division, which waits for the first, stands
 * behind them. Division selected at t; at T = t + int_div + fp_load_use the
 * first two adds are; R = 2 rsf_entries of them wait from the beginning; as in
 * rse-waiting.S the rest has been dispatched at
 * T + operand_stages + (20 - R) / 2, the division a cycle later, and is selected in
 * the next one.
 */
#define SETUP
#include "micro.inc"

	function setup
	set	here, %g1
	mov	1, %g6
	retl
	stx	%g0, [%g1]
	.comm	here, 64, 64

	function loop
1:
	sdivx	%g1, %g6, %g1
	ldd	[%g1], %f0
	.rept	20
	faddd	%f0, %f2, %f4
	.endr
	again	1b
	retl
	nop
