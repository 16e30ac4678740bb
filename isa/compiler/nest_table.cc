/*
 * The words of a nest's table and data (psim_nest.h), each stored by a statement in front of the call. Counts and
 * distances are trees of the function, so they are known at the latest when the call is reached.
 */
#include "nest_table.hh"

#include "gimple-expr.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "psim_nest.h"

tree table_writer::array(int words, const char *name)
{
	tree a = create_tmp_var(build_array_type_nelts(long_integer_type_node, words), name);
	TREE_ADDRESSABLE(a) = 1;
	return a;
}

tree table_writer::value(tree v)
{
	gimple_seq more = NULL;
	tree o = force_gimple_operand(unshare_expr(v), &more, true, NULL_TREE);
	gimple_seq_add_seq(&seq, more);
	return o;
}

tree table_writer::word(tree a, int k, tree type)
{
	return build2(MEM_REF, type, build_fold_addr_expr(a), build_int_cst(ptr_type_node, 8 * k));
}

void table_writer::put(tree a, int k, tree v)
{
	tree type = SCALAR_FLOAT_TYPE_P(TREE_TYPE(v)) ? part_type(TREE_TYPE(v)) : long_integer_type_node;
	tree o = value(fold_convert(type, v));
	gimple_seq_add_stmt(&seq, gimple_build_assign(word(a, k, type), o));
}

void table_writer::put(tree a, int k, long v)
{
	put(a, k, build_int_cst(long_integer_type_node, v));
}

void table_writer::put_address(tree a, int k, tree object)
{
	put(a, k, object ? build_fold_addr_expr(object) : build_int_cst(long_integer_type_node, 0));
}

/* The most that a loop counts, whatever the outer ones are at. */
tree table_writer::most(int loop)
{
	const affine &c = n.loops[loop].count;
	tree sum = c.rest;
	for (int l = 0; l < (int)n.loops.size(); l++)
		if (c.coef[l]) {
			tree top = l == 0 ? n.loops[0].count.rest : most(l);
			tree last = fold_build2(MAX_EXPR, ssizetype,
						fold_build2(MINUS_EXPR, ssizetype, top, ssize_int(1)), ssize_int(0));
			tree grown = fold_build2(MULT_EXPR, ssizetype, c.coef[l], last);
			sum = fold_build2(PLUS_EXPR, ssizetype, sum,
					  fold_build2(MAX_EXPR, ssizetype, grown, ssize_int(0)));
		}
	return n.loops[loop].at_end ? fold_build2(MAX_EXPR, ssizetype, sum, ssize_int(1)) : sum;
}

/* Loops of a family that have the stride of loop `l`: bits. */
long table_writer::group(const family &f, int l) const
{
	long bits = 0;
	for (int k = 1; k < (int)n.loops.size(); k++)
		if (l > 0 && l != n.stream && k != n.stream && f.coef[k] && operand_equal_p(f.coef[l], f.coef[k], 0))
			bits |= 1L << k;
	return bits;
}

/* Returns whether a loop's count is affine in the loops around it, with constants. */
bool table_writer::affine_count(int l) const
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
tree table_writer::largest(std::vector<tree> weight, bool *known)
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
				weight[k] = weight[k] ? fold_build2(PLUS_EXPR, ssizetype, weight[k], more) : more;
			}
	}
	return sum;
}

/* The table's word on a loop of a family: how many places it goes through, or the loop that it joins. */
tree table_writer::extent(const family &f, int l)
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

bool table_writer::joins() const
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
tree table_writer::range(const family &f, bool up)
{
	std::vector<tree> weight = f.coef;
	bool known = true;
	for (tree &w : weight)
		if (w && !up)
			w = fold_build1(NEGATE_EXPR, ssizetype, w);
	return largest(weight, &known);
}

bool table_writer::exact(int loop) const
{
	for (tree c : n.loops[loop].count.coef)
		if (c)
			return false;
	return true;
}

