/* The call tree of a run (psim/app/call_tree.h), of programs of three functions that are written by hand. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "core_run.h"
#include "psim/app/call_tree.h"

enum { MAIN = 0x10000, F = 0x10100, G = 0x10200, INSNS = 32 };
#define W_CALL(from, to) (0x40000000u | ((unsigned)((to) - (from)) >> 2 & 0x3fffffffu))
#define W_RETL 0x81c3e008u /* jmpl %o7 + 8, %g0 */
#define W_JMPL 0x81c06000u /* jmpl %g1 + 0, %g0 */

static const struct trace_symbol symbols[] = {{MAIN, 0x100, "main"}, {F, 0x100, "f"}, {G, 0x100, "g"}};
static const char *const args[] = {"test"};
static const struct trace_info info = {.program = "test",
				       .args = args,
				       .arg_count = 1,
				       .recorder = "call-tree",
				       .symbols = symbols,
				       .symbol_count = 3};

/* A trace, and how often each of its instructions is executed; each costs a slot, those of g five more in all. */
struct program {
	struct trace_maker maker;
	struct profile_insn insns[INSNS];
	struct profile profile;
};

static void start(struct program *p)
{
	*p = (struct program){.profile = {.info = &info, .width = 1}};
	p->profile.insns = p->insns;
	trace_maker_start(&p->maker, &info);
}

/* Counts an instruction; the list ascends by address. */
static void executed(struct program *p, uint64_t pc)
{
	size_t n = profile_first(&p->profile, pc);

	if (n == p->profile.count || p->insns[n].pc != pc) {
		REQUIRE(p->profile.count < INSNS);
		memmove(&p->insns[n + 1], &p->insns[n], (p->profile.count++ - n) * sizeof(p->insns[0]));
		p->insns[n] = (struct profile_insn){.pc = pc};
	}
	p->insns[n].committed++;
	p->profile.cycles++;
}

static void run(struct program *p, uint64_t pc, const uint32_t *words, unsigned count, bool counts)
{
	trace_maker_run(&p->maker, pc, words, count, NULL);
	for (unsigned n = 0; n < count && counts; n++)
		executed(p, pc + 4 * (uint64_t)n);
}

/* A block that ends with a control transfer and its delay slot. */
static void ends_with(struct program *p, uint64_t pc, uint32_t transfer, bool counts)
{
	const uint32_t words[] = {W_ADD(1, 1, 1), transfer, W_NOP};

	run(p, pc, words, 3, counts);
}

static void loses(struct program *p, uint64_t pc, uint64_t slots)
{
	size_t n = profile_first(&p->profile, pc);

	REQUIRE(n < p->profile.count && p->insns[n].pc == pc);
	p->insns[n].lost += slots;
	p->profile.cycles += slots;
}

static void make(struct program *p, const struct call_part *more, struct call_tree *t)
{
	struct call_part part = *more;
	struct err e = {0};

	trace_close(trace_maker_open(&p->maker));
	part.path = p->maker.path;
	CHECK_I64(call_tree_make(t, &p->profile, &part, &e), 0);
	CHECK_STR(e.text, "");
}

static const struct call_part whole = {.insns = UINT64_MAX};

/* The node of the path "main/f/g"; number 0: none. */
static struct call_node node(const struct call_tree *t, const char *path)
{
	uint32_t at = 0;

	while (*path) {
		size_t length = strcspn(path, "/");
		uint32_t n = t->nodes.at[at].child;

		while (n && (strlen(t->nodes.at[n].symbol->name) != length ||
			     strncmp(t->nodes.at[n].symbol->name, path, length) != 0))
			n = t->nodes.at[n].next;
		at = n;
		path += length + (path[length] == '/');
		if (!at)
			break;
	}
	return t->nodes.at[at];
}

