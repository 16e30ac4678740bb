#include "replay_run.h"

#include <stdlib.h>
#include <string.h>

#include "netlink/vmpi/replay/replay.h"
#include "netlink/vmpi/vmpi.h"
#include "netlink/vmpi/vmpi_config.h"
#include "psim/base/config/config.h"
#include "tests/unit/fake_engine.h"

enum { RANKS_MAX = 64, EVENTS_MAX = 20000 };

/* Runs the events for a while; true without an error. */
static bool run(struct replay *p, const struct vmpi_config *cfg, struct err *e)
{
	const struct fake_times times = {.latency = 1000, .per_byte = 1};
	struct net_engine *engine = fake_create(&times);
	struct vmpi_setup s = {.config = cfg,
			       .kind = &fake_engine,
			       .engine = engine,
			       .ranks = replay_ranks(p),
			       .nodes = replay_ranks(p),
			       .nics = 1,
			       .seed = 1};
	struct vmpi *v = vmpi_create(&s, e);
	enum vmpi_end end;

	if (!v)
		abort();
	vmpi_set_body(v, replay_body, p);
	end = vmpi_run(v, EVENTS_MAX, e);
	vmpi_destroy(v);
	fake_engine.destroy(engine);
	return end == VMPI_DONE || end == VMPI_RUNNING;
}

int replay_fuzz(const char *path, uint32_t ranks)
{
	struct config *config = config_create();
	struct vmpi_config cfg;
	struct err e = {0};
	struct replay *p;

	vmpi_config_add(config, &cfg);
	p = replay_open(path, ranks, &cfg, &e);
	if ((!p || (replay_ranks(p) <= RANKS_MAX && !run(p, &cfg, &e))) && (!*e.text || strchr(e.text, '\n')))
		abort();
	replay_destroy(p);
	config_destroy(config);
	return 0;
}
