/* Reading from the middle, and streams: trace_seek in traces/trace.h. */
#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_maker.h"

#define NOP 0x01000000u
#define LDX 0xc2586000u /* ldx [%g1], %g1 */

static const uint32_t body[] = {LDX, NOP, LDX}, rest[] = {NOP, NOP}, late[] = {NOP, LDX, NOP, NOP};

/*
 * 100 rounds of body, body, rest (3 + 3 + 2 = 8 instructions); from round 50 on
 * body, late, rest (3 + 4 + 2 = 9), so that a block is new in the middle.
 * 50 * 8 + 50 * 9 = 850 instructions; chunks of 64.
 */
static void make(struct trace_maker *m)
{
	struct err e;
	trace_maker_start(m, NULL);
	trace_writer_chunks(m->writer, 64);
	for (uint64_t i = 0; i < 100; i++) {
		const uint64_t ea[] = {0x1000 + 8 * i, 0x2000 + i * i * 64};
		trace_maker_run(m, 0x10000, body, 3, ea);
		if (i % 10 == 0)
			CHECK_I64(trace_writer_region(m->writer, "r", true, &e), 0);
		if (i < 50)
			trace_maker_run(m, 0x10000, body, 3, ea);
		else
			trace_maker_run(m, 0x20000, late, 4, ea);
		if (i % 10 == 5)
			CHECK_I64(trace_writer_region(m->writer, "r", false, &e), 0);
		trace_maker_run(m, 0x30000, rest, 2, NULL);
	}
}

enum { INSNS = 850, RUNS = 300 };

struct seen {
	uint64_t first, pc, count, ea[2];
};

static unsigned read_all(struct trace_reader *r, struct seen *seen)
{
	struct trace_step s;
	struct err e;
	unsigned n = 0;
	int event;
	while ((event = trace_next(r, &s, &e)) > 0) {
		if (event != TRACE_RUN || n == RUNS)
			continue;
		seen[n] = (struct seen){trace_position(r) - s.block->count, s.block->pc, s.block->count, {0}};
		memcpy(seen[n].ea, s.ea, s.block->memory_count * sizeof(*s.ea));
		n++;
	}
	CHECK_I64(event, TRACE_END);
	return n;
}

static int next_run(struct trace_reader *r, struct trace_step *s, struct err *e)
{
	int event;
	do {
		event = trace_next(r, s, e);
	} while (event == TRACE_REGION_BEGIN || event == TRACE_REGION_END);
	return event;
}

static void expect(struct trace_reader *r, const struct seen *seen)
{
	struct trace_step s;
	struct err e;
	REQUIRE(next_run(r, &s, &e) == TRACE_RUN);
	CHECK_HEX(s.block->pc, seen->pc);
	CHECK_U64(s.block->count, seen->count);
	CHECK_U64(trace_position(r), seen->first + seen->count);
	for (unsigned i = 0; i < s.block->memory_count; i++)
		CHECK_HEX(s.ea[i], seen->ea[i]);
}

static void every_instruction_can_be_sought(void)
{
	static struct seen seen[RUNS];
	struct trace_maker m;
	struct err e;

	make(&m);
	struct trace_reader *r = trace_maker_open(&m);
	CHECK_U64(read_all(r, seen), RUNS);
	CHECK_U64(trace_length(r), INSNS);
	for (uint64_t i = 0; i < INSNS; i++) {
		uint64_t insn = i * 7 % INSNS; /* 7 and 850 have no common factor: visits all */
		unsigned run = 0;
		while (seen[run].first + seen[run].count <= insn)
			run++;
		REQUIRE(trace_seek(r, insn, &e) == 0);
		CHECK_U64(trace_position(r), seen[run].first);
		expect(r, &seen[run]);
		if (run + 1 < RUNS)
			expect(r, &seen[run + 1]);
	}
	trace_close(r);
	trace_maker_finish(&m);
}

static void seeking_first_brings_in_the_blocks_declared_before(void)
{
	static struct seen seen[RUNS];
	struct trace_maker m;
	struct trace_step s;
	struct err e;

	make(&m);
	struct trace_reader *r = trace_maker_open(&m);
	REQUIRE(trace_seek(r, INSNS - 1, &e) == 0); /* in the last block, rest */
	REQUIRE(next_run(r, &s, &e) == TRACE_RUN);
	CHECK_HEX(s.block->pc, 0x30000);
	CHECK_I64(next_run(r, &s, &e), TRACE_END);
	REQUIRE(trace_seek(r, 0, &e) == 0);
	CHECK_U64(read_all(r, seen), RUNS);
	CHECK_U64(seen[RUNS - 1].first, INSNS - 2);
	trace_close(r);
	trace_maker_finish(&m);
}

