/*
 * A PU file: each PU sends a message to every PU, itself too, each alone in the network: the latency without load.
 * Operand: bytes of a message, 1 if none.
 */
#include <stdlib.h>

#include "netlink/engine/wormhole/pu.h"

enum { APART = 4096 }; /* clocks from one message to the next, longer than any way */

struct variables {
	uint32_t bytes, sent;
};

void *pu_init(struct pu *self, int argc, char **argv)
{
	struct variables *v = calloc(1, sizeof(*v));

	(void)self;
	if (!v)
		abort();
	v->bytes = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
	return v;
}

struct pu_action pu_exec(struct pu *self, void *variables)
{
	struct variables *v = variables;
	uint64_t turn = APART * (1 + (uint64_t)pu_number(self) * pu_count(self) + v->sent);

	if (v->sent == pu_count(self))
		return pu_end();
	if (pu_clock(self) < turn)
		return pu_compute(turn - pu_clock(self));
	pu_post(self, v->sent++, v->bytes, 0, NULL);
	return pu_compute(1);
}
