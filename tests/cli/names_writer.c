/*
 * Writes a trace in which every name is one text, as hostile as the shell can give it: names-writer TRACE NAME. It runs
 * a loop of four instructions 50 times, in a region.
 */
#include <stdio.h>

#include "../../traces/trace.h"

static int write_runs(struct trace_writer *w, const char *name, struct err *e)
{
	/* add %g1, 1, %g1; add %g1, 1, %g1; ba back to the first; add %g1, 1, %g1 in its delay slot */
	static const uint32_t loop[] = {0x82006001, 0x82006001, 0x10bffffe, 0x82006001};
	int64_t block = trace_writer_block(w, 0x10000, loop, 4, false, e);

	if (block < 0 || trace_writer_region(w, name, true, e) < 0)
		return -1;
	for (unsigned n = 0; n < 50; n++)
		if (trace_writer_run(w, (uint32_t)block, NULL, e) < 0)
			return -1;
	return trace_writer_region(w, name, false, e);
}

int main(int argc, char *argv[])
{
	const char *name = argc == 3 ? argv[2] : "";
	const struct trace_symbol symbol = {.address = 0x10000, .size = 16, .name = name};
	const struct trace_line line = {.address = 0x10000, .file = 1, .line = 7};
	const struct trace_info info = {
		.program = name,
		.args = &name,
		.arg_count = 1,
		.symbols = &symbol,
		.symbol_count = 1,
		.recorder = name,
		.entry = 0x10000,
		.files = &name,
		.file_count = 1,
		.lines = &line,
		.line_count = 1,
	};
	struct err e = {.text = "two arguments are expected"};
	struct trace_writer *w = argc == 3 ? trace_writer_create(argv[1], &info, &e) : NULL;

	if (w && write_runs(w, name, &e) == 0 && trace_writer_close(w, 0, &e) == 0)
		return 0;
	fprintf(stderr, "names-writer: %s\n", e.text);
	return 1;
}
