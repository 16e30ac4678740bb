/*
 * Execution traces of two ranks with the same nodes, as JSON or, where it does not begin like that, as protobuf
 * messages: any bytes are refused with one line, or run to their end.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "replay_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[200];

	fuzz_file("a.1.trace", data, size);
	snprintf(path, sizeof(path), "%s", fuzz_file("a.0.trace", data, size));
	memcpy(strstr(path, "a.0.trace"), "a.%d.trace", sizeof("a.%d.trace"));
	return replay_fuzz(path, 0);
}
