/*
 * Nine taken branches, each the last instruction of its fetch group: the delay slot is
 * in the next group, whose IA comes before the target's. So a branch takes
 * predict_stage cycles, or 2 if that is more.
 */
#include "micro.inc"

	function loop
	ba,pt	%xcc, 1f
	nop
	.align	32
	.rept	7
	nop
	.endr
1:
	.rept	8
	ba,pt	%xcc, 2f
	nop
	.align	32
	.rept	7
	nop
	.endr
2:
	.endr
	again	1b
	retl
	nop
