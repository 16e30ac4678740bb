/*
 * 24 instructions: a division, whose W is at c = d + latency + operand_stages + 1 + commit_stages,
 * 21 stores. Store `ports` + 1 finds no store port; its decode group, (ports + 1) / 4,
 * goes on in c + 1 with the ports of the first group; the next division is group 6:
 * d' = c + 1 + 6 - floor((ports + 1) / 4).
 * The stores behind the stop (21 - ports) find ports again.
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