void table_writer::header(tree t)
{
	long ragged = 0;
	put(t, NEST_LANES, n.loops[0].count.rest);
	put(t, NEST_LOOPS, (long)n.loops.size());
	put(t, NEST_FAMILIES, (long)n.families.size());
	put(t, NEST_REFS, (long)n.refs.size());
	put(t, NEST_SUMS, (long)n.sums.size());
	put(t, NEST_VARIANTS, (long)n.variants.size());
	put(t, NEST_STREAM, n.stream);
	put_address(t, NEST_AUTO, n.least_work);
	put_address(t, NEST_WARM, n.warm);
	put(t, NEST_REGROUPED, n.regrouped || flag_associative_math);
	put(t, NEST_RESIDENT, n.region_line != 0);
	put_address(t, NEST_SURVEY, n.survey);
	put(t, NEST_JOINED, joins());
	put(t, NEST_INTERCHANGED, n.interchanged || n.beside);
	for (size_t l = 1; l < n.loops.size(); l++)
		ragged |= n.loops[l].ragged ? 1L << l : 0;
	put(t, NEST_RAGGED, ragged);
	put(t, NEST_FIRST, n.ragged < 0 ? ssize_int(0) : n.loops[n.ragged].count.rest);
	put(t, NEST_SAFELEN, n.safelen);
	put(t, NEST_MORE, n.ragged < 0 ? ssize_int(0) : n.loops[n.ragged].count.coef[0]);
}

/* Bits of a loop and those around it. */
long table_writer::inside(int loop) const
{
	long in = 0;
	for (int l = loop; l >= 0; l = n.loops[l].parent)
		in |= 1L << l;
	return in;
}

int table_writer::loops(tree t, int k)
{
	for (int l = 0; l < (int)n.loops.size(); l++)
		put(t, k++, most(l));
	for (int l = 0; l < (int)n.loops.size(); l++) {
		nest_work w = work_of(n, l);
		put(t, k + NEST_ARITHMETIC, w.arithmetic);
		put(t, k + NEST_LOADS, w.loads);
		put(t, k + NEST_STORES, w.stores);
		put(t, k + NEST_WITHIN, inside(l) & ~1L);
		k += NEST_WORK;
	}
	return k;
}

int table_writer::families(tree t, int k)
{
	for (const family &f : n.families)
		for (size_t l = 0; l < n.loops.size(); l++)
			put(t, k++, f.coef[l] ? f.coef[l] : ssize_int(0));
	for (const family &f : n.families)
		for (size_t l = 0; l < n.loops.size(); l++)
			put(t, k++, extent(f, (int)l));
	for (const family &f : n.families)
		for (bool up : {false, true})
			put(t, k++, range(f, up));
	return k;
}

/* enum nest_flags of a reference. */
long table_writer::flags(const reference &r) const
{
	bool counted = !n.survey;
	for (int l = r.loop; l >= 0; l = n.loops[l].parent)
		counted = counted && exact(l);
	return (r.read ? NEST_READ : 0) | (r.write ? NEST_WRITE : 0) | (r.size == NEST_SIZE ? 0 : NEST_SINGLE) |
	       (counted ? NEST_EXACT : 0) | (r.flows ? NEST_FLOWS : 0) | (r.private_copy ? NEST_PRIVATE : 0) |
	       (r.last ? NEST_LAST : 0) | (r.ragged ? NEST_SHORTER : 0) | (r.upwards ? NEST_UPWARDS : 0) |
	       (r.twin ? NEST_TWIN : 0) | (r.at.data ? NEST_COPIED : 0);
}

/* Bits of the loops in which the kernel has a reference's stride as a constant. */
long table_writer::fixed(const reference &r) const
{
	long bits = 0;
	for (int l = 0; l < (int)n.loops.size(); l++)
		if (!n.survey && r.at.coef[l] && (l == 0 || l != n.stream) && stride_fixed(n, r.family, l))
			bits |= 1L << l;
	return bits;
}

int table_writer::references(tree t, int k)
{
	for (const reference &r : n.refs) {
		put(t, k + NEST_FAMILY, r.family);
		put(t, k + NEST_ARRAY, array_of(n, r.family));
		put(t, k + NEST_START, r.at.rest);
		put(t, k + NEST_FLAGS, flags(r));
		put(t, k + NEST_INSIDE, inside(r.loop));
		put(t, k + NEST_FIXED, fixed(r));
		put(t, k + NEST_MAPPED, n.region_line && !r.private_copy ? resident_map(n, r.family) : NEST_MOVES);
		k += NEST_REF;
	}
	return k;
}

