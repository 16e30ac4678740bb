/*
 * The call in front of a loop: table and data are filled, psim_nest_run called; if it returns 0, the loop runs as it
 * is, else what follows the loop gets the final values from here.
 */
#include "nest.hh"

#include "basic-block.h"
#include "cfghooks.h"
#include "gimple-expr.h"
#include "gimplify-me.h"
#include "gimplify.h"
#include "psim_nest.h"
#include "ssa-iterators.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-operands.h"

/* Instructions of the array for which a call without a directive is worth its time. */
enum { AUTO_LEAST = 20000 };

namespace
{

/* Bytes that are transferred for each element of a family. */
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

/*
 * The innermost loop of a family whose elements differ between the iterations of all its loops, by their strides; -1 if
 * they do not.
 */
int loops_of(const nest &n, int family)
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

struct caller {
	nest &n;
	gimple_seq seq = NULL;

	caller(nest &of) : n(of)
	{
	}

	tree array(int words, const char *name)
	{
		tree a = create_tmp_var(build_array_type_nelts(long_integer_type_node, words), name);
		TREE_ADDRESSABLE(a) = 1;
		return a;
	}

	tree value(tree v)
	{
		gimple_seq more = NULL;
		tree o = force_gimple_operand(unshare_expr(v), &more, true, NULL_TREE);
		gimple_seq_add_seq(&seq, more);
		return o;
	}

	tree word(tree a, int k, tree type)
	{
		return build2(MEM_REF, type, build_fold_addr_expr(a), build_int_cst(ptr_type_node, 8 * k));
	}

	void put(tree a, int k, tree v)
	{
		tree type = SCALAR_FLOAT_TYPE_P(TREE_TYPE(v)) ? part_type(TREE_TYPE(v)) : long_integer_type_node;
		tree o = value(fold_convert(type, v));
		gimple_seq_add_stmt(&seq, gimple_build_assign(word(a, k, type), o));
	}

	void put(tree a, int k, long v)
	{
		put(a, k, build_int_cst(long_integer_type_node, v));
	}

	void put_address(tree a, int k, tree object)
	{
		put(a, k, object ? build_fold_addr_expr(object) : build_int_cst(long_integer_type_node, 0));
	}

	/* The most that a loop counts, whatever the outer ones are at. */
	tree most(int loop)
	{
		const affine &c = n.loops[loop].count;
		tree sum = c.rest;
		for (int l = 0; l < (int)n.loops.size(); l++)
			if (c.coef[l]) {
				tree top = l == 0 ? n.loops[0].count.rest : most(l);
				tree last = fold_build2(MAX_EXPR, ssizetype,
							fold_build2(MINUS_EXPR, ssizetype, top, ssize_int(1)),
							ssize_int(0));
				tree grown = fold_build2(MULT_EXPR, ssizetype, c.coef[l], last);
				sum = fold_build2(PLUS_EXPR, ssizetype, sum,
						  fold_build2(MAX_EXPR, ssizetype, grown, ssize_int(0)));
			}
		return n.loops[loop].at_end ? fold_build2(MAX_EXPR, ssizetype, sum, ssize_int(1)) : sum;
	}

	/* Loops of a family that have the stride of loop `l`: bits. */
	long group(const family &f, int l)
	{
		long bits = 0;
		for (int k = 1; k < (int)n.loops.size(); k++)
			if (l > 0 && l != n.stream && k != n.stream && f.coef[k] &&
			    operand_equal_p(f.coef[l], f.coef[k], 0))
				bits |= 1L << k;
		return bits;
	}

	/* Returns whether a loop's count is affine in the loops around it, with constants. */
	bool affine_count(int l)
	{
		const affine &c = n.loops[l].count;
		for (int k = 0; k < (int)c.coef.size(); k++)
			if (c.coef[k] && (k == 0 || k >= l || !tree_fits_shwi_p(c.coef[k])))
				return false;
		return !n.loops[l].at_end;
	}

