/*
 * A function with nests has two versions: the function itself, whose loops are as without the plugin, and a copy with
 * the calls of psim_nest_run. The function begins with a jump to the copy if there is an array. So no value of a
 * scalar loop lives across a call that it does not make, and GCC inlines and optimises the loops as it does without
 * the plugin.
 */
#include "nest.hh"

#include "alloc-pool.h"
#include "attribs.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "cgraph.h"
#include "gimple-expr.h"
#include "symbol-summary.h"
#include "ipa-prop.h"
#include "ipa-fnsummary.h"
#include "options.h"
#include "predict.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-dfa.h"
#include "tree-inline.h"
#include "tree-into-ssa.h"

/* Returns whether a call with the function's own arguments can replace it. */
static bool has_versions(function *fun)
{
	tree type = TREE_TYPE(fun->decl);
	return !flag_generate_lto && !DECL_EXTERNAL(fun->decl) && !TREE_THIS_VOLATILE(fun->decl) && !stdarg_p(type) &&
	       !variably_modified_type_p(TREE_TYPE(type), NULL_TREE);
}

/* The copy is called, whatever the function's attributes say of inlining and of vectors. */
static void own_attributes(tree copy, tree attributes)
{
	tree list = copy_list(attributes);
	for (const char *name : {"always_inline", "gnu_inline", "omp declare simd"})
		list = remove_attribute(name, list);
	DECL_ATTRIBUTES(copy) = tree_cons(get_identifier("noinline"), NULL_TREE, list);
	DECL_UNINLINABLE(copy) = DECL_NO_INLINE_WARNING_P(copy) = 1;
	DECL_DISREGARD_INLINE_LIMITS(copy) = DECL_DECLARED_INLINE_P(copy) = 0;
}

cgraph_node *version_make(compilation &in, function *fun)
{
	if (!has_versions(fun))
		return NULL;
	cgraph_node *of = cgraph_node::get(fun->decl);
	tree attributes = DECL_ATTRIBUTES(fun->decl);
	/* noclone, which noipa implies, is about copies for some of the callers */
	DECL_ATTRIBUTES(fun->decl) = remove_attribute("noclone", copy_list(attributes));
	cgraph_edge::rebuild_edges(); /* the early passes run without them */
	cgraph_node *copy = of->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, "psim_array");
	DECL_ATTRIBUTES(fun->decl) = attributes;
	of->remove_callees();
	of->remove_all_references();
	if (!copy)
		return NULL;
	own_attributes(copy->decl, attributes);
	in.made.insert(copy->decl);
	return copy;
}

void version_finish(cgraph_node *copy)
{
	update_ssa(TODO_update_ssa);
	cleanup_tree_cfg();
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	cgraph_edge::rebuild_edges();
	compute_fn_summary(copy, true);
}

void version_drop(compilation &in, cgraph_node *copy)
{
	function *fun = DECL_STRUCT_FUNCTION(copy->decl);
	free_dominance_info(fun, CDI_DOMINATORS);
	free_dominance_info(fun, CDI_POST_DOMINATORS);
	in.made.erase(copy->decl);
	copy->remove();
}

tree routine_long(const char *name)
{
	tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), long_integer_type_node);
	TREE_PUBLIC(v) = DECL_EXTERNAL(v) = TREE_USED(v) = DECL_ARTIFICIAL(v) = 1;
	return v;
}

/* The run-time routine's variable that is not 0 if there is an array. No program changes it after its start. */
static tree array_there()
{
	tree v = routine_long("psim_nest_array");
	TREE_READONLY(v) = 1;
	return v;
}

/* The function's parameters as arguments of the call. */
static vec<tree> arguments_of(function *fun, gimple_seq *seq)
{
	vec<tree> arguments = vNULL;
	for (tree p = DECL_ARGUMENTS(fun->decl); p; p = DECL_CHAIN(p)) {
		tree a = p;
		if (is_gimple_reg(p)) {
			a = get_or_create_ssa_default_def(fun, p);
		} else if (is_gimple_reg_type(TREE_TYPE(p))) {
			a = make_ssa_name(TREE_TYPE(p));
			gimple_seq_add_stmt(seq, gimple_build_assign(a, p));
		}
		arguments.safe_push(a);
	}
	return arguments;
}

