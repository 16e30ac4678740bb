/* Parameters of virtual ranks: config.h. */
#include "vmpi_config.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void vmpi_config_add(struct config *c, struct vmpi_config *target)
{
#include "vmpi_params.def"
}
