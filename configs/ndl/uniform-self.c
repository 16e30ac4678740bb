/*
 * A PU file: uniform random traffic as other simulators have it, the sender itself among the
 * destinations. Operands: [bytes of a message, 1 if none is given].
 */
#include <math.h>
#include <stdlib.h>

#include "netlink/engine/wormhole/pu.h"

struct variables {
	uint32_t bytes;
	double probability; /* of making a message in a clock */
};

void *pu_init(struct pu *self, int argc, char **argv)
{
	struct variables *v = malloc(sizeof *v);

	if (!v)
		abort();
	v->bytes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 1;
	v->probability = v->bytes ? pu_load(self) / v->bytes : 0;
	if (v->probability > 0.999999)
		v->probability = 0.999999;
	return v;
}

struct pu_action pu_exec(struct pu *self, void *variables)
{
	struct variables *v = variables;

	if (!(v->probability > 0))
		return pu_end();
	if (pu_clock(self))
		pu_post(self, pu_below(self, pu_count(self)), v->bytes, 0, NULL);
	return pu_compute(1 + (uint64_t)(log1p(-pu_random(self)) / log1p(-v->probability)));
}
