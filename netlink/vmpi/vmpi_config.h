/* Parameters of virtual ranks: [mpi], [machine] and [ranks], made from vmpi_params.def. */
#ifndef PSIM_VMPI_CONFIG_H
#define PSIM_VMPI_CONFIG_H

#include "../../psim/base/config/config.h"
#include "vmpi_choices.h"

#define CONFIG_ROWS "netlink/vmpi/vmpi_params.def"
#define CONFIG_SECTION(name) vmpi_##name##_params
struct vmpi_config {
#include "../../psim/base/config/config_struct.h"
};

/* Adds all sections to `c`, filling `target`, and sets the defaults. */
void vmpi_config_add(struct config *c, struct vmpi_config *target);

/* Checks rules across fields, after all files are read. 0, or -1 with the place of the offending value. */
int vmpi_config_check(const struct config *c, const struct vmpi_config *v, struct err *e);

#endif
