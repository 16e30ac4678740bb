/*
 * Eight SAVEs and eight RESTOREs with eight windows: the last two SAVEs spill, the
 * last two RESTOREs fill. With o = operand_stages:
 *
 * A trap in D at e, when the pipeline is empty: W at e + 2 + window_trap. The 16
 * stores follow from e' = e + 3 + window_trap on; two a cycle are selected, the
 * last at e' + 8; W of the last is 3 + o later, and the way back in D in the next
 * cycle; its W 2 later; the SAVE in D in the cycle after that, its W 4 + o later; D
 * of the next trap in the next cycle. From spill to spill:
 *     3 + window_trap + 8 + 3 + o + 1 + 2 + 1 + 5 + o = window_trap + 23 + 2 o
 * A load's W is load_use + 2 + o after its selection: window_trap + 22 + 2 o + load_use
 * from fill to fill. Behind the last spill six RESTOREs come before the trap: 3 cycles
 * more at two a cycle; behind the last fill the loop's branch and six SAVEs, each of
 * which needs the stack pointer of the one before: 6 cycles more. A trap in the third
 * place of its decode group has one store behind it there, and loses a cycle: the pass
 * has 90 instructions and its first trap is the seventh, so this happens twice in
 * every second pass. Together 10.
 */
#include "micro.inc"

	function loop
1:
	.rept	8
	save	%sp, -176, %sp
	.endr
	.rept	8
	restore
	.endr
	again	1b
	retl
	nop