	/*
	 * The largest sum of indices times weights, from the innermost loop outwards: an index is at most its count
	 * less one, which is affine in the indices around it. Where that is not known, each index is taken at its
	 * most, and *known becomes false.
	 */
	tree largest(std::vector<tree> weight, bool *known)
	{
		tree sum = ssize_int(0);
		for (int l = (int)n.loops.size() - 1; l >= 0; l--) {
			tree w = weight[l];
			if (!w || (TREE_CODE(w) == INTEGER_CST && tree_int_cst_sgn(w) <= 0))
				continue; /* its index is 0 */
			const affine &c = n.loops[l].count;
			bool exact = TREE_CODE(w) == INTEGER_CST && affine_count(l);
			tree count = exact ? c.rest : most(l);
			tree last = fold_build2(MINUS_EXPR, ssizetype, count, ssize_int(1));
			tree part = fold_build2(MULT_EXPR, ssizetype, w, last);
			*known &= exact;
			sum = fold_build2(PLUS_EXPR, ssizetype, sum,
					  exact ? part : fold_build2(MAX_EXPR, ssizetype, part, ssize_int(0)));
			for (int k = 1; exact && k < l && k < (int)c.coef.size(); k++)
				if (c.coef[k]) {
					tree more = fold_build2(MULT_EXPR, ssizetype, w, c.coef[k]);
					weight[k] =
						weight[k] ? fold_build2(PLUS_EXPR, ssizetype, weight[k], more) : more;
				}
		}
		return sum;
	}

	/* The table's word on a loop of a family: how many places it goes through, or the loop that it joins. */
	tree extent(const family &f, int l)
	{
		long bits = f.coef[l] ? group(f, l) : 0;
		bool known = (bits & (bits - 1)) != 0;
		tree count = most(l);
		if (known) {
			std::vector<tree> ones(n.loops.size(), NULL_TREE);
			for (size_t k = 0; k < ones.size(); k++)
				ones[k] = bits >> k & 1 ? ssize_int(1) : NULL_TREE;
			tree last = largest(ones, &known);
			if (known && ctz_hwi(bits) != l)
				return ssize_int(-ctz_hwi(bits));
			if (known)
				count = fold_build2(PLUS_EXPR, ssizetype, last, ssize_int(1));
		}
		return fold_build2(MAX_EXPR, ssizetype, count, ssize_int(0));
	}

	bool joins()
	{
		for (const family &f : n.families)
			for (size_t l = 1; l < n.loops.size(); l++) {
				long bits = f.coef[l] ? group(f, (int)l) : 0;
				if (bits & (bits - 1))
					return true;
			}
		return false;
	}

	/* How far a family reaches from its start, in bytes: downwards, upwards. */
	tree range(const family &f, bool up)
	{
		std::vector<tree> weight = f.coef;
		bool known = true;
		for (tree &w : weight)
			if (w && !up)
				w = fold_build1(NEGATE_EXPR, ssizetype, w);
		return largest(weight, &known);
	}

	bool exact(int loop)
	{
		for (tree c : n.loops[loop].count.coef)
			if (c)
				return false;
		return true;
	}

