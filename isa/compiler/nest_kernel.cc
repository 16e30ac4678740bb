/*
 * Writes a nest as a function of its data (psim_nest.h), in GENERIC. All lanes of a group are computed statement by
 * statement, and so are the interleaved iterations of an inner loop.
 */
#include "nest_array_code.hh"

#include "cgraph.h"
#include "diagnostic-core.h"
#include "fold-const.h"
#include "function.h"
#include "gimple-expr.h"
#include "gimplify.h"
#include "langhooks.h"
#include "options.h"
#include "psim_nest.h"
#include "stringpool.h"
#include "attribs.h"
#include "opts.h"

int data_base(const nest &, int base)
{
	return DATA_HEADER + base;
}

int data_stride(const nest &n, int base, int loop)
{
	return DATA_HEADER + (int)n.refs.size() + base * (int)n.loops.size() + loop;
}

int data_sum(const nest &n, int sum)
{
	return data_stride(n, (int)n.refs.size(), 0) + sum;
}

int data_outside(const nest &n, int slot)
{
	return data_sum(n, (int)n.sums.size()) + slot;
}

int data_words(const nest &n)
{
	return data_outside(n, (int)n.outside.size());
}

bool nest_numbered(const nest &n)
{
	for (const node &v : n.nodes)
		if (v.kind == NODE_NUMBER && v.number.coef[0])
			return true;
	return false;
}

static bool at_most(tree c, HOST_WIDE_INT most)
{
	return c && TREE_CODE(c) == INTEGER_CST && compare_tree_int(fold_build1(ABS_EXPR, ssizetype, c), most) <= 0;
}

/*
 * Strides of one or two elements are part of a run of bytes, which is in the buffer memory as it is in memory, unless
 * the lanes' stride is smaller: then they are rows.
 */
bool stride_fixed(const nest &n, int family, int loop)
{
	const struct family &f = n.families[family];
	tree c = f.coef[loop];
	if (!f.lane)
		return TREE_CODE(c) == INTEGER_CST;
	if (!at_most(c, 2 * f.size))
		return false;
	return loop == 0 || at_most(c, f.size) || !at_most(f.coef[0], f.size);
}

int nest_outside(nest &n, tree value)
{
	for (size_t k = 0; k < n.outside.size(); k++)
		if (TREE_TYPE(n.outside[k]) == TREE_TYPE(value) && operand_equal_p(n.outside[k], value, 0))
			return (int)k;
	n.outside.push_back(value);
	return (int)n.outside.size() - 1;
}

namespace
{

/* GCC's prefetch; Fortran's front end does not declare it. */
tree prefetch_function()
{
	if (!builtin_decl_explicit_p(BUILT_IN_PREFETCH)) {
		tree type = build_varargs_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
		tree f = add_builtin_function("__builtin_prefetch", type, BUILT_IN_PREFETCH, BUILT_IN_NORMAL, NULL,
					      NULL_TREE);
		DECL_IS_NOVOPS(f) = true;
		set_builtin_decl(BUILT_IN_PREFETCH, f, false);
	}
	return builtin_decl_explicit(BUILT_IN_PREFETCH);
}

enum { LINE = 64 }; /* bytes of a cache line of the simulated processor */

struct writer : array_code_writer {
	std::vector<std::vector<tree>> copies;    /* of a node's value */
	std::vector<tree> index;                  /* of loops */
	int lanes = 1, jam = 1, loop_written = 0; /* lanes: pairs of them count once */
	bool pairs = false;
	std::vector<const reference *> ahead; /* of the loop body that is written: their lines are prefetched */

	writer(nest &of, const char *name) : array_code_writer(of, name)
	{
	}

	tree index_of(int loop, int u, int v)
	{
		int more = loop == 0 ? u : loop == n.jam_loop ? v : 0;
		return plus(index[loop], ssize_int(more));
	}

	/* An affine integer at the present indices. */
	tree number(const affine &a, int v)
	{
		tree sum = outside(a.rest);
		if (!a.coef.empty() && a.coef[0]) /* as often as the last lane */
			sum = plus(sum, times(outside(a.coef[0]), word(DATA_LAST, ssizetype)));
		for (size_t l = 1; l < a.coef.size(); l++)
			if (a.coef[l])
				sum = plus(sum, times(outside(a.coef[l]), index_of((int)l, 0, v)));
		return sum;
	}

