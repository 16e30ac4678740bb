/* Parts of virtual ranks: contexts, variables, datatypes, pools. */
#include "tap.h"

#include <string.h>

#include "netlink/vmpi/vmpi_config.h"
#include "netlink/vmpi/host/context.h"
#include "netlink/vmpi/objects/datatype.h"
#include "netlink/vmpi/host/globals.h"
#include "netlink/vmpi/objects/mpi_op.h"
#include "netlink/vmpi/host/pool.h"

/* ---- contexts ---- */

struct pair {
	struct context main, other;
	int steps;
	double kept;
};

static void stepper(void *arg)
{
	struct pair *p = arg;
	double x = 1;

	context_begun(&p->other, &p->main);
	for (;;) {
		p->steps++;
		x *= 1.5; /* a register that must survive */
		p->kept = x;
		context_switch(&p->other, &p->main, false);
	}
}

static void switch_often(enum context_kind kind)
{
	struct pair p = {.steps = 0};
	struct stacks s;

	REQUIRE(stacks_create(&s, 3, 60000, NULL) == 0);
	CHECK(stacks_usable(&s) >= 60000);
	context_of_thread(&p.main, kind);
	context_init(&p.other, kind, stacks_at(&s, 1), stacks_usable(&s), stepper, &p);
	for (int i = 0; i < 10; i++)
		context_switch(&p.main, &p.other, false);
	CHECK_I64(p.steps, 10);
	CHECK_F64(p.kept, 57.6650390625, 0); /* 1.5^10 = 59049 / 1024 */
	CHECK_I64(stacks_guarding(&s, stacks_at(&s, 2) - 1), 2);
	CHECK_I64(stacks_guarding(&s, stacks_at(&s, 2)), -1);
	context_finish_thread(&p.main);
	stacks_destroy(&s);
}

static void contexts_go_on_where_they_were_left(void)
{
	switch_often(CONTEXT_FAST);
	switch_often(CONTEXT_UCONTEXT);
}

/* ---- variables ---- */

static void each_rank_finds_its_variables(int way)
{
	static _Alignas(4096) char segment[8192];
	struct globals g;
	struct err e;

	memset(segment, 0, sizeof(segment));
	strcpy(segment, "new");
	REQUIRE(globals_create(&g, segment, sizeof(segment), way, 3, &e) == 0);
	for (uint32_t i = 0; i < 3; i++) {
		REQUIRE(globals_enter(&g, i, &e) == 0);
		CHECK_STR(segment, "new");
		CHECK(segment[8191] == 0);
		segment[0] = (char)('a' + i);
		segment[8191] = (char)i;
	}
	for (uint32_t i = 3; i--;) {
		REQUIRE(globals_enter(&g, i, &e) == 0);
		CHECK(segment[0] == (char)('a' + i) && segment[8191] == (char)i && segment[1] == 'e');
	}
	globals_finish(&g);
	CHECK_STR(segment, "new"); /* as it was loaded */
}

static void variables_are_copied(void)
{
	each_rank_finds_its_variables(GLOBALS_COPY);
}

static void variables_are_mapped(void)
{
	each_rank_finds_its_variables(GLOBALS_MAP);
}

/* ---- datatypes ---- */

static void bounds_follow_the_blocks(void)
{
	struct types t;
	struct err e;
	int vector, two;

	REQUIRE(types_create(&t, &e) == 0);
	/* 3 blocks of 2 ints, 20 bytes apart, from byte 8 on */
	vector = type_create(&t, &(struct type_block){8, 3, 20, 2, type_find(&t, BASIC_INT)}, 1, &e);
	CHECK_I64(type_find(&t, vector)->size, 24);
	CHECK_I64(type_find(&t, vector)->lb, 8);
	CHECK_I64(type_find(&t, vector)->ub, 8 + 40 + 8);
	CHECK_I64(type_find(&t, vector)->elements, 6);
	CHECK(!type_find(&t, vector)->dense);
	/* two in a row: extent 48 */
	two = type_create(&t, &(struct type_block){0, 1, 0, 2, type_find(&t, vector)}, 1, &e);
	CHECK_I64(type_find(&t, two)->ub, 56 + 48);
	type_release(&t, vector); /* lives on in the other */
	CHECK(type_find(&t, vector) == NULL);
	CHECK_I64(type_find(&t, two)->size, 48);
	/* backwards: the stride is negative */
	two = type_create(&t, &(struct type_block){0, 3, -4, 1, type_find(&t, BASIC_INT)}, 1, &e);
	CHECK_I64(type_find(&t, two)->lb, -8);
	CHECK_I64(type_find(&t, two)->ub, 4);
	CHECK(!type_find(&t, two)->dense);
	types_finish(&t);
}