/* The call of the copy; `result`: what it returns, or NULL. */
static gimple_seq call_of(function *fun, cgraph_node *copy, tree &result)
{
	gimple_seq seq = NULL;
	tree type = TREE_TYPE(TREE_TYPE(fun->decl));
	result = NULL_TREE;
	vec<tree> arguments = arguments_of(fun, &seq);
	gcall *c = gimple_build_call_vec(copy->decl, arguments);
	arguments.release();
	if (fun->static_chain_decl)
		gimple_call_set_chain(c, get_or_create_ssa_default_def(fun, fun->static_chain_decl));
	if (!VOID_TYPE_P(type)) {
		result = is_gimple_reg_type(type) ? make_ssa_name(type) : DECL_RESULT(fun->decl);
		gimple_call_set_lhs(c, result);
		gimple_call_set_return_slot_opt(c, !is_gimple_reg_type(type));
	}
	gimple_set_location(c, DECL_SOURCE_LOCATION(fun->decl));
	gimple_seq_add_stmt(&seq, c);
	return seq;
}

/* Ends block `b` with a comparison of `v` with 0; `other`, a new block, is next if they are not equal. */
static basic_block other_than_0(basic_block b, tree v, profile_probability likely)
{
	basic_block other = create_empty_bb(b);
	add_bb_to_loop(other, b->loop_father);
	tree value = make_ssa_name(long_integer_type_node);
	gimple_stmt_iterator g = gsi_last_bb(b);
	gsi_insert_after(&g, gimple_build_assign(value, v), GSI_CONTINUE_LINKING);
	gsi_insert_after(
		&g, gimple_build_cond(NE_EXPR, value, build_int_cst(long_integer_type_node, 0), NULL_TREE, NULL_TREE),
		GSI_CONTINUE_LINKING);
	edge zero = single_succ_edge(b), to = make_edge(b, other, EDGE_TRUE_VALUE);
	zero->flags = (zero->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	zero->probability = likely.invert();
	to->probability = likely;
	other->count = to->count();
	return other;
}

/* Behind the call: where the copy has left without having done anything, the function's own body `own` is next. */
static void come_back(basic_block call, basic_block own)
{
	tree left = routine_long("psim_nest_left");
	basic_block back = other_than_0(call, left, profile_probability::even());
	gimple_stmt_iterator g = gsi_last_bb(back);
	gsi_insert_after(&g, gimple_build_assign(left, build_int_cst(long_integer_type_node, 0)), GSI_CONTINUE_LINKING);
	make_single_succ_edge(back, own, EDGE_FALLTHRU);
}

void version_choose(function *fun, cgraph_node *copy, bool leaves)
{
	basic_block first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));
	basic_block own = leaves ? split_edge(single_succ_edge(first)) : NULL;
	basic_block call = other_than_0(first, array_there(), profile_probability::very_unlikely());
	basic_block end = call;
	tree result;
	gimple_stmt_iterator g = gsi_last_bb(call);
	gsi_insert_seq_after(&g, call_of(fun, copy, result), GSI_CONTINUE_LINKING);
	if (leaves) {
		end = create_empty_bb(call);
		add_bb_to_loop(end, call->loop_father);
		make_single_succ_edge(call, end, EDGE_FALLTHRU);
		come_back(call, own);
		end->count = single_pred_edge(end)->count();
	}
	g = gsi_last_bb(end);
	gsi_insert_after(&g, gimple_build_return(result), GSI_CONTINUE_LINKING);
	make_single_succ_edge(end, EXIT_BLOCK_PTR_FOR_FN(fun), 0);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
}
