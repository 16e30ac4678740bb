/*
 * Writes the functions of a nest that is not affine (nest_uniform.hh): the kernel, which is the body of the lanes' loop
 * with addresses of the buffer memory in place of its roots; and the survey, the integers of the body alone for lane
 * 0, which notes the least and the greatest address that is accessed around each root.
 *
 * Names become variables, phis assignments on edges. In the survey a loop whose addresses grow by steady steps runs its
 * first and last iteration only.
 */
#include "nest_uniform.hh"

#include "nest_writer.hh"
#include "cfganal.h"
#include "gimplify.h"
#include "options.h"
#include "psim_nest.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop.h"

namespace
{

/* Addresses that a block accesses: from `low` to `high` bytes around what `at` is. */
struct access {
	tree pointer, offset;
	std::set<int> roots;
	tree at;
	HOST_WIDE_INT low, high;
};

/* Blocks behind two branches are written twice. */
enum { STATEMENTS = 3000 };

struct uniform_writer : function_writer {
	uniform_reader &u;
	bool survey;
	std::map<tree, tree> integers;
	std::map<tree, std::vector<tree>> numbers; /* one variable, two of a complex number */
	std::vector<tree> bases;                   /* by root: its address, of the present lane */
	int written = 0;                           /* statements */
	std::vector<tree> least, most;             /* by root, in the survey */
	std::vector<access> accesses;              /* of a block, in the survey */
	std::vector<int> group;                    /* by root: those that a reference may come from */

	uniform_writer(uniform_reader &of, const char *name, bool only_integers)
	    : function_writer(of.n, name), u(of), survey(only_integers)
	{
	}

	bool fail(location_t where, const char *why)
	{
		return u.r.fail(where, "%s", why);
	}

	/* ---- integers ---- */

	tree integer(tree name)
	{
		tree &v = integers[name];
		if (!v)
			v = variable(TREE_TYPE(name));
		return v;
	}

	/* A pointer of the function: as far from its root as there. */
	tree from_root(tree pointer)
	{
		tree root = uniform_root(pointer);
		size_t k = (size_t)u.root_of(pointer);
		tree apart = fold_build2(MINUS_EXPR, ssizetype, fold_convert(ssizetype, pointer),
					 fold_convert(ssizetype, root));
		if (k >= bases.size()) {
			fail(n.where, "an address that is not understood");
			return ssize_int(0);
		}
		return operand_equal_p(root, pointer, 0) ? bases[k] : plus(bases[k], outside(apart));
	}

	tree known(tree t)
	{
		if (POINTER_TYPE_P(TREE_TYPE(t)))
			return fold_convert(TREE_TYPE(t), from_root(t));
		return fold_convert(TREE_TYPE(t), outside(t));
	}

	tree mapped(tree t)
	{
		if (TREE_CODE(t) == ADDR_EXPR)
			return fold_convert(TREE_TYPE(t), address(TREE_OPERAND(t, 0)));
		if (CONSTANT_CLASS_P(t))
			return t;
		if (TREE_CODE(t) == SSA_NAME)
			return u.r.inside(t) ? integer(t) : known(t);
		tree a = mapped(TREE_OPERAND(t, 0));
		if (TREE_OPERAND_LENGTH(t) == 1)
			return fold_build1(TREE_CODE(t), TREE_TYPE(t), a);
		return fold_build2(TREE_CODE(t), TREE_TYPE(t), a, mapped(TREE_OPERAND(t, 1)));
	}