static void check_node(const struct call_tree *t, const char *path, uint64_t calls, uint64_t insns, double slots,
		       double all)
{
	struct call_node n = node(t, path);

	CHECK(n.symbol != NULL);
	CHECK_U64(n.calls, calls);
	CHECK_U64(n.insns, insns);
	CHECK_F64(n.slots, slots, 1e-9);
	CHECK_F64(n.all_slots, all, 1e-9);
}

/* main calls f, which calls g, and then g itself. */
static void calls(struct program *p, bool counts)
{
	ends_with(p, MAIN, W_CALL(MAIN + 4, F), counts);
	ends_with(p, F, W_CALL(F + 4, G), counts);
	ends_with(p, G, W_RETL, counts);
	ends_with(p, F + 12, W_RETL, counts);
	ends_with(p, MAIN + 12, W_CALL(MAIN + 16, G), counts);
	ends_with(p, G, W_RETL, counts);
	ends_with(p, MAIN + 24, W_BA(2), counts);
}

/*
 * Nine instructions of main and six of f cost a slot each. g executes its three twice, and loses 10 slots: an execution
 * costs 3 + 5 from each caller.
 */
static void each_caller_has_its_part_of_a_function(void)
{
	struct program p;
	struct call_tree t;

	start(&p);
	calls(&p, true);
	loses(&p, G, 10);
	make(&p, &whole, &t);
	check_node(&t, "main", 0, 9, 9, 9 + 14 + 8);
	check_node(&t, "main/f", 1, 6, 6, 6 + 8);
	check_node(&t, "main/f/g", 1, 3, 8, 8);
	check_node(&t, "main/g", 1, 3, 8, 8);
	CHECK_U64(t.nodes.count, 5);
	CHECK_F64(t.nodes.at[0].all_slots, (double)p.profile.cycles, 1e-9);
	call_tree_free(&t);
	trace_maker_finish(&p.maker);
}

/* f calls itself twice: its node has three calls, and no f below it. All returns lead back to main. */
static void recursion_is_folded(void)
{
	struct program p;
	struct call_tree t;

	start(&p);
	ends_with(&p, MAIN, W_CALL(MAIN + 4, F), true);
	ends_with(&p, F, W_CALL(F + 4, F), true);
	ends_with(&p, F, W_CALL(F + 4, F), true);
	ends_with(&p, F, W_BA(2), true);
	for (unsigned n = 0; n < 3; n++)
		ends_with(&p, F + 12, W_RETL, true);
	ends_with(&p, MAIN + 12, W_BA(2), true);
	make(&p, &whole, &t);
	check_node(&t, "main/f", 3, 18, 18, 18);
	check_node(&t, "main", 0, 6, 6, 24);
	CHECK_U64(t.nodes.count, 3);
	call_tree_free(&t);
	trace_maker_finish(&p.maker);
}

/* f goes on in g without a call: g is called by main, and returns there. */
static void a_tail_call_takes_the_place_of_its_caller(void)
{
	struct program p;
	struct call_tree t;

	start(&p);
	ends_with(&p, MAIN, W_CALL(MAIN + 4, F), true);
	ends_with(&p, F, W_JMPL, true);
	ends_with(&p, G, W_RETL, true);
	ends_with(&p, MAIN + 12, W_BA(2), true);
	make(&p, &whole, &t);
	check_node(&t, "main/f", 1, 3, 3, 3);
	check_node(&t, "main/g", 1, 3, 3, 3);
	check_node(&t, "main", 0, 6, 6, 12);
	call_tree_free(&t);
	trace_maker_finish(&p.maker);
}

/* "call . + 8", with which code finds its own address, calls nothing. */
static void a_call_to_the_next_instruction_is_none(void)
{
	struct program p;
	struct call_tree t;

	start(&p);
	ends_with(&p, MAIN, W_CALL(MAIN + 4, MAIN + 12), true);
	ends_with(&p, MAIN + 12, W_BA(2), true);
	make(&p, &whole, &t);
	check_node(&t, "main", 0, 6, 6, 6);
	CHECK_U64(t.nodes.count, 2);
	call_tree_free(&t);
	trace_maker_finish(&p.maker);
}

