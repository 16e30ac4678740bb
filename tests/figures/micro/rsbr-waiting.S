/*
 * A division, 12 branches (never taken) that wait for it, the loop's, and the
 * next division. Selected at t; branches one a cycle from T = t + int_div on;
 * rsbr_entries of the 13 wait from the beginning; one entry becomes free in each
 * cycle from T + 1 + operand_stages on. The next division is dispatched at
 * T + 1 + operand_stages + 13 - rsbr_entries, and selected in the next cycle.
 */
#define SETUP
#include "micro.inc"

	function setup
	mov	1, %g1
	retl
	mov	1, %g6

	function loop
1:
	sdivx	%g1, %g6, %g1
	.rept	12
	brz,pn	%g1, 2f
	nop
	.endr
	nop
	again	1b
2:	retl
	nop
