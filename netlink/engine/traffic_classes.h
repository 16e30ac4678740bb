/* Traffic classes of the packet engine: their number and weights, from the section [router]. */
#ifndef PSIM_NETLINK_TRAFFIC_CLASSES_H
#define PSIM_NETLINK_TRAFFIC_CLASSES_H

#include <stdint.h>

#include "../../psim/base/err.h"
#include "net_config.h"

enum { TRAFFIC_CLASSES_MAX = 8, CLASS_WEIGHT_MAX = 1000 };

/*
 * Reads router.class_weights into weight[router.classes]; with the order `strict` all are 1. 0, or -1 with `e`, without
 * the place of the key: STATUS_USAGE.
 */
int traffic_class_weights(const struct net_config *c, uint32_t weight[TRAFFIC_CLASSES_MAX], struct err *e);

#endif
