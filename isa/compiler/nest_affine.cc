/*
 * Integers and addresses of a nest as affine numbers. 64 bits wrap as addresses do. Signed numbers of fewer bits
 * do not overflow, as C and Fortran say; unsigned ones may wrap, so only their indices and values from outside pass.
 */
#include "nest_reader.hh"

#include "tree-ssa-alias.h"
#include "gimplify.h"
#include "tree-cfg.h"
#include "tree-eh.h"
#include "tree-dfa.h"
#include "options.h"

void reader::collect_stores()
{
	basic_block *blocks = get_loop_body(n.outer);
	for (unsigned b = 0; b < n.outer->num_nodes; b++)
		for (gimple_stmt_iterator g = gsi_start_bb(blocks[b]); !gsi_end_p(g); gsi_next(&g))
			if (gimple_vdef(gsi_stmt(g)) && !simd_mark_is(gsi_stmt(g)))
				stores.push_back(gsi_stmt(g));
	free(blocks);
}

bool same_tree(tree a, tree b)
{
	if (!a || !b)
		return a == b;
	return operand_equal_p(a, b, 0);
}

static bool same_coefficients(const std::vector<tree> &a, const std::vector<tree> &b)
{
	for (size_t k = 0; k < a.size(); k++)
		if (!same_tree(a[k], b[k]))
			return false;
	return true;
}

bool same_affine(const affine &a, const affine &b)
{
	return a.root == b.root && a.data == b.data && same_tree(a.data_by, b.data_by) && same_tree(a.rest, b.rest) &&
	       same_coefficients(a.coef, b.coef);
}

static tree as_long(tree t)
{
	return fold_convert(ssizetype, t);
}

static tree add_trees(tree_code code, tree a, tree b)
{
	if (!b || integer_zerop(b))
		return a;
	if (!a)
		return code == PLUS_EXPR ? b : fold_build1(NEGATE_EXPR, ssizetype, b);
	tree sum = fold_build2(code, ssizetype, a, b);
	return integer_zerop(sum) ? NULL_TREE : sum;
}

static tree scale_tree(tree a, tree by)
{
	return a ? fold_build2(MULT_EXPR, ssizetype, a, by) : NULL_TREE;
}

static void scale(affine &a, tree by)
{
	for (tree &c : a.coef)
		c = scale_tree(c, by);
	a.rest = scale_tree(a.rest, by);
	a.data_by = scale_tree(a.data_by, by);
}

/* The sum of two affine numbers, or their difference, in `to`. */
static void add_affine(tree_code code, affine &to, const affine &other)
{
	tree_code by = code == MINUS_EXPR || code == POINTER_DIFF_EXPR ? MINUS_EXPR : PLUS_EXPR;
	for (size_t k = 0; k < to.coef.size(); k++)
		to.coef[k] = add_trees(by, to.coef[k], other.coef[k]);
	to.rest = fold_build2(by, ssizetype, to.rest, other.rest);
	if (!to.root)
		to.root = other.root;
	if (other.data) {
		to.data_by = add_trees(by, to.data_by, other.data_by);
		to.data = to.data_by ? other.data : NULL_TREE;
	}
	if (code == POINTER_DIFF_EXPR) /* a number of bytes */
		to.root = NULL_TREE;
}

static bool has_indices(const affine &a)
{
	for (tree c : a.coef)
		if (c)
			return true;
	return a.data != NULL_TREE;
}

void affine_clear(affine &a)
{
	a.data = a.data_by = NULL_TREE;
	a.rest = ssize_int(0);
	a.coef.assign(LOOPS_MAX, NULL_TREE);
	a.root = NULL_TREE;
}

bool reader::not_affine(tree t, location_t where, const char *why)
{
	const char *name = "an index";
	if (TREE_CODE(t) == SSA_NAME && SSA_NAME_VAR(t) && DECL_NAME(SSA_NAME_VAR(t)))
		name = IDENTIFIER_POINTER(DECL_NAME(SSA_NAME_VAR(t)));
	n.not_affine |= n.refused.empty();
	return fail(where, "%s is not affine in the loops' indices: %s", name, why);
}

