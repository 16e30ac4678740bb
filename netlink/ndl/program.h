/*
 * Interface of the C program that `inspire` writes from a description. That program and its users
 * include it.
 */
#ifndef PSIM_NETLINK_NDL_PROGRAM_H
#define PSIM_NETLINK_NDL_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../wormhole/network.h"
#include "../wormhole/routing.h"

struct ndl_program {
	const char *file;
	/*
	 * The user's net_config: argv[1] … argv[argc-1] are the operands; returns how many of them
	 * it took (0: none), or a negative number if they are wrong.
	 */
	int (*config)(int argc, char **argv);
	/* Declares resources, sizes, connections and routings; < 0 with `e` where memory is short.
	 */
	int (*build)(struct network *n, struct err *e);
};
extern const struct ndl_program ndl_network;

#endif