static void the_users_pointer_of_a_block_stays(void)
{
	struct trace_maker m;
	struct trace_step s;
	struct err e;
	int mine;

	make(&m);
	struct trace_reader *r = trace_maker_open(&m);
	REQUIRE(next_run(r, &s, &e) == TRACE_RUN);
	s.block->user = &mine;
	REQUIRE(trace_seek(r, INSNS - 2, &e) == 0);
	REQUIRE(trace_seek(r, 0, &e) == 0);
	REQUIRE(next_run(r, &s, &e) == TRACE_RUN);
	CHECK(s.block->user == &mine);
	trace_close(r);
	trace_maker_finish(&m);
}

static void an_instruction_past_the_end_is_refused_and_changes_nothing(void)
{
	static struct seen seen[RUNS];
	struct trace_maker m;
	struct err e;

	make(&m);
	struct trace_reader *r = trace_maker_open(&m);
	CHECK_I64(trace_seek(r, INSNS, &e), -1);
	CHECK_U64(e.status, STATUS_USAGE);
	CHECK(strstr(e.text, "no instruction 850, expected less than 850") != NULL);
	CHECK_U64(read_all(r, seen), RUNS);
	trace_close(r);
	trace_maker_finish(&m);
}

static void the_same_run_makes_the_same_bytes(void)
{
	struct trace_maker m[2];
	unsigned char bytes[2][16384];
	size_t size[2];

	for (unsigned i = 0; i < 2; i++) {
		make(&m[i]);
		trace_close(trace_maker_open(&m[i]));
		FILE *f = fopen(m[i].path, "rb");
		REQUIRE(f != NULL);
		size[i] = fread(bytes[i], 1, sizeof(bytes[i]), f);
		fclose(f);
		trace_maker_finish(&m[i]);
	}
	CHECK(size[0] < sizeof(bytes[0]));
	CHECK_U64(size[0], size[1]);
	CHECK(memcmp(bytes[0], bytes[1], size[0]) == 0);
}

/* Opens the maker's file through a pipe, which holds all of it. */
static struct trace_reader *open_pipe(struct trace_maker *m)
{
	char bytes[32768], path[32];
	struct err e;
	int ends[2];

	trace_close(trace_maker_open(m));
	FILE *f = fopen(m->path, "rb");
	if (!f || pipe(ends) != 0)
		return NULL;
	size_t n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	ssize_t written = write(ends[1], bytes, n);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	struct trace_reader *r = written == (ssize_t)n ? trace_open(path, &e) : NULL;
	close(ends[0]);
	return r;
}

static void a_stream_gives_the_same_as_a_file(void)
{
	static struct seen from_file[RUNS], from_pipe[RUNS];
	struct trace_maker m;
	struct err e;

	make(&m);
	struct trace_reader *file = trace_maker_open(&m), *stream = open_pipe(&m);
	REQUIRE(stream != NULL);
	CHECK_U64(trace_length(stream), 0);
	CHECK(trace_totals(stream) == NULL);
	CHECK_U64(read_all(file, from_file), RUNS);
	CHECK_U64(read_all(stream, from_pipe), RUNS);
	CHECK(memcmp(from_file, from_pipe, sizeof(from_file)) == 0);
	CHECK_U64(trace_length(stream), INSNS);
	CHECK_HEX(trace_checksum(stream), trace_checksum(file));
	CHECK_I64(trace_seek(stream, 0, &e), -1);
	CHECK_U64(e.status, STATUS_USAGE);
	trace_close(file);
	trace_close(stream);
	trace_maker_finish(&m);
}

static const struct tap_test tests[] = {
	{"every instruction can be sought", every_instruction_can_be_sought},
	{"seeking first brings in the blocks declared before", seeking_first_brings_in_the_blocks_declared_before},
	{"the user's pointer of a block stays", the_users_pointer_of_a_block_stays},
	{"an instruction past the end is refused and changes nothing",
	 an_instruction_past_the_end_is_refused_and_changes_nothing},
	{"the same run makes the same bytes", the_same_run_makes_the_same_bytes},
	{"a stream gives the same as a file", a_stream_gives_the_same_as_a_file},
};

int main(void)
{
	return tap_main("trace-seek", tests, TAP_COUNT(tests));
}
