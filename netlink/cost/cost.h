/*
 * Cost of a machine: amounts of its parts times the user's prices ([cost], cost_params.def). The terms are the rows of
 * cost_terms.def. Parts that are down count: they have been paid for.
 */
#ifndef PSIM_NETLINK_COST_H
#define PSIM_NETLINK_COST_H

#include <stdbool.h>

#include "../../psim/base/choice.h"
#include "../../psim/base/config/config.h"
#include "../topology/topology.h"

#define COST_COUNTS(C) \
	C(COST_COUNT_USED, "used") \
	C(COST_COUNT_ALL, "all")
enum cost_count { COST_COUNTS(CHOICE_ID) };

#define CONFIG_ROWS "netlink/cost/cost_params.def"
#define CONFIG_SECTION(name) cost_##name##_params
struct cost_config {
#include "../../psim/base/config/config_struct.h"
};

/* Parts of a machine; of the network in proportion, perhaps no whole numbers. */
struct cost_amounts {
	double nodes, processors, nics, routers, ports, cables;
	double rate; /* of all cables, one way, GB/s */
};

enum cost_term {
#define TERM(name, count, price, doc) COST_##name,
#include "cost_terms.def"
#undef TERM
	COST_TERMS,
};

/* Adds the section [cost] to `c`, filling `target`, and sets the defaults. */
void cost_config_add(struct config *c, struct cost_config *target);

/* Returns whether any part has a price. */
bool cost_given(const struct cost_config *p);

/*
 * Counts the parts of a machine whose network is `t`: `nodes` of its nodes, with `processors` in all, and the network
 * in their proportion. A link between routers and the one back are a cable, and so are those between a NIC and its
 * router. NICs whose rate is unknown add none.
 */
void cost_count(const struct topology *t, double nodes, double processors, struct cost_amounts *a);

/* Name, meaning, amount and price of a term; their products add up to the cost. */
struct cost_part {
	const char *name, *doc;
	double count, price;
};
struct cost_part cost_part(const struct cost_config *config, const struct cost_amounts *a, enum cost_term term);

#endif
