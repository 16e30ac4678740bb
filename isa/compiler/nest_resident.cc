/*
 * Blocks of target data: the arrays of their nests stay in the buffer memories, so memory may be out of date until
 * psim_nest_release or psim_nest_touch has been called. That depends on calls of psim_nest_run only: in front of each
 * statement that can be reached from one and may use memory of numbers is such a call.
 */
#include "nest.hh"

#include "basic-block.h"
#include "cfghooks.h"
#include "gimple-expr.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "input.h"
#include "options.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "alias.h"

/* ---- what uses memory ---- */

namespace
{
enum touching { TOUCHES_NOTHING, TOUCHES_PLACE, TOUCHES_ALL };

bool may_be_numbers(const compilation &in, tree ref)
{
	tree base = get_base_address(ref);
	if (base && DECL_P(base) &&
	    (in.own_arrays.count(base) || (auto_var_in_fn_p(base, current_function_decl) && !TREE_ADDRESSABLE(base) &&
					   !AGGREGATE_TYPE_P(TREE_TYPE(base)))))
		return false;
	alias_set_type of = get_alias_set(ref);
	for (tree type : {float_type_node, double_type_node, complex_float_type_node, complex_double_type_node})
		if (alias_sets_conflict_p(of, get_alias_set(type)))
			return true;
	return false;
}

bool is_reference(tree t)
{
	return t && !is_gimple_reg(t) && (DECL_P(t) || REFERENCE_CLASS_P(t)) && TREE_CODE(t) != FUNCTION_DECL &&
	       TREE_CODE(t) != LABEL_DECL && TREE_CODE(t) != CONST_DECL;
}

/* Returns whether a statement that is no assignment may use memory of any kind. */
bool may_use_all(gimple *s)
{
	if (is_gimple_call(s) && gimple_call_internal_p(s))
		return gimple_call_lhs(s) && is_reference(gimple_call_lhs(s));
	if (is_gimple_call(s))
		return !(gimple_call_flags(s) & ECF_CONST);
	if (gasm *a = dyn_cast<gasm *>(s))
		return gimple_asm_volatile_p(a) || gimple_asm_noutputs(a);
	return gimple_code(s) == GIMPLE_RETURN || gimple_code(s) == GIMPLE_RESX;
}

/* Returns whether a place in memory has an address and a constant size. */
bool has_address(tree ref)
{
	tree size = TYPE_SIZE_UNIT(TREE_TYPE(ref));
	return size && TREE_CODE(size) == INTEGER_CST && TREE_CODE(ref) != BIT_FIELD_REF &&
	       TREE_CODE(ref) != REALPART_EXPR && TREE_CODE(ref) != IMAGPART_EXPR;
}

/* A statement's use of memory; `ref` becomes the place, `store` whether it is stored to. */
touching touches(const compilation &in, gimple *s, tree *ref, bool *store)
{
	if (is_gimple_debug(s) || in.calls.count(s) || gimple_clobber_p(s))
		return TOUCHES_NOTHING;
	if (!is_gimple_assign(s))
		return may_use_all(s) ? TOUCHES_ALL : TOUCHES_NOTHING;
	tree to = gimple_assign_lhs(s), from = gimple_assign_rhs1(s);
	if (VAR_P(to) && DECL_HARD_REGISTER(to)) /* a call behind it would change the register */
		return TOUCHES_ALL;
	bool stores = is_reference(to) && may_be_numbers(in, to);
	bool loads = gimple_assign_single_p(s) && is_reference(from) && may_be_numbers(in, from);
	if (stores && loads)
		return TOUCHES_ALL;
	*ref = stores ? to : from;
	*store = stores;
	if (!stores && !loads)
		return TOUCHES_NOTHING;
	return has_address(*ref) ? TOUCHES_PLACE : TOUCHES_ALL;
}

/* ---- where arrays may be resident ---- */

struct guards {
	compilation &in;
	function *fun;
	std::set<class loop *> with_resident;    /* loops with such a call */
	std::map<gimple *, touching> in_front;   /* of a statement */
	std::map<edge, location_t> at_preheader; /* of loops without such a call: everything */
	std::map<basic_block, bool> leaves;      /* arrays may be resident at the end of a block */

	guards(compilation &of, function *f) : in(of), fun(f)
	{
	}

