/*
 * Integers and pointers that a nest loads and no store of it changes: n of `g->n`, or the pointer g->u of `g->u[i]`.
 * Their loads move in front of the nest. There, a load that may trap reads its own place only if the loops around it
 * run at least once.
 */
#include "nest_reader.hh"

#include "gimplify.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-ssa-alias.h"

static tree as_long(tree t)
{
	return fold_convert(ssizetype, t);
}

/* Returns whether a statement runs in each iteration of the loops around it, up to the nest's outermost. */
static bool always_runs(const nest &n, gimple *s)
{
	basic_block b = gimple_bb(s);
	for (class loop *l = b->loop_father;; l = loop_outer(l)) {
		if (!l->latch || !dominated_by_p(CDI_DOMINATORS, l->latch, b))
			return false;
		if (l == n.outer)
			return true;
		b = l->header;
	}
}

/* Returns an operand of a condition as it is when the loop is entered, or NULL_TREE. */
tree reader::at_entry(tree t, class loop *l)
{
	gimple *s = TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : NULL;
	gphi *phi = s ? dyn_cast<gphi *>(s) : NULL;
	if (phi)
		return gimple_bb(phi) == l->header ? invariant(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(l)))
						   : NULL_TREE;
	if (s && inside(t) && is_gimple_assign(s) && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))) {
		tree from = at_entry(gimple_assign_rhs1(s), l);
		return from ? fold_convert(TREE_TYPE(t), from) : NULL_TREE;
	}
	return invariant(t);
}

/* Returns a condition, known in front of the nest, of whether a loop that tests first runs at least once. */
tree reader::is_entered(class loop *l)
{
	edge exit = single_exit(l);
	gcond *c = exit && exit->src == l->header ? dyn_cast<gcond *>(last_stmt(l->header)) : NULL;
	if (!c || !INTEGRAL_TYPE_P(TREE_TYPE(gimple_cond_lhs(c))))
		return NULL_TREE;
	tree a = at_entry(gimple_cond_lhs(c), l), b = at_entry(gimple_cond_rhs(c), l);
	if (!a || !b)
		return NULL_TREE;
	tree_code code = gimple_cond_code(c);
	if (exit->flags & EDGE_TRUE_VALUE)
		code = invert_tree_comparison(code, false);
	return fold_build2(code, boolean_type_node, a, b);
}

/* The same load in the outermost of the loops around `s`: it runs whenever `s` does. */
static gimple *outermost_load(const nest &n, gimple *s)
{
	gimple *found = s;
	basic_block *blocks = get_loop_body(n.outer);
	for (unsigned b = 0; b < n.outer->num_nodes; b++)
		for (gimple_stmt_iterator g = gsi_start_bb(blocks[b]); !gsi_end_p(g); gsi_next(&g)) {
			gimple *other = gsi_stmt(g);
			if (gimple_assign_load_p(other) &&
			    flow_loop_nested_p(blocks[b]->loop_father, gimple_bb(found)->loop_father) &&
			    operand_equal_p(gimple_assign_rhs1(other), gimple_assign_rhs1(s), 0))
				found = other;
		}
	free(blocks);
	return found;
}

/* `t`, or what is at a place that is always there if the loops around its load `s` do not run; or NULL_TREE. */
tree reader::guarded_load(gimple *s, tree t)
{
	s = outermost_load(n, s);
	if (gimple_bb(s) == n.outer->header)
		return t;
	poly_int64 offset;
	HOST_WIDE_INT bytes;
	tree base = get_addr_base_and_unit_offset(t, &offset);
	if (!base || TREE_CODE(base) != MEM_REF || !(offset + mem_ref_offset(base).force_shwi()).is_constant(&bytes))
		return NULL_TREE;
	if (!always_runs(n, s) || (TREE_CODE(t) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(t, 1))))
		return NULL_TREE;
	tree runs = boolean_true_node;
	class loop *l = gimple_bb(s)->loop_father;
	if (gimple_bb(s) == l->header) /* which is reached also if the loop does not run */
		l = loop_outer(l);
	for (; flow_loop_nested_p(n.outer, l) || l == n.outer; l = loop_outer(l)) {
		tree entered = is_entered(l);
		if (!entered)
			return NULL_TREE;
		runs = fold_build2(TRUTH_AND_EXPR, boolean_type_node, runs, entered);
	}
	if (!nothing) {
		char name[64];
		snprintf(name, sizeof name, "psim_nothing.%d", n.in->numbers++);
		nothing = static_long(name, 0);
	}
	/* a choice without a branch; the pointer comes first, as names are looked for there (nest_maps.cc) */
	tree pointer = TREE_OPERAND(base, 0), type = TREE_TYPE(pointer);
	tree there = fold_build2(MINUS_EXPR, ssizetype, as_long(build_fold_addr_expr(nothing)), ssize_int(bytes));
	tree by = build2(MULT_EXPR, ssizetype, build2(MINUS_EXPR, ssizetype, as_long(pointer), there), as_long(runs));
	TREE_OPERAND(base, 0) = build1(NOP_EXPR, type, build2(PLUS_EXPR, ssizetype, by, there));
	return t;
}

tree reader::invariant_load(gimple *s)
{
	tree t = gimple_assign_rhs1(s), base = get_base_address(t), through = NULL_TREE;
	if (gimple_has_volatile_ops(s))
		return NULL_TREE;
	bool dummy =
		base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_TYPE(TREE_OPERAND(base, 0))) == REFERENCE_TYPE;
	ssa_op_iter it;
	tree used;
	FOR_EACH_SSA_TREE_OPERAND(used, s, it, SSA_OP_USE)
	if (inside(used)) {
		if (!base || TREE_CODE(base) != MEM_REF || TREE_OPERAND(base, 0) != used || through)
			return NULL_TREE;
		through = invariant(used); /* g->mesh of g->mesh->u */
		if (!through)
			return NULL_TREE;
	}
	ao_ref ref;
	ao_ref_init(&ref, t);
	for (gimple *store : stores)
		if (stmt_may_clobber_ref_p_1(store, &ref))
			return NULL_TREE;
	class loop *in = gimple_bb(outermost_load(n, s))->loop_father;
	for (const moved_load &known : loads)
		if (known.in == in && operand_equal_p(known.from, t, 0))
			return known.load;
	tree moved = unshare_expr(t);
	if (through)
		TREE_OPERAND(get_base_address(moved), 0) = through;
	tree load = tree_could_trap_p(t) && !dummy ? guarded_load(s, moved) : moved;
	if (load)
		loads.push_back({t, in, load});
	return load;
}
