/* Traces as other simulators read them: traces/view/executed.h, cvp.h, elastic.h. Bytes worked out by hand. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_maker.h"
#include "traces/view/cvp.h"
#include "traces/view/elastic.h"

#define LDX(rs1, rd) (0xc0002000u | 0x0bu << 19 | (uint32_t)(rs1) << 14 | (uint32_t)(rd) << 25)
#define STX(rd, rs1) (0xc0002000u | 0x0eu << 19 | (uint32_t)(rs1) << 14 | (uint32_t)(rd) << 25)
#define ADD(rs1, rd) (0x80002001u | (uint32_t)(rs1) << 14 | (uint32_t)(rd) << 25) /* add %rs1, 1, %rd */
#define BNE 0x12600004u                                                           /* bne,pn %xcc, .+16 */
#define NOP 0x01000000u

/* A loads, B uses it, C stores that, D loads it again; then a branch to 0x20000, whose delay slot loads. */
static const uint32_t body[] = {LDX(1, 2), ADD(2, 3), STX(3, 1), LDX(1, 4), BNE, LDX(1, 5)};
static const uint64_t addresses[] = {0x4008, 0x4008, 0x4008, 0x8010};
static const uint32_t after[] = {NOP};

/* Writes the trace with `write`, and closes `out`. */
static void written(executed_writer *write, void *to, FILE *out)
{
	struct executed e = {.write = write, .to = to};
	struct trace_reader *r;
	struct trace_maker m;
	struct trace_step s;
	struct err why;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, 0x10000, body, 6, addresses);
	trace_maker_run(&m, 0x20000, after, 1, NULL);
	r = trace_maker_open(&m);
	while (trace_next(r, &s, &why) == TRACE_RUN)
		executed_run(&e, &s);
	executed_flush(&e);
	trace_close(r);
	trace_maker_finish(&m);
	fclose(out);
}

/* ---- order ---- */
static void note(void *to, const struct executed_insn *x, bool taken, uint64_t next)
{
	fprintf(to, "%llx%s ", (unsigned long long)x->pc, taken ? "+" : "");
	if (taken)
		fprintf(to, "to %llx ", (unsigned long long)next);
}

static void delay_slots_come_in_front(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	REQUIRE(out != NULL);
	written(note, out, out);
	CHECK_STR(text, "10000 10004 10008 1000c 10014 10010+ to 20000 20000 ");
	free(text);
}

/* ---- CVP-1 ---- */
static void records_of_cvp(void)
{
	/* ldx [%g1], %g2 at 0x10000: load of 0x4008, 8 bytes; input 1; output 2, whose value is zero */
	static const uint8_t load[] = {0, 0, 1, 0, 0, 0, 0, 0, 1, 0x08, 0x40, 0, 0, 0, 0,
				       0, 0, 8, 1, 1, 1, 2, 0, 0, 0,    0,    0, 0, 0, 0};
	/* add %g2, 1, %g3: class 0, input 2, output 3 */
	static const uint8_t sum[] = {4, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0};
	/* bne: class 3, taken, to 0x20000; input 64, the flags; no output */
	static const uint8_t branch[] = {0x10, 0, 1, 0, 0, 0, 0, 0, 3, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1, 64, 0};
	uint8_t *text = NULL;
	size_t size;
	FILE *out = open_memstream((char **)&text, &size);
	/* load, sum, the store without outputs, two more loads, the branch, the nop */
	const size_t store = 8 + 1 + 9 + 3 + 1;

	REQUIRE(out != NULL);
	written(cvp_write, out, out);
	REQUIRE(size == 3 * sizeof(load) + sizeof(sum) + store + sizeof(branch) + 11);
	CHECK(memcmp(text, load, sizeof(load)) == 0);
	CHECK(memcmp(text + sizeof(load), sum, sizeof(sum)) == 0);
	CHECK(text[sizeof(load) + sizeof(sum) + 8] == 2);
	CHECK(memcmp(text + size - 11 - sizeof(branch), branch, sizeof(branch)) == 0);
	free(text);
}

/* ---- gem5 ---- */
/*
 * The head: obj_id "psim", ver 0, tick_freq 10^12 = a0 a0 94 a5 8d 1d as a varint, window_size 192 = c0 01. Then, of
 * each instruction, seq_num (08), type (10), of an access p_addr (18), size (20), flags (28), rob_dep (30); comp_delay
 * 1000 = e8 07 (38), reg_dep (40), pc (50), v_addr (58). Page 0x4000 has frame 0, page 0x8000 frame 1: 0x8010 is at
 * 0x2010.
 */
