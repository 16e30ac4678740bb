/* Configuration of a network's topology and links: one struct from topology_params.def. */
#ifndef PSIM_NETLINK_TOPOLOGY_CONFIG_H
#define PSIM_NETLINK_TOPOLOGY_CONFIG_H

#include "../../psim/base/choice.h"
#include "../../psim/base/config/config.h"

enum {
	TOPOLOGY_NAME_MAX = 16, /* of a class of links, with its end */
	LINK_CLASSES_MAX = 64,  /* sections [link.NAME] */
	LINK_CLASS_PLACE_MAX = 128,
};

/* A section [link.NAME]. */
struct link_class_config {
	char name[TOPOLOGY_NAME_MAX];     /* of the class */
	char place[LINK_CLASS_PLACE_MAX]; /* of its first key, for messages */
#define P(field, type, initial, min, max, unit, doc) PARAM_CTYPE_##type(field);
#include "link_class.def"
#undef P
};

#define CONFIG_ROWS "netlink/topology/topology_params.def"
#define CONFIG_SECTION(name) name##_params
struct topology_config {
#include "../../psim/base/config/config_struct.h"
	bool links_fail;  /* links or routers fail during the run: the routing must go round them */
	bool plane;       /* it is that of a plane of rails, made by them */
	unsigned classes; /* sections [link.NAME] */
	struct link_class_config class[LINK_CLASSES_MAX];
};

/* The row (kind.h) and the name of each kind. topology_over_graph is none: its routings are for links of any. */
#define TOPOLOGY_KINDS(C) \
	C(topology_mesh, "mesh") \
	C(topology_torus, "torus") \
	C(topology_tofu, "tofu") \
	C(topology_crossbar, "crossbar") \
	C(topology_hypercube, "hypercube") \
	C(topology_hyper_crossbar, "hyper_crossbar") \
	C(topology_fat_tree, "fat_tree") \
	C(topology_dragonfly, "dragonfly") \
	C(topology_dragonfly_plus, "dragonfly_plus") \
	C(topology_hyperx, "hyperx") \
	C(topology_express_cube, "express_cube") \
	C(topology_slim_fly, "slim_fly") \
	C(topology_jellyfish, "jellyfish") \
	C(topology_rails, "rails") \
	C(topology_graph, "graph") \
	C(topology_platform, "platform")

#define TOPOLOGY_TIES(C) \
	C(TIES_POSITIVE, "positive") \
	C(TIES_NEGATIVE, "negative") \
	C(TIES_PARITY, "parity") \
	C(TIES_RANDOM, "random") \
	C(TIES_DIRECT, "direct")
#define TOPOLOGY_DATELINES(C) \
	C(DATELINE_CROSSING, "crossing") \
	C(DATELINE_BEHIND, "behind") \
	C(DATELINE_BALANCED, "balanced") \
	C(DATELINE_NONE, "none")

enum topology_ties { TOPOLOGY_TIES(CHOICE_ID) };
enum topology_dateline { TOPOLOGY_DATELINES(CHOICE_ID) };

/* Adds the sections to `c`, filling `target`, and sets the defaults. */
void topology_config_add(struct config *c, struct topology_config *target);

/*
 * Checks, once the configuration is complete, that the network can be made. 0, or -1 and `e`
 * (STATUS_USAGE) with the place of the offending value.
 */
int topology_config_check(const struct config *c, const struct topology_config *v, struct err *e);

#endif