	/* An affine integer as a real number; of a lane, from the number of the PE's first one, behind its sums. */
	tree real_number(const node &k, int u, int v)
	{
		affine rest = k.number;
		if (!k.number.coef[0])
			return build1(FLOAT_EXPR, k.type, number(rest, v));
		rest.coef[0] = NULL_TREE;
		tree slot = plus(word(DATA_SUMS, ssizetype), ssize_int(8 * (HOST_WIDE_INT)n.sums.size()));
		tree first = memory(double_type_node, fold_convert(ptr_type_node, slot), BASE_SUMS);
		tree lane = build2(PLUS_EXPR, double_type_node, first,
				   build1(FLOAT_EXPR, double_type_node, index_of(0, u, v)));
		tree sum = build2(MULT_EXPR, double_type_node, lane,
				  build_real_from_int_cst(double_type_node, k.number.coef[0]));
		sum = build2(PLUS_EXPR, double_type_node, sum, build1(FLOAT_EXPR, double_type_node, number(rest, v)));
		return k.type == double_type_node ? sum : build1(NOP_EXPR, k.type, sum);
	}

	/* The same as an integer of the array. */
	void integer_number(tree to, const node &k, int u, int v)
	{
		if (!k.number.coef[0])
			return integer_of_long(to, number(k.number, v));
		node real = k;
		real.type = double_type_node;
		tree number = variable(double_type_node);
		set(number, real_number(real, u, v));
		convert(to, true, number);
	}

	/* Where the array keeps it: short constant strides stay as they are, others the run-time routine chooses. */
	tree stride(const reference &r, int loop)
	{
		if (stride_fixed(n, r.family, loop))
			return n.families[r.family].coef[loop];
		return word(data_stride(n, r.base, loop), ssizetype);
	}

	tree address(const reference &r, int u, int v)
	{
		tree sum = word(data_base(n, r.base), ssizetype);
		for (size_t l = 0; l < n.loops.size(); l++)
			if (r.at.coef[l] && (l == 0 || (int)l != n.stream))
				sum = plus(sum, times(stride(r, (int)l), index_of((int)l, u, v)));
		return fold_convert(ptr_type_node, sum);
	}

	tree place(const reference &r, int u, int v)
	{
		return memory(r.size == NEST_SIZE ? double_type_node : float_type_node, address(r, u, v),
			      n.families[r.family].lane ? BASE_FAMILY + array_of(n, r.family) : BASE_UNIFORM);
	}

	tree of(int id, int u, int v)
	{
		const node &k = n.nodes[id];
		if (k.kind == NODE_CONST || k.kind == NODE_OUTSIDE)
			return pairs           ? pair_outside(k.value)
			       : is_integer(k) ? integer_outside(k.value)
					       : outside(k.value);
		std::vector<tree> &c = copies[id];
		size_t at = (size_t)((k.lane ? u : 0) * n.jam + (k.jam ? v : 0));
		if (c.size() <= at)
			c.resize(at + 1);
		if (!c[at])
			c[at] = variable(pairs           ? double_type_node
					 : k.subscript   ? float_type_node
					 : is_integer(k) ? double_type_node
							 : k.type);
		return c[at];
	}

	bool fetched_ahead(const reference &r)
	{
		for (const reference *f : ahead) {
			tree apart = fold_build2(MINUS_EXPR, ssizetype, f->at.rest, r.at.rest);
			if (f->family == r.family && at_most(apart, LINE))
				return true;
		}
		return false;
	}

