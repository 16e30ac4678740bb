/*
 * 36 instructions: a division, whose W is at c = d + latency + operand_stages + 1 + commit_stages,
 * then 33 adds, the branch, the sub. Number `gub` + 1 finds no rename buffer; it
 * is in decode group (gub + 1) / 4, which goes on in c + 1 with what the commit
 * of the first group has freed; a group a cycle follows; the next division is
 * group 9: d' = c + 1 + 9 - floor((gub + 1) / 4).
 * The 33 - gub adds behind the stop fit into the buffers and stations again.
 */
#include "micro.inc"

	function loop
1:
	fdivd	%f0, %f2, %f0
	.rept	33
	add	%g1, 1, %g2
	.endr
	again	1b
	retl
	nop
