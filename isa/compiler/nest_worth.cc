/*
 * What a nest takes on the array and on the scalar core: whether a loop without a directive is worth a call, and the
 * message on a directive that makes its loop slower. Instructions and bytes are counted with the most iterations that
 * the bounds permit.
 */
#include "nest.hh"

#include "psim_nest.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-niter.h"

int moved_bytes(const nest &n, int family)
{
	bool read = false, write = false;
	for (const reference &r : n.refs)
		if (r.family == family && n.families[family].lane) {
			read |= r.read;
			write |= r.write;
		}
	return n.families[family].size * (read + write);
}

int varying_loop(const nest &n, int family)
{
	const std::vector<tree> &coef = n.families[family].coef;
	int deepest = -1;
	for (const reference &r : n.refs)
		if (r.family == family && (deepest < 0 || r.loop == deepest))
			deepest = r.loop;
		else if (r.family == family)
			return -1;
	for (int l = deepest; l >= 0; l = n.loops[l].parent)
		for (int m = l; m >= 0; m = n.loops[m].parent)
			if (!coef[l] || (m != l && coef[m] && operand_equal_p(coef[l], coef[m], 0)))
				return -1;
	return n.stream && !coef[n.stream] ? -1 : deepest;
}

/* The most iterations of a loop and those around it in the nest, times all lanes; -1 if not known. */
static double most_times(const nest &n, int loop)
{
	double times = 1;
	for (int l = loop; l >= 0; l = n.loops[l].parent) {
		HOST_WIDE_INT most = max_loop_iterations_int(n.loops[l].l);
		if (most < 0)
			return -1;
		times *= (double)most + n.loops[l].at_end;
	}
	return times;
}

int paid_by(int bytes)
{
	return (bytes * NEST_WARM_INSNS + NEST_WARM_CYCLES * NEST_MEMORY_RATE - 1) /
	       (NEST_WARM_CYCLES * NEST_MEMORY_RATE);
}

/* Returns whether the test in front of the call fails even with the most iterations. */
static bool too_few(const nest &n)
{
	double left = 0;
	for (int l = 0; l < (int)n.loops.size(); l++) {
		double times = l == n.stream && l > 0 ? 0 : most_times(n, l);
		if (times < 0)
			return false;
		left += scalar_work(n, l) * times;
	}
	for (size_t f = 0; f < n.families.size() && loop_depth(n.outer) > 1; f++) {
		int loop = varying_loop(n, (int)f);
		if (loop >= 0)
			left -= paid_by(moved_bytes(n, (int)f)) * most_times(n, loop);
	}
	return left < AUTO_LEAST;
}

/* Returns whether transfers take longer than the scalar loop, with data in caches, however often the loops run. */
static bool too_many_bytes(const nest &n)
{
	int work = 0, bytes = 0;
	for (int l = 0; l < (int)n.loops.size(); l++)
		work += scalar_work(n, l);
	for (size_t f = 0; f < n.families.size(); f++) {
		int loop = varying_loop(n, (int)f), loops = n.stream != 0;
		for (int l = loop; l >= 0; l = n.loops[l].parent)
			loops++;
		bytes += loops == (int)n.loops.size() ? moved_bytes(n, (int)f) : 0;
	}
	return work <= paid_by(bytes);
}

bool nest_never_worth(const nest &n)
{
	if (!n.automatic || n.in->slow_ones)
		return false;
	scev_initialize(); /* for the numbers of iterations */
	bool few = too_few(n);
	scev_finalize();
	return few || (n.in_caches && too_many_bytes(n));
}

/* Cycles of arithmetic, loads and stores in a PE, of the lanes that a loop's body has. */
static double array_cycles(const nest_work &w)
{
	return std::max({w.arithmetic - w.divider, w.divider, (w.loads + 1) / 2, w.stores});
}

/*
 * Cycles of a nest on the scalar core, an instruction each and exits of inner loops, and on 16 PEs, with the most
 * iterations; bytes that are fetched and stored. False if the most iterations are not known, or arrays stay in the
 * buffer memories.
 */
static bool most_cycles(const nest &n, double &core, double &array, double &bytes)
{
	double around = n.stream ? most_times(n, n.stream) / most_times(n, 0) : 1;
	core = array = bytes = 0;
	if (n.survey || n.region_line || most_times(n, 0) < 0 || around < 0)
		return false;
	for (int l = 0; l < (int)n.loops.size(); l++) {
		nest_work w = work_of(n, l);
		double times = l == n.stream && l > 0 ? 0 : most_times(n, l) * around;
		if (times < 0)
			return false;
		core += (w.arithmetic + w.loads + w.stores) * times;
		array += array_cycles(w) * times / std::min(16.0, most_times(n, 0));
		double around_loop = l > 0 && l != n.stream ? most_times(n, n.loops[l].parent) * around : 0;
		core += times > NEST_PREDICTED * around_loop ? NEST_EXIT * around_loop : 0;
	}
	for (size_t f = 0; f < n.families.size(); f++) {
		int loop = varying_loop(n, (int)f);
		bytes += loop < 0 ? 0 : moved_bytes(n, (int)f) * most_times(n, loop) * around;
	}
	return true;
}

void nest_tell_slow(const nest &n)
{
	double core, array, bytes;
	bool repeats = loop_depth(n.outer) > 1; /* then the call's code is in caches */
	scev_initialize();
	bool known = most_cycles(n, core, array, bytes);
	scev_finalize();
	if (!known)
		return;
	array = std::max(array, bytes / NEST_MEMORY_RATE) + (repeats ? NEST_LATER_CALL : NEST_FIRST_CALL);
	double memory = core + bytes / NEST_LINE_BYTES * NEST_LINE_CYCLES;
	if (array > NEST_TOO_SLOW * memory)
		nest_message(n.where,
			     "slower on the array: about %.0f cycles with the most iterations, the scalar loop %.0f",
			     array, core);
	else if (array > NEST_TOO_SLOW * core && bytes <= NEST_CACHE_BYTES)
		nest_message(n.where,
			     "slower on the array if its data are in caches before: about %.0f cycles with the most "
			     "iterations, the scalar loop %.0f, with data from memory %.0f",
			     array, core, memory);
}
