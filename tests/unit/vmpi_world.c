#include "vmpi_world.h"

#include <string.h>

#include "tap.h"

void world_start(struct world *w)
{
	memset(w, 0, sizeof(*w));
	w->config = config_create();
	vmpi_config_add(w->config, &w->cfg);
}

void world_run(struct world *w, const struct fake_times *times, uint32_t ranks, vmpi_body *body, void *user)
{
	struct vmpi_setup s = {
		.config = &w->cfg, .kind = &fake_engine, .ranks = ranks, .nodes = ranks, .nics = 1, .seed = 1};

	w->engine = fake_create(times);
	s.engine = w->engine;
	w->v = vmpi_create(&s, &w->e);
	REQUIRE(w->v != NULL);
	vmpi_set_body(w->v, body, user);
	do {
		w->end = vmpi_run(w->v, 100, &w->e);
	} while (w->end == VMPI_RUNNING);
}

void world_finish(struct world *w)
{
	vmpi_destroy(w->v);
	fake_engine.destroy(w->engine);
	config_destroy(w->config);
}