static void packing_and_unpacking_are_inverse(void)
{
	struct types t;
	struct err e;
	int from[12], to[12], packed[4], handle;

	REQUIRE(types_create(&t, &e) == 0);
	handle = type_create(&t, &(struct type_block){4, 2, 12, 1, type_find(&t, BASIC_INT)}, 1, &e);
	for (int i = 0; i < 12; i++) {
		from[i] = i;
		to[i] = -1;
	}
	/* elements 1 and 4, then, 16 bytes (the extent) on, 5 and 8 */
	type_pack(type_find(&t, handle), 2, from, (char *)packed);
	CHECK(packed[0] == 1 && packed[1] == 4 && packed[2] == 5 && packed[3] == 8);
	type_unpack(type_find(&t, handle), 2, to, (char *)packed, 12); /* three of them came */
	CHECK(to[1] == 1 && to[4] == 4 && to[5] == 5 && to[8] == -1 && to[0] == -1);
	types_finish(&t);
}

static void every_operation_has_its_types(void)
{
	struct types t;
	struct ops o;
	struct err e;
	int a[2] = {6, -3}, b[2] = {3, 5};
	unsigned pairs = 0;

	REQUIRE(types_create(&t, &e) == 0 && ops_create(&o, &e) == 0);
	op_apply(&o, OP_SUM, type_find(&t, BASIC_INT), 2, a, b);
	CHECK(b[0] == 9 && b[1] == 2);
	op_apply(&o, OP_BXOR, type_find(&t, BASIC_INT), 1, a, b);
	CHECK(b[0] == 15); /* 6 xor 9 */
	op_apply(&o, OP_MIN, type_find(&t, BASIC_INT), 2, a, b);
	CHECK(b[0] == 6 && b[1] == -3);
	for (int op = 1; op < OP_COUNT; op++)
		for (int type = 1; type < BASIC_TYPES; type++)
			pairs += op_allows(&o, op, type_find(&t, type));
	/* 27 integer types x 10, BYTE x 3 bitwise, 3 logical ones x 3, 7 real x 4, 11 complex x 2, 9 pairs x 2, and
	 * REPLACE and NO_OP with all 63 */
	CHECK_U64(pairs, 27 * 10 + 3 + 9 + 28 + 22 + 18 + 2 * 63);
	CHECK(!op_allows(&o, OP_SUM, type_find(&t, BASIC_2INT)));
	ops_finish(&o);
	types_finish(&t);
}

/* ---- pools ---- */

static void rows_stay_where_they_are(void)
{
	struct pool p;
	uint64_t *first;
	uint32_t last = 0;

	pool_init(&p, sizeof(uint64_t));
	CHECK_U64(pool_take(&p, NULL), 1);
	first = pool_at(&p, 1);
	*first = 77;
	for (int i = 0; i < 5000; i++)
		last = pool_take(&p, NULL);
	CHECK_U64(last, 5001);
	CHECK(pool_at(&p, 1) == first && *first == 77);
	pool_give(&p, 1);
	CHECK_U64(pool_take(&p, NULL), 1); /* used again, and cleared */
	CHECK_U64(*first, 0);
	CHECK_U64(pool_used(&p), 5001);
	pool_finish(&p);
}

static const struct tap_test tests[] = {
	{"contexts go on where they were left", contexts_go_on_where_they_were_left},
	{"each rank finds its variables: copied", variables_are_copied},
	{"each rank finds its variables: mapped", variables_are_mapped},
	{"bounds of datatypes follow their blocks", bounds_follow_the_blocks},
	{"packing and unpacking are inverse", packing_and_unpacking_are_inverse},
	{"every operation has its types", every_operation_has_its_types},
	{"rows of a pool stay where they are", rows_stay_where_they_are},
};

int main(void)
{
	return tap_main("parts of virtual ranks", tests, TAP_COUNT(tests));
}