bool reader::loaded_subscript(tree t, location_t where)
{
	if (n.in->units & UNIT_GATHER)
		return not_affine(t, where, "it is loaded in the loop");
	n.not_affine |= n.refused.empty();
	return need(UNIT_NUMBER_GATHER, where);
}

static bool is_index(tree type)
{
	return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

/* Returns whether an operation may move in front of the nest: there, a division by zero would come too early. */
static bool may_move(tree_code code, tree b)
{
	bool division = code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR || code == EXACT_DIV_EXPR;
	return TREE_CODE_CLASS(code) != tcc_comparison &&
	       !(division && (TREE_CODE(b) != INTEGER_CST || integer_zerop(b)));
}

/* The value of an assignment whose operands are invariant, or NULL_TREE. */
tree reader::invariant_operation(gassign *s, int depth)
{
	gimple_rhs_class form = gimple_assign_rhs_class(s);
	if (form != GIMPLE_BINARY_RHS && form != GIMPLE_UNARY_RHS && form != GIMPLE_SINGLE_RHS)
		return NULL_TREE;
	tree b = form == GIMPLE_BINARY_RHS ? invariant(gimple_assign_rhs2(s), depth + 1) : NULL_TREE;
	if (form == GIMPLE_BINARY_RHS && !b)
		return NULL_TREE;
	tree a = invariant(gimple_assign_rhs1(s), depth + 1), type = TREE_TYPE(gimple_assign_lhs(s));
	if (!a || !is_index(TREE_TYPE(a)))
		return NULL_TREE;
	if (form == GIMPLE_SINGLE_RHS)
		return a;
	tree_code code = gimple_assign_rhs_code(s);
	if (!b)
		return fold_build1(code, type, a);
	return may_move(code, b) ? fold_build2(code, type, a, b) : NULL_TREE;
}

/* An integer or pointer as an expression of what is known outside, in its own type, or NULL_TREE. */
tree reader::invariant(tree t, int depth)
{
	if (CONSTANT_CLASS_P(t))
		return t;
	if (TREE_CODE(t) == ADDR_EXPR && is_gimple_min_invariant(t))
		return t;
	if (TREE_CODE(t) != SSA_NAME || depth > 32)
		return NULL_TREE;
	if (!inside(t))
		return t;
	gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
	if (!s || !is_index(TREE_TYPE(t)))
		return NULL_TREE;
	if (gimple_assign_load_p(s))
		return invariant_load(s);
	return invariant_operation(s, depth);
}

/* Returns whether arithmetic of this type is that of integers modulo 2^64, or does not overflow. */
static bool exact(tree type)
{
	return POINTER_TYPE_P(type) ||
	       (INTEGRAL_TYPE_P(type) && (TYPE_PRECISION(type) == 64 || TYPE_OVERFLOW_UNDEFINED(type)));
}

/* The step of an induction variable, if it is one. */
bool reader::step_of(gphi *phi, tree &step)
{
	class loop *l = gimple_bb(phi)->loop_father;
	tree name = gimple_phi_result(phi), at = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(l));
	step = ssize_int(0);
	while (at != name) {
		if (TREE_CODE(at) != SSA_NAME || !inside(at))
			return false;
		gphi *behind = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(at));
		if (behind && gimple_phi_num_args(behind) == 1) { /* behind an inner loop, which does not change it */
			at = gimple_phi_arg_def(behind, 0);
			continue;
		}
		gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(at));
		if (!s || gimple_num_ops(s) != 3)
			return false;
		tree_code code = gimple_assign_rhs_code(s);
		if (code != PLUS_EXPR && code != MINUS_EXPR && code != POINTER_PLUS_EXPR)
			return false;
		tree by = invariant(gimple_assign_rhs2(s));
		if (!by)
			return false;
		/* unsigned constants of fewer bits that stand for negative numbers */
		if (TREE_CODE(by) == INTEGER_CST && TYPE_PRECISION(TREE_TYPE(by)) < 64)
			by = fold_convert(signed_type_for(TREE_TYPE(by)), by);
		step = fold_build2(code == MINUS_EXPR ? MINUS_EXPR : PLUS_EXPR, ssizetype, step, as_long(by));
		at = gimple_assign_rhs1(s);
	}
	return true;
}

