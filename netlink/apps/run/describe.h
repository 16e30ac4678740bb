/*
 * --describe: a machine file from a few figures of a data sheet, each line with its source. The messages between two
 * nodes take the latency, and the bytes at the link's rate; with every engine but packet, which adds headers.
 */
#ifndef PSIM_NETLINK_RUN_DESCRIBE_H
#define PSIM_NETLINK_RUN_DESCRIBE_H

#include "run_machine.h"

/*
 * Writes the file that `text`, "nodes=64,link=12.5GB/s,...", describes to `path` ("-": standard output). The values
 * replace those of `m`, which is checked as that of a run. 0, or -1 with `e`, and no file.
 */
int describe_write(struct run_machine *m, const char *text, const char *path, struct err *e);

#endif
