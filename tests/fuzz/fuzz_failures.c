/* Times of failures: refused with one line, or times in order. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/reliability/failure_times.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const bool used[3] = {true, false, true};
	struct failure_times t = {0};
	struct err e = {0};

	if (failure_times_read(fuzz_file("a.failures", data, size), used, 3, &t, &e) < 0) {
		if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
			abort();
	} else {
		for (size_t i = 0; i < t.at.count; i++)
			if (!(t.at.at[i] >= 0 && t.at.at[i] <= t.end && (!i || t.at.at[i] > t.at.at[i - 1])))
				abort();
	}
	failure_times_finish(&t);
	return 0;
}