	void table(tree t)
	{
		int loops = (int)n.loops.size(), families = (int)n.families.size(), k = NEST_HEADER;
		put(t, NEST_LANES, n.loops[0].count.rest);
		put(t, NEST_LOOPS, loops);
		put(t, NEST_FAMILIES, families);
		put(t, NEST_REFS, (long)n.refs.size());
		put(t, NEST_SUMS, (long)n.sums.size());
		put(t, NEST_VARIANTS, (long)n.variants.size());
		put(t, NEST_STREAM, n.stream);
		put_address(t, NEST_AUTO, n.least_work);
		put_address(t, NEST_WARM, n.warm);
		put(t, NEST_REGROUPED, n.regrouped || flag_associative_math);
		put(t, NEST_KEEP, n.keep != 0);
		put_address(t, NEST_SURVEY, n.survey);
		put(t, NEST_JOINED, joins());
		put(t, NEST_HOISTED, n.hoisted || n.beside);
		long ragged = 0;
		for (int l = 1; l < loops; l++)
			ragged |= n.loops[l].ragged ? 1L << l : 0;
		put(t, NEST_RAGGED, ragged);
		put(t, NEST_FIRST, n.ragged < 0 ? ssize_int(0) : n.loops[n.ragged].count.rest);
		put(t, NEST_SAFELEN, n.safelen);
		put(t, NEST_MORE, n.ragged < 0 ? ssize_int(0) : n.loops[n.ragged].count.coef[0]);
		for (int l = 0; l < loops; l++)
			put(t, k++, most(l));
		for (int l = 0; l < loops; l++) {
			nest_work w = work_of(n, l);
			long in = 0;
			for (int at = l; at > 0; at = n.loops[at].parent)
				in |= 1L << at;
			put(t, k + NEST_ARITHMETIC, w.arithmetic);
			put(t, k + NEST_LOADS, w.loads);
			put(t, k + NEST_STORES, w.stores);
			put(t, k + NEST_WITHIN, in);
			k += NEST_WORK;
		}
		for (const family &f : n.families)
			for (int l = 0; l < loops; l++)
				put(t, k++, f.coef[l] ? f.coef[l] : ssize_int(0));
		for (const family &f : n.families)
			for (int l = 0; l < loops; l++)
				put(t, k++, extent(f, l));
		for (const family &f : n.families)
			for (bool up : {false, true})
				put(t, k++, range(f, up));
		for (const reference &r : n.refs) {
			long flags = (r.read ? NEST_READ : 0) | (r.write ? NEST_WRITE : 0), in = 0;
			flags |= r.size == NEST_SIZE ? 0 : NEST_SINGLE;
			flags |= n.survey ? 0 : NEST_EXACT;
			flags |= (r.flows ? NEST_FLOWS : 0) | (r.own ? NEST_OWN : 0) | (r.last ? NEST_LAST : 0);
			flags |= (r.ragged ? NEST_SHORTER : 0) | (r.upwards ? NEST_UPWARDS : 0);
			for (int l = r.loop; l >= 0; l = n.loops[l].parent) {
				in |= 1L << l;
				if (!exact(l))
					flags &= ~NEST_EXACT;
			}
			put(t, k + NEST_FAMILY, r.family);
			put(t, k + NEST_ARRAY, array_of(n, r.family));
			put(t, k + NEST_START, r.at.rest);
			put(t, k + NEST_FLAGS, flags);
			long fixed = 0;
			for (int l = 0; l < loops; l++)
				if (!n.survey && r.at.coef[l] && (l == 0 || l != n.stream) &&
				    stride_fixed(n, r.family, l))
					fixed |= 1L << l;
			put(t, k + NEST_INSIDE, in);
			put(t, k + NEST_FIXED, fixed);
			put(t, k + NEST_MAPPED, n.keep && !r.own ? kept_map(n, r.family) : NEST_MOVES);
			k += NEST_REF;
		}
		for (const variant &v : n.variants) {
			put(t, k + NEST_KERNEL, build_fold_addr_expr(v.kernel));
			put(t, k + NEST_USABLE, build_fold_addr_expr(v.usable));
			put(t, k + NEST_UNIT, v.lanes);
			put(t, k + NEST_JAMMED, v.jam_loop);
			k += NEST_VARIANT;
		}
	}

	/* The call of a function with two arguments and the loop's place: its result. */
	gcall *call_with(const char *name, tree a, tree b)
	{
		char where[300];
		expanded_location at = expand_location(n.where);
		snprintf(where, sizeof where, "%s:%d", at.file ? at.file : "", at.line);
		tree type = build_function_type_list(long_integer_type_node, ptr_type_node, TREE_TYPE(b), ptr_type_node,
						     NULL_TREE);
		gcall *c = gimple_build_call(build_fn_decl(name, type), 3, a, b,
					     build_string_literal(strlen(where) + 1, where));
		gimple_call_set_lhs(c, make_ssa_name(long_integer_type_node));
		gimple_set_location(c, n.where);
		gimple_seq_add_stmt(&seq, c);
		return c;
	}

	/* Fills table and data. */
	void fill(tree t, tree data)
	{
		table(t);
		for (int k = 0; k < (int)n.outside.size(); k++)
			put(data, data_outside(n, k), n.outside[k]);
	}

	tree call(tree data, tree t)
	{
		fill(t, data);
		gcall *c = call_with("psim_nest_run", build_fold_addr_expr(t), build_fold_addr_expr(data));
		kept_call(*n.in, c, data, t, n.keep != 0);
		return gimple_call_lhs(c);
	}

