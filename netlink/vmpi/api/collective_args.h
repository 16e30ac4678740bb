/* The arguments of a collective operation as one struct. It needs ARGUMENT_TYPE: call_arguments.h. */
#ifndef PSIM_VMPI_COLLECTIVE_ARGS_H
#define PSIM_VMPI_COLLECTIVE_ARGS_H

#include <stdint.h>

#include "call_arguments.h"

#ifdef ARGUMENT_TYPE
struct collective_args {
	uint32_t has; /* BIT of each argument */
	int root;     /* 0 without one */
	int number;   /* of a nonblocking operation among those of its communicator, from 1; 0: the rank's next one */
	const void *in;
	void *out;
	int in_count, out_count;
	const int *in_counts, *out_counts, *in_places, *out_places;
	ARGUMENT_TYPE(Datatype) in_type, out_type;
	ARGUMENT_TYPE(Op) op;
	ARGUMENT_TYPE(Comm) comm;
};
#endif

#define FIELD_IN in
#define FIELD_IN_ROOT in
#define FIELD_OUT out
#define FIELD_OUT_ROOT out
#define FIELD_BOTH out
#define FIELD_IN_COUNT in_count
#define FIELD_OUT_COUNT out_count
#define FIELD_IN_COUNTS in_counts
#define FIELD_OUT_COUNTS out_counts
#define FIELD_IN_PLACES in_places
#define FIELD_OUT_PLACES out_places
#define FIELD_IN_TYPE in_type
#define FIELD_OUT_TYPE out_type
#define FIELD_OP op
#define FIELD_ROOT root
#define FIELD_COMM comm

/* The bits of a row's arguments. */
#define HAS(arguments) (0 ARGUMENTS_END(HAS_A arguments))
#define HAS_A(kind, name) | BIT(kind) HAS_B
#define HAS_B(kind, name) | BIT(kind) HAS_A
#define HAS_A_END
#define HAS_B_END

/* Words of a line, which are counts of elements: given, or got, or both. */
#define COUNTS_OF(arguments) \
	(!!(HAS(arguments) & (BIT(IN_COUNT) | BIT(IN_COUNTS))) + \
	 !!(HAS(arguments) & (BIT(OUT_COUNT) | BIT(OUT_COUNTS))))

/* A struct of parameters: an initializer. */
#define GATHERED(arguments) \
	{ \
		.has = HAS(arguments) ARGUMENTS_END(GATHER_A arguments) \
	}
#define GATHER_A(kind, name) , .FIELD_##kind = name GATHER_B
#define GATHER_B(kind, name) , .FIELD_##kind = name GATHER_A
#define GATHER_A_END
#define GATHER_B_END

#endif
