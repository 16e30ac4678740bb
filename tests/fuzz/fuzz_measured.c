/* Outputs of benchmarks: refused with one line, or samples with ascending sizes and times above 0. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/apps/calibrate/measured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct measured m, processor;
	const char *path = fuzz_file("a.measured", data, size);
	int ret = measured_read(&m, path, &e), overheads;

	if (ret < 0 && (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n')))
		abort();
	for (size_t i = 0; ret == 0 && i < m.samples.count; i++)
		if (!(m.samples.at[i].ps > 0) || (i && m.samples.at[i].bytes <= m.samples.at[i - 1].bytes))
			abort();
	measured_finish(&m);
	overheads = measured_read_processor(&processor, path, "send", &e);
	if (overheads < 0 && (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n')))
		abort();
	for (size_t i = 0; overheads == 0 && i < processor.samples.count; i++)
		if (!(processor.samples.at[i].ps >= 0) ||
		    (i && processor.samples.at[i].bytes <= processor.samples.at[i - 1].bytes))
			abort();
	measured_finish(&processor);
	return 0;
}