	/*
	 * A broadcast value comes through the core's caches. Where its inner loop goes from line to line, as down a
	 * column, and the loop around goes along the lines, the lines of that loop's next step are prefetched.
	 */
	void fetch_ahead(const reference &r)
	{
		int inner = r.loop, around = n.loops[inner].parent;
		if (n.families[r.family].lane || around <= 0 || !r.at.coef[inner] || !r.at.coef[around] ||
		    at_most(r.at.coef[inner], LINE) || fetched_ahead(r))
			return;
		int step = around == n.jam_loop ? jam : 1;
		if (!at_most(fold_build2(MULT_EXPR, ssizetype, r.at.coef[around], ssize_int(step)), LINE))
			return;
		ahead.push_back(&r);
		tree last = times(stride(r, around), ssize_int(2 * step - 1));
		tree to = fold_build_pointer_plus(address(r, 0, 0), fold_convert(sizetype, last));
		put(build_call_expr(prefetch_function(), 3, to, integer_zero_node,
				    build_int_cst(integer_type_node, 3)));
	}

	/* The suffix of a conditional move; of these, < and the like are invalid for any NaN, as C has them. */
	static const char *condition(tree_code code)
	{
		switch (code) {
		case LT_EXPR: return "l";
		case LE_EXPR: return "le";
		case GT_EXPR: return "g";
		case GE_EXPR: return "ge";
		case EQ_EXPR: return "e";
		case NE_EXPR: return "ne";
		case UNLT_EXPR: return "ul";
		case UNLE_EXPR: return "ule";
		case UNGT_EXPR: return "ug";
		case UNGE_EXPR: return "uge";
		case UNEQ_EXPR: return "ue";
		case LTGT_EXPR: return "lg";
		case ORDERED_EXPR: return "o";
		default: return "u";
		}
	}

	/* An instruction on integers; a product that joins a sum is computed there. */
	void compute_integer(int id, int u, int v)
	{
		const node &k = n.nodes[id];
		bool left = k.code == PLUS_EXPR && joins(k.a), right = k.code == PLUS_EXPR && !left && joins(k.b);
		if (k.code == FIX_TRUNC_EXPR)
			convert(of(id, u, v), true, of(k.a, u, v));
		else if (left || right) {
			const node &p = n.nodes[left ? k.a : k.b];
			multiply_add(of(id, u, v), of(p.a, u, v), of(p.b, u, v), of(left ? k.b : k.a, u, v));
		} else if (!joins(id))
			operate(of(id, u, v), k.code, k.is_unsigned, of(k.a, u, v), of(k.b, u, v));
	}

	/* Returns whether an integer is a product that becomes a part of a sum in the same loop. */
	bool joins(int id)
	{
		const node &k = n.nodes[id];
		return is_integer(k) && k.kind == NODE_OP && k.code == MULT_EXPR &&
		       joins_sum(n, n.loops[loop_written], id);
	}

