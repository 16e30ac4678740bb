/*
 * What writing and reading traces costs, in CPU time of one core: made-up runs
 * of two kinds, or a trace that is given. Fails below the floor of 100 million
 * instructions read a second, addresses included.
 *
 *     trace-speed [TRACE]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "traces/trace.h"

#define LDX 0xc2586000u /* ldx [%g1], %g1 */
#define STX 0xc2706000u /* stx %g1, [%g1] */
#define NOP 0x01000000u

static const double floor_rate = 100e6;

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const struct err *e)
{
	fprintf(stderr, "trace-speed: %s\n", e->text);
	exit(1);
}

/* Reads the whole trace and every address. Returns instructions a second. */
static double read_trace(const char *path, struct trace_totals *totals)
{
	struct err e;
	struct trace_step step;
	uint64_t sum = 0;
	int event;
	double begin = cpu_seconds();
	struct trace_reader *r = trace_open(path, &e);
	if (!r)
		stop(&e);
	while ((event = trace_next(r, &step, &e)) > 0)
		for (unsigned i = 0; event == TRACE_RUN && i < step.block->memory_count; i++)
			sum += step.ea[i];
	if (event < 0)
		stop(&e);
	*totals = *trace_totals(r);
	trace_close(r);
	double seconds = cpu_seconds() - begin;
	/* the sum is used, so that it is computed */
	return seconds > 0 ? (double)totals->insns / seconds + (sum == 1) : 0;
}

static void run(struct trace_writer *w, int64_t block, const uint64_t *ea)
{
	struct err e;
	if (trace_writer_run(w, (uint32_t)block, ea, &e) < 0)
		stop(&e);
}

static int64_t declare(struct trace_writer *w, uint64_t pc, const uint32_t *words, unsigned count)
{
	struct err e;
	int64_t id = trace_writer_block(w, pc, words, count, false, &e);
	if (id < 0)
		stop(&e);
	return id;
}

/* Like a matrix product: an inner loop of 20 instructions with 6 loads, 100 times; then 3 stores. */
static void write_loops(struct trace_writer *w, uint64_t insns)
{
	uint32_t in[20], out[10];
	uint64_t ea[6], store[3];
	for (unsigned i = 0; i < 20; i++)
		in[i] = i % 3 == 0 && i < 18 ? LDX : NOP;
	for (unsigned i = 0; i < 10; i++)
		out[i] = i < 3 ? STX : NOP;
	int64_t inner = declare(w, 0x10000, in, 20), outer = declare(w, 0x11000, out, 10);
	for (uint64_t j = 0; trace_writer_position(w) < insns; j++) {
		for (unsigned k = 0; k < 6; k++)
			ea[k] = 0x100000 + 4096 * k + j % 64 * 64;
		for (unsigned n = 0; n < 100; n++) {
			run(w, inner, ea);
			for (unsigned k = 0; k < 6; k++)
				ea[k] += k < 3 ? 8 : 1024;
		}
		for (unsigned k = 0; k < 3; k++)
			store[k] = 0x900000 + 0x100000 * k + 8 * j;
		run(w, outer, store);
	}
}

enum { BLOCKS = 2000, LONGEST = 9 };

/* Knuth's MMIX generator; the high bits are good. */
static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (*state >> 33) % below;
}

/*
 * Like branchy integer code at its worst: blocks of 3 to 9 instructions, a third
 * of them loads, a quarter of those at random addresses; one block in ten ends
 * with a branch at random, two in ten go astray one time in eight.
 */
static void write_branches(struct trace_writer *w, uint64_t insns)
{
	static unsigned loads[BLOCKS];
	uint64_t random = 1, ea[LONGEST] = {0};
	for (unsigned b = 0; b < BLOCKS; b++) {
		uint32_t words[LONGEST];
		unsigned count = 3 + (unsigned)draw(&random, LONGEST - 2);
		for (unsigned i = 0; i < count; i++) {
			words[i] = draw(&random, 3) ? NOP : LDX;
			loads[b] += words[i] == LDX;
		}
		declare(w, 0x10000 + 64 * b, words, count);
	}
	for (unsigned b = 0; trace_writer_position(w) < insns;) {
		for (unsigned i = 0; i < loads[b]; i++)
			ea[i] = (b + i) % 4 ? 0x7ff0000 + 16 * (16 * b + i) : 0x1000000 + 8 * draw(&random, 1000000);
		run(w, b, ea);
		unsigned odds = b % 10 == 0 ? 2 : b % 10 < 3 ? 8 : 64;
		b = draw(&random, odds) ? (b + 1) % BLOCKS : (7 * b + 13) % BLOCKS;
	}
}

static int measure(const char *name, void (*fill)(struct trace_writer *, uint64_t), uint64_t insns)
{
	static const struct trace_info info = {.program = "trace-speed", .recorder = "trace-speed"};
	struct trace_totals totals;
	struct err e;
	char path[] = "/tmp/trace-speed-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	double begin = cpu_seconds();
	struct trace_writer *w = trace_writer_create(path, &info, &e);
	if (!w)
		stop(&e);
	fill(w, insns);
	if (trace_writer_close(w, 0, &e) < 0)
		stop(&e);
	double written = cpu_seconds() - begin;
	double rate = read_trace(path, &totals);
	unlink(path);
	printf("%-8s  %6.2f ns/insn written  %8.5f bytes/insn  %7.1f million insn/s read%s\n", name,
	       1e9 * written / (double)totals.insns, (double)totals.bytes / (double)totals.insns, 1e-6 * rate,
	       rate < floor_rate ? "  (below the floor)" : "");
	return rate < floor_rate;
}

int main(int argc, char *argv[])
{
	if (argc > 1) {
		struct trace_totals totals;
		double rate = read_trace(argv[1], &totals);
		printf("%s  %llu insn  %8.5f bytes/insn  %7.1f million insn/s read\n", argv[1],
		       (unsigned long long)totals.insns, (double)totals.bytes / (double)totals.insns, 1e-6 * rate);
		return rate < floor_rate;
	}
	return measure("loops", write_loops, 200000000) + measure("branches", write_branches, 30000000);
}
