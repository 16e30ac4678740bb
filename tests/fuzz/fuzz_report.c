/* Reports read back from JSON: result_read on any bytes; what it lists is found by name. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "psim/report/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result r = {0};
	struct err e;
	char path[40];
	int fd = memfd_create("report", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (result_read(&r, path, &e)) {
		if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
			abort();
	} else {
		for (size_t i = 0; i < r.count; i++) {
			const struct result_value *v = result_find(&r, r.values[i].name);

			if (!v || strcmp(v->name, r.values[i].name))
				abort();
		}
	}
	result_finish(&r);
	close(fd);
	return 0;
}
