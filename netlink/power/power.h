/*
 * Energy of a run: what each part of a machine takes, from its power ([power], power_params.def) and its activity. The
 * terms are the rows of power_terms.def.
 *
 * docs/models/system-energy.md has the closed forms.
 */
#ifndef PSIM_NETLINK_POWER_H
#define PSIM_NETLINK_POWER_H

#include <stdbool.h>

#include "../../psim/base/choice.h"
#include "../../psim/base/config/config.h"
#include "../topology/topology.h"

#define POWER_COUNTS(C) \
	C(POWER_COUNT_USED, "used") \
	C(POWER_COUNT_ALL, "all")
enum power_count { POWER_COUNTS(CHOICE_ID) };

#define CONFIG_ROWS "netlink/power/power_params.def"
#define CONFIG_SECTION(name) power_##name##_params
struct power_config {
#include "../../psim/base/config/config_struct.h"
};

/* Activity of a machine during a run. Times are sums over processors. */
struct power_activity {
	double seconds;              /* of the run */
	double nodes, nics, routers; /* that are counted; routers in proportion, perhaps no whole number */
	double busy_s;               /* processors: computation without a model of energy, and calls */
	double wait_s, sleep_s;      /* processors: waiting; of it, asleep */
	double model_j;              /* processors: by models of energy */
	double memory_bytes, nic_bytes, router_bytes;
	double link_j, link_idle_j;
};

enum power_term {
#define TERM(name, joules, doc) POWER_##name,
#include "power_terms.def"
#undef TERM
	POWER_TERMS,
};

/* Energy of a run, J. */
struct power_result {
	double term[POWER_TERMS];
	double machine;         /* sum of the terms */
	double supply, cooling; /* losses of power supplies; cooling */
	double total;
};

/* Adds the section [power] to `c`, filling `target`, and sets the defaults. */
void power_config_add(struct config *c, struct power_config *target);

/* Returns whether any part has a figure: without one a run has no energy. */
bool power_given(const struct power_config *p);

/* 0, or -1 with `e` (STATUS_USAGE) and the place of the offending value. */
int power_config_check(const struct config *c, const struct power_config *p, struct err *e);

/* Name and meaning of a term; constant. */
const char *power_term_name(enum power_term t);
const char *power_term_doc(enum power_term t);

/* Computes the energies of all terms. */
void power_evaluate(const struct power_config *config, const struct power_activity *a, struct power_result *x);

/* Links of a class. */
struct power_links {
	uint32_t links; /* that are up */
	double bytes;   /* that they have carried */
	double watts;   /* of all together, each bandwidth with data all the time */
	double carried_j, idle_j;
};

/*
 * Computes the energy of the links of a class in a run of `seconds`, of which `share` counts. `bytes`: what each link
 * of `t` has carried, of links that share a bandwidth all at the first of them; NULL: unknown, and then all of them
 * are without data. Links without a rate, as the NICs of a platform that does not describe them, take no power without
 * data.
 */
void power_count_links(const struct power_config *config, const struct topology *t, unsigned class, const double *bytes,
		       double seconds, double share, struct power_links *x);

/* Adds up the bytes that enter routers, and those of NICs, each way. */
void power_count_bytes(const struct topology *t, const double *bytes, double *routers, double *nics);

#endif
