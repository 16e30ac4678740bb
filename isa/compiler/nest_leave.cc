/*
 * The copy of a function that has one nest comes back to the function itself when a run of the nest is refused before
 * anything has been done. The scalar loop then is the function's own, which its callers may have inlined, and not that
 * of the copy, which knows nothing of its arguments; and the routine is called once, not in each iteration of a loop
 * around the nest.
 *
 * A variable of the copy, `begun`, becomes 1 where the scalar loop or what follows a run on the array begins. As long
 * as it is 0, only statements without effects have run, which nest_leave verifies.
 */
#include "nest.hh"

#include "basic-block.h"
#include "cfghooks.h"
#include "gimple-expr.h"
#include "gimplify-me.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-dfa.h"

namespace
{

/* Returns whether a stored-to object belongs to this run of the function. */
bool is_own(function *fun, tree object)
{
	tree base = get_base_address(object);
	return base && auto_var_in_fn_p(base, fun->decl) && !TREE_THIS_VOLATILE(base) && TREE_CODE(base) != RESULT_DECL;
}

/* Returns whether a run of the statement can be repeated. */
bool without_effect(function *fun, gimple *s)
{
	if (is_gimple_debug(s) || gimple_clobber_p(s))
		return true;
	if (gimple_has_volatile_ops(s))
		return false;
	switch (gimple_code(s)) {
	case GIMPLE_ASSIGN: return !gimple_store_p(s) || is_own(fun, gimple_get_lhs(s));
	case GIMPLE_CALL: {
		tree callee = gimple_call_fndecl(s), lhs = gimple_call_lhs(s);
		bool routine = callee && startswith(IDENTIFIER_POINTER(DECL_NAME(callee)), "psim_nest_run");
		bool pure = (gimple_call_flags(s) & (ECF_CONST | ECF_PURE)) && !gimple_has_side_effects(s);
		return routine || (pure && (!lhs || is_gimple_reg(lhs) || is_own(fun, lhs)));
	}
	case GIMPLE_COND:
	case GIMPLE_SWITCH:
	case GIMPLE_GOTO:
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT: return true;
	default: return false;
	}
}

/* Blocks that are reached from `from` against or along the edges, not through those of `end`. */
std::set<basic_block> reached(basic_block from, bool backwards, const std::set<basic_block> &end)
{
	std::set<basic_block> seen;
	std::vector<basic_block> open = {from};
	while (!open.empty()) {
		basic_block b = open.back();
		open.pop_back();
		edge e;
		edge_iterator i;
		FOR_EACH_EDGE(e, i, backwards ? b->preds : b->succs)
		{
			basic_block next = backwards ? e->src : e->dest;
			if (!end.count(next) && seen.insert(next).second)
				open.push_back(next);
		}
	}
	return seen;
}

/* Returns whether nothing with an effect can run before the call's result is known, as long as nothing has begun. */
bool nothing_before(function *fun, basic_block call, const std::set<basic_block> &begin)
{
	std::set<basic_block> before = reached(ENTRY_BLOCK_PTR_FOR_FN(fun), false, begin),
			      to = reached(call, true, begin);
	to.insert(call);
	for (basic_block b : to)
		if (before.count(b))
			for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
				if (!without_effect(fun, gsi_stmt(g)))
					return false;
	return true;
}

void append(basic_block b, gimple *s)
{
	gimple_stmt_iterator g = gsi_last_bb(b);
	gsi_insert_after(&g, s, GSI_CONTINUE_LINKING);
}

tree number(long value)
{
	return build_int_cst(long_integer_type_node, value);
}

/* Makes a block behind `at` that returns, so that the function runs itself. */
basic_block make_way_out(function *fun, basic_block at)
{
	tree type = TREE_TYPE(TREE_TYPE(fun->decl)), result = NULL_TREE;
	basic_block out = create_empty_bb(at);
	add_bb_to_loop(out, get_loop(fun, 0));
	if (!VOID_TYPE_P(type))
		result = is_gimple_reg_type(type) ? build_zero_cst(type) : DECL_RESULT(fun->decl);
	append(out, gimple_build_assign(routine_long("psim_nest_left"), number(1)));
	append(out, gimple_build_return(result));
	make_single_succ_edge(out, EXIT_BLOCK_PTR_FOR_FN(fun), 0);
	out->count = profile_count::zero();
	return out;
}

/* Sets the variable at the begin of a block. */
void set_first(basic_block b, tree variable, long value)
{
	gimple_stmt_iterator g = gsi_after_labels(b);
	gsi_insert_before(&g, gimple_build_assign(variable, number(value)), GSI_SAME_STMT);
}

tree computed(basic_block b, tree type, tree_code code, tree x, tree y)
{
	tree name = make_ssa_name(type);
	append(b, gimple_build_assign(name, code, x, y));
	return name;
}

tree loaded(basic_block b, tree variable)
{
	tree name = make_ssa_name(long_integer_type_node);
	append(b, gimple_build_assign(name, variable));
	return name;
}

/* The variable that is 1 once something has been done. */
tree make_begun(const std::vector<nest_place> &places, basic_block scalar)
{
	tree begun = create_tmp_var(long_integer_type_node, "psim_begun");
	TREE_ADDRESSABLE(begun) = 1; /* in memory, until GCC finds out that nothing takes its address */
	set_first(split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun))), begun, 0);
	set_first(scalar, begun, 1);
	for (const nest_place &p : places)
		set_first(p.ran, begun, 1);
	return begun;
}

/*
 * Between the call and the scalar loop, the test whether the function is left: after a refusal, and not with
 * psim-record --check-simd; in a loop only before anything has begun, and not if later runs may be taken.
 */
void leave_refused(function *fun, const nest_place &p, tree begun)
{
	basic_block test = split_edge(p.refused), out = make_way_out(fun, test);
	if (begun) {
		tree lasting = loaded(test, routine_long("psim_nest_lasting"));
		tree all = computed(test, long_integer_type_node, BIT_IOR_EXPR, p.result, loaded(test, begun));
		tree nothing = computed(test, boolean_type_node, EQ_EXPR, all, number(0));
		tree lasts = computed(test, boolean_type_node, NE_EXPR, lasting, number(0));
		append(test, gimple_build_cond(NE_EXPR, computed(test, boolean_type_node, BIT_AND_EXPR, nothing, lasts),
					       boolean_false_node, NULL_TREE, NULL_TREE));
	} else {
		append(test, gimple_build_cond(EQ_EXPR, p.result, number(0), NULL_TREE, NULL_TREE));
		for (edge e : p.few)
			redirect_edge_and_branch(e, out);
	}
	edge stays = single_succ_edge(test), leaves = make_edge(test, out, EDGE_TRUE_VALUE);
	stays->flags = (stays->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	stays->probability = leaves->probability = profile_probability::even();
}

} // namespace

bool nest_leave(compilation &in, function *fun)
{
	if (in.on_array.size() != 1 || in.places.empty() || !in.places[0].leaves)
		return false;
	const nest_place &own = in.places[0]; /* further ones are those of the loops around it */
	std::set<basic_block> begin = {own.scalar};
	for (const nest_place &p : in.places)
		begin.insert(p.ran);
	if (!nothing_before(fun, own.refused->src, begin))
		return false;
	leave_refused(fun, own, own.once ? NULL_TREE : make_begun(in.places, own.scalar));
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	return true;
}
