/*
 * System calls (getpid): in D when the pipeline is empty, W commit_stages +
 * latency.trap later, the next one in D in the next cycle. The loop's two instructions,
 * which are in one decode group (a pass is ten instructions, and begins at an even
 * place), take D, P, operand_stages, X, U, W.
 */
#define SETUP
#include "micro.inc"

	function setup
	retl
	mov	20, %g1

	function loop
1:
	.rept	8
	ta	0x6d
	.endr
	again	1b
	retl
	nop
