/* How a run ended. */
#include "../../../psim/base/cli/progress.h"
#include "program_run.h"

bool run_interrupted(const struct run *run)
{
	return progress_signal() || run->interrupted || (run->result && !run->result->complete);
}
