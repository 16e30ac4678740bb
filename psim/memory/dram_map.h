/* Addresses of the memory: which channel, rank, bank and row has a line. */
#ifndef PSIM_MEMORY_DRAM_MAP_H
#define PSIM_MEMORY_DRAM_MAP_H

#include <stdint.h>

#include "../machine/core_config.h"

/* Parts of an address above the line, the lowest first. */
enum dram_part { PART_CHANNEL, PART_COLUMN, PART_GROUP, PART_BANK, PART_RANK, PART_COUNT, PART_ROW = PART_COUNT };

/* The place of a line; the row has all bits that remain. */
struct dram_place {
	unsigned part[PART_COUNT];
	uint64_t row;
};

struct dram_map {
	unsigned line_shift;
	unsigned bits[PART_COUNT];
	const enum dram_part *order; /* PART_COUNT + 1 parts, the lowest first; behind PART_ROW, what is above it */
	unsigned row_bits;           /* if parts are above the row */
	bool permuted;
};

void dram_map_init(struct dram_map *m, const struct dram_params *p, unsigned line_bytes);
struct dram_place dram_place(const struct dram_map *m, uint64_t address);

#endif
