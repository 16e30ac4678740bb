/* Lists in parameters: "8x8x16", "2^10", "4 GB/s, 2 GB/s". */
#ifndef PSIM_NETLINK_LIST_H
#define PSIM_NETLINK_LIST_H

#include <stdint.h>

#include "../../psim/base/config/config.h"

/*
 * Reads sizes separated by x; "2^10" stands for ten times 2. Each is from 1 to 2^24. Returns their
 * number, or -1 with `e` if the text is malformed or has more than `max`.
 */
int list_sizes(const char *text, uint32_t *size, unsigned max, struct err *e);

/*
 * Reads values separated by commas, each as `row` says (type, range), into successive `item` bytes
 * of `values`. Returns their number, or -1 with `e`.
 */
int list_values(const struct param *row, const char *text, void *values, size_t item, unsigned max, struct err *e);

#endif