/* Returns whether a loop is `in` or in it. */
static bool flow_loop_nested_or_same(class loop *in, class loop *l)
{
	return in == l || flow_loop_nested_p(in, l);
}

bool reader::affine_phi(gphi *phi, affine &to, location_t where)
{
	tree name = gimple_phi_result(phi), step;
	if (gimple_phi_num_args(phi) == 1)
		return affine_of(gimple_phi_arg_def(phi, 0), to, where);
	class loop *l = gimple_bb(phi)->loop_father;
	auto at = index.find(l);
	if (at != index.end() && breaks.count(at->second) && !flow_loop_nested_or_same(l, n.loops[current].l))
		return not_affine(name, where, "its loop may end before it has counted all");
	if (at == index.end() || gimple_bb(phi) != l->header || !step_of(phi, step))
		return not_affine(name, where, "it does not grow by the same step in each iteration");
	if (!affine_of(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(l)), to, where))
		return false;
	if (!integer_zerop(step))
		to.coef[at->second] = add_trees(PLUS_EXPR, to.coef[at->second], step);
	return true;
}

bool reader::affine_conversion(tree type, tree from, affine &to, location_t where)
{
	tree source = TREE_TYPE(from);
	bool index_only = TREE_CODE(from) == SSA_NAME && (!inside(from) || is_a<gphi *>(SSA_NAME_DEF_STMT(from)));
	if (!INTEGRAL_TYPE_P(source) && !POINTER_TYPE_P(source))
		return not_affine(from, where, "it is computed from a number that is no integer");
	if (TYPE_PRECISION(type) < TYPE_PRECISION(source))
		return not_affine(from, where, "it is cut to fewer bits");
	if (!exact(source) && !index_only)
		return not_affine(from, where, "unsigned arithmetic of fewer than 64 bits may wrap");
	if (TYPE_PRECISION(type) < 64 && TYPE_UNSIGNED(type) && !TYPE_UNSIGNED(source))
		return not_affine(from, where, "it becomes unsigned");
	return affine_of(from, to, where);
}

bool reader::affine_operation(tree_code code, tree type, tree a, tree b, affine &to, location_t where)
{
	affine other;
	if (!exact(type))
		return not_affine(a, where, "unsigned arithmetic of fewer than 64 bits may wrap");
	if (!affine_of(a, to, where))
		return false;
	if (code == NEGATE_EXPR || code == BIT_NOT_EXPR) {
		scale(to, ssize_int(-1));
		if (code == BIT_NOT_EXPR)
			to.rest = fold_build2(MINUS_EXPR, ssizetype, to.rest, ssize_int(1));
		return true;
	}
	if (code == EXACT_DIV_EXPR && to.data)
		return not_affine(a, where, "it is a quotient");
	if (code == EXACT_DIV_EXPR)
		return affine_quotient(a, b, to, where);
	if (code == LSHIFT_EXPR) {
		if (TREE_CODE(b) != INTEGER_CST || !tree_fits_uhwi_p(b) || tree_to_uhwi(b) > 32)
			return not_affine(a, where, "it is shifted");
		affine_clear(other);
		other.rest = ssize_int(HOST_WIDE_INT_1 << tree_to_uhwi(b));
		code = MULT_EXPR;
	} else if (!affine_of(b, other, where)) {
		return false;
	}
	if (to.data && other.data && to.data != other.data)
		return not_affine(a, where, "it is a sum of data");
	if (code != MULT_EXPR) {
		add_affine(code, to, other);
		return true;
	}
	if (has_indices(to) && has_indices(other))
		return not_affine(a, where, "it is a product of indices");
	if (has_indices(other))
		std::swap(to, other);
	scale(to, other.rest);
	return true;
}