/* Only the region counts; but its callers are those of the whole trace. */
static void a_region_has_the_callers_before_it(void)
{
	const struct call_part part = {.region = "r", .insns = UINT64_MAX};
	struct program p;
	struct call_tree t;
	struct err e;

	start(&p);
	ends_with(&p, MAIN, W_CALL(MAIN + 4, F), false);
	ends_with(&p, F, W_CALL(F + 4, G), false);
	CHECK_I64(trace_writer_region(p.maker.writer, "r", true, &e), 0);
	ends_with(&p, G, W_RETL, true);
	ends_with(&p, F + 12, W_RETL, true);
	CHECK_I64(trace_writer_region(p.maker.writer, "r", false, &e), 0);
	ends_with(&p, MAIN + 12, W_BA(2), false);
	make(&p, &part, &t);
	check_node(&t, "main/f/g", 1, 3, 3, 3);
	check_node(&t, "main/f", 0, 3, 3, 6);
	check_node(&t, "main", 0, 0, 0, 6);
	call_tree_free(&t);
	trace_maker_finish(&p.maker);
}

/* The rows are callers before callees, the most expensive first: f, with 14 slots, before g. */
static void the_table_is_in_the_order_of_calls(void)
{
	static const char *const expected[] = {"calls,place,0,main",   "calls,depth,0,0,",   "calls,place,1,f",
					       "calls,depth,1,1,",     "calls,place,2,g",    "calls,depth,2,2,",
					       "calls,place,3,g",      "calls,depth,3,1,",   "calls,calls,3,1,times",
					       "calls,cycles,0,31,cy", "calls,share,0,100,%"};
	struct report *r = report_create();
	struct call_part part = whole;
	struct program p;
	struct err e = {0};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	start(&p);
	calls(&p, true);
	loses(&p, G, 10);
	trace_close(trace_maker_open(&p.maker));
	part.path = p.maker.path;
	CHECK_I64(call_tree_report(&p.profile, &part, r, &e), 0);
	CHECK_I64(report_write(r, REPORT_CSV, f, &e), 0);
	fclose(f);
	for (unsigned n = 0; n < sizeof(expected) / sizeof(expected[0]); n++)
		CHECK(strstr(text, expected[n]) != NULL);
	CHECK(strstr(text, "calls,place,4,") == NULL);
	free(text);
	report_destroy(r);
	trace_maker_finish(&p.maker);
}

static void short_memory_and_a_lost_trace_are_errors(void)
{
	struct call_part part = whole;
	struct call_tree t;
	struct program p;
	struct err e;
	int ret;

	start(&p);
	calls(&p, true);
	trace_close(trace_maker_open(&p.maker));
	part.path = p.maker.path;
	for (unsigned k = 1;; k++) {
		alloc_fail_at(k);
		ret = call_tree_make(&t, &p.profile, &part, &e);
		if (!alloc_fail_end())
			break;
		CHECK_I64(ret, -1);
		CHECK_I64(e.status, STATUS_FAILED);
		call_tree_free(&t);
	}
	CHECK_I64(ret, 0);
	call_tree_free(&t);
	trace_maker_finish(&p.maker);
	CHECK_I64(call_tree_make(&t, &p.profile, &part, &e), -1);
	call_tree_free(&t);
}

static const struct tap_test tests[] = {
	{"each caller has its part of a function", each_caller_has_its_part_of_a_function},
	{"recursion is folded", recursion_is_folded},
	{"a tail call takes the place of its caller", a_tail_call_takes_the_place_of_its_caller},
	{"a call to the next instruction is none", a_call_to_the_next_instruction_is_none},
	{"a region has the callers before it", a_region_has_the_callers_before_it},
	{"the table is in the order of calls", the_table_is_in_the_order_of_calls},
	{"short memory and a lost trace are errors", short_memory_and_a_lost_trace_are_errors},
};

int main(void)
{
	return tap_main("call tree", tests, TAP_COUNT(tests));
}
