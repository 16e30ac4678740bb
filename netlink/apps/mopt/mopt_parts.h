/* Settings and work of the program, which its parts share. */
#ifndef PSIM_NETLINK_MAPPING_MOPT_PARTS_H
#define PSIM_NETLINK_MAPPING_MOPT_PARTS_H

#include "../../../psim/base/config/config.h"
#include "../../../psim/base/cli/opt.h"
#include "../../engine/net_config.h"
#include "../../vmpi/vmpi_config.h"
#include "../../mapping/optimise.h"

struct settings {
	const char *network, *mapping, *from, *report, *picture;
	unsigned method, strategy, format; /* indices of the choices */
	uint64_t orders, passes, per_node, steps, boxes, chains, threads, seed, effort;
	const char *slack, *weight, *exclude, *limit;
	bool open, quiet;
	struct opt_list expect;
};

struct work {
	const struct settings *set;
	struct config *config;
	struct topology_config cfg;
	struct net_config engines; /* read because files of networks contain them; unused */
	struct vmpi_config ranks;
	struct topology *topology;
	struct comm_matrix *matrix;
	uint32_t *from;
	struct optimise_result result;
	bool *excluded; /* [node], NULL: none */
	double seconds;
	int interrupted; /* signal that ended the search early; 0: none */
	double slack;    /* a share; -1 if the option's value is invalid */
	double weight;   /* a share; -2 if the option's value is invalid, -1 if it is not given */
	double limit;    /* MB; below 0 if the option's value is invalid, 0 if it is not given */
	int argc;
	char **argv;
};

/* Writes report, mapping and picture, and checks expectations. 0, or -1 with `e`. */
int mopt_write(const struct work *w, struct err *e);

#endif