int table_writer::variants(tree t, int k)
{
	for (const variant &v : n.variants) {
		put(t, k + NEST_KERNEL, build_fold_addr_expr(v.kernel));
		put(t, k + NEST_USABLE, build_fold_addr_expr(v.usable));
		put(t, k + NEST_UNIT, v.lanes);
		put(t, k + NEST_JAMMED, v.jam_loop | (v.pairs ? (int)NEST_PAIRS : 0));
		k += NEST_VARIANT;
	}
	return k;
}

/* The type that a reference loads: enum nest_subscript. */
static long subscript_type(const nest &n, int ref)
{
	if (n.refs[ref].size == NEST_SIZE)
		return NEST_LONG;
	for (const node &v : n.nodes)
		if (v.kind == NODE_LOAD && v.ref == ref && v.is_unsigned)
			return NEST_UNSIGNED;
	return NEST_INT;
}

void table_writer::gather(tree t, int k, int ref)
{
	const reference &r = n.refs[ref];
	put(t, k + NEST_GATHERED, ref);
	put(t, k + NEST_SUBSCRIPT, r.of_row ? (long)NEST_OF_ROW : (long)r.subscript);
	put(t, k + NEST_BY, r.at.data_by);
	put(t, k + NEST_LEAST, (long)r.low);
	put(t, k + NEST_MOST, r.subscript < 0 ? (long)r.high : subscript_type(n, r.subscript));
}

void table_writer::chains(tree t, int k)
{
	for (int l = 0; l < (int)n.loops.size(); l++)
		put(t, k++, chain_of(n, l));
	for (int l = 0; l < (int)n.loops.size(); l++)
		put(t, k++, work_of(n, l).divider);
	int gathers = 0;
	for (const reference &r : n.refs)
		gathers += r.at.data != NULL_TREE;
	put(t, k++,
	    (long)nest_numbered(n) | (n.row_loop >= 0 ? 1L << NEST_HAS_ROWS : 0) | (long)gathers << NEST_GATHERS);
	for (const sum &s : n.sums) {
		long kind = s.code == BIT_XOR_EXPR   ? (long)NEST_XOR
			    : s.code == BIT_IOR_EXPR ? (long)NEST_OR
						     : (long)NEST_INTEGER_SUM;
		put(t, k++, is_integer(n.nodes[s.node]) ? kind : (long)NEST_REAL_SUM);
	}
	for (size_t r = 0; r < n.refs.size(); r++)
		if (n.refs[r].at.data) {
			gather(t, k, (int)r);
			k += NEST_GATHER;
		}
	if (n.row_loop >= 0) {
		put(t, k + NEST_ROW_BEGIN, n.row_begin);
		put(t, k + NEST_ROW_BEGIN_TYPE, subscript_type(n, n.row_begin));
		put(t, k + NEST_ROW_END, n.row_end);
		put(t, k + NEST_ROW_END_TYPE, subscript_type(n, n.row_end));
		put(t, k + NEST_ROW_LOOP, n.row_loop);
	}
}

void table_writer::fill(tree t, tree data)
{
	header(t);
	chains(t, variants(t, references(t, families(t, loops(t, NEST_HEADER)))));
	for (int k = 0; k < (int)n.outside.size(); k++)
		put(data, data_outside(n, k), n.outside[k]);
}

int table_words(const nest &n)
{
	int gathers = 0;
	for (const reference &r : n.refs)
		gathers += r.at.data != NULL_TREE;
	int loops = (int)n.loops.size(), families = (int)n.families.size();
	return NEST_HEADER + loops * (3 + NEST_WORK + 2 * families) + 2 * families + NEST_REF * (int)n.refs.size() +
	       NEST_VARIANT * (int)n.variants.size() + 1 + (int)n.sums.size() + NEST_GATHER * gathers +
	       (n.row_loop >= 0 ? NEST_ROWS : 0);
}
