/* Lists in parameters: "8x8x16", "2^10", "4 GB/s, 2 GB/s". */
#ifndef PSIM_NETLINK_LIST_H
#define PSIM_NETLINK_LIST_H

#include <stdint.h>

#include "../../psim/base/config/config.h"

/*
 * Sizes with x between them; "2^10" stands for ten times 2. Each from 1 to 2^24.
 * Returns how many there are, or -1 with `e` if it is no such list or longer than `max`.
 */
int list_sizes(const char *text, uint32_t *size, unsigned max, struct err *e);

/*
 * Values with commas between them, each read as `row` says (type, range) into
 * the next `item` bytes of `values`. Returns how many, or -1 with `e`.
 */
int list_values(const struct param *row, const char *text, void *values, size_t item, unsigned max, struct err *e);

#endif