	/* A comparison and a conditional move; the compiler's own code would branch. */
	void choose(tree to, const node &k, tree x, tree y, tree a, tree b)
	{
		bool single = n.nodes[k.x].type == float_type_node, moves_single = k.type == float_type_node;
		bool signals = k.code == LT_EXPR || k.code == LE_EXPR || k.code == GT_EXPR || k.code == GE_EXPR;
		bool whole = is_integer(n.nodes[k.x]);
		char text[80], compare[40];
		sprintf(compare, "fcmp%s%c\t%%%%fcc0,", signals ? "e" : "", single ? 's' : 'd');
		array_macros(*n.in);
		sprintf(text, "%s %%1, %%2\n\tfmov%c%s\t%%%%fcc0, %%3, %%0", whole ? "psim_nest_cmpx" : compare,
			moves_single ? 's' : 'd', condition(k.code));
		tree result = variable(is_integer(k) ? double_type_node : k.type), inputs = NULL_TREE;
		const std::pair<const char *, tree> in[] = {
			{single ? "f" : "e", x}, {single ? "f" : "e", y}, {moves_single ? "f" : "e", a}, {"0", b}};
		for (int at = 3; at >= 0; at--)
			inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, in[at].first)), in[at].second,
					   inputs);
		tree out = build_tree_list(build_tree_list(NULL_TREE, build_string(3, moves_single ? "=f" : "=e")),
					   result);
		put(build5(ASM_EXPR, void_type_node, build_string((int)strlen(text), text), out, inputs,
			   build_tree_list(NULL_TREE, build_string(5, "fcc0")), NULL_TREE));
		set(to, result);
	}

	/* An operation on two lanes; as on the scalar core, a product joins a sum. */
	void compute_pair(int id, int u, int v)
	{
		const node &k = n.nodes[id];
		tree to = of(id, u, v);
		bool left = k.code == PLUS_EXPR && joins_in(k.a), right = !left && k.code != MULT_EXPR && joins_in(k.b);
		if (k.code == MULT_EXPR)
			joins_in(id) ? void() : pair_operate(to, MULT_EXPR, of(k.a, u, v), of(k.b, u, v));
		else if (k.b < 0)
			pair_operate(to, k.code, of(k.a, u, v), NULL_TREE);
		else if (left || right) {
			const node &p = n.nodes[left ? k.a : k.b];
			pair_multiply_add(to, k.code == MINUS_EXPR, of(p.a, u, v), of(p.b, u, v),
					  of(left ? k.b : k.a, u, v));
		} else if (joins_in(k.a)) { /* less something: no instruction */
			const node &p = n.nodes[k.a];
			tree product = variable(double_type_node);
			pair_operate(product, MULT_EXPR, of(p.a, u, v), of(p.b, u, v));
			pair_operate(to, MINUS_EXPR, product, of(k.b, u, v));
		} else {
			pair_operate(to, k.code, of(k.a, u, v), of(k.b, u, v));
		}
	}

	bool joins_in(int id)
	{
		return id >= 0 && joins_sum(n, n.loops[loop_written], id);
	}

	/* A load, a store or an operation of two lanes. */
	void compute_lanes(int id, int u, int v)
	{
		const node &k = n.nodes[id];
		if (k.kind == NODE_LOAD) {
			if (u == 0 && v == 0)
				fetch_ahead(n.refs[k.ref]);
			pair_load(of(id, u, v), place(n.refs[k.ref], 2 * u, v),
				  place(n.refs[k.ref], k.lane ? 2 * u + 1 : 2 * u, v));
		} else if (k.kind == NODE_STORE) {
			pair_store(place(n.refs[k.ref], 2 * u, v), place(n.refs[k.ref], 2 * u + 1, v), of(k.a, u, v));
		} else {
			compute_pair(id, u, v);
		}
	}

	void compute(int id, int u, int v)
	{
		const node &k = n.nodes[id];
		if (pairs)
			return compute_lanes(id, u, v);
		switch (k.kind) {
		case NODE_LOAD:
			if (u == 0 && v == 0 && k.a < 0)
				fetch_ahead(n.refs[k.ref]);
			if (k.a >= 0)
				gather(k, of(id, u, v), address(n.refs[k.ref], u, v), of(k.a, u, v));
			else if (is_integer(k) && !k.subscript && n.refs[k.ref].size == NEST_SINGLE_SIZE)
				load_integer(of(id, u, v), place(n.refs[k.ref], u, v), k.is_unsigned);
			else
				set(of(id, u, v), place(n.refs[k.ref], u, v));
			break;
		case NODE_STORE: {
			if (k.b >= 0) {
				scatter(k, address(n.refs[k.ref], u, v), of(k.b, u, v), of(k.a, u, v));
				break;
			}
			tree value = of(k.a, u, v);
			if (is_integer(k) && n.refs[k.ref].size == NEST_SINGLE_SIZE) {
				store_integer(place(n.refs[k.ref], u, v), value);
				break;
			}
			if (n.nodes[k.a].kind != NODE_OP && !CONSTANT_CLASS_P(value)) {
				tree copy = variable(is_integer(k) ? double_type_node : n.nodes[k.a].type);
				set(copy, value);
				keep_real(copy);
				value = copy;
			}
			set(place(n.refs[k.ref], u, v), value);
			break;
		}
		case NODE_FIRST: set(of(id, u, v), first_of_rows(k)); break;
		case NODE_NUMBER:
			if (is_integer(k))
				integer_number(of(id, u, v), k, u, v);
			else
				set(of(id, u, v), real_number(k, u, v));
			break;
		default:
			if (k.x >= 0)
				choose(of(id, u, v), k, of(k.x, u, v), of(k.y, u, v), of(k.a, u, v), of(k.b, u, v));
			else if (k.function != IFN_LAST)
				set(of(id, u, v), called(k.function, of(k.a, u, v)));
			else if (is_integer(k))
				compute_integer(id, u, v);
			else if (k.code == FLOAT_EXPR)
				convert(of(id, u, v), false, of(k.a, u, v));
			else
				set(of(id, u, v), k.b < 0 ? build1(k.code, k.type, of(k.a, u, v))
							  : build2(k.code, k.type, of(k.a, u, v), of(k.b, u, v)));
		}
	}

	template <typename F> void each_copy(int id, F &&f)
	{
		const node k = n.nodes[id];
		for (int u = 0; u < (k.lane ? lanes : 1); u++)
			for (int v = 0; v < (k.jam ? jam : 1); v++)
				f(u, v);
	}

	/* all values that an iteration passes to the next, in parallel */
	void carry(int loop)
	{
		std::vector<std::pair<tree, tree>> moves;
		for (int id : n.loops[loop].carried)
			each_copy(id, [&](int u, int v) {
				tree next = variable(TREE_TYPE(of(id, u, v)));
				set(next, of(n.nodes[id].b, u, v));
				moves.push_back({of(id, u, v), next});
			});
		for (auto &m : moves)
			set(m.first, m.second);
	}

	void start(int loop)
	{
		for (int id : n.loops[loop].carried)
			each_copy(id, [&](int u, int v) { set(of(id, u, v), of(n.nodes[id].a, u, v)); });
	}

	void body(int loop)
	{
		ahead.clear();
		for (const step &s : n.loops[loop].body) {
			loop_written = loop;
			if (s.loop >= 0)
				inner(s.loop);
			else
				each_copy(s.node, [&](int u, int v) { compute(s.node, u, v); });
		}
	}

	/* Steps of `by` from the present index on, as long as a whole one is left. */
	template <typename F> void counted(int loop, tree count, int by, bool at_end, F &&f)
	{
		tree limit = variable(ssizetype), top = label(), end = label();
		set(limit, fold_build2(MINUS_EXPR, ssizetype, count, ssize_int(by - 1)));
		if (!at_end)
			go_if(not_less(index[loop], limit), end);
		here(top);
		f();
		set(index[loop], plus(index[loop], ssize_int(by)));
		if (at_end) { /* what is handed on stays as it was in the last iteration */
			go_if(not_less(index[loop], limit), end);
			carry(loop);
			put(build1(GOTO_EXPR, void_type_node, top));
		} else {
			carry(loop);
			go_if(less(index[loop], limit), top);
		}
		here(end);
	}

	/* How often a loop over rows runs for the lanes that are computed together. */
	tree longest_row()
	{
		tree most = variable(ssizetype);
		for (int u = 0; u < lanes; u++) {
			tree at = plus(word(DATA_ROWS, ssizetype), times(index_of(0, u, 0), ssize_int(8)));
			tree one = variable(ssizetype);
			set(one, memory(ssizetype, fold_convert(ptr_type_node, at), BASE_UNIFORM));
			set(most, u == 0 ? one : build2(MAX_EXPR, ssizetype, most, one));
		}
		return most;
	}

	/* A word of the routine on the rows of the PE, behind sums and number. */
	tree first_of_rows(const node &k)
	{
		HOST_WIDE_INT slot = (HOST_WIDE_INT)n.sums.size() + nest_numbered(n) + k.is_unsigned;
		tree at = plus(word(DATA_SUMS, ssizetype), ssize_int(8 * slot));
		return memory(double_type_node, fold_convert(ptr_type_node, at), BASE_SUMS);
	}

	void inner(int loop)
	{
		tree count = variable(ssizetype);
		set(count, loop == n.row_loop ? longest_row() : number(n.loops[loop].count, 0));
		start(loop);
		set(index[loop], ssize_int(0));
		if (loop == n.jam_loop) {
			jam = n.jam;
			counted(loop, count, n.jam, false, [&] { body(loop); });
			jam = 1;
		}
		counted(loop, count, 1, n.loops[loop].at_end, [&] { body(loop); });
	}

	void add_integer_sum(const sum &s, tree slot)
	{
		tree total = variable(double_type_node);
		set(total, slot);
		for (int u = 0; u < n.lanes_at_once; u++) {
			tree next = variable(double_type_node);
			operate(next, s.code, false, total, of(s.node, u, 0));
			total = next;
		}
		set(slot, total);
	}

	void add_sums()
	{
		for (size_t k = 0; k < n.sums.size(); k++) {
			tree type = TREE_TYPE(of(n.sums[k].node, 0, 0)), total = of(n.sums[k].node, 0, 0),
			     slot = fold_convert(ptr_type_node,
						 plus(word(DATA_SUMS, ssizetype), ssize_int(8 * (HOST_WIDE_INT)k)));
			if (is_integer(n.nodes[n.sums[k].node])) {
				add_integer_sum(n.sums[k], memory(double_type_node, slot, BASE_SUMS));
				continue;
			}
			for (int u = 1; u < n.lanes_at_once; u++)
				total = build2(PLUS_EXPR, type, total, of(n.sums[k].node, u, 0));
			if (type != double_type_node)
				total = build1(NOP_EXPR, double_type_node, total);
			tree sum = variable(double_type_node);
			set(sum, build2(PLUS_EXPR, double_type_node, memory(double_type_node, slot, BASE_SUMS), total));
			set(memory(double_type_node, slot, BASE_SUMS), sum);
		}
	}

	void all()
	{
		copies.resize(n.nodes.size());
		for (size_t l = 0; l < n.loops.size(); l++)
			index.push_back(variable(ssizetype));
		pairs = n.pairs;
		lanes = pairs ? n.lanes_at_once / 2 : n.lanes_at_once;
		start(0);
		set(index[0], ssize_int(0));
		tree count = word(DATA_LANES, ssizetype);
		if (n.lanes_at_once > 1)
			counted(0, count, n.lanes_at_once, false, [&] { body(0); });
		if (pairs) { /* nothing is handed on: no sums */
			pairs = false;
			copies.assign(n.nodes.size(), {});
		}
		lanes = 1;
		counted(0, count, 1, false, [&] { body(0); });
		add_sums();
	}
};

} // namespace

