#include "nic_rates.h"

#include <math.h>

static const double AT_LEAST = 16e9; /* bytes/s: H. Shibamura et al. (2011), Table 1 */

/* The fastest of the links between `nics` NICs and their routers. */
static double fastest(const struct topology *t, const uint32_t *links)
{
	double most = 0;

	for (size_t i = 0; i < (size_t)t->nodes * t->nics; i++)
		most = fmax(most, t->class[t->link[links[i]].class].bytes_per_s);
	return most;
}

struct nic_rates nic_rates(const struct net_config *c, const struct topology *t)
{
	struct nic_rates r = {.link = fmax(fastest(t, t->inject), fastest(t, t->eject))};

	r.dma = c->nic.dma < 0 ? fmax(AT_LEAST, r.link) : c->nic.dma;
	r.nics = fmin(r.link, r.dma) * t->nics;
	r.memory = c->nic.memory < 0 ? fmax(AT_LEAST, r.link * t->nics) : c->nic.memory;
	return r;
}

bool nic_dma_caps(const struct nic_rates *r)
{
	return r->dma < r->link;
}

bool nic_memory_caps(const struct nic_rates *r)
{
	return r->memory < r->nics;
}
