/* Operating points, peak and thermal power, junctions, yield, sleep: energy/energy.h. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "energy_maker.h"

/* Silicon for 2 GHz at 1.0 V. */
static struct energy_machine made(double hz, double voltage)
{
	struct energy_machine m = *energy_reference();

	m.design_hz = 2e9;
	m.design_voltage = 1.0;
	m.frequency_hz = hz;
	m.voltage = voltage;
	return m;
}

static double of_operation(const struct energy_machine *machine, unsigned op)
{
	struct energy_model *m = energy_must(machine);
	struct activity a = {.cycles = 0};
	struct energy_result x;

	a.ops[op] = 1;
	energy_evaluate(m, &a, &x);
	energy_destroy(m);
	return x.total_j;
}

/* ---- operating points ---- */
static void silicon_stays_as_it_is_made(void)
{
	struct energy_machine design = *energy_reference(), slow = made(1e9, 0.6);
	struct energy_model *at = energy_must(&design), *run = energy_must(&slow);

	/* switching as the square of the supply, and the same die */
	CHECK_F64(of_operation(&slow, EOP_fp_fma), 0.36 * of_operation(&design, EOP_fp_fma), 1e-18);
	CHECK_F64(energy_area_mm2(run), energy_area_mm2(at), 1e-9);
	energy_destroy(at);
	energy_destroy(run);
	/* a machine of one point is made for it: 1 GHz at 1.0 V has smaller transistors */
	slow = design;
	slow.frequency_hz = 1e9;
	CHECK(of_operation(&slow, EOP_fp_fma) < 0.6 * of_operation(&design, EOP_fp_fma));
}

static void the_supply_limits_the_clock(void)
{
	/*
	 * Delay V / (V - 0.25 V)^1.3: 0.6 / 0.35^1.3 = 2.34889, 1.0 / 0.75^1.3 = 1.45350: 2 GHz x 1.45350 / 2.34889 =
	 * 1.23761 GHz. 1.6 GHz is reached where V / (V - 0.25 V)^1.3 = 1.81690, at 0.76308 V; 1 GHz below 0.7 V, where
	 * the laws end.
	 */
	struct energy_machine slow = made(1e9, 0.6), fast = made(2e9, 0.6), most = made(2.6e9, 1.45);
	struct energy_model *m = energy_must(&slow);
	struct err e;

	CHECK_F64(energy_highest_hz(&slow, 0.6), 1.23761e9, 2e4);
	CHECK_F64(energy_lowest_voltage(m), 0.7, 1e-12);
	energy_destroy(m);
	slow = made(1.6e9, 0.8);
	m = energy_must(&slow);
	CHECK_F64(energy_lowest_voltage(m), 0.76308, 1e-5);
	energy_destroy(m);
	slow = made(2.5e9, 1.45); /* beyond the laws, with a warning */
	m = energy_must(&slow);
	CHECK_F64(energy_lowest_voltage(m), 0, 0);
	energy_destroy(m);
	CHECK(energy_create(&fast, &e) == NULL);
	CHECK_STR(e.text,
		  "chip.frequency: 2 GHz at 0.6 V: silicon for 2 GHz at 1 V reaches 1.237 GHz there, expected at "
		  "most that, or energy.voltage of 1.000 V or more");
	/*
	 * 1.3 V, the highest supply of the laws: 2 GHz x 1.45350 x 1.05^1.3 / 1.3 = 2.3826 GHz; at 1.45 V 2 GHz x
	 * 1.45350 x 1.2^1.3 / 1.45 = 2.5411 GHz
	 */
	CHECK(energy_create(&most, &e) == NULL);
	CHECK_STR(e.text,
		  "chip.frequency: 2.6 GHz at 1.45 V: silicon for 2 GHz at 1 V reaches 2.541 GHz there, and 2.382 GHz "
		  "at 1.30 V, the highest supply of the laws (0.70 to 1.30 V), expected at most that");
	fast.design_voltage = 0;
	CHECK(energy_create(&fast, &e) == NULL);
	CHECK_STR(e.text, "energy.design_frequency, energy.design_voltage: expected both or none");
	/* at the threshold of 0.25 V silicon does not switch: a delay for it limits nothing */
	most.design_voltage = 0.25;
	CHECK(energy_create(&most, &e) == NULL);
	CHECK_STR(e.text, "energy: energy.design_voltage (V): 0.25 is out of range, expected 0.3 to 3");
}

