/* Reads nests whose inner loops are not affine (nest_uniform.hh). */
#include "nest_uniform.hh"

#include "internal-fn.h"
#include "tree-cfg.h"
#include "options.h"

tree uniform_root(tree pointer)
{
	while (TREE_CODE(pointer) == SSA_NAME) {
		gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(pointer));
		if (!s || (gimple_assign_rhs_code(s) != POINTER_PLUS_EXPR && gimple_assign_rhs_code(s) != SSA_NAME &&
			   gimple_assign_rhs_code(s) != ADDR_EXPR && !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))))
			return pointer;
		tree from = gimple_assign_rhs1(s);
		if (!POINTER_TYPE_P(TREE_TYPE(from)) ||
		    (TREE_CODE(from) == ADDR_EXPR && !is_gimple_min_invariant(from)))
			return pointer;
		pointer = from;
	}
	if (TREE_CODE(pointer) == ADDR_EXPR) {
		tree base = get_base_address(TREE_OPERAND(pointer, 0));
		if (base && DECL_P(base))
			return build_fold_addr_expr(base);
	}
	return pointer;
}

/* The number of a root; new ones have no coefficient yet. */
int uniform_reader::root_of(tree pointer)
{
	tree root = uniform_root(pointer);
	for (size_t k = 0; k < n.families.size(); k++)
		if (operand_equal_p(n.families[k].root, root, 0))
			return (int)k;
	changed = true;
	n.families.push_back({root, 0, {NULL_TREE}, false});
	return (int)n.families.size() - 1;
}

static uniform_value constant()
{
	uniform_value v;
	v.open = false;
	return v;
}

/* a + b or a - b */
static uniform_value added(tree_code code, const uniform_value &a, const uniform_value &b)
{
	uniform_value v = a;
	v.roots.insert(b.roots.begin(), b.roots.end());
	v.open = a.open || b.open;
	if (!b.coef)
		return v;
	v.coef = a.coef ? fold_build2(code, ssizetype, a.coef, b.coef)
			: (code == MINUS_EXPR ? fold_build1(NEGATE_EXPR, ssizetype, b.coef) : b.coef);
	if (integer_zerop(v.coef))
		v.coef = NULL_TREE;
	return v;
}

static tree as_ssize(tree t)
{
	return fold_convert(ssizetype, t);
}

uniform_value uniform_reader::value_of(tree t, location_t where)
{
	uniform_value v = constant();
	if (TREE_CODE(t) == ADDR_EXPR)
		return address_of(TREE_OPERAND(t, 0), where);
	if (CONSTANT_CLASS_P(t))
		return v;
	if (TREE_CODE(t) == SSA_NAME) {
		if (r.inside(t))
			return values[t];
		if (POINTER_TYPE_P(TREE_TYPE(t)))
			v.roots.insert(root_of(t));
		return v;
	}
	if (!EXPR_P(t)) {
		r.fail(where, "an index that is neither a sum nor a product");
		return v;
	}
	if (TREE_OPERAND_LENGTH(t) > 2) {
		r.fail(where, "an index that is neither a sum nor a product");
		return v;
	}
	return operation(TREE_CODE(t), TREE_TYPE(t), TREE_OPERAND(t, 0),
			 TREE_OPERAND_LENGTH(t) > 1 ? TREE_OPERAND(t, 1) : NULL_TREE, where);
}

/* `v` times `by`, or shifted by it. */
uniform_value uniform_reader::scaled(const uniform_value &v, tree_code code, tree by, location_t where)
{
	uniform_value to = v;
	if (!v.coef)
		return to;
	tree known = r.invariant(by);
	if (!known) {
		r.fail(where, "the distance of two iterations' data changes in the loop");
		return to;
	}
	if (code == LSHIFT_EXPR)
		known = fold_build2(LSHIFT_EXPR, ssizetype, ssize_int(1), fold_convert(integer_type_node, known));
	to.coef = fold_build2(MULT_EXPR, ssizetype, v.coef, as_ssize(known));
	return to;
}

/* Returns whether numbers of this type that differ by a multiple of the lane are exact. */
static bool exact_type(tree type)
{
	return POINTER_TYPE_P(type) ||
	       (INTEGRAL_TYPE_P(type) && (TYPE_PRECISION(type) == 64 || TYPE_OVERFLOW_UNDEFINED(type)));
}

