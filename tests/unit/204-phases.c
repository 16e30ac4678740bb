/* Phases of a trace: traces/phases.h. Blocks made by hand. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/phases.h"

enum { INTERVAL = 1000, BLOCK = 100 };

/* Adds `count` blocks number `id`, of BLOCK instructions each. */
static void add(struct phase_vectors *v, uint32_t id, unsigned count)
{
	const struct trace_block b = {.id = id, .count = BLOCK};
	struct err e;

	for (unsigned n = 0; n < count; n++)
		CHECK_I64(phase_vectors_add(v, &b, &e), 0);
}

/*
 * Ten intervals of block 0, twenty of half 1 and half 2, ten of block 0, and a third of one of block 2. The weights are
 * 20, 20 and 0.3 intervals of 40.3: the last one joins the nearer phase, that with block 2.
 */
static void intervals_of_equal_code_are_one_phase(void)
{
	struct err e;
	struct phase_vectors *v = phase_vectors_create(INTERVAL, NULL, &e);
	struct phases p;

	REQUIRE(v != NULL);
	add(v, 0, 100);
	for (unsigned n = 0; n < 20; n++) {
		add(v, 1, 5);
		add(v, 2, 5);
	}
	add(v, 0, 100);
	add(v, 2, 3);
	REQUIRE(phases_choose(&p, v, 10, &e) == 0);
	CHECK_U64(p.count, 2);
	CHECK_U64(p.intervals, 41);
	CHECK_U64(p.instructions, 40300);
	CHECK_U64(p.phase[0].intervals, 20);
	CHECK_U64(p.phase[0].instructions, 20000);
	CHECK_U64(p.phase[1].intervals, 21);
	CHECK_U64(p.phase[1].instructions, 20300);
	CHECK_U64(p.phase[0].chosen, 30); /* all are at the centre: number 10, from 0 on, of 0 to 9 and 30 to 39 */
	CHECK_U64(p.phase[1].chosen, 20);
	CHECK_F64(p.explained, 1, 1e-9);
	for (unsigned n = 0; n < 41; n++)
		CHECK_U64(p.of[n], n >= 10 && n < 30 ? 1 : n == 40 ? 1 : 0);
	/* half of the 40 whole intervals: one check, and one more for each tenth, of the phase, none twice */
	for (unsigned n = 0; n < 2; n++) {
		CHECK_U64(p.phase[n].checks, 6);
		for (unsigned k = 0; k < 6; k++) {
			CHECK(p.of[p.phase[n].check[k]] == n && p.phase[n].check[k] != p.phase[n].chosen);
			CHECK(p.phase[n].check[k] < 40);
			for (unsigned j = 0; j < k; j++)
				CHECK(p.phase[n].check[k] != p.phase[n].check[j]);
		}
	}
	phases_finish(&p);
	phase_vectors_destroy(v);
}

/* A program that always does the same is one phase. */
static void one_loop_is_one_phase(void)
{
	struct err e;
	struct phase_vectors *v = phase_vectors_create(INTERVAL, NULL, &e);
	struct phases p;

	REQUIRE(v != NULL);
	add(v, 7, 250);
	REQUIRE(phases_choose(&p, v, 15, &e) == 0);
	CHECK_U64(p.count, 1);
	CHECK_U64(p.phase[0].intervals, 25);
	CHECK_U64(p.phase[0].checks, 11);
	phases_finish(&p);
	phase_vectors_destroy(v);
	/* 19 intervals are too few */
	v = phase_vectors_create(INTERVAL, NULL, &e);
	REQUIRE(v != NULL);
	add(v, 7, 190);
	CHECK_I64(phases_choose(&p, v, 15, &e), -1);
	CHECK_STR(e.text, "19 intervals of 1000 instructions, expected at least 20");
	phase_vectors_destroy(v);
}

/* The form of SimPoint 3.2's frequency vectors: blocks from 1 on, in the order of first use in the interval. */
static void vectors_are_what_simpoint_reads(void)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	struct err e;
	struct phase_vectors *v;
	struct phases p;

	REQUIRE(file != NULL);
	v = phase_vectors_create(INTERVAL, file, &e);
	REQUIRE(v != NULL);
	add(v, 3, 7);
	add(v, 0, 3);
	add(v, 3, 2);
	CHECK_I64(phases_choose(&p, v, 1, &e), -1); /* too few intervals, but all written */
	phase_vectors_destroy(v);
	fclose(file);
	CHECK_STR(text, "T:4:700 :1:300 \nT:4:200 \n");
	free(text);
}

static void plans_are_checked(void)
{
	struct phase_plan p;
	struct err e;

	CHECK_I64(phase_plan_parse(&p, "--x", "", 6000000, &e), 0);
	CHECK_U64(p.interval, 20000); /* 300 intervals */
	CHECK_U64(p.most, 15);
	CHECK_I64(phase_plan_parse(&p, "--x", "", 300000, &e), 0);
	CHECK_U64(p.interval, 10000);
	CHECK_I64(phase_plan_parse(&p, "--x", "5000/7", 300000, &e), 0);
	CHECK_U64(p.interval, 5000);
	CHECK_U64(p.most, 7);
	CHECK_I64(phase_plan_parse(&p, "--x", "5000", 99999, &e), -1);
	CHECK_STR(e.text,
		  "--x=5000: 99999 instructions are 19 intervals of 5000, expected at least 20: simulate the trace "
		  "whole, or choose shorter intervals");
	CHECK_I64(phase_plan_parse(&p, "--x", "", 0, &e), -1);
	CHECK_STR(e.text, "--x: the length of the trace is unknown, expected a file");
	CHECK_I64(phase_plan_parse(&p, "--x", "1000", 10000000, &e), -1);
	static const char *const wrong[] = {"999", "0", "5000/", "5000/0", "5000/101", "5000/5x", "x", "-5000"};
	for (unsigned n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++)
		CHECK_I64(phase_plan_parse(&p, "--x", wrong[n], 1000000, &e), -1);
}

static const struct tap_test tests[] = {
	{"intervals of equal code are one phase", intervals_of_equal_code_are_one_phase},
	{"one loop is one phase", one_loop_is_one_phase},
	{"vectors are what SimPoint reads", vectors_are_what_simpoint_reads},
	{"plans are checked", plans_are_checked},
};

int main(void)
{
	return tap_main("phases", tests, TAP_COUNT(tests));
}
