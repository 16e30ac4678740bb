/*
 * Storage arrays: array.def for one machine, by the scaling laws of technology.h. Every law
 * passes through its anchor: the anchor's dimensions give the anchor's energy and area.
 */
#include "energy_model.h"

#include <math.h>

#include "technology.h"

#define STAGE(name, label, width, doc)
#define ARRAY(name, dimension, doc) #name,
#define OP(name, doc)
static const char *const names[] = {
#include "activity.def"
};
#undef ARRAY

/* An array without a row in array.def does not compile: the message names it. Nor does one with two. */
enum {
#define FLOPS(name, unit, bits, search_bits, ports, why) ARRAY_COST_##name,
#define REGISTERS(name, unit, bits, ports, why) ARRAY_COST_##name,
#define MACRO(name, unit, bits, read_bits, ports, why) ARRAY_COST_##name,
#define CACHE1(name, unit, read_bits, write_bits, area, why) ARRAY_COST_##name,
#define CACHE2(name, unit, bits, width, why) ARRAY_COST_##name,
#define OFFCHIP(name, unit, bits, why) ARRAY_COST_##name,
#define OFFCHIP_PJ(name, unit, read_pj, write_pj, why) ARRAY_COST_##name,
#define COPIES(name, count, why)
#include "array.def"
#undef FLOPS
#undef REGISTERS
#undef MACRO
#undef CACHE1
#undef CACHE2
#undef OFFCHIP
#undef OFFCHIP_PJ
#undef COPIES
	ARRAY_COSTS
};
#define ARRAY(name, dimension, doc) _Static_assert(ARRAY_COST_##name < ARRAY_COSTS, "array.def has its cost");
#include "activity.def"
#undef ARRAY

const char *array_name(unsigned array)
{
	return names[array];
}

bool array_absent(const struct energy_model *m, unsigned array)
{
	if (array == ARRAY_l1d_victim_tags || array == ARRAY_l1d_victims)
		return !m->machine.l1d_victim_lines;
	return unit_absent(&m->machine, m->array[array].unit);
}

/* Entries or bytes of an array, by its dimension in activity.def. */
static uint64_t array_entries(const struct energy_machine *m, unsigned array)
{
#define ARRAY(name, dimension, doc) m->dimension,
	const uint64_t entries[ARRAY_COUNT] = {
#include "activity.def"
	};
#undef ARRAY
	return entries[array];
}
#undef STAGE
#undef OP

/* The laws give picojoules and mm2 at the anchors' node and supply; the caller scales them. */

static struct array_cost registers(const struct technology *t, unsigned unit, double entries, double bits, double ports)
{
	double n = entries / RF_ENTRIES, w = bits / RF_BITS, p = ports / RF_PORTS;

	if (entries == 0)
		return (struct array_cost){.unit = unit};
	return (struct array_cost){
		.unit = unit,
		.read_j = t->rf_read_pj * pow(n, RF_READ_EXP) * w * pow(p, PORT_ENERGY_EXP),
		.write_j = t->rf_write_pj * pow(n, RF_WRITE_EXP) * w * pow(p, PORT_ENERGY_EXP),
		.mm2 = t->rf_mm2 / RF_SHAPE_MM2 * (RF_FIXED_MM2 + entries * RF_ENTRY_MM2) * w * pow(p, PORT_AREA_EXP),
	};
}

static struct array_cost flops(const struct technology *t, unsigned unit, double entries, double bits,
			       double search_bits, double ports)
{
	struct array_cost c = registers(t, unit, entries, bits, ports);

	c.read_j += t->search_pj * entries * search_bits;
	c.mm2 = t->rf_mm2 * entries / RF_ENTRIES * bits / RF_BITS * pow(ports / RF_PORTS, PORT_AREA_EXP);
	c.latches = entries * bits;
	return c;
}

/* Words of `bits`; an access reads `read_bits`. */
static struct array_cost macro(const struct technology *t, unsigned unit, double entries, double bits, double read_bits,
			       double ports)
{
	double n = entries * bits / 8 / SRAM_BYTES;
	double law =
		pow(n, SRAM_CAPACITY_EXP) * pow(read_bits / SRAM_BITS, SRAM_BITS_EXP) * pow(ports, PORT_ENERGY_EXP);

	return (struct array_cost){
		.unit = unit,
		.read_j = t->sram_read_pj * law,
		.write_j = t->sram_write_pj * law,
		.mm2 = t->sram_mm2 * pow(n, SRAM_AREA_EXP) * pow(read_bits / SRAM_BITS, SRAM_WIDTH_AREA_EXP) *
		       pow(ports, PORT_AREA_EXP),
		.memory = true,
	};
}

/* `area`: area factor of ports and banks, relative to the anchor. */
static struct array_cost cache1(const struct technology *t, unsigned unit, double bytes, double read_bits,
				double write_bits, double area)
{
	double n = bytes / L1_BYTES, law = pow(n, SRAM_CAPACITY_EXP);

	return (struct array_cost){
		.unit = unit,
		.read_j = t->l1_read_pj * law * pow(read_bits / L1_READ_BITS, SRAM_BITS_EXP),
		.write_j = t->l1_write_pj * law * pow(write_bits / L1_WRITE_BITS, SRAM_BITS_EXP),
		.mm2 = t->l1_mm2 * pow(n, SRAM_AREA_EXP) * pow(read_bits / L1_READ_BITS, SRAM_WIDTH_AREA_EXP) * area,
		.memory = true,
	};
}

