/* Traces of communication: any bytes are refused with one line, or run to their end on an engine of simple times. */
#include "fuzz.h"
#include "fuzz_file.h"
#include "replay_run.h"

/* A workload of ASTRA-sim is for any ranks. */
enum { RANKS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return replay_fuzz(fuzz_file("a.replay", data, size), RANKS);
}