	/* Iterations of a loop, those of the loops around it, and all lanes, times a number. */
	tree all_times(long number, int loop)
	{
		tree times = ssize_int(number);
		for (int at = loop; at > 0; at = n.loops[at].parent)
			times = fold_build2(MULT_EXPR, ssizetype, times,
					    fold_build2(MAX_EXPR, ssizetype, most(at), ssize_int(0)));
		return fold_build2(MULT_EXPR, ssizetype, times, n.loops[0].count.rest);
	}

	/* Instructions of all lanes, about. */
	tree work()
	{
		tree sum = ssize_int(0);
		for (int l = 0; l < (int)n.loops.size(); l++) {
			nest_work w = work_of(n, l);
			sum = fold_build2(PLUS_EXPR, ssizetype, sum, all_times(w.arithmetic + w.loads + w.stores, l));
		}
		return sum;
	}

	/* The part of the work that pays for transfers if data may be in caches: half an instruction a byte. */
	tree paid()
	{
		tree sum = ssize_int(0);
		for (size_t f = 0; f < n.families.size(); f++) {
			int bytes = moved_bytes(n, (int)f), loop = loops_of(n, (int)f);
			if (bytes > 0 && loop >= 0)
				sum = fold_build2(PLUS_EXPR, ssizetype, sum, all_times(bytes / 2, loop));
		}
		return sum;
	}

	/* The final value of `name` if the array ran the nest. */
	tree final_value(tree name, tree known, tree data)
	{
		if (known)
			return value(known);
		std::vector<int> nodes = n.values[name];
		std::vector<tree> parts;
		for (int id : nodes)
			for (size_t k = 0; k < n.sums.size(); k++)
				if (n.sums[k].node == id || n.nodes[n.sums[k].node].b == id) {
					tree v = make_ssa_name(double_type_node);
					gimple_seq_add_stmt(&seq, gimple_build_assign(v, word(data, data_sum(n, (int)k),
											      double_type_node)));
					parts.push_back(n.nodes[id].type == double_type_node
								? v
								: value(fold_convert(n.nodes[id].type, v)));
					break;
				}
		if (parts.size() == 1)
			return parts[0];
		tree v = make_ssa_name(TREE_TYPE(name));
		gimple_seq_add_stmt(&seq, gimple_build_assign(v, COMPLEX_EXPR, parts[0], parts[1]));
		return v;
	}
};

/* Uses of `name` behind the nest become uses of what comes from both ways. */
void replace_outside(nest &n, tree name, tree by, gimple *but)
{
	imm_use_iterator it;
	gimple *s;
	FOR_EACH_IMM_USE_STMT(s, it, name)
	{
		if (s == but || (!is_gimple_debug(s) && flow_bb_inside_loop_p(n.outer, gimple_bb(s))))
			continue;
		if (is_gimple_debug(s))
			continue;
		use_operand_p use;
		FOR_EACH_IMM_USE_ON_STMT(use, it)
		SET_USE(use, by);
		update_stmt(s);
	}
}

} // namespace