static void slower_and_lower_saves(void)
{
	/* the same work in the same number of cycles, and idle until the slower one is done */
	struct energy_machine slow = made(1e9, 0.6), fast = made(2e9, 1.0);
	struct energy_model *s = energy_must(&slow), *f = energy_must(&fast);
	struct activity a;
	struct energy_result x, y;

	energy_peak(f, &a);
	energy_evaluate(f, &a, &x);
	energy_evaluate(s, &a, &y);
	CHECK_F64(y.seconds, 2 * x.seconds, 1e-15);
	CHECK_F64(y.total_j - y.leakage_j, 0.36 * (x.total_j - x.leakage_j), 1e-12);
	CHECK(y.total_j < x.total_j + energy_idle_w(f) * (y.seconds - x.seconds));
	energy_destroy(s);
	energy_destroy(f);
}

/* ---- peak ---- */
static void the_peak_uses_everything(void)
{
	struct energy_machine machine = *energy_reference();
	struct energy_model *m = energy_must(&machine);
	struct activity a;
	struct err e;

	energy_peak(m, &a);
	CHECK_I64(energy_check(m, &a, &e), 0);
	CHECK_U64(a.moved[STAGE_w], 4 * a.cycles);
	CHECK_U64(a.ops[EOP_fp_fma], 2 * a.cycles);
	CHECK_U64(a.ops[EOP_fp_mul], 0);
	/* two address pipes, and 32 bytes a cycle of lines in units of 16 */
	CHECK_U64(a.reads[ARRAY_l1d], 4 * a.cycles);
	CHECK_U64(a.writes[ARRAY_l1d], 0);
	CHECK_F64(energy_thermal_w(m), energy_peak_w(m) / 1.5, 1e-9);
	energy_destroy(m);
	/* a user's constants make another operation, and another access, the dearest */
	machine.technology.fp_mul_pj = 900;
	machine.technology.l1_write_pj = 200;
	m = energy_must(&machine);
	energy_peak(m, &a);
	CHECK_U64(a.ops[EOP_fp_fma], 0);
	CHECK_U64(a.ops[EOP_fp_mul], 2 * a.cycles);
	CHECK_U64(a.writes[ARRAY_l1d], 4 * a.cycles);
	energy_destroy(m);
}

/* ---- junction ---- */
static void the_package_heats(void)
{
	struct energy_machine machine = *energy_reference();
	const struct activity idle = {.cycles = 2000000};
	struct energy_model *m;
	struct err e;

	/* without leakage: the clock tree's 200 000 x 12 fJ x 2 GHz = 4.8 W: 318 K + 2 x 4.8 */
	machine.package_k_w = 2;
	machine.leakage_w = 0;
	m = energy_must(&machine);
	CHECK_I64(energy_settle(m, &idle, &e), 0);
	CHECK_F64(energy_junction_k(m), 327.6, 1e-6);
	energy_destroy(m);
	/*
	 * With 8 W at 350 K, of which 0.81 / 1.64 grow as T^2 exp(-1934 K / T): bisection in another program gives
	 * 342.38538 K with 2 K/W, and 384.99740 K with 4 K/W
	 */
	machine.leakage_w = 8;
	m = energy_must(&machine);
	CHECK_I64(energy_settle(m, &idle, &e), 0);
	CHECK_F64(energy_junction_k(m), 342.38538, 1e-4);
	CHECK_I64(energy_settle(m, &idle, &e), 0); /* again: from another temperature to the same one */
	CHECK_F64(energy_junction_k(m), 342.38538, 1e-4);
	energy_destroy(m);
	machine.package_k_w = 4;
	m = energy_must(&machine);
	CHECK_I64(energy_settle(m, &idle, &e), 0);
	CHECK_F64(energy_junction_k(m), 384.99740, 1e-4);
	energy_destroy(m);
}

static void heat_runs_away(void)
{
	struct energy_machine machine = *energy_reference();
	const struct activity idle = {.cycles = 2000000};
	struct energy_model *m;
	double idle_w;
	struct err e;

	machine.package_k_w = 20;
	m = energy_must(&machine);
	idle_w = energy_idle_w(m);
	CHECK_I64(energy_settle(m, &idle, &e), -1);
	CHECK_STR(e.text,
		  "energy: thermal runaway: with energy.package = 20 K/W from 318 K no junction up to 420 K carries "
		  "off the run's power, 4.8 W without leakage, expected at most 4.41 K/W");
	CHECK_F64(energy_junction_k(m), 0, 0);
	CHECK_F64(energy_idle_w(m), idle_w, 0);
	energy_destroy(m);
}

static void an_idle_chip_is_cooler(void)
{
	struct energy_machine machine = *energy_reference();
	const struct activity idle = {.cycles = 2000000};
	struct energy_model *m;
	struct err e;

	/* 8 W at 350 K: T = 318 K + 2 K/W x 8 W x leakage(T) by iteration in another program: 331.27829 K, 6.63914 W */
	machine.package_k_w = 2;
	m = energy_must(&machine);
	CHECK_F64(energy_idle_w(m), 6.63914, 1e-5);
	CHECK_I64(energy_settle(m, &idle, &e), 0); /* the clock heats it to 342.38538 K: the idle chip stays cooler */
	CHECK_F64(energy_idle_w(m), 6.63914, 1e-5);
	energy_destroy(m);
}

