/*
 * A division, 13 loads that have their address from it, and the next division.
 * Selected at t; the first two loads at T = t + int_div; rsa_entries of them
 * wait from the beginning; two entries become free in each cycle from X of the
 * first, T + 1 + operand_stages, on. The next division is dispatched in the cycle after
 * the last loads: T + 1 + operand_stages + ceil((13 - rsa_entries) / 2), and selected
 * in the next one.
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
	.rept	13
	ldx	[%g1], %g2
	.endr
	again	1b
	retl
	nop
