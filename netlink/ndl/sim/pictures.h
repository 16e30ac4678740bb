/* Picture of a simulator: use of the channels. */
#ifndef PSIM_NETLINK_NDL_PICTURES_H
#define PSIM_NETLINK_NDL_PICTURES_H

#include <stdio.h>

#include "sim_use.h"

/*
 * Draws a row for each output of a kind of resource and each of its virtual channels, a cell for
 * each element (or the mean of several): the share of clocks in which the link carried a flit, or
 * the channel was held.
 */
void use_draw(FILE *out, const char *title, const struct network *n, const struct sim_use *k);

#endif