static tree new_function(const char *name)
{
	tree fn = build_decl(UNKNOWN_LOCATION, FUNCTION_DECL, get_identifier(name),
			     build_function_type_list(void_type_node, ptr_type_node, NULL_TREE));
	TREE_STATIC(fn) = TREE_USED(fn) = DECL_ARTIFICIAL(fn) = DECL_UNINLINABLE(fn) = 1;
	/* a kernel that is equal to another one must not become a call of it */
	for (const char *attribute : {"noipa", "noinline", "noclone", "no_icf"})
		DECL_ATTRIBUTES(fn) = tree_cons(get_identifier(attribute), NULL_TREE, DECL_ATTRIBUTES(fn));
	tree result = build_decl(UNKNOWN_LOCATION, RESULT_DECL, NULL_TREE, void_type_node);
	DECL_CONTEXT(result) = fn;
	DECL_ARTIFICIAL(result) = 1;
	DECL_RESULT(fn) = result;
	tree data = build_decl(UNKNOWN_LOCATION, PARM_DECL, get_identifier("data"), ptr_type_node);
	DECL_ARG_TYPE(data) = ptr_type_node;
	DECL_CONTEXT(data) = fn;
	TREE_USED(data) = DECL_ARTIFICIAL(data) = 1;
	DECL_ARGUMENTS(fn) = data;
	return fn;
}

