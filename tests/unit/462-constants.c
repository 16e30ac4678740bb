/* A user's own constants by file: energy/constants.c. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "energy_maker.h"

/* Writes a file of the test's folder; returns its name. */
static const char *file(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	REQUIRE(out != NULL);
	fputs(text, out);
	fclose(out);
	return name;
}

static double of_fma(const struct energy_model *m, enum energy_reading reading)
{
	struct activity a = {.cycles = 0};

	a.ops[EOP_simd_fma] = 1;
	return energy_total_j(m, &a, reading);
}

static void values_are_read_as_they_are(void)
{
	struct energy_machine machine = *energy_reference_array();
	struct energy_model *usual = energy_must(&machine), *m;
	struct energy_constant c;

	machine.constants = file("a.constants", "# ours\nenergy-constants 1\n\n"
						"technology.simd_fma_pj 60 80 95 synthesis of ours \n"
						"energy.leakage_w\t2 4 16 another process\n");
	m = energy_must(&machine);
	/* logic of the stage and array costs are the same: 120 is 80, 50 is 60, 270 is 95 pJ */
	CHECK_F64(of_fma(m, READING_LIKELY) - of_fma(usual, READING_LIKELY), -40e-12, 1e-18);
	CHECK_F64(of_fma(m, READING_LOW) - of_fma(usual, READING_LOW), 10e-12, 1e-18);
	CHECK_F64(of_fma(m, READING_HIGH) - of_fma(usual, READING_HIGH), -175e-12, 1e-18);
	/* leakage with the array: as 8 W to 4, 3.9 to 2, 12 to 16 */
	CHECK_F64(energy_idle_w(m) / energy_idle_w(usual), 0.5, 1e-12);
	CHECK_F64(energy_idle_w(energy_read_as(m, READING_LOW)) / energy_idle_w(energy_read_as(usual, READING_LOW)),
		  2 / 3.9, 1e-12);
	CHECK_F64(energy_idle_w(energy_read_as(m, READING_HIGH)) / energy_idle_w(energy_read_as(usual, READING_HIGH)),
		  16.0 / 12, 1e-12);
	CHECK(energy_own_constant(m, 0, &c));
	CHECK_STR(c.name, "technology.simd_fma_pj");
	CHECK_STR(c.source, "synthesis of ours");
	CHECK(energy_own_constant(m, 1, &c));
	CHECK_F64(c.high, 16, 0);
	CHECK(!energy_own_constant(m, 2, &c));
	energy_destroy(m);
	energy_destroy(usual);
}

static void cacti_is_scaled(void)
{
	struct energy_machine machine = *energy_reference();
	struct energy_constant c;
	struct energy_model *m;

	file("ram.out", "---------- CACTI (version 6.5), Uniform Cache Access SRAM Model ----------\n"
			"    Total cache size (bytes): 8192\n    Block size (bytes): 4\n    Technology size (nm): 45\n"
			"    Total dynamic read energy per access (nJ): 0.0062 (@DVS_Level0)\n"
			"    Total dynamic write energy per access (nJ): 0.005\n"
			"    Total leakage power of a bank (mW): 10\n    Cache height x width (mm): 0.12 x 0.22\n");
	machine.constants = file("b.constants", "energy-constants 1\ncacti sram ram.out 1.0\n");
	m = energy_must(&machine);
	/* 6.2 pJ x 8^0.5 (capacity) x 2^0.466 (bits) x 2 (node) = 48.445 */
	CHECK(energy_own_constant(m, 0, &c));
	CHECK_STR(c.name, "technology.sram_read_pj");
	CHECK_F64(c.likely, 48.445, 1e-3);
	CHECK(energy_own_constant(m, 1, &c));
	CHECK_F64(c.likely, 48.445 * 5 / 6.2, 2e-3);
	/* 0.0264 mm2 x 8^1.05 x 2^0.133 x 4 = 1.0279 */
	CHECK(energy_own_constant(m, 2, &c));
	CHECK_STR(c.name, "technology.sram_mm2");
	CHECK_F64(c.likely, 1.0279, 1e-4);
	energy_destroy(m);
}

