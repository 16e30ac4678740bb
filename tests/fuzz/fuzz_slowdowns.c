/* Factors of nodes on the time of computation: refused with one line, or ranks with factors above 0. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/vmpi/vmpi.h"
#include "netlink/vmpi/vmpi_config.h"
#include "psim/base/config/config.h"
#include "tests/unit/fake_engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fake_times times = {.latency = 1000, .per_byte = 1};
	struct net_engine *engine = fake_create(&times);
	struct config *config = config_create();
	struct vmpi_config cfg;
	struct vmpi_setup s = {
		.config = &cfg, .kind = &fake_engine, .engine = engine, .ranks = 4, .nodes = 3, .nics = 1};
	struct err e = {0};
	struct vmpi *v;

	vmpi_config_add(config, &cfg);
	cfg.ranks.per_node = 2;
	strncpy(cfg.machine.slowdowns, fuzz_file("a.slowdowns", data, size), sizeof(cfg.machine.slowdowns) - 1);
	v = vmpi_create(&s, &e);
	if (v ? !(vmpi_slowdown(v) > 0) : e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
		abort();
	vmpi_destroy(v);
	fake_engine.destroy(engine);
	config_destroy(config);
	return 0;
}
