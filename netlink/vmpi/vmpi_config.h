/* Parameters of virtual ranks: [mpi], [machine] and [ranks], made from vmpi_params.def. */
#ifndef PSIM_VMPI_CONFIG_H
#define PSIM_VMPI_CONFIG_H

#include "../../psim/base/choice.h"
#include "../../psim/base/config/config.h"

#define CONFIG_ROWS "netlink/vmpi/vmpi_params.def"
#define CONFIG_SECTION(name) vmpi_##name##_params
struct vmpi_config {
#include "../../psim/base/config/config_struct.h"
};

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
	C(COLLECTIVES_OPENMPI, "openmpi")
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
enum rank_placement { RANK_PLACEMENTS(CHOICE_ID) };
enum globals_kept { GLOBALS_KEPT(CHOICE_ID) };
enum rank_clock { RANK_CLOCKS(CHOICE_ID) };
enum context_kind { CONTEXT_KINDS(CHOICE_ID) };

/* Adds all sections to `c`, filling `target`, and sets the defaults. */
void vmpi_config_add(struct config *c, struct vmpi_config *target);

/* Checks rules across fields, after all files are read. 0, or -1 with the place of the offending value. */
int vmpi_config_check(const struct config *c, const struct vmpi_config *v, struct err *e);

#endif
