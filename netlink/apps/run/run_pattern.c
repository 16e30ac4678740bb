/* Keys of a pattern that nothing reads. */
#include <string.h>

#include "program_run.h"

int run_check_pattern(const struct run *run, const struct traffic *t, struct err *e)
{
	const char *engine = run->machine.net_config.engine.kind;
	bool paced = !strcmp(engine, "packet") || !strcmp(engine, "flow");
	struct config *keys = traffic_config(t);

	if (config_fact(keys, "paced", paced, "by this engine", e) < 0)
		return -1;
	return opt_unused(run->in.program->name, keys, traffic_uses, run->in.common.strict, e);
}
