/*
 * Checks a kernel's instructions once registers are allocated. A double of the array on the stack, in an integer
 * register or in an instruction that the array has not makes the kernel unusable: its flag becomes 0, and the
 * routine that runs nests leaves the loop to the scalar core.
 */
#include "nest.hh"

#include "backend.h"
#include "context.h"
#include "rtl.h"
#include "df.h"
#include "insn-config.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "recog.h"
#include "regs.h"
#include "rtl-iter.h"

namespace
{

bool on_stack(const_rtx memory)
{
	subrtx_iterator::array_type array;
	FOR_EACH_SUBRTX(it, array, XEXP(memory, 0), ALL)
	if (REG_P(*it) && (REGNO(*it) == STACK_POINTER_REGNUM || REGNO(*it) == HARD_FRAME_POINTER_REGNUM ||
			   REGNO(*it) == FRAME_POINTER_REGNUM))
		return true;
	return false;
}

bool is_fp_register(const_rtx x)
{
	return REG_P(x) && REGNO(x) >= 32 && REGNO(x) < 96;
}

/* Why a part of an instruction is unfit, or NULL. */
const char *part_unfit(const_rtx x, unsigned units)
{
	machine_mode mode = GET_MODE(x);
	switch (GET_CODE(x)) {
	case DIV:
	case SQRT: return FLOAT_MODE_P(mode) && !(units & UNIT_DIVIDE) ? "a division or square root" : NULL;
	case COMPARE: return FLOAT_MODE_P(GET_MODE(XEXP(x, 0))) ? "a comparison of real numbers" : NULL;
	case IF_THEN_ELSE: return FLOAT_MODE_P(mode) ? "a conditional move of a real number" : NULL;
	case REG: return FLOAT_MODE_P(mode) && !is_fp_register(x) ? "a real number in an integer register" : NULL;
	case CALL: return "a call";
	case SET:
		if (MEM_P(SET_DEST(x)) && on_stack(SET_DEST(x)) &&
		    (FLOAT_MODE_P(GET_MODE(SET_DEST(x))) || is_fp_register(SET_SRC(x))))
			return "more real numbers than the array has registers";
		return NULL;
	default: return NULL;
	}
}

const char *unfit(unsigned units)
{
	for (rtx_insn *i = get_insns(); i; i = NEXT_INSN(i)) {
		if (!NONDEBUG_INSN_P(i))
			continue;
		subrtx_iterator::array_type array;
		FOR_EACH_SUBRTX(it, array, PATTERN(i), ALL)
		if (const char *why = part_unfit(*it, units))
			return why;
	}
	return NULL;
}

const pass_data check_data = {RTL_PASS, "psim_check", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

struct check_pass : rtl_opt_pass {
	compilation &in;

	check_pass(gcc::context *c, compilation &of) : rtl_opt_pass(check_data, c), in(of)
	{
	}
	unsigned execute(function *fun) override
	{
		for (const registered_kernel &k : in.kernels) {
			if (k.function != fun->decl)
				continue;
			const char *why = unfit(in.units);
			if (why) {
				DECL_INITIAL(k.usable) = build_int_cst(long_integer_type_node, 0);
				if (k.last)
					nest_message(k.where, "not on the array: %s", why);
				else if (in.explain)
					nest_message(k.where, "%s cannot run: %s",
						     IDENTIFIER_POINTER(DECL_NAME(k.function)), why);
			}
		}
		return 0;
	}
};
} // namespace

opt_pass *kernel_check_pass(gcc::context *c, compilation &in)
{
	return new check_pass(c, in);
}