/* Divides `to`, which has been read, by a constant: no rest is left, as of the distance of two pointers. */
bool reader::affine_quotient(tree a, tree by, affine &to, location_t where)
{
	for (tree &c : to.coef)
		if (c && (TREE_CODE(by) != INTEGER_CST || TREE_CODE(c) != INTEGER_CST || integer_zerop(by) ||
			  !multiple_of_p(ssizetype, c, as_long(by))))
			return not_affine(a, where, "it is a quotient");
	for (tree &c : to.coef)
		c = c ? fold_build2(EXACT_DIV_EXPR, ssizetype, c, as_long(by)) : NULL_TREE;
	to.rest = fold_build2(EXACT_DIV_EXPR, ssizetype, to.rest, as_long(by));
	return true;
}

/*
 * What a pointer that is known outside comes from. A row's address, which a loop around the nest computes, is of the
 * same array wherever it is computed.
 */
static tree root_of(tree pointer)
{
	tree at = pointer;
	for (;;) {
		if (TREE_CODE(at) == POINTER_PLUS_EXPR || CONVERT_EXPR_P(at)) {
			at = TREE_OPERAND(at, 0);
			continue;
		}
		gassign *s = TREE_CODE(at) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(at)) : NULL;
		bool in_loop = s && loop_depth(gimple_bb(s)->loop_father) > 0;
		if (!in_loop || gimple_assign_load_p(s) || !POINTER_TYPE_P(TREE_TYPE(gimple_assign_rhs1(s))))
			break;
		tree_code code = gimple_assign_rhs_code(s);
		if (code != POINTER_PLUS_EXPR && code != SSA_NAME && !CONVERT_EXPR_CODE_P(code))
			break;
		at = gimple_assign_rhs1(s);
	}
	if (TREE_CODE(at) == ADDR_EXPR && DECL_P(TREE_OPERAND(at, 0)))
		return TREE_OPERAND(at, 0);
	return POINTER_TYPE_P(TREE_TYPE(at)) && TREE_CODE(at) == SSA_NAME ? at : pointer;
}

/* `t` is an operand or an expression without side effects. */
bool reader::affine_sum(tree t, affine &to, location_t where)
{
	affine_clear(to);
	tree known = invariant(t);
	if (known) {
		to.rest = as_long(known);
		if (POINTER_TYPE_P(TREE_TYPE(t)))
			to.root = root_of(known);
		return true;
	}
	tree_code code = TREE_CODE(t);
	tree type = TREE_TYPE(t), a = NULL_TREE, b = NULL_TREE;
	if (code == SSA_NAME) {
		gimple *s = SSA_NAME_DEF_STMT(t);
		if (gphi *phi = dyn_cast<gphi *>(s))
			return affine_phi(phi, to, where);
		if (!is_gimple_assign(s))
			return not_affine(t, where, "it comes from a call");
		if (gimple_assign_load_p(s))
			return loaded_subscript(t, where);
		code = gimple_assign_rhs_code(s);
		a = gimple_assign_rhs1(s);
		b = gimple_assign_rhs2(s);
	} else if (EXPR_P(t)) {
		a = TREE_OPERAND(t, 0);
		b = TREE_OPERAND_LENGTH(t) > 1 ? TREE_OPERAND(t, 1) : NULL_TREE;
	}
	switch (code) {
	CASE_CONVERT:
		return affine_conversion(type, a, to, where);
	case SSA_NAME: return affine_of(a, to, where);
	case ADDR_EXPR: return address_of(TREE_OPERAND(a && TREE_CODE(a) == ADDR_EXPR ? a : t, 0), to, where);
	case PLUS_EXPR:
	case MINUS_EXPR:
	case POINTER_PLUS_EXPR:
	case POINTER_DIFF_EXPR:
	case EXACT_DIV_EXPR:
	case MULT_EXPR:
	case LSHIFT_EXPR:
	case NEGATE_EXPR:
	case BIT_NOT_EXPR: return affine_operation(code, type, a, b, to, where);
	default: return not_affine(t, where, "it is neither a sum nor a product");
	}
}

