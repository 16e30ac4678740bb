/* The table through which programs reach the calls. */
#include "call_table.h"

#include "../message/message.h"

static const struct vmpi_calls call_table = {
#define CALL(result, name, params, doc, trace) .name = vmpi_##name,
#define BSIM(result, name, params, doc) .BSIM_##name = vmpi_BSIM_##name,
#define SYSTEM(name, params, doc) .name = vmpi_##name,
#define LIBRARY(result, name, params, doc) .name = vmpi_##name,
#include "../api/calls.def"
#undef CALL
#undef BSIM
#undef SYSTEM
#undef LIBRARY
};

const struct vmpi_calls *calls_of_programs(void)
{
	return &call_table;
}
