/*
 * A PU file: uniform random traffic. In each clock a PU creates a message with the probability that
 * gives the load (--load, bytes a clock and PU), to any other PU with the same probability.
 * Operands: [bytes of a message, default 10] [self: the sender is among its destinations, as in
 * other simulators].
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlink/engine/wormhole/pu.h"

struct variables {
	uint32_t bytes;
	bool self;          /* a PU also sends to itself */
	double probability; /* of creating a message in a clock */
};

static uint32_t destination(struct pu *self, bool among)
{
	uint32_t to = pu_below(self, pu_count(self) - !among);

	return to + (!among && to >= pu_number(self));
}

/* Draws the clocks to the next message from a geometric distribution. */
static uint64_t pause_of(struct pu *self, double probability)
{
	return 1 + (uint64_t)(log1p(-pu_random(self)) / log1p(-probability));
}

/* Ends the run: an operand more than the network takes would change the messages. */
static void refuse_operand(const char *operand, const char *expected)
{
	fprintf(stderr, "simulator: operand \"%s\" behind those of the network: expected %s\n", operand, expected);
	exit(2);
}

static uint32_t message_bytes(const char *text)
{
	char *end;
	unsigned long bytes = strtoul(text, &end, 0);

	if (end == text || *end || !bytes || bytes > 1000000000)
		refuse_operand(text, "bytes of a message, 1 to 1000000000");
	return (uint32_t)bytes;
}

void *pu_init(struct pu *self, int argc, char **argv)
{
	struct variables *v = malloc(sizeof(*v));

	if (!v)
		abort();
	v->bytes = argc > 1 ? message_bytes(argv[1]) : 10;
	v->self = argc > 2;
	if (v->self && strcmp(argv[2], "self") != 0)
		refuse_operand(argv[2], "self or nothing");
	if (argc > 3)
		refuse_operand(argv[3], "nothing");
	v->probability = pu_load(self) / v->bytes;
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
		pu_post(self, destination(self, v->self), v->bytes, 0, NULL);
	return pu_compute(pause_of(self, v->probability));
}
