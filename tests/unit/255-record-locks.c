/* Threads that have locks, and those whose writes another one has read: traces/record/locks.h, wake_flow.h. */
#include "tap.h"

#include <stdlib.h>

#include "isa/cpu.h"
#include "traces/record/locks.h"
#include "traces/record/address_space.h"
#include "traces/record/wake_flow.h"

enum { PAGE = 0x10000, WORD = PAGE + 64 };

struct watched {
	struct cpu cpu;
	struct address_space memory;
	struct locks locks;
};

static struct watched *watch(void)
{
	struct watched *w = calloc(1, sizeof(*w));

	REQUIRE(w && address_space_init(&w->memory, &w->cpu, 1 << 20) == 0);
	cpu_init(&w->cpu, &w->memory.cpu_memory);
	REQUIRE(address_space_map(&w->memory, PAGE, SPACE_PAGE, SPACE_READ | SPACE_WRITE) == 0);
	return w;
}

static void unwatch(struct watched *w)
{
	address_space_finish(&w->memory);
	free(w);
}

/* The thread at `place` has executed an access that found `old` and left `value`. Returns whether it has the lock. */
static bool executes(struct watched *w, enum opcode opcode, unsigned place, uint32_t old, uint32_t value)
{
	const struct insn i = {.opcode = opcode, .class = CLASS_ATOMIC};

	w->cpu.atomic_address = WORD;
	w->cpu.atomic_old = old;
	space_write32(&w->memory, WORD, value);
	return locks_taken(&w->locks, &w->cpu, &w->memory, &i, place) != NULL;
}

static void a_mutex_is_taken_and_released(void)
{
	struct watched *w = watch();
	struct held_lock lock;

	CHECK(executes(w, OP_CASA, 3, 0, 1));
	CHECK(!executes(w, OP_CASA, 4, 1, 1)); /* another one tries, and says that it waits */
	CHECK(!executes(w, OP_SWAP, 4, 1, 2));
	CHECK(!locks_released(&w->locks, &w->memory, &lock));
	space_write32(&w->memory, WORD, 0);
	REQUIRE(locks_released(&w->locks, &w->memory, &lock));
	CHECK(lock.address == WORD && lock.place == 3);
	CHECK(!locks_released(&w->locks, &w->memory, &lock));
	CHECK(executes(w, OP_SWAP, 4, 0, 2));
	CHECK(locks_own(&w->locks, WORD + 8) && !locks_own(&w->locks, WORD + 40) && !locks_own(&w->locks, WORD - 4));
	unwatch(w);
}

/* LDSTUB makes a byte 0xff: here the last one of a word. */
static void a_spin_lock_is_a_byte(void)
{
	const struct insn i = {.opcode = OP_LDSTUB, .class = CLASS_ATOMIC};
	struct watched *w = watch();
	struct held_lock lock;

	w->cpu.atomic_address = WORD + 3;
	space_write32(&w->memory, WORD, 0x120000ff);
	CHECK(locks_taken(&w->locks, &w->cpu, &w->memory, &i, 0) != NULL);
	space_write32(&w->memory, WORD, 0x12000000);
	REQUIRE(locks_released(&w->locks, &w->memory, &lock));
	CHECK(lock.address == WORD + 3);
	unwatch(w);
}

/* A count at a barrier goes from 0 to 1 to 2; a counter of references by 2; a word of 8 bytes is none. */
static void counters_are_no_locks(void)
{
	struct watched *w = watch();
	struct held_lock lock;

	locks_know(&w->locks, WORD);
	CHECK(executes(w, OP_CASA, 0, 0, 1));
	CHECK(!executes(w, OP_CASA, 1, 1, 2));
	CHECK(!locks_known(&w->locks, WORD));
	space_write32(&w->memory, WORD, 0);
	CHECK(!locks_released(&w->locks, &w->memory, &lock));
	CHECK(!executes(w, OP_CASA, 0, 0, 2));
	CHECK(!executes(w, OP_CASXA, 0, 0, 1));
	unwatch(w);
}

/* At place 2 the last one at a barrier, whose count the other two have changed; then a broadcast to those. */
static void who_counts_has_read(void)
{
	struct wake_flow *f = calloc(1, sizeof(*f));

	REQUIRE(f != NULL);
	for (unsigned place = 0; place < 3; place++)
		wake_flow_atomic(f, place, WORD);
	CHECK(wake_flow_wakes(f, 2, 0) && wake_flow_wakes(f, 2, 1));
	wake_flow_atomic(f, 0, WORD + 64);
	wake_flow_store(f, 1, WORD + 128);
	CHECK(!wake_flow_wakes(f, 2, 0));
	wake_flow_load(f, 2, WORD + 128);
	CHECK(wake_flow_wakes(f, 2, 1));
	CHECK(!wake_flow_wakes(f, 2, 1)); /* once */
	free(f);
}

static const struct tap_test tests[] = {
	{"a mutex is taken and released", a_mutex_is_taken_and_released},
	{"a spin lock is a byte", a_spin_lock_is_a_byte},
	{"counters are no locks", counters_are_no_locks},
	{"who counts has read", who_counts_has_read},
};

int main(void)
{
	return tap_main("record locks", tests, TAP_COUNT(tests));
}
