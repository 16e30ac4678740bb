/*
 * 36 instructions: an integer division, whose W is at c = d + latency + operand_stages + 1 + commit_stages,
 * then 33 FP adds, the branch, the sub. Add `fub` + 1 finds no FP rename buffer; so, as in
 * gub-behind.S, d' = c + 1 + 9 - floor((fub + 1) / 4).
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
	.rept	33
	faddd	%f2, %f2, %f4
	.endr
	again	1b
	retl
	nop