	/* The address of a memory reference, for lane 0 of the survey and the present lane of the kernel. */
	tree address(tree t)
	{
		poly_int64 size, position;
		tree offset;
		machine_mode mode;
		int is_unsigned = 0, reversed = 0, is_volatile = 0;
		tree base =
			get_inner_reference(t, &size, &position, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
		HOST_WIDE_INT bits = 0;
		position.is_constant(&bits);
		tree sum = ssize_int(bits / 8);
		if (TREE_CODE(base) == MEM_REF) {
			sum = plus(sum, fold_convert(ssizetype, TREE_OPERAND(base, 1)));
			sum = plus(fold_convert(ssizetype, mapped(TREE_OPERAND(base, 0))), sum);
		} else {
			sum = plus(from_root(build_fold_addr_expr(base)), sum);
		}
		return offset ? plus(sum, fold_convert(ssizetype, mapped(offset))) : sum;
	}

	void integer_statement(gimple *s)
	{
		tree lhs = gimple_assign_lhs(s), type = TREE_TYPE(lhs), value;
		tree_code code = gimple_assign_rhs_code(s);
		auto before = u.loaded.find(lhs);
		if (before != u.loaded.end())
			value = known(before->second);
		else if (gimple_assign_rhs_class(s) == GIMPLE_SINGLE_RHS)
			value = fold_convert(type, mapped(gimple_assign_rhs1(s)));
		else if (gimple_assign_rhs_class(s) == GIMPLE_UNARY_RHS)
			value = build1(code, type, mapped(gimple_assign_rhs1(s)));
		else
			value = build2(code, type, mapped(gimple_assign_rhs1(s)), mapped(gimple_assign_rhs2(s)));
		set(integer(lhs), value);
	}

	/* ---- real numbers ---- */

	std::vector<tree> &variables(tree name)
	{
		std::vector<tree> &v = numbers[name];
		for (int k = (int)v.size(); k < 1 + is_complex(TREE_TYPE(name)); k++)
			v.push_back(variable(part_type(TREE_TYPE(name))));
		return v;
	}

	std::vector<tree> number(tree t)
	{
		tree type = TREE_TYPE(t);
		if (TREE_CODE(t) == COMPLEX_CST)
			return {TREE_REALPART(t), TREE_IMAGPART(t)};
		if (CONSTANT_CLASS_P(t))
			return {t};
		if (u.r.inside(t))
			return variables(t);
		if (!is_complex(type))
			return {outside(t)};
		return {outside(build1(REALPART_EXPR, TREE_TYPE(type), t)),
			outside(build1(IMAGPART_EXPR, TREE_TYPE(type), t))};
	}

	tree two(tree_code code, tree a, tree b)
	{
		return build2(code, TREE_TYPE(a), a, b);
	}

	tree temporary(tree value)
	{
		tree v = variable(TREE_TYPE(value));
		set(v, value);
		return v;
	}

	void give(tree lhs, const std::vector<tree> &values)
	{
		std::vector<tree> to = variables(lhs), from;
		for (tree v : values)
			from.push_back(values.size() > 1 ? temporary(v) : v);
		for (size_t k = 0; k < to.size(); k++)
			set(to[k], from[k]);
	}

	bool product(gimple *s, const std::vector<tree> &a, const std::vector<tree> &b)
	{
		if (flag_complex_method == 2)
			return fail(gimple_location(s),
				    "a complex product compares with NaN without -fcx-limited-range");
		tree re = two(MINUS_EXPR, two(MULT_EXPR, a[0], b[0]), two(MULT_EXPR, a[1], b[1]));
		give(gimple_assign_lhs(s),
		     {re, two(PLUS_EXPR, two(MULT_EXPR, a[0], b[1]), two(MULT_EXPR, a[1], b[0]))});
		return true;
	}

	/* An operation on each part of a number. */
	bool by_parts(gimple *s, tree_code code, const std::vector<tree> &a, const std::vector<tree> &b)
	{
		std::vector<tree> values;
		for (size_t k = 0; k < a.size(); k++)
			values.push_back(b.empty() ? build1(code, TREE_TYPE(a[k]), a[k]) : two(code, a[k], b[k]));
		give(gimple_assign_lhs(s), values);
		return true;
	}

	/* Between single and double precision, part by part. */
	bool conversion(gimple *s, const std::vector<tree> &a)
	{
		tree lhs = gimple_assign_lhs(s), type = part_type(TREE_TYPE(lhs));
		std::vector<tree> values;
		if (a.size() != (size_t)1 + is_complex(TREE_TYPE(lhs)))
			return fail(gimple_location(s), "an operation that the array has not");
		for (tree v : a)
			values.push_back(TREE_TYPE(v) == type ? v : build1(NOP_EXPR, type, v));
		give(lhs, values);
		return true;
	}

	bool operation(gimple *s)
	{
		tree lhs = gimple_assign_lhs(s), rhs = gimple_assign_rhs1(s);
		tree_code code = gimple_assign_rhs_code(s);
		if (code == FLOAT_EXPR) {
			if (u.value_of(rhs, gimple_location(s)).coef)
				return fail(gimple_location(s), "a real value comes from the number of the iteration");
			give(lhs, {build1(FLOAT_EXPR, part_type(TREE_TYPE(lhs)), mapped(rhs))});
			return true;
		}
		if (code == REALPART_EXPR || code == IMAGPART_EXPR) {
			if (TREE_CODE(TREE_OPERAND(rhs, 0)) != SSA_NAME)
				return fail(gimple_location(s), "a part of a number that is not understood");
			give(lhs, {number(TREE_OPERAND(rhs, 0))[code == IMAGPART_EXPR]});
			return true;
		}
		if (!is_gimple_val(rhs) || !is_number(TREE_TYPE(rhs)))
			return fail(gimple_location(s), "an operation that the array has not");
		std::vector<tree> a = number(rhs), b;
		bool binary = gimple_assign_rhs_class(s) == GIMPLE_BINARY_RHS;
		if (binary)
			b = number(gimple_assign_rhs2(s));
		switch (code) {
		case PLUS_EXPR:
		case MINUS_EXPR: return by_parts(s, code, a, b);
		case NEGATE_EXPR:
		case PAREN_EXPR: return by_parts(s, code, a, b);
		case ABS_EXPR:
		case RDIV_EXPR:
			if (a.size() > 1)
				return fail(gimple_location(s), "division of complex numbers, which the array has not");
			return (code == ABS_EXPR || u.r.need(UNIT_NUMBER_DIVIDE, gimple_location(s))) &&
			       by_parts(s, code, a, b);
		case MULT_EXPR: return a.size() == 1 ? by_parts(s, code, a, b) : product(s, a, b);
		case COMPLEX_EXPR: give(lhs, {a[0], b[0]}); return true;
		case CONJ_EXPR:
			give(lhs, {a[0], build1(NEGATE_EXPR, TREE_TYPE(a[1]), a[1])});
			return true;
		CASE_CONVERT:
			return conversion(s, a);
		case SSA_NAME:
		case REAL_CST:
		case COMPLEX_CST: give(lhs, a); return true;
		default: return fail(gimple_location(s), "an operation that the array has not");
		}
	}

	/* ---- memory ---- */

	const std::set<int> &roots_of(tree t, uniform_value &keep)
	{
		keep = u.address_of(t, n.where);
		return keep.roots;
	}

	tree part(tree at, const std::set<int> &roots, int k)
	{
		int root = *roots.begin(), size = n.families[root].size;
		return memory(size == NEST_SIZE ? double_type_node : float_type_node,
			      fold_convert(ptr_type_node, plus(at, ssize_int(size * k))),
			      n.families[root].lane ? BASE_FAMILY + group[root] : BASE_UNIFORM);
	}

	tree slot(tree at)
	{
		return memory(ssizetype, fold_convert(ptr_type_node, at), BASE_SUMS);
	}

	void widen(tree to, tree_code code, tree by)
	{
		set(to, fold_build2(code, ssizetype, to, by));
	}

	/* In the survey: notes an access. Those of a block that are constants apart are one. */
	void visit(tree t)
	{
		poly_int64 size, position;
		tree offset, base;
		machine_mode mode;
		int is_unsigned = 0, reversed = 0, is_volatile = 0;
		HOST_WIDE_INT bits = 0, bytes = size_of_part(TREE_TYPE(t)) * (1 + is_complex(TREE_TYPE(t)));
		base = get_inner_reference(t, &size, &position, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
		position.is_constant(&bits);
		tree pointer = TREE_CODE(base) == MEM_REF ? TREE_OPERAND(base, 0) : NULL_TREE;
		HOST_WIDE_INT at =
			bits / 8 + (pointer ? tree_to_shwi(fold_convert(ssizetype, TREE_OPERAND(base, 1))) : 0);
		for (access &old : accesses)
			if (pointer && old.pointer == pointer && same_tree(old.offset, offset)) {
				old.low = at < old.low ? at : old.low;
				old.high = at + bytes > old.high ? at + bytes : old.high;
				return;
			}
		uniform_value keep;
		accesses.push_back({pointer, offset, roots_of(t, keep), NULL_TREE, at, at + bytes});
		tree first = variable(ssizetype);
		set(first, plus(address(t), ssize_int(-at)));
		accesses.back().at = first;
	}

	void visited(const access &of)
	{
		tree from = plus(of.at, ssize_int(of.low)), to = plus(of.at, ssize_int(of.high));
		if (of.roots.size() == 1) {
			widen(least[*of.roots.begin()], MIN_EXPR, from);
			widen(most[*of.roots.begin()], MAX_EXPR, to);
			return;
		}
		/* the upper bits are the root's number */
		tree number = fold_build2(RSHIFT_EXPR, ssizetype, from, build_int_cst(integer_type_node, SURVEY_SHIFT));
		tree range = variable(ssizetype);
		set(range, plus(word(DATA_SUMS, ssizetype), times(plus(number, ssize_int(-1)), ssize_int(16))));
		widen(slot(range), MIN_EXPR, from);
		widen(slot(plus(range, ssize_int(8))), MAX_EXPR, to);
	}

	void load(gimple *s)
	{
		tree lhs = gimple_assign_lhs(s), rhs = gimple_assign_rhs1(s), at = variable(ssizetype);
		uniform_value keep;
		const std::set<int> &roots = roots_of(rhs, keep);
		std::vector<tree> values;
		set(at, address(rhs));
		for (int k = 0; k < 1 + is_complex(TREE_TYPE(lhs)); k++)
			values.push_back(part(at, roots, k));
		give(lhs, values);
	}

	void store(gimple *s)
	{
		tree lhs = gimple_assign_lhs(s), at = variable(ssizetype);
		uniform_value keep;
		const std::set<int> &roots = roots_of(lhs, keep);
		std::vector<tree> values = number(gimple_assign_rhs1(s)), copies;
		set(at, address(lhs));
		for (tree v : values) {
			copies.push_back(temporary(v));
			keep_real(copies.back());
		}
		for (size_t k = 0; k < copies.size(); k++)
			set(part(at, roots, (int)k), copies[k]);
	}

	bool statement(gimple *s)
	{
		if (is_gimple_call(s) && uniform_expected(s))
			set(integer(gimple_call_lhs(s)), mapped(gimple_call_arg(s, 0)));
		if (is_gimple_call(s) && array_function(s) != IFN_LAST && !survey)
			give(gimple_call_lhs(s), {called(array_function(s), number(gimple_call_arg(s, 0))[0])});
		if (!is_gimple_assign(s) || gimple_clobber_p(s))
			return true;
		if (++written > STATEMENTS)
			return fail(gimple_location(s), "too many ways through the loop");
		tree lhs = gimple_assign_lhs(s), type = TREE_TYPE(lhs);
		bool write = gimple_vdef(s) != NULL_TREE;
		if (!write && !is_number(type)) {
			integer_statement(s);
			return true;
		}
		bool read = !write && gimple_assign_load_p(s);
		if (survey) {
			if (write || read)
				visit(write ? lhs : gimple_assign_rhs1(s));
			return true;
		}
		if (write && !is_gimple_val(gimple_assign_rhs1(s)))
			return fail(gimple_location(s), "copies memory to memory");
		if (write)
			store(s);
		else if (read)
			load(s);
		else
			return operation(s);
		return true;
	}

	bool statements(basic_block b)
	{
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
			if (!is_gimple_debug(gsi_stmt(g)) && !statement(gsi_stmt(g)))
				return false;
		for (const access &of : accesses)
			visited(of);
		accesses.clear();
		return true;
	}

	/* ---- control flow ---- */

	/* Assigns the phis behind an edge, all at once. */
	void moves(edge e)
	{
		std::vector<std::pair<tree, tree>> all;
		for (gphi_iterator p = gsi_start_phis(e->dest); !gsi_end_p(p); gsi_next(&p)) {
			tree name = gimple_phi_result(p.phi()), from = PHI_ARG_DEF_FROM_EDGE(p.phi(), e);
			if (virtual_operand_p(name))
				continue;
			if (!is_number(TREE_TYPE(name))) {
				all.push_back({integer(name), fold_convert(TREE_TYPE(name), mapped(from))});
			} else if (!survey) {
				std::vector<tree> to = variables(name), values = number(from);
				for (size_t k = 0; k < to.size(); k++)
					all.push_back({to[k], values[k]});
			}
		}
		for (auto &m : all)
			if (all.size() > 1) {
				tree v = variable(TREE_TYPE(m.first));
				set(v, m.second);
				m.second = v;
			}
		for (auto &m : all)
			set(m.first, m.second);
	}

	tree condition(gcond *c, bool of_true)
	{
		tree_code code = gimple_cond_code(c);
		tree both = build2(code, boolean_type_node, mapped(gimple_cond_lhs(c)), mapped(gimple_cond_rhs(c)));
		return of_true ? both : fold_build1(TRUTH_NOT_EXPR, boolean_type_node, both);
	}

	/* From block `b` to block `stop`, or to the end of loop `in`. */
	bool range(basic_block b, basic_block stop, class loop *in)
	{
		tree end = NULL_TREE;
		return range(b, stop, in, end);
	}

	bool range(basic_block b, basic_block stop, class loop *in, tree &end)
	{
		while (b != stop) {
			if (b->loop_father != in) {
				class loop *inner = b->loop_father;
				if (loop_outer(inner) != in || b != inner->header || !loop(inner))
					return fail(n.where, "loops that are not nested");
				moves(single_exit(inner));
				b = single_exit(inner)->dest;
				continue;
			}
			if (!statements(b))
				return false;
			if (b == in->latch)
				return true;
			if (single_succ_p(b)) {
				moves(single_succ_edge(b));
				b = single_succ(b);
			} else if (!branch(b, in, end)) {
				return false;
			}
		}
		return true;
	}

	/* Two ways from block `b`, which becomes where they meet; or the exit of the loop and the other way. */
	bool branch(basic_block &b, class loop *in, tree &end)
	{
		gcond *c = dyn_cast<gcond *>(last_stmt(b));
		edge yes, no, exit = single_exit(in);
		if (!c)
			return fail(n.where, "a branch that is not understood");
		extract_true_false_edges_from_block(b, &yes, &no);
		if (exit->src == b) {
			edge other = exit == yes ? no : yes;
			if (in != n.outer && !end)
				end = label();
			if (in != n.outer)
				go_if(condition(c, exit == yes), end);
			moves(other);
			b = other->dest;
			return true;
		}
		basic_block join = get_immediate_dominator(CDI_POST_DOMINATORS, b);
		if (!join || join->loop_father != in)
			return fail(gimple_location(c), "a condition that leaves the loop");
		tree otherwise = label(), after = label();
		go_if(condition(c, false), otherwise);
		moves(yes);
		if (!range(yes->dest, join, in, end))
			return false;
		put(build1(GOTO_EXPR, void_type_node, after));
		here(otherwise);
		moves(no);
		if (!range(no->dest, join, in, end))
			return false;
		here(after);
		b = join;
		return true;
	}

	/* All of an inner loop but what follows its exit. */
	bool loop(class loop *l)
	{
		edge exit = single_exit(l);
		if (!exit || EDGE_COUNT(exit->src->succs) != 2)
			return fail(n.where, "a loop with no exit or more than one");
		if (survey && ends_only(l))
			return true;
		tree top = label(), end = NULL_TREE;
		here(top);
		if (!range(l->header, NULL, l, end))
			return false;
		moves(loop_latch_edge(l));
		put(build1(GOTO_EXPR, void_type_node, top));
		if (!end)
			return fail(n.where, "a loop without an end");
		here(end);
		return true;
	}

	/* ---- innermost loops in the survey ---- */

	/*
	 * Finds the terms that are added to a phi of `l` in each iteration, if they are the same in loop `in`, which
	 * `l` is or is in.
	 */
	bool step_of(gphi *p, class loop *l, class loop *in, std::vector<tree> *of)
	{
		tree name = gimple_phi_result(p), at = PHI_ARG_DEF_FROM_EDGE(p, loop_latch_edge(l));
		bool grows;
		if (!exact_step(TREE_TYPE(name)))
			return false;
		while (at != name) {
			gassign *s = TREE_CODE(at) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(at)) : NULL;
			if (!s || !flow_bb_inside_loop_p(l, gimple_bb(s)) ||
			    (gimple_assign_rhs_code(s) != PLUS_EXPR && gimple_assign_rhs_code(s) != POINTER_PLUS_EXPR))
				return false;
			tree by = gimple_assign_rhs2(s);
			if (!steady(by, in, &grows) || grows)
				return false;
			if (of)
				of->push_back(by);
			at = gimple_assign_rhs1(s);
		}
		return true;
	}

	static bool exact_step(tree type)
	{
		return POINTER_TYPE_P(type) || TYPE_PRECISION(type) == 64 || TYPE_OVERFLOW_UNDEFINED(type);
	}

	/* Returns whether a phi grows by the same in each iteration of `l`, which it is in. */
	bool steady_phi(gphi *p, class loop *l, bool *grows)
	{
		class loop *of = gimple_bb(p)->loop_father;
		*grows = true;
		if (gimple_phi_num_args(p) == 1)
			return steady(gimple_phi_arg_def(p, 0), l, grows);
		if (gimple_bb(p) != of->header || !step_of(p, of, l, NULL))
			return false;
		return of == l || steady(PHI_ARG_DEF_FROM_EDGE(p, loop_preheader_edge(of)), l, grows);
	}

	/* Returns whether `t` grows by the same in each iteration of `l`, or not at all; *grows is which. */
	bool steady(tree t, class loop *l, bool *grows)
	{
		*grows = false;
		if (CONSTANT_CLASS_P(t) || (TREE_CODE(t) == ADDR_EXPR && is_gimple_min_invariant(t)))
			return true;
		tree_code code = TREE_CODE(t);
		tree type = TREE_TYPE(t), a = NULL_TREE, b = NULL_TREE;
		if (code == SSA_NAME) {
			gimple *s = SSA_NAME_DEF_STMT(t);
			if (!gimple_bb(s) || !flow_bb_inside_loop_p(l, gimple_bb(s)) || u.loaded.count(t))
				return true;
			if (gphi *p = dyn_cast<gphi *>(s))
				return steady_phi(p, l, grows);
			if (!is_gimple_assign(s))
				return false;
			code = gimple_assign_rhs_code(s);
			a = gimple_assign_rhs1(s);
			b = gimple_assign_rhs2(s);
		} else if (EXPR_P(t) && TREE_OPERAND_LENGTH(t) <= 2) {
			a = TREE_OPERAND(t, 0);
			b = TREE_OPERAND_LENGTH(t) > 1 ? TREE_OPERAND(t, 1) : NULL_TREE;
		}
		bool grows_a = false, grows_b = false;
		if (!a || !steady(a, l, &grows_a) || (b && !steady(b, l, &grows_b)))
			return false;
		*grows = grows_a || grows_b;
		return !*grows || steady_operation(code, type, TREE_TYPE(a), grows_a, grows_b);
	}

	/* Returns whether an operation on values that grow by the same each time gives such a value. */
	static bool steady_operation(tree_code code, tree type, tree from, bool a, bool b)
	{
		if (!exact_step(type))
			return false;
		switch (code) {
		CASE_CONVERT:
			return TYPE_PRECISION(type) >= TYPE_PRECISION(from) && exact_step(from);
		case SSA_NAME:
		case PLUS_EXPR:
		case MINUS_EXPR:
		case POINTER_PLUS_EXPR:
		case NEGATE_EXPR: return true;
		case MULT_EXPR: return !a || !b;
		case LSHIFT_EXPR: return !b;
		default: return false;
		}
	}

	bool steady_reference(tree t, class loop *l)
	{
		poly_int64 size, position;
		tree offset;
		machine_mode mode;
		int is_unsigned = 0, reversed = 0, is_volatile = 0;
		bool grows;
		tree base =
			get_inner_reference(t, &size, &position, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
		return (TREE_CODE(base) != MEM_REF || steady(TREE_OPERAND(base, 0), l, &grows)) &&
		       (!offset || steady(offset, l, &grows));
	}

	bool steady_references(basic_block b, class loop *l)
	{
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
			gimple *s = gsi_stmt(g);
			if (!is_gimple_assign(s) || !is_number(TREE_TYPE(gimple_assign_lhs(s))))
				continue;
			bool write = gimple_vdef(s) != NULL_TREE;
			tree t = write ? gimple_assign_lhs(s) : gimple_assign_rhs1(s);
			if ((write || gimple_assign_load_p(s)) && !steady_reference(t, l))
				return false;
		}
		return true;
	}

	/*
	 * Whether all addresses of loop `l`, and of loops in it, are between those of its first and last iteration:
	 * they grow steadily, and what is in it is one path of loops of that kind, which run equally often each time.
	 */
	bool box(class loop *l)
	{
		basic_block b = l->header;
		if (!single_exit(l) || single_exit(l)->src != b || !number_of_steps(l, l))
			return false;
		for (gphi_iterator p = gsi_start_phis(b); !gsi_end_p(p); gsi_next(&p)) {
			tree name = gimple_phi_result(p.phi());
			if (!virtual_operand_p(name) && !is_number(TREE_TYPE(name)) && !step_of(p.phi(), l, l, NULL))
				return false;
		}
		for (unsigned seen = 0; seen < l->num_nodes; seen++) {
			class loop *in = b->loop_father;
			if (in != l) {
				if (loop_outer(in) != l || !box(in) || !number_of_steps(in, l))
					return false;
				b = single_exit(in)->dest;
				continue;
			}
			if (b == l->latch)
				break;
			if (b != l->header && !single_succ_p(b))
				return false;
			b = b == l->header ? other_way(l)->dest : single_succ(b);
		}
		basic_block *blocks = get_loop_body(l);
		bool good = b == l->latch;
		for (unsigned k = 0; k < l->num_nodes && good; k++)
			good = steady_references(blocks[k], l);
		free(blocks);
		return good;
	}

	static edge other_way(class loop *l)
	{
		edge exit = single_exit(l), first = EDGE_SUCC(exit->src, 0);
		return first == exit ? EDGE_SUCC(exit->src, 1) : first;
	}

	/* Sets the phis to what they are `times` iterations after the first one. */
	void go_to(const std::vector<std::pair<tree, std::vector<tree>>> &of, const std::vector<tree> &first, tree by)
	{
		for (size_t k = 0; k < of.size(); k++) {
			tree name = of[k].first, type = TREE_TYPE(name), more = ssize_int(0);
			for (tree s : of[k].second) {
				tree step = mapped(s);
				if (TYPE_PRECISION(TREE_TYPE(step)) < 64)
					step = fold_convert(signed_type_for(TREE_TYPE(step)), step);
				more = plus(more, fold_convert(ssizetype, step));
			}
			more = times(more, by);
			set(integer(name), fold_convert(type, plus(fold_convert(ssizetype, first[k]), more)));
		}
	}

	/* The body once, without what it hands on. */
	void once(class loop *l)
	{
		for (basic_block b = l->header;;) {
			edge e;
			if (b->loop_father != l) {
				loop(b->loop_father);
				e = single_exit(b->loop_father);
			} else {
				statements(b);
				if (b == l->latch)
					return;
				e = b == l->header ? other_way(l) : single_succ_edge(b);
			}
			moves(e);
			b = e->dest;
		}
	}

	/* Returns whether the number of iterations of loop `l` is known, and the same in each iteration of `in`. */
	bool number_of_steps(class loop *l, class loop *in)
	{
		tree_niter_desc d;
		bool grows;
		if (!number_of_iterations_exit(l, single_exit(l), &d, false) || !integer_nonzerop(d.assumptions))
			return false;
		return l == in ||
		       (steady(d.niter, in, &grows) && !grows && steady(d.may_be_zero, in, &grows) && !grows);
	}

	/* How often the body runs, or NULL_TREE. */
	tree iterations(class loop *l)
	{
		tree_niter_desc d;
		if (!number_of_iterations_exit(l, single_exit(l), &d, false) || !integer_nonzerop(d.assumptions) ||
		    !known_here(d.niter) || !known_here(d.may_be_zero))
			return NULL_TREE;
		tree n = fold_convert(ssizetype, mapped(d.niter));
		if (integer_zerop(d.may_be_zero))
			return n;
		return fold_build3(COND_EXPR, ssizetype, mapped(d.may_be_zero), ssize_int(0), n);
	}

	/* Returns whether an expression can be mapped: of names that are known, with one or two operands. */
	bool known_here(tree t)
	{
		if (CONSTANT_CLASS_P(t))
			return true;
		if (TREE_CODE(t) == SSA_NAME)
			return !u.r.inside(t) ? !POINTER_TYPE_P(TREE_TYPE(t)) || known_root(t) : integers.count(t) > 0;
		if (!EXPR_P(t) || TREE_OPERAND_LENGTH(t) > 2 || TREE_OPERAND_LENGTH(t) < 1)
			return false;
		for (int k = 0; k < TREE_OPERAND_LENGTH(t); k++)
			if (!known_here(TREE_OPERAND(t, k)))
				return false;
		return true;
	}

	bool known_root(tree pointer)
	{
		for (const family &f : n.families)
			if (operand_equal_p(f.root, uniform_root(pointer), 0))
				return true;
		return false;
	}

	/* The first and the last iteration in place of a loop, if that is all that the survey needs. */
	bool ends_only(class loop *l)
	{
		std::vector<std::pair<tree, std::vector<tree>>> of;
		std::vector<tree> first;
		tree count = box(l) ? iterations(l) : NULL_TREE;
		if (!count)
			return false;
		for (gphi_iterator p = gsi_start_phis(l->header); !gsi_end_p(p); gsi_next(&p)) {
			tree name = gimple_phi_result(p.phi());
			if (virtual_operand_p(name) || is_number(TREE_TYPE(name)))
				continue;
			of.push_back({name, {}});
			step_of(p.phi(), l, l, &of.back().second);
			first.push_back(variable(TREE_TYPE(name)));
			set(first.back(), integer(name));
		}
		tree n_times = variable(ssizetype), none = label();
		set(n_times, count);
		go_if(build2(LE_EXPR, boolean_type_node, n_times, ssize_int(0)), none);
		once(l);
		go_to(of, first, plus(n_times, ssize_int(-1)));
		once(l);
		go_to(of, first, n_times);
		here(none);
		statements(l->header);
		return true;
	}

	/* ---- functions ---- */

	/* Roots that one reference may come from are one base of memory. */
	void find_groups()
	{
		for (size_t k = 0; k < n.families.size(); k++)
			group.push_back((int)k);
		for (auto &v : u.values)
			for (int root : v.second.roots) {
				int from = group[root], to = group[*v.second.roots.begin()];
				for (int &g : group)
					g = g == from ? to : g;
			}
	}

	bool body()
	{
		moves(loop_preheader_edge(n.outer));
		return range(n.outer->header, NULL, n.outer);
	}

	bool kernel()
	{
		tree lane = variable(ssizetype), top = label(), end = label(), count = word(DATA_LANES, ssizetype);
		set(lane, ssize_int(0));
		for (size_t k = 0; k < n.families.size(); k++) {
			bases.push_back(variable(ssizetype));
			set(bases[k], word(data_base(n, (int)k), ssizetype));
		}
		go_if(not_less(lane, count), end);
		here(top);
		if (!body())
			return false;
		for (size_t k = 0; k < n.families.size(); k++)
			if (n.families[k].lane)
				set(bases[k], plus(bases[k], word(data_stride(n, (int)k, 0), ssizetype)));
		set(lane, plus(lane, ssize_int(1)));
		go_if(less(lane, count), top);
		here(end);
		return true;
	}

	bool look()
	{
		for (size_t k = 0; k < n.families.size(); k++) {
			bases.push_back(word(data_base(n, (int)k), ssizetype));
			least.push_back(variable(ssizetype));
			most.push_back(variable(ssizetype));
			set(least[k], TYPE_MAX_VALUE(ssizetype));
			set(most[k], TYPE_MIN_VALUE(ssizetype));
		}
		if (!body())
			return false;
		for (size_t k = 0; k < n.families.size(); k++) {
			tree range = plus(word(DATA_SUMS, ssizetype), ssize_int(16 * (HOST_WIDE_INT)k));
			widen(slot(range), MIN_EXPR, least[k]);
			widen(slot(plus(range, ssize_int(8))), MAX_EXPR, most[k]);
		}
		return true;
	}
};

} // namespace

static bool functions(uniform_reader &u)
{
	nest &n = u.n;
	char name[64];
	int number = n.in->numbers++;
	size_t roots = n.families.size();
	sprintf(name, "psim_kernel.%d", number);
	uniform_writer kernel(u, name, false);
	sprintf(name, "psim_survey.%d", number);
	uniform_writer survey(u, name, true);
	calculate_dominance_info(CDI_POST_DOMINATORS);
	kernel.find_groups();
	survey.find_groups();
	bool good = kernel.kernel() && survey.look();
	free_dominance_info(CDI_POST_DOMINATORS);
	if (!good || !n.refused.empty() || n.families.size() != roots)
		return u.r.fail(n.where, "control flow that is not understood");
	kernel.finish();
	survey.finish();
	n.variants.push_back({1, 0, 1, NULL_TREE, NULL_TREE});
	kernel_made(n, n.variants[0], kernel.fn, true);
	n.survey = survey.fn;
	return true;
}

bool nest_uniform(nest &n, class loop *l)
{
	uniform_reader u(n);
	scev_initialize();
	bool good = u.read(l) && functions(u);
	scev_finalize();
	return good;
}