/* The address of what `t`, a memory reference, reads or writes. */
bool reader::address_of(tree t, affine &to, location_t where)
{
	poly_int64 size, position;
	tree offset;
	machine_mode mode;
	int is_unsigned = 0, reversed = 0, is_volatile = 0;
	tree base = get_inner_reference(t, &size, &position, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
	HOST_WIDE_INT bits;
	if (is_volatile || reversed || !position.is_constant(&bits) || bits % 8)
		return fail(where, "volatile or packed data");
	affine more;
	if (TREE_CODE(base) == MEM_REF) {
		if (!affine_of(TREE_OPERAND(base, 0), to, where))
			return false;
		to.rest = fold_build2(PLUS_EXPR, ssizetype, to.rest, as_long(TREE_OPERAND(base, 1)));
	} else if (VAR_P(base) || TREE_CODE(base) == PARM_DECL || TREE_CODE(base) == RESULT_DECL) {
		if (DECL_REGISTER(base) || DECL_HAS_VALUE_EXPR_P(base) || !is_global_var(base))
			TREE_ADDRESSABLE(base) = 1;
		affine_clear(to);
		to.root = base;
		to.rest = as_long(build_fold_addr_expr(base));
	} else {
		return fail(where, "memory of a kind that is not understood");
	}
	to.rest = fold_build2(PLUS_EXPR, ssizetype, to.rest, ssize_int(bits / 8));
	if (!offset)
		return true;
	if (!affine_of(offset, more, where))
		return false;
	if (to.data && more.data)
		return not_affine(offset, where, "it is a sum of data");
	add_affine(PLUS_EXPR, to, more);
	return true;
}

/* a - b where the loop goes on as long as it is `code` 0; *by: its step. */
static bool difference(affine &a, const affine &b, int id, tree *by)
{
	for (size_t k = 0; k < a.coef.size(); k++)
		a.coef[k] = add_trees(MINUS_EXPR, a.coef[k], b.coef[k]);
	a.rest = fold_build2(MINUS_EXPR, ssizetype, a.rest, b.rest);
	*by = a.coef[id];
	a.coef[id] = NULL_TREE;
	return *by != NULL_TREE;
}

/* Steps of `size`, which is more than 0, in `rest`, rounded up; none if it is negative. */
static tree steps_in(tree rest, tree size)
{
	rest = fold_build2(MAX_EXPR, ssizetype, rest, ssize_int(0));
	return fold_build2(
		TRUNC_DIV_EXPR, ssizetype,
		fold_build2(PLUS_EXPR, ssizetype, rest, fold_build2(MINUS_EXPR, ssizetype, size, ssize_int(1))), size);
}

/* Returns whether a loop that goes on as long as d is `code` 0 ends, if d grows by the constant `by` each time. */
static bool comes_to_end(tree_code code, HOST_WIDE_INT by, bool pointers)
{
	if (code == NE_EXPR) /* what steps over the end of an array is no program */
		return by == 1 || by == -1 || (pointers && by != 0);
	return by > 0 ? code == LT_EXPR || code == LE_EXPR : by < 0 && (code == GT_EXPR || code == GE_EXPR);
}

/* Returns whether a number is larger in later lanes and depends on nothing else. */
static bool grows_with_lanes(const affine &a)
{
	for (size_t l = 1; l < a.coef.size(); l++)
		if (a.coef[l])
			return false;
	return tree_fits_shwi_p(a.coef[0]) && tree_to_shwi(a.coef[0]) > 0;
}

/* An exit's condition: the loop goes on as long as `distance`, which grows by `by`, is `code` 0. */
struct exit_condition {
	tree_code code;
	affine distance;
	tree by;
	tree type;  /* of the numbers that are compared */
	bool known; /* the step is a constant */

	/* Returns whether the distance grows from below 0. */
	bool up() const
	{
		return known ? tree_to_shwi(by) > 0 : code == LT_EXPR || code == LE_EXPR;
	}
};

/* The condition under which the loop goes on; false, with the nest refused, if there is none that is understood. */
bool reader::condition_of(int id, edge exit, exit_condition &to)
{
	gcond *c = as_a<gcond *>(last_stmt(exit->src));
	location_t where = gimple_location(c);
	tree a = gimple_cond_lhs(c), b = gimple_cond_rhs(c);
	affine other;
	to.code = gimple_cond_code(c);
	to.type = TREE_TYPE(a);
	if (!INTEGRAL_TYPE_P(to.type) && !POINTER_TYPE_P(to.type))
		return fail(where, "the number of iterations depends on a comparison of real numbers");
	if (exit->flags & EDGE_TRUE_VALUE)
		to.code = invert_tree_comparison(to.code, false);
	if (id > 0 && (n.in->units & NEST_ROW_UNITS) != NEST_ROW_UNITS && (from_data(a, 0) || from_data(b, 0)))
		return uneven(where, loaded_bounds_refusal);
	if (!affine_of(a, to.distance, where) || !affine_of(b, other, where) ||
	    !difference(to.distance, other, id, &to.by))
		return uneven(where, "the number of iterations is not known beforehand");
	to.known = tree_fits_shwi_p(to.by);
	/* a step that is known at run time: if it has the wrong sign, there are no lanes, and the loop runs as it is */
	bool late = !to.known && id == 0 && !interchanges && !n.loops[id].at_end && exact(to.type) &&
		    to.code != NE_EXPR && to.code != EQ_EXPR;
	if (to.known ? !comes_to_end(to.code, tree_to_shwi(to.by), POINTER_TYPE_P(to.type)) : !late)
		return uneven(where, "the number of iterations is not known beforehand");
	return true;
}

/* Makes the distance that a loop goes, in steps of `size`, the number of its iterations. */
static void divide(affine &distance, tree size, bool known)
{
	tree grows = fold_build2(GT_EXPR, boolean_type_node, size, ssize_int(0));
	distance.rest = steps_in(distance.rest, known ? size : fold_build2(MAX_EXPR, ssizetype, size, ssize_int(1)));
	if (!known)
		distance.rest = fold_build2(MULT_EXPR, ssizetype, distance.rest, fold_convert(ssizetype, grows));
}

/* The number of iterations: how often the exit's condition is not met. */
bool reader::count_of(int id, edge exit)
{
	exit_condition c;
	if (!condition_of(id, exit, c))
		return false;
	location_t where = gimple_location(last_stmt(exit->src));
	affine &d = c.distance;
	tree size = c.by;
	/* up: -distance / by, rounded up, one more if equal goes on; down: distance / -by */
	if (c.up())
		scale(d, ssize_int(-1));
	else
		size = scale_tree(c.by, ssize_int(-1));
	if (c.code == LE_EXPR || c.code == GE_EXPR)
		d.rest = fold_build2(PLUS_EXPR, ssizetype, d.rest, ssize_int(1));
	if (!integer_onep(size) && has_indices(d))
		return uneven(where, "the number of iterations depends on an outer loop, with a step of more than one");
	if (!integer_onep(size))
		divide(d, size, c.known);
	n.loops[id].ragged = d.coef[0] && !interchanges;
	if (n.loops[id].ragged && (n.region_line || !grows_with_lanes(d) || n.loops[id].at_end))
		return fail(where, "the number of iterations differs between the PEs");
	if (n.loops[id].at_end) {
		tree more = has_indices(d) ? d.rest : fold_build2(MAX_EXPR, ssizetype, d.rest, ssize_int(0));
		d.rest = fold_build2(PLUS_EXPR, ssizetype, more, ssize_int(1));
	}
	n.loops[id].count = d;
	return true;
}