/* Loops become neither calls of memset nor instructions that the array has not. */
static void set_options(tree fn, bool many_constants)
{
	gcc_options save = global_options;
	global_options.x_flag_tree_loop_vectorize = 0;
	global_options.x_flag_tree_slp_vectorize = 0;
	global_options.x_flag_tree_loop_distribute_patterns = 0;
	global_options.x_flag_tree_loop_if_convert = 0;
	global_options.x_flag_associative_math = 0; /* what it allows, nest_reassociate has done */
	global_options.x_flag_prefetch_loop_arrays = 0;
	global_options.x_flag_stack_protect = 0;
	if (many_constants) /* of polynomials: not all of them in registers in front of the loop */
		global_options.x_flag_ira_loop_pressure = 1;
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fn) = build_optimization_node(&global_options, &global_options_set);
	global_options = save;
}

tree static_long(const char *name, long initial)
{
	tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), long_integer_type_node);
	TREE_STATIC(v) = TREE_USED(v) = DECL_ARTIFICIAL(v) = DECL_IGNORED_P(v) = TREE_ADDRESSABLE(v) = 1;
	DECL_INITIAL(v) = build_int_cst(long_integer_type_node, initial);
	varpool_node::finalize_decl(v);
	return v;
}

function_writer::function_writer(nest &of, const char *name) : n(of)
{
	fn = new_function(name);
	data = DECL_ARGUMENTS(fn);
}

