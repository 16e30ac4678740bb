/* The dispatch table: the last column of sparc_v9.def. */
#include "exec.h"

insn_fn *const insn_execute[OP_COUNT] = {
	[OP_ILLEGAL] = x_illegal,
#define I(op, mnemonic, pattern, format, class, reads, writes, flags, function) \
	[OP_##op] = x_##function,
#include "sparc_v9.def"
#include "simd.def"
#undef I
};
