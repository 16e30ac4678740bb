/* The dispatch tables, from the last column of sparc_v9.def and simd.def, and from simd_v9.def. */
#include "exec.h"

insn_fn *const insn_execute[OP_COUNT] = {
	[OP_ILLEGAL] = x_illegal,
#define I(op, mnemonic, pattern, format, class, reads, writes, flags, function) [OP_##op] = x_##function,
#include "sparc_v9.def"
#include "simd.def"
#undef I
};

insn_fn *const insn_execute_array[OP_COUNT] = {
#define W(op) [OP_##op] = v_##op,
#include "simd_v9.def"
#undef W
};