uniform_value uniform_reader::converted(tree type, tree from, location_t where)
{
	uniform_value v = value_of(from, where);
	tree source = TREE_TYPE(from);
	bool pointers = POINTER_TYPE_P(type) && POINTER_TYPE_P(source);
	if (!v.roots.empty() && !pointers)
		r.fail(where, "a pointer becomes an integer");
	if (v.coef && !pointers &&
	    (!exact_type(source) || TYPE_PRECISION(type) < TYPE_PRECISION(source) ||
	     (TYPE_PRECISION(type) < 64 && TYPE_UNSIGNED(type) && !TYPE_UNSIGNED(source))))
		r.fail(where, "an index is cut to fewer bits or may wrap");
	return v;
}

/* A product of two values, of which at most one differs between lanes. */
uniform_value uniform_reader::product(const uniform_value &v, const uniform_value &w, tree a, tree b, location_t where)
{
	if (!v.roots.empty() || !w.roots.empty())
		return not_understood(v, w, where);
	if (!w.coef)
		return scaled(v, MULT_EXPR, b, where);
	return v.coef ? not_understood(v, w, where) : scaled(w, MULT_EXPR, a, where);
}

/* An operation that keeps no coefficient: the result has to be the same for all lanes. */
uniform_value uniform_reader::uniform_operation(tree_code code, const uniform_value &v, const uniform_value &w,
						location_t where)
{
	bool distance = TREE_CODE_CLASS(code) == tcc_comparison || code == POINTER_DIFF_EXPR;
	/* a distance is, if both sides grow by the same */
	if (distance && v.roots == w.roots && v.roots.size() <= 1 && same_tree(v.coef, w.coef))
		return constant();
	if (!distance && !v.coef && !w.coef && v.roots.empty() && w.roots.empty())
		return v;
	return not_understood(v, w, where);
}

uniform_value uniform_reader::not_understood(const uniform_value &v, const uniform_value &w, location_t where)
{
	r.fail(where, v.coef || w.coef ? "a condition or an index that is not affine in the number of the iteration"
				       : "arithmetic with pointers that is not understood");
	return v;
}

uniform_value uniform_reader::operation(tree_code code, tree type, tree a, tree b, location_t where)
{
	if (CONVERT_EXPR_CODE_P(code))
		return converted(type, a, where);
	uniform_value v = value_of(a, where), w = b ? value_of(b, where) : constant();
	if (v.open || w.open)
		return uniform_value();
	if ((v.coef || w.coef) && TREE_CODE_CLASS(code) != tcc_comparison && !exact_type(type))
		r.fail(where, "an index may wrap");
	bool number = v.roots.empty();
	switch (code) {
	case SSA_NAME:
	case PAREN_EXPR: return v;
	case PLUS_EXPR:
	case POINTER_PLUS_EXPR: return added(PLUS_EXPR, v, w);
	case MINUS_EXPR: return w.roots.empty() ? added(MINUS_EXPR, v, w) : not_understood(v, w, where);
	case NEGATE_EXPR: return number ? added(MINUS_EXPR, constant(), v) : not_understood(v, w, where);
	case LSHIFT_EXPR: return number && !w.coef ? scaled(v, code, b, where) : not_understood(v, w, where);
	case MULT_EXPR: return product(v, w, a, b, where);
	default: return uniform_operation(code, v, w, where);
	}
}

