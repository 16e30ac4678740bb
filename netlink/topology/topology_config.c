#include "topology_config.h"

#include "link_class.h"
#include "topology_plan.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void topology_config_add(struct config *c, struct topology_config *target)
{
#include "topology_params.def"
	target->links_fail = false;
	link_class_config_add(c, target);
}

int topology_config_check(const struct config *c, const struct topology_config *v, struct err *e)
{
	struct plan p;

	if (!plan_make(&p, v, e))
		return 0;
	return err_prefix(e, "%s", config_origin(c, p.blame_section, p.blame_key));
}