/* Without a directive: no call for so few instructions that it would take longer. */
static void make_auto_facts(nest &n)
{
	int number = n.in->numbers++;
	char name[64];
	sprintf(name, "psim_least.%d", number);
	n.least_work = static_long(name, n.in->slow_ones ? -1 : AUTO_LEAST);
	sprintf(name, "psim_warm.%d", number);
	n.warm = static_long(name, n.in_caches);
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

/* Returns whether the test in front of the call fails even with the most iterations. */
static bool too_few(const nest &n)
{
	double left = 0;
	for (int l = 0; l < (int)n.loops.size(); l++) {
		nest_work w = work_of(n, l);
		double times = l == n.stream && l > 0 ? 0 : most_times(n, l);
		if (times < 0)
			return false;
		left += (w.arithmetic + w.loads + w.stores) * times;
	}
	for (size_t f = 0; f < n.families.size() && loop_depth(n.outer) > 1; f++) {
		int loop = loops_of(n, (int)f);
		if (loop >= 0)
			left -= moved_bytes(n, (int)f) / 2 * most_times(n, loop);
	}
	return left < AUTO_LEAST;
}

/* Returns whether transfers take longer than the scalar loop, with data in caches, however often the loops run. */
static bool too_many_bytes(const nest &n)
{
	int work = 0, bytes = 0;
	for (int l = 0; l < (int)n.loops.size(); l++) {
		nest_work w = work_of(n, l);
		work += w.arithmetic + w.loads + w.stores;
	}
	for (size_t f = 0; f < n.families.size(); f++) {
		int loop = loops_of(n, (int)f), loops = n.stream != 0;
		for (int l = loop; l >= 0; l = n.loops[l].parent)
			loops++;
		bytes += loops == (int)n.loops.size() ? moved_bytes(n, (int)f) : 0;
	}
	return 2 * work <= bytes;
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
	return std::max({w.arithmetic, (w.loads + 1) / 2, w.stores});
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
	if (n.survey || n.keep || most_times(n, 0) < 0 || around < 0)
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
		int loop = loops_of(n, (int)f);
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

/* Ends block `b` with a comparison of `work`; where it is less, `loop_comes` is next. */
static edge skip_less(basic_block b, gimple_seq seq, tree work, tree least, basic_block loop_comes)
{
	gimple_seq_add_stmt(&seq, gimple_build_cond(GE_EXPR, work, least, NULL_TREE, NULL_TREE));
	gimple_stmt_iterator g = gsi_last_bb(b);
	gsi_insert_seq_after(&g, seq, GSI_CONTINUE_LINKING);
	edge enough = single_succ_edge(b);
	enough->flags = (enough->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
	enough->probability = profile_probability::very_unlikely();
	enough->dest->count = enough->count();
	edge skip = make_edge(b, loop_comes, EDGE_FALSE_VALUE);
	skip->probability = profile_probability::very_likely();
	return skip;
}

/*
 * The tests in front of the call. In a loop, what is left of the work must be worth it, unless slow loops are wanted,
 * too. The first test is with a
 * constant, so that there is no call where GCC learns later how often the loops run. The way to the call is unlikely,
 * so that registers are those of the scalar loop: what the call adds to its own time is little.
 */
static std::vector<edge> skip_few(nest &n, basic_block few, basic_block loop_comes)
{
	caller c(n);
	tree left = c.work();
	if (loop_depth(n.outer) > 1 && !n.in->slow_ones)
		left = fold_build2(MINUS_EXPR, ssizetype, left, c.paid());
	tree work = c.value(left), least = make_ssa_name(long_integer_type_node);
	basic_block again = split_edge(single_succ_edge(few));
	edge never = skip_less(few, c.seq, work, ssize_int(n.in->slow_ones ? -1 : AUTO_LEAST), loop_comes);
	c.seq = NULL;
	gimple_seq_add_stmt(&c.seq, gimple_build_assign(least, n.least_work));
	tree converted = c.value(fold_convert(ssizetype, least));
	return {never, skip_less(again, c.seq, work, converted, loop_comes)};
}

/*
 * Behind the scalar loop of a directive, the comparison with what the array has stored, if the call has said so.
 * Returns the edge from the loop to `after`, and in `compared` the one from the comparison.
 */
static edge compare_behind(nest &n, tree done, basic_block after, edge *compared)
{
	basic_block test = split_edge(single_exit(n.outer)), compare = create_empty_bb(test);
	add_bb_to_loop(compare, loop_outer(n.outer));
	gimple_stmt_iterator g = gsi_last_bb(test);
	gsi_insert_after(
		&g, gimple_build_cond(LT_EXPR, done, build_int_cst(long_integer_type_node, 0), NULL_TREE, NULL_TREE),
		GSI_CONTINUE_LINKING);
	edge leaves = single_succ_edge(test), to = make_edge(test, compare, EDGE_TRUE_VALUE);
	leaves->flags = (leaves->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	leaves->probability = profile_probability::very_likely();
	to->probability = profile_probability::very_unlikely();
	compare->count = to->count();
	gcall *c = gimple_build_call(
		build_fn_decl("psim_nest_compare", build_function_type_list(void_type_node, NULL_TREE)), 0);
	gimple_set_location(c, n.where);
	g = gsi_last_bb(compare);
	gsi_insert_after(&g, c, GSI_CONTINUE_LINKING);
	*compared = make_edge(compare, after, EDGE_FALLTHRU);
	(*compared)->probability = profile_probability::always();
	return leaves;
}

static int table_words(const nest &n)
{
	int loops = (int)n.loops.size(), families = (int)n.families.size();
	return NEST_HEADER + loops * (1 + NEST_WORK + 2 * families) + 2 * families + NEST_REF * (int)n.refs.size() +
	       NEST_VARIANT * (int)n.variants.size();
}

/* The call of all parts: its result, in the seq of `c`. */
static tree call_parts(caller &c, std::vector<nest> &parts)
{
	tree list = c.array(2 * (int)parts.size(), "psim_parts");
	for (size_t k = 0; k < parts.size(); k++) {
		caller of(parts[k]);
		tree data = of.array(data_words(parts[k]), "psim_data"),
		     table = of.array(table_words(parts[k]), "psim_table");
		of.fill(table, data);
		gimple_seq_add_seq(&c.seq, of.seq);
		c.put_address(list, 2 * (int)k, table);
		c.put_address(list, 2 * (int)k + 1, data);
		c.n.in->own_arrays.insert(table);
		c.n.in->own_arrays.insert(data);
	}
	gcall *made = c.call_with("psim_nest_run_parts", build_fold_addr_expr(list),
				  build_int_cst(long_integer_type_node, (long)parts.size()));
	kept_call(*c.n.in, made, list, list, false);
	return gimple_call_lhs(made);
}

/* The call in front of the loop, and the ways around one of both; `parts`: of a loop that has become several nests. */
static void call_before(nest &n, std::vector<nest> *parts)
{
	caller c(n);
	if (n.automatic)
		make_auto_facts(n);
	for (size_t k = 0; parts && k < parts->size(); k++) {
		(*parts)[k].least_work = n.least_work;
		(*parts)[k].warm = n.warm;
	}
	basic_block few = n.automatic ? split_edge(loop_preheader_edge(n.outer)) : NULL;
	basic_block before = split_edge(loop_preheader_edge(n.outer));
	basic_block after = split_edge(single_exit(n.outer));
	tree data = NULL_TREE, done;
	if (parts) {
		done = call_parts(c, *parts);
	} else {
		data = c.array(data_words(n), "psim_data");
		done = c.call(data, c.array(table_words(n), "psim_table"));
	}
	gimple_seq_add_stmt(&c.seq, gimple_build_cond(GT_EXPR, done, build_int_cst(long_integer_type_node, 0),
						      NULL_TREE, NULL_TREE));
	gimple_stmt_iterator g = gsi_last_bb(before);
	gsi_insert_seq_after(&g, c.seq, GSI_CONTINUE_LINKING);
	c.seq = NULL;

	edge scalar = single_succ_edge(before);
	basic_block ran = create_empty_bb(before);
	add_bb_to_loop(ran, loop_outer(n.outer));
	scalar->flags = (scalar->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	scalar->probability = profile_probability::even();
	edge to = make_edge(before, ran, EDGE_TRUE_VALUE);
	to->probability = profile_probability::even();
	ran->count = to->count();
	edge joins = make_edge(ran, after, EDGE_FALLTHRU);
	joins->probability = profile_probability::always();
	basic_block loop_comes = split_edge(scalar);
	nest_place place = {loop_comes, ran, single_pred_edge(loop_comes), {}, done, loop_depth(n.outer) == 1, !n.keep};
	if (few)
		place.few = skip_few(n, few, loop_comes);
	n.in->places.push_back(place);
	edge compared = NULL, leaves = n.automatic ? single_exit(n.outer) : compare_behind(n, done, after, &compared);

	for (auto &r : n.results) {
		tree by = make_ssa_name(TREE_TYPE(r.first));
		gphi *phi = create_phi_node(by, after);
		replace_outside(n, r.first, by, phi);
		add_phi_arg(phi, r.first, leaves, UNKNOWN_LOCATION);
		if (compared)
			add_phi_arg(phi, r.first, compared, UNKNOWN_LOCATION);
		add_phi_arg(phi, c.final_value(r.first, r.second, data), joins, UNKNOWN_LOCATION);
	}
	g = gsi_last_bb(ran);
	gsi_insert_seq_after(&g, c.seq, GSI_CONTINUE_LINKING);
}

void nest_call(nest &n)
{
	call_before(n, NULL);
}

void nest_call_parts(nest &whole, std::vector<nest> &parts)
{
	call_before(whole, &parts);
}
