/*
 * No free lunches: every parameter of the processor that helps costs something in energy, area or delay, or
 * psim/machine/param_notes.def says why it does not. The list is that of params.def itself.
 */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "energy/energy_model.h"
#include "psim/core/core.h"
#include "psim/machine/param_costs.h"

/* The costs of a machine, whatever it runs: each number grows with a price. */
struct bill {
	double power, area, off_chip; /* clock tree and leakage; off-chip memory */
	double event[STAGE_COUNT + 2 * ARRAY_COUNT + 2 * EOP_COUNT];
};

static void set(struct config *c, const char *assignment)
{
	struct err e = {.text = ""};

	CHECK_I64(config_override(c, assignment, "-p", &e), 0);
	CHECK_STR(e.text, "");
}

static struct bill bill_of(const char *also, const char *better)
{
	char text[128], *rest = text;
	struct config *c = config_create();
	struct core_config cfg;
	struct energy_machine machine;
	struct err e = {.text = ""};
	struct energy_model *m;
	struct bill b = {0};
	unsigned n = 0;

	REQUIRE(c != NULL);
	core_config_add(c, &cfg);
	snprintf(text, sizeof(text), "%s", also);
	for (char *one; (one = strtok_r(rest, " ", &rest));)
		set(c, one);
	if (better)
		set(c, better);
	CHECK_I64(core_config_check(c, &cfg, &e), 0);
	CHECK_STR(e.text, "");
	core_energy_machine(&cfg, &machine);
	m = energy_create(&machine, &e);
	CHECK_STR(e.text, "");
	REQUIRE(m != NULL);
	b.power = m->clock_j * machine.frequency_hz + m->leakage_w;
	b.area = energy_area_mm2(m);
	b.off_chip = m->memory_w;
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		b.event[n++] = m->stage[s].moved_j;
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		b.event[n++] = m->array[i].read_j;
		b.event[n++] = m->array[i].write_j;
	}
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		b.event[n++] = m->op[i].j;
		b.event[n++] = m->op[i].stage_j;
	}
	energy_destroy(m);
	config_destroy(c);
	return b;
}

static bool grows(double from, double to)
{
	return to > from * (1 + 1e-9);
}

static bool costs_more(const struct bill *from, const struct bill *to)
{
	if (grows(from->power, to->power) || grows(from->area, to->area) || grows(from->off_chip, to->off_chip))
		return true;
	for (unsigned n = 0; n < sizeof(from->event) / sizeof(from->event[0]); n++)
		if (grows(from->event[n], to->event[n]))
			return true;
	return false;
}

struct seen {
	unsigned count;
};

static void has_a_row(void *user, const struct param *p, const char *value, const char *origin)
{
	const struct param_cost *row = param_cost_find(p->section, p->key);
	struct seen *seen = user;

	(void)value;
	(void)origin;
	seen->count++;
	if (!row)
		fprintf(stderr, "%s.%s has no row in psim/machine/param_notes.def\n", p->section, p->key);
	CHECK(row != NULL);
}

static void every_parameter_has_one_row(void)
{
	struct config *c = config_create();
	struct seen seen = {0};
	struct core_config cfg;
	unsigned rows = 0;

	core_config_add(c, &cfg);
	config_visit(c, has_a_row, &seen);
	for (; param_cost_at(rows); rows++)
		CHECK(param_cost_find(param_cost_at(rows)->section, param_cost_at(rows)->key) == param_cost_at(rows));
	CHECK_U64(rows, seen.count);
	config_destroy(c);
}

static void what_helps_costs_something(void)
{
	const struct param_cost *row;

	for (size_t n = 0; (row = param_cost_at(n)) != NULL; n++) {
		char better[256];
		struct bill from, to;
		bool more;

		CHECK(strlen(row->text) > 3);
		if (!row->better)
			continue;
		snprintf(better, sizeof(better), "%s.%s=%s", row->section, row->key, row->better);
		from = bill_of(row->also, NULL);
		to = bill_of(row->also, better);
		more = costs_more(&from, &to);
		if (!more)
			fprintf(stderr, "%s costs nothing\n", better);
		CHECK(more);
	}
}

/* The rule itself: a row whose parameter is in no formula is found. */
static void what_is_in_no_formula_is_found(void)
{
	struct bill from = bill_of("", NULL), to = bill_of("", "core.deadlock_cycles=200000");

	CHECK(!costs_more(&from, &to));
}

static const struct tap_test tests[] = {
	{"every parameter has one row", every_parameter_has_one_row},
	{"what helps costs something", what_helps_costs_something},
	{"what is in no formula is found", what_is_in_no_formula_is_found},
};

int main(void)
{
	return tap_main("param-costs", tests, TAP_COUNT(tests));
}
