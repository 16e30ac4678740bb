/* What the parts of the program share: its settings and its work. */
#ifndef PSIM_NETLINK_MAPPING_MOPT_PARTS_H
#define PSIM_NETLINK_MAPPING_MOPT_PARTS_H

#include "../../../psim/base/config/config.h"
#include "../../../psim/base/cli/opt.h"
#include "../../engine/net_config.h"
#include "../../vmpi/vmpi_config.h"
#include "../../mapping/optimise.h"

struct settings {
	const char *network, *mapping, *from, *report, *picture;
	unsigned method, format; /* positions of the choices */
	uint64_t orders, passes, per_node, steps, boxes, chains, threads, seed;
	const char *slack, *weight, *exclude, *limit;
	bool open, quiet;
	struct opt_list expect;
};

struct work {
	const struct settings *set;
	struct config *config;
	struct topology_config cfg;
	struct net_config engines; /* read because a network's file has them, and not used */
	struct vmpi_config ranks;
	struct topology *topology;
	struct comm_matrix *matrix;
	uint32_t *from;
	struct optimise_result result;
	bool *excluded; /* [node], NULL: none */
	double seconds;
	int interrupted; /* the signal that ended the search early, 0 */
	double slack;    /* a share; -1 if what stands there is none */
	double weight;   /* a share; -2 if what stands there is none, -1 if it is not given */
	double limit;    /* MB; below 0 if what stands there is none, 0 if it is not given */
	int argc;
	char **argv;
};

/* Writes report, mapping and picture, and looks at expectations. 0, or -1 with `e`. */
int mopt_write(const struct work *w, struct err *e);

#endif
