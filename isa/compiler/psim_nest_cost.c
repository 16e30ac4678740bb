/* How long a nest takes on the array and on the scalar core, about. */
#include "psim_nest_run.h"

/* Returns how often the loop's body runs for a lane, from what one iteration takes. */
static long times_of(const struct nest *n, const long *work)
{
	long times = n->stream ? n->planes : 1;

	for (long l = 1; l < n->loops; l++)
		if (work[NEST_WITHIN] >> l & 1 && l != n->stream)
			times *= n->counts[l] <= 0                ? 0
				 : n->table[NEST_RAGGED] >> l & 1 ? (n->counts[l] + 1) / 2
								  : n->counts[l];
	return times;
}

/* Cycles of arithmetic, loads and stores of a lane in a PE, without what delays them; 0 if not known. */
static long lane_cycles(const struct nest *n)
{
	long sum = 0;

	for (long l = 0; l < n->loops; l++) {
		const long *w = n->work + l * NEST_WORK;
		long cycles = w[NEST_ARITHMETIC] - n->dividers[l], loads = (w[NEST_LOADS] + 1) / 2;

		cycles = cycles > n->dividers[l] ? cycles : n->dividers[l];
		cycles = cycles > loads ? cycles : loads;
		cycles = cycles > w[NEST_STORES] ? cycles : w[NEST_STORES];
		sum += cycles * times_of(n, w);
	}
	return sum;
}

/* Cycles that the array computes: phases one after the other, each as long as its share. */
long nest_arithmetic_cycles(const struct nest *n)
{
	struct phase p = {0};
	long lanes = 0;

	while (nest_next_phase(n, &p))
		lanes += p.share;
	return lanes * lane_cycles(n) / (n->variant[NEST_JAMMED] >= NEST_PAIRS ? 2 : 1);
}

/* Bytes that transfers will move. */
static long bytes_to_move(struct nest *n)
{
	long bytes =
		(n->gathers ? nest_copies_room(n) : 0) + (n->rows ? nest_row_bytes(n) * (n->row_high - n->row_low) : 0);

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long planes = s->plane ? n->planes : 1;

		if (!slice_moves(s) || s->private_copy)
			continue;
		slice_lay_out(s, n->share);
		bytes += (long)((double)s->size / (double)n->share * (double)n->lanes) * planes * (s->get + s->write);
	}
	return bytes;
}

/* Transfers that a share of lanes for each PE makes of all lanes. */
static long transfers_of(struct nest *n, long share)
{
	long rows = 0, phases = (n->lanes + share * n->pes - 1) / (share * n->pes);

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long of = s->plane ? n->planes : 1;

		if (!slice_moves(s) || s->private_copy)
			continue;
		slice_lay_out(s, share);
		for (int d = 0; d < s->dims; d++)
			if (s->dim[d].row && s->dim[d].loop != 0 && &s->dim[d] != s->plane)
				of *= s->dim[d].count + s->dim[d].high - s->dim[d].low;
		rows += of * (s->get + s->write);
	}
	return rows * phases;
}

bool nest_overlap_pays(struct nest *n, long share, long whole)
{
	long cycles, one, many, bytes;

	n->share = whole;
	cycles = nest_arithmetic_cycles(n);
	one = bytes_to_move(n) / MEMORY_RATE + cycles + transfers_of(n, whole) * NEST_TRANSFER;
	n->share = share;
	bytes = bytes_to_move(n) / MEMORY_RATE;
	many = cycles + transfers_of(n, share) * NEST_TRANSFER;
	bytes += cycles * share / whole; /* the last share's kernel follows its transfers */
	return (many > bytes ? many : bytes) <= one;
}

/* Cycles of the scalar core, about; `warm`: with data in caches. */
static long scalar_cycles(const struct nest *n, bool warm)
{
	long cycles = 0;

	for (long l = 0; l < n->loops; l++) {
		const long *w = n->work + l * NEST_WORK;
		long work = w[NEST_ARITHMETIC] + w[NEST_LOADS] + w[NEST_STORES], chain = n->chains[l];

		if (l > 0 && work * n->counts[l] < NEST_REORDERED)
			chain = 0;
		work = warm ? work * NEST_WARM_CYCLES : work * NEST_WARM_INSNS;
		chain *= NEST_WARM_INSNS;
		cycles += (work > chain ? work : chain) * times_of(n, w);
	}
	return cycles * n->lanes / NEST_WARM_INSNS;
}

/* The same in instructions, as the test in front of the call has them. */
static long nest_work(const struct nest *n)
{
	return scalar_cycles(n, true) / NEST_WARM_CYCLES * NEST_WARM_INSNS;
}

static long call_cycles(const struct nest *n)
{
	return *(const long *)n->table[NEST_WARM] ? LATER_CALL_CYCLES : CALL_CYCLES;
}

void nest_add_costs(struct nest *n, long *on_core, long *on_array)
{
	bool warm = *(const long *)n->table[NEST_WARM];
	long bytes = bytes_to_move(n) / MEMORY_RATE, array = nest_arithmetic_cycles(n);

	array += transfers_of(n, n->share) * NEST_TRANSFER + n->looked * NEST_LOOK;
	*on_core += scalar_cycles(n, warm) + (warm ? 0 : bytes);
	*on_array += call_cycles(n) + (n->overlapped && array < bytes ? bytes : n->overlapped ? array : array + bytes);
}

bool nest_faster(struct nest *n, long on_core, long on_array, long calls)
{
	n->passing = on_array - calls * call_cycles(n) < on_core; /* with more of the same work */
	return on_array < on_core || nest_refuse(n, "the array is not expected to be faster");
}

bool nest_worth_it(struct nest *n)
{
	long core = 0, array = 0;

	if (*(const long *)n->table[NEST_AUTO] < 0)
		return true;
	nest_add_costs(n, &core, &array);
	return nest_faster(n, core, array, 1);
}

void nest_remember(const struct nest *n, bool array)
{
	long *least = (long *)n->table[NEST_AUTO], work = nest_work(n);

	if (!least || *least < 0)
		return;
	*(long *)n->table[NEST_WARM] = 1;
	if (!array && *least < 2 * work)
		*least = 2 * work;
}
