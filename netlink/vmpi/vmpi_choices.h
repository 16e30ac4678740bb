/*
 * Choices of parameters of virtual ranks. Apart from vmpi_config.h, whose struct has a field of every parameter: a file
 * that reads none is not compiled again for a new parameter or collective operation.
 */
#ifndef PSIM_VMPI_CHOICES_H
#define PSIM_VMPI_CHOICES_H

#include "../../psim/base/choice.h"

#define SEND_DONES(C) \
	C(SEND_DONE_SENT, "sent") \
	C(SEND_DONE_COPIED, "copied")
#define SEND_STARTS(C) \
	C(SEND_START_SENT, "sent") \
	C(SEND_START_RECEIVED, "received")
#define COLLECTIVES_BY(C) \
	C(COLLECTIVES_AUTO, "auto") \
	C(COLLECTIVES_TABLE, "table") \
	C(COLLECTIVES_MPICH, "mpich") \
	C(COLLECTIVES_OPENMPI, "openmpi") \
	C(COLLECTIVES_NCCL_RING, "nccl_ring") \
	C(COLLECTIVES_NCCL_TREE, "nccl_tree") \
	C(COLLECTIVES_NCCL_LEVELS, "nccl_levels") \
	C(COLLECTIVES_NCCL_RAILS, "nccl_rails")
#define CHAKRA_KERNEL_TIMES(C) \
	C(CHAKRA_KERNELS_RECORDED, "recorded") \
	C(CHAKRA_KERNELS_ROOFLINE, "roofline")
#define CHAKRA_DEPENDENCIES(C) \
	C(CHAKRA_DEPENDENCIES_ALL, "all") \
	C(CHAKRA_DEPENDENCIES_DATA, "data")
#define RANK_PLACEMENTS(C) \
	C(PLACEMENT_BLOCK, "block") \
	C(PLACEMENT_CYCLIC, "cyclic") \
	C(PLACEMENT_RANDOM, "random")
#define GLOBALS_KEPT(C) \
	C(GLOBALS_AUTO, "auto") \
	C(GLOBALS_COPY, "copy") \
	C(GLOBALS_MAP, "map") \
	C(GLOBALS_SHARED, "shared")
#define RANK_CLOCKS(C) \
	C(CLOCK_VIRTUAL, "virtual") \
	C(CLOCK_HOST, "host")
#define CONTEXT_KINDS(C) \
	C(CONTEXT_FAST, "fast") \
	C(CONTEXT_UCONTEXT, "ucontext")

enum send_done { SEND_DONES(CHOICE_ID) };
enum send_start { SEND_STARTS(CHOICE_ID) };
enum collectives_by { COLLECTIVES_BY(CHOICE_ID) };
enum chakra_kernel_times { CHAKRA_KERNEL_TIMES(CHOICE_ID) };
enum chakra_dependencies { CHAKRA_DEPENDENCIES(CHOICE_ID) };
enum rank_placement { RANK_PLACEMENTS(CHOICE_ID) };
enum globals_kept { GLOBALS_KEPT(CHOICE_ID) };
enum rank_clock { RANK_CLOCKS(CHOICE_ID) };
enum context_kind { CONTEXT_KINDS(CHOICE_ID) };

#endif
