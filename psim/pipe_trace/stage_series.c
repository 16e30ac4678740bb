#include "stage_series.h"

#include <stdlib.h>

#include "../base/mem.h"

/* Counters at the end of a cycle. */
struct sample {
	uint64_t cycle;
	struct core_stats stats;
	struct mem_buffers buffers;
	struct activity activity;
};

struct stage_series {
	const struct core_config *cfg;
	const struct energy_model *energy;
	unsigned core, rows;
	uint64_t interval;     /* cycles of a row */
	size_t count;          /* number of samples; the first is at cycle 0 */
	struct sample *sample; /* rows + 1 */
};

struct stage_series *stage_series_create(const struct core_config *cfg, const struct energy_model *energy,
					 unsigned core, unsigned rows, struct err *e)
{
	struct stage_series *s = mem_alloc(1, sizeof(*s), e);

	if (!s)
		return NULL;
	*s = (struct stage_series){.cfg = cfg, .energy = energy, .core = core, .rows = rows, .interval = 1, .count = 1};
	s->sample = mem_alloc((size_t)rows + 1, sizeof(*s->sample), e);
	if (!s->sample) {
		free(s);
		return NULL;
	}
	return s;
}

void stage_series_destroy(struct stage_series *s)
{
	if (!s)
		return;
	free(s->sample);
	free(s);
}

uint64_t stage_series_step(const struct stage_series *s, uint64_t now)
{
	return s->interval - now % s->interval;
}

/* Merges pairs of rows. */
static void stage_series_halve(struct stage_series *s)
{
	for (size_t n = 1; 2 * n < s->count; n++)
		s->sample[n] = s->sample[2 * n];
	s->count = s->rows / 2 + 1;
	s->interval *= 2;
}

void stage_series_sample(struct stage_series *s, const struct chip *chip, bool end)
{
	const struct core *core = chip_core(chip, s->core);
	uint64_t cycle = chip_cycles(chip);
	struct sample *at;

	if (cycle == s->sample[s->count - 1].cycle || (!end && cycle % s->interval))
		return;
	if (s->count == (size_t)s->rows + 1)
		stage_series_halve(s);
	if (!end && cycle % s->interval)
		return;
	at = &s->sample[s->count++];
	at->cycle = cycle;
	at->stats = *core_stats(core);
	core_memsys_buffers(core, cycle, &at->buffers);
	core_activity(core, &at->activity);
}

size_t stage_series_count(const struct stage_series *s)
{
	return s->count - 1;
}

void stage_series_row(const struct stage_series *s, size_t n, struct stage_row *out)
{
	const struct sample *a = &s->sample[n], *b = a + 1;

	*out = (struct stage_row){.from = a->cycle, .to = b->cycle};
	out->stats.instructions = b->stats.instructions - a->stats.instructions;
	out->stats.trap_instructions = b->stats.trap_instructions - a->stats.trap_instructions;
	for (unsigned i = 0; i < STALL_COUNT; i++)
		out->stats.lost[i] = b->stats.lost[i] - a->stats.lost[i];
	for (unsigned i = 0; i < LEVEL_COUNT; i++)
		out->level[i] = b->stats.occupancy[i] - a->stats.occupancy[i];
	out->level[STAGE_LEVEL_l1i_buffers] = b->buffers.l1i - a->buffers.l1i;
	out->level[STAGE_LEVEL_l1d_buffers] = b->buffers.l1d - a->buffers.l1d;
	out->level[STAGE_LEVEL_l2_buffers] = b->buffers.l2 - a->buffers.l2;
	activity_subtract(&b->activity, &a->activity, &out->activity);
	out->activity.cycles = b->cycle - a->cycle; /* the chip's cycles: a core that is done counts none */
	energy_evaluate(s->energy, &out->activity, &out->energy);
}

const struct core_config *stage_series_config(const struct stage_series *s)
{
	return s->cfg;
}

const struct energy_model *stage_series_energy(const struct stage_series *s)
{
	return s->energy;
}

/* ---- structures ---- */
static const struct {
	const char *name, *label;
} levels[STAGE_LEVEL_COUNT] = {
#define L(name, label, entries, doc) [LEVEL_##name] = {#name, label},
#include "../core/level.def"
#undef L
	[STAGE_LEVEL_l1i_buffers] = {"l1i_buffers", "miss buffers of L1I"},
	[STAGE_LEVEL_l1d_buffers] = {"l1d_buffers", "miss buffers of L1D"},
	[STAGE_LEVEL_l2_buffers] = {"l2_buffers", "miss buffers of L2"},
};

const char *stage_level_name(unsigned level)
{
	return levels[level].name;
}

const char *stage_level_label(unsigned level)
{
	return levels[level].label;
}

uint64_t stage_level_size(const struct core_config *cfg, unsigned level)
{
	const uint64_t buffers[] = {
		[STAGE_LEVEL_l1i_buffers - LEVEL_COUNT] = cfg->l1i.perfect ? 0 : cfg->l1i.miss_buffers,
		[STAGE_LEVEL_l1d_buffers - LEVEL_COUNT] = cfg->l1d.perfect ? 0 : cfg->l1d.miss_buffers,
		[STAGE_LEVEL_l2_buffers - LEVEL_COUNT] = cfg->l2.perfect ? 0 : cfg->l2.miss_buffers,
	};

	return level < LEVEL_COUNT ? core_level_entries(cfg, level) : buffers[level - LEVEL_COUNT];
}
