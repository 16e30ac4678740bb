#include "dram_map.h"

/* Rows of a bank where banks are above them; others have as many as addresses need. */
enum { MAP_ROW_BITS = 16 };

static const enum dram_part row_bank_column[] = {PART_CHANNEL, PART_COLUMN, PART_GROUP, PART_BANK, PART_RANK, PART_ROW};
static const enum dram_part row_column_bank[] = {PART_CHANNEL, PART_GROUP, PART_BANK, PART_RANK, PART_COLUMN, PART_ROW};
static const enum dram_part bank_row_column[] = {PART_CHANNEL, PART_COLUMN, PART_ROW, PART_GROUP, PART_BANK, PART_RANK};

static const enum dram_part *const orders[DRAM_MAPPING_COUNT] = {
	[DRAM_ROW_BANK_COLUMN] = row_bank_column,
	[DRAM_ROW_COLUMN_BANK] = row_column_bank,
	[DRAM_BANK_ROW_COLUMN] = bank_row_column,
	[DRAM_PERMUTED] = row_bank_column,
};

static unsigned map_log2(uint64_t power_of_two)
{
	return (unsigned)__builtin_ctzll(power_of_two);
}

void dram_map_init(struct dram_map *m, const struct dram_params *p, unsigned line_bytes)
{
	*m = (struct dram_map){
		.line_shift = map_log2(line_bytes),
		.bits = {[PART_CHANNEL] = map_log2(p->channels),
			 [PART_COLUMN] = map_log2(p->row_bytes / line_bytes),
			 [PART_GROUP] = map_log2(p->bank_groups),
			 [PART_BANK] = map_log2(p->banks),
			 [PART_RANK] = map_log2(p->ranks)},
		.order = orders[p->mapping],
		.row_bits = MAP_ROW_BITS,
		.permuted = p->mapping == DRAM_PERMUTED,
	};
}

static uint64_t take_bits(uint64_t *address, unsigned bits)
{
	uint64_t taken = *address & ((UINT64_C(1) << bits) - 1);

	*address >>= bits;
	return taken;
}

struct dram_place dram_place(const struct dram_map *m, uint64_t address)
{
	struct dram_place place = {.row = 0};

	address >>= m->line_shift;
	for (unsigned n = 0; n <= PART_COUNT; n++) {
		enum dram_part part = m->order[n];

		if (part == PART_ROW && n == PART_COUNT)
			place.row |= address;
		else if (part == PART_ROW)
			place.row = take_bits(&address, m->row_bits);
		else
			place.part[part] = (unsigned)take_bits(&address, m->bits[part]);
	}
	if (m->order[PART_COUNT] != PART_ROW)
		place.row |= address << m->row_bits;
	/* Zhang, Zhu, Zhang, MICRO 2000: rows that conflict in a bank otherwise are in different ones */
	if (m->permuted) {
		place.part[PART_GROUP] ^= (unsigned)(place.row & ((1u << m->bits[PART_GROUP]) - 1));
		place.part[PART_BANK] ^=
			(unsigned)(place.row >> m->bits[PART_GROUP] & ((1u << m->bits[PART_BANK]) - 1));
	}
	return place;
}
