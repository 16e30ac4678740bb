/* Messages take no time: only computation and waiting remain. */
#include <stddef.h>

#include "../net_config.h"
#include "analytic.h"

static int64_t no_delay(const void *model, const struct topology *t, uint32_t src, uint32_t dst, uint64_t bytes)
{
	(void)model;
	(void)t;
	(void)src;
	(void)dst;
	(void)bytes;
	return 0;
}

static void drop_nothing(void *model)
{
	(void)model;
}

/* Shares no resources. */
static struct net_engine *none_create(const struct net_setup *setup, struct err *e)
{
	return analytic_create(setup, &(struct analytic_node){.nics = 1}, no_delay, NULL, drop_nothing, e);
}

const struct net_engine_kind net_none = {
	.name = "none",
	.doc = "messages take no time; a run has computation and waiting only",
	.timeless = true,
	.create = none_create,
	ANALYTIC_FUNCTIONS,
};
