/* A PU file: a token of 10 bytes goes once round all PUs, from 0 over 1, 2 … back to 0. */
#include "netlink/engine/wormhole/pu.h"

void *pu_init(struct pu *self, int argc, char **argv)
{
	(void)self, (void)argc, (void)argv;
	return NULL;
}

struct pu_action pu_exec(struct pu *self, void *variables)
{
	struct pu_message token;
	uint32_t number = pu_number(self), next = (number + 1) % pu_count(self);

	(void)variables;
	if (pu_clock(self) == 0)
		return number ? pu_receive() : pu_send(self, next, 10, 0, NULL);
	if (!pu_take(self, &token))
		return pu_receive(); /* 0 has sent it and waits for its return */
	if (number)
		pu_post(self, next, token.bytes, 0, NULL);
	return pu_end();
}
