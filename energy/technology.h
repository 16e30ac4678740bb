/*
 * Internal to energy: the scaling laws, and the points at which the constants of technology.def
 * hold: 90 nm, 1.0 V, 350 K, and the dimensions below. Sources are marked as there.
 */
#ifndef PSIM_ENERGY_TECHNOLOGY_H
#define PSIM_ENERGY_TECHNOLOGY_H

#define ANCHOR_NODE_NM 90.0
#define ANCHOR_KELVIN 350.0

/* SRAM with one port, 64 KB, 64-bit words. */
#define SRAM_BYTES 65536.0
#define SRAM_BITS 64.0
/* L1, 128 KB, 2 ways, 128 bits out: 256 bits are read. */
#define L1_BYTES 131072.0
#define L1_READ_BITS 256.0
#define L1_WRITE_BITS 128.0
/* L2, 4 MB, 8 ways, 64-byte lines. */
#define L2_BYTES 4194304.0
#define L2_BITS 512.0
/* Register file, 32 x 64 bits, 3 read and 2 write ports. */
#define RF_ENTRIES 32.0
#define RF_BITS 64.0
#define RF_PORTS 5.0

/*
 * Exponents.
 *
 * - Capacity of an SRAM: a 64-bit read costs 10 pJ in 8 KB, 20 in 32 KB, 100 in 1 MB [HOR],
 *   about the square root.
 * - Bits per access: from the SRAM anchor to that of L1, 151 / 56 = 2^0.5 x 4^b, b = 0.466.
 * - Area: from the L1 to the L2 anchor, 89 / 2.34 = 32^a, a = 1.05.
 * - Ports: the SRAM with two read and one write port relative to one port costs 111 / 56 =
 *   3^0.62 in energy and 3.10 / 0.94 = 3^1.086 in area [CACTI].
 * - Entries of a register file: 128 entries relative to 32 cost 8.8 / 7.3 = 4^0.135 a read,
 *   16.6 / 9.1 = 4^0.434 a write, and 0.14 relative to 0.066 mm2 [CACTI]: 0.0413 mm2 and
 *   0.00077 an entry. Storage of latches has the register file's area at 32 entries and grows
 *   with its latches.
 * - Bits per access in area: from the SRAM anchor at 128 KB, 0.94 x 2^1.05 = 1.95 mm2, to that
 *   of L1, 2.34 = 1.95 x 4^0.133.
 */
#define SRAM_CAPACITY_EXP 0.5
#define SRAM_BITS_EXP 0.466
#define SRAM_AREA_EXP 1.05
#define PORT_ENERGY_EXP 0.62
#define PORT_AREA_EXP 1.086
#define RF_READ_EXP 0.135
#define RF_WRITE_EXP 0.434
#define RF_SHAPE_MM2 0.066
#define RF_FIXED_MM2 (RF_SHAPE_MM2 - 32 * RF_ENTRY_MM2)
#define RF_ENTRY_MM2 ((0.14 - RF_SHAPE_MM2) / 96)
#define SRAM_WIDTH_AREA_EXP 0.133

/* A word of off-chip memory, whose energy does not depend on node and supply. */
#define MEMORY_BITS 64.0

/* Share of the area for the decoders and sense amplifiers of each bank of a cache [est]. */
#define BANK_AREA 0.01

/*
 * Delay. Gates are measured in FO4, the delay of an inverter that drives four: 0.36 ps per nm
 * of the node at the node's usual supply (Ho, Mai and Horowitz 2001, recalled), 32 ps at 90 nm;
 * published values at 90 nm are between 28 (11 FO4 a cycle at 3.2 GHz in the Cell processor,
 * recalled) and 45 ps [read]. Latch, skew and jitter take 2 of each cycle: Hrishikesh and
 * others, "The optimal logic depth per pipeline stage is 6 to 8 FO4 inverter delays", ISCA 2002
 * (2); Srinivasan and others, "Optimizing pipelines for power and performance", MICRO 2002
 * (2-3). Supply: V / (V - 0.25 V)^1.3, the alpha-power law with the exponent of short channels
 * (Sakurai and Newton, "Alpha-power law MOSFET model and its applications to CMOS inverter
 * delay and other formulas", IEEE JSSC 25(2), 1990).
 */
#define FO4_PS_NM 0.36
#define CYCLE_OVERHEAD_FO4 2.0
#define ALPHA 1.3
#define THRESHOLD_V 0.25
/* Logic of a cycle of the reference: 500 ps / 32.4 ps less the overhead, 13.4. */
#define REFERENCE_LOGIC_FO4 (1 / (2e9 * FO4_PS_NM * 1e-12 * ANCHOR_NODE_NM) - CYCLE_OVERHEAD_FO4)

