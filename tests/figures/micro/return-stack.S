/*
 * Twelve calls deep. The fetch group of each function holds its call and its
 * return, so that the time is that of fetch: 12 calls and the loop's branch take
 * predict_stage each, and so does a return that the return stack knows; the
 * first ras_entries are. The others find what was overwritten: they cost what a
 * misprediction does (row mispredict), and one cycle more, since the return waits for
 * the move in its decode group that restores %o7.
 */
#include "micro.inc"

	.macro	function_at save, next
	mov	%o7, \save
	call	\next
	nop
	mov	\save, %o7
	retl
	nop
	.align	32
	.endm

	function loop
	ba	1f
	mov	%o7, %i1
	.align	32
1:
	call	f1
	nop
	again	1b
	mov	%i1, %o7
	retl
	nop
	.align	32
f1:	function_at %l0, f2
f2:	function_at %l1, f3
f3:	function_at %l2, f4
f4:	function_at %l3, f5
f5:	function_at %l4, f6
f6:	function_at %l5, f7
f7:	function_at %l6, f8
f8:	function_at %l7, f9
f9:	function_at %g1, f10
f10:	function_at %g2, f11
f11:	function_at %g3, f12
f12:	retl
	nop