static void cacti_beyond_the_laws_is_told(void)
{
	struct energy_machine machine = *energy_reference();
	char text[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX];
	struct energy_model *m;
	struct err e;

	file("ram.out", "Total cache size (bytes): 8192\nBlock size (bytes): 32\nTechnology size (nm): 22\n"
			"Total dynamic read energy per access (nJ): 0.0062\n"
			"Total dynamic write energy per access (nJ): 0.005\nCache height x width (mm): 0.12 x 0.22\n");
	machine.constants = file("b.constants", "energy-constants 1\ncacti sram ram.out 1.0\n");
	m = energy_must(&machine);
	CHECK_U64(energy_warnings(m, text), 1);
	CHECK_STR(text[0], "energy: technology.file: CACTI at 22 nm: the laws that scale it to 90 nm hold for 45 to "
			   "180 nm");
	energy_destroy(m);
	/* an access of the L2 is its line */
	file("b.constants", "energy-constants 1\ncacti l2 ram.out 1.0\n");
	CHECK(energy_create(&machine, &e) == NULL);
	CHECK_STR(e.text, "b.constants:2: ram.out: a block of 32 bytes, expected 64 as the reference's L2");
}

/* Block-style YAML as Accelergy writes it, with other top keys, unlike indents and quotes. */
static const char tables[] = "ERT:\n  version: 0.4\n  tables:\n"
			     "  - name: a.b\n    actions:\n"
			     "    - name: go\n      arguments: null\n      energy: 30.25\n"
			     "    - name: two\n      arguments:\n        address_delta: 0\n      energy: 2\n"
			     "    - name: two\n      energy: 3\n"
			     "    - name: bad\n      energy: 1x\n"
			     "other:\n  tables:\n  - name: a.b\n    area: 7\n"
			     "ART:\n  tables:\n  - area: 9\n    name: z\n  - name: 'a.b'\n    area: 250000\n";

static void accelergy_is_scaled(void)
{
	struct energy_machine machine = *energy_reference();
	struct energy_constant c;
	struct energy_model *m;

	file("d.yaml", tables);
	machine.constants = file("d.constants", "energy-constants 1\n"
						"ert technology.fp_fma_pj d.yaml a.b go 45 1.1\n"
						" art\ttechnology.fma_mm2 d.yaml a.b 45\n"
						"ert technology.memory_pj d.yaml a.b go 45 1.1\n");
	m = energy_must(&machine);
	/* 30.25 pJ x 90 / 45 / 1.1^2 = 50; 250 000 um2 x (90 / 45)^2 = 1 mm2; memory is off chip */
	CHECK(energy_own_constant(m, 0, &c));
	CHECK_F64(c.likely, 50, 1e-9);
	CHECK_STR(c.source, "Accelergy: d.yaml, a.b go, 45 nm");
	CHECK(energy_own_constant(m, 1, &c));
	CHECK_F64(c.likely, 1, 1e-9);
	CHECK(energy_own_constant(m, 2, &c));
	CHECK_F64(c.likely, 30.25, 1e-9);
	CHECK(!energy_own_constant(m, 3, &c));
	energy_destroy(m);
}