/*
 * The price of speed: logic that is s times as fast as the reference's, by larger and more
 * transistors, has 0.375 + 0.625 s^3.80 times its energy; its area grows with the root of that
 * [est]. Published points of a 90 nm FMA: 40-50 pJ with little effort for speed [HOR], 120 pJ
 * as in the reference, 267 pJ for the "high-energy" design of [G&H]. The first is the floor, 45
 * / 120. The exponent follows from the reference being balanced: its hardware intensity
 * (relative growth of energy for relative speed) equals that of the supply, since neither a
 * higher supply with smaller transistors nor the opposite saves energy (Zyuban and Strenski,
 * "Balancing hardware intensity in microprocessor pipelines", IBM J. R&D 47(5/6), 2003). Energy
 * is proportional to V^2, the delay of a gate to V^-(1.3 / 0.75 - 1) at 1.0 V, and the required
 * speed of the logic to that delay x 15.4 / 13.4 (latches slow down too): 2 / (0.7333 x 1.1489)
 * = 2.374, over 0.625. [G&H]'s design is then 1.33 times as fast as the reference.
 */
#define SPEED_FLOOR 0.375
#define SPEED_EXP \
	(2 / (ALPHA / (1 - THRESHOLD_V) - 1) * REFERENCE_LOGIC_FO4 / (REFERENCE_LOGIC_FO4 + CYCLE_OVERHEAD_FO4) / \
	 (1 - SPEED_FLOOR))
/*
 * The fastest published logic: an FMA of 6 cycles of 13 FO4 (POWER6, Trong and others, "P6
 * binary floating-point unit", ARITH 2007, recalled), 66 FO4 without latches; the reference's
 * has 8 x 13.4 = 107.
 */
#define FASTEST_SPEED 1.62
/* Share of the flip-flop, 53 um2 [DFF], in the area of a stage latch with its logic, 377 um2. */
#define LATCH_SHARE_MM2 0.14

/* Share of decoders, sense amplifiers and wires between banks in the area of an SRAM [est]. */
#define PERIPHERY_MM2 0.3

/*
 * The node's usual supply: 1.0 V up to 90 nm, 1.2 V at 130 (ITRS 1999 to 2005, recalled), 1.5 V at 180: CACTI's table
 * of devices has 1.5 V there, and POWER4 and Alpha 21364 ran at it.
 */
double technology_supply(double node_nm);
/*
 * Logic of a reference cycle relative to that of a cycle of `hz`: the speed that the logic
 * needs. Very large, but finite, if a cycle has no time for logic.
 */
double technology_pace(double hz, double node_nm, double voltage);
/* Nodes for which the laws hold, and supplies relative to the node's usual one, at which chips run. */
#define NODE_LEAST 45.0
#define NODE_MOST 180.0
#define SUPPLY_LEAST 0.7
#define SUPPLY_MOST 1.3
/* Delay of a gate at `voltage` relative to that at `than`: the alpha-power law. */
double technology_delay(double voltage, double than);
/* Energy of logic `speed` times as fast as the reference's, relative to it. */
double technology_speed_energy(double speed);

/* Dynamic energy relative to 90 nm and 1.0 V: capacitance scales with the node, times V^2. */
double technology_dynamic(double node_nm, double voltage);
/* Area relative to 90 nm: the square of the node. */
double technology_area(double node_nm);
/*
 * Leakage power of the same transistors, relative to 90 nm, 1.0 V, 350 K.
 *
 * - Node: McPAT's sample chips leak 37 mW/mm2 at 90 nm (Niagara: 10.0 W, 269.7 mm2), 68 at 65
 *   (Niagara 2: 17.9 W, 262.5 mm2), 101 at 45 (Penryn: 9.3 W, 92.0 mm2) and 0.45 at 180 (Alpha
 *   21364: 0.14 W, 311.7 mm2). Times the area of the same transistors this is 0.96, 0.68 and
 *   0.048 of 90 nm: about the root of the node below 90 nm, and node^-4.4 above, where leakage
 *   was small.
 * - Supply: V exp(3.47 (V - 1)), which gives a factor of 2.4 at 1.2 V, as [CACTI]'s 2.3 to 2.5.
 * - Temperature: the subthreshold half (0.81 of 0.81 + 0.83 uW [DFF]) as T^2 exp(-1934 K / T)
 *   (threshold 0.25 V, slope factor 1.5 [est]); the gate half does not depend on it.
 */
double technology_leakage(double node_nm, double voltage, double kelvin);

#endif
