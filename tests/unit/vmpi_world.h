/* Virtual ranks on the fake engine, for tests; a C function is the program. */
#ifndef PSIM_TESTS_VMPI_WORLD_H
#define PSIM_TESTS_VMPI_WORLD_H

#include "fake_engine.h"
#include "netlink/vmpi/message/message.h"
#include "netlink/vmpi/vmpi_config.h"

struct world {
	struct config *config;
	struct vmpi_config cfg;
	struct net_engine *engine;
	struct vmpi *v;
	struct err e;
	enum vmpi_end end;
};

/* Sets the default configuration, which the test may change in `cfg`. */
void world_start(struct world *w);
/* Runs `body` on `ranks` ranks, one per node, to its end; the test ends if the ranks cannot be made. */
void world_run(struct world *w, const struct fake_times *times, uint32_t ranks, vmpi_body *body, void *user);
void world_finish(struct world *w);

#endif
