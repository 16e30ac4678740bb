/* Pattern files: any bytes are refused with a message, or give queues that can be gone through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/traffic/traffic.h"

static void go_through(const struct traffic *t)
{
	struct traffic_entry x[TRAFFIC_STEP_MAX];
	uint64_t sends = 0;

	if (traffic_ranks(t) > 10000)
		return;
	for (uint32_t rank = 0; rank < traffic_ranks(t); rank++)
		for (uint64_t step = 0;; step++) {
			unsigned count = traffic_step(t, rank, step, x);

			if (!count)
				break;
			for (unsigned i = 0; i < count; i++) {
				if (x[i].kind != TRAFFIC_PAUSE && x[i].peer >= traffic_ranks(t))
					abort();
				sends += x[i].kind == TRAFFIC_SEND;
			}
		}
	if (sends != traffic_messages(t))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
	struct traffic *t;

	if (!in)
		return 0;
	t = traffic_from_stream(in, "x", 64, &e);
	fclose(in);
	if (t)
		go_through(t);
	else if (!*e.text || strchr(e.text, '\n'))
		abort();
	traffic_destroy(t);
	return 0;
}