	gimple *call_of(basic_block b)
	{
		for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g); gsi_prev(&g))
			if (in.calls.count(gsi_stmt(g)) && !in.calls[gsi_stmt(g)].passes)
				return gsi_stmt(g);
		return NULL;
	}

	/* The outermost loop around a block that has no call which keeps arrays, or NULL. */
	class loop *free_loop(basic_block b)
	{
		class loop *found = NULL;
		for (class loop *l = b->loop_father; l && loop_outer(l) && !with_resident.count(l); l = loop_outer(l))
			found = l;
		return found;
	}

	static edge entry_of(class loop *l)
	{
		edge e, only = NULL;
		edge_iterator it;
		FOR_EACH_EDGE(e, it, l->header->preds)
		if (!flow_bb_inside_loop_p(l, e->src)) {
			if (only)
				return NULL;
			only = e;
		}
		return only;
	}

	void find_places()
	{
		basic_block b;
		FOR_EACH_BB_FN(b, fun)
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
			gimple *s = gsi_stmt(g);
			tree ref;
			bool store;
			touching t = touches(in, s, &ref, &store);
			if (t == TOUCHES_NOTHING)
				continue;
			class loop *l = free_loop(b);
			edge entry = l ? entry_of(l) : NULL;
			if (entry)
				at_preheader.insert({entry, outer_place(gimple_location(s))});
			else
				in_front[s] = l ? TOUCHES_ALL : t;
		}
	}

	bool along(edge e)
	{
		if (at_preheader.count(e))
			return false;
		gimple *call = call_of(e->src);
		return leaves[e->src] && (!call || (e->flags & EDGE_TRUE_VALUE));
	}

	bool enters(basic_block b)
	{
		edge e;
		edge_iterator it;
		FOR_EACH_EDGE(e, it, b->preds)
		if (along(e))
			return true;
		return false;
	}

	/* Returns whether arrays may be resident behind a statement, if they may be in front of it. */
	bool behind(gimple *s, bool resident)
	{
		auto call = in.calls.find(s);
		if (call != in.calls.end())
			return call->second.passes ? resident : call->second.resident;
		auto place = in_front.find(s);
		return place != in_front.end() && place->second == TOUCHES_ALL ? false : resident;
	}

	void follow()
	{
		for (bool changed = true; changed;) {
			basic_block b;
			changed = false;
			FOR_EACH_BB_FN(b, fun)
			{
				bool resident = enters(b);
				for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
					resident = behind(gsi_stmt(g), resident);
				changed |= resident && !leaves[b];
				leaves[b] |= resident;
			}
		}
	}

	tree place_text(location_t at)
	{
		char where[300];
		expanded_location x = expand_location(at == UNKNOWN_LOCATION ? fun->function_end_locus : at);
		snprintf(where, sizeof where, "%s:%d", x.file ? x.file : "", x.line);
		return build_string_literal(strlen(where) + 1, where);
	}

	gimple *release(location_t at)
	{
		tree type = build_function_type_list(void_type_node, ptr_type_node, NULL_TREE);
		gimple *c = gimple_build_call(build_fn_decl("psim_nest_release", type), 1, place_text(at));
		gimple_set_location(c, at);
		return c;
	}

	void touch(gimple_stmt_iterator *g, tree ref, bool store)
	{
		tree type = build_function_type_list(void_type_node, ptr_type_node, long_integer_type_node,
						     long_integer_type_node, ptr_type_node, NULL_TREE);
		tree base = get_base_address(ref);
		if (base && DECL_P(base))
			TREE_ADDRESSABLE(base) = 1;
		tree at = force_gimple_operand_gsi(g, build_fold_addr_expr(unshare_expr(ref)), true, NULL_TREE, true,
						   GSI_SAME_STMT);
		location_t where = outer_place(gimple_location(gsi_stmt(*g)));
		gimple *c = gimple_build_call(build_fn_decl("psim_nest_touch", type), 4, at,
					      fold_convert(long_integer_type_node, TYPE_SIZE_UNIT(TREE_TYPE(ref))),
					      build_int_cst(long_integer_type_node, store), place_text(where));
		gimple_set_location(c, where);
		gsi_insert_before(g, c, GSI_SAME_STMT);
	}

	void tell(location_t at, bool all)
	{
		if (in.report && at != UNKNOWN_LOCATION)
			nest_message(
				at,
				all ? "the scalar core may use what stays in the buffer memories: all is written back"
				    : "the scalar core may use what stays in the buffer memories: such an array is "
				      "written back");
	}

	void put_in_front(basic_block b)
	{
		bool resident = enters(b);
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
			gimple *s = gsi_stmt(g);
			auto place = in_front.find(s);
			if (resident && place != in_front.end()) {
				tree ref = NULL_TREE;
				bool store = false, all = place->second == TOUCHES_ALL;
				touches(in, s, &ref, &store);
				if (all)
					gsi_insert_before(&g, release(outer_place(gimple_location(s))), GSI_SAME_STMT);
				else
					touch(&g, ref, store);
				if (gimple_code(s) != GIMPLE_RETURN)
					tell(outer_place(gimple_location(s)), all);
			}
			resident = behind(s, resident);
		}
	}

	void put()
	{
		std::vector<std::pair<edge, location_t>> entries;
		for (auto &p : at_preheader)
			if (call_of(p.first->src) ? leaves[p.first->src] && (p.first->flags & EDGE_TRUE_VALUE)
						  : leaves[p.first->src])
				entries.push_back(p);
		basic_block b;
		FOR_EACH_BB_FN(b, fun)
		put_in_front(b);
		for (auto &p : entries) {
			gsi_insert_on_edge_immediate(p.first, release(p.second));
			tell(p.second, true);
		}
	}
};

} // namespace

void resident_call(compilation &in, gimple *call, tree data, tree table, bool resident)
{
	in.calls[call] = {resident, false};
	in.own_arrays.insert(data);
	in.own_arrays.insert(table);
}

void resident_passes(compilation &in, gimple *call)
{
	in.calls[call] = {false, true};
}

void resident_guards(compilation &in, function *fun)
{
	guards g(in, fun);
	bool any = false;
	for (auto &c : in.calls)
		for (class loop *l = c.second.resident ? gimple_bb(c.first)->loop_father : NULL; l; l = loop_outer(l)) {
			g.with_resident.insert(l);
			any = true;
		}
	forget_calls(in, fun, any);
	if (any) {
		g.find_places();
		g.follow();
		g.put();
	}
	in.calls.clear();
	in.own_arrays.clear();
}