/* `width`: bits read with the tags of all ways, relative to the reference. */
static struct array_cost cache2(const struct technology *t, unsigned unit, double bytes, double bits, double width)
{
	double n = bytes / L2_BYTES, law = pow(n, SRAM_CAPACITY_EXP) * pow(bits / L2_BITS * width, SRAM_BITS_EXP);

	return (struct array_cost){
		.unit = unit,
		.read_j = t->l2_read_pj * law,
		.write_j = t->l2_write_pj * law,
		.mm2 = t->l2_mm2 * pow(n, SRAM_AREA_EXP) * pow(width, SRAM_WIDTH_AREA_EXP),
		.memory = true,
	};
}

/*
 * Area factor of a cache with these ports (or pipes on banks) and banks, relative to the
 * reference with two pipes and eight banks.
 */
static double pipes_area(double pipes, double banks)
{
	return pow(pipes / 2, PORT_AREA_EXP) * (1 + BANK_AREA * banks) / (1 + BANK_AREA * 8);
}

/*
 * Bits of a read of a level-1 cache: `bits` of each way that is read, which include its tag, and the 34 bits of the tag
 * of each other way, as in latch.def.
 */
static double ways_bits(double bits, double ways, double read)
{
	return bits * read + 34 * (ways - read);
}

/* Area factor of a cache that has the columns of all ways, and reads some: its area is that of one that reads all. */
static double ways_area(double bits, double ways, double read)
{
	return pow(ways_bits(bits, ways, ways) / ways_bits(bits, ways, read), SRAM_WIDTH_AREA_EXP);
}

static struct array_cost off_chip(const struct technology *t, unsigned unit, double bits)
{
	return (struct array_cost){
		.unit = unit,
		.read_j = t->memory_pj * bits / MEMORY_BITS,
		.write_j = t->memory_pj * bits / MEMORY_BITS,
		.off_chip = true,
	};
}

static struct array_cost off_chip_pj(unsigned unit, double read_pj, double write_pj)
{
	return (struct array_cost){.unit = unit, .read_j = read_pj, .write_j = write_pj, .off_chip = true};
}

#define SIZE(name) (double)array_entries(m, ARRAY_##name)

static void energy_array_rows(const struct energy_machine *m, struct array_cost cost[ARRAY_COUNT])
{
#define FLOPS(name, unit, bits, search_bits, ports, why) \
	cost[ARRAY_##name] = flops(&m->technology, UNIT_##unit, SIZE(name), bits, search_bits, ports);
#define REGISTERS(name, unit, bits, ports, why) \
	cost[ARRAY_##name] = registers(&m->technology, UNIT_##unit, SIZE(name), bits, ports);
#define MACRO(name, unit, bits, read_bits, ports, why) \
	cost[ARRAY_##name] = macro(&m->technology, UNIT_##unit, SIZE(name), bits, read_bits, ports);
#define CACHE1(name, unit, read_bits, write_bits, area, why) \
	cost[ARRAY_##name] = cache1(&m->technology, UNIT_##unit, SIZE(name), read_bits, write_bits, area);
#define CACHE2(name, unit, bits, width, why) \
	cost[ARRAY_##name] = cache2(&m->technology, UNIT_##unit, SIZE(name), bits, width);
#define OFFCHIP(name, unit, bits, why) cost[ARRAY_##name] = off_chip(&m->technology, UNIT_##unit, bits);
#define OFFCHIP_PJ(name, unit, read_pj, write_pj, why) cost[ARRAY_##name] = off_chip_pj(UNIT_##unit, read_pj, write_pj);
#define COPIES(name, count, why) \
	cost[ARRAY_##name].mm2 *= (double)(count); \
	cost[ARRAY_##name].latches *= (double)(count);
#include "array.def"
#undef FLOPS
#undef REGISTERS
#undef MACRO
#undef CACHE1
#undef CACHE2
#undef OFFCHIP
#undef OFFCHIP_PJ
#undef COPIES
}

/* Returns whether the cores share an array. With an L3 each has an L2, and L3's write-backs wait for memory. */
static bool is_shared(const struct energy_machine *m, unsigned unit, unsigned array)
{
	return unit == UNIT_l3 || (unit == UNIT_l2 && (!m->l3_slices || array == ARRAY_writeback));
}

void array_describe(const struct energy_machine *m, struct array_cost cost[ARRAY_COUNT])
{
	double dynamic = technology_dynamic(m->node_nm, m->voltage);
	double area = technology_area(m->node_nm);

	energy_array_rows(m, cost);
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		struct array_cost *c = &cost[i];
		double scale = 1e-12 * (c->off_chip ? 1 : dynamic);

		c->read_j *= scale;
		c->write_j *= scale;
		c->mm2 *= area;
		if (!is_shared(m, c->unit, i)) {
			c->mm2 *= m->cores;
			c->latches *= m->cores;
		}
	}
}