static void mistakes_have_a_line(void)
{
	static const struct {
		const char *text, *said;
	} all[] = {
		{"", "c.constants: expected energy-constants 1"},
		{"energy-constants 1\n# none\n", "c.constants: no constant, expected CONSTANT LOW LIKELY HIGH SOURCE"},
		{"energy-constants 2\n", "c.constants:1: expected energy-constants 1"},
		{"energy-constants 1\nfma 1 2 3 x\n",
		 "c.constants:2: unknown constant fma, expected technology.NAME of psim "
		 "--list-params, energy.latch_pj, energy.leakage_w, cacti, ert or art"},
		{"energy-constants 1\nenergy.latch_pj 1 2 3\n",
		 "c.constants:2: expected energy.latch_pj LOW LIKELY HIGH SOURCE"},
		{"energy-constants 1\nenergy.latch_pj 0 2 3 x\n",
		 "c.constants:2: energy.latch_pj: 0 2 3, expected 0 < LOW <= LIKELY <= HIGH <= 100"},
		{"energy-constants 1\nenergy.latch_pj nan 2 3 x\n",
		 "c.constants:2: expected energy.latch_pj LOW LIKELY HIGH SOURCE"},
		{"energy-constants 1\nenergy.latch_pj 1 2 3 x\nenergy.latch_pj 1 2 3 x\n",
		 "c.constants:3: a second line of energy.latch_pj"},
		{"energy-constants 1\ncacti l3 x 1\n", "c.constants:2: expected cacti sram|l1|l2 FILE VOLTS, 0.3 to 3"},
		{"energy-constants 1\ncacti l2 nothing 1\n", "c.constants:2: nothing: No such file or directory"},
		{"energy-constants 1\ncacti l2 c.constants 1\n", "c.constants:2: c.constants: no line 'Total cache "
								 "size (bytes): NUMBER', expected the output of CACTI"},
		{"energy-constants 1\nert technology.fp_fma_pj d.yaml a.b go 90\n",
		 "c.constants:2: expected ert CONSTANT_pj FILE COMPONENT ACTION NM VOLTS, 0.3 to 3"},
		{"energy-constants 1\nert technology.fma_mm2 d.yaml a.b go 90 1\n",
		 "c.constants:2: expected ert CONSTANT_pj FILE COMPONENT ACTION NM VOLTS, 0.3 to 3"},
		{"energy-constants 1\nart technology.fma_mm2 d.yaml a.b 90 1\n",
		 "c.constants:2: expected art CONSTANT_mm2 FILE COMPONENT NM"},
		{"energy-constants 1\nert technology.fp_fma_pj nothing a.b go 90 1\n",
		 "c.constants:2: nothing: No such file or directory"},
		{"energy-constants 1\nert technology.fp_fma_pj d.yaml a.b stop 90 1\n",
		 "c.constants:2: d.yaml: no energy of a.b stop, expected Accelergy's ERT with it"},
		{"energy-constants 1\nart technology.fma_mm2 d.yaml a.c 90\n",
		 "c.constants:2: d.yaml: no area of component a.c, expected Accelergy's ART with it"},
		{"energy-constants 1\nert technology.fp_fma_pj d.yaml a.b two 90 1\n",
		 "c.constants:2: d.yaml:14: a second energy of a.b two: 2 and 3, expected one for all arguments"},
		{"energy-constants 1\nert technology.fp_fma_pj d.yaml a.b bad 90 1\n",
		 "c.constants:2: d.yaml:16: energy of a.b: 1x, expected a number from 0"},
		{"energy-constants 1\nenergy.latch_pj 0.001 0.001 0.001 x\n",
		 "c.constants:2: energy.latch_pj: 0.001 is out of range, expected 0.012 to 100"},
	};
	struct energy_machine machine = *energy_reference();
	struct err e;

	file("d.yaml", tables);
	for (unsigned n = 0; n < sizeof(all) / sizeof(all[0]); n++) {
		machine.constants = file("c.constants", all[n].text);
		CHECK(energy_create(&machine, &e) == NULL);
		CHECK_STR(e.text, all[n].said);
	}
	machine.latch_pj = 0.3;
	file("c.constants", "energy-constants 1\nenergy.latch_pj 0.1 0.2 0.3 x\n");
	CHECK(energy_create(&machine, &e) == NULL);
	CHECK_STR(e.text, "c.constants:2: energy.latch_pj is 0.3 in the configuration too, expected one of the two");
}

static void lines_of_white_space_say_nothing(void)
{
	struct energy_machine machine = *energy_reference();
	struct energy_constant c;
	struct energy_model *m;

	machine.constants =
		file("a.constants", "\f\n\v\nenergy-constants 1\n \f\v\nenergy.latch_pj 0.1 0.2 0.3 x\n\f\n");
	m = energy_must(&machine);
	CHECK(energy_own_constant(m, 0, &c));
	CHECK_STR(c.name, "energy.latch_pj");
	CHECK(!energy_own_constant(m, 1, &c));
	energy_destroy(m);
}

/* Messages name the file of constants: no parameter of the configuration has low and high values. */
static void ends_are_those_of_the_file(void)
{
	struct energy_machine machine = *energy_reference();
	struct err e;

	machine.low.technology.fp_fma_pj = 300;
	CHECK(energy_create(&machine, &e) == NULL);
	CHECK_STR(e.text,
		  "energy: technology.file: low of technology.fp_fma_pj: 300 is out of range, expected 0 to 120");
	machine.low.technology.fp_fma_pj = 0;
	machine.high.leakage_w = 1;
	CHECK(energy_create(&machine, &e) == NULL);
	CHECK_STR(e.text, "energy: technology.file: high of energy.leakage_w: 1 is out of range, expected 8 to 1000");
}

static const struct tap_test tests[] = {
	{"values are read as they are", values_are_read_as_they_are},
	{"CACTI is scaled", cacti_is_scaled},
	{"Accelergy is scaled", accelergy_is_scaled},
	{"CACTI beyond the laws is told", cacti_beyond_the_laws_is_told},
	{"mistakes have a line", mistakes_have_a_line},
	{"lines of white space say nothing", lines_of_white_space_say_nothing},
	{"low and high values are those of the file", ends_are_those_of_the_file},
};

int main(void)
{
	char folder[] = "constants-XXXXXX";
	int failed;

	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	failed = tap_main("constants", tests, TAP_COUNT(tests));
	unlink("a.constants");
	unlink("b.constants");
	unlink("c.constants");
	unlink("d.constants");
	unlink("d.yaml");
	unlink("ram.out");
	if (chdir("..") == 0)
		rmdir(folder);
	return failed;
}
