/*
 * 24 instructions: a division, whose W is at c = d + latency + operand_stages + 1 + commit_stages,
 * 21 stores. Store `entries` + 1 finds the store queue full; its decode group, (entries + 1) / 4,
 * goes on in c + 1 with the entries of the first group; the next division is group 6:
 * d' = c + 1 + 6 - floor((entries + 1) / 4).
 * The stores behind the stop (21 - entries) find room again.
 */
#define SETUP
#include "micro.inc"

	function setup
	set	here, %g2
	mov	1, %g6
	retl
	stx	%g0, [%g2]
	.comm	here, 64, 64

	function loop
1:
	sdivx	%g1, %g6, %g1
	.rept	21
	stx	%g0, [%g2]
	.endr
	again	1b
	retl
	nop
