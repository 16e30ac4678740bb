/*
 * Forty taken branches, each to the next page, more pages than the micro-ITLB has entries:
 * least recently used first, every one of them misses there and is found in the main TLB.
 * The fetch of the target waits in IT for its translation and holds up what follows. Its
 * own branch is looked up meanwhile, by the virtual address: the two cycles between IA and
 * the prediction are part of the wait. So a branch takes 1 + main_latency cycles, or
 * predict_stage if that is more.
 */
#include "micro.inc"

	.align	8192
	function loop
1:
	.rept	39
	ba,pt	%xcc, 2f
	nop
	.align	8192
2:
	.endr
	/* too far for `again`; the four instructions are one fetch group */
	brz,pn	%i0, 3f
	sub	%i0, 1, %i0
	ba,pt	%xcc, 1b
	nop
3:
	retl
	nop
