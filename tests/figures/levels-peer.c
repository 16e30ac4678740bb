/*
 * Private L2s and a shared L3 alone, for levels_peer.py: levels-peer KEY=VALUE... <ACCESSES
 *
 * A line of ACCESSES is a core, L or S, and an address: loads and stores of cores that share all lines, so far apart in
 * time that each finds the hierarchy idle. Prints the level of each, and then the counters of each core.
 */
#include <inttypes.h>
#include <stdio.h>

#include "psim/machine/core_config.h"
#include "psim/memory/memsys.h"

enum { APART = 10000, CHECK_EACH = 512 };

struct peer {
	struct core_config cfg;
	struct chip_memory *chip;
	struct memsys *core[CHIP_CORES_MAX];
	uint64_t now;
};

static int configure(struct config *c, const struct core_config *cfg, int argc, char *argv[], struct err *e)
{
	for (int n = 1; n < argc; n++)
		if (config_override(c, argv[n], argv[n], e) < 0)
			return -1;
	return core_config_check(c, cfg, e);
}

static int create(struct peer *p, struct err *e)
{
	p->chip = chip_memory_create(&p->cfg, e);
	for (unsigned n = 0; p->chip && n < p->cfg.chip.cores; n++) {
		p->core[n] = memsys_create(&p->cfg, p->chip, e);
		if (!p->core[n])
			return -1;
		if (n)
			memsys_share(p->core[n], p->core[0]);
	}
	return p->chip ? 0 : -1;
}

static int check(const struct peer *p, struct err *e)
{
	for (unsigned n = 0; n < p->cfg.chip.cores; n++)
		if (memsys_check(p->core[n], e) < 0)
			return -1;
	return 0;
}

static int run(struct peer *p, struct err *e)
{
	uint64_t address, count = 0;
	unsigned core;
	char kind;

	while (scanf("%u %c %" SCNu64, &core, &kind, &address) == 3) {
		struct mem_answer a;

		if (core >= p->cfg.chip.cores || (kind != 'L' && kind != 'S'))
			return err_set(e, STATUS_USAGE, "expected a core, L or S, and an address");
		p->now += APART;
		a = kind == 'L' ? memsys_load(p->core[core], p->now, address, 8)
				: memsys_store(p->core[core], p->now, address, 8, 0);
		printf("%u\n", a.level);
		if (++count % CHECK_EACH == 0 && check(p, e) < 0)
			return -1;
	}
	return check(p, e);
}

static void print_counters(const struct peer *p)
{
	for (unsigned n = 0; n < p->cfg.chip.cores; n++) {
		const struct memsys_stats *s = memsys_stats(p->core[n]);

		printf("core %u l1d_writebacks %" PRIu64 " l3_accesses %" PRIu64 " l3_hits %" PRIu64
		       " l3_misses %" PRIu64 " l3_victims %" PRIu64 " l3_invalidated %" PRIu64 " l3_writebacks %" PRIu64
		       " transfers %" PRIu64 " invalidations %" PRIu64 " upgrades %" PRIu64 " displaced %" PRIu64
		       " messages %" PRIu64 " victim_hits %" PRIu64 "\n",
		       n, s->l1d_writebacks, s->l3_accesses, s->l3_hits, s->l3_misses, s->l3_victims, s->l3_invalidated,
		       s->l3_writebacks, s->coherence_transfers, s->coherence_invalidations, s->coherence_upgrades,
		       s->l3_displaced, s->l3_messages, s->victim_hits);
	}
}

int main(int argc, char *argv[])
{
	static struct peer p;
	struct config *c = config_create();
	struct err e = {.text = "out of memory"};
	int status = 1;

	if (c) {
		core_config_add(c, &p.cfg);
		if (configure(c, &p.cfg, argc, argv, &e) == 0 && create(&p, &e) == 0 && run(&p, &e) == 0) {
			print_counters(&p);
			status = 0;
		}
	}
	if (status)
		fprintf(stderr, "levels-peer: %s\n", e.text);
	for (unsigned n = 0; n < CHIP_CORES_MAX; n++)
		memsys_destroy(p.core[n]);
	chip_memory_destroy(p.chip);
	config_destroy(c);
	return status;
}
