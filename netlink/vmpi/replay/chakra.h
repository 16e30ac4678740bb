/*
 * Execution traces of AI training: MLCommons' Chakra (Sridharan et al., "Chakra: advancing performance benchmarking and
 * co-design using standardized execution traces", 2023; schema/protobuf/et_def.proto of mlcommons/chakra), as JSON or
 * as protobuf messages, a file a rank; and the text workloads of ASTRA-sim 1.0 (Rashidi et al., ISPASS 2020). Both
 * become graphs of operations (replay_goal.h).
 *
 *      chakra_json, chakra_protobuf ──▶ struct chakra_node ──▶ chakra_graph ──▶ struct goal ──▶ replay_goal
 *                                          astra_text, a workload's layers ────────┘
 */
#ifndef PSIM_VMPI_REPLAY_CHAKRA_H
#define PSIM_VMPI_REPLAY_CHAKRA_H

#include <stdbool.h>
#include <stdint.h>

#include "replay_goal.h"

struct vmpi_config;

/* Returns whether a name has the place of a rank's number, "%d", or ends as files of a trace do. */
bool chakra_is_name(const char *path);

/* Reads the files of all ranks. `path` has %d in place of the rank, or is that of a trace of one rank. */
struct goal *chakra_read(const char *path, const struct vmpi_config *cfg, struct err *e);

/* Returns whether a line can begin a workload of ASTRA-sim. */
bool astra_begins(const char *text);

/* Reads a workload, whose first line is in `text`, a buffer of `size` characters for the others, for so many ranks. */
struct goal *astra_read(struct lines *lines, char *text, int size, uint32_t ranks, const struct vmpi_config *cfg,
			struct err *e);

#endif