/* The thermal design power leaks at the temperature that it causes, whatever has run. */
static void design_power_has_its_own_temperature(void)
{
	struct energy_machine machine = *energy_reference();
	const struct activity idle = {.cycles = 2000000};
	struct energy_model *m;
	double cold_w, thermal_w;
	struct err e;

	machine.leakage_w = 0;
	m = energy_must(&machine);
	cold_w = energy_thermal_w(m);
	CHECK_F64(energy_thermal_k(m), 0, 0);
	energy_destroy(m);
	machine.package_k_w = 0.5;
	m = energy_must(&machine);
	CHECK_F64(energy_thermal_w(m), cold_w, 1e-9);
	CHECK_F64(energy_thermal_k(m), 318 + 0.5 * cold_w, 1e-6);
	energy_destroy(m);
	/* two thirds of 8 W x leakage(T), of which 0.81 / 1.64 grow as T^2 exp(-1934 K / T), are added */
	machine.leakage_w = 8;
	m = energy_must(&machine);
	thermal_w = energy_thermal_w(m);
	CHECK_F64(energy_thermal_k(m), 318 + 0.5 * thermal_w, 1e-6);
	CHECK_F64(thermal_w - cold_w,
		  8 / 1.5 *
			  (0.83 +
			   0.81 * pow(energy_thermal_k(m) / 350, 2) * exp(1934 / 350.0 - 1934 / energy_thermal_k(m))) /
			  1.64,
		  1e-6);
	CHECK_I64(energy_settle(m, &idle, &e), 0);
	CHECK_F64(energy_thermal_w(m), thermal_w, 1e-6);
	energy_destroy(m);
}

static void idle_time_is_of_the_period(void)
{
	struct energy_machine machine = *energy_reference();
	const struct activity idle = {.cycles = 2000000}; /* 1 ms */
	struct energy_model *m = energy_must(&machine);

	/* 4.8 W of clock tree and 8 W of leakage; then leakage alone for 2 ms */
	CHECK_F64(energy_period_j(m, &idle), 12.8e-3, 1e-9);
	energy_destroy(m);
	machine.period_s = 3e-3;
	m = energy_must(&machine);
	CHECK_F64(energy_period_j(m, &idle), 28.8e-3, 1e-9);
	energy_destroy(m);
}

/* ---- yield ---- */
static void dies_have_defects(void)
{
	struct energy_machine machine = *energy_reference();
	struct energy_model *m = energy_must(&machine);

	/* ITRS 2005: 83 % of 140 mm2 with 0.14 defects a cm2, clustering 2 */
	m->total_mm2 = 140;
	CHECK_F64(energy_yield(m), 0.83, 5e-3);
	/* no clustering: exp(-0.196) */
	m->machine.clustering = 0;
	CHECK_F64(energy_yield(m), 0.82201, 1e-5);
	energy_destroy(m);
}

/* ---- sleep ---- */
static void sleep_saves_leakage_and_clock(void)
{
	struct energy_machine machine = *energy_reference_array();
	struct energy_model *m = energy_must(&machine);
	const struct activity awake = {.cycles = 1000000}, half = {.cycles = 1000000, .asleep = 500000, .sleeps = 100};
	double mm2 = reported_unit_mm2(m, UNIT_simd_control) + reported_unit_mm2(m, UNIT_simd_fp);
	struct energy_result x, y;

	energy_evaluate(m, &awake, &x);
	energy_evaluate(m, &half, &y);
	/*
	 * 31 mW/mm2 of logic, of which 8 W are 3.10693 (330-chip.c); 95 % of them are saved in 500000 - 100 x 10 cycles
	 */
	CHECK_F64(x.leakage_j - y.leakage_j, 8 / 3.10693 * 0.031 * mm2 * 0.95 * 499000 / 2e9, 2e-7);
	CHECK(y.clock_j < x.clock_j);
	energy_destroy(m);
}

static const struct tap_test tests[] = {
	{"silicon stays as it is made", silicon_stays_as_it_is_made},
	{"the supply limits the clock", the_supply_limits_the_clock},
	{"slower and lower saves", slower_and_lower_saves},
	{"the peak uses everything", the_peak_uses_everything},
	{"the package heats", the_package_heats},
	{"heat runs away", heat_runs_away},
	{"an idle chip is cooler", an_idle_chip_is_cooler},
	{"design power has its own temperature", design_power_has_its_own_temperature},
	{"idle time is of the period", idle_time_is_of_the_period},
	{"dies have defects", dies_have_defects},
	{"sleep saves leakage and clock", sleep_saves_leakage_and_clock},
};

int main(void)
{
	return tap_main("point", tests, TAP_COUNT(tests));
}
