#include "nest_runs.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../isa/compiler/psim_nest.h"

enum { LOOPS = 8 };

struct told {
	int64_t word[NEST_TOLD], head[NEST_HEADER], count[LOOPS], work[LOOPS][NEST_WORK];
};

static bool read_words(struct address_space *memory, uint64_t from, int64_t *to, unsigned count)
{
	bool fault = false;

	for (unsigned n = 0; n < count; n++)
		to[n] = (int64_t)space_read64(memory, from + 8 * n, &fault);
	return !fault;
}

static bool read_told(struct address_space *memory, uint64_t address, struct told *t)
{
	uint64_t table;
	unsigned loops;

	if (!read_words(memory, address, t->word, NEST_TOLD))
		return false;
	table = (uint64_t)t->word[TOLD_TABLE];
	if (!read_words(memory, table, t->head, NEST_HEADER) || t->head[NEST_LOOPS] < 1 || t->head[NEST_LOOPS] > LOOPS)
		return false;
	loops = (unsigned)t->head[NEST_LOOPS];
	return read_words(memory, table + 8 * NEST_HEADER, t->count, loops) &&
	       read_words(memory, table + 8 * (NEST_HEADER + loops), &t->work[0][0], loops * NEST_WORK);
}

/* How often the body of a loop runs for a lane, as psim_nest_cost.c reckons it. */
static double times_in_lane(const struct told *t, const int64_t *work)
{
	int64_t stream = t->head[NEST_STREAM];
	double times = stream > 0 && stream < t->head[NEST_LOOPS] ? (double)t->count[stream] : 1;

	for (int l = 1; l < t->head[NEST_LOOPS]; l++)
		if (work[NEST_WITHIN] >> l & 1 && l != stream)
			times *= t->count[l] <= 0                ? 0
				 : t->head[NEST_RAGGED] >> l & 1 ? ((double)t->count[l] + 1) / 2
								 : (double)t->count[l];
	return times;
}

/* Cycles of the mispredicted exits of a lane's inner loops. */
static double exits_of(const struct told *t)
{
	double cycles = 0;

	for (int l = 1; l < t->head[NEST_LOOPS]; l++)
		if (t->count[l] > NEST_PREDICTED && l != t->head[NEST_STREAM])
			cycles += NEST_EXIT * times_in_lane(t, t->work[l]) / (double)t->count[l];
	return cycles;
}

static double larger_of(double a, double b)
{
	return a > b ? a : b;
}

/*
 * Returns how many of a run's scalar cycles have been counted: where a nest with the loops around it is refused, its
 * part without them is called next, in each iteration or only in the first one.
 */
static double again_counted(struct nest_place *p, const struct told *t, double core, bool array)
{
	double left = larger_of(0, p->around - p->inside);

	if (t->head[NEST_STREAM] || t->head[NEST_INTERCHANGED]) {
		p->around = array ? 0 : core;
		p->inside = 0;
		return 0;
	}
	p->inside += core;
	return core < left ? core : left;
}

/* Adds a run's estimates. */
static void add_run(struct nest_place *p, const struct told *t)
{
	double lanes = (double)t->head[NEST_LANES], pes = (double)t->word[TOLD_PES], array = 0;
	double core = exits_of(t) * lanes, moved = (double)t->word[TOLD_MOVED], again;
	double bytes = moved / NEST_MEMORY_RATE, memory = moved / NEST_LINE_BYTES * NEST_LINE_CYCLES;

	for (int l = 0; l < t->head[NEST_LOOPS]; l++) {
		const int64_t *w = t->work[l];
		double times = times_in_lane(t, w), a = (double)w[NEST_ARITHMETIC], loads = (double)w[NEST_LOADS];

		core += (a + loads + (double)w[NEST_STORES]) * times * lanes;
		array += larger_of(larger_of(a, loads / 2), (double)w[NEST_STORES]) * times *
			 (pes > 0 ? lanes / pes : 0);
	}
	array = t->word[TOLD_OVERLAPPED] ? larger_of(array, bytes) : array + bytes;
	array += (double)t->word[TOLD_TRANSFERS] * NEST_TRANSFER;
	if (moved > NEST_CACHE_BYTES) {
		core += bytes; /* at least */
		memory -= bytes;
	}
	p->memory += p->memory > 0 && moved <= NEST_CACHE_BYTES ? 0 : memory; /* in caches from the second run on */
	again = again_counted(p, t, core, pes > 0);
	p->core += core - again;
	p->array += (p->runs ? NEST_LATER_CALL : NEST_FIRST_CALL) + (pes > 0 ? array : core) - again;
	p->refused += pes <= 0;
	p->runs++;
}

void nest_runs_note(struct nest_runs *r, struct address_space *memory, uint64_t words)
{
	struct told t = {0};
	unsigned n = 0;

	/* of other inner loops, the work is not known; arrays that stay would have to move for the scalar core */
	if (!read_told(memory, words, &t) || t.head[NEST_SURVEY] || t.head[NEST_RESIDENT])
		return;
	while (n < r->count && r->at[n].address != (uint64_t)t.word[TOLD_PLACE])
		n++;
	if (n == NEST_PLACES)
		return;
	if (n == r->count) {
		r->at[n].address = (uint64_t)t.word[TOLD_PLACE];
		if (address_space_read_string(memory, r->at[n].address, r->at[n].name, sizeof(r->at[n].name)) < 1)
			return;
		r->count++;
	}
	if (t.word[TOLD_WHY] && !*r->at[n].why &&
	    address_space_read_string(memory, (uint64_t)t.word[TOLD_WHY], r->at[n].why, sizeof(r->at[n].why)) < 0)
		return;
	add_run(&r->at[n], &t);
}

/* Two digits of an estimate. */
static double rounded(double cycles)
{
	double unit = 1;

	while (cycles / unit >= 100)
		unit *= 10;
	return (double)(uint64_t)(cycles / unit + 0.5) * unit;
}

bool nest_runs_line(const struct nest_runs *r, unsigned n, char line[NEST_LINE])
{
	const struct nest_place *p = &r->at[n];
	char refused[NEST_PLACE_NAME + 64] = "";

	const char *if_there =
		p->array > NEST_TOO_SLOW * (p->core + p->memory) ? "" : " if its data are in caches before";
	char from_memory[64] = "";

	if (p->array <= NEST_TOO_SLOW * p->core)
		return false;
	if (*if_there)
		snprintf(from_memory, sizeof(from_memory), ", with data from memory %.0f",
			 rounded(p->core + p->memory));
	if (p->refused)
		snprintf(refused, sizeof(refused), ", %" PRIu64 " of them on the scalar core (%s)", p->refused, p->why);
	snprintf(line, NEST_LINE,
		 "%s: slower with the array%s: %" PRIu64 " run%s%s: about %.0f cycles, the scalar loop alone %.0f%s",
		 p->name, if_there, p->runs, p->runs == 1 ? "" : "s", refused, rounded(p->array), rounded(p->core),
		 from_memory);
	return true;
}