static const uint8_t messages[] = {
	'g',
	'e',
	'm',
	'5',
	/* head */
	0x12,
	0x0a,
	4,
	'p',
	's',
	'i',
	'm',
	0x10,
	0,
	0x18,
	0x80,
	0xa0,
	0x94,
	0xa5,
	0x8d,
	0x1d,
	0x20,
	0xc0,
	1,
	/* ldx: 0x4008 */
	0x15,
	0x08,
	1,
	0x10,
	1,
	0x18,
	8,
	0x20,
	8,
	0x28,
	0,
	0x38,
	0xe8,
	7,
	0x50,
	0x80,
	0x80,
	4,
	0x58,
	0x88,
	0x80,
	1,
	/* add: after 1 */
	0x0d,
	0x08,
	2,
	0x10,
	3,
	0x38,
	0xe8,
	7,
	0x40,
	1,
	0x50,
	0x84,
	0x80,
	4,
	/* stx: in order after 2, its data from 2 */
	0x19,
	0x08,
	3,
	0x10,
	2,
	0x18,
	8,
	0x20,
	8,
	0x28,
	0,
	0x30,
	2,
	0x38,
	0xe8,
	7,
	0x40,
	2,
	0x50,
	0x88,
	0x80,
	4,
	0x58,
	0x88,
	0x80,
	1,
	/* ldx: after the store 3 */
	0x17,
	0x08,
	4,
	0x10,
	1,
	0x18,
	8,
	0x20,
	8,
	0x28,
	0,
	0x30,
	3,
	0x38,
	0xe8,
	7,
	0x50,
	0x8c,
	0x80,
	4,
	0x58,
	0x88,
	0x80,
	1,
	/* the delay slot: 0x8010 */
	0x16,
	0x08,
	5,
	0x10,
	1,
	0x18,
	0x90,
	0x40,
	0x20,
	8,
	0x28,
	0,
	0x38,
	0xe8,
	7,
	0x50,
	0x94,
	0x80,
	4,
	0x58,
	0x90,
	0x80,
	2,
	/* bne: flags that no instruction here has written */
	0x0b,
	0x08,
	6,
	0x10,
	3,
	0x38,
	0xe8,
	7,
	0x50,
	0x90,
	0x80,
	4,
	/* nop */
	0x0b,
	0x08,
	7,
	0x10,
	3,
	0x38,
	0xe8,
	7,
	0x50,
	0x80,
	0x80,
	8,
};

static void messages_of_gem5(void)
{
	uint8_t *text = NULL;
	size_t size;
	FILE *out = open_memstream((char **)&text, &size);
	struct elastic e;
	struct err why;

	REQUIRE(out != NULL);
	elastic_begin(&e, out, NULL);
	written(elastic_write, &e, out);
	CHECK_I64(elastic_end(&e, &why), 0);
	CHECK_U64(size, sizeof(messages));
	for (size_t n = 0; n < size && n < sizeof(messages); n++)
		CHECK_HEX(text[n], messages[n]);
	free(text);
}

/* A fetch of each line that follows another: 0x10000 at 0, and 0x20000 after six instructions of 250 ps. */
static void fetches_of_gem5(void)
{
	static const uint8_t first[] = {0x11, 0x08, 0, 0x10, 1, 0x18, 0, 0x20, 64, 0x28, 0x80, 2, 0x38, 0x80, 0x80, 4};
	uint8_t *text = NULL;
	size_t size;
	FILE *out = open_memstream((char **)&text, &size);
	const size_t head = 4 + 1 + 6 + 2 + 7;
	struct elastic e;
	struct err why;

	REQUIRE(out != NULL);
	elastic_begin(&e, NULL, out);
	written(elastic_write, &e, out);
	CHECK_I64(elastic_end(&e, &why), 0);
	REQUIRE(size > head + sizeof(first));
	CHECK(memcmp(text + head + 1, first + 1, sizeof(first) - 1) == 0);
	CHECK_U64(text[head], sizeof(first) - 1);
	/* tick 1500 = dc 0b, the second frame: 0x2000 = 80 40 */
	CHECK(memcmp(text + head + sizeof(first) + 1, "\x08\xdc\x0b\x10\x01\x18\x80\x40", 8) == 0);
	free(text);
}

static const struct tap_test tests[] = {
	{"delay slots come in front", delay_slots_come_in_front},
	{"records of CVP-1", records_of_cvp},
	{"messages of gem5", messages_of_gem5},
	{"fetches of gem5", fetches_of_gem5},
};

int main(void)
{
	return tap_main("other forms", tests, TAP_COUNT(tests));
}