/* The address of what `t`, a memory reference, reads or writes. */
uniform_value uniform_reader::address_of(tree t, location_t where)
{
	poly_int64 size, position;
	tree offset;
	machine_mode mode;
	int is_unsigned = 0, reversed = 0, is_volatile = 0;
	tree base = get_inner_reference(t, &size, &position, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
	HOST_WIDE_INT bits;
	uniform_value v = constant();
	if (is_volatile || reversed || !position.is_constant(&bits) || bits % 8)
		r.fail(where, "volatile or packed data");
	if (TREE_CODE(base) == MEM_REF) {
		v = value_of(TREE_OPERAND(base, 0), where);
	} else if (VAR_P(base) || TREE_CODE(base) == PARM_DECL || TREE_CODE(base) == RESULT_DECL) {
		if (!is_global_var(base))
			TREE_ADDRESSABLE(base) = 1;
		v.roots.insert(root_of(build_fold_addr_expr(base)));
	} else {
		r.fail(where, "memory of a kind that is not understood");
	}
	return offset ? added(PLUS_EXPR, v, value_of(offset, where)) : v;
}

/* Notes what is known of a name; it may be one of several ways to it. */
void uniform_reader::note(tree name, const uniform_value &v, location_t where)
{
	uniform_value &old = values[name];
	if (v.open)
		return;
	if (old.open) {
		old = v;
		changed = true;
		return;
	}
	if (!same_tree(old.coef, v.coef))
		r.fail(where, "an index that differs between the iterations in a way that is not affine");
	for (int root : v.roots)
		changed |= old.roots.insert(root).second;
}

/* Why a value that the lanes' loop hands on is refused. */
static const char *carried_refusal(const nest &n, tree name)
{
	return used_in_nest(n, name, true) ? "an iteration needs a value of the one before it"
					   : "the last iteration's value of a variable is used after the loop";
}

bool uniform_reader::lane_phi(gphi *p)
{
	tree name = gimple_phi_result(p), step;
	edge in = loop_preheader_edge(n.outer);
	if (!r.step_of(p, step))
		return r.fail(gimple_location(p), "%s", carried_refusal(n, name));
	uniform_value v = value_of(PHI_ARG_DEF_FROM_EDGE(p, in), n.where);
	v.coef = integer_zerop(step) ? NULL_TREE : step;
	note(name, v, n.where);
	return n.refused.empty();
}

bool uniform_reader::phi(gphi *p)
{
	tree name = gimple_phi_result(p), type = TREE_TYPE(name);
	bool lanes = gimple_bb(p) == n.outer->header;
	if (virtual_operand_p(name) || (is_number(type) && !lanes))
		return true;
	if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type))
		return r.fail(n.where, "%s", lanes ? carried_refusal(n, name) : number_refusal(type));
	if (lanes)
		return lane_phi(p);
	for (unsigned k = 0; k < gimple_phi_num_args(p); k++)
		note(name, value_of(gimple_phi_arg_def(p, k), gimple_location(p)), gimple_location(p));
	return n.refused.empty();
}

/* An assignment of an integer or a pointer. */
bool uniform_reader::integer(gimple *s)
{
	tree lhs = gimple_assign_lhs(s), a = gimple_assign_rhs1(s);
	location_t where = gimple_location(s);
	if (gimple_assign_load_p(s)) {
		tree known = r.invariant(lhs);
		if (!known)
			return r.loaded_subscript(lhs, where);
		loaded[lhs] = known;
		uniform_value v = constant();
		if (POINTER_TYPE_P(TREE_TYPE(lhs)))
			v.roots.insert(root_of(known));
		note(lhs, v, where);
		return n.refused.empty();
	}
	switch (gimple_assign_rhs_class(s)) {
	case GIMPLE_SINGLE_RHS: note(lhs, value_of(a, where), where); break;
	case GIMPLE_UNARY_RHS:
	case GIMPLE_BINARY_RHS:
		if (!INTEGRAL_TYPE_P(TREE_TYPE(a)) && !POINTER_TYPE_P(TREE_TYPE(a)))
			return r.fail(where, "an integer that is computed from real numbers");
		note(lhs, operation(gimple_assign_rhs_code(s), TREE_TYPE(lhs), a, gimple_assign_rhs2(s), where), where);
		break;
	default: return r.fail(where, "an index that is neither a sum nor a product");
	}
	return n.refused.empty();
}

bool uniform_expected(gimple *s)
{
	return gimple_call_internal_p(s, IFN_BUILTIN_EXPECT) && gimple_call_lhs(s);
}

bool uniform_reader::statement(gimple *s)
{
	location_t where = gimple_location(s);
	if (is_gimple_debug(s) || gimple_clobber_p(s) || simd_mark_is(s))
		return true;
	switch (gimple_code(s)) {
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT: return true;
	case GIMPLE_COND: {
		if (gimple_bb(s) == single_exit(n.outer)->src)
			return true; /* counted */
		tree a = gimple_cond_lhs(s);
		if (!INTEGRAL_TYPE_P(TREE_TYPE(a)) && !POINTER_TYPE_P(TREE_TYPE(a)))
			return r.fail(where, "a condition inside the loop");
		operation(gimple_cond_code(s), boolean_type_node, a, gimple_cond_rhs(s), where);
		return n.refused.empty();
	}
	case GIMPLE_ASSIGN: break;
	case GIMPLE_CALL:
		if (array_function(s) != IFN_LAST)
			return r.need(UNIT_NUMBER_DIVIDE, where);
		if (!uniform_expected(s))
			return r.refuse_call(s);
		note(gimple_call_lhs(s), value_of(gimple_call_arg(s, 0), where), where);
		return n.refused.empty();
	default: return r.fail(where, "a statement that is no assignment");
	}
	if (gimple_has_volatile_ops(s))
		return r.fail(where, "volatile access");
	tree type = TREE_TYPE(gimple_assign_lhs(s));
	if (gimple_vdef(s) && (!gimple_assign_single_p(s) || !is_number(type)))
		return r.fail(where, "%s", number_refusal(type));
	if (is_number(type) && (gimple_vdef(s) || gimple_assign_load_p(s))) {
		address_of(gimple_vdef(s) ? gimple_assign_lhs(s) : gimple_assign_rhs1(s), where);
		return n.refused.empty();
	}
	if (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type))
		return integer(s);
	return is_number(type) || r.fail(where, "%s", number_refusal(type));
}

