/* psim-record: runs a SPARC-V9 Linux program and records it. docs/programs/psim-record.md */
#include "../../isa/simd.h"
#include "record_session.h"

static const char examples[] = "  psim-record -o hello.trace.gz -- hello.sparc\n"
			       "  psim-record -o main.trace.gz --from main -- prog.sparc -n 100 < input\n"
			       "  psim-record -o dgemm.trace.gz --region dgemm -- dgemm.sparc 48\n"
			       "  psim-record --no-trace -v -- prog.sparc\n";

/*
 * Touches each line of a cache of some MiB several times: with a double per load and three
 * instructions per double, the 98304 lines of the largest cache in configs need 2.4 million
 * instructions. The margin is an assumption.
 */
enum { WARM_UP = 10000000 };

int main(int argc, char *argv[])
{
	struct record_settings o = {.processors = 1, .pes = SIMD_PES, .sbm = SIMD_SBM, .warm_up = WARM_UP};
	const struct opt rows[] = {
		{"output", 'o', "FILE", "write the trace to FILE (\"-\": standard output)", OPT_WRITES, &o.output},
		{"no-trace", 0, NULL, "only run the program", OPT_FLAG, &o.no_trace},
		{"from", 0, "SYMBOL", "record from the first execution of SYMBOL (or 0x…)", OPT_TEXT, &o.from},
		{"region", 0, "NAME", "record only inside this region (may be repeated)", OPT_LIST, &o.regions},
		{"skip", 0, "N", "omit the first N instructions of the recording", OPT_COUNT, &o.skip},
		{"warm-up", 0, "N", "record N instructions before each part to warm up caches (default 10000000)",
		 OPT_COUNT, &o.warm_up},
		{"max", 'n', "N", "stop after N recorded instructions (0: no limit)", OPT_COUNT, &o.max},
		{"fma", 0, "unfused|fused", "roundings of FMADD and the like: two or one", OPT_CHOICE, &o.fma},
		{"cpus", 0, "N", "processors that the program sees, up to 64 (1): OpenMP starts as many threads",
		 OPT_COUNT, &o.processors},
		{"pes", 0, "N", "processing elements of the SIMD array, up to 32 (default 16; 0: no array)", OPT_COUNT,
		 &o.pes},
		{"sbm", 0, "SIZE", "buffer memory of each, a power of two (default 64KiB)", OPT_TEXT, &o.sbm_text},
		{"units", 0, "NAME,…", "what PEs can do beside the paper's: divide, select, integer, single, gather",
		 OPT_TEXT, &o.units},
		{"check-simd", 0, NULL, "compare what loops of psim-cc store on the array with scalar order", OPT_FLAG,
		 &o.check_simd},
		{"name", 0, "PATH", "path that the program sees as its own (default ./ and the file's name)", OPT_TEXT,
		 &o.name},
		{"env", 0, "VAR=VALUE", "set a variable in the otherwise empty environment", OPT_LIST, &o.env},
		{"host-time", 0, NULL, "clocks follow the host's time instead of the instruction count", OPT_FLAG,
		 &o.host_time},
		{"seed", 0, "N", "seed of the program's random bytes", OPT_COUNT, &o.seed},
		{"stack", 0, "BYTES", "size of the stack (default 8 MiB)", OPT_COUNT, &o.stack},
		{"memory", 0, "BYTES", "limit of the program's memory (default 8 GiB)", OPT_COUNT, &o.memory},
		{"sandbox", 0, NULL, "shut in a program that is not trusted", OPT_FLAG, &o.sandbox},
		{"log-insns", 0, "FILE", "write the pc of each recorded instruction, one per line", OPT_WRITES,
		 &o.log_path},
		{"quiet", 'q', NULL, "no progress line, no warnings", OPT_FLAG, &o.quiet},
		{"verbose", 'v', NULL, "report at the end the number of instructions run and recorded", OPT_FLAG,
		 &o.verbose},
	};
	const struct opt_program program = {
		.name = "psim-record",
		.operands = "-- PROGRAM [ARGS]",
		.summary = "Runs a statically linked Linux/SPARC-V9 program and records its execution.",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(*rows),
		.min_operands = 1,
		.max_operands = INT32_MAX,
		.stop_at_operand = true,
	};
	int status;
	int first = opt_start(&program, argc, argv, &status);
	if (first < 0)
		return status;
	return record_program(&program, &o, argv + first, (unsigned)(argc - first));
}
