/* Traces as text: refused with one line and no file, or a trace that can be read to its end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "traces/view/trace_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[256], made[256];
	struct trace_reader *trace;
	struct trace_step step;
	struct err e = {0};
	int event;

	snprintf(made, sizeof(made), "%s", fuzz_file("a.trace", "", 0));
	snprintf(text, sizeof(text), "%s", fuzz_file("a.txt", data, size));
	unlink(made);
	if (trace_text_read(text, made, &e) < 0) {
		if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n') || access(made, F_OK) == 0)
			abort();
		return 0;
	}
	trace = trace_open(made, &e);
	if (!trace)
		abort();
	while ((event = trace_next(trace, &step, &e)) > 0)
		;
	if (event < 0)
		abort();
	trace_close(trace);
	return 0;
}