bool uniform_reader::block(basic_block b)
{
	for (gphi_iterator p = gsi_start_phis(b); !gsi_end_p(p); gsi_next(&p))
		if (!phi(p.phi()))
			return false;
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
		if (!statement(gsi_stmt(g)))
			return false;
	return true;
}

/* Each root is the lanes' with one coefficient, or the same for all. */
bool uniform_reader::reference(tree t, bool write, location_t where)
{
	uniform_value v = address_of(t, where);
	if (!n.refused.empty())
		return false;
	if (v.open || v.roots.empty())
		return r.fail(where, "an address that is not understood");
	if (write && !v.coef)
		return r.fail(where, "every iteration stores to the same place");
	int size = size_of_part(TREE_TYPE(t));
	for (int root : v.roots) {
		struct reference &f = n.refs[root];
		if ((f.read || f.write) && !same_tree(n.families[root].coef[0], v.coef))
			return r.fail(where, "an array is accessed both by iterations and by all");
		if (f.size && f.size != size)
			return r.fail(where, "an array is accessed in single and in double precision");
		n.families[root].size = f.size = size;
		n.families[root].coef[0] = f.at.coef[0] = v.coef;
		n.families[root].lane = v.coef != NULL_TREE;
		(write ? f.write : f.read) = true;
	}
	return true;
}

bool uniform_reader::references(basic_block b)
{
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
		gimple *s = gsi_stmt(g);
		if (is_gimple_debug(s) || gimple_clobber_p(s) || !is_gimple_assign(s))
			continue;
		bool write = gimple_vdef(s) != NULL_TREE;
		if (!is_number(TREE_TYPE(gimple_assign_lhs(s))) || (!write && !gimple_assign_load_p(s)))
			continue;
		tree t = write ? gimple_assign_lhs(s) : gimple_assign_rhs1(s);
		if (!reference(t, write, gimple_location(s)))
			return false;
	}
	return true;
}

bool uniform_reader::read(class loop *l)
{
	edge exit = single_exit(l);
	n.outer = l;
	if (!exit || exit->src != l->header || !is_a<gcond *>(last_stmt(exit->src)))
		return r.fail(n.where, "a loop with no exit or more than one");
	n.loops.emplace_back();
	n.loops[0].l = l;
	r.index[l] = 0;
	r.collect_stores();
	if (!r.quiet(l->header) || !r.count_of(0, exit))
		return r.fail(n.where, "the exit is in the middle of the loop");
	basic_block *blocks = get_loop_body_in_dom_order(l);
	bool good = true;
	do {
		changed = false;
		for (unsigned b = 0; b < l->num_nodes && good; b++)
			good = block(blocks[b]);
	} while (changed && good);
	for (size_t k = 0; k < n.families.size() && good; k++) {
		struct reference f = {};
		f.at.root = n.families[k].root;
		f.at.rest = as_ssize(f.at.root);
		f.at.coef = {NULL_TREE};
		f.family = f.base = (int)k;
		f.where = n.where;
		n.refs.push_back(f);
	}
	for (unsigned b = 0; b < l->num_nodes && good; b++)
		good = references(blocks[b]);
	free(blocks);
	bool stores = false;
	for (struct reference &f : n.refs) {
		stores |= f.write;
		if (!f.size)
			f.size = n.families[f.family].size = NEST_SIZE;
	}
	n.loops[0].count.coef.assign(1, NULL_TREE);
	return good && (stores || r.fail(n.where, "it stores nothing")) && r.results();
}