/* Expressions without a place get that of the nest. */
static tree place_expression(tree *t, int *, void *where)
{
	if (EXPR_P(*t) && !EXPR_HAS_LOCATION(*t))
		SET_EXPR_LOCATION(*t, *(location_t *)where);
	return NULL_TREE;
}

void function_writer::finish()
{
	location_t where = LOCATION_LOCUS(n.where), before = input_location;
	n.in->made.insert(fn);
	DECL_SOURCE_LOCATION(fn) = where;
	tree body = NULL_TREE, block = make_node(BLOCK);
	append_to_statement_list_force(head, &body);
	append_to_statement_list_force(list, &body);
	BLOCK_VARS(block) = vars;
	BLOCK_SUPERCONTEXT(block) = fn;
	TREE_USED(block) = 1;
	DECL_INITIAL(fn) = block;
	DECL_SAVED_TREE(fn) = build3(BIND_EXPR, void_type_node, vars, body, block);
	set_options(fn, n.needs & (UNIT_SELECT | UNIT_INTEGER));
	walk_tree_without_duplicates(&DECL_SAVED_TREE(fn), place_expression, &where);
	input_location = where;
	gimplify_function_tree(fn);
	input_location = before;
	DECL_STRUCT_FUNCTION(fn)->last_clique = 1;
	cgraph_node::add_new_function(fn, false);
}

/*
 * Passes the kernel's needs to the routine, in a section whose bounds the linker knows (psim_nest_units.c). The routine
 * clears the variable `usable` on an array that has less.
 */
static void note_needs(unsigned needs, tree usable)
{
	tree type = build_array_type_nelts(long_integer_type_node, NEED_WORDS), words = NULL_TREE;
	vec<constructor_elt, va_gc> *list = NULL;
	CONSTRUCTOR_APPEND_ELT(list, size_int(NEED_USABLE),
			       build1(NOP_EXPR, long_integer_type_node, build_fold_addr_expr(usable)));
	CONSTRUCTOR_APPEND_ELT(list, size_int(NEED_UNITS), build_int_cst(long_integer_type_node, (long)needs));
	words = build_constructor(type, list);
	TREE_CONSTANT(words) = TREE_STATIC(words) = 1;
	tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name("psim_needs"), type);
	TREE_STATIC(v) = TREE_USED(v) = TREE_READONLY(v) = DECL_ARTIFICIAL(v) = DECL_IGNORED_P(v) = 1;
	DECL_PRESERVE_P(v) = 1;
	DECL_INITIAL(v) = words;
	set_decl_section_name(v, "psim_nest_needs");
	varpool_node::finalize_decl(v);
}

void kernel_made(nest &n, variant &v, tree function, bool last)
{
	std::string name = IDENTIFIER_POINTER(DECL_NAME(function));
	v.usable = static_long(name.replace(0, strlen("psim_kernel"), "psim_usable").c_str(), 1);
	v.kernel = function;
	unsigned needs = n.needs | (v.pairs ? UNIT_SINGLE : 0);
	if (needs)
		note_needs(needs, v.usable);
	n.in->kernels.push_back({function, v.usable, n.where, last});
}

/* Writes the variant that has been taken. */
static void write_kernel(nest &n, variant &v, bool last)
{
	char name[64];
	sprintf(name, "psim_kernel.%d", n.in->numbers++);
	writer w(n, name);
	w.all();
	w.finish();
	kernel_made(n, v, w.fn, last);
}

void nest_kernels(nest &n)
{
	for (size_t k = 0; k < n.variants.size(); k++) {
		nest_take(n, n.variants[k]);
		write_kernel(n, n.variants[k], k + 1 == n.variants.size());
	}
	nest_take(n, n.variants[0]);
}
