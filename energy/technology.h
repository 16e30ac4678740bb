/*
 * Anchors of energy, area and leakage at 90 nm, 1.0 V, 350 K, and the laws that
 * take them elsewhere. Inside energy/ only.
 *
 * Sources: [DFF] McPAT 1.3's flip-flop model, 90 nm HP, 1.0 V, 350 K; [CACTI]
 * CACTI-P inside McPAT 1.3 at the same point, taken as +-30 %; [HOR] Horowitz,
 * ISSCC 2014; [est] ours.
 */
#ifndef PSIM_ENERGY_TECHNOLOGY_H
#define PSIM_ENERGY_TECHNOLOGY_H

#define ANCHOR_NODE_NM 90.0
#define ANCHOR_KELVIN 350.0

/* A flip-flop alone, picojoules [DFF]. */
#define LATCH_PIN_PJ 0.0117    /* local clock pin, a cycle */
#define LATCH_HOLD_PJ 0.02625  /* internal, data unchanged: mean of hold-0 27.7 and hold-1 24.8 fJ */
#define LATCH_ALONE_PJ 0.0535  /* a clocked cycle, McPAT's mean: (72.9 + 27.7 + 24.8) / 3 + 11.7 fJ */
/* Clock tree down to the local buffers, for each latch and cycle, gated or not; part of latch_pj. */
#define LATCH_TREE_PJ 0.012

/* SRAM with one port, 64 KB, 64-bit words [CACTI]. */
#define SRAM_BYTES 65536.0
#define SRAM_BITS 64.0
#define SRAM_READ_PJ 56.0
#define SRAM_WRITE_PJ 50.0
#define SRAM_MM2 0.94
/* L1, 128 KB, 2 ways, 128 bits out: 256 bits are read [CACTI]. */
#define L1_BYTES 131072.0
#define L1_READ_BITS 256.0
#define L1_WRITE_BITS 128.0
#define L1_READ_PJ 151.0
#define L1_WRITE_PJ 139.0
#define L1_MM2 2.34
/* L2, 4 MB, 8 ways, 64-byte lines [CACTI]. */
#define L2_BYTES 4194304.0
#define L2_BITS 512.0
#define L2_READ_PJ 2370.0
#define L2_WRITE_PJ 2580.0
#define L2_MM2 89.0
/* Register file, 32 x 64 bits, 3 read and 2 write ports [CACTI]. */
#define RF_ENTRIES 32.0
#define RF_BITS 64.0
#define RF_PORTS 5.0
#define RF_READ_PJ 7.3
#define RF_WRITE_PJ 9.1
#define RF_MM2 0.066

/*
 * Exponents. Capacity of an SRAM: [HOR] a 64-bit read costs 10 pJ in 8 KB, 20 in
 * 32 KB, 100 in 1 MB, so about the square root. Bits at a time: from the SRAM
 * anchor to that of L1, 151 / 56 = 2^0.5 x 4^b, b = 0.466. Area: from the L1 to the L2
 * anchor, 89 / 2.34 = 32^a, a = 1.05. Ports: [CACTI] the SRAM with two read
 * and one write port for one port costs 111 / 56 = 3^0.62 in energy and
 * 3.10 / 0.94 = 3^1.086 in area. Entries of a register file: [CACTI] 128 entries
 * for 32 cost 8.8 / 7.3 = 4^0.135 a read, 16.6 / 9.1 = 4^0.434 a write, and
 * 0.14 / 0.066 = 4^0.542 in area.
 */
#define SRAM_CAPACITY_EXP 0.5
#define SRAM_BITS_EXP 0.466
#define SRAM_AREA_EXP 1.05
#define PORT_ENERGY_EXP 0.62
#define PORT_AREA_EXP 1.086
#define RF_READ_EXP 0.135
#define RF_WRITE_EXP 0.434
#define RF_AREA_EXP 0.542

/* An associative search, for each bit compared [est]: match and search line, of the order of
 * the few fJ a bit that published content-addressable memories of 130-180 nm reach. */
#define SEARCH_PJ 0.003

/*
 * A bit sent over a millimetre of long wire, at 1.0 V [est]: 0.2 pF, which wires have had a
 * millimetre in every process of the last twenty years (Ho, Mai and Horowitz, "The future of
 * wires", Proc. IEEE 2001, recalled), half as much again for repeaters, a rise for every fourth
 * bit of random data: 0.2 x 1.5 x 0.25 = 0.075 pJ. Goes with V^2 and the length, which goes with the node.
 */
#define WIRE_PJ_MM 0.075

/* Off-chip memory, 64 bits: the middle of 1.3 to 2.6 nJ [HOR]; not scaled by node or supply. */
#define MEMORY_PJ 1950.0
#define MEMORY_BITS 64.0

/* Leakage for each mm2: memory 631 mW / 89 mm2 [CACTI, L2]; logic 1.64 uW / 53 um2 [DFF]. */
#define LEAK_MEMORY_W_MM2 0.0071
#define LEAK_LOGIC_W_MM2 0.031

/* Dynamic energy, against 90 nm and 1.0 V: capacitance as the node, times V^2. */
double technology_dynamic(double node_nm, double voltage);
/* Area, against 90 nm: as the square of the node. */
double technology_area(double node_nm);
/*
 * Leakage power of the same transistors, against 90 nm, 1.0 V, 350 K.
 * Node: McPAT's sample chips leak 37 mW/mm2 at 90 nm (Niagara: 10.0 W, 269.7 mm2),
 * 68 at 65 (Niagara 2: 17.9 W, 262.5 mm2), 101 at 45 (Penryn: 9.3 W, 92.0 mm2) and 0.45
 * at 180 (Alpha 21364: 0.14 W, 311.7 mm2). Times the area of the same transistors that
 * is 0.96, 0.68 and 0.048 of 90 nm: about the root of the node below 90 nm,
 * and node^-4.4 above, where leakage was yet to come. Supply: V exp(3.47 (V - 1)),
 * which makes 2.4 of 1.2 V as [CACTI]'s 2.3 to 2.5. Temperature: the
 * subthreshold half (0.81 of 0.81 + 0.83 uW [DFF]) as T^2 exp(-1934 K / T)
 * (threshold 0.25 V, slope factor 1.5 [est]); the gate half does not depend on it.
 */
double technology_leakage(double node_nm, double voltage, double kelvin);

#endif
