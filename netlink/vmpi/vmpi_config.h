/* Parameters of virtual ranks: [mpi], [machine] and [ranks], made from vmpi_params.def. */
#ifndef PSIM_VMPI_CONFIG_H
#define PSIM_VMPI_CONFIG_H

#include "../../psim/base/config/config.h"

#define CONFIG_ROWS "netlink/vmpi/vmpi_params.def"
#define CONFIG_SECTION(name) vmpi_##name##_params
struct vmpi_config {
#include "../../psim/base/config/config_struct.h"
};

enum { SEND_DONE_SENT, SEND_DONE_COPIED };
enum { COLLECTIVES_AUTO, COLLECTIVES_TABLE, COLLECTIVES_MPICH, COLLECTIVES_OPENMPI };
enum { PLACEMENT_BLOCK, PLACEMENT_CYCLIC, PLACEMENT_RANDOM };
enum { GLOBALS_AUTO, GLOBALS_COPY, GLOBALS_MAP, GLOBALS_SHARED };

/* Adds all sections to `c`, filling `target`, and sets the defaults. */
void vmpi_config_add(struct config *c, struct vmpi_config *target);

/* Cross-field rules, once, after everything is read. 0, or -1 with the place of the offending value. */
int vmpi_config_check(const struct config *c, const struct vmpi_config *v, struct err *e);

#endif
